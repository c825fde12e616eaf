package events

import (
	"context"
	"errors"
	"fmt"
)

// Walker walks along an evolution from event to event. Not safe for concurrent use.
type Walker[T Number[T]] struct {
	form   *Form[T]
	breaks []T // that are left
	owner  []int
	order  []int
	place  []int // in the matrix, −1: fixed
	fixed  []bool
	active []int
	first  []int
	lu     skyline[T]
	rhs    []T
	smooth bool

	t           T
	end         float64 // of the piece in which roots are looked for
	c           T
	q, f, r     []T // state, loads, reactions
	v, df, dr   []T // their rates
	size, dsize []float64
	lost        int // dof that nothing holds, −1: none
	regime      []Regime
	list        []condition
	stands      []stand[T] // of the corners
	load        float64    // largest met, for them [N]
	home        []int      // corner of a dof, −1: none; nil: no dof is one's
	curving     bool       // the force of a corner turns along its one face
	curve       *curve[T]  // of corners that slip there; nil: none did

	dissipation, work, energy0 T
	changed                    []Event[T] // at the present time
	before                     []Regime   // of the piece before the present time
	idle                       int        // events without a step between
	qPrev, rPrev, fPrev        []T
	cPrev                      T
	// Speed is the largest ‖q̇‖ met [m/s]: at the nodes, and where loads are smooth at
	// five points of each sample.
	Speed float64
	// Pieces counts factorisations.
	Pieces int
	// Curved: the force of a corner was met that turns along its one face. Where it slips the evolution is integrated, by steps whose
	// errors are 1e-12 of the loads, in which no direction turns by more than Turn [rad]; 0: 0.05.
	Curved bool
	Turn   float64
	// Indefinite: a piece was met whose matrix is not positive definite, so that the
	// rate problem may have other solutions.
	Indefinite bool
}

// A UnstableError is a start that violates (N3).
type UnstableError struct {
	Contact, Dof int // −1: none
	Force        float64
}

func (e *UnstableError) Error() string {
	return fmt.Sprintf("events: the start is not stable, (N3): %.6g N at dof %d are held by nothing", e.Force, e.Dof)
}

// A LossError is the end of equilibrium: a motion that nothing holds.
type LossError struct {
	Time float64
	Dof  int // of the motion
	// Motion is, of a corner, the motion along its three dofs, of which Dof is the first.
	Motion [3]float64
}

func (e *LossError) Error() string {
	return fmt.Sprintf("events: no equilibrium beyond t=%.15g: nothing holds dof %d", e.Time, e.Dof)
}

// A RateError is a time at which the rate problem has no solution that was found: where
// (N4) fails the evolution may jump.
type RateError struct {
	Time      float64
	Contact   int
	Undecided int  // contacts at a bound
	None      bool // all combinations were tried: there is no solution
}

func (e *RateError) Error() string {
	what := "pivots found no solution of the rate problem"
	if e.None {
		what = "the rate problem has no solution"
	}
	return fmt.Sprintf("events: at t=%.15g %s of %d contacts at a bound, first contact %d: (N4) fails, and the evolution may jump", e.Time, what, e.Undecided, e.Contact)
}

// NewWalker begins at t = 0, q = 0. The start must be stable, (N3): else it returns an
// [*UnstableError]. tolerance is that of the forces at the start relative to what they add
// up [-]; 0: 1e-10.
func NewWalker[T Number[T]](p *Form[T], tolerance float64) (*Walker[T], error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	if tolerance == 0 {
		tolerance = 1e-10
	}
	vector := func() []T { return make([]T, p.N) }
	w := &Walker[T]{form: p, breaks: p.Source.Breaks(), owner: make([]int, p.N), order: p.order(), place: make([]int, p.N), fixed: make([]bool, p.N), smooth: p.Source.Frequency() > 0,
		q: vector(), f: vector(), r: vector(), v: vector(), df: vector(), dr: vector(), size: make([]float64, p.N), dsize: make([]float64, p.N), lost: -1,
		qPrev: vector(), rPrev: vector(), fPrev: vector(), regime: make([]Regime, len(p.Contacts))}
	if err := w.stand(); err != nil {
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
func (w *Walker[T]) start(tolerance float64) error {
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
			if a := w.slack(k, s); w.regime[k] != Open && a.Sign() < 0 && !small(a, w.size[c.T]) || w.regime[k] == Open && !small(w.r[c.T], w.size[c.T]) {
				return &UnstableError{Contact: k, Dof: c.T, Force: abs(a.Float())}
			}
		}
	}
	w.load = all
	for k := range w.stands {
		if err := w.startOn(&w.stands[k], tolerance*all); err != nil {
			return err
		}
	}
	return nil
}

// begin finds the regimes that follow the present time.
func (w *Walker[T]) begin() error {
	w.label()
	w.before = append(w.before[:0], w.regime...)
	return w.settle()
}

// Time returns the present time [s].
func (w *Walker[T]) Time() T { return w.t }

// Q returns the displacement from the start [m]; it belongs to the walker.
func (w *Walker[T]) Q() []T { return w.q }

// Reaction returns DE(t, z) [N]; it belongs to the walker.
func (w *Walker[T]) Reaction() []T { return w.r }

// Rate returns the right derivative of Q [m/s]; it belongs to the walker.
func (w *Walker[T]) Rate() []T { return w.v }

// Regimes are those of the piece that follows the present time.
func (w *Walker[T]) Regimes() []Regime { return w.regime }

// Changes returns the events at the present time: contacts whose regime after it differs
// from that before. It belongs to the walker.
func (w *Walker[T]) Changes() []Event[T] {
	w.changed = w.changed[:0]
	for k, r := range w.regime {
		if r != w.before[k] {
			w.changed = append(w.changed, Event[T]{w.t, k, w.before[k], r})
		}
	}
	return w.changed
}

// Dissipation returns ∫ Ψ(ż) dt so far [J].
func (w *Walker[T]) Dissipation() T { return w.dissipation }

// Work returns ∫ ∂tE dt so far [J].
func (w *Walker[T]) Work() T { return w.work }

// Energy returns E(t, q) = ½q·(r − f) + c [J].
func (w *Walker[T]) Energy() T {
	var twice T
	for i, q := range w.q {
		twice = twice.Add(q.Mul(w.r[i].Sub(w.f[i])))
	}
	return twice.Quo(twice.Of(2)).Add(w.c)
}

// Balance returns E + D − E(0) − W, the residual of (E) [J].
func (w *Walker[T]) Balance() T {
	return w.Energy().Add(w.dissipation).Sub(w.energy0).Sub(w.work)
}

// slack returns a_s = μ r_n + s r_t: what friction holds more against slip in direction s.
func (w *Walker[T]) slack(k, s int) T { return slack(w.form.Contacts[k], w.r, s) }

func slack[T Number[T]](c Contact[T], r []T, s int) T {
	bound := c.Mu.Mul(r[c.N])
	if s > 0 {
		return bound.Add(r[c.T])
	}
	return bound.Sub(r[c.T])
}

// idleLimit is the number of events without a step between after which the walk is given
// up, over that of contacts.
const idleLimit = 40

// Step walks to the next event, or kink of a load, or to limit, whatever comes first. An
// error leaves the walker at the last event.
func (w *Walker[T]) Step(limit T) error {
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
		w.take(h)
	}
	return w.settle()
}

// resume takes the rates at a time that is no event; those of linear loads are the same.
func (w *Walker[T]) resume() error {
	if w.smooth || w.curving {
		w.rates(w.t)
	}
	return w.hold()
}

// hold turns a motion that nothing holds into an error, and, in numbers that do not round, a force of a corner that turns.
func (w *Walker[T]) hold() error {
	if w.lost < 0 {
		return w.steady()
	}
	return w.loss(w.lost)
}

// advance computes the state at t and what was dissipated and worked on the way.
func (w *Walker[T]) advance(t T) {
	copy(w.qPrev, w.q)
	copy(w.rPrev, w.r)
	copy(w.fPrev, w.f)
	w.cPrev = w.c
	w.meetSpeed()
	if w.winds() {
		w.advanceCurve(t)
		return
	}
	if w.smooth {
		w.integrate(t)
	}
	if d, ok := any(w).(*Walker[Dual]); ok {
		drift(d, t.Float())
	}
	w.state(t)
	for k := range w.stands {
		w.settleOn(&w.stands[k])
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
	for k := range w.stands {
		if s := &w.stands[k]; s.slip != 0 {
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

// Walk makes steps to limit and calls visit, if it is not nil, at each.
func (w *Walker[T]) Walk(ctx context.Context, limit T, visit func() error) error {
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

// Fastest returns Speed [m/s].
func (w *Walker[T]) Fastest() float64 { return w.Speed }

// Moves reports whether a contact slides from the present time on. One without friction
// has no tangent of its own: it does not tell.
func (w *Walker[T]) Moves(k int) bool {
	if s, f := w.faceOf(k); s != nil {
		return s.slip != 0 && s.bears(f) && (inner(s.axis, vector(w.v, s.Dof)).Sign() != 0 || w.curved(s) && w.turns(s)) // it turns and begins to move
	}
	c := w.form.Contacts[k]
	return w.regime[k].direction() != 0 && w.v[c.T].Sign() != 0
}

// Pressed reports whether a contact has a normal force now or from now on.
func (w *Walker[T]) Pressed(k int) bool {
	if s, f := w.faceOf(k); s != nil {
		return s.bears(f) && w.presses(s, f)
	}
	n := w.form.Contacts[k].N
	return w.regime[k] != Open && (certain(w.r[n], boundary*w.size[n]) > 0 || certain(w.dr[n], w.dsize[n]) > 0)
}
