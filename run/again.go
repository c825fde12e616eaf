package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/table"
)

// SameAgain is the check that the run made again leaves what is in the folder.
const SameAgain = "the run made again leaves the same tables and the same numbers in summary.json"

// repeat makes the run of a folder again, beside its files, which it compares row by row. A
// run is a function of its case, to the last bit: in programs of one version and one kind
// of rounding the tables have the same bytes. Of those of others the trajectories are
// compared: two runs that are within the accuracy of the truth are within twice that of each
// other. What only the run knew (what its twin said, which island lost what in a collision)
// is known again in either case, and so are its expectations.
func (a *Audit) repeat(ctx context.Context, c Case, from *table.Summary) error {
	t := Of(a.Case, nil, c, "")
	t.loose, t.Pause = &keeper{}, never
	t.Verify = slices.ContainsFunc(from.Facts, func(f table.Fact) bool { return strings.HasPrefix(f.Name, atHalf) })
	out, err := table.Against(a.Files, table.Options{Every: t.plan.Every})
	if err != nil {
		return err
	}
	other := ""
	t.left = func(dir string) error {
		var err error
		other, err = differentFile(a.Files.Dir, dir)
		return err
	}
	s, err := t.runLoosely(ctx, out)
	if err != nil {
		return err
	}
	if s.Status != table.Done {
		a.reject("the run made again fails: %s", oneLine(s.Message))
		return nil
	}
	a.again = s
	return a.compare(out, other, from)
}

// differentFile returns the first file of a folder that another one does not have, or not
// with the same bytes; "": there is none.
func differentFile(found, made string) (string, error) {
	list, err := os.ReadDir(made)
	if err != nil {
		return "", err
	}
	for _, e := range list {
		want, err := regular.ReadFile(filepath.Join(made, e.Name()))
		if err != nil {
			return "", err
		}
		switch got, err := regular.ReadFile(filepath.Join(found, e.Name())); {
		case errors.Is(err, fs.ErrNotExist):
			return e.Name() + " is missing", nil
		case err != nil:
			return "", err
		case !bytes.Equal(got, want):
			return e.Name() + " is another one", nil
		}
	}
	return "", nil
}

// never is a pause that no run lives to see.
const never = 1 << 62

// compare judges what the run made again says of the files; place is where those beside the
// tables differ.
func (a *Audit) compare(out *table.Tables, place string, from *table.Summary) error {
	if list := out.Differences(); len(list) > 0 {
		place = list[0].String()
	}
	if from.Version != Version() || from.Processor != processor.Kind() {
		apart, extent := out.Apart()
		f := table.AtMost(table.Accurate, "distance of the trajectory from that of the run made again", apart, 2*a.Plan.Accuracy*extent, "m, rad", table.Computed)
		f.Place = place
		a.Summary.Facts = append(a.Summary.Facts, f)
		a.Note("the files are of version %s (%s), the run made again of %s (%s): their last digits may differ", from.Version, from.Processor, Version(), processor.Kind())
		return nil
	}
	if place == "" {
		key, err := differentKey(a.again, from)
		if err != nil {
			return err
		}
		if key != "" {
			place = table.SummaryFile + ": " + key
		}
	}
	a.check(SameAgain, len(a.Plan.Layout.Sheets)+1, place)
	return nil
}

// check adds a property that holds or fails at a place, and takes the certificate away if it fails.
func (a *Audit) check(name string, count int, place string) {
	f := table.Fact{Word: table.Solved, Name: name, Passed: place == "", Basis: table.Computed, Place: place}
	if !f.Passed {
		f.Value = 1
		a.reject("%s: %s", place, name)
	}
	s := &a.Summary
	s.Facts = append(s.Facts, f)
	s.Audit = append(s.Audit, table.Audit{Check: name, Count: count, Size: f.Value, Passed: f.Passed, Place: place})
}

// ofTheProcess are the keys of summary.json that say of a run when, where and in what it
// was made, or are checked elsewhere; the name is that of the file, where the case has none.
var ofTheProcess = []string{"name", "wall_seconds", "memory", "files", "warnings", "version", "processor", "resumed"}

// differentKey returns the path of the first number or text that two summaries do not
// share; "": there is none.
func differentKey(again, from *table.Summary) (string, error) {
	a, err := tree(again)
	if err != nil {
		return "", err
	}
	b, err := tree(from)
	if err != nil {
		return "", err
	}
	return different("", b, a), nil
}

// tree returns a summary as JSON has it.
func tree(s *table.Summary) (map[string]any, error) {
	text, err := s.JSON()
	if err != nil {
		return nil, err
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	for _, key := range ofTheProcess {
		delete(v, key)
	}
	return v, nil
}

// different returns where two values of JSON differ first, and how.
func different(path string, found, made any) string {
	switch m := made.(type) {
	case map[string]any:
		f, ok := found.(map[string]any)
		if !ok {
			break
		}
		keys := slices.Collect(maps.Keys(m))
		for key := range f {
			if _, ok := m[key]; !ok {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			if at := different(path+"."+key, f[key], m[key]); at != "" {
				return at
			}
		}
		return ""
	case []any:
		f, ok := found.([]any)
		if !ok || len(f) != len(m) {
			break
		}
		for i := range m {
			if at := different(fmt.Sprintf("%s[%d]", path, i), f[i], m[i]); at != "" {
				return at
			}
		}
		return ""
	}
	if reflect.DeepEqual(found, made) {
		return ""
	}
	return fmt.Sprintf("%s is %s and not %s", strings.TrimPrefix(path, "."), short(found), short(made))
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
