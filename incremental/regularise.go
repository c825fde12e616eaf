package incremental

import (
	"context"
	"errors"

	"github.com/quasistatic/quasistatic/contact"
)

// regularise treats a step that was not solved. Where D²E is singular that may be because the
// thresholds at hand, those before the step, hold too little though those at its end would
// do: then it is solved with these. Or because nothing holds: then the error is a LossError.
func (s *Stepper) regularise(ctx context.Context, t float64, cause error) error {
	if !fixable(cause) || s.min.condensed != nil {
		return cause
	}
	if !s.psi.System.ConstantHessian() {
		return s.regulariseVarying(ctx, t, cause)
	}
	_, contacts := errors.AsType[*contact.Error](cause)
	_, indefinite := errors.AsType[*contact.IndefiniteError](cause)
	if !contacts && !indefinite && !s.singular() {
		return cause
	}
	if s.soft *= 0.1; s.soft == 0 { // a step that asks again needs thresholds that are nearer to those without springs
		s.soft = s.min.softestAt(s.t, s.z)
	}
	last := cause
	for range regularisations {
		v, ok := s.min.regularised(ctx, t, s.z, s.soft)
		if !ok {
			return last
		}
		if s.stats.Lagged || !s.thresholdsOf(t) {
			if last = s.recessionBetween(ctx, t, s.soft, v, cause); last != cause {
				return last
			}
			// What drives is so little that the springs, by which regularised states differ as
			// well, hide the direction.
			return s.proximal(ctx, t, cause)
		}
		// Near to a loss thresholds that are a little less than those of their forces hold nothing. And a solver that is
		// content may have gone far along a direction in which next to nothing drives.
		for changed, k := true, 0; changed && k < s.opt.MaxFixedPoint; k++ {
			if v, ok = s.min.regularised(ctx, t, s.z, s.soft); !ok {
				return cause
			}
			changed = s.thresholdsOf(t)
		}
		last = s.recessionBetween(ctx, t, s.soft, v, cause)
		if _, lost := errors.AsType[*LossError](last); !lost && s.solve(ctx, t) == nil {
			return nil
		}
		s.soft *= 0.1
	}
	return last
}

// proximal solves the step with the frozen thresholds by the method of proximal points,
//
//	v⁺ = argmin { E(t, z + v) + Ψ(v) + ε/2 |v − v_i|² },
//
// which goes along directions without stiffness as far as something drives, the more so the softer
// ε is, and nowhere where nothing does: of the states that are as good, the nearest. Where it does
// not end, what it last did is a direction of recession, and the error a LossError. Later solves of
// the step are made so too.
func (s *Stepper) proximal(ctx context.Context, t float64, cause error) error {
	s.min.proximal = s.min.softestAt(s.t, s.z)
	err := s.solve(ctx, t)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if cause == nil {
		cause = err
	}
	return s.recession(t, s.min.lastMove(), cause)
}

// refine takes a step that was solved to the solution that [Stepper.proximal] finds; where it finds
// none, and nothing recedes, the step is solved as it was.
func (s *Stepper) refine(ctx context.Context, t float64) error {
	err := s.proximal(ctx, t, nil)
	if _, lost := errors.AsType[*LossError](err); err == nil || lost || ctx.Err() != nil {
		return err
	}
	s.min.proximal = 0
	return s.solve(ctx, t)
}

// regulariseVarying is regularise where D²E varies, of springs that turn or obstacles that move: by
// proximal points, with thresholds of their forces, where D²E has no stiffness along some
// direction. A direction of recession is then one along which E + Ψ falls as far as is looked.
func (s *Stepper) regulariseVarying(ctx context.Context, t float64, cause error) error {
	if s.psi.System.AnyCurved() {
		return s.continueViscously(ctx, t, cause)
	}
	if s.min.slack(t, s.z) {
		err := s.proximalPoints(ctx, t, cause)
		if _, lost := errors.AsType[*LossError](err); err == nil || lost || ctx.Err() != nil {
			return err
		}
	}
	return s.levenberg(ctx, t, cause)
}

// proximalPoints is regulariseVarying by proximal points.
func (s *Stepper) proximalPoints(ctx context.Context, t float64, cause error) error {
	s.min.proximal = s.min.softestAt(t, s.z)
	for range regularisations {
		if err := s.solve(ctx, t); err == nil || ctx.Err() != nil {
			return err
		}
		d := s.min.lastMove()
		if s.stats.Lagged || !s.thresholdsOf(t) {
			return s.recession(t, d, cause)
		}
	}
	return s.recession(t, s.min.lastMove(), cause)
}
