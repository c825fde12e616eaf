package energetic

import (
	"math"

	"github.com/quasistatic/quasistatic/sparse"
)

// compliances are the inverse blocks of D²E of the particles on obstacles, ordered n, t, o:
// how far a force would take each of them by itself.
type compliances struct {
	list    []int
	inverse [][9]float64
}

func newCompliances(c *Certifier) compliances {
	var r compliances
	for j := range c.sys.N() {
		if c.sys.Constrained(j) {
			r.list = append(r.list, j)
		}
	}
	r.inverse = make([][9]float64, len(r.list))
	return r
}

// factor inverts the blocks of D²E; zero where one is not positive definite.
func (r *compliances) factor(h *sparse.Sym) {
	for i, j := range r.list {
		r.inverse[i] = inverseBlock(h, j)
	}
}

// noStiffness: a pivot of a block below this part of its trace is rounding.
const noStiffness = 1e-12

// inverseBlock returns the inverse of block j in the order n, t, o.
func inverseBlock(h *sparse.Sym, j int) (w [9]float64) {
	order := [3]int{3*j + 2, 3 * j, 3*j + 1}
	var a [3][3]float64
	trace := 0.0
	for p, row := range order {
		for q, col := range order {
			if k := h.Index(row, col); k >= 0 {
				a[p][q] = h.Val[k]
			}
		}
		trace += a[p][p]
	}
	// Cholesky's factor L, and its inverse column by column.
	var l [3][3]float64
	for p := range a {
		for q := range p + 1 {
			s := a[p][q]
			for k := range q {
				s -= l[p][k] * l[q][k]
			}
			if p > q {
				l[p][q] = s / l[q][q]
			} else if !(s > noStiffness*trace) {
				return w
			} else {
				l[p][p] = math.Sqrt(s)
			}
		}
	}
	var x [3][3]float64 // L⁻¹
	for p := range x {
		for q := range p + 1 {
			s := 0.0
			if p == q {
				s = 1
			}
			for k := range p {
				s -= l[p][k] * x[k][q]
			}
			x[p][q] = s / l[p][p]
		}
	}
	for p := range x {
		for q := range x {
			for k := range x {
				w[3*p+q] += x[k][p] * x[k][q]
			}
		}
	}
	return w
}
