package contact

// lawKind is what the solvers distinguish in their inner loops.
type lawKind uint8

const (
	kindGeneral lawKind = iota // through the Law interface
	kindFrictionless
	kindBilateral
	kindTresca
	kindCoulomb
	kindAssociated
	kindPyramid
	kindTrescaOf      // Coulomb's law with a frozen threshold
	kindPyramidFrozen // a pyramid with its correction frozen in q
	kindFrozen        // a law of the user, likewise
)

// classify returns how the inner loops treat law.
func classify(law Law) (kind lawKind, mu float64, shape Shape) {
	switch l := law.(type) {
	case Frictionless:
		return kindFrictionless, 0, Shape{}
	case Bilateral:
		return kindBilateral, 0, Shape{}
	case Tresca:
		return kindTresca, l.Threshold, l.Shape
	case Coulomb:
		return kindCoulomb, l.Mu, l.Shape
	case Associated:
		return kindAssociated, l.Mu, l.Shape
	case Pyramid:
		return kindPyramid, l.Mu, l.Shape
	}
	return kindGeneral, 0, Shape{}
}

// shapeOf returns the shape of the laws that have one.
func shapeOf(law Law) Shape {
	_, _, s := classify(law)
	return s
}
