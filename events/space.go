package events

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
)

// Space is a system of particles reduced to the dofs that move, where a contact with
// friction moves in its tangential plane. With its friction matrix S, tangents are
// coordinates u = S z_T, so that the cone of any constant friction is a round one:
//
//	Ψ(ż) = Σ r_n |u̇|,  |r_u| <= r_n,  u̇ = −λ r_u,  λ >= 0
type Space struct{ Reduced }

// NewSpace reduces a system, until a time. It fails where D²E or friction is not constant, as
// [NewPlane] does, and for friction that acts along one direction only.
func NewSpace(psi *dissipation.Coulomb, z0 []float64, until float64) (*Space, error) {
	r, err := reduce(psi, z0, until)
	if err != nil {
		return nil, err
	}
	if j := slices.Index(r.cornered, true); j >= 0 {
		return nil, &SpaceError{j, "it has several obstacles"}
	}
	p := &Space{*r}
	return p, p.number()
}

// number lists dofs and contacts.
func (p *Space) number() error {
	for j := range p.System.N() {
		p.first = append(p.first, len(p.Dofs))
		if p.System.Constrained(j) {
			p.Particle, p.Slot = append(p.Particle, j), append(p.Slot, j)
		}
		t, o := [3]float64{1, 0, 0}, [3]float64{0, 1, 0}
		if p.rubs(j) {
			s := p.psi.Matrices[j].At(p.Start[3*j], p.Start[3*j+1], nil)
			det := s[0]*s[3] - s[1]*s[2]
			if math.Abs(det) <= parallel*(s[0]*s[0]+s[1]*s[1]+s[2]*s[2]+s[3]*s[3]) {
				return &SpaceError{j, "its friction acts along one direction only"}
			}
			t, o = [3]float64{s[3] / det, -s[2] / det, 0}, [3]float64{-s[1] / det, s[0] / det, 0}
		}
		p.Dofs = append(p.Dofs, Dof{j, t}, Dof{j, o}, Dof{j, [3]float64{0, 0, 1}})
	}
	p.first = append(p.first, len(p.Dofs))
	return nil
}

// Form returns the problem in float64; T of a contact with friction is the first of its two
// tangents.
func (p *Space) Form() (*Form[Real], error) {
	var list []Contact[Real]
	for _, j := range p.Particle {
		c := Contact[Real]{T: -1, N: p.Normal(j), Gap: Real(p.Start[3*j+2])}
		if p.rubs(j) {
			c.T, c.Mu = p.first[j], 1
		}
		list = append(list, c)
	}
	return p.form(list)
}

// Tangents returns the first of the two tangents of a particle with friction.
func (p *Space) Tangents(j int) (int, bool) { return p.first[j], p.rubs(j) }
