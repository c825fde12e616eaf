package energetic

import (
	"errors"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/run"
)

// pulled are two blocks of the weights 10 and 20 N on a floor, μ = 3/10, tied by k = 7 N/m along x;
// the second one is pulled by t newtons. It slips from t = 6 on, x_b = 1 + (t − 6)/7, and both
// slide away at t = 9 = 30 μ, when friction has taken 6·3/7 J.
func pulled(mu, k float64) object {
	return object{"name": "pulled", "model": "energetic", "until": 12.0, "steps": "events", "until_loss": true,
		"friction": object{"dry": object{"mu": mu}},
		"particles": []any{object{"id": "a", "at": []any{0.0, 0.0, 0.0}, "friction": "dry"},
			object{"id": "b", "at": []any{1.0, 0.0, 0.0}, "friction": "dry"}},
		"energies": []any{object{"type": "bond", "between": []any{"a", "b"}, "stiffness": []any{k, k, k}},
			object{"type": "load", "particle": "a", "force": []any{0.0, 0.0, -10.0}},
			object{"type": "load", "particle": "b",
				"force": []any{object{"table": []any{[]any{0.0, 0.0}, []any{12.0, 12.0}}}, 0.0, -20.0}}},
		"expect": []any{object{"quantity": "loss_time", "value": 9.0, "tolerance": 1.0},
			object{"quantity": "displacement", "particle": "b", "axis": "x", "value": 0.0, "tolerance": 1.0},
			object{"quantity": "dissipation", "value": 0.0, "tolerance": 9.0}}}
}

// TestLossOfWalk: a walk from event to event comes to where friction holds no longer: to rounding,
// and in ratios of integers exactly.
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
	x, err := events.NewIntegrator(form, 0)
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

// TestLossDerivatives: the loss at t = 30 μ, x_b = 10 μ/k and D = 20 μ·10 μ/k there, differentiated
// by μ.
func TestLossDerivatives(t *testing.T) {
	const mu, k = 0.3, 7.
	s, err := built(t, pulled(mu, k)).Differentiate(t.Context(), func(p float64) (run.Case, error) {
		if !(p >= 0) {
			return nil, errors.New("a coefficient is not negative")
		}
		return built(t, pulled(p, k)), nil
	}, mu)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{30, 10 / k, 400 * mu / k} {
		if d := s.Quantities[i].Derivative; math.Abs(d-want) > 1e-12*(1+want) { // differences of eighth order of linear data
			t.Errorf("%s changes by %.15g, want %.15g", s.Quantities[i].Label, d, want)
		}
	}
	// 30 μ = 12 is the end of the case: beyond it nothing is lost.
	if s.To == nil || math.Abs(*s.To-0.4) > 1e-9 { // bisected to 1e-10 of μ
		t.Errorf("events keep their order up to %v (%s), want .4", s.To, s.Above)
	}
}

// TestLossBehindSlip: in equal steps the loss comes after a slip, at a node (t = 9 = 45·12/60) or
// between two, and is located, the state at it that at which friction still holds.
func TestLossBehindSlip(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps float64
		tight float64 // relative
	}{
		{"between nodes", 7, 1e-11}, {"between many", 123, 1e-11},
		// At the node friction is at its bound to rounding, 1e-12 of 20 N, which is 3e-8 m of ε =
		// 7e-4 N/m in each iteration.
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
		if math.Abs(l.From-9) > 1e-10 || math.Abs(n.Z[3]-10./7) > c.tight ||
			math.Abs(n.Dissipation-18./7) > 10*c.tight || n.Z[0] > c.tight {
			t.Errorf("%s: lost at t=%.15g, a at %g, b at %.15g, dissipated %.15g", c.name, l.From, n.Z[0], n.Z[3], n.Dissipation)
		}
		if s := e.Summary(); !s.Solved || math.Abs(l.Direction[0]-1) > 1e-9 {
			t.Errorf("%s: solved %t, direction %v", c.name, s.Solved, l.Direction)
		}
	}
}

// TestLossWhereStiffnessVaries: blocks on an incline that turns (D²E of a moving obstacle varies,
// and is none), alone and tied by a spring that may turn, tan θ = Σμm/Σm, four by stiff ones; two
// blocks pulled along a floor, tied by such a spring, t = 9; one pulled along the edge of floor and
// wall, which bear 10 and 6 N, t = μ·16. In steps that have nodes at the loss and not.
func TestLossWhereStiffnessVaries(t *testing.T) {
	ramp := object{"ramp": object{"point": []any{0.0, 0.0, 0.0}, "normal": []any{0.0, 0.0, 1.0},
		"motion": object{"rotation": object{"axis": []any{0.0, 1.0, 0.0},
			"angle": object{"table": []any{[]any{0.0, 0.0}, []any{1.0, -1.0}}}}}}}
	block := func(id string, x, mass float64, friction string) any {
		return object{"id": id, "at": []any{x, 0.0, 0.0}, "obstacle": "ramp", "friction": friction, "mass": mass}
	}
	laws := object{"dry": object{"mu": 0.5}, "wet": object{"mu": 0.2}}
	weight, spring := object{"type": "gravity"}, object{"type": "spring", "between": []any{"a", "b"}, "stiffness": 300.0}
	pull := func(end float64, y, z float64) any {
		return []any{object{"table": []any{[]any{0.0, 0.0}, []any{end, end}}}, y, z}
	}
	stiff := func(k float64) object {
		doc := object{"until": 1.0, "obstacles": ramp, "friction": laws, "energies": []any{weight},
			"particles": []any{block("a", 0, 2, "dry"), block("b", -1, 3, "wet"), block("c", -2, 2, "dry"), block("d", -3, 3, "wet")}}
		for _, pair := range []string{"ab", "bc", "cd"} {
			doc["energies"] = append(doc["energies"].([]any),
				object{"type": "spring", "between": []any{pair[:1], pair[1:]}, "stiffness": k})
		}
		return doc
	}
	floor := pulled(0.3, 7)
	floor["energies"].([]any)[0] = object{"type": "spring", "between": []any{"a", "b"}, "stiffness": 7.0}
	for _, c := range []struct {
		name  string
		doc   object
		steps []float64
		want  float64
		along [3]float64
	}{
		{"incline", object{"until": 1.0, "obstacles": ramp, "friction": laws,
			"particles": []any{block("a", 0.3, 2, "dry")}, "energies": []any{weight}},
			[]float64{50}, math.Atan(0.5), [3]float64{-2 / math.Sqrt(5), 0, -1 / math.Sqrt(5)}},
		{"two-on-it", object{"until": 1.0, "obstacles": ramp, "friction": laws,
			"particles": []any{block("a", 0, 2, "dry"), block("b", -1, 3, "wet")}, "energies": []any{weight, spring}},
			[]float64{50}, math.Atan(0.32), [3]float64{-math.Cos(math.Atan(0.32)), 0, -math.Sin(math.Atan(0.32))}},
		// The positions of blocks are rounded to forces of 1e-7 and 1e-5 N.
		{"stiff", stiff(7e6), []float64{50}, math.Atan(0.32), [3]float64{-math.Cos(math.Atan(0.32)), 0, -math.Sin(math.Atan(0.32))}},
		{"stiffer", stiff(7e8), []float64{50}, math.Atan(0.32), [3]float64{-math.Cos(math.Atan(0.32)), 0, -math.Sin(math.Atan(0.32))}},
		{"floor", floor, []float64{12, 77}, 9, [3]float64{1, 0, 0}},
		{"edge", object{"until": 10.0, "obstacles": object{"floor": object{"point": []any{0.0, 0.0, 0.0},
			"normal": []any{0.0, 0.0, 1.0}}, "wall": object{"point": []any{0.0, 0.0, 0.0}, "normal": []any{0.0, 1.0, 0.0}}},
			"friction": laws, "particles": []any{object{"id": "a", "at": []any{0.0, 0.0, 0.0},
				"obstacles": []any{"floor", "wall"}, "friction": "dry"}},
			"energies": []any{object{"type": "load", "particle": "a", "force": pull(10, -6, -10)}}},
			[]float64{50, 7}, 8, [3]float64{1, 0, 0}},
	} {
		for _, steps := range c.steps {
			c.doc["name"], c.doc["model"], c.doc["until_loss"], c.doc["steps"] = c.name, "energetic", true, steps
			k := built(t, c.doc)
			_, e, err := marched(t, k)
			lost, ok := errors.AsType[*incremental.LossError](err)
			if !ok {
				t.Errorf("%s, %g steps: %v", c.name, steps, err)
				continue
			}
			l, err := e.LocateLoss(t.Context(), lost.Time, lost)
			if err != nil {
				t.Errorf("%s, %g steps: %v", c.name, steps, err)
				continue
			}
			// Forces of 10 N to 1e-12, which grow by 1 to 20 N/s.
			if math.Abs(l.From-c.want) > 1e-10 || !e.Summary().Solved {
				t.Errorf("%s, %g steps: lost at t=%.15g, want %.15g, solved %t", c.name, steps, l.From, c.want, e.Summary().Solved)
			}
			for i, v := range k.heading(l, e.Node()) {
				if math.Abs(v-c.along[i]) > 1e-6 { // what drives is 1e-9 of the forces where the direction is found
					t.Errorf("%s, %g steps: slides away along %v, want %v", c.name, steps, k.heading(l, e.Node()), c.along)
					break
				}
			}
		}
	}
}

// TestLossOfBody: an elastic block that only its weight and friction hold on the floor, tan θ of
// the body force beyond μ at t = 1/2.
func TestLossOfBody(t *testing.T) {
	k := built(t, object{"name": "block", "model": "energetic", "until": 1.0, "steps": 9.0, "until_loss": true, "equilibrate": true,
		"obstacles": object{"floor": object{"point": []any{0.0, 0.0, 0.0}, "normal": []any{0.0, 0.0, 1.0}}},
		"friction":  object{"dry": object{"mu": 0.5}},
		"energies": []any{object{"type": "body", "id": "b",
			"mesh": object{"block": object{"size": []any{1.0, 0.25}, "cells": []any{4.0, 1.0}}}, "young": 1000.0, "poisson": 0.3,
			"contact":    []any{object{"group": "bottom", "obstacle": "floor", "friction": "dry"}},
			"body_force": []any{object{"table": []any{[]any{0.0, 0.0}, []any{1.0, 10.0}}}, -10.0}}}})
	_, e, err := marched(t, k)
	lost, ok := errors.AsType[*incremental.LossError](err)
	if !ok {
		t.Fatal(err)
	}
	l, err := e.LocateLoss(t.Context(), lost.Time, lost)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(l.From-0.5) > 1e-10 || !e.Summary().Solved { // forces of 2.5 N to 1e-12
		t.Errorf("lost at t=%.15g, solved %t", l.From, e.Summary().Solved)
	}
}
