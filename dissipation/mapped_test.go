package dissipation_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/dissipation"
)

// TestMapBilinear: a table of a bilinear function gives that function and its derivatives,
// on any grid, and the nearest value outside.
func TestMapBilinear(t *testing.T) {
	f := func(x, y float64) (mu, dx, dy float64) { return 2 + .3*x - .1*y + .05*x*y, .3 + .05*y, -.1 + .05*x }
	x, y := []float64{-1, 0, .3, 2, 4}, []float64{-2, 1, 1.5, 3}
	mu := make([][]float64, len(y))
	for j := range y {
		for i := range x {
			v, _, _ := f(x[i], y[j])
			mu[j] = append(mu[j], v)
		}
	}
	m, err := dissipation.NewMap(x, y, mu)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(-1, 4).Draw(t, "x"), rapid.Float64Range(-2, 3).Draw(t, "y")
		got, gx, gy := m.At(a, b)
		want, wx, wy := f(a, b)
		// A dozen products of numbers below 10, and widths down to .3.
		for _, d := range []float64{got - want, gx - wx, gy - wy} {
			if math.Abs(d) > 1e-13 {
				t.Fatalf("at (%g, %g): %g, %g, %g, want %g, %g, %g", a, b, got, gx, gy, want, wx, wy)
			}
		}
	})
	if v, dx, dy := m.At(9, -7); v != mu[0][4] || dx != 0 || dy != 0 {
		t.Errorf("outside: %g, %g, %g, want %g, 0, 0", v, dx, dy, mu[0][4])
	}
}

// TestMappedDerivative: a rough map along a turned frame has the map's value at the point of
// the surface, and the derivative of central differences.
func TestMappedDerivative(t *testing.T) {
	m, err := dissipation.NewMap([]float64{0, 1, 1.7, 3}, []float64{0, .5, 2},
		[][]float64{{.3, .5, .2, .4}, {.4, .3, .6, .3}, {.5, .4, .4, .6}})
	if err != nil {
		t.Fatal(err)
	}
	f := dissipation.NewMapped(m, [2]float64{1, .2}, [2]float64{.6, .5}, [2]float64{-.5, .6})
	for _, z := range [][2]float64{{.1, .3}, {.7, .9}, {-.2, .4}} {
		var d [2][4]float64
		at := f.At(z[0], z[1], &d)
		if want, _, _ := m.At(1+.6*z[0]-.5*z[1], .2+.5*z[0]+.6*z[1]); math.Abs(at[0]-want) > 1e-15 || at[3] != at[0] { // rounding
			t.Errorf("at %v: %v, the map has %g", z, at, want)
		}
		const h = 1e-6
		for k := range 2 {
			e := [2]float64{}
			e[k] = h
			p, q := f.At(z[0]+e[0], z[1]+e[1], nil), f.At(z[0]-e[0], z[1]-e[1], nil)
			if got := (p[0] - q[0]) / (2 * h); math.Abs(got-d[k][0]) > 1e-8 { // h² of third derivatives, and rounding/h
				t.Errorf("at %v: ∂%d is %g, by differences %g", z, k, d[k][0], got)
			}
		}
	}
}

// TestMapStaysWithin: between its points a map is nowhere above the largest nor below the least of the four about it,
// on grids of any spacing; it is smooth across their lines, and the same with x and y exchanged.
func TestMapStaysWithin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		grid := func(name string) (list []float64) {
			for _, w := range rapid.SliceOfN(rapid.Float64Range(-4, 1), 2, 6).Draw(t, name) {
				list = append(list, math.Pow(10, w))
				if n := len(list); n > 1 {
					list[n-1] += list[n-2]
				}
			}
			return list
		}
		x, y := grid("x"), grid("y")
		mu, other := make([][]float64, len(y)), make([][]float64, len(x))
		for j := range y {
			mu[j] = rapid.SliceOfN(rapid.SampledFrom([]float64{0, .1, .11, .3, .8}), len(x), len(x)).Draw(t, "mu")
			for i := range x {
				other[i] = append(other[i], mu[j][i])
			}
		}
		m, err := dissipation.NewMap(x, y, mu)
		turned, err2 := dissipation.NewMap(y, x, other)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		i, j := rapid.IntRange(0, len(x)-2).Draw(t, "i"), rapid.IntRange(0, len(y)-2).Draw(t, "j")
		a, b := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
		p, q := x[i]+a*(x[i+1]-x[i]), y[j]+b*(y[j+1]-y[j])
		v, dx, dy := m.At(p, q)
		c := []float64{mu[j][i], mu[j][i+1], mu[j+1][i], mu[j+1][i+1]}
		if v < slices.Min(c)-1e-15 || v > slices.Max(c)+1e-15 { // rounding
			t.Fatalf("at (%g, %g): %g, between %v", p, q, v, c)
		}
		// Places are rounded by 1e-16 of the grid's 60 m, cells are 1e-4 m.
		if w, wy, wx := turned.At(q, p); math.Abs(w-v) > 1e-10 || math.Abs(wx-dx) > 1e-5 || math.Abs(wy-dy) > 1e-5 {
			t.Fatalf("at (%g, %g): %g, %g, %g; exchanged %g, %g, %g", p, q, v, dx, dy, w, wx, wy)
		}
		if i > 0 { // curvatures are below 50/(1e-4 m)²
			_, lx, ly := m.At(x[i], q)
			if _, rx, ry := m.At(math.Nextafter(x[i], math.Inf(1)), q); math.Abs(rx-lx) > 1e-4 || math.Abs(ry-ly) > 1e-4 {
				t.Fatalf("at (%g, %g): slopes %g, %g before, %g, %g behind", x[i], q, lx, ly, rx, ry)
			}
		}
	})
}

func TestMapRefused(t *testing.T) {
	good := [][]float64{{1, 1}, {1, 1}}
	for name, c := range map[string]struct {
		x, y []float64
		mu   [][]float64
	}{
		"one column": {[]float64{0}, []float64{0, 1}, [][]float64{{1}, {1}}},
		"decreasing": {[]float64{1, 0}, []float64{0, 1}, good},
		"NaN":        {[]float64{0, math.NaN()}, []float64{0, 1}, good},
		"rows":       {[]float64{0, 1}, []float64{0, 1, 2}, good},
		"columns":    {[]float64{0, 1, 2}, []float64{0, 1}, good},
		"negative":   {[]float64{0, 1}, []float64{0, 1}, [][]float64{{1, -1}, {1, 1}}},
	} {
		if _, err := dissipation.NewMap(c.x, c.y, c.mu); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestMapMean: the mean along any way is that of many places on it, of slats that are crossed by
// hundreds, too, and of what is outside of the map.
func TestMapMean(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	var x, y []float64
	for k := range 40 {
		x, y = append(x, float64(k)*.05+.03*random.Float64()), append(y, float64(k)*.1)
	}
	mu := make([][]float64, len(y))
	for j := range mu {
		for range x {
			mu[j] = append(mu[j], .2+.3*random.Float64())
		}
	}
	m, err := dissipation.NewMap(x, y, mu)
	if err != nil {
		t.Fatal(err)
	}
	place := func() [2]float64 { return [2]float64{-1 + 4*random.Float64(), -1 + 6*random.Float64()} }
	for k := range 40 {
		from, to := place(), place()
		switch k {
		case 0:
			to = from
		case 1:
			from, to = [2]float64{x[3], y[4]}, [2]float64{x[30], y[4]}
		}
		const n = 20000
		want := 0.0
		for i := range n {
			s := (float64(i) + .5) / n
			v, _, _ := m.At(from[0]+s*(to[0]-from[0]), from[1]+s*(to[1]-from[1]))
			want += v / n
		}
		if got := m.Mean(from, to); math.Abs(got-want) > 1e-6 {
			t.Errorf("from %v to %v: mean %.9g, want %.9g", from, to, got, want)
		}
	}
}
