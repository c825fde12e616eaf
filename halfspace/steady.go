package halfspace

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
)

// steady solves the tangential problem of steady rolling on the convex problem's fields, with the
// operator B = C − C(· + d) in place of C: find |p| <= g with the resultants and y = B p + b + Σ ξ
// a against p. B is not symmetric, but its symmetric part is positive: a monotone variational
// inequality, p = Π(p − y/c) for any c > 0. Newton's method on that equation: elements with |p −
// y/c| > g slip, in that direction, the others stick; GMRES solves the linear problems. On the way
// tractions miss the resultants by what turns and cuts do: to project them would turn what slips
// where the bound is small; but where the operator is symmetric and all this stands behind a
// minimisation, they are projected: nearly all slips there. Σ g|y| + p·y, and the energy that
// restores the resultants, measure what is left. Full steps are taken as long as the least falls
// every few of them; at that point tractions are projected, and the gap is the certificate.
func (c *convex) steady(ctx context.Context, relative, scale float64) (gap float64, faces int, err error) {
	for k := range c.kind {
		c.kind[k] = 0
	}
	if err := c.project(c.p); err != nil {
		return 0, 0, err
	}
	c.refresh()
	best := math.Inf(1)
	for stale := 0; ; faces++ {
		if err := ctx.Err(); err != nil {
			return math.Inf(1), faces, err
		}
		if gap = c.gap(); faces > 0 {
			gap += c.missing()
		}
		if gap < best*(1-leastProgress) {
			best, stale = gap, 0
			c.keep()
		} else if stale++; stale > staleLimit {
			break
		}
		if gap <= relative*scale || faces == steadySteps {
			break
		}
		if c.turn(faces == 0 && !c.warm) != nil {
			break
		}
		c.gmres(ctx, steadyReduction, steadyLimit)
		if !c.shorten() {
			break
		}
	}
	c.recall()
	if len(c.forces) > 0 {
		if err := c.project(c.p); err != nil {
			return 0, faces, err
		}
		c.refresh()
	}
	if gap = c.gap(); gap > relative*scale {
		gap = c.settle(gap)
	}
	return gap, faces, nil
}

const (
	steadySteps     = 100
	steadyReduction = 5e-2
	steadyLimit     = 60
	staleLimit      = 3
	shortestStep    = 0.1
	leastProgress   = 0.3
)

// shorten goes along dir, projected: all the way if the gap falls then, else so far that
// it falls, or the shortest way tried, since the gap is no convex function.
func (c *convex) shorten() bool {
	gap, from := c.gap()+c.missing(), c.moves()
	copyField(c.step, c.p)
	for length := 1.0; ; length /= 4 {
		copyField(c.p, c.step)
		axpy(c.p, length, c.dir)
		for i := range c.forces {
			c.forces[i].move = from[i] + length*c.move[i]
		}
		if !c.symmetric {
			c.cut(c.p)
		} else if c.project(c.p) != nil {
			return false
		}
		c.refresh()
		if length < shortestStep || c.gap()+c.missing() < gap {
			return true
		}
	}
}

// refresh evaluates y of p.
func (c *convex) refresh() {
	c.multiply(c.cp, c.p)
	c.residual()
}

// turn finds the face of p − y/c and puts what slips there onto the circle. At first
// everything sticks that is below its bound: a creepage begins with slips all over.
func (c *convex) turn(first bool) error {
	stiff := 1 / c.pre.self
	for k, g := range c.g {
		c.kind[k] = 0
		if !(g > 0) {
			continue
		}
		zx, zy := c.p[X][k]-stiff*c.y[X][k], c.p[Y][k]-stiff*c.y[Y][k]
		r := math.Hypot(zx, zy)
		if r <= g || first && math.Hypot(c.p[X][k], c.p[Y][k]) < g*(1-onCircle) {
			c.kind[k] = sticking
			continue
		}
		ux, uy := zx/r, zy/r
		c.kind[k] = slipping
		c.p[X][k], c.p[Y][k] = g*ux, g*uy
		c.tau[0][k], c.tau[1][k], c.lambda[k] = -uy, ux, (r/g-1)*c.pre.self
	}
	if c.symmetric {
		if err := c.project(c.p); err != nil {
			return err
		}
	}
	c.refresh()
	return nil
}

// keep notes the tractions and displacements of the least gap so far, recall goes back
// there.
func (c *convex) keep() {
	copyField(c.kept, c.p)
	for i := range c.forces {
		c.keptMove[i] = c.forces[i].move
	}
}

func (c *convex) recall() {
	copyField(c.p, c.kept)
	for i := range c.forces {
		c.forces[i].move = c.keptMove[i]
	}
	c.refresh()
}

// gmres sets dir to the solution of P(B + Λ)d = −P y with Σ a·d = f − Σ a·p on the face, which
// turned tractions miss, preconditioned from the left: it begins with d = M⁻¹A G⁻¹(f − Aᵀp).
func (c *convex) gmres(ctx context.Context, reduction float64, limit int) {
	c.prepare()
	c.gram.transpose(len(c.forces)) // M is not symmetric here
	zero(c.dir)
	c.remainder()
	c.move = c.precondition()
	beta := math.Sqrt(dot(c.z, c.z))
	enough := reduction * beta
	if len(c.forces) > 0 {
		// Where curvature is large what restores the forces makes a residual far above that of p.
		c.restore()
		enough = math.Hypot(enough, reduction*math.Sqrt(dot(c.dir, c.dir)))
		c.remainder()
		c.move = c.precondition()
		beta = math.Sqrt(dot(c.z, c.z))
	}
	if beta == 0 {
		return
	}
	k := &c.krylov
	k.begin(beta)
	k.push(c.z, 1/beta)
	for j := range limit {
		if ctx.Err() != nil {
			return // the caller looks as well
		}
		copyField(c.q, k.basis[j])
		c.multiply(c.cdir, c.q)
		c.curve()
		c.restrict(c.cdir)
		copyField(c.r, c.cdir)
		c.precondition()
		if k.extend(c.z) <= enough {
			break
		}
	}
	k.combine(c.dir)
	if len(c.forces) == 0 {
		return
	}
	c.remainder()
	c.move = c.precondition()
}

// missed is what the tractions miss the forces by, f − Aᵀp.
func (c *convex) missed() (missed [Moves]float64) {
	for i := range c.forces {
		missed[i] = c.forces[i].target - c.resultant(&c.forces[i].mode, c.p)
	}
	return missed
}

// restore adds to dir what the tractions miss the forces by, M⁻¹A G⁻¹(f − Aᵀp): where it costs
// least.
func (c *convex) restore() {
	missed := c.missed()
	c.gram.solve(&missed, len(c.forces))
	for i := range c.forces {
		axpy(c.dir, missed[i], c.v[i])
	}
}

// missing is the energy that restores the forces, (f − Aᵀp)ᵀG⁻¹(f − Aᵀp).
func (c *convex) missing() (sum float64) {
	missed := c.missed()
	solved := missed
	c.gram.solve(&solved, len(c.forces))
	for i := range c.forces {
		sum += missed[i] * solved[i]
	}
	return sum
}

// remainder sets r = −P(y + (B + Λ)d).
func (c *convex) remainder() {
	copyField(c.q, c.dir)
	zero(c.cdir)
	if dot(c.q, c.q) > 0 {
		c.multiply(c.cdir, c.q)
		c.curve()
	}
	for comp := range c.r {
		for k := range c.r[comp] {
			c.r[comp][k] = -c.y[comp][k] - c.cdir[comp][k]
		}
	}
	c.restrict(c.r)
}

// krylov is the space of GMRES.
type krylov struct {
	basis      []Field
	used       int
	hessenberg num.Hessenberg
}

func (k *krylov) begin(beta float64) {
	k.used = 0
	k.hessenberg.Begin(beta)
}

// push stores s·v as the next vector of the basis.
func (k *krylov) push(v Field, s float64) {
	if k.used == len(k.basis) {
		k.basis = append(k.basis, Field{})
	}
	b := &k.basis[k.used]
	for comp := range v {
		if v[comp] == nil {
			b[comp] = nil
			continue
		}
		b[comp] = append(b[comp][:0], v[comp]...)
		for i := range b[comp] {
			b[comp][i] *= s
		}
	}
	k.used++
}

// extend orthogonalises z, which it overwrites, against the basis and returns the
// residual.
func (k *krylov) extend(z Field) float64 {
	col := k.hessenberg.Column()
	for i := range k.used {
		col[i] = dot(z, k.basis[i])
		axpy(z, -col[i], k.basis[i])
	}
	last := math.Sqrt(dot(z, z))
	col[k.used] = last
	residual := k.hessenberg.Append()
	if last == 0 {
		return 0
	}
	k.push(z, 1/last)
	return residual
}

// combine adds the solution to dst.
func (k *krylov) combine(dst Field) {
	for i, v := range k.hessenberg.Solve() {
		axpy(dst, v, k.basis[i])
	}
}
