package law

// Bilateral is a perfect joint: u = 0, any reaction.
type Bilateral struct{}

var _ Law = Bilateral{}

// Project implements [Law]: every reaction is admissible.
func (Bilateral) Project(dst *[3]float64, jac *[9]float64, p *[3]float64) {
	if jac != nil {
		*jac = [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	}
	*dst = *p
}

// Correction implements [Law]; it is zero.
func (Bilateral) Correction(*[3]float64) float64 { return 0 }

// Support implements [Law]; a joint does no work.
func (Bilateral) Support(*[3]float64) float64 { return 0 }

// Form returns the whole space.
func (Bilateral) Form() Form { return Form{Set: Space} }

// Validate implements [Law]; there is nothing to get wrong.
func (Bilateral) Validate() error { return nil }
