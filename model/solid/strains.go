package solid

import (
	"fmt"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/table"
)

// Strains is the largest [fem.Mesh.Deformation] so far, and when it was, of bodies whose strains are taken to be small.
type Strains struct {
	Most float64 // [-]
	Time float64 // [s]
}

// Observe takes the displacements u at a time.
func (s *Strains) Observe(m *fem.Mesh, k fem.Kinematics, u []float64, t float64) {
	if x := m.Deformation(u, k); x > s.Most {
		s.Most, s.Time = x, t
	}
}

// Fact judges it. What linear elasticity leaves out is of the order of the strains: from 1 on it is all.
func (s *Strains) Fact() table.Fact {
	f := table.AtMost(table.Accurate, "strains and turns, which linear elasticity takes to be small: the largest change of an edge of the mesh, over its length",
		s.Most, 1, "", table.Computed)
	f.Remedy = "a stiffer body (\"young\" is in Pa), smaller loads, or \"law\": \"neo-hookean\" of model energetic"
	if s.Most > 0 {
		f.Place = fmt.Sprintf("t = %.6g s", s.Time)
	}
	return f
}

// Said is a line about strains above an accuracy, if there are any.
func (s *Strains) Said(accuracy float64) []string {
	if s.Most <= accuracy {
		return nil
	}
	return []string{fmt.Sprintf("strains and turns reach %.2g: linear elasticity takes small ones, and is off by about as much", s.Most)}
}
