package assembly_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
)

// TestMechanism: a block that tips on a floor turns about its edge, one that is pushed slides; forces of one
// at rest have their resultant below its centroid, and use μ by the slope.
func TestMechanism(t *testing.T) {
	block := func(mu, h, push float64) *assembly.Assembly {
		a := &assembly.Assembly{Plane: true, Friction: mu,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, 1, h, false)}}
		a.Loads = []assembly.Load{{Block: 1, Point: [3]float64{0, 0, h / 2}, Force: [3]float64{push * 9.81 * h}}}
		return a
	}
	for _, c := range []struct {
		mu, h float64
		want  string
	}{{.9, 3, "1 of 1 blocks move, most of all block (sideways); 1 interface turns"},
		{.2, 1, "1 of 1 blocks move, most of all block (sideways); 1 slides"}} {
		a := block(c.mu, c.h, .5)
		v := judge(t, c.want, a, assembly.Falls)
		if w := a.Mechanism(v.Shown()).Words(a); w != c.want {
			t.Errorf("%s, want %s", w, c.want)
		}
	}
	a := block(.5, 1, .25)
	f := a.Forces(judge(t, "at rest", a, assembly.Stands).Reactions)
	if len(f) != 1 {
		t.Fatalf("%d forces, want 1", len(f))
	}
	near(t, "use of friction", f[0].Use, .5, 1e-7)
	near(t, "centre of pressure", f[0].Point[0], .625, 1e-7) // moments about it: W (x − b/2) = H h/2
}
