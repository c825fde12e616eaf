package dissipation

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/particles"
)

// turned is an orthonormal basis at random.
func turned(r *rand.Rand) (a [3][3]float64) {
	for i := range a {
		for d := range 3 {
			a[i][d] = r.NormFloat64()
		}
		for k := range 2 * i { // twice is enough
			k %= i
			p := inner(a[i], a[k])
			for d := range 3 {
				a[i][d] -= p * a[k][d]
			}
		}
		l := math.Sqrt(inner(a[i], a[i]))
		for d := range 3 {
			a[i][d] /= l
		}
	}
	return a
}

// TestOneContact: of one contact, whose axes are orthonormal, the minimum is the projection of Hᵀ(g − ρv) − ρw: the first
// sweep finds it, and the second one that it is found.
func TestOneContact(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 31))
	draw := func() [3]float64 { return [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	for n := range 300 {
		k := Corner{Laws: make([]contact.Tresca, 1), Offsets: [][3]float64{draw()}, R: make([][3]float64, 1), axes: [][3][3]float64{turned(r)}}
		k.Laws[0] = contact.Tresca{Threshold: 2 * r.Float64(), Shape: contact.NewShape([4]float64{1 + r.Float64(), 0.3 * r.NormFloat64(), 0.3 * r.NormFloat64(), 1 + r.Float64()})}
		g, v, rho := draw(), draw(), math.Exp(r.NormFloat64())
		if n == 0 { // without a force the sweep has nothing to find
			g, v, k.Offsets[0] = [3]float64{}, [3]float64{}, [3]float64{}
		}
		var want [3]float64
		size := 0.0
		for i, a := range k.axes[0] {
			size += math.Abs(g[i]) + rho*(math.Abs(v[i])+math.Abs(k.Offsets[0][i]))
			want[i] = inner(a, g) - rho*inner(a, v) - rho*k.Offsets[0][i]
		}
		k.Laws[0].Project(&want, nil, &want)
		y := k.Solve(g, v, rho)
		if k.polished != nil {
			t.Fatalf("problem %d: sweeps do not find it", n)
		}
		for i, a := range k.axes[0] {
			// r to some dozen roundings of what acts, y to that over ρ.
			if math.Abs(k.R[0][i]-want[i]) > 1e-14*size || math.Abs(inner(a, y)-inner(a, v)-(want[i]-inner(a, g))/rho) > 1e-14*size/rho {
				t.Fatalf("problem %d: %v, want %v", n, k.R[0], want)
			}
		}
	}
}

// TestSweeps: between two walls without friction, whose normals have the product −c, forces come nearer by c² in each sweep. Where they are within
// rounding of what acts after at most 20 sweeps that is all; where they are not the problem is solved as a whole. Both end in the same.
func TestSweeps(t *testing.T) {
	for _, x := range []struct {
		square  float64 // c²
		size    float64 // what acts [N]
		by      string  // a force, or a motion times ρ
		rho     float64
		polish  bool
		because string
	}{
		{0.1, 1e6, "force", 1, false, ".1^16 is rounding"},
		{0.155, 1e6, "force", 1, false, ".155^18 is 3e-15, rounding of what acts, though not of the last digit"},
		{0.155, 1e-6, "force", 1, false, "in parts of what acts"},
		{0.155, 1e6, "motion", 1e3, false, "a motion acts by ρ times its length"},
		{0.155, 1e-6, "motion", 1e-3, false, "the same"},
		{0.24, 1, "force", 1, true, ".24^20 is 4e-13"},
		{0.24, 1, "motion", 1e3, true, ".24^20 is 4e-13"},
	} {
		c := math.Sqrt(x.square)
		s := math.Sqrt(1 - x.square)
		k := Corner{Laws: make([]contact.Tresca, 2), Offsets: make([][3]float64, 2), R: make([][3]float64, 2)}
		k.axes = [][3][3]float64{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{-c, s, 0}, {s, c, 0}, {0, 0, 1}}}
		// The sum of the normals (1, 0, 0) and (−c, s, 0), each with the force f.
		f := x.size
		g, v := [3]float64{f * (1 - c), f * s, 0}, [3]float64{}
		if x.by == "motion" {
			for d := range g {
				g[d], v[d] = 0, -g[d]/x.rho
			}
		}
		k.Solve(g, v, x.rho)
		if got := k.polished != nil; got != x.polish {
			t.Errorf("c² = %g, %s: solved as a whole: %t (%s)", x.square, x.by, got, x.because)
		}
		for i, r := range k.R {
			if math.Abs(r[0]-f) > 1e-11*f || r[1] != 0 || r[2] != 0 { // the solver of convex problems ends at 1e-12 of the forces
				t.Errorf("c² = %g, %s: wall %d bears %v, want %g", x.square, x.by, i, r, f)
			}
		}
	}
}

// TestLastFourStates: of a particle in a corner the normal forces of the last four states are remembered, whichever they were.
func TestLastFourStates(t *testing.T) {
	tether, err := particles.NewTethers(particles.Tether{Particle: 2, Anchor: particles.At(0, 0, -1), Stiffness: particles.Isotropic(1)})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(particles.Floors(3), tether)
	if err != nil {
		t.Fatal(err)
	}
	wall, err := particles.NewHalfSpace([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if sys, err = sys.WithExtras([]particles.Extra{{Particle: 2, Frame: wall.Frame()}}, 1); err != nil {
		t.Fatal(err)
	}
	c, err := New(sys, nil)
	if err != nil {
		t.Fatal(err)
	}
	z := []float64{9, 9, 9, 8, 8, 8, 0, 0, 0}
	for n := range 11 {
		grad := []float64{1, 2, 3, 4, 5, 6, float64(n) + 0.5, 0, 2 * float64(n)}
		if sigma := c.Pressures(0, 2, z, grad, Origin{}); sigma[3] != float64(n)+0.5 || sigma[2] != 2*float64(n) {
			t.Fatalf("state %d: %v", n, sigma)
		}
		known := map[float64]bool{}
		for _, k := range c.memory[2].list {
			if k.sigma != nil {
				known[k.force[0]-0.5] = true
				if k.at != [3]float64{} || k.sigma[0] != k.force[2] || k.sigma[1] != k.force[0] {
					t.Fatalf("state %d: %+v", n, k)
				}
			}
		}
		for m := max(n-3, 0); m <= n; m++ {
			if !known[float64(m)] || len(known) != min(n+1, 4) {
				t.Fatalf("after state %d: remembered are %v", n, known)
			}
		}
	}
}

// TestQuarters: each cell is looked at in its points at a quarter, a half, three quarters, and at its ends.
func TestQuarters(t *testing.T) {
	got := quarters([]float64{1, 2, 10})
	want := []float64{1, 1.25, 1.5, 1.75, 2, 4, 6, 8, 10}
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// TestCrestAtTheEnd: a crest that is the end of an interval counts, far out too, where the sine of the number next to it is below 1.
func TestCrestAtTheEnd(t *testing.T) {
	crest := math.Pi/2 + 2*math.Pi*1e9
	if math.Sin(crest) == 1 {
		t.Fatal("the crest is exact")
	}
	if got := maxSine(crest-1, crest); got != 1 {
		t.Errorf("1 − %g", 1-got)
	}
}
