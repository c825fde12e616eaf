package dynamics

import (
	"fmt"
	"math"
)

// Mass is M(q) as a block diagonal matrix: blocks over consecutive velocities,
// one for each body as a rule. Contacts are coupled through common blocks, so
// that fine blocks make small contact problems.
type Mass struct {
	first []int // first velocity of each block; the last entry is nv
	ptr   []int // first value of each block
	of    []int // block of each velocity
	val   []float64
	chol  []float64
}

// reset empties m.
func (m *Mass) reset() {
	m.first, m.ptr = append(m.first[:0], 0), append(m.ptr[:0], 0)
	m.of, m.val = m.of[:0], m.val[:0]
}

// Diagonal appends one block for each value [kg, kg m²].
func (m *Mass) Diagonal(values ...float64) {
	for _, v := range values {
		m.val = append(m.val, v)
		m.close(1)
	}
}

// Block appends a full symmetric block of n velocities, row by row.
func (m *Mass) Block(n int, values ...float64) {
	if len(values) != n*n {
		panic(fmt.Sprintf("dynamics: Mass.Block: %d values for a block of order %d", len(values), n))
	}
	m.val = append(m.val, values...)
	m.close(n)
}

func (m *Mass) close(n int) {
	for range n {
		m.of = append(m.of, len(m.first)-1)
	}
	m.first = append(m.first, m.first[len(m.first)-1]+n)
	m.ptr = append(m.ptr, len(m.val))
}

// factor computes the Cholesky factors of the blocks.
func (m *Mass) factor(nv int) error {
	if len(m.of) != nv {
		return fmt.Errorf("dynamics: the mass matrix has %d rows, want %d", len(m.of), nv)
	}
	m.chol = append(m.chol[:0], m.val...)
	for b := range len(m.first) - 1 {
		n := m.first[b+1] - m.first[b]
		if k := cholesky(m.chol[m.ptr[b]:m.ptr[b+1]], n); k >= 0 {
			return fmt.Errorf("dynamics: the mass matrix is not positive definite: pivot %g at velocity %d",
				m.chol[m.ptr[b]+k*n+k], m.first[b]+k)
		}
	}
	return nil
}

// solveBlock solves one block in place: x holds nv entries.
func (m *Mass) solveBlock(b int, x []float64) {
	i, j := m.first[b], m.first[b+1]
	if j == i+1 {
		x[i] /= m.val[m.ptr[b]]
		return
	}
	cholSolve(m.chol[m.ptr[b]:m.ptr[b+1]], j-i, x[i:j])
}

// solve overwrites x with M⁻¹ x.
func (m *Mass) solve(x []float64) {
	for b := range len(m.first) - 1 {
		m.solveBlock(b, x)
	}
}

// mulVec overwrites dst with M x.
func (m *Mass) mulVec(dst, x []float64) {
	for b := range len(m.first) - 1 {
		i, j := m.first[b], m.first[b+1]
		n := j - i
		v := m.val[m.ptr[b]:m.ptr[b+1]]
		for r := range n {
			s := 0.0
			for c := range n {
				s += v[r*n+c] * x[i+c]
			}
			dst[i+r] = s
		}
	}
}

// energy returns ½ xᵀ M x.
func (m *Mass) energy(x []float64) float64 {
	e := 0.0
	for b := range len(m.first) - 1 {
		i, j := m.first[b], m.first[b+1]
		n := j - i
		v := m.val[m.ptr[b]:m.ptr[b+1]]
		for r := range n {
			for c := range n {
				e += v[r*n+c] * x[i+r] * x[i+c]
			}
		}
	}
	return 0.5 * e
}

// cholesky overwrites the lower triangle of the n×n matrix a with its factor
// and returns −1, or the row of the first pivot that is not positive.
func cholesky(a []float64, n int) int {
	for j := range n {
		row := a[j*n : j*n+n]
		d := row[j]
		for k := range j {
			d -= row[k] * row[k]
		}
		if !(d > 1e-15*row[j]) { // roundoff of the diagonal entry; +Inf is not above itself
			return j
		}
		d = math.Sqrt(d)
		row[j] = d
		for i := j + 1; i < n; i++ {
			s := a[i*n+j]
			for k := range j {
				s -= a[i*n+k] * row[k]
			}
			a[i*n+j] = s / d
		}
	}
	return -1
}

// cholSolve overwrites x with (L Lᵀ)⁻¹ x.
func cholSolve(l []float64, n int, x []float64) {
	for i := range n {
		s := x[i]
		for k := range i {
			s -= l[i*n+k] * x[k]
		}
		x[i] = s / l[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		for k := i + 1; k < n; k++ {
			s -= l[k*n+i] * x[k]
		}
		x[i] = s / l[i*n+i]
	}
}
