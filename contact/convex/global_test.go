package convex

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestGlobalVerdicts: a reduction that was solved is judged on the whole problem, and one that was
// not keeps its error.
func TestGlobalVerdicts(t *testing.T) {
	m := sparse.NewBuilder(3).Build()
	for i := range m.Val {
		m.Val[i] = 2
	}
	p := &form.Global{M: m, F: []float64{0.1, 0, -1}, W: make([]float64, 3), Laws: []law.Law{law.Coulomb{Mu: 0.3}},
		H: &form.Jacobian{Dim: 3, Rows: 3, Ptr: []int{0, 3}, Row: []int{0, 1, 2}, Val: []float64{0, 1, 0, 0, 0, 1, 1, 0, 0}}}
	var exact form.Result
	if err := SolveGlobal(context.Background(), p, nil, nil, &exact); err != nil {
		t.Fatal(err)
	}
	reason := errors.New("why")
	for _, c := range []struct {
		what   string
		off    float64
		status form.Status
		merit  float64
		err    error
		want   form.Status
		keeps  bool
	}{
		{"solved", 0, form.Converged, 0, nil, form.Converged, false},
		{"nearly", 1e-9, form.Converged, 0, nil, form.Converged, false},
		{"not the whole", 1e-3, form.Converged, 0, nil, form.NumericalFailure, false},
		{"no way", 0, form.NoProgress, 1, reason, form.NoProgress, true},
		{"cancelled", 0, form.Canceled, 0, reason, form.Canceled, true},
		{"none", 0, form.Infeasible, 0, reason, form.Infeasible, true},
		{"passes, and failed", 0, form.NoProgress, 0, reason, form.NumericalFailure, false},
	} {
		res := form.Result{Status: c.status, Merit: c.merit, V: slices.Clone(exact.V), R: slices.Clone(exact.R),
			U: make([]float64, 3), Worst: -1}
		res.V[0] += c.off
		err := complete(p, new(form.Options), &res, c.err)
		if (err == nil) != (c.want == form.Converged) || c.keeps && err != reason || res.Status != c.want {
			t.Errorf("%s: %v, %v", c.what, res.Status, err)
		}
		if math.Abs(res.U[0]-exact.U[0]) > 2*math.Abs(c.off) || math.Abs(res.U[1]-exact.U[1]) > 2*math.Abs(c.off) {
			t.Errorf("%s: u = %v, want %v", c.what, res.U, exact.U)
		}
		var e *form.Error
		if !c.keeps && err != nil && (!errors.As(err, &e) || e.Tolerance != globalTolerance || c.off > 0 && !(e.Merit > 1e-4)) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	// At a tolerance as large as what is off.
	res := form.Result{Status: form.Converged, V: slices.Clone(exact.V), R: slices.Clone(exact.R), U: make([]float64, 3)}
	res.V[0] += 1e-3
	merit, _ := Residual(p, 0, res.V, res.R)
	if err := complete(p, &form.Options{Tolerance: merit}, &res, nil); err != nil {
		t.Error(err)
	}
	if complete(p, &form.Options{Tolerance: merit * 0.999}, &res, nil) == nil {
		t.Error("more than the tolerance passes")
	}
}
