package contact

import "github.com/quasistatic/quasistatic/contact/law"

// The laws of package law, by the names under which problems are written.
type (
	Law          = law.Law
	Frictionless = law.Frictionless
	Bilateral    = law.Bilateral
	Coulomb      = law.Coulomb
	Associated   = law.Associated
	Pyramid      = law.Pyramid
	Tresca       = law.Tresca
	Cohesive     = law.Cohesive
	Compliant    = law.Compliant
	Rolling      = law.Rolling
	Shape        = law.Shape
)

// NewShape returns the shape of the matrix s, given row by row.
func NewShape(s [4]float64) Shape { return law.NewShape(s) }
