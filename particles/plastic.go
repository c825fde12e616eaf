package particles

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// PlasticSpring is a Prandtl element with kinematic hardening, linearised about the start
// along an axis e: with the elongation ε of its ends and the plastic elongation p,
//
//	E = ½ k (ε − p)² + ½ h p²,  ε = e·(x_I − X_I) − e·(x_J − X_J)  or  … − e·(a(t) − a(0)),
//
// and it yields where |k (ε − p) − h p| reaches its yield force. p is an internal
// variable: the displacement along e of the particle Variable, which is pressed onto a
// plane of its own with the yield force as friction, see [dissipation.WithVariables].
// Elements side by side are an Iwan chain.
type PlasticSpring struct {
	I, J      int
	Anchor    Path // nil: it ends at particle J; else J is not used
	Variable  int
	Axis      [3]float64 // e; its length does not matter
	Stiffness float64    // k > 0 [N/m]
	Hardening float64    // h >= 0 [N/m]
}

// PlasticSprings is the energy of many. D²E is constant.
type PlasticSprings struct {
	items []plastic
	paths motions
}

type plastic struct {
	i, j, s int // j = −1 − number of the path
	e       vec
	k, h    float64
	rest    float64 // e·(X_i − X_j), or e·(X_i − a(0))
	origin  float64 // e·X_s
}

var (
	_ Energy          = (*PlasticSprings)(nil)
	_ ConstantHessian = (*PlasticSprings)(nil)
	_ Convex          = (*PlasticSprings)(nil)
	_ Breaker         = (*PlasticSprings)(nil)
	_ Validator       = (*PlasticSprings)(nil)
	_ TimeBounded     = (*PlasticSprings)(nil)
	_ Driven          = (*PlasticSprings)(nil)
)

// NewPlasticSprings takes the reference positions X of all particles, also of the
// variables (flat, global).
func NewPlasticSprings(ref []float64, items ...PlasticSpring) (*PlasticSprings, error) {
	e := &PlasticSprings{}
	for n := range items {
		if err := e.add(ref, n, &items[n]); err != nil {
			return nil, fmt.Errorf("particles: plastic spring %d: %w", n, err)
		}
	}
	return e, nil
}

func (e *PlasticSprings) add(ref []float64, number int, it *PlasticSpring) error {
	axis, ok := unit(it.Axis)
	switch {
	case !ok:
		return fmt.Errorf("axis %v has no direction", it.Axis)
	case !(it.Stiffness > 0) || !(it.Hardening >= 0) || !finite(it.Stiffness) || !finite(it.Hardening):
		return fmt.Errorf("stiffness %v or hardening %v is not positive", it.Stiffness, it.Hardening)
	}
	j, err := end(&e.paths, it.I, it.J, it.Anchor)
	if err != nil {
		return err
	}
	if err := checkEnds("plastic spring", number, it.I, int(j), len(ref)/3); err != nil {
		return err
	}
	if err := checkParticle("plastic spring", number, it.Variable, len(ref)/3); err != nil {
		return err
	}
	if it.Variable == it.I || it.Variable == int(j) {
		return fmt.Errorf("the variable %d is an end", it.Variable)
	}
	p := plastic{i: it.I, j: int(j), s: it.Variable, e: at(axis[:], 0), k: it.Stiffness, h: it.Hardening}
	far := vec{}
	if p.j >= 0 {
		far = at(ref, p.j)
	} else {
		far = e.paths.list[-1-p.j].at(0)
	}
	p.rest, p.origin = p.e.dot(at(ref, p.i).sub(far)), p.e.dot(at(ref, p.s))
	if !finite(p.rest) || !finite(p.origin) {
		return fmt.Errorf("reference positions are not finite")
	}
	e.items = append(e.items, p)
	return nil
}

// Validate checks the numbers of the particles.
func (e *PlasticSprings) Validate(particles int) error {
	for n := range e.items {
		it := &e.items[n]
		if err := checkEnds("plastic spring", n, it.i, it.j, particles); err != nil {
			return err
		}
		if err := checkParticle("plastic spring", n, it.s, particles); err != nil {
			return err
		}
	}
	return nil
}

// ConstantHessian returns true.
func (e *PlasticSprings) ConstantHessian() bool { return true }

// Convex returns true.
func (e *PlasticSprings) Convex() bool { return true }

// Breaks appends the kinks of the anchors.
func (e *PlasticSprings) Breaks(dst []float64, t0, t1 float64) []float64 {
	return e.paths.breaks(dst, t0, t1)
}

// TimeBound adds bounds of k |e·a^(k)| at both ends of the force.
func (e *PlasticSprings) TimeBound(dst []float64, k int) bool {
	for n := range e.items {
		it := &e.items[n]
		if it.j >= 0 {
			continue
		}
		b, ok := e.paths.list[-1-it.j].bound(k)
		if !ok {
			return false
		}
		axis := absolute(it.e.array())
		force := axis.scale(it.k * axis.dot(b))
		addTo(dst, it.i, force)
		addTo(dst, it.s, force)
	}
	return true
}

// ends lists the particles of an element with the sign of their part of ε − p.
func (it *plastic) ends() (list [3]int, sign [3]float64, n int) {
	list, sign = [3]int{it.i, it.s, it.j}, [3]float64{1, -1, -1}
	if it.j < 0 {
		return list, sign, 2
	}
	return list, sign, 3
}

// Pattern declares the blocks of the ends and the variable, where e has components.
func (e *PlasticSprings) Pattern(p *Pattern) {
	e.each(func(a, b int, _ float64) { p.Add(a, b) })
}

// Hessian adds k vvᵀ with v = (e, −e, −e), and h eeᵀ of the variable.
func (e *PlasticSprings) Hessian(h *Hessian, _ float64, _ []float64) {
	e.each(h.Add)
}

// each visits the entries of D²E, each pair of dofs once for an element.
func (e *PlasticSprings) each(visit func(a, b int, v float64)) {
	for n := range e.items {
		it := &e.items[n]
		list, sign, count := it.ends()
		axis := it.e.array()
		for x := range count {
			for y := range x + 1 {
				k := it.k * sign[x] * sign[y]
				if x == y && list[x] == it.s {
					k += it.h
				}
				for r := range 3 {
					for c := range 3 {
						if (x != y || c <= r) && axis[r] != 0 && axis[c] != 0 {
							visit(3*list[x]+r, 3*list[y]+c, k*axis[r]*axis[c])
						}
					}
				}
			}
		}
	}
}

// stretch returns ε − p and p.
func (e *PlasticSprings) stretch(it *plastic, t float64, x []float64) (elastic, p float64) {
	far := vec{}
	if it.j >= 0 {
		far = at(x, it.j)
	} else {
		far = e.paths.list[-1-it.j].at(t)
	}
	p = it.e.dot(at(x, it.s)) - it.origin
	return it.e.dot(at(x, it.i).sub(far)) - it.rest - p, p
}

// speed is e·ȧ of the anchor, 0 without a moving one.
func (e *PlasticSprings) speed(it *plastic, t float64) float64 {
	if it.j >= 0 || !e.paths.list[-1-it.j].moving {
		return 0
	}
	return it.e.dot(e.paths.list[-1-it.j].rate(t))
}

// Value returns the energy and −Σ k (ε − p) e·ȧ.
func (e *PlasticSprings) Value(t float64, x []float64) (energy, rate float64) {
	for n := range e.items {
		it := &e.items[n]
		d, p := e.stretch(it, t, x)
		energy += it.k*d*d/2 + it.h*p*p/2
		rate -= it.k * d * e.speed(it, t)
	}
	return energy, rate
}

// Gradient adds k (ε − p) v + h p e and −k (e·ȧ) v.
func (e *PlasticSprings) Gradient(grad, rate []float64, t float64, x []float64) {
	for n := range e.items {
		it := &e.items[n]
		list, sign, count := it.ends()
		if grad != nil {
			d, p := e.stretch(it, t, x)
			for k := range count {
				addTo(grad, list[k], it.e.scale(sign[k]*it.k*d))
			}
			addTo(grad, it.s, it.e.scale(it.h*p))
		}
		if v := e.speed(it, t); rate != nil && v != 0 {
			for k := range count {
				subFrom(rate, list[k], it.e.scale(sign[k]*it.k*v))
			}
		}
	}
}

// Drive adds the forces against the anchors that move.
func (e *PlasticSprings) Drive(d *Drive, t float64, x, _ []float64) {
	for n := range e.items {
		it := &e.items[n]
		if it.j < 0 && e.paths.list[-1-it.j].moving {
			s, _ := e.stretch(it, t, x)
			d.Add(it.i, it.e.scale(it.k*s).array(), e.paths.list[-1-it.j].rate(t).array())
		}
	}
}

// VariableFrame returns the plane of an internal variable at a point: its displacement is
// that along axis, the tangent t.
func VariableFrame(point, axis [3]float64) (Frame, error) {
	e, ok := unit(axis)
	if !ok {
		return Frame{}, fmt.Errorf("particles: variable: axis %v has no direction", axis)
	}
	// The normal is across the axis, along the global axis that is farthest from it.
	far := slices.IndexFunc(e[:], func(v float64) bool { return math.Abs(v) == min(math.Abs(e[0]), math.Abs(e[1]), math.Abs(e[2])) })
	if e[2] == 0 {
		far = 2
	}
	var axis2 [3]float64
	axis2[far] = 1
	normal := vec3.Cross(vec3.Cross(e, axis2), e)
	h, err := NewHalfSpace(point, normal)
	if err != nil {
		return Frame{}, err
	}
	return h.FrameAlong(e)
}
