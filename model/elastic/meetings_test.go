package elastic_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/table"
)

// hit is a block that hits a slab which lies loose, obliquely; its velocity and what its contact says are left open.
const hit = `{"name": "hit", "model": "elastodynamic", "until": 0.03, "steps": 120, "accuracy": 0.05, "friction": {"rough": {"mu": 0.3}},
  "bodies": [{"id": "low", "mesh": {"block": {"corner": [0, -0.25], "size": [1, 0.25], "cells": [7, 3]}, "accuracy": "given"},
      "young": 1000, "poisson": 0.3, "density": 1},
    {"id": "high", "mesh": {"block": {"corner": [0.2, 0.005], "size": [0.5, 0.25], "cells": [3, 2]}, "accuracy": "given"},
      "young": 1000, "poisson": 0.3, "density": 1, "velocity": [%g, -1],
      "contact": [{"group": "bottom", "body": "low", "side": "top", "friction": "rough"%s}]}],
  "expect": [{"quantity": "mean_velocity", "body": "low", "axis": "y", "max": 1e-12}, {"quantity": "penetration", "max": 1e-15}]}`

// TestBodiesThatMeet: files of two bodies are certified again, and any number in them that is changed is found.
func TestBodiesThatMeet(t *testing.T) {
	x := trial.Run(t, fmt.Sprintf(hit, 0.05, ""), &elastic.Model)
	x.Passed(t)
	if s := x.Diagnose(t); !s.Certified {
		t.Fatal(s.Message)
	}
	for _, file := range []string{table.EnergiesFile, table.TrajectoryFile, table.ForcesFile, table.DisplacementsFile} {
		if s := x.Doctored(t, file, 60); s.Certified {
			t.Errorf("%s: a number was changed", file)
		}
	}
	if p := x.Page(t); len(p.Scene.IDs) != 4 || p.Scene.IDs[0] != "node high.0" || p.Scene.On[0] != -1 {
		t.Errorf("the page has the contacts %q on %v", p.Scene.IDs, p.Scene.On)
	}
}

// TestOneBodyOfTwoParts: two blocks in one mesh that meet as sides of one body move as two bodies do.
func TestOneBodyOfTwoParts(t *testing.T) {
	t.Chdir(t.TempDir())
	var meshes []*fem.Mesh
	for k, size := range [][]float64{{1, 0.25}, {0.5, 0.25}} {
		m, err := fem.Box{Kind: fem.P1, Corner: [][]float64{{0, -0.25}, {0.2, 0.005}}[k], Size: size, Cells: [][]int{{7, 3}, {3, 2}}[k]}.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		meshes = append(meshes, m)
	}
	both, err := fem.Union([]string{"low", "high"}, meshes)
	if err != nil {
		t.Fatal(err)
	}
	trial.GmshFile(t, ".", "both.msh", both)
	const drawn = `[{"group": "%sbottom", "axis": "x", "motion": 0}, {"group": "%[1]sbottom", "axis": "y",
		"motion": {"sine": {"amplitude": 0.01, "frequency": 20, "phase": -1.5707963267948966, "offset": 0.01}}}]`
	two := strings.Replace(fmt.Sprintf(hit, 0., ""), `"young": 1000`, `"prescribed": `+fmt.Sprintf(drawn, "")+`, "young": 1000`, 1)
	two = strings.Replace(two, "[0, -1]", "[0, 0]", 1)
	one := two[:strings.Index(two, `"bodies"`)] + `"bodies": [{"id": "both", "mesh": {"file": "both.msh", "accuracy": "given"}, "young": 1000, "poisson": 0.3,
		"density": 1, "prescribed": ` + fmt.Sprintf(drawn, "low.") + `, "contact": [{"group": "high.bottom", "body": "both", "side": "low.top", "friction": "rough"}]}]}`
	x, y := trial.Run(t, one, &elastic.Model), trial.Run(t, two, &elastic.Model)
	x.Passed(t)
	if a, b := x.Last(t, table.DisplacementsFile), y.Last(t, table.DisplacementsFile); !slices.Equal(a, b) {
		t.Errorf("one body ends at %v, two at %v", a, b)
	}
}

// TestMetFar: what slides by more than its segments, as what faces what is that of the start, is not certified.
func TestMetFar(t *testing.T) {
	x := trial.Run(t, fmt.Sprintf(hit, 30., ""), &elastic.Model)
	if s := x.Summary; s.Certified || !strings.Contains(s.Message, "bodies that meet") {
		t.Errorf("certified %t: %s", s.Certified, s.Message)
	}
}

// flight is a block that flies along a slab of slope tan .2; steps, what the slab bears, and its place are left open.
const flight = `{"name": "wedge", "model": "elastodynamic", "until": %g, %s"accuracy": 0.05, "bodies": [
    {"id": "slab", "mesh": {"block": {"corner": [0, 0], "size": [2, 0.2], "cells": [4, 1], "lean": 0.2}, "accuracy": "given"}, "young": 1e4, "poisson": 0, "density": 1,
     "prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}]%s},
    {"id": "block", "mesh": {"block": {"corner": [%g, %g], "size": [0.5, 0.3], "cells": [2, 2]}, "accuracy": "given"}, "young": 1e4, "poisson": 0, "density": 1,
     "velocity": [1, 0], "contact": [{"group": "bottom", "body": "slab", "side": "top"}]}]}`

// TestRestsBesideFlight: what rests beside a body that flies has the rounding of that, and no other error.
func TestRestsBesideFlight(t *testing.T) {
	for _, steps := range []string{`"steps": 90, `, ""} {
		trial.Run(t, fmt.Sprintf(flight, 0.24, steps, "", 0.2, 0.39189702485607075), &elastic.Model).Passed(t)
	}
}

// TestFliesIntoWedge: the block hits the slab after .05 m/tan .2, .247 s: what faces what at the
// start does not see it. Until then, and where the gap is too large to hit, also beyond the end of the slab, the flight is right.
func TestFliesIntoWedge(t *testing.T) {
	for _, x := range []struct {
		until, left, low float64
		right            bool
	}{{0.24, 0.2, 0.39189702485607075, true}, {0.265, 0.2, 0.39189702485607075, false}, {0.45, 0.2, 0.39189702485607075, false},
		{0.45, 0.2, 0.6, true}, {0.8, 1.4, 0.9, true}} {
		s := trial.Run(t, fmt.Sprintf(flight, x.until, `"steps": 90, `, `, "body_force": [0, {"sine": {"amplitude": 50, "frequency": 1}}]`, x.left, x.low), &elastic.Model).Summary
		if s.Certified != x.right || !x.right && !strings.Contains(s.Message, "went through each other") {
			t.Errorf("until %g s from %g m: certified %t: %s", x.until, x.low, s.Certified, s.Message)
		}
	}
}

// TestRubbedSlowly: without time to swing, forces and dissipation are those of the model energetic, and so is the estimate of what
// the present faces would change.
func TestRubbedSlowly(t *testing.T) {
	thorough.Seconds(t)
	const bodies = `[{MORE"id": "slab", "mesh": {"block": {"size": [0.9, 0.2], "cells": [7, 2], "element": "Q1"}, "accuracy": "given"}, "young": 4000, "poisson": 0.3,
     "prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}]},
    {MORE"id": "block", "mesh": {"block": {"corner": [0.2, 0.2], "size": [0.4, 0.2], "cells": [3, 2], "element": "Q1"}, "accuracy": "given"}, "young": 4000, "poisson": 0.3,
     "contact": [{"group": "bottom", "body": "slab", "side": "top", "friction": "rough"}],
     "tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [0.2, -10], [0.5, -10]]}]}],
     "prescribed": [{"group": "top", "axis": "x", "motion": {"sine": {"amplitude": 0.002, "frequency": 1, "phase": -1.5707963267948966, "offset": 0.002}}}]}]`
	run := func(model, key, more string, steps int) *trial.Trial {
		text := fmt.Sprintf(`{"name": "rubbed", "model": %q, "until": 0.5, "steps": %d, "accuracy": 0.1, "friction": {"rough": {"mu": 0.3}}, %q: `,
			model, steps, key) + strings.ReplaceAll(bodies, "MORE", more)
		if model == "energetic" {
			return trial.Run(t, text+`}`, &energetic.Model)
		}
		return trial.Run(t, text+`}`, &elastic.Model)
	}
	slow, still := run("elastodynamic", "bodies", `"density": 0.01, `, 2000), run("energetic", "energies", `"type": "body", `, 50)
	lag := func(x *trial.Trial) (value float64) {
		for _, f := range x.Summary.Facts {
			if strings.Contains(f.Name, "faces that are opposite now") {
				value = f.Value
			}
		}
		return value
	}
	if a, b := lag(slow), lag(still); !(a > 0) || math.Abs(a-b) > 0.05*b {
		t.Errorf("faces that are opposite now change displacements by %g, of energetic %g", a, b)
	}
	force := slow.Last(t, table.ForcesFile)
	sum := [2]float64{}
	for i, f := range force[1:] {
		sum[i%2] += f
	}
	if math.Abs(sum[0]-4) > 0.04 || math.Abs(sum[1]+1.2) > 0.02 {
		t.Errorf("the slab bears %v, want 4 and -1.2", sum)
	}
}

// TestObstacleGrows: a floor that grows is one that moves along its normal, beside what it moves along itself.
func TestObstacleGrows(t *testing.T) {
	const grown = `{"name": "grown", "model": "elastodynamic", "until": 0.02, "steps": 40, "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1],
	  "motion": {"translation": {"table": [[0, [0, 0]], [1, [0.1, %g]]]}}}}, "friction": {"rough": {"mu": 0.3}}, "young": 1000, "poisson": 0.3, "density": 1,
	  "mesh": {"block": {"size": [0.5, 0.25], "cells": [4, 2]}, "accuracy": "given"}, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"%s}]}`
	x := trial.Run(t, fmt.Sprintf(grown, 0., `, "overlap": {"table": [[0, 0], [1, 0.2]]}`), &elastic.Model)
	y := trial.Run(t, fmt.Sprintf(grown, 0.2, ""), &elastic.Model)
	if a, b := x.Last(t, table.DisplacementsFile), y.Last(t, table.DisplacementsFile); !slices.Equal(a, b) {
		t.Errorf("on a floor that grows the block ends at %v, on one that moves at %v", a, b)
	}
}
