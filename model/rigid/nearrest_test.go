package rigid_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/model/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// TestNearRest: a point on a table that tilts is slowest at 2e-4 m/s of .55, and never rests. Schemes of first
// order bring it to rest, where friction at rest holds it for .1 s, as all of their twins do: 9 % of the way is lost.
// That is told, and told from one that is a tenth slower, and rests indeed. The way that is right is that of
// an integrator of a referee.
func TestNearRest(t *testing.T) {
	thorough.Seconds(t)
	const way, slow = .20895, .5 // [m], [m/s]
	for i, keys := range []string{
		`"model": "rigid", "alpha": 0.5`, `"model": "rigid", "alpha": 0.6`, `"model": "rigid"`,
		`"model": "theta", "theta": 0, "contacts": [{"body": "b", "obstacle": "o", "friction": "dry", "patch": "rigid"}]`,
		`"model": "compliant", "contacts": [{"body": "b", "obstacle": "o", "friction": "dry", "patch": "rigid"}]`,
	} {
		if strings.Contains(keys, "rigid\"") && !strings.Contains(keys, "contacts") {
			keys += `, "material": "dry"`
		}
		for _, v := range []float64{.552284773976491, slow} {
			x := trial.Run(t, fmt.Sprintf(`{"name": "b", %s, "dimension": 2, "steps": 431, "until": 0.84, "gravity": [0, -9.81], "friction": {"dry": {"static": 0.411, "kinetic": 0.272}},
  "obstacles": {"o": {"point": [0, 0], "normal": [0, 1], "motion": {"rotation": {"through": [0, 0], "angle": {"sine": {"amplitude": 0.3046, "frequency": 0.688, "phase": 1.647, "offset": -0.3037160218249346}}}}}},
  "bodies": [{"id": "b", "mass": 1.73, "position": [-0.119, 0], "velocity": [%.17g, 0.01192890738694613]}]}`, keys, v),
				&rigid.Model, &patch.Theta, &patch.Compliant)
			s := x.Summary
			if want := i == 0 || v == slow; s.Certified != want || x.Diagnose(t).Certified != want {
				t.Errorf("%s, %g m/s: certified %t: %s", keys, v, s.Certified, s.Message)
			} else if !want && !trial.Names(s, "rest about t = 0.32") {
				t.Errorf("%s: which rest is open is not told: %v", keys, s.Facts)
			}
			if end := x.Last(t, table.TrajectoryFile); i == 0 && v != slow && math.Abs(math.Hypot(end[1], end[2])-way) > 1e-4*way {
				t.Errorf("%s: comes to %v, want %g m along the table", keys, end, way)
			}
		}
	}
}

// TestPassesRest: a slip on a level floor, v = v₀ − (.9/2π)(1 − cos 2πt), misses zero at t = ½ by ±1e-9 m/s, at which friction
// at rest would hold it for good: that is not certified where the motion goes on, as that of all twins does; one that
// misses it by .05 m/s is.
func TestPassesRest(t *testing.T) {
	thorough.Seconds(t)
	const slow, held = .9 / math.Pi, .071619724 // [m/s]; the way of a slip that stops at t = ½, (v₀ − .9/2π)/2 [m]
	for _, keys := range []string{`"model": "rigid"`, `"model": "rigid", "steps": 1000`,
		`"model": "rigid", "alpha": 1, "steps": 1000`, `"model": "compliant", "steps": 1000`} {
		for _, miss := range []float64{-1e-9, 1e-9, .05} {
			if miss == .05 {
				keys = strings.Replace(keys, "1000", "3000", 1)
			}
			with := keys + `, "material": "dry"`
			if strings.Contains(keys, "compliant") {
				with = keys + `, "contacts": [{"body": "b", "obstacle": "o", "friction": "dry", "patch": "rigid"}]`
			}
			x := trial.Run(t, fmt.Sprintf(`{"name": "b", %s, "dimension": 2, "until": 3, "gravity": [{"sum": [{"sine": {"amplitude": -0.9, "frequency": 1}}, 3]}, -10],
  "friction": {"dry": {"static": 0.4, "kinetic": 0.3}}, "obstacles": {"o": {"point": [0, 0], "normal": [0, 1]}}, "bodies": [{"id": "b", "mass": 2, "position": [0, 0], "velocity": [%.17g, 0]}]}`,
				with, slow+miss), &rigid.Model, &patch.Compliant)
			s, way := x.Summary, x.Last(t, table.TrajectoryFile)[1]
			switch want := 3 * (slow/2 + miss); {
			case miss == .05:
				if !s.Certified || math.Abs(way-want) > .01*want {
					t.Errorf("%s: passes: %g m, want %g, certified %t: %s", keys, way, want, s.Certified, s.Message)
				}
			case s.Certified && math.Abs(way-held) > .01*held, x.Diagnose(t).Certified != s.Certified:
				t.Errorf("%s, misses zero by %g m/s: certified with %g m", keys, miss, way)
			case miss < 0 && way > 2*held && !trial.Names(s, "slowest at"):
				t.Errorf("%s: it is not told that the rest is open: %v", keys, s.Facts)
			}
		}
	}
}
