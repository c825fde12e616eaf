package world_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

var models = []*run.Model{&rigid.Model, &patch.Theta, &patch.Compliant}

// TestGravityOfTime: a free body under gravity that turns and swings has the velocity ∫g dt at any
// step, which cannot miss a period, and its kinetic energy is the work of the load that this is. A
// component that never changes has a potential.
func TestGravityOfTime(t *testing.T) {
	const omega, f = 30 * math.Pi, 15
	until := 0.11 // no whole number of periods
	v := 5 / omega * (1 - math.Cos(omega*until))
	for i, m := range models {
		t.Run(m.Name, func(t *testing.T) {
			x := trial.Run(t, fmt.Sprintf(`{"model": %q, "until": %g, "steps": 3, "accuracy": 1, "gravity": [{"sine": {"amplitude": 5, "frequency": %d}}, {"table": [[0, 1], [0.11, 3]]}, -10],
				"bodies": [{"id": "a", "mass": 4, "shape": {"type": "sphere", "radius": 0.1}}], "expect": [
				{"quantity": "velocity", "body": "a", "axis": "x", "value": %.15g, "tolerance": 1e-12},
				{"quantity": "velocity", "body": "a", "axis": "y", "value": %.15g, "tolerance": 1e-12},
				{"quantity": "velocity", "body": "a", "axis": "z", "value": %.15g, "tolerance": 1e-12}]}`, m.Name,
				until, f, v, 2*until, -10*until), slices.Concat(models[i:], models[:i])...)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
			if n := x.Summary.Steps; n < 3*4 {
				t.Errorf("%d steps of a sine of %d cycles a second to %g s", n, f, until)
			}
			const loads = 7 // the column, after the time
			if got, want := x.Last(t, table.EnergiesFile)[loads], 2*(v*v+4*until*until); math.Abs(got-want) > 1e-11 {
				t.Errorf("work %.15g, want %.15g: ½m(∫g dt)² of the components that change", got, want)
			}
		})
	}
}

// TestGravityWritten: gravity that never changes is the same motion however it is written, and
// faults have their place.
func TestGravityWritten(t *testing.T) {
	const incline = `{"model": "rigid", "dimension": 2, "until": 0.5, "steps": 40, "accuracy": 1, "gravity": [3, %s], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.2}}, "material": "dry",
		"bodies": [{"id": "a", "mass": 4, "shape": {"type": "disc", "radius": 0.1}, "position": [0, 0.1]}], "expect": [{"quantity": "position", "body": "a", "axis": "x", "value": 0.25, "tolerance": 1e-2}]}`
	number := trial.Run(t, fmt.Sprintf(incline, "-10"), &rigid.Model)
	number.Passed(t)
	a, b := number.Last(t, table.TrajectoryFile), trial.Run(t, fmt.Sprintf(incline, `{"table": [[0, -10]]}`),
		&rigid.Model).Last(t, table.TrajectoryFile)
	for k := range a {
		if math.Abs(a[k]-b[k]) > 1e-12 {
			t.Errorf("column %d: %.15g by a number, %.15g by a table", k, a[k], b[k])
		}
	}
}

// TestGravityFaults: gravity that cannot be is refused with its place.
func TestGravityFaults(t *testing.T) {
	for gravity, want := range map[string]string{
		`[0, -1, 0]`:                       "$.gravity: found 3 components, want 2, the dimension",
		`[0, {"table": [[0, 1], [0, 2]]}]`: "$.gravity[1].table[1][0]",
		`{"sine": {"amplitude": [1, 2, 3], "frequency": 1}}`: "$.gravity.sine.amplitude: found 3 numbers, want 2",
		`[0, {"sine": {"amplitude": 1, "frequency": 1e9}}]`:  "$.gravity[1].sine: found a period of 1e-09 s",
	} {
		for _, m := range models {
			c, err := run.Grammar(models).Decode("case.json",
				fmt.Appendf(nil, `{"model": %q, "dimension": 2, "until": 1, "gravity": %s, "bodies": [{"id": "a", "mass": 1}]}`,
					m.Name, gravity))
			if err == nil {
				_, err = m.Build(t.Context(), c)
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: %v, want %q", m.Name, gravity, err, want)
			}
		}
	}
}
