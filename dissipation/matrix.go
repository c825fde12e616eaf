package dissipation

import (
	"fmt"
	"math"
)

// Matrix is the friction matrix M^(j) of one particle in the tangential frame
// (t, o) of its obstacle: At returns the 2×2 matrix S, row by row, with
// ‖M v‖ = ‖S v_T‖ at the local tangential coordinates (z_1, z_2) [m]. If deriv is
// not nil it receives ∂S/∂z_1 and ∂S/∂z_2 [1/m].
type Matrix interface {
	At(z1, z2 float64, deriv *[2][4]float64) [4]float64
	// Constant reports whether S does not depend on z.
	Constant() bool
}

// Isotropic is S = μI, with μ >= 0 [-].
type Isotropic struct{ Mu float64 }

// NewIsotropic checks 0 <= μ < ∞.
func NewIsotropic(mu float64) (Isotropic, error) {
	if err := coefficient("mu", mu); err != nil {
		return Isotropic{}, err
	}
	return Isotropic{Mu: mu}, nil
}

// At implements [Matrix].
func (m Isotropic) At(_, _ float64, deriv *[2][4]float64) [4]float64 {
	if deriv != nil {
		*deriv = [2][4]float64{}
	}
	return [4]float64{m.Mu, 0, 0, m.Mu}
}

// Constant implements [Matrix].
func (Isotropic) Constant() bool { return true }

// Orthotropic has the coefficient Mu[0] along an axis of the surface and Mu[1]
// across it: S = diag(μ_1, μ_2) Q with Q the rotation of the axis onto t.
type Orthotropic struct {
	mu [2]float64
	s  [4]float64
}

// NewOrthotropic takes the coefficients along and across the axis, and the axis
// by its components in the frame (t, o); its length does not matter.
func NewOrthotropic(mu [2]float64, axis [2]float64) (Orthotropic, error) {
	if err := coefficient("mu[0]", mu[0]); err != nil {
		return Orthotropic{}, err
	}
	if err := coefficient("mu[1]", mu[1]); err != nil {
		return Orthotropic{}, err
	}
	a, err := direction(axis)
	if err != nil {
		return Orthotropic{}, err
	}
	return Orthotropic{mu: mu, s: [4]float64{mu[0] * a[0], mu[0] * a[1], -mu[1] * a[1], mu[1] * a[0]}}, nil
}

// At implements [Matrix].
func (m Orthotropic) At(_, _ float64, deriv *[2][4]float64) [4]float64 {
	if deriv != nil {
		*deriv = [2][4]float64{}
	}
	return m.s
}

// Constant implements [Matrix].
func (Orthotropic) Constant() bool { return true }

// Rippled modulates a constant matrix along an axis of the surface:
//
//	S(z) = (1 + A sin(2π(a·z_T + o)/L)) S_base,
//
// which is the varying coefficient of [Schmid08] with DM ≠ 0.
type Rippled struct {
	base                 [4]float64
	amplitude, wave, off float64 // A [-], 2π/L [1/m], o [m]
	axis                 [2]float64
}

// NewRippled takes the base, the amplitude 0 <= A < 1 [-] (friction must not
// become negative), the wavelength L > 0 [m], the axis in the frame (t, o) and
// the coordinate o of the frame's origin along the axis [m].
func NewRippled(base Matrix, amplitude, wavelength float64, axis [2]float64, offset float64) (Rippled, error) {
	wave := 2 * math.Pi / wavelength
	switch {
	case base == nil || !base.Constant():
		return Rippled{}, fmt.Errorf("dissipation: the base of a ripple must be constant")
	case !(amplitude >= 0 && amplitude < 1):
		return Rippled{}, fmt.Errorf("dissipation: ripple amplitude is %g, want 0 <= amplitude < 1", amplitude)
	case !(wave > 0) || math.IsInf(wave, 1):
		return Rippled{}, fmt.Errorf("dissipation: ripple wavelength is %g, want a positive finite length", wavelength)
	case math.IsNaN(offset) || math.IsInf(offset, 0):
		return Rippled{}, fmt.Errorf("dissipation: ripple offset is %g, want a finite length", offset)
	}
	a, err := direction(axis)
	if err != nil {
		return Rippled{}, err
	}
	return Rippled{base: base.At(0, 0, nil), amplitude: amplitude, wave: wave, axis: a, off: offset}, nil
}

// At implements [Matrix].
func (m Rippled) At(z1, z2 float64, deriv *[2][4]float64) [4]float64 {
	sin, cos := math.Sincos(m.wave * (m.axis[0]*z1 + m.axis[1]*z2 + m.off))
	factor, slope := 1+m.amplitude*sin, m.amplitude*m.wave*cos
	s := m.base
	for k, b := range m.base {
		s[k] = factor * b
		if deriv != nil {
			deriv[0][k] = slope * m.axis[0] * b
			deriv[1][k] = slope * m.axis[1] * b
		}
	}
	return s
}

// Constant implements [Matrix].
func (m Rippled) Constant() bool { return m.amplitude == 0 }

// isotropic returns μ if s = μI.
func isotropic(s *[4]float64) (mu float64, ok bool) {
	return s[0], s[0] == s[3] && s[1] == 0 && s[2] == 0
}

// norm returns ‖S (x, y)‖.
func norm(s *[4]float64, x, y float64) float64 {
	a, b := s[0]*x+s[1]*y, s[2]*x+s[3]*y
	return math.Hypot(a, b) // no overflow, no underflow
}

func coefficient(name string, mu float64) error {
	if !(mu >= 0) || math.IsInf(mu, 1) {
		return fmt.Errorf("dissipation: %s is %g, want a finite number >= 0", name, mu)
	}
	return nil
}

func direction(axis [2]float64) ([2]float64, error) {
	l := math.Hypot(axis[0], axis[1])
	if !(l > 0) || math.IsInf(l, 1) {
		return axis, fmt.Errorf("dissipation: axis %v has no direction in the surface", axis)
	}
	return [2]float64{axis[0] / l, axis[1] / l}, nil
}

var (
	_ Matrix = Isotropic{}
	_ Matrix = Orthotropic{}
	_ Matrix = Rippled{}
)
