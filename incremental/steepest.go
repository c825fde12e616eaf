package incremental

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/factor"
)

const (
	// steeper rounds make a direction steepest: a translation is so after one.
	steeper = 8
	// slowest is the least motion of a particle, of that of the fastest, that makes it heavier: it
	// keeps the condition of the matrix.
	slowest = 1e-3
	// pure: of |D²E||d| that is rounding; what is stored above that is of forces that springs hold,
	// and none that drives.
	pure = 1e-14
)

// Steepest turns a direction of recession d to where most drives along it, and returns what does,
// [Stepper.Drive], under the thresholds of the forces of the last step. What a direction is off
// enters squared, but next to nothing drives near to a loss. As
//
//	Ψ(e) ≤ Σ_c s_c/(2|d_c|) (|e_c|² + |d_c|²),   equal at e = d,
//
// the minimiser e in the null space of D²E of DE·e and the right side is steeper than d by
// Weiszfeld's argument. It is that of
//
//	(D²E + εW)(e − d) = −ε(DE + ∂Ψ(d)),   W = s_c/|d_c|, ε → 0,
//
// where steps of friction that differs by direction take the largest W of all, and particles that
// nothing holds the least. Motions along normals stay. Beside other obstacles of a particle d stays
// as it is.
func (s *Stepper) Steepest(t float64, d []float64) float64 {
	m := s.min
	if s.stats.FellBack {
		s.thresholdsOf(t)
	}
	drive := s.Drive(d)
	if len(m.corners) > 0 {
		return drive
	}
	z := s.z
	if !m.sys.ConstantHessian() {
		z = m.y
	}
	e, stored := make([]float64, len(d)), m.stored(t, z, d)
	for range steeper {
		copy(e, d)
		if !m.steepen(t, z, s.slope(), e) {
			break
		}
		more := s.Drive(e)
		if !(more > drive) || m.stored(t, z, e) > max(stored, pure) {
			break
		}
		copy(d, e)
		drive = more
	}
	return drive
}

// slope is DE of Drive.
func (s *Stepper) slope() []float64 {
	if s.psi.System.ConstantHessian() {
		return s.min.gradBase
	}
	return s.min.grad
}

// steepen makes one round of [Stepper.Steepest] with DE = g; false if there is no such step.
func (m *Minimiser) steepen(t float64, z, g, d []float64) bool {
	weight, step := make([]float64, len(d)), make([]float64, len(d))
	for i := range d {
		step[i] = -g[i]
	}
	for c, j := range m.particle {
		l := &m.tresca[c]
		a, b := m.slide(c, d)
		if norm := l.Shape.Norm(a, b); l.Threshold > 0 && norm > 0 {
			s := l.Shape.Matrix()
			p, q := s[0]*a+s[1]*b, s[2]*a+s[3]*b
			step[3*j] -= l.Threshold * (s[0]*p + s[2]*q) / norm
			step[3*j+1] -= l.Threshold * (s[1]*p + s[3]*q) / norm
			xx, xy, yy := s[0]*s[0]+s[2]*s[2], s[0]*s[1]+s[2]*s[3], s[1]*s[1]+s[3]*s[3]
			w := l.Threshold * ((xx+yy)/2 + math.Hypot((xx-yy)/2, xy)) / max(norm, slowest)
			weight[3*j], weight[3*j+1] = w, w
		}
	}
	most := floats.Max(weight)
	if !(most > 0) {
		return false
	}
	k := m.softestAt(t, z)
	eps := regular * k / most
	a := m.shiftedBy(t, z, 0)
	for i, w := range weight {
		a.Val[a.Ptr[i]] += eps * max(w, slowest*most)
		step[i] *= eps
	}
	for _, j := range m.particle {
		a.Val[a.Ptr[3*j+2]] += k / regular
		step[3*j+2] = 0
	}
	f := factor.Analyse(a, factor.Options{})
	if f.Refactor(a) != nil {
		return false
	}
	f.Solve(step, step)
	for _, j := range m.particle {
		step[3*j+2] = 0
	}
	floats.Add(d, step)
	m.relax(t, z, d)
	_, ok := unit(d)
	return ok
}

// Drive is what drives along a direction of recession beyond what the friction of the last step
// holds, −(DE·d + Ψ(d)) at the time of that step, also of one that failed [N]: DE·d is the same
// wherever the step ends.
func (s *Stepper) Drive(d []float64) float64 {
	return -(elementary.Dot(s.slope(), d) + s.min.Dissipation(d))
}

// DriveError is what the solver leaves of Drive through the thresholds [N]: beside other obstacles
// the normal forces of a particle are solved for, to 1e-12 of the forces, where they follow from
// its own balance else.
func (s *Stepper) DriveError() float64 {
	if len(s.min.corners) == 0 {
		return 0
	}
	return 5e-12 * s.Scale()
}
