package fem_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestTopology: what is no body with a surface, each with the numbers to look at.
func TestTopology(t *testing.T) {
	for want, m := range map[string]*fem.Mesh{
		"nodes 1 and 4 lie at the same place [1 0]": {Dim: 2, X: []float64{0, 0, 1, 0, 0, 1, 2, 0, 1, 0, 2, 1},
			Elem: []int{0, 1, 2, 4, 3, 5}},
		"nodes [0 1] belongs to three elements, 0, 1 a": {Dim: 2, X: []float64{0, 0, 1, 0, 0, 1, 1, -1, .5, 2},
			Elem: []int{0, 1, 2, 1, 0, 3, 0, 1, 4}},
		"elements 0 and 1, of two parts, meet at node 1": {Dim: 2, X: []float64{0, 0, 1, 0, 0, 1, 2, 0, 1, 1},
			Elem: []int{0, 1, 2, 1, 3, 4}},
	} {
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
		if err := m.CheckTopology(nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	for name, m := range meshes(t) {
		if err := m.CheckTopology(nil, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSupportOfParts: every part needs its own support.
func TestSupportOfParts(t *testing.T) {
	m := &fem.Mesh{Dim: 2, X: []float64{0, 0, 1, 0, 0, 1, 5, 0, 6, 0, 5, 1}, Elem: []int{0, 1, 2, 3, 4, 5}}
	err := fem.CheckSupport(m, steel, []int{0, 1, 3, 7})
	if err == nil || !strings.Contains(err.Error(), "part of the body with node 3 can move without strain: translation along x, rotation") {
		t.Error(err)
	}
	if err := fem.CheckSupport(m, steel, []int{0, 1, 3, 6, 7, 9}); err != nil {
		t.Error(err)
	}
}
