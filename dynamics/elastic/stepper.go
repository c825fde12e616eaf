package elastic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/signal"
)

// State is what a step advances. Vectors are in the local components of the
// package page.
type State struct {
	T       float64
	U, V, A []float64 // dim·nodes
	R       []float64 // reactions, normal first, dim·nc (2·nc for a bar) [N]
	// Friction are the states of friction of the contacts, see wear.go; nil: there are none [s, m].
	Friction []float64
}

// Stepper advances a model. Not safe for concurrent use.
type Stepper struct {
	a    *assembly
	opt  Options
	now  State
	prev State // before the last step; its vectors are the memory of the next one
	step int

	obstacle  *obstacle
	implicit  []*implicit // of the steps met last, the present one first
	parts     *parts      // of the mesh, see Distances
	origin    []float64   // u at the start
	slots     [6]slot     // see Keep
	trapezoid *trapezoid  // of the present step
	picard    *picard
	central   *central
	stats     Stats
	balance   Balance
	made      dynamics.Creations
	frames    frames
	pairs     dynamics.Pairs
	middles   [][3]float64 // of the parts
	ways      []float64    // memory of Distances and works …
	shapes    []float64    // … and of shapes there
	energies  []float64    // E^n of the parts [J] …
	before    []float64    // … and E^{n−1}
	works     []float64    // of loads and supports on them in a step [J]
	total     float64      // E^n [J]
	residual  float64      // largest of a contact problem so far
	fall      Fall         // of friction with speed
	scale     float64      // size of the forces met so far [N]
	work      []float64
	places    []float64 // see measured
	loadNow   []float64
	rises     []float64         // changes of velocities, see inertia
	mass      map[int][]float64 // 1ᵀM_*1 of each component, see MeanVelocity

	certificate *Certificate
}

// Stats are the costs of the last step.
type Stats struct {
	Iterations  int     // of the fixed point (Picard) or of the contact solver
	Factors     int     // factorisations of the contact problem, none in most steps
	Residual    float64 // of the contact problem, independent check
	Contraction float64 // measured by Picard: ratio of the last two changes, 0 if unknown
	Solver      string
}

// New makes the model ready at t = 0: assembles, factorises, and finds the
// initial u_c = q(u_*), reactions and acceleration, consistent with (50).
func New(ctx context.Context, m *Model, o Options) (*Stepper, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := o.agree(m); err != nil {
		return nil, err
	}
	o.setDefaults()
	s, err := await(ctx, func() (*Stepper, error) {
		a, err := assemble(m)
		if err != nil {
			return nil, err
		}
		s := &Stepper{a: a, opt: o, obstacle: newObstacle(a)}
		s.now, s.prev = a.newState(), a.newState()
		s.work, s.loadNow = make([]float64, len(m.Mesh.X)), make([]float64, len(m.Mesh.X))
		return s, s.prepare(ctx)
	})
	if err != nil {
		return nil, err
	}
	if err := s.start(ctx); err != nil {
		return nil, fmt.Errorf("elastic: start: %w", err)
	}
	s.origin = slices.Clone(s.now.U)
	s.beginBalance()
	return s, nil
}

func (a *assembly) newState() State {
	n, nc := a.stiffness.N, len(a.normal)
	return State{U: make([]float64, n), V: make([]float64, n), A: make([]float64, n),
		R: make([]float64, max(a.dim, 2)*nc), Friction: a.model.newStates()}
}

// prepare factorises what the scheme needs.
func (s *Stepper) prepare(ctx context.Context) (err error) {
	if s.opt.Scheme == CentralDifference {
		s.central, err = newCentral(ctx, s.a, s.opt.Step)
		return err
	}
	return s.use(ctx, s.opt.Step)
}

// Step advances by Δt. On an error the stepper stays where it was.
func (s *Stepper) Step(ctx context.Context) error {
	return s.stepTo(ctx, float64(s.step+1)*s.opt.Step)
}

// stepTo makes the step that ends at t.
func (s *Stepper) stepTo(ctx context.Context, t float64) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	next := &s.prev
	next.T = t
	s.stats = Stats{}
	var err error
	switch {
	case s.central != nil:
		err = s.central.step(ctx, s, next)
	case s.picard != nil:
		err = s.picard.step(ctx, s, next)
	default:
		err = s.trapezoid.step(ctx, s, next)
	}
	if err == nil {
		err = finite(next.U)
	}
	if err != nil {
		return fmt.Errorf("elastic: step %d, t=%g s: %w", s.step+1, next.T, err)
	}
	s.now, s.prev = s.prev, s.now
	s.step++
	s.scale = max(s.scale, infNorm(s.now.R))
	s.residual = max(s.residual, s.stats.Residual)
	if s.a.impedance != nil {
		s.observeSlip(&s.prev, &s.now)
	}
	s.account()
	return nil
}

func finite(x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("displacement %d is %g: the scheme is unstable at this step, see the CFL number", i, v)
		}
	}
	return nil
}

// State returns the present state; it belongs to the stepper.
func (s *Stepper) State() *State { return &s.now }

// Mesh returns the mesh.
func (s *Stepper) Mesh() *fem.Mesh { return s.a.model.Mesh }

// Stats returns the costs of the last step.
func (s *Stepper) Stats() Stats { return s.stats }

// Displacement stores u in global components in dst; nil allocates.
func (s *Stepper) Displacement(dst []float64) []float64 { return s.global(dst, s.now.U) }

// Velocity stores v in global components in dst; nil allocates. With a modified
// mass the normal velocities of contact nodes are zero: (36)-(39) have none.
func (s *Stepper) Velocity(dst []float64) []float64 { return s.global(dst, s.now.V) }

func (s *Stepper) global(dst, x []float64) []float64 {
	dst = append(dst[:0], x...)
	s.a.toGlobal(dst)
	return dst
}

// Reactions returns the reaction of contact k, normal first [N].
func (s *Stepper) Reactions(k int) []float64 {
	d := max(s.a.dim, 2)
	return s.now.R[d*k : d*k+d]
}

// Contact is what one contact node does.
type Contact int

const (
	Open Contact = iota
	Stick
	Slip
)

func (c Contact) String() string { return [...]string{"open", "stick", "slip"}[c] }

// Contacts stores what each contact node does: it slips if its tangential
// velocity is not that of the obstacle, see [snap].
func (s *Stepper) Contacts(dst []Contact) []Contact {
	dst = dst[:0]
	for k, n := range s.a.normal {
		state := Open
		if s.Reactions(k)[0] > 0 {
			state = Stick
			w := s.a.speed(k, s.now.T)
			for c := range s.a.dim - 1 {
				if s.now.V[n-s.a.dim+1+c] != w[c] {
					state = Slip
				}
			}
		}
		dst = append(dst, state)
	}
	return dst
}

// Supports stores in dst the force [N] that holds each prescribed component, the mean over the last step of
// M_* a + A u − L, and zero elsewhere; nil allocates. A velocity that jumps has its M_* Δv/Δt in it. Before a step it is 0.
func (s *Stepper) Supports(dst []float64) []float64 {
	dst = append(dst[:0], s.now.U...)
	clear(dst)
	dt := s.Span()
	if dt == 0 {
		return dst
	}
	for _, state := range []*State{&s.prev, &s.now} {
		s.a.load(s.loadNow, state.T)
		s.a.elastic(s.work, state.U)
		for _, i := range s.a.split.Fixed {
			dst[i] += 0.5 * (s.work[i] - s.loadNow[i])
		}
	}
	impulse := s.inertia(&s.prev, &s.now)
	for _, i := range s.a.split.Fixed {
		dst[i] += impulse[i] / dt
	}
	return dst
}

// inertia returns M_*Δv of a step [N s]; the result belongs to s.
func (s *Stepper) inertia(prev, now *State) []float64 {
	s.rises = append(s.rises[:0], now.V...)
	for i, v := range prev.V {
		s.rises[i] -= v
	}
	s.a.mass.MulVec(s.work, s.rises)
	return s.work
}

// Jolts stores in dst what the impulses M_*Δv of supports whose rate may jump, as their motion has a kink in the
// last step or at an end of it, add to [Stepper.Supports], zero elsewhere; nil allocates [N].
func (s *Stepper) Jolts(dst []float64) []float64 {
	dst = append(dst[:0], s.now.U...)
	clear(dst)
	dt := s.Span()
	if dt == 0 {
		return dst
	}
	s.rises = append(s.rises[:0], dst...)
	jumps := false // within a step, or a billionth of it beside: times of nodes are rounded
	for k := range s.a.model.Prescribed {
		p := &s.a.model.Prescribed[k]
		if len(signal.Vector{p.Motion}.Breaks(nil, s.prev.T-1e-9*dt, s.now.T+1e-9*dt)) == 0 {
			continue
		}
		jumps = true
		for _, n := range p.Nodes {
			i := n*s.a.dim + p.Axis
			s.rises[i] = (s.now.V[i] - s.prev.V[i]) / dt
		}
	}
	if !jumps {
		return dst
	}
	s.a.mass.MulVec(s.work, s.rises)
	for _, i := range s.a.split.Fixed {
		dst[i] = s.work[i]
	}
	return dst
}

// Noise is what the rounding of displacements, 4ε of the largest, leaves of [Stepper.Supports] [N].
func (s *Stepper) Noise() float64 {
	mass := 0.0
	for _, m := range s.findParts().whole {
		mass += m
	}
	return 4 * 0x1p-52 * infNorm(s.now.U) * mass / (s.Span() * s.Span())
}

// Span is the length of the last step, 0 before the first one [s].
func (s *Stepper) Span() float64 { return s.now.T - s.prev.T }

// Resultant returns the sums of the normal reactions and of the reactions along
// the first tangent [N].
func (s *Stepper) Resultant() (normal, tangential float64) {
	for k := range s.a.normal {
		r := s.Reactions(k)
		normal += r[0]
		tangential += r[1]
	}
	return normal, tangential
}

// Momentum returns 1ᵀM_* v of each component.
func (s *Stepper) Momentum() []float64 {
	s.a.mass.MulVec(s.work, s.now.V)
	return s.sum(s.work, -1)
}

// sum adds up forces of the package page along the axes, those on one of several bodies, or on all if body is negative.
func (s *Stepper) sum(f []float64, body int) []float64 {
	p := make([]float64, s.a.dim)
	s.a.acting(f)
	s.a.frames.ToGlobal(f)
	if body >= 0 {
		f = s.a.model.Bodies[body].of(f)
	}
	for i, x := range f {
		p[i%s.a.dim] += x
	}
	return p
}

func infNorm(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		if a := math.Abs(v); a > m || a != a {
			m = a
		}
	}
	return m
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// MeanVelocity stores 1ᵀM_*v over 1ᵀM_*1 of each component in dst, of one of several bodies, or of all if body is
// negative; nil allocates.
func (s *Stepper) MeanVelocity(dst []float64, body int) []float64 {
	d := s.a.dim
	s.a.mass.MulVec(s.work, s.now.V)
	dst = append(dst[:0], s.sum(s.work, body)...)
	mass := s.mass[body]
	if mass == nil {
		one := make([]float64, len(s.work))
		for c := range d {
			for i := range one {
				one[i] = 0
				if i%d == c {
					one[i] = 1
				}
			}
			s.a.toLocal(one)
			s.a.mass.MulVec(s.work, one)
			mass = append(mass, s.sum(s.work, body)[c])
		}
		if s.mass == nil {
			s.mass = map[int][]float64{}
		}
		s.mass[body] = mass
	}
	for c := range dst {
		dst[c] /= mass[c]
	}
	return dst
}
