package multibody

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/signal"
)

// Range limits the motion that a joint leaves; ±Inf: not on that side.
type Range struct {
	Turns       bool    // it is that of a turn, else of a way
	Min, Max    float64 // from the start [m, rad]
	Restitution float64
}

// Brake is a force along the motion that a joint leaves, or a moment about it, that has a bound and
// opposes the rate of the motion beside a wanted one: dry friction in the joint, or a motor that is as
// strong as it needs to be, up to its limit.
type Brake struct {
	Name     string        // in files, behind that of the joint
	Force    float64       // its bound F [N, N m]
	Velocity signal.Scalar // ṡ* [m/s, rad/s]; nil: 0
	Position signal.Scalar // s*, in place of a velocity [m, rad]; nil: none
	Recovery float64       // τ of a position [s]
	Bearing  *Bearing      // what the reaction of the joint adds to its bound; nil: nothing
}

// Stop is one side of a [Range], or a [Brake]. With the [Coordinate] s of the joint and its rate ṡ = Gv the gap is
//
//	Φ = L(s − s_min)   or   L(s_max − s),   u_N = ±L G v^α,   0 ≤ u_N ⊥ r ≥ 0,
//
// which is the law of a touch without friction whose normal row of H is ±L Gᵀ, a force along the joint
// or a moment about it that both bodies feel, in place of a force at a point. L is 1 for a way; a turn
// has the unit of length of the model a radian, so that gaps of joints are measured as others are, and
// r/h is a force whose moment is L r/h. All that is known of touches is true of it: it closes by a
// collision at its time, gives back by its restitution, takes part in the steps that follow, and does no
// work in these. In the secant scheme G is that in the middle of the step, as of joints: h G v^α is
// then the change of a way to the letter, as that of a turn beside the ground is where nothing else of
// the step turns the axis; what is left is of third order, and projected.
//
// A brake has that row as a tangential one, and the law of Tresca, Coulomb's of one dimension with a
// given bound, of which h F/L is that of the impulse:
//
//	u_T = L(G v^α − ṡ*),   |r| ≤ hF/L,   −r u_T = hF/L |u_T|;   u_N > 0, r_N = 0.
//
// ṡ* is the mean over the step: the motion of a motor that is strong enough is that of its velocity.
// What it does is r u_T of friction, never positive, and r L ṡ* of a load.
//
// A brake with a position s* wants the rate
//
//	ṡ* − e/τ,  e = s − s*,   whose mean over a step is   (s*(t+h) − s*(t) − e(t)(1 − exp(−h/τ)))/h,
//
// so that as long as its force suffices e decays as exp(−t/τ), exactly at any h, and what began
// at its place stays there: the row is one of the place, and has no drift. The law of the place alone,
// r ∈ −hF Sgn(e)/L, is that of the potential F|e|: it takes no energy, and what has once been away
// from its place, or reaches it with another velocity than ṡ*, swings about it for ever. What such a
// brake does, r L G v^α, is all of a load: a controller wants that rate, and nothing slips on it. That of a screw,
// a force F along it, is the moment λF of its turn. A force that has a bound has no impulse: in collisions there are no brakes.
type Stop struct {
	Coordinate
	Joint       int     // in [Setup]
	Brake       *Brake  // in place of a limit
	Side        float64 // 1: it keeps s above its Limit; −1: below; 0 of a brake
	Limit       float64 // [m, rad]
	Scale       float64 // L [1, m/rad]
	Restitution float64
	grip, slope float64 // of a [Bearing]: what multiplies Σ‖N_i‖ [-, m], τ of a thread
}

// Gap is Φ [m].
func (x *Stop) Gap(s *Snapshot) float64 {
	if x.Brake != nil {
		return 0
	}
	return x.Side * x.Scale * (x.Value(s, 0) - x.Limit)
}

// Touch is the stop number i as a touch at a state: with what is behind the last obstacle.
func (m *Model) stopTouch(i int, s *Snapshot) bodies.Touch {
	x, floor := &m.Stops[i], m.World.Obstacles()+i
	t := bodies.Touch{Key: bodies.TouchKey(x.A, -1, floor, 0), A: x.A, B: -1, Floor: floor, N: vec{1}, Gap: x.Gap(s)}
	p := PoseOf(s.Poses, x.A)
	t.At = vec3.Add(p.Centre, 1, ToSpace(p, x.AtA))
	return t
}

// AppendStops appends the stops of all joints as touches: they are numbered as obstacles are, from
// behind the last of these on, and have no normal in space; its place is that of an axis.
func (m *Model) AppendStops(dst []bodies.Touch, s *Snapshot) []bodies.Touch {
	for i := range m.Stops {
		dst = append(dst, m.stopTouch(i, s))
	}
	return dst
}

// StopOf is the stop that a touch is one of, nil for none.
func (m *Model) StopOf(t *bodies.Touch) *Stop {
	if i := t.Floor - m.World.Obstacles(); i >= 0 && i < len(m.Stops) {
		return &m.Stops[i]
	}
	return nil
}

// StopName names a stop in files.
func (m *Model) StopName(i int) string {
	x := &m.Stops[i]
	j := &m.Setup.Joints[x.Joint]
	name := j.Name
	if name == "" {
		name = fmt.Sprintf("joint %d", x.Joint)
	}
	if !x.Slides && j.Kind == Cylindrical {
		name += " turn"
	}
	if x.Brake != nil {
		return name + " " + x.Brake.Name
	}
	if x.Side < 0 {
		return name + " max"
	}
	return name + " min"
}

// stops makes those of the joints.
func (m *Model) stops() error {
	q, _ := m.World.Start()
	start := &Snapshot{M: m, Poses: m.World.Poses(nil, q), Q: q}
	for i := range m.Setup.Joints {
		j := &m.Setup.Joints[i]
		for k := range j.Ranges {
			r := &j.Ranges[k]
			if err := m.checkRange(j, r); err != nil {
				return &JointError{i, fmt.Errorf("rigid: %s %w", m.JointName(i), err)}
			}
			x := Stop{Coordinate: NewCoordinate(m.World, j, !r.Turns), Joint: i, Scale: 1, Restitution: r.Restitution}
			if !x.Slides {
				x.Scale = m.Unit()
			}
			for _, side := range [2]float64{1, -1} {
				if x.Side, x.Limit = side, r.Min; side < 0 {
					x.Limit = r.Max
				}
				if math.IsInf(x.Limit, 0) {
					continue
				}
				if x.Gap(start) < -m.Unit()*SolvedGap {
					return &JointError{i, fmt.Errorf("rigid: %s starts at 0, outside its limits, %g to %g", m.JointName(i), r.Min, r.Max)}
				}
				m.Stops = append(m.Stops, x)
			}
		}
		for k := range j.Brakes {
			if err := m.brake(i, j, &j.Brakes[k]); err != nil {
				return &JointError{i, fmt.Errorf("rigid: %s %w", m.JointName(i), err)}
			}
		}
	}
	return nil
}

// Along is the row of the joint with the entry g, in the place that it has in a contact: n, t, o.
func (x *Stop) Along(g float64) [3]float64 {
	if x.Brake != nil {
		return [3]float64{1: x.Scale * g}
	}
	return [3]float64{x.Side * x.Scale * g}
}

// Drive is L times the rate that a brake wants at a state, the mean over h from its time t on, or that
// of the instant for h = 0.
func (x *Stop) Drive(t, h float64, s *Snapshot) float64 {
	b := x.Brake
	switch v := b.Velocity; {
	case b.Position != nil:
		return x.Scale * b.chase(x.away(t, s), t, h)
	case v == nil:
		return 0
	case h == 0:
		return x.Scale * v.At(t)
	default:
		return x.Scale * signal.Mean(v, t, t+h)
	}
}

// EndDrive is Drive of the instant at the end of a step of h from a state on, of a brake that its
// force holds in it with one rate. That of a position solves w = ṡ* − e/τ, e = e(t) + hw − Δs*.
func (x *Stop) EndDrive(t, h float64, s *Snapshot) float64 {
	b := x.Brake
	if b.Position == nil {
		return x.Drive(t+h, 0, s)
	}
	left := x.away(t, s) - (b.Position.At(t+h) - b.Position.At(t))
	return x.Scale * (b.Position.Rate(t+h) - left/b.Recovery) / (1 + h/b.Recovery)
}

// away is e at a state.
func (x *Stop) away(t float64, s *Snapshot) float64 {
	place := x.Brake.Position.At(t)
	return x.Value(s, place) - place
}

// chase is the rate towards a position that is e away.
func (b *Brake) chase(e, t, h float64) float64 {
	if h == 0 {
		return b.Position.Rate(t) - e/b.Recovery
	}
	return (b.Position.At(t+h) - b.Position.At(t) + e*math.Expm1(-h/b.Recovery)) / h
}

// drives reports whether a brake is a motor, which turns a screw: its thread bears what is along the axis, see [Bearing].
func (b *Brake) drives() bool { return b.Velocity != nil || b.Position != nil }

// Breaks are the kinks of what a brake wants, see [signal.Breaker].
func (b *Brake) Breaks(dst []float64, t0, t1 float64) []float64 {
	for _, s := range [2]signal.Scalar{b.Velocity, b.Position} {
		if x, ok := s.(signal.Breaker); ok {
			dst = x.Breaks(dst, t0, t1)
		}
	}
	return dst
}

// brake makes a brake of joint i.
func (m *Model) brake(i int, j *Joint, b *Brake) error {
	slides := j.Kind.Slides()
	switch {
	case !slides && j.Kind != Revolute:
		return fmt.Errorf("has a brake, which is of a way along an axis or of a turn about one")
	case !(b.Force >= 0) || math.IsInf(b.Force, 1):
		return fmt.Errorf("has the friction %g, want a number >= 0", b.Force)
	case b.Position != nil && !(b.Recovery > 0):
		return fmt.Errorf("has a motor to a position with the recovery %g s, want a positive number", b.Recovery)
	case !slides && (!m.Bodies[j.A].Spins || j.B >= 0 && !m.Bodies[j.B].Spins):
		return fmt.Errorf("has a brake of a turn, and ties a point, which does not turn")
	}
	x := Stop{Coordinate: NewCoordinate(m.World, j, slides), Joint: i, Scale: 1, Brake: b}
	if !slides {
		x.Scale = m.Unit()
	}
	if j.Kind == Screw && b.drives() {
		x.Lead = j.Numbers["pitch"] / (2 * math.Pi)
	}
	if b.Bearing != nil {
		if err := b.Bearing.check(j, m.Dim); err != nil {
			return err
		}
		x.bear(j)
	}
	m.Stops = append(m.Stops, x)
	return nil
}

// checkRange objects to limits that a joint cannot have.
func (m *Model) checkRange(j *Joint, r *Range) error {
	switch {
	case r.Turns && j.Kind != Revolute && j.Kind != Cylindrical || !r.Turns && !j.Kind.Slides():
		return fmt.Errorf("has limits, which are of a way along an axis or of a turn about one")
	case !(r.Min < r.Max):
		return fmt.Errorf("has limits from %g to %g, want a range", r.Min, r.Max)
	case !(r.Restitution >= 0 && r.Restitution <= 1):
		return fmt.Errorf("has the restitution %g at its limits, want a number from 0 to 1", r.Restitution)
	case r.Turns && m.Dim == 3 && !(r.Max-r.Min < 2*math.Pi):
		return fmt.Errorf("has limits from %g to %g rad, want less than a revolution: a turn in space has no number beyond", r.Min, r.Max)
	case r.Turns && (!m.Bodies[j.A].Spins || j.B >= 0 && !m.Bodies[j.B].Spins):
		return fmt.Errorf("has limits of a turn, and ties a point, which does not turn")
	}
	return nil
}
