package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Step is what one step did.
type Step struct {
	Index int
	T, H  float64   // at the end [s]; its length
	Q, V  []float64 // valid until the next step
	Alpha []float64 // v^{l,α}, or v⁺ after a collision at the end of the step (4.9)

	Open, Stick, Slip int  // touches near without force, with force
	Rest              Rest // of the last part of the step
	Collisions        []Collision
	Impulses          []Impulse         // of the contacts that pushed or adhered; none of a step with collisions or cuts
	Instants          []Instant         // where it is cut, before and after each collision; see [Options.Instants]
	Cuts              []Cut             // what failed and was done again
	Changes           []dynamics.Change // of contacts, between parts of the step
	Mode              Mode              // of its last part
	Energy            Energy
	Drift             float64  // largest |Θ| at the end [m, rad]
	Correction        float64  // largest |Θ| before the projection
	Penetration       float64  // largest −Φ at the end [m]
	Residual          float64  // largest merit of the contact problems, but for Inexact ones
	Inexact           Inexact  // problems of bodies that move, or jam
	Solves            int      // contact problems
	Stalled           int      // of them, solved to Options.Accept only
	Iterations        int      // of their solvers, all in all …
	Hardest           int      // … and the most of them for one problem of one island
	Dependent         []string // joints with rows that say nothing new
	Painleve          int      // sliding contacts whose push pulls: W_NN − μW_NT·t ≤ 0
	Weakening         float64  // from 1 on friction falls so steeply with speed that a step has several solutions, see friction
	Pointed           Pointedness
	ConeBound         float64    // of c_FC in (3.3) where contacts have changed, see [Stepper.Cone], else 0; +Inf unless pointed
	Variation         [2]float64 // of v and of v^{l,α} since the start, Σ‖Δ‖
}

// Instant is a state within a step, or at its end before an impact there.
type Instant struct {
	T       float64   // [s]
	Q, V    []float64 // as in [Step]
	Kinetic float64   // [J]
	Taken   float64   // by friction, dampers and impacts so far [J]
}

// instant records the present place with velocities v.
func (s *accounts) instant(v []float64) {
	if !s.o.Instants {
		return
	}
	list := s.step.Instants
	n := len(list)
	list = slices.Grow(list, 1)[:n+1]
	x := &list[n]
	x.T, x.Q, x.V, x.Kinetic = s.t, append(x.Q[:0], s.q...), append(x.V[:0], v...), s.kinetic(v)
	x.Taken = s.ledger.Taken()
	s.step.Instants = list
}

// copyInstants overwrites dst by a list, in its memory.
func copyInstants(dst, list []Instant) []Instant {
	dst = slices.Grow(dst[:0], len(list))[:len(list)]
	for i := range list {
		x, y := &dst[i], &list[i]
		x.T, x.Q, x.V, x.Kinetic, x.Taken = y.T, append(x.Q[:0], y.Q...), append(x.V[:0], y.V...), y.Kinetic, y.Taken
	}
	return dst
}

// Inexact is what the contact problems of bodies that move have left, which are solved to the error
// of the step, see inexactShare, and those of faces that no method solves to Options.Accept, see
// facesMost.
type Inexact struct {
	Solves   int
	Many     int     // of these, of so many contacts that their limits are wider, see limits
	Residual float64 // largest merit
	Speed    float64 // largest residual of a contact [m/s] …
	Share    float64 // … and over what the forces of the step give its bodies, or less, see V in inexactShare
	Given    float64 // energy that contacts gave by it, of faces beyond what Options.Accept would leave …
	Taken    float64 // … and that friction took in these problems [J]
}

// add takes what others have left.
func (l *Inexact) add(x *Inexact) {
	l.Solves, l.Many, l.Given, l.Taken = l.Solves+x.Solves, l.Many+x.Many, l.Given+x.Given, l.Taken+x.Taken
	l.Residual, l.Speed, l.Share = max(l.Residual, x.Residual), max(l.Speed, x.Speed), max(l.Share, x.Share)
}

// Collision is one compression.
type Collision struct {
	T     float64 // t* [s]
	A, B  int     // of the contact that was found first; B −1−f for half-space f
	Speed float64 // approach before [m/s]
	// Impulse is (n, t, o) of that contact [N s].
	Impulse [3]float64
	Loss    float64 // of kinetic energy [J]
	Before  float64 // kinetic energy before it [J]
	// Withheld is the share of the restitution that was left out, since all of it would have made
	// energy, in the island where it is largest [-].
	Withheld float64
	// Ambiguous: contacts of several pairs rebound at once, so that the outcome is that of the law
	// of impact, see [Impact].
	Ambiguous bool
	// Narrow is the least gap below a micrometre that keeps a contact of another pair out of this
	// collision, which it would rebound in with a body of it if it were closed: the outcome hangs
	// on it [m]. 0: there is none.
	Narrow float64
	After  []float64 // velocities of body A after it [m/s, rad/s]
}

// Gain is the kinetic energy that the collision has produced [J], 0 where it only took some: up to
// a billionth of that before it, the rounding of a solve to Options.Tolerance.
func (c *Collision) Gain() float64 {
	if -c.Loss > 1e-9*c.Before {
		return -c.Loss
	}
	return 0
}

// finish closes the records of a step.
func (s *Stepper) finish(h float64) {
	s.step.Index++
	s.step.H = h
	s.lately[0].endStep(len(s.step.Collisions))
	for i := range s.step.Collisions {
		x := &s.step.Collisions[i]
		s.step.Changes = append(s.step.Changes, dynamics.Change{Contact: HitOf(x.A, x.B), To: Hit, T: x.T, At: true, Part: x.A})
	}
	s.countRest()
	s.vary()
	s.report()
}

func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// report fills what is known of the present state.
func (s *Stepper) report() {
	p := &s.step
	p.T, p.Q, p.V, p.Alpha = s.t, s.q, s.v, s.w
	p.Variation = s.variation
	p.Drift = s.drift()
	p.Penetration = s.deepest()
	s.settle()
	p.Energy = s.ledger
	for c := range s.inv {
		for _, r := range s.inv[c].Gone {
			name := s.model.JointName(s.model.Rows[s.model.Components[c].Rows[r]].Joint)
			if n := len(p.Dependent); n == 0 || p.Dependent[n-1] != name {
				p.Dependent = append(p.Dependent, name)
			}
		}
	}
}

// record notes the impulses of a step, also those of no size of what adheres: by these it is told from
// what has come loose.
func (s *Stepper) record() {
	for i := range s.marks {
		m := &s.marks[i]
		if m.r == (vec{}) && m.moment == (vec{}) && m.pull == 0 {
			continue
		}
		x := Impulse{Key: s.touches[i].Key, State: s.stateOfAge(i)}
		for d, r := range m.r {
			x.On = vec3.Add(x.On, r, m.frame[d])
		}
		x.Moment = s.coupleOf(m, 1)
		s.step.Impulses = append(s.step.Impulses, x)
	}
}

// Energy returns the ledger at the present state.
func (s *Stepper) Energy() Energy {
	s.settle()
	return s.ledger
}

// Deepest returns the largest penetration at the present state [m] and its touch.
func (s *Stepper) Deepest() (depth float64, key uint64) {
	for i := range s.touches {
		if d := -s.touches[i].Gap; d > depth {
			depth, key = d, s.touches[i].Key
		}
	}
	return depth, key
}
