package factor

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/looks"
	"github.com/quasistatic/quasistatic/sparse"
)

// TestOrderingsStop: every analysis looks at its context many times, ends with its cause a few
// looks after it is done, wherever that is, and is the same where it never is.
func TestOrderingsStop(t *testing.T) {
	a := gridMatrix(13, 13, 13, 1, false)
	ptr, col := make([]int, a.N+1), []int32{}
	for j := range a.N {
		for _, i := range a.Row[a.Ptr[j]:a.Ptr[j+1]] {
			col = append(col, int32(i))
		}
		ptr[j+1] = len(col)
	}
	kept := []int{0, 17, 300}
	for _, c := range []struct {
		name string
		plan func(ctx context.Context) ([]int32, error)
	}{
		{"minimum degree", order(a, MinimumDegree)},
		{"nested dissection", order(a, NestedDissection)},
		{"auto", order(a, AutoOrdering)},
		{"blocks", func(ctx context.Context) ([]int32, error) {
			p, err := NewBlockPlan(ctx, ptr, col)
			if err != nil {
				return nil, err
			}
			return p.Permutation(), nil
		}},
		{"contacts last", func(ctx context.Context) ([]int32, error) {
			p, err := PlanSchur(ctx, a, kept)
			if err != nil {
				return nil, err
			}
			perm, _ := p.plan.tree.columns(p.plan.graph)
			return perm, nil
		}},
	} {
		free := looks.After(t.Context(), 1<<40)
		want, err := c.plan(free)
		total := free.Count()
		if err != nil || total < 10 {
			t.Fatalf("%s: %v, %d looks", c.name, err, total)
		}
		if got, err := c.plan(context.Background()); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: another order, %v", c.name, err)
		}
		for _, left := range []int{0, 1, total / 3, total / 2, total - 1} {
			ctx := looks.After(t.Context(), left)
			// After the end each level of the recursion may look once more: 3 log₂ n.
			if _, err := c.plan(ctx); !errors.Is(err, context.Canceled) || ctx.Beyond() > 36 {
				t.Errorf("%s: done after %d of %d looks: %v, %d looks later", c.name, left, total, err, ctx.Beyond())
			}
		}
	}
}

// order returns the permutation of an analysis.
func order(a *sparse.Sym, o Ordering) func(ctx context.Context) ([]int32, error) {
	return func(ctx context.Context) ([]int32, error) {
		p, err := NewPlanContext(ctx, a, Options{Ordering: o})
		if err != nil {
			return nil, err
		}
		perm, _ := p.tree.columns(p.graph)
		return perm, nil
	}
}
