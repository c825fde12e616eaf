package energetic_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// level is a surface as the zero of a function that is positive where particles are.
type level func(x [3]float64) float64

// normal is its unit gradient, by central differences.
func (g level) normal(x [3]float64) (n [3]float64, slope float64) {
	const h = 1e-6
	for c := range x {
		hi, lo := x, x
		hi[c] += h
		lo[c] -= h
		n[c] = (g(hi) - g(lo)) / (2 * h)
		slope += n[c] * n[c]
	}
	slope = math.Sqrt(slope)
	for c := range n {
		n[c] /= slope
	}
	return n, slope
}

// onto moves a point along the normal to the surface.
func (g level) onto(x [3]float64) [3]float64 {
	for range 4 {
		n, slope := g.normal(x)
		off := g(x) / slope
		for c := range x {
			x[c] -= off * n[c]
		}
	}
	return x
}

// drag follows a particle on a surface that a spring k pulls to a(t), in space, by Coulomb's law as
// it stands: where the pull along the surface is more than μ times that onto it, it slides along
// that pull by what brings it back. It returns where it ends and what friction takes.
func (g level) drag(x [3]float64, a func(t float64) [3]float64, k, mu float64, steps int) (end [3]float64, lost float64) {
	for i := 1; i <= steps; i++ {
		goal := a(float64(i) / float64(steps))
		for range 3 {
			n, _ := g.normal(x)
			press := 0.0
			var pull [3]float64
			for c := range pull {
				pull[c] = k * (goal[c] - x[c])
				press -= pull[c] * n[c]
			}
			size := 0.0
			for c := range pull {
				pull[c] += press * n[c]
				size += pull[c] * pull[c]
			}
			size = math.Sqrt(size)
			excess := size - mu*max(press, 0)
			if excess <= 0 {
				break
			}
			before := x
			for c := range x {
				x[c] += excess / k * pull[c] / size
			}
			x = g.onto(x)
			way := 0.0
			for c := range x {
				way += (x[c] - before[c]) * (x[c] - before[c])
			}
			lost += mu * press * math.Sqrt(way)
		}
	}
	return x, lost
}

// TestCurvedFaces drags a particle across the coordinates of an ellipsoid, a torus and the graph of
// a table, and compares it with an integration in space that knows no coordinates.
func TestCurvedFaces(t *testing.T) {
	grid := []float64{-1, -.5, 0, .5, 1, 1.5}
	table := make([][]float64, len(grid))
	for j, y := range grid {
		for _, x := range grid {
			table[j] = append(table[j], .2*math.Cos(2*x)*math.Cos(1.5*y))
		}
	}
	egg, err1 := particles.NewEllipsoid([3]float64{0, 0, -1}, [3]float64{2, 1.5, 1}, false, [3]float64{0, 0, 1})
	ring, err2 := particles.NewTorus([3]float64{-2, 0, 0}, [3]float64{0, 0, 1}, 2, .7, false)
	pipe, err3 := particles.NewTorus([3]float64{-2, 0, 0}, [3]float64{0, 0, 1}, 2, .7, true)
	hills, err4 := particles.NewGraph(grid, grid, table, false)
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	torus := func(x [3]float64) float64 { return math.Hypot(math.Hypot(x[0]+2, x[1])-2, x[2]) - .7 }
	for name, c := range map[string]struct {
		face  particles.Face
		level level
		start [3]float64
		a     [2][3]float64 // of the anchor at t = 0 and 1
	}{
		"ellipsoid": {egg, func(x [3]float64) float64 { return x[0]*x[0]/4 + x[1]*x[1]/2.25 + (x[2]+1)*(x[2]+1) - 1 },
			[3]float64{0, 0, 0}, [2][3]float64{{0, 0, -.5}, {.8, .7, -.6}}},
		"ring": {ring, torus, [3]float64{0, 0, .7}, [2][3]float64{{0, 0, .2}, {-.1, .9, .1}}},
		"pipe": {pipe, func(x [3]float64) float64 { return -torus(x) }, [3]float64{0, 0, -.7},
			[2][3]float64{{0, 0, -1.2}, {.4, .9, -1}}},
		"graph": {hills, func(x [3]float64) float64 {
			f, _, _, _, _, _ := hills.Height(x[0], x[1])
			return x[2] - f
		}, [3]float64{0, 0, .2}, [2][3]float64{{0, 0, -.3}, {.8, .5, -.4}}},
	} {
		t.Run(name, func(t *testing.T) {
			const k, mu = 10, .3
			if s, ok := c.face.(interface {
				FootAt([3]float64) (particles.Face, error)
			}); ok {
				var err error
				if c.face, err = s.FootAt(c.start); err != nil {
					t.Fatal(err)
				}
			}
			chart, err := particles.NewChart(c.face, particles.Motion{})
			if err != nil {
				t.Fatal(err)
			}
			path, err := particles.PiecewiseLinear([]float64{0, 1}, c.a[:])
			if err != nil {
				t.Fatal(err)
			}
			tether, err := particles.NewTethers(particles.Tether{Anchor: path, Stiffness: particles.Isotropic(k)})
			if err != nil {
				t.Fatal(err)
			}
			friction, err := dissipation.NewStretched(mu, c.face)
			if err != nil {
				t.Fatal(err)
			}
			psi := reference.Model([]particles.Frame{particles.Charted(chart, c.start)}, []dissipation.Matrix{friction}, tether)
			z := make([]float64, 3)
			psi.System.ToLocal(z, c.start[:])
			z[2] = 0
			e, err := energetic.Start(context.Background(), psi, z,
				energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
			if err != nil {
				t.Fatal(err)
			}
			const steps = 400
			for i := 1; i <= steps; i++ {
				if err := e.Step(context.Background(), float64(i)/steps); err != nil {
					t.Fatal(err)
				}
			}
			want, lost := c.level.drag(c.start, func(t float64) (a [3]float64) {
				for i := range a {
					a[i] = c.a[0][i] + t*(c.a[1][i]-c.a[0][i])
				}
				return a
			}, k, mu, 2000)
			x := psi.System.Position(1, 0, e.Node().Z)
			// Both are of first order: the ring is off by .24 m over the number of steps.
			for i := range x {
				if math.Abs(x[i]-want[i]) > 1e-3 {
					t.Errorf("ends at %v, in space at %v", x, want)
					break
				}
			}
			if d := e.Node().Dissipation; math.Abs(d-lost) > 3e-3*lost || lost < .1 {
				t.Errorf("friction takes %g J, in space %g J", d, lost)
			}
		})
	}
}
