package events

import "slices"

// blockRounds is the number of rounds of pivots that change all violated contacts at
// once, as long as their number falls.
const blockRounds = 5

// settle finds the regimes that follow the present time: those of the rate problem of
// the contacts at a bound. It pivots from the present ones; a contact whose condition
// would fail at once takes the regime behind it.
func (w *Walker[T]) settle() error {
	fewest, rounds := len(w.regime)+1, 0
	limit := 20 + 4*len(w.regime)
	for range limit {
		w.piece()
		bad := w.violated()
		if len(bad) == 0 {
			w.Indefinite = w.Indefinite || w.lu.indefinite
			if err := w.hold(); err != nil {
				return err
			}
			return nil
		}
		if len(bad) < fewest {
			fewest, rounds = len(bad), 0
		} else {
			rounds++
		}
		if rounds > blockRounds {
			bad = bad[:1] // the least index: no cycle where the matrix is a P-matrix
		}
		for _, c := range bad {
			w.regime[c.contact] = c.then
		}
	}
	return w.enumerate()
}

// piece factors the matrix of the regimes and computes state and rates.
func (w *Walker[T]) piece() {
	w.Pieces++
	w.lost = -1
	w.assemble()
	w.state(w.t)
	w.rates(w.t)
}

// violated lists a condition of each contact that would fail at once: one at its bound
// whose rate is negative.
func (w *Walker[T]) violated() []condition {
	var bad []condition
	for _, c := range w.conditions() {
		if len(bad) > 0 && bad[len(bad)-1].contact == c.contact {
			continue
		}
		value, rate := w.value(c)
		vs, rs := w.sizes(c)
		switch {
		case c.kind == onward:
			if certain(value, vs) >= 0 {
				continue
			}
		case certain(value, boundary*vs) > 0 || certain(rate, rs) >= 0:
			continue
		}
		if c.kind == forward || c.kind == backward {
			// Without pressure that falls, the contact opens.
			p := w.form.Contacts[c.contact]
			if certain(w.r[p.N], boundary*w.size[p.N]) <= 0 && certain(w.dr[p.N], w.dsize[p.N]) < 0 {
				c.then = Open
			}
		}
		bad = append(bad, c)
	}
	return bad
}

// boundary is how much more than rounding of one sum a value at its bound may be off:
// states are solutions of systems.
const boundary = 10

// atBound lists the contacts of which a condition is at its bound.
func (w *Walker[T]) atBound() []int {
	var list []int
	for _, c := range w.conditions() {
		value, _ := w.value(c)
		size, _ := w.sizes(c)
		slips := w.regime[c.contact].direction() != 0
		if (slips || certain(value, boundary*size) <= 0) && (len(list) == 0 || list[len(list)-1] != c.contact) {
			list = append(list, c.contact)
		}
	}
	return list
}

// firstAtBound is the first of them, −1 for none.
func (w *Walker[T]) firstAtBound() int {
	if list := w.atBound(); len(list) > 0 {
		return list[0]
	}
	return -1
}

// enumerated is the largest number of contacts at a bound whose combinations are tried:
// at most 4^8 factorisations.
const enumerated = 8

// enumerate tries all combinations of regimes of the contacts at a bound.
func (w *Walker[T]) enumerate() error {
	list := w.atBound()
	fail := &RateError{Time: w.t.Float(), Contact: w.firstAtBound(), Undecided: len(list)}
	if len(list) > enumerated {
		return fail
	}
	start := slices.Clone(w.regime)
	q, r, dofs := slices.Clone(w.q), slices.Clone(w.r), slices.Clone(w.size)
	options := make([][]Regime, len(list))
	for i, k := range list {
		options[i] = w.options(k)
	}
	found := w.combine(list, options, func() bool {
		copy(w.q, q)
		w.piece()
		return len(w.violated()) == 0 && w.consistent(r, dofs, list)
	})
	if !found {
		copy(w.regime, start)
		copy(w.q, q)
		w.piece()
		fail.None = true
		return fail
	}
	w.Indefinite = true
	return w.hold()
}

// combine visits the combinations of regimes that the contacts of a list may take, until
// visit accepts one.
func (w *Walker[T]) combine(list []int, options [][]Regime, visit func() bool) bool {
	if len(list) == 0 {
		return visit()
	}
	for _, r := range options[0] {
		w.regime[list[0]] = r
		if w.combine(list[1:], options[1:], visit) {
			return true
		}
	}
	return false
}

// options are the regimes that a contact at a bound may take.
func (w *Walker[T]) options(k int) []Regime {
	c := w.form.Contacts[k]
	if c.T < 0 {
		return []Regime{Stick, Open}
	}
	if certain(w.r[c.N], boundary*w.size[c.N]) <= 0 {
		return []Regime{Stick, SlipForward, SlipBackward, Open}
	}
	if w.slack(k, 1).Float() <= w.slack(k, -1).Float() {
		return []Regime{Stick, SlipForward}
	}
	return []Regime{Stick, SlipBackward}
}

// consistent reports whether the regimes leave the state as it is: a contact that slips
// where its force is not at the bound would make the force jump.
func (w *Walker[T]) consistent(r []T, size []float64, list []int) bool {
	for _, k := range list {
		c := w.form.Contacts[k]
		for _, i := range []int{c.T, c.N} {
			if i >= 0 && certain(w.r[i].Sub(r[i]), boundary*boundary*(size[i]+w.size[i])) != 0 {
				return false
			}
		}
	}
	return true
}
