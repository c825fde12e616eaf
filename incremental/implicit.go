package incremental

import (
	"context"
	"errors"
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
)

// settleThresholds iterates the thresholds r = rule(σ(t_k, z_k)), M = M(z_k) to
// consistency, from the lagged solution at hand. The map contracts by q/α < 1
// under (N4); Anderson mixing of the strengths r‖M‖ makes it fast. If it does
// not converge, the lagged solution is taken again and the step marked.
func (s *Stepper) settleThresholds(ctx context.Context, t float64) error {
	s.mixer.Reset()
	for c, j := range s.min.slot {
		if s.strength[c] = 0; s.force[c] != 0 {
			s.strength[c] = s.force[c] * s.psi.Size(s.t, j, s.z) / s.unit(c)
		}
	}
	for i, g := range s.gradNext { // forces that this step meets first
		k := s.scales.Island[i/3]
		s.floors[k] = max(s.floors[k], math.Abs(g))
	}
	settled, solved, err := s.iterateThresholds(ctx, t, func() { s.mixer.Next(s.strength, s.image) })
	if !settled && solved {
		settled, _, err = s.iterateThresholds(ctx, t, s.damped())
	}
	if settled || err != nil {
		return err
	}
	s.stats.FellBack, s.stats.Lagged = true, true
	s.freezeThresholds()
	return s.solve(ctx, t)
}

// damped goes a part ω of the way from each strength to what it leads to, at first half of it, and half
// as far whenever it has gone beyond. Secants of the map between sticking and sliding may cycle. Where
// more slip meets more friction the map falls, by ρ = N μ'/k over the stiffness k that holds the slip:
// the error of a step is 1 − ω(1 + ρ) times that of the one before, which turns round until ω(1 + ρ) <=
// 1, and from there on halves at least.
func (s *Stepper) damped() func() {
	parts, last := make([]float64, len(s.image)), make([]float64, len(s.image))
	for c := range parts {
		parts[c] = 0.5
	}
	return func() {
		for c, x := range s.image {
			off := x - s.strength[c]
			if off*last[c] < 0 {
				parts[c] /= 2
			}
			last[c] = off
			s.strength[c] += parts[c] * off
		}
	}
}

// iterateThresholds iterates them to consistency, or to what a step may leave of its forces where they
// come no nearer: slip is solved for to that, and ρ times as much is left of thresholds. If they do not settle in MaxFixedPoint solves,
// the last state is solved still; it is not if no state under the thresholds was found.
func (s *Stepper) iterateThresholds(ctx context.Context, t float64, next func()) (settled, solved bool, err error) {
	last, best, stalled := math.Inf(1), math.Inf(1), 0
	for range s.opt.MaxFixedPoint {
		change := s.consistency(t)
		if stalled++; change <= best/2 {
			best, stalled = change, 0
		}
		// In 8 rounds the middle of sticking alone comes nearer by 2^8.
		if change <= s.opt.Consistency || stalled >= 8 && change <= s.opt.Tolerance {
			return true, true, nil
		}
		s.stats.Contraction = change / last
		last = change
		next()
		s.freezeStrengths(t)
		if err := s.solve(ctx, t); err != nil {
			if !fixable(err) {
				return false, false, err
			}
			if err = s.regularise(ctx, t, err); err != nil {
				if _, lost := errors.AsType[*LossError](err); lost {
					return false, false, err
				}
				return false, false, nil
			}
			s.mixer.Reset() // thresholds did not come from it
			for c, j := range s.min.slot {
				s.strength[c] = s.force[c] * s.psi.Size(t, j, s.zNext) / s.unit(c)
			}
		}
	}
	return false, true, nil
}

// freezeStrengths sets the laws: the mixed strength, with the anisotropy at the
// present iterate.
func (s *Stepper) freezeStrengths(t float64) {
	for c, j := range s.min.slot {
		s.force[c] = 0
		if size := s.psi.Size(t, j, s.zNext); size > 0 {
			s.force[c] = s.strength[c] * s.unit(c) / size
		}
		s.min.SetThreshold(c, s.force[c], t, s.zNext)
	}
}

// roughness is what the rounding of positions may do to the threshold of contact j under
// the normal force r: through the force, where E is not quadratic and so no function of
// displacements, and through its place, where its friction varies along the way.
func (s *Stepper) roughness(t float64, j int, r float64) float64 {
	m := s.psi.Matrices[j]
	if m == nil {
		return 0
	}
	through := 0.0
	if !s.psi.System.ConstantHessian() {
		through = s.scales.Rounding[s.scales.Island[s.psi.System.ContactParticle(j)]] * s.psi.Size(t, j, s.zNext)
	}
	if m.Constant() {
		return through
	}
	x, y := s.psi.System.Spot(t, j, s.zNext)
	var d [2][4]float64
	m.At(x, y, &d)
	slope := 0.0
	if k, is := m.(dissipation.Slipping); is {
		fall, rise := k.Steepest()
		slope = max(fall, rise) * (math.Hypot(x, y) + s.psi.Slipped(t, j, s.zNext))
	}
	for i, along := range d[0] {
		slope = max(slope, math.Abs(along*x)+math.Abs(d[1][i]*y))
	}
	return through + ulps*r*slope
}

// unit is a power of two near the forces of the island of contact c: strengths are
// mixed in parts of it, so that islands of other sizes do not drown them.
func (s *Stepper) unit(c int) float64 {
	_, e := math.Frexp(s.size(c))
	return math.Ldexp(1, e)
}

// looseSizes sets the sizes of forces, also of those that this step meets first, of which a part Consistency, which may
// be more than Tolerance, is more than rounding: beside a body 1e6 times as stiff the rounding of its positions over
// Tolerance, times Consistency, would be any force.
func (s *Stepper) looseSizes(first []float64) {
	for k := range s.loose {
		s.loose[k] = s.scales.Size(k, max(s.opt.Tolerance, s.opt.Consistency))
	}
	for i, g := range first {
		k := s.scales.Island[i/3]
		s.loose[k] = max(s.loose[k], math.Abs(g))
	}
}

// consistency sets the image of the present thresholds and returns how far the
// two laws, threshold times matrix, are apart, relative to the forces of the island.
func (s *Stepper) consistency(t float64) float64 {
	s.looseSizes(s.gradNext)
	change := 0.0
	for c, j := range s.min.slot {
		r := s.opt.Rule.Threshold(s.psi.Pressure(t, j, s.zNext, s.gradNext, dissipation.Origin{T: s.t, Z: s.z}),
			s.switching[j]) * s.psi.Factor(j, t)
		law := &s.min.tresca[c]
		s.image[c] = r * s.psi.Size(t, j, s.zNext) / s.unit(c)
		threshold, a := law.Threshold, law.Shape.Matrix()
		s.min.SetThreshold(c, r, t, s.zNext)
		b := law.Shape.Matrix()
		for k := range a {
			if d := math.Abs(threshold*a[k] - law.Threshold*b[k]); d > 0 {
				change = max(change, (d-s.roughness(t, j, r))/s.loose[s.scales.Island[s.min.particle[c]]])
			}
		}
	}
	return change
}
