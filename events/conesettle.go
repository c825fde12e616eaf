package events

import "math"

// settle finds the regimes that follow the present time: those of the rate problem of the
// contacts at a bound, by pivots from the present ones, as [Walker] does. A contact whose force is off the tip of
// its cone slips along the direction that its force has; one at the tip along the one that
// its force takes, see directions.
func (w *ConeWalker) settle() error {
	w.h = 0
	fewest, rounds := len(w.regime)+1, 0
	for range 20 + 4*len(w.regime) {
		w.evaluateHere()
		w.directions()
		bad := w.violated()
		if len(bad) == 0 {
			w.meet()
			return w.hold()
		}
		if len(bad) < fewest {
			fewest, rounds = len(bad), 0
		} else {
			rounds++
		}
		if rounds > blockRounds {
			bad = bad[:1]
		}
		for _, c := range bad {
			w.regime[c.contact] = c.then
			if c.then == SlipForward {
				w.face(c.contact)
			}
		}
	}
	return &RateError{Time: float64(w.t), Contact: w.firstAtBound(), Undecided: len(w.atBound())}
}

// violated lists a condition of each contact that would fail at once.
func (w *ConeWalker) violated() []condition {
	var bad []condition
	x := &w.now
	for _, c := range w.conditions() {
		if len(bad) > 0 && bad[len(bad)-1].contact == c.contact {
			continue
		}
		value, rate := w.value(x, c)
		vs, rs := w.sizes(x, c)
		switch {
		case c.kind == onward:
			if certain(value, vs) >= 0 {
				continue
			}
		case certain(value, boundary*vs) > 0 || certain(rate, rs) >= 0:
			continue
		}
		if p := w.form.Contacts[c.contact]; c.kind == forward && w.tip(c.contact) && certain(x.dr[p.N], x.dsize[p.N]) < 0 {
			c.then = Open // without pressure that falls
		}
		bad = append(bad, c)
	}
	return bad
}

// tip reports whether a contact bears nothing.
func (w *ConeWalker) tip(k int) bool {
	p := w.form.Contacts[k]
	return certain(w.now.r[p.N], boundary*w.now.size[p.N]) <= 0
}

// face turns the direction of a contact that begins to slip against its force, or the rate of it at the
// tip.
func (w *ConeWalker) face(k int) {
	p, r := w.form.Contacts[k], w.now.r
	if w.tip(k) {
		r = w.now.dr
	}
	if l := pull(r, p); l > 0 {
		w.now.along[k] = [2]Real{-r[p.T] / l, -r[p.T+1] / l}
	}
}

const (
	directionRounds = 100 // of Gauss and Seidel through the contacts at the tip
	directionScan   = 48  // angles at which a direction is looked for
)

// directions finds those along which contacts at the tip begin to slip: ṙ_u = −|ṙ_u| e there, as r_u of a
// moment later. For one contact that is the root of a function of an angle; several take turns.
func (w *ConeWalker) directions() {
	var list []int
	for k, r := range w.regime {
		if r == SlipForward && w.tip(k) {
			list = append(list, k)
		}
	}
	if len(list) > 0 {
		w.tipped = w.t
	}
	for range directionRounds {
		moved := 0.0
		for _, k := range list {
			moved = max(moved, w.direct(k))
		}
		if len(list) < 2 || moved <= rounding {
			return
		}
	}
}

// direct turns the direction of one contact to the nearest in which λ >= 0, and returns by how much. Against it is
// e·ṙ_u = −ṙ_n in every direction.
func (w *ConeWalker) direct(k int) float64 {
	p, before := w.form.Contacts[k], w.now.along[k]
	start := math.Atan2(float64(before[1]), float64(before[0]))
	across := func(angle float64) (cross, speed float64) {
		e := [2]Real{Real(math.Cos(angle)), Real(math.Sin(angle))}
		w.now.along[k] = e
		w.evaluateHere()
		a, b := w.now.dr[p.T], w.now.dr[p.T+1]
		return float64(e[0]*b - e[1]*a), float64(w.speed(&w.now, k))
	}
	best, off := nearestRoot(start, across)
	across(best)
	return off
}

// nearestRoot returns the root of a function of an angle nearest to a start where its second value is not negative, and how far it is; the start if
// there is none.
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
