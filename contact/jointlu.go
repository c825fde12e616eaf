package contact

import (
	"context"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// jointLU factorises J = diag(E) W + diag(B) of jointed bodies, whose W is full, by the contacts
// and the joints of the free ones, whose matrix
//
//	V = (V_cc, V_cj; V_jc, V_jj),   W = V_cc − V_cj V_jj⁻¹V_jc,
//
// is as sparse as the bodies are coupled: x of J x = f is that of
//
//	(E V_cc + B) x + E V_cj λ = f,   V_jc x + V_jj λ = 0.
//
// V_jj is positive definite, so that the determinants have the same sign. What the joints open
// by rounding is refined away with W itself.
type jointLU struct {
	c       reduced // of the free bodies, joints last
	lu      blockLU
	ratio   []float64 // units of a contact there over those here
	own     []mat3    // the diagonal blocks of W of the problem as it was given
	e, b    []mat3    // of the free bodies; here they are outer and inner
	outer   []mat3
	inner   []mat3
	x       []vec3
	f, left []vec3
}

// jointRounds are the rounds of refinement, to jointFine of the right side at most.
const jointRounds, jointFine = 4, 1e-12

// set takes the values of the free bodies for the problem in c, and reports whether their pattern
// is that of before.
func (f *jointLU) set(o *form.Freed, p *Local, c *reduced) (same bool) {
	same = f.c.reduce(o.Pose(p))
	n, nc := f.c.nc, c.nc
	f.ratio, f.own = num.Grow(f.ratio, nc), num.Grow(f.own, nc)
	f.outer, f.inner = num.Grow(f.outer, nc), num.Grow(f.inner, nc)
	f.e, f.b, f.x = num.Grow(f.e, n), num.Grow(f.b, n), num.Grow(f.x, n)
	f.f, f.left = num.Grow(f.f, nc), num.Grow(f.left, nc)
	for j := range nc {
		f.ratio[j] = c.sigma[j] / f.c.sigma[j]
		f.own[j] = c.blk[c.diag[j]]
	}
	for j := nc; j < n; j++ {
		f.e[j], f.b[j] = num.Identity3, mat3{}
	}
	return same
}

// factor takes E, B and the diagonal of W from c, which may have been changed since set.
func (f *jointLU) factor(ctx context.Context, c *reduced, e, b []mat3) {
	for j, t := range f.ratio {
		f.outer[j] = num.Identity3
		if e != nil {
			f.outer[j] = e[j]
		}
		f.inner[j] = b[j]
		own, extra := &c.blk[c.diag[j]], mat3{}
		for k := range extra {
			extra[k] = own[k] - f.own[j][k]
		}
		if extra != (mat3{}) {
			num.Mul3(&extra, &f.outer[j], &extra)
		}
		for k, v := range f.outer[j] {
			f.e[j][k], f.b[j][k] = t*v, (b[j][k]+extra[k])/t
		}
	}
	f.lu.factor(ctx, &f.c, f.e, f.b)
}

// solve overwrites x with J⁻¹x, refined by the W of c.
func (f *jointLU) solve(c *reduced, x []vec3) {
	copy(f.f, x)
	f.once(x)
	full, last := dot3(f.f, f.f), num.Inf
	for range jointRounds {
		sum := 0.0
		for j := range f.left {
			u := c.productAt(j, x)
			u = num.MulVec3(&f.outer[j], &u)
			y, r := num.MulVec3(&f.inner[j], &x[j]), &f.f[j]
			f.left[j] = vec3{r[0] - u[0] - y[0], r[1] - u[1] - y[1], r[2] - u[2] - y[2]}
			sum += num.Dot3(&f.left[j], &f.left[j])
		}
		if !(sum < 0.25*last) || sum <= jointFine*jointFine*full {
			return
		}
		last = sum
		f.once(f.left)
		for j, d := range f.left {
			y := &x[j]
			y[0], y[1], y[2] = y[0]+d[0], y[1]+d[1], y[2]+d[2]
		}
	}
}

// once is solve without refinement.
func (f *jointLU) once(x []vec3) {
	copy(f.x, x)
	clear(f.x[len(x):])
	f.lu.solve(f.x)
	for j, t := range f.ratio {
		y := &f.x[j]
		x[j] = vec3{y[0] / t, y[1] / t, y[2] / t}
	}
}
