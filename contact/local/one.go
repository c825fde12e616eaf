package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/law"
)

// SolveOne overwrites r with the reaction of a single contact under Coulomb's
// law: u = W r + b with the 3×3 block W, row by row. Take-off and stick are
// closed forms; slip is the root λ of the secular equation
//
//	‖(W̃_TT + λ)⁻¹ b̃_T‖ = μ r_N,
//
// W̃ the Schur complement of W_NN: the optimality condition of the quadratic
// program in Proposition 1 of [Pang05]. In the plane (dim 2) the third row and
// column are not read and slip is a closed form too. W_TT must be positive
// definite for a unique answer; check it with [NaturalResidual].
func SolveOne(r *[3]float64, dim int, w *[9]float64, b *[3]float64, mu float64) {
	a, x := *w, *b
	if dim == 2 {
		a[8] = 0.5 * (a[0] + a[4]) // in the scale; coulombPlane looks at nothing else of that tangent
	}
	scale := (a[0] + a[4] + a[8]) / 3
	if !(scale > 0) {
		*r = [3]float64{}
		return
	}
	for k := range a {
		a[k] /= scale
	}
	var o oneContact
	o.prepare(&a)
	if *r = (vec3{}); dim == 2 {
		o.coulombPlane(r, mu, &x)
	} else {
		o.coulomb(r, mu, &x)
	}
	for k := range r {
		r[k] /= scale
	}
}

// NaturalResidual returns ‖r − P_K(r − ρ(u + g(u)e_N))‖ of one contact: zero
// at a solution for every ρ > 0, which carries the unit of r/u. It overwrites
// u with the projection.
func NaturalResidual(law law.Law, r, u *[3]float64, rho float64) float64 {
	g := law.Correction(u)
	*u = vec3{r[0] - rho*(u[0]+g), r[1] - rho*u[1], r[2] - rho*u[2]}
	law.Project(u, nil, u)
	a, b, c := r[0]-u[0], r[1]-u[1], r[2]-u[2]
	return math.Sqrt(a*a + b*b + c*c)
}
