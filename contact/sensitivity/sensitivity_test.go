package sensitivity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// TestSensitivityClosedForm: one sliding contact of unit mobility in the plane has
// r_N = −q_N, r_T = −μ r_N, u_T = q_T − μ r_N while it slides forwards.
func TestSensitivityClosedForm(t *testing.T) {
	p := unit(law.Coulomb{Mu: 0.25}, -2, 3)
	var res form.Result
	if err := contact.SolveLocal(context.Background(), p, nil, nil, &res); err != nil {
		t.Fatal(err)
	}
	s, err := Linearise(p, res.R)
	if err != nil {
		t.Fatal(err)
	}
	if s.State[0] != StateSlip || len(s.Edges) != 0 {
		t.Fatalf("states %v, edges %v", s.State, s.Edges)
	}
	dr, du := make([]float64, 2), make([]float64, 2)
	check := func(what string, got []float64, want ...float64) {
		t.Helper()
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("%s = %v, want %v", what, got, want)
				return
			}
		}
	}
	_ = s.Forward(dr, du, Change{Bound: []float64{1}})
	check("∂r/∂μ", dr, 0, -2)
	check("∂u/∂μ", du, 0, -2)
	_ = s.Forward(dr, du, Change{Q: []float64{1, 0}})
	check("∂r/∂q_N", dr, -1, 0.25)
	check("∂u/∂q_N", du, 0, 0.25)
	// W → W + εI: r_N = −q_N/(1+ε), u_T = q_T + (1+ε) r_T with r_T = −μ r_N.
	_ = s.Forward(dr, du, Change{W: &form.Dense{D: 2, N: 2, Val: []float64{1, 0, 0, 1}}})
	check("∂r/∂W", dr, -2, 0.5)
	check("∂u/∂W", du, 0, 0)
	g := s.Backward(nil, []float64{0, 1})
	check("∂u_T/∂q", g.Q, 0.25, 1)
	check("∂u_T/∂μ", g.Bound, -2)
}

// TestSensitivityAgainstDifferences compares products forward and backward with
// central differences of solves, for each datum.
func TestSensitivityAgainstDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	laws := []func() law.Law{
		func() law.Law { return law.Coulomb{Mu: 0.2 + 0.3*rng.Float64()} },
		func() law.Law { return law.Coulomb{Mu: 0.3, Shape: contact.NewShape([4]float64{1, 0, 0, 0.5})} },
		func() law.Law { return law.Tresca{Threshold: 0.1 + 0.2*rng.Float64()} },
		func() law.Law { return law.Frictionless{} },
		func() law.Law { return law.Bilateral{} },
		func() law.Law { return law.Associated{Mu: 0.3} },
		func() law.Law { return law.Pyramid{Mu: 0.3, Facets: 6} },
		func() law.Law { return law.Cohesive{Mu: 0.3, Cohesion: 0.1, Tension: 0.05} },
	}
	compared := 0
	for k := range 120 {
		dim, next := 2+k%2, k/8
		p := randomProblem(rng, dim, 4, 30, func() law.Law { next++; return laws[next%len(laws)]() })
		n := len(p.Q)
		solve := func(p *form.Local) []float64 {
			var res form.Result
			if err := contact.SolveLocal(context.Background(), p, &form.Options{Tolerance: 1e-13}, nil,
				&res); err != nil && res.Merit > 1e-12 {
				return nil
			}
			return append(append([]float64(nil), res.R...), res.U...)
		}
		x := solve(p)
		if x == nil {
			continue
		}
		s, err := Linearise(p, x[:n])
		if err != nil || s.Redundant || len(s.Edges) > 0 {
			continue
		}
		c := Change{Q: make([]float64, n), W: &form.Dense{D: dim, N: n, Val: make([]float64, n*n)}, Bound: make([]float64, 4)}
		for i := range n {
			c.Q[i] = rng.NormFloat64()
			for j := range n {
				c.W.Val[i*n+j] = 0.1 * rng.NormFloat64()
			}
		}
		for j, l := range p.Laws {
			if _, cohesive := l.(law.Cohesive); cohesive || form.FormOf(l).Bound > 0 {
				c.Bound[j] = 0.1 * rng.NormFloat64()
			}
		}
		dr, du := make([]float64, n), make([]float64, n)
		_ = s.Forward(dr, du, c)
		const h = 1e-5
		var ends [2][]float64
		for side, step := range []float64{h, -h} {
			ends[side] = solve(moved(p, step, c))
		}
		if ends[0] == nil || ends[1] == nil {
			continue
		}
		if bent(x, ends[0], ends[1]) > 0.01*h {
			continue // a state changes on the way
		}
		compared++
		size := 1 + num.InfNorm(dr) + num.InfNorm(du)
		for i := range n {
			// Second differences are h² = 1e-10 times third derivatives of order 100.
			if d := (ends[0][i] - ends[1][i]) / (2 * h); math.Abs(d-dr[i]) > 1e-6*size {
				t.Fatalf("problem %d, laws %v: ∂r_%d = %g, differences %g; states %v", k, p.Laws, i, dr[i], d, s.State)
			}
			if d := (ends[0][n+i] - ends[1][n+i]) / (2 * h); math.Abs(d-du[i]) > 1e-6*size {
				t.Fatalf("problem %d, laws %v: ∂u_%d = %g, differences %g; states %v", k, p.Laws, i, du[i], d, s.State)
			}
		}
		// Backward is the transpose of forward.
		rBar, uBar, want := make([]float64, n), make([]float64, n), 0.0
		for i := range n {
			rBar[i], uBar[i] = rng.NormFloat64(), rng.NormFloat64()
			want += rBar[i]*dr[i] + uBar[i]*du[i]
		}
		g, got := s.Backward(rBar, uBar), 0.0
		for i := range n {
			got += g.Q[i] * c.Q[i]
			for j := range n {
				got += g.Q[i] * g.R[j] * c.W.Val[i*n+j]
			}
		}
		for j := range g.Bound {
			got += g.Bound[j] * c.Bound[j]
		}
		if math.Abs(got-want) > 1e-10*size*float64(n) {
			t.Fatalf("problem %d: backward %g, forward %g", k, got, want)
		}
	}
	if compared < 40 {
		t.Errorf("only %d problems were compared", compared)
	}
	t.Logf("%d problems compared", compared)
}

// TestRedundantDerivatives: two contacts at one place share what presses, and the motion is right
// to rounding; pushed apart from each other there is nothing that follows.
func TestRedundantDerivatives(t *testing.T) {
	for _, given := range []law.Law{law.Coulomb{Mu: 1}, law.Bilateral{}, law.Associated{Mu: 1}, law.Compliant{Law: law.Coulomb{Mu: 1}}} {
		p := &form.Local{W: &form.Dense{D: 2, N: 4, Val: []float64{4, 0, 4, 0, 0, 4, 0, 4, 4, 0, 4, 0, 0, 4, 0, 4}},
			Q: []float64{-2, 0.1, -2, 0.1}, Laws: []law.Law{given, given}}
		s, err := Linearise(p, []float64{0.25, -0.0125, 0.25, -0.0125})
		if err != nil || !s.Redundant || len(s.Edges) > 0 {
			t.Fatalf("%T: %v", given, err)
		}
		dr, du := make([]float64, 4), make([]float64, 4)
		if err := s.Forward(dr, du, Change{Q: []float64{-1, 3, -1, 3}}); err != nil {
			t.Errorf("%T: %v", given, err)
		}
		for i, want := range []float64{0.25, -0.75} { // of both, W δr = −δq with 4 (δr_1 + δr_2)
			if math.Abs(dr[i]+dr[2+i]-want) > 1e-12 || math.Abs(du[i]) > 1e-12 || math.Abs(du[2+i]) > 1e-12 {
				t.Errorf("%T: δr = %v, δu = %v", given, dr, du)
			}
		}
		for _, c := range [][]float64{{1, 0, -1, 0}, {0, 1, 0, -1}, {1, 0, 0.99, 0}} {
			if err := s.Forward(dr, du, Change{Q: c}); err == nil {
				t.Errorf("%T follows %v", given, c)
			}
		}
		if err := s.Forward(nil, nil, Change{Q: make([]float64, 4)}); err != nil {
			t.Errorf("%T: no change: %v", given, err)
		}
	}
	s, err := Linearise(unit(law.Bilateral{}, 1, 0), []float64{-1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if s.Forward(nil, nil, Change{Bound: []float64{1}}) == nil || s.Forward(nil, nil, Change{Bound: []float64{0}}) != nil {
		t.Error("a joint has a coefficient")
	}
}

// TestDerivativesOfForeignLaws: a law that is known by its projection alone has the derivatives of
// the same law that is known by name, to the differences by which its correction is linearised;
// none by a coefficient.
func TestDerivativesOfForeignLaws(t *testing.T) {
	compared := 0
	for k := range 40 {
		rng := rand.New(rand.NewPCG(uint64(k), 77))
		given := []law.Law{law.Coulomb{Mu: 0.4}, law.Associated{Mu: 0.3},
			law.Cohesive{Mu: 0.3, Cohesion: 0.1, Tension: 0.05}, law.Tresca{Threshold: 0.3},
			law.Coulomb{Mu: 0.3, Shape: contact.NewShape([4]float64{1, 0, 0, 0.5})}}[k%5]
		p := randomProblem(rng, 2+k/5%2, 3, 12, func() law.Law { return given })
		foreign := &form.Local{W: p.W, Q: p.Q, Laws: []law.Law{given, struct{ law.Law }{given}, struct{ law.Law }{given}}}
		var res form.Result
		if contact.SolveLocal(context.Background(), p, &form.Options{Tolerance: 1e-13}, nil, &res) != nil && res.Merit > 1e-12 {
			continue
		}
		s, err := Linearise(p, res.R)
		if err != nil || s.Redundant || len(s.Edges) > 0 {
			continue
		}
		other, err := Linearise(foreign, res.R)
		if err != nil || !slices.Equal(other.State, s.State) {
			t.Fatalf("%v, %v", err, other.State)
		}
		n := len(p.Q)
		c := Change{Q: make([]float64, n)}
		for i := range n {
			c.Q[i] = rng.NormFloat64()
		}
		want, got, wantU, gotU := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		if err := errors.Join(s.Forward(want, wantU, c), other.Forward(got, gotU, c)); err != nil {
			t.Fatal(err)
		}
		compared++
		for i := range n {
			// Differences of 1e-6 of the motion, and solutions to 1e-13.
			if size := num.InfNorm(want) + num.InfNorm(wantU); math.Abs(got[i]-want[i]) > 1e-6*size ||
				math.Abs(gotU[i]-wantU[i]) > 1e-6*size {
				t.Errorf("problem %d, %T: δr = %v, want %v; states %v", k, given, got, want, s.State)
				break
			}
		}
		if other.Forward(got, gotU, Change{Bound: []float64{0, 1, 0}}) == nil {
			t.Errorf("%T has a coefficient that nobody knows", foreign.Laws[1])
		}
	}
	if compared < 20 {
		t.Errorf("%d problems compared", compared)
	}
}

// TestDerivativesOfRolling: a wheel of unit mobilities that slips, spins and resists rolling has
// r_N = −q_N, r_T = −μ r_N q_T/‖q_T‖, a spinning moment −s r_N, and a rolling motion that sticks.
func TestDerivativesOfRolling(t *testing.T) {
	p := unit(law.Rolling{Mu: 0.5, Spin: 0.25, Resistance: 1}, -2, 3, 4, 2, 0.1, 0.2)
	s, err := Linearise(p, []float64{2, -0.6, -0.8, -0.5, -0.1, -0.2})
	if err != nil || len(s.Edges) != 0 || s.State[0] != StateSlip {
		t.Fatal(err, s)
	}
	dr := make([]float64, 6)
	for _, c := range []struct {
		change Change
		want   []float64
	}{
		{Change{Q: []float64{-1, 0, 0, 0, 0, 0}}, []float64{1, -0.3, -0.4, -0.25, 0, 0}},
		{Change{Q: []float64{0, 0, 0, 1, 1, 0}}, []float64{0, 0, 0, 0, -1, 0}},
		{Change{Q: []float64{0, -4, 3, 0, 0, 0}}, []float64{0, 0.8, -0.6, 0, 0, 0}},
		{Change{Bound: []float64{1}}, []float64{0, -1.2, -1.6, 0, 0, 0}},
	} {
		if err := s.Forward(dr, nil, c.change); err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if math.Abs(dr[i]-want) > 1e-12 {
				t.Errorf("along %+v: δr = %v, want %v", c.change, dr, c.want)
				break
			}
		}
	}
}

// TestEdges: one contact of unit mobility in the middle of each state and at each edge; a first
// coefficient of friction, of a contact that slides without.
func TestEdges(t *testing.T) {
	ellipse := law.NewShape([4]float64{1, 0, 0, 0.5})
	for _, c := range []struct {
		law   law.Law
		r, q  []float64
		state State
		edge  bool
	}{
		{law.Coulomb{Mu: 0.5}, []float64{2, -1}, []float64{-2, 2}, StateSlip, false},
		{law.Coulomb{Mu: 0.5}, []float64{2, -1}, []float64{-2, 1}, StateStick, true},
		{law.Coulomb{Mu: 0.5}, []float64{2, -0.5, 0}, []float64{-2, 0.5, 0}, StateStick, false},
		{law.Coulomb{Mu: 0.5}, []float64{2, 0.6, -0.8}, []float64{-2, -0.6, 0.8}, StateStick, true},
		{law.Coulomb{Mu: 0.5, Shape: ellipse}, []float64{2, -0.6, -0.4}, []float64{-2, 0.6, 0.4}, StateStick, true},
		{law.Tresca{Threshold: 1}, []float64{2, -0.8, -0.6}, []float64{-2, 0.8, 0.6}, StateStick, true},
		{law.Coulomb{Mu: 0.5}, []float64{0, 0}, []float64{0, 1}, StateOpen, true},
		{law.Coulomb{Mu: 0.5}, []float64{0, 0}, []float64{1, 1}, StateOpen, false},
		{law.Frictionless{}, []float64{1, 0}, []float64{-1, 1}, StateSlip, false},
		{law.Pyramid{Mu: 0.5}, []float64{1, -0.5, -0.25}, []float64{-1, 2, 0.25}, StateSlip, false},
		{law.Rolling{Mu: 0.5, Spin: 0.25}, []float64{2, -1, 0, 0}, []float64{-2, 2, 0, 0}, StateSlip, false},
		{law.Rolling{Mu: 0.5, Spin: 0.25}, []float64{2, -1, 0, -0.5}, []float64{-2, 2, 0, 0.5}, StateSlip, true},
	} {
		s, err := Linearise(unit(c.law, c.q...), c.r)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if c.edge != (len(s.Edges) == 1) || !c.edge && s.State[0] != c.state {
			t.Errorf("%+v: %v, edges %v", c, s.State, s.Edges)
		}
	}
	for _, l := range []law.Law{law.Coulomb{}, law.Associated{}, law.Tresca{}, law.Pyramid{Facets: 8}} {
		s, err := Linearise(unit(l, -2, 3, 0), []float64{2, 0, 0})
		if err != nil {
			t.Fatal(err)
		}
		dr, want := make([]float64, 3), -2.0
		if err := s.Forward(dr, nil, Change{Bound: []float64{1}}); err != nil {
			t.Fatal(err)
		}
		switch l.(type) {
		case law.Tresca:
			want = -1
		case law.Associated: // u_N = μ u_T takes of what presses
			want = -2
		}
		if math.Abs(dr[1]-want) > 1e-6 {
			t.Errorf("%T: δr = %v, want %g along the slip", l, dr, want)
		}
	}
}

// moved returns the problem a step along c.
func moved(p *form.Local, step float64, c Change) *form.Local {
	x := &form.Local{Q: slices.Clone(p.Q), Laws: slices.Clone(p.Laws)}
	for i := range c.Q {
		x.Q[i] += step * c.Q[i]
	}
	d := &form.Dense{D: p.W.Dim(), N: len(p.Q), Val: slices.Clone(form.SampleOperator(p.W))}
	for i, w := range c.W.Val {
		d.Val[i] += step * w
	}
	x.W = d
	for j, by := range c.Bound {
		switch l := p.Laws[j].(type) {
		case law.Coulomb:
			l.Mu += step * by
			x.Laws[j] = l
		case law.Tresca:
			l.Threshold += step * by
			x.Laws[j] = l
		case law.Associated:
			l.Mu += step * by
			x.Laws[j] = l
		case law.Pyramid:
			l.Mu += step * by
			x.Laws[j] = l
		case law.Cohesive:
			l.Mu += step * by
			x.Laws[j] = l
		}
	}
	return x
}

// bent is the largest second difference.
func bent(x, after, before []float64) (most float64) {
	for i := range x {
		most = max(most, math.Abs(after[i]+before[i]-2*x[i]))
	}
	return most
}
