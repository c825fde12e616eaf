package contact

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/internal/sparse"
)

// Delassus is the reduction of a global problem to the reactions,
//
//	W = Hᵀ M⁻¹ H,   q = Hᵀ M⁻¹ f + w,
//
// with one factorisation of M, which it keeps for the way back.
type Delassus struct {
	Local *Local

	h     *Jacobian
	f     []float64
	solve func(dst, b []float64) // M⁻¹ b; dst is not b
	rhs   []float64
	shift []float64 // added to v; nil without inhomogeneous bilateral constraints
}

// NewDelassus reduces p. W is stored by blocks, without the blocks that are
// zero. It costs one factorisation and dim·nc solves. If M is not positive
// definite, the error wraps a *sparse.NotPositiveDefiniteError.
func NewDelassus(p *Global) (*Delassus, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	factor := sparse.Analyse(p.M, sparse.Options{})
	if err := factor.Refactor(p.M); err != nil {
		return nil, fmt.Errorf("contact: Delassus operator: M: %w", err)
	}
	return newDelassus(p.F, p.H, p.W, p.Laws, factor.Solve), nil
}

// NewDelassusDense reduces a global problem with a dense M (row by row) that
// need not be symmetric, and with nb bilateral constraints:
//
//	M v = f + H r + G λ,   Gᵀ v + b = 0.
//
// G is nv×nb, row by row, and may be nil. The reactions λ of the joints are
// eliminated together with v: the matrix [M −G; Gᵀ 0] is factorised by LU.
func NewDelassusDense(m, f []float64, h *Jacobian, w []float64, laws []Law, g, b []float64) (*Delassus, error) {
	nv, nb := len(f), len(b)
	if len(m) != nv*nv || len(g) != nv*nb || h.Rows != nv || h.Contacts() != len(laws) || len(w) != h.Dim*len(laws) {
		return nil, fmt.Errorf("contact: Delassus operator: sizes do not agree: M %d, f %d, H %d×%d, w %d, laws %d, G %d, b %d",
			len(m), nv, h.Rows, h.Dim*h.Contacts(), len(w), len(laws), len(g), nb)
	}
	if err := errors.Join(finite("M", m), finite("F", f), finite("H", h.Val), finite("W", w), finite("G", g), finite("B", b)); err != nil {
		return nil, err
	}
	var lu lcpLU
	n := nv + nb
	a, x := lu.resize(n)
	for i := range nv {
		copy(a[i*n:i*n+nv], m[i*nv:(i+1)*nv])
		for k := range nb {
			a[i*n+nv+k], a[(nv+k)*n+i] = -g[i*nb+k], g[i*nb+k]
		}
	}
	if !lu.factor() {
		return nil, errors.New("contact: Delassus operator: M (with the bilateral constraints) is singular")
	}
	solve := func(dst, rhs []float64) {
		copy(x, rhs)
		clear(x[nv:])
		lu.solve(x)
		copy(dst, x[:nv])
	}
	d := newDelassus(f, h, w, laws, solve)
	if nb > 0 { // the part of v that b causes is a constant
		clear(x)
		for k, v := range b {
			x[nv+k] = -v
		}
		lu.solve(x)
		d.shift = append([]float64(nil), x[:nv]...)
		h.MulTransAdd(d.Local.Q, d.shift)
	}
	return d, nil
}

func newDelassus(f []float64, h *Jacobian, w []float64, laws []Law, solve func(dst, b []float64)) *Delassus {
	nv, dim, nc := len(f), h.Dim, len(laws)
	d := &Delassus{h: h, f: f, solve: solve, rhs: make([]float64, nv)}
	v, u := make([]float64, nv), make([]float64, dim*nc)
	b := &Blocks{D: dim, Ptr: make([]int, nc+1)}
	columns := make([][]delassusBlock, nc) // by block row, column index ascending
	for j := range nc {
		block := make([][]float64, dim)
		for k := range dim {
			d.column(v, j, k)
			clear(u)
			h.MulTransAdd(u, v)
			block[k] = append([]float64(nil), u...)
		}
		for i := range nc {
			if val := delassusEntry(block, i, dim); val != nil || i == j {
				columns[i] = append(columns[i], delassusBlock{j, val})
			}
		}
	}
	for i, row := range columns {
		for _, e := range row {
			b.Col = append(b.Col, e.col)
			if e.val == nil {
				e.val = make([]float64, dim*dim)
			}
			b.Val = append(b.Val, e.val...)
		}
		b.Ptr[i+1] = len(b.Col)
	}
	q := append([]float64(nil), w...)
	solve(v, f)
	h.MulTransAdd(q, v)
	d.Local = &Local{W: b, Q: q, Laws: laws}
	return d
}

type delassusBlock struct {
	col int
	val []float64
}

// column sets v to M⁻¹ times column k of H at contact j.
func (d *Delassus) column(v []float64, j, k int) {
	clear(d.rhs)
	for e := d.h.Ptr[j]; e < d.h.Ptr[j+1]; e++ {
		d.rhs[d.h.Row[e]] += d.h.Val[d.h.Dim*e+k]
	}
	d.solve(v, d.rhs)
}

// delassusEntry gathers the block of row i, row by row; nil if it is zero.
func delassusEntry(block [][]float64, i, dim int) []float64 {
	val, zero := make([]float64, dim*dim), true
	for a := range dim {
		for k := range dim {
			val[a*dim+k] = block[k][i*dim+a]
			zero = zero && val[a*dim+k] == 0
		}
	}
	if zero {
		return nil
	}
	return val
}

// Velocity overwrites v with M⁻¹(f + H r) and returns it; a nil v allocates.
func (d *Delassus) Velocity(v, r []float64) []float64 {
	if v == nil {
		v = make([]float64, len(d.f))
	}
	copy(d.rhs, d.f)
	d.h.MulAdd(d.rhs, r)
	d.solve(v, d.rhs)
	for i, x := range d.shift {
		v[i] += x
	}
	return v
}
