package halfspace

import (
	"fmt"
	"slices"
)

// State is an evolution at a node: one of the same problem that loads it goes on to
// the same bits.
type State struct {
	Gap                []float64 // of the problem, or of the last drive that replaced it
	P, U, Y            Field
	Bound              []float64
	Move, Total, Creep [Moves]float64
	Force              [Moves]float64
	Verdict            Verdict
	Ledger             Ledger
	Begun              bool
	LastForce          [Moves]float64
	LastMove           [Moves]float64
}

// Save fills s with copies.
func (e *Evolution) Save(s *State) {
	r := &e.result
	n := len(r.Bound)
	*s = State{Gap: slices.Clone(e.problem.Gap), P: NewField(n), U: NewField(n), Y: NewField(n),
		Bound: slices.Clone(r.Bound), Move: r.Move, Total: e.total, Creep: e.creep, Force: r.Force,
		Verdict: r.Verdict, Ledger: e.ledger, Begun: e.started, LastForce: e.last.force, LastMove: e.last.move}
	copyField(s.P, r.P)
	copyField(s.U, r.U)
	copyField(s.Y, r.Y)
}

// Load goes on from a state.
func (e *Evolution) Load(s *State) error {
	r := &e.result
	n := e.solver.op.grid.Len()
	for c := range 3 {
		if len(s.P[c]) != n || len(s.U[c]) != n || len(s.Y[c]) != n {
			return fmt.Errorf("halfspace: the state is of %d elements, want %d", len(s.P[c]), n)
		}
	}
	if len(s.Bound) != n {
		return fmt.Errorf("halfspace: the state has %d friction bounds, want %d", len(s.Bound), n)
	}
	if len(s.Gap) != n {
		return fmt.Errorf("halfspace: the state has %d gaps, want %d", len(s.Gap), n)
	}
	e.problem.Gap = slices.Clone(s.Gap)
	r.resize(n)
	copyField(r.P, s.P)
	copyField(r.U, s.U)
	copyField(r.Y, s.Y)
	copy(r.Bound, s.Bound)
	r.Move, r.Force, r.Verdict = s.Move, s.Force, s.Verdict
	e.creep = s.Creep
	e.total, e.ledger, e.started = s.Total, s.Ledger, s.Begun
	e.last = snapshot{s.LastForce, s.LastMove, s.Verdict.Energy}
	e.solver.restart(r, s.Begun)
	return nil
}
