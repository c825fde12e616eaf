package bodies

import (
	"fmt"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// Push is a load on a body: a force F at a point of it and a torque, both given along the axes of
// space, or along those of the body, with which they turn then. By the rotation R of the body its
// force in space and its moment about the centre are
//
//	F, Rr × F + τ   along the axes of space,   Rf, R(r × f + τ)   along those of the body.
type Push struct {
	Body   int
	At     [3]float64    // r, on the axes of the body, from its centre [m]
	F      signal.Vector // or f [N]; nil: none
	Torque signal.Vector // τ, three components, of which the plane has the last one [N m]; nil: none
	Turns  bool          // both turn with the body
}

// Given returns force and torque along the axes of space, in the mean from t to t + h, those at t for
// h = 0, of a body that is turned by the rotation r, row by row.
func (p *Push) Given(r *[9]float64, t, h float64) (force, torque [3]float64) {
	turned := pose{r: *r}
	for _, x := range []struct {
		of signal.Vector
		to *vec
	}{{p.F, &force}, {p.Torque, &torque}} {
		switch {
		case x.of == nil:
		case h == 0:
			x.of.At(x.to[:len(x.of)], t)
		default:
			x.of.Mean(x.to[:len(x.of)], t, t+h)
		}
		if p.Turns {
			*x.to = turned.turn(*x.to)
		}
	}
	return force, torque
}

// Wrench returns the force and the moment about the centre in space, see [Push.Given].
func (p *Push) Wrench(r *[9]float64, t, h float64) (force, moment [3]float64) {
	turned := pose{r: *r}
	force, moment = p.Given(r, t, h)
	return force, vec3.Add(moment, 1, vec3.Cross(turned.turn(p.At), force))
}

// Pushes are the loads of the system; they belong to it.
func (w *World) Pushes() []Push { return w.pushes }

// Push adds a load to those of the system, which takes it as the loads of the bodies. (The model of
// package multibody has forces of its own, and no load of its world.)
func (w *World) Push(p Push) error {
	switch {
	case p.Body < 0 || p.Body >= len(w.bodies):
		return fmt.Errorf("bodies: a load on body %d, there are %d", p.Body, len(w.bodies))
	case p.F != nil && len(p.F) != w.dim:
		return fmt.Errorf("bodies: a load has %d components, want %d", len(p.F), w.dim)
	case p.Torque != nil && len(p.Torque) != 3:
		return fmt.Errorf("bodies: a torque has %d components, want 3", len(p.Torque))
	case !w.Spins(p.Body) && (p.Torque != nil || p.At != vec{} || p.Turns):
		return fmt.Errorf("bodies: body %d is a point, which does not turn", p.Body)
	}
	w.pushes = append(w.pushes, p)
	return nil
}

// push adds the loads at points to f, in the mean from t to t + h.
func (w *World) push(f []float64, t, h float64, q []float64) {
	for i := range w.pushes {
		p := &w.pushes[i]
		b := &w.bodies[p.Body]
		at := w.poseOf(b, q)
		force, moment := p.Wrench(&at.r, t, h)
		for k := range w.dim {
			f[b.v+k] += force[k]
		}
		switch {
		case !b.form.spins:
		case w.dim == 2:
			f[b.v+2] += moment[2]
		default:
			for k, m := range at.back(moment) {
				f[b.v+3+k] += m
			}
		}
	}
}
