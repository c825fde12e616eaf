package form

import "github.com/quasistatic/quasistatic/contact/law"

// LawKind is what the solvers distinguish in their inner loops: the sets of
// package law, and what subproblems make of them.
type LawKind = law.Set

const (
	KindGeneral      = law.General
	KindFrictionless = law.HalfLine
	KindBilateral    = law.Space
	KindTresca       = law.Disc
	KindCoulomb      = law.Cone
	KindAssociated   = law.AssociatedCone
	KindPyramid      = law.PolygonCone

	KindTrescaOf      LawKind = 128 + iota // Coulomb's law with a frozen threshold
	KindPyramidFrozen                      // a pyramid with its correction frozen in q
	KindFrozen                             // a law of the user, likewise
	KindInside                             // a cone or half-line with a barrier, likewise
)

// FormOf returns a law in numbers.
func FormOf(l law.Law) law.Form {
	if mu, ok := Isotropic(l); ok {
		return law.Form{Set: KindCoulomb, Bound: mu}
	}
	return law.FormOf(l)
}

// Isotropic returns the μ of Coulomb's isotropic law, by far the most frequent one: to ask the
// others what they are takes as long as to project.
func Isotropic(l law.Law) (mu float64, ok bool) {
	c, ok := l.(law.Coulomb)
	if !ok || !c.Shape.Isotropic() {
		return 0, false
	}
	return c.Mu, true
}
