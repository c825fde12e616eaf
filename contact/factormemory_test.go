package contact

import (
	"context"
	"errors"
	"testing"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/memory"
)

// TestFactorsWithinMemory: factors of more than Options.Memory end a solve with what they need, the
// same problem is solved within it, and a problem without factors does not mind.
func TestFactorsWithinMemory(t *testing.T) {
	const n = 24
	p := &Local{W: &Blocks{D: 3, Ptr: []int{0}}, Q: make([]float64, 3*n)}
	b := p.W.(*Blocks)
	for i := range n {
		for _, c := range []struct {
			col int
			w   float64
		}{{i - 1, -1}, {i, 2.1}, {i + 1, -1}} {
			if c.col >= 0 && c.col < n {
				b.Col, b.Val = append(b.Col, c.col), append(b.Val, c.w, 0, 0, 0, c.w, 0, 0, 0, c.w)
			}
		}
		b.Ptr = append(b.Ptr, len(b.Col))
		p.Q[3*i], p.Q[3*i+1] = -1, .2
		p.Laws = append(p.Laws, Coulomb{Mu: .4})
	}
	col := make([]int32, len(b.Col))
	for k, j := range b.Col {
		col[k] = int32(j)
	}
	plan, err := factor.NewBlockPlan(context.Background(), b.Ptr, col)
	if err != nil {
		t.Fatal(err)
	}
	for limit, fits := range map[int64]bool{0: true, 1: false, plan.Bytes() - 1: false, plan.Bytes(): true, 1 << 40: true} {
		var res Result
		err := SolveLocal(context.Background(), p, &Options{Method: MethodNewton, Memory: limit}, new(LocalWorkspace), &res)
		e, exceeded := errors.AsType[*memory.ExceededError](err)
		if exceeded == fits || fits && err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
		if exceeded && (e.Need.Total() != plan.Bytes() || e.Limit.Bytes != limit || res.Status != NumericalFailure) {
			t.Errorf("limit %d: %s, %v", limit, res.Status, err)
		}
	}
	if err := SolveLocal(context.Background(), p, &Options{Method: MethodGaussSeidel, Memory: 1}, nil, nil); err != nil {
		t.Errorf("sweeps: %v", err)
	}
	if err := SolveLocal(context.Background(), p, &Options{Memory: -1}, nil, nil); err == nil {
		t.Error("a negative memory")
	}
}
