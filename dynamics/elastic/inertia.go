package elastic

import (
	"math"

	"github.com/quasistatic/quasistatic/fem"
)

// ModeMass compares the mass of a rigid motion u of the body in the run, uᵀM_*u,
// to that of the body itself, uᵀMu: the mass [kg] for a translation by 1 m, the
// moment of inertia [kg m²] for a rotation by 1 rad. Prescribed dofs count too.
type ModeMass struct {
	Mode     string  `json:"mode"`
	Used     float64 `json:"used"`
	Standard float64 `json:"standard"`
}

// RigidMass tells what the choice of [Inertia] does to the body: [Modified] takes
// mass from motions along the contact normals; [Redistributed] keeps all of them,
// at the price of nodes that have least to most times their mass along the normal;
// with [Standard] nothing changes.
func (s *Stepper) RigidMass() (modes []ModeMass, least, most float64) {
	a, m := s.a, s.a.model
	standard, err := m.standardMass(m.Mass)
	if err != nil {
		panic("elastic: RigidMass: " + err.Error()) // New has assembled it before
	}
	for _, mode := range fem.RigidModes(m.Mesh, m.Material) {
		x := ModeMass{Mode: mode.Name}
		standard.MulVec(s.work, mode.U)
		x.Standard = dot(s.work, mode.U)
		a.toLocal(mode.U)
		a.mass.MulVec(s.work, mode.U)
		x.Used = dot(s.work, mode.U)
		modes = append(modes, x)
	}
	least, most = 1, 1
	if m.Inertia == Redistributed { // frames are aligned then
		least, most = math.Inf(1), math.Inf(-1)
		for i := a.dim - 1; i < a.mass.N; i += a.dim {
			if used := a.mass.Val[a.mass.Ptr[i]]; used != 0 {
				f := used / standard.Val[standard.Ptr[i]]
				least, most = min(least, f), max(most, f)
			}
		}
	}
	return modes, least, most
}
