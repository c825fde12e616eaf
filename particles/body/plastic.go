package body

import (
	"slices"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

var _ particles.Remembering = (*Body)(nil)

// Own implements [particles.Remembering]: the variables are the plastic strains at the points of quadrature,
// see [fem.VonMises].
func (b *Body) Own() particles.Energy {
	if b.plastic == nil {
		return nil
	}
	own := *b
	own.memory = slices.Clone(b.memory)
	return &own
}

// Variables implements [particles.Remembering].
func (b *Body) Variables(dst []float64, t float64, x []float64) []float64 {
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	return b.plastic.Relax(dst, b.Displacement(s.d, t, x), b.memory)
}

// Recall implements [particles.Remembering].
func (b *Body) Recall(list []float64) []float64 {
	clear(b.memory)
	return list[copy(b.memory, list):]
}

// Flow implements [particles.Remembering].
func (b *Body) Flow(t0 float64, x0 []float64, t float64, x []float64) particles.Flow {
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	f := b.plastic.Flow(b.Displacement(s.d, t0, x0), b.Displacement(s.f, t, x), b.memory)
	flow := particles.Flow{Particle: b.root(), Dissipated: f.Dissipated, Work: f.Work, Turned: f.Turned, Excess: f.Excess,
		Dim: b.dim, Supports: b.Support(nil, t, x)}
	for _, sigma := range b.Stresses(t, x) {
		equivalent := sigma.Equivalent()
		flow.Stresses = append(flow.Stresses, equivalent[:]...)
	}
	return flow
}

// PlasticStrains returns the mean equivalent plastic strain ∫√⅔|ṗ| of each element [-]; nil without plasticity.
func (b *Body) PlasticStrains(t float64, x []float64) []float64 {
	if b.plastic == nil {
		return nil
	}
	list := b.plastic.Relax(nil, b.Displacement(nil, t, x), b.memory)
	return b.plastic.Strains(list)
}

// LeastHessian implements [particles.BoundedBelow] where there is plasticity: the stiffness of a body that
// flows everywhere, in any direction.
func (b *Body) LeastHessian(h *particles.Hessian) bool {
	if b.plastic == nil {
		return false
	}
	a := *b.linear
	a.Val = slices.Clone(a.Val)
	b.plastic.Soften(&a)
	b.addHessian(h, func(visit func(r, c int, a float64)) { eachOf(&a, visit) })
	return true
}

// eachOf visits the entries of the lower triangle of a matrix.
func eachOf(a *sparse.Sym, visit func(r, c int, a float64)) {
	for c := range a.N {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			visit(a.Row[k], c, a.Val[k])
		}
	}
}

// tangent is D²E of the strains at displacements d.
func (b *Body) tangent(d []float64) *sparse.Sym {
	if b.plastic == nil || d == nil {
		return b.linear
	}
	a := *b.linear
	a.Val = slices.Clone(a.Val)
	b.plastic.Tangent(&a, d, b.memory)
	return &a
}
