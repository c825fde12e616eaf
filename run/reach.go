package run

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

const (
	// cheapSteps: so many steps times coordinates are made to see whether they reach the
	// accuracy, some 50 ms.
	cheapSteps = 20000
	// mostTries is how many runs see that.
	mostTries = 4
)

// remedies brings the facts that fail to one number of steps, the largest that one of them
// names: with fewer another one fails. Of small runs it tries whether these reach the accuracy.
func (t *Task) remedies(ctx context.Context) {
	s := &t.Summary
	n := stepsOf(s.Facts)
	if n == 0 {
		others(s.Facts)
	}
	if n == 0 || s.Status != table.Done || t.untried || t.plan.Adaptive {
		return
	}
	text := t.try(ctx, n)
	for i := range s.Facts {
		if f := &s.Facts[i]; !f.Passed && text != "" {
			f.Remedy = text
		}
	}
}

// others adds to the numbers of steps that facts name what keeps these from being enough: one that
// fails and names none.
func others(facts []table.Fact) {
	i := slices.IndexFunc(facts, func(f table.Fact) bool {
		return !f.Passed && f.Word == table.Accurate && f.Steps == 0 && f.Remedy != ""
	})
	if i < 0 {
		return
	}
	for k := range facts {
		if f := &facts[k]; !f.Passed && f.Steps > 0 {
			f.Remedy, f.Steps = fmt.Sprintf("more than %.0f steps, and for the %s: %s", f.Steps, facts[i].Name, facts[i].Remedy), 0
		}
	}
}

// stepsOf returns the most steps that a fact names that fails; 0: another one fails, which no number of
// steps would mend, or none does.
func stepsOf(facts []table.Fact) (n float64) {
	for i := range facts {
		f := &facts[i]
		if !f.Passed && (f.Word != table.Accurate || f.Steps == 0) {
			return 0
		}
		n = max(n, f.Steps)
	}
	return n
}

// try makes runs in n and more steps, as long as they are cheap, until one is accurate, and says what
// was seen.
func (t *Task) try(ctx context.Context, n float64) string {
	least := 0.0
	r, ok := t.built.(Refiner)
	l, located := t.run.(Located)
	for k := 0; ok && located && k < mostTries && n*float64(len(l.Coordinates())) <= cheapSteps; k++ {
		c, err := r.Refined(int(n))
		if err != nil {
			break // it cannot be tried
		}
		x := Of(t.Case, t.Model, c, "")
		x.loose, x.untried, x.Pause = &keeper{}, true, never
		s, err := x.runLoosely(ctx, table.Discard(x.plan.Layout))
		if err != nil {
			break // it was stopped
		}
		if s.Status == table.Done && table.Holds(s.Facts, table.Solved) && table.Holds(s.Facts, table.Accurate) {
			return fmt.Sprintf("%.0f steps reach it: a run in so many is accurate", n)
		}
		least = n
		if n = max(stepsOf(s.Facts), math.Ceil(1.3*n)); s.Status != table.Done {
			break
		}
	}
	switch {
	case least > 0:
		return fmt.Sprintf("more than %.0f steps: a run in so many is not accurate either", least)
	case n > float64(t.plan.Steps):
		return fmt.Sprintf("about %.0f steps, by the order of the error", n)
	}
	return ""
}
