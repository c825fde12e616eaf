package law

import (
	"fmt"
	"math"
)

// Rolling is Coulomb's friction with resistance to rolling and to spinning, the cone
//
//	K = {r : ‖r_T‖ ≤ μ r_N, ‖m_R‖ ≤ μ_R r_N, |m_S| ≤ μ_S r_N},
//
// with û = u + (μ‖u_T‖ + μ_R‖ω_R‖ + μ_S|ω_S|)e_N: the moments oppose the relative
// spins as friction opposes slip. Drilling joins the spin with the slip, as in a contact of a small
// area, the ellipsoid of [Leine03] for Coulomb's and Contensou's friction:
//
//	‖(r_T, m_S)‖ ≤ μ r_N  in place of  ‖r_T‖ ≤ μ r_N, |m_S| ≤ μ_S r_N,
//
// with rows of spin times the length ε of the area, so that m_S is a force. A contact has more than
// three components then,
//
//	4   normal, two tangents, spin
//	5   normal, two tangents, two rolling moments (the RFC3D form of Siconos)
//	6   normal, two tangents, spin, two rolling moments
//
// and the moments follow the forces in W, q, u and r.
type Rolling struct {
	Mu         float64 `json:"mu"`                  // μ ≥ 0 [-]
	Resistance float64 `json:"resistance,omitzero"` // μ_R ≥ 0 [m]
	Spin       float64 `json:"spin,omitzero"`       // μ_S ≥ 0 [m]
	Drilling   bool    `json:"drilling,omitzero"`   // the spin is joined with the slip, and Spin is 0
}

var _ Law = Rolling{}

// Project implements [Law] for the forces alone.
func (l Rolling) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	ProjectCone(dst, jac, l.Mu, p)
}

// Correction implements [Law] for the slip alone.
func (l Rolling) Correction(u *[3]float64) float64 { return l.Mu * math.Hypot(u[1], u[2]) }

// Support implements [Law]; the reactions form a cone.
func (l Rolling) Support(*[3]float64) float64 { return 0 }

// Form returns the cone of [Coulomb] where nothing resists rolling and spinning; else there is
// none.
func (l Rolling) Form() Form {
	if !l.Moments() {
		return Form{Set: Cone, Bound: l.Mu}
	}
	return Form{}
}

// Moments reports whether something resists rolling or spinning.
func (l Rolling) Moments() bool { return l.Resistance > 0 || l.Spin > 0 || l.Drilling }

// Validate implements [Law].
func (l Rolling) Validate() error {
	if l.Drilling && l.Spin != 0 {
		return fmt.Errorf("field Spin is %g, want 0 with Drilling, which joins the spin with the slip", l.Spin)
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"Resistance", l.Resistance}, {"Spin", l.Spin}} {
		if !(f.value >= 0) || f.value > maxMu {
			return fmt.Errorf("field %s is %g, want a number between 0 and %g", f.name, f.value, float64(maxMu))
		}
	}
	return validateMu(l.Mu, &Shape{})
}
