package elastic

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
)

// Checkpoint is everything that the next steps of a [Stepper] depend on: one of
// the same model and options that loads it goes on to the same bits.
type Checkpoint struct {
	Step      int
	Now, Prev State
	Balance   Balance
	Made      dynamics.Creations
	Total     float64                // E^n [J]
	Energies  []float64              // of the parts of the mesh [J]
	Residual  float64                // largest of a contact problem so far
	Fall      Fall                   // of friction with speed
	Central   CentralBalance         // of central differences
	Scale     float64                // size of the forces met so far [N]
	Newton    contact.CondensedState // from where the contact problem starts …
	Picard    contact.CondensedState // … that of Theorem 4 …
	ObstacleV []float64              // … and the map q
	ObstacleR []float64
	Pairs     []dynamics.Pair
}

// Save stores the present state; the slices of dst are reused.
func (s *Stepper) Save(dst *Checkpoint) {
	dst.Step, dst.Balance, dst.Scale = s.step, s.balance, s.scale
	dst.Made.Set(&s.made)
	dst.Pairs = s.pairs.List
	dst.Total, dst.Energies, dst.Residual = s.total, append(dst.Energies[:0], s.energies...), s.residual
	dst.Fall = s.fall
	if s.central != nil {
		dst.Central.set(&s.central.balance)
	}
	dst.Now.set(&s.now)
	dst.Prev.set(&s.prev)
	if s.trapezoid != nil {
		s.trapezoid.solver.Save(&dst.Newton)
	}
	if s.picard != nil {
		s.picard.solver.Save(&dst.Picard)
	}
	dst.ObstacleV, dst.ObstacleR = s.obstacle.ws.Last(dst.ObstacleV, dst.ObstacleR)
}

// set makes s a deep copy of x.
func (s *State) set(x *State) {
	s.T = x.T
	s.U, s.V = append(s.U[:0], x.U...), append(s.V[:0], x.V...)
	s.A, s.R = append(s.A[:0], x.A...), append(s.R[:0], x.R...)
	s.Friction = append(s.Friction[:0], x.Friction...)
}

// Load is [Stepper.LoadContext] without an end.
func (s *Stepper) Load(src *Checkpoint) error { return s.LoadContext(context.Background(), src) }

// LoadContext continues from a checkpoint. It fails for one of another model, and when the context
// is done amid a factorisation.
func (s *Stepper) LoadContext(ctx context.Context, src *Checkpoint) error {
	for _, x := range []*State{&src.Now, &src.Prev} {
		n, nr := len(s.now.U), len(s.now.R)
		if len(x.Friction) != len(s.now.Friction) {
			return fmt.Errorf("elastic: the checkpoint has %d states of friction, want %d", len(x.Friction), len(s.now.Friction))
		}
		if len(x.U) != n || len(x.V) != n || len(x.A) != n || len(x.R) != nr {
			return fmt.Errorf("elastic: the checkpoint is of %d displacements and %d reactions, want %d and %d", len(x.U), len(x.R), n, nr)
		}
	}
	if n := len(s.energies); len(src.Energies) != n || len(src.Made.Root) != n {
		return fmt.Errorf("elastic: the checkpoint is of %d parts of a mesh, want %d", len(src.Energies), n)
	}
	if s.central != nil && len(src.Central.Move) != len(s.now.U) {
		return fmt.Errorf("elastic: the checkpoint has the move of %d displacements, want %d", len(src.Central.Move), len(s.now.U))
	}
	// A problem that was solved has what has no mass, and its reactions; another has neither.
	v, r := len(s.a.massless), s.obstacle.problem.H.Dim*len(s.a.normal)
	if len(src.ObstacleV)+len(src.ObstacleR) != 0 && (len(src.ObstacleV) != v || len(src.ObstacleR) != r) {
		return fmt.Errorf("elastic: the checkpoint has %d displacements and %d reactions of a contact problem, want %d and %d",
			len(src.ObstacleV), len(src.ObstacleR), v, r)
	}
	s.restore(src)
	if s.trapezoid != nil {
		if err := s.trapezoid.solver.Load(ctx, &src.Newton); err != nil {
			return err
		}
	}
	if s.picard != nil {
		return s.picard.solver.Load(ctx, &src.Picard)
	}
	return nil
}

// restore makes a checkpoint the present state, but for the starts of contact problems.
func (s *Stepper) restore(src *Checkpoint) {
	s.step, s.balance, s.scale, s.stats = src.Step, src.Balance, src.Scale, Stats{}
	s.made.Set(&src.Made)
	s.pairs.Restore(src.Pairs)
	s.total, s.energies, s.residual = src.Total, append(s.energies[:0], src.Energies...), src.Residual
	s.fall = src.Fall
	if s.central != nil {
		s.central.balance.set(&src.Central)
	}
	s.now.set(&src.Now)
	s.prev.set(&src.Prev)
	if o := s.obstacle; len(src.ObstacleV) > 0 {
		o.ws.WarmStart(&o.problem, src.ObstacleV, src.ObstacleR)
	}
}
