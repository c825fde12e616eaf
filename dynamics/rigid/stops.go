package rigid

import (
	"cmp"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Limits of joints are touches, see [multibody.Stop], that are found at any gap: there are few of
// them, and each has one number.

// finder finds the touches of bodies, and the stops of joints.
type finder struct {
	*bodies.Toucher
	model *multibody.Model
	poses []bodies.Pose
	state multibody.Snapshot
	stops []bodies.Touch
}

func newFinder(m *multibody.Model) *finder {
	return &finder{Toucher: m.World.NewToucher(m.Apart), model: m}
}

// stopsAt are the stops at q.
func (f *finder) stopsAt(q []float64) []bodies.Touch {
	f.stops = f.model.AppendStops(f.stops[:0], f.stateAt(q))
	return f.stops
}

// stateAt is the state without velocities at q, until the next one is asked for.
func (f *finder) stateAt(q []float64) *multibody.Snapshot {
	f.poses = f.model.World.Poses(f.poses, q)
	f.state = multibody.Snapshot{M: f.model, Poses: f.poses, Q: q}
	return &f.state
}

// Find is that of the bodies, with the stops.
func (f *finder) Find(dst []bodies.Touch, time float64, q []float64, margin float64) []bodies.Touch {
	dst = f.Toucher.Find(dst, time, q, margin)
	if len(f.model.Stops) == 0 {
		return dst
	}
	dst = append(dst, f.stopsAt(q)...)
	slices.SortFunc(dst, func(a, b bodies.Touch) int { return cmp.Compare(a.Key, b.Key) })
	return dst
}

// Again is that of the bodies, or the one of a stop.
func (f *finder) Again(dst []bodies.Touch, time float64, q []float64, x *bodies.Touch) []bodies.Touch {
	if f.model.StopOf(x) == nil {
		return f.Toucher.Again(dst, time, q, x)
	}
	return append(dst, f.stopsAt(q)[x.Floor-f.model.World.Obstacles()])
}

// stopRows appends the rows of a stop: one is that of its joint, the normal one of a limit and the
// first tangential one of a brake, and the others are zero.
func (s *assembly) stopRows(x *multibody.Stop) {
	row := func(body int, ofB bool) {
		p, b := &s.p, &s.model.Bodies[body]
		at := len(p.h)
		for _, g := range x.Row(s.model, s.rowPoses, ofB) {
			row := x.Along(g)
			p.h = append(p.h, row[:p.dim]...)
		}
		p.part = append(p.part, part{s.model.Home[body], b.Slot, b.V, b.Local, b.N, at})
	}
	if row(x.A, false); x.B >= 0 {
		row(x.B, true)
	}
}

// stopRate is u_N of a stop, or Lṡ of a brake as u_T, by the velocities w where the step begins.
func (s *motion) stopRate(x *multibody.Stop, w []float64) [3]float64 {
	return x.Along(x.Rate(s.model, s.poses, w))
}

// brakeOf is the brake that a touch is one of, nil for none.
func (s *motion) brakeOf(t *bodies.Touch) *multibody.Stop {
	if x := s.model.StopOf(t); x != nil && x.Brake != nil {
		return x
	}
	return nil
}

// brakeSpeed is the velocity that a brake wants, as that of an obstacle at the touch: of the end of the
// step where it has α = 1 in place of a smaller one, and of the instant in what rounding leaves of it.
func (s *drives) brakeSpeed(i int, x *multibody.Stop, h float64) vec {
	if h < shortDrive*s.step.H {
		h = 0
	}
	u := x.Drive(s.t, h, &s.snap)
	if h > 0 && s.ends {
		u = x.EndDrive(s.t, h, &s.snap)
	}
	if turn := h * u / x.Scale; h > 0 && x.Brake.Position != nil && !x.Slides && s.o.Scheme == Secant && math.Abs(turn) < 1 {
		u = x.Scale * math.Tan(turn/2) / (h / 2) // of the rate ω a step makes the turn 2 atan(hω/2)
	}
	return vec3.Scale(s.marks[i].frame[1], u)
}

// brakeLaw is that of the brake at touch i in a step.
func (s *assembly) brakeLaw(i int) contact.Law {
	return contact.Tresca{Threshold: s.brakeBound(i, s.frictionSpan)}
}

// brakeBound is hF/L of the brake at touch i, with what its bearing adds.
func (s *contactSet) brakeBound(i int, h float64) float64 {
	x := s.model.StopOf(&s.touches[i])
	return h * (x.Brake.Force/x.Scale + s.marks[i].bearing)
}

// frictionBound is the most that the friction of touch i may give in its last step [N s].
func (s *contactSet) frictionBound(i int) float64 {
	m := &s.marks[i]
	if s.brakeOf(&s.touches[i]) != nil {
		return s.brakeBound(i, m.h)
	}
	return m.mu * m.pressed()
}

// brakeState is that of the brake at touch i by its impulse in h and its slip [m/s]; one without a bound is
// none.
func (s *contactSet) brakeState(i int, h, slip float64) ContactState {
	bound := s.brakeBound(i, h)
	switch {
	case bound == 0:
		return Active
	case onBound(math.Abs(s.marks[i].r[1]), bound) && slip > s.pace*slides:
		return Slip
	}
	return Stick
}

// turnsBack returns the share of a step at which a stop is met that it has left again at its end: its
// rate is linear along the step, and its gap least where that is zero.
func (s *detection) turnsBack(t *bodies.Touch, h float64) (share float64, ok bool) {
	x := s.model.StopOf(t)
	if x == nil {
		return 0, false
	}
	before, after := s.stopRate(x, s.v)[0], s.stopRate(x, s.vEnd)[0]
	after = before + 2*s.gamma*(after-before)
	if !(before < 0 && after > 0) {
		return 0, false
	}
	low := before / (before - after)
	at := *t
	first, least := s.gapAt(&at, h, 0), s.gapAt(&at, h, low)
	if !(first > 0 && least < -s.unit*touchGap) || math.IsNaN(least) {
		return 0, false
	}
	return s.rootIn(&at, h, 0, low, first, least), true
}

// pushStop adds f times what a stop does to its bodies by its impulse r to the impulses on them.
func (s *sleeping) pushStop(x *multibody.Stop, r vec, f float64) {
	row := func(body int, ofB bool) {
		for k, g := range x.Row(s.model, s.poses, ofB) {
			s.rest.push[s.model.Bodies[body].V+k] += f * vec3.Dot(r, x.Along(g))
		}
	}
	if row(x.A, false); x.B >= 0 {
		row(x.B, true)
	}
}
