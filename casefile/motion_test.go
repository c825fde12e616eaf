package casefile_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// falling is a small case with everything that the dynamic models have.
const falling = `{
  "model": "theta", "until": 0.1, "steps": 10, "theta": 0.25, "gravity": [0, 0, -9.81],
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "friction": {"dry": {"mu": 0.3}, "box": {"mu": 0.2, "facets": 4}},
  "patches": {"pad": {"stiffness": [2000, 1000, 1000], "damping": [40, 20, 20]}, "spot": {"elements": 2, "spacing": 1e-4, "epsilon": 1e-7}},
  "bodies": [
    {"id": "a", "shape": {"type": "sphere", "radius": 0.1}, "mass": 1, "position": [0, 0, 0.1], "velocity": [1, 0, 0], "spin": [0, 1, 0]},
    {"id": "b", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "mass": 2, "inertia": [0.01, 0.02, 0.03], "position": [0.5, 0, 0.1], "orientation": [1, 0, 0, 0], "drag": 0.1},
    {"id": "c", "mass": 1, "position": [0, 0.5, 0], "load": {"sine": {"amplitude": [1, 0, 0], "frequency": 2}}}
  ],
  "contacts": [
    {"body": ["a", "b"], "obstacle": "floor", "friction": "dry", "patch": "spot"},
    {"body": "c", "obstacle": "floor", "friction": "box", "patch": "pad"},
    {"between": ["a", "b"], "friction": "dry", "patch": "rigid"}
  ],
  "expect": [
    {"quantity": "position", "body": "a", "axis": "x", "min": -1},
    {"quantity": "spin", "body": "b", "axis": "z", "max": 1},
    {"quantity": "friction_force", "body": "c", "element": 1, "max": 100},
    {"quantity": "mean_normal_force", "body": "c", "from": 0.01, "max": 100}
  ]
}`

// rocking is one in the plane, with boundary values.
const rocking = `{
  "model": "theta", "until": 0.1, "steps": 10, "dimension": 2, "gravity": [0, -9.81],
  "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
  "friction": {"dry": {"mu": 0.3}},
  "patches": {"tip": {"elements": 3, "spacing": 1e-6, "epsilon": 1e-9, "poisson": 0.3, "damping": 2}},
  "bodies": [{"id": "e", "shape": {"type": "ellipse", "semi_axes": [0.1, 0.05]}, "mass": 0.05, "inertia": 1.5e-4, "position": [0, 0.0975], "angle": 1.309, "spin": 0.1}],
  "contacts": [{"body": "e", "obstacle": "floor", "friction": "dry", "patch": "tip"}],
  "boundary": {"rows": [
    {"value": 0, "terms": [{"quantity": "velocity", "at": "start", "body": "e", "axis": "x"}]},
    {"value": 0, "terms": [{"quantity": "velocity", "at": "start", "body": "e", "axis": "y"}]},
    {"value": 1.2, "terms": [{"quantity": "angle", "at": "end", "body": "e", "factor": 1}]}
  ]},
  "expect": [{"quantity": "angle", "body": "e", "value": 1.2, "tolerance": 1e-6}]
}`

func TestMotionBuilds(t *testing.T) {
	for _, text := range []string{falling, rocking} {
		m, err := decode("good.json", text)
		if err != nil {
			t.Fatal(err)
		}
		march(t, m, text)
	}
}

// patience is what a start may take: pilot runs of fifty bricks, of which one lies in another, are long.
const patience = 2 * time.Second

// march makes some steps of a case.
func march(t *testing.T, c run.Case, text string) {
	t.Helper()
	p := c.Plan()
	soon, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := c.Start(soon, nil)
	if err != nil {
		return // boundary values may have no solution
	}
	e, out := casefile.NewEvaluator(p.Expect, p.Until), &run.Output{Tables: table.Discard(p.Layout)}
	for k := range min(p.Steps, 5) + 1 {
		if k > 0 && run.Step(context.Background(), r) != nil {
			break
		}
		if err := r.Row(k, out); err != nil {
			t.Fatal(err)
		}
		e.Observe(r.Time(), r.Value)
		for i, q := range r.(run.Measured).Coordinates() {
			if math.IsNaN(q) || math.IsInf(q, 0) {
				t.Fatalf("q[%d] = %g at t = %g of\n%s", i, q, r.Time(), text)
			}
		}
	}
	e.Outcomes(true)
}

func TestMotionFaults(t *testing.T) {
	for _, c := range []struct{ base, old, with, want string }{
		{falling, `"mass": 2`, `"mass": 0`, "$.bodies[1].mass: found 0, want a number > 0"},
		{falling, `"steps": 10`, `"step": 0`, "$.step: found 0, want a number > 0"},
		{rocking, `"steps": 10,`, ``, `$.boundary: found it without "steps" (or "step")`},
		{falling, `"inertia": [0.01, 0.02, 0.03]`, `"inertia": 1`, "$.bodies[1].inertia: found one number, want three in space"},
		{falling, `"spacing": 1e-4`, `"spacing": 0.3`, "the patch is larger than the body: 0.3 m across, a sphere of 0.2 m"},
		{falling, `"body": "c"`, `"body": "d"`, `$.contacts[1].body: unknown body "d"`},
		{falling, `"obstacle": "floor", "friction": "box"`, `"obstacle": "flor", "friction": "box"`,
			`unknown obstacle "flor", the nearest valid one is "floor"`},
		{falling, `"patch": "pad"`, `"patch": "pat"`, `$.contacts[1].patch: unknown patch "pat", the nearest valid one is "pad"`},
		{falling, `"friction": "box"`, `"friction": "bx"`, `unknown friction "bx", the nearest valid one is "box"`},
		{falling, `"facets": 4`, `"facets": 5`, "Facets is 5, want an even number"},
		{falling, `"stiffness": [2000, 1000, 1000]`, `"stiffness": [2000, 1000]`, "has 2 stiffnesses, want 3, the dimension"},
		{falling, `"damping": [40, 20, 20]`, `"damping": 1`, `a lumped patch needs "damping", 3 numbers`},
		{falling, `"between": ["a", "b"]`, `"between": ["a", "a"]`, "body 0 cannot meet itself"},
		{falling, `"type": "sphere", "radius": 0.1`, `"type": "sphere"`, `the key "radius" is missing, which a sphere needs`},
		{falling, `"type": "sphere", "radius": 0.1`, `"type": "disc", "radius": 0.1`, "a disc in 3 dimensions"},
		{falling, `"type": "sphere", "radius": 0.1`, `"type": "ellipsoid", "semi_axes": [0.1, 0.1, 0.1]`,
			"the gap between an ellipsoid and a box has no closed form"},
		{falling, `"orientation": [1, 0, 0, 0]`, `"orientation": [1, 1, 0, 0]`, "want a unit quaternion"},
		{falling, `"orientation": [1, 0, 0, 0]`, `"orientation": [0, 0, 0, 0]`,
			"$.bodies[1].orientation: found zeros, want a unit quaternion"},
		{falling, `"theta": 0.25`, `"theta": 1.5`, "$.theta: found 1.5, want a number <= 1"},
		{falling, `"theta": 0.25`, `"theta": 1`, "$.theta: found 1, want less for rigid patches"},
		{falling, `"theta": 0.25`, `"form": "gap"`, `unknown key "form"`},
		{falling, `"gravity": [0, 0, -9.81]`, `"gravity": [0, -9.81]`, "$.gravity: found 2 components, want 3, the dimension"},
		{falling, `"body": "c", "element": 1`, `"body": "c", "element": 2`, `found 2, the contacts of "c" have 1 elements`},
		{falling, `"quantity": "spin", "body": "b", "axis": "z"`, `"quantity": "spin", "body": "b"`,
			`the key "axis" is missing, which spin needs`},
		{falling, `"id": "b"`, `"id": "a"`, `the id "a" is taken by $.bodies[0]`},
		{rocking, `"value": 1.2, "terms": [{"quantity": "angle", "at": "end", "body": "e", "factor": 1}]`,
			`"value": 1, "terms": [{"quantity": "velocity", "at": "start", "body": "e", "axis": "x"}]`,
			"the boundary rows 1, 3 contradict each other: [M_v N] has rank 2 of 3"},
		{rocking, `"value": 1.2, "terms": [{"quantity": "angle", "at": "end", "body": "e", "factor": 1}]`,
			`"value": 1, "terms": [{"quantity": "position", "at": "end", "body": "e", "axis": "x"}]`, "do not determine v(0)"},
		{rocking, `"quantity": "angle", "at": "end"`, `"quantity": "angle", "at": "start"`,
			"angle at the start is given, want it at the end"},
		{rocking, `{"value": 0, "terms": [{"quantity": "velocity", "at": "start", "body": "e", "axis": "y"}]},`, ``,
			"$.boundary.rows: found 2 rows, want 3"},
		{rocking, `"axis": "y"`, `"axis": "z"`, `found "z", want x or y in the plane`},
	} {
		if !strings.Contains(c.base, c.old) {
			t.Fatalf("the case has no %s", c.old)
		}
		_, err := decode("bad.json", strings.Replace(c.base, c.old, c.with, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error\n%v\nlacks\n%s", c.with, err, c.want)
		}
	}
}

// FuzzMotionMutant builds changed cases, and runs those that can be built.
func FuzzMotionMutant(f *testing.F) {
	texts := [][]byte{[]byte(falling), []byte(rocking)}
	for _, name := range []string{"ellipse", "sliding-target", "bouncing-sphere"} {
		data, err := os.ReadFile(filepath.Join("../cases", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		texts = append(texts, data)
	}
	fuzzMutants(f, texts, 12, func(t *testing.T, _ int, built run.Case, text string) { march(t, built, text) })
}
