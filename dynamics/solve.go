package dynamics

import (
	"context"
	"errors"
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
	blocks   contact.Blocks
	near     neighbours
	sparse   bool // A of the island is in blocks, not in a
	product  []float64
	problem  contact.Local
	options  contact.Options
	ws       contact.LocalWorkspace
	res      contact.Result
	pivots   int
	one      struct { // scratch: laws take addresses
		w       [9]float64
		b, r, u [3]float64
	}
	slipping
	known map[*Patch]*polygon // nil for a law that is not polyhedral
}

// blockOrder is the number of elements above which A is stored by blocks: in a
// pile, a contact is coupled to about twelve others.
const blockOrder = 24

// lemkeOrder bounds the elements of an island that Lemke's method is given:
// the tableau of (18) grows with their square, its pivots with their number.
const lemkeOrder = 64

// generalIterations bounds the sweeps and Newton steps of a problem: usual are
// tens; data with masses of very different size may need more than they are
// worth.
const generalIterations = 4000

// section returns the polygon of the law of a contact, nil if it has none.
func (s *solver) section(c *placed) *polygon {
	p := c.patch
	if p.over != nil || p.slip != nil || c.worn { // another one in each step
		return nil
	}
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
	s.b, s.lambda = grow(s.b, n), grow(s.lambda, n)
	kind := s.classify(l, elements)
	s.sparse = len(elements) > blockOrder && !kind.lemke && l.solver == nil
	if s.sparse {
		l.assembleBlocks(&s.blocks, elements, &s.near)
	} else {
		s.a = grow(s.a, n*n)
		l.assemble(s.a, elements)
	}
	for i, e := range elements {
		copy(s.b[dim*i:dim*i+dim], l.b[dim*e:dim*e+dim])
		copy(s.lambda[dim*i:dim*i+dim], lambda[dim*e:dim*e+dim])
	}
	if s.openSearch(l, elements) {
		residual, err = s.searchSlip(ctx, l, elements, &kind, tol)
	} else {
		residual, err = s.solveBy(ctx, &kind, dim, len(elements), tol)
	}
	if err != nil {
		return residual, err
	}
	for i, e := range elements {
		copy(lambda[dim*e:dim*e+dim], s.lambda[dim*i:dim*i+dim])
	}
	return residual, nil
}

// solveBy tries the methods of an island in turn.
func (s *solver) solveBy(ctx context.Context, kind *islandKind, dim, elements int, tol float64) (residual float64, err error) {
	residual = math.Inf(1)
	for method := kind.first(); method != exhausted; method = method.next() {
		var answer bool
		if answer, err = s.try(ctx, method, dim, dim*elements, kind); answer {
			s.open(dim)
			residual = s.residual(dim, elements)
		}
		if residual <= tol {
			return residual, nil
		}
		if ctx.Err() != nil {
			return residual, context.Cause(ctx)
		}
	}
	text := fmt.Sprintf("contact problem of %d elements: residual %.3g > %.3g", elements, residual, tol)
	if err != nil {
		return residual, fmt.Errorf("%s: %w", text, err)
	}
	return residual, errors.New(text)
}

// open takes the forces from elements of a cone that are not pressed, where a solver leaves
// the rounding of the forces of others.
func (s *solver) open(dim int) {
	for i, law := range s.laws {
		switch law.(type) {
		case contact.Coulomb, contact.Pyramid, contact.Frictionless:
			if s.lambda[dim*i] <= 0 {
				clear(s.lambda[dim*i : dim*i+dim])
			}
		}
	}
}

// method is a way to solve an island; each hands over to the next one.
type method int

const (
	single method = iota
	byLemke
	warm // package contact's choice from the forces of the last step
	cold // from zero, with more patience
	exhausted
)

func (k *islandKind) first() method {
	switch {
	case k.closed:
		return single
	case k.lemke:
		return byLemke
	}
	return warm
}

func (m method) next() method {
	if m == single {
		return exhausted // exact
	}
	return m + 1
}

// try runs one method; answer says whether s.lambda holds its answer.
func (s *solver) try(ctx context.Context, m method, dim, n int, kind *islandKind) (answer bool, err error) {
	switch m {
	case single:
		s.single(dim, kind.mu)
		return true, nil
	case byLemke:
		err = s.lemke.solve(ctx, s.lambda, s.a, s.b, dim, s.sections)
		s.pivots += s.lemke.res.Iterations
		return err == nil, err
	}
	return s.general(ctx, dim, n, m == cold)
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
		c := &l.c.patches[l.owner[e]]
		p, g := c.patch, s.section(c)
		s.sections, s.laws = append(s.sections, g), append(s.laws, l.c.lawOf(c, e))
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
// not notice, any other is solved in the units given. Whether the answer is
// good enough is for the caller's certificate to say.
func (s *solver) general(ctx context.Context, dim, n int, cold bool) (answer bool, err error) {
	unit := s.unit(n)
	for _, law := range s.laws {
		switch law.(type) {
		case contact.Coulomb, contact.Frictionless, contact.Pyramid, contact.Associated, contact.Bilateral:
		default:
			unit = 1
		}
	}
	values := s.values(n)
	for i := range values {
		values[i] /= unit
	}
	for i := range s.lambda {
		s.lambda[i] *= unit
	}
	s.problem = contact.Local{W: s.operator(dim, n), Q: s.b, Laws: s.laws}
	s.options.Tolerance = 1e-11 // of cond(A) = 1e5 and 16 digits
	s.options.MaxIterations = generalIterations
	s.ws.WarmStart(s.lambda)
	if cold {
		s.options.MaxIterations = 4 * generalIterations
		s.ws.Forget()
	}
	s.res.R = s.res.R[:0] // data out of range are refused without an answer
	err = contact.SolveLocal(ctx, &s.problem, &s.options, &s.ws, &s.res)
	for i := range values {
		values[i] *= unit
	}
	if len(s.res.R) != n {
		clear(s.lambda)
		return false, err
	}
	for i, r := range s.res.R {
		s.lambda[i] = r / unit
	}
	return true, err
}

// values returns the entries of A.
func (s *solver) values(n int) []float64 {
	if s.sparse {
		return s.blocks.Val
	}
	return s.a[:n*n]
}

// operator returns A for package contact.
func (s *solver) operator(dim, n int) contact.Operator {
	if s.sparse {
		return &s.blocks
	}
	s.dense = contact.Dense{D: dim, N: n, Val: s.a[:n*n]}
	return &s.dense
}

// unit is the mean diagonal entry of A.
func (s *solver) unit(n int) float64 {
	t := 0.0
	if s.sparse {
		b := &s.blocks
		for i := range b.Contacts() {
			for k := b.Ptr[i]; k < b.Ptr[i+1]; k++ {
				for d := range b.D {
					if b.Col[k] == i {
						t += b.Val[(k*b.D+d)*b.D+d]
					}
				}
			}
		}
	} else {
		for i := range n {
			t += s.a[i*n+i]
		}
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
	s.product = grow(s.product, n)
	s.operator(dim, n).MulVec(s.product, s.lambda[:n])
	for i := range ne {
		r, u := &s.one.r, &s.one.u
		*r, *u = [3]float64{}, [3]float64{}
		for k := range dim {
			j := dim*i + k
			u[k], r[k] = s.product[j]+s.b[j], s.lambda[j]
			size = max(size, math.Abs(r[k]), rho*math.Abs(s.b[j]))
		}
		worst = max(worst, contact.NaturalResidual(s.laws[i], r, u, rho))
	}
	if size == 0 {
		return worst
	}
	return worst / size
}
