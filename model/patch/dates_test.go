package patch_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/patch"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestDates: a block that a load rt draws holds up to t₁ = μ_s mg/r, slides by
// v = r(t² − t₁²)/2m − μ_k g(t − t₁), and stops after the load is taken off. Both times are within what the
// events of a run say, and so is the first slip; what slides at the start does so from there on.
func TestDates(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 5))
	between := func(from, to float64) float64 { return from + (to-from)*r.Float64() }
	const g, off = 10., .001
	for k := range 12 {
		static, m, rate := between(.3, .7), between(.5, 3), between(.8, 1.2)
		kinetic := static * between(.5, .9)
		first, fall := rate, rate+between(.2, .4)
		draw := static * m * g / first
		v := draw*(fall*fall-first*first)/(2*m) - kinetic*g*(fall-first) + draw*fall*off/(2*m) - kinetic*g*off
		last := fall + off + v/(kinetic*g)
		model, keys := &patch.Theta, fmt.Sprintf(`"theta": %g, `, []float64{0, .3, .5}[k%3])
		if k%4 == 3 {
			model, keys = &patch.Compliant, ""
		}
		if k%2 == 1 {
			keys += `"steps": 300, `
		}
		x := trial.Run(t, fmt.Sprintf(`{"name": "b", "model": %q, %s"dimension": 2, "gravity": [0, %g], "until": %g, "accuracy": 0.1,
  "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"static": %.17g, "kinetic": %.17g}},
  "bodies": [{"id": "b", "mass": %.17g, "position": [0, 0], "load": [{"table": [[0, 0], [%.17g, %.17g], [%.17g, 0]]}, 0]},
    {"id": "c", "mass": 1, "position": [9, 0], "velocity": [1, 0]}],
  "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "rigid"}, {"body": "c", "obstacle": "floor", "friction": "dry", "patch": "rigid"}],
  "expect": [{"quantity": "first_slip", "body": "b", "element": 1, "value": %.17g, "tolerance": 0.05}, {"quantity": "first_slip", "body": "c", "element": 1, "value": 0, "tolerance": 0}]}`,
			model.Name, keys, -g, last+.2, static, kinetic, m, fall, draw*fall, fall+off, first), model, &patch.Compliant, &patch.Theta)
		for _, e := range x.Summary.Expectations {
			if !e.Met {
				t.Errorf("%d: %s: %s, want %.9g", k, e.Label, e.Found(), *e.Want)
			}
		}
		for what, want := range map[string]float64{"b/floor,stick,slide": first, "b/floor,slide,stick": last,
			"c/floor,slide,stick": 1 / (kinetic * g)} {
			at, within := dateOf(t, x, what)
			if !(math.Abs(at-want) <= within) || !(within < .1) {
				t.Errorf("%d: %s at %.6g ± %.2g s, truly at %.6g", k, what, at, within, want)
			}
		}
	}
}

// TestSlidesAtItsFastest: a box that a load draws, less and less, is fastest where friction over its slip has the size of the
// load. It sticks nowhere, as friction of a slip takes less than friction at rest.
func TestSlidesAtItsFastest(t *testing.T) {
	thorough.Seconds(t)
	for k := range 6 {
		first := 5 + .3*float64(k)
		x := trial.Run(t, fmt.Sprintf(`{"name": "b", "model": "theta", "theta": 0, "dimension": 2, "gravity": [0, -10], "until": 0.4, "steps": 3000,
  "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"static": 0.46, "kinetic": 0.283, "speed": 0.561}},
  "bodies": [{"id": "b", "mass": 1, "position": [0, 0.02], "velocity": [0.3, 0], "load": [{"table": [[0, %g], [0.4, 3]]}, 0],
    "shape": {"type": "polygon", "vertices": [[-0.4, -0.02], [0.4, -0.02], [0.4, 0.02], [-0.4, 0.02]]}}],
  "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "rigid"}]}`, first), &patch.Theta, &patch.Compliant)
		if at, _ := dateOf(t, x, "b/floor.1,slide,stick"); !math.IsNaN(at) {
			t.Errorf("%g N at first: sticks at %g s", first, at)
		}
	}
}

// dateOf is what events.csv says of a change.
func dateOf(t *testing.T, x *trial.Trial, what string) (at, within float64) {
	t.Helper()
	f, err := os.Open(filepath.Join(x.Dir, table.EventsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at = math.NaN()
	for _, row := range rows[1:] {
		if row[1]+","+row[2]+","+row[3] == what {
			at, err = strconv.ParseFloat(row[0], 64)
			if err == nil {
				within, err = strconv.ParseFloat(row[4], 64)
			}
			if err != nil {
				t.Fatal(row)
			}
		}
	}
	return at, within
}

var _ run.Doubter = (*patch.Run)(nil)
