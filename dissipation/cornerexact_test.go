package dissipation_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
)

// wedge is the second of two particles between the floor and two walls that lean over it
// or away, with friction of three kinds.
func wedge(t *testing.T, r *rand.Rand) (*dissipation.Coulomb, [][3][3]float64) {
	t.Helper()
	psi := two(t, dissipation.Isotropic{Mu: 0.3})
	axes := [][3][3]float64{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}
	var extras []particles.Extra
	for k := range 2 {
		angle, lean := float64(k)*2+0.5*r.Float64(), 0.4*(r.Float64()-0.3)
		n := [3]float64{math.Cos(angle) * math.Cos(lean), math.Sin(angle) * math.Cos(lean), math.Sin(lean)}
		h, err := particles.NewHalfSpace([3]float64{}, n)
		if err != nil {
			t.Fatal(err)
		}
		f := h.Frame()
		extras = append(extras, particles.Extra{Particle: 1, Frame: f})
		axes = append(axes, [3][3]float64{f.N, f.T, f.O})
	}
	s, err := psi.System.WithExtras(extras, 1)
	if err != nil {
		t.Fatal(err)
	}
	iso := dissipation.Isotropic{Mu: 0.3}
	c, err := dissipation.New(s, []dissipation.Matrix{iso, iso, orthotropic(t, [2]float64{0.2, 0.6}, [2]float64{1, 2}),
		dissipation.Isotropic{Mu: 0.1}})
	if err != nil {
		t.Fatal(err)
	}
	return c, axes
}

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// total is Σ H r by the axes of the frames.
func total(axes [][3][3]float64, r [][3]float64) (f [3]float64) {
	for i := range r {
		for a := range 3 {
			for d := range 3 {
				f[d] += r[i][a] * axes[i][a][d]
			}
		}
	}
	return f
}

func triple(r *rand.Rand) [3]float64 {
	return [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
}

// TestCorner: what Solve returns fulfils the conditions of its minimum: balance, unilateral
// contact, friction in its ellipse that does the power −s‖S y_T‖. They determine y.
func TestCorner(t *testing.T) {
	const tol = 1e-9 // of forces of some units; polish solves to 1e-12 of them, for ρ from 1/2
	r := rand.New(rand.NewPCG(3, 1))
	closed := 0
	for range 300 {
		c, axes := wedge(t, r)
		var k dissipation.Corner
		k.Reset(c.System, 0, make([]float64, 6), 1, nil)
		if len(k.Contacts) != 3 || k.Contacts[0] != 1 || k.Contacts[1] != 2 || k.Contacts[2] != 3 {
			t.Fatalf("contacts %v", k.Contacts)
		}
		z := []float64{9, 9, 9, 0, 0, 0}
		for i, n := range k.Contacts {
			if k.R[i] != [3]float64{} || k.Offsets[i][0] != 0 {
				t.Fatalf("contact %d is not reset", n)
			}
			c.Law(&k.Laws[i], 0, n, 3*r.Float64(), z)
			if r.IntN(2) == 0 {
				k.Offsets[i][0] = r.Float64()
			}
		}
		g, v, rho := triple(r), triple(r), 0.5+2*r.Float64()
		g[2] += 1
		y := k.Solve(g, v, rho)
		if f, want := k.Force(), total(axes, k.R); math.Hypot(math.Hypot(f[0]-want[0], f[1]-want[1]), f[2]-want[2]) > 1e-14 {
			t.Fatalf("force %v, want %v", f, want)
		}
		sum := total(axes, k.R)
		for d := range 3 {
			if off := rho*(y[d]-v[d]) + g[d] - sum[d]; math.Abs(off) > tol {
				t.Fatalf("balance is off by %g", off)
			}
		}
		for i := range k.R {
			a := &axes[i]
			height, x := dot(a[0], y)+k.Offsets[i][0], k.R[i]
			slip := [3]float64{0, dot(a[1], y), dot(a[2], y)}
			p := x
			k.Laws[i].Project(&p, nil, &p)
			if height < -tol || x[0] < 0 || math.Abs(x[0]*height) > tol || math.Hypot(p[1]-x[1], p[2]-x[2]) > tol {
				t.Fatalf("contact %d: height %g, reaction %v, projected %v", i, height, x, p)
			}
			if power := x[1]*slip[1] + x[2]*slip[2] + k.Laws[i].Support(&slip); math.Abs(power) > tol {
				t.Fatalf("contact %d: friction lacks the power %g", i, power)
			}
			if x[0] > tol {
				closed++
			}
		}
	}
	if closed < 200 {
		t.Errorf("%d closed contacts: the problems are too easy", closed)
	}
}

// TestCornerOf: contacts that are left out, and particles with one obstacle.
func TestCornerOf(t *testing.T) {
	c, _ := wedge(t, rand.New(rand.NewPCG(3, 1)))
	var k dissipation.Corner
	if k.Reset(c.System, 0, make([]float64, 6), 1, func(n int) bool { return n != 2 }); len(k.Contacts) != 2 ||
		k.Contacts[0] != 1 || k.Contacts[1] != 3 {
		t.Errorf("contacts %v", k.Contacts)
	}
	if k.Reset(c.System, 0, make([]float64, 6), 0, nil); len(k.Contacts) != 1 || k.Contacts[0] != 0 {
		t.Errorf("contacts of the other %v", k.Contacts)
	}
	k.Reset(c.System, 0, make([]float64, 6), 1, func(int) bool { return false })
	if align(&k, c, make([]float64, 6), make([]float64, 6)) || len(k.R) != 0 {
		t.Error("something slides without contacts")
	}
	if y := k.Solve([3]float64{1, 2, 4}, [3]float64{1, 1, 1}, 2); y != [3]float64{0.5, 0, -1} {
		t.Errorf("free: %v", y) // v − g/ρ
	}
}

// align is Align for a displacement v of particle 1, or of that of the first contact.
func align(k *dissipation.Corner, c *dissipation.Coulomb, v, grad []float64) bool {
	for i, n := range k.Contacts {
		x, y := c.System.Tangent(0, n, v, v)
		k.Slides[i] = [2]float64{x, y}
	}
	return k.Align([3]float64(grad[3:6]))
}

// TestAlign: friction opposes the displacement with the power −s‖S v_T‖; the normal forces
// come nearest to what it leaves. Without a displacement, friction is in its ellipses and
// in the ratio of what they hold.
func TestAlign(t *testing.T) {
	const tol = 1e-12
	r := rand.New(rand.NewPCG(7, 1))
	for n := range 300 {
		c, axes := wedge(t, r)
		var k dissipation.Corner
		k.Reset(c.System, 0, make([]float64, 6), 1, nil)
		z := []float64{9, 9, 9, 0, 0, 0}
		for i, j := range k.Contacts {
			c.Law(&k.Laws[i], 0, j, 0.5+r.Float64(), z)
		}
		free := -1
		if n%3 == 0 { // one without friction
			free = r.IntN(3)
			k.Laws[free].Threshold = 0
		}
		g, d := triple(r), triple(r)
		g[2] += 2
		if n%2 == 0 {
			d = [3]float64{}
		}
		grad, v := []float64{5, 6, 7, g[0], g[1], g[2]}, []float64{5, 6, 7, d[0], d[1], d[2]}
		if slides := align(&k, c, v, grad); slides != (n%2 == 1) {
			t.Fatalf("slides: %v", slides)
		}
		var normal [][3]float64 // the reactions of which the normal ones come nearest
		for i := range k.R {
			slip := [3]float64{0, dot(axes[i][1], d), dot(axes[i][2], d)}
			x := k.R[i]
			if power := x[1]*slip[1] + x[2]*slip[2] + k.Laws[i].Support(&slip); math.Abs(power) > tol {
				t.Fatalf("contact %d: friction lacks the power %g", i, power)
			}
			p := x
			if k.Laws[i].Project(&p, nil, &p); math.Hypot(p[1]-x[1], p[2]-x[2]) > tol || x[0] < 0 {
				t.Fatalf("contact %d: reaction %v, projected %v", i, x, p)
			}
			if n%2 == 0 {
				x[1], x[2] = 0, 0 // at rest, the normal forces come first
			}
			normal = append(normal, x)
		}
		f := total(axes, normal)
		left := [3]float64{g[0] - f[0], g[1] - f[1], g[2] - f[2]}
		for i := range k.R {
			if push := dot(axes[i][0], left); push > 1e-9 || k.R[i][0] > 1e-9 && push < -1e-9 { // g of some units, angles of .3 and more
				t.Fatalf("contact %d: %g N of normal force are missing", i, push)
			}
		}
		if n%2 == 1 {
			continue
		}
		sum := 0.0
		for i := range k.Laws {
			sum += k.Laws[i].Threshold
		}
		for i := range k.R {
			part := k.Laws[i].Threshold / sum
			want := [3]float64{k.R[i][0], part * dot(axes[i][1], left), part * dot(axes[i][2], left)}
			k.Laws[i].Project(&want, nil, &want)
			if math.Hypot(want[1]-k.R[i][1], want[2]-k.R[i][2]) > 1e-9 {
				t.Fatalf("contact %d carries %v, want %v of the drive", i, k.R[i], want)
			}
		}
	}
}
