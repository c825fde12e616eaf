package events

// conditions lists those of the present regimes.
func (w *Integrator[T]) conditions() []condition {
	w.list = w.list[:0]
	for k, c := range w.form.Contacts {
		switch w.regime[k] {
		case Open:
			w.list = append(w.list, condition{contact: k, kind: height, then: Stick})
		case Stick:
			if c.T >= 0 {
				w.list = append(w.list, condition{contact: k, kind: forward, then: SlipForward},
					condition{contact: k, kind: backward, then: SlipBackward})
			} else {
				w.list = append(w.list, condition{contact: k, kind: pressure, then: Open})
			}
		default:
			w.list = append(w.list, condition{contact: k, kind: pressure, then: Open}, condition{contact: k, kind: slipRate, then: Stick})
		}
	}
	for k := range w.corners {
		w.cornerConditions(&w.corners[k])
	}
	return w.list
}

// value returns the left side of a condition and its rate at the present state. That of
// the velocity has no rate here.
func (w *Integrator[T]) value(c condition) (value, rate T) {
	if s := w.cornerOf(c.contact); s != nil {
		return w.cornerValue(s, c)
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

// sizes are the numbers of which a condition's value and rate are rounded. The rate of a
// smooth load is rounded like ω times the load, also where it vanishes.
func (w *Integrator[T]) sizes(c condition) (value, rate float64) {
	timeSize := timeRounding * abs(w.t.Float())
	if s := w.cornerOf(c.contact); s != nil {
		value, rate = w.cornerSizes(s, c)
		value += timeSize * rate
		if w.smooth {
			rate += w.form.Source.Frequency() * value
		}
		return value, rate
	}
	p := w.form.Contacts[c.contact]
	value, rate = w.sums(c, &p)
	value += timeSize * rate
	if w.smooth && c.kind == slipRate {
		if k := abs(w.form.diagonal(p.T).Float()); k > 0 {
			value += w.form.Source.Frequency() * (w.size[p.T] + p.Mu.Float()*w.size[p.N]) / k
		}
	} else if w.smooth {
		rate += w.form.Source.Frequency() * value
	}
	return value, rate
}

// sums are the numbers that were added up.
func (w *Integrator[T]) sums(c condition, p *Contact[T]) (value, rate float64) {
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
