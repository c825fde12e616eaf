package factor

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/sparse"
)

// Held factorises A with the rows and columns of what is held replaced by those of the identity. A itself stays as it
// is; the context is looked at as in AnalyseContext.
func Held(ctx context.Context, a *sparse.Sym, held []bool) (Factor, error) {
	m := &sparse.Sym{N: a.N, Ptr: a.Ptr, Row: a.Row, Val: slices.Clone(a.Val)}
	for c := range m.N {
		for p := m.Ptr[c]; p < m.Ptr[c+1]; p++ {
			if row := m.Row[p]; row == c && held[c] {
				m.Val[p] = 1
			} else if held[c] || held[row] {
				m.Val[p] = 0
			}
		}
	}
	f, err := AnalyseContext(ctx, m, Options{})
	if err == nil {
		err = f.RefactorContext(ctx, m)
	}
	return f, err
}
