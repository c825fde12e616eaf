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
	for _, m := range [...]int{MoveX, MoveY, TurnN} {
		if !p.Control[m].Force {
			p.Control[m].Value *= way
		}
	}
	if err := e.solve(ctx, &p); err != nil {
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
