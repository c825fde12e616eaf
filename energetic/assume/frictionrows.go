package assume

import (
	"math"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/sparse"
)

// row is a sparse row of a matrix with 3N columns.
type row struct {
	col []int
	val []float64
}

func (r *row) add(col int, val float64) {
	if val != 0 {
		r.col, r.val = append(r.col, col), append(r.val, val)
	}
}

// frictionRow is the term of one particle in (2.3). Every matrix of package
// dissipation is f(z)·S with a constant S, so that DM[v, u] = (∇f·u)Sv and the
// term is
//
//	(|a·u| + |b·u|)·‖S v‖/‖S‖,   a = f‖S‖Dσ,   b = σ₊‖S‖∇f.
//
// A matrix of any other form has two rows b, and |b·u| means the norm of both:
// an upper bound for the term.
type frictionRow struct {
	a row
	b []row
}

// form holds D²E and the friction rows at a point of the cylinder C_e, or bounds
// of the rows over all of it.
type form struct {
	h    *sparse.Sym
	rows []frictionRow // one a particle; empty without friction
	// boundOnly: a row bounds its term and need not be attained.
	boundOnly bool
	sampled   bool // a friction matrix was bounded by sampling it
}

// slope describes a friction matrix over a square: size >= ‖S‖ and the rows
// (σ₊ left out) of frictionRow.b.
type slope struct {
	size    float64
	grad    [][2]float64
	bound   bool
	sampled bool
}

// newForm makes the rows from D²E, σ₊ and the slopes by particle.
func newForm(h *sparse.Sym, sigma []float64, slopes []slope) *form {
	f := &form{h: h, rows: make([]frictionRow, len(sigma))}
	rows := fullRows(h, slopes)
	for j, s := range slopes {
		r := &f.rows[j]
		for k, c := range rows[j].col {
			r.a.add(c, s.size*rows[j].val[k])
		}
		for _, g := range s.grad {
			var b row
			b.add(3*j, sigma[j]*g[0])
			b.add(3*j+1, sigma[j]*g[1])
			if len(b.col) > 0 {
				r.b = append(r.b, b)
			}
		}
		f.boundOnly = f.boundOnly || s.bound && len(r.b) > 0
		f.sampled = f.sampled || s.sampled
	}
	return f
}

// fullRows returns the rows Dσ_j of D²E for the particles with friction.
func fullRows(h *sparse.Sym, slopes []slope) []row {
	rows := make([]row, len(slopes))
	rough := func(d int) bool { return d%3 == 2 && slopes[d/3].size > 0 }
	for c := range h.N {
		for k := h.Ptr[c]; k < h.Ptr[c+1]; k++ {
			r := h.Row[k]
			if rough(r) {
				rows[r/3].add(c, h.Val[k])
			}
			if r != c && rough(c) {
				rows[c/3].add(r, h.Val[k])
			}
		}
	}
	return rows
}

// slopeGrid samples a matrix of unknown form over a square by this many points a side.
const slopeGrid = 33

// slopeOf describes m over the square |z_T − at| <= l.
func slopeOf(m dissipation.Matrix, at [2]float64, l float64) slope {
	switch {
	case m == nil:
		return slope{}
	case m.Constant():
		s := m.At(at[0], at[1], nil)
		return slope{size: spectral(&s)}
	}
	if k, ok := m.(dissipation.Slipping); ok {
		fall, rise := k.Steepest()
		return slopeOfSlip(k, max(fall, rise))
	}
	if b, ok := m.(dissipation.Bounded); ok {
		size, grad := b.Bounds([2]float64{at[0] - l, at[1] - l}, [2]float64{at[0] + l, at[1] + l})
		if l == 0 { // at one point the signs of A and B go together
			return slopeAt(m, at)
		}
		return slope{size: size, grad: [][2]float64{grad}}
	}
	if l == 0 {
		return slopeAt(m, at)
	}
	return slopeSampled(m, at, l)
}

// slopeOfSlip bounds friction over slip whatever has slipped and in all directions, of a slope [1/m].
// Where it grows with slip the rate problem is the more monotone for it: then (N4) asks for the slope
// of its fall only.
func slopeOfSlip(m dissipation.Slipping, steep float64) slope {
	s := slope{size: m.Most()}
	if steep > 0 {
		s.grad, s.bound = [][2]float64{{steep, 0}, {0, steep}}, true
	}
	return s
}

// slopeAt evaluates m at a point: one row if both derivatives are multiples of
// the matrix, otherwise two.
func slopeAt(m dissipation.Matrix, at [2]float64) slope {
	var d [2][4]float64
	s := m.At(at[0], at[1], &d)
	size := spectral(&s)
	var grad [2]float64
	factor := true
	for k := range d {
		g := multiple(&d[k], &s)
		grad[k] = g * size
		for i := range s {
			factor = factor && math.Abs(d[k][i]-g*s[i]) <= 1e-12*spectral(&d[k])
		}
	}
	if factor {
		return slope{size: size, grad: [][2]float64{grad}}
	}
	b := math.Hypot(spectral(&d[0]), spectral(&d[1]))
	return slope{size: size, grad: [][2]float64{{b, 0}, {0, b}}, bound: true}
}

func slopeSampled(m dissipation.Matrix, at [2]float64, l float64) slope {
	out := slope{bound: true, sampled: true}
	steep := 0.0
	for i := range slopeGrid {
		for k := range slopeGrid {
			var d [2][4]float64
			step := 2 * l / (slopeGrid - 1)
			s := m.At(at[0]-l+step*float64(i), at[1]-l+step*float64(k), &d)
			out.size = max(out.size, spectral(&s))
			steep = max(steep, math.Hypot(spectral(&d[0]), spectral(&d[1])))
		}
	}
	out.grad = [][2]float64{{steep, 0}, {0, steep}}
	return out
}

// times returns the slope of a matrix times a factor.
func (s slope) times(factor float64) slope {
	if factor == 1 {
		return s
	}
	s.size *= factor
	grad := make([][2]float64, len(s.grad))
	for i, g := range s.grad {
		grad[i] = [2]float64{factor * g[0], factor * g[1]}
	}
	s.grad = grad
	return s
}

// multiple returns the g for which d is closest to g·s.
func multiple(d, s *[4]float64) float64 {
	ss, ds := 0.0, 0.0
	for i, v := range s {
		ss += v * v
		ds += v * d[i]
	}
	if ss == 0 {
		return 0
	}
	return ds / ss
}

// spectral returns ‖s‖₂ of a 2×2 matrix.
func spectral(s *[4]float64) float64 {
	p, m := math.Hypot(s[0]+s[3], s[2]-s[1]), math.Hypot(s[0]-s[3], s[2]+s[1])
	return (p + m) / 2
}
