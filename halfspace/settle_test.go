package halfspace

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSolve3: A⁻¹x of order one to three is undone by A, in need of pivots or not; a matrix without rows that differ has none.
func TestSolve3(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		for m := 1; m <= 3; m++ {
			var a [3][3]float64
			var x, want [3]float64
			for i := range m {
				for j := range m {
					if a[i][j] = rng.NormFloat64(); m > 1 && i == j && rng.IntN(3) == 0 {
						a[i][j] = 0
					}
				}
				want[i] = rng.NormFloat64()
			}
			if math.Abs(determinant(a, m)) < .02 {
				continue
			}
			for i := range m {
				for j := range m {
					x[i] += a[i][j] * want[j]
				}
			}
			if !solve3(a, &x, m) {
				t.Errorf("%v has no inverse", a)
			}
			for i := range m {
				if !(math.Abs(x[i]-want[i]) <= 1e-12) { // conditions of some hundreds
					t.Errorf("order %d: %v, want %v", m, x, want)
				}
			}
		}
	}
	for _, a := range [][3][3]float64{{}, {{1, 2, 3}, {0, 0, 0}, {1, 0, 1}}, {{1, 2, 3}, {2, 4, 6}, {0, 0, 1}}} {
		if x := [3]float64{1, 2, 3}; solve3(a, &x, 3) {
			t.Errorf("%v has an inverse: %v", a, x)
		}
	}
}

func determinant(a [3][3]float64, m int) float64 {
	for i := m; i < 3; i++ {
		a[i] = [3]float64{}
		a[i][i] = 1
	}
	return a[0][0]*(a[1][1]*a[2][2]-a[1][2]*a[2][1]) - a[0][1]*(a[1][0]*a[2][2]-a[1][2]*a[2][0]) + a[0][2]*(a[1][0]*a[2][1]-a[1][1]*a[2][0])
}

// TestSettleGaps: a rough body that is put down under a load at a point comes to rest on the three elements, or two of a row, around that point on which it stands the highest: its gaps are nowhere negative, those
// three are closed, and the work of the load is the largest of all forces on three elements that bear it. A load beside the body leaves it where it is.
func TestSettleGaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const load = 2.5
	for _, c := range []struct {
		nx, ny int
		turns  []int
		at     [2]float64
		ok     bool
	}{
		{5, 4, []int{MoveN, TurnX, TurnY}, [2]float64{.3, -.2}, true},
		{5, 4, []int{TurnY, TurnX, MoveN}, [2]float64{-1.2, .9}, true},
		{5, 4, []int{MoveX, TurnX, MoveN, TurnY}, [2]float64{1.9, 1.4}, true},
		{5, 4, []int{MoveN, TurnX, TurnY}, [2]float64{0, 1.6}, false},
		{5, 4, []int{MoveN, TurnX, TurnY}, [2]float64{-2.1, 0}, false},
		{7, 1, []int{MoveN, TurnY}, [2]float64{.8, 0}, true},
		{7, 1, []int{MoveN, TurnX, TurnY}, [2]float64{-2.8, 0}, true},
		{7, 1, []int{MoveN, TurnY}, [2]float64{3.1, 0}, false},
		{1, 6, []int{TurnY, MoveN, TurnX}, [2]float64{0, 1.1}, true},
		{5, 4, []int{MoveN}, [2]float64{}, false},        // the approach alone is that of lift
		{5, 4, []int{TurnX, TurnY}, [2]float64{}, false}, // held
	} {
		for range 8 {
			n := c.nx * c.ny
			p := &convex{box: box{nx: c.nx, ny: c.ny}, n: n, b: NewField(n), p: NewField(n), cp: NewField(n), y: NewField(n)}
			for i := range c.nx {
				p.x = append(p.x, float64(i)-float64(c.nx-1)/2)
			}
			for j := range c.ny {
				p.y0 = append(p.y0, float64(j)-float64(c.ny-1)/2)
			}
			for k := range n {
				p.b[N][k] = rng.NormFloat64() + .5*float64(k%c.nx)
				p.cp[N][k] = .1 * rng.Float64()
			}
			for _, index := range c.turns {
				f := force{mode: modes[index], index: index, move: rng.NormFloat64()}
				f.target = load * f.at(N, c.at[0], c.at[1])
				p.forces = append(p.forces, f)
			}
			p.residual()
			before := p.moves()
			p.settleGaps()
			if !c.ok {
				if p.moves() != before {
					t.Errorf("%+v: it moves by %v", c, p.moves())
				}
				continue
			}
			y := slices.Clone(p.y[N])
			p.residual()
			closed, work := 0, 0.0
			for k, gap := range p.y[N] {
				if gap != y[k] || gap < -1e-13 { // of gaps of ten or so
					t.Errorf("%+v: element %d is left with a gap of %g, %g", c, k, y[k], gap)
				}
				if gap < 1e-13 {
					closed++
				}
			}
			order := 3
			if c.ny == 1 || c.nx == 1 {
				order = 2
			}
			if closed != order {
				t.Errorf("%+v: it stands on %d elements", c, closed)
			}
			for i := range p.forces {
				if f := &p.forces[i]; f.moves(N) {
					work += f.target * f.move
				}
			}
			// The largest work of what the load may stand on, by trying all.
			best := math.Inf(-1)
			for i := range n {
				for j := range i {
					for k := range max(j, 1) {
						var a [3][3]float64
						x := [3]float64{load, load * c.at[0], load * c.at[1]}
						for col, e := range [3]int{i, j, k} {
							a[0][col], a[1][col], a[2][col] = 1, p.x[e%c.nx], p.y0[e/c.nx]
						}
						if order == 2 {
							if c.nx == 1 {
								a[1], x[1] = a[2], x[2]
							}
							if k > 0 {
								continue
							}
						} else if k >= j {
							continue
						}
						if math.Abs(determinant(a, order)) < 1e-9 || !solve3(a, &x, order) || slices.Min(x[:order]) < -1e-12 {
							continue
						}
						sum := 0.0
						for col, e := range []int{i, j, k}[:order] {
							sum -= x[col] * (p.b[N][e] + p.cp[N][e])
						}
						best = max(best, sum)
					}
				}
			}
			if !(math.Abs(work-best) <= 1e-12*(1+math.Abs(best))) {
				t.Errorf("%+v: it works by %.15g, want %.15g", c, work, best)
			}
		}
	}
}

// roughPatch is a rough patch whose elements slip by random ways under tractions within their bounds, free to move along x and y and to spin.
func roughPatch(rng *rand.Rand, nx, ny int) *convex {
	n := nx * ny
	c := &convex{box: box{nx: nx, ny: ny}, n: n, b: NewField(n), p: NewField(n), cp: NewField(n), y: NewField(n), g: make([]float64, n)}
	for i := range nx {
		c.x = append(c.x, float64(i)-.4*float64(nx))
	}
	for j := range ny {
		c.y0 = append(c.y0, float64(j)-.7*float64(ny))
	}
	for k := range n {
		c.g[k] = .2 + rng.Float64()
		for _, comp := range [2]int{X, Y} {
			c.b[comp][k], c.cp[comp][k] = rng.NormFloat64(), .3*rng.NormFloat64()
			c.p[comp][k] = .5 * c.g[k] * (2*rng.Float64() - 1)
		}
	}
	for _, index := range []int{MoveX, TurnN, MoveY} {
		c.forces = append(c.forces, force{mode: modes[index], index: index, move: .1 * rng.NormFloat64()})
	}
	c.residual()
	return c
}

// TestSmoothed: the function is Σ g√(|y|² + ε²) + p·y, with the slope along the step that differences find; and the step is Newton's: eᵀHd, by differences, is the slope along e with the sign turned, for any e.
func TestSmoothed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, epsilon := range []float64{.3, 1} {
		c := roughPatch(rng, 4, 3)
		value, dir, slope := c.smoothed(epsilon)
		want := 0.0
		for k, g := range c.g {
			x, y := c.y[X][k], c.y[Y][k]
			want += g*math.Sqrt(x*x+y*y+epsilon*epsilon) + c.p[X][k]*x + c.p[Y][k]*y
		}
		if !(math.Abs(value-want) <= 1e-13*want) {
			t.Errorf("ε = %g: %g, want %g", epsilon, value, want)
		}
		start := c.moves()
		at := func(d, e [Moves]float64, s, u float64) float64 {
			to := start
			for i := range to {
				to[i] += s*d[i] + u*e[i]
			}
			c.setMoves(to)
			v, _, _ := c.smoothed(epsilon)
			return v
		}
		const h = 1e-3 // differences of second order: h² of a third derivative of some ten, and 1e-16/h² of rounding
		var none [Moves]float64
		if got := (at(dir, none, h, 0) - at(dir, none, -h, 0)) / (2 * h); !(math.Abs(got-slope) <= 1e-4*math.Abs(slope)) || !(slope < 0) {
			t.Errorf("ε = %g: the slope is %g, by differences %g", epsilon, slope, got)
		}
		for range 4 {
			var e [Moves]float64
			for i := range c.forces {
				e[i] = rng.NormFloat64()
			}
			along := (at(e, none, h, 0) - at(e, none, -h, 0)) / (2 * h)
			bend := (at(dir, e, h, h) - at(dir, e, h, -h) - at(dir, e, -h, h) + at(dir, e, -h, -h)) / (4 * h * h)
			if !(math.Abs(along+bend) <= 1e-3*(1+math.Abs(along))) {
				t.Errorf("ε = %g: eᵀHd = %g, want %g", epsilon, bend, -along)
			}
		}
	}
}

// TestSettleSlips: where slips have settled no motion makes Σ g|y| + p·y less.
func TestSettleSlips(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	for range 4 {
		c := roughPatch(rng, 4, 3)
		work := func() (sum float64) {
			for k, g := range c.g {
				sum += g*math.Hypot(c.y[X][k], c.y[Y][k]) + c.p[X][k]*c.y[X][k] + c.p[Y][k]*c.y[Y][k]
			}
			return sum
		}
		before := work()
		c.settleSlips()
		least, at := work(), c.moves()
		if !(least < before) {
			t.Errorf("from %g to %g", before, least)
		}
		for k := range 60 {
			to, size := at, math.Pow(10, -float64(k%6))
			for i := range c.forces {
				to[i] += size * rng.NormFloat64()
			}
			c.setMoves(to)
			if less := work(); less < least-1e-12*least {
				t.Errorf("%g is left, and %g moves of %g beside", least, less, size)
			}
		}
		c.setMoves(at)
		for k := range c.n { // nothing slips: nothing moves
			c.b[X][k], c.b[Y][k], c.cp[X][k], c.cp[Y][k] = 0, 0, 0, 0
		}
		c.setMoves([Moves]float64{})
		if c.settleSlips(); c.moves() != [Moves]float64{} {
			t.Errorf("what does not slip moves by %v", c.moves())
		}
	}
}
