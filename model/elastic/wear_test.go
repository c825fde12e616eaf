package elastic_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestFrictionWithState: a stiff and light block that is pressed, by u = .25 µm (1 − cos 2.5πt/s), on a belt of 4 mm/s, by
// closed forms. Rate-and-state friction that begins with the state L/v₀ of steady sliding at v₀ has θ = L/v +
// (L/v₀ − L/v) exp(−vt/L), one that begins with L/v is steady, and friction over the way has slipped vt. The files say the
// same as the run, but for a state that is changed, and a run that was stopped goes on to the same bits.
func TestFrictionWithState(t *testing.T) {
	thorough.Seconds(t)
	const v, v0, length = 4e-3, 1e-3, 1e-3
	rock := func(theta float64) string {
		return fmt.Sprintf(`"rate_state": {"mu0": 0.4, "a": 0.02, "b": 0.03, "v0": 0.001, "length": 0.001, "state": %g}`, theta)
	}
	relaxes := func(t float64) float64 {
		theta := length/v + (length/v0-length/v)*math.Exp(-v*t/length)
		return .4 + .02*math.Log(v/v0) + .03*math.Log(v0*theta/length)
	}
	for name, c := range map[string]struct {
		law string
		mu  func(t float64) float64
	}{
		"relaxes": {rock(length / v0), relaxes},
		"steady":  {rock(length / v), func(float64) float64 { return .4 - .01*math.Log(v/v0) }},
		"weakens": {`"slip": [[0, 0.5], [0.001, 0.3]]`, func(t float64) float64 { return .5 - .2*min(v*t/1e-3, 1) }},
	} {
		t.Run(name, func(t *testing.T) {
			expect := func(at, normal float64) string {
				return fmt.Sprintf(`{"quantity": "friction_force", "time": %g, "value": %.12g, "tolerance": %g}`, at,
					normal*c.mu(at), 1e-3*normal*c.mu(at))
			}
			x := trial.Run(t, `{"name": "pressed", "model": "elastodynamic", "until": 0.4, "steps": 1024, "accuracy": 0.02,
				"mesh": {"block": {"size": [1, 0.5], "cells": [2, 1]}, "accuracy": "given"}, "young": 1e7, "density": 0.002,
				"obstacles": {"belt": {"point": [0, 0], "normal": [0, 1], "motion": {"translation": [{"table": [[0, 0], [1, 0.004]]}, 0]}}},
				"friction": {"rock": {`+c.law+`}}, "contact": [{"group": "bottom", "obstacle": "belt", "friction": "rock"}],
				"prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "top", "axis": "y",
					"motion": {"sine": {"amplitude": 2.5e-7, "frequency": 1.25, "phase": 1.5707963267948966, "offset": -2.5e-7}}}],
				"expect": [`+expect(.2, 5)+`, `+expect(.4, 10)+`]}`, &elastic.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
			name := filepath.Join(x.Dir, table.ForcesFile)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(text), "\n")
			lines[100] = lines[100][:strings.LastIndexByte(lines[100], ',')] + ",0.123"
			if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
				t.Fatal(err)
			}
			if s := x.Diagnose(t); run.Certified(s) || !trial.Names(s, "forces.csv") && !trial.Names(s, "displacements.csv") {
				t.Errorf("a state that was changed: %s", run.Failure(s))
			}
			goesOn(t, x.Built)
		})
	}
}

// goesOn: a run that is stopped halfway and continued from its checkpoint is the same as one that is not.
func goesOn(t *testing.T, c run.Case) {
	start := func(from run.Decoder) run.Run {
		r, err := c.Start(t.Context(), from)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	save := func(r run.Run) *bytes.Buffer {
		b := new(bytes.Buffer)
		if err := gob.NewEncoder(b).Encode(r.Save()); err != nil {
			t.Fatal(err)
		}
		return b
	}
	whole := start(nil)
	part := start(nil)
	for k := range 40 {
		if k == 20 {
			part = start(gob.NewDecoder(save(part)))
		}
		for _, r := range []run.Run{whole, part} {
			if err := run.Step(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
	}
	// A checkpoint of a checkpoint, of which both are: gob keeps no empty lists apart from none.
	if a, b := save(start(gob.NewDecoder(save(whole)))), save(start(gob.NewDecoder(save(part)))); !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("it goes on otherwise")
	}
}
