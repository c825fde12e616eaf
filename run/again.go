package run

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/table"
)

// SameAgain is the check that the run made again leaves what is in the folder.
const SameAgain = "the run made again leaves the same tables and the same summary.json"

// SameRounded is the check that files of another version or kind of processor say what the run made
// again says.
const SameRounded = "summary.json of another version says what the run made again says, but for rounding"

// SameTables is the check that their tables do, beyond the motion.
const SameTables = "certificates, collisions and events are those of the run made again, but for rounding"

// SameRows is the check that rows that no equation checks are those of the run made again.
const SameRows = "rows of another version that no equation checks are those of the run made again, but for rounding; the version that made them can tell"

// Redrawn is the check that what other programs show follows from the tables.
const Redrawn = "archives and pictures of bodies are those that the tables make"

// again is what the run made again says of a folder.
type again struct {
	Summary *table.Summary // of that run
	Facts   []table.Fact
	Notes   []string
	count   int
}

// add adds a property that holds, or fails at a place.
func (g *again) add(name string, place string) {
	f := table.Fact{Word: table.Solved, Name: name, Passed: place == "", Basis: table.Computed, Place: place}
	if !f.Passed {
		f.Value = 1
	}
	g.Facts = append(g.Facts, f)
}

// note tells what is not proven.
func (g *again) note(format string, args ...any) {
	g.Notes = append(g.Notes, fmt.Sprintf(format, args...))
}

// redraw compares archives with the tables of the same folder, from which they follow. Where
// another version drew them in another way, nobody knows what they show.
func redraw(ctx context.Context, files *table.Folder, from *table.Summary) (*again, error) {
	g := &again{count: 1}
	place, err := files.Redraw(ctx)
	if err != nil {
		return nil, err
	}
	if place != "" {
		if from.Version != Version() {
			place += fmt.Sprintf(" (of version %s, this is %s)", from.Version, Version())
		}
		g.add(Redrawn, place)
	}
	return g, nil
}

// repeat makes the run of a folder again, beside its files, which it compares row by row. A run is
// a function of its case, to the last bit: in programs of one version and one kind of rounding the
// tables have the same bytes, and summary.json the same numbers and words but those of
// [ofTheProcess]. Of those of others the trajectories are compared: two runs that are within the
// accuracy of the truth are within twice that of each other; and summary.json, and what only the run
// knew in the tables, to what rounding leaves, see [rounded] and [again.tables]. What only the run knew (what its twin said, which island lost what in a
// collision) is known again in either case, and so are its expectations.
//
// Blind says that not every row was checked by the equations of the model.
func repeat(ctx context.Context, k *casefile.Case, c Case, files *table.Folder, from *table.Summary, blind bool) (*again, error) {
	t := Of(k, nil, c, "")
	t.loose, t.Pause = &keeper{}, never
	t.Verify = slices.ContainsFunc(from.Facts, func(f table.Fact) bool { return strings.HasPrefix(f.Name, atHalf) })
	foreign := from.Version != Version() || from.Processor != processor.Kind()
	var near *table.Near
	if foreign {
		near = rounded.tables(t.plan.Accuracy)
	}
	out, err := table.Against(files, table.Options{Every: t.plan.Every}, near)
	if err != nil {
		return nil, err
	}
	place := ""
	t.left = func(dir string) error {
		var err error
		place, err = table.DifferentFile(files.Dir, dir)
		return err
	}
	s, err := t.runLoosely(ctx, out)
	if err != nil {
		return nil, err
	}
	g := &again{Summary: s, count: len(t.plan.Layout.Sheets) + 1}
	if s.Status != table.Done {
		g.add("the run made again fails", oneLine(s.Message))
		return g, nil
	}
	if list := out.Differences(); len(list) > 0 {
		place = list[0].String()
	}
	if foreign {
		apart, extent := out.Apart()
		f := table.AtMost(table.Accurate, "distance of the trajectory from that of the run made again", apart,
			2*t.plan.Accuracy*extent, "m, rad", table.Computed)
		if !f.Passed {
			f.Place = place
		}
		g.Facts = append(g.Facts, f)
		g.tables(out, t.plan.Layout, blind)
		g.note("the files are of version %s (%s), the run made again of %s (%s): their last digits may differ, "+
			"and places in summary.json, and when extremes were met, are not compared",
			from.Version, from.Processor, Version(), processor.Kind())
		if place, err = t.differentSummary(ctx, c, files.Dir, from, rounded); err != nil {
			return nil, err
		}
		if place == "" {
			size, err := sizeOfSection(s)
			if err != nil {
				return nil, err
			}
			place = differentFacts(from, s, size)
		}
		g.add(SameRounded, place)
		return g, nil
	}
	if place == "" {
		if place, err = t.differentSummary(ctx, c, files.Dir, from, exact); err != nil {
			return nil, err
		}
	}
	g.add(SameAgain, place)
	return g, nil
}

// tables judges what a run of another version or kind of processor says in tables and no equation:
// certificates, collisions, events and sensors. The others follow the equations of the model, which an audit
// has checked; where one of them is another one beyond rounding the motion, or how contacts share a
// force, hangs on the last digits, and so does what was said of it. An audit that was blind has not
// checked them: then nothing says which of the two is right.
func (g *again) tables(out *table.Tables, l *table.Layout, blind bool) {
	told := []string{table.CertificatesFile, table.CollisionsFile, table.EventsFile}
	if slices.ContainsFunc(l.Sheets, func(s table.Sheet) bool { return s.File == table.SensorsFile }) {
		told = append(told, table.SensorsFile)
	}
	ofRun := func(d *table.Difference) bool { return slices.Contains(told, d.File) }
	checked, apart := out.Far(restOfChecked)
	switch checked = slices.DeleteFunc(checked, ofRun); {
	case blind && len(checked) > 0:
		g.add(SameRows, checked[0].String())
		return
	case len(checked) > 0:
		g.note("not compared: %s: %s, more than rounding: the run hangs on the last digits", strings.Join(told, ", "), checked[0])
		return
	}
	place := ""
	list, _ := out.Far(restOfTold)
	if i := slices.IndexFunc(list, ofRun); i >= 0 {
		place = list[i].String()
	}
	if apart > 0 {
		g.note("not compared: %d columns of what solvers took and left", apart)
	}
	g.add(SameTables, place)
}

// never is a pause that no run lives to see.
const never = 1 << 62

// take adds what was found to the audit, and takes the certificate away if something fails.
func (a *Audit) take(g *again) {
	s := &a.Summary
	for i := range g.Facts {
		f := &g.Facts[i]
		s.Facts = append(s.Facts, *f)
		if f.Word == table.Solved {
			s.Audit = append(s.Audit, table.Audit{Check: f.Name, Count: g.count, Size: f.Value, Passed: f.Passed, Place: f.Place})
		}
	}
	a.notes = append(a.notes, g.Notes...)
	g.judge(s)
}

// judge takes the certificate of a summary away if something fails; the first reason is told.
func (g *again) judge(s *table.Summary) {
	for i := range g.Facts {
		if f := &g.Facts[i]; !f.Passed && s.Certified {
			s.Certified, s.Message = false, fmt.Sprintf("not %s: %s", f.Word, f)
			if f.Word == table.Solved {
				s.Message = fmt.Sprintf("%s: %s", f.Place, f.Name)
			}
		}
	}
}

// ofTheProcess are the paths in summary.json that say of a run when, where and in what it was
// made, and which no program can find out again: pages do not show them in a verdict. What a run is predicted to
// take goes by the number of its threads. See [forget].
var ofTheProcess = []string{"wall_seconds", "version", "processor", "memory", "*.factors"}

// checkedApart are the paths that are compared in another way.
var checkedApart = []string{"files", "warnings", "name", "seal"}

// differentSummary returns the first number or text of summary.json, but for those of the process,
// that this run, which was made again, does not say; "": there is none.
func (t *Task) differentSummary(ctx context.Context, c Case, dir string, from *table.Summary, n *nearness) (string, error) {
	made, err := t.Summary.JSON()
	if err != nil {
		return "", err
	}
	found, err := regular.ReadFile(filepath.Join(dir, table.SummaryFile)) // as it is written: what is read may forgive
	if err != nil {
		return "", err
	}
	a, err := tree(made, n.apart)
	if err != nil {
		return "", err
	}
	b, err := tree(found, n.apart)
	if err != nil {
		return "", err
	}
	if key := n.different("", b, a, 0); key != "" {
		return table.SummaryFile + ": " + key, nil
	}
	var named struct {
		Name string `json:"name"`
	}
	if json.Unmarshal(t.Case.Document(), &named) == nil && named.Name != "" && from.Name != t.Case.Name {
		return fmt.Sprintf("%s: name is %s and not %s", table.SummaryFile, short(from.Name), short(t.Case.Name)), nil
	}
	if len(from.Warnings) == 0 {
		return "", nil
	}
	return t.differentWarnings(ctx, c, dir, from)
}

// differentWarnings draws the overview of a folder again for what it warns of.
func (t *Task) differentWarnings(ctx context.Context, c Case, dir string, from *table.Summary) (string, error) {
	scratch, remove, err := table.Scratch("overview")
	if err != nil {
		return "", err
	}
	defer remove()
	warnings, err := draw(ctx, c, dir, scratch, t.Case.Name)
	if err == nil && !slices.Equal(warnings, from.Warnings) {
		return table.SummaryFile + ": the warnings are not those that its overview gives", nil
	}
	return "", err
}

// tree returns what is compared of the text of a summary.
func tree(text []byte, apart []string) (map[string]any, error) {
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	for _, path := range slices.Concat(ofTheProcess, checkedApart, apart) {
		forget(v, strings.Split(path, "."))
	}
	return v, nil
}

// forget takes the value at a path out of an object, or of the objects of a list; a star is any
// key.
func forget(v any, path []string) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			forget(x, path)
		}
	case map[string]any:
		if len(path) == 1 {
			delete(v, path[0])
			return
		}
		for key, x := range v {
			if path[0] == "*" || path[0] == key {
				forget(x, path[1:])
			}
		}
	}
}

// short is a value in few characters.
func short(v any) string {
	text := fmt.Sprint(v)
	switch v.(type) {
	case nil:
		return "missing"
	case []any:
		return "another list"
	case map[string]any:
		return "another object"
	}
	const longest = 60
	if r := []rune(text); len(r) > longest {
		return string(r[:longest]) + "…"
	}
	return text
}
