package elastic_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"reflect"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// TestResumed goes on from a checkpoint after every few steps of a braking block,
// in a new stepper, by every method: the same bits.
func TestResumed(t *testing.T) {
	for name, o := range map[string]elastic.Options{
		"newton": {Step: 1e-3}, "picard": {Step: 1e-3, Method: elastic.Picard},
		"central": {Step: 1e-4, Scheme: elastic.CentralDifference},
	} {
		m := s3(t, 16, 4)
		if o.Scheme == elastic.CentralDifference {
			m.Mass = fem.Lumped
		}
		whole, parts := begin(t, m, o), begin(t, m, o)
		for k := range 60 {
			for _, s := range []*elastic.Stepper{whole, parts} {
				if err := s.Step(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(whole.State(), parts.State()) || whole.Balance() != parts.Balance() {
				t.Fatalf("%s, step %d: balance %+v, resumed %+v", name, k+1, whole.Balance(), parts.Balance())
			}
			if k%7 == 3 {
				parts = resume(t, parts, begin(t, m, o))
			}
		}
	}
}

// TestForeignCheckpoints: a checkpoint of another number of anything is refused, and the stepper
// stays where it was; one without a start of the obstacle problem is not.
func TestForeignCheckpoints(t *testing.T) {
	central := s3(t, 4, 2)
	central.Mass = fem.Lumped
	for name, o := range map[string]elastic.Options{"picard": {Step: 1e-4, Method: elastic.Picard},
		"central": {Step: 1e-4, Scheme: elastic.CentralDifference}} {
		s := begin(t, central, o)
		for range 3 {
			if err := s.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		cut := func(x *[]float64) { *x = (*x)[1:] }
		for what, spoil := range map[string]func(c *elastic.Checkpoint){
			"": func(c *elastic.Checkpoint) {}, "U": func(c *elastic.Checkpoint) { cut(&c.Now.U) },
			"V": func(c *elastic.Checkpoint) { cut(&c.Now.V) }, "A": func(c *elastic.Checkpoint) { cut(&c.Now.A) },
			"R":             func(c *elastic.Checkpoint) { cut(&c.Now.R) },
			"U before":      func(c *elastic.Checkpoint) { cut(&c.Prev.U) },
			"R before":      func(c *elastic.Checkpoint) { cut(&c.Prev.R) },
			"energies":      func(c *elastic.Checkpoint) { cut(&c.Energies) },
			"creations":     func(c *elastic.Checkpoint) { c.Made.Root = c.Made.Root[1:] },
			"move":          func(c *elastic.Checkpoint) { c.Central.Move = append(c.Central.Move, 1) },
			"obstacle":      func(c *elastic.Checkpoint) { cut(&c.ObstacleV) },
			"its reactions": func(c *elastic.Checkpoint) { cut(&c.ObstacleR) },
			"less of both":  func(c *elastic.Checkpoint) { c.ObstacleV, c.ObstacleR = c.ObstacleV[1:], c.ObstacleR[2:] },
			"no start":      func(c *elastic.Checkpoint) { c.ObstacleV, c.ObstacleR = nil, nil },
		} {
			var c elastic.Checkpoint
			s.Save(&c)
			spoil(&c)
			x := begin(t, central, o)
			ok := what == "" || what == "no start" || what == "move" && name != "central"
			if err := x.Load(&c); (err == nil) != ok || ok != (x.State().T > 0) {
				t.Errorf("%s, %s: %v, at t = %g", name, what, err, x.State().T)
			}
		}
	}
}

func begin(t *testing.T, m *elastic.Model, o elastic.Options) *elastic.Stepper {
	t.Helper()
	s, err := elastic.New(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// resume takes a stepper through the bytes of a checkpoint.
func resume(t *testing.T, from, to *elastic.Stepper) *elastic.Stepper {
	t.Helper()
	var c, d elastic.Checkpoint
	from.Save(&c)
	var file bytes.Buffer
	if err := gob.NewEncoder(&file).Encode(&c); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&file).Decode(&d); err != nil {
		t.Fatal(err)
	}
	if err := to.Load(&d); err != nil {
		t.Fatal(err)
	}
	d.Now.U = d.Now.U[1:]
	if to.Load(&d) == nil {
		t.Fatal("a checkpoint of another model was loaded")
	}
	return to
}
