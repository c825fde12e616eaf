package sensitivity

import (
	"errors"
	"math"

	"github.com/quasistatic/quasistatic/events"
)

// Family gives the system for each value of the parameter.
type Family func(p float64) (*events.Plane, error)

// Walk is a walk from event to event with derivatives by the parameter.
type Walk struct {
	*events.Integrator[events.Dual]
	planes stencil[*events.Plane]
	// Until is the end of the case.
	Until events.Dual
}

// New begins the walk of a family at p. tolerance is that of the start, see
// [events.NewIntegrator].
func New(f Family, p, tolerance float64) (*Walk, error) {
	planes, err := sample(p, f)
	if err != nil {
		return nil, err
	}
	if err := planes.each(func(a *events.Plane) error { return sameDirections(planes.base, a) }); err != nil {
		return nil, err
	}
	forms := stencil[form]{h: planes.h}
	if forms.base, err = planes.base.Form(); err != nil {
		return nil, err
	}
	for k := range reach {
		if forms.up[k], err = planes.up[k].Form(); err != nil {
			return nil, err
		}
		if forms.down[k], err = planes.down[k].Form(); err != nil {
			return nil, err
		}
	}
	d, err := dual(forms)
	if err != nil {
		return nil, err
	}
	w := &Walk{planes: planes}
	w.Until = events.Dual{V: planes.base.Until, D: planes.derivative(func(a *events.Plane) float64 { return a.Until })}
	w.Integrator, err = events.NewIntegrator(d, tolerance)
	return w, err
}

// turned is how much the direction of a contact may differ beside p: rounding of forces
// that are parallel.
const turned = 1e-9

// sameDirections checks that the motion stays in its plane.
func sameDirections(a, b *events.Plane) error {
	if len(a.Dofs) != len(b.Dofs) {
		return errors.New("sensitivity: the parameter changes the number of particles with friction")
	}
	for i, d := range a.Dofs {
		if a.Oblique(d.Particle) && b.Oblique(d.Particle) {
			continue // coordinates of the friction, which the parameter may change
		}
		if a.Oblique(d.Particle) != b.Oblique(d.Particle) {
			return errors.New("sensitivity: friction is the same in all directions at the value of the parameter, and not beside it: take a value beside it")
		}
		for c, v := range d.Direction {
			if math.Abs(v-b.Dofs[i].Direction[c]) > turned {
				return errors.New("sensitivity: the parameter turns the plane in which particles move")
			}
		}
	}
	return nil
}

// Position returns the global position of particle j [m].
func (w *Walk) Position(j int) [3]events.Dual {
	x := w.global(func(p *events.Plane) [3]float64 {
		at := make([]float64, len(p.Start))
		p.System.ToGlobal(at, p.Start)
		return [3]float64(at[3*j : 3*j+3])
	})
	for i, d := range w.planes.base.Dofs {
		if d.Particle != j {
			continue
		}
		axis := w.direction(i)
		for c := range x {
			x[c] = x[c].Add(axis[c].Mul(w.Q()[i]))
		}
	}
	return x
}

// Start returns the global position at the start.
func (w *Walk) Start(j int) [3]events.Dual {
	return w.global(func(p *events.Plane) [3]float64 {
		at := make([]float64, len(p.Start))
		p.System.ToGlobal(at, p.Start)
		return [3]float64(at[3*j : 3*j+3])
	})
}

// direction is that of a dof in global coordinates.
func (w *Walk) direction(i int) [3]events.Dual {
	return w.global(func(p *events.Plane) [3]float64 {
		f := p.System.Frame(p.Dofs[i].Particle)
		return f.RotateToGlobal(p.Dofs[i].Direction)
	})
}

// across is the direction of a force along a dof in global coordinates.
func (w *Walk) across(i int) [3]events.Dual {
	return w.global(func(p *events.Plane) [3]float64 {
		f := p.System.Frame(p.Dofs[i].Particle)
		return f.RotateToGlobal(p.Across(i))
	})
}

// global is a vector of the family.
func (w *Walk) global(value func(p *events.Plane) [3]float64) (v [3]events.Dual) {
	base := value(w.planes.base)
	for c := range v {
		v[c] = events.Dual{V: base[c], D: w.planes.derivative(func(p *events.Plane) float64 { return value(p)[c] })}
	}
	return v
}

// Normal returns the normal force of a contact, as the system numbers them [N]; 0 without an
// obstacle.
func (w *Walk) Normal(slot int) (sum events.Dual) {
	for k, c := range w.planes.base.Slot {
		if c != slot || w.Regimes()[k] == events.Open {
			continue
		}
		if normal, _, ok := w.Face(k); ok {
			return normal
		}
		return w.Reaction()[w.planes.base.Normal(slot)]
	}
	return sum
}

// Friction returns the tangential force of a contact on its particle, global [N].
func (w *Walk) Friction(slot int) (f [3]events.Dual) {
	for k, j := range w.planes.base.Slot {
		if j != slot || w.Regimes()[k] == events.Open {
			continue
		}
		if _, force, ok := w.Face(k); ok {
			for i, d := range w.planes.base.Dofs {
				if d.Particle != w.planes.base.Particle[k] {
					continue
				}
				axis := w.across(i)
				for c := range f {
					f[c] = f[c].Add(axis[c].Mul(force[i-w.planes.base.First(d.Particle)]))
				}
			}
			return f
		}
		if i, ok := w.planes.base.Tangent(j); ok {
			axis := w.direction(i)
			for c := range f {
				f[c] = axis[c].Mul(w.Reaction()[i])
			}
		}
	}
	return f
}
