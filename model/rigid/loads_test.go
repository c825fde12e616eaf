package rigid_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestLoads: torques and forces at points do what closed forms say, certified by default and from the
// files: impulses of functions of time are exact, what turns with a body turns, and the angular
// momentum in space is that of all torques.
func TestLoads(t *testing.T) {
	disc := `{"id": "b", "mass": 2, "shape": {"type": "disc", "radius": 0.5}}`                      // I = ¼
	rod := `{"id": "b", "mass": 1, "shape": {"type": "rod", "length": 1, "radius": 0}}`             // I = 1/12
	ball := `{"id": "b", "mass": 1, "shape": {"type": "sphere", "radius": 0.5}, "spin": [1, 2, 3]}` // I = 1/10
	// Impulses are exact in the plane; torques that turn in space are of second order.
	spin := func(turn string, want float64) string {
		return fmt.Sprintf(`{"quantity": "spin", "body": "b", %s "value": %.15g, "tolerance": %g}`, turn, want,
			map[bool]float64{true: 1e-9, false: 1e-4}[turn == ""])
	}
	place := func(axis string, want, tolerance float64) string {
		return fmt.Sprintf(`{"quantity": "position", "body": "b", "axis": %q, "value": %.12g, "tolerance": %g}`, axis, want, tolerance)
	}
	x, y := follower(6) // α = F l/2I
	for name, c := range map[string]struct {
		dim                  int
		body, loads, expects string
	}{
		"torque":  {2, disc, `{"body": "b", "torque": 3}`, spin("", 12)},
		"a sine":  {2, disc, `{"body": "b", "torque": {"sine": {"amplitude": 3, "frequency": 1, "offset": 1}}}`, spin("", 4)},
		"a pulse": {2, disc, `{"body": "b", "torque": {"table": [[0.3, 0], [0.301, 500], [0.302, 0]]}}`, spin("", 2)},
		"at the end": {2, rod, `{"body": "b", "at": [0.5, 0], "force": [0, 1], "axes": "body"}`,
			spin("", 6) + "," + place("x", x, 1e-3) + "," + place("y", y, 1e-3)},
		"beside": {2, rod, `{"body": "b", "force": [0, 1]}, {"body": "b", "torque": -0.5}`,
			spin("", -6) + "," + place("y", .5, 1e-9)},
		"body axes": {3, ball, `{"body": "b", "torque": [0.1, 0, 0.2], "axes": "body"}`,
			spin(`"axis": "x",`, 2) + "," + spin(`"axis": "y",`, 2) + "," + spin(`"axis": "z",`, 5)},
		"a couple": {3, ball, `{"body": "b", "at": [0, 0.5, 0], "force": [0.1, 0, 0], "axes": "body"}, {"body": "b", "at": [0, -0.5, 0], "force": [-0.1, 0, 0], "axes": "body"}`,
			spin(`"axis": "x",`, 1) + "," + spin(`"axis": "z",`, 2)},
		"rest of loads": {3, ball, `{"body": "b", "force": [2, 0, 4]}`, place("x", 1, 1e-9) + "," + place("z", 2, 1e-9)},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, fmt.Sprintf(`{"name": "pushed", "model": "rigid", "until": 1, "dimension": %d, "bodies": [%s], "loads": [%s], "expect": [%s]}`,
				c.dim, c.body, c.loads, c.expects), &rigid.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
		})
	}
}

// follower is where a force of 1 N across the end of a rod of 1 kg takes its centre in 1 s, which turns
// it by αt²/2.
func follower(alpha float64) (x, y float64) {
	const n = 1 << 16
	for k := range n {
		t := (float64(k) + .5) / n
		sin, cos := math.Sincos(alpha * t * t / 2)
		x, y = x-sin*(1-t)/n, y+cos*(1-t)/n
	}
	return x, y
}

// TestMomentumOfLoads: a brick tumbles under a torque that stays as it is in space, and under one of
// a force at a corner that goes with it: its angular momentum there is what they give.
func TestMomentumOfLoads(t *testing.T) {
	x := trial.Run(t, `{"name": "brick", "model": "rigid", "until": 1, "bodies": [{"id": "b", "mass": 6, "shape": {"type": "box", "size": [1, 2, 3]}, "spin": [1, 2, 0.5]}],
		"loads": [{"body": "b", "torque": [2, 1, -3]}]}`, &rigid.Model)
	x.Passed(t)
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
	q, v := x.Last(t, table.TrajectoryFile), x.Last(t, table.VelocitiesFile)
	w, p := q[4], [3]float64{q[5], q[6], q[7]}
	inertia := [3]float64{6. / 12 * 13, 6. / 12 * 10, 6. / 12 * 5}
	var l, want [3]float64
	for k, torque := range [3]float64{2, 1, -3} {
		l[k] = inertia[k] * v[4+k]
		want[k] = torque + inertia[k]*[3]float64{1, 2, .5}[k]
	}
	turned := vec3.Add(l, 2*w, vec3.Cross(p, l))
	turned = vec3.Add(turned, 2, vec3.Cross(p, vec3.Cross(p, l)))
	if off := vec3.Norm(vec3.Add(turned, -1, want)); off > 1e-3*vec3.Norm(want) {
		t.Errorf("angular momentum %v, want %v", turned, want)
	}
}

// TestWrongLoads: what has no effect is a fault, with the place.
func TestWrongLoads(t *testing.T) {
	for load, want := range map[string]string{
		`{"body": "b"}`: "$.loads[0]: want \"force\", \"torque\" or both",
		`{"body": "b", "at": [1, 0], "torque": 1}`:            "$.loads[0].at",
		`{"body": "b", "torque": 1, "axes": "body"}`:          "$.loads[0].axes",
		`{"body": "p", "torque": 1}`:                          "is a point",
		`{"body": "c", "torque": 1}`:                          "$.loads[0].body",
		`{"body": "b", "force": [1, 2, 3]}`:                   "$.loads[0].force",
		`{"body": "b", "torque": [1, 2, 3]}`:                  "$.loads[0].torque",
		`{"body": "b", "torque": {"sine": {"amplitude": 1}}}`: "frequency",
		`{"body": "b", "force": [1, 0], "axis": "body"}`:      "unknown key \"axis\"",
	} {
		text := `{"name": "pushed", "model": "rigid", "until": 1, "dimension": 2, "bodies": [{"id": "b", "mass": 1, "shape": {"type": "disc", "radius": 0.5}}, {"id": "p", "mass": 1, "position": [4, 0]}], "loads": [` +
			load + `]}`
		c, err := run.Grammar([]*run.Model{&rigid.Model}).Decode("case.json", []byte(text))
		if err == nil {
			_, err = rigid.Model.Build(t.Context(), c)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", load, err, want)
		}
	}
}
