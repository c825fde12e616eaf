package law

import (
	"fmt"
	"math"
)

// Cohesive is Coulomb's friction with cohesion and a tension cut-off,
//
//	K = {r : ‖r_T‖ ≤ c + μ r_N, r_N ≥ −t},   û = u + μ‖u_T‖e_N,
//
// the cone of [Coulomb] shifted by c/μ into tension and cut at −t. A contact opens
// under the pull t, which it keeps while it moves apart within the step; to break it
// for good is the user's. c = t = 0 is Coulomb's law.
type Cohesive struct {
	Mu       float64 `json:"mu"`       // μ ≥ 0 [-]
	Cohesion float64 `json:"cohesion"` // c ≥ 0 [N]; friction without pressure
	Tension  float64 `json:"tension"`  // t ≥ 0 [N], at most c/μ, where the cone ends
}

var _ Law = Cohesive{}

// Project implements [Law]: in the half-plane of r_N and ‖r_T‖ onto the cone, onto the
// cut, or onto the corner between them.
func (l Cohesive) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	if jac != nil {
		*jac = [9]float64{}
	}
	n, tau := p[0], math.Hypot(p[1], p[2])
	x, y := 0.0, 0.0 // the direction of p_T
	if tau > 0 {
		x, y = p[1]/tau, p[2]/tau
	}
	across := func(k float64) { // of the circle of radius k·tau
		if jac != nil {
			jac[4], jac[5], jac[7], jac[8] = k*y*y, -k*x*y, -k*x*y, k*x*x
		}
	}
	least := -l.Tension
	foot := (n + l.Mu*(tau-l.Cohesion)) / (1 + l.Mu*l.Mu) // r_N of the foot on the cone
	switch corner := max(l.Cohesion-l.Mu*l.Tension, 0); {
	case n >= least && tau <= l.Cohesion+l.Mu*n:
		*dst = *p
		if jac != nil {
			jac[0], jac[4], jac[8] = 1, 1, 1
		}
	case tau > l.Cohesion+l.Mu*n && foot >= least:
		radius := l.Cohesion + l.Mu*foot
		*dst = [3]float64{foot, radius * x, radius * y}
		across(radius / tau)
		if jac != nil {
			ray := [3]float64{1, l.Mu * x, l.Mu * y}
			addDyad(jac, &ray, 1/(1+l.Mu*l.Mu))
		}
	case tau <= corner:
		*dst = [3]float64{least, p[1], p[2]}
		if jac != nil {
			jac[4], jac[8] = 1, 1
		}
	default:
		*dst = [3]float64{least, corner * x, corner * y}
		across(corner / tau)
	}
}

// Correction implements [Law]: the de Saxcé term μ‖u_T‖.
func (l Cohesive) Correction(u *[3]float64) float64 { return l.Mu * math.Hypot(u[1], u[2]) }

// Support implements [Law]: c‖u_T‖ + t(u_N − μ‖u_T‖)₊ for u with the correction.
func (l Cohesive) Support(u *[3]float64) float64 {
	slip := math.Hypot(u[1], u[2])
	return l.Cohesion*slip + l.Tension*max(u[0]-l.Mu*slip, 0)
}

// Form returns the cone of [Coulomb] where nothing is cohesive; else there is none.
func (l Cohesive) Form() Form {
	if l.Cohesion == 0 && l.Tension == 0 {
		return Form{Set: Cone, Bound: l.Mu}
	}
	return Form{}
}

// Validate implements [Law].
func (l Cohesive) Validate() error {
	switch {
	case !(l.Cohesion >= 0) || math.IsInf(l.Cohesion, 1):
		return fmt.Errorf("field Cohesion is %g, want a finite number >= 0", l.Cohesion)
	case !(l.Tension >= 0) || !(l.Mu*l.Tension <= l.Cohesion):
		return fmt.Errorf("field Tension is %g, want a number from 0 to Cohesion/Mu = %g", l.Tension, l.Cohesion/l.Mu)
	}
	return validateMu(l.Mu, &Shape{})
}
