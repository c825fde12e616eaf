package bodies

import (
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// Contacts implements [dynamics.System]: the declared contacts, pairs of
// bodies only where they are near.
func (w *World) Contacts(c *dynamics.Contacts, q []float64) {
	for i := range w.bodies {
		w.poses[i] = w.pose(i, q)
	}
	for i := range w.pairs {
		p := &w.pairs[i]
		a := &w.bodies[p.a]
		if p.floor >= 0 {
			for k := range p.features {
				m := w.floors[p.floor].meeting(&a.form, &w.poses[p.a], k, c.Time())
				w.emit(c, p.key+k, p.patch, p.a, -1, &m)
			}
			continue
		}
		w.meet(c, p.key, p.patch, p.a, p.b)
	}
	if w.broad.patch != nil {
		w.broad.sweep(w, c)
	}
}

// meet emits the patch between two bodies if they are near.
func (w *World) meet(c *dynamics.Contacts, key int, p *dynamics.Patch, a, b int) {
	fa, fb := &w.bodies[a].form, &w.bodies[b].form
	far := (1 + nearby) * (fa.reach + fb.reach)
	if d := vec3.Add(w.poses[a].c, -1, w.poses[b].c); vec3.Dot(d, d) > far*far {
		return
	}
	m := between(fa, fb, &w.poses[a], &w.poses[b])
	w.emit(c, key, p, a, b, &m)
}

var _ dynamics.Driven = (*World)(nil)

// Drives implements [dynamics.Driven]: an obstacle moves.
func (w *World) Drives() bool {
	for i := range w.floors {
		if w.floors[i].Motion.Moves() {
			return true
		}
	}
	return false
}

// Drive implements [dynamics.Driven].
func (w *World) Drive(dst []float64, key int, t, h float64, q, v []float64) {
	body, _ := w.KeyOf(key)
	w.driveBy(dst, key, t, q, func(m *signal.Motion, pose *pose, x vec) vec {
		return m.Under(t, h, pose.c, x, w.pointSpeed(body, pose, v, vec3.Add(x, -1, pose.c)))
	})
}

// DriveAtEnds implements [dynamics.Driven].
func (w *World) DriveAtEnds(before, first, last []float64, key int, t, h float64, q []float64) {
	w.driveBy(before, key, t, q, func(m *signal.Motion, _ *pose, x vec) vec { return m.Before(t, h, x) })
	w.driveBy(first, key, t, q, func(m *signal.Motion, _ *pose, x vec) vec { return m.Rate(t, x) })
	w.driveBy(last, key, t, q, func(m *signal.Motion, pose *pose, x vec) vec { return m.End(t, h, pose.c, x) })
}

// Kinked implements [dynamics.Driven].
func (w *World) Kinked(key int, t, slack float64) bool {
	x := w.PairOf(key)
	return x.B < 0 && w.floors[x.Obstacle].Motion.Kinked(t, slack)
}

// driveBy overwrites dst with a speed of the obstacle under the elements of the patch of a key.
func (w *World) driveBy(dst []float64, key int, t float64, q []float64, speed func(m *signal.Motion, of *pose, x vec) vec) {
	clear(dst)
	body, other := w.KeyOf(key)
	if other >= 0 {
		return
	}
	obstacle, at, n := w.Meeting(key, t, q)
	m := &w.floors[obstacle].Motion
	if !m.Moves() {
		return
	}
	p, pose := w.PatchOf(key), w.pose(body, q)
	along, across := tangents(n, w.dim)
	for i := range p.Elements() {
		et, eo := p.At(i)
		x := vec3.Add(vec3.Add(at, et, along), eo, across)
		u := speed(m, &pose, x)
		s := dst[w.dim*i : w.dim*(i+1)]
		s[0], s[1] = vec3.Dot(u, n), vec3.Dot(u, along)
		if w.dim == 3 {
			s[2] = vec3.Dot(u, across)
		}
	}
}

// nearby is the distance, in sizes of the bodies, up to which a pair is handed
// to the contact problem. A pair that a step brings from beyond this distance
// to penetration is pushed apart in the next step.
const nearby = 0.25

// emit adds the elements of a patch around a meeting point; the surface is
// flat there at the scale of the patch, as counterformal contact has it.
func (w *World) emit(c *dynamics.Contacts, key int, p *dynamics.Patch, a, b int, m *meeting) {
	t, o := tangents(m.n, w.dim)
	c.Begin(key, p)
	var apart vec // from the centre of b to that of a
	if b >= 0 {
		apart = vec3.Add(w.poses[a].c, -1, w.poses[b].c)
	}
	for i := range p.Elements() {
		et, eo := p.At(i)
		r := vec3.Add(vec3.Add(m.r, et, t), eo, o)
		c.Element(m.gap)
		w.rows(c, a, 1, &r, &m.n, &t, &o)
		if b >= 0 {
			r = vec3.Add(r, 1, apart)
			w.rows(c, b, -1, &r, &m.n, &t, &o)
		}
	}
}

// rows adds what the velocities of a body give to the speed of its point at r
// from the centre: ċ + ω × r along n, t and o.
func (w *World) rows(c *dynamics.Contacts, body int, s float64, r, n, t, o *vec) {
	b := &w.bodies[body]
	for k := range w.dim {
		c.Row(b.v+k, s*n[k], s*t[k], s*o[k])
	}
	if !b.form.spins {
		return
	}
	p := &w.poses[body]
	rn, rt := vec3.Cross(*r, *n), vec3.Cross(*r, *t)
	if w.dim == 2 {
		c.Row(b.v+2, s*rn[2], s*rt[2], 0)
		return
	}
	rn, rt = p.back(rn), p.back(rt)
	ro := p.back(vec3.Cross(*r, *o))
	for k := range 3 {
		c.Row(b.v+3+k, s*rn[k], s*rt[k], s*ro[k])
	}
}
