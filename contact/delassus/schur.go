package delassus

import (
	"context"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/sparse"
)

// dependence is the pivot of S = GᵀM⁻¹G, relative to its diagonal, below which
// a joint counts as dependent: the square of 1e-6 of its direction is new,
// still well above the roundoff of S.
const dependence = 1e-12

// schur answers M v − Gλ = f, Gᵀv + b = 0 by the complement S = GᵀM⁻¹G, sparse as
// the joints are coupled by the bodies they share.
type schur struct {
	m *massParts
	g *form.Columns
	s factor.Factor
	y []float64 // of the joints
	z []float64 // of v
}

func newSchur(ctx context.Context, p *form.Global, m *massParts) (*schur, error) {
	nb := p.Joints()
	s := &schur{m: m, g: p.G, y: make([]float64, nb), z: make([]float64, p.M.N)}
	rows := &form.Jacobian{Dim: 1, Rows: p.M.N, Ptr: p.G.Ptr, Row: p.G.Row, Val: p.G.Val}
	w, err := newGram(rows, m).build(ctx)
	if err != nil {
		return nil, err
	}
	complement := lower(w)
	if s.s, err = factor.AnalyseContext(ctx, complement, factor.Options{PivotTolerance: dependence}); err != nil {
		return nil, err
	}
	err = s.s.RefactorContext(ctx, complement)
	var dependent *factor.NotPositiveDefiniteError
	if !errors.As(err, &dependent) {
		return s, err
	}
	// Once more in the order given: the joint that depends on the ones before it.
	s.s = factor.Analyse(complement, factor.Options{PivotTolerance: dependence, Ordering: factor.Natural})
	if err = s.s.RefactorContext(ctx, complement); errors.As(err, &dependent) {
		err = &DependentError{Row: dependent.Column}
	}
	return s, err
}

// lower is the matrix of blocks of order 1.
func lower(b *form.Blocks) *sparse.Sym {
	a := &sparse.Sym{N: b.Contacts(), Ptr: make([]int, b.Contacts()+1)}
	for j := range a.N {
		for k := b.Ptr[j]; k < b.Ptr[j+1]; k++ {
			if b.Col[k] >= j {
				a.Row, a.Val = append(a.Row, b.Col[k]), append(a.Val, b.Val[k])
			}
		}
		a.Ptr[j+1] = len(a.Row)
	}
	return a
}

// solve sets v and λ for b = 0: λ = −S⁻¹GᵀM⁻¹rhs, v = M⁻¹(rhs + Gλ). A second
// pass on the Gᵀv that is left brings the joints to roundoff of v.
func (s *schur) solve(v, lambda, rhs []float64) {
	s.m.solve(v, rhs)
	clear(lambda)
	for range 2 {
		clear(s.y)
		s.g.MulTransAdd(s.y, v)
		s.correct(v, lambda)
	}
}

// correct subtracts S⁻¹y from λ and its motion from v.
func (s *schur) correct(v, lambda []float64) {
	s.s.Solve(s.y, s.y)
	clear(s.z)
	s.g.MulAdd(s.z, s.y)
	s.m.solve(s.z, s.z)
	for k, x := range s.y {
		lambda[k] -= x
	}
	for i, x := range s.z {
		v[i] -= x
	}
}

// shift returns the motion and the reactions that b alone causes.
func (s *schur) shift(b []float64) (v, lambda []float64) {
	v, lambda = make([]float64, len(s.z)), make([]float64, len(b))
	copy(s.y, b)
	s.correct(v, lambda)
	return v, lambda
}

// DependentError reports joints of which one follows from, or contradicts,
// the ones before it: column Row of G is a combination of them.
type DependentError struct{ Row int }

func (e *DependentError) Error() string {
	return fmt.Sprintf("bilateral constraint %d depends on the ones before it", e.Row)
}
