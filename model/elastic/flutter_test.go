package elastic_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// pressedOnBelt is a light block whose top is pressed down by 2.5 µm (1 − cos 2.5πt/s), on a belt of 4 mm/s.
func pressedOnBelt(t *testing.T, mu, until float64, steps int) *trial.Trial {
	return trial.Run(t, fmt.Sprintf(`{"name": "pressed", "model": "elastodynamic", "until": %g, "steps": %d, "accuracy": 0.02,
		"mesh": {"block": {"size": [1, 0.5], "cells": [4, 2]}, "accuracy": "given"}, "young": 1e6, "density": 1,
		"obstacles": {"belt": {"point": [0, 0], "normal": [0, 1], "motion": {"translation": [{"table": [[0, 0], [1, 0.004]]}, 0]}}},
		"friction": {"dry": {"mu": %g}}, "contact": [{"group": "bottom", "obstacle": "belt", "friction": "dry"}],
		"prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "top", "axis": "y",
			"motion": {"sine": {"amplitude": 2.5e-6, "frequency": 1.25, "phase": 1.5707963267948966, "offset": -2.5e-6}}}]}`,
		until, steps, mu), &elastic.Model)
}

// flutter is what the verdict says of it: the growth of the mode and that in these steps [1/s].
func flutter(t *testing.T, s *table.Summary) (passed bool, rate, damped float64) {
	i := slices.IndexFunc(s.Facts, func(f table.Fact) bool { return strings.Contains(f.Name, "flutter") })
	if i < 0 {
		t.Fatal("no word of flutter")
	}
	if m := regexp.MustCompile(`grows by (\S+)/s, by (\S+)/s`).FindStringSubmatch(s.Facts[i].Place); m != nil {
		rate, _ = strconv.ParseFloat(m[1], 64)
		damped, _ = strconv.ParseFloat(m[2], 64)
	}
	return s.Facts[i].Passed, rate, damped
}

// TestFlutter: under μ = .4 two modes of the sliding block meet, and one of 1.8 kHz grows. Steps of .4 and 1.6 ms
// damp it, in the run and in the twin, so that nothing else in the verdict sees it; steps of 50 µs follow it, and
// the kinetic energy grows by twice the rate that the modes have in these steps. Under μ = .2 none grows.
func TestFlutter(t *testing.T) {
	for _, steps := range []int{256, 1000} {
		x := pressedOnBelt(t, .4, .4, steps)
		if passed, rate, damped := flutter(t, x.Summary); passed || run.Certified(x.Summary) || math.Abs(rate/75.9-1) > 1e-2 || damped > 15 {
			t.Errorf("%d steps: certified %t, a mode that grows by %g/s, by %g/s in these steps: %s", steps, passed, rate,
				damped, run.Failure(x.Summary))
		}
		for _, f := range x.Summary.Facts {
			if !f.Passed && !strings.Contains(f.Name, "flutter") {
				t.Errorf("%d steps: %s fails", steps, f.Name)
			}
		}
		goesOn(t, x.Built)
	}
	x := pressedOnBelt(t, .2, .4, 256)
	x.Passed(t)
	if passed, rate, _ := flutter(t, x.Summary); !passed || rate != 0 {
		t.Errorf("a stable block: a mode grows by %g/s", rate)
	}
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}

	x = pressedOnBelt(t, .4, .22, 4400)
	_, _, rate := flutter(t, x.Summary)
	text, err := os.ReadFile(filepath.Join(x.Dir, table.EnergiesFile))
	if err != nil {
		t.Fatal(err)
	}
	most := func(from float64) (most float64) { // of 5 ms, nine periods
		for _, line := range strings.Fields(string(text))[1:] {
			cells := strings.Split(line, ",")
			at, _ := strconv.ParseFloat(cells[0], 64)
			if kinetic, _ := strconv.ParseFloat(cells[1], 64); at >= from && at < from+5e-3 {
				most = max(most, kinetic)
			}
		}
		return most
	}
	if got := math.Log(most(.21)/most(.19)) / (2 * .02); math.Abs(got/rate-1) > .02 {
		t.Errorf("the run grows by %g/s, its modes by %g/s", got, rate)
	}
}
