package bodies_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"reflect"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
)

// bouncers are spheres over a floor that meet each other in pairs found by the
// sweep: columns, so that many have the same x, thrown apart and together.
func bouncers(t *testing.T) *dynamics.Stepper {
	t.Helper()
	w := must(bodies.NewWorld(3, gravity))
	p := must(dynamics.NewLumped(contact.Coulomb{Mu: .5}, []float64{1e4, 1e4, 1e4}, []float64{100, 100, 100}))
	floor := must(w.AddHalfSpace([3]float64{}, [3]float64{0, 0, 1}))
	for i := range 3 {
		for k := range 3 {
			b := bodies.Body{Shape: bodies.Sphere{.1}, Mass: 1, Position: [3]float64{.21 * float64(i), 0, .1 + .21*float64(k)}}
			b.Velocity = [3]float64{float64(1 - i), .1 * float64(k), 0}
			must(w.OnObstacle(must(w.Add(b)), floor, p))
		}
	}
	if err := w.AllPairs(p); err != nil {
		t.Fatal(err)
	}
	return start(t, w, dynamics.Options{})
}

// TestResumed goes on from a checkpoint after every step, in a new stepper: the
// same bits, also where contacts part with springs that are loaded.
func TestResumed(t *testing.T) {
	whole, parts := bouncers(t), bouncers(t)
	relaxing, moved := 0, 0
	for k := range 400 {
		for _, s := range []*dynamics.Stepper{whole, parts} {
			if err := s.Step(context.Background(), 1e-3); err != nil {
				t.Fatal(err)
			}
		}
		if x, y := whole.State(), parts.State(); !reflect.DeepEqual(x, y) || whole.Ledger() != parts.Ledger() {
			t.Fatalf("step %d: %+v, resumed %+v", k+1, whole.Ledger(), parts.Ledger())
		}
		var c, d dynamics.Checkpoint
		parts.Save(&c)
		relaxing += c.Ghosts
		moved += whole.Last().Slide
		var file bytes.Buffer
		if err := gob.NewEncoder(&file).Encode(&c); err != nil {
			t.Fatal(err)
		}
		if err := gob.NewDecoder(&file).Decode(&d); err != nil {
			t.Fatal(err)
		}
		parts = bouncers(t)
		if err := parts.Load(&d); err != nil {
			t.Fatal(err)
		}
		d.State.Q = d.State.Q[1:]
		if bouncers(t).Load(&d) == nil {
			t.Fatal("a checkpoint of another system was loaded")
		}
	}
	if relaxing == 0 || moved == 0 {
		t.Errorf("%d contacts relaxed and %d slid: the test looks at nothing", relaxing, moved)
	}
}
