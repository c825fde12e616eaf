package delassus

import (
	"context"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// NewDelassusDense reduces a global problem with a dense M (row by row) that
// need not be symmetric, and with nb bilateral constraints:
//
//	M v = f + H r + G λ,   Gᵀ v + b = 0.
//
// G is nv×nb, row by row, and may be nil. The reactions λ of the joints are
// eliminated together with v: the matrix [M −G; Gᵀ 0] is factorised by LU.
func NewDelassusDense(m, f []float64, h *form.Jacobian, w []float64, laws []law.Law, g, b []float64) (*Delassus, error) {
	nv, nb := len(f), len(b)
	if h == nil {
		return nil, errors.New("contact: Delassus operator: H is required")
	}
	if len(m) != nv*nv || len(g) != nv*nb || h.Rows != nv || h.Contacts() != len(laws) || len(w) != h.Dim*len(laws) {
		return nil, fmt.Errorf("contact: Delassus operator: sizes do not agree: M %d, f %d, H %d×%d, w %d, laws %d, G %d, b %d",
			len(m), nv, h.Rows, h.Dim*h.Contacts(), len(w), len(laws), len(g), nb)
	}
	if err := errors.Join(form.Finite("M", m), form.Finite("F", f), form.Finite("H", h.Val), form.Finite("W", w),
		form.Finite("G", g), form.Finite("B", b)); err != nil {
		return nil, err
	}
	var lu num.LU
	n := nv + nb
	a, x := lu.Resize(n)
	for i := range nv {
		copy(a[i*n:i*n+nv], m[i*nv:(i+1)*nv])
		for k := range nb {
			a[i*n+nv+k], a[(nv+k)*n+i] = -g[i*nb+k], g[i*nb+k]
		}
	}
	if !lu.Factor() {
		return nil, errors.New("contact: Delassus operator: M (with the bilateral constraints) is singular: something moves freely but for contacts; want masses or springs of it in M, or rows of G that hold it")
	}
	d := &Delassus{h: h, f: f, rhs: make([]float64, nv), v: make([]float64, nv), lambda: make([]float64, nb)}
	d.solve = func(dst, lambda, rhs []float64) {
		copy(x, rhs)
		clear(x[nv:])
		lu.Solve(x)
		copy(dst, x[:nv])
		copy(lambda, x[nv:])
	}
	if nb > 0 { // the part of v that b causes is a constant
		clear(x)
		for k, v := range b {
			x[nv+k] = -v
		}
		lu.Solve(x)
		d.shift, d.lambdaShift = append(d.shift, x[:nv]...), append(d.lambdaShift, x[nv:]...)
	}
	blocks, err := d.columns(context.Background(), len(laws))
	if err != nil {
		return nil, err
	}
	d.pose(w, laws, blocks)
	return d, nil
}
