package rigid

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/bodyview"
)

// TestOpenFriction: a run says where the laws leave open what friction takes. A ram that moves evenly
// pushes a block over a floor and sticks to it: with T the force upwards between the two,
//
//	N = μ(mg − T),  |T| ≤ μN:   mg/(1+μ²) ≤ mg − T ≤ mg/(1−μ²),
//
// and all of that range obeys the laws. Where bodies slide with one that sticks to them on the same
// floor, or a box slides straight on four corners, nothing is open that moves them or takes energy.
func TestOpenFriction(t *testing.T) {
	const (
		mu    = 0.4
		block = `{"id": "block", "mass": 1, "position": [0, 0.1], "velocity": [0.3, 0], "shape": {"type": "polygon", "vertices": [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [-0.2, 0.1]]}}`
		ram   = `{"id": "ram", "mass": 2, "position": [-0.25, 0.05], "velocity": [0.3, 0], "shape": {"type": "disc", "radius": 0.05}%s}`
		rail  = `, "joints": [{"type": "prismatic", "body": "ram", "at": [-0.25, 0.05], "axis": [1, 0]%s}]`
		top   = `{"id": "top", "mass": 1, "position": [0, 0.3], "velocity": [0.3, 0], "shape": {"type": "polygon", "vertices": [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}}`
	)
	for _, c := range []struct {
		name, bodies, joints string
		open                 bool
	}{
		{"motor", block + ", " + fmt.Sprintf(ram, ""), fmt.Sprintf(rail, `, "motor": {"velocity": 0.3, "limit": 100}`), true},
		{"force", block + ", " + fmt.Sprintf(ram, `, "load": [10, 0]`), fmt.Sprintf(rail, ""), true},
		{"pile", block + ", " + top, "", false},
		{"train", block + ", " + fmt.Sprintf(ram, `, "load": [12, 0]`), "", false},
	} {
		x := trial.Run(t, fmt.Sprintf(`{"model": "rigid", "dimension": 2, "until": 0.1, "steps": 10, "alpha": 0.5, "gravity": [0, -9.81], "friction": {"f": {"mu": %g}}, "material": "f",
			"obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "bodies": [%s]%s}`, mu, c.bodies, c.joints), &Model)
		var sum struct {
			Motion struct {
				Multibody struct {
					Open *bodyview.Open `json:"open_friction"`
				} `json:"multibody"`
			} `json:"motion"`
		}
		if err := json.Unmarshal([]byte(readFile(t, x.Dir, "summary.json")), &sum); err != nil {
			t.Fatal(err)
		}
		open := sum.Motion.Multibody.Open
		if (open != nil) != c.open {
			t.Errorf("%s: told %+v", c.name, open)
			continue
		}
		if c.name != "motor" {
			continue
		}
		if open.Slides != "block on floor" || open.Holds != "block on ram" {
			t.Errorf("%s: %s, %s", c.name, open.Slides, open.Holds)
		}
		// Whatever the run chose, the ends of the range are in this ratio.
		if got, want := (1+open.More)/(1-open.Less), (1+mu*mu)/(1-mu*mu); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: range %.8g, want %.8g (%+v)", c.name, got, want, open)
		}
	}
}

// TestOpenForces: of a beam of 30 N on three smooth supports each force is open, as a run says, and how
// far: x, 30 − 2x, x for 0 <= x <= 15. On two nothing is open, nor of a box on a floor.
func TestOpenForces(t *testing.T) {
	const text = `{"model": "rigid", "dimension": 2, "until": 0.1, "steps": 8, "gravity": [0, -10], "friction": {"f": {"mu": %g}}, "material": "f", "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
		"bodies": [{"id": "beam", "mass": 3, "position": [0, 0.25], "shape": {"type": "polygon", "vertices": [[-1, -0.05], [1, -0.05], [1, 0.05], [-1, 0.05]]}}, {"id": "box", "mass": 1, "position": [3, 0.1], "shape": {"type": "polygon", "vertices": [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]]}}%s],
		"expect": [%s {"quantity": "contact_force", "body": "box", "other": "floor", "axis": "y", "value": 10, "tolerance": 1e-6}]}`
	for _, mu := range []float64{0, .3} {
		for _, at := range [][]float64{{-.9, .9}, {-.9, 0, .9}} {
			supports, expect := "", ""
			for i, x := range at {
				supports += fmt.Sprintf(`, {"id": "s%d", "fixed": true, "position": [%g, 0.1], "shape": {"type": "disc", "radius": 0.1}}`,
					i, x)
				expect += fmt.Sprintf(`{"quantity": "contact_force", "body": "beam", "other": "s%d", "axis": "y", "min": -1}, `, i)
			}
			x := trial.Run(t, fmt.Sprintf(text, mu, supports, expect), &Model)
			var sum struct {
				Motion struct {
					Multibody bodyview.Multibody `json:"multibody"`
				} `json:"motion"`
			}
			if err := json.Unmarshal([]byte(readFile(t, x.Dir, "summary.json")), &sum); err != nil {
				t.Fatal(err)
			}
			list := sum.Motion.Multibody.Shares
			if want := map[int]int{2: 0, 3: 3}[len(at)]; len(list) != want {
				t.Fatalf("%d supports: %+v", len(at), list)
			}
			for i, open := range list {
				if high := []float64{15, 30, 15}[i]; open.Force != fmt.Sprintf("force y of s%d on beam", i) ||
					math.Abs(open.Low) > 1e-5 || math.Abs(open.High-high) > 1e-5 {
					t.Errorf("%+v, want up to %g", open, high)
				}
			}
		}
	}
}
