package particles

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// AdhesiveBond is a bond that an energy breaks. With the relative displacement d of its ends
// since the start and the damage D between 0 (it holds) and 1 (it is broken),
//
//	E = ½ (1 − D) dᵀK d,   Ψ = G |Ḋ|,
//
// so that it lets go where the energy ½ dᵀK d that its damage releases reaches G. Nothing
// heals: −∂E/∂D = ½ dᵀK d >= 0 drives D up, or not at all. D = s/a is the displacement s along
// x of the particle Variable, over the Length a; friction of the size G/a holds that
// particle, and an obstacle at s = a ends its way.
type AdhesiveBond struct {
	I, J      int
	Anchor    Path // nil: it ends at particle J; else J is not used
	Variable  int
	Stiffness Stiffness // K [N/m], symmetric, not 0
	Length    float64   // a > 0 [m]; BreakingLength is one of the size of d
}

// BreakingLength returns √(2G/k) [m], k the largest diagonal entry of K: the elongation along that
// axis at which a bond breaks. It is 0 or infinite for energies and stiffnesses that are.
func BreakingLength(k Stiffness, energy float64) float64 {
	return math.Sqrt(2) * math.Sqrt(energy) / math.Sqrt(max(k[0], k[4], k[8]))
}

// AdhesiveBonds is the energy of many. It is convex in the positions and affine in the
// damage, but not convex in both.
type AdhesiveBonds struct {
	items []adhesive
	k     stiffnesses
	paths motions
}

type adhesive struct {
	bond
	s      int     // variable
	per    float64 // 1/a
	origin float64 // X_s along x
}

var (
	_ Energy    = (*AdhesiveBonds)(nil)
	_ Breaker   = (*AdhesiveBonds)(nil)
	_ Validator = (*AdhesiveBonds)(nil)
	_ Driven    = (*AdhesiveBonds)(nil)
)

// NewAdhesiveBonds takes the reference positions X of all particles, also of the variables
// (flat, global).
func NewAdhesiveBonds(ref []float64, items ...AdhesiveBond) (*AdhesiveBonds, error) {
	e := &AdhesiveBonds{}
	for n := range items {
		if err := e.add(ref, n, &items[n]); err != nil {
			return nil, fmt.Errorf("particles: adhesive bond %d: %w", n, err)
		}
	}
	return e, nil
}

func (e *AdhesiveBonds) add(ref []float64, number int, it *AdhesiveBond) error {
	if it.Stiffness == (Stiffness{}) {
		return fmt.Errorf("the stiffness is 0")
	}
	if per := 1 / it.Length; !(it.Length > 0) || !finite(it.Length) || !finite(per) {
		return fmt.Errorf("length %v, want one > 0", it.Length)
	}
	k, err := e.k.add(it.Stiffness)
	if err != nil {
		return err
	}
	j, err := end(&e.paths, it.I, it.J, it.Anchor)
	if err != nil {
		return err
	}
	if err := checkEnds("adhesive bond", number, it.I, int(j), len(ref)/3); err != nil {
		return err
	}
	if err := checkParticle("adhesive bond", number, it.Variable, len(ref)/3); err != nil {
		return err
	}
	if it.Variable == it.I || it.Variable == int(j) {
		return fmt.Errorf("the variable %d is an end", it.Variable)
	}
	b := adhesive{bond: bond{i: int32(it.I), j: j, k: k}, s: it.Variable, per: 1 / it.Length, origin: ref[3*it.Variable]}
	far := vec{}
	if j >= 0 {
		far = at(ref, it.J)
	} else {
		far = e.paths.list[-1-j].at(0)
	}
	b.offset = at(ref, it.I).sub(far)
	if !finite3(b.offset.array()) || !finite(b.origin) {
		return fmt.Errorf("reference positions are not finite")
	}
	e.items = append(e.items, b)
	return nil
}

// Validate checks the numbers of the particles.
func (e *AdhesiveBonds) Validate(particles int) error {
	for n := range e.items {
		it := &e.items[n]
		if err := checkEnds("adhesive bond", n, int(it.i), int(it.j), particles); err != nil {
			return err
		}
		if err := checkParticle("adhesive bond", n, it.s, particles); err != nil {
			return err
		}
	}
	return nil
}

// Breaks appends the kinks of the anchors.
func (e *AdhesiveBonds) Breaks(dst []float64, t0, t1 float64) []float64 {
	return e.paths.breaks(dst, t0, t1)
}

// Damage is that of an adhesive bond.
type Damage struct {
	particle int
	rest     vec     // of its way to 1, local coordinates [m]
	Stored   float64 // ½ dᵀKd [J]
}

// Break sets a damage to 1 in a state.
func (d *Damage) Break(z []float64) { put(z, d.particle, at(z, d.particle).plus(1, d.rest)) }

// Whole returns the bonds that a state leaves whole, or in part, those that store most energy
// first.
func (s *System) Whole(t float64, z []float64) (list []Damage) {
	x := s.global(t, z, "Whole")
	for _, e := range s.energies {
		a, ok := e.(*AdhesiveBonds)
		if !ok {
			continue
		}
		for n := range a.items {
			it := &a.items[n]
			const broken = 1e-9
			if _, stored, whole := a.stretch(it, t, x); whole > broken {
				list = append(list, Damage{it.s, local(&s.frames[it.s], [3]float64{whole / it.per}), stored})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Damage) int { return cmp.Compare(b.Stored, a.Stored) })
	return list
}

// Pattern declares the blocks of a Bond, and those of its ends with the damage.
func (e *AdhesiveBonds) Pattern(p *Pattern) {
	for n := range e.items {
		it := &e.items[n]
		k := &e.k.list[it.k]
		i, j := int(it.i), int(it.j)
		p.Add(3*it.s, 3*it.s)
		k.declare(p, i, i)
		if j >= 0 {
			k.declare(p, j, j)
			k.declare(p, i, j)
		}
		for c := range 3 {
			p.Add(3*it.s, 3*i+c)
			if j >= 0 {
				p.Add(3*it.s, 3*j+c)
			}
		}
	}
}

// displacement returns d and 1 − D.
func (e *AdhesiveBonds) displacement(it *adhesive, t float64, x []float64) (d vec, whole float64) {
	d = at(x, int(it.i))
	if it.j >= 0 {
		d = d.sub(at(x, int(it.j)))
	} else {
		d = d.sub(e.paths.list[-1-it.j].at(t))
	}
	return d.sub(it.offset), 1 - (x[3*it.s]-it.origin)*it.per
}

// stretch returns Kd, ½dᵀKd and 1 − D.
func (e *AdhesiveBonds) stretch(it *adhesive, t float64, x []float64) (force vec, stored, whole float64) {
	d, whole := e.displacement(it, t, x)
	force = e.k.list[it.k].times(d)
	return force, d.dot(force) / 2, whole
}

// velocity returns ȧ of the anchor; false without a moving one.
func (e *AdhesiveBonds) velocity(it *adhesive, t float64) (vec, bool) {
	if it.j >= 0 || !e.paths.list[-1-it.j].moving {
		return vec{}, false
	}
	return e.paths.list[-1-it.j].rate(t), true
}

// Value returns the energy and −Σ (1 − D) ȧ·Kd.
func (e *AdhesiveBonds) Value(t float64, x []float64) (energy, rate float64) {
	for n := range e.items {
		it := &e.items[n]
		f, stored, whole := e.stretch(it, t, x)
		energy += whole * stored
		if v, moves := e.velocity(it, t); moves {
			rate -= whole * v.dot(f)
		}
	}
	return energy, rate
}

// Gradient adds ±(1 − D)Kd and −½dᵀKd/a, and their rates −(1 − D)Kȧ and ȧ·Kd/a.
func (e *AdhesiveBonds) Gradient(grad, rate []float64, t float64, x []float64) {
	for n := range e.items {
		it := &e.items[n]
		f, stored, whole := e.stretch(it, t, x)
		if grad != nil {
			addTo(grad, int(it.i), f.scale(whole))
			if it.j >= 0 {
				subFrom(grad, int(it.j), f.scale(whole))
			}
			grad[3*it.s] -= stored * it.per
		}
		if v, moves := e.velocity(it, t); rate != nil && moves {
			subFrom(rate, int(it.i), e.k.list[it.k].times(v).scale(whole))
			rate[3*it.s] += v.dot(f) * it.per
		}
	}
}

// Hessian adds (1 − D)K between the ends and ∓Kd/a between them and the damage.
func (e *AdhesiveBonds) Hessian(h *Hessian, t float64, x []float64) {
	for n := range e.items {
		it := &e.items[n]
		k := &e.k.list[it.k]
		i, j := int(it.i), int(it.j)
		force, _, whole := e.stretch(it, t, x)
		k.add(h, i, i, whole)
		if j >= 0 {
			k.add(h, j, j, whole)
			k.add(h, i, j, -whole)
		}
		f := force.array()
		for c := range 3 {
			h.Add(3*it.s, 3*i+c, -f[c]*it.per)
			if j >= 0 {
				h.Add(3*it.s, 3*j+c, f[c]*it.per)
			}
		}
	}
}

// Drive adds the forces against the anchors that move.
func (e *AdhesiveBonds) Drive(d *Drive, t float64, x, _ []float64) {
	for n := range e.items {
		it := &e.items[n]
		if v, moves := e.velocity(it, t); moves {
			f, _, whole := e.stretch(it, t, x)
			d.Add(int(it.i), f.scale(whole).array(), v.array())
		}
	}
}
