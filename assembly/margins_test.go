package assembly_test

import (
	"math"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
)

func near(t *testing.T, what string, found, want, tol float64) {
	t.Helper()
	if !(math.Abs(found-want) <= tol) {
		t.Errorf("%s: %.12g, want %.12g", what, found, want)
	}
}

// TestTilt: a block of b by h tilts min(atan μ, atan b/h), in the plane, and in space least along the
// shorter of its edges.
func TestTilt(t *testing.T) {
	for _, c := range []struct{ mu, b, h float64 }{{.5, 1, 1}, {.7, 1, 3}, {.2, 2, 1}} {
		want := math.Atan(min(c.mu, c.b/c.h))
		a := &assembly.Assembly{Plane: true, Friction: c.mu,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, c.b, c.h, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		tilt, err := assembly.LeastTilt(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "plane", tilt.Angle, want, 1e-8)
		a = &assembly.Assembly{Friction: c.mu,
			Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1}, [3]float64{9, 9, 0}, true), box("block", [3]float64{}, [3]float64{2.5, c.b, c.h}, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		if tilt, err = assembly.LeastTilt(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		near(t, "space", tilt.Angle, want, 1e-8)
		near(t, "space, from below", tilt.Lower, want, 1e-3)
		lower, upper, err := assembly.LeastFriction(t.Context(), a, 1e-9)
		if err != nil || upper > 0 {
			t.Errorf("friction of a block on a floor: %v to %v, %v", lower, upper, err)
		}
	}
}

// TestLoadFactor: a block pushed sideways at its middle slides at μ or tips at b/h times its weight.
func TestLoadFactor(t *testing.T) {
	for _, c := range []struct{ mu, b, h float64 }{{.5, 1, 1}, {.7, 1, 3}} {
		a := &assembly.Assembly{Plane: true, Friction: c.mu,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, c.b, c.h, false)}}
		a.Loads = []assembly.Load{{Block: 1, Point: [3]float64{c.b / 2, 0, c.h / 2}, Force: [3]float64{9.81 * c.b * c.h}, Live: true}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		m, err := assembly.LoadFactor(t.Context(), a, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "factor", m.Value, min(c.mu, c.b/c.h), 1e-8)
		if !m.Exact() || !m.Proof.Exact {
			t.Errorf("not exact: %+v, %+v", m, m.Proof)
		}
	}
}
