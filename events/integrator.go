package events

import (
	"fmt"
	"slices"
)

// Integrator integrates an evolution from event to event. Not safe for concurrent use.
type Integrator[T Number[T]] struct {
	form   *Form[T]
	breaks []T // that are left
	smooth bool
	system[T]
	present[T]
	cornerStates[T]
	balance[T]
	changes[T]
	// Speed is the largest ‖q̇‖ met [m/s]: at the nodes, and where loads are smooth at
	// five points of each sample.
	Speed float64
	// Pieces counts factorisations.
	Pieces int
	// Curved: the force of a corner was met that turns along its one face. Where it slips the
	// evolution is integrated, by steps whose errors are 1e-12 of the loads, in which no direction
	// turns by more than Turn [rad]; 0: 0.05.
	Curved bool
	Turn   float64 // largest angle of a step [rad]
	// Indefinite: a piece was met whose matrix is not positive definite, so that the
	// rate problem may have other solutions.
	Indefinite bool
}

// system is the linear system of a piece.
type system[T Number[T]] struct {
	owner  []int
	order  []int
	place  []int // in the matrix, −1: fixed
	fixed  []bool
	active []int
	first  []int
	lu     skyline[T]
	rhs    []T
	lost   int // dof that nothing holds, −1: none
}

// present is the state at the present time.
type present[T Number[T]] struct {
	t           T
	end         float64 // of the piece in which roots are looked for
	c           T
	q, f, r     []T // state, loads, reactions
	v, df, dr   []T // their rates
	size, dsize []float64
	regime      []Regime
	list        []condition
}

// cornerStates are those of the corners.
type cornerStates[T Number[T]] struct {
	corners  []cornerMode[T]
	load     float64   // largest met [N]
	cornerAt []int     // corner of a dof, −1: none; nil: no dof is one's
	turning  bool      // the force of a corner turns along its one face
	curve    *curve[T] // of corners that slip there; nil: none did
}

// balance is that of the energies, and the node before.
type balance[T Number[T]] struct {
	dissipation, work, energy0 T
	qPrev, rPrev, fPrev        []T
	cPrev                      T
}

// changes are the events at the present time.
type changes[T any] struct {
	changed []Event[T]
	before  []Regime // of the piece before the present time
	idle    int      // events without a step between
}

// A UnstableError is a start that violates (N3).
type UnstableError struct {
	Contact, Dof int     // −1: none
	Force        float64 // that nothing holds [N]
}

// Error implements error.
func (e *UnstableError) Error() string {
	return fmt.Sprintf("events: the start is not stable, (N3): %.6g N at dof %d are held by nothing", e.Force, e.Dof)
}

// A LossError is the end of equilibrium: a motion that nothing holds.
type LossError struct {
	Time float64 // [s]
	Dof  int     // of the motion
	// Motion is, of a corner, the motion along its three dofs, of which Dof is the first.
	Motion [3]float64
}

// Error implements error.
func (e *LossError) Error() string {
	return fmt.Sprintf("events: no equilibrium beyond t=%.15g: nothing holds dof %d", e.Time, e.Dof)
}

// A RateError is a time at which the rate problem has no solution that was found: where
// (N4) fails the evolution may jump.
type RateError struct {
	Time      float64 // [s]
	Contact   int     // whose rate is not found
	Undecided int     // contacts at a bound
	None      bool    // all combinations were tried: there is no solution
}

// Error implements error.
func (e *RateError) Error() string {
	what := "pivots found no solution of the rate problem"
	if e.None {
		what = "the rate problem has no solution"
	}
	return fmt.Sprintf("events: at t=%.15g %s of %d contacts at a bound, first contact %d: (N4) fails, and the evolution may jump",
		e.Time, what, e.Undecided, e.Contact)
}

// Time returns the present time [s].
func (w *Integrator[T]) Time() T { return w.t }

// Q returns the displacement from the start [m]; it belongs to the integrator.
func (w *Integrator[T]) Q() []T { return w.q }

// Reaction returns DE(t, z) [N]; it belongs to the integrator.
func (w *Integrator[T]) Reaction() []T { return w.r }

// Rate returns the right derivative of Q [m/s]; it belongs to the integrator.
func (w *Integrator[T]) Rate() []T { return w.v }

// Regimes are those of the piece that follows the present time.
func (w *Integrator[T]) Regimes() []Regime { return w.regime }

// Changes returns the events at the present time: contacts whose regime after it differs
// from that before. It belongs to the integrator.
func (w *Integrator[T]) Changes() []Event[T] {
	w.changed = w.changed[:0]
	for k, r := range w.regime {
		if r != w.before[k] {
			w.changed = append(w.changed, Event[T]{w.t, k, w.before[k], r})
		}
	}
	return w.changed
}

// Dissipation returns ∫ Ψ(ż) dt so far [J].
func (w *Integrator[T]) Dissipation() T { return w.dissipation }

// Work returns ∫ ∂tE dt so far [J].
func (w *Integrator[T]) Work() T { return w.work }

// Energy returns E(t, q) = ½q·(r − f) + c [J].
func (w *Integrator[T]) Energy() T {
	var twice T
	for i, q := range w.q {
		twice = twice.Add(q.Mul(w.r[i].Sub(w.f[i])))
	}
	return twice.Quo(twice.Of(2)).Add(w.c)
}

// Balance returns E + D − E(0) − W, the residual of (E) [J].
func (w *Integrator[T]) Balance() T {
	return w.Energy().Add(w.dissipation).Sub(w.energy0).Sub(w.work)
}

// slack returns a_s = μ r_n + s r_t: what friction holds more against slip in direction s.
func (w *Integrator[T]) slack(k, s int) T { return slack(w.form.Contacts[k], w.r, s) }

func slack[T Number[T]](c Contact[T], r []T, s int) T {
	bound := c.Mu.Mul(r[c.N])
	if s > 0 {
		return bound.Add(r[c.T])
	}
	return bound.Sub(r[c.T])
}

// Fastest returns Speed [m/s].
func (w *Integrator[T]) Fastest() float64 { return w.Speed }

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
	slipRate             // ±q̇_t, slipping
	// −n·d of a face that is touched and bears nothing, d what others do not bear
	adjacent
	cone // μσ − |d| of a corner that sticks on one face and whose force turns
)

// rounding is what one sum may be off by, relative to what it adds up: tens of sums of
// sums.
const rounding = 1e-13

// timeRounding is what a time is rounded by, in parts of rounding: what changes at a rate is off by
// that of it.
const timeRounding = 0x1p-53 / rounding

// certain returns the sign of a number that is rounded like one of the given size.
func certain[T Number[T]](v T, size float64) int {
	if !v.Exact() && abs(v.Float()) <= rounding*size {
		return 0
	}
	return v.Sign()
}

// boundary is how much more than rounding of one sum a value at its bound may be off:
// states are solutions of systems.
const boundary = 10

// cornerMode is what a corner does in a walk: it rests or slips on a support, or is in the air.
type cornerMode[T Number[T]] struct {
	*Corner[T]
	unit     int // its number in conditions, after those of contacts
	first    int // contact of its first face
	supports []support[T]
	guesses  [][][3]T // directions of each face along which corners most often slip

	at   int  // of the supports
	slip int  // −1, 0 or 1 along axis
	axis [3]T // of the edge, or of the force along the one face; 0: there is none
	side [3]T // across axis along the one face
	// there is a force along the one face, and no axis: it turns, or its direction is not rational
	lost bool
	ways []way[T]

	unbalanced bool    // it met a face and no support was found that bears the force
	reach      float64 // largest |q_i| met [m]: what heights are rounded of
}

// way is a motion of a corner, and the combination of the equations of its dofs that holds along
// it.
type way[T Number[T]] struct{ motion, test [3]T }

// A TurnError is a contact whose force turns along its obstacle, so that it has no one direction of
// slip: its evolution is not piecewise linear, and no walk in ratios of integers.
type TurnError struct {
	Time    float64 // at which it begins to turn [s]
	Contact int     // by number
}

// Error implements error.
func (e *TurnError) Error() string {
	return fmt.Sprintf("events: at t=%.15g the force along the obstacle of contact %d turns, so that there is no one direction of slip",
		e.Time, e.Contact)
}

// cornered reports whether a dof is one of a corner.
func (w *Integrator[T]) cornered(i int) bool { return w.cornerAt != nil && w.cornerAt[i] >= 0 }

// cornerOf returns the corner of a unit, nil for that of a contact.
func (w *Integrator[T]) cornerOf(unit int) *cornerMode[T] {
	if k := unit - len(w.form.Contacts); k >= 0 {
		return &w.corners[k]
	}
	return nil
}

// faceOf returns the corner and the face of a contact, nil for one that is no corner's.
func (w *Integrator[T]) faceOf(contact int) (*cornerMode[T], int) {
	k, at := slices.BinarySearchFunc(w.corners, contact, func(s cornerMode[T], contact int) int { return s.first - contact })
	if !at {
		k--
	}
	if k < 0 || contact-w.corners[k].first >= len(w.corners[k].Faces) {
		return nil, 0
	}
	return &w.corners[k], contact - w.corners[k].first
}

// curve is a piece along which a corner slips on one face and its force turns: r = σn + d there,
// and the motion has the direction
//
//	q̇ = λe,  e = −d/|d|,  d/dt(|d| − μσ) = 0
//
// so that the velocities of all solve one linear system at each state: a differential equation of
// all dofs, and of dissipation and work. Each step is one by extrapolation, its end put back onto
// the conditions of the regimes by a Newton step.
type curve[T Number[T]] struct {
	ode   *extrapolation
	y     []Real // q, D and −∫ ḟ·q at the start of the step; of a [Dual], then their derivatives
	next  []Real // at its end
	off   []Real // the error of it
	h     float64
	begun bool // rates at the start are known

	t     T
	q, r  []T
	axes  [][3]T
	lasts struct{ dissipation, work T }

	step float64 // what the next one is tried with; 0: none is known
	// when a corner last began to slip where nothing pressed it before; −1: long ago
	tipTime   float64
	eulerStep bool    // the step is one of Euler, see euler
	blur      float64 // how long after tipTime forces have no direction, as times are rounded [s]
	reach     []float64
	bend      float64 // size of the derivatives met, of a [Dual] [N]
}

// point is a condition at a time.
type point struct {
	t, value, rate, size float64
}
