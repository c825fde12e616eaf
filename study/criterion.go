package study

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/table"
)

// criterion is a number y that decides on which side of a boundary a run is: y ≤ limit or not,
// known to within an uncertainty. Between the ends x₀ < x₁ of a bracket it changes by Δy, so that
// it cannot tell values of x apart that are closer than
//
//	r = (x₁ − x₀) uncertainty/|Δy|
//
// Of an event, where y jumps, r falls with the bracket; of a limit that y passes smoothly it does
// not: there the bracket says where y passes the limit, and an event, if there is one, may be as
// far off as r.
//
// Runs of which only is known that their problems are solved to a share ε of their forces are exact
// runs of cases whose forces differ by that share (backward error). A parameter that forces scale
// with, as a mass, a load or a friction coefficient, differs by ε|x| in such a case, so that
//
//	r ≥ ε max(|x₀|, |x₁|)
//
// of an event too: y may jump by all it can where a run rests on by ε alone.
type criterion struct {
	name        string
	y           [2]float64 // at the ends
	limit       float64
	uncertainty float64
	solved      float64 // ε; 0: not known
	expected    bool    // it is an expectation
	undecided   string  // that the end beyond the limit may be on this side of it
}

// resolution is r between two values.
func (c *criterion) resolution(low, high float64) float64 {
	r := c.solved * max(math.Abs(low), math.Abs(high))
	if c.uncertainty > 0 {
		r = max(r, (high-low)*c.uncertainty/math.Abs(c.y[1]-c.y[0]))
	}
	return r
}

// judge says what decides on which side of a boundary runs are, whether the bracket is tighter
// than that can tell, or beside what the case expects, and which end is not certified.
func (b *Boundary) judge(s *Spec, o *Options) {
	if b.Fault != "" || b.At[0] == nil || b.At[1] == nil {
		return
	}
	var words []string
	c, known := s.criterion(b, o)
	if known {
		words = append(words, fmt.Sprintf("%s: %.6g and %.6g, limit %.6g", c.name, c.y[0], c.y[1], c.limit))
	}
	switch beside := s.besideExpectation(b, o); {
	case beside != "":
		words = append(words, beside)
	case known:
		words = append(words, c.tightness(b.Low, b.High)...)
	}
	if c.expected || !s.Refine.ofVerdict() {
		words = append(words, b.uncertified()...)
	}
	b.Criterion = strings.Join(words, "; ")
}

// uncertified names the ends at which the side of a quantity, or of an expectation, is that of a run that is not
// certified, which may be an artefact of the run, and what would certify it. Where nothing but the verdict changes the
// criterion says so.
func (b *Boundary) uncertified() (words []string) {
	for k, end := range []string{"lower", "upper"} {
		if x := b.At[k]; !x.Verdict.proven() {
			words = append(words, fmt.Sprintf("the %s end is not certified, it is %s: %s", end, x.Verdict, x.Message))
		}
	}
	return words
}

// tightness says whether the bracket is tighter than the criterion can tell.
func (c *criterion) tightness(low, high float64) []string {
	width, resolution := high-low, c.resolution(low, high)
	switch {
	case c.undecided != "":
		return []string{c.undecided}
	case resolution <= width:
		return nil
	case math.IsInf(resolution, 0):
		return []string{fmt.Sprintf("the bracket, %.2g wide, is tighter than this can decide: it is the same at both ends", width)}
	}
	return []string{fmt.Sprintf("the bracket, %.2g wide, is tighter than this can decide: %.2g", width, resolution)}
}

// besideExpectation says where the verdict changes and no expectation does, as where runs become inaccurate: of
// where that changes the bracket says nothing, however tight it is.
func (s *Spec) besideExpectation(b *Boundary, o *Options) string {
	low, high := b.At[0], b.At[1]
	if !s.Refine.ofVerdict() || low.Verdict == high.Verdict || low.Met != high.Met {
		return ""
	}
	if !low.Met {
		return fmt.Sprintf("neither end is as expected: runs turn from %s to %s here, and where they are as expected is elsewhere",
			low.Verdict, high.Verdict)
	}
	if x := s.summaryOf(low.ID, o.Dir); x == nil ||
		!slices.ContainsFunc(x.Expectations, func(y table.Outcome) bool { return !y.Observed }) {
		return ""
	}
	return fmt.Sprintf("both ends are as expected: runs turn from %s to %s here, and where they are not as expected is elsewhere",
		low.Verdict, high.Verdict)
}

// criterion finds what decides between the ends: an observed quantity, which is known to the
// accuracy of its runs, or the expectation or, if none does, the fact that fails at one end only, which
// is as far from the truth as its limit allows.
func (s *Spec) criterion(b *Boundary, o *Options) (c criterion, known bool) {
	var at [2]*table.Summary
	for k, x := range b.At {
		at[k] = s.summaryOf(x.ID, o.Dir)
		c.solved = max(c.solved, solvedTo(at[k]))
	}
	if r := s.Refine; !r.ofVerdict() {
		c.name, c.limit = r.Boundary, r.Level
		for k, x := range b.At {
			c.y[k] = *x.Observed[r.column] // a run without it has no side
		}
		for k, x := range []float64{b.Low, b.High} {
			accuracy, err := s.accuracyAt(b, x, o)
			if err != nil {
				return c, false
			}
			c.uncertainty = max(c.uncertainty, accuracy*math.Abs(c.y[k]))
		}
		return c, true
	}
	if at[0] == nil || at[1] == nil {
		return c, false
	}
	for n := range 4 { // expectations first: runs that are not as expected may be inaccurate beside
		k, expected := n%2, n < 2
		one, other := at[k], at[1-k]
		for i := range one.Facts {
			f := &one.Facts[i]
			if f.Passed || expected != (f.Word == table.Expected) {
				continue
			}
			c.expected = expected
			for j := range other.Facts {
				if g := &other.Facts[j]; g.Passed && g.Word == f.Word && g.Name == f.Name {
					c.name, c.limit = f.Name, f.Limit
					// an expectation turns where the value is beyond its limit by what it may be off by
					c.uncertainty = max(math.Abs(f.Limit), 2*max(f.Within, g.Within))
					c.y[k], c.y[1-k] = f.Value, g.Value
					if f.Within > 0 && f.Value-f.Within <= f.Limit {
						c.undecided = fmt.Sprintf("at the %s end it is not decided, %.3g ± %.2g, and may turn beyond",
							[2]string{"lower", "upper"}[k], f.Value, f.Within)
					}
					return c, true
				}
			}
		}
	}
	return c, false
}

// solvedTo is ε of a run, the largest relative residual that its verdict calls solved: what it has
// reached may be less, and is not what it stops at.
func solvedTo(x *table.Summary) (share float64) {
	if x == nil {
		return 0
	}
	for i := range x.Facts {
		// Other limits have a unit, are 0, or count.
		if f := &x.Facts[i]; f.Word == table.Solved && f.Unit == "" && f.Limit < 1 {
			share = max(share, f.Limit)
		}
	}
	return share
}

// summaryOf is the summary of a run that the study keeps; nil: it keeps none.
func (s *Spec) summaryOf(id, dir string) *table.Summary {
	name := filepath.Join(dir, RunsFolder, id+".json")
	if s.Keep == KeepAll {
		name = filepath.Join(dir, RunsFolder, id, table.SummaryFile)
	}
	var x table.Summary
	if text, err := regular.ReadFile(name); err != nil || json.Unmarshal(text, &x) != nil {
		return nil
	}
	return &x
}

// accuracyAt is the accuracy of the run at x, which the study may vary.
func (s *Spec) accuracyAt(b *Boundary, x float64, o *Options) (float64, error) {
	plan, err := NewPlan(s, o.Base)
	if err != nil {
		return 0, err
	}
	text, err := plan.with(slices.Insert(slices.Clone(b.Parameters), slices.Index(s.Paths(), s.Refine.Path), number(x)))
	return accuracyIn(text), err
}

// accuracyIn is the accuracy that the text of a case asks for.
func accuracyIn(text []byte) float64 {
	var c struct{ Accuracy float64 }
	if json.Unmarshal(text, &c) == nil && c.Accuracy > 0 {
		return c.Accuracy
	}
	return casefile.DefaultAccuracy
}
