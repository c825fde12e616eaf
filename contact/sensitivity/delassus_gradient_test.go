package sensitivity

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/sparse"
)

// gradientProblem draws a problem of three unknowns a body, one joint and two contacts: M of full
// rank, H and G with random entries.
func gradientProblem(rng *rand.Rand, joint bool) *form.Global {
	const nv = 6
	b := sparse.NewBuilder(nv)
	for i := range nv {
		for j := range i {
			b.Add(i, j)
		}
	}
	m := b.Build()
	for i := range nv {
		m.AddAt(i, i, 3+rng.Float64())
		for j := range i {
			m.AddAt(i, j, 0.3*rng.NormFloat64())
		}
	}
	p := &form.Global{M: m, F: make([]float64, nv), W: make([]float64, 6), Laws: []law.Law{law.Coulomb{Mu: 0.3}, law.Coulomb{Mu: 0.6}}, H: &form.Jacobian{Dim: 3, Rows: nv, Ptr: []int{0}}}
	for range 2 {
		for i := range nv {
			p.H.Row = append(p.H.Row, i)
			p.H.Val = append(p.H.Val, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		p.H.Ptr = append(p.H.Ptr, len(p.H.Row))
	}
	for i := range p.F {
		p.F[i] = rng.NormFloat64()
	}
	for i := range p.W {
		p.W[i] = 0.2 * rng.NormFloat64()
	}
	if joint {
		p.G, p.B = &form.Columns{Rows: nv, Ptr: []int{0, 2}, Row: []int{1, 4}, Val: []float64{1, -0.5}}, []float64{0.1}
	}
	return p
}

// TestDelassusGradient: Change is linear in w and f exactly, q(w + δw, f + δf) − q(w, f);
// and ForceGradient is its transpose, ∂/∂f·δf = ∂/∂q·δq. Of a solution, the gradient by f
// is that of central differences.
func TestDelassusGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	compared := 0
	for k := range 60 {
		p := gradientProblem(rng, k%2 == 1)
		d, err := delassus.NewDelassus(p)
		if err != nil {
			t.Fatal(err)
		}
		df, dw := make([]float64, len(p.F)), make([]float64, len(p.W))
		for i := range df {
			df[i] = rng.NormFloat64()
		}
		for i := range dw {
			dw[i] = rng.NormFloat64()
		}
		moved := func(a float64) *delassus.Delassus {
			q := *p
			q.F, q.W = append([]float64(nil), p.F...), append([]float64(nil), p.W...)
			for i, x := range df {
				q.F[i] += a * x
			}
			for i, x := range dw {
				q.W[i] += a * x
			}
			m, err := delassus.NewDelassus(&q)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		change, other := Change{Q: d.ChangeQ(dw, df)}, moved(1)
		for i, x := range change.Q {
			if e := other.Local.Q[i] - d.Local.Q[i] - x; math.Abs(e) > 1e-12 {
				t.Fatalf("δq[%d] is off by %g", i, e)
			}
		}
		var g Gradient
		for range p.W {
			g.Q = append(g.Q, rng.NormFloat64())
		}
		back, along := 0.0, 0.0
		for i, x := range d.ForceGradient(g.Q) {
			back += x * df[i]
		}
		for i, x := range d.ChangeQ(nil, df) {
			along += g.Q[i] * x
		}
		if math.Abs(back-along) > 1e-12*(1+math.Abs(along)) {
			t.Fatalf("∂/∂f·δf = %g, ∂/∂q·δq = %g", back, along)
		}
		if differences(t, d, moved, df, dw) {
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("%d of 60 solutions compared", compared)
	}
}

// differences compares the derivative of Σr along (δf, δw), forward and backward, with
// central differences; false where a contact changes its state.
func differences(t *testing.T, d *delassus.Delassus, moved func(float64) *delassus.Delassus, df, dw []float64) bool {
	sum := func(p *form.Local) (float64, []float64) {
		var res form.Result
		if contact.SolveLocal(context.Background(), p, &form.Options{Tolerance: 1e-13}, nil, &res) != nil {
			return math.NaN(), nil
		}
		s := 0.0
		for _, x := range res.R {
			s += x
		}
		return s, res.R
	}
	_, r := sum(d.Local)
	if r == nil {
		return false
	}
	s, err := Linearise(d.Local, r)
	if err != nil || len(s.Edges) > 0 {
		return false
	}
	const h = 1e-5
	dr, du := make([]float64, len(r)), make([]float64, len(r))
	_ = s.Forward(dr, du, Change{Q: d.ChangeQ(dw, df)})
	if reach, _ := s.Reach(dr, du, Change{Q: d.ChangeQ(dw, df)}); !(math.Abs(reach) > 10*h) {
		return false
	}
	central := func(h float64) float64 {
		plus, _ := sum(moved(h).Local)
		minus, _ := sum(moved(-h).Local)
		return (plus - minus) / (2 * h)
	}
	// Extrapolated (Richardson): a contact that slips slowly has third derivatives of 1e7.
	want, ones := (4*central(0.5*h)-central(h))/3, make([]float64, len(r))
	if math.IsNaN(want) {
		return false
	}
	forward := 0.0
	for i, x := range dr {
		forward += x
		ones[i] = 1
	}
	g := s.Backward(ones, nil)
	backward := 0.0
	for i, x := range d.ForceGradient(g.Q) {
		backward += x * df[i]
	}
	for i, x := range g.Q {
		backward += x * dw[i]
	}
	// Differences of solves to 1e-13 over 1e-5, and their own h⁴.
	if tol := 1e-6 * (1 + math.Abs(want)); math.Abs(forward-want) > tol || math.Abs(backward-want) > tol {
		t.Errorf("forward %g, backward %g, differences %g", forward, backward, want)
	}
	return true
}
