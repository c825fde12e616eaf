package patch

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/run"
)

// TestCompliance: a point that lies on a patch of compliance ε under its weight W sinks by εW; of
// the rigid one it is as far as that, in proportion to ε, and the forces tend to the weight.
func TestCompliance(t *testing.T) {
	const text = `{"name": "lies", "model": "compliant", "dimension": 2, "gravity": [0, -10], "until": 6, "steps": 600, "accuracy": 1,
  "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "friction": {"dry": {"mu": 0.5}},
  "bodies": [{"id": "b", "mass": 2, "position": [0, 0]}],
  "contacts": [{"body": "b", "obstacle": "floor", "friction": "dry", "patch": "pad"}],
  "patches": {"pad": {"stiffness": [1000, 1000], "damping": [40, 40]}}}`
	c, err := run.Grammar([]*run.Model{&Compliant, &Theta}).Decode("case.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	built, err := Compliant.Build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	found, err := built.(*Case).Check(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	said := run.NewPage(nil, nil)
	found.Print(said)
	for _, want := range []string{"positive definite at the start, 2 velocities of 1 body",
		"all 1 patches are compliant", "contact forces of a step are unique where μ < "} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("check does not say %q:\n%s", want, said.String())
		}
	}
	k, err := built.(*Case).Convergence(100, 2)
	if err != nil {
		t.Fatal(err)
	}
	levels := make([][]byte, k.Len())
	for i := range levels {
		if levels[i], err = k.Level(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	s, err := k.Study(levels)
	if err != nil {
		t.Fatal(err)
	}
	x := s.(*study)
	if len(x.Compliance) < 3 || len(x.histories) != len(x.Compliance)+1 || x.histories[0].Name != "rigid" {
		t.Fatalf("%+v, %d histories", x.Compliance, len(x.histories))
	}
	for i, r := range x.Compliance {
		h := &x.histories[i+1]
		if q := h.Q[len(h.Q)-1]; !(math.Abs(q[1]+20*r.Factor/1000) <= 1e-6*r.Factor) { // what the dampers have left of it
			t.Errorf("factor %g: at %g, want %g", r.Factor, q[1], -20*r.Factor/1000)
		}
		if n := h.Normal[len(h.Normal)-1]; !(math.Abs(n-20) <= 1e-3) || !(r.Distance >= 20*r.Factor/1000*(1-1e-3)) {
			t.Errorf("factor %g: %g N, %g m from the rigid one", r.Factor, n, r.Distance)
		}
	}
	page := run.NewPage(nil, nil)
	s.Print(page)
	for _, want := range []string{"ε → 0", "distance to rigid"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
	if b, err := json.Marshal(s); err != nil || !strings.Contains(string(b), "compliance") {
		t.Errorf("%s, %v", b, err)
	}
	if plots := s.Plots(); len(plots) != 5 || plots[4] == nil {
		t.Errorf("plots %v", plots)
	}
}

// TestRMS: the root mean square of a difference without its first hundredth.
func TestRMS(t *testing.T) {
	a, b := make([]float64, 200), make([]float64, 200)
	a[0], a[1] = 1e9, 1e9
	for k := 2; k < 200; k++ {
		a[k], b[k] = float64(k)+3, float64(k)
	}
	if got := rms(a, b); !(math.Abs(got-3) <= 1e-14) {
		t.Errorf("%g", got)
	}
	if got := rms(a[:1], b[:1]); got != 1e9 {
		t.Errorf("of one: %g", got)
	}
}
