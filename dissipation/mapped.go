package dissipation

import (
	"fmt"
	"math"
	"sort"
)

// Map is a coefficient of friction given on a grid: μ(x, y) between its points by bicubic
// Hermite interpolation with central differences as slopes, once continuously
// differentiable and exact for data that are bilinear; outside, that of the nearest point.
type Map struct {
	x, y []float64
	mu   [][]float64 // by y, then x
}

// NewMap takes the coordinates [m], at least two of each and increasing, and the
// coefficients, a row for each y. It fails for coefficients below 0, and where the
// interpolant is below 0.
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
	m := &Map{x: x, y: y, mu: mu}
	return m, m.positive()
}

// positive looks between the points, where cubics of positive data may dip below zero.
func (m *Map) positive() error {
	for _, y := range quarters(m.y) {
		for _, x := range quarters(m.x) {
			if v, _, _ := m.At(x, y); v < 0 {
				return fmt.Errorf("dissipation: map: the interpolant is %g at (%g, %g), want a finer grid where mu falls to zero", v, x, y)
			}
		}
	}
	return nil
}

// quarters are the coordinates of a grid and three between each two.
func quarters(grid []float64) (list []float64) {
	const parts = 4
	for i, from := range grid[:len(grid)-1] {
		for p := range parts {
			list = append(list, from+(grid[i+1]-from)*float64(p)/parts)
		}
	}
	return append(list, grid[len(grid)-1]) // outside, that of the last one holds
}

// At returns μ and its derivatives [1/m].
func (m *Map) At(x, y float64) (mu, dx, dy float64) {
	i, wx := weights(m.x, x)
	j, wy := weights(m.y, y)
	for b := range 4 {
		row := m.mu[min(max(j+b-1, 0), len(m.y)-1)]
		v, d := 0.0, 0.0
		for a := range 4 {
			z := row[min(max(i+a-1, 0), len(m.x)-1)]
			v += wx.value[a] * z
			d += wx.slope[a] * z
		}
		mu += wy.value[b] * v
		dx += wy.value[b] * d
		dy += wy.slope[b] * v
	}
	return mu, dx, dy
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

// stencil has the weights of four neighbouring points for a value and its derivative.
type stencil struct{ value, slope [4]float64 }

// weights finds the cell of x and the weights of the points i−1 … i+2. At the ends the
// slope is that of the last cell; outside it is zero.
func weights(list []float64, x float64) (i int, w stencil) {
	n := len(list)
	nearest := min(max(x, list[0]), list[n-1])
	i = min(max(sort.SearchFloat64s(list, nearest)-1, 0), n-2)
	h := list[i+1] - list[i]
	s := (nearest - list[i]) / h
	// Hermite: values at the ends, slopes there from neighbours.
	v := [...]float64{1 - s*s*(3-2*s), s * s * (3 - 2*s), h * s * (1 - s) * (1 - s), -h * s * s * (1 - s)}
	d := [...]float64{-6 * s * (1 - s) / h, 6 * s * (1 - s) / h, (1 - s) * (1 - 3*s), -s * (2 - 3*s)}
	w.value[1], w.value[2] = v[0], v[1]
	w.slope[1], w.slope[2] = d[0], d[1]
	for k := range 2 { // slope at list[i+k]
		lo, hi := max(i+k-1, 0), min(i+k+1, n-1)
		width := list[hi] - list[lo]
		w.value[hi-i+1] += v[2+k] / width
		w.value[lo-i+1] -= v[2+k] / width
		w.slope[hi-i+1] += d[2+k] / width
		w.slope[lo-i+1] -= d[2+k] / width
	}
	if x != nearest {
		w.slope = [4]float64{}
	}
	return i, w
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
