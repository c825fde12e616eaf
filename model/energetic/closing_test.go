package energetic

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/incremental"
)

// TestClosing: obstacles that close round a particle end the evolution with the event at the time
// at which their room is gone, and say how deep any place is inside of them later on. Walls meet at
// t = 2/3: one comes from −1 m at 3 m/s, the other stands at 1 m; two steps of .01 s beyond they
// overlap by .01 m, .005 m for each. Three walls whose normals are 120° apart come from 1 m with 3
// m/s: the circle between them has the radius 1 − 3t.
func TestClosing(t *testing.T) {
	wall := func(angle, speed float64) any {
		n := [2]float64{math.Cos(angle), math.Sin(angle)}
		end := []any{speed * n[0], speed * n[1], 0.0}
		return object{"point": []any{-n[0], -n[1], 0.0}, "normal": []any{n[0], n[1], 0.0},
			"motion": object{"translation": object{"table": []any{[]any{0.0, []any{0.0, 0.0, 0.0}}, []any{1.0, end}}}}}
	}
	third := 2 * math.Pi / 3
	for _, c := range []struct {
		name      string
		obstacles object
		time      float64
		depth     func(at float64) float64 // after the end
	}{
		{"two", object{"a": wall(0, 3), "b": wall(math.Pi, 0)}, 2. / 3, func(at float64) float64 { return (3*at - 2) / 2 }},
		{"three", object{"a": wall(0, 3), "b": wall(third, 3), "c": wall(-third, 3)}, 1. / 3, func(at float64) float64 { return 3*at - 1 }},
	} {
		var names []any
		for _, id := range []string{"a", "b", "c"} {
			if c.obstacles[id] != nil {
				names = append(names, id)
			}
		}
		k := built(t, object{"name": c.name, "model": "energetic", "until": 1.0, "steps": 100.0, "until_loss": true,
			"obstacles": c.obstacles, "friction": object{"dry": object{"mu": 0.3}},
			"particles": []any{object{"id": "p", "at": []any{0.05, 0.02, 0.0}, "obstacles": names, "friction": "dry"}},
			"anchors":   []any{object{"id": "o", "at": []any{0.05, 0.02, 0.0}}},
			"energies":  []any{object{"type": "tether", "particle": "p", "anchor": "o", "stiffness": 2.0}}, "expect": []any{}})
		nodes, e, err := marched(t, k)
		lost, ok := errors.AsType[*incremental.LossError](err)
		if !ok {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(lost.Closing) != len(names) {
			t.Errorf("%s: closing contacts %v", c.name, lost.Closing)
		}
		if want := c.depth(lost.Time); math.Abs(lost.Depth-want) > 1e-9 {
			t.Errorf("%s: at t=%g a place is %.12g m inside, want %.12g", c.name, lost.Time, lost.Depth, want)
		}
		l, err := e.LocateLoss(t.Context(), lost.Time, lost)
		if err != nil {
			t.Errorf("%s: after %d nodes: %v", c.name, len(nodes), err)
			continue
		}
		// Heights that are zero to rounding, 1e-13 of the room, are reached 1e-13 s from the end; a
		// solver may need 1e-8 of a step more room.
		if math.Abs(l.From-c.time) > 1e-10 || e.Node().T != l.From {
			t.Errorf("%s: ends at t=%.15g, want %.15g", c.name, l.From, c.time)
		}
		if !strings.Contains(l.Error(), "leave no place") {
			t.Errorf("%s: %v", c.name, l)
		}
	}
}
