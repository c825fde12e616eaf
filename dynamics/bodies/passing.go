package bodies

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

var _ dynamics.Passing = (*World)(nil)

// A step of patches knows the contacts that are near at its start, by the planes that are tangent
// there. What comes from further away, or turns past them, goes through without a force. So a step
// is looked at when it is made: in it velocities are constant.

// passing finds bodies that pass through each other, or an obstacle, within a step.
type passing struct {
	sweep    Sweep
	way      chord
	order    []int // of the bodies by the left ends of what they sweep
	velocity []float64
}

// chord is the straight way from q at t to next at t + h.
type chord struct {
	t, h         float64
	q, next, mid []float64
}

// At implements [Course].
func (c *chord) At(share float64) (t float64, q []float64) {
	for i, x := range c.q {
		c.mid[i] = x + share*(c.next[i]-x)
	}
	return c.t + share*c.h, c.mid
}

// Pass implements [dynamics.Passing].
func (w *World) Pass(t, h float64, q, next, v []float64, forced func(key int) bool) error {
	p := &w.passing
	if !p.begin(w, t, h, q, next, v) {
		return nil
	}
	for i := range w.pairs {
		x := &w.pairs[i]
		var err error
		if x.floor >= 0 {
			err = p.floor(w, x, forced)
		} else {
			err = p.pair(w, x.key, x.a, x.b, forced)
		}
		if err != nil {
			return err
		}
	}
	if w.broad.patch != nil {
		return p.all(w, forced)
	}
	return nil
}

// begin bounds the ways of all bodies, and reports whether anything may pass.
func (p *passing) begin(w *World, t, h float64, q, next, v []float64) (any bool) {
	s := &p.sweep
	if s.Find == nil {
		s.World, s.Find, s.Course = w, w.NewToucher(nil), &p.way
		s.Paths = make([]Path, len(w.bodies))
		p.way.mid, p.velocity = make([]float64, len(q)), make([]float64, len(v))
	}
	p.way.t, p.way.h, p.way.q, p.way.next = t, h, q, next
	s.T, s.H = t, h
	for i, x := range v {
		p.velocity[i] = h * x
	}
	any = w.Drives()
	for i := range w.bodies {
		b := &w.bodies[i]
		x := &s.Paths[i]
		way := p.velocity[b.v : b.v+b.spread]
		*x = w.PathOf(i, p.centre(w, i), way, way)
		// Of two that are not near, see nearby, one moves by more than this share of its reach
		// before they touch.
		any = any || x.Fast() || x.Most > nearby*b.form.reach
	}
	return any
}

// pair looks at two bodies.
func (p *passing) pair(w *World, key, a, b int, forced func(key int) bool) error {
	way, reach := p.sweep.Paths[a].Beside(&p.sweep.Paths[b]), w.bodies[a].form.reach+w.bodies[b].form.reach
	d, u := way.From, way.B[0]
	share := 0.0 // at which their centres are nearest
	if uu := vec3.Dot(u, u); uu > 0 {
		share = max(0, min(1, -vec3.Dot(d, u)/uu))
	}
	if least := vec3.Add(d, share, u); vec3.Dot(least, least) > reach*reach {
		return nil
	}
	if near := (1 + nearby) * reach; !way.Fast() && vec3.Dot(d, d) <= near*near {
		return nil // its contact problem knows it
	}
	p.tolerances(w, reach, a, b)
	if a > b {
		a, b = b, a
	}
	return p.look(w, PairTouch(a, b), forced(key))
}

// floor looks at a body and an obstacle. Of those that carry a force the contact problem knows;
// what does not turn is held above the plane of a half-space at rest by it.
func (p *passing) floor(w *World, x *pair, forced func(key int) bool) error {
	if w.floors[x.floor].plane && p.sweep.Paths[x.a].Turn == 0 {
		return nil
	}
	t := FloorTouch(x.a, x.floor)
	if way := p.sweep.Beside(&t); !way.Fast() {
		return nil
	}
	for k := range x.features {
		if forced(x.key + k) {
			return nil
		}
	}
	p.tolerances(w, w.bodies[x.a].form.reach, x.a, x.a)
	return p.look(w, t, false)
}

// all looks at all pairs, from the left to the right.
func (p *passing) all(w *World, forced func(key int) bool) error {
	if len(p.order) == 0 {
		for i := range w.bodies {
			p.order = append(p.order, i)
		}
	}
	end := func(i int, side float64) float64 {
		x := p.way.q[w.bodies[i].q]
		return side*max(side*x, side*(x+p.sweep.Paths[i].B[0][0])) + side*w.bodies[i].form.reach
	}
	before := func(i, j int) bool {
		a, b := end(i, -1), end(j, -1)
		return a < b || a == b && i < j
	}
	for k := 1; k < len(p.order); k++ { // insertion: the order changes little
		for i := k; i > 0 && before(p.order[i], p.order[i-1]); i-- {
			p.order[i], p.order[i-1] = p.order[i-1], p.order[i]
		}
	}
	for k, i := range p.order {
		right := end(i, 1)
		for _, j := range p.order[k+1:] {
			if end(j, -1) > right {
				break
			}
			a, b := min(i, j), max(i, j)
			if err := p.pair(w, w.PairKey(a, b), a, b, forced); err != nil {
				return err
			}
		}
	}
	return nil
}

// touching of the reach of two bodies is rounding of their gap.
const touching = 1e-10

// tolerances sets those of two bodies, with eight roundings of their coordinates; thin ones that
// slide along each other count as met in ten thousand times that.
func (p *passing) tolerances(w *World, reach float64, a, b int) {
	p.sweep.Touching = touching*reach + 0x1p-49*max(vec3.Norm(p.centre(w, a)), vec3.Norm(p.centre(w, b)))
	p.sweep.Glide = 1e4 * p.sweep.Touching
}

// look follows a pair through the step.
func (p *passing) look(w *World, t Touch, held bool) error {
	x, met := p.sweep.Meets(&t)
	if !met {
		return nil
	}
	if !x.Open && !p.sweep.Through(&x.Touch, held) {
		if y, deep := p.sweep.Enters(&t); !held || !deep {
			return nil
		} else {
			x = y
		}
	}
	return &TunnelError{Contact: w.nameOf(t.A) + " and " + w.otherName(&t), At: x.Touch.At, H: p.way.h * p.sweep.Resolves(&t)}
}

// centre is that of a body at the start.
func (p *passing) centre(w *World, body int) (c vec) {
	q := w.bodies[body].q
	copy(c[:w.dim], p.way.q[q:q+w.dim])
	return c
}

// Name names bodies and obstacles for messages, in their order.
func (w *World) Name(bodies, obstacles []string) { w.names, w.obstacleNames = bodies, obstacles }

func (w *World) nameOf(body int) string {
	if body < len(w.names) {
		return fmt.Sprintf("body %q", w.names[body])
	}
	return fmt.Sprintf("body %d", body)
}

// otherName is that of what a touch has beside its first body.
func (w *World) otherName(t *Touch) string {
	if t.B >= 0 {
		return w.nameOf(t.B)
	}
	return w.ObstacleName(t.Floor)
}

// ObstacleName implements [dynamics.Inertial].
func (w *World) ObstacleName(i int) string {
	if i < len(w.obstacleNames) {
		return fmt.Sprintf("obstacle %q", w.obstacleNames[i])
	}
	return fmt.Sprintf("obstacle %d", i)
}
