package energetic

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/run"
)

// pulled are two blocks of the weights 10 and 20 N on a floor, μ = 3/10, tied by k = 7 N/m along x; the second one is
// pulled by t newtons. It slips from t = 6 on, x_b = 1 + (t − 6)/7, and both slide away at t = 9 = 30 μ, when friction has
// taken 6·3/7 J.
func pulled(mu, k float64) object {
	return object{"name": "pulled", "model": "energetic", "until": 12.0, "steps": "events", "until_loss": true,
		"friction": object{"dry": object{"mu": mu}},
		"particles": []any{object{"id": "a", "at": []any{0.0, 0.0, 0.0}, "friction": "dry"},
			object{"id": "b", "at": []any{1.0, 0.0, 0.0}, "friction": "dry"}},
		"energies": []any{object{"type": "bond", "between": []any{"a", "b"}, "stiffness": []any{k, k, k}},
			object{"type": "load", "particle": "a", "force": []any{0.0, 0.0, -10.0}},
			object{"type": "load", "particle": "b", "force": []any{object{"table": []any{[]any{0.0, 0.0}, []any{12.0, 12.0}}}, 0.0, -20.0}}},
		"expect": []any{object{"quantity": "loss_time", "value": 9.0, "tolerance": 1.0}, object{"quantity": "displacement", "particle": "b", "axis": "x", "value": 0.0, "tolerance": 1.0},
			object{"quantity": "dissipation", "value": 0.0, "tolerance": 9.0}}}
}

// TestLossOfWalk: a walk from event to event comes to where friction holds no longer: to rounding, and in ratios of integers
// to the letter.
func TestLossOfWalk(t *testing.T) {
	k := built(t, pulled(0.3, 7))
	w, err := newEventWalk(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		err = w.step(t.Context())
	}
	lost, ok := errors.AsType[*events.LossError](err)
	if !ok {
		t.Fatal(err)
	}
	w.place()
	// A dozen operations on numbers up to 30.
	if math.Abs(lost.Time-9) > 1e-14*9 || math.Abs(w.z[3]-10./7) > 1e-14 || math.Abs(float64(w.walker.Dissipation())-18./7) > 1e-13 {
		t.Errorf("lost at t=%.17g, b at %.17g, dissipated %.17g", lost.Time, w.z[3], float64(w.walker.Dissipation()))
	}
	form, err := k.Plane.Exact(k.At)
	if err != nil {
		t.Fatal(err)
	}
	x, err := events.NewWalker(form, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := events.Prove(t.Context(), x, events.Rational{}.Of(12), nil); !errors.As(err, &lost) {
		t.Fatal(err)
	}
	if x.Time().String() != "9" || x.Dissipation().String() != "18/7" {
		t.Errorf("in ratios of integers lost at t=%s, dissipated %s", x.Time(), x.Dissipation())
	}
}

// TestLossDerivatives: the loss at t = 30 μ, x_b = 10 μ/k and D = 20 μ·10 μ/k there, differentiated.
func TestLossDerivatives(t *testing.T) {
	const mu, k = 0.3, 7.
	for _, x := range []struct {
		by     string
		at     float64
		family func(p float64) object
		want   [3]float64
	}{
		{"friction", mu, func(p float64) object { return pulled(p, k) }, [3]float64{30, 10 / k, 400 * mu / k}},
		{"stiffness", k, func(p float64) object { return pulled(mu, p) }, [3]float64{0, -10 * mu / (k * k), -200 * mu * mu / (k * k)}},
	} {
		s, err := built(t, x.family(x.at)).Differentiate(t.Context(), func(p float64) (run.Case, error) {
			if !(p >= 0) {
				return nil, errors.New("a coefficient and a stiffness are not negative")
			}
			return built(t, x.family(p)), nil
		}, x.at)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range x.want {
			if d := s.Quantities[i].Derivative; math.Abs(d-want) > 1e-12*(1+math.Abs(want)) { // differences of eighth order of linear data
				t.Errorf("by %s: %s changes by %.15g, want %.15g", x.by, s.Quantities[i].Label, d, want)
			}
		}
		// 30 μ = 12 is the end of the case: beyond it nothing is lost.
		if x.by == "friction" && (s.To == nil || math.Abs(*s.To-0.4) > 1e-9) { // bisected to 1e-10 of μ
			t.Errorf("events keep their order up to %v (%s), want .4", s.To, s.Above)
		}
	}
}

// TestLossBehindSlip: in equal steps the loss comes after a slip, at a node (t = 9 = 45·12/60) or between two, and is located, the
// state at it that at which friction still holds.
func TestLossBehindSlip(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps float64
		tight float64 // relative
	}{
		{"between nodes", 7, 1e-11}, {"between many", 123, 1e-11},
		// At the node friction is at its bound to rounding, 1e-12 of 20 N, which is 3e-8 m of ε = 7e-4 N/m in each iteration.
		{"at a node", 60, 1e-6}, {"at a node of few", 4, 1e-6},
	} {
		doc := pulled(0.3, 7)
		doc["steps"] = c.steps
		_, e, err := marched(t, built(t, doc))
		lost, ok := errors.AsType[*incremental.LossError](err)
		if !ok {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		l, err := e.LocateLoss(t.Context(), lost.Time, lost)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		n := e.Node()
		if math.Abs(l.From-9) > 1e-10 || math.Abs(n.Z[3]-10./7) > c.tight || math.Abs(n.Dissipation-18./7) > 10*c.tight || n.Z[0] > c.tight {
			t.Errorf("%s: lost at t=%.15g, a at %g, b at %.15g, dissipated %.15g", c.name, l.From, n.Z[0], n.Z[3], n.Dissipation)
		}
		if s := e.Summary(); !s.Solved || math.Abs(l.Direction[0]-1) > 1e-9 {
			t.Errorf("%s: solved %t, direction %v", c.name, s.Solved, l.Direction)
		}
	}
}
