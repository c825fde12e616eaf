package rigid

// denseInverse is an [inverse] with a full A, where Jacobians of forces couple
// bodies.
type denseInverse struct {
	a, raw []float64 // factors and A itself
	perm   []int
	sym    []float64 // scratch of positive
	y      []float64 // A⁻¹Gᵀ by rows of the kept
	k      []float64 // factors of G̃ A⁻¹ Gᵀ
	kperm  []int
	lambda []float64
	work   []float64
	// Where the geometric stiffness of the joint forces takes the definiteness from A, all of (A Gᵀ; G̃ 0)
	// is factorised in the place of A alone, which may be singular.
	bordered bool
	border   []float64
	bperm    []int
	side     []float64
}

func (d *denseInverse) mul(dst, x []float64, n int) {
	for i := range n {
		sum := 0.0
		for j, v := range d.raw[i*n : (i+1)*n] {
			sum += v * x[j]
		}
		dst[i] = sum
	}
}

// factor makes sure that A is positive definite, which Jacobians of forces may
// prevent.
func (d *denseInverse) factor(s *inverse) error {
	d.bordered = false
	if !d.positive(s.n, nil) {
		if d.bordered = s.m > 0 && d.positive(s.n, s.blocks); !d.bordered {
			return ErrIndefinite
		}
	}
	d.raw = append(d.raw[:0], d.a...)
	d.perm = grow(d.perm, s.n)
	if !luFactor(d.a, d.perm, s.n) && !d.bordered {
		return ErrIndefinite
	}
	d.y, d.k, d.work = grow(d.y, s.m*s.n), grow(d.k, s.m*s.m), grow(d.work, s.m*s.m)
	d.kperm, d.lambda = grow(d.kperm, s.m), grow(d.lambda, s.m)
	for r := range s.m {
		if !d.independent(s, r) {
			s.gone = append(s.gone, r)
			continue
		}
		if y := d.y[len(s.keep)*s.n : (len(s.keep)+1)*s.n]; !d.bordered {
			clear(y)
			s.bands[r].push(y, 1)
			s.solve(y)
		}
		s.keep = append(s.keep, r)
	}
	if d.bordered {
		return d.factorBorder(s)
	}
	return d.schur(s)
}

// factorBorder factorises (A Gᵀ; G̃ 0) with the kept rows.
func (d *denseInverse) factorBorder(s *inverse) error {
	n := s.n + len(s.keep)
	d.border, d.bperm, d.side = grow(d.border, n*n), grow(d.bperm, n), grow(d.side, n)
	clear(d.border)
	for i := range s.n {
		copy(d.border[i*n:i*n+s.n], d.raw[i*s.n:(i+1)*s.n])
	}
	for k, r := range s.keep {
		b, at := &s.bands[r], s.n+k
		put := func(v int, pushes, feels []float64) {
			for i := range pushes {
				d.border[(v+i)*n+at] += pushes[i]
				d.border[at*n+v+i] += feels[i]
			}
		}
		put(b.va, b.onA[:b.na], b.ofA[:b.na])
		put(b.vb, b.onB[:b.nb], b.ofB[:b.nb])
	}
	if !luFactor(d.border, d.bperm, n) {
		return ErrIndefinite
	}
	return nil
}

// solveBorder overwrites x by d with A d + Gᵀλ = x, G̃ d = target (zero if nil); the multipliers λ go to the bands.
func (d *denseInverse) solveBorder(s *inverse, x, target []float64) {
	n := s.n + len(s.keep)
	side := d.side[:n]
	copy(side, x)
	for k, r := range s.keep {
		side[s.n+k] = 0
		if target != nil {
			side[s.n+k] = target[r]
		}
	}
	luSolve(d.border, d.bperm, n, side)
	copy(x, side)
	for r := range s.bands {
		s.bands[r].multiplier = 0
	}
	for k, r := range s.keep {
		s.bands[r].multiplier = side[s.n+k]
	}
}

// positive reports whether the symmetric part of a, without the geometric stiffness of the blocks if any are given, has an
// LDLᵀ factorisation with positive pivots.
func (d *denseInverse) positive(n int, blocks []block) bool {
	d.sym = grow(d.sym, n*n)
	l := d.sym
	for i := range n {
		for j := range i + 1 {
			l[i*n+j] = 0.5 * (d.a[i*n+j] + d.a[j*n+i])
		}
	}
	for i := range blocks {
		b := &blocks[i]
		for r := range b.n {
			for c := range r + 1 {
				l[(b.v+r)*n+b.v+c] -= b.stiff(r, c)
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

// independent extends the factorisation LDLᵀ of GM⁻¹Gᵀ by row r, in work, and
// reports whether its pivot is new. The rank of G does not depend on the
// metric; that of M is symmetric at any spin.
func (d *denseInverse) independent(s *inverse, r int) bool {
	k := len(s.keep)
	l := d.work
	whole := s.product(r, r)
	pivot := whole
	for i, row := range s.keep {
		v := s.product(row, r)
		for j := range i {
			v -= l[i*s.m+j] * l[k*s.m+j] * l[j*s.m+j]
		}
		v /= l[i*s.m+i]
		l[k*s.m+i] = v
		pivot -= v * v * l[i*s.m+i]
	}
	if !(pivot > rankTolerance*whole) {
		return false
	}
	l[k*s.m+k] = pivot
	return true
}

// schur factorises G̃ A⁻¹Gᵀ of the kept rows.
func (d *denseInverse) schur(s *inverse) error {
	nk := len(s.keep)
	for i, row := range s.keep {
		for j := range nk {
			d.k[i*nk+j] = s.bands[row].slope(d.y[j*s.n:])
		}
	}
	if !luFactor(d.k, d.kperm, nk) {
		return ErrIndefinite
	}
	return nil
}

// hold is [inverse.hold].
func (d *denseInverse) hold(s *inverse, w, shift []float64) {
	nk := len(s.keep)
	if d.bordered {
		side := grow(d.work, s.n+s.m)
		d.work = side
		x, goal := side[:s.n], side[s.n:]
		clear(x)
		for r := range s.bands {
			goal[r] = -s.bands[r].slope(w)
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
		d.lambda[i] = s.bands[row].slope(w)
		if shift != nil {
			d.lambda[i] -= shift[row]
		}
	}
	if nk > 0 {
		luSolve(d.k, d.kperm, nk, d.lambda[:nk])
	}
	for r := range s.bands {
		s.bands[r].multiplier = 0
	}
	for i, l := range d.lambda[:nk] {
		s.bands[s.keep[i]].multiplier = l
		for c, v := range d.y[i*s.n : (i+1)*s.n] {
			w[c] -= l * v
		}
	}
}
