package rigid_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
)

// TestMotors: at its limit a motor gives that, below it the joint is late by what it bears over the
// gain, and between two bodies it turns both: certified by default, and from the files.
func TestMotors(t *testing.T) {
	thorough.Seconds(t)
	const disc = `"mass": 2, "shape": {"type": "disc", "radius": 0.5}` // I = ¼
	spin := func(body, turn string, want float64) string {
		return fmt.Sprintf(`{"quantity": "spin", "body": %q, %s "value": %.12g, "tolerance": 1e-6}`, body, turn, want)
	}
	lift := func(limit string) string {
		return `"dimension": 3, "gravity": [0, 0, -10], "bodies": [{"id": "a", "mass": 3}], "joints": [{"type": "prismatic", "body": "a", "axis": [0, 0, 2], "motor": {"velocity": 0, "gain": 600` +
			limit + `}}]`
	}
	// m v̇ = −mg − gv with gain g: v falls to −mg/g·(1 − e^(−gt/m)).
	late := -3 * 10 / 600. * (1 - 3/600.*(1-math.Exp(-600/3)))
	// With a limit L it does so until gv = L, at t₁ = −m/g ln(1 − L/mg), and falls by g − L/m then.
	left := 1 - 3/600.*math.Ln2
	slips := -(30/600.*(1-left) - 3/600.*.025 + .025*left + 2.5*left*left)
	for name, c := range map[string][2]string{
		"limit": {`"dimension": 2, "bodies": [{"id": "a", ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a", "motor": {"velocity": 100, "gain": 1e4, "limit": 2}}]`, spin("a", "", 8)},
		"reached": {`"dimension": 2, "bodies": [{"id": "a", ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a", "motor": {"velocity": 3, "gain": 500, "limit": 2}}]`, spin("a", "", 3)},
		"between": {`"dimension": 2, "bodies": [{"id": "a", ` + disc + `}, {"id": "b", ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a", "to": "b", "motor": {"force": 0.5}}]`,
			spin("a", "", 2) + "," + spin("b", "", -2)},
		"in space": {`"bodies": [{"id": "a", "mass": 1, "inertia": [0.5, 0.25, 0.5]}], "joints": [{"type": "revolute", "body": "a", "axis": [0, -3, 0], "motor": {"velocity": -8, "gain": 900, "limit": 1}}]`,
			spin("a", `"axis": "y",`, 4)},
		"holds": {lift(""), fmt.Sprintf(`{"quantity": "position", "body": "a", "axis": "z", "value": %.12g, "tolerance": %g}`,
			late, 1e-3*math.Abs(late))},
		// Without damping a servo is a spring; with g = 2√(kI) it comes by 10 − 10(1 + ωt)e^(−ωt), ω = 10/s.
		"spring": {`"dimension": 3, "accuracy": 1e-3, "bodies": [{"id": "a", "mass": 1}], "joints": [{"type": "prismatic", "body": "a", "axis": [0, 0, 2], "motor": {"position": 0.1, "stiffness": 100}}]`,
			fmt.Sprintf(`{"quantity": "position", "body": "a", "axis": "z", "value": %.12g, "tolerance": 1e-3}, {"quantity": "work", "value": %.12g, "tolerance": 1e-3}`,
				.1*(1-math.Cos(10)), .5*math.Pow(math.Sin(10), 2))},
		"servo": {`"dimension": 2, "accuracy": 1e-3, "bodies": [{"id": "a", "angle": 2, ` + disc +
			`}, {"id": "b", "mass": 1e6, "shape": {"type": "disc", "radius": 9}, "angle": 1}], "joints": [{"type": "revolute", "body": "a", "to": "b", "motor": {"position": 10, "stiffness": 25, "gain": 5}}]`,
			fmt.Sprintf(`{"quantity": "angle", "body": "a", "value": %.12g, "tolerance": 1e-2}`, 12-110*math.Exp(-10))},
		"far": {`"dimension": 2, "bodies": [{"id": "a", ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a", "motor": {"position": -50, "stiffness": 900, "gain": 1, "limit": 2}}]`,
			spin("a", "", -8)},
		// Of a gain that steps are a thousand times too long for the limit counts in the mean of a step.
		"stiff": {`"dimension": 2, "alpha": 0.5, "steps": 60, "bodies": [{"id": "a", ` + disc +
			`}], "joints": [{"type": "revolute", "body": "a", "friction": 0.5, "motor": {"velocity": 3, "gain": 1e4, "limit": 2}}]`,
			`{"quantity": "angle", "body": "a", "value": 2.25, "tolerance": 0.01}`},
		"slips": {lift(`, "limit": 15`), fmt.Sprintf(`{"quantity": "position", "body": "a", "axis": "z", "value": %.12g, "tolerance": 0.01}`,
			slips)},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, `{"name": "driven", "model": "rigid", "until": 1, `+c[0]+`, "expect": [`+c[1]+`]}`, &rigid.Model)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
		})
	}
}

// TestWrongMotors: what has no effect is a fault, with the place.
func TestWrongMotors(t *testing.T) {
	for joint, want := range map[string]string{
		`"type": "fixed", "body": "b", "motor": {"force": 1}`:                                             "$.joints[0].motor: a motor with",
		`"type": "slider", "body": "b", "axis": [0, 1], "motor": {"force": 1}`:                            "one with \"velocity\" and \"limit\" is of any that turns or slides",
		`"type": "revolute", "body": "b", "motor": {}`:                                                    "either \"velocity\"",
		`"type": "revolute", "body": "b", "motor": {"position": 1}`:                                       "want \"stiffness\" beside \"position\"",
		`"type": "revolute", "body": "b", "motor": {"position": 1, "limit": 2}`:                           "\"recovery\", the time",
		`"type": "revolute", "body": "b", "motor": {"position": 1, "limit": 2, "gain": 1, "recovery": 1}`: "no \"velocity\" or \"gain\"",
		`"type": "revolute", "body": "b", "motor": {"velocity": 1, "limit": 2, "recovery": 1}`:            "$.joints[0].motor.recovery",
		`"type": "revolute", "body": "b", "motor": {"position": 1, "limit": 2, "recovery": 0}`:            "$.joints[0].motor.recovery",
		`"type": "revolute", "body": "b", "motor": {"velocity": 1, "stiffness": 2, "gain": 1}`:            "want \"position\" beside",
		`"type": "revolute", "body": "b", "motor": {"position": 1, "stiffness": 2, "force": 1}`:           "want either",
		`"type": "revolute", "body": "b", "motor": {"velocity": 1}`:                                       "want \"limit\"",
		`"type": "revolute", "body": "b", "motor": {"force": 1, "limit": 2}`:                              "no effect on a force",
		`"type": "revolute", "body": "b", "motor": {"velocity": 1, "gain": 0}`:                            "$.joints[0].motor.gain",
		`"type": "revolute", "body": "p", "motor": {"force": 1}`:                                          "is a point",
		`"type": "revolute", "body": "b", "motor": {"speed": 1}`:                                          "unknown key \"speed\"",
		`"type": "revolute", "body": "b", "motor": {"force": {"csv": "no.csv", "time": "t"}}`:             "value",
		`"type": "prismatic", "body": "b", "axis": [0, 0], "motor": {"force": 1}`:                         "want a direction",
	} {
		text := `{"name": "driven", "model": "rigid", "until": 1, "dimension": 2, "bodies": [{"id": "b", "mass": 1, "shape": {"type": "disc", "radius": 0.5}}, {"id": "p", "mass": 1, "position": [4, 0]}], "joints": [{` +
			joint + `}]}`
		refused(t, text, want)
	}
}

// refused wants a case to be refused with a text.
func refused(t *testing.T, text, want string) {
	c, err := run.Grammar([]*run.Model{&rigid.Model}).Decode("case.json", []byte(text))
	if err == nil {
		_, err = rigid.Model.Build(t.Context(), c)
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: %v, want %q", text, err, want)
	}
}
