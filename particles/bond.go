package particles

import (
	"fmt"
	"slices"
)

// Bond is a spring linearised about the reference positions X: it resists the
// relative displacement of particle I against particle J, or against a moving
// anchor a(t) in place of J:
//
//	E = ½ dᵀ K d,  d = (x_i − X_i) − (x_j − X_j)  or  d = (x_i − X_i) − (a(t) − a(0))
type Bond struct {
	I, J      int
	Anchor    Path      // nil: the bond ends at particle J; else J is not used
	Stiffness Stiffness // K [N/m], symmetric
}

// Bonds is the energy of many bonds. D²E is constant.
type Bonds struct {
	items []bond
	k     stiffnesses
	paths motions
	ref   []float64 // X
}

type bond struct {
	i, j   int32 // j = −1 − number of the path for an anchor
	k      int32 // number of the stiffness
	offset vec   // X_i − X_j or X_i − a(0)
}

var (
	_ Energy          = (*Bonds)(nil)
	_ ConstantHessian = (*Bonds)(nil)
	_ Breaker         = (*Bonds)(nil)
	_ Validator       = (*Bonds)(nil)
)

// NewBonds takes the reference positions X of all particles in global
// coordinates (flat, 3N) and the bonds. It fails for positions that are not
// finite, particles without a position, equal ends, a stiffness that is not
// symmetric or is diagonal with a negative entry, and anchors without three
// components.
func NewBonds(ref []float64, items ...Bond) (*Bonds, error) {
	e := &Bonds{ref: slices.Clone(ref)}
	for i := range items {
		if err := e.add(ref, i, &items[i]); err != nil {
			return nil, fmt.Errorf("particles: bond %d of particle %d: %w", i, items[i].I, err)
		}
	}
	return e, nil
}

func (e *Bonds) add(ref []float64, number int, it *Bond) error {
	k, err := e.k.add(it.Stiffness)
	if err != nil {
		return err
	}
	j, err := end(&e.paths, it.I, it.J, it.Anchor)
	if err != nil {
		return err
	}
	if err := checkEnds("bond", number, it.I, int(j), len(ref)/3); err != nil {
		return err
	}
	b := bond{i: int32(it.I), j: j, k: k}
	near, far := at(ref, it.I), vec{}
	if j >= 0 {
		far = at(ref, it.J)
	} else {
		far = e.paths.list[-1-j].at(0)
	}
	b.offset = near.sub(far)
	if !finite3(b.offset.array()) {
		return fmt.Errorf("reference positions %v and %v are not finite", near.array(), far.array())
	}
	e.items = append(e.items, b)
	return nil
}

// Validate checks the numbers of the particles.
func (e *Bonds) Validate(particles int) error {
	for i := range e.items {
		it := &e.items[i]
		if err := checkEnds("bond", i, int(it.i), int(it.j), particles); err != nil {
			return err
		}
	}
	return nil
}

// ConstantHessian returns true.
func (e *Bonds) ConstantHessian() bool { return true }

// Breaks appends the kinks of the anchors.
func (e *Bonds) Breaks(dst []float64, t0, t1 float64) []float64 {
	return e.paths.breaks(dst, t0, t1)
}

// TimeBound adds bounds of |K a^(k)| for the anchored bonds.
func (e *Bonds) TimeBound(dst []float64, k int) bool {
	for n := range e.items {
		it := &e.items[n]
		if it.j >= 0 {
			continue
		}
		b, ok := e.paths.list[-1-it.j].bound(k)
		if !ok {
			return false
		}
		addTo(dst, int(it.i), e.k.list[it.k].bound(b))
	}
	return true
}

// Pattern declares the blocks (i, i), (j, j) and (i, j) of each bond, only their
// diagonals where K has no more.
func (e *Bonds) Pattern(p *Pattern) {
	for n := range e.items {
		it := &e.items[n]
		k := &e.k.list[it.k]
		i, j := int(it.i), int(it.j)
		k.declare(p, i, i)
		if j >= 0 {
			k.declare(p, j, j)
			k.declare(p, i, j)
		}
	}
}

// stretch returns d.
func (e *Bonds) stretch(it *bond, t float64, x []float64) vec {
	d := at(x, int(it.i))
	if it.j >= 0 {
		d = d.sub(at(x, int(it.j)))
	} else {
		d = d.sub(e.paths.list[-1-it.j].at(t))
	}
	return d.sub(it.offset)
}

// Value returns the energy and −Σ ȧ·Kd over the anchored bonds.
func (e *Bonds) Value(t float64, x []float64) (energy, rate float64) {
	for n := range e.items {
		it := &e.items[n]
		d := e.stretch(it, t, x)
		f := e.k.list[it.k].times(d)
		energy += d.dot(f) / 2
		if it.j < 0 && e.paths.list[-1-it.j].moving {
			rate -= e.paths.list[-1-it.j].rate(t).dot(f)
		}
	}
	return energy, rate
}

// Gradient adds ±Kd, and −Kȧ for the anchored bonds.
func (e *Bonds) Gradient(grad, rate []float64, t float64, x []float64) {
	if grad != nil {
		for n := range e.items {
			it := &e.items[n]
			f := e.k.list[it.k].times(e.stretch(it, t, x))
			addTo(grad, int(it.i), f)
			if it.j >= 0 {
				subFrom(grad, int(it.j), f)
			}
		}
	}
	if rate != nil && len(e.paths.list) > 0 {
		e.addRate(rate, t)
	}
}

func (e *Bonds) addRate(rate []float64, t float64) {
	for n := range e.items {
		it := &e.items[n]
		if it.j < 0 && e.paths.list[-1-it.j].moving {
			subFrom(rate, int(it.i), e.k.list[it.k].times(e.paths.list[-1-it.j].rate(t)))
		}
	}
}

// Hessian adds K at both ends and −K between them.
func (e *Bonds) Hessian(h *Hessian, _ float64, _ []float64) {
	for n := range e.items {
		it := &e.items[n]
		k := &e.k.list[it.k]
		i, j := int(it.i), int(it.j)
		k.add(h, i, i, 1)
		if j >= 0 {
			k.add(h, j, j, 1)
			k.add(h, i, j, -1)
		}
	}
}
