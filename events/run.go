package events

import (
	"context"
	"errors"
)

// NewWalker begins at t = 0, q = 0. The start must be stable, (N3): else it returns an
// [*UnstableError]. tolerance is that of the forces at the start relative to what they add
// up [-]; 0: 1e-10.
func NewIntegrator[T Number[T]](p *Form[T], tolerance float64) (*Integrator[T], error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	if tolerance == 0 {
		tolerance = 1e-10
	}
	vector := func() []T { return make([]T, p.N) }
	w := &Integrator[T]{form: p, breaks: p.Source.Breaks(), smooth: p.Source.Frequency() > 0}
	w.system = system[T]{owner: make([]int, p.N), order: p.order(), place: make([]int, p.N), fixed: make([]bool, p.N), lost: -1}
	w.q, w.f, w.r = vector(), vector(), vector()
	w.v, w.df, w.dr = vector(), vector(), vector()
	w.qPrev, w.rPrev, w.fPrev = vector(), vector(), vector()
	w.size, w.dsize = make([]float64, p.N), make([]float64, p.N)
	w.regime = make([]Regime, len(p.Contacts))
	if err := w.initCorners(); err != nil {
		return nil, err
	}
	for i := range w.owner {
		w.owner[i] = -1
	}
	for k, c := range p.Contacts {
		w.owner[c.N] = k
		if c.T >= 0 {
			w.owner[c.T] = k
		}
		if c.Gap.Sign() == 0 {
			w.regime[k] = Stick
		}
	}
	if err := w.start(tolerance); err != nil {
		return nil, err
	}
	w.energy0 = w.Energy()
	return w, w.begin()
}

// start checks (N3).
func (w *Integrator[T]) start(tolerance float64) error {
	w.c = w.form.Source.Load(w.f, w.t)
	w.react()
	all := w.weight(w.f)
	small := func(v T, size float64) bool {
		return v.Sign() == 0 || !v.Exact() && abs(v.Float()) <= tolerance*max(size, all)
	}
	for i := range w.r {
		if w.owner[i] < 0 && !w.cornered(i) && !small(w.r[i], w.size[i]) {
			return &UnstableError{Contact: -1, Dof: i, Force: abs(w.r[i].Float())}
		}
	}
	for k, c := range w.form.Contacts {
		n := w.r[c.N]
		if w.regime[k] == Open && !small(n, w.size[c.N]) || w.regime[k] != Open && n.Sign() < 0 && !small(n, w.size[c.N]) {
			return &UnstableError{Contact: k, Dof: c.N, Force: abs(n.Float())}
		}
		if c.T < 0 {
			continue
		}
		for _, s := range [2]int{1, -1} {
			if a := w.slack(k, s); w.regime[k] != Open && a.Sign() < 0 && !small(a, w.size[c.T]) ||
				w.regime[k] == Open && !small(w.r[c.T], w.size[c.T]) {
				return &UnstableError{Contact: k, Dof: c.T, Force: abs(a.Float())}
			}
		}
	}
	w.load = all
	for k := range w.corners {
		if err := w.startCorner(&w.corners[k], tolerance*all); err != nil {
			return err
		}
	}
	return nil
}

// begin finds the regimes that follow the present time.
func (w *Integrator[T]) begin() error {
	w.label()
	w.before = append(w.before[:0], w.regime...)
	return w.settle()
}

// Step walks to the next event, or kink of a load, or to limit, whatever comes first. An
// error leaves the integrator at the last event.
func (w *Integrator[T]) Step(limit T) error {
	if w.t.Compare(limit) >= 0 {
		return errors.New("events: Step to a time that is not after the present one")
	}
	end, kink := limit, false
	if len(w.breaks) > 0 && w.breaks[0].Compare(limit) < 0 {
		end, kink = w.breaks[0], true
	}
	copy(w.before, w.regime)
	t, hits, err := w.next(end)
	if err != nil {
		return err
	}
	kink = kink && t.Compare(end) >= 0
	if kink {
		w.breaks = w.breaks[1:]
	}
	from := w.t
	if any(t) != any(from) {
		w.advance(t) // also where only the derivative of the time is another
	}
	if t.Compare(from) > 0 {
		w.idle = 0
	} else if w.idle++; w.idle > idleLimit*(1+len(w.regime)) {
		return &RateError{Time: w.t.Float(), Contact: w.firstAtBound(), Undecided: len(w.atBound())}
	}
	if len(hits) == 0 && !kink {
		return w.resume()
	}
	for _, h := range hits {
		w.applyChange(h)
	}
	return w.settle()
}

// resume takes the rates at a time that is no event; those of linear loads are the same.
func (w *Integrator[T]) resume() error {
	if w.smooth || w.turning {
		w.rates(w.t)
	}
	return w.hold()
}

// hold turns a motion that nothing holds into an error, and, in numbers that do not round, a force
// of a corner that turns.
func (w *Integrator[T]) hold() error {
	if w.lost < 0 {
		return w.steady()
	}
	return w.loss(w.lost)
}

// advance computes the state at t and what was dissipated and worked on the way.
func (w *Integrator[T]) advance(t T) {
	copy(w.qPrev, w.q)
	copy(w.rPrev, w.r)
	copy(w.fPrev, w.f)
	w.cPrev = w.c
	w.meetSpeed()
	if w.anyTurning() {
		w.advanceCurve(t)
		return
	}
	if w.smooth {
		w.integrate(t)
	}
	if d, ok := any(w).(*Integrator[Dual]); ok {
		drift(d, t.Float())
	}
	w.state(t)
	for k := range w.corners {
		w.settleOnFaces(&w.corners[k])
	}
	w.t = t
	if w.smooth {
		w.work = w.work.Add(w.c.Sub(w.cPrev))
		return
	}
	half := t.Of(0.5)
	for k, c := range w.form.Contacts {
		s := w.regime[k].direction()
		if s == 0 {
			continue
		}
		way := w.q[c.T].Sub(w.qPrev[c.T])
		if s < 0 {
			way = w.qPrev[c.T].Sub(w.q[c.T])
		}
		w.dissipation = w.dissipation.Add(c.Mu.Mul(way).Mul(w.r[c.N].Add(w.rPrev[c.N])).Mul(half))
	}
	for k := range w.corners {
		if s := &w.corners[k]; s.slip != 0 {
			way := inner(s.ways[0].motion, less(vector(w.q, s.Dof), vector(w.qPrev, s.Dof)))
			bound := inner(s.support().bound, sum3(vector(w.r, s.Dof), vector(w.rPrev, s.Dof)))
			w.dissipation = w.dissipation.Add(bound.Mul(way).Mul(half))
		}
	}
	work := w.c.Sub(w.cPrev)
	for i := range w.q {
		if df := w.f[i].Sub(w.fPrev[i]); df.Sign() != 0 {
			work = work.Sub(df.Mul(w.q[i].Add(w.qPrev[i])).Mul(half))
		}
	}
	w.work = w.work.Add(work)
}

// Integrate makes steps to limit and calls visit, if it is not nil, at each.
func (w *Integrator[T]) Integrate(ctx context.Context, limit T, visit func() error) error {
	for w.t.Compare(limit) < 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.Step(limit); err != nil {
			return err
		}
		if visit != nil {
			if err := visit(); err != nil {
				return err
			}
		}
	}
	return nil
}

// idleLimit is the number of events without a step between after which the walk is given
// up, over that of contacts.
const idleLimit = 40
