package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/run"
)

// eventWalk is a walk from event to event whose nodes a certifier judges that knows
// nothing of it.
type eventWalk struct {
	c       *Case
	walker  *events.Integrator[events.Real]
	cert    *energetic.Certifier
	z       []float64
	stops   []float64 // times at which something is expected
	spacing float64   // of the nodes of smooth loads [s]; +Inf: nodes are events and stops
	curved  bool      // directions turn between events, see curves
	at      float64   // time of the last node
	node    []float64 // its state: z, or before
	before  []float64
	last    []float64 // what z was
	landing bool      // the last node is a little before the state of the walker, see ahead
	labels  []incremental.ContactState
	changed []contactChange // that no row told of yet
	changes int
}

// contacts tells what they do.
type contacts interface {
	Moves(contact int) bool
	Pressed(contact int) bool
}

// contactChange is a change of contact.
type contactChange struct {
	t        float64
	contact  int // of the system
	from, to incremental.ContactState
}

// walkEvents walks to the end. It makes no checkpoints: resumed, it begins anew, and
// leaves the same files.
func (r *Run) walkEvents(ctx context.Context, m *run.March) error {
	w, err := newEventWalk(ctx, r.c)
	if w == nil {
		return err
	}
	r.walk, r.limit = w, w.cert.WayLimit
	for k := 0; ; k++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.observe(m, w.energies(w.cert.Node())); err != nil {
			return err
		}
		if w.at >= r.c.plan.Until || err != nil {
			break
		}
		if err = w.step(ctx); err != nil {
			break
		}
	}
	r.c.plan.Steps = w.cert.Node().K
	if loss, ok := errors.AsType[*events.LossError](err); ok && r.c.UntilLoss {
		err = r.endWalk(ctx, m, loss)
	}
	r.verdict, r.measures = w.cert.Summary(), w.cert.Measures()
	if err == nil {
		err = r.prove(ctx)
	}
	return r.c.explainWalk(err)
}

// endWalk ends a walk whose case expects that at some time nothing holds a motion: that time is an
// event, its state the last node. A step beyond tells the direction.
func (r *Run) endWalk(ctx context.Context, m *run.March, lost *events.LossError) error {
	w, d := r.walk, r.c.reduced().Dofs[lost.Dof]
	loss := &energetic.Loss{Time: lost.Time, From: lost.Time, To: lost.Time, Particle: d.Particle, Direction: make([]float64, len(w.z))}
	motion := lostMotion(r.c.reduced(), lost, &d)
	copy(loss.Direction[3*d.Particle:], motion[:])
	from := w.cert.Node().T
	w.place()
	beyond, err := incremental.New(r.c.Psi, lost.Time, w.z, r.c.Options.Step)
	if err != nil {
		return err
	}
	later := lost.Time + min(lossProbe*r.c.plan.Until, r.c.plan.Until-lost.Time)
	if x, ok := errors.AsType[*incremental.LossError](beyond.Step(ctx, later)); ok {
		loss.To, loss.Particle, loss.Direction, loss.Force = later, x.Particle, x.Direction, x.Force
	}
	if lost.Time > from {
		if err := w.cert.Observe(ctx, lost.Time, w.z); err != nil {
			return err
		}
	}
	return r.recordLoss(ctx, m, &lossEnd{loss: loss, node: w.energies(w.cert.Node()), seen: lost.Time == from})
}

// lostMotion is the motion that nothing holds, in local coordinates.
func lostMotion(p *events.Reduced, lost *events.LossError, d *events.Dof) [3]float64 {
	if lost.Motion == [3]float64{} {
		return d.Direction
	}
	var v [3]float64
	for i, m := range lost.Motion { // of the three dofs
		for c, x := range p.Dofs[lost.Dof+i].Direction {
			v[c] += m * x
		}
	}
	return v
}

// lossProbe is how far beyond a loss its direction is looked for, of the whole time: where what
// drives is far above the rounding of the forces.
const lossProbe = 1e-6

// explainWalk names the particle of an error.
func (c *Case) explainWalk(err error) error {
	var loss *events.LossError
	var rate *events.RateError
	var turn *events.TurnError
	p := c.reduced()
	switch {
	case errors.As(err, &loss):
		d := p.Dofs[loss.Dof]
		f := c.Psi.System.Frame(d.Particle)
		v := f.RotateToGlobal(lostMotion(p, loss, &d))
		return fmt.Errorf("no equilibrium beyond t=%.15g: %s slides away along (%.4g, %.4g, %.4g) or against it",
			loss.Time, c.IDs[d.Particle], v[0], v[1], v[2])
	case errors.As(err, &rate) && rate.Contact >= 0:
		return fmt.Errorf("%w; the first is %s", err, c.ContactIDs[p.Slot[rate.Contact]])
	case errors.As(err, &turn):
		return fmt.Errorf("%w: %s; want no key \"exact\"", err, c.ContactIDs[p.Slot[turn.Contact]])
	}
	return err
}

// newEventWalk settles the start, if the case asks for that, and begins. Where nothing holds on
// from the start there is a walk of one node, and an
// *[events.LossError].
func newEventWalk(ctx context.Context, c *Case) (*eventWalk, error) {
	w := &eventWalk{c: c, spacing: math.Inf(1), z: slices.Clone(c.Z0)}
	if err := w.equilibrate(ctx); err != nil {
		return nil, err
	}
	w.node = w.z
	c = w.c
	var err error
	o := c.Options
	o.Walk = true
	if o.Curved, err = c.curves(ctx); err != nil {
		return nil, err
	}
	w.curved = o.Curved
	if w.cert, err = energetic.NewCertifier(c.Psi, o); err != nil {
		return nil, err
	}
	if err := w.cert.Begin(ctx, 0, w.z); err != nil {
		return nil, err
	}
	if err := w.cert.Unstable(); err != nil {
		return nil, err
	}
	lost := w.begin()
	if _, is := errors.AsType[*events.LossError](lost); lost != nil && !is {
		return nil, lost
	}
	for _, x := range c.plan.Expect {
		if x.Time != nil && *x.Time > 0 {
			w.stops = append(w.stops, *x.Time)
		}
	}
	w.stops = append(w.stops, c.plan.Until)
	slices.Sort(w.stops)
	w.labels = make([]incremental.ContactState, c.Psi.System.Contacts())
	copy(w.labels, w.cert.Node().States)
	if lost == nil {
		w.label()
	}
	return w, lost
}

// begin makes the walker.
func (w *eventWalk) begin() error {
	c := w.c
	finer := math.Sqrt(c.plan.Accuracy / energetic.DefaultAccuracy)
	form, err := c.Plane.Form()
	if err != nil {
		return err
	}
	if w.walker, err = events.NewIntegrator(form, c.Options.Step.Tolerance); err != nil {
		return err
	}
	w.walker.Turn = c.turn()
	if f := form.Source.Frequency(); f > 0 {
		w.spacing = smoothSpacing * finer / f
	}
	return nil
}

// turn is the largest angle by which a direction of slip turns between two nodes [rad].
func (c *Case) turn() float64 { return max(min(largestTurn, turnPart*c.plan.Accuracy), leastTurn) }

// curves reports whether a walk is one along whose pieces friction turns: of a corner of which the
// force turns on one face. That is known when it has been walked.
func (c *Case) curves(ctx context.Context) (bool, error) {
	if c.Plane == nil {
		return false, nil
	}
	form, err := c.Plane.Form()
	if err != nil || len(form.Corners) == 0 {
		return false, err
	}
	w, err := events.NewIntegrator(form, c.Options.Step.Tolerance)
	for err == nil && !w.Curved && float64(w.Time()) < c.plan.Until {
		if err = ctx.Err(); err == nil {
			err = w.Step(events.Real(c.plan.Until))
		}
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	return w != nil && w.Curved, nil // where it ends sooner the walk of the run says so
}

// largestTurn is the largest angle by which a direction of slip turns between two nodes [rad]: a
// chord is off by half of it from the tangents at its ends, and what friction loses along it by an
// eighth of its square.
const largestTurn = 0.01

const (
	// turnPart times the accuracy is the turn below which chords are accurate: friction that is off
	// by half of the turn is of first order in it.
	turnPart = 5
	// leastTurn keeps the nodes of a way round a circle below 1.3 million.
	leastTurn = 5e-6
)

// smoothSpacing over the frequency of the loads is the distance of nodes between events:
// a chord of a sine of amplitude 1 is off by (1/10)²/8 = .00125, an eighth of the default
// accuracy.
const smoothSpacing = 0.1

// equilibrate settles the start.
func (w *eventWalk) equilibrate(ctx context.Context) error {
	c := w.c
	if !c.Options.Equilibrate {
		return nil
	}
	s, err := incremental.New(c.Psi, 0, c.Z0, c.Options.Step)
	if err != nil {
		return err
	}
	if _, err = s.Equilibrate(ctx); err != nil {
		return err
	}
	copy(w.z, s.State())
	l := *c
	l.Plane, err = events.NewPlane(c.Psi, w.z, c.plan.Until)
	w.c = &l
	return err
}

// step walks to the next event, stop or node, and certifies it.
func (w *eventWalk) step(ctx context.Context) error {
	if err := w.next(); err != nil {
		return err
	}
	return w.cert.Observe(ctx, w.at, w.node)
}

// next makes the next node: that of the next event or stop, or a little before a landing in a
// corner.
func (w *eventWalk) next() error {
	from := w.at
	if !w.landing {
		w.before = append(w.before[:0], w.z...)
		if err := w.move(); err != nil {
			return err
		}
	}
	w.at, w.node = float64(w.walker.Time()), w.z
	if w.landing {
		w.landing = false
		return nil
	}
	part := w.ahead(from)
	if t := w.at - part*(w.at-from); t > from && t < w.at {
		part = (w.at - t) / (w.at - from) // as times are rounded
		w.landing, w.at, w.node = true, t, w.before
		for i, x := range w.z {
			w.before[i] = x - part*(x-w.before[i])
		}
	}
	return nil
}

const (
	// closest is how far before a landing in a corner the node is that judges the way there, of the
	// step: what the jump of the forces costs on the rest of the way is far below what a gap may
	// be, 1e-10.
	closest = 1e-11
	// earlier is that in roundings of the time.
	earlier = 16
	// aloft is how high a particle is there at least, in heights that count as none.
	aloft = 4
	// farthest is the end of this: of a way that is all as near to its obstacle as rounding the
	// node is none.
	farthest = 1e-4
)

// ahead is how far before the last event, of the way there, a node is needed, 0: none is. Where a
// particle slides into a corner sharper than a right angle its normal forces jump, as it is wedged
// between both obstacles, and those at the end of a step are not those of the way: its states are
// solutions with the forces of their own, up to the landing.
func (w *eventWalk) ahead(from float64) (part float64) {
	sys, t := w.c.Psi.System, float64(w.walker.Time())
	for _, c := range w.changed {
		if c.t != t || c.from != incremental.Free {
			continue
		}
		for e := sys.N(); e < sys.Contacts(); e++ {
			if sys.ContactParticle(e) == sys.ContactParticle(c.contact) {
				part = max(part, closest, earlier*0x1p-52*t/(t-from), aloft*sys.Touching(e, w.z)/sys.Height(t, c.contact, w.before))
			}
		}
	}
	if part > farthest {
		return 0
	}
	return part
}

// move walks to the next event, stop or node.
func (w *eventWalk) move() error {
	for len(w.stops) > 1 && w.stops[0] <= float64(w.walker.Time()) {
		w.stops = w.stops[1:]
	}
	from := float64(w.walker.Time())
	limit := min(w.stops[0], w.c.plan.Until)
	if d := limit - from; d > w.spacing {
		limit = from + d/math.Ceil(d/w.spacing)
	}
	for float64(w.walker.Time()) == from {
		if err := w.walker.Step(events.Real(limit)); err != nil {
			return err
		}
		w.label()
	}
	w.place()
	return nil
}

// place sets the coordinates of the particles to those of the walker. In a corner those are
// combinations of what a walk holds, which have the rounding of all: within it a particle is where
// it was, and touches its first obstacle, as it does the others.
func (w *eventWalk) place() {
	w.last = append(w.last[:0], w.z...)
	w.c.reduced().State(w.z, func(i int) float64 { return float64(w.walker.Q()[i]) })
	sys := w.c.Psi.System
	for c := sys.N(); c < sys.Contacts(); c++ {
		j := sys.ContactParticle(c)
		z, last, none := w.z[3*j:3*j+3], w.last[3*j:3*j+3], sys.Touching(c, w.z)
		if floats.Distance(z, last, math.Inf(1)) <= none {
			copy(z, last)
		}
		if sys.Constrained(j) && math.Abs(z[2]) <= none {
			z[2] = 0
		}
	}
}

// energies returns a node as it was certified, with the energies of the walk: those of the
// polygon through the nodes are the same where loads are piecewise linear, and off by a
// second order where they are smooth.
func (w *eventWalk) energies(certified *energetic.Node) *energetic.Node {
	n := *certified
	n.Dissipation, n.Work, n.Balance = float64(w.walker.Dissipation()), float64(w.walker.Work()), float64(w.walker.Balance())
	n.Lipschitz = max(n.Lipschitz, w.walker.Fastest())
	return &n
}

// label notes what the contacts do from the present time on. At the end of the run there
// is nothing from then on.
func (w *eventWalk) label() {
	t := float64(w.walker.Time())
	if t >= w.c.plan.Until {
		return
	}
	for k, regime := range w.walker.Regimes() {
		j := w.c.reduced().Slot[k]
		if state := contactState(w.walker, k, regime); state != w.labels[j] {
			w.changed = append(w.changed, contactChange{t, j, w.labels[j], state})
			w.labels[j] = state
		}
	}
}

// contactState is what a contact of a walk does, in the words of a run in steps: one that may slip
// and does not move sticks.
func contactState(w contacts, k int, regime events.Regime) incremental.ContactState {
	switch {
	case regime == events.Open:
		return incremental.Free
	case w.Moves(k):
		return incremental.Slip
	case !w.Pressed(k):
		return incremental.Grazing
	}
	return incremental.Stick
}

// writeChanges writes the changes that no row told of yet.
func (w *eventWalk) writeChanges(out *run.Output) error {
	for _, c := range w.changed {
		w.changes++
		if err := out.Event(run.Event{T: c.t, Name: w.c.ContactIDs[c.contact], From: c.from.String(), To: c.to.String(),
			Smooth: w.c.smooth(c.contact)}); err != nil {
			return err
		}
	}
	w.changed = w.changed[:0]
	return nil
}
