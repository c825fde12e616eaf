package contact

import "github.com/quasistatic/quasistatic/contact/law"

// lawKind is what the solvers distinguish in their inner loops: the sets of
// package law, and what subproblems make of them.
type lawKind = law.Set

const (
	kindGeneral      = law.General
	kindFrictionless = law.HalfLine
	kindBilateral    = law.Space
	kindTresca       = law.Disc
	kindCoulomb      = law.Cone
	kindAssociated   = law.AssociatedCone
	kindPyramid      = law.PolygonCone

	kindTrescaOf      lawKind = 128 + iota // Coulomb's law with a frozen threshold
	kindPyramidFrozen                      // a pyramid with its correction frozen in q
	kindFrozen                             // a law of the user, likewise
	kindInside                             // a cone or half-line with a barrier, likewise
)

// formOf returns a law in numbers.
func formOf(l Law) law.Form {
	if mu, ok := isotropic(l); ok {
		return law.Form{Set: kindCoulomb, Bound: mu}
	}
	return law.FormOf(l)
}

// isotropic returns the μ of Coulomb's isotropic law, by far the most frequent one: to ask the others what they are
// takes as long as to project.
func isotropic(l Law) (mu float64, ok bool) {
	c, ok := l.(Coulomb)
	if !ok || !c.Shape.Isotropic() {
		return 0, false
	}
	return c.Mu, true
}
