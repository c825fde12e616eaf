package energetic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/incremental"
)

const (
	// suspicious: a step that releases more energy than this part of what it
	// exchanges may hide a jump. Smooth steps release O(h²) of O(h).
	suspicious = 0.25
	// surge: so does a step that moves faster than all smooth ones before by this
	// factor. A smooth run of bounded speed surges a few times only.
	surge = 1.5
	// feeding: but not where friction lost less than this part of what the motion
	// stores. A jump alone needs all of it; smooth motions under (N4) need a part
	// below q/α < 1.
	feeding = 0.5
	// A motion that stays above jumpFraction of itself in probeLevels bisections is
	// a jump; a smooth one is halved by each.
	probeLevels  = 6
	jumpFraction = 0.5
	// sharpLevels bisections more locate the time of what was found to jump: what the bracket
	// leaves open of the energy released is in proportion to it. Much nearer to the time from
	// which nothing holds, the path of vanishing viscosity begins with next to no force.
	sharpLevels = 4
)

// Jump is a discontinuity of the evolution: where (N4) fails or E is not convex,
// the incremental states stay apart however short the steps. It is computed, by
// bisection, and not proven; where (N4) is known to hold for all states there is none.
// How much of the energy released is dissipated on the way is not determined by the
// model.
type Jump struct {
	From, To      float64   // bracket of its time [s]
	Released      float64   // E(To, Before) − E(To, After) [J]
	Distance      float64   // ‖After − Before‖ [m]
	Before, After []float64 // local coordinates
}

// Error implements error.
func (j *Jump) Error() string {
	return fmt.Sprintf("energetic: the evolution jumps between t=%g and t=%g by %.3g m, releasing %.3g J: no continuous path was found in steps a hundred times shorter, and (N4) is not known to hold; check tells",
		j.From, j.To, j.Distance, j.Released)
}

// StepProbing is Step, and looks for a jump in it if the step is suspicious: it released much
// energy or surged, and friction lost enough to feed a jump, or its implicit thresholds did not
// converge. The state before is then settled (a lagged step begins under old thresholds, and what
// they held moves at once, which is no jump) and the step bisected probeLevels times, into the half
// that moves more; what moves as far in a fraction of the time jumps. After a jump the state is
// settled at t, in steps of no length. visit sees every node.
func (e *Evolution) StepProbing(ctx context.Context, t float64, visit func(*Node) error) (*Jump, error) {
	before := &e.before
	e.Save(before)
	if err := e.Step(ctx, t); err != nil {
		return nil, err
	}
	var jump *Jump
	if e.suspect(before) {
		var after Checkpoint
		e.Save(&after)
		states := slices.Clone(before.Step.States) // probing settles and overwrites
		var err error
		jump, err = e.probe(ctx, *before, &after)
		// at the end of what friction holds the parts of a step may be lost, and tell of no jump
		if _, lost := errors.AsType[*incremental.LossError](err); err != nil && !lost {
			return nil, err
		}
		if jump != nil && e.lipschitz(ctx) {
			jump = nil
		}
		if err := e.Load(&after); err != nil {
			return nil, err
		}
		copy(e.Node().Before, states)
		if jump == nil {
			e.smooth = max(e.smooth, e.Node().Lipschitz)
		}
	}
	if jump != nil {
		e.cert.sum.Jumps++
	}
	if err := visit(e.Node()); err != nil || jump == nil {
		return jump, err
	}
	return jump, e.settleAt(ctx, visit)
}

// Leap goes back to where the last step began and on at a time in it, not before, from another
// state: that in which a jump of the step ended, on whose way contacts have slipped so far. What the
// certifier of the evolution says of the step through the jump is no more than that.
func (e *Evolution) Leap(ctx context.Context, t float64, z, slipped []float64) error {
	jumps := e.cert.sum.Jumps
	if err := e.Load(&e.before); err != nil {
		return err
	}
	e.cert.sum.Jumps = jumps
	e.stepper.Place(t, z, slipped)
	if err := e.cert.observe(ctx, t, e.stepper.State(), incremental.Stats{}); err != nil {
		return err
	}
	e.cert.psi.Remember(t, e.stepper.State(), slipped)
	e.cert.node.Slipped = slipped
	return nil
}

// lipschitz reports whether solutions are known to be Lipschitz continuous, by Options.Continuous,
// which is asked once.
func (e *Evolution) lipschitz(ctx context.Context) bool {
	c := e.cert
	if !e.examined && c.opt.Continuous != nil {
		e.continuous = c.opt.Continuous(ctx)
	}
	e.examined = true
	return e.continuous
}

// settleAt repeats the step with lagged thresholds at the present time, each
// repetition a node, until the state stands still.
func (e *Evolution) settleAt(ctx context.Context, visit func(*Node) error) error {
	n := e.Node()
	for range settleLimit {
		if err := e.stepper.StepLagged(ctx, n.T); err != nil {
			return err
		}
		if err := e.cert.observe(ctx, n.T, e.stepper.State(), e.stepper.Stats()); err != nil {
			return err
		}
		if err := visit(n); err != nil {
			return err
		}
		if floats.Norm(e.cert.v, math.Inf(1)) <= e.still() {
			return nil
		}
	}
	return fmt.Errorf("energetic: t=%g: %w after %d steps at fixed time", n.T, incremental.ErrUnsettled, settleLimit)
}

// still is the motion that counts as none.
func (e *Evolution) still() float64 {
	return settledMotion * e.stepper.Scale() / max(e.cert.stiffest, math.SmallestNonzeroFloat64)
}

// suspect compares the energy released with what the step exchanged.
func (e *Evolution) suspect(before *Checkpoint) bool {
	n, b := e.Node(), &before.Certificate
	if floats.Norm(e.cert.v, math.Inf(1)) <= e.still() {
		return false // at rest: roundoff surges too
	}
	if n.Stats.FellBack {
		return true
	}
	if n.Gap.Exact && n.Gap.Radius == 0 && !e.fed() { // E(t,·) is strictly convex
		e.smooth = max(e.smooth, n.Lipschitz)
		return false
	}
	if n.Lipschitz > surge*e.smooth {
		return true
	}
	exchanged := math.Abs(n.Energy-b.Energy) + (n.Dissipation - b.Dissipation) + math.Abs(n.Work-b.Work)
	return n.Upper > suspicious*exchanged && n.Upper > e.cert.opt.Tolerance*n.EnergyScale
}

// fed reports whether friction lost enough in the last step to feed a jump of a
// convex energy. States z and z⁺ on both sides of a jump at time t are in
// equilibrium under the friction of their own; the sum of the two inequalities is
//
//	(DE(t, z⁺) − DE(t, z))·(z⁺ − z) ≤ Ψ(t, z, z⁺ − z) − Ψ(t, z⁺, z⁺ − z),
//
// whose left side is positive. Of a step, both sides differ from those of the jump
// in it by what moves smoothly, O(h): as h → 0 every jump is fed. Without friction
// none is.
func (e *Evolution) fed() bool {
	c, n, lost := e.cert, e.Node(), 0.0
	for j, m := range c.psi.Matrices {
		if m == nil || !c.psi.Touches(c.tPrev, j, c.zPrev) {
			continue
		}
		before := c.psi.Pressure(c.tPrev, j, c.zPrev, c.gradPrev, c.older) * c.psi.Factor(j, c.tPrev) * c.psi.Norm(c.tPrev, j, c.zPrev, c.v)
		after := c.psi.Pressure(n.T, j, n.Z, n.Grad, c.origin()) * c.psi.Factor(j, n.T) * c.psi.Norm(n.T, j, n.Z, c.v)
		lost += max(before-after, 0)
	}
	if lost == 0 {
		return false
	}
	c.sys.Gradient(c.g, nil, n.T, c.zPrev)
	stored := 0.0
	for i, v := range c.v {
		stored += (n.Grad[i] - c.g[i]) * v
	}
	return lost > feeding*stored
}

// probe bisects from the checkpoint before to the one after.
func (e *Evolution) probe(ctx context.Context, before Checkpoint, after *Checkpoint) (*Jump, error) {
	whole := floats.Distance(before.Step.Z, after.Step.Z, 2)
	left, right := before, *after
	for level := range probeLevels + sharpLevels {
		if err := e.Load(&left); err != nil {
			return nil, err
		}
		if e.lagged() {
			if runaway, err := e.settle(ctx, &left); err != nil || runaway != nil {
				return runaway, err
			}
		}
		var m, r Checkpoint
		runaway, err := e.substep(ctx, 0.5*(left.Step.T+right.Step.T), &left, &m)
		if err == nil && runaway == nil {
			runaway, err = e.substep(ctx, right.Step.T, &m, &r)
		}
		if level >= probeLevels && unsolved(err) {
			break // that it jumps is known, and when well enough
		}
		if err != nil || runaway != nil {
			return runaway, err
		}
		first := floats.Distance(left.Step.Z, m.Step.Z, 2) >= floats.Distance(m.Step.Z, r.Step.Z, 2)
		if far := max(floats.Distance(left.Step.Z, m.Step.Z, 2), floats.Distance(m.Step.Z, r.Step.Z, 2)); far < jumpFraction*whole {
			if level < probeLevels {
				return nil, nil
			}
			break // what jumps comes in parts
		}
		if first {
			right = m
		} else {
			left, right = m, r
		}
	}
	return e.jump(left.Step.T, right.Step.T, left.Step.Z, right.Step.Z), nil
}

// unsolved reports whether a step had no solution to its tolerance: so near to a jump D²E is
// next to singular.
func unsolved(err error) bool {
	_, is := errors.AsType[*incremental.StepError](err)
	return is
}

func (e *Evolution) jump(from, to float64, before, after []float64) *Jump {
	high, _ := e.cert.sys.Value(to, before)
	low, _ := e.cert.sys.Value(to, after)
	return &Jump{From: from, To: to, Released: high - low, Distance: floats.Distance(before, after, 2),
		Before: slices.Clone(before), After: slices.Clone(after)}
}

// substep steps to t and saves the node. Where implicit thresholds have no
// solution nearby, lagged ones from there tell whether the state runs away.
func (e *Evolution) substep(ctx context.Context, t float64, from, to *Checkpoint) (*Jump, error) {
	if err := e.Step(ctx, t); err != nil {
		return nil, err
	}
	e.Save(to)
	if !e.Node().Stats.FellBack {
		return nil, nil
	}
	after, err := e.runaway(ctx, to)
	if err != nil || after == nil {
		return nil, errors.Join(err, e.Load(to))
	}
	return e.sharpen(ctx, *from, t, after)
}

// runaway returns where the state of a checkpoint settles if it runs away, nil if it does not.
func (e *Evolution) runaway(ctx context.Context, at *Checkpoint) ([]float64, error) {
	settled := *at
	settled.Step.Z = append([]float64(nil), at.Step.Z...)
	j, err := e.settle(ctx, &settled)
	if err != nil || j == nil {
		return nil, err
	}
	return j.After, nil
}

// sharpen bisects the time between a checkpoint and t, where the state runs away, and
// returns the jump.
func (e *Evolution) sharpen(ctx context.Context, from Checkpoint, t float64, after []float64) (*Jump, error) {
	whole := floats.Distance(from.Step.Z, after, 2)
	for range sharpLevels {
		mid := from.Step.T + 0.5*(t-from.Step.T)
		if err := e.Load(&from); err != nil {
			return nil, err
		}
		if err := e.Step(ctx, mid); err != nil {
			if unsolved(err) {
				break
			}
			return nil, err
		}
		var m Checkpoint
		e.Save(&m)
		landing := m.Step.Z
		if e.Node().Stats.FellBack {
			further, err := e.runaway(ctx, &m)
			if err != nil {
				return nil, err
			}
			if further != nil {
				landing = further
			}
		}
		// One that settles nearby was slow: it does not run away yet.
		if floats.Distance(from.Step.Z, landing, 2) >= jumpFraction*whole {
			t, after = mid, landing
		} else {
			from = m
		}
	}
	return e.jump(from.Step.T, t, from.Step.Z, after), nil
}

// lagged reports whether the evolution was asked for lagged thresholds.
func (e *Evolution) lagged() bool { return e.cert.opt.Step.Threshold == incremental.Lagged }

// settle repeats a lagged step from a checkpoint at its time until the state
// stands still, and stores it there. The motions of a settling state shrink, by
// q/α each; growing ones run away: there is no equilibrium nearby, which is a jump.
func (e *Evolution) settle(ctx context.Context, at *Checkpoint) (*Jump, error) {
	start := append([]float64(nil), at.Step.Z...)
	last, grew := math.Inf(1), false
	for range settleLimit {
		z := append([]float64(nil), e.stepper.State()...)
		if err := e.stepper.StepLagged(ctx, at.Step.T); err != nil {
			return nil, err
		}
		motion := floats.Distance(z, e.stepper.State(), 2)
		grew = grew || motion > last
		if last = motion; motion <= e.still() {
			break
		}
	}
	if grew && last <= e.still() {
		return e.jump(at.Step.T, at.Step.T, start, append([]float64(nil), e.stepper.State()...)), nil
	}
	e.stepper.Save(&at.Step)
	return nil, nil
}
