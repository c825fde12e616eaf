package multibody

import (
	"math"

	"github.com/quasistatic/quasistatic/signal"
)

// Motor drives the motion that a joint leaves, a turn about its axis or a way along it, by
//
//	T = min(L, max(−L, k(s* − s) + g(v* − ṡ)))   to a place s* and a velocity v*, or   T = F,
//
// on A and against it on B; a turn in space that has no range goes to s* the shorter way. What it does is the work of a load. Where it is not at its limit it is
// taken as springs and dampers are, by its derivatives; whether it is, in a step, says the mean velocity of
// that, see [Snapshot].Limits: by the velocity before it a motor of a large gain would brake for a whole step
// what is a little too fast.
type Motor struct {
	Coordinate
	Position  signal.Scalar // s*, from the start [m, rad]; nil: none
	Stiffness float64       // k [N/m, N m]
	Velocity  signal.Scalar // v*; nil: 0
	Gain      float64       // g [N s/m, N m s]
	Limit     float64       // L [N, N m]; 0: none
	Given     signal.Scalar // F [N, N m], in place of the three before; nil: none
}

var _ Averaged = (*Motor)(nil)

// Bodies implements [Force].
func (p *Motor) Bodies() []int { return pairOf(p.A, p.B) }

// mean is that of a signal from t to t + h.
func mean(s signal.Scalar, t, h float64) float64 {
	switch {
	case s == nil:
		return 0
	case h == 0:
		return s.At(t)
	}
	return signal.Mean(s, t, t+h)
}

// drive returns T at the velocity ṡ, in the mean from t to t + h, and whether it is at its limit.
func (p *Motor) drive(rate, t, h float64, s *Snapshot) (force float64, limited bool) {
	if p.Given != nil {
		return mean(p.Given, t, h), true
	}
	force = p.wanted(rate, 0, t, h, s)
	side, known := s.Limits[p]
	if !known {
		side = p.side(force)
	}
	if side != 0 {
		return math.Copysign(p.Limit, float64(side)), true
	}
	return force, false
}

// wanted is the force without a limit, at a place that is beyond the present one by a way.
func (p *Motor) wanted(rate, ahead, t, h float64, s *Snapshot) float64 {
	force := p.Gain * (mean(p.Velocity, t, h) - rate)
	if p.Position != nil {
		place := mean(p.Position, t, h)
		force += p.Stiffness * (place - p.Value(s, place) - ahead)
	}
	return force
}

// side is at which of its limits the motor is that wants a force: 1 or −1, 0 at none.
func (p *Motor) side(force float64) int {
	switch {
	case !(p.Limit > 0) || math.Abs(force) <= p.Limit:
		return 0
	case force < 0:
		return -1
	}
	return 1
}

// Side is at which of its limits the motor is in a step of h, whose mean velocity is w and leads to the
// place of its mean within a time.
func (p *Motor) Side(w []float64, time, t, h float64, s *Snapshot) int {
	if p.Given != nil {
		return 0
	}
	rate := p.Rate(s.M, s.Poses, w)
	return p.side(p.wanted(rate, time*rate, t, h, s))
}

// Force implements [Force].
func (p *Motor) Force(f []float64, t float64, s *Snapshot) { p.MeanForce(f, t, 0, s) }

// MeanForce implements [Averaged].
func (p *Motor) MeanForce(f []float64, t, h float64, s *Snapshot) {
	row, at := p.row(s.M, s.Poses)
	force, _ := p.drive(p.rate(&row, at, s.M, s.V), t, h, s)
	for i := range f {
		f[i] += force * row[i]
	}
}

// Jacobian implements [Force]: k_q = −k G ⊗ G and k_v = −g G ⊗ G below the limit. The axis turns with
// the joint.
func (p *Motor) Jacobian(kq, kv []float64, t float64, s *Snapshot) {
	row, at := p.row(s.M, s.Poses)
	if _, limited := p.drive(p.rate(&row, at, s.M, s.V), t, 0, s); limited {
		return
	}
	n := at
	if p.B >= 0 {
		n += s.M.Bodies[p.B].N
	}
	for i := range n {
		for j := range n {
			kq[i*n+j] -= p.Stiffness * row[i] * row[j]
			kv[i*n+j] -= p.Gain * row[i] * row[j]
		}
	}
}

// Energy implements [Force]: it has no potential.
func (p *Motor) Energy(*Snapshot) float64 { return 0 }
