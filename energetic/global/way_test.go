package global

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestWays: Simpson's rule is exact to rounding for the friction along a way without kinks, ∫
// μσ|v|, and finds kinks; the friction of a way there and back is what both ways are; heights on
// the way are those of least energy.
func TestWays(t *testing.T) {
	ex := reference.Klarbring(0.6)
	w := newWay(ex.Psi)
	// σ = 1 − x/2 on the floor (t = 0, force −1): ∫ μ(1 − x/2) dx over [0, a] = μ(a − a²/4), up to
	// a = 2.
	for _, a := range []float64{0.5, 1, 2, -1, 3} {
		got, err := w.dissipation(0, []float64{0, 0, 0}, []float64{a, 0, 0})
		want := 0.6 * (math.Abs(a) - a*math.Abs(a)/4)
		if a > 2 {
			want = 0.6 // in the air beyond
		}
		if err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("to %g: %.16g J, want %.16g, %v", a, got, want, err)
		}
	}
	rippled := reference.Ripple(0.7)
	w = newWay(rippled.Psi)
	const l, a = 0.7, 1.3
	got, err := w.dissipation(0, []float64{0, 0, 0}, []float64{a, 0, 0})
	want := 1.5 * 0.4 * (a + 0.3*l/(2*math.Pi)*(1-math.Cos(2*math.Pi*a/l)))
	if err != nil || math.Abs(got-want) > 1e-12 {
		t.Errorf("over ripples: %.16g J, want %.16g, %v", got, want, err)
	}
	back, err := w.dissipation(0, []float64{a, 0, 0}, []float64{0, 0, 0})
	if err != nil || math.Abs(back-want) > 1e-12 {
		t.Errorf("back: %.16g J, want %.16g, %v", back, want, err)
	}
}

// cylinders is a particle at the origin of its coordinates, which are global, or those of the
// floor, outside cylinders about lines of direction axis; springs pull it to an anchor, and a
// force.
func cylinders(t *testing.T, own particles.Frame, axis, k, force [3]float64, mu float64, at ...[3]float64) *dissipation.Coulomb {
	t.Helper()
	tether, err := particles.NewTethers(particles.Tether{Anchor: particles.At(0, 0, 0), Stiffness: particles.Diagonal(k[0], k[1], k[2])})
	if err != nil {
		t.Fatal(err)
	}
	load, err := particles.NewLoads(particles.Load{Force: particles.At(force[0], force[1], force[2])})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{own}, tether, load)
	if err != nil {
		t.Fatal(err)
	}
	var extras []particles.Extra
	matrices := []dissipation.Matrix{dissipation.Isotropic{Mu: mu}}
	for _, point := range at {
		face, err := particles.NewCylinder(point, axis, 0.5, false)
		if err != nil {
			t.Fatal(err)
		}
		chart, err := particles.NewChart(face, particles.Motion{})
		if err != nil {
			t.Fatal(err)
		}
		extras = append(extras, particles.Extra{Frame: particles.Charted(chart, [3]float64{})})
		matrices = append(matrices, dissipation.Isotropic{Mu: mu})
	}
	if sys, err = sys.WithExtras(extras, 1); err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(sys, matrices)
	if err != nil {
		t.Fatal(err)
	}
	return psi
}

// TestBentWay: between two states at the foot of an upright post, radius R, on the floor, the way
// is the arc around the post, not the chord through it. A weight W and a spring k to the axis press
// with W on the floor and with kR on the post: D = μ(W + kR) R φ. In the air beside the post
// nothing presses on it, and D is that of the floor.
func TestBentWay(t *testing.T) {
	const mu, weight, k, r = 0.3, 2, 3, 0.5
	w := newWay(cylinders(t, particles.Floor(), [3]float64{0, 0, 1}, [3]float64{k, k, 0}, [3]float64{0, 0, -weight}, mu, [3]float64{}))
	on := func(phi float64) []float64 { return []float64{r * math.Cos(phi), r * math.Sin(phi), 0} }
	for _, phi := range []float64{0.01, 0.5, 1.5, 3} {
		got, err := w.dissipation(0, on(-phi/2), on(phi/2))
		want := mu * (weight + k*r) * r * phi
		if err != nil || math.Abs(got-want) > bentTolerance*want {
			t.Errorf("over %g rad: %.12g J, want %.12g, %v", phi, got, want, err)
		}
	}
	got, err := w.dissipation(0, []float64{1, -0.5, 0}, []float64{1, 0.5, 0})
	if want := mu * weight; err != nil || math.Abs(got-want) > bentTolerance*want {
		t.Errorf("beside the post: %.12g J, want %.12g, %v", got, want, err)
	}
}

// TestNoWay: from the groove above two cylinders that overlap to the one below there is no straight
// way; friction is Ψ(t, z, y − z) of (S) then. From place to place in the groove there is one: a
// spring k presses with k h on both sides, N = kh/(2 cos a) each.
func TestNoWay(t *testing.T) {
	const mu, k, h, cos = 0.2, 5, 0.4, 0.8
	psi := cylinders(t, particles.NoObstacle(), [3]float64{1, 0, 0}, [3]float64{0, 0, k}, [3]float64{}, mu,
		[3]float64{0, -0.3, 0}, [3]float64{0, 0.3, 0})
	above, below, beside := []float64{0, 0, h}, []float64{0, 0, -h}, []float64{0.7, 0, h}
	if d, err := newWay(psi).dissipation(0, above, below); err != errNoWay {
		t.Errorf("through the cylinders: %g J, %v, want %v", d, err, errNoWay)
	}
	s, err := newRivalSearch(psi, above)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		to       []float64
		friction float64
	}{
		// Along the axes of the contacts the way down has the parts 2h sin a on both sides.
		{below, 2 * mu * (k * h / (2 * cos)) * 2 * h * 0.6},
		{beside, 2 * mu * (k * h / (2 * cos)) * 0.7},
	} {
		r, err := s.judge(0, above, tc.to)
		if err != nil || math.Abs(r.friction-tc.friction) > bentTolerance*tc.friction ||
			math.Abs(r.gain+tc.friction) > bentTolerance*tc.friction {
			t.Errorf("to %v: friction %.14g J, want %.14g, gain %g, %v", tc.to, r.friction, tc.friction, r.gain, err)
		}
	}
}

// TestHeightsOnWays: on a way heights are those of least energy, of springs of any stiffness; at
// its ends they are what they are there.
func TestHeightsOnWays(t *testing.T) {
	for _, k := range []float64{1e-9, 1, 1e9} {
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0.2),
			Stiffness: particles.Diagonal(2*k, 2*k, 5*k)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether)),
			[]dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
		w := newWay(psi)
		if _, err := w.dissipation(0, []float64{0, 0, 0}, []float64{1, 0, 0.7}); err != nil {
			t.Fatal(err)
		}
		for s, want := range map[float64]float64{0: 0, 0.5: 0.2, 1: 0.7} {
			// 1e-14 of the forces
			if _, err := w.power(s); err != nil || math.Abs(w.w[2]-want) > 1e-13 {
				t.Errorf("stiffness %g, at %g: height %g, want %g, %v", k, s, w.w[2], want, err)
			}
		}
	}
}
