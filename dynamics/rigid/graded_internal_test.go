package rigid

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// TestSqueeze: what counts is the mass that presses a body from two sides, whatever the order of the bodies.
func TestSqueeze(t *testing.T) {
	const heavy = 1e8
	for _, c := range []struct {
		name   string
		masses []float64
		floor  bool
		want   float64
	}{
		{"light on heavy", []float64{heavy, 1}, true, 1 / heavy},
		{"heavy on light", []float64{1, heavy}, true, heavy},
		{"light between heavy ones", []float64{heavy, 1, heavy}, true, heavy},
		{"light below the next", []float64{heavy, 1, 10}, true, 10},
		{"a heavy one on top of all", []float64{1, 1, 1, heavy}, true, heavy},
		{"lighter from below", []float64{heavy, 1e4, 1, 1e-2}, true, 1e-2},
		{"free: a pair", []float64{1, heavy}, false, 1 / heavy},
		{"free: light between heavy ones", []float64{2 * heavy, 1, heavy}, false, heavy},
		{"free: heavy between light ones", []float64{1, heavy, 2}, false, 2 / heavy},
		{"near masses", []float64{1, 2e3}, true, 0},
	} {
		var list []bodies.Body
		for i, m := range c.masses {
			list = append(list, bodies.Body{Shape: bodies.Disc{R: .1}, Mass: m, Position: vec{0, .1 + .2*float64(i)}})
		}
		var floor []bodies.Obstacle
		if c.floor {
			floor = append(floor, floorUp)
		}
		s := stepperOf(t, 2, vec{}, Setup{}, Options{}, list, floor...)
		s.chooseActive()
		members := make([]int, len(s.p.list))
		for i := range members {
			members[i] = i
		}
		for range 2 { // the second time in used memory
			if got := s.squeeze(members); !(got >= c.want*(1-1e-15) && got <= c.want*(1+1e-15)) {
				t.Errorf("%s: %g, want %g", c.name, got, c.want)
			}
		}
	}
}

// TestGradedRing: a light ball between a plate and the floor, beside a heavy one: the plate stands on both.
func TestGradedRing(t *testing.T) {
	list := []bodies.Body{{Shape: bodies.Disc{R: .1}, Mass: 1, Position: vec{-.3, .1}}, {Shape: bodies.Disc{R: .1}, Mass: 1e5, Position: vec{.3, .1}},
		{Shape: bodies.Polygon{Vertices: [][2]float64{{-.5, -.05}, {.5, -.05}, {.5, .05}, {-.5, .05}}}, Mass: 1e6, Position: vec{0, .25}}}
	s := stepperOf(t, 2, vec{}, Setup{}, Options{}, list, floorUp)
	s.chooseActive()
	members := make([]int, len(s.p.list))
	for i := range members {
		members[i] = i
	}
	if got := s.squeeze(members); len(members) != 4 || got != 1e6 {
		t.Errorf("%d contacts, ratio %g, want 4 and 1e6", len(members), got)
	}
}

// TestGradedBounds: states of more contacts than a dense matrix is made for are not looked for.
func TestGradedBounds(t *testing.T) {
	p := solver{dim: 2, list: make([]int, polishContacts+1)}
	if e := p.settleStates(nil); !math.IsInf(e, 1) || p.graded.done {
		t.Errorf("error %g", e)
	}
}
