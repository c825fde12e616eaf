package dynamics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/friction"
)

// Friction that depends on the speed of slip: the fixed point of [friction.Search] about the contact
// problem of an island. What a law has of W there has A of (18), h times the mobility of the bodies
// and (hK + C)⁻¹ of the patch, so that a step has one solution where
//
//	λ_n |dμ/ds| (h W_TT + (hK + C)⁻¹) < 1,
//
// which no step reaches where friction falls faster than the damper of the patch, |dμ/ds| λ_n > C: such
// a patch jumps.

// ChangeWithSlip gives Coulomb's law of the patch a coefficient that depends on the slip of each
// element.
func (p *Patch) ChangeWithSlip(law friction.Law) error {
	if _, ok := p.law.(contact.Coulomb); !ok || law == nil {
		return errors.New("dynamics: a coefficient over the speed of slip is one of Coulomb's law with the exact cone")
	}
	if err := law.Validate(); err != nil {
		return err
	}
	_, most := law.Bounds()
	p.slip, p.law = law, contact.Coulomb{Mu: most}
	return nil
}

// slipping is what is known of the elements whose friction depends on their slip.
type slipping struct {
	friction.Search
	laws  []friction.Law // of all elements in this step, nil where friction does not depend on slip
	list  []int          // elements of the island, as the search has them
	at    []int          // of the elements of the island in the search, −1 for others
	limit float64        // slips below are none, see slipLimit [m/s]
	share float64        // see [friction.Search.Share], largest of the step
	// steepest is [friction.Search.Steepness] of an element with springs where share was not below 1, largest of the step.
	steepest float64
	chosen   bool         // who chooses the steps wants them to have one solution
	before   []float64    // slip at the beginning of the step, of all elements
	sway     []float64    // of those that stuck, along the normal and the surface, see [friction.Sway] [m/s]
	stuck    []bool       // elements that did in the step before …
	loose    []bool       // … and came to rest in it, see [friction.Start]
	held     []bool       // they slip by their sways, held by friction on its bound
	tried    bool         // whether they are
	keeps    [2][]float64 // speeds and forces with the sways
}

// rests reports whether a slip of an element is none.
func (x *slipping) rests(e int, slip [2]float64) bool {
	return x.held[e] || math.Hypot(slip[0], slip[1]) <= x.limit
}

// slipOf is the part of a speed along the surface.
func slipOf(u []float64) (slip [2]float64) {
	copy(slip[:], u[1:])
	return slip
}

// lawOf is the law of element e of a patch in this step.
func (c *Contacts) lawOf(p *placed, e int) contact.Law {
	if p.patch.slip == nil {
		return p.law
	}
	return contact.Coulomb{Mu: c.mu[e]}
}

// openSlip finds the slip of all elements before a step, and the sway of those that stuck in the step before, see [friction.Sway].
func (s *Stepper) openSlip() {
	c, x := &s.contacts, &s.solver.slipping
	x.share, x.steepest, x.chosen = 0, 0, s.o.Chosen
	s.bySlip = s.bySlip || slices.ContainsFunc(c.patches, func(p placed) bool { return p.patch.slip != nil })
	x.laws = grow(x.laws, c.elements())
	if clear(x.laws); !s.bySlip {
		return
	}
	c.mu = grow(c.mu, c.elements())
	x.before = append(x.before[:0], s.slipsBefore(s.step.H)...)
	n := c.elements()
	x.sway, x.stuck, x.loose, x.held = grow(x.sway, s.dim*n), grow(x.stuck, n), grow(x.loose, n), grow(x.held, n)
	clear(x.sway)
	clear(x.stuck)
	clear(x.loose)
	clear(x.held)
	for i := range c.patches {
		p := &c.patches[i]
		if p.patch.slip == nil {
			continue
		}
		s.swaysAtStart(p, s.step.H)
		for e := p.first; e < p.last; e++ {
			at, known := s.timing.find(ElementKey(p.key, e-p.first))
			x.laws[e] = s.lawInStep(p.patch, at, known)
			c.mu[e] = x.laws[e].Mu(0)
			if known && s.timing.Held[at].State == Stick && p.patch.k == nil {
				clear(x.before[s.dim*e : s.dim*(e+1)])
				x.stuck[e], x.loose[e] = true, s.timing.Held[at].Loose
			} else {
				clear(x.sway[s.dim*e : s.dim*(e+1)])
			}
		}
	}
}

// slipLimit finds from which speed on a slip is one: slideSpeed of the fastest element without forces, of
// speeds b, and more than rounding.
func (s *Stepper) slipLimit() {
	fastest := 0.0
	for e := range s.contacts.elements() {
		for d := 1; d < s.dim; d++ {
			fastest = max(fastest, abs(s.local.b[s.dim*e+d]))
		}
	}
	s.solver.limit = max(slideSpeed*fastest, s.speedRounding())
}

// speedRounding is that of sums of steps, and of the ways that what is touched goes in one.
func (s *Stepper) speedRounding() float64 {
	return 64*0x1p-53*max(infNorm(s.now.V), infNorm(s.contacts.drive)) + gapRounding*infNorm(s.now.Q)/s.step.H
}

// openSearch lists the elements of the island whose friction depends on their slip; none: false.
func (s *solver) openSearch(l *local, elements []int) bool {
	x, dim := &s.slipping, l.c.h.Dim
	x.Clear()
	x.tried = false
	x.list, x.at = x.list[:0], grow(x.at, len(elements))
	for i, e := range elements {
		x.at[i] = -1
		law := x.laws[e]
		if law == nil {
			continue
		}
		x.at[i] = len(x.list)
		x.list = append(x.list, i)
		u := slipOf(x.before[dim*e : dim*e+dim])
		if math.Hypot(u[0], u[1]) <= x.limit {
			u = [2]float64{}
		}
		start := friction.Start{Slip: u, Loose: x.loose[e], Reach: x.limit}
		if l.c.patches[l.owner[e]].patch.k != nil { // its springs turn friction round before it slips
			start.Reach = math.Inf(1)
		}
		x.Add(law, start)
	}
	x.Open()
	return len(x.list) > 0
}

// swaysAtStart sets the sways of the elements of a patch that sticks where a step of h begins.
func (s *Stepper) swaysAtStart(p *placed, h float64) {
	drive := s.contacts.drive
	before, first, last := s.drivesAtEnds(p.key, s.dim*(p.last-p.first), h)
	for k, slip := range s.slipsTo(p, before) {
		mean := 0.0
		if len(drive) > 0 {
			mean = drive[s.dim*p.first+k]
		}
		s.solver.sway[s.dim*p.first+k] = friction.Sway(slip, mean, first[k], last[k], s.step.Theta)
	}
}

// hold finds which of the elements that stuck, and would slip in this step, stick in the one that begins without sways:
// these are held.
func (s *solver) hold(ctx context.Context, l *local, elements []int, kind *islandKind, tol float64) error {
	x, dim, slips := &s.slipping, l.c.h.Dim, false
	for n, i := range x.list {
		_, _, _, slides := s.slipState(elements, dim, n)
		slips = slips || slides && x.stuck[elements[i]]
	}
	if !slips || x.tried {
		return nil
	}
	x.tried = true
	x.keeps[0], x.keeps[1] = append(x.keeps[0][:0], s.b...), append(x.keeps[1][:0], s.lambda...)
	for i, e := range elements {
		for d := range dim {
			s.b[dim*i+d] -= x.sway[dim*e+d]
		}
	}
	residual, err := s.solveBy(ctx, kind, dim, len(elements), tol)
	for n, i := range x.list {
		_, _, _, slides := s.slipState(elements, dim, n)
		x.held[elements[i]] = err == nil && residual <= tol && x.stuck[elements[i]] && !slides
	}
	copy(s.b, x.keeps[0])
	copy(s.lambda, x.keeps[1])
	s.residual(dim, len(elements))
	return ctx.Err()
}

// holdReplayed finds those that were held in a step that is known: where they bear more friction than a slip has, and
// slip by no more than the sways of their body, times eight for its levers.
func (s *Stepper) holdReplayed() {
	c, x := &s.contacts, &s.solver.slipping
	if !s.bySlip {
		return
	}
	s.relatives = grow(s.relatives, s.dim*c.elements())
	clear(s.relatives)
	c.relative(s.relatives, s.mean)
	for i := range c.patches {
		p := &c.patches[i]
		for e := p.first; e < p.last && p.patch.slip != nil; e++ {
			r, u := s.next.Lambda[s.dim*e:s.dim*e+s.dim], s.relatives[s.dim*e:s.dim*e+s.dim]
			speed := norm(u[1:])
			x.held[e] = x.stuck[e] && norm(r[1:]) > x.laws[e].Mu(speed)*r[0]*(1+slideMargin) && speed <= 8*infNorm(x.sway)
		}
	}
}

// takeSearch gives the elements the μ of the search.
func (s *solver) takeSearch(l *local, elements []int) {
	for n, i := range s.slipping.list {
		mu := s.slipping.Mu(n)
		l.c.mu[elements[i]], s.laws[i] = mu, contact.Coulomb{Mu: mu}
	}
}

// slipState is what element n of the search does.
func (s *solver) slipState(elements []int, dim, n int) (normal, along float64, slip [2]float64, slides bool) {
	i := s.slipping.list[n]
	for k := 1; k < dim; k++ {
		slip[k-1] = s.product[dim*i+k] + s.b[dim*i+k]
		along = math.Hypot(along, s.lambda[dim*i+k])
	}
	normal = s.lambda[dim*i]
	slides = normal > 0 && !s.slipping.rests(elements[i], slip) && along >= s.slipping.Mu(n)*normal*(1-slideMargin)
	return normal, along, slip, slides
}

// slideMargin is the share of its cone that a force is on it: tolerance of solvers.
const slideMargin = 1e-6

// searchSlip solves the island with the friction that belongs to the slip.
func (s *solver) searchSlip(ctx context.Context, l *local, elements []int, kind *islandKind, tol float64) (residual float64, err error) {
	dim := l.c.h.Dim
	for {
		s.takeSearch(l, elements)
		if kind.closed {
			kind.mu = s.slipping.Mu(0)
		}
		if residual, err = s.solveBy(ctx, kind, dim, len(elements), tol); err != nil || !(residual <= tol) {
			return residual, err
		}
		if err = s.hold(ctx, l, elements, kind, tol); err != nil {
			return residual, err
		}
		size := 0.0
		for _, x := range s.lambda[:dim*len(elements)] {
			size = max(size, abs(x))
		}
		for n := range s.slipping.list {
			s.gainSlip(l, elements, n)
			normal, along, slip, slides := s.slipState(elements, dim, n)
			s.slipping.See(n, slides, normal, along, slip)
		}
		outcome, off := s.slipping.Next(size, slipGoal, tol)
		if outcome == friction.Again {
			continue
		}
		share := s.slipShare(l, elements)
		s.slipping.share = max(s.slipping.share, share)
		for n, i := range s.slipping.list {
			if share >= 1 && l.c.patches[l.owner[elements[i]]].patch.k != nil {
				s.slipping.steepest = max(s.slipping.steepest, s.slipping.Steepness(n))
			}
		}
		switch {
		case outcome == friction.Lost:
			return residual, friction.Unfound(share)
		case share >= 1 && s.slipping.chosen:
			return residual, friction.Several(share)
		}
		return max(residual, off), nil
	}
}

// gainSlip tells the search how slip follows the friction of element n of it, if that asks for it.
func (s *solver) gainSlip(l *local, elements []int, n int) {
	if !s.slipping.Creeps(n) {
		return
	}
	gain := 0.0
	s.slipRow(l, elements, n, func(other int, norm, normal, _ float64) {
		if other >= 0 {
			gain += norm * normal
		}
	})
	s.slipping.Gain(n, gain)
}

// slipShare is below 1 where the island has one solution, see [friction.Search.Share].
func (s *solver) slipShare(l *local, elements []int) float64 {
	dim := l.c.h.Dim
	return s.slipping.Share(func(n int, visit func(int, float64, float64, float64)) { s.slipRow(l, elements, n, visit) },
		func(n int) (normal float64, slip [2]float64, slides bool) {
			normal, _, slip, slides = s.slipState(elements, dim, n)
			return normal, slip, slides
		})
}

// slipGoal is what the solvers aim at.
const slipGoal = 1e-11

// slipRow visits the blocks of A in the row of element n of the search.
func (s *solver) slipRow(l *local, elements []int, n int, visit func(other int, norm, normal, most float64)) {
	dim, i := l.c.h.Dim, s.slipping.list[n]
	see := func(j int, block []float64) {
		most := 0.0
		if law := s.slipping.laws[elements[j]]; law != nil {
			_, most = law.Bounds()
		} else {
			most = frictionCoefficient(s.laws[j])
		}
		visit(s.slipping.at[j], friction.Norm(block, dim), s.lambda[dim*j], most)
	}
	if s.sparse {
		b := &s.blocks
		for k := b.Ptr[i]; k < b.Ptr[i+1]; k++ {
			see(b.Col[k], b.Val[k*dim*dim:(k+1)*dim*dim])
		}
		return
	}
	var block [9]float64
	for j := range elements {
		for r := range dim {
			copy(block[dim*r:dim*r+dim], s.a[(dim*i+r)*dim*len(elements)+dim*j:])
		}
		see(j, block[:dim*dim])
	}
}

// boundSlip sets μ of the elements by their forces and slips, and that of their patches in Step.Mu, by
// their normal forces.
func (s *Stepper) boundSlip() {
	c := &s.contacts
	if !s.bySlip {
		return
	}
	for i := range c.patches {
		p := &c.patches[i]
		if p.patch.slip == nil {
			continue
		}
		bound, normal := 0.0, 0.0
		for e := p.first; e < p.last; e++ {
			r := s.next.Lambda[s.dim*e : s.dim*e+s.dim]
			c.mu[e] = friction.Bounding(s.solver.slipping.laws[e], r[0], norm(r[1:]), s.slipSpeed(e))
			bound, normal = bound+c.mu[e]*r[0], normal+r[0]
		}
		if s.mu[i] = p.patch.slip.Mu(0); normal > 0 {
			s.mu[i] = bound / normal
		}
	}
}

// slipSpeed is that of element e in the step that leads to next.
func (s *Stepper) slipSpeed(e int) float64 {
	u := s.next.Slip[s.dim*e : s.dim*(e+1)]
	if s.solver.rests(e, slipOf(u)) {
		return 0
	}
	return norm(u[1:])
}

// lawInStep is the friction of an element of a patch in this step: of friction with a state that of what Held knows of
// it, if anything.
func (s *Stepper) lawInStep(p *Patch, at int, known bool) friction.Law {
	l, stateful := p.slip.(friction.Stateful)
	switch {
	case !stateful:
		return p.slip
	case known:
		return l.In(s.timing.Held[at].Friction, s.step.H)
	}
	return l.In(0, s.step.H)
}

// wear takes the state of the friction of element e through a step of h that leads to next: what bears no force begins
// anew, but for laws that last as long as it is closed.
func (s *Stepper) wear(x *Holding, p *placed, e int, h float64, closed bool) {
	l, stateful := p.patch.slip.(friction.Stateful)
	switch {
	case !stateful:
	case s.next.Lambda[s.dim*e] > 0 || closed && l.Lasts():
		x.Friction = l.After(x.Friction, s.slipSpeed(e), h)
	default:
		x.Friction = 0
	}
}

// Weakening is how steeply friction falls with speed in the steps so far, at most.
type Weakening struct {
	Share   float64 // see [friction.Search.Share]: below 1 a step has one solution
	Longest float64 // step in which it is below 1 at the same forces, where patches are rigid; 0: not known [s]
	Damper  float64 // λ_n |dμ/ds| of an element with springs in a step where Share was not below 1, at most [N s/m]
}

// observe takes the share of a step of h. Of rigid patches A_TT grows with h, and so does the range of speeds that a step
// may lead to: the share of a step of h' < h is at most h'/h of that of h.
func (w *Weakening) observe(share, steepest, h float64, rigid bool) {
	w.Damper = max(w.Damper, steepest)
	if share <= w.Share {
		return
	}
	w.Share = share
	if rigid {
		w.Longest = h / share
	}
}

// yielding reports whether a patch has friction over the speed of slip, and springs.
func (s *Stepper) yielding() bool {
	return slices.ContainsFunc(s.contacts.patches, func(p placed) bool { return p.patch.slip != nil && !p.patch.Rigid() })
}

// unique says whether friction that falls with speed left each step one solution.
func (s *Stepper) unique() Measure {
	w := s.weakening
	m := Measure{Name: "fall of friction with speed in a step, λ_n |dμ/ds| A_TT", Value: w.Share, Limit: 1, Unit: "-", Basis: Computed}
	switch {
	case m.Passed():
	case w.Longest > 0:
		m.Remedy = fmt.Sprintf("steps below %.3g s: in longer ones several speeds of slip have the friction that leads to them", w.Longest)
	default:
		m.Remedy = fmt.Sprintf("a damper of the patch above λ_n |dμ/ds| = %.3g N s/m, with steps short enough: "+
			"else several speeds of slip have the friction that leads to them", w.Damper)
	}
	return m
}
