package assume_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/particles"
)

// TestWeakening: a particle pressed with N on springs k whose friction falls by fall a metre is stable
// below N fall = k, and so is the verdict on (N4); friction that rises endangers nothing, however
// steep. A neighbour in the air that holds it by a spring c is in equilibrium: k + 1/(1/c + 1/c') with
// its own spring c'.
func TestWeakening(t *testing.T) {
	const k, n = 2.0, 1.5
	for _, c := range []struct {
		slope, more float64 // of μ, and c = c'
	}{{-1.3, 0}, {-1.4, 0}, {5, 0}, {-1.4, 1}, {-1.7, 1}} {
		tethers := []particles.Tether{{Particle: 0, Anchor: particles.At(0, 0, -n/5), Stiffness: particles.Diagonal(k, k, 5)}}
		frames, ref := particles.Floors(1), make([]float64, 3)
		var energies []particles.Energy
		if c.more > 0 {
			frames, ref = append(frames, particles.Frame{Free: true, T: frames[0].T, O: frames[0].O, N: frames[0].N}),
				[]float64{0, 0, 0, 0, 0, 1}
			tethers = append(tethers, particles.Tether{Particle: 1, Anchor: particles.At(0, 0, 1), Stiffness: particles.Isotropic(c.more)})
			bonds, err := particles.NewBonds(ref, particles.Bond{I: 0, J: 1, Stiffness: particles.Diagonal(c.more, c.more, 1e-9)})
			if err != nil {
				t.Fatal(err)
			}
			energies = append(energies, bonds)
		}
		e, err := particles.NewTethers(tethers...)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := particles.NewSystem(frames, append(energies, e)...)
		if err != nil {
			t.Fatal(err)
		}
		m, err := dissipation.NewSlipping([]float64{0, .1}, []float64{.4, .4 + .1*c.slope})
		if err != nil {
			t.Fatal(err)
		}
		matrices := make([]dissipation.Matrix, sys.N())
		matrices[0] = m
		psi, err := dissipation.New(sys, matrices)
		if err != nil {
			t.Fatal(err)
		}
		a, err := assume.Examine(t.Context(), psi, ref, assume.Options{})
		if err != nil {
			t.Fatal(err)
		}
		stiff, jumps := k+c.more/2, n*-c.slope >= k+c.more/2
		if rises := c.slope > 0; rises != (len(a.Weakenings) == 0) {
			t.Errorf("%+v: %+v", c, a.Weakenings)
		} else if !rises && (a.Weakenings[0].Jumps() != jumps || math.Abs(a.Weakenings[0].Stiffness-stiff) > 1e-8) {
			t.Errorf("%+v: %+v, want a stiffness of %g", c, a.Weakenings[0], stiff)
		}
		if want := map[bool]assume.Verdict{true: assume.Fails, false: assume.Holds}[jumps]; a.N4.Verdict != want && c.more == 0 {
			t.Errorf("%+v: (N4) %v, want %v: %s", c, a.N4.Verdict, want, a.N4.Detail)
		}
	}
}
