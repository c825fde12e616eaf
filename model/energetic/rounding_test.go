package energetic_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	model "github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/run"
)

// TestRidesDisc: a particle rides a disc that turns, and never slides. The run has no way of it on
// the disc; in the files its places are rounded at each node, and friction takes the way of that, a
// sum over the nodes. Both say the same, in however many steps, and where the accuracy is below the
// rounding of a single one.
func TestRidesDisc(t *testing.T) {
	for _, c := range []struct {
		steps         int
		accuracy      string
		stiffness, mu float64
	}{{5, "1e-10", 0, 0.4}, {50, "1e-10", 0, 0.4}, {1000, "1e-10", 0, 0.4}, {50, "1e-12", 0, 0.4},
		{5, "1e-10", 2e-6, 4}} { // friction of a way by rounding is ten times what holds it

		x := trial.Run(t, fmt.Sprintf(`{"model": "energetic", "until": 0.0125, "steps": %d, "accuracy": %s, "anchors": [{"id": "a", "at": [1, 0, -0.3]}],
  "energies": [{"type": "tether", "particle": "p", "anchor": "a", "stiffness": [%g, 2, 5]}], "friction": {"dry": {"mu": %g}},
  "obstacles": {"disc": {"point": [0, 0, 0], "normal": [0, 0, 1], "motion": {"rotation": {"axis": [0, 0, 1], "angle": {"table": [[0, 0], [10, 10]]}}}}},
  "particles": [{"id": "p", "at": [0.91, 0.28618176042508364, 0], "obstacle": "disc", "friction": "dry"}]}`, c.steps,
			c.accuracy, c.stiffness, c.mu), &model.Model)
		d := x.Diagnose(t)
		if run.Certified(x.Summary) != run.Certified(d) {
			t.Errorf("%d steps, %s: run: %s; diagnose: %s", c.steps, c.accuracy, run.Failure(x.Summary), run.Failure(d))
		}
		if c.accuracy == "1e-10" && !run.Certified(d) {
			t.Errorf("%d steps: %s", c.steps, run.Failure(d))
		}
		for i := range d.Facts {
			if f := &d.Facts[i]; strings.HasPrefix(f.Name, "dissipation: ") && f.Limit > 1e-11 { // 1000 roundings of a metre under 1.5 N
				t.Errorf("%d steps: %s", c.steps, f)
			}
		}
	}
}

// TestRoundedWays: ways that are short beside the numbers of places, and heights that are hardly
// any, lose digits in files. Run and diagnose say the same of them: a plastic slider that begins at
// 5e5 m and slips by 8 m, one that rests beside its place, of which the tube is the same, and a
// particle that leaves its obstacle by the last digits of a node, near to the start and 750 m away. So do
// they of a jump, which adds nodes that no case plans, where every second of all is written.
func TestRoundedWays(t *testing.T) {
	const grazing = `{"model": "energetic", "name": "grazing", "until": 2, "accuracy": %g, "threshold": "implicit", "adaptive": {"event_tolerance": 1e-6, "max_step": 0.02},
  "anchors": [{"id": "u", "at": {"sum": [{"table": [[0, [0, 0, 0]], [2, [%g, 0, 0]]]}, {"sine": {"amplitude": [0, 0, -0.3], "frequency": 1}}]}}],
  "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]}], "friction": {"dry": {"mu": 0.4}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}]}`
	const slider = `{"model": "energetic", "name": "prandtl", "until": 7, "steps": "events"%s, "anchors": [{"id": "home", "at": [0, 0, 0]}, {"id": "end", "at": {"table": [[0, [%g, 0, 0]], [1, [2.5, 0, 0]], [3, [-0.5, 0, 0]], [5, [2.5, 0, 0]], [7, [-0.5, 0, 0]]]}}],
  "energies": [{"type": "plastic", "id": "slider", "axis": [1, 0, 0], "between": ["held", "end"], "stiffness": 8, "hardening": 2, "yield": %g}, {"type": "tether", "anchor": "home", "particle": "held", "stiffness": 1}, {"type": "load", "particle": "held", "force": [0, 0, -20]}],
  "friction": {"rough": {"mu": 1}}, "particles": [{"id": "held", "at": [0, 0, 0], "friction": "rough"}]}`
	for name, text := range map[string]string{
		"far":     fmt.Sprintf(slider, `, "accuracy": 1e-15`, 1e6, 4.),
		"rest":    fmt.Sprintf(slider, "", 1., 0.004),
		"grazing": fmt.Sprintf(grazing, 2e-13, 1.),
		"away":    fmt.Sprintf(grazing, 0.01, 1000.),
		"jump": `{"model": "energetic", "name": "ripple-jump", "until": 0.4, "steps": 16, "threshold": "implicit", "on_jump": "continue", "output": {"every": 2},
  "friction": {"washboard": {"mu": 0.4, "ripple": {"amplitude": 0.3, "wavelength": 0.5, "axis": [1, 0, 0]}}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "washboard"}],
  "anchors": [{"id": "u", "at": {"table": [[0, [0, 0, -0.3]], [1, [3, 0, -0.3]]]}}], "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]}]}`,
	} {
		x := trial.Run(t, text, &model.Model)
		if d := x.Diagnose(t); run.Certified(x.Summary) != run.Certified(d) || run.Failure(x.Summary) != run.Failure(d) {
			t.Errorf("%s: run: %s; diagnose: %s", name, run.Failure(x.Summary), run.Failure(d))
		}
	}
}

// TestDigits: a particle under 10 N on a spring of 1e9 N/m, near the origin and 1e7 m from it, where a
// place is known to 2e-9 m, which is a force of 2 N: that is not accurate, and the origin is named.
func TestDigits(t *testing.T) {
	for at, certified := range map[float64]bool{0: true, 1e7: false} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 64, "anchors": [{"id": "a", "at": {"table": [[0, [%[1]g, 0, 0]], [1, [%[2]g, 0, 0]]]}}],
  "energies": [{"type": "tether", "particle": "p", "anchor": "a", "stiffness": [1e9, 1e9, 0]}, {"type": "load", "particle": "p", "force": [0, 0, -10]}],
  "friction": {"dry": {"mu": 0.3}}, "particles": [{"id": "p", "at": [%[1]g, 0, 0], "friction": "dry"}]}`, at, at+1), &model.Model)
		d := x.Diagnose(t)
		if run.Certified(x.Summary) != certified || run.Certified(d) != certified || !certified &&
			!strings.Contains(run.Failure(x.Summary), "origin") {
			t.Errorf("at %g m: run: %s; diagnose: %s", at, run.Failure(x.Summary), run.Failure(d))
		}
	}
}

// TestOpenSides: what rounding makes of forces is compared with those that loads and supports exert where contacts bear
// none: a block that is lifted off the slab on which it stood, while its flanks are pressed, is certified, and one that
// is carried through the air over a slab that rises by .2 rad, until its corner is at the slab, .05 m/tan .2 = .2467 m on.
// One that is carried farther is in the slab along normals of now, of which the linearisation of the start knows nothing.
func TestOpenSides(t *testing.T) {
	const carried = `[{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [1, %g]]}}, {"group": "top", "axis": "y", "motion": 0}]`
	for _, c := range []struct {
		name, slab, block, motion string
		certified                 bool
	}{
		{"lifted", `0`, `"corner": [0.2, 0.2], "size": [0.5, 0.3]`, `[{"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, 0.01]]}},
		   {"group": "top", "axis": "x", "motion": 0}], "tractions": [{"group": "left", "pressure": {"table": [[0, 0], [1, 10]]}}, {"group": "right", "pressure": {"table": [[0, 0], [1, 10]]}}]`, true},
		{"carried", `0.2`, `"corner": [0.2, 0.39189702485607075], "size": [0.5, 0.3]`, fmt.Sprintf(carried, 0.24), true},
		{"carried into the slab", `0.2`, `"corner": [0.2, 0.39189702485607075], "size": [0.5, 0.3]`, fmt.Sprintf(carried, 0.25), false},
	} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 20, "energies": [
		  {"type": "body", "id": "slab", "mesh": {"block": {"corner": [0, 0], "size": [2, 0.2], "cells": [8, 1], "lean": %s}, "accuracy": "given"}, "young": 1e4, "poisson": 0,
		   "prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}]},
		  {"type": "body", "id": "block", "mesh": {"block": {%s, "cells": [2, 2]}, "accuracy": "given"}, "young": 1e4, "poisson": 0,
		   "contact": [{"group": "bottom", "body": "slab", "side": "top"}], "prescribed": %s}]}`, c.slab, c.block, c.motion), &model.Model)
		d := x.Diagnose(t)
		if run.Certified(x.Summary) != c.certified || run.Certified(d) != c.certified || !c.certified &&
			!strings.Contains(run.Failure(x.Summary), "sides that bear no force") {
			t.Errorf("%s: run: %s; diagnose: %s", c.name, run.Failure(x.Summary), run.Failure(d))
		}
	}
}

// TestThroughItself: the ends of a ring with a cut, of .0032 m inside, of which one is moved: by .003 m they are apart,
// by .005 m in each other, of a linear body and of one of finite strains.
func TestThroughItself(t *testing.T) {
	thorough.Seconds(t)
	for _, law := range []string{"linear", "neo-hookean"} {
		for move, certified := range map[float64]bool{-0.003: true, -0.005: false} {
			x := trial.Run(t, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 4, "accuracy": 0.1, "energies": [{"type": "body", "id": "ring", "law": %q, "young": 1e6, "poisson": 0,
			  "mesh": {"block": {"form": "ring", "corner": [0.8, 0.002], "size": [0.4, 6.279185307179586], "cells": [2, 24]}, "accuracy": "given",
			    "groups": {"middle": {"of": "body", "min": [-1.3, -0.01], "max": [-0.7, 0.01]}}},
			  "prescribed": [{"group": "middle", "axis": "y", "motion": 0}, {"group": "middle", "axis": "x", "motion": 0},
			    {"group": "start", "axis": "y", "motion": {"table": [[0, 0], [1, %g]]}}]}]}`, law, move), &model.Model)
			d := x.Diagnose(t)
			if run.Certified(x.Summary) != certified || run.Certified(d) != certified || !certified &&
				!strings.Contains(run.Failure(x.Summary), "two sides of one") {
				t.Errorf("%s, by %g m: run: %s; diagnose: %s", law, move, run.Failure(x.Summary), run.Failure(d))
			}
		}
	}
}

// TestRoundShaft: a particle that a spring drags along a shaft with a grain goes round it, past the
// point opposite to its start, where coordinates from a file jump by a turn. Run and diagnose say
// the same of it; of a step of more than half a turn, of which its ends do not tell the way, both
// say no.
func TestRoundShaft(t *testing.T) {
	thorough.Seconds(t)
	for speed, certified := range map[float64]bool{40: true, 1000: false} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "energetic", "accuracy": 0.05, "until": 0.08, "steps": 8, "obstacles": {"shaft": {"type": "cylinder", "point": [0, 0, 0], "axis": [0, 0, 1], "radius": 0.5}},
  "friction": {"grain": {"mu": [0.5, 0.25], "axis": [0, 1, 1]}}, "particles": [{"id": "p", "at": [0.5, 0, 0], "obstacle": "shaft", "friction": "grain"}],
  "anchors": [{"id": "end", "at": {"table": [[0, [0, 0, 0]], [1, [0, 0, %g]]]}}], "energies": [{"type": "tether", "particle": "p", "anchor": "end", "stiffness": 8}]}`,
			speed), &model.Model)
		if d := x.Diagnose(t); run.Certified(x.Summary) != certified || run.Certified(d) != certified || !certified &&
			!strings.Contains(run.Failure(x.Summary), "turn") {
			t.Errorf("%g m/s: run: %s; diagnose: %s", speed, run.Failure(x.Summary), run.Failure(d))
		}
	}
}
