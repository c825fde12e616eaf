package events

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// samplesInSpace is the least number of steps in the shortest period of the loads.
const samplesInSpace = 32

// tipStep is the first step, as part of the longest, behind a time at which a contact begins to
// slip at the tip of its cone. There r_u/|r_u| is a quotient of two numbers that grow from zero:
// steps double from there on, until they are those of before.
const tipStep = 1e-5

// blindStep is the step, as part of the longest, along which a direction may turn at will: near to
// the tip of a cone what turns it is the rounding of a force that vanishes, and nothing moves far
// in so short a time.
const blindStep = 1e-8

// driftError is how far a step may leave |d| = μσ before it is put back, relative to the
// loads: far above the errors of a step, far below a step that missed a turn.
const driftError = 1e-8

// stepError is what a step may be off by, relative to the loads.
const stepError = 1e-12

// shortest is the part of the time at which a step is too short to be one.
const shortest = 1e-14

// tipForce is the part of what is added up to a force below which it has no direction of its own:
// near to the tip of the cone directions swing within 1e-9 of the time, in which nothing moves.
const tipForce = 1e-9

// defaultTurn is that of integrator whose Turn is 0.
const defaultTurn = 0.05

// curved reports whether a corner has friction on one face while forces turn. Where one turns all
// do: its neighbours feel it.
func (w *Integrator[T]) curved(s *cornerMode[T]) bool {
	return w.turning && len(s.support().faces) == 1 && s.hasFriction()
}

// bend finds out whether forces turn. In numbers that do not round no walk goes on from there, see
// steady.
func (w *Integrator[T]) bend() {
	w.turning = w.bends()
	w.Curved = w.Curved || w.turning
}

// bends reports whether a force turns, in numbers that round.
func (w *Integrator[T]) bends() bool {
	for k := range w.corners {
		if !w.t.Exact() && w.turns(&w.corners[k]) {
			return true
		}
	}
	return false
}

// anyTurning reports whether a corner slips while its force turns: the state is no linear solve
// then.
func (w *Integrator[T]) anyTurning() bool {
	for k := range w.corners {
		if s := &w.corners[k]; s.slip != 0 && w.curved(s) {
			return true
		}
	}
	return false
}

// cone returns what friction holds of a corner on one face beyond the force along it, μσ − |d|, and
// the rate of that.
func (w *Integrator[T]) cone(s *cornerMode[T]) (value, rate T) {
	x := s.support()
	r, dr := vector(w.r, s.Dof), vector(w.dr, s.Dof)
	d, dd := s.rest(x, r), s.rest(x, dr)
	held, holds := inner(x.bound, r), inner(x.bound, dr)
	l, _ := inner(d, d).Root()
	if l.Float() <= boundary*rounding*w.forceSize(s) {
		l, _ := inner(dd, dd).Root()
		return held.Sub(l.Of(0)), holds.Sub(l) // at the tip of the cone
	}
	return held.Sub(l), holds.Sub(inner(d, dd).Quo(l))
}

// coneEnd is the time from now on after which friction holds a corner no more that does not move:
// with loads that are linear, β = μσ and d are, and β² − |d|² = C + 2Bt + At² where β − |d| is
// concave. False: it holds for ever.
func (w *Integrator[T]) coneEnd(s *cornerMode[T]) (after T, ends bool) {
	x := s.support()
	r, dr := vector(w.r, s.Dof), vector(w.dr, s.Dof)
	d, dd := s.rest(x, r), s.rest(x, dr)
	held, holds := inner(x.bound, r), inner(x.bound, dr)
	_, size := w.cornerSizes(s, condition{contact: s.unit, kind: cone})
	if loadedAlong, _ := inner(dd, dd).Root(); certain(holds.Sub(loadedAlong), size) >= 0 {
		return after, false
	}
	a := holds.Mul(holds).Sub(inner(dd, dd))
	b := held.Mul(holds).Sub(inner(d, dd))
	c := held.Mul(held).Sub(inner(d, d))
	if c.Sign() < 0 {
		c = c.Sub(c.Of(c.Float())) // rounding; a derivative stays
	}
	root := c.Of(0)
	if square := b.Mul(b).Sub(a.Mul(c)); square.Sign() > 0 {
		root, _ = square.Root()
	}
	if b.Sign() > 0 {
		return b.Add(root).Quo(a.Of(0).Sub(a)), a.Sign() < 0
	}
	if down := root.Sub(b); down.Sign() > 0 {
		return c.Quo(down), true
	}
	return after, true
}

// aim turns the axes of the corners that wind: they slip against their forces. Along a step
// directions are continuous: beyond the time at which all force is gone, where the corner leaves
// its face, the continuation has |d| = −μσ. Where there is no force the direction of before stays.
func (w *Integrator[T]) aim() {
	for k := range w.corners {
		s := &w.corners[k]
		if s.slip == 0 || !w.curved(s) {
			continue
		}
		d, size := s.rest(s.support(), vector(w.r, s.Dof)), 0.0
		for i := range 3 {
			size = max(size, w.size[s.Dof+i]+timeRounding*abs(w.t.Float())*w.dsize[s.Dof+i])
		}
		l, _ := inner(d, d).Root()
		if !(l.Float() > tipForce*size) {
			continue
		}
		axis := over(d, l)
		if inner(axis, s.axis).Sign() < 0 {
			axis = less([3]T{}, axis)
		}
		s.axis = axis
	}
}

// newCurve makes the memory of the integration.
func (w *Integrator[T]) newCurve() *curve[T] {
	n := w.form.N
	size := n + 2
	if _, ok := any(w).(*Integrator[Dual]); ok {
		size *= 2
	}
	c := &curve[T]{y: make([]Real, size), next: make([]Real, size), off: make([]Real, size), q: make([]T, n), r: make([]T, n),
		axes: make([][3]T, len(w.corners)), reach: make([]float64, n), tipTime: -1}
	c.ode = newExtrapolation(size, w.flow)
	return c
}

// pack stores x from place i on, derivatives behind all values.
func pack[T Number[T]](y []Real, i int, x ...T) {
	switch x := any(x).(type) {
	case []Real:
		copy(y[i:], x)
	case []Dual:
		for k, v := range x {
			y[i+k], y[len(y)/2+i+k] = Real(v.V), Real(v.D)
		}
	}
}

// unpack is the inverse of pack.
func unpack[T Number[T]](x []T, y []Real, i int) {
	switch x := any(x).(type) {
	case []Real:
		copy(x, y[i:])
	case []Dual:
		for k := range x {
			x[k] = Dual{float64(y[i+k]), float64(y[len(y)/2+i+k])}
		}
	}
}

// flow is the right side of the differential equation.
func (w *Integrator[T]) flow(dy []Real, t Real, y []Real) {
	unpack(w.q, y, 0)
	w.lost = -1
	w.drive(w.t.Of(float64(t)))
	pack(dy, 0, w.v...)
	friction, loads := w.powers()
	pack(dy, w.form.N, friction, loads)
}

// powers are those of friction and, but for that of c, of the loads.
func (w *Integrator[T]) powers() (friction, loads T) {
	for i, df := range w.df {
		loads = loads.Sub(df.Mul(w.q[i]))
	}
	return w.power(), loads
}

// drive computes forces, axes and rates at a time and the present places.
func (w *Integrator[T]) drive(t T) {
	w.c = w.form.Source.Load(w.f, t)
	w.load = max(w.load, w.weight(w.f))
	w.react()
	w.aim()
	w.assemble()
	w.rates(w.left(t))
}

// left is a time at which rates are those of the piece up to its end.
func (w *Integrator[T]) left(t T) T {
	if t.Float() >= w.end && w.end > w.t.Float() {
		return t.Of(math.Nextafter(w.end, math.Inf(-1))) // loads may have a kink there
	}
	return t
}

// keep remembers the present state as the start of a step.
func (c *curve[T]) keep(w *Integrator[T]) {
	c.t = w.t
	copy(c.q, w.q)
	for k := range w.corners {
		c.axes[k] = w.corners[k].axis
	}
	pack(c.y, 0, w.q...)
	pack(c.y, w.form.N, w.dissipation, w.work)
	// of a Dual: to a time that does not move
	if move := w.t.Sub(w.t.Of(w.t.Float())); any(move) != any(move.Of(0)) {
		friction, loads := w.powers()
		for i, v := range w.v {
			pack(c.y, i, w.q[i].Sub(v.Mul(move)))
		}
		pack(c.y, w.form.N, w.dissipation.Sub(friction.Mul(move)), w.work.Sub(loads.Mul(move)))
	}
	c.h, c.begun = 0, false
}

// restore goes back to it.
func (c *curve[T]) restore(w *Integrator[T]) {
	copy(w.q, c.q)
	for k := range w.corners {
		w.corners[k].axis = c.axes[k]
	}
	w.lost = -1
	w.c = w.form.Source.Load(w.f, c.t)
	w.react()
	w.assemble()
	w.rates(c.t)
}

// follow computes the state at a time of the piece by one step from where it was kept, and returns
// the error of the step over what is allowed.
func (w *Integrator[T]) follow(t T) float64 {
	c, n := w.curve, w.form.N
	for k := range w.corners {
		w.corners[k].axis = c.axes[k]
	}
	if h := t.Float() - c.t.Float(); h != c.h {
		if c.eulerStep {
			w.euler(Real(h))
		} else {
			c.ode.step(c.next, c.off, Real(c.t.Float()), Real(h), c.y, !c.begun)
		}
		c.h, c.begun = h, true
	}
	unpack(w.q, c.next, 0)
	w.lost = -1
	w.drive(t.Of(t.Float()))
	move := t.Sub(t.Of(t.Float()))
	friction, loads := w.powers()
	for i, v := range w.v {
		w.q[i] = w.q[i].Add(v.Mul(move))
	}
	var sums [2]T
	unpack(sums[:], c.next, n)
	c.lasts.dissipation, c.lasts.work = sums[0].Add(friction.Mul(move)), sums[1].Add(loads.Mul(move))
	w.form.Source.Load(w.f, t)
	w.react()
	w.aim()
	w.assemble()
	left := 0.0
	for k := range w.corners {
		if s := &w.corners[k]; s.slip != 0 && w.curved(s) {
			left = max(left, abs(inner(s.ways[0].test, vector(w.r, s.Dof)).Float())/max(w.load, w.forceSize(s)))
		}
	}
	w.state(t) // from here on: one Newton step onto |d| = μσ, and the equilibrium of all others
	w.aim()
	w.assemble()
	w.rates(w.left(t))
	return max(w.excess(), left/driftError)
}

// euler makes a step of Euler's rule, whose error it takes from the rates at its end. At the tip of
// a cone, where ρ = μσ grows from nothing, directions tend to those of their forces at the rate
// λA/ρ, which has no bound: substeps of an explicit rule amplify rounding however short a step is.
// The solution begins along a straight line, and what is off it afterwards is lost as fast.
func (w *Integrator[T]) euler(h Real) {
	c := w.curve
	f0, f1 := c.ode.f0, c.ode.f
	if !c.begun {
		w.flow(f0, Real(c.t.Float()), c.y)
	}
	for i, y := range c.y {
		c.next[i] = y + h*f0[i]
	}
	w.flow(f1, Real(c.t.Float())+h, c.next)
	for i := range c.off {
		c.off[i] = Real(abs(float64(h*(f1[i]-f0[i])))) / 2
	}
}

// excess is the error of the step just made over what is allowed: forces H_ii δq_i beside the
// loads, or ways beside those met; energies beside those that were exchanged.
func (w *Integrator[T]) excess() float64 {
	c, n := w.curve, w.form.N
	timeSize := 4 * 0x1p-52 * abs(w.t.Float()) // what the times of the loads are rounded by
	worst, energy, power := 0.0, 0.0, 0.0
	for i, q := range c.reach {
		energy, power = energy+q*w.size[i], power+q*w.dsize[i]
	}
	for i := n; i < n+2; i++ {
		if off := float64(c.off[i]); off > 0 {
			worst = max(worst, off/(stepError*(energy+abs(float64(c.next[i])))+timeSize*power))
		}
	}
	for i := range n {
		k := abs(w.form.diagonal(i).Float())
		allowed := stepError*(max(w.load, w.size[i])+k*max(c.reach[i], abs(float64(c.next[i])))) + timeSize*w.dsize[i]
		if off := float64(c.off[i]) * k; off > 0 && !(off <= worst*allowed) {
			worst = off / allowed
		}
	}
	return max(worst, w.excessOfDerivatives())
}

// derivativeError is what a step may be off by in derivatives, relative to those of the forces.
const derivativeError = 1e-11

// excessOfDerivatives is that of the derivatives of a [Dual].
func (w *Integrator[T]) excessOfDerivatives() (worst float64) {
	d, ok := any(w).(*Integrator[Dual])
	if !ok {
		return 0
	}
	size := d.curve.bend
	for i, f := range d.f {
		size = max(size, abs(f.D)+abs(d.form.diagonal(i).V*d.q[i].D))
	}
	d.curve.bend = size
	behind := len(d.curve.off) / 2
	for i := range d.q {
		if off := float64(d.curve.off[behind+i]) * abs(d.form.diagonal(i).V); off > 0 {
			worst = max(worst, off/(derivativeError*size))
		}
	}
	return worst
}

// turnedBy is the largest angle by which a direction turned in a step [rad].
func (w *Integrator[T]) turnedBy() float64 {
	worst := 0.0
	for k := range w.corners {
		if s := &w.corners[k]; s.slip != 0 && w.curved(s) {
			a, b := w.curve.axes[k], s.axis
			across := cross(a, b)
			worst = max(worst, math.Atan2(math.Sqrt(inner(across, across).Float()), inner(a, b).Float()))
		}
	}
	return worst
}

// blurs is how much longer the first step from the tip of a cone is than forces have no direction.
const blurs = 4

// nextCurve is next where the force of a corner that slips turns. It goes one step of the
// integration, or to the first event in it, and leaves the integrator where it is.
func (w *Integrator[T]) nextCurve(end T) (T, []condition, error) {
	if w.curve == nil {
		w.curve = w.newCurve()
	}
	c, list := w.curve, slices.Clone(w.conditions())
	c.keep(w)
	defer c.restore(w)
	origin := w.t.Float()
	w.end = end.Float()
	now := make([]point, len(list))
	for i, x := range list {
		now[i] = w.reading(x, 0)
	}
	to, err := w.stride()
	if err != nil {
		return end, nil, err
	}
	h := to - origin
	ends := make([]point, len(list))
	for i, x := range list {
		ends[i] = w.reading(x, h)
	}
	hit, at := firstFailure(list, now, ends, origin, h, w.smooth, func(x condition, h float64) point {
		w.follow(end.Of(origin + h))
		return w.reading(x, h)
	})
	switch {
	case hit >= 0:
		c.step = 0
		return w.sharpenCurve(list[hit], at, end), list[hit : hit+1], nil
	case to >= w.end:
		return end, nil, nil
	}
	return end.Of(to), nil, nil
}

// reading is a condition at the present state, a time h from the start of the step.
func (w *Integrator[T]) reading(c condition, h float64) point {
	v, r := w.value(c)
	s, _ := w.sizes(c)
	return point{h, v.Float(), r.Float(), s}
}

// stride makes a step of the integration that is as accurate as is asked for, and returns where it
// ends.
func (w *Integrator[T]) stride() (to float64, err error) {
	c, origin := w.curve, w.t.Float()
	rest := w.end - origin
	longest, turn := rest, w.Turn
	if turn == 0 {
		turn = defaultTurn
	}
	if w.smooth {
		longest = min(longest, 2*math.Pi/(samplesInSpace*w.form.Source.Frequency()))
	}
	h := longest
	if c.step > 0 {
		h = min(h, c.step)
	}
	c.eulerStep = false
	if c.tipTime >= 0 {
		h = min(h, max(origin-c.tipTime, tipStep*longest))
	}
	// not below what times are rounded by
	blind := max(blindStep*longest, 10*shortest*math.Abs(origin))
	least := blind // of a step of Euler
	if origin == c.tipTime {
		least = min(max(blind, blurs*c.blur), rest)
	}
	for {
		if to = origin + h; h == rest {
			to = w.end
		}
		off, turned := w.follow(w.t.Of(to)), w.turnedBy()
		grow := min(0.9*elementary.Pow(max(off, 1e-10), -1./(2*levels-1)), 0.9*turn/max(turned, 1e-10))
		if off <= 1 && (turned <= turn || h <= blind) || c.eulerStep && h <= least {
			if c.step = max(h*min(grow, 4), blind); c.step >= longest {
				c.tipTime = -1
			}
			return to, nil
		}
		h *= max(min(grow, 0.8), 0.1)
		if origin == c.tipTime {
			h = max(h, least)
			c.eulerStep, c.h = true, 0
		}
		if !(h > shortest*max(math.Abs(origin), longest)) {
			return 0, fmt.Errorf("events: at t=%.15g steps of the integration are shorter than rounding, their error %.3g of what is allowed",
				origin, off)
		}
	}
}

// sharpenCurve gives a [Dual] the derivative of a root, h after the start of the step. The velocity
// has no rate of its own: a difference gives it, and the state does not depend on it to first
// order.
func (w *Integrator[T]) sharpenCurve(c condition, h float64, end T) T {
	root := end.Of(w.t.Float() + h)
	if _, ok := any(root).(Dual); !ok {
		return root
	}
	w.follow(root)
	value, rate := w.value(c)
	if c.kind == slipRate {
		const part = 1e-4
		w.follow(end.Of(w.t.Float() + h*(1-part)))
		before, _ := w.value(c)
		rate = rate.Of((value.Float() - before.Float()) / (part * h))
	}
	if rate.Sign() == 0 {
		return root
	}
	return root.Sub(value.Sub(value.Of(value.Float())).Quo(rate))
}

// advanceCurve is advance where the force of a corner that slips turns, in the step that nextCurve
// made.
func (w *Integrator[T]) advanceCurve(t T) {
	c, before := w.curve, w.c
	w.follow(t)
	w.dissipation, w.work = c.lasts.dissipation, c.lasts.work.Add(w.c.Sub(before))
	for k := range w.corners {
		w.settleOnFaces(&w.corners[k])
	}
	w.t = t
	for i, q := range w.q {
		c.reach[i] = max(c.reach[i], abs(q.Float()))
	}
	w.meetSpeed()
}
