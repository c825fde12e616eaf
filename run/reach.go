package run

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/quasistatic/quasistatic/table"
)

const (
	// cheapSteps: so many steps times coordinates are made to see whether they reach the
	// accuracy, some 50 ms.
	cheapSteps = 20000
	// mostTries is how many runs see that.
	mostTries = 4
)

// remedies brings the facts that fail to one number of steps, the largest that one of them names:
// with fewer another one fails. Of small runs it tries whether these reach the accuracy, and
// whether another setting of the scheme does at the steps of the run. What was not tried is said to
// be a guess.
func (t *Task) remedies(ctx context.Context) {
	s := &t.Summary
	n := stepsOf(s.Facts)
	if n == 0 {
		others(s.Facts)
	}
	if s.Status != table.Done || table.Holds(s.Facts, table.Accurate) || !table.Holds(s.Facts, table.Solved) {
		return
	}
	if slices.ContainsFunc(s.Facts, func(f table.Fact) bool { return f.Given && !f.Passed }) {
		return // no steps and no lever bring that to its limit
	}
	text := ""
	if n > 0 && !t.plan.Adaptive && !t.untried {
		text = t.try(ctx, n)
	}
	also := t.levers(ctx)
	for i := range s.Facts {
		f := &s.Facts[i]
		if f.Passed || f.Word != table.Accurate {
			continue
		}
		if text != "" {
			f.Remedy = text
		}
		if also != "" {
			f.Remedy = strings.TrimPrefix(f.Remedy+"; "+also, "; ")
		}
	}
}

// levers tries the other settings of the scheme, as far as that is cheap, and says what was seen,
// and what was not tried.
func (t *Task) levers(ctx context.Context) string {
	l, ok := t.built.(Levered)
	x, located := t.run.(Located)
	if !ok || !located {
		return ""
	}
	var failed, untried []string
	for _, lever := range l.Levers() {
		switch {
		case t.untried || t.plan.Adaptive || float64(t.plan.Steps)*float64(len(x.Coordinates())) > cheapSteps:
			untried = append(untried, lever.Name)
		case t.reaches(ctx, lever.Case, nil):
			return lever.Name + " reaches it: a run so, in the same steps, is accurate"
		default:
			failed = append(failed, lever.Name)
		}
		if ctx.Err() != nil {
			return ""
		}
	}
	var list []string
	if len(untried) > 0 {
		list = append(list, "or, not tried, "+strings.Join(untried, ", or "))
	}
	if len(failed) > 0 {
		list = append(list, strings.Join(failed, ", or ")+" does not reach it in these steps")
	}
	return strings.Join(list, "; ")
}

// reaches makes a run of a case without files, and reports whether it is solved and accurate; done,
// if it is not nil, gets its summary.
func (t *Task) reaches(ctx context.Context, c Case, done func(s *table.Summary)) bool {
	x := Of(t.Case, t.Model, c, "")
	x.loose, x.untried, x.Pause = &keeper{}, true, never
	s, err := x.runLoosely(ctx, table.Discard(x.plan.Layout))
	if err != nil {
		return false // it was stopped
	}
	if done != nil {
		done(s)
	}
	return s.Status == table.Done && table.Holds(s.Facts, table.Solved) && table.Holds(s.Facts, table.Accurate)
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

// stepsOf returns the most steps that a fact names that fails; 0: another one fails, which no
// number of steps would mend, or none does.
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

// try makes runs in n and more steps, as long as they are cheap, until one is accurate, and says
// what was seen.
func (t *Task) try(ctx context.Context, n float64) string {
	least := 0.0
	r, ok := t.built.(Refiner)
	l, located := t.run.(Located)
	for k := 0; ok && located && k < mostTries && n*float64(len(l.Coordinates())) <= cheapSteps; k++ {
		c, err := r.Refined(int(n))
		if err != nil {
			break // it cannot be tried
		}
		var s *table.Summary
		if t.reaches(ctx, c, func(made *table.Summary) { s = made }) {
			return fmt.Sprintf("%.0f steps reach it: a run in so many is accurate", n)
		}
		if s == nil {
			break // it was stopped
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
		return fmt.Sprintf("about %.0f steps, by the order of the error: a guess, not tried", n)
	}
	return ""
}
