package energetic

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
)

// Options are what a caller asks for. The zero value works.
type Options struct {
	Step incremental.Options
	// Equilibrate settles the start at fixed time, if it is not stable.
	Equilibrate bool
	// Tolerance of the certificates relative to the energies and forces met [-];
	// 0 means 1e-10, two orders above what a solved step leaves. Range (0, 1e-2].
	Tolerance float64
	// Accuracy is that of the evolution, for all times and relative to the forces and
	// energies of each island [-]; 0 means DefaultAccuracy. Range (0, 1].
	Accuracy float64
	// Period is the shortest of the signals [s]; 0: none, or not known. A Certifier looks at least
	// [signal.PerPeriod] times a period, and steps that are chosen are no longer than that.
	Period float64
	// Foreign: a Certifier looks at a trajectory that no scheme of package incremental
	// made. Its nodes need not solve steps; (N3), (S), (DI) and (E) are judged alone.
	Foreign bool
	// Thinned: a Certifier sees some nodes of a run only. Their states are judged; what
	// lies between, and what adds up over nodes, is not.
	Thinned bool
	// Walk: the nodes are those of a walk from event to event, which is exact by itself: no
	// evolution in parts of the steps is compared with it.
	Walk bool
	// Curved: it is a walk in space, along whose pieces friction turns. Its nodes solve no steps,
	// which would take a chord for the tangent; they are judged like those of a Foreign one.
	Curved bool
	// Close: a Certifier takes heights for contacts that rounding alone explains, not all below
	// 1e-12 of the coordinates: a particle from which its anchor lifts all pressure at a node is
	// left by its solver anywhere there.
	Close bool
	// Continuous reports whether no solution can jump, as where (N4) is known to hold for all
	// states and times (Theorem 4.7, package assume): a step that looks like a jump is none then.
	// It is asked once, at the first such step. nil: not known.
	Continuous func(context.Context) bool
}

// DefaultAccuracy is that of Options whose Accuracy is 0.
const DefaultAccuracy = 1e-2

// Evolution advances and certifies a state. Not safe for concurrent use.
type Evolution struct {
	stepper *incremental.Stepper
	cert    *Certifier
	// Settled is the distance that equilibration moved the start [m].
	Settled float64
	before  Checkpoint // scratch of StepProbing
	smooth  float64    // fastest motion found to be no jump, see jump.go [m/s]
	pace    Pace       // of the step control
	paced   bool       // pace is that of a run to go on with

	examined, continuous bool // see lipschitz
}

// stepless reports whether nodes need not solve steps.
func (o *Options) stepless() bool { return o.Foreign || o.Thinned || o.Curved }

// UnstableError is a start that violates (N3).
type UnstableError struct {
	Gap   float64 // sup_y[E(0,Z_0) − E(0,y) − Ψ(0,Z_0,y−Z_0)] [J], at least
	Force float64 // largest force that friction and obstacle cannot hold [N]
	Worst int     // the particle it acts on
}

// Error implements error.
func (e *UnstableError) Error() string {
	return fmt.Sprintf("energetic: the start is not stable, (N3): particle %d is pushed by %.6g N more than friction and obstacle hold, and a better state has %.6g J less; start in equilibrium or settle it first (equilibrate)",
		e.Worst, e.Force, e.Gap)
}

// Start begins an evolution at t = 0. It fails if the state is not admissible,
// (N0), or not stable, (N3): then with an *[UnstableError], unless Equilibrate
// is set.
func Start(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options) (*Evolution, error) {
	e, err := start(ctx, psi, 0, z0, o)
	if err != nil {
		return nil, err
	}
	if err := e.cert.Unstable(); err != nil {
		return nil, err
	}
	return e, nil
}

// start begins at a time, stable or not.
func start(ctx context.Context, psi *dissipation.Coulomb, t float64, z []float64, o Options) (*Evolution, error) {
	s, err := incremental.New(psi, t, z, o.Step)
	if err != nil {
		return nil, err
	}
	e := &Evolution{stepper: s}
	if o.Equilibrate {
		if e.Settled, err = s.Equilibrate(ctx); err != nil {
			return nil, err
		}
	}
	if e.cert, err = NewCertifier(psi, o); err != nil {
		return nil, err
	}
	return e, e.cert.Begin(ctx, s.Time(), s.State())
}

// Amid returns what is known at a time within the step that follows a node: where the step from there to it ends,
// in parts that end where the given signals have kinks. What sticks, slips, opens or yields within the step is in
// it, and is not in a line between both nodes. It costs a start and a step for each part.
func Amid(ctx context.Context, psi *dissipation.Coulomb, o Options, from *Node, t float64) (*Node, error) {
	psi = psi.Own()
	psi.Remember(from.T, from.Z, from.Slipped)
	o.Equilibrate, o.Walk, o.Curved = false, true, false // no evolution in parts of these steps is compared with them
	e, err := start(ctx, psi, from.T, from.Z, o)
	if err != nil {
		return nil, err
	}
	for _, to := range append(psi.Breaks(nil, from.T, t), t) {
		if err := e.Step(ctx, to); err != nil {
			return nil, err
		}
	}
	n := e.Node()
	n.Dissipation += from.Dissipation
	n.Work += from.Work
	n.Plastic += from.Plastic
	n.Balance += from.Balance
	return n, nil
}

// Step advances to t and certifies the node. On an error of the step the
// evolution stays where it was.
func (e *Evolution) Step(ctx context.Context, t float64) error {
	if err := e.stepper.Step(ctx, t); err != nil {
		return err
	}
	return e.cert.observe(ctx, t, e.stepper.State(), e.stepper.Stats())
}

// Node returns the present node; it changes with the next step.
func (e *Evolution) Node() *Node { return e.cert.Node() }

// Summary returns the verdict so far.
func (e *Evolution) Summary() Summary { return e.cert.Summary() }
