package energetic

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// ran runs a changed case into a folder and diagnoses it.
func ran(t *testing.T, name string, change map[string]any) (summary, diagnosed *table.Summary, dir string) {
	t.Helper()
	doc := changed(t, name, change)
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", text)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), name)
	task, err := run.New(t.Context(), k, &Model, dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := task.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	c, err := build(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.(*Case).Diagnose(context.Background(), run.Source{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	return &task.Summary, d.Result(), dir
}

// TestEventWalk: the cases of the reference sheet walk from event to event; the certifier,
// which knows nothing of the walk, and a diagnosis of the files certify them.
func TestEventWalk(t *testing.T) {
	for _, name := range []string{"play", "play-pulsing", "grazing", "klarbring", "chain", "anisotropic", "corner",
		"corner-in-space", "groove"} {
		s, d, dir := ran(t, name, map[string]any{"steps": "events", "threshold": nil})
		for _, x := range []*table.Summary{s, d} {
			if !x.Certified {
				t.Errorf("%s: not certified: %v", name, x.Facts)
			}
		}
		if name != "chain" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, table.EventsFile))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "t,particle,from,to,within\n0.5,c1,stick,slip,0\n1.5,c2,stick,slip,0\n3,c3,stick,slip,0\n5,c4,stick,slip,0\n") {
			t.Errorf("events: %s", text)
		}
	}
}

// TestFarCornerWalk: in millimetres and with a stiff spring, some metres from the origin, the case
// corner has the same events and dissipates 1/5 of its work; what rounding of the places leaves
// turns no friction around, in the run or in its files.
func TestFarCornerWalk(t *testing.T) {
	at := []any{5.0, 7.0, -3.0}
	var rows []any
	for i, p := range [][3]float64{{-1, 0, -1}, {-1, 1, -1}, {-1, .5, -1}, {1, .5, -1}, {1, .5, 1}, {-1, .5, 1}, {-1, .5, -1}} {
		rows = append(rows, []any{i, []any{5 + p[0]/1000, 7 + p[1]/1000, -3 + p[2]/1000}})
	}
	plane := func(normal ...any) map[string]any { return map[string]any{"point": at, "normal": normal} }
	s, d, _ := ran(t, "corner", map[string]any{"steps": "events",
		"obstacles": map[string]any{"floor": plane(0, 0, 1), "wall": plane(1, 0, 0)},
		"particles": []any{map[string]any{"id": "p", "at": at, "obstacles": []any{"floor", "wall"}, "friction": "dry"}},
		"anchors":   []any{map[string]any{"id": "a", "at": map[string]any{"table": rows}}},
		"energies":  []any{map[string]any{"type": "tether", "particle": "p", "anchor": "a", "stiffness": 2e5}},
		"expect": []any{
			map[string]any{"quantity": "events", "value": 12, "tolerance": 0},
			map[string]any{"quantity": "dissipation", "value": .71875 / 5, "tolerance": 1e-11}, // 200 N times the rounding of 7 m
		}})
	for _, x := range []*table.Summary{s, d} {
		if !x.Certified {
			t.Errorf("not certified: %v", x.Facts)
		}
	}
}

// TestWalkToAccuracy: a walk in space has the nodes that an accuracy asks for; where those are not
// enough, for the turn between them has a least value, it is not told to shorten steps, of which it
// has none.
func TestWalkToAccuracy(t *testing.T) {
	list := map[float64]string{1e-4: ""}
	if thorough.Asked() {
		list[1e-7] = "looser \"accuracy\"" // 190,000 nodes
	}
	for accuracy, remedy := range list {
		s, d, _ := ran(t, "anisotropic", map[string]any{"steps": "events", "threshold": nil, "accuracy": accuracy})
		for _, x := range []*table.Summary{s, d} {
			if x.Certified != (remedy == "") {
				t.Errorf("accuracy %g: certified is %t: %v", accuracy, x.Certified, x.Facts)
			}
			for _, f := range x.Facts {
				if !f.Passed && !strings.Contains(f.Remedy, remedy) {
					t.Errorf("accuracy %g: %s: remedy %q, want %q in it", accuracy, f.Name, f.Remedy, remedy)
				}
			}
		}
	}
}

// TestEventFaults: what a walk cannot do is a fault of the input, with its place.
func TestEventFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		change map[string]any
		want   string
	}{
		{"anisotropic", map[string]any{"steps": "events", "exact": true}, "$.exact: found true, but of particle \"p\""},
		{"corner", map[string]any{"steps": "events",
			"friction": map[string]any{"dry": map[string]any{"mu": []any{0.5, 0.25}, "axis": []any{0, 1, 0}}}},
			"it has several obstacles, and the friction of one is not the same in all directions; want a number of steps"},
		{"corner", map[string]any{"steps": "events", "exact": true, "threshold": nil,
			"friction": map[string]any{"dry": map[string]any{"mu": 0.3}}},
			"$.exact: found true, but events: at t=2.5 the force along the obstacle of contact 0 turns"},
		{"groove", map[string]any{"steps": "events", "exact": true},
			"$.exact: found true, but events: the frame of particle 0 is not rational"},
		{"ripple", map[string]any{"steps": "events"}, "varies along the way"},
		{"play", map[string]any{"steps": "events", "exact": true}, "$.exact: found true, but"},
		{"play", map[string]any{"exact": true}, "$.exact: found true, which needs \"steps\": \"events\""},
		{"play", map[string]any{"steps": "events", "gamma": 0.1}, "$.gamma"},
		{"play", map[string]any{"steps": "event"}, "want \"events\""},
	} {
		text, err := json.Marshal(changed(t, c.name, c.change))
		if err != nil {
			t.Fatal(err)
		}
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", text)
		if err == nil {
			_, err = build(t.Context(), k)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: %v, want %q", c.name, c.change, err, c.want)
		}
	}
}

// TestExactPlastic: Prandtl elements in ratios of integers. An element of k = 4 N/m and the yield
// force s yields at u = s/k, and after a turn at 1 m at a distance of 2s/k from it; the end goes
// 1 m in the first second and then 1 m/s to and fro. D = 49/4 J is derived in the case.
func TestExactPlastic(t *testing.T) {
	c := buildOf(t, changed(t, "iwan", map[string]any{"steps": "events", "exact": true}))
	form, err := c.Plane.Exact(c.At)
	if err != nil {
		t.Fatal(err)
	}
	w, err := events.NewIntegrator(form, 0)
	if err != nil {
		t.Fatal(err)
	}
	until := events.Rational{}.Of(7)
	var times []string
	err = events.Prove(t.Context(), w, until, func() error {
		if w.Time().Compare(until) == 0 {
			return nil
		}
		for _, e := range w.Changes() {
			times = append(times, e.Time.String())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "1/4 1/2 1 1 3/2 2 3 3 7/2 4 5 5 11/2 6"; strings.Join(times, " ") != want {
		t.Errorf("events at %v, want %s", times, want)
	}
	if d := w.Dissipation().String(); d != "49/4" {
		t.Errorf("dissipated %s J, want 49/4", d)
	}
}

// TestWalkAgainstSteps: a walk and steps that are short meet in the end.
func TestWalkAgainstSteps(t *testing.T) {
	_, _, dir := ran(t, "grazing", map[string]any{"steps": "events", "threshold": nil})
	_, e, _ := steps(t, changed(t, "grazing", map[string]any{"steps": 2000.}))
	text, err := os.ReadFile(filepath.Join(dir, table.TrajectoryFile))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	var x [4]float64
	for i, v := range strings.Split(rows[len(rows)-1], ",") {
		if err := json.Unmarshal([]byte(v), &x[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i, z := range e.Node().Z {
		if math.Abs(x[i+1]-z) > 1e-9 { // implicit thresholds are exact at the nodes
			t.Errorf("coordinate %d: %g, in steps %g", i, x[i+1], z)
		}
	}
}

// TestLandingInCorner: a particle is drawn out of a groove of 32.5° along its left side n = (.96,
// .28), u = (−.28, .96), by an anchor at s u − n and a spring of 1 N/m: it presses by 1 N and goes
// to s − 1/8, on the way back to s + 1/8, into the corner at s = −1/8, where it is wedged and both
// sides press more at once. Of s = −1/2, 1, −1 at t = 0, 1, 3 it comes there at t = 2.125, and
// loses 7/8 there and back: 7/32 J. The steps of the walk are solutions, wherever the groove is and
// however it is turned: no height is more than rounding below 0.
func TestLandingInCorner(t *testing.T) {
	for _, turn := range []float64{0, 0.3, 1, 2, 2.5, 4} {
		c, s := math.Cos(turn), math.Sin(turn)
		at := []float64{10 * turn, 0, -7 * turn}
		turned := func(x, z float64) []any { return []any{c*x - s*z, 0.0, s*x + c*z} }
		place := func(x, z float64) []any { return []any{at[0] + c*x - s*z, 0.0, at[2] + s*x + c*z} }
		anchor := func(s float64) []any { return place(-0.28*s-0.96, 0.96*s-0.28) }
		point := place(0, 0)
		sum, diagnosed, _ := ran(t, "corner", map[string]any{
			"steps": "events", "threshold": nil, "until": 4.0,
			"obstacles": map[string]any{"left": map[string]any{"point": point, "normal": turned(0.96, 0.28)},
				"right": map[string]any{"point": point, "normal": turned(-0.96, 0.28)}},
			"friction":  map[string]any{"dry": map[string]any{"mu": 0.125}},
			"particles": []any{map[string]any{"id": "p", "at": point, "obstacles": []any{"left", "right"}, "friction": "dry"}},
			"anchors": []any{map[string]any{"id": "a",
				"at": map[string]any{"table": []any{[]any{0, anchor(-0.5)}, []any{1, anchor(1)}, []any{3, anchor(-1)},
					[]any{4, anchor(-1.5)}}}}},
			"energies": []any{map[string]any{"type": "tether", "particle": "p", "anchor": "a", "stiffness": 1}},
			// Rounding of positions of up to 50 m, and forces by them.
			"expect": []any{
				map[string]any{"quantity": "dissipation", "value": 7. / 32, "tolerance": 1e-12},
				map[string]any{"quantity": "dissipation", "time": 2.0, "value": 0.125 * (0.875 + 0.75), "tolerance": 1e-12},
				map[string]any{"quantity": "position", "particle": "p", "axis": "x", "value": point[0], "tolerance": 1e-12},
				map[string]any{"quantity": "position", "particle": "p", "axis": "x", "time": 1.0,
					"value": place(-0.28*0.875, 0)[0].(float64) - s*0.96*0.875, "tolerance": 1e-12},
				map[string]any{"quantity": "event_time", "particle": "p", "from": 2.0, "value": 2.125, "tolerance": 1e-10},
			},
		})
		for _, x := range []*table.Summary{sum, diagnosed} {
			if !x.Certified {
				t.Errorf("turned by %g: not certified: %v", turn, x.Facts)
			}
		}
	}
}

// TestProofAtRest: a walk out of a corner of rational normals, 20/29 and 12/13, and back into it is
// proven; its end is the corner.
func TestProofAtRest(t *testing.T) {
	place := func(x, z float64) []any { return []any{x, 0, z} }
	s, d, _ := ran(t, "corner", map[string]any{
		"steps": "events", "threshold": nil, "until": 4, "exact": true,
		"obstacles": map[string]any{"floor": map[string]any{"point": place(0, 0), "normal": []any{20, 0, 21}},
			"wall": map[string]any{"point": place(0, 0), "normal": []any{-12, 0, 5}}},
		"friction": map[string]any{"dry": map[string]any{"mu": 0.3}},
		"anchors": []any{map[string]any{"id": "a",
			"at": map[string]any{"table": []any{[]any{0, place(0.1, -0.5)}, []any{1, place(-0.7, 0.9)},
				[]any{2, place(0.3, 0.7)}, []any{4, place(0.1, -1.3)}}}}},
		"expect": []any{map[string]any{"quantity": "position", "particle": "p", "axis": "z", "value": 0, "tolerance": 1e-15}},
	})
	for _, x := range []*table.Summary{s, d} {
		if !x.Certified {
			t.Errorf("not certified: %v", x.Facts)
		}
	}
}

// TestFarWedge: a particle is drawn into a corner sharper than a right angle, 1,000 lengths from
// the origin and after 10⁵ s: the way there ends as near to the landing as rounding of places and
// times allows, and what the forces cost on the rest of it is no fault of a step.
func TestFarWedge(t *testing.T) {
	const text = `{"name": "far", "model": "energetic", "until": %[1]d06, "steps": "events",
		"obstacles": {"floor": {"point": [600, -800, 0], "normal": [0, 0, 1]}, "wall": {"point": [600, -800, 0], "normal": [-1, 0, -0.27]}},
		"friction": {"dry": {"mu": 0.18}}, "particles": [{"id": "p", "at": [600, -800, 0], "obstacles": ["floor", "wall"], "friction": "dry"}],
		"anchors": [{"id": "a", "at": {"table": [[0, [600, -800, 0]], [%[1]d00, [600, -800, 0]], [%[1]d01, [599.5, -800, 0.03]], [%[1]d02, [599.84, -800, 0.12]],
			[%[1]d03, [600.6, -800, -0.32]], [%[1]d04, [600.37, -800, -0.15]], [%[1]d05, [599.28, -800, -0.5]], [%[1]d06, [599.28, -800, -0.02]]]}}],
		"energies": [{"type": "tether", "particle": "p", "anchor": "a", "stiffness": [1.4, 1, 1.3]}]}`
	for _, hundreds := range []int{1, 1000} {
		x := trial.Run(t, fmt.Sprintf(text, hundreds), &Model)
		x.Passed(t)
		if d := x.Diagnose(t); !d.Certified {
			t.Errorf("after %d00 s the diagnosis: %v", hundreds, d.Facts)
		}
	}
}

// TestGrainedCorner: in the plane of the normals a corner walks with friction that is not the same
// in all directions as with that along the plane: the case corner without its motion along y, which
// loses 1/4 J less; μ along y is of no account. Axes oblique to the plane, loads out of it,
// stiffness askew and bonds are refused.
func TestGrainedCorner(t *testing.T) {
	var rows []any
	for i, p := range [][2]float64{{-1, -1}, {-1, -1}, {-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
		rows = append(rows, []any{i, []any{p[0], 0, p[1]}})
	}
	grained := func(axis ...any) map[string]any {
		return map[string]any{"dry": map[string]any{"mu": []any{0.75, 0.25}, "axis": axis}}
	}
	anchor := func(rows []any) []any {
		return []any{map[string]any{"id": "a", "at": map[string]any{"table": rows}}}
	}
	s, d, _ := ran(t, "corner", map[string]any{"steps": "events", "friction": grained(0, 1, 0), "anchors": anchor(rows), "expect": []any{
		map[string]any{"quantity": "position", "particle": "p", "axis": "x", "time": 3, "value": .75, "tolerance": 1e-10},
		map[string]any{"quantity": "dissipation", "time": 6, "value": .46875, "tolerance": 1e-10},
	}})
	for _, x := range []*table.Summary{s, d} {
		if !x.Certified {
			t.Errorf("not certified: %v", x.Facts)
		}
	}
	askew := []any{[]any{0, []any{-1, 0, -1}}, []any{6, []any{1, .001, -1}}}
	tether := func(k any) []any {
		return []any{map[string]any{"type": "tether", "particle": "p", "anchor": "a", "stiffness": k}}
	}
	for want, change := range map[string]map[string]any{
		"oblique to the plane":              {"friction": grained(1, 1, 0)},
		"is not the same in all directions": {"anchors": anchor(askew)},
		"not the same in all directions":    {"energies": tether([]any{[]any{2, .1, 0}, []any{.1, 1, 0}, []any{0, 0, 1}})},
	} {
		all := map[string]any{"steps": "events", "friction": grained(0, 1, 0), "anchors": anchor(rows), "expect": []any{}}
		for k, v := range change {
			all[k] = v
		}
		text, err := json.Marshal(changed(t, "corner", all))
		if err != nil {
			t.Fatal(err)
		}
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", text)
		if err == nil {
			_, err = build(t.Context(), k)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
