package particles_test

import (
	"fmt"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
)

// net returns n×n particles on one obstacle: neighbours joined by linear bonds,
// diagonals by nonlinear springs, every particle tethered and pressed, the first
// row stiffening and pulled.
func net(tb testing.TB, n int, f particles.Frame) *particles.System {
	at := make([]float64, 0, 3*n*n)
	for i := range n * n {
		x := f.ToGlobal([3]float64{float64(i % n), float64(i / n), 0})
		at = append(at, x[:]...)
	}
	frames := make([]particles.Frame, n*n)
	for i := range frames {
		frames[i] = f
	}
	s, err := particles.NewSystem(frames, netBonds(tb, n, at), netSprings(tb, n), netTethers(tb, n, at), netLoads(tb, n))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func netBonds(tb testing.TB, n int, at []float64) *particles.Bonds {
	var items []particles.Bond
	for i := range n * n {
		if i%n+1 < n {
			items = append(items, particles.Bond{I: i, J: i + 1, Stiffness: particles.Diagonal(4, 1, 1)})
		}
		if i+n < n*n {
			items = append(items, particles.Bond{I: i, J: i + n, Stiffness: particles.Diagonal(1, 4, 1)})
		}
	}
	e, err := particles.NewBonds(at, items...)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func netSprings(tb testing.TB, n int) *particles.Springs {
	var items []particles.Spring
	for i := range n*n - n {
		if i%n+1 < n {
			items = append(items, particles.Spring{I: i, J: i + n + 1, Law: particles.Cubic{K: 1, K3: 0.1, Rest: 1.4}})
		}
	}
	e, err := particles.NewSprings(items...)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func netTethers(tb testing.TB, n int, at []float64) *particles.Tethers {
	way, err := particles.PiecewiseLinear([]float64{0, 1, 2}, [][3]float64{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}})
	if err != nil {
		tb.Fatal(err)
	}
	var items []particles.Tether
	for i := range n * n {
		it := particles.Tether{Particle: i, Anchor: particles.At(at[3*i], at[3*i+1], at[3*i+2]), Stiffness: particles.Isotropic(0.1)}
		if i < n {
			it.Anchor, it.Stiffening = way, 0.01
		}
		items = append(items, it)
	}
	e, err := particles.NewTethers(items...)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func netLoads(tb testing.TB, n int) *particles.Loads {
	weight := particles.At(0, 0, -1)
	var items []particles.Load
	for i := range n * n {
		items = append(items, particles.Load{Particle: i, Force: weight})
	}
	e, err := particles.NewLoads(items...)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// BenchmarkNet measures one evaluation of a net with 2n² bonds, n² springs, n²
// tethers and n² loads, on the floor and on a tilted plane.
func BenchmarkNet(b *testing.B) {
	hs, err := particles.NewHalfSpace([3]float64{}, [3]float64{1, 2, 3})
	if err != nil {
		b.Fatal(err)
	}
	for name, f := range map[string]particles.Frame{"floor": particles.Floor(), "tilted": hs.Frame()} {
		for _, n := range []int{10, 100} {
			s := net(b, n, f)
			z := make([]float64, 3*s.N())
			for a := range z {
				z[a] = float64(a%7) / 3
			}
			grad := make([]float64, len(z))
			run := func(what string, f func()) {
				b.Run(fmt.Sprintf("%s/n=%d/%s", name, n, what), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						f()
					}
				})
			}
			run("NewSystem", func() { s = net(b, n, f) })
			s.Hessian(0, z)
			run("Value", func() { s.Value(0.5, z) })
			run("Gradient", func() { s.Gradient(grad, nil, 0.5, z) })
			run("Hessian", func() { s.Hessian(0.5, z) })
		}
	}
}
