package dynamics

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// solver solves the contact problem of one island: a single element in closed
// form, polyhedral laws on springs by Lemke's method on (18), the rest by
// package contact's own choice.
type solver struct {
	a        []float64
	b        []float64
	lambda   []float64
	sections []*polygon
	laws     []contact.Law
	lemke    lemke
	dense    contact.Dense
	problem  contact.Local
	options  contact.Options
	ws       contact.LocalWorkspace
	res      contact.Result
	pivots   int
	one      struct { // scratch: laws take addresses
		w       [9]float64
		b, r, u [3]float64
	}
	known map[*Patch]*polygon // nil for a law that is not polyhedral
}

// lemkeOrder bounds the elements of an island that Lemke's method is given:
// the tableau of (18) grows with their square, its pivots with their number.
const lemkeOrder = 64

// generalIterations bounds the sweeps and Newton steps of a problem: usual are
// tens; data with masses of very different size may need more than they are
// worth.
const generalIterations = 4000

// section returns the polygon of a patch's law, nil if it has none.
func (s *solver) section(p *Patch) *polygon {
	if g, ok := s.known[p]; ok {
		return g
	}
	if s.known == nil {
		s.known = map[*Patch]*polygon{}
	}
	var g *polygon
	if q, ok := newPolygon(p.law, p.dim); ok {
		g = &q
	}
	s.known[p] = g
	return g
}

// island solves for the given elements and writes their forces to lambda,
// which holds the forces of all elements and, on entry, a guess.
func (s *solver) island(ctx context.Context, l *local, elements []int, lambda []float64, tol float64) (residual float64, err error) {
	dim := l.c.h.Dim
	n := dim * len(elements)
	s.a, s.b, s.lambda = grow(s.a, n*n), grow(s.b, n), grow(s.lambda, n)
	l.assemble(s.a, elements)
	for i, e := range elements {
		copy(s.b[dim*i:dim*i+dim], l.b[dim*e:dim*e+dim])
		copy(s.lambda[dim*i:dim*i+dim], lambda[dim*e:dim*e+dim])
	}
	kind := s.classify(l, elements)
	switch {
	case kind.closed:
		s.single(dim, kind.mu)
	case kind.lemke:
		err = s.lemke.solve(ctx, s.lambda, s.a, s.b, dim, s.sections)
		s.pivots += s.lemke.res.Iterations
	default:
		err = s.general(ctx, dim, n, kind.polyhedral)
	}
	if err != nil {
		return math.Inf(1), err
	}
	residual = s.residual(dim, len(elements))
	if !(residual <= tol) {
		return residual, fmt.Errorf("dynamics: contact problem of %d elements: residual %.3g > %.3g", len(elements), residual, tol)
	}
	for i, e := range elements {
		copy(lambda[dim*e:dim*e+dim], s.lambda[dim*i:dim*i+dim])
	}
	return residual, nil
}

// islandKind says how to solve an island.
type islandKind struct {
	closed     bool
	lemke      bool
	polyhedral bool
	mu         float64
}

func (s *solver) classify(l *local, elements []int) islandKind {
	s.sections, s.laws = s.sections[:0], s.laws[:0]
	kind := islandKind{polyhedral: true}
	springs := true
	for _, e := range elements {
		p := l.c.patches[l.owner[e]].patch
		g := s.section(p)
		s.sections, s.laws = append(s.sections, g), append(s.laws, p.law)
		kind.polyhedral = kind.polyhedral && g != nil
		springs = springs && p.k != nil
	}
	kind.lemke = kind.polyhedral && springs && len(elements) <= lemkeOrder
	if len(elements) == 1 {
		switch law := s.laws[0].(type) {
		case contact.Frictionless:
			kind.closed = true
		case contact.Coulomb:
			kind.closed, kind.mu = law.Shape == contact.Shape{}, law.Mu
		case contact.Pyramid:
			kind.closed, kind.mu = l.c.h.Dim == 2, law.Mu
		}
	}
	return kind
}

// single solves for one element in closed form.
func (s *solver) single(dim int, mu float64) {
	for i := range dim {
		s.one.b[i] = s.b[i]
		for j := range dim {
			s.one.w[3*i+j] = s.a[dim*i+j]
		}
	}
	contact.SolveOne(&s.one.r, dim, &s.one.w, &s.one.b, mu)
	copy(s.lambda, s.one.r[:dim])
}

// general hands the problem over. It is scaled to the mean diagonal of A so
// that forces and speeds are numbers of one size; the laws that are cones do
// not notice, any other is solved in the units given.
func (s *solver) general(ctx context.Context, dim, n int, polyhedral bool) error {
	unit := s.unit(n)
	for _, law := range s.laws {
		switch law.(type) {
		case contact.Coulomb, contact.Frictionless, contact.Pyramid, contact.Associated, contact.Bilateral:
		default:
			unit = 1
		}
	}
	for i := range s.a {
		s.a[i] /= unit
	}
	for i := range s.lambda {
		s.lambda[i] *= unit
	}
	s.dense = contact.Dense{D: dim, N: n, Val: s.a}
	s.problem = contact.Local{W: &s.dense, Q: s.b, Laws: s.laws}
	s.ws.WarmStart(s.lambda)
	s.options.Tolerance = 1e-11 // of cond(A) = 1e5 and 16 digits
	s.options.MaxIterations = generalIterations
	s.res.R, s.res.Merit = s.res.R[:0], math.Inf(1) // data out of range are refused without an answer
	err := contact.SolveLocal(ctx, &s.problem, &s.options, &s.ws, &s.res)
	if err != nil && polyhedral && ctx.Err() == nil {
		if e := contact.SolvePolyhedral(ctx, &s.problem, nil, nil, &s.res); e == nil {
			err = nil
		}
	}
	for i := range s.a {
		s.a[i] *= unit
	}
	if len(s.res.R) != n {
		return err
	}
	for i, r := range s.res.R {
		s.lambda[i] = r / unit
	}
	if err != nil && s.res.Merit <= 1e-9 { // the caller's certificate decides
		err = nil
	}
	return err
}

// unit is the mean diagonal entry of A.
func (s *solver) unit(n int) float64 {
	t := 0.0
	for i := range n {
		t += s.a[i*n+i]
	}
	if t == 0 {
		return 1
	}
	return t / float64(n)
}

// residual is the independent check: s = Aλ + b anew and the largest
// ‖λ − P_K(λ − (s + g e_N)/unit)‖ over the elements, relative to the largest
// force or, without force, to b/unit.
func (s *solver) residual(dim, ne int) float64 {
	n := dim * ne
	rho := 1 / s.unit(n)
	worst, size := 0.0, 0.0
	for i := range ne {
		r, u := &s.one.r, &s.one.u
		*r, *u = [3]float64{}, [3]float64{}
		for k := range dim {
			row := s.a[(dim*i+k)*n : (dim*i+k+1)*n]
			v := s.b[dim*i+k]
			for j, x := range s.lambda {
				v += row[j] * x
			}
			u[k], r[k] = v, s.lambda[dim*i+k]
			size = max(size, math.Abs(r[k]), rho*math.Abs(s.b[dim*i+k]))
		}
		worst = max(worst, contact.NaturalResidual(s.laws[i], r, u, rho))
	}
	if size == 0 {
		return worst
	}
	return worst / size
}
