package global

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
)

// Evolution advances a state by global minimisers: at every node no other state costs less,
//
//	E(t, z) <= E(t, y) + D(z, y)   for all y ∈ A,
//
// D being the friction on the straight way from z to y, on which particles that are pressed stay in
// contact; it is Ψ(t, z, y − z) where normal forces and friction do not vary on it. Where another
// state comes to cost as much (the Maxwell line, where there is one), the evolution jumps there: of
// the energy released friction takes all, so that (E) closes through the jump. Not safe for
// concurrent use.
type Evolution struct {
	psi     *dissipation.Coulomb
	opt     incremental.Options
	stepper *incremental.Stepper
	search  *rivalSearch
	prover  *Prover // nil: E is convex, or not to be bounded
	convex  bool
	unknown string // why nothing is proven
	rivals  [][]float64
	from    dissipation.Origin // of the motion to the present node
	size    float64            // of the energies met [J]
	Stats   Stats
}

// Stats says how it is known that no state costs less.
type Stats struct {
	Nodes  int // that were judged
	Proven int // of them, (S) for all states
	// friction on the way to a rival was less than Ψ(t, z, y − z): then (S) does not say all
	Varies   bool
	Boxes    int     // of branch and bound
	Searches int     // local minimisations
	Worst    float64 // most that another state cost less [J]
	Margin   float64 // up to which it is judged [J]
	Reason   string  // why the first node is not proven
}

// Jump is a jump of it.
type Jump struct {
	Time          float64
	Before, After []float64 // local coordinates
	Released      float64   // E before − E after [J]
	Friction      float64   // D [J]
}

// Residual is Released − Friction [J]: what (E) lacks. It is not small where the state before
// ceases to be an equilibrium before another one is worth the way: then no energetic solution goes
// on.
func (j *Jump) Residual() float64 { return j.Released - j.Friction }

// sameCost is the part of the energies met up to which states cost the same.
const sameCost = 1e-9

// Start begins at (t, z), local coordinates, an equilibrium.
func Start(psi *dissipation.Coulomb, t float64, z []float64, o incremental.Options) (*Evolution, error) {
	g := &Evolution{psi: psi, opt: o, convex: !StabilityAuto.Searches(psi.System)}
	var err error
	if g.stepper, err = incremental.New(psi, t, z, o); err != nil {
		return nil, err
	}
	if g.search, err = newRivalSearch(psi, z); err != nil {
		return nil, err
	}
	if !g.convex {
		if g.prover, err = NewProver(psi); err != nil {
			g.unknown = err.Error()
		}
	}
	return g, nil
}

// Checkpoint is everything that the rest of a [Evolution] depends on: one of the same system, start
// and options that loads it goes on to the same bits.
type Checkpoint struct {
	Step     incremental.Checkpoint
	Rivals   [][]float64
	From     dissipation.Origin
	Size     float64
	Stats    Stats
	Searches uint64 // made
	Solves   int    // local minimisations in them
	Search   incremental.WarmStart
}

// Save stores the present node.
func (g *Evolution) Save(dst *Checkpoint) {
	g.stepper.Save(&dst.Step)
	dst.Rivals = dst.Rivals[:0]
	for _, y := range g.rivals {
		dst.Rivals = append(dst.Rivals, slices.Clone(y))
	}
	dst.From = dissipation.Origin{T: g.from.T, Z: slices.Clone(g.from.Z)}
	dst.Size, dst.Stats, dst.Searches, dst.Solves = g.size, g.Stats, g.search.count, g.search.solves
	g.search.min.SaveStart(&dst.Search)
}

// Load continues from a checkpoint. It fails for one of another system.
func (g *Evolution) Load(src *Checkpoint) error {
	for _, y := range src.Rivals {
		if len(y) != len(g.State()) {
			return fmt.Errorf("global: the checkpoint has a rival of %d coordinates, want %d", len(y), len(g.State()))
		}
	}
	if err := g.stepper.Load(&src.Step); err != nil {
		return err
	}
	if err := g.search.min.LoadStart(g.Time(), g.State(), &src.Search); err != nil {
		return err
	}
	g.rivals = g.rivals[:0]
	for _, y := range src.Rivals {
		g.rivals = append(g.rivals, slices.Clone(y))
	}
	g.from = dissipation.Origin{T: src.From.T, Z: slices.Clone(src.From.Z)}
	g.size, g.Stats, g.search.count, g.search.solves = src.Size, src.Stats, src.Searches, src.Solves
	return nil
}

// Time and State are those of the present node.
func (g *Evolution) Time() float64 { return g.stepper.Time() }

// State returns z, local coordinates; it belongs to g.
func (g *Evolution) State() []float64 { return g.stepper.State() }

// margin is the energy below which states cost the same.
func (g *Evolution) margin(t float64, z []float64) float64 {
	g.size = max(g.size, g.search.size(t, z))
	return sameCost * g.size
}

// Judge looks for a state that costs less than the present one, and returns the best; nil: none was
// found. It proves that there is none where it can.
func (g *Evolution) Judge(ctx context.Context) (*Jump, error) {
	t, z := g.Time(), g.State()
	g.search.from = g.from
	list, proof, err := g.look(ctx, t, z, g.rivals)
	if err != nil {
		return nil, err
	}
	g.note(list, proof, g.margin(t, z))
	g.follow(list)
	if len(list) == 0 || list[0].gain <= g.margin(t, z) {
		return nil, nil
	}
	return g.jump(ctx, t, z, &list[0])
}

// note adds a node to what is known.
func (g *Evolution) note(list []rival, proof *Proof, margin float64) {
	s := &g.Stats
	s.Nodes++
	s.Margin = max(s.Margin, margin)
	if len(list) > 0 {
		s.Worst = max(s.Worst, list[0].gain)
	}
	for i := range list {
		s.Varies = s.Varies || list[i].friction < list[i].frozen-margin
	}
	switch {
	case g.convex || proof != nil && proof.Proven:
		s.Proven++
	case s.Reason == "" && proof != nil:
		switch s.Reason = proof.Reason; {
		case proof.Better != nil && len(list) > 0 && list[0].gain > margin:
			s.Reason = "another state costs less"
		case proof.Better != nil:
			s.Reason = "with friction frozen at the state another one costs less, with friction on the way it does not"
		}
	case s.Reason == "":
		s.Reason = g.unknown
	}
	s.Searches = g.search.solves
}

func (g *Evolution) follow(list []rival) {
	g.rivals = g.rivals[:0]
	for i := range list {
		g.rivals = append(g.rivals, list[i].y)
	}
}

// jump is that to a rival, which one more step at its time brings to where steps are solved to.
func (g *Evolution) jump(ctx context.Context, t float64, z []float64, r *rival) (*Jump, error) {
	s, err := incremental.New(g.psi, t, r.y, g.opt)
	if err == nil {
		err = s.Step(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	at, err := g.search.judge(t, z, s.State())
	return &Jump{Time: t, Before: slices.Clone(z), After: at.y, Released: at.gain + at.friction, Friction: at.friction}, err
}

// look finds the rivals of z, by search, and by branch and bound where E is not convex.
func (g *Evolution) look(ctx context.Context, t float64, z []float64, from [][]float64) (list []rival, proof *Proof, err error) {
	z = slices.Clone(z)
	if list, err = g.search.find(ctx, t, z, from); err != nil || g.prover == nil {
		return list, nil, err
	}
	var known [][]float64
	for i := range list {
		known = append(known, list[i].y)
	}
	if proof, err = g.prover.Run(ctx, t, z, g.margin(t, z), known); err != nil {
		return nil, nil, err
	}
	g.Stats.Boxes += proof.Boxes
	if proof.Better != nil && (len(list) == 0 || list[0].gain <= 0) {
		list, err = g.search.find(ctx, t, z, append(known, proof.Better))
	}
	return list, proof, err
}

// Jump goes on behind a jump.
func (g *Evolution) Jump(j *Jump) (err error) {
	g.from = dissipation.Origin{T: j.Time, Z: j.Before}
	g.rivals = append(g.rivals, j.Before)
	g.stepper, err = incremental.New(g.psi, j.Time, j.After, g.opt)
	return err
}

// jumpsPerStep is the number of jumps in one step after which it is given up.
const jumpsPerStep = 64

// Advance goes to time t. It calls leap at each jump, before it goes on behind it.
func (g *Evolution) Advance(ctx context.Context, t float64, leap func(*Jump) error) error {
	for range jumpsPerStep {
		j, err := g.advance(ctx, t)
		if err != nil || j == nil {
			return err
		}
		if err := leap(j); err != nil {
			return err
		}
		if err := g.Jump(j); err != nil {
			return err
		}
	}
	return fmt.Errorf("global: t=%g: more than %d jumps in a step", t, jumpsPerStep)
}

// advance steps to t, or up to the first jump before, which it returns.
func (g *Evolution) advance(ctx context.Context, t float64) (*Jump, error) {
	var start incremental.Checkpoint
	g.stepper.Save(&start)
	start.Z = slices.Clone(start.Z)
	if err := g.stepper.Step(ctx, t); err != nil {
		return nil, err
	}
	z := slices.Clone(g.State())
	g.search.from = g.from
	// A step that has left the well of its start has jumped: a state behind is an equilibrium at
	// the start too, and another one.
	if y := slices.Clone(z); g.search.settle(ctx, start.T, start.Z, y) &&
		floats.Distance(y, start.Z, 2) > max(g.search.samePos, floats.Distance(z, start.Z, 2)/2) {
		if j, err := g.first(ctx, &start, t, y); err != errNoJump {
			return j, err
		}
		if err := errors.Join(g.stepper.Load(&start), g.stepper.Step(ctx, t)); err != nil {
			return nil, err
		}
	}
	g.search.from = dissipation.Origin{T: start.T, Z: start.Z}
	list, proof, err := g.look(ctx, t, z, g.rivals)
	if err != nil {
		return nil, err
	}
	if margin := g.margin(t, z); len(list) == 0 || list[0].gain <= margin {
		g.note(list, proof, margin)
		g.follow(list)
		g.from = g.search.from
		return nil, nil
	}
	return g.first(ctx, &start, t, list[0].y)
}

// Trace goes from the present node to one of a trajectory, and calls leap at the jumps between:
// where the state of that node lies in another well, or a step from here does not lead there. Of
// such a well that does not come to cost less before the node nothing is said: the balance of the
// step tells.
func (g *Evolution) Trace(ctx context.Context, t float64, z []float64, leap func(*Jump) error) error {
	if done, err := g.retrace(ctx, t, z, leap); done || err != nil {
		return err
	}
	var before dissipation.Origin
	for range jumpsPerStep {
		var start incremental.Checkpoint
		g.stepper.Save(&start)
		start.Z = slices.Clone(start.Z)
		before = dissipation.Origin{T: start.T, Z: start.Z}
		way := floats.Distance(z, start.Z, 2)
		if way <= g.search.samePos {
			break
		}
		y := slices.Clone(z)
		g.search.from = g.from
		if !g.search.settle(ctx, start.T, start.Z, y) || floats.Distance(y, start.Z, 2) <= max(g.search.samePos, way/2) {
			if err := g.stepper.Step(ctx, t); err != nil || floats.Distance(g.State(), z, 2) <= way/2 {
				break
			}
			copy(y, z)
		}
		g.margin(start.T, start.Z)
		j, err := g.first(ctx, &start, t, y)
		if err == errNoJump {
			break
		}
		if err == nil {
			err = leap(j)
		}
		if err == nil {
			err = g.Jump(j)
		}
		if err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var err error
	g.from = before
	g.stepper, err = incremental.New(g.psi, t, z, g.opt)
	return err
}

// retrace goes to a node with jumps before it as [Evolution.Advance] does; false, and where it was,
// if it leads to another state, or without jumps.
func (g *Evolution) retrace(ctx context.Context, t float64, z []float64, leap func(*Jump) error) (done bool, err error) {
	var start Checkpoint
	g.Save(&start)
	if floats.Distance(z, g.State(), 2) <= g.search.samePos {
		return false, nil
	}
	near := g.stepper.Step(ctx, t) == nil && floats.Distance(g.State(), z, 2) <= g.search.samePos
	if err := g.Load(&start); err != nil {
		return false, err
	}
	y := slices.Clone(z)
	g.search.from = g.from
	if near && (!g.search.settle(ctx, start.Step.T, start.Step.Z, y) ||
		floats.Distance(y, start.Step.Z, 2) <= max(g.search.samePos, floats.Distance(z, start.Step.Z, 2)/2)) {
		return false, g.Load(&start)
	}
	g.margin(start.Step.T, start.Step.Z)
	var jumps []*Jump
	err = g.Advance(ctx, t, func(j *Jump) error {
		jumps = append(jumps, j)
		return nil
	})
	if ctx.Err() != nil {
		return false, err
	}
	if err != nil || len(jumps) == 0 || floats.Distance(g.State(), z, 2) > g.search.samePos {
		return false, g.Load(&start)
	}
	for _, j := range jumps {
		if err := leap(j); err != nil {
			return false, err
		}
	}
	g.Stats = start.Stats
	g.stepper, err = incremental.New(g.psi, t, z, g.opt)
	return true, err
}

// errNoJump: nothing comes to cost less in a step.
var errNoJump = errors.New("global: no state comes to cost less")

// trial is a state on the way to a jump.
type trial struct {
	from   dissipation.Origin // of the motion to it
	t      float64
	z      []float64
	rival  rival
	jumped bool // the state itself has left its well
}

// past reports whether the jump is behind.
func (a *trial) past() bool { return a.jumped || a.rival.gain > 0 }

// first finds the first jump of a step: that to a rival of which y is known, unless where it begins
// another one costs less by then, which has come to before.
func (g *Evolution) first(ctx context.Context, start *incremental.Checkpoint, t float64, y []float64) (*Jump, error) {
	j, err := g.locate(ctx, start, t, y)
	for range jumpsPerStep {
		if err != nil || j.Time <= start.T {
			break
		}
		before, fault := g.earlier(ctx, start, j)
		if before == nil {
			err = fault
			break
		}
		j = before
	}
	return j, err
}

// earlier finds a jump of the step before a given one, nil if none is found: then the search for
// rivals goes on as if it had not looked.
func (g *Evolution) earlier(ctx context.Context, start *incremental.Checkpoint, j *Jump) (before *Jump, err error) {
	var kept incremental.WarmStart
	g.search.min.SaveStart(&kept)
	count := g.search.count
	defer func() {
		if before == nil && err == nil {
			err = g.search.min.LoadStart(g.Time(), g.State(), &kept)
			g.search.count = count
		}
	}()
	if before, err = g.fallen(ctx, start, j); before != nil || err != nil {
		return before, err
	}
	g.search.from = dissipation.Origin{T: start.T, Z: start.Z}
	list, err := g.search.find(ctx, j.Time, slices.Clone(j.Before), append([][]float64{j.After}, g.rivals...))
	if err != nil || len(list) == 0 || list[0].gain <= g.margin(j.Time, j.Before) {
		return nil, err
	}
	return g.between(ctx, start, j, list[0].y)
}

// sameTime is the part of a step by which two jumps are one that was located twice.
const sameTime = 1e-9

// fallen finds the jump by which the state before a jump has left the well of the start of the
// step; nil if it has not.
func (g *Evolution) fallen(ctx context.Context, start *incremental.Checkpoint, j *Jump) (*Jump, error) {
	y := slices.Clone(j.Before)
	if !g.search.settle(ctx, start.T, start.Z, y) ||
		floats.Distance(y, start.Z, 2) <= max(g.search.samePos, floats.Distance(j.Before, start.Z, 2)/2) {
		return nil, ctx.Err()
	}
	return g.between(ctx, start, j, y)
}

// between locates a jump to a rival of which y is known after the start of a step, which is stable
// or no start, and before another jump; nil if there is none.
func (g *Evolution) between(ctx context.Context, start *incremental.Checkpoint, j *Jump, y []float64) (*Jump, error) {
	before, err := g.locate(ctx, start, j.Time, y)
	switch {
	case err == errNoJump:
		return nil, nil
	case err != nil || before.Time > start.T && j.Time-before.Time > sameTime*(j.Time-start.T):
		return before, err
	}
	return nil, nil
}

// locate finds the time after start, up to t, from which on a rival of which y is known costs less:
// by the secant of what it costs less, and by bisection.
func (g *Evolution) locate(ctx context.Context, start *incremental.Checkpoint, t float64, y []float64) (*Jump, error) {
	lo := trial{from: g.from, t: start.T, z: slices.Clone(start.Z)}
	if err := g.compare(ctx, &lo, y); err != nil {
		return nil, err
	}
	rounding := 1e-6 * sameCost * g.size
	if lo.rival.gain >= -rounding {
		return g.jump(ctx, lo.t, lo.z, &lo.rival)
	}
	hi := trial{t: t}
	if err := g.try(ctx, start, &hi, y); err != nil {
		return nil, err
	}
	if !hi.past() {
		return nil, errNoJump
	}
	for k := range 200 {
		middle := trial{t: lo.t/2 + hi.t/2}
		if k%3 != 2 && !hi.jumped && !math.IsInf(lo.rival.gain, -1) {
			middle.t = lo.t + (hi.t-lo.t)*(-lo.rival.gain/(hi.rival.gain-lo.rival.gain))
		}
		if !(middle.t > lo.t && middle.t < hi.t) {
			break
		}
		known := y
		if !hi.jumped {
			known = hi.rival.y
		}
		if err := g.try(ctx, start, &middle, known); err != nil {
			return nil, err
		}
		if middle.past() {
			hi = middle
		} else {
			lo = middle
		}
		if !middle.jumped && math.Abs(middle.rival.gain) <= rounding {
			return g.jump(ctx, middle.t, middle.z, &middle.rival)
		}
	}
	at := &hi
	if hi.jumped {
		at = &lo
	}
	g.search.from = at.from
	if at.rival.y == nil { // what the state falls to has nothing before
		end := slices.Clone(hi.z)
		if !g.search.settle(ctx, at.t, at.z, end) {
			end = hi.z
		}
		r, err := g.search.judge(at.t, at.z, end)
		if err != nil {
			return nil, err
		}
		at.rival = r
	}
	return g.jump(ctx, at.t, at.z, &at.rival)
}

// try steps from the start to the time of a trial and compares it with the rival there.
func (g *Evolution) try(ctx context.Context, start *incremental.Checkpoint, a *trial, y []float64) error {
	if err := g.stepper.Load(start); err != nil {
		return err
	}
	if err := g.stepper.Step(ctx, a.t); err != nil {
		return err
	}
	a.from, a.z = dissipation.Origin{T: start.T, Z: start.Z}, slices.Clone(g.State())
	if err := g.compare(ctx, a, y); err != nil {
		return err
	}
	moved := floats.Distance(a.z, start.Z, 2)
	a.jumped = moved > floats.Distance(y, start.Z, 2)/2 && (a.rival.y == nil || floats.Distance(a.z, a.rival.y, 2) < moved/2)
	return nil
}

// compare measures the rival near y.
func (g *Evolution) compare(ctx context.Context, a *trial, y []float64) (err error) {
	g.search.from = a.from
	end := slices.Clone(y)
	a.rival = rival{gain: math.Inf(-1)}
	if !g.search.settle(ctx, a.t, a.z, end) || floats.Distance(end, a.z, 2) <= g.search.samePos {
		return ctx.Err()
	}
	a.rival, err = g.search.judge(a.t, a.z, end)
	return err
}

// LocateLoss is [energetic.Evolution.LocateLoss]. So near to a loss states far away cost next to as
// little: none is looked for.
func (g *Evolution) LocateLoss(ctx context.Context, t float64, lost *incremental.LossError) (*energetic.Loss, error) {
	return energetic.LocateLoss(ctx, g.stepper, t, lost, func(t float64) error { return g.stepper.Step(ctx, t) })
}
