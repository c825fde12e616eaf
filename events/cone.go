package events

import (
	"context"
	"errors"
	"math"
)

// ConeWalker walks along an evolution in space from event to event. Between two of them contacts
// stick, slide or are open, and the velocities solve one linear system at each state:
//
//	u̇_k = λ_k e_k,  e_k = −r_u/|r_u|,  d/dt(|r_u| − r_n) = 0,  ṙ = 0 where nothing bears
//
// Directions turn, so that this is a differential equation; it is integrated by extrapolation to
// steps' errors of 1e-12 of the loads, each step put back onto |r_u| = r_n by a Newton step, and
// no longer than a direction takes to turn by Turn. Events are the roots of the conditions along a step,
// found to the last digits. Not safe for concurrent use.
type ConeWalker struct {
	// Turn is the largest angle by which a direction of slip turns in a step [rad].
	Turn float64
	// Speed is the largest ‖ż‖ met at the ends of steps [m/s].
	Speed float64

	form   *Form[Real]
	dofs   []Dof
	breaks []Real
	owner  []int // contact of a dof, −1: none
	order  []int
	place  []int // unknown of a dof, −1: it stands still
	active []unknown
	first  []int
	lu     skyline[Real]
	rhs    []Real
	ode    *extrapolation

	t, end Real
	h      Real   // of the next step
	tipped Real   // when a contact last began to slip at the tip of its cone; −1: long ago
	y      []Real // q, dissipation, ∫ ḟ·q
	now    instant
	next   instant // behind a step
	probe  instant // where a root is looked for
	stage  instant // of the integration
	yNext  []Real
	off    []Real
	reach  []float64 // largest |q_i| met
	grain  []float64 // rounding of r that the places of the particles leave [N]
	begun  bool      // the step before ends at the present state
	regime []Regime
	before []Regime
	along  [][2]Real // e_k
	lost   int
	list   []condition
	idle   int
	loads  float64 // largest met [N]
	c0     Real    // c(0)
	energy Real    // at the start

	changed []Event[Real]
	scratch []Real
}

// instant is what is known at a time in the present regimes.
type instant struct {
	t           Real
	c           Real
	y           []Real
	f, r        []Real
	v, df, dr   []Real
	size, dsize []float64
	along       [][2]Real
}

// NewConeWalker begins at t = 0, q = 0. The start must be stable, (N3): else it returns an
// [*UnstableError]. tolerance is that of the forces at the start relative to what they add
// up [-]; 0: 1e-10.
func (p *Space) NewConeWalker(tolerance float64) (*ConeWalker, error) {
	form, err := p.Form()
	if err != nil {
		return nil, err
	}
	if tolerance == 0 {
		tolerance = 1e-10
	}
	n, nc := form.N, len(form.Contacts)
	w := &ConeWalker{Turn: 0.05, form: form, dofs: p.Dofs, breaks: form.Source.Breaks(), owner: make([]int, n), order: form.order(), place: make([]int, n),
		y: make([]Real, n+2), yNext: make([]Real, n+2), off: make([]Real, n+2), reach: make([]float64, n), regime: make([]Regime, nc), along: make([][2]Real, nc), lost: -1, tipped: -1, scratch: make([]Real, n)}
	w.now, w.next, w.probe, w.stage = newInstant(n, nc), newInstant(n, nc), newInstant(n, nc), newInstant(n, nc)
	w.ode = newExtrapolation(n+2, w.flow)
	for i := range w.owner {
		w.owner[i] = -1
	}
	for k, c := range form.Contacts {
		w.owner[c.N] = k
		if c.T >= 0 {
			w.owner[c.T], w.owner[c.T+1] = k, k
		}
		if c.Gap == 0 {
			w.regime[k] = Stick
		}
		w.along[k] = [2]Real{1, 0}
	}
	w.grain = form.Grain
	w.end = Real(p.Until)
	w.evaluate(&w.now, 0, w.y)
	if err := w.stable(tolerance); err != nil {
		return nil, err
	}
	w.c0, w.energy = w.now.c, w.Energy()
	return w, w.begin()
}

func newInstant(n, contacts int) instant {
	vector := func() []Real { return make([]Real, n) }
	return instant{y: make([]Real, n+2), f: vector(), r: vector(), v: vector(), df: vector(), dr: vector(), size: make([]float64, n), dsize: make([]float64, n), along: make([][2]Real, contacts)}
}

// stable checks (N3).
func (w *ConeWalker) stable(tolerance float64) error {
	x := &w.now
	small := func(v Real, size float64) bool { return abs(float64(v)) <= tolerance*max(size, w.loads) }
	for i := range x.r {
		if w.owner[i] < 0 && !small(x.r[i], x.size[i]) {
			return &UnstableError{Contact: -1, Dof: i, Force: abs(float64(x.r[i]))}
		}
	}
	for k, c := range w.form.Contacts {
		n := x.r[c.N]
		if !(n >= 0 && w.regime[k] != Open) && !small(n, x.size[c.N]) {
			return &UnstableError{Contact: k, Dof: c.N, Force: abs(float64(n))}
		}
		if c.T < 0 {
			continue
		}
		held := Real(0)
		if w.regime[k] != Open {
			held = max(n, 0)
		}
		if more := pull(x.r, c) - held; more > 0 && !small(more, x.size[c.T]+x.size[c.T+1]) {
			return &UnstableError{Contact: k, Dof: c.T, Force: float64(more)}
		}
	}
	return nil
}

// pull is |r_u| of a contact.
func pull(r []Real, c Contact[Real]) Real {
	return Real(math.Hypot(float64(r[c.T]), float64(r[c.T+1])))
}

// begin finds the regimes that follow the present time.
func (w *ConeWalker) begin() error {
	w.before = append(w.before[:0], w.regime...)
	return w.settle()
}

// Time returns the present time [s].
func (w *ConeWalker) Time() Real { return w.t }

// Q returns the displacement from the start; it belongs to the walker.
func (w *ConeWalker) Q() []Real { return w.y[:w.form.N] }

// Regimes are those of the piece that follows the present time; one that slips does so
// forward, along its own direction.
func (w *ConeWalker) Regimes() []Regime { return w.regime }

// Changes returns the events at the present time; it belongs to the walker.
func (w *ConeWalker) Changes() []Event[Real] {
	w.changed = w.changed[:0]
	for k, r := range w.regime {
		if r != w.before[k] {
			w.changed = append(w.changed, Event[Real]{w.t, k, w.before[k], r})
		}
	}
	return w.changed
}

// Dissipation returns ∫ Ψ(ż) dt so far [J].
func (w *ConeWalker) Dissipation() Real { return w.y[w.form.N] }

// Work returns ∫ ∂tE dt so far [J].
func (w *ConeWalker) Work() Real { return w.now.c - w.c0 - w.y[w.form.N+1] }

// Energy returns E(t, q) = ½q·(r − f) + c [J].
func (w *ConeWalker) Energy() Real {
	var twice Real
	for i, q := range w.Q() {
		twice += q * (w.now.r[i] - w.now.f[i])
	}
	return twice/2 + w.now.c
}

// Balance returns E + D − E(0) − W, the residual of (E) [J].
func (w *ConeWalker) Balance() Real {
	return w.Energy() + w.Dissipation() - w.energy - w.Work()
}

// Fastest returns the largest ‖ż‖ met [m/s].
func (w *ConeWalker) Fastest() float64 { return w.Speed }

// Moves reports whether a contact slides from the present time on.
func (w *ConeWalker) Moves(k int) bool {
	c := w.form.Contacts[k]
	return w.regime[k] == SlipForward && (w.now.v[c.T] != 0 || w.now.v[c.T+1] != 0)
}

// Pressed reports whether a contact has a normal force now or from now on.
func (w *ConeWalker) Pressed(k int) bool {
	n := w.form.Contacts[k].N
	return w.regime[k] != Open && (certain(w.now.r[n], boundary*w.now.size[n]) > 0 || certain(w.now.dr[n], w.now.dsize[n]) > 0)
}

// evaluate fills x with what is known at (t, y) in the present regimes. Rates are those of
// the piece up to its end.
func (w *ConeWalker) evaluate(x *instant, t Real, y []Real) {
	p := w.form
	x.t = t
	copy(x.y, y)
	q := x.y[:p.N]
	x.c = p.Source.Load(x.f, t)
	for _, f := range x.f {
		w.loads = max(w.loads, abs(float64(f)))
	}
	if t >= w.end && w.end > w.t {
		t = Real(math.Nextafter(float64(w.end), math.Inf(-1))) // loads may have a kink there
	}
	p.Source.Rate(x.df, t)
	p.react(x.r, x.size, q, x.f)
	for i, g := range w.grain {
		x.size[i] += g / rounding
	}
	w.turn(x.r, x.size)
	copy(x.along, w.along)
	w.assemble()
	w.lost = w.rates(x.v, x.df)
	p.react(x.dr, x.dsize, x.v, x.df)
}

// flow is the right side of the differential equation.
func (w *ConeWalker) flow(dy []Real, t Real, y []Real) {
	n := w.form.N
	x := &w.stage
	w.evaluate(x, t, y)
	copy(dy, x.v)
	dy[n], dy[n+1] = 0, 0
	for k, c := range w.form.Contacts {
		if w.regime[k] == SlipForward {
			dy[n] += x.r[c.N] * w.speed(x, k)
		}
	}
	for i, df := range x.df {
		dy[n+1] += df * y[i]
	}
}

// speed is λ of a contact.
func (w *ConeWalker) speed(x *instant, k int) Real {
	t := w.form.Contacts[k].T
	return x.along[k][0]*x.v[t] + x.along[k][1]*x.v[t+1]
}

// advance stores in x the state that the present one reaches after h, put back onto |r_u| = r_n and
// the equilibrium of what moves freely. It returns the error of the step over what is
// allowed.
func (w *ConeWalker) advance(x *instant, h Real) float64 {
	copy(w.along, w.now.along)
	y := w.yNext
	w.ode.step(y, w.off, w.t, h, w.y, !w.begun)
	w.begun = true
	for k, c := range w.form.Contacts {
		if w.regime[k] != Open {
			y[c.N] = -c.Gap
		}
	}
	w.evaluate(x, w.t+h, y)
	left := 0.0
	w.rhs = room(w.rhs, len(w.active))
	for a, u := range w.active {
		if u.contact < 0 {
			w.rhs[a] = -x.r[u.dof]
			continue
		}
		c, e := w.form.Contacts[u.contact], x.along[u.contact]
		w.rhs[a] = -e[0]*x.r[c.T] - e[1]*x.r[c.T+1] - x.r[c.N]
		left = max(left, abs(float64(w.rhs[a]))/max(w.loads, x.size[c.N]))
	}
	w.solve(w.scratch, x.f)
	for i, d := range w.scratch {
		y[i] += d
	}
	w.evaluate(x, w.t+h, y)
	return max(w.excess(x), left/driftError)
}

// driftError is how far a step may leave |r_u| = r_n before it is put back, relative to the
// loads: far above the errors of a step, far below a step that missed a turn.
const driftError = 1e-8

// stepError is what a step may be off by, relative to the loads.
const stepError = 1e-12

// excess is the error of the step just made over what is allowed: forces H_ii δq_i beside the
// loads, or ways beside those met; energies beside those that were exchanged.
func (w *ConeWalker) excess(x *instant) float64 {
	worst, energy := 0.0, 0.0
	for i, q := range w.reach {
		energy += q * x.size[i]
	}
	n := w.form.N
	for _, i := range [2]int{n, n + 1} {
		if off := float64(w.off[i]); off > 0 {
			worst = max(worst, off/(stepError*(energy+abs(float64(x.y[i])))))
		}
	}
	for i := range w.scratch {
		if w.place[i] < 0 {
			continue
		}
		k := abs(float64(w.form.diagonal(i)))
		allowed := stepError * (max(w.loads, x.size[i]) + k*max(w.reach[i], abs(float64(x.y[i]))))
		if off := float64(w.off[i]) * k; off > 0 && !(off <= worst*allowed) {
			worst = off / allowed
		}
	}
	return worst
}

// shortest is the part of the time at which a step is too short to be one.
const shortest = 1e-14

// Step walks by one step of the integration, to the next event, or kink of a load, or to limit, whatever
// comes first. An error leaves the walker at the last event.
func (w *ConeWalker) Step(limit Real) error {
	if w.t >= limit {
		return errors.New("events: Step to a time that is not after the present one")
	}
	end, kink := limit, false
	if len(w.breaks) > 0 && w.breaks[0] <= limit {
		end, kink = w.breaks[0], w.breaks[0] < limit
	}
	w.end, w.begun = end, false
	copy(w.before, w.regime)
	hit, err := w.piece(end)
	if err != nil {
		return err
	}
	if w.t < end {
		kink = false
	}
	if kink {
		w.breaks = w.breaks[1:]
	}
	if hit == nil && !kink {
		w.evaluateHere()
		return w.hold()
	}
	if hit != nil {
		w.regime[hit.contact] = hit.then
		if hit.then == SlipForward {
			w.face(hit.contact)
		}
	}
	return w.settle()
}

// evaluateHere fills the present instant, with rates from the right.
func (w *ConeWalker) evaluateHere() {
	w.end = w.t // no rates of the left
	copy(w.along, w.now.along)
	w.evaluate(&w.now, w.t, w.y)
}

// hold turns a motion that nothing holds into an error.
func (w *ConeWalker) hold() error {
	if w.lost < 0 {
		return nil
	}
	return &LossError{Time: float64(w.t), Dof: w.lost}
}

// Walk makes steps to limit and calls visit, if it is not nil, at each.
func (w *ConeWalker) Walk(ctx context.Context, limit Real, visit func() error) error {
	for w.t < limit {
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
