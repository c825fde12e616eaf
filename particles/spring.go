package particles

import (
	"errors"
	"fmt"
	"math"
)

// Spring pulls along the line between particle I and particle J, or a moving
// anchor a(t) in place of J:
//
//	E = φ(l),  l = |d|,  d = x_i − x_j  or  d = x_i − a(t)
//
// It is geometrically nonlinear: the direction turns with the particles.
type Spring struct {
	I, J   int
	Anchor Path // nil: the spring ends at particle J; else J is not used
	Law    Law
}

// Springs is the energy of many springs.
//
// With n = d/l, DE = φ' n and D²E = φ” nnᵀ + (φ'/l)(I − nnᵀ). At l = 0 the spring
// has no direction. With φ'(0) = 0 (rest length 0) the energy is smooth there,
// with the limits DE = 0 and D²E = φ”(0) I. Otherwise it has a kink; then the
// same values are returned: 0 is the mean of the directional derivatives.
// A spring under pressure (φ' < 0) makes D²E indefinite across its direction.
type Springs struct {
	items  []spring
	paths  motions
	linear bool
}

type spring struct {
	i, j int32 // j = −1 − number of the path for an anchor
	law  Law
	k    float64 // stiffness of a Linear law with rest length 0, whose D²E is k·I
	flat bool    // it is one
}

var (
	_ Energy          = (*Springs)(nil)
	_ ConstantHessian = (*Springs)(nil)
	_ Floating        = (*Springs)(nil)
	_ Convex          = (*Springs)(nil)
	_ Breaker         = (*Springs)(nil)
	_ Validator       = (*Springs)(nil)
)

// NewSprings fails for a missing or invalid law, equal ends and anchors without
// three components.
func NewSprings(items ...Spring) (*Springs, error) {
	e := &Springs{linear: true}
	for i := range items {
		if err := e.add(&items[i]); err != nil {
			return nil, fmt.Errorf("particles: spring %d of particle %d: %w", i, items[i].I, err)
		}
	}
	return e, nil
}

func (e *Springs) add(it *Spring) error {
	if it.Law == nil {
		return errors.New("no law")
	}
	if v, ok := it.Law.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return err
		}
	}
	j, err := end(&e.paths, it.I, it.J, it.Anchor)
	if err != nil {
		return err
	}
	s := spring{i: int32(it.I), j: j, law: it.Law}
	if l, ok := it.Law.(Linear); ok && l.Rest == 0 {
		s.k, s.flat = l.K, true
	}
	e.linear = e.linear && s.flat
	e.items = append(e.items, s)
	return nil
}

// end returns the number of the far end: the particle, or −1 − number of the path.
func end(paths *motions, i, j int, anchor Path) (int32, error) {
	if anchor != nil {
		path, err := paths.add(anchor)
		if err != nil {
			return 0, fmt.Errorf("anchor: %w", err)
		}
		return -1 - path, nil
	}
	if i == j {
		return 0, fmt.Errorf("both ends are particle %d", i)
	}
	if j < 0 {
		return 0, fmt.Errorf("particle %d does not exist", j)
	}
	return int32(j), nil
}

// Validate checks the numbers of the particles.
func (e *Springs) Validate(particles int) error {
	for i := range e.items {
		it := &e.items[i]
		if err := checkEnds("spring", i, int(it.i), int(it.j), particles); err != nil {
			return err
		}
	}
	return nil
}

func checkEnds(kind string, item, i, j, n int) error {
	if err := checkParticle(kind, item, i, n); err != nil || j < 0 {
		return err
	}
	return checkParticle(kind, item, j, n)
}

// ConstantHessian reports whether all springs are linear with rest length 0.
func (e *Springs) ConstantHessian() bool { return e.linear }

// Floating reports whether no spring has an anchor.
func (e *Springs) Floating() bool {
	for i := range e.items {
		if e.items[i].j < 0 {
			return false
		}
	}
	return true
}

// Convex reports whether all springs have a law of this package that grows from
// rest length 0: φ(|d|) is convex if φ is convex and does not fall.
func (e *Springs) Convex() bool {
	for i := range e.items {
		switch law := e.items[i].law.(type) {
		case Linear:
			if law.Rest != 0 {
				return false
			}
		case Cubic:
			if law.Rest != 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Breaks appends the kinks of the anchors.
func (e *Springs) Breaks(dst []float64, t0, t1 float64) []float64 {
	return e.paths.breaks(dst, t0, t1)
}

// TimeBound adds bounds of |k a^(k)| for the anchored springs; one that is not linear
// from rest length 0, on a moving anchor, has rates that depend on x.
func (e *Springs) TimeBound(dst []float64, k int) bool {
	for n := range e.items {
		it := &e.items[n]
		if it.j >= 0 || !e.paths.list[-1-it.j].moving {
			continue
		}
		b, ok := e.paths.list[-1-it.j].bound(k)
		if !ok || !it.flat {
			return false
		}
		addTo(dst, int(it.i), b.scale(it.k))
	}
	return true
}

// Pattern declares the blocks (i, i), (j, j) and (i, j) of each spring.
func (e *Springs) Pattern(p *Pattern) {
	for k := range e.items {
		it := &e.items[k]
		i, j := int(it.i), int(it.j)
		declare := p.AddBlock
		if it.flat {
			declare = p.AddIsotropic
		}
		declare(i, i)
		if j >= 0 {
			declare(j, j)
			declare(i, j)
		}
	}
}

// reach returns d and l = |d|.
func (e *Springs) reach(it *spring, t float64, x []float64) (d vec, l float64) {
	d = at(x, int(it.i))
	if it.j >= 0 {
		d = d.sub(at(x, int(it.j)))
	} else {
		d = d.sub(e.paths.list[-1-it.j].at(t))
	}
	return d, math.Sqrt(d.dot(d))
}

// tangent holds D²E = across·I + (along − across)·nnᵀ of one spring and its tension.
type tangent struct {
	n             vec
	force         float64 // φ'
	along, across float64 // φ'', φ'/l
}

// tangent evaluates the law at d = l·n.
func (it *spring) tangent(d vec, l float64) tangent {
	s := tangent{force: it.law.D1(l), along: it.law.D2(l)}
	s.across = s.force / l
	if l == 0 || math.IsInf(s.across, 0) {
		return tangent{along: s.along, across: s.along}
	}
	s.n = vec{d.x / l, d.y / l, d.z / l}
	return s
}

// times returns D²E v.
func (s *tangent) times(v vec) vec {
	return v.scale(s.across).plus((s.along-s.across)*s.n.dot(v), s.n)
}

// block returns sign·D²E, rows first.
func (s *tangent) block(sign float64) [9]float64 {
	n, m := s.n, s.n.scale(sign*(s.along-s.across))
	across := sign * s.across
	xy, xz, yz := m.x*n.y, m.x*n.z, m.y*n.z
	return [9]float64{
		m.x*n.x + across, xy, xz,
		xy, m.y*n.y + across, yz,
		xz, yz, m.z*n.z + across,
	}
}

// Value returns the energy and −Σ φ' n·ȧ over the anchored springs.
func (e *Springs) Value(t float64, x []float64) (energy, rate float64) {
	for k := range e.items {
		it := &e.items[k]
		d, l := e.reach(it, t, x)
		energy += it.law.Value(l)
		if it.j < 0 && e.paths.list[-1-it.j].moving {
			s := it.tangent(d, l)
			rate -= s.force * s.n.dot(e.paths.list[-1-it.j].rate(t))
		}
	}
	return energy, rate
}

// Gradient adds ±φ' n, and −Hȧ for the anchored springs.
func (e *Springs) Gradient(grad, rate []float64, t float64, x []float64) {
	for k := range e.items {
		it := &e.items[k]
		d, l := e.reach(it, t, x)
		s := it.tangent(d, l)
		if grad != nil {
			f := s.n.scale(s.force)
			addTo(grad, int(it.i), f)
			if it.j >= 0 {
				subFrom(grad, int(it.j), f)
			}
		}
		if rate != nil && it.j < 0 && e.paths.list[-1-it.j].moving {
			subFrom(rate, int(it.i), s.times(e.paths.list[-1-it.j].rate(t)))
		}
	}
}

// Hessian adds φ” nnᵀ + (φ'/l)(I − nnᵀ) at both ends and its negative between them.
func (e *Springs) Hessian(h *Hessian, t float64, x []float64) {
	for k := range e.items {
		it := &e.items[k]
		i, j := int(it.i), int(it.j)
		if it.flat {
			addLinkIsotropic(h, i, j, it.k)
			continue
		}
		s := it.tangent(e.reach(it, t, x))
		b := s.block(1)
		h.AddBlock(i, i, &b)
		if j >= 0 {
			h.AddBlock(j, j, &b)
			b = s.block(-1)
			h.AddBlock(i, j, &b)
		}
	}
}

func addLinkIsotropic(h *Hessian, i, j int, k float64) {
	h.AddIsotropic(i, i, k)
	if j >= 0 {
		h.AddIsotropic(j, j, k)
		h.AddIsotropic(i, j, -k)
	}
}
