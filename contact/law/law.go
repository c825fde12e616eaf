package law

// A Law says which reactions one contact can carry and how it answers to a
// relative motion. With K the closed convex set of admissible reactions (for
// the Coulomb laws a cone) and g the correction, a contact obeys
//
//	r = P_K(r − ρ(u + g(u)e_N))   for one, hence for every, ρ > 0.
//
// Triples are ordered (normal, first tangent, second tangent). In two
// dimensions the third entry is zero, and a law keeps it so.
type Law interface {
	// Project overwrites dst with P_K(p), the Euclidean projection of p onto
	// the admissible reactions; dst may be p. If jac is not nil, it receives a
	// symmetric element of Clarke's Jacobian of P_K at p, 3×3, row by row.
	Project(dst *[3]float64, jac *[9]float64, p *[3]float64)
	// Correction returns g(u): zero for the laws that are associated (convex),
	// the de Saxcé term μ‖S u_T‖ for the Coulomb laws.
	Correction(u *[3]float64) float64
	// Support returns sup{−r·u : r ∈ K} for a u with finite supremum: the
	// power that the contact dissipates, s‖S u_T‖ for Tresca, 0 for a cone.
	Support(u *[3]float64) float64
	// Validate names the first parameter out of range.
	Validate() error
}

// Set names the admissible reactions for which the solvers have kernels.
type Set uint8

// The sets. A law of one of them costs no call through [Law] in an inner loop;
// one that is General is known by its methods alone.
const (
	General        Set = iota
	HalfLine           // r_N ≥ 0, r_T = 0
	Space              // every reaction
	Disc               // r_N ≥ 0 and r_T ∈ Bound·Sᵀ·ball
	Cone               // r_T ∈ Bound·r_N Sᵀ·ball with the correction Bound·‖S u_T‖
	AssociatedCone     // the same set without a correction
	PolygonCone        // r_T ∈ Bound·r_N Sᵀ·P with P of [Pyramid], and its correction
)

// Form is a law in numbers.
type Form struct {
	Set    Set
	Bound  float64 // μ [-] of a cone, the threshold s [N] of a disc
	Facets int     // of a polygon
	Shape  Shape   // S
}

// FormOf returns the form of a law, which it tells by a method Form() Form; a law
// without it is General.
func FormOf(l Law) Form {
	if f, ok := l.(interface{ Form() Form }); ok {
		return f.Form()
	}
	return Form{}
}

// Convex reports whether every law is a fixed set without correction, [HalfLine]
// or [Disc]: the problem is then a convex minimisation with a dual, and a duality
// gap certifies its solution.
func Convex(laws []Law) bool {
	for _, l := range laws {
		switch l.(type) {
		case *Tresca, Tresca, Frictionless:
			continue
		}
		if s := FormOf(l).Set; s != HalfLine && s != Disc {
			return false
		}
	}
	return true
}
