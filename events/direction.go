package events

import "math"

const (
	directionRounds = 100 // of Gauss and Seidel through the corners at the tip
	directionScan   = 48  // angles at which a direction is looked for
)

// atTip reports whether a corner slips on one face from where nothing pressed it.
func (w *Integrator[T]) atTip(s *cornerMode[T]) bool {
	if s.slip == 0 || len(s.support().faces) != 1 || !s.hasFriction() {
		return false
	}
	x := s.support()
	return certain(inner(x.shares[0], vector(w.r, s.Dof)), boundary*(w.forceSize(s)+w.load+w.timeSize(s))) <= 0 && !w.loadedAlong(s)
}

// directions finds those along which corners begin to slip where nothing pressed them before:
// against the force of a moment later, ḋ = −|ḋ|e. For one corner that is the root of a function of
// an angle; several take turns.
func (w *Integrator[T]) directions() {
	var list []*cornerMode[T]
	for k := range w.corners {
		if s := &w.corners[k]; !w.t.Exact() && w.atTip(s) && w.turns(s) {
			list = append(list, s)
		}
	}
	for range directionRounds {
		moved := 0.0
		for _, s := range list {
			moved = max(moved, w.direct(s))
		}
		if len(list) < 2 || moved <= rounding {
			break
		}
	}
	if len(list) > 0 {
		if w.curve == nil {
			w.curve = w.newCurve()
		}
		c := w.curve
		c.tipTime, c.blur = w.t.Float(), 0
		for _, s := range list {
			c.blur = max(c.blur, w.blur(s))
		}
	}
}

// blur is how long it takes the force along the one face of a corner to grow from nothing to what
// has a direction, see aim.
func (w *Integrator[T]) blur(s *cornerMode[T]) float64 {
	rate, size := s.rest(s.support(), vector(w.dr, s.Dof)), 0.0
	for i := range 3 {
		size = max(size, w.dsize[s.Dof+i])
	}
	l, _ := inner(rate, rate).Root()
	if l.Sign() == 0 {
		return 0
	}
	return tipForce * timeRounding * abs(w.t.Float()) * size / l.Float()
}

// direct turns the axis of a corner to the nearest in which it goes on, and returns by how much
// [rad].
func (w *Integrator[T]) direct(s *cornerMode[T]) float64 {
	n := s.Faces[s.support().faces[0]].N
	axis := s.axis
	side := cross(n, axis)
	across := func(angle float64) (off T, speed float64) {
		sin, cos := math.Sincos(angle)
		s.axis = sum3(scaled(axis, n[0].Of(cos)), scaled(side, n[0].Of(sin)))
		w.lost = -1
		w.assemble()
		w.rates(w.t)
		s.side = cross(n, s.axis)
		return inner(s.side, vector(w.dr, s.Dof)), inner(s.ways[0].motion, vector(w.v, s.Dof)).Float()
	}
	best, off := nearestRoot(0, func(angle float64) (float64, float64) {
		value, speed := across(angle)
		return value.Float(), speed
	})
	const d = 1e-4 // [rad]: differences of fourth order leave 1e-16
	value, _ := across(best)
	at := func(angle float64) float64 { v, _ := across(angle); return v.Float() }
	slope := (8*(at(best+d)-at(best-d)) - at(best+2*d) + at(best-2*d)) / (12 * d)
	across(best)
	if _, dual := any(value).(Dual); dual && slope != 0 {
		s.axis = less(s.axis, scaled(s.side, value.Quo(value.Of(slope))))
		s.side = cross(n, s.axis)
		w.assemble()
		w.rates(w.t)
	}
	return off
}

// nearestRoot returns the root of a function of an angle nearest to a start where its second value
// is not negative, and how far it is; the start if there is none.
func nearestRoot(start float64, across func(angle float64) (cross, speed float64)) (best, off float64) {
	const width = 2 * math.Pi / directionScan
	best, off = start, math.Inf(1)
	lo, last := start-math.Pi, 0.0
	for i := range directionScan + 1 {
		hi := start - math.Pi + width*float64(i)
		c, _ := across(hi)
		if i > 0 && (c == 0 || (c < 0) != (last < 0)) {
			a, b := lo, hi
			for range 80 {
				m := a + (b-a)/2
				if !(m > a && m < b) {
					break
				}
				if v, _ := across(m); (v < 0) == (last < 0) && v != 0 {
					a = m
				} else {
					b = m
				}
			}
			if _, speed := across(b); speed >= 0 && math.Abs(b-start) < off {
				best, off = b, math.Abs(b-start)
			}
		}
		lo, last = hi, c
	}
	if math.IsInf(off, 1) {
		return start, 0
	}
	return best, off
}
