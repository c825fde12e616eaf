package contact

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
)

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
	if err := d.Load(ctx, &state); !errors.Is(err, reason) {
		t.Error(err)
	}
	if err := d.Load(context.Background(), &state); err != nil {
		t.Fatal(err)
	}
	again := *p
	again.F = slices.Clone(p.F)
	again.F[0]++
	if err := errors.Join(c.Solve(context.Background(), &again, 0, nil, &x),
		d.Solve(context.Background(), &again, 0, nil, &y)); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.V, y.V) || !slices.Equal(x.R, y.R) {
		t.Error("other bits from the state")
	}
	for name, spoil := range map[string]func(s *CondensedState){
		"reactions":   func(s *CondensedState) { s.R = s.R[1:] },
		"stiffnesses": func(s *CondensedState) { s.Kappa = s.Kappa[1:] }, "directions": func(s *CondensedState) { s.T = s.T[1:] },
		"columns": func(s *CondensedState) { s.Free[0] = -1 },
		"column":  func(s *CondensedState) { s.Free[0] = len(x.R) }, "many": func(s *CondensedState) { s.Free = make([]int, len(x.R)+1) },
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
