package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
)

// audit checks the files of a run of a dynamic model against the case and each
// other: step by step the equations of the scheme, without solving them again.
type audit struct {
	dir     string
	c       *casefile.Case
	files   *table.Folder
	until   float64
	steps   int
	every   int
	checks  []*check
	notes   []string // what the files cannot prove
	summary table.Summary
	known   bool               // the run left sums of its files …
	damage  *table.DamageError // … which are others; nil: they are not
	closers []io.Closer
}

// auditor is the part of a model: read the files and fill the checks. The error is
// one of the files.
type auditor interface {
	walk(ctx context.Context) error
}

// check is one property of all rows: the largest size found, relative to what is
// allowed there.
type check struct {
	label, what, unit string
	count             int
	ratio             float64 // largest size over allowed
	size, allowed     float64 // where the ratio is largest
	fault             *place  // the first violation; nil: none
}

// place is where in the files something is; of other formats than CSV, where it would
// be there.
type place struct {
	file string
	row  int // 0 is the first one after the header
	t    float64
	what string // column, body or contact
}

func (p *place) String() string {
	return fmt.Sprintf("%s:%d: t=%g, %s", p.file, p.row+2, p.t, p.what)
}

// add makes a check.
func (a *audit) add(label, what, unit string) *check {
	c := &check{label: label, what: what, unit: unit}
	a.checks = append(a.checks, c)
	return c
}

// see looks at a number whose size should be at most allowed.
func (c *check) see(size, allowed float64, at place) {
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

// wrong is a violation that has no size.
func (c *check) wrong(at place) { c.see(math.Inf(1), 1, at) }

// sheet reads one of the tables of numbers over time.
type sheet struct {
	file string
	in   *table.CertificateReader
	row  int
	t    float64
	now  []float64 // of the columns after t
	last []float64
}

// open opens a table.
func (a *audit) open(file string) (*sheet, error) {
	in, f, err := a.files.Table(file)
	if err != nil {
		return nil, err
	}
	a.closers = append(a.closers, f)
	n := len(in.Columns) - 1
	return &sheet{file: file, in: in, row: -1, now: make([]float64, n), last: make([]float64, n)}, nil
}

// next reads the next row; false at the end.
func (s *sheet) next() (bool, error) {
	row, err := s.in.Next()
	if err == io.EOF {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	s.now, s.last = s.last, s.now
	s.row++
	s.t = row[0]
	copy(s.now, row[1:])
	for i, v := range row {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false, fmt.Errorf("%s:%d: column %s is %g, want a finite number", s.file, s.row+2, s.in.Columns[i], v)
		}
	}
	return true, nil
}

// at is the place of a column of the present row; −1: of the time.
func (s *sheet) at(column int) place {
	return place{s.file, s.row, s.t, "column " + s.in.Columns[column+1]}
}

// clocks reads tables with the same times side by side.
type clocks struct {
	*audit
	check  *check
	sheets []*sheet
}

func (a *audit) clocks(sheets ...*sheet) *clocks {
	return &clocks{a, a.add("times", "the times are those of the steps, the same in all files", "s"), sheets}
}

// each shows every row of all sheets.
func (c *clocks) each(ctx context.Context, row func() error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, err := c.next()
		if err != nil || !more {
			return err
		}
		if err := row(); err != nil {
			return err
		}
	}
}

// next reads the next row of all sheets; false at the end of the first. Times are
// sums of steps in some models: rounding of 1e-16 a step, far below 1e-9.
func (c *clocks) next() (bool, error) {
	for i, s := range c.sheets {
		ok, err := s.next()
		if err != nil {
			return false, err
		}
		if !ok {
			if i > 0 {
				return false, fmt.Errorf("%s ends after %d rows, %s goes on", s.file, s.row+1, c.sheets[0].file)
			}
			return false, c.ended()
		}
		step := min(s.row*c.every, c.steps)
		c.check.see(s.t-c.until*float64(step)/float64(c.steps), 1e-9*c.until, s.at(-1))
		if s.t != c.sheets[0].t {
			c.check.wrong(s.at(-1))
		}
	}
	s := c.sheets[0]
	c.summary.Steps, c.summary.Time = min(s.row*c.every, c.steps), s.t
	return true, nil
}

// ended checks that the other files end too, and that a run that is done has all rows.
func (c *clocks) ended() error {
	for _, s := range c.sheets[1:] {
		if more, err := s.next(); more || err != nil {
			return errors.Join(err, fmt.Errorf("%s goes on after row %d, the end of %s", s.file, c.sheets[0].row+1, c.sheets[0].file))
		}
	}
	s := c.sheets[0]
	if step := s.row * c.every; step < c.steps && c.summary.Status == table.Done {
		c.check.wrong(place{s.file, s.row + 1, s.t, fmt.Sprintf("the run is done, but rows up to t=%g are missing", c.until)})
	}
	return nil
}

// newAuditor returns what audits a run of the case's model.
func newAuditor(a *audit) (auditor, error) {
	switch a.c.Model {
	case "elastodynamic":
		m, err := a.c.BuildElastic()
		if err != nil {
			return nil, err
		}
		a.until, a.steps, a.every = m.Until, m.Steps, m.Every
		return newElasticAudit(a, m), nil
	case "rigid":
		m, err := a.c.BuildMultibody()
		if err != nil {
			return nil, err
		}
		a.until, a.steps, a.every = m.Until, m.Steps, m.Every
		return newMultibodyAudit(a, m)
	}
	m, err := a.c.BuildMotion()
	if err != nil {
		return nil, err
	}
	a.until, a.steps, a.every = m.Until, m.Steps, m.Every
	return newMotionAudit(a, m), nil
}

// diagnoseDynamic audits a run folder of a dynamic model.
func diagnoseDynamic(c *cli.Context, k *casefile.Case, s *table.Summary, dir string) error {
	if c.IsSet("tolerance") {
		return inputError("diagnose: --tolerance is of the model energetic; the checks of the model %s have tolerances of their own", k.Model)
	}
	a := &audit{dir: dir, c: k, summary: table.Summary{Name: k.Name, Version: version, CaseSHA256: k.SHA256, Expectations: []table.Outcome{}}}
	if s != nil {
		a.summary.Status = s.Status
	}
	x, err := newAuditor(a)
	if err == nil {
		a.known, a.damage, err = damage(c.Context, a.files)
	}
	if err == nil {
		err = x.walk(c.Context)
	}
	for _, f := range a.closers {
		_ = f.Close() // read only
	}
	if err != nil {
		return faultCode("diagnose", err)
	}
	if a.every > 1 {
		a.notes = append(a.notes, fmt.Sprintf("the run wrote every %d-th step only (output.every): no step is checked against the one before; forces, contacts and energies of each row are", a.every))
	}
	a.notes = append(a.notes, "expectations and events are not evaluated again; that other solutions exist, or none was overlooked, is not shown")
	a.conclude()
	return a.finish(c)
}

// conclude fills the summary.
func (a *audit) conclude() {
	s := &a.summary
	s.Until, s.StepsPlanned, s.Certified, s.Met = a.until, a.steps, true, true
	for _, c := range a.checks {
		row := table.Audit{Check: c.what, Count: c.count, Size: finite(c.size), Allowed: finite(c.allowed), Unit: c.unit, Passed: c.fault == nil}
		if c.fault != nil {
			row.Place = c.fault.String()
			if s.Certified {
				s.Message = fmt.Sprintf("%s: %s: %s", c.fault, c.what, c.verdict())
			}
			s.Certified = false
		}
		s.Audit = append(s.Audit, row)
	}
	if a.known {
		row := table.Audit{Check: "the files are those that the run wrote", Count: 1, Allowed: 1, Passed: a.damage == nil}
		if a.damage != nil {
			row.Size, row.Place = 2, a.damage.Error()
			if s.Certified {
				s.Certified, s.Message = false, a.damage.Error()
			}
		}
		s.Audit = append(s.Audit, row)
	}
	s.Unproved = a.notes
	if s.Certified && s.Status != table.Done {
		s.Certified, s.Message = false, fmt.Sprintf("the run is not complete: it ends at t=%g of %g", s.Time, a.until)
	}
}

// verdict says by how much a check failed.
func (c *check) verdict() string {
	if math.IsInf(c.size, 1) {
		return "this is not so"
	}
	return fmt.Sprintf("off by %.3g %s, %.3g allowed", c.size, c.unit, c.allowed)
}

// finish prints the verdict.
func (a *audit) finish(c *cli.Context) error {
	s := &a.summary
	var err error
	switch {
	case c.Bool("json"):
		var text []byte
		if text, err = s.JSON(); err == nil {
			_, err = c.App.Writer.Write(text)
		}
	case !c.Bool("quiet"):
		_, err = io.WriteString(c.App.Writer, a.page())
	}
	switch {
	case err != nil:
		return cli.Exit("quasistatic: "+err.Error(), exitFailed)
	case !s.Certified:
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %s", a.c.Name, s.Message), exitFailed)
	}
	return nil
}

func (a *audit) page() string {
	var p page
	p.title(a.c)
	p.line("diagnosed", "%s: t = 0 … %g s of %g s, %d steps, from the files alone", a.dir, a.summary.Time, a.until, a.summary.Steps)
	for _, c := range a.checks {
		switch {
		case c.count == 0:
			p.line(c.label, "%s: nothing to look at", c.what)
		case c.fault != nil:
			p.line(c.label, "FAILS: %s: %s: %s", c.fault, c.what, c.verdict())
		default:
			p.line(c.label, "%s: <= %.2g %s of %.2g allowed, %d numbers", c.what, c.size, c.unit, c.allowed, c.count)
		}
	}
	switch {
	case a.damage != nil:
		p.line("files", "FAILS: %v", a.damage)
	case a.known:
		p.line("files", "they are those that the run wrote, by their SHA-256")
	}
	for i, n := range a.notes {
		label := ""
		if i == 0 {
			label = "not shown"
		}
		p.line(label, "%s", n)
	}
	verdict := a.summary
	if verdict.Status == "" {
		verdict.Status = table.Done
	}
	p.verdict(&verdict)
	return p.String()
}
