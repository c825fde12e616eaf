package particles_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quasistatic/quasistatic/particles"
)

func TestNormalForcesAndIndexSets(t *testing.T) {
	// Weight presses particles 0..3; 1 is lifted, 2 weighs nothing, 3 is free, 4 is pulled up.
	e, err := particles.NewLoads(
		particles.Load{Particle: 0, Force: particles.At(0, 0, -2)},
		particles.Load{Particle: 3, Force: particles.At(0, 0, -2)},
		particles.Load{Particle: 4, Force: particles.At(0, 0, 1)},
		particles.Load{Particle: 1, Force: particles.At(1, 1, -1)})
	if err != nil {
		t.Fatal(err)
	}
	frames := particles.Floors(5)
	frames[3] = particles.NoObstacle()
	s := newSystem(t, frames, e)
	z := make([]float64, 15)
	z[3*1+2] = 1e-9
	grad := make([]float64, 15)
	s.Gradient(grad, nil, 0, z)
	nearAll(t, "σ", s.NormalForces(nil, grad), []float64{2, 1, 0, 0, -1}, 0)

	const c, f, sw = particles.Contact, particles.Free, particles.Switching
	for _, tc := range []struct {
		tol  particles.IndexTolerance
		want []particles.IndexSet
	}{
		{particles.IndexTolerance{}, []particles.IndexSet{c, f, sw, f, sw}},
		{particles.IndexTolerance{Height: 1e-8}, []particles.IndexSet{c, c, sw, f, sw}},
		{particles.IndexTolerance{Height: 1e-8, Force: 1}, []particles.IndexSet{c, sw, sw, f, sw}},
	} {
		got := s.IndexSets(nil, z, grad, tc.tol)
		if !slices.Equal(got, tc.want) {
			t.Errorf("tolerance %+v: %v, want %v", tc.tol, got, tc.want)
		}
	}
	sets := s.IndexSets(make([]particles.IndexSet, 5), z, grad, particles.IndexTolerance{})
	if got := particles.Members(nil, sets, sw); !slices.Equal(got, []int{2, 4}) {
		t.Errorf("I_s = %v, want [2 4]", got)
	}
	if got := c.String() + f.String() + sw.String(); got != "contactfreeswitching" {
		t.Errorf("names %q", got)
	}
	if s.Constrained(3) || !s.Constrained(0) || s.N() != 5 || s.Frame(3) != particles.NoObstacle() {
		t.Error("Constrained, N or Frame is wrong")
	}
}

// On a plane through (0, 0, 1) with slope 3/4 the weight splits by sine and cosine.
func TestInclinedPlane(t *testing.T) {
	hs, err := particles.NewHalfSpace([3]float64{0, 0, 1}, [3]float64{-3, 0, 4})
	if err != nil {
		t.Fatal(err)
	}
	g, err := particles.NewGravity([]float64{2}, [3]float64{0, 0, -10})
	if err != nil {
		t.Fatal(err)
	}
	s := newSystem(t, []particles.Frame{hs.Frame()}, g)
	grad := make([]float64, 3)
	s.Gradient(grad, nil, 0, []float64{5, 0, 0})
	nearAll(t, "DE", grad, []float64{12, 0, 16}, 1e-14)
	x := make([]float64, 3)
	s.ToGlobal(x, []float64{5, 1, 0})
	nearAll(t, "x", x, []float64{4, 1, 4}, 1e-15)
	e, _ := s.Value(0, []float64{5, 0, 0})
	near(t, "E", e, 80, 1e-13)
}

// Turning the anchors, stiffnesses and obstacles together changes nothing in
// local coordinates.
func TestObjectivity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := frame.Draw(t, "motion") // x ↦ Q x + p
		k := stiffness.Draw(t, "K")
		a, f := triple.Draw(t, "anchor"), triple.Draw(t, "force")
		l := law.Draw(t, "law")
		z := separated(t)
		build := func(q particles.Frame) *particles.System {
			frames := make([]particles.Frame, np)
			at := make([]float64, 3*np)
			for j := range frames {
				frames[j] = q
				x := q.ToGlobal([3]float64{float64(j), 0, 1})
				copy(at[3*j:], x[:])
			}
			qa, qf := q.ToGlobal(a), q.RotateToGlobal(f)
			tether, err := particles.NewTethers(particles.Tether{Particle: 1, Anchor: particles.At(qa[0], qa[1], qa[2]),
				Stiffness: turned(q, k), Stiffening: 0.1})
			must(t, tether, err)
			spring, err := particles.NewSprings(particles.Spring{I: 0, J: 3, Law: l})
			must(t, spring, err)
			bond, err := particles.NewBonds(at, particles.Bond{I: 1, J: 2, Stiffness: turned(q, k)},
				particles.Bond{I: 2, J: 3, Stiffness: particles.Isotropic(2)})
			must(t, bond, err)
			load, err := particles.NewLoads(particles.Load{Particle: 2, Force: particles.At(qf[0], qf[1], qf[2])})
			must(t, load, err)
			s, err := particles.NewSystem(frames, tether, spring, bond, load)
			return must(t, s, err)
		}
		s0, s := build(particles.Floor()), build(q)
		// The energy of a load depends on the origin, its derivatives do not.
		g0, g := make([]float64, 3*np), make([]float64, 3*np)
		s0.Gradient(g0, nil, 0, z)
		s.Gradient(g, nil, 0, z)
		// Quantities are of order 1e3 at most (β|d|³ with |d| of 20): 1e-13 of that.
		nearAll(t, "DE", g, g0, 1e-10)
		h := dense(s, 0, z)
		for r, row := range dense(s0, 0, z) {
			nearAll(t, "D²E", h[r], row, 1e-10)
		}
	})
}

// turned is Q K Qᵀ.
func turned(q particles.Frame, k particles.Stiffness) particles.Stiffness {
	axes := [3][3]float64{q.T, q.O, q.N}
	var out particles.Stiffness
	for r := range 3 {
		for c := range 3 {
			for i := range 3 {
				for j := range 3 {
					out[3*r+c] += axes[i][r] * k[3*i+j] * axes[j][c]
				}
			}
		}
	}
	return out
}

// Forces between particles sum to zero; those of springs also have no moment.
func TestNewtonsThirdLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := separated(t)
		s, err := particles.NewSprings(
			particles.Spring{I: 0, J: 1, Law: law.Draw(t, "law")}, particles.Spring{I: 3, J: 1, Law: law.Draw(t, "law")})
		must(t, s, err)
		b, err := particles.NewBonds(state(t, np), particles.Bond{I: 2, J: 0, Stiffness: stiffness.Draw(t, "K")})
		must(t, b, err)
		g := make([]float64, 3*np)
		b.Gradient(g, nil, 0, x)
		checkForceSum(t, g)
		clear(g)
		s.Gradient(g, nil, 0, x)
		checkForceSum(t, g)
		var moment [3]float64
		for j := range np {
			f, r := g[3*j:3*j+3], x[3*j:3*j+3]
			moment[0] += r[1]*f[2] - r[2]*f[1]
			moment[1] += r[2]*f[0] - r[0]*f[2]
			moment[2] += r[0]*f[1] - r[1]*f[0]
		}
		nearAll(t, "moment", moment[:], make([]float64, 3), 1e-9) // terms up to 1e4
	})
}

func checkForceSum(t *rapid.T, g []float64) {
	var sum [3]float64
	for a, v := range g {
		sum[a%3] += v
	}
	nearAll(t, "sum of forces", sum[:], make([]float64, 3), 1e-11) // terms up to 1e3
}

// Equal frames on a tilted plane keep the pattern of an isotropic net diagonal;
// other stiffnesses fill their blocks.
func TestPatternFill(t *testing.T) {
	hs, err := particles.NewHalfSpace([3]float64{}, [3]float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	tilted := []particles.Frame{hs.Frame(), hs.Frame()}
	mixed := []particles.Frame{hs.Frame(), particles.Floor()}
	for _, tc := range []struct {
		name   string
		frames []particles.Frame
		k      particles.Stiffness
		want   int // stored entries of the lower triangle
	}{
		{"floor, isotropic", particles.Floors(2), particles.Isotropic(1), 9},
		{"floor, diagonal", particles.Floors(2), particles.Diagonal(1, 2, 3), 9},
		{"floor, full", particles.Floors(2), particles.Stiffness{1, 0, 0, 0, 1, 0.5, 0, 0.5, 1}, 21},
		{"tilted, isotropic", tilted, particles.Isotropic(1), 9},
		{"tilted, diagonal", tilted, particles.Diagonal(1, 2, 3), 21},
		{"mixed, isotropic", mixed, particles.Isotropic(1), 15},
	} {
		e, err := particles.NewBonds(make([]float64, 6), particles.Bond{I: 0, J: 1, Stiffness: tc.k})
		if err != nil {
			t.Fatal(err)
		}
		s := newSystem(t, tc.frames, e)
		if got := len(s.Hessian(0, make([]float64, 6)).Val); got != tc.want {
			t.Errorf("%s: %d entries, want %d", tc.name, got, tc.want)
		}
	}
}

// The matrix keeps its memory and pattern, and the replay gives the bits of the first pass.
func TestHessianIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSystem(t)
		z, other := state(t, np), state(t, np)
		h := s.Hessian(1, z)
		val, row := slices.Clone(h.Val), slices.Clone(h.Row)
		s.Hessian(2, other)
		again := s.Hessian(1, z)
		if again != h || !slices.Equal(again.Row, row) || !slices.Equal(again.Val, val) {
			t.Fatal("the Hessian changed")
		}
		clone := s.Clone().Hessian(1, z)
		if clone == h || !slices.Equal(clone.Val, val) {
			t.Fatal("the Hessian of the clone differs or is shared")
		}
	})
}

// Gradient overwrites what the vectors held.
func TestGradientOverwrites(t *testing.T) {
	s := net(t, 2, particles.Floor())
	z := make([]float64, 12)
	grad, rate, dirtyGrad, dirtyRate := make([]float64, 12), make([]float64, 12), make([]float64, 12), make([]float64, 12)
	for a := range z {
		z[a], dirtyGrad[a], dirtyRate[a] = float64(a), 7, math.NaN()
	}
	s.Gradient(grad, rate, 0.5, z)
	s.Gradient(dirtyGrad, dirtyRate, 0.5, z)
	nearAll(t, "DE", dirtyGrad, grad, 0)
	nearAll(t, "∂tDE", dirtyRate, rate, 0)
}

func TestBreaks(t *testing.T) {
	p, err := particles.PiecewiseLinear([]float64{0, 1, 3}, [][3]float64{{0, 0, 0}, {1, 0, 0}, {1, 2, 0}})
	if err != nil {
		t.Fatal(err)
	}
	q, err := particles.PiecewiseLinear([]float64{1, 2}, [][3]float64{{0, 0, 0}, {1, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	tether, err := particles.NewTethers(particles.Tether{Anchor: p}, particles.Tether{Anchor: p})
	if err != nil {
		t.Fatal(err)
	}
	spring, err := particles.NewSprings(particles.Spring{Anchor: q, Law: particles.Linear{}})
	if err != nil {
		t.Fatal(err)
	}
	bond, err := particles.NewBonds(make([]float64, 3), particles.Bond{Anchor: q})
	if err != nil {
		t.Fatal(err)
	}
	load, err := particles.NewLoads(particles.Load{Force: particles.At(0, 0, 0)}, particles.Load{Force: q})
	if err != nil {
		t.Fatal(err)
	}
	quad, err := particles.NewQuadratic([]int{0}, make([]float64, 3), nil, p)
	if err != nil {
		t.Fatal(err)
	}
	s := newSystem(t, particles.Floors(1), tether, spring, bond, load, quad)
	if got := s.Breaks([]float64{9}, 0, 3); !slices.Equal(got, []float64{9, 1, 2}) {
		t.Errorf("breaks in (0, 3): %v, want those of dst and 1, 2", got)
	}
	if got := s.Breaks(nil, -1, 4); !slices.Equal(got, []float64{0, 1, 2, 3}) {
		t.Errorf("breaks in (−1, 4): %v, want 0, 1, 2, 3", got)
	}
}

func TestNothingAllocatedWhenWarm(t *testing.T) {
	hs, err := particles.NewHalfSpace([3]float64{0, 0, 1}, [3]float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	s := net(t, 5, hs.Frame())
	z := make([]float64, 3*s.N())
	for a := range z {
		z[a] = float64(a%7) / 3
	}
	grad, rate, x := make([]float64, len(z)), make([]float64, len(z)), make([]float64, len(z))
	sigma, sets := make([]float64, s.N()), make([]particles.IndexSet, s.N())
	s.Hessian(0, z)
	for name, f := range map[string]func(){
		"Value":     func() { s.Value(0.5, z) },
		"Gradient":  func() { s.Gradient(grad, rate, 0.5, z) },
		"Hessian":   func() { s.Hessian(0.5, z) },
		"ToGlobal":  func() { s.ToGlobal(x, z) },
		"ToLocal":   func() { s.ToLocal(x, z) },
		"IndexSets": func() { s.IndexSets(sets, z, grad, particles.IndexTolerance{}) },
		"σ":         func() { s.NormalForces(sigma, grad) },
	} {
		if n := testing.AllocsPerRun(10, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
