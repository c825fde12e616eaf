package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/sensitivity"
)

var _ run.Differentiable = (*Case)(nil)

// Differentiate walks from event to event with derivatives. What the case expects of its
// run within a tolerance, or looks at, is differentiated.
func (c *Case) Differentiate(ctx context.Context, family func(p float64) (run.Case, error), p float64) (*run.Sensitivity, error) {
	if c.Options.Equilibrate {
		return nil, &run.NotDifferentiable{Reason: "the start of a case that settles first (equilibrate) has no derivatives"}
	}
	planes := func(p float64) (*events.Plane, error) {
		k, err := family(p)
		if err != nil {
			return nil, err
		}
		l, ok := k.(*Case)
		if !ok || l.Plane == nil {
			return nil, fmt.Errorf("at %g the case is of another model", p)
		}
		return l.Plane, nil
	}
	w, err := sensitivity.New(planes, p, c.Options.Step.Tolerance)
	if err != nil {
		return nil, &run.NotDifferentiable{Reason: err.Error()} // the cases beside p are not, or not of p's kind
	}
	d := &differentiation{c: c, walk: w, out: &run.Sensitivity{At: p, Quantities: []run.Derivative{}, Events: []run.EventDerivative{}}}
	last, err := d.follow(ctx)
	if err != nil {
		return nil, err
	}
	return d.out, d.interval(ctx, planes, p, last)
}

// differentiation is a walk with derivatives through the times of the quantities.
type differentiation struct {
	c    *Case
	walk *sensitivity.Walk
	out  *run.Sensitivity

	lost   bool                       // the walk has come to where equilibrium ends, as the case expects
	labels []incremental.ContactState // of the contacts of the plane; nil: not begun
	turns  []turned                   // their changes so far
}

// turned is a change of what a contact of the plane does, as of a run.
type turned struct {
	contact int
	t       events.Dual
}

// follow walks to the last quantity and returns its time.
func (d *differentiation) follow(ctx context.Context) (float64, error) {
	list := d.lines()
	if len(list) == 0 {
		return 0, errors.New("no quantity to differentiate: the case expects none with a value, want --of")
	}
	values := make([]events.Dual, len(list))
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	at := func(i int) events.Dual {
		if t := list[i].Time; t != nil {
			return events.Dual{V: *t}
		}
		return d.walk.Until
	}
	slices.SortStableFunc(order, func(a, b int) int { return at(a).Compare(at(b)) })
	d.note()
	for _, i := range order {
		if err := d.walkTo(ctx, at(i)); err != nil {
			return 0, err
		}
		if t := list[i].Time; d.lost && t != nil && *t > d.walk.Time().V {
			return 0, fmt.Errorf("%s: the evolution ends at t=%.12g", list[i].Label(), d.walk.Time().V)
		}
		v, err := d.value(list[i])
		if err != nil {
			return 0, err
		}
		values[i] = v
	}
	for i, x := range list {
		d.out.Quantities = append(d.out.Quantities, run.Derivative{Label: x.Label(), Value: values[i].V, Derivative: values[i].D})
	}
	return at(order[len(order)-1]).V, nil
}

// walkTo walks to a time, or to where equilibrium ends.
func (d *differentiation) walkTo(ctx context.Context, t events.Dual) error {
	if d.lost {
		return nil
	}
	err := d.walk.Integrate(ctx, t, func() error { d.note(); return nil })
	if _, lost := errors.AsType[*events.LossError](err); lost && d.c.UntilLoss {
		d.lost = true
		return nil
	}
	return d.c.explainWalk(err)
}

// lines are the quantities that are looked at, or else those with a value.
func (d *differentiation) lines() []*casefile.Expectation {
	var observed, valued []*casefile.Expectation
	for i := range d.c.plan.Expect {
		switch x := &d.c.plan.Expect[i]; {
		case x.Value != nil && differentiable(x):
			valued = append(valued, x)
		case x.Value == nil && x.Max == nil && x.Min == nil:
			observed = append(observed, x)
		}
	}
	if len(observed) > 0 {
		return observed
	}
	return valued
}

func differentiable(x *casefile.Expectation) bool {
	return slices.Contains([]string{"position", "displacement", "normal_force", "friction_force", "dissipation",
		"energy", "work", "event_time", "loss_time"}, x.Quantity)
}

// note keeps the events at the present time.
func (d *differentiation) note() {
	d.label()
	for _, e := range d.walk.Changes() {
		n := len(d.out.Events)
		name := d.c.ContactIDs[d.c.Plane.Slot[e.Contact]]
		if n > 0 && d.out.Events[n-1].Time == e.Time.V && d.out.Events[n-1].Name == name {
			continue // seen at a stop
		}
		d.out.Events = append(d.out.Events, run.EventDerivative{Time: e.Time.V, Derivative: e.Time.D, Name: name,
			From: e.From.String(), To: e.To.String()})
	}
}

// label keeps the changes of what contacts do from the present time on, see [eventWalk.label].
func (d *differentiation) label() {
	w := d.walk
	if w.Time().V >= w.Until.V {
		return
	}
	for k, regime := range w.Regimes() {
		state := contactState(w.Integrator, k, regime)
		switch {
		case len(d.labels) <= k: // the start
			d.labels = append(d.labels, state)
		case d.labels[k] != state:
			d.labels[k] = state
			d.turns = append(d.turns, turned{k, w.Time()})
		}
	}
}

// turnedAt returns the time of the first change of the contact of a particle after that of an
// expectation.
func (d *differentiation) turnedAt(x *casefile.Expectation) (events.Dual, error) {
	for _, c := range d.turns {
		of := d.c.Plane.Particle[c.contact] == x.Subject
		if x.Obstacle > 0 {
			of = d.c.Plane.Slot[c.contact] == x.Obstacle-1
		}
		if of && c.t.V > x.From {
			return c.t, nil
		}
	}
	return events.Dual{}, fmt.Errorf("%s: there is no event of %q after t=%g", x.Label(), d.c.IDs[x.Subject], x.From)
}

// value returns a quantity at the present time.
func (d *differentiation) value(x *casefile.Expectation) (v events.Dual, err error) {
	w := d.walk
	switch x.Quantity {
	case "position":
		return w.Position(x.Subject)[x.Axis], nil
	case "displacement":
		return w.Position(x.Subject)[x.Axis].Sub(w.Start(x.Subject)[x.Axis]), nil
	case "normal_force":
		d.contacts(x, func(c int) { v = v.Add(w.Normal(c)) })
		return v, nil
	case "friction_force":
		var f [3]events.Dual
		d.contacts(x, func(k int) {
			for c, g := range w.Friction(k) {
				f[c] = f[c].Add(g)
			}
		})
		if x.Axis >= 0 {
			return f[x.Axis], nil
		}
		return size3(f), nil
	case "dissipation":
		return w.Dissipation(), nil
	case "energy":
		return w.Energy(), nil
	case "work":
		return w.Work(), nil
	case "event_time":
		return d.turnedAt(x)
	case "loss_time":
		if !d.lost {
			return v, fmt.Errorf("%s: equilibrium is not lost", x.Label())
		}
		return w.Time(), nil
	}
	return v, fmt.Errorf("%s has no derivative", x.Label())
}

// size3 is the length of a vector.
func size3(f [3]events.Dual) events.Dual {
	l := math.Hypot(math.Hypot(f[0].V, f[1].V), f[2].V)
	if l == 0 {
		return events.Dual{}
	}
	return events.Dual{V: l, D: (f[0].V*f[0].D + f[1].V*f[1].D + f[2].V*f[2].D) / l}
}

// contacts calls visit for the contacts of an expectation.
func (d *differentiation) contacts(x *casefile.Expectation, visit func(c int)) {
	for k, slot := range d.c.Plane.Slot {
		j := d.c.Plane.Particle[k]
		if x.Obstacle > 0 && slot == x.Obstacle-1 || x.Obstacle == 0 && (x.Subject < 0 && !d.c.variable(j) || x.Subject == j) {
			visit(slot)
		}
	}
}

// interval finds where events keep their order.
func (d *differentiation) interval(ctx context.Context, planes sensitivity.Family, p, until float64) error {
	r, err := sensitivity.Interval(ctx, planes, p, until, d.c.Options.Step.Tolerance)
	if err != nil {
		return err
	}
	name := func(k int) string { return d.c.ContactIDs[d.c.Plane.Slot[k]] }
	d.out.AtLeast = r.AtLeast
	text := func(x *sensitivity.Change) string {
		if r.AtLeast && x.Err == nil {
			return fmt.Sprintf("at %.10g: %s", x.At, x.Text(name))
		}
		return x.Text(name)
	}
	if r.Below != nil || r.AtLeast {
		d.out.From = &r.Lo
	}
	if r.Above != nil || r.AtLeast {
		d.out.To = &r.Hi
	}
	if r.Below != nil {
		d.out.Below = text(r.Below)
	}
	if r.Above != nil {
		d.out.Above = text(r.Above)
	}
	return nil
}
