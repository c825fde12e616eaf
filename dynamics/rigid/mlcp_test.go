package rigid_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// The step of a joined rod on a floor against (4.7) written out in full and
// solved by Lemke's method: unknowns v', c_ν, c_n, β, λ.
func TestStepIsTheMLCP(t *testing.T) {
	const h, mu, g = 0.01, 0.3, 9.81
	for _, alpha := range []float64{0.5, 0.8, 1} {
		// a disc of radius 1, hung by a horizontal slider at its centre's height: row y of the centre is free
		w := world(t, 2, [3]float64{0, -g})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: 1}, Mass: 2, Position: [3]float64{0, 1}, Velocity: [3]float64{1, 0}, Spin: [3]float64{0, 0, 3}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{0, 2}, Velocity: [3]float64{-2, 0}}))
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: mu}, Joints: []rigid.Joint{{Kind: rigid.Revolute, A: 0, B: 1, At: [3]float64{0, 2}}}},
			rigid.Options{Alpha: alpha, Unstabilised: true})
		m := []float64{2, 2, 1, 1, 1}
		v0 := []float64{1, 0, 3, -2, 0}
		k := []float64{0, -2 * g * h, 0, 0, -g * h}
		// rows of G (pin at the top), n and t = (n_y, −n_x) at the bottom
		rows := [][]float64{{1, 0, -1, -1, 0}, {0, 1, 0, 0, -1}, {0, 1, 0, 0, 0}, {1, 0, 1, 0, 0}}
		nv, n := 5, 5+2+1+2+1 // β has two directions
		col := func(i int) []float64 {
			switch {
			case i < 3:
				return rows[i]
			case i == 3:
				return rows[3]
			}
			neg := make([]float64, nv)
			for j, x := range rows[3] {
				neg[j] = -x
			}
			return neg
		}
		p := contact.MLCP{M: make([]float64, n*n), Q: make([]float64, n), Equality: make([]bool, n)}
		for i := range nv {
			p.Equality[i] = true
			p.M[i*n+i] = m[i]
			p.Q[i] = -m[i]*v0[i] - k[i]
			for j := range 5 {
				p.M[i*n+nv+j] = -col(j)[i]
				p.M[(nv+j)*n+i] = alpha * col(j)[i]
				p.Q[nv+j] += (1 - alpha) * col(j)[i] * v0[i]
			}
		}
		p.Equality[5], p.Equality[6] = true, true
		for b := 8; b <= 9; b++ {
			p.M[b*n+10], p.M[10*n+b] = 1, -1
		}
		p.M[10*n+7] = mu
		var res contact.MLCPResult
		if err := contact.SolveMLCP(context.Background(), &p, nil, nil, &res); err != nil {
			t.Fatal(err)
		}
		run(t, s, h, 1)
		_, _, v, _ := s.State()
		for i := range nv {
			if !(math.Abs(v[i]-res.X[i]) < 1e-11) {
				t.Errorf("α = %g: v[%d] = %.14g, (4.7) gives %.14g", alpha, i, v[i], res.X[i])
			}
		}
	}
}

// A sphere that slides obliquely: many facets come to the exact cone, and the
// polyhedral step passes its own certificate.
func TestPolyhedralCone(t *testing.T) {
	slide := func(o rigid.Options) []float64 {
		w := world(t, 3, [3]float64{0, 0, -10})
		for i := range 2 {
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: [3]float64{float64(i), 0, .1}, Velocity: [3]float64{1, 2}}))
		}
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: .2}}, o)
		run(t, s, 0.01, 10)
		_, q, _, _ := s.State()
		return q
	}
	exact := slide(rigid.Options{})
	near(t, "x", exact[0], 0.1-0.2*10*1e-4*55/math.Sqrt(5), 1e-9) // Σ k h² μg along the motion
	q := slide(rigid.Options{Friction: rigid.Polyhedron, Facets: 64})
	near(t, "x, 64 facets", q[0], exact[0], 0.011*math.Pi/64) // friction turns by half a sector at most
}

// (3.1): a body on a floor has a pointed cone, one wedged between two walls
// with friction has not; two equal joints have dependent rows.
func TestPointedness(t *testing.T) {
	for _, c := range []struct {
		gap  float64
		want rigid.Pointedness
	}{{1, rigid.ConePointed}, {0, rigid.ConeLost}} {
		w := world(t, 2, [3]float64{0, -1})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: 1}, Mass: 1, Position: [3]float64{0, 1}}))
		must[int](t)(w.AddHalfSpace([3]float64{-1}, [3]float64{1}))
		must[int](t)(w.AddHalfSpace([3]float64{1 + c.gap}, [3]float64{-1}))
		s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: .5}}, rigid.Options{Pointedness: true})
		run(t, s, 0.01, 1)
		if got := s.Last().Pointed; got != c.want {
			t.Errorf("gap %g: the cone is %v, want %v", c.gap, got, c.want)
		}
		// one wall: v = n opens it by 1, ‖v‖_M = 1
		if _, bound := s.Cone(context.Background()); c.gap > 0 {
			near(t, "bound of c_FC", bound, math.Sqrt(1.25), 1e-6)
		}
	}
}

// c_FC of a joint alone is 1/σ(GM^{-½}): a point mass m pinned in the plane has
// G = I and σ = m^{-½}. With a floor below that the pin keeps it on, u_N = 0
// always, the cone is lost.
func TestPointednessOfJoints(t *testing.T) {
	for _, floor := range []bool{false, true} {
		w := world(t, 2, [3]float64{0, -1})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 4}))
		if floor {
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		}
		s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: .5}, Joints: []rigid.Joint{{Kind: rigid.Revolute, A: 0, B: -1}}}, rigid.Options{Pointedness: true})
		verdict, bound := s.Cone(context.Background())
		switch {
		case floor && verdict != rigid.ConeLost:
			t.Errorf("the cone is %v", verdict)
		case !floor:
			near(t, "c_FC", bound, 2, 1e-15)
		}
	}
}

// Painlevé's rod at 60°: see cases/painleve-rod.json for the closed form. For μ =
// 1.2 < 4/3 it slides on, for μ = 2 its end stops by an impulse in the first
// step, for every α: a mean of velocities would reflect it for α < 1. Then it
// sticks, and no later step is taken for one of Painlevé's.
func TestPainleve(t *testing.T) {
	for _, alpha := range []float64{0.5, 0.75, 1} {
		for _, mu := range []float64{1.2, 2} {
			w := world(t, 2, [3]float64{0, -9.81})
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 2}, Mass: 1, Position: [3]float64{0, math.Sqrt(3) / 2}, Angle: math.Pi / 3, Velocity: [3]float64{-1}}))
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
			s := start(t, w, rigid.Setup{Material: rigid.Material{Mu: mu}}, rigid.Options{Alpha: alpha})
			run(t, s, 1e-6, 1)
			if got, want := s.Last().Painleve, int(mu)-1; got != want {
				t.Errorf("α = %g, μ = %g: %d configurations of Painlevé, want %d", alpha, mu, got, want)
			}
			_, _, v, _ := s.State()
			if mu == 1.2 {
				near(t, "spin", v[2], 0, 1e-4) // it slides on
				continue
			}
			for i, want := range []float64{-0.5625, 0.3247595264, 0.6495190528} {
				near(t, "velocity after the impulse", v[i], want, 1e-5) // h g
			}
			for range 100 {
				run(t, s, 1e-6, 1)
				if s.Last().Painleve > 0 || s.Last().Stick != 1 {
					t.Fatalf("α = %g: %d configurations of Painlevé, %d stick", alpha, s.Last().Painleve, s.Last().Stick)
				}
			}
		}
	}
}
