package solid

import (
	"fmt"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/table"
)

// mostPoisson is the largest ratio of Poisson [-] that linear elements are believed at. Their
// volumetric stiffness exceeds the shear stiffness by λ/μ = 2ν/(1 − 2ν): 4 at ν = 0.4, 18 at 0.45
// and 4998 at 0.4999. The error of a mesh has this
// ratio as a factor, since div u = 0 asks for one equation an element, and these meshes have about
// one unknown to each (plane) or half of one (space).
const mostPoisson = 0.4

// Locking are the facts about bodies of linear simplices that lock: none where ν ≤ 0.4, in bars, where stress
// is uniaxial, and in plane stress, where the thickness gives way. No case accepts that: it is
// known to be wrong, not unsaid. id names the body; "": there is one.
func (s *Solid) Locking(id string) []table.Fact {
	m := &s.Material
	if s.Mesh.Kind != fem.P1 || s.Mesh.Dim == 1 || m.Incompressibility() <= mostPoisson {
		return nil
	}
	elements := s.Mesh.Kind.Name(s.Mesh.Dim)
	name := fmt.Sprintf("mesh: %s are too stiff where the body is nearly incompressible: Poisson's ratio", elements)
	if id != "" {
		name = fmt.Sprintf("mesh of the body %s: %s are too stiff where it is nearly incompressible: Poisson's ratio", id, elements)
	}
	f := table.AtMost(table.Accurate, name, m.Incompressibility(), mostPoisson, "", table.Computed)
	f.Remedy = fmt.Sprintf("%q: \"Q1\" of a block, %s in a file; \"poisson\" of at most %g", "element",
		fem.Q1.Name(s.Mesh.Dim), mostPoisson)
	if s.Mesh.Dim == 2 {
		f.Remedy += "; \"kinematics\": \"plane stress\" where the body is thin"
	}
	return []table.Fact{f}
}
