package casefile_test

import (
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
)

// TestCatalogue: a quantity has its keys and its value from one line.
func TestCatalogue(t *testing.T) {
	type state struct{ energy float64 }
	c := casefile.Catalogue[*state]{
		{Name: "energy", Sized: true, Of: func(s *state) float64 { return s.energy }},
		{Name: "share", Must: "body", May: "axis", Between: casefile.Before,
			At: func(s *state, x *casefile.Expectation) float64 { return s.energy * float64(x.Subject) }},
	}
	q := c.Quantities()
	if len(q) != 2 || q[0] != (casefile.Quantity{Name: "energy", Sized: true}) ||
		q[1] != (casefile.Quantity{Name: "share", Must: "body", May: "axis", Between: casefile.Before}) {
		t.Errorf("%+v", q)
	}
	s := &state{3}
	if v := c.Value(s, &casefile.Expectation{Quantity: "energy", Subject: -1}); v != 3 {
		t.Errorf("energy %g, want 3", v)
	}
	if v := c.Value(s, &casefile.Expectation{Quantity: "share", Subject: 2}); v != 6 {
		t.Errorf("share %g, want 6", v)
	}
	x := &casefile.Expectation{Quantity: "share", Subject: 2}
	if n := testing.AllocsPerRun(10, func() { c.Value(s, x) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}
