package halfspace

import (
	"context"
	"math"
	"slices"
)

// convex is the problem of a step with known friction bounds, in tractions:
//
//	min ½ pᵀC p + bᵀp   subject to   p_n >= 0,  |p_t| <= g,  Σ a_m·p = f_m.
//
// b are the gaps and slips without elastic displacement, a_m the rigid modes of
// which the force is prescribed; their multipliers ξ_m are the displacements. At the
// solution y = C p + b + Σ ξ_m a_m are gaps y_n ⊥ p_n and slips y_t against p_t.
//
// The method is Newton's with active sets: elements are open, in contact, sticking
// or slipping; on the face that they span the quadratic is minimised by conjugate
// gradients, with the circulant inverse of the operator as preconditioner and the
// curvature of the circle |p_t| = g at slipping elements; the step is projected onto
// the set and cut where the energy is least. Energies decrease strictly, so that it
// ends from any start; a gradient step stands behind it [PolonskyKeer99, Vol10].
//
// All fields have the shape of the box. Components that do not take part are nil in
// p; displacements by them are part of b.
type convex struct {
	op    *Operator
	box   box
	n     int
	x, y0 []float64 // coordinates of columns and rows, from the pole

	b, p, cp Field
	y        Field
	g        []float64
	forces   []force
	ratio    float64 // p[Y] holds p_y/ratio, b[Y] and y[Y] are multiplied by it: the bound is a circle

	kind   []state
	tau    [2][]float64 // direction of slipping elements along the circle
	lambda []float64    // curvature |y_t|/g there

	dir, cdir, r, z, q Field // conjugate gradients; dir is the step d
	step, cstep        Field
	kept               Field // of steady
	keptMove           [Moves]float64
	v                  [Moves]Field // M⁻¹a of the forces
	gram               small
	move               [Moves]float64 // change of ξ with dir
	nu                 [Moves]float64 // multipliers of the last projection
	pre                *preconditioner
	products           int
	warm               bool // of steady: it has solved nearly this problem
	symmetric          bool // the operator is, not a difference
	mem                memory
	krylov             krylov
}

// memory is what convex works in, kept from step to step.
type memory struct {
	fields [fieldCount]Field
	kind   []state
	tau    [2][]float64
	lambda []float64
	x, y0  []float64
	scaled []float64
}

const fieldCount = 9 + Moves // y, dir, cdir, r, z, q, step, cstep, kept and v

// place puts the problem on a box, around the pole.
func (c *convex) place(op *Operator, at box, pole [2]float64) {
	c.op, c.box, c.n, c.symmetric = op, at, at.nx*at.ny, op.base == nil
	c.pre = op.preconditioner(at.nx, at.ny)
	m := &c.mem
	if len(m.kind) < c.n {
		for i := range m.fields {
			m.fields[i] = NewField(c.n)
		}
		m.scaled = make([]float64, c.n)
		m.kind, m.lambda = make([]state, c.n), make([]float64, c.n)
		m.tau = [2][]float64{make([]float64, c.n), make([]float64, c.n)}
		m.x, m.y0 = make([]float64, op.grid.NX), make([]float64, op.grid.NY)
	}
	c.kind, c.lambda = m.kind[:c.n], m.lambda[:c.n]
	c.tau = [2][]float64{m.tau[0][:c.n], m.tau[1][:c.n]}
	c.x, c.y0 = m.x[:at.nx], m.y0[:at.ny]
	for i := range c.x {
		c.x[i] = op.grid.X0 + float64(at.i0+i)*op.grid.DX - pole[0]
	}
	for j := range c.y0 {
		c.y0[j] = op.grid.Y0 + float64(at.j0+j)*op.grid.DY - pole[1]
	}
}

// take poses the problem of some components: the tractions p and their products cp
// are the caller's and hold the result.
func (c *convex) take(p, cp, b Field, g []float64, comps ...int) {
	c.g = g
	c.p, c.cp, c.b = Field{}, Field{}, Field{}
	work := [fieldCount]Field{}
	for _, comp := range comps {
		c.p[comp], c.cp[comp], c.b[comp] = p[comp], cp[comp], b[comp]
		for i := range work {
			work[i][comp] = c.mem.fields[i][comp][:c.n]
		}
	}
	c.y, c.dir, c.cdir, c.r, c.z, c.q, c.step, c.cstep = work[0], work[1], work[2], work[3], work[4], work[5], work[6], work[7]
	c.kept = work[8]
	copy(c.v[:], work[9:])
}

// state of an element, two parts.
type state uint8

const (
	pressed  state = 1 << iota // p_n is free
	sticking                   // both components of p_t are
	slipping                   // p_t may turn
	dropped                    // p_n + d was not positive: open in the next face
	reached                    // p_t + d was beyond the circle: slips in the next face
)

// has reports the components that take part.
func (c *convex) has(comp int) bool { return c.p[comp] != nil }

// energyChange is ½ dᵀC d + yᵀd.
func dot(a, b Field) float64 {
	sum := 0.0
	for c := range a {
		if a[c] == nil || b[c] == nil {
			continue
		}
		for k, v := range a[c] {
			sum += v * b[c][k]
		}
	}
	return sum
}

func axpy(dst Field, s float64, x Field) {
	for c := range dst {
		if dst[c] == nil || x[c] == nil {
			continue
		}
		d := dst[c]
		for k, v := range x[c] {
			d[k] += s * v
		}
	}
}

// residual sets y = C p + b + Σ ξ a from C p.
func (c *convex) residual() {
	for comp := range 3 {
		if !c.has(comp) {
			continue
		}
		y, cp, b := c.y[comp], c.cp[comp], c.b[comp]
		for k := range y {
			y[k] = cp[k] + b[k]
		}
		for i := range c.forces {
			c.addMode(y, comp, &c.forces[i].mode, c.forces[i].move)
		}
	}
}

// addMode adds s·a to a component.
func (c *convex) addMode(dst []float64, comp int, m *mode, s float64) {
	if !m.moves(comp) || s == 0 {
		return
	}
	for j, y := range c.y0 {
		row := dst[j*c.box.nx:][:c.box.nx]
		for i, x := range c.x {
			row[i] += s * m.at(comp, x, y)
		}
	}
}

// resultant is Σ a·v.
func (c *convex) resultant(m *mode, v Field) float64 {
	sum := 0.0
	for comp := range v {
		if v[comp] == nil || !m.moves(comp) {
			continue
		}
		for j, y := range c.y0 {
			row := v[comp][j*c.box.nx:][:c.box.nx]
			for i, x := range c.x {
				sum += row[i] * m.at(comp, x, y)
			}
		}
	}
	return sum
}

// multiply sets dst = C v.
func (c *convex) multiply(dst, v Field) {
	c.products++
	if c.ratio == 1 || v[Y] == nil && dst[Y] == nil {
		c.op.product(dst, v, c.box, c.box)
		return
	}
	if v[Y] != nil {
		scaled := c.mem.scaled[:c.n]
		for k, y := range v[Y] {
			scaled[k] = c.ratio * y
		}
		v[Y] = scaled
	}
	c.op.product(dst, v, c.box, c.box)
	for k := range dst[Y] {
		dst[Y][k] *= c.ratio
	}
}

// classify finds the face of p: elements that are, or want to be, in contact, and
// those that slip, with directions and curvatures.
func (c *convex) classify() {
	for k := range c.n {
		c.kind[k] = c.kind[k]&(dropped|reached) | c.normalState(k) | c.tangentialState(k)
	}
}

// normalState is that of primal-dual active sets: what the last face would have
// pulled is open, whatever its gap is since it was cut; without that rule it comes
// back at once and blocks the way.
func (c *convex) normalState(k int) state {
	if c.has(N) && (c.p[N][k] > 0 || c.y[N][k] < 0 && c.kind[k]&dropped == 0) {
		return pressed
	}
	return 0
}

// onCircle is how near to g a traction must be to lie on the circle: rounding of
// its projection, with room.
const onCircle = 1e-12

func (c *convex) tangentialState(k int) state {
	if !c.has(X) || !(c.g[k] > 0) {
		return 0
	}
	px, py := c.p[X][k], c.p[Y][k]
	r, g := math.Hypot(px, py), c.g[k]
	if r < g*(1-onCircle) {
		return sticking
	}
	outward := -(px*c.y[X][k] + py*c.y[Y][k]) / (g * g)
	if outward < 0 && c.kind[k]&reached == 0 {
		return sticking
	}
	c.tau[0][k], c.tau[1][k], c.lambda[k] = -py/r, px/r, max(outward, 0)
	return slipping
}

// restrict projects v onto the directions of the face.
func (c *convex) restrict(v Field) {
	if v[N] != nil {
		for k, s := range c.kind {
			if s&pressed == 0 {
				v[N][k] = 0
			}
		}
	}
	if v[X] == nil {
		return
	}
	for k, s := range c.kind {
		switch {
		case s&sticking != 0:
		case s&slipping != 0:
			along := c.tau[0][k]*v[X][k] + c.tau[1][k]*v[Y][k]
			v[X][k], v[Y][k] = along*c.tau[0][k], along*c.tau[1][k]
		default:
			v[X][k], v[Y][k] = 0, 0
		}
	}
}

// balance sets the displacements ξ so that gaps and slips on the face are least, if
// that makes the duality gap less, and finds the face again. It takes and returns
// the gap.
func (c *convex) balance(gap float64) float64 {
	if len(c.forces) == 0 {
		return gap
	}
	r := c.r
	copyField(r, c.y)
	c.restrict(r)
	var gram small
	var rhs [Moves]float64
	for i := range c.forces {
		for comp := range c.z {
			if c.z[comp] != nil {
				clear(c.z[comp])
				c.addMode(c.z[comp], comp, &c.forces[i].mode, 1)
			}
		}
		c.restrict(c.z)
		rhs[i] = -c.resultant(&c.forces[i].mode, r)
		for j := range c.forces {
			gram[i][j] = c.resultant(&c.forces[j].mode, c.z)
		}
	}
	gram.solve(&rhs, len(c.forces))
	c.shift(rhs)
	next := c.gap()
	if !(next < gap) {
		for i := range rhs {
			rhs[i] = -rhs[i]
		}
		c.shift(rhs)
		return gap
	}
	c.classify()
	return next
}

// shift adds to the displacements ξ, and to y.
func (c *convex) shift(by [Moves]float64) {
	for i := range c.forces {
		c.forces[i].move += by[i]
		for comp := range 3 {
			if c.has(comp) {
				c.addMode(c.y[comp], comp, &c.forces[i].mode, by[i])
			}
		}
	}
}

func copyField(dst, src Field) {
	for c := range dst {
		if dst[c] != nil && src[c] != nil {
			copy(dst[c], src[c])
		}
	}
}

// solve minimises from the tractions in p, which it first makes admissible, until
// the duality gap is at most relative·scale, an energy over the area of an element
// (0: that of p), and returns the gap and the number of faces. fresh says that cp
// belongs to p.
func (c *convex) solve(ctx context.Context, relative, scale float64, fresh bool) (gap float64, faces int, err error) {
	for k := range c.kind {
		c.kind[k] = pressed // the whole box may carry what forces need
	}
	copyField(c.step, c.p)
	if err := c.project(c.p); err != nil {
		return 0, 0, err
	}
	if !fresh || !same(c.step, c.p) {
		c.multiply(c.cp, c.p)
	}
	c.residual()
	stuck, settled := 0, false
	for range faceSteps {
		if err := ctx.Err(); err != nil {
			return math.Inf(1), faces, err
		}
		c.classify()
		if gap = c.gap(); stuck == 0 {
			gap = c.balance(gap)
		}
		if gap <= c.tolerance(relative, scale) {
			return gap, faces, nil
		}
		faces++
		c.face(ctx, faceReduction, faceLimit)
		// Where the way to the end of the face is barred, the gradient finds another.
		if c.advance() >= shortStep || c.descend() > 0 {
			stuck = 0
			continue
		}
		if stuck == stuckLimit {
			if gap = c.gap(); settled {
				return gap, faces, nil // nothing left but rounding
			}
			settled = true
			if next := c.settle(gap); next < gap {
				stuck = 0
				continue
			}
			return gap, faces, nil
		}
		stuck++ // with the displacements of the gradient step, then
	}
	return c.gap(), faces, nil
}

// tolerance is what the gap may be: a part of a scale, of the energy if that is 0, but no less than
// rounding.
func (c *convex) tolerance(relative, scale float64) float64 {
	if scale == 0 {
		scale = dot(c.p, c.cp) / 2
	}
	return max(relative*scale, c.rounding())
}

// rounding is that of the gap by the slips that it is made of: what a surface was dragged along
// before may be any number of times what moves it now.
func (c *convex) rounding() (sum float64) {
	if !c.has(X) {
		return 0
	}
	for k, g := range c.g {
		sum += g * (math.Abs(c.b[X][k]) + math.Abs(c.b[Y][k]))
	}
	return 0x1p-52 * sum
}

func same(a, b Field) bool {
	for c := range a {
		if !slices.Equal(a[c], b[c]) {
			return false
		}
	}
	return true
}

// The face is minimised only so far that its boundary is found again: tuned on
// Spence's compression and on Cattaneo's shear.
const (
	faceReduction = 0.1
	faceLimit     = 40
	faceSteps     = 200
	stuckLimit    = 5
)

// shortStep is the part of the way from which on its end has less energy than its
// beginning.
const shortStep = 0.5

// advance goes from p to the projection of p + d, or to the least energy on the
// way there, which lies in the set since that is convex. It returns the part of the
// way gone.
func (c *convex) advance() float64 {
	copyField(c.step, c.p)
	axpy(c.step, 1, c.dir)
	c.mark()
	if c.project(c.step) != nil {
		return 0
	}
	return c.towards()
}

// mark notes the elements that p + d, in step, has left the set at.
func (c *convex) mark() {
	for k, s := range c.kind {
		s &^= dropped | reached
		if s&pressed != 0 && c.step[N][k] <= 0 {
			s |= dropped
		}
		if s&sticking != 0 && math.Hypot(c.step[X][k], c.step[Y][k]) > c.g[k] {
			s |= reached
		}
		c.kind[k] = s
	}
}

// unmark forgets them.
func (c *convex) unmark() {
	for k := range c.kind {
		c.kind[k] &^= dropped | reached
	}
}

// descend does the same along the gradient, projected: what converges on any convex
// problem.
func (c *convex) descend() float64 {
	c.unmark()
	c.classify()
	c.move = [Moves]float64{}
	copyField(c.q, c.y)
	c.restrict(c.q)
	c.multiply(c.cdir, c.q)
	squares := dot(c.q, c.q)
	length := squares / dot(c.q, c.cdir)
	if !(length > 0) || math.IsInf(length, 0) { // a mean shift of a periodic surface costs nothing: up to the bounds
		if length = 0; squares > 0 {
			length = 2 * c.bound() / math.Sqrt(squares/float64(c.n))
		}
	}
	if length == 0 {
		return 0
	}
	copyField(c.step, c.p)
	axpy(c.step, -length, c.y)
	if c.project(c.step) != nil {
		return 0
	}
	// The projection subtracts Σ ν a: at the solution y + Σ ν a/length are its gaps.
	move := c.nu
	for i := range move {
		move[i] /= length
	}
	c.shift(move)
	return c.towards()
}

// bound is the largest friction bound; 0: there is none.
func (c *convex) bound() (most float64) {
	if c.has(X) {
		for _, g := range c.g {
			most = max(most, g)
		}
	}
	return most
}

// towards moves p to step if that has less energy, else to the least energy on the
// way; 0 if it only rises.
func (c *convex) towards() float64 {
	axpy(c.step, -1, c.p)
	slope := dot(c.y, c.step)
	if !(slope < 0) {
		return 0
	}
	c.multiply(c.cstep, c.step)
	length := -slope / dot(c.step, c.cstep)
	if !(length < shortStep) || length < 0 { // below zero by rounding, where nothing bends
		length = 1 // what is to be cut off is, at once
	}
	if length == 1 { // p + (step − p) would round
		axpy(c.step, 1, c.p)
		copyField(c.p, c.step)
	} else {
		axpy(c.p, length, c.step)
		c.clip()
	}
	axpy(c.cp, length, c.cstep)
	for i := range c.forces {
		c.forces[i].move += length * c.move[i]
	}
	c.residual()
	return length
}

// clip puts back what rounding has pushed over the boundary.
func (c *convex) clip() {
	if c.has(N) {
		for k, v := range c.p[N] {
			c.p[N][k] = max(v, 0)
		}
	}
	if c.has(X) {
		for k, g := range c.g {
			if r := math.Hypot(c.p[X][k], c.p[Y][k]); r > g {
				c.p[X][k] *= g / r
				c.p[Y][k] *= g / r
			}
		}
	}
}

// gap is the difference of the energy of p and a lower bound of the least one, over
// the area of an element: for all q in the set with the same resultants
// D(q) >= D(p) + yᵀ(q − p), and yᵀq is least, −Σ g|y_t|, if no gap is negative.
// Deepest penetration d is lifted: by a rigid motion where the approach is free, which
// costs d·Σp, else by a uniform pressure on the whole window, see [uniform].
func (c *convex) gap() float64 {
	sum := 0.0
	if c.has(N) {
		depth, total := 0.0, 0.0
		for k, y := range c.y[N] {
			depth = max(depth, -y)
			sum += c.p[N][k] * y
			total += c.p[N][k]
		}
		sum += c.lift(depth, total)
	}
	if c.has(X) {
		for k, g := range c.g {
			yx, yy := c.y[X][k], c.y[Y][k]
			sum += g*math.Hypot(yx, yy) + c.p[X][k]*yx + c.p[Y][k]*yy
		}
	}
	return sum
}

// lift is what the deepest penetration adds to the gap.
func (c *convex) lift(depth, total float64) float64 {
	for i := range c.forces {
		if c.forces[i].index == MoveN {
			return depth * total
		}
	}
	return c.op.uniform().lift(depth, total)
}

// raise lifts the body by the deepest penetration, if its approach is free: that is
// the displacement that the duality gap speaks of.
func (c *convex) raise() {
	for i := range c.forces {
		if c.forces[i].index == MoveN {
			depth := 0.0
			for _, y := range c.y[N] {
				depth = max(depth, -y)
			}
			c.forces[i].move += depth
		}
	}
}
