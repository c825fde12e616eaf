package run

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

// differences are runs of a family of cases in a number of steps.
type differences struct {
	family func(p float64) (*Task, error)
	p, h   float64
	steps  int
	until  float64
	base   beside
	runs   int
}

// beside is what a run leaves that can be differentiated.
type beside struct {
	labels []string
	values []float64
	times  []float64   // of the changes of contact …
	order  [][3]string // … what they are of, from which state to which
}

// component is a value, or one of the times after them.
func (b *beside) component(i int) float64 {
	if n := len(b.values); i >= n {
		return b.times[i-n]
	}
	return b.values[i]
}

// differs says what changes first in another order than in the run of a; "": nothing does.
func (b *beside) differs(a *beside) string {
	for i, x := range b.order {
		if i == len(a.order) {
			return fmt.Sprintf("%s at t = %.6g s is one more", change(x), b.times[i])
		}
		if x != a.order[i] {
			return fmt.Sprintf("%s at t = %.6g s, in place of %s", change(x), b.times[i], change(a.order[i]))
		}
	}
	if n := len(b.order); n < len(a.order) {
		return fmt.Sprintf("%s at t = %.6g s is missing", change(a.order[n]), a.times[n])
	}
	return ""
}

func change(x [3]string) string { return fmt.Sprintf("%s: %s → %s", x[0], x[1], x[2]) }

// newDifferences makes the run at p, in its steps or as many equal ones as make it accurate where
// they are chosen, and finds an h for which events keep their order.
func newDifferences(ctx context.Context, family func(p float64) (*Task, error), p float64) (*differences, error) {
	d := &differences{family: family, p: p}
	if err := d.begin(ctx); err != nil {
		return nil, err
	}
	if d.h = math.Abs(p) * besideShare; d.h == 0 {
		d.h = besideShare
	}
	var reason error
	for range besideTrials {
		if reason = d.regular(ctx); reason == nil {
			return d, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		d.h /= besideShrink
	}
	return nil, reason
}

// regular reports why the runs at p ± h are not like that at p.
func (d *differences) regular(ctx context.Context) error {
	for _, q := range []float64{d.p + d.h, d.p - d.h} {
		b, err := d.at(ctx, q)
		if err != nil {
			return err
		}
		if text := b.differs(&d.base); text != "" {
			return d.irregular(q, text)
		}
	}
	return nil
}

func (d *differences) irregular(q float64, text string) error {
	return &NotDifferentiable{Reason: fmt.Sprintf("contacts change in another order beside %.10g: at %.10g %s", d.p, q, text)}
}

// begin makes the run at p.
func (d *differences) begin(ctx context.Context) error {
	t, err := d.family(d.p)
	if err != nil {
		return err
	}
	if _, ok := t.built.(Refiner); !ok {
		return &NotDifferentiable{Reason: "cases of the model " + t.Model.Name + " have no steps that others can be made in"}
	}
	d.steps, d.until = t.plan.Steps, t.plan.Until
	chosen := t.plan.Adaptive
	if chosen {
		t.loose, t.untried, t.Pause = &keeper{}, true, never
		s, err := t.runLoosely(ctx, table.Discard(t.plan.Layout))
		if err != nil {
			return err
		}
		d.steps = s.Steps
	}
	for range finerTrials {
		if d.base, err = d.at(ctx, d.p); err == nil || !chosen || ctx.Err() != nil {
			break
		}
		d.steps *= 2
	}
	if err == nil && len(d.base.values) == 0 {
		err = &NotDifferentiable{Reason: "no quantity to differentiate: the case expects none with a value, want --of"}
	}
	return err
}

// finer returns those in twice the steps, in which contacts are to change in the same order; where
// they do not, d becomes those, and they are compared with the next.
func (d *differences) finer(ctx context.Context) (f *differences, err error) {
	text := ""
	for range finerTrials {
		f = &differences{family: d.family, p: d.p, h: d.h, steps: 2 * d.steps, until: d.until}
		if f.base, err = f.at(ctx, d.p); err != nil {
			return nil, err
		}
		if text = f.base.differs(&d.base); text == "" {
			return f, nil
		}
		*d = *f
	}
	return nil, &NotDifferentiable{Reason: fmt.Sprintf("in %d steps contacts change in another order than in half as many: %s",
		d.steps, text)}
}

// at makes the run at q.
func (d *differences) at(ctx context.Context, q float64) (b beside, err error) {
	t, err := d.family(q)
	switch {
	case ctx.Err() != nil:
		return b, context.Cause(ctx)
	case err != nil:
		return b, &NotDifferentiable{Reason: fmt.Sprintf("at %.10g there is no such case: %v", q, err)}
	}
	refined, err := t.built.(Refiner).Refined(d.steps)
	if err != nil {
		return b, &NotDifferentiable{Reason: err.Error()}
	}
	t = Of(t.Case, t.Model, refined, "")
	t.untried = true
	s, columns, err := t.InMemory(ctx)
	if err != nil {
		return b, err
	}
	d.runs++
	accurate := q != d.p || table.Holds(s.Facts, table.Accurate) // of those beside it the errors tell
	if s.Status != table.Done || !table.Holds(s.Facts, table.Solved) || !accurate {
		return b, &NotDifferentiable{Reason: fmt.Sprintf("at %.10g the run in %d equal steps is not certified: %s", q, d.steps, Failure(s))}
	}
	b.take(t, s)
	b.events(columns)
	return b, nil
}

// take takes the quantities that the case looks at beside its expectations, or else the expected
// values.
func (b *beside) take(t *Task, s *table.Summary) {
	observed := slices.ContainsFunc(s.Expectations, func(o table.Outcome) bool { return o.Observed })
	for i := range s.Expectations {
		o := &s.Expectations[i]
		if o.Value != nil && o.Observed == observed && (observed || o.Want != nil) && !t.plan.Expect[i].Counts() {
			b.labels, b.values = append(b.labels, o.Label), append(b.values, *o.Value)
		}
	}
}

// events takes the changes of what contacts do: when one that bears no force begins to be watched is
// none.
func (b *beside) events(c *table.Columns) {
	for i := range c.Sheets {
		x := &c.Sheets[i]
		if x.Sheet.File != table.EventsFile {
			continue
		}
		for k, t := range x.T {
			w := [3]string(x.Words[3*k : 3*k+3])
			if conductOf[w[1]] != conductOf[w[2]] {
				b.times, b.order = append(b.times, t), append(b.order, w)
			}
		}
	}
}

// interval finds how far events keep their order on both sides of p: at h, 2h, …, and between the
// last two by bisection.
func (d *differences) interval(ctx context.Context, s *Sensitivity) error {
	for side, end := range [2]**float64{&s.To, &s.From} {
		sign := float64(1 - 2*side)
		why := func(step float64) string {
			b, err := d.at(ctx, d.p+sign*step)
			if err != nil {
				return err.Error()
			}
			return b.differs(&d.base)
		}
		good, bad, text := d.h, math.Inf(1), ""
		for range rangeDoublings {
			if x := why(2 * good); x != "" {
				bad, text = 2*good, x
				break
			}
			good *= 2
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if text == "" {
			continue
		}
		for range rangeDoublings {
			if x := why((good + bad) / 2); x != "" {
				bad, text = (good+bad)/2, x
			} else {
				good = (good + bad) / 2
			}
		}
		at := d.p + sign*good
		*end = &at
		if side == 0 {
			s.Above = text
		} else {
			s.Below = text
		}
	}
	return ctx.Err()
}
