package events

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// drift moves the corners that slip on one face across their axes, up to a time, by what the
// parameter does there. At the parameter they do not move across: the force r along the side of the
// axis is zero. Beside it the direction of slip is off by −r/ρ, ρ = μσ, so that with the speed λ of
// slip
//
//	ẋ = −(λ/ρ(t)) (A x + b(t)),   x = dq/dp across,   A x + b(t) = dr/dp across
//
// where ρ and b are affine between events of linear loads. Of others, see windy, the derivatives
// are integrated along the curves of which this is one.
func drift(w *Integrator[Dual], t float64) {
	now := Dual{V: w.t.V}
	for k := range w.corners {
		s := &w.corners[k]
		if s.slip == 0 || len(s.support().faces) != 1 {
			continue
		}
		w.state(now)
		x := crosswind{h: t - now.V, speed: inner(s.ways[0].motion, vector(w.v, s.Dof)).V}
		var size float64
		x.b, x.rho, size = reading(w, s)
		if x.h <= 0 || x.speed <= 0 {
			continue
		}
		x.stiffness = resistance(w, s)
		w.state(Dual{V: t})
		var more float64
		x.bEnd, x.rhoEnd, more = reading(w, s)
		w.state(now)
		if size = max(size, more); max(math.Abs(x.b), math.Abs(x.bEnd)) > noDrift*size && x.stiffness > 0 {
			move(w, s, x.way())
		}
	}
}

// windSamples is the number of times of a piece with smooth loads at which a drift is looked for.
const windSamples = 16

// windy reports whether a corner drifts in a way that has no closed form, up to a time: under
// smooth loads, or so that others move too, or towards a face that it may meet.
func windy(w *Integrator[Dual], end float64) bool {
	if !slices.ContainsFunc(w.corners, func(s cornerMode[Dual]) bool {
		return s.slip != 0 &&
			len(s.support().faces) == 1 && s.hasFriction()
	}) {
		return false
	}
	now, c := w.t.V, w.c
	q, r, loads, size := slices.Clone(w.q), slices.Clone(w.r), slices.Clone(w.f), slices.Clone(w.size)
	defer func() {
		w.c = c
		copy(w.q, q)
		copy(w.r, r)
		copy(w.f, loads)
		copy(w.size, size)
	}()
	for k := range w.corners {
		s := &w.corners[k]
		if s.slip == 0 || len(s.support().faces) != 1 || !s.hasFriction() {
			continue
		}
		samples := 1
		if w.smooth {
			samples = windSamples
		}
		drifts := false
		for i := range samples + 1 {
			w.state(Dual{V: now + (end-now)*float64(i)/float64(samples)})
			b, _, size := reading(w, s)
			drifts = drifts || math.Abs(b) > noDrift*size
		}
		copy(w.q, q)
		w.state(Dual{V: now})
		if drifts && (w.smooth || s.oblique() || !(resistance(w, s) > 0)) {
			return true
		}
	}
	return false
}

// oblique reports whether a corner that drifts across its axis comes nearer to a face.
func (s *cornerMode[T]) oblique() bool {
	for f := range s.Faces {
		if !s.bears(f) && abs(inner(s.Faces[f].N, s.side).Float()) > noDrift {
			return true
		}
	}
	return false
}

// noDrift is the part of the derivatives of forces that is rounding of their differences.
const noDrift = 1e-10

// crosswind is what moves a corner across its axis.
type crosswind struct {
	h, speed    float64 // time, λ
	stiffness   float64 // A
	b, bEnd     float64 // at the ends
	rho, rhoEnd float64
}

// reading returns dr/dp across, ρ, and the size of the derivatives that the first is a sum of.
func reading(w *Integrator[Dual], s *cornerMode[Dual]) (b, rho, size float64) {
	for i := range 3 {
		size += math.Abs(w.r[s.Dof+i].D) + math.Abs(w.f[s.Dof+i].D)
	}
	r := vector(w.r, s.Dof)
	return inner(s.side, r).D, inner(s.support().bound, r).V, size
}

// move adds to the derivative of the place of a corner across its axis.
func move(w *Integrator[Dual], s *cornerMode[Dual], by float64) {
	for i := range 3 {
		w.q[s.Dof+i].D += by * s.side[i].V
	}
}

// resistance returns the change of the force across for a unit motion across, −1 if anything else
// changes.
func resistance(w *Integrator[Dual], s *cornerMode[Dual]) float64 {
	q, r := slices.Clone(w.q), slices.Clone(w.r)
	move(w, s, 1)
	w.state(Dual{V: w.t.V})
	side := vector(w.r, s.Dof)
	a := inner(s.side, less(side, vector(r, s.Dof))).D
	for i := range q {
		moved, force := w.q[i].D-q[i].D, w.r[i].D-r[i].D
		if k := i - s.Dof; k >= 0 && k < 3 {
			moved, force = moved-s.side[k].V, force-a*s.side[k].V
		}
		if math.Abs(moved) > noDrift || math.Abs(force) > noDrift*(a+math.Abs(r[i].D)) {
			a = -1
			break
		}
	}
	copy(w.q, q)
	w.state(Dual{V: w.t.V})
	return a
}

// way is x at the end, x = 0 at the start. With θ = ∫ ds/ρ from s to the end it is
// −λ∫ (b_0 + b_1 s(θ)) e^{−Aλθ} dθ.
func (x *crosswind) way() float64 {
	slope, fall := (x.bEnd-x.b)/x.h, (x.rhoEnd-x.rho)/x.h
	a := x.stiffness * x.speed
	switch {
	case x.rhoEnd <= 1e-14*x.rho: // nothing presses at the end, nor holds across
		return -x.bEnd / x.stiffness
	case x.rhoEnd < x.rho/2 || x.rhoEnd > 2*x.rho:
		theta := elementary.Log(x.rho/x.rhoEnd) / -fall
		return -x.speed * ((x.b-slope*x.rho/fall)*decay(a, theta) + slope*x.rhoEnd/fall*decay(a+fall, theta))
	}
	sum, rest := 0.0, func(s float64) float64 { // θ
		if u := fall * (x.h - s) / x.rhoEnd; math.Abs(u) > 1e-8 {
			return -math.Log1p(-u) / fall
		}
		return (x.h - s) / x.rhoEnd
	}
	pieces := math.Ceil(4 + a*x.h/min(x.rho, x.rhoEnd))
	for k := range int(min(pieces, 1e4)) {
		for _, g := range gauss {
			s := x.h * (float64(k) + 0.5 + 0.5*g.at) / pieces
			sum += g.weight / 2 * x.h / pieces * (x.b + slope*s) / (x.rho + fall*s) * elementary.Exp(-a*rest(s))
		}
	}
	return -x.speed * sum
}

// decay is ∫ e^{−cθ} dθ from 0 to θ.
func decay(c, theta float64) float64 {
	if c*theta == 0 {
		return theta
	}
	return -math.Expm1(-c*theta) / c
}
