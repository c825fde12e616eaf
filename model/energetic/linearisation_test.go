package energetic

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestSlidOnCantilever: a block that slides by less than a segment along a cantilever bends it farther than one that
// stays, which the operator of the start does not see. The run says by how much, within a fifth: a block that begins
// where the other one ends shows it.
func TestSlidOnCantilever(t *testing.T) {
	thorough.Seconds(t)
	beam := func(measured string, from, way float64, more string) (tip, estimate float64, accurate bool) {
		meets := map[string]string{"beam": `"contact": [{"group": "top", "body": "block", "side": "bottom"}],`,
			"block": `"contact": [{"group": "bottom", "body": "beam", "side": "top"}],`}
		cells := map[string]int{"beam": 3, "block": 2}[measured] // the coarser side is measured
		onBeam, onBlock := meets["beam"], ""
		if measured == "block" {
			onBeam, onBlock = "", meets["block"]
		}
		r := trial.Run(t, fmt.Sprintf(`{"name": "slid", "model": "energetic", "until": 1, %s "energies": [
			{"type": "body", "id": "beam", "mesh": {"block": {"corner": [0, 0], "size": [2, 0.2], "cells": [20, 3], "element": "Q1"},
			 "accuracy": "given"}, "young": 1e9, "poisson": 0.3, %s
			 "prescribed": [{"group": "left", "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}]},
			{"type": "body", "id": "block", "mesh": {"block": {"corner": [%.17g, 0.2], "size": [0.24, 0.1], "cells": [%d, 2],
			 "element": "Q1"}, "accuracy": "given"}, "young": 1e9, "poisson": 0.3, %s
			 "tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [0.25, -1e3]]}]}],
			 "prescribed": [{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [0.25, 0], [1, %.17g]]}}]}],
			"expect": [{"quantity": "displacement", "particle": "beam.20", "axis": "z", "value": 0, "tolerance": 1}]}`,
			more, onBeam, from, cells, onBlock, way), &Model)
		if r.Summary.Status != table.Done {
			t.Fatal(r.Summary.Message)
		}
		for _, f := range r.Summary.Facts {
			if strings.HasPrefix(f.Name, "bodies that meet: displacements") {
				estimate = f.Value
			}
		}
		return *r.Summary.Expectations[0].Value, estimate, r.Summary.Certified
	}
	for k, way := range []float64{0.002, 0.09, 0.06} {
		measured := []string{"block", "block", "beam"}[k]
		slid, estimate, certified := beam(measured, 1.003, way, `"steps": 4,`)
		stays, _, _ := beam(measured, 1.003+way, 0, `"steps": 4,`)
		err := math.Abs(slid/stays - 1)
		if certified != (err < 0.01) || estimate < err/1.25 || estimate > 2*err {
			t.Errorf("%s, way %g: off by %.4g, estimate %.4g, certified %t", measured, way, err, estimate, certified)
		}
	}
	stays, _, _ := beam("block", 1.093, 0, `"steps": 4,`)
	slid, estimate, certified := beam("block", 1.003, 0.09, `"steps": 40, "relinearise": 0.02,`)
	if err := math.Abs(slid/stays - 1); !certified || err > 1e-3 || estimate > 0.01 {
		t.Errorf("with new linearisations: off by %.4g, estimate %.4g, certified %t", err, estimate, certified)
	}
}

// TestForcesOfBentBeam: what the page draws of a block that slides on a cantilever is in the frames of the beam as it is
// bent: the forces that it draws along x bear what holds the block.
func TestForcesOfBentBeam(t *testing.T) {
	thorough.Seconds(t)
	r := trial.Run(t, `{"name": "bent", "model": "energetic", "until": 1, "steps": 10, "relinearise": 0.02, "energies": [
		{"type": "body", "id": "beam", "mesh": {"block": {"corner": [0, 0], "size": [2, 0.2], "cells": [20, 3], "element": "Q1"}},
		 "young": 1e7, "poisson": 0.3, "contact": [{"group": "top", "body": "block", "side": "bottom"}],
		 "prescribed": [{"group": "left", "axis": "y", "motion": 0}, {"group": "left", "axis": "x", "motion": 0}]},
		{"type": "body", "id": "block", "mesh": {"block": {"corner": [1.003, 0.2], "size": [0.24, 0.1], "cells": [2, 2],
		 "element": "Q1"}}, "young": 1e9, "poisson": 0.3, "tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [0.5, -1e3]]}]}],
		 "prescribed": [{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [0.8, 0.06], [1, 0.06]]}}]}],
		"expect": [{"quantity": "reaction", "body": "block", "group": "top", "axis": "x", "value": 0, "tolerance": 1e9}]}`, &Model)
	s := r.Page(t).Scene
	last := func(c report.Channel, k int) float64 {
		raw, err := base64.StdEncoding.DecodeString(c.Data)
		if err != nil {
			t.Fatal(err)
		}
		if k += s.Contacts * (len(s.Times) - 1); c.Exact {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*k:])))
		}
		return c.Low + (c.High-c.Low)*float64(binary.LittleEndian.Uint16(raw[2*k:]))/math.MaxUint16
	}
	drawn, held := 0.0, *r.Summary.Expectations[0].Value
	for k := range s.Contacts {
		drawn += last(s.N, k) * last(s.Axes[0], k)
	}
	if math.Abs(drawn-held) > 1e-3*math.Abs(held) || math.Abs(held) < 5 { // axes are drawn to 1.5e-5
		t.Errorf("%g N along x are drawn on the beam, %g N hold the block", drawn, held)
	}
	for _, every := range []int{1, 4} {
		dir := t.TempDir()
		if _, err := run.Export(t.Context(), r.Built.Plan(), r.Dir, table.VTU, table.ExportOptions{Every: every, To: dir}); err != nil {
			t.Fatal(err)
		}
		list, _ := filepath.Glob(filepath.Join(dir, "*", "*.vtu"))
		text, err := os.ReadFile(slices.Max(list))
		if err != nil {
			t.Fatal(err)
		}
		_, array, _ := strings.Cut(string(text), `Name="contact_force"`)
		_, array, _ = strings.Cut(array, ">")
		array, _, _ = strings.Cut(array, "<")
		raw, err := base64.StdEncoding.DecodeString(array)
		if err != nil || len(raw) < 8 {
			t.Fatal(err)
		}
		written := 0.0
		for x := raw[8:]; len(x) > 0; x = x[24:] {
			written += math.Float64frombits(binary.LittleEndian.Uint64(x))
		}
		if math.Abs(written-held) > 1e-6*math.Abs(held) {
			t.Errorf("VTU of every row %d: %g N along x on the beam, %g N hold the block", every, written, held)
		}
	}
}

// TestDrawnToAndFro: a block that is drawn to and fro over six segments in ten steps is certified: what slides too far
// within a step is made in parts. It rubs by what friction takes on its way, but for what is elastic. Pressed harder, its
// normals turn before it slides, which shorter steps do not change.
func TestDrawnToAndFro(t *testing.T) {
	thorough.Seconds(t)
	const mu = 0.1
	for _, c := range []struct {
		pressure, to, back float64 // [Pa], [m]
	}{{1e3, 0.8, 0.1}, {2e4, 0.3, 0.3}} {
		force, way := 0.5*c.pressure, 2*c.to-c.back
		r := trial.Run(t, fmt.Sprintf(`{"name": "drawn", "model": "energetic", "until": 2, "steps": 10, "accuracy": 0.05, "relinearise": 0.2,
			"friction": {"f": {"mu": %g}}, "energies": [
			{"type": "body", "id": "slab", "mesh": {"block": {"corner": [0, -0.4], "size": [3, 0.4], "cells": [12, 2], "element": "Q1"}, "accuracy": "given"},
			 "young": 1e6, "poisson": 0.2, "prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}]},
			{"type": "body", "id": "die", "mesh": {"block": {"corner": [0.7, 0], "size": [0.5, 0.15], "cells": [2, 2], "element": "Q1"}, "accuracy": "given"},
			 "young": 1e6, "poisson": 0.2, "contact": [{"group": "bottom", "body": "slab", "side": "top", "friction": "f", "touching": 1e-6}],
			 "tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [1, %g]]}]}],
			 "prescribed": [{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [1, 0], [1.5, %g], [2, %g]]}}]}],
			"expect": [{"quantity": "dissipation", "value": %g, "tolerance": %g}]}`, mu, -c.pressure, c.to, c.back, mu*force*way, 0.02*mu*force*way), &Model)
		if !r.Summary.Certified || !r.Summary.Met {
			t.Errorf("pressed by %g Pa: %s; %v", c.pressure, r.Summary.Message, *r.Summary.Expectations[0].Value)
		}
		if d := r.Diagnose(t); !d.Certified {
			t.Errorf("read again: %s", d.Message)
		}
	}
}

// TestDrawnOverSegments: an elastic block that is drawn over three segments of one that is 1e5 times as stiff moves, presses
// and rubs as on an obstacle: once it slides, all of it goes on to slide, also where states settle, which diagnose finds.
func TestDrawnOverSegments(t *testing.T) {
	thorough.Seconds(t)
	drawn := func(contact, more string) *table.Summary {
		r := trial.Run(t, fmt.Sprintf(`{"name": "drawn", "model": "energetic", "until": 1, "steps": 30, "accuracy": 0.5, "friction": {"f": {"mu": 0.3}}, %s
			{"type": "body", "id": "block", "mesh": {"block": {"corner": [0.1, 0], "size": [0.5, 0.25], "cells": [5, 3], "element": "Q1"}, "accuracy": "given"},
			 "young": 1e7, "poisson": 0.3, "contact": [{"group": "bottom", %s, "friction": "f"}], "prescribed": [
			 {"group": "top", "axis": "x", "motion": {"table": [[0, 0], [0.1, 0], [1, 0.3]]}}, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [0.1, -0.002]]}}]}],
			"expect": [{"quantity": "normal_force", "value": 0, "tolerance": 1e9}, {"quantity": "dissipation", "value": 0, "tolerance": 1e9},
			 {"quantity": "events", "value": 0, "tolerance": 1e9}, {"quantity": "displacement", "particle": "block.2", "axis": "x", "value": 0, "tolerance": 1}]}`, more, contact), &Model)
		if r.Summary.Status != table.Done {
			t.Fatal(r.Summary.Message)
		}
		if d := r.Diagnose(t); d.Certified != r.Summary.Certified {
			t.Errorf("read again: certified %v; %s", d.Certified, d.Message)
		}
		return r.Summary
	}
	onFloor := drawn(`"obstacle": "floor"`, `"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "energies": [`)
	onBase := drawn(`"body": "base", "side": "top"`, `"relinearise": 0.3, "energies": [{"type": "body", "id": "base", "young": 1e12, "poisson": 0.3,
		"mesh": {"block": {"corner": [0, -0.3], "size": [1.4, 0.3], "cells": [19, 3], "element": "Q1"}, "accuracy": "given"},
		"prescribed": [{"group": "bottom", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}]},`)
	for k := range onFloor.Expectations {
		got, want := *onBase.Expectations[k].Value, *onFloor.Expectations[k].Value
		if math.Abs(got/want-1) > 3e-5 { // some of 1e-5, by which the base gives
			t.Errorf("%s: %.9g, on an obstacle %.9g", onBase.Expectations[k].Quantity, got, want)
		}
	}
	for _, f := range onBase.Facts {
		if strings.HasPrefix(f.Name, "bodies that meet: the farthest slip") && !(f.Value < 0.6) {
			t.Errorf("slips of %g segments since a linearisation", f.Value)
		}
	}
}

// TestPushedInHub: a shaft with an overlap that is pushed through its hub, by two segments, presses as one that is
// fitted where it ends; where it began it presses a tenth less.
func TestPushedInHub(t *testing.T) {
	thorough.Seconds(t)
	fit := func(at, way float64, more string) float64 {
		r := trial.Run(t, fmt.Sprintf(`{"name": "fit", "model": "energetic", "until": 2, "steps": 60, "accuracy": 0.2, %s "energies": [
			{"type": "body", "id": "hub", "mesh": {"block": {"corner": [0.025, 0], "size": [0.025, 0.06], "cells": [2, 6], "element": "Q1"},
			 "accuracy": "given"}, "young": 210e9, "poisson": 0.3, "kinematics": "axisymmetric", "prescribed": [{"group": "bottom", "axis": "y", "motion": 0}]},
			{"type": "body", "id": "shaft", "mesh": {"block": {"corner": [0, %g], "size": [0.025, 0.08], "cells": [2, 6], "element": "Q1"},
			 "accuracy": "given"}, "young": 210e9, "poisson": 0.3, "kinematics": "axisymmetric", "prescribed": [
			 {"group": "left", "axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, 0], [2, %g]]}}],
			 "contact": [{"group": "right", "body": "hub", "side": "left", "overlap": {"table": [[0, 0], [1, 2e-5], [2, 2e-5]]}}]}],
			"expect": [{"quantity": "normal_force", "value": 6e5, "tolerance": 1e5}]}`, more, at, way), &Model)
		if !r.Summary.Certified {
			t.Error(r.Summary.Message)
		}
		return *r.Summary.Expectations[0].Value
	}
	pushed, there, before := fit(0.01, -0.03, `"relinearise": 0.02,`), fit(-0.02, 0, ""), fit(0.01, 0, "")
	if math.Abs(pushed/there-1) > 2e-4 || math.Abs(before/there-1) < 0.05 { // what it takes to settle is of the order of the last step
		t.Errorf("pushed %.9g N, fitted there %.9g N, before %.9g N", pushed, there, before)
	}
}

// TestRelinearisedFaults: new linearisations are not asked for where they cannot be made.
func TestRelinearisedFaults(t *testing.T) {
	for _, c := range []struct{ more, law, want string }{
		{`"steps": 4`, `"mu": 0.3`, ""},
		{`"steps": 4, "threshold": "lagged"`, `"mu": 0.3`, "implicit thresholds"},
		{`"steps": 4, "gamma": 1`, `"mu": 0.3`, `want no "gamma"`},
		{`"adaptive": {"max_step": 0.1, "event_tolerance": 1e-3}`, `"mu": 0.3`, "given nodes of time"},
		{`"accuracy": 0.1`, `"mu": 0.3`, "given nodes of time"},
		{`"steps": 4, "until_loss": true`, `"mu": 0.3`, `want no "until_loss"`},
		{`"steps": 4, "output": {"every": 2}`, `"mu": 0.3`, `want no key "every"`},
		{`"steps": 4, "stability": "global"`, `"mu": 0.3`, `"stability"`},
		{`"steps": 4`, `"slip": [[0, 0.3], [0.1, 0.2]]`, "not carried over"},
		{`"steps": 4, "stability": "global"`, `"slip": [[0, 0.3], [0.1, 0.2]]`, "not carried over"},
	} {
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(fmt.Sprintf(`{"model": "energetic", "until": 1, "relinearise": 0.1, %s,
			"friction": {"f": {%s}}, "energies": [
			{"type": "body", "id": "low", "mesh": {"block": {"size": [1, 1], "cells": [3, 2]}}, "young": 1000, "prescribed": [{"group": "bottom", "axis": "y", "motion": 0}]},
			{"type": "body", "id": "high", "mesh": {"block": {"corner": [0, 1], "size": [1, 1], "cells": [2, 2]}}, "young": 1000,
			 "contact": [{"group": "bottom", "body": "low", "side": "top", "friction": "f"}], "prescribed": [{"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, -0.1]]}}]}]}`,
			c.more, c.law)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = build(t.Context(), k); c.want == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v, want %q", c.more, c.law, err, c.want)
		}
	}
}
