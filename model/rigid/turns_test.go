package rigid_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestTurns: a ball that spins steadily about n = (1, 2, 2)/3 has turned by 2 atan(n_e tan θ/2) about
// an axis e of space, θ = 7t, over revolutions; a hinge by all of its way. Both go on from a checkpoint.
func TestTurns(t *testing.T) {
	const until = 2.3
	about := func(n float64) float64 { // continuous in θ
		theta := 7 * until
		half := math.Floor(theta/2/math.Pi + .5)
		return 2 * (math.Atan(n*math.Tan(theta/2)) + half*math.Pi)
	}
	is := func(axis string, want float64) string {
		return fmt.Sprintf(`{"quantity": "angle", "body": "a", "axis": %q, "value": %.15g, "tolerance": 1e-3}`, axis, want)
	}
	free := fmt.Sprintf(`"name": "turns", "until": %g, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "sphere", "radius": 0.5}, "orientation": [0.5, 0.5, -0.5, 0.5], "spin": %%s}], "expect": [%s, %s, %s]`,
		until, is("x", about(1./3)), is("y", about(2./3)), is("z", about(2./3)))
	// ω = 7(1, 2, 2)/3 in space is Rᵀω on the axes of the body, of R = (−e₂, −e₃, e₁)ᵀ.
	omega := `[4.666666666666667, -2.3333333333333335, -4.666666666666667]`
	hinge := `"name": "hinge", "until": 2, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "box", "size": [1, 2, 3]}, "spin": [0, 20, 0]}], "joints": [{"id": "j", "type": "revolute", "body": "a", "axis": [0, 1, 0]}], "expect": [{"quantity": "joint_position", "joint": "j", "value": 40, "tolerance": 0.1}, {"quantity": "angle", "body": "a", "axis": "y", "value": 40, "tolerance": 0.1}, {"quantity": "angle", "body": "a", "axis": "y", "time": 1, "value": 20, "tolerance": 0.1}]`
	for name, c := range map[string]struct {
		text   string
		models []*run.Model
	}{
		"rigid": {`{"model": "rigid", ` + fmt.Sprintf(free, omega) + `}`, []*run.Model{&rigid.Model}},
		"steps": {`{"model": "rigid", "steps": 12, ` + fmt.Sprintf(free, omega) + `}`, []*run.Model{&rigid.Model}}, // of 77 degrees
		"patch": {`{"model": "theta", "theta": 0.5, "steps": 2000, ` + fmt.Sprintf(free, omega) + `}`,
			[]*run.Model{&patch.Compliant, &patch.Theta}},
		"hinge": {`{"model": "rigid", ` + hinge + `}`, []*run.Model{&rigid.Model}},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, c.text, c.models...)
			x.Passed(t)
			if s := x.Diagnose(t); !run.Certified(s) {
				t.Error(run.Failure(s))
			}
		})
	}
}

// TestNoTurn: in space an angle needs an axis, in the plane it has none.
func TestNoTurn(t *testing.T) {
	const text = `{"name": "x", "model": "rigid", "dimension": %d, "until": 1, "bodies": [{"id": "a", "mass": 1, "shape": {"type": %q, "radius": 1}}], "expect": [{"quantity": "angle", "body": "a", %s "value": 0, "tolerance": 1}]}`
	refused(t, fmt.Sprintf(text, 3, "sphere", ""), `the key "axis" is missing, which angle needs`)
	refused(t, fmt.Sprintf(text, 2, "disc", `"axis": "x",`), `no effect on angle`)
}

// TestManyTurns: what spins at 200 rad/s on a hinge, or free in compliant, for 3 s, is turned by 600 rad to
// the accuracy on steps that are chosen; in 15 steps of 2 atan(ωh/2), a third off, it is not certified,
// though places that differ by whole revolutions are the same.
func TestManyTurns(t *testing.T) {
	thorough.Seconds(t)
	const body = `"bodies": [{"id": "b", "mass": 1, "inertia": [0.2, 0.2, 0.3], "spin": [0, 0, 200]}], "expect": [{"quantity": "angle", "body": "b", "axis": "z", "value": 600, "tolerance": 6}]`
	const hinge = `"joints": [{"id": "j", "type": "revolute", "body": "b", "at": [0, 0, 0], "axis": [0, 0, 1]}], ` + body
	for name, c := range map[string]struct {
		text      string
		model     *run.Model
		certified bool
	}{
		"hinge":       {`"model": "rigid", ` + hinge, &rigid.Model, true},
		"free":        {`"model": "compliant", ` + body, &patch.Compliant, true},
		"coarse":      {`"model": "rigid", "steps": 15, ` + hinge, &rigid.Model, false},
		"coarse free": {`"model": "compliant", "steps": 15, ` + body, &patch.Compliant, false},
	} {
		t.Run(name, func(t *testing.T) {
			x := trial.Run(t, `{"name": "spin", "until": 3, `+c.text+`}`, c.model)
			if x.Summary.Certified != c.certified {
				t.Errorf("certified is %t: %s", x.Summary.Certified, run.Failure(x.Summary))
			}
			if c.certified {
				x.Passed(t)
				if s := x.Diagnose(t); !run.Certified(s) {
					t.Error(run.Failure(s))
				}
			}
		})
	}
}

// TestMeanForce: the mean over time of N = 10 + 2t from 1 s to 2 s is 13 N, whatever steps are chosen.
func TestMeanForce(t *testing.T) {
	trial.Run(t, `{"model": "compliant", "name": "mean", "dimension": 2, "until": 2, "gravity": [0, -10], "obstacles": {"f": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"d": {"mu": 0.4}},
		"bodies": [{"id": "b", "mass": 1, "position": [0, 0], "load": [{"table": [[0, 0], [2, 8]]}, {"table": [[0, 0], [2, -4]]}]}], "contacts": [{"body": "b", "obstacle": "f", "friction": "d", "patch": "rigid"}],
		"expect": [{"quantity": "mean_normal_force", "body": "b", "from": 1, "value": 13, "tolerance": 0.01}]}`, &patch.Compliant).Passed(t)
}

// TestTurnAcross: about an axis that is next to one across the spin the turn goes by whole revolutions, each
// in an instant: 2 atan(n_e tan θ/2) of n_e = .001, whatever the steps.
func TestTurnAcross(t *testing.T) {
	const spin, until = 18.12, 0.72
	size := math.Hypot(spin, .001*spin)
	theta := size * until
	want := 2 * (math.Atan(.001/math.Hypot(1, .001)*math.Tan(theta/2)) + math.Pi*math.Floor(theta/2/math.Pi+.5))
	for _, steps := range []string{"", `"steps": 5,`, `"steps": 400,`} {
		trial.Run(t, fmt.Sprintf(`{"name": "across", "model": "rigid", %s "until": %g, "bodies": [{"id": "a", "mass": 1, "shape": {"type": "sphere", "radius": 0.5}, "spin": [0, %g, %g]}],
			"expect": [{"quantity": "angle", "body": "a", "axis": "y", "value": %.15g, "tolerance": 1e-6}]}`, steps,
			until, .001*spin, spin, want), &rigid.Model).Passed(t)
	}
}

// TestHeavyTop: a top of 1e12 kg and of moments of grams turns about the axis through its tip, which gives it no
// moment about that: its spin stays 200 rad/s to the rounding of moments of m g a h over J in the steps, and run and
// files agree.
func TestHeavyTop(t *testing.T) {
	x := trial.Run(t, `{"model": "rigid", "until": 0.0016666666666666668, "steps": 5, "alpha": 0.5, "gravity": [0, 0, -9.81],
		"bodies": [{"id": "wheel", "mass": 1e12, "inertia": [0.0026, 0.0026, 0.005], "shape": {"type": "ellipsoid", "semi_axes": [0.1, 0.1, 0.02]},
			"position": [0.0479425538604, 0, 0.087758256189], "orientation": [0.968912421711, 0, 0.247403959255, 0], "spin": [0, 0, 200]}],
		"joints": [{"id": "tip", "type": "spherical", "body": "wheel", "at": [0, 0, 0]}]}`, &rigid.Model)
	x.Passed(t)
	last := x.Last(t, table.VelocitiesFile)
	// The joint's impulse m g h = 3e9 N s at 1e-16 of .1 m beside the axis is 1e-5 rad/s a step; joint at 4e-14 m
	// beside it, the digits of the case, has no part of that impulse across both.
	if spin := last[len(last)-1]; math.Abs(spin-200) > 5e-5 {
		t.Errorf("spin %.15g, want 200 rad/s", spin)
	}
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Error(run.Failure(s))
	}
}
