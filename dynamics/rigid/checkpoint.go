package rigid

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics"
)

// Checkpoint is everything that the next steps of a [Stepper] depend on: one of the same model and
// options that loads it goes on to the same bits. Touches follow from Q; Memory is what the scheme
// remembers of them.
type Checkpoint struct {
	Index      int
	T          float64
	Lost       float64   // of T by rounding [s]
	Q, V, W    []float64 // W is v^{l,α}
	Joint      []float64 // Gᵀc of the last part of the step [N s]
	Pull       []float64 // c/h of the last part of the step, by the rows of the joints
	Memory     []TouchMemory
	Chattering []uint64 // pairs that chattered in the last step
	Ledger     Energy
	Travel     []float64  // ∫v^γ dt since the start [m, rad]
	Worth      Worth      // what the verdict knows
	Start      [2]float64 // energies at the start [J]; an array keeps the sign of zero
	// Variation of v and of v^{l,α}; Started: the latter has begun.
	Variation [2]float64
	Started   bool
	Keys      []uint64 // of the active set whose cone was last tested
	Pointed   Pointedness
	Tested    bool      // the cone has been
	Opening   []float64 // the motion that opens its contacts
	Pairs     []dynamics.Pair
	Timing    timing
	Lately    [2]partForces
}

// TouchMemory is what the scheme remembers of a touch.
type TouchMemory struct {
	Key                              uint64
	Active, Was, Loaded, Left, Slept bool
	Frame                            [9]float64 // n, t, o
	Impulse                          [3]float64 // in the frame [N s]
	H                                float64    // of the step that it belongs to [s]
	Mu                               float64    // that bounded it [-]
	State                            ContactState
	Moment                           [3]float64 // about the frame, or e_z [N m s]
	Pull                             float64    // [N s]
	Turns                            [2]bool
	Theta                            float64    // [s]
	Bearing                          float64    // [N]
	Slip                             [2]float64 // see line [m/s]
	Bent, Loose                      bool
	Lag                              [3]float64 // [m/s]
	Lags                             bool
}

// Save stores the present state; the slices of dst are reused.
func (s *Stepper) Save(dst *Checkpoint) {
	dst.Index, dst.T, dst.Lost, dst.Ledger, dst.Start = s.step.Index, s.t, s.lost, s.ledger, s.ledger.start
	dst.Q, dst.V, dst.W = append(dst.Q[:0], s.q...), append(dst.V[:0], s.v...), append(dst.W[:0], s.w...)
	dst.Joint, dst.Pull = append(dst.Joint[:0], s.joint...), append(dst.Pull[:0], s.pull...)
	dst.Travel, dst.Worth = append(dst.Travel[:0], s.travel...), s.worth.copied(dst.Worth)
	dst.Variation, dst.Started = s.variation, s.started
	dst.Keys, dst.Pointed = append(dst.Keys[:0], s.keys...), s.pointed
	dst.Tested, dst.Pairs = s.tested, s.pairs.List
	dst.Opening = append(dst.Opening[:0], s.opening...)
	s.timing.copyTo(&dst.Timing)
	for k := range s.lately {
		dst.Lately[k] = s.lately[k].copied(dst.Lately[k])
	}
	dst.Chattering = s.chattering(dst.Chattering[:0])
	dst.Memory = dst.Memory[:0]
	for i := range s.marks {
		m := &s.marks[i]
		if m.speculative { // a step finds it again
			continue
		}
		k := TouchMemory{Key: s.touches[i].Key, Active: m.active, Was: m.was, Loaded: m.loaded, Left: m.left,
			Slept: m.slept, Impulse: m.r, H: m.h, Mu: m.mu, State: m.state, Moment: m.moment, Pull: m.pull,
			Turns: m.turns, Theta: m.theta, Bearing: m.bearing, Slip: m.line.slip, Bent: m.line.bent,
			Loose: m.line.loose, Lag: m.lag, Lags: m.lags}
		for d, v := range m.frame {
			copy(k.Frame[3*d:], v[:])
		}
		dst.Memory = append(dst.Memory, k)
	}
}

// Load continues from a checkpoint. It fails for one of another model.
func (s *Stepper) Load(src *Checkpoint) error {
	if len(src.Q) != len(s.q) || len(src.V) != len(s.v) || len(src.W) != len(s.v) || len(src.Joint) != len(s.joint) ||
		len(src.Pull) != len(s.pull) || len(src.Travel) != len(s.travel) ||
		!src.Worth.fits(len(s.model.Bodies), len(s.model.Setup.Forces)) {
		return fmt.Errorf("rigid: the checkpoint has %d coordinates and %d velocities, want %d and %d", len(src.Q),
			len(src.V), len(s.q), len(s.v))
	}
	s.t, s.lost, s.variation, s.started, s.pointed = src.T, src.Lost, src.Variation, src.Started, src.Pointed
	copy(s.q, src.Q)
	copy(s.v, src.V)
	copy(s.shift, src.V) // the variations go on from here
	copy(s.w, src.W)
	copy(s.wLast, src.W)
	copy(s.joint, src.Joint)
	copy(s.pull, src.Pull)
	copy(s.travel, src.Travel)
	s.keys = append(s.keys[:0], src.Keys...)
	copy(s.opening, src.Opening)
	s.tested = src.Tested
	src.Timing.copyTo(&s.timing)
	for k := range s.lately {
		s.lately[k] = src.Lately[k].copied(s.lately[k])
	}
	s.step = Step{Index: src.Index}
	clear(s.hits)
	for _, pair := range src.Chattering {
		s.hits[pair] = chatter{settled: true}
	}
	s.detectAnew()
	if err := s.recall(src.Memory); err != nil {
		return err
	}
	if err := s.prepare(terms{}); err != nil {
		return err
	}
	s.report()
	s.ledger = src.Ledger
	s.ledger.start = src.Start
	s.step.Energy = s.ledger
	s.worth = src.Worth.copied(s.worth)
	s.pairs.Restore(src.Pairs)
	return nil
}

// recall gives the touches at the present state their memory.
func (s *Stepper) recall(memory []TouchMemory) error {
	if len(memory) != len(s.touches) {
		return fmt.Errorf("rigid: the checkpoint has %d touches, its state %d", len(memory), len(s.touches))
	}
	for i := range memory {
		k := &memory[i]
		if k.Key != s.touches[i].Key {
			return fmt.Errorf("rigid: touch %d of the checkpoint is %#x, that of its state %#x", i, k.Key, s.touches[i].Key)
		}
		m := mark{active: k.Active, was: k.Was, loaded: k.Loaded, left: k.Left, slept: k.Slept, r: k.Impulse, h: k.H,
			mu: k.Mu, state: k.State, moment: k.Moment, pull: k.Pull, turns: k.Turns, theta: k.Theta,
			bearing: k.Bearing, line: line{k.Slip, k.Bent, k.Loose}, lag: k.Lag, lags: k.Lags}
		for d := range m.frame {
			copy(m.frame[d][:], k.Frame[3*d:])
		}
		s.marks[i] = m
	}
	s.cling()
	return nil
}
