package rigid

import (
	"fmt"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

// TestSlipWeakening: a mass on a spring that is a little tighter than static friction holds jumps to where
// the spring has given what friction takes, with the stretch x at the start and μ from .6 to .35 over D,
//
//	k(xX − X²/2) = N(.35 X + .25 D/2),
//
// as a point in the plane and as a box on four corners, of which each has its share. Then it sticks.
func TestSlipWeakening(t *testing.T) {
	thorough.Seconds(t)
	for dim, body := range map[int]string{2: `"position": [0, 0]}], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "gravity": [0, -9.81], "springs": [{"other": [1, 0]`,
		3: `"shape": {"type": "box", "size": [0.4, 0.3, 0.02]}, "position": [0, 0, 0.01]}], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "gravity": [0, 0, -9.81], "springs": [{"at": [0, 0, 0.01], "other": [1, 0, 0.01]`} {
		x := trial.Run(t, fmt.Sprintf(`{"name": "jump", "model": "rigid", "dimension": %d, "until": 0.5, "steps": 400, "alpha": 0.5, "friction": {"fault": {"slip": [[0, 0.6], [0.004, 0.35]]}}, "material": "fault",
			"parameters": {"N": "=2*9.81", "x": "=1.01*0.6*N/500", "P": "=500*x-0.35*N"}, "bodies": [{"id": "b", "mass": 2, %s, "type": "spring", "body": "b", "stiffness": 500, "rest": "=1-x"}],
			"expect": [{"quantity": "position", "body": "b", "axis": "x", "value": "=(P+sqrt(P^2-500*0.004*0.25*N))/500", "tolerance": 0.00005}]}`,
			dim, body), &Model)
		x.Passed(t)
		if s := x.Diagnose(t); !run.Certified(s) {
			t.Error(run.Failure(s))
		}
	}
}

// TestSlipStays: what slides to rest, from 3 m/s by μ from .6 to .2 over half a metre, is moved by 4 N
// afterwards, more than .2 of its 10 N; what was lifted off in between has forgotten its slip, and stays.
func TestSlipStays(t *testing.T) {
	for lift, moves := range map[int]bool{0: true, 20: false} {
		x := trial.Run(t, fmt.Sprintf(`{"name": "slid", "model": "rigid", "until": 3, "steps": 600, "alpha": 0.5, "gravity": [0, -10], "dimension": 2,
			"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"f": {"slip": [[0, 0.6], [0.5, 0.2]]}}, "material": "f", "bodies": [{"id": "b", "mass": 1, "position": [0, 0], "velocity": [3, 0]}],
			"loads": [{"body": "b", "force": [{"table": [[2.7, 0], [2.71, 4]]}, {"table": [[2.3, 0], [2.31, %d], [2.35, %d], [2.36, 0]]}]}],
			"expect": [{"quantity": "position", "body": "b", "axis": "x", "time": 2.2, "value": 1.75, "tolerance": 0.005}, {"quantity": "position", "body": "b", "axis": "x", "value": 1.75, "tolerance": 0.005}]}`,
			lift, lift), &Model)
		for k, want := range []bool{true, !moves} {
			if e := &x.Summary.Expectations[k]; e.Met != want {
				t.Errorf("lifted by %d N: at %g m", lift, *e.Value)
			}
		}
	}
}

// TestWrongSlip: what is no friction over slip is a fault, with the place.
func TestWrongSlip(t *testing.T) {
	for slip, want := range map[string]string{
		`"slip": [[0.1, 0.6], [0.2, 0.3]]`:            "$.friction.f.slip: found ways [0.1 0.2], want at least two, the first one 0",
		`"slip": [[0, 0.6], [0, 0.3]]`:                "want ways that rise",
		`"slip": [[0, 0.6], [0.1, 0.3]], "mu": 0.2`:   "$.friction.f: found \"slip\" beside other coefficients",
		`"slip": [[0, 0.6]]`:                          "$.friction.f.slip",
		`"slip": [[0, 0.6], [0.1, 0.3]], "static": 1`: "beside other coefficients",
	} {
		c, err := run.Grammar([]*run.Model{&Model}).Decode("case.json",
			[]byte(`{"model": "rigid", "until": 1, "dimension": 2, "material": "f", "friction": {"f": {`+slip+
				`}}, "obstacles": {"o": {"point": [0, 0], "normal": [0, 1]}}, "bodies": [{"id": "b", "mass": 1}]}`))
		if err == nil {
			_, err = Model.Build(t.Context(), c)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", slip, err, want)
		}
	}
}
