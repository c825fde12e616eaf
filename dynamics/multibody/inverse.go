package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
)

// Inverse is the operator of one component that gives the change of velocity for impulses while the
// joints hold,
//
//	S = A⁻¹ − A⁻¹Gᵀ(G̃ A⁻¹Gᵀ)⁻¹ G̃ A⁻¹,   A = M̃,
//
// with the dependent rows of G left out. Where no force couples bodies, A is block diagonal and S
// is applied by the tree of the mechanism.
type Inverse struct {
	N, M   int
	Blocks []Block // of the bodies
	Bands  []Band  // rows of G
	Mass   []float64
	keep   []int // rows of the Schur complement that are independent
	Gone   []int // dependent rows
	Tree   *Tree
	ByTree bool
	// dense takes the place of all else where forces couple bodies; coupled is its memory.
	Dense, Coupled *DenseInverse
	// Of the loops of a tree: y are S Gᵀ with the multipliers, by kept rows.
	y, k, work []float64
	kperm      []int
	z, lambda  []float64
	Target     []float64 // scratch of the projection
	Shift      []float64 // speeds of the joints in a step of the secant scheme
	// Scratch of whole: right sides, what is left of them, and the multipliers.
	right, rest, goal, found []float64
}

// Open makes the blocks, the bands and the tree of a component.
func (s *Inverse) Open(m *Model, c *Component) {
	number := map[int]int{}
	for i, b := range c.Bodies {
		number[b] = i
		s.Blocks = append(s.Blocks, Block{V: m.Bodies[b].Local, N: m.Bodies[b].N, lin: m.Dim})
	}
	for _, i := range c.Rows {
		r := &m.Rows[i]
		x := Band{A: number[r.A], va: m.Bodies[r.A].Local, Na: m.Bodies[r.A].N, B: -1}
		if r.B >= 0 {
			x.B, x.vb, x.Nb = number[r.B], m.Bodies[r.B].Local, m.Bodies[r.B].N
		}
		s.Bands = append(s.Bands, x)
	}
	s.Tree = newTree(m, c)
}

func (s *Inverse) Resize(n, m int) {
	s.N, s.M = n, m
	s.Mass = num.Grow(s.Mass, n)
	s.z, s.lambda = num.Grow(s.z, n+m), num.Grow(s.lambda, m)
}

// Solve overwrites x by A⁻¹x.
func (s *Inverse) Solve(x []float64) {
	if s.Dense != nil {
		num.SolveLU(s.Dense.A, s.Dense.perm, s.N, x)
		return
	}
	for i := range s.Blocks {
		s.Blocks[i].Solve(x)
	}
}

// Mul overwrites dst by A x.
func (s *Inverse) Mul(dst, x []float64) {
	if s.Dense != nil {
		s.Dense.mul(dst, x, s.N)
		return
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if !b.Full {
			for k := range b.N {
				dst[b.V+k] = b.A[k*b.N+k] * x[b.V+k]
			}
			continue
		}
		for r := range b.N {
			sum := 0.0
			for c, a := range b.A[r*b.N : (r+1)*b.N] {
				sum += a * x[b.V+c]
			}
			dst[b.V+r] = sum
		}
	}
}

// Factor prepares solve and hold from the blocks, or the dense A, and the bands.
func (s *Inverse) Factor() error {
	s.keep, s.Gone = s.keep[:0], s.Gone[:0]
	if s.Dense != nil {
		return s.Dense.factor(s)
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if !b.Full {
			continue
		}
		at := b.N - 3
		for r := range 3 {
			copy(b.lu[3*r:3*r+3], b.A[(at+r)*b.N+at:])
		}
		if !num.FactorLU(b.lu[:], b.perm[:], 3) {
			return ErrIndefinite
		}
	}
	if s.M == 0 {
		return nil
	}
	if s.ByTree = s.Tree.factor(s); !s.ByTree {
		return s.schur(s.allRows())
	}
	if len(s.Tree.Loops) == 0 {
		return nil
	}
	return s.schur(s.Tree.Loops)
}

func (s *Inverse) allRows() []int {
	s.Tree.all = s.Tree.all[:0]
	for r := range s.M {
		s.Tree.all = append(s.Tree.all, r)
	}
	return s.Tree.all
}

// stacked is the size of a vector of velocities and multipliers.
func (s *Inverse) stacked() int { return s.N + s.M }

// forest solves with A and the joints of the forest: x of velocities and the targets of all rows,
// of which those of the forest count, are overwritten by velocities and multipliers:
//
//	A d + Gᵀλ = x,  G̃ d = target.
//
// Where the forest is not used, targets are ignored and λ is zero.
func (s *Inverse) forest(x, target []float64) {
	if !s.ByTree {
		s.Solve(x)
		clear(target)
		return
	}
	t := s.Tree
	copy(t.right, x)
	copy(t.goal, target)
	s.eliminate(x, target)
	// Where a light body carries a heavy one the sum of their inertias has lost the light one's
	// digits; one round of refinement gives them back.
	s.Mul(t.rest, x)
	for i, f := range t.right {
		t.rest[i] = f - t.rest[i]
	}
	for r := range s.Bands {
		if b := &s.Bands[r]; t.of[r] >= 0 {
			b.Push(t.rest, -target[r])
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
func (s *Inverse) eliminate(x, target []float64) {
	t, z := s.Tree, s.z
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Body >= 0 {
			v := s.Blocks[n.Body].V
			copy(z[n.at:n.at+n.N], x[v:])
		} else {
			copy(z[n.at:n.at+n.N], target[n.Row:])
		}
	}
	t.solve(z)
	clear(target)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Body >= 0 {
			copy(x[s.Blocks[n.Body].V:], z[n.at:n.at+n.N])
		} else {
			copy(target[n.Row:n.Row+n.N], z[n.at:])
		}
	}
}

// schur finds the independent ones among the rows that the forest leaves and factorises their
// complement.
func (s *Inverse) schur(rows []int) error {
	size := s.stacked()
	s.y = num.Grow(s.y, len(rows)*size)
	s.work = num.Grow(s.work, len(rows)*len(rows))
	n := len(rows)
	for _, r := range rows {
		y := s.y[len(s.keep)*size : (len(s.keep)+1)*size]
		clear(y)
		b := &s.Bands[r]
		b.Push(y, 1)
		s.Solve(y[:s.N])
		whole := b.slope(y)
		clear(y)
		b.Push(y, 1)
		s.forest(y[:s.N], y[s.N:])
		// L U without pivots, row by row: the pivot is what is new in the row.
		k := len(s.keep)
		for i, other := range s.keep {
			s.work[k*n+i] = b.slope(s.y[i*size:])
			s.work[i*n+k] = s.Bands[other].slope(y)
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
		// the step are on two sides of it: a pivot may be negative, and says what a positive one
		// does.
		if !(math.Abs(pivot) > rankTolerance*whole) {
			s.Gone = append(s.Gone, r)
			continue
		}
		s.work[k*n+k] = pivot
		s.keep = append(s.keep, r)
	}
	return s.complement()
}

// complement factorises G̃ S Gᵀ of the kept rows.
func (s *Inverse) complement() error {
	nk, size := len(s.keep), s.stacked()
	s.k, s.kperm = num.Grow(s.k, nk*nk), num.Grow(s.kperm, nk)
	for i, r := range s.keep {
		for j := range nk {
			s.k[i*nk+j] = s.Bands[r].slope(s.y[j*size:])
		}
	}
	if !num.FactorLU(s.k, s.kperm, nk) {
		return ErrIndefinite
	}
	return nil
}

// Diagonal reports whether S is the inverse of a diagonal A of one body.
func (s *Inverse) Diagonal() bool {
	return s.M == 0 && len(s.Blocks) == 1 && s.Dense == nil && !s.Blocks[0].Full
}

// ScaleTo overwrites y by A⁻¹h for a diagonal A, dim columns.
func (s *Inverse) ScaleTo(y, h []float64, dim int) {
	b := &s.Blocks[0]
	for i := range b.N {
		d := b.A[i*b.N+i]
		for k := i * dim; k < (i+1)*dim; k++ {
			y[k] = h[k] / d
		}
	}
}

// Advance overwrites x by d and the multipliers by λ of
//
//	A d + Gᵀλ = x,  G̃ d = target,
//
// with or without refinement: Newton's method corrects itself where x vanishes.
func (s *Inverse) Advance(x, target []float64, refine bool) {
	if s.Dense != nil || !s.ByTree {
		s.Whole(x, target)
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

// Whole is advance without the tree, with a round of refinement: a light body between heavy ones
// answers A⁻¹ with what its joints take away again but for the last digits.
func (s *Inverse) Whole(x, target []float64) {
	if s.M == 0 {
		s.Solve(x)
		return
	}
	s.right = append(s.right[:0], x...)
	s.once(x, target)
	s.rest, s.goal, s.found = num.Grow(s.rest, s.N), num.Grow(s.goal, s.M), num.Grow(s.found, s.M)
	s.Mul(s.rest, x)
	for i, f := range s.right {
		s.rest[i] = f - s.rest[i]
	}
	for r := range s.Bands {
		b := &s.Bands[r]
		b.Push(s.rest, -b.Multiplier)
		s.goal[r], s.found[r] = -b.slope(x), b.Multiplier
		if target != nil {
			s.goal[r] += target[r]
		}
	}
	s.once(s.rest, s.goal)
	for i, d := range s.rest {
		x[i] += d
	}
	for r, l := range s.found {
		s.Bands[r].Multiplier += l
	}
}

// once is whole without refinement.
func (s *Inverse) once(x, target []float64) {
	if s.Dense != nil && s.Dense.bordered {
		s.Dense.solveBorder(s, x, target)
		return
	}
	s.Solve(x)
	s.Hold(x, target)
}

// Respond overwrites x by S x.
func (s *Inverse) Respond(x []float64) {
	if s.Dense != nil || !s.ByTree {
		s.Whole(x, nil)
		return
	}
	clear(s.lambda)
	s.forest(x, s.lambda)
	s.close(x, nil)
}

// Hold overwrites w by w − A⁻¹Gᵀλ with G̃ w = shift (zero if nil): the joints hold. shift is by all
// rows. The multipliers λ go to the bands.
func (s *Inverse) Hold(w, shift []float64) {
	if s.M == 0 {
		return
	}
	if s.Dense != nil {
		s.Dense.hold(s, w, shift)
		return
	}
	if !s.ByTree {
		clear(s.lambda)
		s.close(w, shift)
		return
	}
	for r := range s.lambda {
		s.lambda[r] = -s.Bands[r].slope(w)
		if shift != nil {
			s.lambda[r] += shift[r]
		}
	}
	d := s.Tree.d
	clear(d)
	s.forest(d, s.lambda)
	for i, x := range d {
		w[i] += x
	}
	s.close(w, shift)
}

// close adds to w what makes the kept rows of the loops hold, and sets the multipliers; lambda
// holds those of the forest.
func (s *Inverse) close(w, shift []float64) {
	nk, size := len(s.keep), s.stacked()
	rest := s.work[:nk]
	for i, r := range s.keep {
		rest[i] = s.Bands[r].slope(w)
		if shift != nil {
			rest[i] -= shift[r]
		}
	}
	if nk > 0 {
		num.SolveLU(s.k, s.kperm, nk, rest)
	}
	for i, l := range rest {
		y := s.y[i*size : (i+1)*size]
		for c, v := range y[:s.N] {
			w[c] -= l * v
		}
		for c, v := range y[s.N:] {
			s.lambda[c] -= l * v
		}
	}
	for i, r := range s.keep {
		s.lambda[r] = rest[i]
	}
	for r := range s.Bands {
		s.Bands[r].Multiplier = s.lambda[r]
	}
}

// Product of two rows of G in the metric M⁻¹.
func (s *Inverse) Product(a, b int) float64 {
	x, y, sum := &s.Bands[a], &s.Bands[b], 0.0
	dot := func(v int, g, f []float64) {
		for k := range g {
			sum += g[k] * f[k] / s.Mass[v+k]
		}
	}
	for _, p := range []struct {
		body, v, n int
		g          *[6]float64
	}{{x.A, x.va, x.Na, &x.OnA}, {x.B, x.vb, x.Nb, &x.OnB}} {
		if y.A == p.body {
			dot(p.v, p.g[:p.n], y.OnA[:p.n])
		} else if y.B == p.body {
			dot(p.v, p.g[:p.n], y.OnB[:p.n])
		}
	}
	return sum
}
