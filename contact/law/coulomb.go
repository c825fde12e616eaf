package law

// Coulomb is unilateral contact with Coulomb's friction, the exact cone:
//
//	K = {r : r_T ∈ μ r_N Sᵀ·ball},   K ∋ r ⊥ u + μ‖S u_T‖ e_N ∈ K*,
//
// the form of de Saxcé and Feng [DeSaxce98] of take-off (r = 0, u_N ≥ 0),
// stick (u = 0) and slip (u_N = 0, r_T opposed to the motion by the rule of
// maximum dissipation).
type Coulomb struct {
	Mu    float64 `json:"mu"`             // μ ≥ 0 [-]
	Shape Shape   `json:"shape,omitzero"` // S [-]; the zero value is the identity
}

var _ Law = Coulomb{}

// Project implements [Law].
func (l Coulomb) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	if l.Shape.general {
		projectEllipticCone(dst, jac, l.Mu, &l.Shape, p)
		return
	}
	ProjectCone(dst, jac, l.Mu, p)
}

// Correction implements [Law]: the de Saxcé term μ‖S u_T‖.
func (l Coulomb) Correction(u *[3]float64) float64 { return l.Mu * l.Shape.Norm(u[1], u[2]) }

// Support implements [Law]; the reactions form a cone.
func (l Coulomb) Support(*[3]float64) float64 { return 0 }

// Form returns the cone.
func (l Coulomb) Form() Form { return Form{Set: Cone, Bound: l.Mu, Shape: l.Shape} }

// Validate implements [Law].
func (l Coulomb) Validate() error { return validateMu(l.Mu, &l.Shape) }
