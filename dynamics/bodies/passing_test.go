package bodies_test

import (
	"errors"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// TestPass: of three balls one flies past the second at a thousandth of its size, and through the
// third, whether the pairs are declared or all; a way that is looked at takes no memory.
func TestPass(t *testing.T) {
	for _, all := range []bool{true, false} {
		w, err := bodies.NewWorld(2, [3]float64{})
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range [][3]float64{{0, 0}, {50, .2001}, {80, .1}} {
			if _, err := w.Add(bodies.Body{Shape: bodies.Disc{R: .1}, Mass: 1, Position: at}); err != nil {
				t.Fatal(err)
			}
		}
		p, err := dynamics.NewRigid(contact.Coulomb{}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if all {
			err = w.AllPairs(p)
		} else {
			_, e1 := w.Between(1, 0, p)
			_, e2 := w.Between(2, 0, p)
			err = errors.Join(e1, e2)
		}
		if err != nil {
			t.Fatal(err)
		}
		w.Name([]string{"bullet", "near", "target"}, nil)
		q, v := w.Start()
		next := append([]float64(nil), q...)
		free := func(int) bool { return false }
		pass := func(to float64) error {
			next[0], v[0] = to, to
			return w.Pass(0, 1, q, next, v, free)
		}
		if err := pass(60); err != nil {
			t.Errorf("all %t: a near miss: %v", all, err)
		}
		if n := testing.AllocsPerRun(10, func() { _ = pass(60) }); n > 0 {
			t.Errorf("all %t: %g allocations", all, n)
		}
		var e *bodies.TunnelError
		if err := pass(100); !errors.As(err, &e) || !(e.H > 0 && e.H < .01) || e.Contact != `body "bullet" and body "target"` {
			t.Errorf("all %t: %v", all, err)
		}
	}
}
