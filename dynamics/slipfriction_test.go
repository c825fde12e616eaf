package dynamics_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/friction"
)

// bySlip is a point of 1 kg that slides on a floor at a speed, g = 10 m/s², on a rigid patch or on
// springs of 1e4 N/m with dampers of 200 N s/m.
func bySlip(t *testing.T, law friction.Law, speed float64, springs bool, load float64) *dynamics.Stepper {
	t.Helper()
	p := rigidPatch(t, 1, 2)
	if springs {
		var err error
		if p, err = dynamics.NewLumped(contact.Coulomb{Mu: 1}, []float64{1e4, 1e4}, []float64{200, 200}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.ChangeWithSlip(law); err != nil {
		t.Fatal(err)
	}
	b := bodies.Body{Mass: 1, Shape: bodies.Point{}, Velocity: [3]float64{speed}}
	if load > 0 {
		b.Load = append(b.Load, table(t, []float64{0, 1}, []float64{0, load}), table(t, []float64{0, 1}, []float64{0, 0}))
	}
	return onObstacle(t, 2, [3]float64{0, -10}, p, dynamics.Options{Theta: .5}, b,
		bodies.Obstacle{Surface: bodies.HalfSpace{Normal: [3]float64{0, 1}}})
}

// TestBrakes: a block that friction brakes has, by Stribeck's law with δ = 1, E(v) = μ_k exp(v/v_s) +
// μ_s − μ_k = E(v_0) exp(−μ_k g t/v_s), until it stops and rests.
func TestBrakes(t *testing.T) {
	r := rand.New(rand.NewPCG(34, 2))
	between := func(from, to float64) float64 { return from + (to-from)*r.Float64() }
	for range 10 {
		kinetic, fall, vs, v0 := between(.1, .4), between(.05, .3), between(.05, 2), between(.5, 2)
		e0 := kinetic*math.Exp(v0/vs) + fall
		stop := vs / (kinetic * 10) * math.Log(e0/(kinetic+fall))
		s := bySlip(t, friction.Stribeck{Static: kinetic + fall, Kinetic: kinetic, Speed: vs, Exponent: 1}, v0, false, 0)
		const n = 400
		for k := range n {
			step(t, s, 1.2*stop/n, 1)
			now, want := 1.2*stop*float64(k+1)/n, 0.0
			if now < stop {
				want = vs * math.Log((e0*math.Exp(-kinetic*10*now/vs)-fall)/kinetic)
			}
			turn := 10 * (kinetic + fall) * 1.2 * stop / n // what friction changes in a step
			if v := s.State().V[0]; math.Abs(v-want) > turn {
				t.Fatalf("t = %.6g of %.6g s: v = %.9g, want %.9g", now, stop, v, want)
			}
		}
		for _, m := range s.Solved() {
			if !m.Passed() {
				t.Errorf("%+v", m)
			}
		}
	}
}

// TestReleased: a load that grows to 8 N in 1 s moves a block of 10 N at μ_s = .5 after .625 s, and then
// by ∫∫(8t − μ_k 10): what stuck has stuck up to there, rigid or on springs.
func TestReleased(t *testing.T) {
	for _, springs := range []bool{false, true} {
		s := bySlip(t, friction.Jump{Static: .5, Kinetic: .3}, 0, springs, 8)
		const n, release = 4000, .625
		step(t, s, .6, 6*n/10)
		give := 0.0
		if springs {
			give = 4.8 / 1e4
		}
		if x := s.State().Q[0]; math.Abs(x-give) > .05*give+1e-12 {
			t.Errorf("springs %t: at .6 s it is at %g, want %g", springs, x, give)
		}
		step(t, s, .4, 4*n/10)
		v := 4*(1-release*release) - 3*(1-release)
		if got := s.State().V[0]; math.Abs(got-v) > .02*v {
			t.Errorf("springs %t: at 1 s it goes at %g, want %g", springs, got, v)
		}
	}
}

// TestResumesBySlip: a run that goes on from a checkpoint has the same bits, and its steps are
// solutions for who plays them again by their forces.
func TestResumesBySlip(t *testing.T) {
	for _, springs := range []bool{false, true} {
		law := friction.Stribeck{Static: .5, Kinetic: .3, Speed: .5, Exponent: 2}
		a, b := bySlip(t, law, .2, springs, 8), bySlip(t, law, .2, springs, 8)
		step(t, a, .5, 500)
		var c dynamics.Checkpoint
		a.Save(&c)
		if err := b.Load(&c); err != nil {
			t.Fatal(err)
		}
		for range 300 {
			step(t, a, 1e-3, 1)
			x, st := a.Last(), a.State()
			f, err := b.Replay(1e-3, st.T, x.Theta, st.Q, st.V, func(int) []float64 { return st.Lambda[:2] })
			if err != nil || f.Law > 1e-9 || f.Cone > 1e-9 {
				t.Fatalf("springs %t, t = %g: %v, law off by %g, cone by %g", springs, st.T, err, f.Law, f.Cone)
			}
		}
		if err := b.Load(&c); err != nil {
			t.Fatal(err)
		}
		step(t, b, .3, 300)
		if a.State().Q[0] != b.State().Q[0] || a.State().V[0] != b.State().V[0] {
			t.Errorf("springs %t: %v and %v", springs, a.State().Q, b.State().Q)
		}
	}
}

// TestJumps: where friction falls faster than the damper of a patch, λ_n |dμ/ds| > C, no step has one
// solution, and the verdict says so.
func TestJumps(t *testing.T) {
	for _, speed := range []float64{.5, .005} {
		s := bySlip(t, friction.Stribeck{Static: .5, Kinetic: .3, Speed: speed, Exponent: 1}, .5, true, 0)
		var err error
		for range 3000 {
			if err = s.Step(t.Context(), 1e-4); err != nil {
				break
			}
		}
		m := s.Solved()[1]
		if jumps := 10*.2/speed > 200; (err == nil && m.Passed()) == jumps || err != nil &&
			!strings.Contains(err.Error(), "several solutions") {
			t.Errorf("v_s = %g: %v, %+v", speed, err, m)
		}
	}
}
