package particles_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// charts are obstacles of all kinds, at rest and moving.
func charts(t *testing.T) map[string]*particles.Chart {
	t.Helper()
	h, err := particles.NewHalfSpace([3]float64{.1, .2, -.1}, [3]float64{.3, -.2, 1})
	if err != nil {
		t.Fatal(err)
	}
	plane, err1 := particles.NewPlane(h.Frame())
	ball, err2 := particles.NewSphere([3]float64{.2, 0, -1}, 1.3, false, [3]float64{.1, .1, 1})
	bowl, err3 := particles.NewSphere([3]float64{.2, 0, 2}, 2.5, true, [3]float64{.1, .1, -1})
	shaft, err4 := particles.NewCylinder([3]float64{0, .1, -.8}, [3]float64{0, 1, .2}, .7, false)
	pipe, err5 := particles.NewCylinder([3]float64{0, .1, .5}, [3]float64{1, 1, .2}, 1.7, true)
	sine, err6 := signal.NewSine(.1, .3, .7, .2)
	for _, err := range []error{err1, err2, err3, err4, err5, err6} {
		if err != nil {
			t.Fatal(err)
		}
	}
	motions := map[string]particles.Motion{
		"at rest": {},
		"shifts":  {Shift: signal.Vector{sine, signal.Constant(.1), sine}},
		"turns":   {Center: [3]float64{.3, -.2, .1}, Axis: [3]float64{1, 2, 2}, Angle: sine},
		"both":    {Shift: signal.Vector{sine, signal.Constant(0), sine}, Center: [3]float64{.3, -.2, .1}, Axis: [3]float64{0, 0, 3}, Angle: sine},
	}
	list := map[string]*particles.Chart{}
	for face, f := range map[string]particles.Face{"plane": plane, "ball": ball, "bowl": bowl, "shaft": shaft, "pipe": pipe} {
		for name, m := range motions {
			c, err := particles.NewChart(f, m)
			if err != nil {
				t.Fatal(err)
			}
			list[face+" "+name] = c
		}
	}
	return list
}

// TestCharts: in the coordinates of every obstacle ∂_tE, DE, ∂_tDE and D²E are the
// derivatives of E and DE by central differences, and positions come back from coordinates.
func TestCharts(t *testing.T) {
	for name, chart := range charts(t) {
		t.Run(name, func(t *testing.T) {
			tether, err := particles.NewTethers(
				particles.Tether{Particle: 0, Anchor: particles.At(.3, -.1, .2), Stiffness: particles.Diagonal(3, 2, 1), Stiffening: .4},
				particles.Tether{Particle: 1, Anchor: particles.At(-.3, .5, .4), Stiffness: particles.Diagonal(1, 2, 1)})
			if err != nil {
				t.Fatal(err)
			}
			bonds, err := particles.NewSprings(particles.Spring{I: 0, J: 1, Law: particles.Linear{K: 2, Rest: .3}})
			if err != nil {
				t.Fatal(err)
			}
			sys, err := particles.NewSystem([]particles.Frame{particles.Charted(chart, [3]float64{}), particles.Floor()}, tether, bonds)
			if err != nil {
				t.Fatal(err)
			}
			const at = .37
			z := []float64{.13, -.21, .08, .5, .4, .3}
			x, back := make([]float64, 6), make([]float64, 6)
			sys.ToGlobalAt(at, x, z)
			sys.ToLocalAt(at, back, x)
			nearAll(t, "z of x(z)", back, z, 1e-14)

			grad, rate := make([]float64, 6), make([]float64, 6)
			sys.Gradient(grad, rate, at, z)
			_, power := sys.Value(at, z)
			h := sys.Hessian(at, z)
			dense := make([][]float64, 6)
			for i := range dense {
				dense[i] = make([]float64, 6)
			}
			for c := range h.N {
				for k := h.Ptr[c]; k < h.Ptr[c+1]; k++ {
					dense[h.Row[k]][c], dense[c][h.Row[k]] = h.Val[k], h.Val[k]
				}
			}
			const d = 1e-5 // errors: d² of third derivatives, 1e-16/d of rounding
			lo, hi := make([]float64, 6), make([]float64, 6)
			eLo, _ := sys.Value(at-d, z)
			eHi, _ := sys.Value(at+d, z)
			near(t, "∂_tE", power, (eHi-eLo)/(2*d), 1e-8)
			sys.Gradient(lo, nil, at-d, z)
			sys.Gradient(hi, nil, at+d, z)
			for i := range rate {
				near(t, "∂_tDE", rate[i], (hi[i]-lo[i])/(2*d), 1e-4) // rateStep of its own
			}
			for i := range z {
				p, q := append([]float64(nil), z...), append([]float64(nil), z...)
				p[i] += d
				q[i] -= d
				eHi, _ := sys.Value(at, p)
				eLo, _ := sys.Value(at, q)
				near(t, "DE", grad[i], (eHi-eLo)/(2*d), 1e-8)
				sys.Gradient(hi, nil, at, p)
				sys.Gradient(lo, nil, at, q)
				for k := range z {
					near(t, "D²E", dense[k][i], (hi[k]-lo[k])/(2*d), 1e-7)
				}
			}
		})
	}
}

// TestFaces: coordinates are conformal, Stretch is their scale and its derivatives, and h
// is the distance.
func TestFaces(t *testing.T) {
	for name, chart := range charts(t) {
		for _, uv := range [][2]float64{{0, 0}, {.3, -.4}, {-1.1, .7}} {
			f, fu, fv := chart.Face.Stretch(uv[0], uv[1])
			_, pu, pv, n, _, _ := chart.Face.At(uv[0], uv[1])
			dot := func(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
			near(t, name+" |pu|", math.Sqrt(dot(pu, pu)), f, 1e-14)
			near(t, name+" |pv|", math.Sqrt(dot(pv, pv)), f, 1e-14)
			near(t, name+" pu·pv", dot(pu, pv), 0, 1e-14)
			near(t, name+" pu·n", dot(pu, n), 0, 1e-14)
			near(t, name+" |n|", dot(n, n), 1, 1e-14)
			const d = 1e-6
			hi, _, _ := chart.Face.Stretch(uv[0]+d, uv[1])
			lo, _, _ := chart.Face.Stretch(uv[0]-d, uv[1])
			near(t, name+" fu", fu, (hi-lo)/(2*d), 1e-9)
			hi, _, _ = chart.Face.Stretch(uv[0], uv[1]+d)
			lo, _, _ = chart.Face.Stretch(uv[0], uv[1]-d)
			near(t, name+" fv", fv, (hi-lo)/(2*d), 1e-9)
		}
	}
}
