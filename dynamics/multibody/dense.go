package multibody

import (
	"github.com/quasistatic/quasistatic/internal/num"
)

// DenseInverse is an [inverse] with a full A, where Jacobians of forces couple bodies.
type DenseInverse struct {
	A, raw []float64 // factors and A itself
	perm   []int
	sym    []float64 // scratch of positive
	y      []float64 // A⁻¹Gᵀ by rows of the kept
	k      []float64 // factors of G̃ A⁻¹ Gᵀ
	kperm  []int
	lambda []float64
	work   []float64
	// Where the geometric stiffness of the joint forces takes the definiteness from A, all of (A
	// Gᵀ; G̃ 0) is factorised in the place of A alone, which may be singular.
	bordered bool
	border   []float64
	bperm    []int
	side     []float64
}

func (d *DenseInverse) mul(dst, x []float64, n int) {
	for i := range n {
		sum := 0.0
		for j, v := range d.raw[i*n : (i+1)*n] {
			sum += v * x[j]
		}
		dst[i] = sum
	}
}

// factor makes sure that A is positive definite, which Jacobians of forces may prevent.
func (d *DenseInverse) factor(s *Inverse) error {
	d.bordered = false
	if !d.positive(s.N, nil) {
		if d.bordered = s.M > 0 && d.positive(s.N, s.Blocks); !d.bordered {
			return ErrIndefinite
		}
	}
	d.raw = append(d.raw[:0], d.A...)
	d.perm = num.Grow(d.perm, s.N)
	if !num.FactorLU(d.A, d.perm, s.N) && !d.bordered {
		return ErrIndefinite
	}
	d.y, d.k, d.work = num.Grow(d.y, s.M*s.N), num.Grow(d.k, s.M*s.M), num.Grow(d.work, s.M*s.M)
	d.kperm, d.lambda = num.Grow(d.kperm, s.M), num.Grow(d.lambda, s.M)
	for r := range s.M {
		if !d.independent(s, r) {
			s.Gone = append(s.Gone, r)
			continue
		}
		if y := d.y[len(s.keep)*s.N : (len(s.keep)+1)*s.N]; !d.bordered {
			clear(y)
			s.Bands[r].Push(y, 1)
			s.Solve(y)
		}
		s.keep = append(s.keep, r)
	}
	if d.bordered {
		return d.factorBorder(s)
	}
	return d.schur(s)
}

// factorBorder factorises (A Gᵀ; G̃ 0) with the kept rows.
func (d *DenseInverse) factorBorder(s *Inverse) error {
	n := s.N + len(s.keep)
	d.border, d.bperm, d.side = num.Grow(d.border, n*n), num.Grow(d.bperm, n), num.Grow(d.side, n)
	clear(d.border)
	for i := range s.N {
		copy(d.border[i*n:i*n+s.N], d.raw[i*s.N:(i+1)*s.N])
	}
	for k, r := range s.keep {
		b, at := &s.Bands[r], s.N+k
		put := func(v int, pushes, feels []float64) {
			for i := range pushes {
				d.border[(v+i)*n+at] += pushes[i]
				d.border[at*n+v+i] += feels[i]
			}
		}
		put(b.va, b.OnA[:b.Na], b.OfA[:b.Na])
		put(b.vb, b.OnB[:b.Nb], b.OfB[:b.Nb])
	}
	if !num.FactorLU(d.border, d.bperm, n) {
		return ErrIndefinite
	}
	return nil
}

// solveBorder overwrites x by d with A d + Gᵀλ = x, G̃ d = target (zero if nil); the multipliers λ
// go to the bands.
func (d *DenseInverse) solveBorder(s *Inverse, x, target []float64) {
	n := s.N + len(s.keep)
	side := d.side[:n]
	copy(side, x)
	for k, r := range s.keep {
		side[s.N+k] = 0
		if target != nil {
			side[s.N+k] = target[r]
		}
	}
	num.SolveLU(d.border, d.bperm, n, side)
	copy(x, side)
	for r := range s.Bands {
		s.Bands[r].Multiplier = 0
	}
	for k, r := range s.keep {
		s.Bands[r].Multiplier = side[s.N+k]
	}
}

// positive reports whether the symmetric part of a, without the geometric stiffness of the blocks
// if any are given, has an LDLᵀ factorisation with positive pivots.
func (d *DenseInverse) positive(n int, blocks []Block) bool {
	d.sym = num.Grow(d.sym, n*n)
	l := d.sym
	for i := range n {
		for j := range i + 1 {
			l[i*n+j] = 0.5 * (d.A[i*n+j] + d.A[j*n+i])
		}
	}
	for i := range blocks {
		b := &blocks[i]
		for r := range b.N {
			for c := range r + 1 {
				l[(b.V+r)*n+b.V+c] -= b.stiff(r, c)
			}
		}
	}
	for k := range n {
		p := l[k*n+k]
		if !(p > 0) {
			return false
		}
		for i := k + 1; i < n; i++ {
			f := l[i*n+k] / p
			if f == 0 {
				continue
			}
			for j := k + 1; j <= i; j++ {
				l[i*n+j] -= f * l[j*n+k]
			}
		}
	}
	return true
}

// independent extends the factorisation LDLᵀ of GM⁻¹Gᵀ by row r, in work, and reports whether its
// pivot is new. The rank of G does not depend on the metric; that of M is symmetric at any spin.
func (d *DenseInverse) independent(s *Inverse, r int) bool {
	k := len(s.keep)
	l := d.work
	whole := s.Product(r, r)
	pivot := whole
	for i, row := range s.keep {
		v := s.Product(row, r)
		for j := range i {
			v -= l[i*s.M+j] * l[k*s.M+j] * l[j*s.M+j]
		}
		v /= l[i*s.M+i]
		l[k*s.M+i] = v
		pivot -= v * v * l[i*s.M+i]
	}
	if !(pivot > rankTolerance*whole) {
		return false
	}
	l[k*s.M+k] = pivot
	return true
}

// schur factorises G̃ A⁻¹Gᵀ of the kept rows.
func (d *DenseInverse) schur(s *Inverse) error {
	nk := len(s.keep)
	for i, row := range s.keep {
		for j := range nk {
			d.k[i*nk+j] = s.Bands[row].slope(d.y[j*s.N:])
		}
	}
	if !num.FactorLU(d.k, d.kperm, nk) {
		return ErrIndefinite
	}
	return nil
}

// hold is [inverse.hold].
func (d *DenseInverse) hold(s *Inverse, w, shift []float64) {
	nk := len(s.keep)
	if d.bordered {
		side := num.Grow(d.work, s.N+s.M)
		d.work = side
		x, goal := side[:s.N], side[s.N:]
		clear(x)
		for r := range s.Bands {
			goal[r] = -s.Bands[r].slope(w)
			if shift != nil {
				goal[r] += shift[r]
			}
		}
		d.solveBorder(s, x, goal)
		for i, v := range x {
			w[i] += v
		}
		return
	}
	for i, row := range s.keep {
		d.lambda[i] = s.Bands[row].slope(w)
		if shift != nil {
			d.lambda[i] -= shift[row]
		}
	}
	if nk > 0 {
		num.SolveLU(d.k, d.kperm, nk, d.lambda[:nk])
	}
	for r := range s.Bands {
		s.Bands[r].Multiplier = 0
	}
	for i, l := range d.lambda[:nk] {
		s.Bands[s.keep[i]].Multiplier = l
		for c, v := range d.y[i*s.N : (i+1)*s.N] {
			w[c] -= l * v
		}
	}
}
