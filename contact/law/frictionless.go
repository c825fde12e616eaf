package law

// Frictionless is Signorini's condition alone: 0 ≤ r_N ⊥ u_N ≥ 0, r_T = 0.
type Frictionless struct{}

var _ Law = Frictionless{}

// Project implements [Law]: (max(p_N, 0), 0, 0).
func (Frictionless) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	if jac != nil {
		*jac = [9]float64{}
		if p[0] > 0 {
			jac[0] = 1
		}
	}
	*dst = [3]float64{max(p[0], 0), 0, 0}
}

// Correction implements [Law]; it is zero.
func (Frictionless) Correction(*[3]float64) float64 { return 0 }

// Support implements [Law]; no power is dissipated.
func (Frictionless) Support(*[3]float64) float64 { return 0 }

// Form returns the half-line.
func (Frictionless) Form() Form { return Form{Set: HalfLine} }

// Validate implements [Law]; there is nothing to get wrong.
func (Frictionless) Validate() error { return nil }
