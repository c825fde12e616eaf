package dynamics

import (
	"math"
	"strings"
	"testing"
)

// TestIslands: what one island makes is judged against what moves there; those that meet
// become one, and nobody fails for having met another.
func TestIslands(t *testing.T) {
	var c Creations
	c.Begin([]float64{1, 1000, 3}, nil, nil, nil) // J
	for k := range 100 {
		c.Add(0, -.005, 0, 1e-6) // half of its energy in all
		c.Add(1, 0, 0, 1e6)      // heavy, at rest: e hides nobody elsewhere
		c.Add(2, .0001, .01, 1e-6)
		c.Close(float64(k+1), 1)
	}
	list := c.Measures(1e-2, 100, "", []string{"light", "heavy", "fast"})
	if m := list[0]; m.Passed() || math.Abs(m.Value-.5) > 1e-12 || !strings.HasSuffix(m.Place, "in light") || m.Remedy != "about 5500 steps, the error being O(h)" {
		t.Errorf("%+v", m)
	}
	if m := list[1]; !m.Passed() || math.Abs(m.Value-.005) > 1e-12 {
		t.Errorf("%+v", m)
	}
	if w := c.Whole; math.Abs(w.Sum+.49) > 1e-12 || math.Abs(w.Moved-1) > 1e-12 {
		t.Errorf("all: %+v", w)
	}
	c.Link(2, 0)
	if two := c.Island[0]; c.Root[2] != 0 || math.Abs(two.Sum+.49) > 1e-12 || math.Abs(two.Most-.51) > 1e-12 || math.Abs(two.Scale()-5) > 1e-12 {
		t.Errorf("light and fast: %+v", two)
	}
	c.Add(2, 1, 0, 0)
	c.Close(101, 1)
	if x := c.Island[0]; math.Abs(x.Sum-.51) > 1e-12 || x.Step != 1 {
		t.Errorf("a step of the island: %+v", x)
	}
}

// TestRestIsShort: e is that of a thousandth of the run: a body that moves within one long
// step is not measured by the energy that the step might give it.
func TestRestIsShort(t *testing.T) {
	var c Creations
	for _, n := range []int{1, 10, 1000, 100000} {
		h := 1 / float64(n)
		c.Begin([]float64{0}, nil, nil, nil)
		for k := range n {
			c.Add(0, 0, 0, h*h) // e = h², say
			c.Close(float64(k+1)*h, h)
		}
		want := math.Pow(math.Min(h, 1e-3), 2)
		if got := c.Whole.Scale(); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("%d steps: S = %g, want %g", n, got, want)
		}
	}
}
