//go:build !js

package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

// describe lists a run in the table of the page: its verdict, and where its own page is.
func (o *Overlay) describe(dir, name string) {
	v := Verdict{Class: "open", Headline: "not ended"}
	if s, err := table.ReadSummary(dir); err == nil && s.Status != table.Running {
		v = headline(s)
		o.expects = o.expects || len(s.Expectations) > 0
		v.Worst = worstWords(worst(s.Facts))
	}
	link := ""
	if page := filepath.Join(dir, table.ReportFile); exists(page) {
		if rel, err := filepath.Rel(filepath.Dir(o.File), page); err == nil {
			link = filepath.ToSlash(rel)
		}
	}
	if o.verdicts == nil {
		o.verdicts = map[string]int{}
	}
	o.verdicts[v.Class]++
	o.sheet.Title, o.sheet.Head = "Runs", []string{"run", "verdict", "worst number"}
	o.sheet.Rows = append(o.sheet.Rows, []Cell{{Text: name, Link: link}, {Text: v.Headline, Missed: v.Class == "poor"}, {Text: v.Worst}})
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// page writes the page of the comparison: the column of all runs, what they differ by from the
// first, their verdicts, and all their columns to plot on wish.
func (o *Overlay) page(p *Plot) error {
	page := &Page{Title: p.Title + " of " + Count(len(o.runs)) + " runs", Version: o.Version, Columns: o.columns, Sheets: []Sheet{o.sheet}}
	switch n := len(o.runs); {
	case o.verdicts["poor"] > 0:
		page.Verdict = Verdict{Class: "poor", Headline: fmt.Sprintf("%d of %d runs are not certified, or not as expected",
			o.verdicts["poor"], n)}
	case o.verdicts["open"] > 0:
		page.Verdict = Verdict{Class: "open", Headline: fmt.Sprintf(
			"%d of %d runs have not ended, are not accurate to a few percent, or leave expectations undecided",
			o.verdicts["open"], n)}
	default:
		page.Verdict = Verdict{Class: "good", Headline: fmt.Sprintf("All %d runs certified%s", n, map[bool]string{true: " and as expected"}[o.expects])}
	}
	page.Figures, page.Warnings = Draw([]Drawing{{ID: "overlay", Time: true, Plot: func() *Plot { return p }},
		{ID: "differences", Time: true, Plot: o.differences}})
	return table.WriteWhole(o.File, page.Write)
}

// differences are those of the runs from the first, at their times; nil: there is one run, or rows
// were joined to intervals, between whose extremes no difference is known.
func (o *Overlay) differences() *Plot {
	first := &o.runs[0]
	p := &Plot{Title: "Difference from " + first.name, Y: o.Label}
	for i := len(o.runs) - 1; i > 0; i-- {
		r := &o.runs[i]
		if !r.single() || !first.single() {
			return nil
		}
		var points []Point
		for _, x := range r.Points(r.c) {
			if y, ok := first.at(first.c, x.X); ok {
				points = append(points, Point{x.X, x.Y - y})
			}
		}
		p.Line(points, r.name, Palette[i%len(Palette)], Solid, 1.3)
	}
	if len(p.Lines) == 0 {
		return nil
	}
	return p
}

// single reports whether each interval of a series is one row.
func (s *Series) single() bool {
	return !slices.ContainsFunc(s.Spans, func(x Span) bool { return x.From != x.To })
}

// at is a channel between the rows, linear; false: t is outside of the run.
func (s *Series) at(c *Range, t float64) (float64, bool) {
	k, exact := slices.BinarySearchFunc(s.Spans, t, func(x Span, t float64) int {
		if x.From < t {
			return -1
		}
		if x.From > t {
			return 1
		}
		return 0
	})
	switch {
	case exact:
		return c.Low[k], true
	case k == 0 || k == len(s.Spans):
		return 0, false
	}
	f := (t - s.Spans[k-1].From) / (s.Spans[k].From - s.Spans[k-1].From)
	return c.Low[k-1] + f*(c.Low[k]-c.Low[k-1]), true
}
