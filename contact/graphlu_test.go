package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// laidOut are the factors by the graph of the bodies, with the numbers of c.
func laidOut(t *testing.T, g form.Graph, c *reduced) *graphLU {
	t.Helper()
	lu, ptr, col := layGraph(g)
	plan, err := factor.NewBlockPlan(t.Context(), ptr, col)
	if err != nil {
		t.Fatal(err)
	}
	lu.layOut(plan, ptr, col)
	lu.set(g, c)
	return lu
}

// TestGraphLU: the factors by the graph of the bodies solve (E W + B) x = f as the
// ones by the graph of the contacts do, with a W that methods have added to, in space
// and in the plane, and with a second problem of the same pattern.
func TestGraphLU(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for _, at := range [][]vec3{cannonballs(3), heap(60, 2)} {
		p := spherePile(at, 0.02, 0.4, nil)
		var ws LocalWorkspace
		for round := range 2 {
			ws.prepare(p)
			c := &ws.c
			lu := laidOut(t, ws.graph, c)
			f := &blockLU{n: c.nc, graph: lu}
			e, b, rhs := randomParts(rng, c.nc)
			x := make([]vec3, c.nc)
			for j := range e {
				if j%5 == 0 { // an open contact
					e[j], b[j] = mat3{}, mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}
				}
				if round == 1 {
					for k := range 3 {
						c.blk[c.diag[j]][4*k] += 0.1
					}
				}
			}
			copy(x, rhs)
			if round == 1 { // nil stands for E = I
				for j := range e {
					e[j] = num.Identity3
				}
				f.factor(t.Context(), c, nil, b)
			} else {
				f.factor(t.Context(), c, e, b)
			}
			f.solve(x)
			for j := range x {
				u, y := c.productAt(j, x), num.MulVec3(&b[j], &x[j])
				u = num.MulVec3(&e[j], &u)
				for k := range 3 {
					// 1e-11: rounding times a condition of some thousand.
					if d := u[k] + y[k] - rhs[j][k]; !(math.Abs(d) < 1e-11) {
						t.Fatalf("%d contacts, round %d: equation (%d, %d) is off by %g", c.nc, round, j, k, d)
					}
				}
			}
			// Factors that are off by 1e-5 are refined with W itself, once.
			for j := range lu.inv {
				for k := range 9 {
					lu.inv[j][k] *= 1 + 1e-5
				}
			}
			plain, worst, refined := slices.Clone(rhs), 0.0, 0.0
			lu.once(plain)
			y := slices.Clone(rhs)
			f.solve(y)
			for j := range x {
				for k := range 3 {
					worst, refined = max(worst, math.Abs(plain[j][k]-x[j][k])), max(refined, math.Abs(y[j][k]-x[j][k]))
				}
			}
			if !(worst > 1e-6 && refined < 1e-3*worst) {
				t.Errorf("%d contacts, round %d: off by %g, refined by %g", c.nc, round, worst, refined)
			}
		}
	}
}

// TestGraphOfMesh: bodies without a pattern of their own: rows of M that are coupled across blocks,
// alone, in twos and in threes, without a contact, and named twice by one; the factors solve (E W +
// B) x = f with W = HᵀM⁻¹H to rounding, once without refinement.
func TestGraphOfMesh(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	const n = 15
	build := sparse.NewBuilder(n)
	for i := range n {
		for _, gap := range []int{1, 4, 7} {
			if i >= gap {
				build.Add(i, i-gap)
			}
		}
	}
	m := build.Build()
	for k := range m.Val {
		m.Val[k] = 0.6 * rng.NormFloat64()
	}
	for i := range n {
		m.Val[m.Index(i, i)] = 6
	}
	h := &Jacobian{Dim: 3, Rows: n, Ptr: []int{0}}
	for _, rows := range [][]int{{0, 1, 2}, {3, 4}, {5}, {0, 1, 2, 6, 7, 8}, {9, 10, 9}, {13, 5, 3, 4}} {
		for _, i := range rows {
			h.Row = append(h.Row, i)
			h.Val = append(h.Val, rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
		}
		h.Ptr = append(h.Ptr, len(h.Row))
	}
	nc := h.Contacts()
	full, at := factor.NewDense(n), make([][]float64, 3*nc)
	for i := range n {
		for j := range i + 1 {
			if k := m.Index(i, j); k >= 0 {
				full.Row(i)[j] = m.Val[k]
			} else {
				full.Row(i)[j] = 0
			}
		}
	}
	if err := full.Factor(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := &Dense{D: 3, N: 3 * nc, Val: make([]float64, 9*nc*nc)}
	for i := range at {
		r := make([]float64, 3*nc)
		r[i] = 1
		at[i] = make([]float64, n)
		h.MulAdd(at[i], r)
		x := make([]float64, n)
		full.Solve(x, at[i])
		for j := range i + 1 {
			for k := range n {
				w.Val[3*nc*i+j] += at[j][k] * x[k]
			}
			w.Val[3*nc*j+i] = w.Val[3*nc*i+j]
		}
	}
	p := &Local{W: w, Q: make([]float64, 3*nc), Laws: slices.Repeat([]Law{Coulomb{Mu: 0.5}}, nc)}
	p.Graph = form.NewGraph(w, m, h)
	var ws LocalWorkspace
	ws.prepare(p)
	c := &ws.c
	lu := laidOut(t, ws.graph, c)
	// Blocks of rows that follow each other and belong to the same contacts, as often.
	if !slices.Equal(lu.group, []int32{0, 0, 0, 1, 1, 2, 3, 3, 3, 4, 5, 6, 6, 7, 8}) || !slices.Equal(lu.place, []int8{0, 1, 2, 0, 1, 0, 0, 1, 2, 0, 0, 0, 1, 0, 0}) {
		t.Errorf("blocks %v, places %v", lu.group, lu.place)
	}
	for _, a := range []int{2, 4, 5, 7, 8} { // of one row: ones on the rest of the diagonal
		at, _ := slices.BinarySearch(lu.col[lu.ptr[a]:lu.ptr[a+1]], int32(a))
		if got := lu.fixed[lu.ptr[a]+at]; got != (mat3{6, 0, 0, 0, 1, 0, 0, 0, 1}) {
			t.Errorf("block %d: %v", a, got)
		}
	}
	e, b, rhs := randomParts(rng, nc)
	x := make([]vec3, nc)
	copy(x, rhs)
	lu.factor(t.Context(), c, e, b, false)
	lu.once(x)
	for j := range x {
		u, y := c.productAt(j, x), num.MulVec3(&b[j], &x[j])
		u = num.MulVec3(&e[j], &u)
		for k := range 3 {
			if d := u[k] + y[k] - rhs[j][k]; !(math.Abs(d) < 1e-12) { // rounding times a condition of some hundred
				t.Errorf("equation (%d, %d) is off by %g", j, k, d)
			}
		}
	}
}

// TestGraphCholesky: where all e are symmetric and positive semidefinite, the Cholesky factors by
// the bodies solve (E W + 1) x = f, with blocks from nothing (an open contact) to 1e6 (one that
// sticks near the end of an interior-point method), twice; and a matrix that is not positive
// definite is left to LU.
func TestGraphCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	p := spherePile(heap(60, 2), 0.02, 0.4, nil)
	var ws LocalWorkspace
	ws.prepare(p)
	c := &ws.c
	lu := laidOut(t, ws.graph, c)
	f := &blockLU{n: c.nc, graph: lu, c: c}
	for range 2 {
		e, b := make([]mat3, c.nc), make([]mat3, c.nc)
		x, rhs := make([]vec3, c.nc), make([]vec3, c.nc)
		for j := range e {
			b[j] = mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}
			if j%5 > 0 {
				var g mat3
				for k := range g {
					g[k] = math.Pow(10, float64(j%4)) * rng.NormFloat64()
				}
				addMulTrans3(&e[j], &g, &g)
			}
			for k := range 3 {
				rhs[j][k] = rng.NormFloat64()
			}
		}
		copy(x, rhs)
		f.b = b
		lu.assemble(c, e, b)
		if lu.symmetric = lu.factorCholesky(t.Context()); !lu.symmetric {
			t.Fatal("not positive definite")
		}
		f.solve(x)
		most := 0.0
		for j := range x {
			most = max(most, math.Sqrt(num.Dot3(&x[j], &x[j])))
		}
		for j := range x {
			u := c.productAt(j, x)
			w := num.MulVec3(&e[j], &u)
			// u is a sum of some dozen products of the size of x, whose rounding, 1e-15, E makes
			// larger.
			size := max(e[j][0], e[j][4], e[j][8], 1) * most
			for k := range 3 {
				if d := w[k] + x[j][k] - rhs[j][k]; !(math.Abs(d) < 1e-14*size) {
					t.Fatalf("equation (%d, %d) is off by %g", j, k, d)
				}
			}
		}
	}
	for k := range lu.values {
		lu.values[k] = mat3{}
	}
	if lu.cholesky.refactor(t.Context(), lu.ptr, lu.col, lu.values) == nil {
		t.Error("zero is taken for positive definite")
	}
}

// TestGraphCanceled: without factors, because the context was done before the first, nothing
// panics.
func TestGraphCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := spherePile(heap(60, 2), 0.02, 0.4, nil)
	for _, convex := range []bool{false, true} {
		var ws LocalWorkspace
		ws.prepare(p)
		f := ws.factors(t.Context())
		if f == nil || f.graph == nil {
			t.Fatal("the graph of the bodies is not known")
		}
		e, b, x := make([]mat3, ws.c.nc), make([]mat3, ws.c.nc), make([]vec3, ws.c.nc)
		for j := range b {
			e[j], b[j], x[j] = num.Identity3, num.Identity3, vec3{1}
		}
		f.factorOf(ctx, &ws.c, e, b, convex)
		f.solve(x)
		if f.negative() {
			t.Error("a determinant without factors is negative")
		}
		for j := range x {
			if num.Bad(x[j][0]) || num.Bad(x[j][1]) || num.Bad(x[j][2]) {
				t.Fatalf("x_%d = %v", j, x[j])
			}
		}
	}
}

// TestChangedInPlace: factors by the bodies are of no use once M or H are others than W
// was made of.
func TestChangedInPlace(t *testing.T) {
	p := spherePile(heap(60, 2), 0.02, 0.4, nil)
	var ws LocalWorkspace
	if ws.prepare(p); p.W.Contacts() < form.GraphFrom || ws.graph.M == nil {
		t.Fatal("the graph of the bodies is not known")
	}
	p.Graph.M.Val[3] *= 1.5
	if ws.prepare(p); ws.graph.M != nil {
		t.Error("a graph with another M than W was made of is used")
	}
	p.Graph.M.Val[3] /= 1.5
	p.Graph.H.Val[7]++
	if ws.prepare(p); ws.graph.M != nil {
		t.Error("a graph with another H than W was made of is used")
	}
}

// randomParts are blocks E and B of n contacts, near the identity and 3/2 of it, and a right-hand
// side.
func randomParts(rng *rand.Rand, n int) (e, b []mat3, rhs []vec3) {
	e, b, rhs = make([]mat3, n), make([]mat3, n), make([]vec3, n)
	for j := range e {
		for k := range 9 {
			e[j][k], b[j][k] = 0.3*rng.NormFloat64(), 0.3*rng.NormFloat64()
		}
		for k := range 3 {
			e[j][4*k]++
			b[j][4*k] += 1.5
		}
		rhs[j] = randomVec(rng)
	}
	return e, b, rhs
}
