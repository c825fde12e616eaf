package dynamics

import (
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
)

// TestHistory: deformations, forces and ages follow the keys of their patches into another order;
// what is new begins at zero, what is lost relaxes behind the others unless it is rigid or gone,
// and what had another number of entries begins anew.
func TestHistory(t *testing.T) {
	soft, err := NewLumped(contact.Coulomb{}, []float64{1, 1}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	rigid, err := NewRigid(contact.Coulomb{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	two, err := NewPatch(contact.Coulomb{}, HalfSpace{Dim: 2, Elements: 2, Spacing: 1, Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	meet := func(keys []int, patches []*Patch) *Contacts {
		c := &Contacts{}
		c.Reset(2, 1)
		for i, key := range keys {
			c.Begin(key, patches[i])
			for range patches[i].Elements() {
				c.Element(0)
			}
		}
		return c
	}
	var h history
	var now State
	keys, list := []int{10, 20, 30, 40, 50}, []*Patch{soft, two, soft, rigid, soft}
	patches := h.match(&now, meet(keys, list), nil)
	if !slices.Equal(now.Keys, keys) || !slices.Equal(now.Ptr, []int{0, 2, 6, 8, 10, 12}) || !slices.Equal(patches, list) {
		t.Fatalf("%v, %v", now.Keys, now.Ptr)
	}
	for i := range now.Delta {
		now.Delta[i], now.Lambda[i] = float64(i+1), float64(100*(i+1))
	}
	now.Lambda[6], now.Lambda[7] = 0, 0     // the third touches without force
	now.Delta[10], now.Delta[11] = 0, 1e-31 // of the fifth nothing is left
	h.keep(&now, patches, []int{1, 2, 3, 4, 5}, 5)

	// The same ones: all as they were, a step older.
	var same State
	h.match(&same, meet(keys, list), nil)
	if !slices.Equal(same.Delta, now.Delta) || !slices.Equal(same.Lambda, now.Lambda) || !slices.Equal(h.ages, []int{1, 1, 0, 1, 1}) {
		t.Errorf("the same patches: %v, %v, ages %v", same.Delta, same.Lambda, h.ages)
	}

	// Others before and between them: 10 has become one of two elements; 30, 40, 50 are lost.
	var next State
	got := h.match(&next, meet([]int{60, 20, 10}, []*Patch{soft, two, two}), nil)
	if want := []int{60, 20, 10, 10, 30}; !slices.Equal(next.Keys, want) {
		t.Fatalf("keys %v, want %v", next.Keys, want)
	}
	if want := []float64{0, 0, 3, 4, 5, 6, 0, 0, 0, 0, 1, 2, 7, 8}; !slices.Equal(next.Delta, want) {
		t.Errorf("deformations %v, want %v", next.Delta, want)
	}
	if want := []float64{0, 0, 300, 400, 500, 600, 0, 0, 0, 0, 0, 0, 0, 0}; !slices.Equal(next.Lambda, want) {
		t.Errorf("forces %v, want %v", next.Lambda, want)
	}
	if !slices.Equal(got, []*Patch{soft, two, two, soft, soft}) || !slices.Equal(h.lost, []int{1, 3}) || !slices.Equal(h.ages, []int{0, 1, 0}) {
		t.Errorf("patches %v, homes of the lost %v, ages %v", got, h.lost, h.ages)
	}
	h.keep(&next, got, []int{1, 2, 3, 1, 3}, 3)
	if h.ghosts != 2 || !slices.Equal(h.age, []int{0, 2, 0, 0, 0}) {
		t.Errorf("%d ghosts, ages %v", h.ghosts, h.age)
	}
}

// TestBlocksAreTheMatrix: A by blocks, of all elements or of some, has the entries of A as a whole,
// and the blocks that are left out are zero.
func TestBlocksAreTheMatrix(t *testing.T) {
	s := newEllipse(t, 1e-4, Options{})
	if err := s.Step(t.Context(), 1e-3); err != nil {
		t.Fatal(err)
	}
	l, dim := &s.local, s.dim
	elements := make([]int, s.contacts.elements())
	for e := range elements {
		elements[e] = e
	}
	if len(elements) != 3 {
		t.Fatalf("%d elements", len(elements))
	}
	n := dim * len(elements)
	whole := make([]float64, n*n)
	l.assemble(whole, elements)
	var a contact.Blocks
	var near neighbours
	for range 2 { // lists and marks that have been used
		l.assembleBlocks(&a, elements, &near)
		found := make([]float64, n*n)
		for j := range elements {
			for k := a.Ptr[j]; k < a.Ptr[j+1]; k++ {
				for d := range dim {
					for c := range dim {
						found[(dim*j+d)*n+dim*a.Col[k]+c] += a.Val[(k*dim+d)*dim+c]
					}
				}
			}
		}
		for i, want := range whole {
			if !(math.Abs(found[i]-want) <= 1e-12*math.Abs(whole[0])) {
				t.Errorf("entry (%d, %d) is %g, want %g", i/n, i%n, found[i], want)
			}
		}
	}
}
