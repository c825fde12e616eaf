package energetic_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
)

// watched is a tether without stiffness that notes at which times and states energies are asked for: the path of a
// search, which its result does not tell.
type watched struct {
	*particles.Tethers
	count int
	hash  uint64
}

func (w *watched) Value(t float64, z []float64) (e, rate float64) {
	w.count++
	w.add(t * 1e9)
	for _, x := range z {
		w.add(x * 1e5) // of numbers of order one; so many digits are those of no other state
	}
	return w.Tethers.Value(t, z)
}

// add mixes in the whole part of a number, as FNV does.
func (w *watched) add(x float64) {
	w.hash = (w.hash ^ math.Float64bits(math.Round(x)+0)) * 1099511628211
}

// path is a word for the energies asked for since the last one.
func (w *watched) path() string {
	if w == nil {
		return "not watched"
	}
	text := fmt.Sprintf("%d energies %016x", w.count, w.hash)
	w.count, w.hash = 0, 0
	return text
}

// watch adds the tether; particles with several obstacles are not watched.
func watch(t *testing.T, ex reference.Example) (reference.Example, *watched) {
	t.Helper()
	sys := ex.Psi.System
	if len(sys.Extras()) > 0 || sys.Charts() || ex.Psi.Timed() {
		return ex, nil
	}
	none, err := particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(0)})
	if err != nil {
		t.Fatal(err)
	}
	frames := make([]particles.Frame, sys.N())
	for j := range frames {
		frames[j] = sys.Frame(j)
	}
	w := &watched{Tethers: none}
	seen, err := particles.NewSystem(frames, append(append([]particles.Energy(nil), sys.Energies()...), w)...)
	if err != nil {
		t.Fatal(err)
	}
	psi, err := dissipation.New(seen, ex.Psi.Matrices)
	if err != nil {
		t.Fatal(err)
	}
	return reference.Example{Psi: psi, Start: ex.Start, Until: ex.Until}, w
}
