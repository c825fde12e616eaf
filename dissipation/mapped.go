package dissipation

import (
	"fmt"
	"math"
	"sort"
)

// Map is a coefficient of friction given on a grid: between its points a bicubic function of
// Hermite's form, once continuously differentiable, exact for data that are bilinear, the same with
// x and y exchanged, and in each cell nowhere above the largest nor below the least of its four
// corners; outside, that of the nearest point.
type Map struct {
	x, y []float64
	at   [][]knot // by y, then x
}

// knot is μ at a point of the grid and its derivatives ∂x, ∂y [1/m] and ∂x∂y [1/m²].
type knot struct{ mu, dx, dy, dxy float64 }

// NewMap takes the coordinates [m], at least two of each and increasing, and the
// coefficients, a row for each y. It fails for coefficients below 0.
func NewMap(x, y []float64, mu [][]float64) (*Map, error) {
	for name, list := range map[string][]float64{"x": x, "y": y} {
		if len(list) < 2 {
			return nil, fmt.Errorf("dissipation: map: %d values of %s, want at least 2", len(list), name)
		}
		for i, v := range list {
			if math.IsNaN(v) || math.IsInf(v, 0) || i > 0 && !(v > list[i-1]) {
				return nil, fmt.Errorf("dissipation: map: %s is %g after %g, want finite numbers that increase", name, v, list[max(i-1, 0)])
			}
		}
	}
	if len(mu) != len(y) {
		return nil, fmt.Errorf("dissipation: map: %d rows of mu, want %d, one for each y", len(mu), len(y))
	}
	for j, row := range mu {
		if len(row) != len(x) {
			return nil, fmt.Errorf("dissipation: map: row %d of mu has %d values, want %d, one for each x", j, len(row), len(x))
		}
		for _, v := range row {
			if err := coefficient("mu", v); err != nil {
				return nil, err
			}
		}
	}
	m := &Map{x: x, y: y, at: make([][]knot, len(y))}
	for j, row := range mu {
		m.at[j] = make([]knot, len(x))
		for i, dx := range slopes(x, row) {
			m.at[j][i].mu, m.at[j][i].dx = row[i], dx
		}
	}
	column := make([]float64, len(y))
	for i := range x {
		for j := range y {
			column[j] = mu[j][i]
		}
		for j, dy := range slopes(y, column) {
			m.at[j][i].dy = dy
		}
	}
	for j := range y {
		for i := range x {
			m.at[j][i].dxy = m.twist(j, i)
		}
	}
	return m, nil
}

// slopes are derivatives of a curve through values over increasing places: the weighted harmonic mean
// of the secants on both sides, zero where their signs differ (Fritsch and Butland, SIAM J. Sci. Stat.
// Comput. 5, 1984), and 3/2 of the smaller one at most; at the ends that of the last cell. A curve in
// one direction needs 3 for 3/2 to stay between its data; with 3/2 in both, ∂x∂y = 0 is always among
// those of [Map.twist].
func slopes(list, v []float64) []float64 {
	n := len(list)
	out := make([]float64, n)
	secant := func(i int) float64 { return (v[i+1] - v[i]) / (list[i+1] - list[i]) }
	out[0], out[n-1] = secant(0), secant(n-2)
	for i := 1; i < n-1; i++ {
		if a, b := secant(i-1), secant(i); a != 0 && b != 0 && (a > 0) == (b > 0) {
			h, k := list[i]-list[i-1], list[i+1]-list[i]
			mean := 3 * (h + k) / ((h+2*k)/math.Abs(a) + (2*h+k)/math.Abs(b))
			out[i] = math.Copysign(min(mean, 1.5*math.Abs(a), 1.5*math.Abs(b)), a)
		}
	}
	return out
}

// twist is ∂x∂y of a point: that of central differences, or the nearest with which the control point
// μ + h ∂x/3 + k ∂y/3 + hk ∂x∂y/9 is within the data of its cell in each of the cells about the point, whose
// sides are h and k, negative to the left and below.
func (m *Map) twist(j, i int) float64 {
	left, right := max(i-1, 0), min(i+1, len(m.x)-1)
	below, above := max(j-1, 0), min(j+1, len(m.y)-1)
	twist := (m.at[above][right].mu - m.at[above][left].mu - m.at[below][right].mu + m.at[below][left].mu) /
		(m.x[right] - m.x[left]) / (m.y[above] - m.y[below])
	o := m.at[j][i]
	for _, q := range [2]int{below, above} {
		for _, p := range [2]int{left, right} {
			if p == i || q == j {
				continue // the edge of the grid
			}
			h, k := (m.x[p]-m.x[i])/3, (m.y[q]-m.y[j])/3
			base := o.mu + h*o.dx + k*o.dy
			a, b, c := m.at[j][p].mu, m.at[q][i].mu, m.at[q][p].mu
			low, high := (min(o.mu, a, b, c)-base)/(h*k), (max(o.mu, a, b, c)-base)/(h*k)
			twist = min(max(twist, min(low, high)), max(low, high))
		}
	}
	return twist
}

// patch has the control points of a cell: over [0, 1]² μ is Σ b_ij B_i(s) B_j(t) in Bernstein's cubics, between the
// least and the largest of them.
func (m *Map) patch(col, row int) (b [4][4]float64) {
	h, k := (m.x[col+1]-m.x[col])/3, (m.y[row+1]-m.y[row])/3
	for q, k := range [2]float64{k, -k} {
		for p, h := range [2]float64{h, -h} {
			o := &m.at[row+q][col+p]
			b[3*q][3*p] = o.mu
			b[3*q][1+p] = max(o.mu+h*o.dx, 0) // below by rounding
			b[1+q][3*p] = max(o.mu+k*o.dy, 0)
			b[1+q][1+p] = max(o.mu+h*o.dx+k*o.dy+h*k*o.dxy, 0)
		}
	}
	return b
}

// At returns μ and its derivatives [1/m].
func (m *Map) At(x, y float64) (mu, dx, dy float64) {
	col, s, inX := cellOf(m.x, x)
	row, t, inY := cellOf(m.y, y)
	b := m.patch(col, row)
	var v, d [4]float64
	for j := range b {
		v[j], d[j] = cubic(&b[j], s)
	}
	mu, dy = cubic(&v, t)
	dx, _ = cubic(&d, t)
	if dx /= m.x[col+1] - m.x[col]; !inX {
		dx = 0
	}
	if dy /= m.y[row+1] - m.y[row]; !inY {
		dy = 0
	}
	return mu, dx, dy
}

// cellOf returns the cell of a coordinate, or the nearest, the share of it that is before the coordinate, and
// whether that is within the grid.
func cellOf(list []float64, x float64) (cell int, share float64, inside bool) {
	n := len(list)
	nearest := min(max(x, list[0]), list[n-1])
	cell = min(max(sort.SearchFloat64s(list, nearest)-1, 0), n-2)
	return cell, (nearest - list[cell]) / (list[cell+1] - list[cell]), x == nearest
}

// cubic returns the value of a cubic with control points b, and its derivative by s (de Casteljau).
func cubic(b *[4]float64, s float64) (value, slope float64) {
	r := 1 - s
	p, q, last := r*b[0]+s*b[1], r*b[1]+s*b[2], r*b[2]+s*b[3]
	p, q = r*p+s*q, r*q+s*last
	return r*p + s*q, 3 * (q - p)
}

// gaussFour is Gauss's rule on (0, 1), exact to the seventh degree.
var gaussFour = [4]struct{ at, weight float64 }{
	{0.5 - 0.43056815579702629, 0.17392742256872693}, {0.5 - 0.16999052179242813, 0.32607257743127307},
	{0.5 + 0.16999052179242813, 0.32607257743127307}, {0.5 + 0.43056815579702629, 0.17392742256872693},
}

// Mean returns the mean of μ along the straight way between two places: in each cell that it crosses
// μ is of the sixth degree.
func (m *Map) Mean(from, to [2]float64) float64 {
	sum, last := 0.0, 0.0
	piece := func(end float64) {
		for _, g := range gaussFour {
			s := last + (end-last)*g.at
			mu, _, _ := m.At(from[0]+s*(to[0]-from[0]), from[1]+s*(to[1]-from[1]))
			sum += (end - last) * g.weight * mu
		}
		last = end
	}
	x, y := newCrossing(m.x, from[0], to[0]), newCrossing(m.y, from[1], to[1])
	for x.at < 1 || y.at < 1 {
		if x.at <= y.at {
			piece(x.at)
			x.next()
		} else {
			piece(y.at)
			y.next()
		}
	}
	piece(1)
	return sum
}

// crossing walks along a way through the lines of a grid.
type crossing struct {
	list       []float64
	from, over float64
	k, step    int
	at         float64 // share of the way at which the next line is crossed; 1: none is left
}

func newCrossing(list []float64, from, to float64) crossing {
	c := crossing{list: list, from: from, over: to - from, step: 1, at: 1}
	switch {
	case to > from:
		c.k = sort.SearchFloat64s(list, from)
	case to < from:
		c.k, c.step = sort.SearchFloat64s(list, from)-1, -1
	default:
		return c
	}
	c.find()
	return c
}

func (c *crossing) find() {
	c.at = 1
	if c.k >= 0 && c.k < len(c.list) {
		c.at = min(max((c.list[c.k]-c.from)/c.over, 0), 1)
	}
}

func (c *crossing) next() {
	c.k += c.step
	c.find()
}

// Mapped is isotropic friction with the coefficient of a map over the global x and y: the
// coordinates of the surface point origin + z_1 t + z_2 o.
type Mapped struct {
	m            *Map
	origin, t, o [2]float64 // global x and y of them
}

// NewMapped takes a map, the global x and y of the origin and of the tangents of the frame.
func NewMapped(m *Map, origin, t, o [2]float64) Mapped {
	return Mapped{m: m, origin: origin, t: t, o: o}
}

// At implements [Matrix].
func (m Mapped) At(z1, z2 float64, deriv *[2][4]float64) [4]float64 {
	mu, dx, dy := m.m.At(m.origin[0]+z1*m.t[0]+z2*m.o[0], m.origin[1]+z1*m.t[1]+z2*m.o[1])
	if deriv != nil {
		d1, d2 := dx*m.t[0]+dy*m.t[1], dx*m.o[0]+dy*m.o[1]
		*deriv = [2][4]float64{{d1, 0, 0, d1}, {d2, 0, 0, d2}}
	}
	return [4]float64{mu, 0, 0, mu}
}

// Constant implements [Matrix].
func (Mapped) Constant() bool { return false }

var _ Matrix = Mapped{}
