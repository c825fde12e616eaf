package global

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// JumpPath is a jump resolved by vanishing viscosity: the curve z(s) in the space of
// states, s its arc length, along which at fixed time
//
//	0 ∈ ∂Ψ(t, z, z′) + λ z′ + DE(t, z),  ‖z′‖ = 1,  λ >= 0,
//
// until λ vanishes. λ is the force that friction and elasticity leave unbalanced, and its integral
// is what viscosity dissipates, however small it is: so that (E) closes through the jump. The norm
// is that of all coordinates: a viscosity that is the same for all particles. The path is computed,
// with an error of second order in its steps, which are chosen by it.
type JumpPath struct {
	Arc      []float64   // s of the points, in space [m]
	States   [][]float64 // z, local coordinates
	Force    []float64   // λ [N]
	Released float64     // E at the start − E at the end [J]
	Friction float64     // ∫ Ψ(z′) ds [J]
	Viscous  float64     // ∫ λ ds [J]
	Slipped  []float64   // how far contacts have slipped at its end [m], see [dissipation.Slipping]
}

// Residual is Released − Friction − Viscous [J]: what (E) lacks, by quadrature.
func (p *JumpPath) Residual() float64 { return p.Released - p.Friction - p.Viscous }

// viscosity is the energy ½ c ‖x − a‖².
type viscosity struct {
	c float64
	a []float64
}

func (v *viscosity) Pattern(p *particles.Pattern) {
	for j := range len(v.a) / 3 {
		p.AddIsotropic(j, j)
	}
}

func (v *viscosity) Value(_ float64, x []float64) (e, rate float64) {
	for i, a := range v.a {
		e += v.c * (x[i] - a) * (x[i] - a) / 2
	}
	return e, 0
}

func (v *viscosity) Gradient(grad, _ []float64, _ float64, x []float64) {
	if grad == nil {
		return
	}
	for i, a := range v.a {
		grad[i] += v.c * (x[i] - a)
	}
}

func (v *viscosity) Hessian(h *particles.Hessian, _ float64, _ []float64) {
	for j := range len(v.a) / 3 {
		h.AddIsotropic(j, j, v.c)
	}
}

const (
	// pathSteps is the number of steps of a jump with which a path begins, and coarsest the least
	// that it may have.
	pathSteps = 400
	coarsest  = 20
	// pathLimit is the number of steps after which a path is given up.
	pathLimit = 200 * pathSteps
	// balanced is the unbalanced force at which a path ends, over that met on it.
	balanced = 1e-9
	// turning: a step whose direction differs by more from that of the one before it, over the root
	// of the tolerance, is made again.
	turning = 4
	// finest: steps of the tolerance DefaultJump are no shorter than this part of those of
	// pathSteps, and those of others in proportion to its root: near to a fold, where a path begins
	// with next to no force, parts of what it releases say nothing. No error below openRounding of
	// the energies counts.
	finest       = 0.1
	openRounding = 1e-13
)

// DefaultJump is the tolerance of [ResolveJump] in place of 0.
const DefaultJump = 1e-5

// ResolveJump follows the path that leads from a state which is not stable at t, of about a length
// [m], by implicit steps of ½ c ‖z − z_k‖². c is such that of the energy that each releases
// friction and viscosity account for all but the part tolerance (0: DefaultJump), by the
// trapezoidal rule.
func ResolveJump(ctx context.Context, psi *dissipation.Coulomb, t float64, start []float64, length, tolerance float64) (*JumpPath, error) {
	sys := psi.System
	if !(length > 0) {
		return nil, fmt.Errorf("global: a jump of %g m", length)
	}
	if !(tolerance >= 0 && tolerance < 1) {
		return nil, fmt.Errorf("global: a jump to the tolerance %g, want a part below 1", tolerance)
	}
	if tolerance == 0 {
		tolerance = DefaultJump
	}
	w, err := newPathWalker(psi, t, start, length, tolerance)
	if err != nil {
		return nil, err
	}
	for range pathLimit {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		done, err := w.step(ctx)
		if err != nil {
			return nil, err
		}
		if done {
			if err := w.rest(ctx); err != nil {
				return nil, err
			}
			first, _ := sys.Value(t, start)
			last, _ := sys.Value(t, w.z)
			w.path.Released, w.path.Slipped = first-last, w.psi.Slips(t, w.z)
			return &w.path, nil
		}
	}
	return nil, fmt.Errorf("global: the path of a jump at t=%g is not at rest after %d steps", t, pathLimit)
}

// pathWalker makes the steps of a path.
type pathWalker struct {
	psi     *dissipation.Coulomb // without viscosity
	t       float64
	ds      float64 // wanted
	longest float64
	least   float64 // length of a step that is taken whatever its error is
	within  float64 // tolerance
	energy  float64 // at z
	viscous *viscosity
	z, grad []float64
	v       []float64
	lambda  float64
	largest float64   // of λ
	x, y    []float64 // places, see apart
	last    []float64 // the last step, in space
	path    JumpPath
}

func newPathWalker(psi *dissipation.Coulomb, t float64, start []float64, length, tolerance float64) (*pathWalker, error) {
	sys := psi.System
	psi = psi.Own()
	psi.Advance(t, start)
	w := &pathWalker{psi: psi, t: t, ds: length / pathSteps, longest: length / coarsest,
		least: finest * length / pathSteps * min(math.Sqrt(tolerance/DefaultJump), 1), within: tolerance,
		z: slices.Clone(start), grad: make([]float64, len(start)), v: make([]float64, len(start)),
		x: make([]float64, len(start)), y: make([]float64, len(start))}
	w.energy, _ = sys.Value(t, start)
	w.viscous = &viscosity{a: make([]float64, len(start))}
	sys.Gradient(w.grad, nil, t, start)
	w.viscous.c = max(sys.Hessian(t, start).MaxDiagonal(), floats.Norm(w.grad, 2)/w.ds)
	if !(w.viscous.c > 0) {
		return nil, fmt.Errorf("global: nothing pulls at t=%g", t)
	}
	w.path.Arc, w.path.States, w.path.Force = []float64{0}, [][]float64{slices.Clone(start)}, []float64{0}
	return w, nil
}

// apart is how far two states are from each other, in space.
func (w *pathWalker) apart(a, b []float64) float64 {
	if !w.psi.System.Charts() {
		return floats.Distance(a, b, 2)
	}
	w.psi.System.ToGlobalAt(w.t, w.x, a)
	w.psi.System.ToGlobalAt(w.t, w.y, b)
	return floats.Distance(w.x, w.y, 2)
}

// step makes a step of the wanted length, or reports that the path is at rest.
func (w *pathWalker) step(ctx context.Context) (done bool, err error) {
	for range 200 {
		next, err := w.relax(ctx)
		if err != nil {
			w.viscous.c *= 4 // not convex: a shorter step is
			continue
		}
		far := w.apart(next, w.z)
		if far > 2*w.ds {
			w.viscous.c *= 2
			continue
		}
		force := w.viscous.c * far
		if part := w.open(next, far, force); part > 1 && far > w.least {
			w.viscous.c *= 2
			w.ds = max(min(w.ds, far/2), w.least)
			continue
		} else if part < 0.1 {
			w.ds = min(1.5*w.ds, w.longest)
		}
		w.take(next, far, force)
		if w.largest = max(w.largest, force); force <= balanced*w.largest {
			return true, nil
		}
		if far < w.ds/2 {
			w.viscous.c /= 2
		}
		return far == 0, nil
	}
	return false, fmt.Errorf("global: no step of the path of a jump at t=%g is solved", w.t)
}

// open is the error of a step, in parts of what is allowed: what friction and viscosity leave of
// the energy it releases, and how far it turns.
func (w *pathWalker) open(next []float64, far, force float64) float64 {
	friction, off := w.rubbed(next)
	energy, _ := w.psi.System.Value(w.t, next)
	released := w.energy - energy
	off += math.Abs(released - friction - w.pulled(far, force))
	part := max(off-openRounding*(math.Abs(energy)+math.Abs(w.energy)), 0) / (w.within * math.Abs(released))
	if released == 0 {
		part = 0
	}
	floats.SubTo(w.v, next, w.z)
	if w.psi.System.Charts() {
		w.psi.System.ToGlobalAt(w.t, w.x, next)
		w.psi.System.ToGlobalAt(w.t, w.y, w.z)
		floats.SubTo(w.v, w.x, w.y)
	}
	if w.last != nil && far > 0 && force > balanced*w.largest {
		cos := floats.Dot(w.v, w.last) / (floats.Norm(w.v, 2) * floats.Norm(w.last, 2))
		part = max(part, math.Sqrt(max(2-2*cos, 0))/(turning*math.Sqrt(w.within)*10))
	}
	return part
}

// rest settles the end of the path without viscosity: what is left of the way there.
func (w *pathWalker) rest(ctx context.Context) error {
	end, err := settledState(ctx, w.psi, w.t, w.z)
	if err != nil {
		return err
	}
	far := w.apart(end, w.z)
	if far > w.ds {
		return fmt.Errorf("global: the path of a jump at t=%g comes to rest %g m from an equilibrium", w.t, far)
	}
	w.take(end, far, 0)
	return nil
}

// settledState returns the equilibrium at time t that a state settles in.
func settledState(ctx context.Context, psi *dissipation.Coulomb, t float64, z []float64) ([]float64, error) {
	s, err := incremental.New(psi, t, z, incremental.Options{Threshold: incremental.Implicit})
	if err == nil {
		_, err = s.Equilibrate(ctx)
	}
	if err != nil {
		return nil, err
	}
	return slices.Clone(s.State()), nil
}

// relax solves one step from z.
func (w *pathWalker) relax(ctx context.Context) ([]float64, error) {
	w.psi.System.ToGlobalAt(w.t, w.viscous.a, w.z)
	sys, err := w.psi.System.With(w.viscous)
	if err != nil {
		return nil, err
	}
	s, err := incremental.New(w.psi.On(sys), w.t, w.z, incremental.Options{Threshold: incremental.Implicit})
	if err != nil {
		return nil, err
	}
	if err := s.Step(ctx, w.t); err != nil {
		return nil, err
	}
	return slices.Clone(s.State()), nil
}

// rubbed is what friction takes on the straight way to a state by the trapezoidal rule, and by how
// much Simpson's differs.
func (w *pathWalker) rubbed(next []float64) (taken, off float64) {
	floats.SubTo(w.v, next, w.z)
	w.psi.System.Gradient(w.grad, nil, w.t, w.z)
	before := w.psi.Value(w.t, w.grad, w.z, w.v)
	w.psi.System.Gradient(w.grad, nil, w.t, next)
	after := w.psi.Value(w.t, w.grad, next, w.v)
	floats.AddScaledTo(w.x, w.z, 0.5, w.v)
	w.psi.System.Gradient(w.grad, nil, w.t, w.x)
	half := w.psi.Value(w.t, w.grad, w.x, w.v)
	return (before + after) / 2, math.Abs(half-(before+after)/2) * 2 / 3
}

// pulled is what viscosity takes on a way of a length to the force λ, by the trapezoidal rule.
func (w *pathWalker) pulled(far, force float64) float64 {
	last := w.lambda
	if len(w.path.Arc) == 1 {
		last = force // that of the start is not known before the first step
	}
	return (last + force) / 2 * far
}

// take adds a point to the path, and what was dissipated on the way.
func (w *pathWalker) take(next []float64, far, force float64) {
	p := &w.path
	friction, _ := w.rubbed(next)
	p.Friction += friction
	p.Viscous += w.pulled(far, force)
	p.Arc = append(p.Arc, p.Arc[len(p.Arc)-1]+far)
	p.States = append(p.States, slices.Clone(next))
	p.Force = append(p.Force, force)
	if len(p.Arc) == 2 {
		p.Force[0] = force
	}
	w.lambda = force
	if far > 0 {
		w.last = append(w.last[:0], next...)
		floats.Sub(w.last, w.z)
		if w.psi.System.Charts() {
			w.psi.System.ToGlobalAt(w.t, w.x, next)
			w.psi.System.ToGlobalAt(w.t, w.y, w.z)
			floats.SubTo(w.last, w.x, w.y)
		}
	}
	w.energy, _ = w.psi.System.Value(w.t, next)
	w.psi.Advance(w.t, next)
	copy(w.z, next)
}
