package models

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
)

// built decodes and builds a case; the text is that of the faults, or of the notes of its plan.
func built(t *testing.T, file, text string) (faults, notes string) {
	t.Helper()
	k, err := Grammar().Decode(file, []byte(text))
	var c run.Case
	if err == nil {
		c, err = Build(t.Context(), k)
	}
	if err != nil {
		return err.Error(), ""
	}
	return "", strings.Join(c.Plan().Notes, "\n")
}

// Parts of cases, in which the tests leave out what an author forgets.
const (
	slab     = `"model": "rigid", "dimension": 2, "until": 1, "steps": 10, `
	floor2   = `"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, `
	floor3   = `"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, `
	weight   = `"gravity": [0, -9.81], `
	dry      = `"friction": {"dry": {"mu": 0.3}}, `
	two      = `"friction": {"dry": {"mu": 0.3}, "wet": {"mu": 0.1}}, `
	disc     = `"bodies": [{"id": "b", "shape": {"type": "disc", "radius": 1}, "mass": 1, "position": [0, 1], "velocity": [1, 0]}]`
	pad      = `"patches": {"pad": {"stiffness": [1e5, 1e5], "damping": [10, 10]}}, `
	held     = `"anchors": [{"id": "u", "at": [{"table": [[0, 0], [1, 1]]}, 0, 0]}], `
	tied     = `"energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": 1}]`
	point    = `"model": "energetic", "until": 1, "steps": 4, `
	block    = `"mesh": {"block": {"size": [1, 0.25], "cells": [4, 1]}}, "young": 1000, "density": 1, `
	bar      = `"model": "elastodynamic", "until": 1e-3, "steps": 2, `
	touching = `"contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}]`
	pressed  = `"model": "halfspace", "until": 1, "steps": 2, "window": {"elements": [4, 4], "size": [1, 1]}, "body": {"young": 1}, "profile": {"sphere": 1}, `
)

// TestIgnored: what a case declares and has no effect is a fault with its path where it cannot be
// meant, else a note; what has an effect is told by no word. Before, all of these were silent.
func TestIgnored(t *testing.T) {
	for _, c := range []struct{ name, text, fault, note string }{
		{"rigid", slab + weight + floor2 + dry + `"material": "dry", ` + disc, "", ""},
		{"material forgotten", slab + weight + floor2 + dry + disc, "$.friction.dry: nothing names it", ""},
		{"a store of materials", slab + weight + floor2 + two + `"material": "dry", ` + disc, "", `$.friction: nothing names "wet"`},
		{"all are apart", slab + weight + floor2 + disc +
			`, "contacts": [{"body": "b", "obstacle": "floor", "apart": true}]`, "$.obstacles.floor: nothing names it", ""},
		{"nothing can touch", slab + weight + dry + `"material": "dry", ` + disc, "$.material: it has no effect", ""},
		{"each pair has its own", slab + weight + floor2 + two + `"material": "dry", ` + disc +
			`, "contacts": [{"body": "b", "obstacle": "floor", "friction": "wet"}]`, "", "$.material has no effect"},
		{"some pairs have one", slab + weight + strings.Replace(floor2, `}}, `,
			`}, "wall": {"point": [9, 0], "normal": [-1, 0]}}, `, 1) + dry + disc +
			`, "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry"}]`, "",
			`surfaces that have no entry of "contacts" meet without friction`},
		{"a spring of no stiffness", point + dry + held +
			`"particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}], "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [0, 0, 0]}]`,
			"", "$.energies[0] has no effect: its stiffness is zero"},
		{"of none along one axis", point + dry + held +
			`"particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}], "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [1, 0, 1]}]`,
			"", ""},
		{"gravity forgotten, at rest", slab + floor2 + dry + `"material": "dry", ` +
			strings.Replace(disc, "[1, 0]", "[0, 0]", 1), "", "$.gravity is missing, and nothing moves"},
		{"gravity forgotten, moving", slab + floor2 + dry + `"material": "dry", ` + disc, "", "$.gravity is missing"},
		{"no gravity is meant", slab + `"gravity": [0, 0], ` + floor2 + dry + `"material": "dry", ` + disc, "", ""},
		{"a load", slab + floor2 + dry + `"material": "dry", ` + strings.Replace(disc, `"mass"`, `"load": [0, -1], "mass"`, 1), "", ""},
		{"friction of a joint", slab + weight + dry +
			`"bodies": [{"id": "b", "shape": {"type": "disc", "radius": 1}, "mass": 1, "position": [0, 1]}, {"id": "c", "shape": {"type": "disc", "radius": 1}, "mass": 1, "position": [3, 1]}],
			"joints": [{"type": "revolute", "body": "b", "to": "c", "at": [1, 1]}], "contacts": [{"between": ["b", "c"], "friction": "dry"}]`,
			"$.contacts[0].friction: it has no effect", ""},

		{"spin drag of a point", slab + weight + floor2 + dry +
			`"material": "dry", "bodies": [{"id": "b", "mass": 1, "spin_drag": 1}]`, "$.bodies[0].spin_drag: a point without", ""},
		{"a law of rebounds", slab + weight + floor2 + dry + `"material": "dry", "restitution_law": "moreau", ` + disc,
			"", "$.restitution_law has no effect"},
		{"a speed of rebounds", slab + weight + floor2 + dry + `"material": "dry", "restitution_speed": 1, ` + disc, "",
			"$.restitution_speed has no effect"},
		{"no rebound is meant", slab + weight + floor2 +
			`"friction": {"dry": {"mu": 0.3, "restitution": 0}}, "material": "dry", "restitution_law": "moreau", ` + disc, "", ""},
		{"nothing to settle", slab + weight + floor2 + dry + `"material": "dry", "settle": true, ` + disc, "", "$.settle has no effect"},
		{"settled", slab + weight + floor2 + dry + `"material": "dry", "settle": true, ` +
			strings.Replace(disc, "[0, 1]", "[0, 0.99]", 1), "", ""},
		{"a spring of nothing", slab + weight + floor2 + dry +
			`"material": "dry", "springs": [{"type": "spring", "body": "b", "stiffness": 0}], ` + disc, "", "$.springs[0] has no effect"},
		{"a damper", slab + weight + floor2 + dry +
			`"material": "dry", "springs": [{"type": "spring", "body": "b", "stiffness": 0, "damping": 1}], ` + disc, "", ""},
		{"a load after the end", slab + weight + floor2 + dry + `"material": "dry", ` +
			strings.Replace(disc, `"mass"`, `"load": [{"table": [[1, 0], [2, 1]]}, 0], "mass"`, 1), "",
			"$.bodies[0].load[0].table changes before t = 0 or after t = 1"},
		{"a load before the start", slab + weight + floor2 + dry + `"material": "dry", ` +
			strings.Replace(disc, `"mass"`, `"load": {"table": [[-2, [0, 0]], [0, [1, 1]]]}, "mass"`, 1), "",
			"$.bodies[0].load.table changes before"},
		{"a load until the end", slab + weight + floor2 + dry + `"material": "dry", ` +
			strings.Replace(disc, `"mass"`, `"load": [{"table": [[0.9, 0], [2, 1]]}, 0], "mass"`, 1), "", ""},

		{"compliant", strings.Replace(slab, "rigid", "compliant", 1) + weight + floor2 + dry + pad + disc +
			`, "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "pad"}]`, "", ""},
		{"no contact", strings.Replace(slab, "rigid", "compliant", 1) + weight + floor2 + disc, "$.obstacles.floor: nothing names it", ""},
		{"no contact, theta", strings.Replace(slab, `"rigid"`, `"theta", "theta": 0.5`, 1) + weight + dry + disc,
			"$.friction.dry: nothing names it", ""},
		{"no patch", strings.Replace(slab, "rigid", "compliant", 1) + weight + pad + disc, "$.patches.pad: nothing names it", ""},
		{"another body", strings.Replace(slab, "rigid", "compliant", 1) + weight + floor2 + dry + pad +
			strings.Replace(disc, `]}]`, `]}, {"id": "c", "mass": 1, "position": [0, 9]}]`, 1) +
			`, "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "pad"}]`, "",
			`no entry of "contacts" names "c"`},

		{"energetic", point + floor3 + dry + held +
			`"particles": [{"id": "p", "at": [0, 0, 0], "obstacle": "floor", "friction": "dry"}], ` + tied, "", ""},
		{"no friction", point + dry + held + `"particles": [{"id": "p", "at": [0, 0, 0]}], ` + tied,
			"$.friction.dry: nothing names it", ""},
		{"one has none", point + dry + held + `"particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}, {"id": "q", "at": [1, 0, 0]}], ` +
			strings.Replace(tied, `"p"`, `["p", "q"]`, 1), "", `"q" without friction`},
		{"none is meant", point + dry + held + `"particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}, {"id": "q", "at": [1, 0, 0], "friction": "none"}], ` +
			strings.Replace(tied, `"p"`, `["p", "q"]`, 1), "", ""},
		{"no obstacle", point + floor3 + held + `"particles": [{"id": "p", "at": [0, 0, 0]}], ` + tied,
			"$.obstacles.floor: nothing names it", ""},
		{"one is on the other floor", point + floor3 + held +
			`"particles": [{"id": "p", "at": [0, 0, 0], "obstacle": "floor"}, {"id": "q", "at": [1, 0, 0]}], ` +
			strings.Replace(tied, `"p"`, `["p", "q"]`, 1), "", `"q" on the floor z >= 0`},
		{"an anchor", point + strings.Replace(held, "[{", `[{"id": "v", "at": [0, 0, 1]}, {`, 1) +
			`"particles": [{"id": "p", "at": [0, 0, 0]}], ` + tied, "", `$.anchors: nothing names "v"`},
		{"all anchors", point + held + `"particles": [{"id": "p", "at": [0, 0, 0]}], "energies": [{"type": "load", "particle": "p", "force": [1, 0, 0]}]`,
			"$.anchors[0]: nothing names it", ""},
		{"a mass", point + held + `"particles": [{"id": "p", "at": [0, 0, 0], "mass": 1}], ` + tied, "", `the mass of "p" has no effect`},
		{"nothing happens", point + `"anchors": [{"id": "u", "at": [0, 0, 0]}], "particles": [{"id": "p", "at": [0, 0, 0]}], ` +
			tied, "", "nothing happens"},
		{"nothing acts", point + held + `"particles": [{"id": "p", "at": [0, 0, 0]}, {"id": "q", "at": [1, 0, 0]}], ` +
			tied, "", `no energy acts on "q"`},

		{"elastodynamic", bar + floor2 + dry + block + touching + `, "body_force": [0, -1]`, "", ""},
		{"no obstacle, elastic", bar + floor2 + block + `"body_force": [0, -1]`, "$.obstacles.floor: nothing names it", ""},
		{"no friction, elastic", bar + floor2 + dry + block +
			`"contact": [{"group": "bottom", "obstacle": "floor"}], "body_force": [0, -1]`, "$.friction.dry: nothing names it", ""},
		{"no nodes", bar + floor2 + dry + block + strings.Replace(touching, "]",
			`, {"group": "bottom", "obstacle": "floor"}]`, 1) + `, "body_force": [0, -1]`, "$.contact[1]: it has no effect", ""},
		{"nothing moves", bar + floor2 + dry + block + touching, "", "nothing moves"},

		{"halfspace", pressed + `"control": {"normal": {"load": 1}}`, "", ""},
		{"shear without friction", pressed + `"control": {"normal": {"load": 1}, "x": {"shift": {"table": [[0, 0], [1, 1]]}}}`,
			"", "$.control.x has no effect: there is no friction"},
		{"rest without friction", pressed + `"control": {"normal": {"load": 1}, "x": {"shift": 0}}`, "", ""},
		{"friction without shear", pressed + `"on": "similar", "friction": {"mu": 0.3}, "control": {"normal": {"load": 1}}`,
			"", "$.friction has no effect: nothing moves along"},
		{"bodies that differ rub", pressed + `"friction": {"mu": 0.3}, "control": {"normal": {"load": 1}}`, "", ""},
		{"friction with shear", pressed + `"on": "similar", "friction": {"mu": 0.3}, "control": {"normal": {"load": 1}, "x": {"shift": {"table": [[0, 0], [1, 1]]}}}`,
			"", ""},
		{"a bar has no sides", `"model": "elastodynamic", "until": 1e-3, "steps": 2, "mesh": {"block": {"size": [1], "cells": [4]}}, "young": 1, "poisson": 0.3, "density": 1, "velocity": [1]`,
			"", "$.poisson has no effect"},
		{"a guess", strings.Replace(slab, `"rigid"`, `"theta", "theta": 0.5`, 1) + weight + disc + `, "boundary": {"rows": [
			{"value": 1, "terms": [{"quantity": "position", "at": "end", "body": "b", "axis": "x"}]}, {"value": 0, "terms": [{"quantity": "velocity", "at": "start", "body": "b", "axis": "y"}]},
			{"value": 0, "terms": [{"quantity": "spin", "at": "start", "body": "b"}]}]}`, "", "velocities at the start are guesses alone"},
		{"held along its axis", revolved("left", "axisymmetric"), "", "$.energies[0].prescribed[0]: a line bears no force"},
		{"held at its base", revolved("bottom", "axisymmetric"), "", ""},
		{"held at a side of the plane", revolved("left", "plane strain"), "", ""},
		{"nothing presses", pressed + `"control": {"normal": {"load": 0}}`, "", "$.control: nothing happens"},
	} {
		faults, notes := built(t, c.name, "{"+c.text+"}")
		if (c.fault == "") != (faults == "") || !strings.Contains(faults, c.fault) {
			t.Errorf("%s: %q, want %q", c.name, faults, c.fault)
		}
		if (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
			t.Errorf("%s: note %q, want %q", c.name, notes, c.note)
		}
	}
}

// revolved is a body of one cell that a side holds along both axes, and another pulls.
func revolved(side, kinematics string) string {
	return fmt.Sprintf(`"model": "energetic", "until": 1, "steps": 1, "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 1], "cells": [1, 1]}},
		"young": 1, "poisson": 0, "kinematics": %q, "prescribed": [{"group": %q, "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}],
		"tractions": [{"group": "right", "total": [0, {"table": [[0, 0], [1, 1]]}]}]}]`, kinematics, side)
}

// TestNothingIgnored: all cases of the folder have an effect to the last word.
func TestNothingIgnored(t *testing.T) {
	thorough.Seconds(t)
	files, err := filepath.Glob("../cases/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		k, err := Grammar().Load(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Build(t.Context(), k)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if list := c.Plan().Notes; len(list) > 0 {
			t.Errorf("%s: %q", file, list)
		}
	}
}
