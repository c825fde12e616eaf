package incremental

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
)

const (
	// Directions of recession are told from displacements by two regularised problems,
	// D²E + ε, of which the second is this much softer …
	softer = 1e-2
	// … and the first at most this part of the stiffest spring.
	regular = 1e-4
	// regularisations is the number of times that thresholds are taken from the forces of the
	// regularised problem, softer each time: they are off by about ε of the stiffness.
	regularisations = 5
	// unstored: D²E d is below this part of |D²E||d|, rounding of the solver.
	unstored = 1e-7
	// clean: a direction of which less is stored is taken as it is. Of more, which may be the long
	// way of a soft spring, as much as can be is taken off; that turns it by rounding over the
	// regularisation, 2e-8.
	clean = 1e-10
)

// slack reports whether D²E is singular, and not indefinite but for a part of the tension of
// springs.
func (m *Minimiser) slack(t float64, z []float64) bool {
	k := largest(m.sys.Hessian(t, z).Val)
	return k == 0 || m.singular(t, z, 0) && !m.singular(t, z, regular*k)
}

// softestAt is the stiffness that regularises at a state: a part of the largest, or 1 N/m.
func (m *Minimiser) softestAt(t float64, z []float64) float64 {
	if k := largest(m.sys.Hessian(t, z).Val); k > 0 {
		return regular * k
	}
	return 1
}

// singular reports whether D²E + shift·I has no Cholesky factor.
func (m *Minimiser) singular(t float64, z []float64, shift float64) bool {
	a := m.shiftedBy(t, z, shift)
	n := float64(a.N)
	// A pivot of a singular matrix is rounding of the sums of its column.
	_, indefinite := errors.AsType[*factor.NotPositiveDefiniteError](factor.Analyse(a,
		factor.Options{PivotTolerance: 4 * n * 0x1p-52}).Refactor(a))
	return indefinite
}

// shiftedBy returns D²E + shift·I, in memory of its own.
func (m *Minimiser) shiftedBy(t float64, z []float64, shift float64) *sparse.Sym {
	hessian := m.sys.Hessian(t, z)
	a := copyPattern(hessian)
	copy(a.Val, hessian.Val)
	for c := range a.N {
		a.Val[a.Ptr[c]] += shift
	}
	return a
}

// stored is the largest entry of D²E d, over that of D²E.
func (m *Minimiser) stored(t float64, z, d []float64) float64 {
	a := m.sys.Hessian(t, z)
	a.MulVec(m.f, d)
	most := 0.0
	for _, f := range m.f {
		most = max(most, math.Abs(f))
	}
	if k := largest(a.Val); k > 0 {
		return most / k
	}
	return 0
}

// relax takes from d what is stored in it, by inverse iterations d ← δ(D²E + δI)⁻¹d: where slip
// turns, or a soft spring is still coming to rest, the last difference of an iteration is near to a
// direction of recession, and no more. Heights that obstacles hold stay.
func (m *Minimiser) relax(t float64, z, d []float64) {
	const rounds = 6
	delta := regular * m.softestAt(t, z)
	a := m.shiftedBy(t, z, delta)
	f := factor.Analyse(a, factor.Options{})
	if f.Refactor(a) != nil {
		return
	}
	held := append([]float64(nil), d...)
	for range rounds {
		f.Solve(d, d)
		floats.Scale(delta, d)
	}
	for _, j := range m.particle {
		if held[3*j+2] <= 0 {
			d[3*j+2] = 0
		}
	}
}

// regularised solves the step from base with D²E + εI, which has a solution; it leaves its
// reactions, and returns the displacement.
func (m *Minimiser) regularised(ctx context.Context, t float64, base []float64, eps float64) (v []float64, ok bool) {
	clear(m.v)
	m.begin(t, base)
	copy(m.floors, m.given)
	p, hessian := &m.problem, m.sys.Hessian(t, m.y)
	m.sys.Gradient(m.gradBase, nil, t, m.base)
	m.shiftBy(hessian, eps)
	for i, g := range m.gradBase {
		p.F[i] = -g
	}
	if err := m.solveContact(ctx); err != nil {
		return nil, false
	}
	return append([]float64(nil), m.res.V...), true
}

// admit takes from a direction what leads into obstacles, and reports whether there was some.
func (m *Minimiser) admit(d []float64) (changed bool) {
	for c, j := range m.particle {
		if m.slot[c] == j && !m.sys.Cornered(j) && d[3*j+2] < 0 {
			d[3*j+2], changed = 0, true
		}
	}
	return changed
}

// unit scales displacements so that the particle that moves most moves by 1, and returns it; false
// if none moves.
func unit(d []float64) (worst int, ok bool) {
	most := 0.0
	for j := range len(d) / 3 {
		l := vec3.Norm([3]float64(d[3*j:]))
		if l > (1+alike)*most {
			worst = j
		}
		most = max(most, l)
	}
	if !(most > 0) || math.IsInf(most, 1) {
		return worst, false
	}
	floats.Scale(1/most, d)
	return worst, true
}
