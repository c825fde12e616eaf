package sensitivity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
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
	// It sticks when q_T falls from 3 to μ·2 = 0.5: after 2.5.
	back := Change{Q: []float64{0, -1}}
	_ = s.Forward(dr, du, back)
	if d, j := s.Reach(dr, du, back); math.Abs(d-2.5) > 1e-12 || j != 0 {
		t.Errorf("reaches %g at contact %d, want 2.5 at 0", d, j)
	}
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
			if err := contact.SolveLocal(context.Background(), p, &form.Options{Tolerance: 1e-13}, nil, &res); err != nil && res.Merit > 1e-12 {
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
			if form.FormOf(l).Bound > 0 {
				c.Bound[j] = 0.1 * rng.NormFloat64()
			}
		}
		dr, du := make([]float64, n), make([]float64, n)
		_ = s.Forward(dr, du, c)
		if d, _ := s.Reach(dr, du, c); d < 1e-3 {
			continue
		}
		const h = 1e-5
		var ends [2][]float64
		for side, step := range []float64{h, -h} {
			q, err := s.moved(step, c)
			if err != nil {
				t.Fatal(err)
			}
			ends[side] = solve(q)
		}
		if ends[0] == nil || ends[1] == nil {
			continue
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

// TestDirectionalDerivative: a contact that sticks with all its friction used slides
// if pushed on, and sticks if pushed back; grazing contacts close or open.
func TestDirectionalDerivative(t *testing.T) {
	p := unit(law.Coulomb{Mu: 0.5}, -2, 1)
	s, err := Linearise(p, []float64{2, -1})
	if err != nil || len(s.Edges) != 1 {
		t.Fatalf("edges %v: %v", s.Edges, err)
	}
	dr, du := make([]float64, 2), make([]float64, 2)
	for _, c := range []struct {
		q, r, u []float64
	}{
		{[]float64{0, 1}, []float64{0, 0}, []float64{0, 1}},
		{[]float64{0, -1}, []float64{0, 1}, []float64{0, 0}},
		{[]float64{1, 0}, []float64{-1, 0.5}, []float64{0, 0.5}},
	} {
		if err := s.Directional(context.Background(), dr, du, Change{Q: c.q}); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if math.Abs(dr[i]-c.r[i]) > 1e-12 || math.Abs(du[i]-c.u[i]) > 1e-12 {
				t.Errorf("along %v: δr = %v, δu = %v, want %v, %v", c.q, dr, du, c.r, c.u)
			}
		}
	}
	p = unit(law.Coulomb{Mu: 0.5}, 0, 0)
	p.Q[1] = 1
	if s, err = Linearise(p, []float64{0, 0}); err != nil || len(s.Edges) != 1 {
		t.Fatalf("grazing: edges %v: %v", s.Edges, err)
	}
	for _, sign := range []float64{1, -1} {
		if err := s.Directional(context.Background(), dr, du, Change{Q: []float64{sign, 0}}); err != nil {
			t.Fatal(err)
		}
		want := []float64{max(-sign, 0), -0.5 * max(-sign, 0)}
		if math.Abs(dr[0]-want[0]) > 1e-12 || math.Abs(dr[1]-want[1]) > 1e-12 {
			t.Errorf("grazing, q_N by %g: δr = %v, want %v", sign, dr, want)
		}
	}
}

// TestDirectionalInSpace: a contact of unit mobility on the edge of its friction slides along d,
// the direction that its friction opposes, wherever it is pushed: δu_T = λ d with d·δr_T + δ(μ r_N)
// = 0 and δr = δu − δq, so that λ d·d = d·δq − δ(μ r_N) with δr_N = −δq_N, or it sticks if that is
// negative.
func TestDirectionalInSpace(t *testing.T) {
	ellipse := contact.NewShape([4]float64{1, 0, 0, 0.5})
	for _, c := range []struct {
		law  law.Law
		d    [2]float64 // ‖S d‖ = 1
		edge [2]float64 // r_T = −SᵀS d μ r_N, with r_N = 2 and μ r_N = s = 1
	}{
		{law.Coulomb{Mu: 0.5}, [2]float64{1, 0}, [2]float64{-1, 0}},
		{law.Coulomb{Mu: 0.5}, [2]float64{-0.6, 0.8}, [2]float64{0.6, -0.8}},
		{law.Coulomb{Mu: 0.5, Shape: ellipse}, [2]float64{0.6, 1.6}, [2]float64{-0.6, -0.4}},
		{law.Tresca{Threshold: 1}, [2]float64{0.8, 0.6}, [2]float64{-0.8, -0.6}},
		{law.Tresca{Threshold: 1, Shape: ellipse}, [2]float64{0.6, 1.6}, [2]float64{-0.6, -0.4}},
	} {
		r := []float64{2, c.edge[0], c.edge[1]}
		p := &form.Local{W: &form.Dense{D: 3, N: 3, Val: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}, Q: []float64{-r[0], -r[1], -r[2]}, Laws: []law.Law{c.law}}
		s, err := Linearise(p, r)
		if err != nil || len(s.Edges) != 1 {
			t.Fatalf("%v: edges %v: %v", c.law, s.Edges, err)
		}
		mu := 0.5
		if _, tresca := c.law.(law.Tresca); tresca {
			mu = 0
		}
		rBound := 2.0 // ∂(μ r_N)/∂μ
		if mu == 0 {
			rBound = 1
		}
		for _, x := range [][4]float64{{0, 1, 1, 0}, {0, 1, -0.3, 0}, {0, -1, -0.3, 0}, {1, 0, 0, 0}, {-1, 0.1, 0.2, 0}, {0, 0, 0, -1}, {0, 0, 0, 1}, {0.2, 1, 2, -0.1}} {
			lambda := (c.d[0]*x[1] + c.d[1]*x[2] + mu*x[0] - rBound*x[3]) / (c.d[0]*c.d[0] + c.d[1]*c.d[1])
			lambda = max(lambda, 0)
			wantU := []float64{0, lambda * c.d[0], lambda * c.d[1]}
			dr, du := make([]float64, 3), make([]float64, 3)
			if err := s.Directional(context.Background(), dr, du, Change{Q: x[:3], Bound: x[3:]}); err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				if math.Abs(du[i]-wantU[i]) > 1e-12 || math.Abs(dr[i]-(wantU[i]-x[i])) > 1e-12 {
					t.Errorf("%v along %v: δu = %v, want %v; δr = %v", c.law, x, du, wantU, dr)
					break
				}
			}
		}
	}
}

// TestRedundantDerivatives: two contacts at one place share what presses, and the motion is right
// to rounding; pushed apart from each other there is nothing that follows.
func TestRedundantDerivatives(t *testing.T) {
	for _, given := range []law.Law{law.Coulomb{Mu: 1}, law.Bilateral{}, law.Associated{Mu: 1}, law.Compliant{Law: law.Coulomb{Mu: 1}}} {
		p := &form.Local{W: &form.Dense{D: 2, N: 4, Val: []float64{4, 0, 4, 0, 0, 4, 0, 4, 4, 0, 4, 0, 0, 4, 0, 4}}, Q: []float64{-2, 0.1, -2, 0.1}, Laws: []law.Law{given, given}}
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

// TestDirectionalFromNothing: from neither force nor motion, a contact of unit mobility goes as the
// law does with δq for q: it sticks on the edge of its friction as well.
func TestDirectionalFromNothing(t *testing.T) {
	ellipse := contact.NewShape([4]float64{2, 0, 0, 1})
	for _, c := range []struct {
		law     law.Law
		q, r, u []float64
	}{
		{law.Coulomb{Mu: 0.5}, []float64{-1, 0.5, 0}, []float64{1, -0.5, 0}, []float64{0, 0, 0}},
		{law.Coulomb{Mu: 0.5}, []float64{-1, 0.3, -0.4}, []float64{1, -0.3, 0.4}, []float64{0, 0, 0}},
		{law.Coulomb{Mu: 0.5}, []float64{-1, 0.6, -0.8}, []float64{1, -0.3, 0.4}, []float64{0, 0.3, -0.4}},
		{law.Coulomb{Mu: 0.5}, []float64{-1, 0.1, 0}, []float64{1, -0.1, 0}, []float64{0, 0, 0}},
		{law.Coulomb{Mu: 0.5}, []float64{1, 0.1, 0}, []float64{0, 0, 0}, []float64{1, 0.1, 0}},
		{law.Coulomb{Mu: 0.5, Shape: ellipse}, []float64{-1, 1, 0}, []float64{1, -1, 0}, []float64{0, 0, 0}},
		{law.Coulomb{Mu: 0.5, Shape: ellipse}, []float64{-1, 0, 2}, []float64{1, 0, -0.5}, []float64{0, 0, 1.5}},
		{law.Coulomb{Mu: 0.5, Shape: ellipse}, []float64{-1, 0.6, 0.4}, []float64{1, -0.6, -0.4}, []float64{0, 0, 0}},
		// In the cone, of r = P(−δq): the foot of (1, −2, 0) on the ray (1, −1, 0), and u = r + δq.
		{law.Associated{Mu: 1}, []float64{-1, 2, 0}, []float64{1.5, -1.5, 0}, []float64{0.5, 0.5, 0}},
		{law.Associated{Mu: 1}, []float64{-1, 0.5, 0}, []float64{1, -0.5, 0}, []float64{0, 0, 0}},
		{law.Associated{Mu: 1}, []float64{1, 0.5, 0}, []float64{0, 0, 0}, []float64{1, 0.5, 0}},
		{law.Associated{Mu: 0.5, Shape: ellipse}, []float64{-1, 2, 0}, []float64{1.5, -1.5, 0}, []float64{0.5, 0.5, 0}},
		{law.Pyramid{Mu: 0.5}, []float64{-1, 2, 3}, []float64{1, -0.5, -0.5}, []float64{0, 1.5, 2.5}},
		{law.Pyramid{Mu: 0.5}, []float64{-1, 2, 0.25}, []float64{1, -0.5, -0.25}, []float64{0, 1.5, 0}},
		{law.Cohesive{Mu: 0.5, Cohesion: 0.5, Tension: 1}, []float64{-1, 3, 0}, []float64{1, -0.5, 0}, []float64{0, 2.5, 0}},
		{law.Rolling{Mu: 0.5, Spin: 0.25}, []float64{-1, 3, 0, 2}, []float64{1, -0.5, 0, -0.25}, []float64{0, 2.5, 0, 1.75}},
		{law.Rolling{Mu: 0.5, Spin: 0.25}, []float64{-1, 0.1, 0, -2}, []float64{1, -0.1, 0, 0.25}, []float64{0, 0, 0, -1.75}},
		{law.Coulomb{Mu: 0.5}, []float64{-1, 3}, []float64{1, -0.5}, []float64{0, 2.5}},
		{law.Coulomb{Mu: 0.5}, []float64{-1, -0.5}, []float64{1, 0.5}, []float64{0, 0}},
		{law.Associated{Mu: 1}, []float64{-1, 2}, []float64{1.5, -1.5}, []float64{0.5, 0.5}},
	} {
		n := len(c.q)
		p, r := unit(c.law, make([]float64, n)...), make([]float64, n)
		if l, ok := c.law.(law.Cohesive); ok {
			p.Q[0], r[0] = l.Tension, -l.Tension
		}
		s, err := Linearise(p, r)
		if err != nil || len(s.Edges) != 1 {
			t.Fatalf("%+v: edges %v: %v", c.law, s.Edges, err)
		}
		dr, du := make([]float64, n), make([]float64, n)
		if err := s.Directional(context.Background(), dr, du, Change{Q: c.q}); err != nil {
			t.Errorf("%+v along %v: %v", c.law, c.q, err)
			continue
		}
		for i := range n {
			if math.Abs(dr[i]-c.r[i]) > 1e-12 || math.Abs(du[i]-c.u[i]) > 1e-12 {
				t.Errorf("%+v along %v: δr = %v, δu = %v, want %v, %v", c.law, c.q, dr, du, c.r, c.u)
				break
			}
		}
	}
}

// TestDerivativesOfForeignLaws: a law that is known by its projection alone has the derivatives of
// the same law that is known by name, to the differences by which its correction is linearised;
// none by a coefficient.
func TestDerivativesOfForeignLaws(t *testing.T) {
	compared := 0
	for k := range 40 {
		rng := rand.New(rand.NewPCG(uint64(k), 77))
		given := []law.Law{law.Coulomb{Mu: 0.4}, law.Associated{Mu: 0.3}, law.Cohesive{Mu: 0.3, Cohesion: 0.1, Tension: 0.05}, law.Tresca{Threshold: 0.3}, law.Coulomb{Mu: 0.3, Shape: contact.NewShape([4]float64{1, 0, 0, 0.5})}}[k%5]
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
		if err != nil || other.State[1] != StateOther || other.State[0] != s.State[0] {
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
			if size := num.InfNorm(want) + num.InfNorm(wantU); math.Abs(got[i]-want[i]) > 1e-6*size || math.Abs(gotU[i]-wantU[i]) > 1e-6*size {
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
