package energetic

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

// halves are a symmetric body and half of it, each pressed with friction: their mesh, contacts, what is prescribed, and what moves the obstacles.
type halves struct{ obstacles, whole, half, contact, prescribed, symmetry string }

func (h *halves) forces(t *testing.T, half bool) (forces []float64) {
	mesh, held := h.whole, h.prescribed
	if half {
		mesh, held = h.half, strings.TrimPrefix(h.prescribed+", "+h.symmetry, ", ")
	}
	c, n := stepped(t, t.TempDir(), fmt.Sprintf(`{"name": "half", "model": "energetic", "until": 1, "steps": 4, "stability": "convex", "friction": {"dry": {"mu": 0.2}}, "obstacles": {%s},
	  "energies": [{"type": "body", "id": "b", "mesh": {%s}, "young": 1000, "poisson": 0.3, "contact": [%s], "prescribed": [%s]}]}`, h.obstacles, mesh, h.contact, held), 4)
	sum := [2]float64{}
	for j := range c.Psi.System.N() {
		if c.Psi.System.Constrained(j) {
			sum[0], sum[1] = sum[0]+n.Grad[3*j+2], sum[1]+math.Abs(n.Grad[3*j])
		}
	}
	return sum[:]
}

// TestHalfOfABody: with the half of a symmetric body that a plane of symmetry holds the obstacles bear half of what they
// bear with all of it, under obstacles that are curved and that move, whose contact begins on that plane.
func TestHalfOfABody(t *testing.T) {
	down := `"motion": {"translation": {"table": [[0, [0, 0, 0]], [1, [0, 0, -0.2]]]}}`
	ring := func(from float64) string {
		return fmt.Sprintf(`"block": {"form": "ring", "element": "Q1", "corner": [0.8, %g], "size": [0.3, %g], "cells": [3, %d]},
		  "groups": {"upper": {"of": "outer", "min": [null, 0]}, "lower": {"of": "outer", "max": [null, 0]}}`, from, math.Pi/2-from, int(16-16*from/(math.Pi/2)))
	}
	plates := `{"group": "upper", "obstacle": "high", "friction": "dry"}, {"group": "lower", "obstacle": "low", "friction": "dry"}`
	for name, h := range map[string]*halves{
		"block on a roll": {
			obstacles: `"roll": {"type": "cylinder", "point": [0, 0, -1], "axis": [0, 1, 0], "radius": 1, "motion": {"translation": {"table": [[0, [0, 0, 0]], [1, [0, 0, 0.02]]]}}}`,
			whole:     `"block": {"element": "Q1", "corner": [-0.5, 0], "size": [1, 0.5], "cells": [16, 6]}`,
			half:      `"block": {"element": "Q1", "size": [0.5, 0.5], "cells": [8, 6]}`,
			contact:   `{"group": "bottom", "obstacle": "roll", "friction": "dry"}`, prescribed: `{"group": "top", "axis": "y", "motion": 0}, {"group": "top", "axis": "x", "motion": 0}`,
			symmetry: `{"group": "left", "axis": "x", "motion": 0}`,
		},
		"ring between plates": {
			obstacles: `"low": {"point": [0, 0, -1.1], "normal": [0, 0, 1]}, "high": {"point": [0, 0, 1.1], "normal": [0, 0, -1], ` + down + `}`,
			whole:     ring(-3 * math.Pi / 2), half: ring(-math.Pi / 2), contact: plates,
			symmetry: `{"group": "start", "axis": "x", "motion": 0}, {"group": "end", "axis": "x", "motion": 0}`,
		},
	} {
		whole, half := h.forces(t, false), h.forces(t, true)
		for k, f := range whole {
			if !(whole[0] > 0.1) || math.Abs(half[k]-f/2) > 1e-8*whole[0] {
				t.Errorf("%s: the half %v, the whole %v", name, half, whole)
				break
			}
		}
	}
}

// TestHeldByFloor: a body without friction that is pressed down is held by what it rests on, as far as that
// keeps it from moving: one that a floor alone leaves free is named with what would hold it, and one that a symmetric obstacle
// moves off from under is not accurate, since the plane of symmetry is none any more.
func TestHeldByFloor(t *testing.T) {
	thorough.Seconds(t)
	text := func(obstacle, rest string) string {
		return fmt.Sprintf(`{"name": "pressed", "model": "energetic", "until": 1, "steps": 4, "stability": "convex", "obstacles": {"floor": {%s}},
		  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"element": "Q1", "size": [1, 0.5], "cells": [8, 4]}, "accuracy": "given"}, "young": 1000, "poisson": 0.3,
		  "contact": [{"group": "bottom", "obstacle": "floor"}], %s}]}`, obstacle, rest)
	}
	const plane, side = `"point": [0, 0, 0], "normal": [0, 0, 1]`, `{"group": "left", "axis": "x", "motion": 0}`
	const load = `"tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [1, -10]]}]}], "prescribed": [`
	x := trial.Run(t, text(plane, load+side+"]"), &Model)
	x.Passed(t)
	err := faulty(t, text(plane, load+"]"))
	if want := "translation along x is not prevented; components that are prescribed, obstacles, friction on them and beds prevent that"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	roll := `"type": "cylinder", "point": [0, 0, -1], "axis": [0, 1, 0], "radius": 1, "motion": {"translation": {"table": [[0, [0, 0, 0]], [1, [0.3, 0, 0]]]}}`
	x = trial.Run(t, text(roll, `"prescribed": [{"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, -0.02]]}}, `+side+"]"), &Model)
	if got, want := fmt.Sprint(x.Summary.Facts), "nodes in contact that are prescribed"; x.Summary.Certified || !strings.Contains(got, want) {
		t.Errorf("%s, want %q", got, want)
	}
}

// faulty is the fault of a case, nil where there is none.
func faulty(t *testing.T, doc string) error {
	k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(doc))
	if err == nil {
		_, err = build(t.Context(), k)
	}
	return err
}

// TestBedBears: the forces of a bed, with those of what is prescribed, are those of the loads; faults name their places.
func TestBedBears(t *testing.T) {
	const doc = `{"name": "bed", "model": "energetic", "until": 1, "steps": 1, "energies": [{"type": "body", "id": "b", "young": 1e6, "poisson": 0.3,
  "mesh": {"block": {"size": [2, 1], "cells": [4, 2], "element": "Q1"}, "accuracy": "given"}, "bed": [{"group": "GROUP", "stiffness": STIFFNESS}],
  "tractions": [{"group": "top", "total": [{"table": [[0, 0], [1, 30]]}, {"table": [[0, 0], [1, -100]]}]}]}],
  "expect": [{"quantity": "reaction", "body": "b", "group": "bottom", "axis": "y", "value": 100, "tolerance": 1e-9},
    {"quantity": "reaction", "body": "b", "group": "bottom", "axis": "x", "value": -30, "tolerance": 1e-9}]}`
	x := trial.Run(t, strings.NewReplacer("GROUP", "bottom", "STIFFNESS", "[1e6, 2e6]").Replace(doc), &Model)
	x.Passed(t)
	if s := x.Diagnose(t); !s.Certified {
		t.Error(s.Message)
	}
	for replaced, want := range map[[2]string]string{{"botom", "1e6"}: "bed[0].group: unknown group \"botom\", the nearest one is \"bottom\"",
		{"bottom", "[1, 2, 3]"}: "bed[0].stiffness: found 3 numbers, want 2", {"bottom", "1e6"}: "translation along x is not prevented",
		{"body", "1e6"}: "bed[0].group: the group \"body\" has dimension 2"} {
		err := faulty(t, strings.NewReplacer("GROUP", replaced[0], "STIFFNESS", replaced[1]).Replace(doc))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", replaced, err, want)
		}
	}
}
