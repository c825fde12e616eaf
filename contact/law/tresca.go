package law

import (
	"fmt"
	"math"
)

// Tresca is unilateral contact with friction of a given threshold:
//
//	0 ≤ r_N ⊥ u_N ≥ 0,   r_T ∈ s·Sᵀ·ball,   −r_T·u_T = s‖S u_T‖.
//
// It is the convex law: one step of the incremental problem (IP_γ) of
// [Schmid08] has s = (σ − γ)_+ and S the friction matrix M^(j).
type Tresca struct {
	Threshold float64 `json:"threshold"`      // s ≥ 0 [N]
	Shape     Shape   `json:"shape,omitzero"` // S [-]; the zero value is the identity
}

var _ Law = Tresca{}

// Project implements [Law]: the normal part and the tangential part are
// projected on their own, for the set of reactions is a product.
func (l Tresca) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	n := max(p[0], 0)
	if jac != nil {
		*jac = [9]float64{}
		if p[0] > 0 {
			jac[0] = 1
		}
	}
	if l.Shape.general {
		l.Shape.project(dst, jac, l.Threshold, p)
	} else {
		projectDisc(dst, jac, l.Threshold, p)
	}
	dst[0] = n
}

// Correction implements [Law]; it is zero, the law is associated.
func (l Tresca) Correction(*[3]float64) float64 { return 0 }

// Support implements [Law]: s‖S u_T‖.
func (l Tresca) Support(u *[3]float64) float64 { return l.Threshold * l.Shape.Norm(u[1], u[2]) }

// Form returns the disc.
func (l Tresca) Form() Form { return Form{Set: Disc, Bound: l.Threshold, Shape: l.Shape} }

// Validate implements [Law].
func (l Tresca) Validate() error {
	if !(l.Threshold >= 0) || math.IsInf(l.Threshold, 1) {
		return fmt.Errorf("field Threshold is %g, want a finite number >= 0", l.Threshold)
	}
	return nil
}

// projectDisc projects (p_1, p_2) onto the disc of radius s. Outside, the
// Jacobian is s/‖p‖·(I − ppᵀ/‖p‖²); inside it is the identity.
func projectDisc(dst *[3]float64, jac *[9]float64, s float64, p *[3]float64) {
	x, y := p[1], p[2]
	norm2 := x*x + y*y
	if norm2 <= s*s {
		dst[1], dst[2] = x, y
		if jac != nil {
			jac[4], jac[8] = 1, 1
		}
		return
	}
	if s == 0 { // the centre, with the signs of p
		dst[1], dst[2] = s*x, s*y
		return
	}
	norm := math.Sqrt(norm2)
	if math.IsInf(norm2, 1) || norm2 < 1e-280 { // the squares left the range of float64
		norm = math.Hypot(x, y)
	}
	k := s / norm
	x, y = x/norm, y/norm
	dst[1], dst[2] = s*x, s*y
	if jac != nil {
		jac[4], jac[8] = k*y*y, k*x*x
		jac[5] = -k * x * y
		jac[7] = jac[5]
	}
}
