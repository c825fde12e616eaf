package contact

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/sparse"
)

// floatingChain is a chain of n nodes with springs to its neighbours and to nothing else, pressed and
// pulled by forces, every third node in contact with friction.
func floatingChain(n int, pull float64) *Global {
	b := sparse.NewBuilder(3 * n)
	for i := 1; i < n; i++ {
		for c := range 9 {
			b.Add(3*i+c/3, 3*(i-1)+c%3)
		}
	}
	m := b.Build()
	add := func(i, j int, x float64) { m.Val[m.Index(max(i, j), min(i, j))] += x }
	for i := 1; i < n; i++ {
		for c := range 3 {
			k := 1 + float64((i+c)%4)
			add(3*i+c, 3*i+c, k)
			add(3*i-3+c, 3*i-3+c, k)
			add(3*i+c, 3*i-3+c, -k)
		}
	}
	p := chainProblem(n, 3, func(k int) Law { return Tresca{Threshold: 0.4 + 0.1*float64(k%3)} })
	p.M = m
	for i := range n {
		p.F[3*i], p.F[3*i+1], p.F[3*i+2] = -1, pull*float64(i%4), 0.05*math.Sin(float64(i))
	}
	return p
}

// TestCondenseHeld: what contacts alone hold is condensed with these held, whether they are few or
// many, and has the solution of the whole problem; so has a sibling, and one that goes on from a saved state does to
// the same bits. What slides away is an error.
func TestCondenseHeld(t *testing.T) {
	ctx := context.Background()
	for _, n := range []int{60, 450} {
		p := floatingChain(n, 0.1)
		plan, err := PlanCondensed(ctx, p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		var singular *IndefiniteError
		if _, err := plan.Condense(ctx, p.M, p.H); !errors.As(err, &singular) {
			t.Fatalf("%v, want a matrix that is singular", err)
		}
		if plan, err = PlanCondensed(ctx, p.M, p.H); err != nil {
			t.Fatal(err)
		}
		c, err := plan.CondenseHeld(ctx, p.M, p.H)
		if err != nil || !c.Held() || !c.Of(p) {
			t.Fatal(err)
		}
		var want, got, twin Result
		var ws GlobalWorkspace
		if err := SolveConvex(ctx, p, 0, nil, &ws, &want); err != nil {
			t.Fatal(err)
		}
		sibling := c.Sibling(p.H)
		for _, err := range []error{c.Solve(ctx, p, 0, nil, &got), sibling.Solve(ctx, p, 0, nil, &twin)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got.V, twin.V) || !slices.Equal(got.R, twin.R) {
			t.Error("the sibling has another solution")
		}
		var shared GlobalWorkspace
		shared.UseCondensed(func(context.Context) *Condensed { return c })
		if gap := DualityGap(ctx, p, make([]float64, p.M.N), got.R, &shared); !math.IsInf(gap.Force, 1) {
			t.Errorf("forces left over on a matrix that is singular are worth %g J", gap.Force)
		}
		slides := 0
		for k := range p.Laws {
			if math.Hypot(got.U[3*k+1], got.U[3*k+2]) > 1e-6 {
				slides++
			}
		}
		t.Logf("%d nodes: %s, %d iterations, %d contacts slide", n, got.Solver, got.Iterations, slides)
		for i := range want.R {
			if math.Abs(got.R[i]-want.R[i]) > 1e-9 {
				t.Errorf("%d nodes: r[%d] = %g, want %g", n, i, got.R[i], want.R[i])
			}
		}
		for i := range want.V {
			if math.Abs(got.V[i]-want.V[i]) > 1e-8 {
				t.Errorf("%d nodes: v[%d] = %g, want %g", n, i, got.V[i], want.V[i])
			}
		}
		var state CondensedState
		c.Save(&state)
		resumed := c.Sibling(p.H)
		if err := resumed.Load(ctx, &state); err != nil {
			t.Fatal(err)
		}
		next := *p
		next.F = slices.Clone(p.F)
		next.F[1] += 0.2
		if err := errors.Join(c.Solve(ctx, &next, 0, nil, &got), resumed.Solve(ctx, &next, 0, nil, &twin)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.V, twin.V) || !slices.Equal(got.R, twin.R) {
			t.Error("other bits from the state")
		}
		away := &Global{M: p.M, H: p.H, F: floatingChain(n, 5).F, W: p.W, Laws: p.Laws}
		if err := c.Solve(ctx, away, 0, nil, &got); err == nil {
			t.Error("what slides away has a solution")
		}
		if err := c.Solve(ctx, p, 0, nil, &got); err != nil {
			t.Errorf("after a failure: %v", err)
		}
	}
}

// TestCondenseHeldNot: a part that no contact holds is refused.
func TestCondenseHeldNot(t *testing.T) {
	p := floatingChain(60, 0)
	for c := range 3 { // between two nodes that are no contacts nothing is left
		k := 1 + float64((2+c)%4)
		for _, at := range [][2]int{{6 + c, 6 + c}, {3 + c, 3 + c}} {
			p.M.Val[p.M.Index(at[0], at[1])] -= k
		}
		p.M.Val[p.M.Index(6+c, 3+c)] = 0
		k = 1 + float64((1+c)%4)
		p.M.Val[p.M.Index(3+c, 3+c)] -= k
		p.M.Val[p.M.Index(c, c)] -= k
		p.M.Val[p.M.Index(3+c, c)] = 0
	}
	plan, err := PlanCondensed(t.Context(), p.M, p.H)
	if err != nil {
		t.Fatal(err)
	}
	var singular *IndefiniteError
	if _, err := plan.CondenseHeld(t.Context(), p.M, p.H); !errors.As(err, &singular) {
		t.Errorf("%v, want a matrix that is singular", err)
	}
}
