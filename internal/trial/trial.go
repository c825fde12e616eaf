// Package trial runs cases of one model in the tests of its packages, through files.
package trial

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Trial is a run that was made.
type Trial struct {
	Case    *casefile.Case
	Built   run.Case
	Dir     string
	Summary *table.Summary
}

// decode returns a case of the first of some models, whose grammar is theirs.
func decode(t testing.TB, text string, models ...*run.Model) *casefile.Case {
	t.Helper()
	c, err := run.Grammar(models).Decode("case.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Run runs a case to its end.
func Run(t testing.TB, text string, models ...*run.Model) *Trial {
	t.Helper()
	x := &Trial{Case: decode(t, text, models...), Dir: t.TempDir()}
	var err error
	if x.Built, err = run.Build(t.Context(), x.Case, models[0]); err != nil {
		t.Fatal(err)
	}
	j := run.Of(x.Case, models[0], x.Built, x.Dir)
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	x.Summary = &j.Summary
	return x
}

// Passed fails the test unless the run is certified and as expected.
func (x *Trial) Passed(t testing.TB) {
	t.Helper()
	if !run.Certified(x.Summary) {
		t.Errorf("%s: %s", x.Summary.Status, run.Failure(x.Summary))
		for _, o := range x.Summary.Expectations {
			if o.Value != nil && !o.Met {
				t.Errorf("%s is %.17g", o.Label, *o.Value)
			}
		}
	}
}

// Diagnose certifies the files of the run again.
func (x *Trial) Diagnose(t testing.TB) *table.Summary {
	t.Helper()
	s, err := run.ReadSummary(x.Dir, x.Case)
	if err != nil {
		t.Fatal(err)
	}
	s.Files = nil // physics is asked, not the sums of the files
	if err := s.Write(x.Dir); err != nil {
		t.Fatal(err)
	}
	d, err := run.Diagnose(t.Context(), x.Case, x.Built, run.Source{Dir: x.Dir, Summary: s})
	if err != nil {
		t.Fatal(err)
	}
	return d.Result()
}

// Page returns the page of the run.
func (x *Trial) Page(t testing.TB) *report.Page {
	t.Helper()
	r := run.Reader(x.Built, x.Dir)
	defer func() { _ = r.Close() }() // read only
	if _, err := r.Read(t.Context()); err != nil {
		t.Fatal(err)
	}
	p, err := r.Page(report.About{Title: x.Case.Name, Summary: x.Summary})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Figures returns the names of the figures of a page; one that is empty fails the test.
func Figures(t testing.TB, p *report.Page) string {
	t.Helper()
	var ids []string
	for _, f := range p.Figures {
		ids = append(ids, f.ID)
		if !strings.Contains(string(f.SVG), "<path") && f.Sentence == "" {
			t.Errorf("the figure %s is empty", f.ID)
		}
	}
	return strings.Join(ids, " ")
}

// Doctored returns what diagnose says with another number in the second column of a line
// of a file of the run, which is put right again.
func (x *Trial) Doctored(t testing.TB, file string, line int) *table.Summary {
	t.Helper()
	name := filepath.Join(x.Dir, file)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	cells := strings.Split(lines[line], ",")
	cells[1] = "0.123"
	lines[line] = strings.Join(cells, ",")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	found := x.Diagnose(t)
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return found
}

// Names reports whether a fact of a summary that is not so has a place with those words.
func Names(s *table.Summary, place string) bool {
	return slices.ContainsFunc(s.Facts, func(f table.Fact) bool { return !f.Passed && strings.Contains(f.Place, place) })
}

// Last returns the numbers of the last row of a table of the run, the time before them.
func (x *Trial) Last(t testing.TB, file string) (row []float64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(x.Dir, file))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(text))
	for _, cell := range strings.Split(lines[len(lines)-1], ",") {
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			t.Fatal(err)
		}
		row = append(row, v)
	}
	return row
}
