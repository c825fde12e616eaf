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
	if _, unsolved := err.(*Unsolved); unsolved {
		err = e.travel(ctx, &p, err)
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

// travel goes to a steady state as bodies do, by transient steps: in each of them the normal and
// the tangential problem meet again, against what the material brings along, and with bounds
// that are given it is convex also where the bodies are dissimilar, when the steady one is no
// monotone problem. It ends where the certificate of the steady state passes, or when the
// duality gap has not fallen while the material went through the window, with the error that led
// here.
func (e *Evolution) travel(ctx context.Context, p *Problem, unsolved error) error {
	s, r, g := e.solver, &e.next, e.solver.op.grid
	step, begun := *p, s.started
	step.Steady, step.Before = [2]float64{}, NewField(g.Len())
	through := int(math.Ceil(min(float64(g.NX)*g.DX/math.Abs(p.Steady[0]), float64(g.NY)*g.DY/math.Abs(p.Steady[1]))))
	through = min(max(through, leastPassage), mostPassage)
	least := math.Inf(1)
	for k, last := 0, through; k < last; k++ {
		s.ahead.Product(Field{X: step.Before[X], Y: step.Before[Y]}, s.full)
		if s.Solve(ctx, &step, r) != nil {
			break
		}
		s.certify(p, r)
		r.Products += 2
		if s.judge(r) == nil {
			e.result, e.next = e.next, e.result
			return nil
		}
		if r.Gap < travelGain*least {
			least, last = r.Gap, k+1+through
		}
	}
	s.restart(&e.result, begun)
	if err := ctx.Err(); err != nil {
		return err
	}
	return unsolved
}

const (
	leastPassage = 16 // steps in which the gap has to fall by the factor
	mostPassage  = 400
	travelGain   = 0.5
)
