package rigid

// rankTolerance: a joint row whose part that is new to the rows before is
// below this share of it, squared, says nothing new.
const rankTolerance = 1e-12

// inverse is the operator of one component that gives the change of velocity
// for impulses while the joints hold,
//
//	S = A⁻¹ − A⁻¹Gᵀ(G A⁻¹Gᵀ)⁻¹ G A⁻¹,   A = M̃,
//
// with the dependent rows of G left out.
type inverse struct {
	n, m   int
	diag   []float64 // of A where it is diagonal, else empty
	a, raw []float64 // factors and A itself
	sym    []float64 // scratch of positive
	mass   []float64 // diagonal of M, where there are joints
	perm   []int
	g      []float64 // m×n, all rows
	theta  []float64 // Θ of the rows
	levers []lever   // of the rows
	keep   []int     // independent rows
	gone   []int     // dependent ones
	y      []float64 // A⁻¹Gᵀ by rows of the kept, len(keep)×n
	k      []float64 // factors of G A⁻¹ Gᵀ
	kperm  []int
	lambda []float64 // scratch, and the multipliers of the last hold
	work   []float64
}

func (s *inverse) resize(n, m int) {
	s.n, s.m = n, m
	s.g, s.theta, s.levers = grow(s.g, m*n), grow(s.theta, m), grow(s.levers, m)
	s.y, s.k = grow(s.y, m*n), grow(s.k, m*m)
	s.kperm, s.lambda, s.work = grow(s.kperm, m), grow(s.lambda, m), grow(s.work, m*m)
	s.mass = grow(s.mass, n)
}

// solve overwrites x by A⁻¹x.
func (s *inverse) solve(x []float64) {
	if len(s.diag) > 0 {
		for i, d := range s.diag {
			x[i] /= d
		}
		return
	}
	luSolve(s.a, s.perm, s.n, x)
}

// mul overwrites dst by A x.
func (s *inverse) mul(dst, x []float64) {
	if len(s.diag) > 0 {
		for i, d := range s.diag {
			dst[i] = d * x[i]
		}
		return
	}
	for i := range s.n {
		sum := 0.0
		for j, v := range s.raw[i*s.n : (i+1)*s.n] {
			sum += v * x[j]
		}
		dst[i] = sum
	}
}

// factor prepares solve and hold from diag or a, and g. With loaded it makes
// sure that A is positive definite, which Jacobians of forces may prevent.
func (s *inverse) factor(loaded bool) error {
	if len(s.diag) == 0 {
		if loaded && !s.positive() {
			return ErrIndefinite
		}
		s.raw = append(s.raw[:0], s.a...)
		s.perm = grow(s.perm, s.n)
		if !luFactor(s.a, s.perm, s.n) {
			return ErrIndefinite
		}
	}
	if s.m == 0 {
		return nil
	}
	s.keep, s.gone = s.keep[:0], s.gone[:0]
	for r := range s.m {
		y := s.y[len(s.keep)*s.n : (len(s.keep)+1)*s.n]
		if !s.independent(r) {
			s.gone = append(s.gone, r)
			continue
		}
		copy(y, s.g[r*s.n:(r+1)*s.n])
		s.solve(y)
		s.keep = append(s.keep, r)
	}
	return s.schur()
}

// positive reports whether the symmetric part of a has an LDLᵀ factorisation
// with positive pivots.
func (s *inverse) positive() bool {
	n := s.n
	s.sym = grow(s.sym, n*n)
	l := s.sym
	for i := range n {
		for j := range i + 1 {
			l[i*n+j] = 0.5 * (s.a[i*n+j] + s.a[j*n+i])
		}
	}
	for k := range n {
		d := l[k*n+k]
		if !(d > 0) {
			return false
		}
		for i := k + 1; i < n; i++ {
			f := l[i*n+k] / d
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
func (s *inverse) independent(r int) bool {
	k := len(s.keep)
	l := s.work
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

// product of two rows of G in the metric M⁻¹.
func (s *inverse) product(a, b int) float64 {
	sum := 0.0
	x, y := s.g[a*s.n:(a+1)*s.n], s.g[b*s.n:(b+1)*s.n]
	for i, m := range s.mass {
		sum += x[i] * y[i] / m
	}
	return sum
}

// schur factorises G A⁻¹Gᵀ of the kept rows.
func (s *inverse) schur() error {
	nk := len(s.keep)
	for i, row := range s.keep {
		g := s.g[row*s.n : (row+1)*s.n]
		for j := range nk {
			sum := 0.0
			for c, v := range s.y[j*s.n : (j+1)*s.n] {
				sum += g[c] * v
			}
			s.k[i*nk+j] = sum
		}
	}
	if nk > 0 && !luFactor(s.k, s.kperm, nk) {
		return ErrIndefinite
	}
	return nil
}

// hold overwrites w by w − A⁻¹Gᵀλ with G w = shift (zero if nil): the joints
// hold. shift is by all rows.
func (s *inverse) hold(w, shift []float64) {
	nk := len(s.keep)
	if s.m == 0 || nk == 0 {
		return
	}
	for i, row := range s.keep {
		sum := 0.0
		for c, v := range s.g[row*s.n : (row+1)*s.n] {
			sum += v * w[c]
		}
		if shift != nil {
			sum -= shift[row]
		}
		s.lambda[i] = sum
	}
	luSolve(s.k, s.kperm, nk, s.lambda[:nk])
	for i, l := range s.lambda[:nk] {
		for c, v := range s.y[i*s.n : (i+1)*s.n] {
			w[c] -= l * v
		}
	}
}
