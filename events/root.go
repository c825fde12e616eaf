package events

import "math"

// glance is the part of a sample after which a condition at its bound shows its sign: the
// square of ω·δ = 1e-4 is far above rounding.
const glance = 1e-3

// evaluate evaluates all conditions at a time of the present piece.
func (w *Integrator[T]) evaluate(dst []point, list []condition, t float64) []point {
	w.at(w.q[0].Of(t))
	for _, c := range list {
		v, r := w.value(c)
		s, _ := w.sizes(c)
		dst = append(dst, point{t, v.Float(), r.Float(), s})
	}
	return dst
}

// nextRoot is next where loads are smooth.
func (w *Integrator[T]) nextRoot(end T) (T, []condition, error) {
	list := append([]condition(nil), w.conditions()...)
	t0, t1 := w.t.Float(), end.Float()
	w.end = t1
	copy(w.qPrev, w.q)
	defer func() { w.at(w.t) }()
	h := w.sample()
	a := w.evaluate(nil, list, t0)
	straight := !w.turning
	for i := range a {
		if a[i].value <= 10*boundary*rounding*a[i].size {
			a[i].value = 0
		}
	}
	b := w.evaluate(nil, list, min(t0+glance*h, t1))
	for i, c := range list {
		if a[i].value == 0 && b[i].value < -boundary*rounding*b[i].size {
			return w.t, []condition{c}, nil
		}
	}
	if best, at := w.firstRoot(list, a, b); at >= 0 {
		return w.sharpen(list[at], best, end), []condition{list[at]}, nil
	}
	a = b
	n := math.Ceil((t1 - t0) / h)
	for k := 1.0; k <= n; k++ {
		t := t0 + (t1-t0)*k/n
		b = w.evaluate(nil, list, t)
		if straight && w.bends() {
			w.at(w.t)
			copy(w.q, w.qPrev) // to the bit: where nothing presses rounding would have a direction
			w.react()
			w.turning, w.Curved = true, true
			return w.next(end)
		}
		if best, at := w.firstRoot(list, a, b); at >= 0 {
			return w.sharpen(list[at], best, end), []condition{list[at]}, nil
		}
		a = b
	}
	return end, nil, w.hold()
}

// firstRoot returns the first root between two samples and whose it is, −1 for none.
func (w *Integrator[T]) firstRoot(list []condition, a, b []point) (t float64, at int) {
	t, at = math.Inf(1), -1
	for i, c := range list {
		hi := b[i]
		if !below(hi) {
			if hi = w.dip(c, a[i], hi); !below(hi) {
				continue
			}
		}
		if at >= 0 && hi.t > t && !below(w.one(c, t)) {
			continue
		}
		if root := w.bisect(c, a[i], hi); root < t {
			t, at = root, i
		}
	}
	return t, at
}

func below(p point) bool { return p.value < -boundary*rounding*p.size }

// one evaluates a condition at a time.
func (w *Integrator[T]) one(c condition, t float64) point {
	return w.evaluate(nil, []condition{c}, t)[0]
}

// dip returns a point at which a condition fails between two at which it does not but its rate
// changes from falling to rising; else the second.
func (w *Integrator[T]) dip(c condition, a, b point) point {
	if c.kind == slipRate {
		return b
	}
	return deepest(a, b, func(t float64) point { return w.one(c, t) })
}

// deepest follows the rate of a condition to its least value between two points, and returns the
// first point met that is below zero; else b.
func deepest(a, b point, one func(t float64) point) point {
	if !(a.rate < 0 && b.rate > 0) {
		return b
	}
	if far(a, b) {
		return b
	}
	lo, hi := a, b
	for range 60 {
		m := lo.t + (hi.t-lo.t)/2
		if !(m > lo.t && m < hi.t) {
			break
		}
		p := one(m)
		if below(p) {
			return p
		}
		if p.rate < 0 {
			lo = p
		} else {
			hi = p
		}
		if far(lo, hi) {
			break
		}
	}
	return b
}

// far reports whether the cubic between two points with a minimum between stays above zero: it is
// at least the smaller end minus a quarter of its slopes' reach.
func far(a, b point) bool {
	return min(a.value, b.value) > (b.t-a.t)*max(-a.rate, b.rate)
}

// bisect finds the root of a condition between a value that is not below zero and one that is.
func (w *Integrator[T]) bisect(c condition, a, b point) float64 {
	return bisect(a, b, 0, func(t float64) point { return w.one(c, t) })
}

// bisect finds a root by secants kept within halves of the bracket, to the last digits of the
// time origin + t.
func bisect(a, b point, origin float64, one func(t float64) point) float64 {
	lo, hi := a, b
	for k := range 200 {
		if hi.t-lo.t <= 2e-16*math.Abs(origin+hi.t) {
			break
		}
		m := lo.t + (hi.t-lo.t)/2
		if k%3 != 2 && lo.value > 0 {
			if s := lo.t + (hi.t-lo.t)*lo.value/(lo.value-hi.value); s > lo.t && s < hi.t {
				m = s
			}
		}
		if !(m > lo.t && m < hi.t) {
			break
		}
		if p := one(m); p.value < 0 {
			hi = p
		} else {
			lo = p
		}
	}
	return hi.t
}

// newton finds the root that bisect does, from the end that is nearer to it by the rate there, and
// beyond by what curvature may make of that step, so that the root is between two points that both
// come near.
func newton(a, b point, origin float64, one func(t float64) point) float64 {
	lo, hi, length := a, b, b.t-a.t
	for k := range 200 {
		last := 2e-16 * math.Abs(origin+hi.t)
		if hi.t-lo.t <= last {
			break
		}
		m, p := lo.t+(hi.t-lo.t)/2, hi
		if lo.value < -hi.value {
			p = lo
		}
		if k%4 != 3 && p.rate < 0 {
			step := -p.value / p.rate
			step += math.Copysign(min(math.Abs(step)/16, 4*step*step/length)+last/2, step)
			if s := p.t + step; s > lo.t && s < hi.t {
				m = s
			}
		}
		if !(m > lo.t && m < hi.t) {
			break
		}
		if p := one(m); p.value < 0 {
			hi = p
		} else {
			lo = p
		}
	}
	return hi.t
}

// sharpen makes a Newton step to the root: it gives a [Dual] the derivative of the root,
// and a float64 its last digit. The velocity has no rate of its own: differences of
// 1e-4 periods give it to 1e-8, and the state does not depend on it to first order.
func (w *Integrator[T]) sharpen(c condition, root float64, end T) T {
	t := end.Of(root)
	w.at(t)
	value, rate := w.value(c)
	if c.kind == slipRate {
		d := 1e-4 * samples * w.sample()
		a, b := max(root-d, w.t.Float()), min(root+d, w.end)
		rate = t.Of((w.one(c, b).value - w.one(c, a).value) / (b - a))
	}
	if rate.Sign() == 0 {
		return t
	}
	sharp := t.Sub(value.Quo(rate))
	if sharp.Compare(w.t) < 0 || sharp.Compare(end) > 0 || abs(sharp.Sub(t).Float()) > w.sample() {
		return t
	}
	return sharp
}

// firstFailure returns which condition fails first in a step of length h from the time origin on,
// −1 for none, and when in it. one evaluates a condition in the step; of smooth loads it costs a
// step of the integration, and rates find the root in fewer of them.
func firstFailure(list []condition, now, ends []point, origin, h float64, smooth bool,
	one func(c condition, h float64) point) (hit int, at float64) {
	hit, at = -1, h
	for i, c := range list {
		lo, hi := now[i], ends[i]
		if lo.value <= 10*boundary*rounding*lo.size {
			lo.value = 0
		}
		if !below(hi) {
			if c.kind != slipRate {
				hi = deepest(lo, hi, func(h float64) point { return one(c, h) })
			}
			if !below(hi) {
				continue
			}
		}
		if hit >= 0 && hi.t > at && !below(one(c, at)) {
			continue
		}
		if lo.value == 0 && lo.rate > 0 {
			lo = rise(lo, hi, func(h float64) point { return one(c, h) })
		}
		findWays := bisect
		if smooth && c.kind != slipRate {
			findWays = newton
		}
		if root := findWays(lo, hi, origin, func(h float64) point { return one(c, h) }); root < at || hit < 0 {
			hit, at = i, min(root, at)
		}
	}
	return hit, at
}

// rises is the number of halves of a step in which the rise of a condition that leaves its bound is
// looked for.
const rises = 40

// rise returns a point at which a condition that is at its bound, with a rate that leaves it, is
// fulfilled, before the first of those tried at which it fails; lo if there is none. Near to the
// tip of a cone it may rise by 1e-9 before it falls.
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
