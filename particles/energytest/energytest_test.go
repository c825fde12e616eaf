package energytest

import (
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/particles"
)

// wrong is the energy t·x₀²x₁ with one fault at a time.
type wrong struct{ fault string }

func (w wrong) Pattern(p *particles.Pattern) {
	if w.fault != "pattern" {
		p.AddBlock(0, 0)
	}
}

func (w wrong) Value(t float64, x []float64) (e, rate float64) {
	e = t * x[0] * x[0] * x[1]
	rate = x[0] * x[0] * x[1]
	if w.fault == "value rate" {
		rate *= 1.001
	}
	return e, rate
}

func (w wrong) Gradient(grad, rate []float64, t float64, x []float64) {
	g := [2]float64{2 * x[0] * x[1], x[0] * x[0]}
	for a, v := range g {
		if grad != nil {
			grad[a] += t * v
		}
		if rate != nil {
			rate[a] += v
		}
	}
	switch {
	case w.fault == "gradient" && grad != nil:
		grad[0] += 1e-3
	case w.fault == "gradient rate" && rate != nil:
		rate[1] -= 1e-3
	case w.fault == "overwrites" && grad != nil:
		grad[1] = t * g[1]
	}
}

func (w wrong) Hessian(h *particles.Hessian, t float64, x []float64) {
	if w.fault == "pattern" {
		return
	}
	b := [9]float64{2 * t * x[1], 2 * t * x[0], 0, 2 * t * x[0], 0, 0, 0, 0, 0}
	if w.fault == "hessian" {
		b[0] += 1e-3
	}
	h.AddBlock(0, 0, &b)
}

func TestCheckFindsFaults(t *testing.T) {
	for _, tc := range []struct{ fault, want string }{
		{"value rate", "∂tE is"},
		{"gradient", "DE[0] is"},
		{"gradient rate", "∂tDE[1] is"},
		{"overwrites", "does not add"},
		{"hessian", "D²E[0][0] is"},
		{"pattern", "D²E[0][0] is 0"},
	} {
		err := Check(wrong{tc.fault}, 1.5, []float64{0.7, -0.4, 2})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("fault %q: error %v, want it to say %q", tc.fault, err, tc.want)
		}
	}
	if err := Check(wrong{}, 1.5, []float64{0.7, -0.4, 2}); err != nil {
		t.Errorf("without fault: %v", err)
	}
}
