package events

import "slices"

// blockRounds is the number of rounds of pivots that change all violated contacts at
// once, as long as their number falls.
const blockRounds = 5

// settle finds the regimes that follow the present time: those of the rate problem of
// the contacts at a bound. It pivots from the present ones; a contact whose condition
// would fail at once takes the regime behind it.
func (w *Integrator[T]) settle() error {
	var start snapshot[T]
	if w.corners != nil {
		start = w.snapshot()
	}
	fewest, rounds := len(w.regime)+1, 0
	limit := 20 + 4*len(w.regime)
	for range limit {
		w.piece()
		bad := w.violated()
		if len(bad) == 0 && !w.continuous(&start) {
			break
		}
		if len(bad) == 0 {
			w.clear()
			w.label()
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
			w.applyChange(c)
		}
	}
	if w.corners != nil {
		w.assume(start)
	}
	return w.enumerate()
}

// clear takes what begins to leave its obstacle out of that: the time of an event is rounded, and
// with it the place of what moves on as it did.
func (w *Integrator[T]) clear() {
	if w.t.Exact() {
		return
	}
	below := false
	for k, c := range w.form.Contacts {
		if h := c.Gap.Add(w.q[c.N]); w.regime[k] == Open && h.Sign() < 0 {
			w.q[c.N] = w.q[c.N].Sub(w.t.Of(h.Float()))
			below = true
		}
	}
	for k := range w.corners {
		s := &w.corners[k]
		for f := range s.Faces {
			face := &s.Faces[f]
			h := face.Gap.Add(inner(face.N, vector(w.q, s.Dof)))
			if s.bears(f) || h.Sign() >= 0 {
				continue
			}
			q := less(vector(w.q, s.Dof), scaled(face.N, w.t.Of(h.Float())))
			copy(w.q[s.Dof:], q[:])
			below = true
		}
	}
	if below {
		w.react()
	}
}

// piece factors the matrix of the regimes and computes state and rates.
func (w *Integrator[T]) piece() {
	w.Pieces++
	w.lost = -1
	w.assemble()
	if w.corners == nil {
		w.state(w.t)
	} else {
		w.stay()
	}
	w.rates(w.t)
	for k := range w.corners {
		w.orient(&w.corners[k])
	}
	if w.corners != nil {
		w.directions()
		w.bend()
	}
}

// violated lists a condition of each contact that would fail at once: one at its bound
// whose rate is negative.
func (w *Integrator[T]) violated() []condition {
	var bad []condition
	for _, c := range w.conditions() {
		if len(bad) > 0 && bad[len(bad)-1].contact == c.contact {
			continue
		}
		value, rate := w.value(c)
		vs, rs := w.sizes(c)
		switch {
		case c.kind == slipRate:
			if certain(value, vs) >= 0 {
				continue
			}
		case certain(value, boundary*vs) > 0 || certain(rate, rs) >= 0 && !w.broken(c, value):
			continue
		}
		if w.cornerOf(c.contact) == nil && (c.kind == forward || c.kind == backward) {
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

// atBound lists the contacts of which a condition is at its bound.
func (w *Integrator[T]) atBound() []int {
	var list []int
	for _, c := range w.conditions() {
		value, _ := w.value(c)
		size, _ := w.sizes(c)
		slips := w.slips(c.contact)
		if (slips || certain(value, boundary*size) <= 0) && (len(list) == 0 || list[len(list)-1] != c.contact) {
			list = append(list, c.contact)
		}
	}
	return list
}

// firstAtBound is the first of them, −1 for none.
func (w *Integrator[T]) firstAtBound() int {
	if list := w.contacts(w.atBound()); len(list) > 0 {
		return list[0]
	}
	return -1
}

// enumerated is the largest number of contacts at a bound whose combinations are tried:
// at most 4^8 factorisations.
const enumerated = 8

// enumerate tries all combinations of regimes of the contacts at a bound.
func (w *Integrator[T]) enumerate() error {
	list := w.atBound()
	fail := &RateError{Time: w.t.Float(), Contact: w.firstAtBound(), Undecided: len(list)}
	if len(list) > enumerated {
		return fail
	}
	start := w.snapshot()
	r, dofs := slices.Clone(w.r), slices.Clone(w.size)
	options := make([][]func(), len(list))
	for i, k := range list {
		options[i] = w.choices(k)
	}
	found := combine(options, func() bool {
		copy(w.q, start.q)
		w.piece()
		return len(w.violated()) == 0 && w.consistent(r, dofs, list) && (w.corners == nil || w.lost < 0 && w.steady() == nil)
	})
	if !found {
		w.assume(start)
		fail.None = true
		return fail
	}
	w.label()
	w.Indefinite = true
	return w.hold()
}

// combine visits the combinations of what contacts and corners may do, until visit accepts one.
func combine(options [][]func(), visit func() bool) bool {
	if len(options) == 0 {
		return visit()
	}
	for _, choose := range options[0] {
		choose()
		if combine(options[1:], visit) {
			return true
		}
	}
	return false
}

// choices are what a contact or a corner at a bound may do.
func (w *Integrator[T]) choices(unit int) (list []func()) {
	if s := w.cornerOf(unit); s != nil {
		return w.admissibleModes(s)
	}
	for _, r := range w.options(unit) {
		list = append(list, func() { w.regime[unit] = r })
	}
	return list
}

// options are the regimes that a contact at a bound may take.
func (w *Integrator[T]) options(k int) []Regime {
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
func (w *Integrator[T]) consistent(r []T, size []float64, list []int) bool {
	for _, k := range list {
		var dofs []int
		if s := w.cornerOf(k); s != nil {
			dofs = []int{s.Dof, s.Dof + 1, s.Dof + 2}
		} else {
			dofs = []int{w.form.Contacts[k].T, w.form.Contacts[k].N}
		}
		for _, i := range dofs {
			if i >= 0 && certain(w.r[i].Sub(r[i]), boundary*boundary*(size[i]+w.size[i])) != 0 {
				return false
			}
		}
	}
	return true
}
