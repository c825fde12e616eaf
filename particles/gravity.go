package particles

import (
	"fmt"
	"slices"
)

// Gravity is the weight of all particles: E = −Σ_j m_j g·x^(j). D²E is zero.
type Gravity struct {
	weight []float64 // m_j g, flat
	masses []float64
	g      [3]float64
}

var (
	_ Energy          = (*Gravity)(nil)
	_ ConstantHessian = (*Gravity)(nil)
	_ Validator       = (*Gravity)(nil)
)

// NewGravity takes the masses [kg] of all particles, none negative, and the
// acceleration g [m/s²], for instance (0, 0, −9.81).
func NewGravity(masses []float64, g [3]float64) (*Gravity, error) {
	if !finite3(g) {
		return nil, fmt.Errorf("particles: gravity: acceleration %v is not finite", g)
	}
	e := &Gravity{weight: make([]float64, 3*len(masses)), masses: slices.Clone(masses), g: g}
	for j, m := range masses {
		if err := notNegative("mass", m); err != nil {
			return nil, fmt.Errorf("particles: gravity: particle %d: %w", j, err)
		}
		w := vec{m * g[0], m * g[1], m * g[2]}
		if !finite3(w.array()) {
			return nil, fmt.Errorf("particles: gravity: particle %d: weight %v is not finite", j, w.array())
		}
		put(e.weight, j, w)
	}
	return e, nil
}

// Validate checks the number of masses.
func (e *Gravity) Validate(particles int) error {
	if n := len(e.weight) / 3; n != particles {
		return fmt.Errorf("%d masses for %d particles", n, particles)
	}
	return nil
}

// ConstantHessian returns true.
func (e *Gravity) ConstantHessian() bool { return true }

// TimeBound adds nothing: gravity is constant.
func (e *Gravity) TimeBound([]float64, int) bool { return true }

// Pattern declares nothing.
func (e *Gravity) Pattern(*Pattern) {}

// Value returns −Σ m g·x and 0.
func (e *Gravity) Value(_ float64, x []float64) (energy, rate float64) {
	for a, w := range e.weight {
		energy -= w * x[a]
	}
	return energy, 0
}

// Gradient adds −m g.
func (e *Gravity) Gradient(grad, _ []float64, _ float64, _ []float64) {
	if grad == nil {
		return
	}
	for a, w := range e.weight {
		grad[a] -= w
	}
}

// Hessian adds nothing.
func (e *Gravity) Hessian(*Hessian, float64, []float64) {}
