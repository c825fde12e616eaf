package elastic_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// flying is a block that flies above a floor.
const flying = `{"name": "flying", "model": "elastodynamic", "until": 0.5, "steps": 40,
  "mesh": {"block": {"size": [1, 0.5], "cells": [4, 2]}, "accuracy": "given"}, "young": 1000, "poisson": 0.3, "density": 2,
  "obstacles": {"floor": {"point": [0, -5], "normal": [0, 1]}}, "friction": {"rough": {"mu": 0.3}},
  "contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}], "velocity": [3, -1],
  "expect": [{"quantity": "mean_velocity", "axis": "x", "value": 3, "tolerance": 1e-11},
    {"quantity": "kinetic_energy", "value": 4.833333333333333, "tolerance": 1e-11},
    {"quantity": "elastic_energy", "value": 0, "tolerance": 1e-11}, {"quantity": "contacts", "max": 0}]}`

// TestFlying: translation is exact, without strain. Of its kinetic energy ½ρV(9 + 1) = 5 J
// the modified mass leaves out what nodes in contact have along the normal: with φ, linear
// from 0 at the bottom to 1 at the height h/2 of the lowest nodes inside, ½ρ∫φ² = ⅓ J of the
// ½ J are left. Files are certified again, and one that is changed is not, where it was.
func TestFlying(t *testing.T) {
	x := trial.Run(t, flying, &elastic.Model)
	x.Passed(t)
	if s := x.Diagnose(t); !s.Certified {
		t.Fatal(s.Message)
	}
	for file, want := range map[string]string{table.EnergiesFile: "column kinetic",
		table.CertificatesFile: "column identity", table.TrajectoryFile: "ux", table.DisplacementsFile: ".ux"} {
		s := x.Doctored(t, file, 20)
		if s.Certified || !trial.Names(s, want) {
			t.Errorf("%s: %s", file, s.Message)
		}
	}
}

// TestSupports: a bar that a support presses on a wall by u = 0.04 m has the energy ½EAu²/L
// of its strain, and the wall bears EAu/L. The support starts with 1 mm/s, which sends waves
// of ρcv = 1 mN to and fro, and particles move at twice its speed at most.
func TestSupports(t *testing.T) {
	trial.Run(t, `{"name": "pressed", "model": "elastodynamic", "until": 40, "steps": 400,
  "mesh": {"block": {"size": [1], "cells": [8]}, "accuracy": "given"}, "young": 100, "density": 0.01, "obstacles": {"wall": {"point": [0], "normal": [1]}},
  "contact": [{"group": "left", "obstacle": "wall"}],
  "prescribed": [{"group": "right", "axis": "x", "motion": {"table": [[0, 0], [40, -0.04]]}}],
  "expect": [{"quantity": "elastic_energy", "value": 0.08, "tolerance": 1e-4}, {"quantity": "normal_force", "value": 4, "tolerance": 2e-3}, {"quantity": "kinetic_energy", "max": 2e-8}]}`,
		&elastic.Model).Passed(t)
}

// TestSupportThatJumps: where the rate of a support jumps to v, the wave that it sends, of the speed c, leaves ρv behind
// and takes the force ρcv of the support: kinetic and elastic energy are ½ρcv²Δt each. With the mass lumped or not, the support
// has the velocity that it is given, and its work is that of both. Without v and a of the motion it goes on between 0 and 2v.
func TestSupportThatJumps(t *testing.T) {
	for _, mass := range []string{"lumped", "consistent"} {
		for _, steps := range []int{400, 801} {
			x := trial.Run(t, fmt.Sprintf(`{"name": "jump", "model": "elastodynamic", "until": 0.9, "steps": %d, "accuracy": 0.2, "mass": %q,
				"mesh": {"block": {"size": [1], "cells": [40]}, "accuracy": "given"}, "young": 4, "density": 1,
				"prescribed": [{"group": "left", "axis": "x", "motion": {"table": [[0, 0], [0.5, 0], [1, 0.05]]}}],
				"expect": [{"quantity": "velocity", "node": 0, "axis": "x", "value": 0.1, "tolerance": 1e-15},
					{"quantity": "kinetic_energy", "value": 0.004, "tolerance": 1e-4},
					{"quantity": "elastic_energy", "value": 0.004, "tolerance": 1e-4},
					{"quantity": "work", "value": 0.008, "tolerance": 2e-4},
					{"quantity": "reaction", "group": "left", "axis": "x", "time": 0.25, "value": 0, "tolerance": 1e-12},
					{"quantity": "reaction", "group": "left", "axis": "x", "time": 0.8, "value": 0.2, "tolerance": 0.01}]}`, steps, mass), &elastic.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !s.Certified {
				t.Errorf("%s, %d steps, diagnosed: %s", mass, steps, s.Message)
			}
			if s := x.Doctored(t, table.VelocitiesFile, 20); s.Certified {
				t.Error("other velocities are certified")
			}
		}
	}
}

// TestImpulseOfASupport: in the step in which the rate of a support jumps its mean force has the impulse MΔv of its
// node, which grows as steps fall. A largest force that is of it is off by it, and a bound below it is not decided.
func TestImpulseOfASupport(t *testing.T) {
	for _, steps := range []int{399, 800} { // the kink amid a step, and at a node
		x := trial.Run(t, fmt.Sprintf(`{"name": "jump", "model": "elastodynamic", "until": 0.9, "steps": %d, "accuracy": 0.2, "mass": "lumped",
			"mesh": {"block": {"size": [1], "cells": [40]}, "accuracy": "given"}, "young": 4, "density": 1,
			"prescribed": [{"group": "left", "axis": "x", "motion": {"table": [[0, 0], [0.45, 0], [0.9, 0.045]]}}],
			"expect": [{"quantity": "reaction", "group": "left", "axis": "x", "max": 0.3},
				{"quantity": "reaction", "group": "left", "axis": "x", "min": -0.05}]}`, steps), &elastic.Model)
		impulse := 0.1 / 80 / (0.9 / float64(steps)) // half an element; the step with the kink is made in parts
		o := &x.Summary.Expectations[0]
		if o.Value == nil || !o.Undecided() || o.Within < 0.9**o.Value-0.25 || *o.Value < impulse-0.25 {
			t.Errorf("%d steps: %s, want it not to be decided by an impulse of %g N over the step", steps, o.Found(), impulse)
		}
		if low := &x.Summary.Expectations[1]; !low.Met && !low.Undecided() {
			t.Errorf("%d steps: %s", steps, low.Found())
		}
	}
}

// TestStartAgain: a case can be started as often as one wants, also in other steps: the first
// run takes the stepper that the case was tried with, and each other one has its own, at t = 0.
func TestStartAgain(t *testing.T) {
	x := trial.Run(t, flying, &elastic.Model) // took it
	last := func(c run.Case, steps int) []float64 {
		r, err := c.Start(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for range steps {
			if err := run.Step(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		return slices.Clone(r.(run.Located).Coordinates())
	}
	want := last(x.Built, 40)
	fresh, err := elastic.Model.Build(t.Context(), x.Case)
	if err != nil {
		t.Fatal(err)
	}
	fine, err := fresh.(run.Refiner).Refined(80)
	if err != nil {
		t.Fatal(err)
	}
	// It flies by v t = (1.5, −0.5) m, in any steps, to rounding.
	for k, got := range last(fine, 80) {
		if math.Abs(got-[]float64{1.5, -0.5}[k%2]) > 1e-12 {
			t.Errorf("coordinate %d is %g in half the steps", k, got)
		}
	}
	for range 2 {
		if got := last(fresh, 40); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// TestCentralIsNotJudged: nothing says what the trajectory of central differences is off by, and a run is
// certified only where the case accepts that. A bar of one cell that swings under its weight, ωΔt = 1.97 in
// the least number of stable steps, is off by all of its way after 3 s.
func TestCentralIsNotJudged(t *testing.T) {
	const bar = `{"model": "elastodynamic", "until": 3, "mesh": {"block": {"size": [1], "cells": [1]}, "accuracy": "given"}, "young": 10000.0, "density": 10.0, "obstacles": {"w": {"point": [0], "normal": [1]}}, "contact": [{"group": "left", "obstacle": "w"}], "velocity": [-0.0], "body_force": [-1000], "scheme": "central difference", "mass": "lumped", "name": "cd2"%s}`
	for _, c := range []struct {
		accept    string
		certified bool
	}{{"", false}, {`, "accept": ["trajectory"]`, true}} {
		if x := trial.Run(t, fmt.Sprintf(bar, c.accept), &elastic.Model); run.Certified(x.Summary) != c.certified {
			t.Errorf("%q: %s, %s", c.accept, x.Summary.Status, run.Failure(x.Summary))
		}
	}
}

// TestStableSteps: central differences without steps take the least number that is proven to be
// stable: with one less that is said to lie between what is and what is not.
func TestStableSteps(t *testing.T) {
	text := strings.Replace(strings.Replace(flying, `"steps": 40`,
		`"scheme": "central difference", "inertia": "modified", "mass": "lumped", "accuracy": 0.1`, 1),
		`"contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}], `, "", 1)
	text = strings.Replace(strings.Replace(text, `, "friction": {"rough": {"mu": 0.3}}`, "", 1),
		`, {"quantity": "contacts", "max": 0}`, "", 1)
	text = regexp.MustCompile(`"obstacles": \{"floor": [^}]*\}\},\s*`).ReplaceAllString(text, "")
	text = strings.Replace(text, `"young": 1000`, `"young": 20000`, 1) // waves ask for more steps than a motion does
	x := trial.Run(t, text, &elastic.Model)
	n := x.Summary.Steps
	said := func(x *trial.Trial) string {
		page := run.NewPage(x.Summary, nil)
		started, err := x.Built.Start(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Step(t.Context(), started); err != nil {
			t.Fatal(err)
		}
		started.Report(page)
		return page.String()
	}
	if text := said(x); strings.Contains(text, "lies between") {
		t.Errorf("%d steps:\n%s", n, text)
	}
	if text := said(trial.Run(t, strings.Replace(text, `"accuracy": 0.1`,
		fmt.Sprintf(`"accuracy": 0.1, "steps": %d`, n-1), 1), &elastic.Model)); !strings.Contains(text, "lies between") {
		t.Errorf("%d steps:\n%s", n-1, text)
	}
}
