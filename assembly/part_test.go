package assembly_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
)

// TestWedgeBetweenPiers: piers of 2 by 4 stand without it; a wedge that is broader below, between their
// heads, is held if they press it, by the friction of their feet, and drops out alone if they do not.
func TestWedgeBetweenPiers(t *testing.T) {
	pier := func(name string, foot, head, out float64) assembly.Block {
		return assembly.Block{Name: name, Density: 1, Faces: [][]int{{0, 1, 2, 3}},
			Vertices: [][3]float64{{foot, 0, 0}, {head, 0, 4}, {out, 0, 4}, {out, 0, 0}}}
	}
	a := &assembly.Assembly{Plane: true, Friction: .6, Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true),
		pier("left", -.7, -.3, -3), pier("right", .7, .3, 3),
		{Name: "wedge", Density: 1, Faces: [][]int{{0, 1, 2, 3}},
			Vertices: [][3]float64{{-.4, 0, 3}, {.4, 0, 3}, {.3, 0, 4}, {-.3, 0, 4}}}}}
	if v := judge(t, "piers", a, assembly.Depends); !strings.Contains(v.Reason, "1 of 3 blocks move, most of all wedge") {
		t.Errorf("%s", v.Reason)
	}
}
