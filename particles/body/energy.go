package body

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// scratch is the memory of one evaluation; several may run at once.
type scratch struct{ d, f []float64 }

// Validate implements [particles.Validator].
func (b *Body) Validate(n int) error {
	if b.o.First < 0 || b.o.First+b.Particles() > n {
		return fmt.Errorf("body: particles %d to %d of %d", b.o.First, b.o.First+b.Particles()-1, n)
	}
	return nil
}

// ConstantHessian implements [particles.ConstantHessian].
func (b *Body) ConstantHessian() bool { return b.Linear() }

// Linear reports whether forces are linear in displacements.
func (b *Body) Linear() bool { return b.hyper == nil && b.plastic == nil }

// Floating says that what is not constant in D²E is of strains.
func (b *Body) Floating() bool { return true }

// Convex implements [particles.Convex]: the energy density of a linear material with
// E > 0 and -1 < ν < ½ is a positive quadratic form of the strain, and plasticity keeps it convex.
func (b *Body) Convex() bool { return b.hyper == nil }

// Breaks implements [particles.Breaker].
func (b *Body) Breaks(dst []float64, t0, t1 float64) []float64 {
	n := len(dst)
	add := func(s signal.Scalar) {
		if k, ok := s.(signal.Breaker); ok {
			dst = k.Breaks(dst, t0, t1)
		}
	}
	for _, l := range b.loads {
		add(l.factor)
	}
	for _, p := range b.o.Prescribed {
		add(p.Motion)
	}
	return signal.SortBreaks(dst, n)
}

// TimeBound implements [particles.TimeBounded]; rates of a nonlinear body depend on x.
func (b *Body) TimeBound(dst []float64, k int) bool {
	if !b.Linear() {
		return len(b.fixed) == 0 && len(b.loads) == 0
	}
	motion := make([]float64, len(b.dof))
	for _, i := range b.fixed {
		m, ok := signal.DerivativeBound(b.motion[i], k)
		if !ok {
			return false
		}
		motion[i] = m
		dst[b.dof[i]] += b.follow * m
	}
	b.eachEntry(nil, func(r, c int, a float64) {
		if b.motion[r] == nil {
			dst[b.dof[r]] += math.Abs(a) * motion[c]
		} else if b.motion[c] == nil {
			dst[b.dof[c]] += math.Abs(a) * motion[r]
		}
	})
	for _, l := range b.loads {
		f, ok := signal.DerivativeBound(l.factor, k)
		if !ok {
			return false
		}
		for i, x := range l.vector {
			if b.motion[i] == nil {
				dst[b.dof[i]] += f * math.Abs(x)
			}
		}
	}
	return true
}

// Pattern implements [particles.Energy].
func (b *Body) Pattern(p *particles.Pattern) {
	a := b.blocks
	for c := range a.N {
		for k := a.Ptr[c]; k < a.Ptr[c+1]; k++ {
			if r := a.Row[k]; r == c || b.motion[r] == nil && b.motion[c] == nil {
				p.Add(b.dof[r], b.dof[c])
			}
		}
	}
	for _, i := range b.spare {
		p.Add(i, i)
	}
}

// Displacement stores d in dst, dim·nodes; nil allocates.
func (b *Body) Displacement(dst []float64, t float64, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(b.dof))
	}
	for i, dof := range b.dof {
		if g := b.motion[i]; g != nil {
			dst[i] = g.At(t)
		} else {
			dst[i] = x[dof] - b.start[dof-3*b.o.First]
		}
	}
	return dst
}

// elastic returns the stored energy and stores its gradient, if that is wanted, in s.f.
func (b *Body) elastic(s *scratch, gradient bool) (e float64) {
	if b.hyper == nil {
		b.linear.MulVec(s.f, s.d)
		for i, f := range s.f {
			e += 0.5 * f * s.d[i]
		}
		if b.plastic != nil {
			e += b.plastic.Energy(s.f, s.d, b.memory)
		}
		return e
	}
	clear(s.f)
	if !gradient {
		return b.hyper.Energy(nil, s.d)
	}
	return b.hyper.Energy(s.f, s.d)
}

// Outside implements [particles.Domain]: an element of a hyperelastic body that is
// inverted has infinite energy.
func (b *Body) Outside(t float64, x []float64) error {
	if b.hyper == nil {
		return nil
	}
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	b.Displacement(s.d, t, x)
	k, j := b.hyper.Inverted(s.d)
	if k < 0 {
		return nil
	}
	return fmt.Errorf("body: element %d with the nodes %v is inverted, det F = %.4g", k, b.o.Mesh.NodesOf(k), j)
}

// Value implements [particles.Energy]: the rate is −L̇·d + (DE)·ġ over the
// prescribed components.
func (b *Body) Value(t float64, x []float64) (e, rate float64) {
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	b.Displacement(s.d, t, x)
	e = b.elastic(s, len(b.fixed) > 0)
	for _, l := range b.loads {
		f, df, work := l.factor.At(t), l.factor.Rate(t), 0.0
		for i, v := range l.vector {
			work += v * s.d[i]
			s.f[i] -= f * v
		}
		e -= f * work
		rate -= df * work
	}
	for _, i := range b.fixed {
		off := b.lag(i, t, x)
		e += 0.5 * b.follow * off * off
		rate += (s.f[i] - b.follow*off) * b.motion[i].Rate(t)
	}
	for _, dof := range b.spare {
		off := b.offset(dof, x)
		e += 0.5 * b.follow * off * off
	}
	return e, rate
}

// offset returns the distance of a particle coordinate from its start.
func (b *Body) offset(dof int, x []float64) float64 { return x[dof] - b.start[dof-3*b.o.First] }

// Gradient implements [particles.Energy].
func (b *Body) Gradient(grad, rate []float64, t float64, x []float64) {
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	b.Displacement(s.d, t, x)
	if grad != nil {
		b.forces(s, t)
		for i, dof := range b.dof {
			if b.motion[i] != nil {
				grad[dof] += b.follow * b.lag(i, t, x)
			} else {
				grad[dof] += s.f[i]
			}
		}
		for _, dof := range b.spare {
			grad[dof] += b.follow * b.offset(dof, x)
		}
	}
	if rate != nil {
		b.rates(rate, s, t)
	}
}

// forces stores DE with respect to d in s.f: elastic forces less loads.
func (b *Body) forces(s *scratch, t float64) {
	b.elastic(s, true)
	for _, l := range b.loads {
		f := l.factor.At(t)
		for i, v := range l.vector {
			s.f[i] -= f * v
		}
	}
}

// rates adds ∂tDE: D²E_fd ġ − L̇ at free components, −kġ at followers.
func (b *Body) rates(rate []float64, s *scratch, t float64) {
	v := s.f // ġ
	clear(v)
	moving := false
	for _, i := range b.fixed {
		v[i] = b.motion[i].Rate(t)
		moving = moving || v[i] != 0
		rate[b.dof[i]] -= b.follow * v[i]
	}
	if moving {
		b.eachEntry(s.d, func(r, c int, a float64) {
			if b.motion[r] == nil && b.motion[c] != nil {
				rate[b.dof[r]] += a * v[c]
			} else if b.motion[c] == nil && b.motion[r] != nil {
				rate[b.dof[c]] += a * v[r]
			}
		})
	}
	for _, l := range b.loads {
		df := l.factor.Rate(t)
		for i, x := range l.vector {
			if b.motion[i] == nil {
				rate[b.dof[i]] -= df * x
			}
		}
	}
}

// eachEntry visits the entries of the lower triangle of D²E with respect to d,
// by mesh dofs; those of a nonlinear body element by element.
func (b *Body) eachEntry(d []float64, visit func(r, c int, a float64)) {
	if b.hyper == nil {
		eachOf(b.tangent(d), visit)
		return
	}
	b.hyper.EachBlock(d, func(i, j int, block *[3][3]float64) {
		for r := range b.dim {
			for c := range b.dim {
				if i != j || r >= c {
					visit(b.dim*i+r, b.dim*j+c, block[r][c])
				}
			}
		}
	})
}

// Hessian implements [particles.Energy].
func (b *Body) Hessian(h *particles.Hessian, t float64, x []float64) {
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	b.Displacement(s.d, t, x)
	b.addHessian(h, func(visit func(r, c int, a float64)) { b.eachEntry(s.d, visit) })
}

// addHessian adds a stiffness of the body with that of the followers.
func (b *Body) addHessian(h *particles.Hessian, each func(visit func(r, c int, a float64))) {
	each(func(r, c int, a float64) {
		if b.motion[r] == nil && b.motion[c] == nil {
			h.Add(b.dof[r], b.dof[c], a)
		}
	})
	for _, i := range b.fixed {
		h.Add(b.dof[i], b.dof[i], b.follow)
	}
	for _, dof := range b.spare {
		h.Add(dof, dof, b.follow)
	}
}

// Support stores the force [N] that holds each prescribed component, with what contact does to it, zero
// elsewhere, in dst by mesh dofs; nil allocates.
func (b *Body) Support(dst []float64, t float64, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(b.dof))
	}
	clear(dst)
	s := b.pool.Get().(*scratch)
	defer b.pool.Put(s)
	b.Displacement(s.d, t, x)
	b.forces(s, t)
	for _, i := range b.fixed {
		dst[i] = s.f[i] - b.follow*b.lag(i, t, x)
	}
	return dst
}

// BedForce stores the forces −Bu [N] of the beds on the nodes, by mesh dofs, in dst; nil allocates.
func (b *Body) BedForce(dst []float64, t float64, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(b.dof))
	}
	clear(dst)
	if b.beds != nil {
		b.beds.MulVec(dst, b.Displacement(nil, t, x))
		for i, f := range dst {
			dst[i] = -f
		}
	}
	return dst
}

// Reaction adds up the forces of the supports on nodes along an axis of the mesh [N]: what holds the body there,
// [Body.Support]; what other energies and bodies do to the nodes, [particles.System.Handed], where the pull of the
// follower of a prescribed component is no force of the support; less the force of contact along the axis, which the
// follower, as far as it is from its motion, bears.
func (b *Body) Reaction(nodes []int, axis int, support, handed []float64, t float64, x []float64) (sum float64) {
	for _, i := range nodes {
		at := b.dim*i + axis
		dof := b.dof[at]
		follower := b.follow * (b.offset(dof, x) - b.motion[at].At(t))
		sum += support[at] + (handed[dof] - follower) - follower
	}
	return sum
}

// Stresses returns the (Cauchy) stress of each element [Pa].
func (b *Body) Stresses(t float64, x []float64) []fem.Tensor {
	d := b.Displacement(nil, t, x)
	if b.hyper != nil {
		return b.hyper.Stresses(d)
	}
	s := fem.Stresses(b.o.Mesh, b.o.Material, d)
	if b.plastic != nil {
		b.plastic.Correct(s, b.plastic.Relax(nil, d, b.memory))
	}
	return s
}

// Strains returns the mean strain of each element [-]: of hyperelastic bodies that of Green and Lagrange.
func (b *Body) Strains(t float64, x []float64) []fem.Tensor {
	d := b.Displacement(nil, t, x)
	if b.hyper != nil {
		return b.hyper.Strains(d)
	}
	return fem.Strains(b.o.Mesh, b.o.Material, d)
}

// StressesAtNodes returns the (Cauchy) stress at each node [Pa].
func (b *Body) StressesAtNodes(t float64, x []float64) []fem.Tensor {
	d := b.Displacement(nil, t, x)
	if b.hyper != nil {
		return b.hyper.StressesAtNodes(d)
	}
	s := fem.StressesAtNodes(b.o.Mesh, b.o.Material, d)
	if b.plastic != nil {
		b.plastic.CorrectAtNodes(s, b.plastic.Relax(nil, d, b.memory))
	}
	return s
}
