package incremental_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// crowd is a random system of six particles in four islands of forces of very different
// size: two pairs tied by bonds, one particle alone, one above a missing floor. Friction
// is isotropic, orthotropic, absent.
func crowd(t *testing.T, r *rand.Rand) (*dissipation.Coulomb, []float64) {
	t.Helper()
	return crowdIn(t, r, 1, 1)
}

// crowdIn is the crowd in other units of length and force.
func crowdIn(t *testing.T, r *rand.Rand, length, force float64) (*dissipation.Coulomb, []float64) {
	t.Helper()
	ex := reference.Crowd(r, length, force)
	return ex.Psi, ex.Start
}

// optimal checks the conditions of first order of argmin E + Ψ at z, from base with the
// normal forces r, particle by particle and in parts of its own forces: on the floor or
// without reaction; friction in its ellipse, and against the motion where there is one.
func optimal(t *testing.T, psi *dissipation.Coulomb, base, z, grad, r []float64) {
	t.Helper()
	// the solver's 1e-12, over a ratio of stiffness and friction to forces of some hundreds
	const tol = 1e-9
	for j := range psi.System.N() {
		// stiffness times 1 m
		size := psi.System.Hessian(0, z).Val[psi.System.Hessian(0, z).Ptr[3*j]]
		g := [3]float64(grad[3*j : 3*j+3])
		if !psi.System.Constrained(j) {
			for _, f := range g {
				if math.Abs(f) > tol*size {
					t.Errorf("particle %d without an obstacle: force %v", j, g)
				}
			}
			continue
		}
		switch h := z[3*j+2]; {
		case h < 0, h > 0 && math.Abs(g[2]) > tol*size, g[2] < -tol*size:
			t.Errorf("particle %d: height %g, normal force %g", j, h, g[2])
		}
		v := [2]float64{z[3*j] - base[3*j], z[3*j+1] - base[3*j+1]}
		f := psi.Force(0, j, z, v2(psi, j, v))
		if v != [2]float64{} { // balance: DE + r SᵀS v/‖S v‖ = 0
			if e := math.Hypot(g[0]+r[j]*f[0], g[1]+r[j]*f[1]); e > tol*size {
				t.Errorf("particle %d slides by %v: force %v, friction %g · %v, off by %g", j, v, g, r[j], f, e/size)
			}
			continue
		}
		if a, b := psi.Excess(0, j, r[j], z, [2]float64{g[0], g[1]}); math.Hypot(a, b) > tol*size {
			t.Errorf("particle %d stands: force %v, friction cannot hold (%g, %g) of it", j, g, a, b)
		}
	}
}

// v2 puts a motion at particle j.
func v2(psi *dissipation.Coulomb, j int, v [2]float64) []float64 {
	x := make([]float64, 3*psi.System.N())
	x[3*j], x[3*j+1] = v[0], v[1]
	return x
}

// TestOptimal: each step solves its problem, whatever the thresholds and the rule. The
// thresholds are those of the start of the step or of its end.
func TestOptimal(t *testing.T) {
	for seed := range uint64(8) {
		for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
			for _, rule := range []dissipation.Rule{{}, {Gamma: 1e-4}, {Gamma: 0.02, Policy: dissipation.Blend},
				{Gamma: 0.02, Policy: dissipation.SwitchingOnly}} {
				t.Run(fmt.Sprintf("%d/%d/%v %g", seed, mode, rule.Policy, rule.Gamma), func(t *testing.T) {
					psi, z := crowd(t, rand.New(rand.NewPCG(seed, 3)))
					s, err := incremental.New(psi, 0, z, incremental.Options{Threshold: mode, Rule: rule})
					check(t, err)
					for k := 1; k <= 12; k++ {
						base, grad, in := slices.Clone(s.State()), slices.Clone(s.Gradient()), slices.Clone(s.Switching())
						check(t, s.Step(t.Context(), float64(k)/12))
						end := s.State()
						at, from := end, s.Gradient()
						if s.Stats().Lagged {
							at, from = base, grad
						}
						r := make([]float64, psi.System.N())
						for j := range r {
							if psi.Touches(0, j, at) {
								r[j] = rule.Threshold(from[3*j+2], in[j])
							}
						}
						optimal(t, psi, base, end, s.Gradient(), r)
						states(t, s, base)
						if st := s.Stats(); st.Residual > 1e-12 || st.Solves < 1 || mode == incremental.Lagged && st.Solves != 1 {
							t.Errorf("%+v", st)
						}
					}
				})
			}
		}
	}
}

// states checks the names of contact states against the numbers.
func states(t *testing.T, s *incremental.Stepper, base []float64) {
	t.Helper()
	z, g := s.State(), s.Gradient()
	for j, got := range s.States() {
		moved := z[3*j] != base[3*j] || z[3*j+1] != base[3*j+1]
		switch {
		case j == 5 || z[3*j+2] > 0:
			if got != incremental.Free {
				t.Errorf("particle %d hovers: %v", j, got)
			}
		case g[3*j+2] > 1e-6*s.Scale() && got != map[bool]incremental.ContactState{true: incremental.Slip, false: incremental.Stick}[moved]:
			t.Errorf("particle %d, pressed by %g N, moved %v: %v", j, g[3*j+2], moved, got)
		}
	}
}

// TestGapOfNeighbours: at the solution of a step the gap is nothing; beside it, the energy
// that E + Ψ loses on the way back to it, from both sides, and the force is that of the
// largest natural map.
func TestGapOfNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for seed := range uint64(6) {
		psi, start := crowd(t, rand.New(rand.NewPCG(seed, 3)))
		s, err := incremental.New(psi, 0, start, incremental.Options{})
		check(t, err)
		check(t, s.Step(t.Context(), 0.25))
		base := slices.Clone(s.State())
		frozen := make([]float64, 6)
		for j := range frozen {
			if psi.Touches(0, j, base) {
				frozen[j] = max(s.Gradient()[3*j+2], 0)
			}
		}
		m := incremental.NewMinimiser(psi, 1e-12)
		for c, j := range m.Contacts() {
			m.SetThreshold(c, frozen[j], 0, base)
		}
		z, grad := make([]float64, 18), make([]float64, 18)
		check(t, m.Solve(t.Context(), 0.5, base, z, grad, 0))
		total := func(y []float64) float64 {
			e, _ := psi.System.Value(0.5, y)
			for j, f := range frozen {
				v := make([]float64, 18)
				for i := range v {
					v[i] = y[i] - base[i]
				}
				e += f * psi.Norm(0, j, base, v)
			}
			return e
		}
		sizes := incremental.Sizes{Force: 1e4, Energy: 1e4, Length: 1}
		g, err := m.Gap(t.Context(), 0.5, base, z, grad, sizes)
		check(t, err)
		// products of 1e4 N to 1e-16, 1e4 N to 1e-12
		if !g.Exact || g.Upper > 1e-11 || g.Lower > g.Upper || g.Force > 1e-8 {
			t.Errorf("seed %d: at the solution %+v", seed, g)
		}
		best := total(z)
		for range 6 {
			y, dy := slices.Clone(z), make([]float64, 18)
			j := r.IntN(6)
			for d := range 3 {
				y[3*j+d] += 0.1 * r.NormFloat64()
			}
			y[3*j+2] = math.Abs(y[3*j+2])
			psi.System.Gradient(dy, nil, 0.5, y)
			g, err := m.Gap(t.Context(), 0.5, base, y, dy, sizes)
			check(t, err)
			want := total(y) - best
			// energies of 1e4 J, rounded and cancelled
			if eps := 1e-9 * (1e4 + want); !(g.Lower <= want+eps && want <= g.Upper+eps && g.Upper-g.Lower <= eps) {
				t.Errorf("seed %d, particle %d moved: gap %+v, energy lost on the way back %g", seed, j, g, want)
			}
			if g.Force < 1e-7 {
				t.Errorf("seed %d, particle %d moved: force %g", seed, j, g.Force)
			}
		}
	}
}

// TestShare: forces are judged by the island in which they are.
func TestShare(t *testing.T) {
	psi, start := crowd(t, rand.New(rand.NewPCG(1, 3)))
	m := incremental.NewMinimiser(psi, 1e-12)
	for c := range m.Contacts() {
		m.SetThreshold(c, 0, 0, start)
	}
	z, grad := make([]float64, 18), make([]float64, 18)
	check(t, m.Solve(t.Context(), 0, start, z, grad, 0))
	scales := incremental.NewScales(psi.System)
	if islands := len(scales.Force); islands != 4 {
		t.Fatalf("%d islands", islands)
	}
	for _, j := range []int{0, 3, 4, 5} {
		y := slices.Clone(z)
		y[3*j] += 1e-3
		psi.System.Gradient(grad, nil, 0, y)
		sizes := make([]float64, 4)
		for k := range sizes {
			sizes[k] = 1e30
		}
		sizes[scales.Island[j]] = 2
		g, err := m.Gap(t.Context(), 0, start, y, grad, incremental.Sizes{Force: 1, Energy: 1, Length: 1, Forces: sizes})
		check(t, err)
		if math.Abs(g.Share-g.Force/2) > 1e-15*g.Force || g.Force == 0 {
			t.Errorf("particle %d: force %g, share %g, want half of it", j, g.Force, g.Share)
		}
	}
}

// TestCheckpointOfCrowd: a stepper that loads what another has saved goes on to the same
// bits, at any time; a checkpoint of another system is refused, whatever is too long.
func TestCheckpointOfCrowd(t *testing.T) {
	for _, mode := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
		for at := range 6 {
			psi, z := crowd(t, rand.New(rand.NewPCG(2, 3)))
			o := incremental.Options{Threshold: mode, Rule: dissipation.Rule{Gamma: 0.02, Policy: dissipation.SwitchingOnly}}
			whole, err := incremental.New(psi, 0, z, o)
			check(t, err)
			again, err := incremental.New(psi, 0, z, o)
			check(t, err)
			var c incremental.Checkpoint
			for k := 0; k <= 6; k++ {
				if k > 0 {
					check(t, whole.Step(t.Context(), float64(k)/6))
				}
				if k == at {
					whole.Save(&c)
					check(t, again.Load(&c))
				} else if k > at {
					check(t, again.Step(t.Context(), float64(k)/6))
				}
				if k >= at && !(slices.Equal(whole.State(), again.State()) &&
					slices.Equal(whole.Gradient(), again.Gradient()) && slices.Equal(whole.Switching(), again.Switching()) &&
					slices.Equal(whole.States(), again.States()) && whole.Scale() == again.Scale() && whole.Time() == again.Time()) {
					t.Errorf("mode %d, saved after %d: step %d differs", mode, at, k)
				}
			}
			for name, spoil := range map[string]func(*incremental.Checkpoint){
				"state":     func(c *incremental.Checkpoint) { c.Z = c.Z[:15] },
				"states":    func(c *incremental.Checkpoint) { c.States = c.States[:1] },
				"labels":    func(c *incremental.Checkpoint) { c.Switching = append(slices.Clone(c.Switching), true) },
				"forces":    func(c *incremental.Checkpoint) { c.Forces = nil },
				"start":     func(c *incremental.Checkpoint) { c.V = make([]float64, 17) },
				"reactions": func(c *incremental.Checkpoint) { c.R = make([]float64, 99) },
				"height":    func(c *incremental.Checkpoint) { c.Z = slices.Clone(c.Z); c.Z[2] = -1 },
			} {
				bad := c
				if spoil(&bad); again.Load(&bad) == nil {
					t.Errorf("a checkpoint with a wrong %s passes", name)
				}
			}
		}
	}
}

// TestWorst: an error of the contact solver or of Newton's method names the particle.
func TestWorst(t *testing.T) {
	quadratic := func(j int) *particles.System { // D²E is −1 at particle j
		var entries []particles.Entry
		for i := range 3 {
			k := 1.0
			if i == j {
				k = -1
			}
			for d := range 3 {
				entries = append(entries, particles.Entry{Row: 3*i + d, Col: 3*i + d, Value: k})
			}
		}
		q, err := particles.NewQuadratic([]int{0, 1, 2}, make([]float64, 9), entries, nil)
		check(t, err)
		sys, err := particles.NewSystem(particles.Floors(3), q)
		check(t, err)
		return sys
	}
	for j := range 3 {
		psi, err := dissipation.New(quadratic(j), nil)
		check(t, err)
		z := make([]float64, 9)
		z[3*j] = 0.1
		s, err := incremental.New(psi, 0, z, incremental.Options{})
		check(t, err)
		err = s.Step(context.Background(), 1)
		e, ok := errors.AsType[*incremental.StepError](err)
		if !ok || e.Particle != j || e.Time != 1 {
			t.Errorf("particle %d: %v", j, err)
		}
		if _, ok := errors.AsType[*contact.IndefiniteError](err); ok && s.Time() != 0 {
			t.Errorf("the stepper moved to t = %g", s.Time())
		}
	}
}
