package rigid_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact/lcp"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
)

// The step of a joined rod on a floor against (4.7) written out in full and
// solved by Lemke's method: unknowns v', c_ν, c_n, β, λ.
func TestStepIsTheMLCP(t *testing.T) {
	const h, mu, g = 0.01, 0.3, 9.81
	for _, alpha := range []float64{0.5, 0.8, 1} {
		// a disc of radius 1, hung by a horizontal slider at its centre's height: row y of the
		// centre is free
		w := world(t, 2, [3]float64{0, -g})
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Disc{R: 1}, Mass: 2, Position: [3]float64{0, 1},
			Velocity: [3]float64{1, 0}, Spin: [3]float64{0, 0, 3}}))
		must[int](t)(w.Add(bodies.Body{Shape: bodies.Point{}, Mass: 1, Position: [3]float64{0, 2}, Velocity: [3]float64{-2, 0}}))
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu},
			Joints: []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: 1, At: [3]float64{0, 2}}}},
			rigid.Options{Alpha: alpha, Scheme: rigid.Gavrea, Unstabilised: true})
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
		p := lcp.MLCP{M: make([]float64, n*n), Q: make([]float64, n), Equality: make([]bool, n)}
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
		var res lcp.MLCPResult
		if err := lcp.SolveMLCP(context.Background(), &p, nil, nil, &res); err != nil {
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

// The same in space: a ball of three different moments that spins, hung from a
// spherical joint, slides on a floor. Polyhedral cones of m edges with their
// corners (1, μ d_k) at the angles (2k − 1)π/m from t, Coriolis terms F = [Jω]×;
// v' in body axes, which are those of space at the start.
func TestStepInSpaceIsTheMLCP(t *testing.T) {
	const h, mu, g, mass, radius = 0.01, 0.3, 9.81, 2.0, 0.5
	moments := [3]float64{1, 2, 3}
	spin := [3]float64{1.5, 1, -2}
	hinge := [3]float64{.3, .2, 1}
	centre := [3]float64{0, 0, radius}
	cross := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	minus := func(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
	row := func(d, at [3]float64) []float64 { // of d·(ẋ + ω × (at − c))
		y := cross(minus(at, centre), d)
		return []float64{d[0], d[1], d[2], y[0], y[1], y[2]}
	}
	for _, facets := range []int{4, 8} {
		for _, alpha := range []float64{0.5, 0.8, 1} {
			v := cross(spin, minus(centre, hinge))
			w := world(t, 3, [3]float64{0, 0, -g})
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: radius}, Mass: mass, Inertia: moments,
				Position: centre, Velocity: v, Spin: spin}))
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
			s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu},
				Joints: []multibody.Joint{{Kind: multibody.Spherical, A: 0, B: -1, At: hinge}}},
				rigid.Options{Alpha: alpha, Scheme: rigid.Gavrea, Unstabilised: true, Friction: rigid.Polyhedron, Facets: facets})

			// M̃ = M − αhF and M̃v + k̃, k̃ = h(mg + F(v)v)
			v0 := []float64{v[0], v[1], v[2], spin[0], spin[1], spin[2]}
			var m [6][6]float64
			l := [3]float64{moments[0] * spin[0], moments[1] * spin[1], moments[2] * spin[2]}
			f := [3][3]float64{{0, -l[2], l[1]}, {l[2], 0, -l[0]}, {-l[1], l[0], 0}}
			fv := cross(l, spin)
			for i := range 3 {
				m[i][i], m[3+i][3+i] = mass, moments[i]
				for j := range 3 {
					m[3+i][3+j] -= alpha * h * f[i][j]
				}
			}
			k := []float64{0, 0, -h * mass * g, h * fv[0], h * fv[1], h * fv[2]}
			rows := [][]float64{row([3]float64{1}, hinge), row([3]float64{0, 1}, hinge),
				row([3]float64{0, 0, 1}, hinge), row([3]float64{0, 0, 1}, [3]float64{})}
			for i := range facets {
				sin, cos := math.Sincos(float64(2*i-1) * math.Pi / float64(facets))
				rows = append(rows, row([3]float64{cos, sin}, [3]float64{}))
			}
			// unknowns v', c_ν, c_n, β, λ
			n := 6 + len(rows) + 1
			p := lcp.MLCP{M: make([]float64, n*n), Q: make([]float64, n), Equality: make([]bool, n)}
			for i := range 6 {
				p.Equality[i] = true
				p.Q[i] = -k[i]
				for j := range 6 {
					p.M[i*n+j] = m[i][j]
					p.Q[i] -= m[i][j] * v0[j]
				}
				for j, r := range rows {
					p.M[i*n+6+j] = -r[i]
					p.M[(6+j)*n+i] = alpha * r[i]
					p.Q[6+j] += (1 - alpha) * r[i] * v0[i]
				}
			}
			p.Equality[6], p.Equality[7], p.Equality[8] = true, true, true
			for b := range facets {
				p.M[(10+b)*n+n-1], p.M[(n-1)*n+10+b] = 1, -1
			}
			p.M[(n-1)*n+9] = mu
			var res lcp.MLCPResult
			if err := lcp.SolveMLCP(context.Background(), &p, nil, nil, &res); err != nil {
				t.Fatal(err)
			}
			run(t, s, h, 1)
			_, _, got, _ := s.State()
			for i := range 6 {
				near(t, fmt.Sprintf("%d facets, α = %g: v[%d]", facets, alpha, i), got[i], res.X[i], 1e-10) // solver 1e-11 of 10 N s
			}
			reaction := s.Reaction(0).Force
			for i := range 3 {
				near(t, fmt.Sprintf("%d facets, α = %g: c_ν[%d]", facets, alpha, i), h*reaction[i], res.X[6+i], 1e-10)
			}
			if !(res.X[9] > 0) || s.Last().Slip != 1 {
				t.Errorf("the contact does not slide: %v", res.X)
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
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1,
				Position: [3]float64{float64(i), 0, .1}, Velocity: [3]float64{1, 2}}))
		}
		must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .2}}, o)
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
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5}}, rigid.Options{Pointedness: true})
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
		s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: .5},
			Joints: []multibody.Joint{{Kind: multibody.Revolute, A: 0, B: -1}}}, rigid.Options{Pointedness: true})
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
			must[int](t)(w.Add(bodies.Body{Shape: bodies.Rod{Length: 2}, Mass: 1,
				Position: [3]float64{0, math.Sqrt(3) / 2}, Angle: math.Pi / 3, Velocity: [3]float64{-1}}))
			must[int](t)(w.AddHalfSpace([3]float64{}, [3]float64{0, 1}))
			s := start(t, w, multibody.Setup{Material: multibody.Material{Mu: mu}}, rigid.Options{Alpha: alpha})
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
