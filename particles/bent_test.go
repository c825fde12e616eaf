package particles_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// faces are obstacles beside a floor, near to the origin.
func faces(t *testing.T) map[string]particles.Face {
	t.Helper()
	list := map[string]particles.Face{}
	add := func(name string, f particles.Face, err error) {
		if err != nil {
			t.Fatal(err)
		}
		list[name] = f
	}
	f, err := particles.NewSphere([3]float64{0.4, 0.1, 0.2}, 0.5, false, [3]float64{-1, 0.1, 0.2})
	add("sphere", f, err)
	g, err := particles.NewSphere([3]float64{0.1, 0.1, 0.2}, 3, true, [3]float64{-1, 0.1, 0.2})
	add("hollow", g, err)
	c, err := particles.NewCylinder([3]float64{1, -0.3, 0}, [3]float64{0.2, 0.1, 1}, 0.7, false)
	add("cylinder", c, err)
	e, err := particles.NewEllipsoid([3]float64{1, 0.2, 0.1}, [3]float64{0.7, 0.9, 0.4}, false, [3]float64{-1, 0, 0.1})
	add("ellipsoid", e, err)
	o, err := particles.NewTorus([3]float64{0.2, 0, -0.8}, [3]float64{0.1, 0.2, 1}, 0.9, 0.25, false)
	add("torus", o, err)
	h, err := particles.NewHalfSpace([3]float64{-1, 0, 0}, [3]float64{1, 0.3, 0.4})
	if err != nil {
		t.Fatal(err)
	}
	p, err := particles.NewPlane(h.Frame())
	add("plane", p, err)
	return list
}

// beside makes one particle over a slope, or without an obstacle of its own, with a face beside it
// that moves.
func beside(t *testing.T, face particles.Face, free bool) *particles.System {
	t.Helper()
	h, err := particles.NewHalfSpace([3]float64{0.3, 0, -1}, [3]float64{0.2, 0.1, 1})
	if err != nil {
		t.Fatal(err)
	}
	own := h.Frame()
	if free {
		own = particles.NoObstacle()
	}
	wave, err := signal.NewSine(0.3, 0.4, 0.2, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	ramp, err := signal.NewTable([]float64{0, 1}, []float64{0, 0.7})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(face, particles.Motion{Shift: particles.Path{ramp, wave, signal.Constant(0.1)},
		Angle: wave, Axis: [3]float64{1, 2, 2}, Center: [3]float64{0.1, 0.2, 0.3}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := particles.NewSystem([]particles.Frame{own})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.WithExtras([]particles.Extra{{Particle: 0, Frame: particles.Charted(chart, [3]float64{})}}, 1); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBesideKinematics: of an obstacle that is curved, shifts and turns, n is the gradient of the
// height and of length 1, (n, t, o) are orthonormal, what it carries keeps its height and its
// coordinates along it, ∂h/∂t + n·w = 0, and Curvature is how the axes turn.
func TestBesideKinematics(t *testing.T) {
	const step = 1e-5 // central differences: 1e-10 of third derivatives, 1e-16/1e-5 of rounding
	r := rand.New(rand.NewPCG(18, 1))
	for name, face := range faces(t) {
		for trial := range 10 {
			s := beside(t, face, trial%2 == 0)
			z, at := make([]float64, 3), 0.2+0.6*r.Float64()
			for i := range z {
				z[i] = 0.2 * (r.Float64() - 0.5)
			}
			n, a, b := s.ContactAxes(at, 1, z)
			axes := [3][3]float64{n, a, b}
			for i := range axes {
				for k := range axes {
					want := 0.0
					if i == k {
						want = 1
					}
					if d := dot3(axes[i], axes[k]); math.Abs(d-want) > 1e-13 {
						t.Errorf("%s: axes %d and %d: %g", name, i, k, d)
					}
				}
			}
			along := func(t, by float64, d [3]float64) float64 {
				y := []float64{z[0] + by*d[0], z[1] + by*d[1], z[2] + by*d[2]}
				return s.Height(t, 1, y)
			}
			for k := range 3 {
				var e [3]float64
				e[k] = 1
				if slope := (along(at, step, e) - along(at, -step, e)) / (2 * step); math.Abs(slope-n[k]) > 1e-8 {
					t.Errorf("%s: ∂h/∂z%d = %g, n has %g", name, k, slope, n[k])
				}
			}
			w := s.Carrying(1, at, z)
			rate := (s.Height(at+step, 1, z) - s.Height(at-step, 1, z)) / (2 * step)
			if math.Abs(rate+dot3(n, w)) > 1e-8 {
				t.Errorf("%s: ∂h/∂t = %g, −n·w = %g", name, rate, -dot3(n, w))
			}
			later := at + 0.15
			d := s.Carried(1, at, z, later)
			y := []float64{z[0] + d[0], z[1] + d[1], z[2] + d[2]}
			u0, v0 := s.Spot(at, 1, z)
			u1, v1 := s.Spot(later, 1, y)
			if math.Abs(u0-u1)+math.Abs(v0-v1)+math.Abs(s.Height(later, 1, y)-s.Height(at, 1, z)) > 1e-12 {
				t.Errorf("%s: carried from (%g, %g) to (%g, %g)", name, u0, v0, u1, v1)
			}
			force := [3]float64{2, -0.7, 0.4}
			bend := s.Curvature(at, 1, z, force)
			sum := func(y []float64) (f [3]float64) {
				n, a, b := s.ContactAxes(at, 1, y)
				for i := range f {
					f[i] = force[0]*n[i] + force[1]*a[i] + force[2]*b[i]
				}
				return f
			}
			var turned [3][3]float64
			for k := range 3 {
				hi, lo := append([]float64(nil), z...), append([]float64(nil), z...)
				hi[k] += step
				lo[k] -= step
				p, q := sum(hi), sum(lo)
				for i := range 3 {
					turned[i][k] = (p[i] - q[i]) / (2 * step)
				}
			}
			for i := range 3 {
				for k := range 3 {
					if want := (turned[i][k] + turned[k][i]) / 2; math.Abs(bend[i][k]-want) > 1e-6*(1+math.Abs(want)) {
						t.Errorf("%s: curvature %d%d is %g, differences say %g", name, i, k, bend[i][k], want)
					}
				}
			}
		}
	}
}

// TestMeet: a particle near to a curved and a flat obstacle is moved onto both.
func TestMeet(t *testing.T) {
	for name, face := range faces(t) {
		s := beside(t, face, false)
		z := []float64{0.05, 0.02, 0.03}
		n, _, _ := s.ContactAxes(0.5, 1, z)
		h := s.Height(0.5, 1, z)
		for i := range z {
			z[i] -= (h - 1e-3) * n[i] // a millimetre off
		}
		s.Meet(0.5, z, 0, false, []int{1})
		if !s.Touches(0.5, 1, z) || math.Abs(s.Height(0.5, 1, z)) > 1e-14 {
			t.Errorf("%s: left at the height %g", name, s.Height(0.5, 1, z))
		}
	}
}

// TestPressDragged: a wall that pushes a particle askew over a floor. Friction of the floor, per
// unit of its normal force f = −μ(1, ν)/(1 + ν²)^½, presses onto the wall: σ_floor is the weight,
// σ_wall = μ m g/(1 + ν²)^½. Without what drags the wall bears nothing.
func TestPressDragged(t *testing.T) {
	const mu, nu, weight = 0.3, 0.5, 10.0
	wall, err := particles.NewHalfSpace([3]float64{}, [3]float64{1, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	face, err := particles.NewPlane(wall.Frame())
	if err != nil {
		t.Fatal(err)
	}
	ramp, err := signal.NewTable([]float64{0, 1}, []float64{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(face, particles.Motion{Shift: particles.Path{ramp, ramp, signal.Constant(0)}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := particles.NewSystem(particles.Floors(1))
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.WithExtras([]particles.Extra{{Particle: 0, Frame: particles.Charted(chart, [3]float64{})}}, 1); err != nil {
		t.Fatal(err)
	}
	if !s.Dragged(0) || s.ConstantHessian() {
		t.Fatalf("dragged %v, constant D²E %v", s.Dragged(0), s.ConstantHessian())
	}
	sigma, grad, z := make([]float64, 2), []float64{0, 0, weight}, make([]float64, 3)
	s.PressParticle(sigma, 0, 0, z, grad, nil)
	if sigma[0] != weight || sigma[1] != 0 {
		t.Errorf("at rest: σ = %v", sigma)
	}
	length := math.Sqrt(1 + nu*nu)
	s.PressParticle(sigma, 0, 0, z, grad, func(c int) [3]float64 {
		if c == 0 {
			return [3]float64{-mu / length, -mu * nu / length, 0}
		}
		return [3]float64{0, 0.5, 0} // along y: what the wall pulls, μ_w = ν
	})
	if math.Abs(sigma[0]-weight) > 1e-14*weight || math.Abs(sigma[1]-mu*weight/length) > 1e-14*weight {
		t.Errorf("σ = %v, want %g and %g", sigma, weight, mu*weight/length)
	}
}

func dot3(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// TestFarFoot: a place far from a thin ellipsoid, or deep within it, has a foot on it, and the height
// of one outside is no more than its distance from the centre. Newton's method ran away from it, to
// coordinates of 1e39 that have no normal.
func TestFarFoot(t *testing.T) {
	e, err := particles.NewEllipsoid([3]float64{}, [3]float64{.5, .02, .05}, false, [3]float64{0, .02, 0})
	if err != nil {
		t.Fatal(err)
	}
	chart, err := particles.NewChart(e, particles.Motion{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := particles.NewSystem([]particles.Frame{particles.NoObstacle()})
	if err == nil {
		s, err = s.WithExtras([]particles.Extra{{Particle: 0, Frame: particles.Charted(chart, [3]float64{})}}, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 5))
	for k := range 2000 {
		size := math.Pow(10, 4*rng.Float64()-3)
		z := []float64{size * rng.NormFloat64(), size * rng.NormFloat64(), size * rng.NormFloat64()}
		if k == 0 {
			z = []float64{-5.279463110245095, 0.9353987216620621, 0}
		}
		h, far := s.Height(0, 1, z), math.Hypot(z[0], math.Hypot(z[1], z[2]))
		if n, _, _ := s.ContactAxes(0, 1, z); !(math.Abs(h) <= far+.5) || !(math.Abs(math.Hypot(n[0], math.Hypot(n[1], n[2]))-1) < 1e-12) {
			t.Fatalf("%v: height %g, normal %v", z, h, n)
		}
	}
}
