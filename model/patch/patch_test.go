package patch_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestFreeFlight: with θ = ½ a parabola is exact, up to the rounding of 64 steps.
func TestFreeFlight(t *testing.T) {
	trial.Run(t, `{"name": "flight", "model": "theta", "theta": 0.5, "until": 2, "steps": 64,
  "bodies": [{"id": "m", "mass": 3, "position": [1, 2, 3], "velocity": [1, -2, 4], "load": [3, 6, -12]}],
  "expect": [{"quantity": "position", "body": "m", "axis": "x", "value": 5, "tolerance": 1e-13},
    {"quantity": "position", "body": "m", "axis": "y", "value": 2, "tolerance": 1e-13},
    {"quantity": "position", "body": "m", "axis": "z", "value": 3, "tolerance": 1e-13},
    {"quantity": "velocity", "body": "m", "axis": "z", "value": -4, "tolerance": 1e-13}]}`, &patch.Theta, &patch.Compliant).Passed(t)
}

// braking is a point on a rigid patch that slides to rest on μ = 0.5 at g = 10.
func braking(model *run.Model, steps int) string {
	theta := ""
	if model == &patch.Theta {
		theta = `"theta": 0.5, `
	}
	// v = 3 m/s: it stops after v/μg = 0.6 s at v²/2μg = 0.9 m; Euler's velocities at the
	// ends of steps leave vh/2 of that at most.
	return fmt.Sprintf(`{"name": "braking", "model": %q, %s"dimension": 2, "gravity": [0, -10], "until": 1, "steps": %d,
  "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.5}},
  "bodies": [{"id": "b", "mass": 2, "position": [0, 0], "velocity": [3, 0]}],
  "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "rigid"}],
  "expect": [{"quantity": "position", "body": "b", "axis": "x", "value": 0.9, "tolerance": %g},
    {"quantity": "velocity", "body": "b", "axis": "x", "value": 0, "tolerance": 1e-12},
    {"quantity": "position", "body": "b", "axis": "y", "value": 0, "tolerance": 1e-12}]}`, model.Name, theta, steps, 1.51/float64(steps))
}

// TestBraking: Coulomb's law, and the files certified again; a force that is changed, a body
// that is moved and an energy that is another are found, with their columns.
func TestBraking(t *testing.T) {
	for _, model := range []*run.Model{&patch.Compliant, &patch.Theta} {
		other := &patch.Theta
		if model == other {
			other = &patch.Compliant
		}
		x := trial.Run(t, braking(model, 200), model, other)
		x.Passed(t)
		if s := x.Diagnose(t); !s.Certified {
			t.Fatalf("%s: %s", model.Name, s.Message)
		}
		for file, want := range map[string]string{table.TrajectoryFile: "column b.x",
			table.ForcesFile: "column b/floor.n", table.EnergiesFile: "column kinetic", table.CertificatesFile: "column residual"} {
			s := x.Doctored(t, file, 50)
			if s.Certified || !trial.Names(s, want) && file != table.TrajectoryFile &&
				file != table.ForcesFile { // these two make the motion another
				t.Errorf("%s: %s: %s", model.Name, file, s.Message)
			}
		}
	}
}

// TestOrder: the place where the body stops is of first order in the step.
func TestOrder(t *testing.T) {
	var at [3]float64
	for i := range at {
		s := trial.Run(t, braking(&patch.Compliant, 50<<i), &patch.Compliant, &patch.Theta).Summary
		at[i] = *s.Expectations[0].Value
	}
	if order := math.Log2((at[0] - at[1]) / (at[1] - at[2])); math.Abs(order-1) > 0.05 {
		t.Errorf("it stops at %v, order %.3g", at, order)
	}
}

// TestPage: the page of a body with a contact.
func TestPage(t *testing.T) {
	p := trial.Run(t, braking(&patch.Compliant, 100), &patch.Compliant, &patch.Theta).Page(t)
	if got := trial.Figures(t, p); got != "positions velocities cone normal slip energies balance" {
		t.Error(got)
	}
	if n := len(p.Scene.Times); n < 50 || p.Scene.Times[0] != 0 || p.Scene.Times[n-1] != 1 {
		t.Errorf("%d frames", n)
	}
}
