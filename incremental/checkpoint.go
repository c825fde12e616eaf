package incremental

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
)

// Checkpoint is everything that the next steps of a [Stepper] depend on: a
// stepper of the same system and options that loads it goes on to the same bits.
type Checkpoint struct {
	T         float64        `json:"t"`         // time [s]
	Z         []float64      `json:"z"`         // state, local coordinates
	States    []ContactState `json:"states"`    // by contact
	Switching []bool         `json:"switching"` // membership of I_s
	Forces    []float64      `json:"forces"`    // sizes met, by island
	WarmStart
	// Condensed is the start of the problem condensed onto the contacts, where it is.
	Condensed contact.CondensedState `json:"condensed"`
	// The node before, where an obstacle beside another moves.
	TBefore float64   `json:"t_before,omitempty"` // its time [s]
	Before  []float64 `json:"before,omitempty"`   // its state
	// Slipped is how far contacts have slipped, where friction remembers that [m].
	Slipped []float64 `json:"slipped,omitempty"`
}

// WarmStart is the point from which the next solve of a [Minimiser] starts.
type WarmStart struct {
	V []float64 `json:"v"` // last displacement …
	R []float64 `json:"r"` // … and reactions
	// Held are the reactions of the last step, which turn with curved obstacles beside others.
	Held []float64 `json:"held,omitempty"`
	// Floors are sizes of forces by island, by which Coulomb's law of the next step is solved first.
	Floors []float64 `json:"floors,omitempty"`
}

// SaveStart stores the point from which the next solve starts; the slices of dst are reused.
func (m *Minimiser) SaveStart(dst *WarmStart) {
	dst.V, dst.R = m.last(dst.V, dst.R)
	if dst.Held = dst.Held[:0]; len(m.sys.Bent()) > 0 {
		dst.Held = append(dst.Held, m.res.R...)
	}
	if dst.Floors = dst.Floors[:0]; m.onContacts() != nil {
		dst.Floors = append(dst.Floors, m.floors...)
	}
}

// LoadStart lets the next solve start where SaveStart says, at a time t and a state z. It fails for
// a point of another system.
func (m *Minimiser) LoadStart(t float64, z []float64, src *WarmStart) error {
	if len(src.V) != 0 && len(src.V) != len(m.v) || len(src.R) > len(m.res.R) || len(src.Floors) != 0 && len(src.Floors) != len(m.floors) {
		return fmt.Errorf("incremental: the solve started from %d coordinates, %d forces and %d islands, want %d, %d and %d",
			len(src.V), len(src.R), len(src.Floors), len(m.v), len(m.res.R), len(m.floors))
	}
	m.bend(t, z, z, make([]float64, len(z)))
	m.warmStart(t, z, src.V, src.R)
	if len(src.Held) == len(m.res.R) {
		copy(m.res.R, src.Held)
	}
	copy(m.floors, src.Floors)
	return nil
}

// Save stores the present state; the slices of dst are reused.
func (s *Stepper) Save(dst *Checkpoint) {
	dst.T = s.t
	dst.Forces = append(dst.Forces[:0], s.scales.Force...)
	dst.Z = append(dst.Z[:0], s.z...)
	dst.Slipped = s.Slips()
	dst.States = append(dst.States[:0], s.state...)
	dst.Switching = append(dst.Switching[:0], s.switching...)
	s.min.SaveStart(&dst.WarmStart)
	s.min.SaveCondensed(&dst.Condensed)
	dst.TBefore, dst.Before = 0, dst.Before[:0]
	if len(s.psi.System.Bent()) > 0 && s.before.Z != nil {
		dst.TBefore, dst.Before = s.before.T, append(dst.Before, s.before.Z...)
	}
}

// Load continues from a checkpoint. It fails for one of another system.
func (s *Stepper) Load(src *Checkpoint) error {
	np, nc := s.psi.System.N(), len(s.state)
	if len(src.Z) != 3*np || len(src.States) != nc || len(src.Switching) != nc ||
		(len(src.V) != 0 && len(src.V) != 3*np) || len(src.R) > len(s.min.res.R) || len(src.Forces) != len(s.scales.Force) {
		return fmt.Errorf("incremental: the checkpoint is of a system of %d particles, want %d", len(src.Z)/3, np)
	}
	if err := Admissible(s.psi.System, src.T, src.Z); err != nil {
		return err
	}
	s.t = src.T
	copy(s.scales.Force, src.Forces)
	copy(s.z, src.Z)
	s.psi.Remember(s.t, s.z, src.Slipped)
	s.before = dissipation.Origin{}
	if len(src.Before) == len(s.z) {
		s.before = dissipation.Origin{T: src.TBefore, Z: append([]float64(nil), src.Before...)}
	}
	copy(s.state, src.States)
	copy(s.switching, src.Switching)
	s.psi.System.Gradient(s.grad, nil, s.t, s.z)
	s.scales.round(s.psi.System, s.psi.System.Hessian(s.t, s.z), s.z)
	if err := s.min.LoadStart(s.t, s.z, &src.WarmStart); err != nil {
		return err
	}
	return s.min.LoadCondensed(context.Background(), s.t, s.z, &src.Condensed)
}

// warmStart sets the point from which the contact solver starts.
func (m *Minimiser) warmStart(t float64, z, v, r []float64) {
	m.problem.M = m.sys.Hessian(t, z)
	n, nr := len(z), len(m.res.R)
	m.warm(padded(v, n), padded(r, nr))
}

// SaveCondensed stores from where the next solve starts that is condensed onto the
// contacts; empty where none was.
func (m *Minimiser) SaveCondensed(dst *contact.CondensedState) {
	if c := m.onContacts(); c != nil {
		c.Save(dst)
	}
}

// LoadCondensed continues from such a state, at the time t and the state z. It wraps the cause of a
// context that is done before the problem is condensed.
func (m *Minimiser) LoadCondensed(ctx context.Context, t float64, z []float64, src *contact.CondensedState) error {
	if len(src.R) == 0 {
		return nil
	}
	m.problem.M = m.sys.Hessian(t, z)
	m.condense(ctx)
	c := m.onContacts()
	if c == nil {
		if ctx.Err() != nil {
			return fmt.Errorf("incremental: the problem of the checkpoint: %w", context.Cause(ctx))
		}
		return fmt.Errorf("incremental: the checkpoint is of a problem that is condensed onto %d contacts, this one is not", len(src.R)/3)
	}
	return c.Load(ctx, src)
}

// onContacts is the solver on the contacts alone, if there is one.
func (m *Minimiser) onContacts() *contact.Condensed {
	if m.held != nil {
		return m.held
	}
	return m.condensed
}

// padded returns a copy of x with zeros up to n entries.
func padded(x []float64, n int) []float64 {
	y := make([]float64, n)
	copy(y, x)
	return y
}
