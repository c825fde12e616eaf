package prove

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
)

// nonnegative solves min ‖A x − b‖₂ over x ≥ 0 by the active sets of [LawsonHanson74],
// for a matrix of a few columns. At the minimum the residual y = b − A x has Aᵀy ≤ 0, and
// y·b = ‖y‖²: where it is not zero it is a vector of Farkas, which shows that no x ≥ 0
// has A x = b.
type nonnegative struct {
	rows    int
	a       [][]float64 // columns
	b, x, y []float64
	passive []int // columns that may be positive
	q       [][]float64
	r       [][]float64 // of the passive columns, A_P = Q R
	z       []float64
}

const (
	nonnegativeNew  = 1e-11 // part of a column that must be new beside the passive ones
	nonnegativeEnd  = 1e-13 // of (Aᵀy)_j over the norms of column and b, below which no column enters
	nonnegativeMost = 20    // exchanges a column
)

// reset makes an empty problem.
func (n *nonnegative) reset(rows int) {
	n.rows, n.a, n.passive = rows, n.a[:0], n.passive[:0]
	n.b = num.Grow(n.b, rows)
	clear(n.b)
}

// column adds a column of zeros and returns it.
func (n *nonnegative) column() []float64 {
	k := len(n.a)
	if k < cap(n.a) {
		n.a = n.a[:k+1]
	} else {
		n.a = append(n.a, nil)
	}
	n.a[k] = num.Grow(n.a[k], n.rows)
	clear(n.a[k])
	return n.a[k]
}

// solve returns ‖y‖; +Inf if it does not end.
func (n *nonnegative) solve() float64 {
	n.x, n.y = num.Grow(n.x, len(n.a)), num.Grow(n.y, n.rows)
	clear(n.x)
	copy(n.y, n.b)
	size := num.Norm(n.b)
	barred := -1 // a column that just left or depends on the others
	for range nonnegativeMost * (len(n.a) + 1) {
		enter, most := -1, nonnegativeEnd*size
		for j, a := range n.a {
			if j == barred || n.isPassive(j) {
				continue
			}
			if w := inner(a, n.y) / max(num.Norm(a), math.SmallestNonzeroFloat64); w > most {
				enter, most = j, w
			}
		}
		if enter < 0 {
			return num.Norm(n.y)
		}
		if n.passive = append(n.passive, enter); !n.factor() {
			n.passive, barred = n.passive[:len(n.passive)-1], enter
			continue
		}
		barred = -1
		for n.leastSquares(); !n.inside(); n.leastSquares() { // each turn drops a column
			n.retreat()
			if !n.factor() {
				return num.Inf
			}
		}
		for k, j := range n.passive {
			n.x[j] = n.z[k]
		}
		n.residual()
	}
	return num.Inf
}

func (n *nonnegative) isPassive(j int) bool {
	for _, k := range n.passive {
		if k == j {
			return true
		}
	}
	return false
}

// factor orthogonalises the passive columns, twice, and reports whether each is new.
func (n *nonnegative) factor() bool {
	for len(n.q) < len(n.passive) {
		n.q, n.r = append(n.q, nil), append(n.r, nil)
	}
	for k, j := range n.passive {
		n.q[k], n.r[k] = num.Grow(n.q[k], n.rows), num.Grow(n.r[k], k+1)
		clear(n.r[k])
		q := n.q[k]
		copy(q, n.a[j])
		for range 2 {
			for i := range k {
				s := inner(n.q[i], q)
				n.r[k][i] += s
				for l, v := range n.q[i] {
					q[l] -= s * v
				}
			}
		}
		s := num.Norm(q)
		if !(s > nonnegativeNew*num.Norm(n.a[j])) {
			return false
		}
		n.r[k][k] = s
		for l := range q {
			q[l] /= s
		}
	}
	return true
}

// leastSquares sets z to the coefficients of the passive columns without the bound.
func (n *nonnegative) leastSquares() {
	n.z = num.Grow(n.z, len(n.passive))
	for k := range n.passive {
		n.z[k] = inner(n.q[k], n.b)
	}
	for k := len(n.passive) - 1; k >= 0; k-- {
		n.z[k] /= n.r[k][k]
		for i := range k {
			n.z[i] -= n.r[k][i] * n.z[k]
		}
	}
}

func (n *nonnegative) inside() bool {
	for _, v := range n.z {
		if v <= 0 {
			return false
		}
	}
	return true
}

// retreat goes from x towards z up to the bound, and drops the columns that reach it,
// at least the first that does.
func (n *nonnegative) retreat() {
	step, first := 1.0, -1
	for k, j := range n.passive {
		if n.z[k] > 0 {
			continue
		}
		part := 0.0
		if x := n.x[j]; x > 0 {
			part = x / (x - n.z[k])
		}
		if first < 0 || part < step {
			step, first = part, j
		}
	}
	kept := n.passive[:0]
	for k, j := range n.passive {
		next := n.x[j] + step*(n.z[k]-n.x[j])
		if j == first || !(next > 0) && n.z[k] <= 0 {
			n.x[j] = 0
			continue
		}
		n.x[j] = max(next, 0)
		kept = append(kept, j)
	}
	n.passive = kept
}

// residual sets y = b − A x.
func (n *nonnegative) residual() {
	copy(n.y, n.b)
	for _, j := range n.passive {
		for l, v := range n.a[j] {
			n.y[l] -= n.x[j] * v
		}
	}
}

// refuted reports whether y shows that no x ≥ 0 of a natural size has A x = b: with
// d = max_j (Aᵀy)_j⁺ every such x has ‖x‖₁ ≥ y·b/d, which must be farkasFar times
// ‖b‖/‖A‖; and y·b must be more than rounding.
func (n *nonnegative) refuted() bool {
	yb, size := inner(n.y, n.b), num.Norm(n.y)
	if !(yb > farkasLeast*size*num.Norm(n.b)) {
		return false
	}
	d, most := 0.0, 0.0
	for _, a := range n.a {
		d = max(d, inner(a, n.y))
		most = max(most, num.Norm(a))
	}
	return d == 0 || yb*most > farkasFar*d*num.Norm(n.b)
}

const (
	farkasLeast = 1e-7
	farkasFar   = 1e9
)

func inner(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
