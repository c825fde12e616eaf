package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
)

// Audit certifies a run from its files: it compares them with the case and each other,
// without solving a step again, and then with the run made again.
type Audit struct {
	Case    *casefile.Case
	Plan    *Plan
	Files   *table.Folder
	Summary table.Summary
	checks  []*Check
	notes   []string       // what the files cannot prove
	taken   []string       // … but the run made again
	stated  []string       // names of facts that only the run knows
	able    []string       // of such that it need not have found out
	blind   bool           // some numbers of the tables follow from no other
	again   *table.Summary // of the run made again; nil: it was not
	closers []io.Closer
}

// Check is one property of all rows: the largest size found, relative to what is allowed
// there.
type Check struct {
	label, what, unit string
	count             int
	ratio             float64 // largest size over allowed
	size, allowed     float64 // where the ratio is largest
	fault             *Place  // the first violation; nil: none
}

// Place is where in the files something is; of other formats than CSV, where it would be
// there.
type Place struct {
	File string
	Row  int // 0 is the first one after the header
	T    float64
	What string // column, body or contact
}

// At returns a place.
func At(file string, row int, t float64, what string) Place { return Place{file, row, t, what} }

func (p *Place) String() string {
	return fmt.Sprintf("%s:%d: t=%g, %s", p.File, p.Row+2, p.T, p.What)
}

// Source is what is certified: the folder of a run, or a trajectory made elsewhere.
type Source struct {
	Dir       string         // empty: made elsewhere
	File      string         // of that trajectory
	Tolerance *float64       // largest gap, relative to the energies met; nil: that of the case
	Summary   *table.Summary // that is in the folder; nil: none
	Proof     string         // file for a proof of what is certified, see Prover; empty: none
	FilesOnly bool           // the run is not made again: what only it knew is taken from Summary
}

// Diagnosis is the verdict on files.
type Diagnosis interface {
	Result() *table.Summary
	Print() string
}

// Diagnose certifies files of a case. The error is one of the files.
func Diagnose(ctx context.Context, k *casefile.Case, c Case, from Source) (Diagnosis, error) {
	if err := provable(k, c, from); err != nil {
		return nil, err
	}
	if own, ok := c.(Diagnoser); ok {
		d, err := own.Diagnose(ctx, from)
		if err == nil {
			err = from.compare(ctx, k, c, d.Result())
		}
		if err == nil {
			err = writeProof(d, from)
		}
		return d, err
	}
	model, ok := c.(Auditor)
	switch {
	case !ok:
		return nil, errors.New("the model has no way to certify files")
	case from.Dir == "":
		return nil, fmt.Errorf("the model %s is certified from the folder of a run only", k.Model)
	case from.Tolerance != nil:
		return nil, fmt.Errorf("--tolerance has no effect on the model %s, whose checks have tolerances of their own", k.Model)
	}
	p := c.Plan()
	a := &Audit{Case: k, Plan: p, Files: Folder(p, from.Dir),
		Summary: table.Summary{Name: k.Name, Version: Version(), CaseSHA256: k.SHA256, Until: p.Until,
			StepsPlanned: p.Steps, Notes: p.Notes, Expectations: []table.Outcome{}, Facts: []table.Fact{}}}
	if from.Summary != nil {
		a.Summary.Status = from.Summary.Status
	}
	known, damage, err := Damage(ctx, a.Files)
	if err == nil {
		err = model.Audit(ctx, a)
	}
	for _, f := range a.closers {
		_ = f.Close() // read only
	}
	if err != nil {
		if damage != nil {
			err = fmt.Errorf("%w (%w)", err, damage)
		}
		return nil, err
	}
	if p.Every > 1 {
		a.Note("the run wrote every %d-th step only (output.every): no step is checked against the one before; forces, contacts and energies of each row are",
			p.Every)
	}
	a.Note("that other solutions exist, or none was overlooked, is not shown")
	a.conclude(known, damage)
	a.accuracy(from.Summary)
	if s := from.Summary; s != nil && s.Status == table.Done && a.Summary.Certified {
		g, err := redraw(ctx, a.Files, s)
		if err == nil {
			a.take(g)
		}
		if err == nil && !from.FilesOnly {
			if g, err = repeat(ctx, k, c, a.Files, s, a.blind || p.Every > 1); err == nil {
				a.again = g.Summary
				a.take(g)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	a.takeOver(from.Summary)
	a.expectations()
	a.Summary.Unproved = a.notes
	return a, nil
}

// Again reports whether the run is made again and compared with its files, so that nothing has to
// be taken from its summary unseen.
func (from *Source) Again() bool {
	return from.Dir != "" && from.Summary != nil && from.Summary.Status == table.Done && !from.FilesOnly
}

// compare adds to the verdict of a model on a folder what the tables and the run made again say
// of the rest.
func (from *Source) compare(ctx context.Context, k *casefile.Case, c Case, s *table.Summary) error {
	if from.Dir == "" || from.Summary == nil || !s.Certified {
		return nil
	}
	if from.Summary.Status != table.Done {
		s.Certified, s.Message = false, fmt.Sprintf("the run is not complete: %s says that it is %s", table.SummaryFile,
			short(string(from.Summary.Status)))
		return nil
	}
	files := Folder(c.Plan(), from.Dir)
	g, err := redraw(ctx, files, from.Summary)
	if err != nil {
		return err
	}
	if !from.FilesOnly {
		more, err := repeat(ctx, k, c, files, from.Summary, false)
		if err != nil {
			return err
		}
		g.Facts, g.Notes = append(g.Facts, more.Facts...), append(g.Notes, more.Notes...)
	}
	s.Facts, s.Unproved = append(s.Facts, g.Facts...), append(s.Unproved, g.Notes...)
	g.judge(s)
	return nil
}

// SameFiles is the check of the sums that a run leaves of its files.
const SameFiles = "the files are those that the run wrote"

// files prints that check.
func (p *Page) files(f *table.Fact) {
	if f.Passed {
		p.Line("files", "they are those that the run wrote, by their SHA-256")
		return
	}
	p.Line("files", "FAILS: %s", f.Place)
}

// again prints the check of the run made again.
func (p *Page) again(f *table.Fact) {
	switch {
	case !f.Passed:
		p.Line("made again", "FAILS: %s: %s", f.Place, f.Name)
	case f.Name == SameRounded:
		p.Line("made again", "%s", f.Name)
	default:
		p.Line("made again", "the run leaves the same tables, byte by byte, and the same numbers in summary.json")
	}
}

// Damage returns what is wrong with the files of a run; nil: they are what it wrote, or it
// left no sums to tell.
func Damage(ctx context.Context, f *table.Folder) (known bool, damage *table.DamageError, err error) {
	known, err = f.Verify(ctx)
	if damage, ok := errors.AsType[*table.DamageError](err); ok {
		return true, damage, nil
	}
	return known, nil, err
}

// Result is the verdict.
func (a *Audit) Result() *table.Summary { return &a.Summary }

// Note tells what the files cannot prove.
func (a *Audit) Note(format string, args ...any) {
	a.notes = append(a.notes, fmt.Sprintf(format, args...))
}

// Taken tells what is taken as the files have it, where the run is not made again.
func (a *Audit) Taken(text string) { a.taken = append(a.taken, text) }

// Blind declares that some numbers of the tables follow from no other: those of another version
// are believed if the run made again has them too.
func (a *Audit) Blind() { a.blind = true }

// Close closes a file at the end of the audit.
func (a *Audit) Close(f io.Closer) { a.closers = append(a.closers, f) }

// Check declares a property. Without a label it stands below the one before.
func (a *Audit) Check(label, what, unit string) *Check {
	c := &Check{label: label, what: what, unit: unit}
	a.checks = append(a.checks, c)
	return c
}

// AtMost looks at a number whose size should be at most allowed.
func (c *Check) AtMost(size, allowed float64, at Place) {
	c.count++
	size = math.Abs(size)
	ratio := size / allowed
	if size == 0 {
		ratio = 0
	}
	if c.fault != nil {
		return // the first violation is told
	}
	if !(ratio <= 1) { // NaN is no number to trust
		c.fault = &at
	}
	if !(ratio <= c.ratio) || c.count == 1 {
		c.ratio, c.size, c.allowed = ratio, size, allowed
	}
}

// Fail is a violation that has no size.
func (c *Check) Fail(at Place) { c.AtMost(math.Inf(1), 1, at) }

// verdict says by how much a check failed.
func (c *Check) verdict() string {
	if math.IsInf(c.size, 1) {
		return "this is not so"
	}
	return fmt.Sprintf("off by %.3g %s, %.3g allowed", c.size, c.unit, c.allowed)
}

// fact is the check as a line of the verdict.
func (c *Check) fact() table.Fact {
	f := table.Fact{Word: table.Solved, Name: c.what, Value: Finite(c.size), Limit: Finite(c.allowed), Unit: c.unit,
		Passed: c.fault == nil, Basis: table.Computed}
	if c.fault != nil {
		f.Place = c.fault.String()
	}
	return f
}

// conclude fills the summary.
func (a *Audit) conclude(known bool, damage *table.DamageError) {
	s := &a.Summary
	s.Certified, s.Met = true, true
	for _, c := range a.checks {
		f := c.fact()
		s.Facts = append(s.Facts, f)
		s.Audit = append(s.Audit, table.Audit{Check: c.what, Count: c.count, Size: f.Value, Allowed: f.Limit,
			Unit: c.unit, Passed: f.Passed, Place: f.Place})
		if !f.Passed {
			if s.Certified {
				s.Message = fmt.Sprintf("%s: %s: %s", c.fault, c.what, c.verdict())
				if damage != nil && filepath.Base(damage.File) != c.fault.File { // what follows from it
					s.Message = fmt.Sprintf("%v; %s", damage, s.Message)
				}
			}
			s.Certified = false
		}
	}
	if known {
		f := table.Fact{Word: table.Solved, Name: SameFiles, Passed: damage == nil, Basis: table.Proven}
		if damage != nil {
			f.Value, f.Place = 1, damage.Error()
			if s.Certified {
				s.Certified, s.Message = false, damage.Error()
			}
		}
		s.Facts = append(s.Facts, f)
		s.Audit = append(s.Audit, table.Audit{Check: SameFiles, Count: 1, Size: f.Value, Passed: f.Passed, Place: f.Place})
	}
	if s.Certified && s.Status != table.Done && s.Status != "" {
		s.Certified, s.Message = false, fmt.Sprintf("the run is not complete: it ends at t=%g of %g", s.Time, s.Until)
	}
}

// Accurate adds what the files themselves say about the accuracy of the run.
func (a *Audit) Accurate(list ...table.Fact) { a.Summary.Facts = append(a.Summary.Facts, list...) }

// Stated declares facts about the accuracy that only the run knows: summary.json must have
// them, and their values are judged by the accuracy of the case, whatever limit stands there.
func (a *Audit) Stated(names ...string) { a.stated = append(a.stated, names...) }

// MayState declares such facts that not every run has; summary.json may leave them out.
func (a *Audit) MayState(names ...string) { a.able = append(a.able, names...) }

// reject takes the certificate away; the first reason is told.
func (a *Audit) reject(format string, args ...any) {
	if a.Summary.Certified {
		a.Summary.Certified, a.Summary.Message = false, fmt.Sprintf(format, args...)
	}
}

// notRecomputed marks what the files alone do not tell.
const notRecomputed = "stated by the run, not recomputed"

// accuracy judges by what the files say about the accuracy. A summary that contradicts
// itself, or a run that was not certified, is not.
func (a *Audit) accuracy(s *table.Summary) {
	if s != nil {
		table.Advise(a.Summary.Facts, s.Facts)
	}
	table.Accept(a.Summary.Facts, a.Plan.Accept)
	for i := range a.Summary.Facts {
		if f := &a.Summary.Facts[i]; f.Word == table.Accurate && !f.Passed {
			a.reject("not %s: %s", f.Word, f)
		}
	}
	if s == nil {
		a.reject("there is no summary.json: whether the run was done, and what it found out about its accuracy, is not known")
		return
	}
	stated := false
	for i := range s.Facts {
		f := &s.Facts[i]
		stated = stated || f.Word != table.Expected
		if f.Word != table.Expected && f.Passed != (f.Value <= f.Limit) {
			a.reject("summary.json contradicts itself: %s is %.3g, its limit %.3g, and \"passed\" is %t", f.Name,
				f.Value, f.Limit, f.Passed)
		}
	}
	switch {
	case s.Status != table.Done:
	case !stated:
		a.reject("summary.json says nothing of what the run found out about its accuracy")
	case !s.Certified:
		a.reject("the run itself was not certified: %s", s.Message)
	}
}

// takeOver adds what only the run could find out about its accuracy: the run made again or,
// where there is none, summary.json.
func (a *Audit) takeOver(s *table.Summary) {
	if a.again != nil {
		s = a.again
	}
	if s == nil {
		return
	}
	taken := 0
	missing, own := slices.Clone(a.stated), a.Summary.Facts
	for i := range s.Facts {
		f := s.Facts[i]
		if f.Word != table.Accurate || slices.ContainsFunc(own, func(x table.Fact) bool { return x.Word == f.Word && x.Name == f.Name }) {
			continue
		}
		if slices.Contains(a.stated, f.Name) || slices.Contains(a.able, f.Name) {
			missing = slices.DeleteFunc(missing, func(name string) bool { return name == f.Name })
			f.Limit = a.Plan.Accuracy
			f.Passed = f.Value >= 0 && f.Value <= f.Limit
		}
		if a.again == nil {
			taken++
			f.Place = strings.TrimPrefix(f.Place+", "+notRecomputed, ", ")
		}
		a.Summary.Facts = append(a.Summary.Facts, f)
		added := a.Summary.Facts[len(a.Summary.Facts)-1:]
		table.Accept(added, a.Plan.Accept)
		if f := &added[0]; !f.Passed {
			a.reject("not %s: %s", f.Word, f)
		}
	}
	if s.Status == table.Done && len(missing) > 0 {
		a.reject("summary.json does not say what the run found out about its %s", strings.Join(missing, ", "))
	}
	if taken > 0 {
		a.Note("%s of summary.json: %s", Count(taken, "number"), notRecomputed)
	}
}

// expectations takes over those of the run made again.
func (a *Audit) expectations() {
	if a.again == nil {
		a.notes = append(append(a.notes, a.taken...), "expectations and events are not evaluated again")
		return
	}
	s := &a.Summary
	s.Expectations, s.Met = a.again.Expectations, a.again.Met
	for i := range a.again.Facts {
		if f := &a.again.Facts[i]; f.Word == table.Expected {
			s.Facts = append(s.Facts, *f)
		}
	}
}

// Print returns the verdict.
func (a *Audit) Print() string {
	verdict := a.Summary
	if verdict.Status == "" {
		verdict.Status = table.Done
	}
	verdict.Facts = slices.DeleteFunc(slices.Clone(a.Summary.Facts),
		func(f table.Fact) bool { return f.Word != table.Accurate }) // the checks are printed below
	p := &Page{Summary: &verdict}
	p.Title(a.Case)
	p.Line("diagnosed", "%s: t = 0 … %g s of %g s, %d steps, from the files alone", a.Files.Dir, a.Summary.Time,
		a.Summary.Until, a.Summary.Steps)
	for _, c := range a.checks {
		switch {
		case c.count == 0:
			p.Line(c.label, "%s: nothing to look at", c.what)
		case c.fault != nil:
			p.Line(c.label, "FAILS: %s: %s: %s", c.fault, c.what, c.verdict())
		default:
			p.Line(c.label, "%s: <= %.2g %s of %.2g allowed, %d numbers", c.what, c.size, c.unit, c.allowed, c.count)
		}
	}
	for i := range a.Summary.Facts {
		switch f := &a.Summary.Facts[i]; f.Name {
		case SameFiles:
			p.files(f)
		case SameAgain, SameRounded:
			p.again(f)
		}
	}
	p.List("not shown", a.notes)
	p.Verdict()
	return p.String()
}
