package contact

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

// TestWordsOfVerdicts: what an error says of complementarity problems without a solution, and of
// which contact.
func TestWordsOfVerdicts(t *testing.T) {
	var ws lcp.LCPWorkspace
	for _, c := range []struct {
		res  lcp.LCPResult
		want string
	}{
		{lcp.LCPResult{Status: Infeasible, Farkas: []float64{1}}, "Farkas"},
		{lcp.LCPResult{Status: Infeasible, Nodes: 7}, "shown in 7 nodes"},
		{lcp.LCPResult{Status: NoProgress, Farkas: []float64{1}, Nodes: 3}, "undecided after 3 nodes"},
		{lcp.LCPResult{Status: NoProgress, Ray: []float64{1}}, lcp.ErrRay.Error()},
	} {
		var e *Error
		if err := ws.Verdict(t.Context(), &c.res); !errors.As(err, &e) || e.Worst != -1 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	var e *Error
	// x = 1 and x = 2.
	err := lcp.SolveMLCP(t.Context(), &lcp.MLCP{M: []float64{1, 1}, Q: []float64{-1, -2}, Equality: []bool{true}}, nil,
		nil, new(lcp.MLCPResult))
	if !errors.As(err, &e) || e.Worst != -1 || e.Status != Infeasible {
		t.Errorf("%v", err)
	}
	for at, want := range map[int]bool{-1: false, 0: true, 1: true} {
		if got := strings.Contains(form.Criterion{Contact: at}.Describe(), "worst at contact"); got != want {
			t.Errorf("contact %d is named: %t", at, got)
		}
	}
}

// TestNamesOfMethods: each has its own, and what is none has one too.
func TestNamesOfMethods(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range append(form.Methods(), Method(-1), Method(len(form.MethodNames))) {
		if name := m.String(); name == "" || seen[name] {
			t.Errorf("%d is called %q", int(m), name)
		} else {
			seen[name] = true
		}
	}
}

// TestGlobalRefuses: what a problem in all velocities may not be.
func TestGlobalRefuses(t *testing.T) {
	good := func() *Global {
		p := diagonalProblem([3]float64{2, 2, 2}, [3]float64{0.1, 0, -1}, 0, Tresca{Threshold: 0.3})
		p.G, p.B = &Columns{Rows: 3, Ptr: []int{0, 1, 2}, Row: []int{0, 1}, Val: []float64{1, 1}}, []float64{0, 0}
		return p
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(p *Global){
		"M and H are required": func(p *Global) { p.H = nil },
		"M and H are":          func(p *Global) { p.M = nil },
		"F has 2":              func(p *Global) { p.F = p.F[:2] },
		"H.Dim is 1":           func(p *Global) { p.H = &Jacobian{Dim: 1, Rows: 3, Ptr: p.H.Ptr} },
		"H.Dim is 7":           func(p *Global) { p.H = &Jacobian{Dim: 7, Rows: 3, Ptr: p.H.Ptr} },
		"H has 2 rows":         func(p *Global) { h := *p.H; h.Rows = 2; p.H = &h },
		"H has 1 contacts":     func(p *Global) { p.Laws = nil },
		"W has 4":              func(p *Global) { p.W = append(p.W, 0) },
		"G.Ptr does not span":  func(p *Global) { p.G.Ptr[2] = 1 },
		"G.Ptr does not":       func(p *Global) { p.G.Ptr[0] = 1 },
		"G.Ptr does":           func(p *Global) { p.G.Ptr = nil },
		"G has 4 rows":         func(p *Global) { p.G.Rows = 4 },
		"G.Val has 1":          func(p *Global) { p.G.Val = p.G.Val[:1] },
		"G.Ptr falls":          func(p *Global) { p.G.Ptr = []int{0, 3, 2} },
		"G.Row[1] is 3":        func(p *Global) { p.G.Row[1] = 3 },
		"G.Row[0] is -1":       func(p *Global) { p.G.Row[0] = -1 },
		"G[1] is NaN":          func(p *Global) { p.G.Val[1] = math.NaN() },
		"B has 1":              func(p *Global) { p.B = p.B[:1] },
		"B[0] is +Inf":         func(p *Global) { p.B[0] = math.Inf(1) },
		"law of contact 0":     func(p *Global) { p.Laws[0] = Tresca{Threshold: -1} },
		"F[2] is NaN":          func(p *Global) { p.F[2] = math.NaN() },
		"W[0] is NaN":          func(p *Global) { p.W[0] = math.NaN() },
	} {
		p := good()
		if spoil(p); p.Validate() == nil || !strings.Contains(p.Validate().Error(), what) {
			t.Errorf("%s: %v", what, p.Validate())
		}
	}
	wide := &Global{M: good().M, F: make([]float64, 3), H: &Jacobian{Dim: 4, Rows: 3, Ptr: []int{0, 0}},
		W: make([]float64, 4), Laws: []Law{Rolling{}}}
	if err := wide.Validate(); err != nil || wide.ValidateForces() == nil {
		t.Errorf("with moments: %v, %v", err, wide.ValidateForces())
	}
	six := &Global{M: good().M, F: make([]float64, 3), H: &Jacobian{Dim: 6, Rows: 3, Ptr: []int{0, 0}},
		W: make([]float64, 6), Laws: []Law{Rolling{}}}
	if err := six.Validate(); err != nil {
		t.Error(err)
	}
}

// TestLocalRefuses: what a problem may not be, with the number that is wrong.
func TestLocalRefuses(t *testing.T) {
	good := func() *Local {
		return &Local{W: diagonal(3, 1, 1, 1), Q: []float64{-1, 0, 0}, Laws: []Law{Coulomb{Mu: 1}}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	four := &Local{W: diagonal(4, 1, 1, 1, 1), Q: make([]float64, 4), Laws: []Law{Rolling{Spin: .5}}}
	if err := four.Validate(); err != nil {
		t.Error(err)
	}
	flat := &Local{W: diagonal(2, 1, 1), Q: make([]float64, 2), Laws: []Law{Rolling{Mu: 0.5}}}
	if err := flat.Validate(); err != nil {
		t.Error(err)
	}
	for what, spoil := range map[string]func(p *Local){
		"W is required":    func(p *Local) { p.W = nil },
		"Q has 2":          func(p *Local) { p.Q = p.Q[:2] },
		"2 laws for 1":     func(p *Local) { p.Laws = append(p.Laws, Frictionless{}) },
		"is missing":       func(p *Local) { p.Laws[0] = nil },
		"law of contact 0": func(p *Local) { p.Laws[0] = Coulomb{Mu: -1} },
		"resistance":       func(p *Local) { p.Laws[0] = Rolling{Resistance: 0.5} },
		"resistance to":    func(p *Local) { p.Laws[0] = Rolling{Spin: 0.5} },
		"leaves the plane": func(p *Local) {
			p.W, p.Q, p.Laws[0] = diagonal(2, 1, 1), p.Q[:2], Coulomb{Mu: 1, Shape: NewShape([4]float64{1, 0.5, 0, 1})}
		},
		"Q[1] is NaN":       func(p *Local) { p.Q[1] = math.NaN() },
		"entry of Q is 2e+": func(p *Local) { p.Q[0] = 2e50 },
		"entry of Q is 5e-": func(p *Local) { p.Q[0] = -5e-51 },
		"entry of W is":     func(p *Local) { p.W = diagonal(3, 1e51, 1, 1) },
		"multiple of 3":     func(p *Local) { p.W = &Dense{D: 3, N: 4, Val: make([]float64, 16)} },
		"Dense.Val has 8":   func(p *Local) { p.W = &Dense{D: 3, N: 3, Val: make([]float64, 8)} },
		"Dense.D is 1":      func(p *Local) { p.W = &Dense{D: 1, N: 3, Val: make([]float64, 9)} },
		"Dense.D is 7":      func(p *Local) { p.W = &Dense{D: 7, N: 7, Val: make([]float64, 49)} },
		"Dense.N is -3":     func(p *Local) { p.W = &Dense{D: 3, N: -3, Val: make([]float64, 9)} },
		"Blocks.D is 1":     func(p *Local) { p.W = &Blocks{D: 1, Ptr: []int{0, 1}, Col: []int{0}, Val: make([]float64, 1)} },
		"Blocks.D is 7":     func(p *Local) { p.W = &Blocks{D: 7, Ptr: []int{0, 1}, Col: []int{0}, Val: make([]float64, 49)} },
		"does not span":     func(p *Local) { p.W = &Blocks{D: 3, Ptr: []int{0, 2}, Col: []int{0}, Val: make([]float64, 9)} },
		"does not span Bl":  func(p *Local) { p.W = &Blocks{D: 3, Ptr: []int{1, 1}, Col: []int{0}, Val: make([]float64, 9)} },
		"does not span Blo": func(p *Local) { p.W = &Blocks{D: 3} },
		"Blocks.Val has 8":  func(p *Local) { p.W = &Blocks{D: 3, Ptr: []int{0, 1}, Col: []int{0}, Val: make([]float64, 8)} },
		"falls at row 1": func(p *Local) {
			p.W = &Blocks{D: 3, Ptr: []int{0, 2, 1, 2}, Col: []int{0, 1}, Val: make([]float64, 18)}
		},
		"Blocks.Col[0] is 1": func(p *Local) {
			p.W = &Blocks{D: 3, Ptr: []int{0, 1}, Col: []int{1}, Val: make([]float64, 9)}
		},
		"Blocks.Col[0] is -1": func(p *Local) {
			p.W = &Blocks{D: 3, Ptr: []int{0, 1}, Col: []int{-1}, Val: make([]float64, 9)}
		},
	} {
		p := good()
		if spoil(p); p.Validate() == nil || !strings.Contains(p.Validate().Error(), what) {
			t.Errorf("%s: %v", what, p.Validate())
		}
	}
	for _, x := range []float64{1e-50, 1e50, 0} {
		if err := form.InRange("x", []float64{0, -x}); err != nil {
			t.Error(err)
		}
	}
	if (*Local)(nil).Validate() == nil || errors.Join(form.InRange("x", []float64{1, math.NaN()})) == nil {
		t.Error("nil, or NaN")
	}
	for k, o := range []Options{{Tolerance: -1e-300}, {Tolerance: 1}, {Tolerance: math.NaN()}, {Method: -1},
		{Method: Method(len(form.MethodNames))}, {MaxIterations: -1}} {
		if o.Validate() == nil {
			t.Errorf("options %d: %+v", k, o)
		}
	}
	for k, o := range []Options{{}, {Tolerance: 0.999}, {Method: Method(len(form.MethodNames) - 1)}, {MaxIterations: 1}} {
		if err := o.Validate(); err != nil {
			t.Errorf("options %d: %v", k, err)
		}
	}
}
