package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// densePlate is a problem with contacts at every third coordinate triple of a
// dense M: exponentials of the distance, twice equal for normals and first
// tangents, coupled or not. Every contact has the identity for H.
func densePlate(nc int, coupled bool) *Global {
	n := 3 * nc
	b := sparse.NewBuilder(n)
	entry := func(r, c int) float64 {
		if r%3 != c%3 && !coupled {
			return 0
		}
		v := math.Exp(-math.Abs(float64(r/3-c/3)) / 20)
		if r%3 != c%3 {
			v *= 0.2
		}
		if r%3 == 1 && c%3 == 1 {
			v *= 1.5
		}
		return v
	}
	for r := range n {
		for c := range r {
			if entry(r, c) != 0 {
				b.Add(r, c)
			}
		}
	}
	m := b.Build()
	for c := range n {
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			m.Val[k] = entry(m.Row[k], c)
		}
	}
	h := &Jacobian{Dim: 3, Rows: n, Ptr: []int{0}}
	laws := make([]Law, nc)
	for j := range nc {
		h.Row = append(h.Row, 3*j, 3*j+1, 3*j+2)
		h.Val = append(h.Val, 0, 1, 0, 0, 0, 1, 1, 0, 0)
		h.Ptr = append(h.Ptr, len(h.Row))
		laws[j] = Tresca{Threshold: 0.3}
	}
	return &Global{M: m, F: make([]float64, n), H: h, W: make([]float64, n), Laws: laws}
}

// states gives the contacts random Jacobians: open, stuck, slipping in a random
// direction.
func states(ws *GlobalWorkspace, laws []Law, rng *rand.Rand) {
	for j := range ws.jac {
		p := [3]float64{rng.NormFloat64(), 0.5 * rng.NormFloat64(), 0.5 * rng.NormFloat64()}
		laws[j].Project(&ws.r[j], &ws.jac[j], &p)
		ws.rho[j] = 1e4
	}
}

// TestDenseUpdate: solutions with A = M + HDHᵀ by the update formula and by a
// factorisation of A agree. Their errors are about the penalty times the condition
// of M (1e3 here) times 2⁻⁵³.
func TestDenseUpdate(t *testing.T) {
	for _, coupled := range []bool{false, true} {
		p := densePlate(denseUpdateOrder, coupled)
		var ws GlobalWorkspace
		ws.prepare(p)
		ws.system(context.Background(), p)
		f, ok := ws.factor.(*denseUpdate)
		if !ok {
			t.Fatalf("coupled %v: the factor is %T", coupled, ws.factor)
		}
		if want := map[bool]int{false: 3, true: 1}[coupled]; len(f.comps) != want {
			t.Errorf("%d components, want %d", len(f.comps), want)
		}
		plain := factor.Analyse(ws.a, factor.Options{})
		rng := rand.New(rand.NewPCG(1, 2))
		b, x, y := make([]float64, p.M.N), make([]float64, p.M.N), make([]float64, p.M.N)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		rounds := 3
		if !coupled { // three components that are equal: one change of states tells as much
			rounds = 2
		}
		for round := range rounds {
			if round > 0 { // the first has no contact
				states(&ws, p.Laws, rng)
			}
			ws.assemble(p)
			if err := f.RefactorContext(t.Context(), ws.a); err != nil {
				t.Fatal(err)
			}
			if err := plain.Refactor(ws.a); err != nil {
				t.Fatal(err)
			}
			f.Solve(x, b)
			plain.Solve(y, b)
			diff := 0.0
			for i := range x {
				diff = max(diff, math.Abs(x[i]-y[i]))
			}
			if diff > 1e-9*num.InfNorm(y) {
				t.Errorf("coupled %v, round %d: the solutions of size %g differ by %g", coupled, round, num.InfNorm(y), diff)
			}
		}
		if f.plain != nil {
			t.Error("the update was given up")
		}
	}
}

// TestDenseUpdateGivesUp: an M that changes all the time is not inverted again.
func TestDenseUpdateGivesUp(t *testing.T) {
	p := densePlate(denseUpdateOrder, false)
	var ws GlobalWorkspace
	ws.prepare(p)
	ws.system(context.Background(), p)
	f := ws.factor.(*denseUpdate)
	x := make([]float64, p.M.N)
	for range inversionLimit + 2 {
		for c := range p.M.N {
			p.M.Val[p.M.Ptr[c]] += 0.1
		}
		ws.assemble(p)
		if err := f.RefactorContext(t.Context(), ws.a); err != nil {
			t.Fatal(err)
		}
		for i := range x {
			x[i] = float64(i % 7)
		}
		b, r := append([]float64(nil), x...), make([]float64, len(x))
		f.Solve(x, b)
		ws.a.MulVec(r, x)
		for i := range r {
			if math.Abs(r[i]-b[i]) > 1e-9 {
				t.Fatalf("residual %g", r[i]-b[i])
			}
		}
	}
	if f.plain == nil {
		t.Error("still inverting")
	}
}

// TestDenseUpdateOnlyForDense: small and sparse matrices are left alone.
func TestDenseUpdateOnlyForDense(t *testing.T) {
	var ws GlobalWorkspace
	small := densePlate(20, true)
	ws.prepare(small)
	ws.system(context.Background(), small)
	if _, ok := ws.factor.(*denseUpdate); ok {
		t.Error("a small matrix is inverted")
	}
}

// TestDenseUpdateSplitsRankOne: the columns of a block of E that is of rank one but for its
// rounding, friction that slips askew at a threshold of a millionth, reproduce it. A row that a
// pivot has dealt with does not come back: divided by the root of what is roundoff it was 1e8 times
// the block.
func TestDenseUpdateSplitsRankOne(t *testing.T) {
	m := &sparse.Sym{N: 2, Ptr: []int{0, 2, 3}, Row: []int{0, 1, 1}, Val: []float64{0.018568688392885953, 1.14231277021947e-08, 0.018571908928161317}}
	a := &sparse.Sym{N: 2, Ptr: m.Ptr, Row: m.Row, Val: []float64{0.018568976513711692, -2.4834664147005957e-06, 0.01859351262103163}}
	f := &denseUpdate{ws: &GlobalWorkspace{m: m}, owner: []int{0, 0}}
	f.split(&updateBlock{dofs: []int{0, 1}, at: [][2]int{{0, 0}, {1, 1}, {2, 2}}}, a)
	var e [3]float64 // of BBᵀ: 00, 10, 11
	for _, c := range f.columns {
		var x [2]float64
		for k, d := range c.dofs {
			x[d] = c.val[k]
		}
		e[0], e[1], e[2] = e[0]+x[0]*x[0], e[1]+x[1]*x[0], e[2]+x[1]*x[1]
	}
	for k, got := range e {
		if want := a.Val[k] - m.Val[k]; math.Abs(got-want) > 4*num.Eps*m.Val[0] { // of the sums in a
			t.Errorf("entry %d is %g, want %g", k, got, want)
		}
	}
}
