package energetic

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/incremental"
)

// Loss is the end of an evolution: what friction, obstacles and weight alone held is held no
// longer, and no state is in equilibrium. Its time is located by bisection, and that there
// is none beyond is shown by a direction, see [incremental.LossError].
type Loss struct {
	From, To  float64   // last time with an equilibrium that was found, first without [s]
	Particle  int       // that moves most along Direction
	Direction []float64 // local coordinates, that particle by 1
	Force     float64   // that drives along it beyond what friction holds, at To [N]
}

func (l *Loss) Error() string {
	return fmt.Sprintf("energetic: no equilibrium beyond t=%.10g: particle %d slides away", l.From, l.Particle)
}

// lossTolerance is the bracket of the time of a loss, relative to it; below, the forces of a
// state differ by rounding. lossLevels bisections reach it from any step.
const (
	lossTolerance = 1e-13
	lossLevels    = 60
)

// lossResidual is what a step leaves that has a solution, in parts of the forces.
const lossResidual = 3e-13

// LocateLoss bisects the step to t, which was lost, and makes the one to the last time at
// which there is an equilibrium.
func (e *Evolution) LocateLoss(ctx context.Context, t float64, lost *incremental.LossError) (*Loss, error) {
	l, err := locateLoss(ctx, e.stepper, t, lost, max(lossResidual, 10*e.Node().Stats.Residual), e.cert.size)
	if err != nil {
		return nil, err
	}
	return l, e.Step(ctx, l.From)
}

// LocateLoss is that of an Evolution. So near to a loss states far away cost next to as little: none is looked for.
func (g *GlobalEvolution) LocateLoss(ctx context.Context, t float64, lost *incremental.LossError) (*Loss, error) {
	l, err := locateLoss(ctx, g.stepper, t, lost, max(lossResidual, 10*g.stepper.Stats().Residual), extent(g.psi.System, g.State()))
	if err != nil {
		return nil, err
	}
	return l, g.stepper.Step(ctx, l.From)
}

// locateLoss bisects the step to t of a stepper, which stays where it is. Steps that leave less than solvedWell of the forces
// and move less than size have a solution.
func locateLoss(ctx context.Context, s *incremental.Stepper, t float64, lost *incremental.LossError, solvedWell, size float64) (*Loss, error) {
	var before incremental.Checkpoint
	s.Save(&before)
	start := slices.Clone(before.Z)
	lo, hi := s.Time(), t
	for range lossLevels {
		if hi-lo <= lossTolerance*hi {
			break
		}
		mid := lo + (hi-lo)/2
		err := s.Step(ctx, mid)
		residual, moved := s.Stats().Residual, floats.Distance(s.State(), start, 2)
		if back := s.Load(&before); back != nil {
			return nil, back
		}
		var again *incremental.LossError
		switch {
		case err == nil && (residual > solvedWell || moved > size):
			// Held by the tolerance alone, or gone so far along the direction that what drives
			// is small beside the rounding of the forces there.
			hi = mid
		case err == nil:
			lo = mid
		case errors.As(err, &again):
			hi, lost = mid, again
		default:
			return nil, err
		}
	}
	return &Loss{From: lo, To: hi, Particle: lost.Particle, Direction: lost.Direction, Force: lost.Force}, nil
}

// lookahead is the time after a state in which it must be lost, relative to the whole.
const lookahead = 1e-6

// Lost reports whether there is no equilibrium a little after a state of an evolution that
// was to go on until a time.
func (c *Certifier) Lost(ctx context.Context, until float64) bool {
	n := &c.node
	s, err := incremental.New(c.psi, n.T, n.Z, c.opt.Step)
	if err != nil {
		return false
	}
	var lost *incremental.LossError
	return errors.As(s.Step(ctx, n.T+lookahead*until), &lost)
}
