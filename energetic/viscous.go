package energetic

import (
	"context"
	"fmt"
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
// until λ vanishes. λ is the force that friction and elasticity leave unbalanced, and
// its integral is what viscosity dissipates, however small it is: so that (E) closes
// through the jump. The norm is that of all coordinates: a viscosity that is the same for
// all particles. The path is computed, with an error of second order in its steps.
type JumpPath struct {
	Arc      []float64   // s of the points [m]
	States   [][]float64 // z, local coordinates
	Force    []float64   // λ [N]
	Released float64     // E at the start − E at the end [J]
	Friction float64     // ∫ Ψ(z′) ds [J]
	Viscous  float64     // ∫ λ ds [J]
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
	// pathSteps is the number of steps of a jump, about.
	pathSteps = 400
	// pathLimit is the number of steps after which a path is given up.
	pathLimit = 200 * pathSteps
	// balanced is the unbalanced force at which a path ends, over that met on it.
	balanced = 1e-9
)

// ResolveJump follows the path that leads from a state which is not stable at t, of about
// a length [m], by implicit steps of ½ c ‖z − z_k‖² with c such that each is a part of the
// length.
func ResolveJump(ctx context.Context, psi *dissipation.Coulomb, t float64, start []float64, length float64) (*JumpPath, error) {
	sys := psi.System
	if !(length > 0) {
		return nil, fmt.Errorf("energetic: a jump of %g m", length)
	}
	w, err := newPathWalker(psi, t, start, length)
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
			w.path.Released = first - last
			return &w.path, nil
		}
	}
	return nil, fmt.Errorf("energetic: the path of a jump at t=%g is not at rest after %d steps", t, pathLimit)
}

// pathWalker makes the steps of a path.
type pathWalker struct {
	psi     *dissipation.Coulomb // without viscosity
	t       float64
	ds      float64 // wanted
	viscous *viscosity
	z, grad []float64
	v       []float64
	lambda  float64
	largest float64 // of λ
	path    JumpPath
}

func newPathWalker(psi *dissipation.Coulomb, t float64, start []float64, length float64) (*pathWalker, error) {
	sys := psi.System
	w := &pathWalker{psi: psi, t: t, ds: length / pathSteps, z: slices.Clone(start), grad: make([]float64, len(start)), v: make([]float64, len(start))}
	w.viscous = &viscosity{a: make([]float64, len(start))}
	sys.Gradient(w.grad, nil, t, start)
	w.viscous.c = max(stiffest(sys.Hessian(t, start)), floats.Norm(w.grad, 2)/w.ds)
	if !(w.viscous.c > 0) {
		return nil, fmt.Errorf("energetic: nothing pulls at t=%g", t)
	}
	w.path.Arc, w.path.States, w.path.Force = []float64{0}, [][]float64{slices.Clone(start)}, []float64{0}
	return w, nil
}

// step makes a step of the wanted length, or reports that the path is at rest.
func (w *pathWalker) step(ctx context.Context) (done bool, err error) {
	for range 200 {
		next, err := w.relax(ctx)
		if err != nil {
			w.viscous.c *= 4 // not convex: a shorter step is
			continue
		}
		far := distance(next, w.z)
		if far > 2*w.ds {
			w.viscous.c *= 2
			continue
		}
		force := w.viscous.c * far
		w.take(next, far, force)
		if w.largest = max(w.largest, force); force <= balanced*w.largest {
			return true, nil
		}
		if far < w.ds/2 {
			w.viscous.c /= 2
		}
		return far == 0, nil
	}
	return false, fmt.Errorf("energetic: no step of the path of a jump at t=%g is solved", w.t)
}

// rest settles the end of the path without viscosity: what is left of the way there.
func (w *pathWalker) rest(ctx context.Context) error {
	end, err := settledState(ctx, w.psi, w.t, w.z)
	if err != nil {
		return err
	}
	far := distance(end, w.z)
	if far > w.ds {
		return fmt.Errorf("energetic: the path of a jump at t=%g comes to rest %g m from an equilibrium", w.t, far)
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

// take adds a point to the path, and what was dissipated on the way by the trapezoidal
// rule.
func (w *pathWalker) take(next []float64, far, force float64) {
	p := &w.path
	floats.SubTo(w.v, next, w.z)
	w.psi.System.Gradient(w.grad, nil, w.t, w.z)
	before := w.psi.Value(w.t, w.grad, w.z, w.v)
	w.psi.System.Gradient(w.grad, nil, w.t, next)
	after := w.psi.Value(w.t, w.grad, next, w.v)
	p.Friction += (before + after) / 2
	last := w.lambda
	if len(p.Arc) == 1 {
		last = force // that of the start is not known before the first step
	}
	p.Viscous += (last + force) / 2 * far
	p.Arc = append(p.Arc, p.Arc[len(p.Arc)-1]+far)
	p.States = append(p.States, slices.Clone(next))
	p.Force = append(p.Force, force)
	if len(p.Arc) == 2 {
		p.Force[0] = force
	}
	w.lambda = force
	copy(w.z, next)
}

// Inherit gives a certifier that has begun the sizes of forces and energies of another
// one of the same system, of which it judges the next stretch: what is small beside those
// is small.
func (c *Certifier) Inherit(from *Certifier) {
	for j, i := range c.between.island {
		p, q := &c.between.part[i], &from.between.part[from.between.island[j]]
		p.ForceAlong, p.ForceAcross = max(p.ForceAlong, q.ForceAlong), max(p.ForceAcross, q.ForceAcross)
		p.Acting, p.Data = max(p.Acting, q.Acting), max(p.Data, q.Data)
		p.ExchangedAlong, p.ExchangedAcross = max(p.ExchangedAlong, q.ExchangedAlong), max(p.ExchangedAcross, q.ExchangedAcross)
	}
	for k, f := range from.scales.Force {
		c.scales.Force[k] = max(c.scales.Force[k], f)
	}
	n, m := &c.node, &from.node
	n.EnergyScale, n.ForceScale, n.Loose = max(n.EnergyScale, m.EnergyScale), max(n.ForceScale, m.ForceScale), max(n.Loose, m.Loose)
}
