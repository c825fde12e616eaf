package elastic

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
)

// identityTolerance is what (51) may lack in a step, relative to the energies met: the
// tolerance of a step times the work of its forces, with room for stiff bodies.
const identityTolerance = 1e-9

// Solved says whether each step was solved: the contact problems to their tolerance, and
// (51), which a step of the trapezoidal rule satisfies to the rounding of its energies.
func (s *Stepper) Solved() []dynamics.Measure {
	list := []dynamics.Measure{{Name: "residual of contact problems, of their forces", Value: s.residual, Limit: 1e-9,
		Unit: "-", Basis: dynamics.Computed}}
	if s.central != nil {
		return list
	}
	b := &s.balance
	size := b.Initial + math.Abs(b.External) + math.Abs(b.Friction) + s.total
	m := dynamics.Measure{Name: "energy identity (51) in a step, of the energies met", Value: b.Identity,
		Limit: identityTolerance, Unit: "-", Basis: dynamics.Computed}
	if size > 0 {
		m.Value /= size
	}
	if list = append(list, m); s.a.impedance != nil {
		list = append(list, s.fall.unique())
	}
	return list
}

// remedy is what keeps the energy where shorter steps do not; empty: shorter steps do.
func (m *Model) remedy() string {
	if m.Inertia == Standard && len(m.Contacts) > 0 {
		return "the modified inertia: with the standard mass each impact of a node makes energy"
	}
	return ""
}

// Accurate says whether the energy is kept: what contact and scheme make or destroy,
// against what moves (see [dynamics.Creation]), is at most accuracy. Central differences
// are judged by their own identity, and, where they are not proven to be stable, by the
// growth of the energy: E may exceed Ẽ by the waves of a step that are not resolved, at the limit of
// stability by twice; four times is allowed.
func (s *Stepper) Accurate(accuracy float64) []dynamics.Measure {
	list := s.made.Measures(accuracy, s.step, s.a.model.remedy(), nil)
	if s.a.impedance != nil {
		list = append(list, s.fall.carried())
	}
	c := s.central
	if c == nil || s.opt.Step <= c.stable*(1+limitRounding) {
		return list
	}
	m := dynamics.Measure{Name: "energy of the state, of what moves", Limit: 4, Unit: "-", Basis: dynamics.Computed,
		Place: fmt.Sprintf("Δt = %.4g s, stable by proof up to %.4g s", s.opt.Step, c.stable)}
	if scale := s.made.Whole.Scale(); c.balance.Most > 0 {
		m.Value = min(c.balance.Most/scale, 1e300)
	}
	if !m.Passed() {
		m.Remedy = fmt.Sprintf("a step of %.4g s", c.stable)
	}
	return append(list, m)
}

// Creation returns the energy that scheme and contact have made or destroyed, of all parts of
// the mesh together.
func (s *Stepper) Creation() dynamics.Creation { return s.made.Whole }

// Creations returns it for each part of the mesh; it belongs to the stepper.
func (s *Stepper) Creations() *dynamics.Creations { return &s.made }
