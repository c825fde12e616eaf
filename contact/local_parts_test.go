package contact

import (
	"errors"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestNorms: of numbers whose squares leave the range, of none, and of what is no number.
func TestNorms(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{{nil, 0}, {[]float64{3, -4}, 5}, {[]float64{3e-160, 4e-160}, 5e-160}, {[]float64{3e200, 4e200}, 5e200}, {[]float64{0, 0}, 0}, {[]float64{1, math.Inf(1)}, math.Inf(1)}, {[]float64{3e-140, 4e-140}, 5e-140}, {[]float64{3e139, 4e139}, 5e139}, {[]float64{5e-324}, 5e-324}} {
		if got := num.Norm(c.x); !(math.Abs(got-c.want) <= 1e-15*c.want || got == c.want) {
			t.Errorf("‖%v‖ = %g, want %g", c.x, got, c.want)
		}
	}
	if got := num.Norm([]float64{math.NaN(), 1}); got == got {
		t.Errorf("of NaN %g", got)
	}
	if num.InfNorm([]float64{1, -3, 2}) != 3 || num.InfNorm(nil) != 0 || num.InfNorm([]float64{math.NaN(), 1}) == num.InfNorm([]float64{math.NaN(), 1}) {
		t.Error("largest entries")
	}
}

// TestStepsOfContacts: ρ_j is the inverse mean diagonal; a contact without mobility gets the one of the most mobile, in however W is stored.
func TestStepsOfContacts(t *testing.T) {
	b := &Blocks{D: 2, Ptr: []int{0, 2, 3, 3}, Col: []int{1, 0, 1}, Val: []float64{9, 9, 9, 9, 1, 5, 5, 3, 8, 0, 0, 8}}
	if got := form.Steps(nil, b); !slices.Equal(got, []float64{.5, .125, .125}) {
		t.Errorf("blocks: %v", got)
	}
	for _, c := range []struct {
		w    Operator
		want []float64
	}{
		{diagonal(2, 1, 3, 8, 8), []float64{.5, .125}},
		{hidden{diagonal(2, 1, 3, 8, 8)}, []float64{.5, .125}},
		{diagonal(3, 1, 2, 3, 0, 0, 0), []float64{.5, .5}},
		{diagonal(3, 0, 0, 0), []float64{1}},
		{diagonal(2, 100, 100, 100*1.1e-8, 100*1.1e-8), []float64{.01, 1 / 1.1e-6}},
		{diagonal(2, 100, 100, 100*0.9e-8, 100*0.9e-8), []float64{.01, .01}},
		{diagonal(2, 1, 1, -4, 2), []float64{1, 1}},
	} {
		got := form.Steps(nil, c.w)
		for j := range c.want {
			if len(got) != len(c.want) || math.Abs(got[j]-c.want[j]) > 1e-12*c.want[j] {
				t.Errorf("%v, want %v", got, c.want)
			}
		}
	}
	if got := form.StepsAbove(nil, diagonal(2, 1, 1, 1e-20, 1e-20), 0); math.Abs(got[1]-1e20) > 1e8 {
		t.Errorf("above nothing: %v", got)
	}
}

// TestUnitFreeByHand: the merit in the norms that make r and u comparable, whichever of q, r and u is largest.
func TestUnitFreeByHand(t *testing.T) {
	p := &Local{W: diagonal(3, 1, 1, 1, 1, 1, 1), Q: make([]float64, 6), Laws: []Law{Frictionless{}, Bilateral{}}}
	rho := []float64{4, 0.25}
	var mem [3]vec3
	rng := rand.New(rand.NewPCG(131, 9))
	for k := range 12 {
		u, r := make([]float64, 6), make([]float64, 6)
		var qq, uu, rr, sum float64
		for i := range 6 {
			p.Q[i], u[i], r[i] = rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
			[][]float64{p.Q, u, r}[k%3][i] *= 10
			qq, uu, rr = qq+rho[i/3]*p.Q[i]*p.Q[i], uu+rho[i/3]*u[i]*u[i], rr+r[i]*r[i]/rho[i/3]
		}
		// Without friction r_N − (r_N − ρu_N)₊ and all of r_T; ρu of a joint.
		a := r[0] - max(r[0]-rho[0]*u[0], 0)
		sum += (a*a + r[1]*r[1] + r[2]*r[2]) / rho[0]
		for i := 3; i < 6; i++ {
			sum += rho[1] * u[i] * u[i]
		}
		if got, want := p.UnitFree(&mem, rho, u, r), math.Sqrt(sum/max(qq, uu, rr)); math.Abs(got-want) > 1e-14*want {
			t.Errorf("case %d: %g, want %g", k, got, want)
		}
		plain := 0.0
		for i := range 6 {
			if i == 0 {
				a := r[0] - max(r[0]-u[0], 0)
				plain += a * a
			} else if i < 3 {
				plain += r[i] * r[i]
			} else {
				plain += u[i] * u[i]
			}
		}
		if got, worst := p.MeritAt(&mem, u, nil, r); math.Abs(got-math.Sqrt(plain)/max(num.Norm(p.Q), num.Norm(r), num.Norm(u))) > 1e-14*got || worst < 0 {
			t.Errorf("case %d: merit %g at %d", k, got, worst)
		}
	}
	clear(p.Q)
	zero := make([]float64, 6)
	if got := p.UnitFree(&mem, rho, zero, zero); got != 0 {
		t.Errorf("nothing: %g", got)
	}
	if got, worst := p.MeritAt(&mem, zero, nil, zero); got != 0 || worst != -1 {
		t.Errorf("nothing: %g at %d", got, worst)
	}
	bad := []float64{math.Inf(-1), 0, 0, 0, 0, 0}
	if got := p.UnitFree(&mem, rho, bad, zero); got != num.Inf {
		t.Errorf("out of range: %g", got)
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
	for k, o := range []Options{{Tolerance: -1e-300}, {Tolerance: 1}, {Tolerance: math.NaN()}, {Method: -1}, {Method: Method(len(form.MethodNames))}, {MaxIterations: -1}} {
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
