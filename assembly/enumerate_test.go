package assembly_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestRandomAssemblies: verdicts of random assemblies in the plane are those of an enumeration of all
// modes of all contacts, each by a linear program of its own (simplex in dense numbers, made for this
// test: it shares nothing with the package but the case).
func TestRandomAssemblies(t *testing.T) {
	count := 250
	if thorough.Asked() {
		count = 2000
	}
	rng := rand.New(rand.NewPCG(35, 2026))
	words := map[assembly.Word]int{}
	skipped := 0
	for k := range count {
		points := 2 + rng.IntN(3)
		if thorough.Asked() {
			points = 2 + rng.IntN(5)
		}
		a, c := randomAssembly(rng, points)
		want, margin := c.verdict()
		if margin < 1e-6 { // too near to a change for either
			skipped++
			continue
		}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		v, err := assembly.Judge(t.Context(), a, &assembly.Options{Limit: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		words[v.Word]++
		if v.Word != want {
			t.Errorf("assembly %d (%d contacts): %s (%s), want %s", k, points, v.Word, v.Reason, want)
		}
	}
	t.Logf("%v, %d skipped", words, skipped)
	for _, w := range []assembly.Word{assembly.Falls, assembly.Stands, assembly.Depends} {
		if words[w] < count/50 {
			t.Errorf("only %d of %d are %s: the draw shows too little", words[w], count, w)
		}
	}
	if skipped > count/20 {
		t.Errorf("%d of %d skipped", skipped, count)
	}
}

// A planeCase is the same assembly in the numbers of the enumeration: of each block velocities
// (x, z, turning about y).
type planeCase struct {
	mass   []float64 // diagonal of M
	f      []float64
	normal [][]float64 // columns of H
	along  [][]float64
	mu     []float64
}

// randomAssembly has one or two blocks, held by points on the ground and between the blocks, of random
// normals and frictions; two points of some are corners of one interface.
func randomAssembly(rng *rand.Rand, points int) (*assembly.Assembly, *planeCase) {
	blocks := 1 + rng.IntN(2)
	a := &assembly.Assembly{Plane: true, Blocks: []assembly.Block{rectangle("ground", -50, -50, 50, -40, true)}}
	c := &planeCase{}
	const size, g = 2., 9.81
	for b := range blocks {
		x := 4 * float64(b)
		a.Blocks = append(a.Blocks, rectangle(string(rune('a'+b)), x-1, -1, x+1, 1, false))
		m := size * size
		c.mass = append(c.mass, m, m, m*size*size/6)
		push := rng.Float64() * 20
		a.Loads = append(a.Loads, assembly.Load{Block: b + 1, Point: [3]float64{x, 0, rng.Float64()}, Force: [3]float64{push}})
		c.f = append(c.f, push, -m*g, a.Loads[b].Point[2]*push)
	}
	column := func(parts map[int][2]float64, p [3]float64) []float64 {
		h := make([]float64, 3*blocks)
		for b, n := range parts {
			dx, dz := p[0]-4*float64(b-1), p[2]
			h[3*b-3], h[3*b-2], h[3*b-1] = n[0], n[1], dz*n[0]-dx*n[1]
		}
		return h
	}
	for k := 0; k < points; k++ {
		one := 1 + rng.IntN(blocks)
		if k < blocks {
			one = k + 1
		}
		other := 0
		if blocks == 2 && k >= 2 && rng.IntN(2) == 0 {
			other, one = 1, 2
		}
		angle := math.Pi/2 + rng.NormFloat64()*.9
		if other > 0 {
			angle = rng.NormFloat64() * .6
		}
		sin, cos := math.Sincos(angle)
		p := [3]float64{4*float64(one-1) - cos + rng.NormFloat64()*.3, 0, -sin + rng.NormFloat64()*.3}
		mu := rng.Float64() * 1.2
		a.Interfaces = append(a.Interfaces, assembly.Interface{A: other, B: one, Normal: [3]float64{cos, 0, sin},
			Points: [][3]float64{p}, Friction: mu})
		n, s := map[int][2]float64{one: {cos, sin}}, map[int][2]float64{one: {sin, -cos}}
		if other > 0 {
			n[other], s[other] = [2]float64{-cos, -sin}, [2]float64{-sin, cos}
		}
		face := &a.Interfaces[len(a.Interfaces)-1]
		if k >= blocks && k+1 < points && rng.IntN(2) == 0 {
			k++
			l := .2 + rng.Float64()
			face.Points = append(face.Points, [3]float64{p[0] + l*sin, 0, p[2] - l*cos})
		}
		for _, p := range face.Points {
			c.normal, c.along, c.mu = append(c.normal, column(n, p)), append(c.along, column(s, p)), append(c.mu, mu)
		}
	}
	return a, c
}

// verdict goes through all modes. The margin is how far the numbers are from another verdict.
func (c *planeCase) verdict() (assembly.Word, float64) {
	nc := len(c.mu)
	// Equilibrium: reactions by the edges of their cones, Σ ≥ 0.
	var columns [][]float64
	for j := range nc {
		for _, s := range []float64{-1, 1} {
			columns = append(columns, combine(c.normal[j], c.along[j], s*c.mu[j]))
		}
	}
	rest := c.away(columns)
	if rest > 1e-7 {
		return assembly.Falls, rest
	}
	margin := 1.
	modes := 1
	for range nc {
		modes *= 4
	}
	for m := range modes {
		p := c.power(m) / 400 // that of a free fall
		if p > 1e-5 {
			return assembly.Depends, 1
		}
		if p > 1e-8 { // rounding of the simplex, or a motion: neither is claimed
			margin = p / 100
		}
	}
	return assembly.Stands, margin
}

func combine(x, y []float64, f float64) []float64 {
	z := make([]float64, len(x))
	for i := range x {
		z[i] = x[i] + f*y[i]
	}
	return z
}

// away is how much of f no sum of columns balances: the value of phase one.
func (c *planeCase) away(columns [][]float64) float64 {
	t := newTableau(len(c.f))
	for _, h := range columns {
		t.column(h, 0)
	}
	rhs := make([]float64, len(c.f))
	for i, f := range c.f {
		rhs[i] = -f
	}
	value, _ := t.solve(rhs)
	return value / (1 + math.Abs(c.f[1]))
}

// power is the largest f·a of motions in a mode: 0 open, 1 stick, 2 and 3 slip; 0 where there is none.
// Unknown are a = a⁺ − a⁻ and the reactions; rows are the equations of motion, then those of the mode.
func (c *planeCase) power(m int) float64 {
	nv, nc := len(c.f), len(c.mu)
	t := newTableau(nv + 2*nc)
	for i := range nv {
		for _, s := range []float64{1, -1} {
			col := make([]float64, nv+2*nc)
			col[i] = s * c.mass[i]
			for j := range nc {
				col[nv+2*j], col[nv+2*j+1] = s*c.normal[j][i], s*c.along[j][i]
			}
			t.column(col, -s*c.f[i])
		}
	}
	unit := func(row int, v float64) {
		col := make([]float64, nv+2*nc)
		col[row] = v
		t.column(col, 0)
	}
	force := func(h []float64) {
		col := make([]float64, nv+2*nc)
		for i, v := range h {
			col[i] = -v
		}
		t.column(col, 0)
	}
	for j := range nc {
		switch m >> (2 * j) & 3 {
		case 0: // u_N ≥ 0, u_T free
			unit(nv+2*j, -1)
			unit(nv+2*j+1, 1)
			unit(nv+2*j+1, -1)
		case 1: // u = 0
			force(combine(c.normal[j], c.along[j], c.mu[j]))
			force(combine(c.normal[j], c.along[j], -c.mu[j]))
		case 2: // u_T ≥ 0
			unit(nv+2*j+1, -1)
			force(combine(c.normal[j], c.along[j], -c.mu[j]))
		case 3:
			unit(nv+2*j+1, 1)
			force(combine(c.normal[j], c.along[j], c.mu[j]))
		}
	}
	rhs := make([]float64, nv+2*nc)
	copy(rhs, c.f)
	infeasible, value := t.solve(rhs)
	if infeasible > 1e-9*(1+math.Abs(c.f[1])) {
		return 0
	}
	return -value
}

// A tableau is the simplex method in two phases with Bland's rule, on dense rows.
type tableau struct {
	rows int
	cols [][]float64
	cost []float64
}

func newTableau(rows int) *tableau { return &tableau{rows: rows} }

func (t *tableau) column(col []float64, cost float64) {
	t.cols, t.cost = append(t.cols, append([]float64(nil), col...)), append(t.cost, cost)
}

// solve returns the value of phase one and, if that is zero, the least cost.
func (t *tableau) solve(rhs []float64) (infeasible, value float64) {
	m, n := t.rows, len(t.cols)
	a := make([][]float64, m)
	basis := make([]int, m)
	for i := range m {
		a[i] = make([]float64, n+m+1)
		s := 1.
		if rhs[i] < 0 {
			s = -1
		}
		for j := range n {
			a[i][j] = s * t.cols[j][i]
		}
		a[i][n+i], a[i][n+m], basis[i] = 1, s*rhs[i], n+i
	}
	costs := make([]float64, n+m)
	for i := range m {
		costs[n+i] = 1
	}
	infeasible = pivot(a, basis, costs, n+m)
	if infeasible > 1e-9 {
		return infeasible, 0
	}
	copy(costs, t.cost)
	for i := range m {
		costs[n+i] = 1e6 // artificial ones stay at zero
	}
	value = pivot(a, basis, costs, n)
	for r := range m { // what the pivots made of it is a solution of the rows that were given
		rest := -rhs[r]
		for i, j := range basis {
			if j < n {
				rest += t.cols[j][r] * a[i][n+m]
			}
		}
		if math.Abs(rest) > 1e-6 || a[r][n+m] < -1e-9 {
			return math.Inf(1), 0
		}
	}
	return infeasible, value
}

func pivot(a [][]float64, basis []int, costs []float64, enter int) float64 {
	m, last := len(a), len(a[0])-1
	barred := make([]bool, last) // rays: costs have a least value, so that theirs is rounding
	for range 5000 {
		e := -1
		for j := range enter {
			d := costs[j]
			if barred[j] {
				continue
			}
			for i := range m {
				d -= costs[basis[i]] * a[i][j]
			}
			if d < -1e-9 {
				e = j
				break
			}
		}
		if e < 0 {
			break
		}
		out, best := -1, math.Inf(1)
		for i := range m {
			if a[i][e] > 1e-9 {
				if q := a[i][last] / a[i][e]; q < best-1e-12 || q < best+1e-12 && out >= 0 && basis[i] < basis[out] {
					out, best = i, q
				}
			}
		}
		if out < 0 {
			barred[e] = true
			continue
		}
		p := a[out][e]
		for j := range a[out] {
			a[out][j] /= p
		}
		for i := range m {
			if f := a[i][e]; i != out && f != 0 {
				for j := range a[i] {
					a[i][j] -= f * a[out][j]
				}
			}
		}
		basis[out] = e
	}
	value := 0.
	for i := range m {
		value += costs[basis[i]] * a[i][last]
	}
	return value
}
