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
		c.Add(0, -.005, 0, 0) // half of its energy in all
		c.Add(1, 0, 0, 1)     // heavy, at rest: what its residual may make hides nobody elsewhere
		c.Add(2, .0001, .01, 0)
		c.Close(float64(k + 1))
	}
	list := c.Measures(1e-2, 100, "", []string{"light", "heavy", "fast"})
	if m := list[0]; m.Passed() || math.Abs(m.Value-.5) > 1e-12 || !strings.HasSuffix(m.Place, "in light") ||
		m.Remedy != "about 5500 steps, the error being O(h)" {
		t.Errorf("%+v", m)
	}
	if m := list[1]; !m.Passed() || math.Abs(m.Value-.005) > 1e-12 {
		t.Errorf("%+v", m)
	}
	if w := c.Whole; math.Abs(w.Sum+.49) > 1e-12 || math.Abs(w.Moved-1) > 1e-12 {
		t.Errorf("all: %+v", w)
	}
	c.Link(2, 0)
	if two := c.Island[0]; c.Root[2] != 0 || math.Abs(two.Sum+.49) > 1e-12 || math.Abs(two.Most-.51) > 1e-12 ||
		math.Abs(two.Scale()-5) > 1e-12 {
		t.Errorf("light and fast: %+v", two)
	}
	c.Add(2, 1, 0, 0)
	c.Close(101)
	if x := c.Island[0]; math.Abs(x.Sum-.51) > 1e-12 || x.Step != 1 {
		t.Errorf("a step of the island: %+v", x)
	}
}

// TestRestIsNoScale: what rests has no energy that moves, however long its run and its steps are.
// What residuals make is allowed for, and no more; and nothing is small beside what is not finite.
func TestRestIsNoScale(t *testing.T) {
	var c Creations
	for _, h := range []float64{1e-3, 1, 1e3} {
		e := .5 * 100 * h * h // of 1 kg where g = 10
		for _, residual := range []float64{0, 1e-12, 1e-8} {
			c.Begin([]float64{0}, nil, nil, nil)
			made := .99 * 8 * min(max(residual, 0x1p-50), 1e-11) * e
			for k := range 100 {
				c.Add(0, made, 0, Unsolved(residual, e))
				c.Close(float64(k+1) * h)
			}
			list := c.Measures(1e-2, 100, "", nil)
			if c.Whole.Scale() != 0 || !list[0].Passed() {
				t.Errorf("steps of %g s, residual %g: %+v", h, residual, c.Whole)
			}
			c.Add(0, 2*made, 0, 0)
			c.Close(101 * h)
			if list = c.Measures(1e-2, 101, "", nil); list[0].Passed() {
				t.Errorf("steps of %g s, residual %g: more than that passes: %+v", h, residual, list[0])
			}
		}
	}
	for _, start := range []float64{math.Inf(1), math.NaN()} {
		c.Begin([]float64{start}, nil, nil, nil)
		c.Add(0, 1, 0, 0)
		c.Close(1)
		if m := c.Measures(1e-2, 1, "", nil)[0]; m.Passed() || !(m.Value <= math.MaxFloat64) {
			t.Errorf("of %g J: %+v", start, m)
		}
	}
	c.Begin([]float64{1}, nil, nil, nil)
	c.Add(0, 1, 0, Unsolved(0, math.Inf(1)))
	c.Close(1)
	if m := c.Measures(1e-2, 1, "", nil)[0]; m.Passed() {
		t.Errorf("a residual of everything: %+v", m)
	}
}

// TestMomentumVelocity: of a singular mass, as contacts leave it along a normal that is no axis,
// the velocity is one that has the momentum, and finite.
func TestMomentumVelocity(t *testing.T) {
	for _, n := range [][3]float64{{}, {1, 0, 0}, {1, -1, 0}, {3, 4, 0}, {1, 2, 3}, {.1, .7, -.3}} {
		var m Momentum
		size := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
		for k := range 3 {
			m.Mass[k][k] = 2
			for l := range 3 {
				if size > 0 {
					m.Mass[k][l] -= 2 * (n[k] / size) * (n[l] / size)
				}
			}
		}
		for k, row := range m.Mass {
			m.Of[k] = 5*row[0] - 3*row[1] + 2*row[2]
		}
		v := m.Velocity()
		for k, row := range m.Mass {
			if p := row[0]*v[0] + row[1]*v[1] + row[2]*v[2]; !(math.Abs(p-m.Of[k]) < 1e-12) || !(math.Abs(v[k]) < 100) {
				t.Errorf("normal %v: velocity %v, momentum %v along axis %d, want %v", n, v, p, k, m.Of[k])
			}
		}
	}
}
