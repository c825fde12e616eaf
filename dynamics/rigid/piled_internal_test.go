package rigid

import (
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// TestPiled: what counts are the contacts of the largest island, largeIsland and more of them, and
// none where bodies meet in several points; floors tie nothing.
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
