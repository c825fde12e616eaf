package rigid_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/rigid"
)

// TestTimesOfSlip: a block that slides from the start stops at v/μg, in however long steps, and one
// that a load pulls harder and harder begins to slip where that is μmg, where μ falls there. The
// events said the ends of the steps, up to 41 % later.
func TestTimesOfSlip(t *testing.T) {
	for name, c := range map[string]struct {
		until, mu, load string
		want            map[string]float64
	}{
		"stops":         {"1", `{"mu": 0.3}`, "0", map[string]float64{"open→slip": 0, "slip→stick": 1 / 3.}},
		"in long steps": {"10", `{"mu": 0.3}`, "0", map[string]float64{"open→slip": 0, "slip→stick": 1 / 3.}},
		"pulled, begins": {"1", `{"static": 0.5, "kinetic": 0.3}`, `{"table": [[0, 0], [1, 8]]}`,
			map[string]float64{"open→stick": 0, "stick→slip": 5 / 8.}},
		"shortly before a kink": {"10", `{"mu": 0.3}`, `{"table": [[0, 0], [7, 0], [9, 3.2], [10, 3.2]]}`,
			map[string]float64{"open→stick": 0, "stick→slip": 7 + 2*3/3.2}},
	} {
		t.Run(name, func(t *testing.T) {
			v := "1"
			if c.load != "0" {
				v = "0"
			}
			x := trial.Run(t, `{"name": "slips", "model": "rigid", "dimension": 2, "until": `+c.until+
				`, "gravity": [0, -10], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
				"friction": {"f": `+c.mu+`}, "material": "f", "bodies": [{"id": "b", "mass": 1, "velocity": [`+v+
				`, 0], "load": [`+c.load+`, 0]}]}`, &rigid.Model)
			x.Passed(t)
			text, err := os.ReadFile(filepath.Join(x.Dir, "events.csv"))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
			if len(lines) != len(c.want) {
				t.Errorf("events %q, want %v", lines, c.want)
			}
			for _, line := range lines {
				cells := strings.Split(strings.TrimSpace(line), ",")
				at, err := strconv.ParseFloat(cells[0], 64)
				want, is := c.want[cells[2]+"→"+cells[3]]
				if err != nil || !is || math.Abs(at-want) > 1e-4 {
					t.Errorf("%s, want %v", line, c.want)
				}
			}
		})
	}
}

// TestLoadShortlyBeforeItsPeak: a block of 1 kg on a floor of static friction .3 and kinetic .27, pulled by a
// load that rises for 4 s to 3.004 N and falls as long, begins to slip 5.3 ms before the peak and goes by
// .0345202 m, what integrating its motion in steps of 1e-5 s gives. In steps that end at the peak the mean of
// the load is no more than friction holds: it stayed at rest, certified, however the steps were chosen. Given
// ones may be too long for it, but then they are refused.
func TestLoadShortlyBeforeItsPeak(t *testing.T) {
	const text = `{"name": "late", "model": "rigid", "dimension": 2, "until": 100, %s"gravity": [0, -10],
		"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"f": {"static": 0.3, "kinetic": 0.27}},
		"material": "f", "bodies": [{"id": "b", "mass": 1, "load": [{"table": [[0, 0], [5, 0], [9, 3.004], [13, 0]]}, 0]}],
		"expect": [{"quantity": "position", "body": "b", "axis": "x", "value": 0.0345202, "tolerance": 3.5e-4}]}`
	trial.Run(t, fmt.Sprintf(text, ""), &rigid.Model).Passed(t)
	for _, steps := range []string{`"steps": 200, `, `"steps": 200, "alpha": 0.5, `} {
		if x := trial.Run(t, fmt.Sprintf(text, steps), &rigid.Model); x.Summary.Certified && !x.Summary.Expectations[0].Met {
			t.Errorf("%s: certified at %g m", steps, *x.Summary.Expectations[0].Value)
		}
	}
}

// TestSlipThatEndsInAStep: a block of 1 kg is held by 3 N, of a floor or a joint, until for a short while its load is
// more, or what holds it less; from event to event its motion is a polynomial, whose values these are. All
// resolutions have the part from a kink to the end of the slip, or from its beginning to a kink, in one step: they
// agreed, certified, on 4 % less, and on rest where what sleeps under a constant load, or is held by a joint, is let go.
func TestSlipThatEndsInAStep(t *testing.T) {
	const peak = `{"table": [[0, 0], [7, 0], [9, 3.01], [11, 0]]}`
	const hold = `{"table": [[0, 0], [7, 0], [9, 3.01], [10, 3.01], [12, 0]]}`
	const floor = `"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "material": "f",
		"friction": {"f": {"mu": %s}}`
	on := func(mu string) string { return fmt.Sprintf(floor, mu) }
	for name, c := range map[string]struct {
		by, load string
		want     float64
	}{
		"load":   {on("0.3"), hold + ", 0", .005876302},
		"normal": {on("0.3"), `3, {"table": [[0, -10], [7, -10], [9, 0.04], [10, 0.04], [12, -10]]}`, .007166194},
		"joint": {`"joints": [{"id": "j", "type": "prismatic", "body": "b", "at": [0, 0], "axis": [1, 0], "friction": 3}]`,
			peak + ", 0", 8.577429e-7},
		"friction":      {on(`{"table": [[0, 0.6], [7, 0.6], [9, 0.299], [10, 0.299], [12, 0.6]]}`), "3, 0", .005876302},
		"friction dips": {on(`{"table": [[0, 0.6], [7, 0.6], [9, 0.299], [11, 0.6]]}`), "3, 0", 8.577429e-7},
	} {
		t.Run(name, func(t *testing.T) {
			trial.Run(t, fmt.Sprintf(`{"name": "slips", "model": "rigid", "dimension": 2, "until": 100, "gravity": [0, -10], %s,
				"bodies": [{"id": "b", "mass": 1, "load": [%s]}], "expect": [{"quantity": "position", "body": "b",
				"axis": "x", "value": %g, "tolerance": %g}]}`, c.by, c.load, c.want, .01*c.want), &rigid.Model).Passed(t)
		})
	}
}
