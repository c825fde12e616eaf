package delassus

import (
	"math"
	"math/rand/v2"
	"testing"

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
	p := &form.Global{M: m, F: make([]float64, nv), W: make([]float64, 6),
		Laws: []law.Law{law.Coulomb{Mu: 0.3}, law.Coulomb{Mu: 0.6}}, H: &form.Jacobian{Dim: 3, Rows: nv, Ptr: []int{0}}}
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
// and ForceGradient is its transpose, ∂/∂f·δf = ∂/∂q·δq.
func TestDelassusGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 72))
	for k := range 60 {
		p := gradientProblem(rng, k%2 == 1)
		d, err := NewDelassus(p)
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
		moved := func(a float64) *Delassus {
			q := *p
			q.F, q.W = append([]float64(nil), p.F...), append([]float64(nil), p.W...)
			for i, x := range df {
				q.F[i] += a * x
			}
			for i, x := range dw {
				q.W[i] += a * x
			}
			m, err := NewDelassus(&q)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		change, other := d.ChangeQ(dw, df), moved(1)
		for i, x := range change {
			if e := other.Local.Q[i] - d.Local.Q[i] - x; math.Abs(e) > 1e-12 {
				t.Fatalf("δq[%d] is off by %g", i, e)
			}
		}
		var g []float64
		for range p.W {
			g = append(g, rng.NormFloat64())
		}
		back, along := 0.0, 0.0
		for i, x := range d.ForceGradient(g) {
			back += x * df[i]
		}
		for i, x := range d.ChangeQ(nil, df) {
			along += g[i] * x
		}
		if math.Abs(back-along) > 1e-12*(1+math.Abs(along)) {
			t.Fatalf("∂/∂f·δf = %g, ∂/∂q·δq = %g", back, along)
		}
	}
}
