package rigid

import (
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// TestPiled: what counts are the contacts of the largest island, largeIsland and more of them, and none where
// bodies meet in several points; floors tie nothing.
func TestPiled(t *testing.T) {
	pairs := func(from, n int) (list []bodies.Touch) { // a row
		for b := from; b < from+n; b++ {
			list = append(list, bodies.PairTouch(b, b+1))
		}
		return list
	}
	floors := func(n int) (list []bodies.Touch) {
		for b := range n {
			list = append(list, bodies.FloorTouch(b, 0))
		}
		return list
	}
	for _, c := range []struct {
		name    string
		touches []bodies.Touch
		want    bool
	}{
		{"a row", pairs(0, largeIsland), true},
		{"one less", pairs(0, largeIsland-1), false},
		{"two rows", append(pairs(0, largeIsland-1), pairs(largeIsland, largeIsland-1)...), false},
		{"two rows on a floor", append(append(floors(2), pairs(0, largeIsland-3)...), pairs(largeIsland, largeIsland-2)...), false},
		{"a row on a floor", append(floors(2), pairs(0, largeIsland-2)...), true},
		{"bodies apart on a floor", floors(2 * largeIsland), false},
		{"a face", append(pairs(0, largeIsland), bodies.PairTouch(largeIsland-1, largeIsland)), false},
		{"none", nil, false},
	} {
		s := compose()
		s.model, s.touches = &multibody.Model{Bodies: make([]multibody.Place, 2*largeIsland)}, c.touches
		for i := range c.touches {
			s.p.list = append(s.p.list, i)
		}
		for range 2 { // its memory is used again
			if got := s.piled(); got != c.want {
				t.Errorf("%s: %t", c.name, got)
			}
		}
	}
}

// TestPacked: three impulses a contact in space, two in the plane, against the velocities of the bodies that these
// contacts touch, each counted once; what the contacts do not touch is not counted.
func TestPacked(t *testing.T) {
	for _, c := range []struct {
		name    string
		dim, n  int // velocities of a body
		pairs   [][2]int
		members []int
		want    bool
	}{
		{"two contacts a body", 3, 6, [][2]int{{0, 1}, {1, 2}, {2, 0}, {0, -1}, {1, -1}, {2, -1}}, []int{0, 1, 2, 3, 4, 5}, true},
		{"one less of six", 3, 6, [][2]int{{0, 1}, {1, 2}, {2, 0}, {0, -1}, {1, -1}}, []int{0, 1, 2, 3, 4}, false},
		{"bodies without spin", 3, 3, [][2]int{{0, 1}, {1, 2}, {2, 0}}, []int{0, 1, 2}, true},
		{"in the plane", 2, 3, [][2]int{{0, 1}, {1, 2}, {2, 0}}, []int{0, 1, 2}, false},
		{"in the plane, on a floor", 2, 3, [][2]int{{0, 1}, {1, 2}, {2, 0}, {0, -1}, {1, -1}}, []int{0, 1, 2, 3, 4}, true},
		{"one of two islands", 3, 6, [][2]int{{0, -1}, {0, -1}, {1, -1}}, []int{0, 1}, true},
		{"the other", 3, 6, [][2]int{{0, -1}, {0, -1}, {1, -1}}, []int{2}, false},
	} {
		s := compose()
		s.model = &multibody.Model{Dim: c.dim, Bodies: []multibody.Place{{N: c.n}, {N: c.n}, {N: c.n}}}
		for i, pair := range c.pairs {
			s.p.list = append(s.p.list, i)
			if pair[1] < 0 {
				s.touches = append(s.touches, bodies.FloorTouch(pair[0], 0))
			} else {
				s.touches = append(s.touches, bodies.PairTouch(pair[0], pair[1]))
			}
		}
		for range 2 { // its memory is used again
			if got := s.packed(c.members); got != c.want {
				t.Errorf("%s: %t", c.name, got)
			}
		}
	}
	p := solver{dim: 3, list: make([]int, largeIsland), packed: true}
	if p.stages()[1].method != contact.MethodPath {
		t.Error("the path does not follow Newton's method where bodies are packed")
	}
	if p.packed = false; p.stages()[1].method != contact.MethodInterior {
		t.Error("the interior point does not follow it where they are not")
	}
}
