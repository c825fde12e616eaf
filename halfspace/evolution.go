package halfspace

import (
	"context"
	"fmt"
	"math"
)

// Drive is what moves the bodies in a step.
type Drive struct {
	// Control of the rigid displacements, in all: each is prescribed or its force is.
	// While a body rolls those along the surface are creepages times the way rolled.
	Control [Moves]Control
	// Roll is how far the contact moves over the material during the step [m], by
	// any fraction of an element: the friction history moves through the window.
	Roll [2]float64
	// Gap, if not nil, replaces the undeformed distance from this step on.
	Gap []float64
}

// Ledger is the energy balance of an evolution: Stored + Dissipated − Work should
// not change; Residual is by how much it has.
type Ledger struct {
	Stored     float64 // ½ pᵀC p [J]
	Dissipated float64 // Σ ∫ g|slip| [J]
	Work       float64 // of the forces on the bodies, trapezoidal in each step [J]
	Residual   float64 // [J]
	Exchanged  float64 // Σ |energy that changed form|, what the residual is compared with [J]
	// Stability is the largest duality gap of a node beside its energy: (S). [-]
	Stability float64
	// Between is (S) for all times: tractions and gaps that go linearly from node to node
	// stay within their bounds, but press across gaps, half way by ¼(p₀·y₁ + p₁·y₀) of
	// energy, p and y normal; the largest of a step. [J]
	Between float64
	// Unbalanced is (DI): what friction lacks along that way, Σ ∫ g|ẏ| + p·ẏ = Σ ½(g₀|y| + p₀·y),
	// with the slips y of the steps and tractions and bounds of the material before. [J]
	Unbalanced float64
}

// Evolution advances a contact step by step and keeps its friction history.
type Evolution struct {
	solver  *Solver
	problem Problem
	total   [Moves]float64 // rigid displacements so far
	creep   [Moves]float64 // of the last steady rolling
	result  Result         // of the last node
	next    Result         // of the step that is being solved
	started bool
	way     [2]float64 // rolled in the present step
	shifted *Operator  // of the last way rolled
	rolled  [2]float64
	last    snapshot
	ledger  Ledger
}

type snapshot struct {
	force, move [Moves]float64
	energy      float64
}

// NewEvolution begins with bodies that have not touched; the problem's controls
// are those of the steps.
func NewEvolution(op *Operator, problem Problem, options *Options) *Evolution {
	e := &Evolution{solver: NewSolver(op, options), problem: problem}
	n := op.grid.Len()
	if problem.Before[X] == nil || problem.Before[Y] == nil {
		e.problem.Before = NewField(n)
	}
	e.result.resize(n)
	e.next.resize(n)
	return e
}

// Tolerate sets the duality gap at which steps are solved from now on, see [Options].
func (e *Evolution) Tolerate(gap float64) { e.solver.options.Gap = gap }

// Step advances by one node. It fails as [Solver.Solve] does; the evolution then
// stands where it stood.
func (e *Evolution) Step(ctx context.Context, d Drive) error {
	gap, started := e.problem.Gap, e.started
	if d.Gap != nil {
		e.problem.Gap = d.Gap
	}
	if err := e.history(d.Roll); err != nil {
		e.problem.Gap = gap
		return err
	}
	e.increments(d)
	if err := e.solve(ctx, &e.problem); err != nil {
		e.problem.Gap, e.started = gap, started
		return err
	}
	for _, m := range [...]int{MoveX, MoveY, TurnN} {
		e.total[m] += e.result.Move[m]
	}
	for _, m := range [...]int{MoveN, TurnX, TurnY} {
		e.total[m] = e.result.Move[m]
	}
	e.book()
	return nil
}

// solve takes the next node; where there is none, solver and result are as they were.
func (e *Evolution) solve(ctx context.Context, p *Problem) error {
	begun := e.solver.started
	err := e.solver.Solve(ctx, p, &e.next)
	if err != nil {
		e.solver.restart(&e.result, begun)
		return err
	}
	e.result, e.next = e.next, e.result
	return nil
}

// increments makes displacements along the surface relative to the node before.
func (e *Evolution) increments(d Drive) {
	e.problem.Control = d.Control
	for _, m := range [...]int{MoveX, MoveY, TurnN} {
		if !d.Control[m].Force {
			e.problem.Control[m].Value -= e.total[m]
		}
	}
}

// history sets u⁰, the displacement of the material that is at the elements now.
func (e *Evolution) history(roll [2]float64) error {
	if !e.started {
		e.started = true
		return nil // u⁰ of the problem, by default zero
	}
	if math.IsNaN(roll[0]+roll[1]) || math.IsInf(roll[0]+roll[1], 0) {
		return fmt.Errorf("halfspace: rolls by %v m", roll)
	}
	before := &e.problem.Before
	e.way = roll
	if roll == [2]float64{} {
		copy(before[X], e.result.U[X])
		copy(before[Y], e.result.U[Y])
		return nil
	}
	if e.shifted == nil || e.rolled != roll {
		op, err := e.solver.op.Shifted(roll[0], roll[1])
		if err != nil {
			return err
		}
		op.Workers = e.solver.op.Workers
		e.shifted, e.rolled = op, roll
	}
	e.shifted.product(Field{X: before[X], Y: before[Y]}, e.result.P, e.solver.op.grid.all(), e.solver.op.grid.all())
	return nil
}

// book adds the step to the ledger.
func (e *Evolution) book() {
	r, l := &e.result, &e.ledger
	area, ratio := e.solver.op.grid.Area(), e.problem.ratio()
	slip := 0.0
	for k, g := range r.Bound {
		if g > 0 {
			slip += g * math.Hypot(r.Y[X][k], ratio*r.Y[Y][k])
		}
	}
	work := 0.0
	for m := range Moves {
		work -= (r.Force[m] + e.last.force[m]) / 2 * (e.total[m] - e.last.move[m])
	}
	l.Dissipated += slip * area
	l.Work += work
	l.Exchanged += math.Abs(work) + slip*area
	l.Stored = r.Energy
	l.Residual = l.Stored + l.Dissipated - l.Work
	if r.Energy > 0 {
		l.Stability = max(l.Stability, r.Gap/r.Energy)
	}
	e.between()
	e.last = snapshot{r.Force, e.total, r.Energy}
}

// between adds what the way from the node before, which is in e.next, is worth.
func (e *Evolution) between() {
	r, old, l := &e.result, &e.next, &e.ledger
	area, ratio := e.solver.op.grid.Area(), e.problem.ratio()
	across, unbalanced := 0.0, 0.0
	for k, g := range r.Bound {
		across += old.P[N][k]*r.Y[N][k] + r.P[N][k]*old.Y[N][k]
		yx, yy := r.Y[X][k], r.Y[Y][k]
		if g == 0 && old.Bound[k] == 0 && e.way == [2]float64{} || yx == 0 && yy == 0 {
			continue
		}
		before := e.carried(k)
		unbalanced += before[N]*math.Hypot(yx, ratio*yy) + before[X]*yx + before[Y]*yy
	}
	if e.way == [2]float64{} {
		l.Between = max(l.Between, across*area/4)
	}
	l.Unbalanced += unbalanced * area / 2
}

// carried are the tractions and the bound, last, that the material at an element had at the
// node before, bilinear between elements.
func (e *Evolution) carried(k int) (v [3]float64) {
	g, old := e.solver.op.grid, &e.next
	if e.way == [2]float64{} {
		return [3]float64{old.P[X][k], old.P[Y][k], old.Bound[k]}
	}
	x, y := float64(k%g.NX)+e.way[0]/g.DX, float64(k/g.NX)+e.way[1]/g.DY
	i, j := math.Floor(x), math.Floor(y)
	for dj := range 2 {
		for di := range 2 {
			a, b := int(i)+di, int(j)+dj
			if a < 0 || b < 0 || a >= g.NX || b >= g.NY {
				continue
			}
			w := (1 - math.Abs(x-float64(a))) * (1 - math.Abs(y-float64(b)))
			n := a + b*g.NX
			v[X], v[Y], v[N] = v[X]+w*old.P[X][n], v[Y]+w*old.P[Y][n], v[N]+w*old.Bound[n]
		}
	}
	return v
}

// Rest takes the last node for the beginning: what led there is no part of the balance, and
// its elastic energy counts as work done before.
func (e *Evolution) Rest() {
	energy := e.result.Energy
	e.ledger = Ledger{Stored: energy, Work: energy, Stability: e.ledger.Stability}
}

// Result returns the last node; it is overwritten by the next step.
func (e *Evolution) Result() *Result { return &e.result }

// Move returns the rigid displacements in all.
func (e *Evolution) Move() [Moves]float64 { return e.total }

// Creepages returns those of the last steady state along the surface [-], [rad/m].
func (e *Evolution) Creepages() [Moves]float64 { return e.creep }

// Ledger returns the energy balance; of a rolling contact it lacks the work of the
// moment that turns the bodies.
func (e *Evolution) Ledger() Ledger { return e.ledger }
