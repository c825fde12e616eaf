package halfspace

import (
	"context"
	"fmt"
	"math"
)

// Creep is steady rolling: rigid slips of the upper body relative to the lower one
// by way rolled, or forces in their place.
type Creep struct {
	// Roll is the way the contact moves over the material in a step [m]: an element
	// or so. It is the resolution along the way.
	Roll [2]float64
	// Control of the rigid displacements: along n and of the tilts as in every step,
	// along the surface of creepages [-] and of the spin [rad/m].
	Control [Moves]Control
}

// along are the moves along the surface.
var along = [...]int{MoveX, MoveY, TurnN}

// Steady goes to the steady state of rolling, in which u⁰(x) = u(x + Roll), and
// leaves it as the last node. Creepages that were found are in Result.Move, times
// the way of a step.
func (e *Evolution) Steady(ctx context.Context, c Creep) error {
	way := math.Hypot(c.Roll[0], c.Roll[1])
	if !(way > 0) || math.IsInf(way, 1) {
		return fmt.Errorf("halfspace: steady rolling by %v m a step", c.Roll)
	}
	p := e.problem
	p.Steady, p.Control = c.Roll, c.Control
	for _, m := range along {
		if !p.Control[m].Force {
			p.Control[m].Value *= way
		}
	}
	err := e.solve(ctx, &p)
	if _, unsolved := err.(*Unsolved); unsolved {
		err = e.leap(ctx, &p, way, err)
	}
	if err != nil {
		return err
	}
	e.started = true
	for m, v := range e.result.Move {
		if m == MoveX || m == MoveY || m == TurnN {
			e.creep[m] = v / way
		} else {
			e.total[m] = v
		}
	}
	e.ledger.Stored = e.result.Energy
	if e.result.Energy > 0 {
		e.ledger.Stability = max(e.ledger.Stability, e.result.Gap/e.result.Energy)
	}
	e.last = snapshot{e.result.Force, e.total, e.result.Energy}
	return nil
}

// leap solves a steady state of short steps by way of that of a longer one, which
// forgets its beginning sooner. It returns the error that led here if that fails too.
func (e *Evolution) leap(ctx context.Context, p *Problem, way float64, unsolved error) error {
	g := e.solver.op.grid
	times := math.Round(math.Hypot(g.DX*p.Steady[0], g.DY*p.Steady[1]) / (way * way))
	if !(times > 1) {
		return unsolved
	}
	begun := e.solver.started
	for ; times > 1; times /= 2 {
		far := *p
		for a := range far.Steady {
			far.Steady[a] *= times
		}
		for _, m := range along {
			e.solver.move[m] *= times
			if !far.Control[m].Force {
				far.Control[m].Value *= times
			}
		}
		if err := e.solver.Solve(ctx, &far, &e.next); err != nil {
			e.solver.restart(&e.result, begun)
			return unsolved
		}
		for _, m := range along {
			e.solver.move[m] /= times
		}
	}
	if err := e.solve(ctx, p); err != nil {
		e.solver.started = begun
		return err
	}
	return nil
}
