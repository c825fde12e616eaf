package incremental_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// besideFloor is a particle on a floor and another one, on the top of a ball of the radius r at the
// place (2, 1, 0).
func besideFloor(t *testing.T, r, mu float64, terms ...particles.Energy) (*dissipation.Coulomb, []float64) {
	t.Helper()
	return beside(t, particles.Floors(1)[0], dissipation.Isotropic{Mu: 0.5}, r, mu, terms...)
}

// besideBall is that with the first particle on the top of a ball too, of the radius 1.
func besideBall(t *testing.T, r, mu float64, terms ...particles.Energy) (*dissipation.Coulomb, []float64) {
	t.Helper()
	face, err := particles.NewSphere([3]float64{0, 0, -1}, 1, false, [3]float64{0, 0, 1})
	check(t, err)
	chart, err := particles.NewChart(face, particles.Motion{})
	check(t, err)
	law, err := dissipation.NewStretched(0.5, face)
	check(t, err)
	return beside(t, particles.Charted(chart, [3]float64{}), law, r, mu, terms...)
}

func beside(t *testing.T, first particles.Frame, own dissipation.Matrix, r, mu float64,
	terms ...particles.Energy) (*dissipation.Coulomb, []float64) {
	t.Helper()
	top := [3]float64{2, 1, 0}
	face, err := particles.NewSphere([3]float64{top[0], top[1], -r}, r, false, [3]float64{0, 0, 1})
	check(t, err)
	chart, err := particles.NewChart(face, particles.Motion{})
	check(t, err)
	sys, err := particles.NewSystem([]particles.Frame{first, particles.Charted(chart, top)}, terms...)
	check(t, err)
	law, err := dissipation.NewStretched(mu, face)
	check(t, err)
	psi, err := dissipation.New(sys, []dissipation.Matrix{own, law})
	check(t, err)
	z := make([]float64, 6)
	sys.ToLocal(z, []float64{0, 0, 0, top[0], top[1], 0})
	z[2], z[5] = 0, 0
	return psi, z
}

// TestOffTheBallBeside: TestOverTheBall where the particle on the ball is the second, torn into a
// direction between the axes, and the first, on a floor or on a ball of its own, is pulled by half
// of what friction holds: it stays where it is while the other one goes, whatever thresholds are
// lost on the way. Half of twice the friction is the friction.
func TestOffTheBallBeside(t *testing.T) {
	const w, mu, r, k, turn = 2., 0.2, 0.2, 0.3 * 2 / 0.2, 0.7
	for _, c := range []struct {
		mode  incremental.ThresholdMode
		place func(*testing.T, float64, float64, ...particles.Energy) (*dissipation.Coulomb, []float64)
		half  bool
	}{
		{incremental.Implicit, besideFloor, false}, {incremental.Implicit, besideFloor, true}, {incremental.Implicit, besideBall, false},
		{incremental.Lagged, besideFloor, false}, {incremental.Lagged, besideBall, true},
	} {
		mode := c.mode
		ex, ey := math.Cos(turn), math.Sin(turn)
		tether, err := particles.NewTethers(particles.Tether{Particle: 1, Anchor: particles.At(2, 1, 0), Stiffness: particles.Isotropic(k)},
			particles.Tether{Particle: 0, Anchor: particles.At(.25, 0, -1), Stiffness: particles.Isotropic(1)})
		check(t, err)
		path, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -w}, {w * ex, w * ey, -w}})
		check(t, err)
		load, err := particles.NewLoads(particles.Load{Particle: 1, Force: path})
		check(t, err)
		friction := mu
		if c.half {
			friction = 2 * mu
		}
		psi, z := c.place(t, r, friction, tether, load)
		if c.half {
			check(t, psi.SetFactors([]signal.Scalar{nil, signal.Constant(.5)}))
		}
		s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: mode})
		check(t, err)
		at := 0.
		for i := range 4 {
			at = 1.01 * mu * float64(i+1) / 4
			check(t, s.Step(t.Context(), at))
			if i < 3 && s.State()[3] != z[3] {
				t.Errorf("mode %d, t = %g: it slides before friction is at its bound", mode, at)
			}
		}
		x := psi.System.Position(at, 1, s.State())
		want := [3]float64{2 + at*w*ex/k, 1 + at*w*ey/k, -w / k}
		for i := range x {
			if mode == incremental.Lagged {
				break // what it rubbed with at the start of the step holds it up to its end
			}
			if math.Abs(x[i]-want[i]) > 1e-8 { // forces to 1e-10 of W, over k
				t.Errorf("mode %d: at %v, want %v", mode, x, want)
				break
			}
		}
		if first := psi.System.Position(at, 0, s.State()); first != psi.System.Position(0, 0, z) {
			t.Errorf("mode %d: the particle beside it has gone to %v", mode, first)
		}
		// Nothing but the springs holds it now: it follows the force.
		check(t, s.Step(t.Context(), 2*at))
		if x := psi.System.Position(2*at, 1, s.State()); math.Abs(x[0]-2-2*at*w*ex/k) > 1e-8 || math.Abs(x[1]-1-2*at*w*ey/k) > 1e-8 {
			t.Errorf("mode %d: later at %v", mode, x)
		}
	}
}

// TestBeyondTheCurvatureBeside: TestBeyondTheCurvature on a ball, into a direction between its
// axes: the friction of its coordinates is stretched, the motion stays in the plane of the pull,
// and steps end where the pull is μ times what presses. The way over the fold ends in the air.
func TestBeyondTheCurvatureBeside(t *testing.T) {
	const w, mu, r, stiff, soft, far = 1., 0.4, 1., 2.2, 0.15, 1.2
	ex, ey := math.Cos(.7), math.Sin(.7)
	path, err := particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{2, 1, 0}, {2 + far*ex, 1 + far*ey, 0}})
	check(t, err)
	e, err := particles.NewTethers(particles.Tether{Particle: 1, Anchor: path, Stiffness: particles.Diagonal(stiff, stiff, soft)},
		particles.Tether{Particle: 0, Anchor: particles.At(.25, 0, -1), Stiffness: particles.Isotropic(1)})
	check(t, err)
	load, err := particles.NewLoads(particles.Load{Particle: 1, Force: particles.At(0, 0, -w)})
	check(t, err)
	psi, z := besideFloor(t, r, mu, e, load)
	s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Implicit})
	check(t, err)
	const steps = 50
	a, slid, left := 0., 0, false
	for k := 1; k <= steps && !left; k++ {
		at := float64(k) / steps
		check(t, s.Step(t.Context(), at))
		drive := func(a float64) float64 {
			gx, gz := stiff*(far*at-r*math.Sin(a)), -w-soft*(r*math.Cos(a)-r)
			return gx*math.Cos(a) - gz*math.Sin(a) + mu*(gx*math.Sin(a)+gz*math.Cos(a))
		}
		b := a
		for drive(b) > 0 && b < 1.5 {
			b += 1e-4
		}
		x := psi.System.Position(at, 1, s.State())
		forth, aside := (x[0]-2)*ex+(x[1]-1)*ey, (x[1]-1)*ex-(x[0]-2)*ey
		if math.Abs(aside) > 1e-7 {
			t.Fatalf("t = %g: %g beside the plane of the pull", at, aside)
		}
		if left = b >= 1.5; left {
			if math.Abs(forth-far*at) > 1e-8 || math.Abs(x[2]+w/soft) > 1e-7 {
				t.Errorf("t = %g: beyond the fold at %v", at, x)
			}
			continue
		}
		if b > a {
			lo, hi := b-1e-4, b
			for range 50 {
				if m := (lo + hi) / 2; drive(m) > 0 {
					lo = m
				} else {
					hi = m
				}
			}
			a = lo
			slid++
		}
		if math.Abs(forth-r*math.Sin(a)) > 1e-7 || math.Abs(x[2]-r*math.Cos(a)+r) > 1e-7 {
			t.Fatalf("t = %g: at %v, want the angle %g", at, x, a)
		}
	}
	if slid < 5 || !left {
		t.Errorf("%d steps slid, and left: %v", slid, left)
	}
	if first := psi.System.Position(1, 0, s.State()); first != [3]float64{} {
		t.Errorf("the particle on the floor has gone to %v", first)
	}
}
