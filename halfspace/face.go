package halfspace

import (
	"context"
	"math"
)

// face sets dir to the minimiser of ½ dᵀ(C + Λ)d + yᵀd over the directions of the
// face with Σ a·d = 0, and move to the change of ξ, its multipliers, by conjugate gradients with
// the preconditioner M projected along the forces: z = M⁻¹r − M⁻¹A G⁻¹AᵀM⁻¹r,
// G = AᵀM⁻¹A [GouldHribarNocedal01]. It stops when residuals have fallen by the
// factor reduction. cdir is C d.
func (c *convex) face(ctx context.Context, reduction float64, limit int) {
	c.prepare()
	zero(c.dir)
	copyField(c.r, c.y)
	for comp := range c.r {
		for k := range c.r[comp] {
			c.r[comp][k] = -c.r[comp][k]
		}
	}
	c.restrict(c.r)
	c.move = c.precondition()
	rz := dot(c.r, c.z)
	if !(rz > 0) {
		return
	}
	copyField(c.q, c.z)
	first := rz
	for range limit {
		if ctx.Err() != nil {
			return // the caller looks as well
		}
		c.multiply(c.cdir, c.q)
		c.curve()
		c.restrict(c.cdir)
		curvature := dot(c.q, c.cdir)
		if !(curvature > 0) {
			return
		}
		alpha := rz / curvature
		axpy(c.dir, alpha, c.q)
		axpy(c.r, -alpha, c.cdir)
		c.move = c.precondition()
		next := dot(c.r, c.z)
		if !(next > reduction*reduction*first) {
			return
		}
		beta := next / rz
		for comp := range c.q {
			for k, v := range c.z[comp] {
				c.q[comp][k] = v + beta*c.q[comp][k]
			}
		}
		rz = next
	}
}

func zero(f Field) {
	for c := range f {
		clear(f[c])
	}
}

// curve adds the curvature of the circles, Λ q, to cdir.
func (c *convex) curve() {
	if !c.has(X) {
		return
	}
	for k, s := range c.kind {
		if s&slipping != 0 {
			c.cdir[X][k] += c.lambda[k] * c.q[X][k]
			c.cdir[Y][k] += c.lambda[k] * c.q[Y][k]
		}
	}
}

// prepare sets M⁻¹a of the forces and G.
func (c *convex) prepare() {
	for i := range c.forces {
		for comp := range c.r {
			if c.r[comp] != nil {
				clear(c.r[comp])
				c.addMode(c.r[comp], comp, &c.forces[i].mode, 1)
			}
		}
		c.restrict(c.r)
		c.apply(c.v[i])
	}
	for i := range c.forces {
		for j := range c.forces {
			c.gram[i][j] = c.resultant(&c.forces[j].mode, c.v[i])
		}
	}
}

// precondition sets z from r, and returns the multipliers.
func (c *convex) precondition() (move [Moves]float64) {
	c.apply(c.z)
	for i := range c.forces {
		move[i] = c.resultant(&c.forces[i].mode, c.z)
	}
	c.gram.solve(&move, len(c.forces))
	for i := range c.forces {
		axpy(c.z, -move[i], c.v[i])
	}
	return move
}

// apply sets dst = M⁻¹r on the face: P S Ĉ⁻¹ S P, where S² = 1/(1 + λ/C₀₀) tames
// the curvature of elements that slip far.
func (c *convex) apply(dst Field) {
	copyField(dst, c.r)
	c.soften(dst)
	c.unscale(dst)
	c.pre.apply(dst)
	c.unscale(dst)
	c.soften(dst)
	c.restrict(dst)
}

func (c *convex) unscale(v Field) {
	if c.ratio == 1 {
		return
	}
	for k := range v[Y] {
		v[Y][k] /= c.ratio
	}
}

func (c *convex) soften(v Field) {
	if v[X] == nil {
		return
	}
	for k, s := range c.kind {
		if s&slipping != 0 {
			f := 1 / math.Sqrt(1+c.lambda[k]/c.pre.self)
			v[X][k] *= f
			v[Y][k] *= f
		}
	}
}
