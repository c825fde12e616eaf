package particles

import (
	"fmt"
	"math"
)

// WayBounded is implemented by an Energy whose D²E varies and that bounds how its forces bend along a
// straight way: stability between two nodes is then certified where otherwise it is sampled.
type WayBounded interface {
	// WayBound adds to dst, for each dof, a bound of |d²DE/dθ²| [N] on the straight way between x0
	// at t0 and x1 at t1, 0 <= θ <= 1, with no breaks amid: +Inf where the way is too long for
	// one. It is false if none is known of any part of it.
	WayBound(dst []float64, t0, t1 float64, x0, x1 []float64) bool
}

var (
	_ WayBounded = (*Springs)(nil)
	_ WayBounded = (*Tethers)(nil)
	_ WayBounded = (*AdhesiveBonds)(nil)
)

// WayBound stores in dst bounds of |d²DE/dθ²| [N], in local coordinates, on the straight way of the
// coordinates between z0 at t0 and z1 at t1, with no breaks amid. On a part of length p of the way DE
// differs from its chord by at most p²/8 of them. Terms with constant D²E bend by time alone,
// (t1 − t0)² |∂t²DE|. It reports false where nothing is known, see Unbounded.
func (s *System) WayBound(dst []float64, t0, t1 float64, z0, z1 []float64) bool {
	s.mustLen(dst, "WayBound")
	if len(s.charted) > 0 || len(s.bent) > 0 {
		return false
	}
	if s.ends == nil {
		s.ends = make([]float64, 2*len(dst))
	}
	x0, x1 := s.ends[:len(dst)], s.ends[len(dst):]
	s.ToGlobalAt(t0, x0, z0)
	s.ToGlobalAt(t1, x1, z1)
	clear(dst)
	for i, e := range s.energies {
		if s.fixed[i] && !timeBound(e, dst) {
			return false
		}
	}
	for i := range dst {
		dst[i] *= (t1 - t0) * (t1 - t0)
	}
	for i, e := range s.energies {
		if !s.fixed[i] && !wayBound(e, dst, t0, t1, x0, x1) {
			return false
		}
	}
	s.pullBound(dst)
	s.boundToLocal(dst)
	return s.addShiftBound(dst, 2, (t1-t0)*(t1-t0))
}

func timeBound(e Energy, dst []float64) bool {
	b, ok := e.(TimeBounded)
	return ok && b.TimeBound(dst, 2)
}

func wayBound(e Energy, dst []float64, t0, t1 float64, x0, x1 []float64) bool {
	b, ok := e.(WayBounded)
	return ok && b.WayBound(dst, t0, t1, x0, x1)
}

// Unbounded names what makes DE bend along straight ways by what no bound is known of, an energy or
// obstacles; empty if there is nothing.
func (s *System) Unbounded() string {
	if len(s.charted) > 0 || len(s.bent) > 0 {
		return "obstacles that are curved or move"
	}
	x, dst := make([]float64, 3*len(s.frames)), make([]float64, 3*len(s.frames))
	for i, e := range s.energies {
		if s.fixed[i] && !timeBound(e, dst) || !s.fixed[i] && !wayBound(e, dst, 0, 0, x, x) {
			return fmt.Sprintf("energy %d", i)
		}
	}
	return ""
}

// boundToLocal turns bounds of the components of vectors into those of the local ones.
func (s *System) boundToLocal(dst []float64) {
	for _, j := range s.rotated {
		f := &s.frames[j]
		b := at(dst, j)
		put(dst, j, vec{absolute(f.T).dot(b), absolute(f.O).dot(b), absolute(f.N).dot(b)})
	}
}

// stretchWay is how d = x_i − x_j − offset, or d = x_i − a(t) − offset, goes from one end of a
// straight way to the other. With |d”_c| <= bend_c, 0 without an anchor that moves, it is off its
// chord by at most bend/8, and d' off v by at most bend/2: d' − v has the mean 0.
type stretchWay struct {
	from, to, v, bend vec     // d(0), d(1), d(1) − d(0) [m]
	speed             float64 // bound of |d'|
	off, turn         float64 // |bend|/8, |bend|/2
	least, most       float64 // bounds of |d|
}

// newWay returns the way from one stretch to another; false if the path of its anchor has no bound.
func newWay(from, to vec, anchor *motion, h float64) (w stretchWay, ok bool) {
	w = stretchWay{from: from, to: to, v: to.sub(from)}
	if anchor != nil {
		b, known := anchor.bound(2)
		if !known {
			return w, false
		}
		w.bend = b.scale(h * h)
	}
	size, bend := w.v.size(), w.bend.size()
	w.speed, w.off, w.turn = size+bend/2, bend/8, bend/2
	w.most = max(from.size(), to.size()) + w.off
	near := from
	if size > 0 {
		near = from.plus(min(max(-from.dot(w.v)/(size*size), 0), 1), w.v)
	}
	w.least = max(near.size()-w.off, 0)
	return w, true
}

// reach returns bounds of |d_c|, and rate of |d'_c|.
func (w *stretchWay) reach() vec {
	a, b := w.from.abs(), w.to.abs()
	return vec{max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}.plus(1./8, w.bend)
}

func (w *stretchWay) rate() vec { return w.v.abs().plus(1./2, w.bend) }

// power bounds |d·d'|: d·v is affine on the chord.
func (w *stretchWay) power() float64 {
	return max(math.Abs(w.from.dot(w.v)), math.Abs(w.to.dot(w.v))) + w.off*w.v.size() + w.most*w.turn
}

// moment bounds |d×d'|: d×v is the same all along the chord.
func (w *stretchWay) moment() float64 {
	m := w.from.cross(w.v)
	return m.size() + w.off*w.v.size() + w.most*w.turn
}

// path returns the path of an end, nil for a particle or one at rest.
func (s *motions) path(end int32) *motion {
	if end >= 0 || !s.list[-1-end].moving {
		return nil
	}
	return &s.list[-1-end]
}

// addLink adds a bound of the force between the ends i and j.
func addLink(dst []float64, i, j int32, b vec) {
	addTo(dst, int(i), b)
	if j >= 0 {
		addTo(dst, int(j), b)
	}
}

// WayBound implements [WayBounded] for laws that are [Smooth].
func (e *Springs) WayBound(dst []float64, t0, t1 float64, x0, x1 []float64) bool {
	for k := range e.items {
		it := &e.items[k]
		from, _ := e.reach(it, t0, x0)
		to, _ := e.reach(it, t1, x1)
		w, ok := newWay(from, to, e.paths.path(it.j), t1-t0)
		if !ok {
			return false
		}
		if it.flat {
			addLink(dst, it.i, it.j, w.bend.scale(it.k))
			continue
		}
		law, smooth := it.law.(Smooth)
		if !smooth {
			return false
		}
		if w.speed == 0 {
			continue
		}
		addLink(dst, it.i, it.j, w.tension(law))
	}
	return true
}

// tension bounds |d²(φ' n)/dθ²|, n = d/l. With ω = φ'/l, p = n·d' and the rest q = d' − p n, q ⊥ n,
//
//	d²(φ' n)/dθ² = (φ”' p² + ω' |q|²) n + 2 ω' p q + (φ” − ω) (n·d”) n + ω d”,   φ” − ω = l ω'.
//
// p = d·d'/l and |q| = |d×d'|/l have bounds of their own. Where the way has any direction
// to n, p = |d'| cos α, the length of the first two terms is at most |d'|² times, with A = |φ”'|
// and B = |ω'|, the largest root of (A cos² + B sin²)² + 4 B² cos² sin²: a parabola in cos² α, so
// A if A >= 2B, and else 2B √(B/(3B − A)).
func (w *stretchWay) tension(law Smooth) vec {
	s := bounds(law, w.least, w.most)
	inf := math.Inf(1)
	if !(s.alongRate < inf && s.acrossRate < inf && s.across < inf) {
		return vec{inf, inf, inf}
	}
	p, q, n := w.speed, w.speed, vec{1, 1, 1}
	if w.least > 0 {
		p, q = min(p, w.power()/w.least), min(q, w.moment()/w.least)
		r := w.reach()
		n = vec{min(r.x/w.least, 1), min(r.y/w.least, 1), min(r.z/w.least, 1)}
	}
	pull, swing := s.alongRate*p*p+s.acrossRate*q*q, 2*s.acrossRate*p
	free := s.alongRate
	if s.alongRate < 2*s.acrossRate {
		free = 2 * s.acrossRate * math.Sqrt(s.acrossRate/(3*s.acrossRate-s.alongRate))
	}
	total, turned := min(math.Hypot(pull, swing*q), free*w.speed*w.speed), s.acrossRate*w.most*w.bend.size()
	rate := w.rate()
	component := func(n, rate, bend float64) float64 {
		return min(total, pull*n+swing*min(q, rate+n*p)) + turned*n + s.across*bend
	}
	return vec{component(n.x, rate.x, w.bend.x), component(n.y, rate.y, w.bend.y), component(n.z, rate.z, w.bend.z)}
}

// WayBound implements [WayBounded]: the second derivative of Kd + β|d|²d along the way is
//
//	K d” + β (2|d'|² d + 4 (d·d') d' + |d|² d” + 2 (d·d”) d).
func (e *Tethers) WayBound(dst []float64, t0, t1 float64, x0, x1 []float64) bool {
	for i := range e.items {
		it := &e.items[i]
		w, ok := newWay(e.stretch(it, t0, x0), e.stretch(it, t1, x1), e.paths.path(-1-it.path), t1-t0)
		if !ok {
			return false
		}
		b := e.k.list[it.k].bound(w.bend)
		if it.beta != 0 {
			b = b.plus(it.beta*(2*w.speed*w.speed+2*w.most*w.bend.size()), w.reach())
			b = b.plus(4*it.beta*w.power(), w.rate()).plus(it.beta*w.most*w.most, w.bend)
		}
		addTo(dst, int(it.particle), b)
	}
	return true
}

// WayBound implements [WayBounded]: with w = 1 − D affine, the second derivatives of the forces wKd
// and −½ dᵀKd/a are 2 w' K d' + w K d” and −(d'ᵀK d' + dᵀK d”)/a.
func (e *AdhesiveBonds) WayBound(dst []float64, t0, t1 float64, x0, x1 []float64) bool {
	for n := range e.items {
		it := &e.items[n]
		from, whole0 := e.displacement(it, t0, x0)
		to, whole1 := e.displacement(it, t1, x1)
		w, ok := newWay(from, to, e.paths.path(it.j), t1-t0)
		if !ok {
			return false
		}
		k, rate := &e.k.list[it.k], w.rate()
		turned := k.bound(w.bend)
		b := k.bound(rate).scale(2*math.Abs(whole1-whole0)).plus(max(math.Abs(whole0), math.Abs(whole1)), turned)
		addLink(dst, it.i, it.j, b)
		dst[3*it.s] += it.per * (rate.dot(k.bound(rate)) + w.reach().dot(turned))
	}
	return true
}
