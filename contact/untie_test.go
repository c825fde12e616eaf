package contact

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/delassus"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// lyingRods are n jointed rods of length one on a floor, two contacts each: as a problem in W
// alone, and V of the rods without their joints.
func lyingRods(t *testing.T, n int) (p *Local, v *Blocks) {
	t.Helper()
	m := sparse.NewBuilder(3 * n).Build()
	for i := range 3 * n {
		m.Val[m.Index(i, i)] = []float64{1, 1, 1. / 12}[i%3]
	}
	g := &Global{M: m, F: make([]float64, 3*n), H: &Jacobian{Dim: 2, Rows: 3 * n, Ptr: []int{0}}, G: &Columns{Rows: 3 * n, Ptr: []int{0}}}
	for i := range n {
		g.F[3*i], g.F[3*i+1] = .6*math.Sin(float64(5*i)), -1+3*math.Cos(float64(3*i))
		for _, x := range []float64{-.5, .5} { // u_N = v_y + xω, u_T = v_x + .02ω
			g.H.Row = append(g.H.Row, 3*i, 3*i+1, 3*i+2)
			g.H.Val = append(g.H.Val, 0, 1, 1, 0, x, .02)
			g.H.Ptr = append(g.H.Ptr, len(g.H.Row))
			g.W, g.Laws = append(g.W, 0, 0), append(g.Laws, Frictionless{})
		}
		for k := range 2 { // v at its end is that of the next one
			if i == n-1 {
				break
			}
			g.G.Row, g.G.Val = append(g.G.Row, 3*i+k, 3*i+3+k), append(g.G.Val, 1, -1)
			if k == 1 {
				g.G.Row, g.G.Val = append(g.G.Row, 3*i+2, 3*i+5), append(g.G.Val, .5, .5)
			}
			g.G.Ptr, g.B = append(g.G.Ptr, len(g.G.Row)), append(g.B, 0)
		}
	}
	d, err := delassus.NewDelassus(g)
	if err != nil {
		t.Fatal(err)
	}
	q, ok := delassus.WithJoints(g)
	if !ok {
		t.Fatal("joints are left over")
	}
	free, err := delassus.NewDelassus(q)
	if err != nil {
		t.Fatal(err)
	}
	return &Local{W: d.Local.W, Q: d.Local.Q, Laws: d.Local.Laws}, free.Local.W.(*Blocks)
}

// TestUntie: with V known, each method gives the same motion as by W alone, which is unique without
// friction, with the factors of V, whose pattern is analysed once.
func TestUntie(t *testing.T) {
	p, v := lyingRods(t, 30)
	for _, m := range []Method{MethodWarm, MethodNewton, MethodInterior, MethodAuto} {
		o := &Options{Method: m, Tolerance: 1e-13}
		var a, b Result
		if err := SolveLocal(context.Background(), p, o, nil, &a); err != nil {
			t.Fatal(m, err)
		}
		tied, ws := &Local{W: p.W, Q: p.Q, Laws: p.Laws}, new(LocalWorkspace)
		if !tied.Untie(v) {
			t.Fatal("V is of no use")
		}
		for k := range 2 {
			ws.Forget()
			if err := SolveLocal(context.Background(), tied, o, ws, &b); err != nil {
				t.Fatal(m, err)
			}
			for i, u := range a.U {
				if !(math.Abs(u-b.U[i]) <= 1e-9) { // of speeds of about one, of problems solved to 1e-13 of their reactions
					t.Fatalf("%v: u[%d] = %g by W, %g by V, merits %g, %g, reactions of %g, %g", m, i, u, b.U[i], a.Merit, b.Merit, num.InfNorm(a.R), num.InfNorm(b.R))
				}
			}
			if m == MethodAuto { // may end on the free bodies
				continue
			}
			if ws.jointed == nil || ws.lu.joints != ws.jointed || b.Factors == 0 && m != MethodAuto {
				t.Errorf("%v: factors of W", m)
			}
			if ws.prepare(tied); !ws.analysed {
				t.Errorf("%v, solve %d: the same pattern is analysed again", m, k)
			}
		}
		// A problem of the same W of which nothing is known, and back again.
		if ws.prepare(p); ws.joints != nil || ws.analysed {
			t.Errorf("%v: factors of V for a W of which nothing is known", m)
		}
		ws.Forget()
		if err := SolveLocal(context.Background(), p, o, ws, &b); err != nil || ws.lu.joints != nil {
			t.Errorf("%v: %v", m, err)
		}
		if ws.prepare(tied); ws.joints == nil || m != MethodAuto && ws.analysed {
			t.Errorf("%v: the factors of W for V", m)
		}
	}
	// Another pattern of V: without what couples the first two rods.
	tied, ws := &Local{W: p.W, Q: p.Q, Laws: p.Laws}, new(LocalWorkspace)
	tied.Untie(v)
	if err := SolveLocal(context.Background(), tied, &Options{Method: MethodNewton}, ws, nil); err != nil {
		t.Fatal(err)
	}
	other := &Blocks{D: 2, Ptr: slices.Clone(v.Ptr), Col: slices.Clone(v.Col), Val: slices.Clone(v.Val)}
	for k := v.Ptr[0]; k < v.Ptr[1]; k++ {
		if v.Col[k] != 0 {
			copy(other.Val[4*k:4*k+4], make([]float64, 4))
		}
	}
	again := &Local{W: p.W, Q: p.Q, Laws: p.Laws}
	again.Untie(other)
	if ws.prepare(again); ws.analysed {
		t.Error("another pattern of V is not analysed")
	}
}

// TestUntieIsRefused: few contacts, a V that is nearly full, another form of W; and what is of
// another shape panics.
func TestUntieIsRefused(t *testing.T) {
	p, v := lyingRods(t, form.UntieFrom/2-1)
	if p.Untie(v) || p.Joints != nil {
		t.Error("few contacts are untied")
	}
	if p, v = lyingRods(t, form.UntieFrom/2); !p.Untie(v) {
		t.Error("as many as are enough are not")
	}
	if d := (&Local{W: form.Sampled(p.W), Q: p.Q, Laws: p.Laws}); d.Untie(v) {
		t.Error("a dense W is untied")
	}
	if w := (&Local{W: p.W, Q: p.Q, Laws: p.Laws}); w.Untie(p.W.(*Blocks)) {
		t.Error("a full V is taken")
	}
	few, _ := lyingRods(t, 3)
	for name, v := range map[string]*Blocks{"fewer contacts": few.W.(*Blocks), "three components": {D: 3, Ptr: make([]int, 200)}, "no pattern": {D: 2, Ptr: []int{1}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			p.Untie(v)
		}()
	}
}
