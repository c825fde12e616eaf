package events

// next returns the first time before end at which conditions would fail, and which; else
// end. What fails at end is found from there.
func (w *Integrator[T]) next(end T) (T, []condition, error) {
	if d, ok := any(w).(*Integrator[Dual]); ok && !w.turning && windy(d, end.Float()) {
		w.turning = true
	}
	if w.anyTurning() {
		return w.nextCurve(end)
	}
	if w.smooth {
		return w.nextRoot(end)
	}
	best := end
	var hits []condition
	for _, c := range w.conditions() {
		if c.kind == slipRate {
			continue // constant: the rate problem saw to it
		}
		t, fails := w.failure(c)
		if !fails {
			continue
		}
		switch order := t.Compare(best); {
		case order < 0:
			best, hits = t, append(hits[:0], c)
		case order == 0 && len(hits) > 0 && hits[len(hits)-1].contact != c.contact:
			hits = append(hits, c)
		}
	}
	return best, hits, nil
}

// failure is the time at which a condition would fail that is linear, or the cone of a corner that
// sticks; false: it never does.
func (w *Integrator[T]) failure(c condition) (t T, fails bool) {
	if c.kind == cone {
		after, ends := w.coneEnd(w.cornerOf(c.contact))
		return w.t.Add(after), ends
	}
	value, rate := w.value(c)
	_, size := w.sizes(c)
	if certain(rate, size) >= 0 {
		return t, false
	}
	if value.Sign() < 0 {
		value = value.Sub(value.Of(value.Float())) // rounding; a derivative stays
	}
	return w.t.Sub(value.Quo(rate)), true
}
