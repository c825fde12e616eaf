package halfspace

import (
	"fmt"
	"testing"
)

// TestForesight: what check says of the elements is what a run finds, to the scatter of counted
// elements: a sphere on few of them and on many, a rough surface.
func TestForesight(t *testing.T) {
	const text = `{"name": "hertz", "model": "halfspace", "until": 1, "steps": 8, "accuracy": %g, "window": {"elements": [%d, %[2]d], "size": [4, 4]%s}, "body": {"young": 2e3, "poisson": 0.3}, "profile": %s, "control": {"normal": {"load": {"table": [[0, 0], [1, %g]]}}}}`
	const rough = `{"rough": {"height": 0.05, "hurst": 0.8, "longest": 4, "shortest": 0.5, "seed": 7}}`
	for name, c := range map[string]struct {
		accuracy float64
		elements int
		window   string
		profile  string
		load     float64
		fails    bool
	}{
		"few":   {.02, 24, "", `{"sphere": 50}`, 30, true},
		"some":  {.02, 48, "", `{"sphere": 50}`, 30, true},
		"many":  {.1, 64, "", `{"sphere": 50}`, 30, false},
		"rough": {.02, 64, `, "kind": "periodic"`, rough, 200, true},
	} {
		t.Run(name, func(t *testing.T) {
			k := prepared(t, fmt.Sprintf(text, c.accuracy, c.elements, c.window, c.profile, c.load))
			list, err := k.foresee(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			foreseen, found := 0.0, 0.0
			for _, f := range list {
				foreseen = max(foreseen, f.Value)
			}
			r := began(t, fmt.Sprintf(text, c.accuracy, c.elements, c.window, c.profile, c.load), nil)
			r.count(0)
			for range r.c.plan.Steps {
				if err := r.Step(t.Context()); err != nil {
					t.Fatal(err)
				}
				r.count(r.step)
			}
			for _, f := range r.mesh() {
				found = max(found, f.Value)
			}
			if found > 2*foreseen || foreseen > 3*found || (found > c.accuracy) != c.fails || (foreseen > c.accuracy) != c.fails {
				t.Errorf("foreseen %.3g, found %.3g of %g", foreseen, found, c.accuracy)
			}
		})
	}
}

// TestMoreElements: numbers of a periodic side are those that its transforms take.
func TestMoreElements(t *testing.T) {
	for _, c := range []struct {
		n, times, want int
		periodic       bool
	}{{1, 3, 1, false}, {50, 3, 150, false}, {64, 3, 192, true}, {64, 5, 384, true}, {16, 7, 128, true}, {24, 3, 72, true}} {
		if got := refined(c.n, c.times, c.periodic); got != c.want {
			t.Errorf("%d, %d times: %d, want %d", c.n, c.times, got, c.want)
		}
	}
}
