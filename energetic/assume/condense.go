package assume

import (
	"context"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// condensedLimit bounds the order of a condensed matrix, which is dense.
const condensedLimit = 600

// condensed is a system whose dofs of I_f were minimised out: its D²E is the
// Schur complement H_rr − H_rf H_ff⁻¹ H_fr over the remaining particles.
type condensed struct {
	h    *sparse.Sym
	kept []int // particle of each that remains
	drop []int
	full *sparse.Sym
	f    factor.Factor
}

// condense eliminates the particles drop. It fails if they are not held by the
// others, or if too many remain, and when the context is done.
func condense(ctx context.Context, h *sparse.Sym, drop []bool) (*condensed, error) {
	c := &condensed{full: h}
	place := make([]int, h.N) // among the dropped or the kept
	for j, d := range drop {
		list := &c.kept
		if d {
			list = &c.drop
		}
		for a := range 3 {
			place[3*j+a] = 3*len(*list) + a
		}
		*list = append(*list, j)
	}
	n := 3 * len(c.kept)
	if n > condensedLimit {
		return nil, fmt.Errorf("%d degrees of freedom remain, at most %d are condensed", n, condensedLimit)
	}
	ff := c.part(drop, place)
	var err error
	if c.f, err = factor.AnalyseContext(ctx, ff, factor.Options{}); err != nil {
		return nil, err
	}
	if err := c.f.RefactorContext(ctx, ff); err != nil {
		return nil, errors.New("the energy is not strictly convex in the degrees of freedom of I_f")
	}
	c.h = c.schur(drop, place)
	return c, nil
}

// part returns H_ff.
func (c *condensed) part(drop []bool, place []int) *sparse.Sym {
	b := sparse.NewBuilder(3 * len(c.drop))
	c.each(func(r, col int, _ float64) {
		if drop[r/3] && drop[col/3] {
			b.Add(place[r], place[col])
		}
	})
	m := b.Build()
	c.each(func(r, col int, v float64) {
		if drop[r/3] && drop[col/3] {
			m.AddAt(place[r], place[col], v)
		}
	})
	return m
}

func (c *condensed) each(visit func(r, col int, v float64)) {
	for col := range c.full.N {
		for k := c.full.Ptr[col]; k < c.full.Ptr[col+1]; k++ {
			visit(c.full.Row[k], col, c.full.Val[k])
		}
	}
}

// schur returns H_rr − H_rf H_ff⁻¹ H_fr, with entries for all that remain.
func (c *condensed) schur(drop []bool, place []int) *sparse.Sym {
	n, nf := 3*len(c.kept), 3*len(c.drop)
	coupling := make([][]float64, n) // columns of H_fr; nil: none
	dense := make([]float64, n*n)    // the lower triangle
	c.each(func(r, col int, v float64) {
		switch {
		case drop[r/3] == drop[col/3]:
			if !drop[r/3] {
				dense[place[r]*n+place[col]] = v
			}
			return
		case drop[col/3]:
			r, col = col, r
		}
		if coupling[place[col]] == nil {
			coupling[place[col]] = make([]float64, nf)
		}
		coupling[place[col]][place[r]] += v
	})
	x := make([]float64, nf)
	for i, ci := range coupling {
		if ci == nil {
			continue
		}
		c.f.Solve(x, ci)
		for k, ck := range coupling {
			if ck != nil && k <= i {
				dense[i*n+k] -= elementary.Dot(ck, x)
			}
		}
	}
	return fullSym(dense, n)
}

// fullSym stores a dense symmetric matrix, of which it reads the lower triangle.
func fullSym(dense []float64, n int) *sparse.Sym {
	s := &sparse.Sym{N: n, Ptr: make([]int, 1, n+1)}
	for c := range n {
		for r := c; r < n; r++ {
			s.Row, s.Val = append(s.Row, r), append(s.Val, dense[r*n+c])
		}
		s.Ptr = append(s.Ptr, len(s.Row))
	}
	return s
}
