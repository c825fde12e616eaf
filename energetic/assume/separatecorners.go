package assume

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/eigen"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// separateCorners is (N4) at (0, Z_0) where particles have several obstacles. With V the
// motions that keep the pressed contacts closed, Ψ is Lipschitz in z with
//
//	|Ψ(z, v) − Ψ(y, v)| <= Σ_c μ_c|Dσ_c·(z − y)| |v_c| <= √m (Σ_c μ_c²‖Dσ_c‖²)^½ |z − y| |v|,
//
// m being the most contacts of one particle and Dσ_c taken on V. So α > q holds if α_V
// exceeds that bound; below it nothing is decided.
func (c *checker) separateCorners() {
	h, open := c.bentHessian()
	held := make([]hold, c.sys.N())
	most := 1
	for j := range held {
		held[j] = c.holdOf(j)
		most = max(most, len(held[j].contacts))
	}
	reduced, place := reduce(h, held)
	lo, hi, _ := eigen.Smallest(c.ctx, reduced)
	value := Interval{lo, hi}
	q := math.Sqrt(float64(most) * sensitivities(h, place, held))
	detail := fmt.Sprintf("α = %v over the motions that keep the %s, q <= %.6g (a bound, for corners)", value, "pressed contacts closed", q)
	switch {
	case open != "":
		c.N4 = Assumption{Undecided, open}
	case !c.constant:
		c.N4 = Assumption{Undecided, "friction varies along obstacles, and particles have several of them: not examined"}
	case value.Lo > q:
		c.N4 = Assumption{Holds, detail}
	case value.Hi <= 0:
		c.N4 = Assumption{Fails, detail}
	default:
		c.N4 = Assumption{Undecided, detail}
	}
}

// bentHessian returns D²E − Σ σ_c D²h_c at the start, the second derivative along obstacles that
// are curved, of which the normal forces change by Dσ_c = m_c·(D²E − Σ σ D²h) as long as friction
// bears nothing: n_c turn, and with them what each has of DE. open says why (N4) is not examined,
// if it is not.
func (c *checker) bentHessian() (h *sparse.Sym, open string) {
	h = c.sys.Hessian(0, c.z0)
	if len(c.sys.Bent()) == 0 {
		return h, ""
	}
	h = &sparse.Sym{N: h.N, Ptr: h.Ptr, Row: h.Row, Val: slices.Clone(h.Val)}
	for _, j := range c.sys.Bent() {
		if c.sys.Dragged(j) {
			return h, "of several obstacles of a particle one moves: not examined"
		}
		rest, size := [3]float64(c.grad[3*j:3*j+3]), 0.0
		for i := range rest {
			size = max(size, math.Abs(rest[i]))
		}
		for i := -1; i < len(c.sys.Beside(j)); i++ {
			contact := j
			if i >= 0 {
				contact = c.sys.Beside(j)[i]
			}
			sigma := c.psi.Pressure(0, contact, c.z0, c.grad, dissipation.Origin{})
			n, _, _ := c.sys.ContactAxes(0, contact, c.z0)
			bend := c.sys.Curvature(0, contact, c.z0, [3]float64{sigma, 0, 0})
			for row := range 3 {
				rest[row] -= sigma * n[row]
				for col := range row + 1 {
					if at := h.Index(3*j+row, 3*j+col); at >= 0 {
						h.Val[at] -= bend[row][col]
					}
				}
			}
		}
		if off := math.Sqrt(vec3.Dot(rest, rest)); off > frictionless*size {
			open = fmt.Sprintf("friction bears %.3g N at the start on obstacles beside each other of which one is curved: not examined",
				off)
		}
	}
	return h, open
}

// frictionless: what is left of DE without the normal forces is rounding below this part of it.
const frictionless = 1e-9

// hold is what the pressed contacts of a particle leave it: axes of the motions along all
// of them, then those across.
type hold struct {
	axes     [3][3]float64
	along    int          // number of axes that are free
	contacts []int        // pressed
	gain     [][3]float64 // μ_c ∂σ_c/∂(DE of the particle)
}

// holdOf finds the directions of particle j.
func (c *checker) holdOf(j int) hold {
	var s hold
	var normals particles.Directions
	for i := -1; i < len(c.sys.Beside(j)); i++ {
		contact := j
		if i >= 0 {
			contact = c.sys.Beside(j)[i]
		}
		if c.psi.Pressure(0, contact, c.z0, c.grad, dissipation.Origin{}) == 0 {
			continue
		}
		n, _, _ := c.sys.ContactAxes(0, contact, c.z0)
		if normals.Add(n, 0) {
			s.contacts = append(s.contacts, contact)
		}
	}
	s.axes, s.along = normals.Complete()
	for i, contact := range s.contacts {
		var unit [3]float64
		g := [3]float64{}
		for axis := range 3 { // the share of a unit force along each axis
			unit = [3]float64{}
			unit[axis] = 1
			g[axis] = c.share(s.contacts, i, unit)
		}
		mu := c.psi.Size(0, contact, c.z0)
		for axis := range g {
			g[axis] *= mu
		}
		s.gain = append(s.gain, g)
	}
	return s
}

// share is the coordinate of contact i in the least squares Σ σ_c n_c ≈ f.
func (c *checker) share(contacts []int, i int, f [3]float64) float64 {
	normal := func(k int) [3]float64 { n, _, _ := c.sys.ContactAxes(0, contacts[k], c.z0); return n }
	// σ_i = f·m with m ⊥ the other normals, m in their span and m·n_i = 1.
	var others particles.Directions
	for k := range contacts {
		if k != i {
			others.Add(normal(k), 0)
		}
	}
	n := normal(i)
	m := others.Outside(n)
	return vec3.Dot(f, m) / vec3.Dot(n, m)
}

// sensitivities returns Σ_c μ_c²‖Dσ_c‖² over the free motions.
func sensitivities(h *sparse.Sym, place []int, held []hold) (sum float64) {
	rows := make([][]map[int]float64, len(held))
	for j := range held {
		for range held[j].gain {
			rows[j] = append(rows[j], map[int]float64{})
		}
	}
	add := func(r, col int, v float64) { // force r by coordinate col
		other := &held[col/3]
		for k, gain := range held[r/3].gain {
			for a := range other.along {
				rows[r/3][k][place[3*(col/3)+a]] += gain[r%3] * v * other.axes[a][col%3]
			}
		}
	}
	for col := range h.N {
		for k := h.Ptr[col]; k < h.Ptr[col+1]; k++ {
			add(h.Row[k], col, h.Val[k])
			if h.Row[k] != col {
				add(col, h.Row[k], h.Val[k])
			}
		}
	}
	for _, list := range rows {
		for _, row := range list {
			for _, d := range slices.Sorted(maps.Keys(row)) { // the order of a sum is fixed
				sum += row[d] * row[d]
			}
		}
	}
	return sum
}

// reduce returns D²E on the free motions, and the place of each.
func reduce(h *sparse.Sym, held []hold) (*sparse.Sym, []int) {
	place, order := make([]int, h.N), 0
	for j := range held {
		for a := range 3 {
			if place[3*j+a] = -1; a < held[j].along {
				place[3*j+a] = order
				order++
			}
		}
	}
	b := sparse.NewBuilder(order)
	each := func(do func(r, c int, v float64)) {
		for col := range h.N {
			for k := h.Ptr[col]; k < h.Ptr[col+1]; k++ {
				row := h.Row[k]
				p, q := &held[row/3], &held[col/3]
				for a := range p.along {
					for e := range q.along {
						r, c := place[3*(row/3)+a], place[3*(col/3)+e]
						v := h.Val[k] * p.axes[a][row%3] * q.axes[e][col%3]
						switch {
						case row == col && r >= c:
							do(r, c, v)
						case row != col && row/3 == col/3: // both halves of a block of the diagonal
							do(max(r, c), min(r, c), v*halves(r, c))
						case row != col:
							do(max(r, c), min(r, c), v)
						}
					}
				}
			}
		}
	}
	each(func(r, c int, _ float64) { b.Add(r, c) })
	m := b.Build()
	each(func(r, c int, v float64) { m.AddAt(r, c, v) })
	return m, place
}

// halves counts an entry (row, column) of a block of the diagonal and its mirror image: the
// sum over all axes meets (r, c) and (c, r) once each, which is the entry; on the diagonal
// it meets (r, r) once and needs both.
func halves(r, c int) float64 {
	if r == c {
		return 2
	}
	return 1
}
