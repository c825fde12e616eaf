package dynamics

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// TestGrid: elements a spacing apart around the contact point, in rows along t.
func TestGrid(t *testing.T) {
	for _, dim := range []int{2, 3} {
		for ns := 1; ns <= 4; ns++ {
			o := HalfSpace{Dim: dim, Elements: ns, Spacing: 0.25, Epsilon: 1e-3}
			p, err := NewPatch(contact.Coulomb{Mu: 0.3}, o)
			if err != nil {
				t.Fatal(err)
			}
			for k := range p.Elements() {
				x, y := p.At(k)
				want := [2]float64{0.25*float64(k%ns) - 0.125*float64(ns-1), 0.25*float64(k/ns) - 0.125*float64(ns-1)}
				if dim == 2 {
					want[1] = 0
				}
				if x != want[0] || y != want[1] {
					t.Errorf("dimension %d, %d a side: element %d at (%g, %g), want %v", dim, ns, k, x, y, want)
				}
			}
			if p.Size() != 0.25*float64(ns-1) {
				t.Errorf("%d a side: a width of %g", ns, p.Size())
			}
		}
	}
}

// TestRefusedPatches: one thing wrong each.
func TestRefusedPatches(t *testing.T) {
	good := HalfSpace{Dim: 2, Elements: 2, Spacing: 1, Epsilon: 1}
	for name, spoil := range map[string]func(o *HalfSpace){
		"no elements": func(o *HalfSpace) { o.Elements = 0 }, "too many": func(o *HalfSpace) { o.Elements = 33 },
		"no spacing": func(o *HalfSpace) { o.Spacing = 0 },
		"endless":    func(o *HalfSpace) { o.Spacing = math.Inf(1) }, "rigid": func(o *HalfSpace) { o.Epsilon = 0 },
		"soft":    func(o *HalfSpace) { o.Epsilon = math.Inf(1) },
		"Poisson": func(o *HalfSpace) { o.Poisson = 0.51 }, "negative Poisson": func(o *HalfSpace) { o.Poisson = -0.1 },
		"damping":         func(o *HalfSpace) { o.Damping = -1 },
		"endless damping": func(o *HalfSpace) { o.Damping = math.Inf(1) }, "dimension": func(o *HalfSpace) { o.Dim = 4 },
	} {
		o := good
		if spoil(&o); o == good {
			t.Errorf("%s: nothing is wrong", name)
		}
		if _, err := NewPatch(contact.Coulomb{}, o); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := NewPatch(contact.Coulomb{}, good); err != nil {
		t.Error(err)
	}
	at, k := make([][2]float64, 1), []float64{1, 0, 0, 1}
	for name, c := range map[string]struct {
		at   [][2]float64
		k, c []float64
	}{"stiffnesses": {at, k[:3], k}, "dampers": {at, k, k[:3]}, "elements": {nil, nil, nil}, "symmetry": {at, []float64{1, 0.5, 0, 1}, k}} {
		if _, err := NewGeneral(contact.Coulomb{}, 2, c.at, c.k, c.c, nil); err == nil {
			t.Errorf("wrong %s are accepted", name)
		}
	}
	if _, err := NewGeneral(contact.Coulomb{}, 2, at, k, k, nil); err != nil {
		t.Error(err)
	}
}
