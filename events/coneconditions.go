package events

import (
	"fmt"
	"math"
	"slices"
)

// conditions lists those of the present regimes.
func (w *ConeWalker) conditions() []condition {
	w.list = w.list[:0]
	for k, c := range w.form.Contacts {
		switch {
		case w.regime[k] == Open:
			w.list = append(w.list, condition{contact: k, kind: height, then: Stick})
		case c.T < 0:
			w.list = append(w.list, condition{contact: k, kind: pressure, then: Open})
		case w.regime[k] == Stick:
			w.list = append(w.list, condition{contact: k, kind: forward, then: SlipForward})
		default:
			w.list = append(w.list, condition{contact: k, kind: pressure, then: Open}, condition{contact: k, kind: onward, then: Stick})
		}
	}
	return slices.Clip(w.list)
}

// value returns the left side of a condition and its rate. That of λ has no rate here.
func (w *ConeWalker) value(x *instant, c condition) (value, rate Real) {
	p := w.form.Contacts[c.contact]
	switch c.kind {
	case height:
		return p.Gap + x.y[p.N], x.v[p.N]
	case pressure:
		return x.r[p.N], x.dr[p.N]
	case onward:
		return w.speed(x, c.contact), 0
	}
	held := pull(x.r, p)
	if float64(held) <= boundary*rounding*(x.size[p.T]+x.size[p.T+1]) {
		return x.r[p.N] - held, x.dr[p.N] - pull(x.dr, p) // at the tip of the cone
	}
	return x.r[p.N] - held, x.dr[p.N] - (x.r[p.T]*x.dr[p.T]+x.r[p.T+1]*x.dr[p.T+1])/held
}

// sizes are the numbers of which a condition's value and rate are rounded.
func (w *ConeWalker) sizes(x *instant, c condition) (value, rate float64) {
	p := w.form.Contacts[c.contact]
	frequency := w.form.Source.Frequency()
	switch c.kind {
	case height:
		value, rate = abs(float64(p.Gap))+abs(float64(x.y[p.N])), abs(float64(x.v[p.N]))
		if k := abs(float64(w.form.diagonal(p.N))); k > 0 {
			value, rate = value+x.size[p.N]/k, rate+x.dsize[p.N]/k
		}
	case onward:
		value = abs(float64(w.speed(x, c.contact)))
		if k := max(abs(float64(w.form.diagonal(p.T))), abs(float64(w.form.diagonal(p.T+1)))); k > 0 {
			value += (x.dsize[p.T] + x.dsize[p.T+1] + x.dsize[p.N] + frequency*(x.size[p.T]+x.size[p.T+1]+x.size[p.N])) / k
		}
		return value, 0
	case pressure:
		value, rate = x.size[p.N], x.dsize[p.N]
	default:
		value, rate = x.size[p.T]+x.size[p.T+1]+x.size[p.N], x.dsize[p.T]+x.dsize[p.T+1]+x.dsize[p.N]
	}
	return value, rate + frequency*value
}

// point evaluates a condition of an instant.
func (w *ConeWalker) point(x *instant, c condition) point {
	v, r := w.value(x, c)
	s, _ := w.sizes(x, c)
	return point{float64(x.t - w.t), float64(v), float64(r), s} // time from the present one
}

// samplesInSpace is the least number of steps in the shortest period of the loads.
const samplesInSpace = 32

// tipStep is the first step, as part of the longest, behind a time at which a contact begins to slip at the tip of
// its cone. There r_u/|r_u| is a quotient of two numbers that grow from zero: steps double from there on,
// until they are those of before.
const tipStep = 1e-5

// blindStep is the step, as part of the longest, along which a direction may turn at will: near to the tip of a cone
// what turns it is the rounding of a force that vanishes, and nothing moves far in so short a time.
const blindStep = 1e-8

// piece makes one step of the integration, not beyond end, or to the first event in it. It
// returns the condition that would fail there, nil for none.
func (w *ConeWalker) piece(end Real) (*condition, error) {
	list := slices.Clone(w.conditions())
	longest := end - w.t
	if f := w.form.Source.Frequency(); f > 0 {
		longest = min(longest, Real(2*math.Pi/(samplesInSpace*f)))
	}
	h := longest
	if w.h > 0 {
		h = min(h, w.h)
	}
	if w.tipped >= 0 {
		h = min(h, max(w.t-w.tipped, tipStep*longest))
	}
	w.begun = false
	for {
		off := w.advance(&w.next, h)
		turned := w.turned(&w.next)
		grow := min(0.9*math.Pow(max(off, 1e-10), -1./(2*levels-1)), 0.9*w.Turn/max(turned, 1e-10))
		if off <= 1 && (turned <= w.Turn || h <= blindStep*longest) {
			if w.h = max(h*Real(min(grow, 4)), blindStep*longest); w.h >= longest {
				w.tipped = -1
			}
			break
		}
		h *= Real(max(min(grow, 0.8), 0.1))
		if !(float64(h) > shortest*max(math.Abs(float64(w.t)), float64(longest))) {
			return nil, fmt.Errorf("events: at t=%.15g steps of the integration are shorter than rounding, their error %.3g of what is allowed", float64(w.t), off)
		}
	}
	hit, at := w.firstRoot(list, h)
	if hit >= 0 {
		w.advance(&w.next, at)
		w.h = 0
	}
	reached := w.next.t
	if hit < 0 && h == end-w.t {
		reached = end
	}
	if w.idle++; float64(reached-w.t) > 10*shortest*math.Abs(float64(reached)) || hit < 0 {
		w.idle = 0
	}
	if w.idle > idleLimit*(1+len(w.regime)) {
		return nil, &RateError{Time: float64(w.t), Contact: w.firstAtBound(), Undecided: len(w.atBound())}
	}
	w.t = reached
	w.now, w.next = w.next, w.now
	w.now.t = reached
	copy(w.y, w.now.y)
	w.meet()
	if hit < 0 {
		return nil, nil
	}
	return &list[hit], nil
}

// turned is the largest angle by which a direction turned in a step [rad].
func (w *ConeWalker) turned(x *instant) float64 {
	worst := 0.0
	for k, r := range w.regime {
		if r == SlipForward {
			a, b := w.now.along[k], x.along[k]
			worst = max(worst, math.Abs(math.Atan2(float64(a[0]*b[1]-a[1]*b[0]), float64(a[0]*b[0]+a[1]*b[1]))))
		}
	}
	return worst
}

// meet takes the present state and rates into account.
func (w *ConeWalker) meet() {
	for i := range w.reach {
		w.reach[i] = max(w.reach[i], abs(float64(w.y[i])))
	}
	sum, v := 0.0, [3]float64{}
	for i, d := range w.dofs {
		if i == 0 || d.Particle != w.dofs[i-1].Particle {
			sum, v = sum+v[0]*v[0]+v[1]*v[1]+v[2]*v[2], [3]float64{}
		}
		for c := range 3 {
			v[c] += d.Direction[c] * float64(w.now.v[i])
		}
	}
	w.Speed = max(w.Speed, math.Sqrt(sum+v[0]*v[0]+v[1]*v[1]+v[2]*v[2]))
}

// firstRoot returns which condition fails first in a step of length h, which leads to w.next, −1 for none,
// and when, from the present time on.
func (w *ConeWalker) firstRoot(list []condition, h Real) (hit int, at Real) {
	now, ends := make([]point, len(list)), make([]point, len(list))
	for i, c := range list {
		now[i], ends[i] = w.point(&w.now, c), w.point(&w.next, c)
	}
	hit, first := firstFailure(list, now, ends, float64(w.t), float64(h), w.one)
	return hit, Real(first)
}

// firstFailure returns which condition fails first in a step of length h from the time origin on, −1 for none, and when in it. one evaluates a
// condition in the step.
func firstFailure(list []condition, now, ends []point, origin, h float64, one func(c condition, h float64) point) (hit int, at float64) {
	hit, at = -1, h
	for i, c := range list {
		lo, hi := now[i], ends[i]
		if lo.value <= 10*boundary*rounding*lo.size {
			lo.value = 0
		}
		if !below(hi) {
			if c.kind != onward {
				hi = deepest(lo, hi, func(h float64) point { return one(c, h) })
			}
			if !below(hi) {
				continue
			}
		}
		if hit >= 0 && !below(one(c, at)) {
			continue
		}
		if lo.value == 0 && lo.rate > 0 {
			lo = rise(lo, hi, func(h float64) point { return one(c, h) })
		}
		if root := bisect(lo, hi, origin, func(h float64) point { return one(c, h) }); root < at || hit < 0 {
			hit, at = i, min(root, at)
		}
	}
	return hit, at
}

// rises is the number of halves of a step in which the rise of a condition that leaves its bound is looked for.
const rises = 40

// rise returns a point at which a condition that is at its bound, with a rate that leaves it, is fulfilled, before the first of
// those tried at which it fails; lo if there is none. Near to the tip of a cone it may rise by 1e-9 before it
// falls.
func rise(lo, hi point, one func(h float64) point) point {
	best := lo
	for k := rises; k > 0; k-- {
		p := one(math.Ldexp(hi.t, -k))
		if p.value < 0 && best.value > 0 {
			break
		}
		if p.value > 0 {
			best = p
		}
	}
	return best
}

// one evaluates a condition a time after the present one.
func (w *ConeWalker) one(c condition, h float64) point {
	w.advance(&w.probe, Real(h))
	return w.point(&w.probe, c)
}

// atBound lists the contacts of which a condition is at its bound.
func (w *ConeWalker) atBound() []int {
	var list []int
	for _, c := range w.conditions() {
		value, _ := w.value(&w.now, c)
		size, _ := w.sizes(&w.now, c)
		if (w.regime[c.contact] == SlipForward || certain(value, boundary*size) <= 0) && (len(list) == 0 || list[len(list)-1] != c.contact) {
			list = append(list, c.contact)
		}
	}
	return list
}

// firstAtBound is the first of them, −1 for none.
func (w *ConeWalker) firstAtBound() int {
	if list := w.atBound(); len(list) > 0 {
		return list[0]
	}
	return -1
}
