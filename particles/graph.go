package particles

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Graph is the obstacle under the graph of a table, z <= f(x, y), or above it: f is the natural
// cubic spline through the heights on a grid, twice continuously differentiable; outside of it goes
// on straight. The coordinates are x and y.
type Graph struct {
	x, y []float64
	// At the points of the grid, by y, then x: f and its slopes ∂f/∂x, ∂f/∂y, ∂²f/∂x∂y.
	f, fx, fy, fxy [][]float64
	side           float64
}

// NewGraph takes the coordinates [m], increasing, and the heights [m], a row for each y. One x, or
// one y, is a profile that does not depend on it. above: the particles are below.
func NewGraph(x, y []float64, height [][]float64, above bool) (*Graph, error) {
	for name, list := range map[string][]float64{"x": x, "y": y} {
		if len(list) == 0 {
			return nil, fmt.Errorf("particles: graph: no values of %s", name)
		}
		for i, v := range list {
			if !finite(v) || i > 0 && !(v > list[i-1]) {
				return nil, fmt.Errorf("particles: graph: %s is %g after %g, want finite numbers that increase", name, v, list[max(i-1, 0)])
			}
		}
	}
	if len(height) != len(y) {
		return nil, fmt.Errorf("particles: graph: %d rows of heights, want %d, one for each y", len(height), len(y))
	}
	g := &Graph{x: x, y: y, f: height, side: 1}
	for j, row := range height {
		if len(row) != len(x) {
			return nil, fmt.Errorf("particles: graph: row %d of the heights has %d values, want %d, one for each x", j, len(row), len(x))
		}
		if !finite(slices.Max(row)) || !finite(slices.Min(row)) {
			return nil, fmt.Errorf("particles: graph: row %d of the heights is not finite", j)
		}
		g.fx = append(g.fx, splineSlopes(x, row))
	}
	g.fy, g.fxy = slopesAcross(y, g.f), slopesAcross(y, g.fx)
	for _, list := range [][][]float64{g.fx, g.fy, g.fxy} {
		for _, row := range list {
			if slices.ContainsFunc(row, func(v float64) bool { return !finite(v) }) {
				return nil, fmt.Errorf("particles: graph: the slopes of the heights overflow")
			}
		}
	}
	if above {
		g.side = -1
	}
	return g, nil
}

// slopesAcross returns the slopes along y of a table.
func slopesAcross(y []float64, f [][]float64) [][]float64 {
	out, column := make([][]float64, len(y)), make([]float64, len(y))
	for j := range out {
		out[j] = make([]float64, len(f[0]))
	}
	for i := range f[0] {
		for j := range f {
			column[j] = f[j][i]
		}
		for j, s := range splineSlopes(y, column) {
			out[j][i] = s
		}
	}
	return out
}

// splineSlopes returns the slopes of the natural cubic spline at its points,
//
//	m_{i−1}/h_i + 2 (1/h_i + 1/h_{i+1}) m_i + m_{i+1}/h_{i+1} = 3 (Δ_i/h_i + Δ_{i+1}/h_{i+1}),
//
// Δ the slopes of the chords, with one side only at the ends; by Thomas's algorithm.
func splineSlopes(x, f []float64) []float64 {
	n := len(x)
	m := make([]float64, n)
	if n == 1 {
		return m
	}
	upper := make([]float64, n)
	lower := 0.0 // 1/h before
	last := 0.0  // 3Δ/h before
	for i := range n {
		next, chord := 0.0, 0.0
		if i+1 < n {
			h := x[i+1] - x[i]
			next, chord = 1/h, 3*((f[i+1]-f[i])/h)/h
		}
		diagonal, rhs := 2*(lower+next), last+chord
		if i > 0 {
			diagonal -= lower * upper[i-1]
			rhs -= lower * m[i-1]
		}
		upper[i], m[i] = next/diagonal, rhs/diagonal
		lower, last = next, chord
	}
	for i := n - 2; i >= 0; i-- {
		m[i] -= upper[i] * m[i+1]
	}
	return m
}

// hermite has the weights of the values at both ends of a cell, then of the slopes, with two
// derivatives.
type hermite struct{ w, d, dd [4]float64 }

// cell returns the cell of a coordinate and the weights there; outside, the straight line from the
// end is written with the last point alone.
func cell(x []float64, at float64) (lo, hi int, h hermite) {
	n := len(x)
	i := sort.SearchFloat64s(x, at)
	if i == 0 || i == n {
		end := max(i-1, 0)
		return end, end, hermite{w: [4]float64{1, 0, at - x[end], 0}, d: [4]float64{0, 0, 1, 0}}
	}
	l := x[i] - x[i-1]
	s := (at - x[i-1]) / l
	h.w = [4]float64{1 - s*s*(3-2*s), s * s * (3 - 2*s), l * s * (1 - s) * (1 - s), l * s * s * (s - 1)}
	h.d = [4]float64{-6 * s * (1 - s) / l, 6 * s * (1 - s) / l, (1 - s) * (1 - 3*s), s * (3*s - 2)}
	h.dd = [4]float64{(12*s - 6) / (l * l), (6 - 12*s) / (l * l), (6*s - 4) / l, (6*s - 2) / l}
	return i - 1, i, h
}

// Height returns f and its derivatives up to the second.
func (g *Graph) Height(x, y float64) (f, fx, fy, fxx, fxy, fyy float64) {
	i0, i1, wx := cell(g.x, x)
	j0, j1, wy := cell(g.y, y)
	// Along x in both rows: the value and its slope along y, with derivatives.
	along := func(w *[4]float64, values, slopes [][]float64, j int) float64 {
		return w[0]*values[j][i0] + w[1]*values[j][i1] + w[2]*slopes[j][i0] + w[3]*slopes[j][i1]
	}
	mix := func(wx, wy *[4]float64) float64 {
		return wy[0]*along(wx, g.f, g.fx, j0) + wy[1]*along(wx, g.f, g.fx, j1) + wy[2]*along(wx, g.fy, g.fxy, j0) +
			wy[3]*along(wx, g.fy, g.fxy, j1)
	}
	return mix(&wx.w, &wy.w), mix(&wx.d, &wy.w), mix(&wx.w, &wy.d), mix(&wx.dd, &wy.w), mix(&wx.d, &wy.d), mix(&wx.w, &wy.dd)
}

func (g *Graph) derivatives(u, v float64) jet {
	f, fx, fy, fxx, fxy, fyy := g.Height(u, v)
	return jet{p: vec{u, v, f}, u: vec{1, 0, fx}, v: vec{0, 1, fy}, uu: vec{0, 0, fxx}, uv: vec{0, 0, fxy}, vv: vec{0, 0, fyy}}
}

// At implements [Face].
func (g *Graph) At(u, v float64) (p, pu, pv, n, nu, nv [3]float64) {
	d := g.derivatives(u, v)
	return d.at(g.side)
}

// Near implements [Face]: the point below or above, which [Chart] improves.
func (g *Graph) Near(x [3]float64) (u, v float64) { return x[0], x[1] }

// Metric implements [Face].
func (g *Graph) Metric(u, v float64) Metric {
	d := g.derivatives(u, v)
	return d.metric()
}

// Flat implements [Face].
func (g *Graph) Flat() bool { return false }

// Size is the least distance of points of the grid: 1 m of a single point.
func (g *Graph) Size() float64 {
	least := math.Inf(1)
	for _, list := range [][]float64{g.x, g.y} {
		for i := 1; i < len(list); i++ {
			least = min(least, list[i]-list[i-1])
		}
	}
	if math.IsInf(least, 1) {
		return 1
	}
	return least
}

var (
	_ Face = Ellipsoid{}
	_ Face = Torus{}
	_ Face = (*Graph)(nil)
)

// Grid returns the coordinates of the table; they belong to it.
func (g *Graph) Grid() (x, y []float64) { return g.x, g.y }
