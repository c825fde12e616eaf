package particles

import (
	"errors"
	"fmt"
)

// Law is the energy φ of a spring as a function of its length l >= 0, with its
// first two derivatives. A Law with a method Validate() error is asked by NewSprings.
type Law interface {
	Value(l float64) float64 // φ [J]
	D1(l float64) float64    // φ' [N], the tension
	D2(l float64) float64    // φ'' [N/m]
}

// Linear is the law ½ k (l − l₀)².
type Linear struct {
	K    float64 // k [N/m], not negative
	Rest float64 // l₀ [m], not negative
}

// Value returns ½ k (l − l₀)².
func (s Linear) Value(l float64) float64 { return s.K * (l - s.Rest) * (l - s.Rest) / 2 }

// D1 returns k (l − l₀).
func (s Linear) D1(l float64) float64 { return s.K * (l - s.Rest) }

// D2 returns k.
func (s Linear) D2(float64) float64 { return s.K }

// Validate fails for a field that is negative or not finite.
func (s Linear) Validate() error {
	return errors.Join(notNegative("stiffness", s.K), notNegative("rest length", s.Rest))
}

// Cubic is the law ½ k e² + ¼ k₃ e⁴ of the elongation e = l − l₀.
type Cubic struct {
	K    float64 // k [N/m], not negative
	K3   float64 // k₃ [N/m³], not negative
	Rest float64 // l₀ [m], not negative
}

// Value returns ½ k e² + ¼ k₃ e⁴.
func (s Cubic) Value(l float64) float64 {
	ee := (l - s.Rest) * (l - s.Rest)
	return s.K*ee/2 + s.K3*ee*ee/4
}

// D1 returns k e + k₃ e³.
func (s Cubic) D1(l float64) float64 {
	e := l - s.Rest
	return (s.K + s.K3*e*e) * e
}

// D2 returns k + 3 k₃ e².
func (s Cubic) D2(l float64) float64 {
	e := l - s.Rest
	return s.K + 3*s.K3*e*e
}

// Validate fails for a field that is negative or not finite.
func (s Cubic) Validate() error {
	return errors.Join(notNegative("stiffness", s.K), notNegative("cubic stiffness", s.K3), notNegative("rest length", s.Rest))
}

func notNegative(name string, v float64) error {
	if v < 0 || !finite(v) {
		return fmt.Errorf("%s %v is negative or not finite", name, v)
	}
	return nil
}
