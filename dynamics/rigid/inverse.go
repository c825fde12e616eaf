package rigid

import "math"

// rankTolerance: a joint row whose part that is new to the rows before is
// below this share of it, squared, says nothing new.
const rankTolerance = 1e-12

// band is a row of G: what the velocities of two bodies of the component add to
// it; b is −1 for the ground. In a step of the secant scheme G is that of the middle, and
// ofA and ofB are the row of G̃ = ∂(Ḡw)/∂w, see tilt; else they are onA and onB.
type band struct {
	a, b       int // bodies in the component
	va, vb     int // their first velocities in it
	na, nb     int
	onA, onB   [6]float64
	ofA, ofB   [6]float64
	theta      float64 // Θ
	lever      lever
	multiplier float64 // of the last hold
	impulse    float64 // c of the present iterate [N s]
}

// on returns what the row pushes on a body, and what it feels of it.
func (b *band) on(body int) (pushes, feels *[6]float64) {
	if body == b.a {
		return &b.onA, &b.ofA
	}
	return &b.onB, &b.ofB
}

// rate is the row of G times x.
func (b *band) rate(x []float64) (sum float64) {
	for k, g := range b.onA[:b.na] {
		sum += g * x[b.va+k]
	}
	for k, g := range b.onB[:b.nb] {
		sum += g * x[b.vb+k]
	}
	return sum
}

// slope is the row of G̃ times x.
func (b *band) slope(x []float64) (sum float64) {
	for k, g := range b.ofA[:b.na] {
		sum += g * x[b.va+k]
	}
	for k, g := range b.ofB[:b.nb] {
		sum += g * x[b.vb+k]
	}
	return sum
}

// push adds f times the row of G to x.
func (b *band) push(x []float64, f float64) {
	for k, g := range b.onA[:b.na] {
		x[b.va+k] += f * g
	}
	for k, g := range b.onB[:b.nb] {
		x[b.vb+k] += f * g
	}
}

// block is the part of A of one body: diagonal, or with a full block of spins.
type block struct {
	v, n int
	lin  int // of them of the centre
	full bool
	a    [36]float64 // row by row, n×n
	lu   [9]float64  // of the spins
	perm [3]int
	// Geometric stiffness of the secant scheme, of the spins and of the
	// velocities; turned: the former is not zero.
	geo    [9]float64
	pull   float64
	turned bool
	weight float64 // α of them in A
}

// stiff is an entry of the symmetric part of the geometric stiffness in A.
func (b *block) stiff(r, c int) float64 {
	switch r, c := r-b.lin, c-b.lin; {
	case r < 0 && r == c:
		return b.weight * b.pull
	case r < 0 || c < 0 || !b.turned:
		return 0
	case b.lin == 2:
		return b.weight * b.geo[8]
	default:
		return b.weight * 0.5 * (b.geo[3*r+c] + b.geo[3*c+r])
	}
}

// solve overwrites the part of the body of x by A⁻¹x.
func (b *block) solve(x []float64) {
	n := b.n
	if b.full {
		n -= 3
		luSolve(b.lu[:], b.perm[:], 3, x[b.v+n:b.v+n+3])
	}
	for k := range n {
		x[b.v+k] /= b.a[k*b.n+k]
	}
}

// inverse is the operator of one component that gives the change of velocity
// for impulses while the joints hold,
//
//	S = A⁻¹ − A⁻¹Gᵀ(G̃ A⁻¹Gᵀ)⁻¹ G̃ A⁻¹,   A = M̃,
//
// with the dependent rows of G left out. Where no force couples bodies, A is
// block diagonal and S is applied by the tree of the mechanism.
type inverse struct {
	n, m   int
	blocks []block // of the bodies
	bands  []band  // rows of G
	mass   []float64
	keep   []int // rows of the Schur complement that are independent
	gone   []int // dependent rows
	tree   *tree
	byTree bool
	// dense takes the place of all else where forces couple bodies; coupled is
	// its memory.
	dense, coupled *denseInverse
	// Of the loops of a tree: y are S Gᵀ with the multipliers, by kept rows.
	y, k, work []float64
	kperm      []int
	z, lambda  []float64
	target     []float64 // scratch of the projection
	shift      []float64 // speeds of the joints in a step of the secant scheme
	// Scratch of whole: right sides, what is left of them, and the multipliers.
	right, rest, goal, found []float64
}

// open makes the blocks, the bands and the tree of a component.
func (s *inverse) open(m *Model, c *component) {
	number := map[int]int{}
	for i, b := range c.bodies {
		number[b] = i
		s.blocks = append(s.blocks, block{v: m.body[b].local, n: m.body[b].n, lin: m.dim})
	}
	for _, i := range c.rows {
		r := &m.rows[i]
		x := band{a: number[r.a], va: m.body[r.a].local, na: m.body[r.a].n, b: -1}
		if r.b >= 0 {
			x.b, x.vb, x.nb = number[r.b], m.body[r.b].local, m.body[r.b].n
		}
		s.bands = append(s.bands, x)
	}
	s.tree = newTree(m, c)
}

func (s *inverse) resize(n, m int) {
	s.n, s.m = n, m
	s.mass = grow(s.mass, n)
	s.z, s.lambda = grow(s.z, n+m), grow(s.lambda, m)
}

// solve overwrites x by A⁻¹x.
func (s *inverse) solve(x []float64) {
	if s.dense != nil {
		luSolve(s.dense.a, s.dense.perm, s.n, x)
		return
	}
	for i := range s.blocks {
		s.blocks[i].solve(x)
	}
}

// mul overwrites dst by A x.
func (s *inverse) mul(dst, x []float64) {
	if s.dense != nil {
		s.dense.mul(dst, x, s.n)
		return
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		if !b.full {
			for k := range b.n {
				dst[b.v+k] = b.a[k*b.n+k] * x[b.v+k]
			}
			continue
		}
		for r := range b.n {
			sum := 0.0
			for c, a := range b.a[r*b.n : (r+1)*b.n] {
				sum += a * x[b.v+c]
			}
			dst[b.v+r] = sum
		}
	}
}

// factor prepares solve and hold from the blocks, or the dense A, and the bands.
func (s *inverse) factor() error {
	s.keep, s.gone = s.keep[:0], s.gone[:0]
	if s.dense != nil {
		return s.dense.factor(s)
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		if !b.full {
			continue
		}
		at := b.n - 3
		for r := range 3 {
			copy(b.lu[3*r:3*r+3], b.a[(at+r)*b.n+at:])
		}
		if !luFactor(b.lu[:], b.perm[:], 3) {
			return ErrIndefinite
		}
	}
	if s.m == 0 {
		return nil
	}
	if s.byTree = s.tree.factor(s); !s.byTree {
		return s.schur(s.allRows())
	}
	if len(s.tree.loops) == 0 {
		return nil
	}
	return s.schur(s.tree.loops)
}

func (s *inverse) allRows() []int {
	s.tree.all = s.tree.all[:0]
	for r := range s.m {
		s.tree.all = append(s.tree.all, r)
	}
	return s.tree.all
}

// stacked is the size of a vector of velocities and multipliers.
func (s *inverse) stacked() int { return s.n + s.m }

// forest solves with A and the joints of the forest: x of velocities and the
// targets of all rows, of which those of the forest count, are overwritten by
// velocities and multipliers:
//
//	A d + Gᵀλ = x,  G̃ d = target.
//
// Where the forest is not used, targets are ignored and λ is zero.
func (s *inverse) forest(x, target []float64) {
	if !s.byTree {
		s.solve(x)
		clear(target)
		return
	}
	t := s.tree
	copy(t.right, x)
	copy(t.goal, target)
	s.eliminate(x, target)
	// Where a light body carries a heavy one the sum of their inertias has lost
	// the light one's digits; one round of refinement gives them back.
	s.mul(t.rest, x)
	for i, f := range t.right {
		t.rest[i] = f - t.rest[i]
	}
	for r := range s.bands {
		if b := &s.bands[r]; t.of[r] >= 0 {
			b.push(t.rest, -target[r])
			t.goal[r] -= b.slope(x)
		}
	}
	s.eliminate(t.rest, t.goal)
	for i, d := range t.rest {
		x[i] += d
	}
	for r, d := range t.goal {
		target[r] += d
	}
}

// eliminate is forest without refinement.
func (s *inverse) eliminate(x, target []float64) {
	t, z := s.tree, s.z
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.body >= 0 {
			v := s.blocks[n.body].v
			copy(z[n.at:n.at+n.n], x[v:])
		} else {
			copy(z[n.at:n.at+n.n], target[n.row:])
		}
	}
	t.solve(z)
	clear(target)
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.body >= 0 {
			copy(x[s.blocks[n.body].v:], z[n.at:n.at+n.n])
		} else {
			copy(target[n.row:n.row+n.n], z[n.at:])
		}
	}
}

// schur finds the independent ones among the rows that the forest leaves and
// factorises their complement.
func (s *inverse) schur(rows []int) error {
	size := s.stacked()
	s.y = grow(s.y, len(rows)*size)
	s.work = grow(s.work, len(rows)*len(rows))
	n := len(rows)
	for _, r := range rows {
		y := s.y[len(s.keep)*size : (len(s.keep)+1)*size]
		clear(y)
		b := &s.bands[r]
		b.push(y, 1)
		s.solve(y[:s.n])
		whole := b.slope(y)
		clear(y)
		b.push(y, 1)
		s.forest(y[:s.n], y[s.n:])
		// L U without pivots, row by row: the pivot is what is new in the row.
		k := len(s.keep)
		for i, other := range s.keep {
			s.work[k*n+i] = b.slope(s.y[i*size:])
			s.work[i*n+k] = s.bands[other].slope(y)
		}
		pivot := b.slope(y)
		for i := range k {
			for j := range i {
				s.work[k*n+i] -= s.work[k*n+j] * s.work[j*n+i]
				s.work[i*n+k] -= s.work[i*n+j] * s.work[j*n+k]
			}
			s.work[k*n+i] /= s.work[i*n+i]
			said := s.work[k*n+i] * s.work[i*n+k]
			pivot -= said
			whole = max(whole, math.Abs(said))
		}
		// Where the mechanism is near a dead point the gradients in the middle and at the end of
		// the step are on two sides of it: a pivot may be negative, and says what a positive one does.
		if !(math.Abs(pivot) > rankTolerance*whole) {
			s.gone = append(s.gone, r)
			continue
		}
		s.work[k*n+k] = pivot
		s.keep = append(s.keep, r)
	}
	return s.complement()
}

// complement factorises G̃ S Gᵀ of the kept rows.
func (s *inverse) complement() error {
	nk, size := len(s.keep), s.stacked()
	s.k, s.kperm = grow(s.k, nk*nk), grow(s.kperm, nk)
	for i, r := range s.keep {
		for j := range nk {
			s.k[i*nk+j] = s.bands[r].slope(s.y[j*size:])
		}
	}
	if !luFactor(s.k, s.kperm, nk) {
		return ErrIndefinite
	}
	return nil
}

// diagonal reports whether S is the inverse of a diagonal A of one body.
func (s *inverse) diagonal() bool {
	return s.m == 0 && len(s.blocks) == 1 && s.dense == nil && !s.blocks[0].full
}

// scaleTo overwrites y by A⁻¹h for a diagonal A, dim columns.
func (s *inverse) scaleTo(y, h []float64, dim int) {
	b := &s.blocks[0]
	for i := range b.n {
		d := b.a[i*b.n+i]
		for k := i * dim; k < (i+1)*dim; k++ {
			y[k] = h[k] / d
		}
	}
}

// advance overwrites x by d and the multipliers by λ of
//
//	A d + Gᵀλ = x,  G̃ d = target,
//
// with or without refinement: Newton's method corrects itself where x vanishes.
func (s *inverse) advance(x, target []float64, refine bool) {
	if s.dense != nil || !s.byTree {
		s.whole(x, target)
		return
	}
	copy(s.lambda, target)
	if refine {
		s.forest(x, s.lambda)
	} else {
		s.eliminate(x, s.lambda)
	}
	s.close(x, target)
}

// whole is advance without the tree, with a round of refinement: a light body between heavy ones answers A⁻¹ with what its
// joints take away again but for the last digits.
func (s *inverse) whole(x, target []float64) {
	if s.m == 0 {
		s.solve(x)
		return
	}
	s.right = append(s.right[:0], x...)
	s.once(x, target)
	s.rest, s.goal, s.found = grow(s.rest, s.n), grow(s.goal, s.m), grow(s.found, s.m)
	s.mul(s.rest, x)
	for i, f := range s.right {
		s.rest[i] = f - s.rest[i]
	}
	for r := range s.bands {
		b := &s.bands[r]
		b.push(s.rest, -b.multiplier)
		s.goal[r], s.found[r] = -b.slope(x), b.multiplier
		if target != nil {
			s.goal[r] += target[r]
		}
	}
	s.once(s.rest, s.goal)
	for i, d := range s.rest {
		x[i] += d
	}
	for r, l := range s.found {
		s.bands[r].multiplier += l
	}
}

// once is whole without refinement.
func (s *inverse) once(x, target []float64) {
	if s.dense != nil && s.dense.bordered {
		s.dense.solveBorder(s, x, target)
		return
	}
	s.solve(x)
	s.hold(x, target)
}

// respond overwrites x by S x.
func (s *inverse) respond(x []float64) {
	if s.dense != nil || !s.byTree {
		s.whole(x, nil)
		return
	}
	clear(s.lambda)
	s.forest(x, s.lambda)
	s.close(x, nil)
}

// hold overwrites w by w − A⁻¹Gᵀλ with G̃ w = shift (zero if nil): the joints
// hold. shift is by all rows. The multipliers λ go to the bands.
func (s *inverse) hold(w, shift []float64) {
	if s.m == 0 {
		return
	}
	if s.dense != nil {
		s.dense.hold(s, w, shift)
		return
	}
	if !s.byTree {
		clear(s.lambda)
		s.close(w, shift)
		return
	}
	for r := range s.lambda {
		s.lambda[r] = -s.bands[r].slope(w)
		if shift != nil {
			s.lambda[r] += shift[r]
		}
	}
	d := s.tree.d
	clear(d)
	s.forest(d, s.lambda)
	for i, x := range d {
		w[i] += x
	}
	s.close(w, shift)
}

// close adds to w what makes the kept rows of the loops hold, and sets the
// multipliers; lambda holds those of the forest.
func (s *inverse) close(w, shift []float64) {
	nk, size := len(s.keep), s.stacked()
	rest := s.work[:nk]
	for i, r := range s.keep {
		rest[i] = s.bands[r].slope(w)
		if shift != nil {
			rest[i] -= shift[r]
		}
	}
	if nk > 0 {
		luSolve(s.k, s.kperm, nk, rest)
	}
	for i, l := range rest {
		y := s.y[i*size : (i+1)*size]
		for c, v := range y[:s.n] {
			w[c] -= l * v
		}
		for c, v := range y[s.n:] {
			s.lambda[c] -= l * v
		}
	}
	for i, r := range s.keep {
		s.lambda[r] = rest[i]
	}
	for r := range s.bands {
		s.bands[r].multiplier = s.lambda[r]
	}
}

// product of two rows of G in the metric M⁻¹.
func (s *inverse) product(a, b int) float64 {
	x, y, sum := &s.bands[a], &s.bands[b], 0.0
	dot := func(v int, g, f []float64) {
		for k := range g {
			sum += g[k] * f[k] / s.mass[v+k]
		}
	}
	for _, p := range []struct {
		body, v, n int
		g          *[6]float64
	}{{x.a, x.va, x.na, &x.onA}, {x.b, x.vb, x.nb, &x.onB}} {
		if y.a == p.body {
			dot(p.v, p.g[:p.n], y.onA[:p.n])
		} else if y.b == p.body {
			dot(p.v, p.g[:p.n], y.onB[:p.n])
		}
	}
	return sum
}
