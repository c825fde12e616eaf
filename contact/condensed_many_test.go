package contact

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

// TestManyContactsCondensed: S of hundreds of contacts, from a factorisation with these last, by a
// Newton's method that solves by a Krylov space: answers as of the whole problem, of siblings to
// the same bits, and the work.
func TestManyContactsCondensed(t *testing.T) {
	p := chainProblem(420, 3, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%7)} })
	c, err := NewCondensed(context.Background(), p.M, p.H)
	if err != nil {
		t.Fatal(err)
	}
	if c.primal == nil {
		t.Fatal("few contacts")
	}
	h := *p.H
	other := c.Sibling(&h)
	for k := range 3 {
		q := *p
		q.F = slices.Clone(p.F)
		for i := range q.F {
			q.F[i] += 0.05 * float64(k) * math.Cos(float64(i))
		}
		for _, limit := range []int{1, 2, 0} {
			var x, y Result
			_ = c.Solve(context.Background(), &q, 0, &Options{MaxIterations: limit}, &x)
			own := q
			own.H = &h
			_ = other.Solve(context.Background(), &own, 0, &Options{MaxIterations: limit}, &y)
			if !slices.Equal(x.V, y.V) || !slices.Equal(x.R, y.R) || x.Iterations != y.Iterations {
				t.Errorf("sibling: other bits in solve %d", k)
			}
		}
	}
}

// TestLoadOfManyContacts: a state whose preconditioner is to be made goes on to the same bits;
// where the context is done it is not made, and says why; states of other problems are refused.
func TestLoadOfManyContacts(t *testing.T) {
	p := chainProblem(420, 3, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%7)} })
	var state CondensedState
	solver := func() *Condensed {
		c, err := NewCondensed(context.Background(), p.M, p.H)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := solver()
	var x, y Result
	if err := c.Solve(context.Background(), p, 0, nil, &x); err != nil {
		t.Fatal(err)
	}
	if c.Save(&state); len(state.Free) == 0 {
		t.Fatal("no preconditioner was made")
	}
	d := solver()
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if err := d.Load(ctx, &state); !errors.Is(err, reason) || len(d.primal.held.free) > 0 {
		t.Errorf("%v, %d columns are held", err, len(d.primal.held.free))
	}
	if err := d.Load(context.Background(), &state); err != nil {
		t.Fatal(err)
	}
	again := *p
	again.F = slices.Clone(p.F)
	again.F[0]++
	if err := errors.Join(c.Solve(context.Background(), &again, 0, nil, &x), d.Solve(context.Background(), &again, 0, nil, &y)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.V, y.V) || !slices.Equal(x.R, y.R) {
		t.Error("other bits from the state")
	}
	for name, spoil := range map[string]func(s *CondensedState){
		"reactions": func(s *CondensedState) { s.R = s.R[1:] }, "stiffnesses": func(s *CondensedState) { s.Kappa = s.Kappa[1:] }, "directions": func(s *CondensedState) { s.T = s.T[1:] },
		"columns": func(s *CondensedState) { s.Free[0] = -1 }, "column": func(s *CondensedState) { s.Free[0] = len(x.R) }, "many": func(s *CondensedState) { s.Free = make([]int, len(x.R)+1) },
	} {
		s := state
		s.Free = slices.Clone(state.Free)
		if spoil(&s); solver().Load(context.Background(), &s) == nil {
			t.Errorf("other %s are accepted", name)
		}
	}
}

// TestWarmStartOfWorkspaces: a workspace that is given a solution starts from it and gives it back.
func TestWarmStartOfWorkspaces(t *testing.T) {
	p := chainProblem(24, 3, func(k int) Law { return Tresca{Threshold: 0.1 * float64(k%7)} })
	var ws, other GlobalWorkspace
	var first, again Result
	if err := SolveConvex(context.Background(), p, 0, nil, &ws, &first); err != nil {
		t.Fatal(err)
	}
	v, r := slices.Clone(first.V), slices.Clone(first.R)
	other.WarmStart(p, v, r)
	if x, y := other.Last(nil, nil); !slices.Equal(x, v) || !slices.Equal(y, r) {
		t.Error("another start than was given")
	}
	if err := SolveConvex(context.Background(), p, 0, nil, &other, &again); err != nil || again.Iterations > 1 {
		t.Errorf("%v after %d iterations from the solution, cold %d", err, again.Iterations, first.Iterations)
	}
	for i := range v {
		if math.Abs(again.V[i]-v[i]) > 1e-11 {
			t.Errorf("v_%d = %g, want %g", i, again.V[i], v[i])
		}
	}
}

// TestCostOfPlans: the operations to make a condensed problem and of a step, by the counts of its
// plan.
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
