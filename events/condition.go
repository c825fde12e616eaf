package events

// condition is an inequality value >= 0 of a contact in its regime, and the regime that
// follows where it would fail.
type condition struct {
	contact int // or, beyond them, the corner
	kind    kind
	then    Regime // of a contact
	face    int    // of a corner
}

type kind int8

const (
	height   kind = iota // Gap + q_n, open
	pressure             // r_n, closed
	forward              // a_+, sticking: slip along the tangent
	backward             // a_−
	onward               // ±q̇_t, slipping
	lean                 // −n·d of a face that is touched and bears nothing, d what others do not bear
	cone                 // μσ − |d| of a corner that sticks on one face and whose force turns
)

// conditions lists those of the present regimes.
func (w *Walker[T]) conditions() []condition {
	w.list = w.list[:0]
	for k, c := range w.form.Contacts {
		switch w.regime[k] {
		case Open:
			w.list = append(w.list, condition{contact: k, kind: height, then: Stick})
		case Stick:
			if c.T >= 0 {
				w.list = append(w.list, condition{contact: k, kind: forward, then: SlipForward}, condition{contact: k, kind: backward, then: SlipBackward})
			} else {
				w.list = append(w.list, condition{contact: k, kind: pressure, then: Open})
			}
		default:
			w.list = append(w.list, condition{contact: k, kind: pressure, then: Open}, condition{contact: k, kind: onward, then: Stick})
		}
	}
	for k := range w.stands {
		w.standConditions(&w.stands[k])
	}
	return w.list
}

// value returns the left side of a condition and its rate at the present state. That of
// the velocity has no rate here.
func (w *Walker[T]) value(c condition) (value, rate T) {
	if s := w.standOf(c.contact); s != nil {
		return w.standValue(s, c)
	}
	p := w.form.Contacts[c.contact]
	switch c.kind {
	case height:
		return p.Gap.Add(w.q[p.N]), w.v[p.N]
	case pressure:
		return w.r[p.N], w.dr[p.N]
	case forward:
		return slack(p, w.r, 1), slack(p, w.dr, 1)
	case backward:
		return slack(p, w.r, -1), slack(p, w.dr, -1)
	}
	var zero T
	if w.regime[c.contact] == SlipForward {
		return w.v[p.T], zero
	}
	return zero.Sub(w.v[p.T]), zero
}

// rounding is what one sum may be off by, relative to what it adds up: tens of sums of
// sums.
const rounding = 1e-13

// timeRounding is what a time is rounded by, in parts of rounding: what changes at a rate is off by that of it.
const timeRounding = 0x1p-53 / rounding

// sizes are the numbers of which a condition's value and rate are rounded. The rate of a
// smooth load is rounded like ω times the load, also where it vanishes.
func (w *Walker[T]) sizes(c condition) (value, rate float64) {
	late := timeRounding * abs(w.t.Float())
	if s := w.standOf(c.contact); s != nil {
		value, rate = w.standSums(s, c)
		value += late * rate
		if w.smooth {
			rate += w.form.Source.Frequency() * value
		}
		return value, rate
	}
	p := w.form.Contacts[c.contact]
	value, rate = w.sums(c, &p)
	value += late * rate
	if w.smooth && c.kind == onward {
		if k := abs(w.form.diagonal(p.T).Float()); k > 0 {
			value += w.form.Source.Frequency() * (w.size[p.T] + p.Mu.Float()*w.size[p.N]) / k
		}
	} else if w.smooth {
		rate += w.form.Source.Frequency() * value
	}
	return value, rate
}

// sums are the numbers that were added up.
func (w *Walker[T]) sums(c condition, p *Contact[T]) (value, rate float64) {
	stiff := abs(w.form.diagonal(p.N).Float())
	switch c.kind {
	case height:
		value, rate = abs(p.Gap.Float())+abs(w.q[p.N].Float()), abs(w.v[p.N].Float())
		if stiff > 0 {
			value, rate = value+w.size[p.N]/stiff, rate+w.dsize[p.N]/stiff
		}
		return value, rate
	case pressure:
		return w.size[p.N], w.dsize[p.N]
	case forward, backward:
		mu := p.Mu.Float()
		return w.size[p.T] + mu*w.size[p.N], w.dsize[p.T] + mu*w.dsize[p.N]
	}
	value = abs(w.v[p.T].Float())
	if k := abs(w.form.diagonal(p.T).Float()); k > 0 {
		value += (w.dsize[p.T] + p.Mu.Float()*w.dsize[p.N]) / k
	}
	return value, 0
}

// diagonal returns H_ii.
func (p *Form[T]) diagonal(i int) T {
	for k := p.Ptr[i]; k < p.Ptr[i+1]; k++ {
		if p.Col[k] == i {
			return p.Val[k]
		}
	}
	var zero T
	return zero
}

// certain returns the sign of a number that is rounded like one of the given size.
func certain[T Number[T]](v T, size float64) int {
	if !v.Exact() && abs(v.Float()) <= rounding*size {
		return 0
	}
	return v.Sign()
}
