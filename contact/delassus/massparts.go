package delassus

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/forest"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/sparse"
)

// massParts is M⁻¹ by the connected parts of the graph of M: rigid bodies, elastic
// bodies. A column of H touches few of them, so that HᵀM⁻¹H costs what its blocks do.
type massParts struct {
	parts []massPart // in the order of their first rows
	of    []int32    // row of M → part
	at    []int32    // row of M → row of the part
}

// massPart is a set of rows that M couples to no other: a small one as a dense
// factor, a large one as a sparse factor.
type massPart struct {
	rows  []int // ascending
	small *smallLDL
	large interface{ Solve(dst, b []float64) }
	kept  []int     // rows of the part that contacts touch, if large is a *factor.Schur
	x     []float64 // a vector of the part
}

// smallPart is the order up to which a part is factorised as a dense matrix: a rigid
// body has six rows.
const smallPart = 24

// newMassParts factorises m. If it is not positive definite the error wraps a
// *[IndefiniteError].
// Of a large part that many rows of h touch, those rows are eliminated last.
func newMassParts(ctx context.Context, m *sparse.Sym, h *form.Jacobian) (*massParts, error) {
	p := partsOf(m)
	touched := make([]bool, m.N)
	for _, row := range h.Row {
		touched[row] = true
	}
	for k := range p.parts {
		if k%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := p.factorise(ctx, m, &p.parts[k], touched); err != nil {
			return nil, fmt.Errorf("matrix M: %w", form.Indefinite(err))
		}
	}
	return p, nil
}

// partsOf finds the connected parts of m.
func partsOf(m *sparse.Sym) *massParts {
	root := forest.New(m.N)
	for j := range m.N {
		for _, i := range m.Row[m.Ptr[j]+1 : m.Ptr[j+1]] {
			root.Join(i, j)
		}
	}
	of, count := root.Number()
	p := &massParts{parts: make([]massPart, count), of: make([]int32, m.N), at: make([]int32, m.N)}
	for i := range m.N {
		p.of[i] = int32(of[i])
		part := &p.parts[p.of[i]]
		p.at[i] = int32(len(part.rows))
		part.rows = append(part.rows, i)
	}
	return p
}

// factorise prepares the solves of a part.
func (p *massParts) factorise(ctx context.Context, m *sparse.Sym, part *massPart, touched []bool) error {
	n := len(part.rows)
	part.x = make([]float64, n)
	if n <= smallPart {
		part.small = &smallLDL{n, make([]float64, n*n)}
		for c, j := range part.rows {
			for e := m.Ptr[j]; e < m.Ptr[j+1]; e++ {
				part.small.L[int(p.at[m.Row[e]])*n+c] = m.Val[e]
			}
		}
		if k, pivot := part.small.factor(); k >= 0 {
			return &factor.NotPositiveDefiniteError{Column: part.rows[k], Pivot: pivot}
		}
		return nil
	}
	own := m
	if n < m.N {
		own = p.submatrix(m, part.rows)
	}
	err := part.factoriseLarge(ctx, own, touched)
	var indefinite *factor.NotPositiveDefiniteError
	if errors.As(err, &indefinite) {
		indefinite.Column = part.rows[indefinite.Column]
	}
	return err
}

func (part *massPart) factoriseLarge(ctx context.Context, own *sparse.Sym, touched []bool) error {
	for i, row := range part.rows {
		if touched[row] {
			part.kept = append(part.kept, i)
		}
	}
	if len(part.kept) > manyKept {
		plan, err := factor.PlanSchur(ctx, own, part.kept)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			s, err := plan.FactorContext(ctx, own)
			part.large = s
			return err
		}
	}
	part.kept = nil
	f, err := factor.AnalyseContext(ctx, own, factor.Options{})
	if err != nil {
		return err
	}
	err = f.RefactorContext(ctx, own)
	f.Release()
	part.large = f
	return err
}

// submatrix is m on the rows of a part.
func (p *massParts) submatrix(m *sparse.Sym, rows []int) *sparse.Sym {
	own := &sparse.Sym{N: len(rows), Ptr: make([]int, len(rows)+1)}
	for c, j := range rows {
		for e := m.Ptr[j]; e < m.Ptr[j+1]; e++ {
			own.Row, own.Val = append(own.Row, int(p.at[m.Row[e]])), append(own.Val, m.Val[e])
		}
		own.Ptr[c+1] = len(own.Row)
	}
	return own
}

// solve sets v = M⁻¹ rhs; v may be rhs.
func (p *massParts) solve(v, rhs []float64) {
	for k := range p.parts {
		part := &p.parts[k]
		for i, row := range part.rows {
			part.x[i] = rhs[row]
		}
		part.solve(part.x)
		for i, row := range part.rows {
			v[row] = part.x[i]
		}
	}
}

// solve sets x = M⁻¹x for a vector of the part.
func (part *massPart) solve(x []float64) {
	if part.small != nil {
		part.small.solve(x)
		return
	}
	part.large.Solve(x, x)
}

// smallLDL is LDLᵀ of a small dense matrix, the unit lower triangle by rows, with the
// inverse of D on the diagonal: no square roots, so that simple numbers stay simple.
type smallLDL struct {
	N int
	L []float64
}

// Factor overwrites the lower triangle and returns the first column whose pivot is not
// positive to rounding, with that pivot, or −1.
func (s *smallLDL) factor() (int, float64) {
	n, l := s.N, s.L
	for i := range n {
		row := l[i*n : i*n+n]
		pivot := row[i]
		least := float64(n) * num.Eps * math.Abs(pivot)
		for j := range i { // row[j] is l_ij d_j until it has been used
			other := l[j*n : j*n+j+1]
			for k := range j {
				row[j] -= row[k] * other[k]
			}
		}
		for j := range i {
			y := row[j]
			row[j] = y * l[j*n+j]
			pivot -= row[j] * y
		}
		if !(pivot > least) {
			return i, pivot
		}
		row[i] = 1 / pivot
	}
	return -1, 0
}

// forward sets x = L⁻¹x.
func (s *smallLDL) forward(x []float64) {
	for i := range s.N {
		row, sum := s.L[i*s.N:i*s.N+i], x[i]
		for j, v := range row {
			sum -= v * x[j]
		}
		x[i] = sum
	}
}

// product is xᵀD⁻¹y, the same for x and y exchanged to the last bit.
func (s *smallLDL) product(x, y []float64) (sum float64) {
	for k, v := range x {
		sum += v * y[k] * s.L[k*s.N+k]
	}
	return sum
}

// solve sets x = (LDLᵀ)⁻¹x.
func (s *smallLDL) solve(x []float64) {
	s.forward(x)
	for i := s.N - 1; i >= 0; i-- {
		x[i] *= s.L[i*s.N+i]
	}
	for i := s.N - 1; i >= 0; i-- {
		for j, v := range s.L[i*s.N : i*s.N+i] {
			x[j] -= v * x[i]
		}
	}
}

// manyKept: with more rows that contacts touch, they are eliminated last, not solved for one by
// one.
const manyKept = 400
