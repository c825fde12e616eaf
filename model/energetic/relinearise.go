package energetic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/model/solid"
	"github.com/quasistatic/quasistatic/particles"
)

// relinearisation makes the operator between bodies that meet anew at nodes of a run: docs/decisions/0038.
type relinearisation struct {
	part     float64 // of a segment, which bodies slide until then [-]
	builder  *builder
	energies []particles.Energy
}

// linearised is what a case has from a new linearisation on.
type linearised struct {
	psi  *dissipation.Coulomb
	plan *incremental.Plan
	met  []metNode
	area []float64 // see [particleview.Scene]
	z    []float64 // the places of the linearisation
}

// relinearisation checks the key "relinearise"; nil: the case has none.
func (b *builder) relinearisation(c *Case) *relinearisation {
	d, p := &b.doc, casefile.Path{"relinearise"}
	if d.Relinearise == 0 {
		return nil
	}
	switch {
	case len(b.met) == 0:
		b.Add(p, "it has no effect: no bodies meet along sides that may slide")
	case c.Psi.Remembers() || c.Psi.System.Remembers():
		b.Add(p, "what friction over slip and plasticity remember is not carried over: "+
			"want friction without \"slip\", and elastic bodies")
	case d.Steps.events || d.Adaptive != nil || c.Chosen:
		b.Add(p, "bodies are linearised anew at given nodes of time: want a number of steps (or step, or times)")
	case d.Gamma.last != 0 || d.Gamma.all != nil || c.Options.Step.Threshold != incremental.Implicit:
		b.Add(p, "the state settles with the thresholds of its own forces: want no \"gamma\", "+
			"and implicit thresholds")
	case d.UntilLoss || c.StopAtJump || c.Stability.Searches(c.Psi.System):
		b.Add(p, "a run with new linearisations finds no jumps and no loss of equilibrium: "+
			"want no \"until_loss\", \"on_jump\" and \"stability\"")
	case d.Output.Rows() > 1:
		b.Add(casefile.Path{"output", "every"},
			"where bodies are linearised anew follows from all nodes: want no key \"every\"")
	}
	return &relinearisation{part: d.Relinearise, builder: b, energies: b.stored}
}

// functional makes Ψ of the linearisation at the places x of the particles at the time t, and returns the builder that
// made it. It fails where no sides face each other any more.
func (r *relinearisation) functional(t float64, x []float64) (*builder, *dissipation.Coulomb, error) {
	b := *r.builder
	b.Builder = solid.On(r.builder.Builder, r.builder.Case, new(document))
	b.moved, b.at = true, x
	b.frames, b.matrices, b.factors = slices.Clone(b.frames), slices.Clone(b.matrices), slices.Clone(b.factors)
	b.relative, b.relativeAt, b.met = nil, nil, nil
	b.meetAgain(t)
	if b.checkRelative(); !b.Any() {
		b.setLeans()
		b.holdBound()
	}
	if b.Any() {
		return nil, nil, b.Err()
	}
	sys, err := particles.NewRelativeSystem(b.frames, b.relative, r.energies...)
	if err != nil {
		return nil, nil, err
	}
	if len(b.extras) > 0 {
		if sys, err = sys.WithExtras(b.extras, b.extent(sys)); err != nil {
			return nil, nil, err
		}
	}
	psi := b.rubbing(sys)
	if b.Any() {
		return nil, nil, b.Err()
	}
	return &b, psi, nil
}

// shown is what pictures show of it.
func (r *relinearisation) shown(t float64, x []float64) (*dissipation.Coulomb, []float64, error) {
	b, psi, err := r.functional(t, x)
	if err != nil {
		return nil, nil, err
	}
	return psi, b.areas(), nil
}

// at makes the linearisation at the places x of the particles at the time t, with what steps need.
func (r *relinearisation) at(ctx context.Context, t float64, x []float64) (*linearised, error) {
	b, psi, err := r.functional(t, x)
	if err != nil {
		return nil, err
	}
	plan, err := incremental.NewPlan(ctx, psi, thresholds[b.doc.Threshold], b.Limit.Bytes)
	if err != nil {
		return nil, err
	}
	z := make([]float64, len(x))
	psi.System.ToLocalAt(t, z, x)
	return &linearised{psi, plan, b.met, b.areas(), z}, nil
}

// meetAgain replaces the contacts of bodies that meet by those at the places of the builder. Sides that are tied
// stay as they were joined.
func (b *builder) meetAgain(t float64) {
	was := b.nodes
	b.nodes = nil
	now, moved := map[*bodyNodes]*bodyNodes{}, map[*bodyNodes]*fem.Mesh{}
	for _, n := range was {
		c := *n
		c.contact = map[int]touch{}
		for i, at := range n.contact {
			if at.meeting == nil {
				c.contact[i] = at
			}
		}
		b.nodes, now[n] = append(b.nodes, &c), &c
		moved[n] = movedMesh(n.body, t, b.at)
	}
	for _, old := range b.meetings {
		m := *old
		m.own, m.other, m.sides[0].Held = now[old.own], now[old.other], nil
		if !m.doc.Tied {
			m.sides[0].Mesh, m.sides[1].Mesh = moved[old.own], moved[old.other]
		}
		b.pairUp(&m)
	}
	for k, n := range b.nodes {
		for i := range n.body.Particles() {
			before, touch := was[k].contact[i], n.contact[i]
			if b.Any() || before.meeting == nil && touch.meeting == nil {
				continue
			}
			j := n.first + i
			b.frames[j], b.matrices[j], b.factors[j] = particles.NoObstacle(), nil, nil
			if touch.meeting == nil {
				continue
			}
			if b.frames[j], b.matrices[j] = b.meetingFrame(n, i, touch); b.matrices[j] != nil {
				b.factors[j] = b.frictions.Of(*touch.friction).factor
			}
		}
	}
}

// convert turns states of one linearisation into those of another one, at the time t: particles that neither has
// relative keep their coordinates, to the last bit.
func convert(t float64, from, to *particles.System) func(z []float64) []float64 {
	return func(z []float64) []float64 {
		x := make([]float64, len(z))
		from.ToGlobalAt(t, x, z)
		to.ToLocalAt(t, x, x)
		for j := range from.N() {
			if !from.Frame(j).Relative && !to.Frame(j).Relative {
				copy(x[3*j:3*j+3], z[3*j:3*j+3])
			}
		}
		return x
	}
}

// placed is a node at which a linearisation was made.
type placed struct {
	T float64
	X []float64 // places, global axes; nil: the linearisation is that of the start
}

// stepParts are how steps are divided within which bodies slide too far.
var stepParts = struct {
	near, share float64 // a part follows of that share of what would have been near enough, not of less than this of it:
	// what a long way changes is not in proportion to it [-]
	least float64 // the shortest part of a step [-]: what slides as far within less jumps
}{near: 0.8, share: 1.0 / 16, least: 1e-4}

// stepRelinearising makes a planned step, in parts where within it what faces what changes by more than accuracy allows,
// with new linearisations where they are due.
func (r *Run) stepRelinearising(ctx context.Context, step [2]float64, between func() error,
	visit func(*energetic.Node) error) error {
	e, least := r.evolution, stepParts.least*(step[1]-step[0])
	var before energetic.Checkpoint
	for e.Node().T < step[1] {
		if err := between(); err != nil {
			return err
		}
		from, to := e.Node().T, step[1]
		if r.pace > 0 && r.pace < to-from {
			to = from + (to-from)/math.Ceil((to-from)/r.pace)
		}
		e.Save(&before)
		if err := e.Step(ctx, to); err != nil {
			return err
		}
		met := r.met
		met.observe(ctx, r.c, e.Node())
		over, anew := met.over(r.c), met.due(r.c)
		if made := to - from; over > 1 && made > least && r.met.Unknown == "" {
			if err := e.Load(&before); err != nil {
				return err
			}
			r.pace = max(made*max(stepParts.near/over, stepParts.share), least)
			anew = r.met.Moved > 0 && from > r.placed.T
		} else {
			if r.pace *= min(2, max(1, stepParts.near/over)); r.pace >= step[1]-step[0] {
				r.pace = 0
			}
			r.met = met
			if err := visit(e.Node()); err != nil {
				return err
			}
		}
		if !anew {
			continue
		}
		if err := r.relinearise(ctx); err != nil {
			return err
		}
		if err := visit(e.Node()); err != nil {
			return err
		}
	}
	return nil
}

// relinearise makes the linearisation anew at the last node, and settles the state there.
func (r *Run) relinearise(ctx context.Context) error {
	at := placed{r.last.T, places(r.c.Psi, r.last.T, r.last.Z)}
	fault := func(err error) error {
		return fmt.Errorf("a new linearisation of bodies that meet at t=%.10g: %w", at.T, err)
	}
	l, err := r.c.relinearisation.at(ctx, at.T, at.X)
	if err != nil {
		return fault(err)
	}
	old := r.c.Psi
	if err := r.evolution.Relinearise(ctx, l.of(at.T, old)); err != nil {
		return fault(err)
	}
	r.take(l, at)
	return r.besideRelinearised(ctx, old, r.evolution.Node().Z)
}

// of is a linearisation after that of old.
func (l *linearised) of(t float64, old *dissipation.Coulomb) *energetic.Linearisation {
	return &energetic.Linearisation{Psi: l.psi, Plan: l.plan, Convert: convert(t, old.System, l.psi.System)}
}

// take goes on with a linearisation.
func (r *Run) take(l *linearised, at placed) {
	c := *r.c // the case is that of the start
	c.Psi, c.met, c.Z0, c.Options.Step.Plan = l.psi, l.met, l.z, l.plan
	scene := *c.Scene
	c.Scene, scene.Areas = &scene, l.area
	r.c, r.own, r.placed = &c, nil, at
	r.met.again()
}

// besideRelinearised makes the linearisation of the run beside anew, at its own places; the step to the present node
// follows. The state of the run was one of old, and settles.
func (r *Run) besideRelinearised(ctx context.Context, old *dissipation.Coulomb, settled []float64) error {
	x, o, t := r.beside, &r.c.other, r.placed.T
	if x == nil || x.stepper == nil || x.sums.Estimate.Ended != "" {
		return nil
	}
	f, s := &x.sums, x.stepper
	at := placed{t, places(o.psi, t, s.State())}
	l, err := o.relinearisation.at(ctx, t, at.X)
	if err == nil {
		err = l.settle(ctx, x, o, t)
	}
	if err != nil {
		f.Estimate.Ended = err.Error()
		return ctx.Err()
	}
	f.At, o.psi, o.options.Step.Plan = at, l.psi, l.plan
	own := linearised{psi: r.c.Psi}
	from := own.of(t, old)
	f.Z = from.Base(from.Convert(f.Z), settled)
	r.c.Psi.System.Gradient(f.Grad, nil, t, f.Z)
	return nil
}

// settle places the stepper of the run beside where its settling begins.
func (l *linearised) settle(ctx context.Context, x *beside, o *other, t float64) error {
	to := l.of(t, o.psi)
	z := to.Convert(x.stepper.State())
	next, err := to.Settle(ctx, t, z, o.options.Step, x.stepper)
	if err == nil {
		next.Place(t, to.Base(z, next.State()), nil)
		x.stepper, x.settles = next, true
	}
	return err
}

// relinearise makes the linearisation anew where a run did: it left two nodes of one time there. x are the places
// of the second one, at the time t.
func (d *diagnosis) relinearise(ctx context.Context, t float64, x []float64) error {
	if d.c.relinearisation == nil {
		return nil
	}
	at := placed{t, d.x}
	d.x = slices.Clone(x)
	if d.last == nil || t != d.last.T {
		return nil
	}
	old := d.c.Psi
	l, err := d.c.relinearisation.at(ctx, t, at.X)
	if err != nil {
		return err
	}
	to, settled := l.of(t, old), make([]float64, len(x))
	particleview.ToLocal(t, settled, l.psi.System, x)
	if d.cert, err = d.cert.Relinearised(ctx, to, settled); err != nil {
		return err
	}
	copy(d.z, to.Convert(d.z))
	d.take(l, at)
	return d.besideRelinearised(ctx, old, settled)
}

// resumeLinearised goes on with the linearisations of a checkpoint.
func (r *Run) resumeLinearised(ctx context.Context, s *state) error {
	if s.Placed.X == nil {
		return nil
	}
	l, err := r.c.relinearisation.at(ctx, s.Placed.T, s.Placed.X)
	if err != nil {
		return err
	}
	r.take(l, s.Placed)
	if s.Beside == nil || s.Beside.Sums.At.X == nil {
		return nil
	}
	b, err := r.c.other.relinearisation.at(ctx, s.Beside.Sums.At.T, s.Beside.Sums.At.X)
	if err == nil {
		r.c.other.psi, r.c.other.options.Step.Plan = b.psi, b.plan
	}
	return err
}
