package incremental_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// wedged is the crowd with three walls over the floors of two particles, that lean over them
// or away, with friction of their own kinds. All pass through the start.
func wedged(t *testing.T, seed uint64) (*dissipation.Coulomb, []float64) {
	t.Helper()
	return wedgedIn(t, seed, 1, 1)
}

// wedgedIn is the wedged crowd in other units of length and force.
func wedgedIn(t *testing.T, seed uint64, length, force float64) (*dissipation.Coulomb, []float64) {
	t.Helper()
	ex := reference.Wedged(seed, length, force)
	return ex.Psi, ex.Start
}

// objective is E(t, y) + Σ s_c ‖M_c(base)(y − base)‖; +Inf inside an obstacle.
func objective(psi *dissipation.Coulomb, t float64, base, thresholds, y []float64) float64 {
	sys, v := psi.System, make([]float64, len(y))
	for i := range v {
		v[i] = y[i] - base[i]
	}
	e, _ := sys.Value(t, y)
	for c, s := range thresholds {
		p := sys.ContactParticle(c)
		// rounding of a point that touches
		if (c >= sys.N() || sys.Constrained(p)) && sys.Height(0, c, y) < -1e-13 {
			return math.Inf(1)
		}
		e += s * psi.Norm(0, c, base, v)
	}
	return e
}

// least checks that no state beside y has a lower objective: the problem is convex, so that
// this is enough.
func least(t *testing.T, r *rand.Rand, psi *dissipation.Coulomb, at float64, base, thresholds, y []float64) {
	t.Helper()
	best := objective(psi, at, base, thresholds, y)
	if math.IsInf(best, 1) {
		t.Fatalf("t = %g: the state is inside an obstacle", at)
	}
	tried := 0
	for range 400 {
		x, j, size := slices.Clone(y), r.IntN(psi.System.N()), math.Pow(10, -1-5*r.Float64())
		for d := range 3 {
			x[3*j+d] += size * r.NormFloat64()
		}
		if r.IntN(2) == 0 { // along the floor, and back towards where it came from
			s := r.Float64()
			for d := range 3 {
				x[3*j+d] = y[3*j+d] + s*(base[3*j+d]-y[3*j+d])
			}
		}
		got := objective(psi, at, base, thresholds, x)
		if !math.IsInf(got, 1) {
			tried++
		}
		if got < best-1e-10 { // energies of 1e4 J, rounded; a minimum to 1e-12 of forces of 1e4 N
			t.Errorf("t = %g: particle %d moved from %v to %v: %g J lower", at, j, y[3*j:3*j+3], x[3*j:3*j+3], best-got)
			return
		}
	}
	if tried < 100 {
		t.Errorf("t = %g: only %d neighbours are outside of obstacles", at, tried)
	}
}

// TestWedgedSteps: with several obstacles a particle each step minimises E + Ψ, with the
// thresholds of its start, over the states outside of all of them. The states of contacts
// are those of heights, forces and motions.
func TestWedgedSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	pressed, moved := 0, 0
	for seed := range uint64(6) {
		psi, z := wedged(t, seed)
		sys := psi.System
		s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: incremental.Lagged})
		check(t, err)
		for k := 1; k <= 8; k++ {
			at, base, grad := float64(k)/8, slices.Clone(s.State()), slices.Clone(s.Gradient())
			thresholds := make([]float64, sys.Contacts())
			for c := range thresholds {
				thresholds[c] = psi.Pressure(0, c, base, grad, dissipation.Origin{})
			}
			check(t, s.Step(t.Context(), at))
			y := s.State()
			least(t, r, psi, at, base, thresholds, y)
			for c, state := range s.States() {
				p := sys.ContactParticle(c)
				if !sys.Cornered(p) {
					continue
				}
				same := slices.Equal(y[3*p:3*p+3], base[3*p:3*p+3])
				if touches := sys.Touches(0, c, y); touches == (state == incremental.Free) {
					t.Errorf("t = %g: contact %d touches: %v, state %v", at, c, touches, state)
				}
				switch force := psi.Pressure(0, c, y, s.Gradient(), dissipation.Origin{}); {
				case state == incremental.Free:
				case force > 1e-6*s.Scale() && state != map[bool]incremental.ContactState{true: incremental.Stick,
					false: incremental.Slip}[same]:
					t.Errorf("t = %g: contact %d, pressed by %g N, at rest %v: %v", at, c, force, same, state)
				case force > 1e-6*s.Scale():
					pressed++
					if !same {
						moved++
					}
				case force == 0 && state != incremental.Grazing:
					t.Errorf("t = %g: contact %d, not pressed: %v", at, c, state)
				}
			}
		}
	}
	if pressed < 20 || moved < 5 {
		t.Errorf("%d contacts of corners were pressed, %d slid: the problems are too easy", pressed, moved)
	}
}

// TestGapOfWedged is TestGapOfNeighbours in corners: the gap of a state beside the solution
// is the energy that is lost on the way back to it.
func TestGapOfWedged(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	beside := 0
	for seed := range uint64(6) {
		psi, start := wedged(t, seed)
		sys, n := psi.System, 3*psi.System.N()
		s, err := incremental.New(psi, 0, start, incremental.Options{Threshold: incremental.Lagged})
		check(t, err)
		check(t, s.Step(t.Context(), 0.25))
		base := slices.Clone(s.State())
		thresholds := make([]float64, sys.Contacts())
		m := incremental.NewMinimiser(psi, 1e-12)
		for c, j := range m.Contacts() {
			thresholds[j] = psi.Pressure(0, j, base, s.Gradient(), dissipation.Origin{})
			m.SetThreshold(c, thresholds[j], 0, base)
		}
		z, grad := make([]float64, n), make([]float64, n)
		check(t, m.Solve(t.Context(), 0.5, base, z, grad, 0))
		least(t, r, psi, 0.5, base, thresholds, z)
		sizes := incremental.Sizes{Force: 1e4, Energy: 1e4, Length: 1}
		g, err := m.Gap(t.Context(), 0.5, base, z, grad, sizes)
		check(t, err)
		// products of 1e4 N to 1e-16, 1e4 N to 1e-12
		if !g.Exact || g.Upper > 1e-11 || g.Lower > g.Upper || g.Force > 1e-8 {
			t.Errorf("seed %d: at the solution %+v", seed, g)
		}
		best := objective(psi, 0.5, base, thresholds, z)
		for range 40 {
			y, dy := slices.Clone(z), make([]float64, n)
			j := reference.WedgedParticles(seed)[2*r.IntN(2)]
			for d := range 3 {
				y[3*j+d] += 0.1 * r.NormFloat64()
			}
			want := objective(psi, 0.5, base, thresholds, y) - best
			if math.IsInf(want, 1) {
				continue
			}
			beside++
			sys.Gradient(dy, nil, 0.5, y)
			g, err := m.Gap(t.Context(), 0.5, base, y, dy, sizes)
			check(t, err)
			// energies of 1e4 J, rounded and cancelled
			if eps := 1e-9 * (1e4 + want); !(g.Lower <= want+eps && want <= g.Upper+eps && g.Upper-g.Lower <= eps) {
				t.Errorf("seed %d, particle %d moved: gap %+v, energy lost on the way back %g", seed, j, g, want)
			}
			if g.Force < 1e-7 {
				t.Errorf("seed %d, particle %d moved: force %g", seed, j, g.Force)
			}
		}
	}
	if beside < 20 {
		t.Errorf("only %d states beside solutions were outside of the walls", beside)
	}
}

// TestLossOfPair: two bonded particles that nothing else holds slide away together once the
// pull F exceeds what the friction of both holds, μ(N₀ + N₁): direction, force and particle of
// the error are those of that sum; a third particle, held by a spring, has no part in it.
func TestLossOfPair(t *testing.T) {
	const mu, n0, n1, n2 = 0.4, 2.0, 3.0, 1.0
	ramp := func(a, b float64) particles.Signal {
		s, err := signal.NewTable([]float64{0, 1}, []float64{a, b})
		check(t, err)
		return s
	}
	for _, c := range []struct {
		name string
		pull float64 // at the end [N]; .6 and .8 of it along x and y
		mode incremental.ThresholdMode
		grow float64 // of the normal forces at the end
		left float64 // N, what drives; negative: it is held
	}{
		{"held", 1.9, incremental.Implicit, 1, -1}, {"lost", 2.5, incremental.Implicit, 1, 0.5},
		{"lost, lagged", 2.5, incremental.Lagged, 1, 0.5},
		{"just lost", 2.1, incremental.Implicit, 1, 0.1}, {"presses more at the end", 3.8, incremental.Implicit, 2, -1},
		{"presses more at the end, lagged", 3.8, incremental.Lagged, 2, 1.8}, {"lost all the same", 5, incremental.Implicit, 2, 1},
	} {
		loads, err := particles.NewLoads(
			particles.Load{Particle: 0, Force: particles.Path{ramp(0, .6*c.pull), ramp(0, .8*c.pull), ramp(-n0, -n0*c.grow)}},
			particles.Load{Particle: 1, Force: particles.Path{ramp(0, 0), ramp(0, 0), ramp(-n1, -n1*c.grow)}},
			particles.Load{Particle: 2, Force: particles.Path{ramp(0, 9), ramp(0, 0), ramp(-n2, -n2)}})
		check(t, err)
		bonds, err := particles.NewBonds([]float64{0, 0, 0, 1, 1, 0, 0, 0, 0},
			particles.Bond{I: 0, J: 1, Stiffness: particles.Isotropic(50)})
		check(t, err)
		tether, err := particles.NewTethers(particles.Tether{Particle: 2, Anchor: particles.At(0, 0, 0),
			Stiffness: particles.Diagonal(3, 3, 0)})
		check(t, err)
		sys, err := particles.NewSystem(particles.Floors(3), loads, bonds, tether)
		check(t, err)
		iso := dissipation.Isotropic{Mu: mu}
		psi, err := dissipation.New(sys, []dissipation.Matrix{iso, iso, iso})
		check(t, err)
		start := []float64{0, 0, 0, 1, 1, 0, 0, 0, 0}
		s, err := incremental.New(psi, 0, start, incremental.Options{Threshold: c.mode})
		check(t, err)
		err = s.Step(t.Context(), 1)
		if c.left < 0 {
			if err != nil || s.Time() != 1 {
				t.Errorf("%s: %v", c.name, err)
			} else if z := s.State(); math.Abs(z[6]-(9-mu*n2)/3) > 1e-11 {
				t.Errorf("%s: the third particle is at %g, want %g", c.name, z[6], (9-mu*n2)/3)
			}
			continue
		}
		lost, ok := errors.AsType[*incremental.LossError](err)
		if !ok {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if s.Time() != 0 || lost.Time != 1 || lost.Particle > 1 || errors.Unwrap(lost) == nil {
			t.Errorf("%s: at %g, %+v", c.name, s.Time(), lost)
		}
		// The direction is a difference of two regularised displacements, 2·10⁻⁴ of the stiffness
		// apart: the spring of the third particle, 3 m long, differs by that too, and is 10⁻⁶ of
		// what half a newton makes of them; 9 N pull at it.
		off := 1e-6 / c.left
		if math.Abs(lost.Force-c.left) > 9*off {
			t.Errorf("%s: driven by %.12g N, want %g", c.name, lost.Force, c.left)
		}
		for i, want := range []float64{.6, .8, 0, .6, .8, 0, 0, 0, 0} {
			if math.Abs(lost.Direction[i]-want) > off {
				t.Errorf("%s: direction %v", c.name, lost.Direction)
				break
			}
		}
	}
}

// TestUnits: in units of 2⁻¹⁰ m and 2²⁰ N steps, with walls and without, have the same bits, in the
// same number of solves, and so have what certificates say of them.
func TestUnits(t *testing.T) {
	const length, force = 0x1p-10, 0x1p20
	for seed := range uint64(3) {
		for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
			for _, walls := range []bool{false, true} {
				make := func(l, f float64) (*dissipation.Coulomb, []float64) {
					if walls {
						return wedgedIn(t, seed, l, f)
					}
					return crowdIn(t, rand.New(rand.NewPCG(seed, 5)), l, f)
				}
				psi, z := make(1, 1)
				other, _ := make(length, force)
				one, err := incremental.New(psi, 0, z, incremental.Options{Threshold: mode})
				check(t, err)
				two, err := incremental.New(other, 0, z, incremental.Options{Threshold: mode})
				check(t, err)
				for k := 1; k <= 10; k++ {
					at := 0.1 * float64(k)
					check(t, one.Step(t.Context(), at))
					check(t, two.Step(t.Context(), at))
					for i, x := range one.State() {
						if two.State()[i] != length*x || two.Gradient()[i] != force*one.Gradient()[i] {
							t.Fatalf("seed %d, threshold %d, walls %t, step %d, coordinate %d: %g m and %g N, want %g and %g",
								seed, mode, walls, k, i, two.State()[i]/length, two.Gradient()[i]/force, x, one.Gradient()[i])
						}
					}
					a, b := one.Stats(), two.Stats()
					if a != b || !slices.Equal(one.States(), two.States()) {
						t.Fatalf("seed %d, threshold %d, walls %t, step %d: %+v, want %+v", seed, mode, walls, k, b, a)
					}
				}
			}
		}
	}
}
