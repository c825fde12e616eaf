package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

const gaussSeidelName = "gauss-seidel"

// gaussSeidel solves a [form.Local] problem by nonlinear projected Gauss-Seidel
// [Jourdan98]: one contact after the other is solved exactly with the others
// held. A sweep costs one product with W. It converges linearly, on singular
// W as well as on regular, but slowly for stacks and arches; there is no proof
// for large friction.
//
// The merit, which costs as much as a sweep, is looked at
// when the change of r is small and after 2, 4, 8, … sweeps, 64 at most apart.
func (s *localRun) gaussSeidel(limit int) form.Status {
	ws, next := s.ws, 2
	for k := 1; k <= limit; k++ {
		change, size := s.sweep(ws.r)
		status, stop := s.step(gaussSeidelName, change/max(size, 1), 1)
		if num.Bad(change) || size*size > block.Runaway2 {
			return form.NumericalFailure
		}
		if change <= s.tol*max(1, size) || k >= next || k == limit || stop {
			next = k + min(k, 64)
			if m := s.evaluate(); m <= s.tol {
				return form.Converged
			}
			if change <= 4*num.Eps*size { // below rounding: the sweep stands still
				return form.NoProgress
			}
		}
		if stop {
			return status
		}
	}
	return form.IterationLimit
}

// sweep passes once over the contacts and returns ‖Δr‖₂ and ‖r‖₂.
func (c *reduced) sweep(r []vec3) (change, size float64) {
	for i := range r {
		s, t := c.relax(i, r)
		change += s
		size += t
	}
	return math.Sqrt(change), math.Sqrt(size)
}

// relax solves contact i with the others held and returns ‖Δr_i‖² and ‖r_i‖².
func (c *reduced) relax(i int, r []vec3) (change, size float64) {
	u, from, end := c.Q[i], c.Ptr[i], c.Ptr[i+1]
	block.AddProduct(&u, c.Col[from:end], c.Blk[from:end], r)
	return c.relaxOne(i, &c.one[i], &r[i], &u)
}

// relaxOne is relax for the o of contact i and its motion u, which it overwrites.
func (c *reduced) relaxOne(i int, o *oneContact, r, u *vec3) (change, size float64) {
	old := *r
	if o.round && c.Kind[i] == form.KindCoulomb && !c.Plane {
		u[0], u[1], u[2] = u[0]-o.a[0]*old[0], u[1]-o.a[4]*old[1], u[2]-o.a[8]*old[2]
		o.coulombRound(r, c.Mu[i], u)
	} else {
		num.SubMulVec3(u, &o.a, &old)
		c.solveOne(i, o, r, u)
	}
	s, t, w := r[0]-old[0], r[1]-old[1], r[2]-old[2]
	return s*s + t*t + w*w, r[0]*r[0] + r[1]*r[1] + r[2]*r[2]
}

// solveOne sets r to the solution of contact i alone, u = A r + b with the A of o; r holds the
// last one.
func (c *reduced) solveOne(i int, o *oneContact, r, b *vec3) {
	switch c.Kind[i] {
	case form.KindCoulomb:
		if c.Plane {
			o.coulombPlane(r, c.Mu[i], b)
		} else {
			o.coulomb(r, c.Mu[i], b)
		}
	case form.KindFrictionless:
		if o.invN > 0 {
			*r = vec3{max(0, -b[0]*o.invN), 0, 0}
		}
	case form.KindBilateral:
		o.bilateral(r, b)
	case form.KindInside:
		o.inside(r, c.Mu[i], c.kappa, b)
	case form.KindPyramid:
		if l := c.Pyramid(i); !o.pyramid(r, &l, b) {
			c.general(i, r, b)
		}
	default:
		c.general(i, r, b)
	}
}
