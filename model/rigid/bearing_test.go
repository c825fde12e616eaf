package rigid_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// TestSteadySpin: what turns about an axis of its own at a constant rate, free or in a bearing,
// through less than two revolutions and more, has steps: its direction does not move to the last
// bit, which is a size of nothing and no number.
func TestSteadySpin(t *testing.T) {
	for _, axis := range []string{"[1, 0, 0]", "[0, 1, 0]"} {
		for _, spin := range []float64{1, 7, 30} {
			for _, joints := range []string{"", fmt.Sprintf(`, "joints": [{"type": "revolute", "body": "a", "axis": %s}]`, axis)} {
				ω := strings.ReplaceAll(axis, "1", fmt.Sprint(spin))
				x := trial.Run(t, fmt.Sprintf(`{"name": "spins", "model": "rigid", "until": 1, "bodies": [{"id": "a", "mass": 1, "inertia": [0.1, 0.2, 0.2], "spin": %s}]%s,
					"expect": [{"quantity": "kinetic_energy", "value": %g, "tolerance": 1e-9}]}`, ω, joints,
					map[bool]float64{true: .05, false: .1}[axis[1] == '1']*spin*spin), &rigid.Model)
				x.Passed(t)
			}
		}
	}
}

// TestBrokenStart: a velocity at the start that a joint does not admit is a fault where what the first
// step takes of it is more than the accuracy, and a note where it is less.
func TestBrokenStart(t *testing.T) {
	door := func(velocity float64) string {
		return fmt.Sprintf(`{"name": "door", "model": "rigid", "dimension": 2, "until": 1, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "rod", "length": 1, "radius": 0}, "position": [0.5, 0], "velocity": [0, %g], "spin": 1}],
			"joints": [{"id": "hinge", "type": "revolute", "body": "a", "friction": 0.01}]}`, velocity)
	}
	refused(t, door(0), `$.joints[0]: the velocity at the start breaks joint "hinge" (revolute) by 0.5 m/s or rad/s, and 0.0312 J of it vanish`)
	for _, v := range []float64{.49, .5} {
		x := trial.Run(t, door(v), &rigid.Model)
		x.Passed(t)
		if told := strings.Contains(strings.Join(x.Summary.Notes, " "), "breaks joint"); told != (v != .5) {
			t.Errorf("velocity %g: notes %q", v, x.Summary.Notes)
		}
	}
}

// TestRedundantJoints: joints that say what others say are no fault of a case as long as that lasts as
// the bodies move; check tells those that say something new after a small motion.
func TestRedundantJoints(t *testing.T) {
	hinges := func(tilt float64) string {
		return fmt.Sprintf(`"bodies": [{"id": "door", "mass": 2, "shape": {"type": "box", "size": [1, 0.1, 2]}, "position": [0.5, 0, 0], "velocity": [0, %g, 0], "spin": [0, 0, %[1]g]}],
			"joints": [{"type": "revolute", "body": "door", "at": [0, 0, -0.8], "axis": [0, 0, 1]}, {"id": "high", "type": "revolute", "body": "door", "at": [0, 0, 0.8], "axis": [0, %g, 1]}]`,
			0., tilt)
	}
	rods := func(second float64) string { // of a four-bar linkage; its coupler is as long as the ground
		return fmt.Sprintf(`"dimension": 2, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "rod", "length": 1, "radius": 0}, "position": [%g, %g], "angle": %g}, {"id": "c", "mass": 1, "shape": {"type": "rod", "length": 1, "radius": 0}, "position": [%g, %[2]g], "angle": %[3]g},
			{"id": "b", "mass": 1, "shape": {"type": "rod", "length": 2, "radius": 0}, "position": [%g, %g]}],
			"joints": [{"type": "revolute", "body": "a", "at": [0, 0]}, {"type": "revolute", "body": "a", "to": "b", "at": [%g, %[6]g]}, {"type": "revolute", "body": "c", "at": [2, 0]}, {"type": "revolute", "body": "c", "to": "b", "at": [%[8]g, %[6]g]}]`,
			.5*math.Cos(second), .5*math.Sin(second), second, 2+.5*math.Cos(second), 1+math.Cos(second),
			math.Sin(second), math.Cos(second), 2+math.Cos(second))
	}
	for name, c := range map[string]struct {
		text, want string
		free       int
	}{
		"two hinges of a door": {hinges(0), "", 1},
		"that are not in line": {hinges(.02), "", 0},
		"gear between bearings": {`"dimension": 2, "bodies": [{"id": "p", "mass": 1, "shape": {"type": "disc", "radius": 0.1}}, {"id": "w", "mass": 4, "shape": {"type": "disc", "radius": 0.2}, "position": [0.3, 0]}],
			"joints": [{"type": "revolute", "body": "p"}, {"type": "revolute", "body": "w", "at": [0.3, 0]}, {"type": "gear", "body": "p", "to": "w", "at": [0, 0], "other": [0.3, 0], "teeth": 20, "other_teeth": 40}]`,
			"", 1},
		"parallel rods":          {rods(1), "", 1},
		"parallel rods that lie": {rods(0), "only where they start", 2},
		"two rods in a line": {`"dimension": 2, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "rod", "length": 1, "radius": 0}, "position": [0.5, 0]}, {"id": "b", "mass": 1, "shape": {"type": "rod", "length": 1, "radius": 0}, "position": [1.5, 0]}],
			"joints": [{"type": "revolute", "body": "a"}, {"type": "revolute", "body": "a", "to": "b", "at": [1, 0]}, {"type": "revolute", "body": "b", "at": [2, 0]}]`,
			"only where they start", 1},
	} {
		t.Run(name, func(t *testing.T) {
			k, err := run.Grammar([]*run.Model{&rigid.Model}).Decode("case.json", []byte(`{"model": "rigid", "until": 1, `+c.text+`}`))
			if err != nil {
				t.Fatal(err)
			}
			built, err := rigid.Model.Build(t.Context(), k)
			if err != nil {
				t.Fatal(err)
			}
			found, err := built.(*rigid.Case).Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if list := strings.Join(found.Objections(), "; "); !strings.Contains(list, c.want) || (list == "") != (c.want == "") {
				t.Errorf("objections %q, want %q", list, c.want)
			}
			page := &run.Page{}
			found.Print(page)
			if want := fmt.Sprintf("which leave %d of", c.free); c.want == "" && name != "parallel rods" &&
				!strings.Contains(page.String(), want) {
				t.Errorf("no %q in %s", want, page.String())
			}
		})
	}
}
