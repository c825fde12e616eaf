package halfspace

import (
	"math"
	"strings"
	"testing"
)

// TestStartFromTractions: a solver that is given the tractions of a solution has next to nothing to
// do, and ends there.
func TestStartFromTractions(t *testing.T) {
	c, err := ElasticOnRigid(Elastic{Young: 1})
	if err != nil {
		t.Fatal(err)
	}
	g := Centred(9, 9, 1, 1)
	op := newTestOperator(t, g, Patches{c})
	p := Problem{Gap: sphere(g, .01), Coefficient: constant(g.Len(), .3)}
	p.Control[MoveN] = Control{true, 1}
	var first, again Result
	if err := NewSolver(op, nil).Solve(t.Context(), &p, &first); err != nil {
		t.Fatal(err)
	}
	s := NewSolver(op, nil)
	s.Start(first.P)
	if err := s.Solve(t.Context(), &p, &again); err != nil {
		t.Fatal(err)
	}
	if !(again.Products < first.Products) {
		t.Errorf("%d products from the solution, %d from nothing", again.Products, first.Products)
	}
	for i, part := range first.P {
		for k, x := range part {
			if d := again.P[i][k] - x; !(math.Abs(d) <= 1e-5*maximum(first.P[N])) { // the root of the gap, 1e-10 of the energy
				t.Errorf("traction %d of element %d is off by %g", i, k, d)
			}
		}
	}
}

// TestRectangularPunch: flat on its rectangle, edges included, and out of reach elsewhere.
func TestRectangularPunch(t *testing.T) {
	punch := RectangularPunch(2, 1, 7)
	for _, c := range []struct{ x, y, want float64 }{{0, 0, 0}, {2, 1, 0}, {-2, -1, 0}, {2.01, 0, 7}, {0, -1.01, 7}, {3, 3, 7}} {
		if got := punch(c.x, c.y); got != c.want {
			t.Errorf("at (%g, %g): %g, want %g", c.x, c.y, got, c.want)
		}
	}
}

// TestUnsolvedSays: what a step lacks is told with its numbers.
func TestUnsolvedSays(t *testing.T) {
	e := &Unsolved{Gap: 2e-3, Energy: 5, Friction: true, Missed: .25, Beyond: .125, Products: 77, Jumps: true}
	for _, want := range []string{"duality gap of friction 0.002 J of 5 J after 77 products", "missed by 0.25 ",
		"bounds by 0.125 ", "jumps there"} {
		if !strings.Contains(e.Error(), want) {
			t.Errorf("%q lacks %q", e, want)
		}
	}
	if got := (&Unsolved{Gap: 1, Energy: 2, Products: 3}).Error(); got != "halfspace: step not solved: duality gap 1 J of 2 J after 3 products" {
		t.Error(got)
	}
}
