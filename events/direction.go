package events

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
)

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
// an angle; several take turns, until they can be found together.
func (w *Integrator[T]) directions() {
	var list []*cornerMode[T]
	for k := range w.corners {
		if s := &w.corners[k]; !w.t.Exact() && w.atTip(s) && w.turns(s) {
			list = append(list, s)
		}
	}
	moved := math.Pi
	for range directionRounds {
		near := moved
		moved = 0
		for _, s := range list {
			moved = max(moved, w.direct(s, near))
		}
		if len(list) < 2 || moved <= rounding || w.together(list) {
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

// turn turns the axis of a corner about its one face.
func (s *cornerMode[T]) turn(angle T) {
	n := s.Faces[s.support().faces[0]].N
	sin, cos := math.Sincos(angle.Float())
	s.axis = sum3(scaled(s.axis, angle.Of(cos)), scaled(cross(n, s.axis), angle.Of(sin)))
	s.axis = sum3(s.axis, scaled(cross(n, s.axis), angle.Sub(angle.Of(angle.Float())))) // its derivative
	s.side = cross(n, s.axis)
}

// across stores, for each of some corners, what the force of a moment later has across its axis, and reports
// whether all go on along theirs.
func (w *Integrator[T]) across(off []T, list ...*cornerMode[T]) ([]T, bool) {
	w.lost = -1
	w.assemble()
	w.rates(w.t)
	on := true
	off = off[:0]
	for _, s := range list {
		off = append(off, inner(s.side, vector(w.dr, s.Dof)))
		on = on && inner(s.ways[0].motion, vector(w.v, s.Dof)).Sign() >= 0
	}
	return off, on
}

// direct turns the axis of a corner to the nearest in which it goes on, and returns by how much; where
// corners take turns, it is most often no more than near, what they last turned by [rad].
func (w *Integrator[T]) direct(s *cornerMode[T], near float64) float64 {
	axis, buffer := s.axis, []T(nil)
	across := func(angle float64) (T, bool) {
		s.axis = axis
		s.turn(axis[0].Of(angle))
		off, on := w.across(buffer, s)
		buffer = off
		return off[0], on
	}
	at := func(angle float64) float64 { v, _ := across(angle); return v.Float() }
	best, off := nearestRoot(near, func(angle float64) (float64, bool) {
		value, on := across(angle)
		return value.Float(), on
	})
	const d = 1e-4 // [rad]: differences of fourth order leave 1e-16
	value, _ := across(best)
	slope := (8*(at(best+d)-at(best-d)) - at(best+2*d) + at(best-2*d)) / (12 * d)
	across(best)
	if _, dual := any(value).(Dual); dual && slope != 0 {
		s.turn(value.Quo(value.Of(-slope)))
		w.assemble()
		w.rates(w.t)
	}
	return off
}

// together turns the axes of several corners by Newton's method, as long as turns are less than half of
// those before, and reports whether all go on along those that it ends with; else they are as before.
func (w *Integrator[T]) together(list []*cornerMode[T]) bool {
	before := make([][3]T, len(list))
	for i, s := range list {
		before[i] = s.axis
	}
	last, ok := math.Inf(1), true
	for ok && last*last > rounding {
		moved := w.newtonTurn(list)
		last, ok = moved, moved < last/2
	}
	if ok {
		w.newtonTurn(list) // derivatives of the axes, too, are then known to rounding
		_, ok = w.across(nil, list...)
	}
	if ok {
		return true
	}
	for i, s := range list {
		s.axis = before[i]
		s.turn(before[i][0].Of(0))
	}
	w.across(nil, list...)
	return false
}

// newtonTurn turns axes by a step of Newton's method, and returns the largest turn; +Inf: derivatives, by
// differences, are singular.
func (w *Integrator[T]) newtonTurn(list []*cornerMode[T]) (most float64) {
	const d = 1e-5 // [rad]: differences of second order leave 1e-10
	var lu num.LU
	n := len(list)
	a, x := lu.Resize(n)
	for j, s := range list {
		axis := s.axis
		s.turn(axis[0].Of(d))
		ahead, _ := w.across(nil, list...)
		s.axis = axis
		s.turn(axis[0].Of(-d))
		back, _ := w.across(nil, list...)
		s.axis = axis
		s.turn(axis[0].Of(0))
		for i := range n {
			a[i*n+j] = (ahead[i].Float() - back[i].Float()) / (2 * d)
		}
	}
	if !lu.Factor() {
		return math.Inf(1)
	}
	off, _ := w.across(nil, list...)
	rates := make([]float64, n) // of the turns by the parameter
	for i := range off {
		x[i] = off[i].Float()
		if dual, ok := any(off[i]).(Dual); ok {
			rates[i] = dual.D
		}
	}
	lu.Solve(x)
	lu.Solve(rates)
	for i, s := range list {
		angle := off[i].Of(-x[i])
		if _, ok := any(angle).(Dual); ok {
			angle = any(Dual{V: -x[i], D: -rates[i]}).(T)
		}
		s.turn(angle)
		most = max(most, math.Abs(x[i]))
	}
	return most
}

// nearestRoot returns the root of a function of an angle nearest to 0 where all goes on, and how far it is; 0 if there is none.
// It looks within near first, and then all round.
func nearestRoot(near float64, across func(angle float64) (cross float64, on bool)) (best, off float64) {
	const width = 2 * math.Pi / directionScan
	off = math.Inf(1)
	look := func(lo, last, hi, c float64) {
		if c != 0 && (c < 0) == (last < 0) {
			return
		}
		root := rootBetween(lo, hi, last, c, across)
		if _, on := across(root); on && math.Abs(root) < off {
			best, off = root, math.Abs(root)
		}
	}
	if near < width {
		last, _ := across(-near)
		c, _ := across(near)
		if look(-near, last, near, c); !math.IsInf(off, 1) {
			return best, off
		}
	}
	last, _ := across(-math.Pi)
	for i := 1; i <= directionScan; i++ {
		hi := width*float64(i) - math.Pi
		c, _ := across(hi)
		look(hi-width, last, hi, c)
		last = c
	}
	if math.IsInf(off, 1) {
		return 0, 0
	}
	return best, off
}

// rootBetween finds the root between two angles by regula falsi (Illinois), to the rounding of one.
func rootBetween(a, b, fa, fb float64, across func(angle float64) (cross float64, on bool)) float64 {
	for side := 0; b-a > 0x1p-50 && fb != 0; { // two units of the last place of π
		m := a - fa/(fb-fa)*(b-a)
		if !(m > a && m < b) {
			m = a + (b-a)/2
		}
		fm, _ := across(m)
		if fm != 0 && (fm < 0) == (fa < 0) {
			if a, fa = m, fm; side < 0 {
				fb /= 2
			}
			side = -1
		} else {
			if b, fb = m, fm; side > 0 {
				fa /= 2
			}
			side = 1
		}
	}
	return b
}
