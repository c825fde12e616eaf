package casefile_test

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/model/rigid"
)

const crank = `{"model": "rigid", "until": 1, "steps": 10, "dimension": 2, "gravity": [0, -9.81],
 "obstacles": {"floor": {"point": [0, -1], "normal": [0, 1]}},
 "friction": {"dry": {"mu": 0.3, "restitution": 0.5}}, "material": "dry",
 "bodies": [{"id": "rod", "shape": {"type": "rod", "length": 1, "radius": 0}, "mass": 1, "position": [0.5, 0]}, {"id": "mass", "mass": 2, "position": [1, 0]}],
 "joints": [{"id": "pin", "type": "revolute", "body": "rod", "at": [0, 0]}, {"type": "revolute", "body": "mass", "to": "rod", "at": [1, 0]}],
 "contacts": [{"body": "rod", "obstacle": "floor", "apart": true}],
 "alpha": 0.5, "expect": [{"quantity": "drift", "max": 1e-10}, {"quantity": "angle", "body": "rod", "value": 0, "tolerance": 1}]}`

func TestBuildRigid(t *testing.T) {
	built, err := decode("crank.json", crank)
	if err != nil {
		t.Fatal(err)
	}
	c := built.(*rigid.Case)
	if p := c.Plan(); c.Options.Alpha != 0.5 || p.Steps != 10 || c.World.Bodies() != 2 || len(p.Expect) != 2 {
		t.Errorf("built %+v", c)
	}
	march(t, c, crank)
}

// Faults of cases of the model rigid: where, what was found, what is wanted.
func TestRigidFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"body": "mass", "to": "rod"`, `"body": "mas", "to": "rod"`,
			`$.joints[1].body: unknown body "mas", the nearest valid one is "mass"`},
		{`"type": "revolute", "body": "rod"`, `"type": "prismatic", "body": "rod"`,
			`$.joints[0]: the key "axis" is missing, which a prismatic joint needs`},
		{`"type": "revolute", "body": "rod"`, `"type": "prismatic", "axis": [0, 0], "body": "rod"`,
			`$.joints[0].axis: found zeros, want a direction`},
		{`"to": "rod"`, `"to": "mass"`, `$.joints[1].to: found "mass" twice, want two bodies`},
		{`"alpha": 0.5`, `"springs": [{"type": "spring", "body": "rod", "to": "rod", "stiffness": 1}], "alpha": 0.5`,
			`$.springs[0].to: found "rod" twice, want two bodies`},
		{`"type": "revolute", "body": "rod"`, `"type": "hinge", "body": "rod"`, `$.joints[0].type`},
		{`"apart": true`, `"friction": "wet"`, `unknown friction "wet"`},
		{`"apart": true`, `"apart": false`, `want either "friction" or "apart"`},
		{`"alpha": 0.5`, `"alpha": 0.5, "grid": "gaps"`, `$.alpha: found 0.5, want 1 with "grid": "gaps"`},
		{`"alpha": 0.5`, `"alpha": 0.5, "gamma": 1, "scheme": "secant"`, `$.gamma: found 1, want that of "alpha", 0.5`},
		{`"alpha": 0.5`, `"alpha": 0`, `$.alpha`},
		{`"body": "rod", "value"`, `"body": "mass", "value"`, `a point does not turn`},
		{`"quantity": "drift"`, `"quantity": "position"`, `$.expect[0]`},
		{`"at": [1, 0]`, `"at": [1, 0, 0]`, `found 3 numbers, want 2`},
		{`"at": [1, 0]}`, `"at": [1, 0], "axis": [0, 1]}`,
			`$.joints[1].axis: the key "axis" has no effect on a revolute joint in 2 dimensions`},
		{`"at": [1, 0]}`, `"at": [1, 0], "other": [0, 1]}`, `$.joints[1].other: the key "other" has no effect on a revolute joint`},
		{`"type": "revolute", "body": "mass"`, `"id": "pin", "type": "revolute", "body": "mass"`,
			`$.joints[1].id: the id "pin" is taken by $.joints[0]`},
		{`"apart": true}`, `"apart": true}, {"obstacle": "floor", "body": "rod", "friction": "dry"}`,
			`$.contacts[1]: the pair is that of $.contacts[0]`},
		{`"apart": true}`, `"apart": true}, {"between": ["mass", "mass"], "apart": true}`, `$.contacts[1].between[1]: found "mass" twice`},
		{`"alpha": 0.5`, `"springs": [{"type": "twist", "body": "rod", "stiffness": 1, "at": [0, 0]}], "alpha": 0.5`,
			`$.springs[0]: the keys "at" and "other" have no effect`},
		{`"alpha": 0.5`, `"alpha": 0.5, "restitution_law": "newtn"`, `$.restitution_law: found "newtn"`},
		{`"alpha": 0.5`, `"alpha": 0.5, "restitution_speed": 0`, `$.restitution_speed`},
		{`"mu": 0.3`, `"mu": -0.3`, `$.friction.dry.mu`},
		{`"mass": 2, "position": [1, 0]`, `"mass": 2, "position": [1, 1e999]`, `$`},
	} {
		text := strings.Replace(crank, c.old, c.new, 1)
		_, err := decode("crank.json", text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.new, err, c.want)
		}
	}
}

// In space: a body that overlaps with another or an obstacle, and moments that no body has, are
// told where they are.
func TestSpaceFaults(t *testing.T) {
	const balls = `{"model": "rigid", "until": 1, "steps": 10, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
 "friction": {"dry": {"mu": 0.3}}, "material": "dry", "bodies": [{"id": "a", "shape": {"type": "sphere", "radius": 0.1}, "mass": 1, "position": [0, 0, 0.5]},
 {"id": "b", "shape": {"type": "sphere", "radius": 0.1}, "mass": 1, "position": [0, 0, 1]}]}`
	for _, c := range []struct{ old, new, want string }{
		{`[0, 0, 1]}]`, `[0, 0, 0.6]}]`, `$.bodies[1].position: rigid: at the start body "a" and body "b" overlap by 0.1 m`},
		{`[0, 0, 0.5]`, `[0, 0, 0.05]`, `$.bodies[0].position: rigid: at the start body "a" and obstacle "floor" overlap by 0.05 m`},
		{`"mass": 1, "position": [0, 0, 1]`, `"mass": 1, "inertia": [1, 2, 5], "position": [0, 0, 1]`,
			`$.bodies[1].inertia[2]: found 5, more than the sum 3 of the other two`},
		{`"mass": 1, "position": [0, 0, 1]`, `"mass": 1, "inertia": [5, 1, 3], "position": [0, 0, 1]`,
			`$.bodies[1].inertia[0]: found 5, more than the sum 4`},
		{`"mass": 1, "position": [0, 0, 1]`, `"mass": 1, "inertia": [0.333, 0.667, 0.333], "position": [0, 0, 1]`, ``}, // a plate, typed
	} {
		_, err := decode("balls.json", strings.Replace(balls, c.old, c.new, 1))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.new, err, c.want)
		}
	}
}
