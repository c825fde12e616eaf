package contact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestShiftOfDiagonal: a part of the largest diagonal entry, to each.
func TestShiftOfDiagonal(t *testing.T) {
	ws := &GlobalWorkspace{a: denseSym(3, func(i, j int) float64 { return []float64{2, 0.5, 0.25, 0.5, 8, 0.125, 0.25, 0.125, 4}[3*i+j] })}
	ws.shift(0.25)
	for i, want := range []float64{4, 10, 6} {
		if got := ws.a.Val[ws.a.Ptr[i]]; got != want {
			t.Errorf("entry %d is %g, want %g", i, got, want)
		}
	}
	if ws.a.Val[1] != 0.5 || ws.a.Val[2] != 0.25 || ws.a.Val[4] != 0.125 {
		t.Errorf("beside the diagonal %v", ws.a.Val)
	}
}

// TestDelassusBlocks: a block is none where all is zero, wherever the one entry is; one that is not stored is not found.
func TestDelassusBlocks(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		for at := range dim * dim {
			block := make([][]float64, dim)
			for k := range block {
				block[k] = make([]float64, 2*dim)
			}
			if delassusEntry(block, 1, dim) != nil {
				t.Error("a block of zeros")
			}
			block[at%dim][dim+at/dim] = 3 // row at/dim, column at%dim of contact 1
			got := delassusEntry(block, 1, dim)
			want := make([]float64, dim*dim)
			want[at] = 3
			if !slices.Equal(got, want) || delassusEntry(block, 0, dim) != nil {
				t.Errorf("entry %d of %d: %v", at, dim, got)
			}
		}
	}
	b := &Blocks{D: 2, Ptr: []int{0, 2, 3}, Col: []int{0, 2, 1}}
	for _, c := range []struct{ i, j, want int }{{0, 0, 0}, {0, 1, -1}, {0, 2, 1}, {1, 1, 2}, {1, 0, -1}} {
		if got := find(b, c.i, c.j); got != c.want {
			t.Errorf("block %d, %d at %d, want %d", c.i, c.j, got, c.want)
		}
	}
}

// TestNothingMoves: single contacts without mobility, and what one looks at in the plane.
func TestNothingMoves(t *testing.T) {
	r := vec3{1, 2, 3}
	for dim := 2; dim <= 3; dim++ {
		if SolveOne(&r, dim, &mat3{}, &vec3{-1, 1, 0}, 0.5); r != (vec3{}) {
			t.Errorf("dim %d: %v", dim, r)
		}
	}
	// In the plane the third row and column are not read.
	var want vec3
	w, b := mat3{2, 0.5, 0, 0.5, 3, 0, 0, 0, 0}, vec3{-1, 4, 0}
	SolveOne(&want, 2, &w, &b, 0.5)
	w[2], w[5], w[6], w[7], w[8], b[2] = 7, 8, 9, 10, -50, 11
	if SolveOne(&r, 2, &w, &b, 0.5); r != want || r[2] != 0 {
		t.Errorf("%v, with other numbers that are not read %v", want, r)
	}
	empty := &Local{W: &Dense{D: 3}, Q: nil, Laws: nil}
	if err := empty.Validate(); err != nil {
		t.Errorf("no contact: %v", err)
	}
	var res Result
	if err := SolveLocal(context.Background(), unit(Coulomb{Mu: 1}, 1, 0, 0), nil, nil, &res); err != nil || res.Worst != -1 || res.PrimalWorst != -1 || res.DualWorst != -1 || res.DistanceWorst != -1 || res.GapWorst != -1 {
		t.Errorf("open and at rest: %v, worst %d, %d, %d, %d, %d", err, res.Worst, res.PrimalWorst, res.DualWorst, res.DistanceWorst, res.GapWorst)
	}
	names := map[string]bool{}
	for s := range len(form.StatusNames) {
		names[Status(s).String()] = true
	}
	if len(names) != len(form.StatusNames) || names[Status(-1).String()] || names[Status(len(form.StatusNames)).String()] {
		t.Errorf("names %v, %v, %v", names, Status(-1), Status(len(form.StatusNames)))
	}
}

// TestPatternsAreTold: the same pattern is one with the same columns in the same rows, whatever the values.
func TestPatternsAreTold(t *testing.T) {
	of := func(ptr []int, col ...int) *Local {
		b := &Blocks{D: 2, Ptr: ptr, Col: col, Val: make([]float64, 4*len(col))}
		for i := range b.Val {
			b.Val[i] = float64(1 + i%4)
		}
		n := len(ptr) - 1
		return &Local{W: b, Q: make([]float64, 2*n), Laws: slices.Repeat([]Law{Frictionless{}}, n)}
	}
	first := of([]int{0, 2, 4, 6}, 0, 1, 0, 1, 1, 2)
	for what, c := range map[string]struct {
		p    *Local
		same bool
	}{
		"the same": {of([]int{0, 2, 4, 6}, 0, 1, 0, 1, 1, 2), true}, "another column": {of([]int{0, 2, 4, 6}, 0, 2, 0, 1, 1, 2), false}, "the last": {of([]int{0, 2, 4, 6}, 0, 1, 0, 1, 0, 2), false}, "other rows": {of([]int{0, 2, 5, 6}, 0, 1, 0, 1, 2, 2), false},
		"one more": {of([]int{0, 2, 4, 7}, 0, 1, 0, 1, 0, 1, 2), false}, "one less": {of([]int{0, 2, 4, 5}, 0, 1, 0, 1, 2), false}, "fewer contacts": {of([]int{0, 2, 4}, 0, 1, 0, 1), false},
	} {
		var k reduced
		if k.reduce(first) {
			t.Error("the first pattern is an old one")
		}
		if got := k.reduce(c.p); got != c.same {
			t.Errorf("%s: the same: %t", what, got)
		}
	}
	// A workspace looks at M and at H.
	p, q := net(2, 2, 0.1, 0), net(3, 2, 0.1, 0)
	var ws GlobalWorkspace
	ws.prepare(p)
	kept := &ws.v[0]
	ws.prepare(p)
	if &ws.v[0] != kept {
		t.Error("analysed twice")
	}
	other := *p
	h := *p.H
	other.H = &h
	if ws.prepare(&other); &ws.v[0] != kept || ws.h != &h {
		t.Error("the same numbers of another H are analysed, or not kept")
	}
	sparser := *p
	b := sparse.NewBuilder(p.M.N)
	sparser.M = b.Build()
	if ws.prepare(&sparser); &ws.v[0] == kept || ws.m != sparser.M {
		t.Error("another M of the same H is not analysed")
	}
	if ws.prepare(q); len(ws.v) != q.M.N || len(ws.r) != len(q.Laws) {
		t.Error("another problem is not analysed")
	}
}

// TestJointsBecomeContacts: columns of G, as many as a contact has directions, are one bilateral contact that touches each row once.
func TestJointsBecomeContacts(t *testing.T) {
	p := &Global{M: denseSym(4, func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] }), F: make([]float64, 4), H: &Jacobian{Dim: 2, Rows: 4, Ptr: []int{0, 1}, Row: []int{0}, Val: []float64{1, 2}}, W: []float64{5, 6}, Laws: []Law{Frictionless{}},
		G: &Columns{Rows: 4, Ptr: []int{0, 2, 4, 5, 6}, Row: []int{1, 2, 1, 3, 0, 0}, Val: []float64{3, 4, 5, 6, 7, 8}}, B: []float64{.1, .2, .3, .4}}
	q, ok := withJoints(p)
	if !ok {
		t.Fatal("four columns are not two contacts of the plane")
	}
	if !slices.Equal(q.H.Ptr, []int{0, 1, 4, 5}) || !slices.Equal(q.H.Row, []int{0, 1, 2, 3, 0}) || !slices.Equal(q.H.Val, []float64{1, 2, 3, 5, 4, 0, 0, 6, 7, 8}) || !slices.Equal(q.W, []float64{5, 6, .1, .2, .3, .4}) || len(q.Laws) != 3 || q.Laws[2] != (Bilateral{}) {
		t.Errorf("%+v, %+v", q, q.H)
	}
	for _, nb := range []int{0, 1, 3} {
		x := *p
		x.G = &Columns{Rows: 4, Ptr: p.G.Ptr[:nb+1], Row: p.G.Row, Val: p.G.Val}
		if _, ok := withJoints(&x); ok {
			t.Errorf("%d columns are contacts", nb)
		}
	}
}

// TestCostOfPlans: the operations to make a condensed problem and of a step, by the counts of its plan.
func TestCostOfPlans(t *testing.T) {
	for _, nodes := range []int{30, 3 * (manyColumns/3 + 1)} {
		p := chainProblem(nodes, 3, func(int) Law { return Frictionless{} })
		plan, err := PlanCondensed(context.Background(), p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		n := float64(len(p.W))
		once, step := plan.Cost()
		var wantOnce, wantStep float64
		if plan.many == nil {
			l := float64(plan.few.NNZ())
			wantOnce, wantStep = plan.few.Flops()+32*n*l+n*n*n, 128*l+16*n*n*n/3
		} else {
			l := float64(plan.many.NNZ())
			wantOnce, wantStep = plan.many.Flops()+n*n*n, 128*l+n*n*n+1920*n*n
		}
		if math.Abs(once-wantOnce) > 1e-12*wantOnce || math.Abs(step-wantStep) > 1e-12*wantStep {
			t.Errorf("%d nodes: %g and %g operations, want %g and %g", nodes, once, step, wantOnce, wantStep)
		}
	}
}

// TestShapedPyramids: polygons of any facets and shape, by Lemke's method and by that of a single contact.
func TestShapedPyramids(t *testing.T) {
	rng := rand.New(rand.NewPCG(211, 1))
	for _, facets := range []int{4, 6, 8, 10} {
		for range 10 {
			a := randomBlock(rng, 0)
			b := randomVec(rng)
			b[0] = -math.Abs(b[0]) - 0.5
			p := &Local{W: &Dense{D: 3, N: 3, Val: a[:]}, Q: b[:], Laws: []Law{Pyramid{Mu: 0.1, Facets: facets, Shape: NewShape([4]float64{1.1, 0.3, -0.2, 0.4})}}}
			var lemke, sweep Result
			if err := SolveLocal(context.Background(), p, &Options{Method: MethodLemke, Tolerance: 1e-10}, nil, &lemke); err != nil {
				t.Errorf("%d facets: %v", facets, err)
				continue
			}
			if err := SolveLocal(context.Background(), p, &Options{Method: MethodGaussSeidel, Tolerance: 1e-10}, nil, &sweep); err != nil {
				t.Errorf("%d facets: %v", facets, err)
				continue
			}
			for i := range 3 {
				if math.Abs(lemke.R[i]-sweep.R[i]) > 1e-7*(1+num.Norm(sweep.R)) { // unique at little friction
					t.Errorf("%d facets: %v and %v", facets, lemke.R, sweep.R)
					break
				}
			}
		}
	}
}

// TestNonnegativeByHand: the step back to the bound drops the columns that reach it, and goes the part of the way to the first.
func TestNonnegativeByHand(t *testing.T) {
	for _, c := range []struct {
		x, z, want []float64
		kept       []int
	}{
		{[]float64{1, 1}, []float64{2, -1}, []float64{1.5, 0}, []int{0}},
		{[]float64{1, 3}, []float64{-1, -1}, []float64{0, 1}, []int{1}},
		{[]float64{2, 2}, []float64{-2, -2}, []float64{0, 0}, nil},
		{[]float64{1, 0}, []float64{2, -1}, []float64{1, 0}, []int{0}},
		{[]float64{0, 1}, []float64{-3, 2}, []float64{0, 1}, []int{1}},
		{[]float64{1, 1}, []float64{4, 0}, []float64{4, 0}, []int{0}},
	} {
		n := nonnegative{x: slices.Clone(c.x), z: c.z, passive: []int{0, 1}}
		inside := c.z[0] > 0 && c.z[1] > 0
		if n.inside() != inside {
			t.Errorf("z = %v: inside: %t", c.z, n.inside())
		}
		if n.retreat(); !slices.Equal(n.x, c.want) || !slices.Equal(n.passive, c.kept) && len(c.kept)+len(n.passive) > 0 {
			t.Errorf("from %v to %v: %v with %v, want %v with %v", c.x, c.z, n.x, n.passive, c.want, c.kept)
		}
	}
}
