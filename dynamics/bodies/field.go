package bodies

import (
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Field is a coefficient of friction over the surface of an obstacle, such as a
// dissipation.Map.
type Field interface {
	// At returns μ >= 0 at (x, y) and its derivatives [-, 1/m].
	At(x, y float64) (mu, dx, dy float64)
	// Mean returns the mean of μ along the straight way between two places.
	Mean(from, to [2]float64) float64
}

// Carries returns why an obstacle has no [Field], nil where it may have one: it is a half-space.
func (w *World) Carries(obstacle int) error {
	if _, flat := w.floors[obstacle].Surface.(HalfSpace); !flat {
		return errors.New("a map of friction in x and y is one of a half-space, not of a curved obstacle")
	}
	return nil
}

// Coefficient is μ of a field on an obstacle at a time, at a point x of space, or so far from there
// in x and y. The obstacle takes the field with it: these are the coordinates of the point on the
// obstacle at rest, as it was described.
func (w *World) Coefficient(f Field, obstacle int, t float64, x [3]float64, by [2]float64) float64 {
	x = w.onObstacle(obstacle, t, x)
	mu, _, _ := f.At(x[0]+by[0], x[1]+by[1])
	return max(0, mu) // below zero by rounding
}

// MeanCoefficient is the mean of μ of a field on an obstacle from a time t to t + h, of a point that
// is at x and goes with the velocity v of space.
func (w *World) MeanCoefficient(f Field, obstacle int, t, h float64, x, v [3]float64) float64 {
	from, to := w.onObstacle(obstacle, t, x), w.onObstacle(obstacle, t+h, vec3.Add(x, h, v))
	return max(0, f.Mean([2]float64(from[:2]), [2]float64(to[:2])))
}

// Roundness is the radius of a body around its core: where it rolls, contacts go with the core, not
// with the points of the body, as much above them. Those of quadrics are taken for points.
func (w *World) Roundness(body int) float64 { return w.bodies[body].form.radius }

// onObstacle returns a point of space at a time as one of an obstacle at rest.
func (w *World) onObstacle(obstacle int, t float64, x [3]float64) [3]float64 {
	o := &w.floors[obstacle]
	if !o.Motion.Moves() {
		return x
	}
	p := o.pose(t)
	return p.local(x)
}

// Wear gives the contacts of a body with an obstacle, by the key of [World.OnObstacle], a field of
// friction in place of the coefficient of their patch, the law of which must be Coulomb's with the
// exact cone.
func (w *World) Wear(key int, f Field) error {
	p := w.declared(key)
	if p == nil || p.floor < 0 {
		return fmt.Errorf("bodies: a map of friction in x and y is one of an obstacle, not of contact %d", key)
	}
	if err := w.Carries(p.floor); err != nil {
		return fmt.Errorf("bodies: %w", err)
	}
	if law, ok := p.patch.LawAt(0).(contact.Coulomb); !ok || law.Shape != (contact.Shape{}) {
		return errors.New("bodies: a map of friction is one of Coulomb's law with the exact cone")
	}
	p.field, w.worn = f, true
	return nil
}

// declared returns the pair of a key, nil if it was not declared.
func (w *World) declared(key int) *pair {
	if len(w.pairs) == 0 {
		return nil
	}
	if p := &w.pairs[max(w.pairOf(key), 0)]; p.key <= key && key < p.key+p.features {
		return p
	}
	return nil
}

var _ dynamics.Worn = (*World)(nil)

// Friction implements [dynamics.Worn].
func (w *World) Friction(key int, t, h float64, q, v []float64) (mu float64, ok bool) {
	if !w.worn {
		return 0, false
	}
	p := w.declared(key)
	if p == nil || p.field == nil {
		return 0, false
	}
	pose := w.pose(p.a, q)
	m := w.floors[p.floor].meeting(&w.bodies[p.a].form, &pose, key-p.key, t)
	core := vec3.Add(m.r, w.Roundness(p.a), m.n)
	return w.MeanCoefficient(p.field, p.floor, t, h, vec3.Add(pose.c, 1, m.r), w.pointSpeed(p.a, &pose, v, core)), true
}

// pointSpeed is the velocity of the point of a body at r from its centre.
func (w *World) pointSpeed(body int, p *pose, v []float64, r vec) (u vec) {
	b := &w.bodies[body]
	copy(u[:w.dim], v[b.v:b.v+w.dim])
	switch {
	case !b.form.spins:
		return u
	case w.dim == 2:
		return vec3.Add(u, 1, vec3.Cross(vec{0, 0, v[b.v+2]}, r))
	}
	return vec3.Add(u, 1, vec3.Cross(p.turn(vec(v[b.v+3:b.v+6])), r))
}
