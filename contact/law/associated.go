package law

// Associated is the convex relaxation of [Coulomb]: K ∋ r ⊥ u ∈ K*. Its slip
// opens the contact, u_N = μ‖S u_T‖: the dilation that the relaxation costs,
// reported in the Dilation of a result.
type Associated struct {
	Mu    float64 `json:"mu"`             // μ ≥ 0 [-]
	Shape Shape   `json:"shape,omitzero"` // S [-]; the zero value is the identity
}

var _ Law = Associated{}

// Project implements [Law]; the cone is that of [Coulomb].
func (l Associated) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	Coulomb(l).Project(dst, jac, p)
}

// Correction implements [Law]; it is zero.
func (l Associated) Correction(*[3]float64) float64 { return 0 }

// Support implements [Law]; the reactions form a cone.
func (l Associated) Support(*[3]float64) float64 { return 0 }

// Form returns the cone.
func (l Associated) Form() Form { return Form{Set: AssociatedCone, Bound: l.Mu, Shape: l.Shape} }

// Validate implements [Law].
func (l Associated) Validate() error { return validateMu(l.Mu, &l.Shape) }
