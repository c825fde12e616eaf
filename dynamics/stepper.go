package dynamics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
)

// Stepper advances a [System] by the scheme of its [Options]. It is not safe
// for concurrent use. After the first steps, a step allocates nothing as long
// as the number of contacts does not grow.
type Stepper struct {
	sys     System
	rate    Kinematics // nil: q̇ = v
	project Projector
	energy  Potential
	driven  Driven // nil: nothing moves by itself
	worn    Worn   // nil: friction is that of the patches
	loaded  Loaded // nil: forces are taken at a time
	passing Passing
	o       Options
	nq, nv  int
	dim     int

	now, next State
	lost      float64 // of now.T by rounding
	nextLost  float64
	step      Step
	ledger    Energy    // cumulated
	residual  float64   // largest of a contact problem since the start
	push      float64   // time in which the last step undid penetrations [s]
	part      []int     // of each velocity, see [Grouped]; nil: one
	momentum  []float64 // scratch of norms
	travel    []float64 // ∫v^θ since the start
	began     float64   // when that was [s] …
	begins    []float64 // … and the velocities then
	frames    frames
	origin    []float64 // q0
	shift     []float64 // memory of norms
	turns     turns
	pairs     Pairs
	slots     [6]slot // see Keep
	made      Creations
	partition partition
	names     []string // of the parts
	mass      Mass
	contacts  Contacts
	history   history
	timing    Timing
	patches   []*Patch // of next: those in contact, then ghosts
	ghosts    int
	local     local
	islands   islands
	sharing   []int64 // elements of each part or block
	solver    solver
	newton    newton
	small     Smallness
	bySlip    bool      // friction of some contacts depends on their slip …
	weakening Weakening // … and how steeply it falls

	f, fNext       []float64 // force, and its next iterate
	load           []float64 // that of the step without potential
	free           []float64 // v' without contact forces
	mean           []float64 // v^θ
	qMean          []float64 // q^θ
	qRate, scratch []float64
	relatives      []float64 // speeds of elements
	slips          []float64 // changes of those of the parts
	slack          []float64 // see Slack
	loose          []float64 // see Loosened
	rates          []float64 // δ̇ of one patch
	moved          []float64 // speeds of elements at the start and the end of a step, see stops
	own            []float64 // speeds of the elements of a patch, see slipsTo
	ends           []float64 // speeds of what the elements of a patch touch, at both, see drivesAtEnds
	states         []ContactState
	mu             []float64 // Step.Mu
	active         []bool    // patches that take part in the contact problem
	carried        []bool    // patches with a force in the last step
	carries        func(key int) bool
}

// NewStepper checks the sizes, the mass matrix at q0 and the start (q0, v0).
func NewStepper(sys System, q0, v0 []float64, o Options) (*Stepper, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if sys == nil {
		return nil, errors.New("dynamics: a system is required")
	}
	s := &Stepper{sys: sys, o: o}
	s.nq, s.nv, s.dim = sys.Size()
	s.rate, _ = sys.(Kinematics)
	s.project, _ = sys.(Projector)
	s.energy, _ = sys.(Potential)
	s.driven, _ = sys.(Driven)
	s.worn, _ = sys.(Worn)
	s.loaded, _ = sys.(Loaded)
	s.passing, _ = sys.(Passing)
	s.carries = s.carriesForce
	if g, ok := sys.(Grouped); ok {
		s.part = g.Parts()
	}
	switch {
	case s.part != nil && len(s.part) != s.nv:
		return nil, fmt.Errorf("dynamics: System.Parts has %d entries, want one for each of %d velocities", len(s.part), s.nv)
	case s.dim != 2 && s.dim != 3:
		return nil, fmt.Errorf("dynamics: System.Size gives dimension %d, want 2 or 3", s.dim)
	case s.nq < 1 || s.nv < 1:
		return nil, fmt.Errorf("dynamics: System.Size gives nq = %d, nv = %d, want positive numbers", s.nq, s.nv)
	case s.rate == nil && s.nq != s.nv:
		return nil, fmt.Errorf("dynamics: nq = %d differs from nv = %d and the System has no Rate", s.nq, s.nv)
	case len(q0) != s.nq || len(v0) != s.nv:
		return nil, fmt.Errorf("dynamics: the start has %d coordinates and %d velocities, want %d and %d", len(q0), len(v0), s.nq, s.nv)
	case !finite(q0) || !finite(v0):
		return nil, errors.New("dynamics: the start is not finite")
	}
	if s.o.Tolerance == 0 {
		s.o.Tolerance = solvedLimit
	}
	if s.o.ForceTolerance == 0 {
		s.o.ForceTolerance = 1e-13
	}
	nv := s.nv
	for _, x := range []*[]float64{&s.f, &s.fNext, &s.free, &s.mean, &s.scratch, &s.travel} {
		*x = make([]float64, nv)
	}
	s.qMean, s.qRate = make([]float64, s.nq), make([]float64, s.nq)
	s.now.Q, s.now.V = append([]float64(nil), q0...), append([]float64(nil), v0...)
	s.next.Q, s.next.V = make([]float64, s.nq), make([]float64, nv)
	s.now.resetPatches()
	s.history.last.resetPatches()
	s.small.reset()
	if err := s.assemble(); err != nil {
		return nil, err
	}
	s.partition.open(sys, s.part, nv)
	if err := s.turns.open(sys, s.partition.of, s.partition.count); err != nil {
		return nil, err
	}
	if err := s.frames.open(sys, s.partition.count, nv, s.o.Until); err != nil {
		return nil, err
	}
	s.origin = append(s.origin, q0...)
	if err := s.affordsStart(); err != nil {
		return nil, err
	}
	s.openLedger()
	return s, nil
}

func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// Dim returns the dimension of the contacts.
func (s *Stepper) Dim() int { return s.dim }

// State returns the present state; it is valid until the next step.
func (s *Stepper) State() *State { return &s.now }

// Last returns what the last step did; valid until the next one.
func (s *Stepper) Last() *Step { return &s.step }

// Restart sets the state, and the ledger to zero. Deformations of patches that
// are not in contact at x.Q are forgotten.
func (s *Stepper) Restart(x *State) error {
	if len(x.Q) != s.nq || len(x.V) != s.nv {
		return fmt.Errorf("dynamics: Restart with %d coordinates and %d velocities, want %d and %d", len(x.Q), len(x.V), s.nq, s.nv)
	}
	c := x.Clone()
	if len(c.Ptr) == 0 {
		c.resetPatches()
	}
	s.now = *c
	h := &s.history
	h.last = State{}
	h.last.resetPatches()
	h.patch, h.age, h.home, h.ghosts = h.patch[:0], h.age[:0], h.home[:0], 0
	for i, key := range x.Keys {
		n := x.Ptr[i+1] - x.Ptr[i]
		h.last.add(key, n)
		copy(h.last.Delta[x.Ptr[i]:], x.Delta[x.Ptr[i]:x.Ptr[i+1]])
		copy(h.last.Lambda[x.Ptr[i]:], x.Lambda[x.Ptr[i]:x.Ptr[i+1]])
		h.patch, h.age, h.home = append(h.patch, nil), append(h.age, 0), append(h.home, 0)
	}
	s.step.Index, s.lost, s.push, s.timing = 0, 0, 0, Timing{}
	clear(s.travel)
	copy(s.origin, s.now.Q)
	s.small.reset()
	if err := s.assemble(); err != nil {
		return err
	}
	s.openLedger()
	return nil
}

// assemble evaluates M and the contacts at the present q.
func (s *Stepper) assemble() error {
	s.mass.reset()
	s.sys.Mass(&s.mass, s.now.Q)
	if err := s.mass.factor(s.nv); err != nil {
		return err
	}
	s.contacts.ResetAt(s.now.T, s.dim, s.nv)
	s.contacts.limit(s.o.Limit.Bytes)
	s.sys.Contacts(&s.contacts, s.now.Q)
	if err := errors.Join(s.contacts.validate(), s.affordable()); err != nil {
		return err
	}
	if s.o.Theta == 1 {
		for i := range s.contacts.patches {
			if s.contacts.patches[i].patch.Rigid() {
				return errTheta
			}
		}
	}
	return nil
}

// Step advances by h [s]. On an error the state is the one before the step.
func (s *Stepper) Step(ctx context.Context, h float64) error {
	if !(h > 0) || math.IsInf(h, 1) {
		return fmt.Errorf("dynamics: the step is %g s, want a positive number", h)
	}
	if err := s.advance(ctx, h); err != nil {
		return fmt.Errorf("dynamics: step %d, t = %.9g s: %w", s.step.Index+1, s.now.T, err)
	}
	if s.o.OnStep != nil {
		s.o.OnStep(&s.step)
	}
	return nil
}

func (s *Stepper) advance(ctx context.Context, h float64) error {
	if ctx.Err() != nil {
		return context.Cause(ctx) // here, for a contact or two are solved before a solver looks
	}
	if err := s.solve(ctx, h, s.o.Theta); err != nil {
		return err
	}
	if s.stops(h) {
		solves := s.step.Solves
		if err := s.solve(ctx, h, 0); err != nil {
			return err
		}
		s.step.Solves += solves
	}
	if s.o.Smallness {
		s.measureSmallness()
	}
	if !finite(s.next.Q) || !finite(s.next.V) || !finite(s.next.Delta) {
		return errors.New("the state is not finite any more: the motion or its forces grow without bound; a smaller step may help")
	}
	if s.passing != nil {
		if err := s.passing.Pass(s.now.T, h, s.now.Q, s.next.Q, s.mean, s.carries); err != nil {
			return err
		}
	}
	s.contactWork(h)
	s.loadWork(h)
	s.openWays(h)
	s.dateChanges(h)
	before, pushed := s.lost, s.push
	s.exchange()
	s.lost, s.push = s.nextLost, s.local.push
	if s.project != nil {
		s.project.Project(s.now.Q)
	}
	if err := s.assemble(); err != nil {
		s.exchange()
		s.lost, s.push = before, pushed
		return errors.Join(err, s.assemble()) // the second one is nil: it was well before
	}
	s.follow(h)
	s.history.keep(&s.now, s.patches, s.partition.home, len(s.patches)-s.ghosts)
	s.timing.keepChanges(h, s.step.Theta)
	s.step.Index++
	s.step.State = &s.now
	s.balance()
	return nil
}

// solve finds forces, velocities and deformations at the end of a step with a θ.
func (s *Stepper) solve(ctx context.Context, h, theta float64) error {
	if err := s.begin(h, theta); err != nil {
		return err
	}
	if err := s.solveForces(ctx, h); err != nil {
		return err
	}
	s.deform(h)
	return nil
}

// takeLaws gives each contact its law: of its patch, or with the mean μ of the places where it will
// be within a time h from now. It overwrites dst with these μ, 0 for others, and returns it.
func (s *Stepper) takeLaws(dst []float64, h float64) []float64 {
	dst = dst[:0]
	for i := range s.contacts.patches {
		p, mu := &s.contacts.patches[i], 0.0
		p.law, p.worn = p.patch.law, false
		if s.worn != nil {
			mu, p.worn = s.worn.Friction(p.key, s.now.T, h, s.now.Q, s.now.V)
		}
		if p.worn {
			p.law = contact.Coulomb{Mu: mu}
		}
		dst = append(dst, mu)
	}
	return dst
}

// begin evaluates M and the contacts at q and finds their deformations, for a step with a θ.
//
// The gap form undoes a penetration, O(h²) of a step of h, at the speed of the penetration
// over h. A shorter step must not do it faster: (Ψ_n + δ_n)/h would be as large as one likes.
// So it is undone in the time τ' = max(h, τ − h), which equal steps have at h, and which
// falls to a shorter h as time goes on, as the penetration does.
func (s *Stepper) begin(h, theta float64) error {
	s.step = Step{Index: s.step.Index, H: h, Theta: theta, State: &s.now}
	for i := range s.contacts.patches {
		if err := s.contacts.patches[i].patch.prepare(s.now.T+h*(1-s.step.Theta), h, s.now.Q); err != nil {
			return err
		}
	}
	s.patches = s.history.match(&s.next, &s.contacts, s.patches)
	s.ghosts = len(s.patches) - len(s.contacts.patches)
	for _, p := range s.patches[len(s.contacts.patches):] { // they relax as they last were, in a step of this length
		if err := p.prepare(s.now.T+h*(1-s.step.Theta), h, nil); err != nil {
			return err
		}
	}
	s.markCarried()
	s.homes()
	s.partition.begin()
	s.local.push = max(h, s.push-h)
	more := h - s.lost // compensated: t is exact to rounding after any number of steps
	s.next.T = s.now.T + more
	s.nextLost = (s.next.T - s.now.T) - more
	s.drives(h)
	s.mu = s.takeLaws(s.mu, h)
	s.openSlip()
	s.step.Mu = s.mu
	s.solver.pivots = 0
	return nil
}

// solveForces finds λ, v' and q' for the force law of the options.
func (s *Stepper) solveForces(ctx context.Context, h float64) error {
	if !s.o.ImplicitForce {
		s.force(s.f, s.now.T, h, s.now.Q, s.now.V)
		s.step.Rounds = 1
		return s.contactRound(ctx, h)
	}
	return s.implicitForce(ctx, h)
}

// force overwrites f with that of the step of h, by its mean over the step where that is known,
// else at t.
func (s *Stepper) force(f []float64, t, h float64, q, v []float64) {
	if s.loaded != nil {
		s.loaded.MeanForce(f, s.now.T, h, q, v)
		return
	}
	s.sys.Force(f, t, q, v)
}

// loadOf is force without the potential.
func (s *Stepper) loadOf(f []float64, t, h float64, q, v []float64) {
	if s.loaded != nil {
		s.loaded.MeanLoad(f, s.now.T, h, q, v)
		return
	}
	s.energy.Load(f, t, q, v)
}

// contactRound solves for λ with the force s.f fixed.
func (s *Stepper) contactRound(ctx context.Context, h float64) error {
	for i, f := range s.f {
		s.free[i] = h * f
	}
	s.mass.solve(s.free)
	for i, v := range s.now.V {
		s.free[i] += v
	}
	s.local.solver = nil
	return s.solveContacts(ctx, h)
}

// velocities sets v', v^θ and q' from the forces.
func (s *Stepper) velocities(h float64) {
	x := s.scratch
	clear(x)
	s.contacts.h.MulAdd(x, s.next.Lambda[:s.dim*s.contacts.elements()])
	for i := range x {
		x[i] *= h
	}
	if s.local.solver != nil {
		s.local.solver.solve(x)
	} else {
		s.mass.solve(x)
	}
	theta := s.step.Theta
	for i, v := range s.now.V {
		s.next.V[i] = s.free[i] + x[i]
		s.mean[i] = theta*v + (1-theta)*s.next.V[i]
	}
	s.qDot(s.qRate, s.mean)
	for i, q := range s.now.Q {
		s.next.Q[i] = q + h*s.qRate[i]
	}
}

// qDot sets dst to G(q) v.
func (s *Stepper) qDot(dst, v []float64) {
	if s.rate != nil {
		s.rate.Rate(dst, s.now.Q, v)
		return
	}
	copy(dst, v)
}

// carriesForce reports whether the patch of a key carries a force in the step that was made.
func (s *Stepper) carriesForce(key int) bool {
	i := slices.Index(s.next.Keys, key)
	return i >= 0 && s.next.forced(i)
}

// exchange makes next the present state.
func (s *Stepper) exchange() { s.now, s.next = s.next, s.now }
