package particles

import "fmt"

// Load is a force on a particle that depends on time only: E = −f(t)·x.
type Load struct {
	Particle int
	Force    Path // f [N], three components, global
}

// Loads is the energy of many loads. D²E is zero.
type Loads struct {
	items []force
	paths motions
}

type force struct{ particle, path int32 }

var (
	_ Energy          = (*Loads)(nil)
	_ ConstantHessian = (*Loads)(nil)
	_ Breaker         = (*Loads)(nil)
	_ Validator       = (*Loads)(nil)
)

// NewLoads fails for forces without three components.
func NewLoads(items ...Load) (*Loads, error) {
	e := &Loads{}
	for i := range items {
		path, err := e.paths.add(items[i].Force)
		if err != nil {
			return nil, fmt.Errorf("particles: load %d of particle %d: force: %w", i, items[i].Particle, err)
		}
		e.items = append(e.items, force{int32(items[i].Particle), path})
	}
	return e, nil
}

// Validate checks the numbers of the particles.
func (e *Loads) Validate(particles int) error {
	for i := range e.items {
		if err := checkParticle("load", i, int(e.items[i].particle), particles); err != nil {
			return err
		}
	}
	return nil
}

// ConstantHessian returns true.
func (e *Loads) ConstantHessian() bool { return true }

// Breaks appends the kinks of the forces.
func (e *Loads) Breaks(dst []float64, t0, t1 float64) []float64 {
	return e.paths.breaks(dst, t0, t1)
}

// TimeBound adds bounds of |f^(k)|.
func (e *Loads) TimeBound(dst []float64, k int) bool {
	for i := range e.items {
		b, ok := e.paths.list[e.items[i].path].bound(k)
		if !ok {
			return false
		}
		addTo(dst, int(e.items[i].particle), b)
	}
	return true
}

// Pattern declares nothing.
func (e *Loads) Pattern(*Pattern) {}

// Value returns −Σ f·x and −Σ ḟ·x.
func (e *Loads) Value(t float64, x []float64) (energy, rate float64) {
	for i := range e.items {
		m := &e.paths.list[e.items[i].path]
		xi := at(x, int(e.items[i].particle))
		energy -= m.at(t).dot(xi)
		if m.moving {
			rate -= m.rate(t).dot(xi)
		}
	}
	return energy, rate
}

// Gradient adds −f and −ḟ.
func (e *Loads) Gradient(grad, rate []float64, t float64, _ []float64) {
	for i := range e.items {
		j := int(e.items[i].particle)
		m := &e.paths.list[e.items[i].path]
		if grad != nil {
			subFrom(grad, j, m.at(t))
		}
		if rate != nil && m.moving {
			subFrom(rate, j, m.rate(t))
		}
	}
}

// Hessian adds nothing.
func (e *Loads) Hessian(*Hessian, float64, []float64) {}
