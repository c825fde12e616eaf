package incremental

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/sparse"
)

// LossError says that a step has no solution: E(t, y) + Ψ falls without bound along a
// direction d in which nothing is stored and that leads into no obstacle,
//
//	D²E d = 0,   n·d >= 0 where it touches,   DE·d + Ψ(d) < 0.
//
// By these three no state at that time is in equilibrium under the friction of the step.
type LossError struct {
	Time      float64
	Direction []float64 // d, local coordinates, the particle that moves most by 1
	Particle  int       // that one
	Force     float64   // −(DE·d + Ψ(d)) [N]
	// Closing are the contacts whose obstacles leave Particle no place, in place of a direction; any place, near to
	// where it was if they are curved, is at least Depth inside one of them [m].
	Closing []int
	Depth   float64
	cause   error
}

func (e *LossError) Error() string {
	if len(e.Closing) > 0 {
		return fmt.Sprintf("incremental: no equilibrium at t=%g: %d obstacles leave no place around particle %d, any there is at least %.3g m inside one of them", e.Time, len(e.Closing), e.Particle, e.Depth)
	}
	return fmt.Sprintf("incremental: no equilibrium at t=%g: particle %d slides away, driven by %.3g N more than friction holds", e.Time, e.Particle, e.Force)
}

// Unwrap returns the error of the solver.
func (e *LossError) Unwrap() error { return e.cause }

const (
	// Directions of recession are told from displacements by two regularised problems,
	// D²E + ε, of which the second is this much softer …
	softer = 1e-2
	// … and the first at most this part of the stiffest spring.
	regular = 1e-4
	// rescues is the number of times that thresholds are taken from the forces of the
	// regularised problem, softer each time: they are off by about ε of the stiffness.
	rescues = 5
	// unstored: D²E d is below this part of |D²E||d|, rounding of the solver.
	unstored = 1e-7
	// clean: a direction of which less is stored is taken as it is. Of more, which may be the long way of a soft spring, as much as
	// can be is taken off; that turns it by rounding over the regularisation, 2e-8.
	clean = 1e-10
)

// rescue treats a step that was not solved. Where D²E is singular that may be because the
// thresholds at hand, those before the step, hold too little though those at its end would
// do: then it is solved with these. Or because nothing holds: then the error is a LossError.
func (s *Stepper) rescue(ctx context.Context, t float64, cause error) error {
	if !fixable(cause) || s.min.condensed != nil {
		return cause
	}
	if !s.psi.System.ConstantHessian() {
		return s.rescueVarying(ctx, t, cause)
	}
	_, contacts := errors.AsType[*contact.Error](cause)
	_, indefinite := errors.AsType[*contact.IndefiniteError](cause)
	if !contacts && !indefinite && !s.singular() {
		return cause
	}
	eps, last := s.min.softestAt(s.t, s.z), cause
	for range rescues {
		v, ok := s.min.regularised(ctx, t, s.z, eps)
		if !ok {
			return last
		}
		if s.stats.Lagged || !s.thresholdsOf(t) {
			if last = s.lost(ctx, t, eps, v, cause); last != cause {
				return last
			}
			// What drives is so little that the springs, by which regularised states differ as well, hide the direction.
			return s.proximal(ctx, t, cause)
		}
		// A solver that is content may have gone far along a direction in which next to
		// nothing drives.
		if v, ok = s.min.regularised(ctx, t, s.z, eps); !ok {
			return cause
		}
		last = s.lost(ctx, t, eps, v, cause)
		if _, lost := errors.AsType[*LossError](last); !lost && s.solve(ctx, t) == nil {
			return nil
		}
		eps *= 0.1
	}
	return last
}

// proximal solves the step with the frozen thresholds by the method of proximal points,
//
//	v⁺ = argmin { E(t, z + v) + Ψ(v) + ε/2 |v − v_i|² },
//
// which goes along directions without stiffness as far as something drives, the more so the softer ε is, and nowhere
// where nothing does: of the states that are as good, the nearest. Where it does not end, what it last did is a
// direction of recession, and the error a LossError. Later solves of the step are made so too.
func (s *Stepper) proximal(ctx context.Context, t float64, cause error) error {
	s.min.proximal = s.min.softestAt(s.t, s.z)
	err := s.solve(ctx, t)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if cause == nil {
		cause = err
	}
	return s.recedes(t, s.min.lastMove(), cause)
}

// again takes a step that was solved to the solution that [Stepper.proximal] finds; where it finds none, and nothing recedes, the
// step is solved as it was.
func (s *Stepper) again(ctx context.Context, t float64) error {
	err := s.proximal(ctx, t, nil)
	if _, lost := errors.AsType[*LossError](err); err == nil || lost || ctx.Err() != nil {
		return err
	}
	s.min.proximal = 0
	return s.solve(ctx, t)
}

// lastMove is what the last iteration of a solve by proximal points did.
func (m *Minimiser) lastMove() []float64 {
	d := slices.Clone(m.v)
	floats.Sub(d, m.previous)
	return d
}

// rescueVarying is rescue where D²E varies, of springs that turn or obstacles that move: by proximal points, with thresholds
// of their forces, where D²E has no stiffness along some direction. A direction of recession is then one along which E + Ψ
// falls as far as is looked.
func (s *Stepper) rescueVarying(ctx context.Context, t float64, cause error) error {
	if s.psi.System.AnyCurved() {
		return s.flee(ctx, t, cause)
	}
	if s.min.slack(t, s.z) {
		err := s.pulled(ctx, t, cause)
		if _, lost := errors.AsType[*LossError](err); err == nil || lost || ctx.Err() != nil {
			return err
		}
	}
	return s.levenberg(ctx, t, cause)
}

// pulled is rescueVarying by proximal points.
func (s *Stepper) pulled(ctx context.Context, t float64, cause error) error {
	s.min.proximal = s.min.softestAt(t, s.z)
	for range rescues {
		if err := s.solve(ctx, t); err == nil || ctx.Err() != nil {
			return err
		}
		d := s.min.lastMove()
		if s.stats.Lagged || !s.thresholdsOf(t) {
			return s.recedes(t, d, cause)
		}
	}
	return s.recedes(t, s.min.lastMove(), cause)
}

// slack reports whether D²E is singular, and not indefinite but for a part of the tension of springs.
func (m *Minimiser) slack(t float64, z []float64) bool {
	k := largest(m.sys.Hessian(t, z).Val)
	return k == 0 || m.singular(t, z, 0) && !m.singular(t, z, regular*k)
}

// softestAt is the stiffness that regularises at a state: a part of the largest, or 1 N/m.
func (m *Minimiser) softestAt(t float64, z []float64) float64 {
	if k := largest(m.sys.Hessian(t, z).Val); k > 0 {
		return regular * k
	}
	return 1
}

// falls reports whether E + Ψ falls along d by half of what drives at least, a hundred times as far as the step has come.
func (s *Stepper) falls(t float64, d []float64, drive float64) bool {
	m := s.min
	e0, _ := m.sys.Value(t, m.y)
	way, cost := 0.0, m.Dissipation(d)
	for _, v := range m.v {
		way = max(way, math.Abs(v))
	}
	y := make([]float64, len(d))
	for _, far := range []float64{1, 10, 100} {
		floats.AddScaledTo(y, m.y, far*way, d)
		e, _ := m.sys.Value(t, y)
		if !(e-e0+far*way*(cost+drive/2) <= 1e-12*(math.Abs(e)+math.Abs(e0))) { // rounding of the energies
			return false
		}
	}
	return way > 0
}

// nearest looks, with a minimiser of its own, whether a step that was solved has gone far along directions in which nothing is
// stored and nothing drives, and then takes the nearest of the states that are as good, by [Stepper.proximal].
func (s *Stepper) nearest(ctx context.Context, t float64) error {
	m, z, grad := s.scouting(), s.near[:len(s.z)], s.near[len(s.z):]
	m.proximal = m.softestAt(t, s.z)
	if err := m.Solve(ctx, t, s.z, z, grad, 0); err == nil {
		way, off := 0.0, 0.0
		for i, x := range s.zNext {
			way, off = max(way, math.Abs(z[i]-s.z[i])), max(off, math.Abs(x-z[i]))
		}
		crept := m.residual > targetResidual && s.min.residual <= targetResidual
		if off <= sameWay*way || crept && off <= halfWay*way {
			return nil
		}
	} else if ctx.Err() != nil {
		return err
	}
	return s.again(ctx, t)
}

// scouting returns the minimiser for a second look at a step that was solved, with its thresholds.
func (s *Stepper) scouting() *Minimiser {
	if s.scout == nil {
		s.scout = NewMinimiser(s.psi, s.opt.Tolerance)
		s.near = make([]float64, 2*len(s.z))
	}
	copy(s.scout.tresca, s.min.tresca)
	s.scout.work = s.min.work
	s.scout.SetFloors(s.floors)
	s.scout.From(s.t)
	return s.scout
}

// doubtful is the residual above which [Stepper.driven] looks: half of what certificates allow a force to drive along the size of a system.
const doubtful = targetResidual / 2

// drives: what is below this part of the forces is rounding of their sum.
const drives = 1e-14

// driven looks at a step that was solved to its tolerance and not to rounding: what is left may be what drives along a direction
// that nothing holds. Then the step has no solution, and the error is a LossError. The direction is that of two regularised steps,
// or that of what is left, if the solver takes even these for rest.
func (s *Stepper) driven(ctx context.Context, t float64) error {
	left := make([]float64, len(s.z))
	s.min.unbalanced(left)
	floats.Scale(-1, left)
	m := s.scouting()
	eps := m.softestAt(t, s.z)
	if v, ok := m.regularised(ctx, t, s.z, eps); ok {
		if d, ok := m.regularised(ctx, t, s.z, softer*eps); ok {
			floats.Sub(d, v)
			if err := s.drives(t, d); err != nil {
				return err
			}
		}
	}
	return cmp.Or(ctx.Err(), s.drives(t, left))
}

// drives makes the LossError of a direction of recession along which something drives in the solution of a step: what the direction
// stores enters by the forces there, which are none, and not by those of the start.
func (s *Stepper) drives(t float64, d []float64) error {
	err := s.recedes(t, d, nil)
	if lost, ok := errors.AsType[*LossError](err); ok && -(elementary.Dot(s.gradNext, lost.Direction)+s.min.Dissipation(lost.Direction)) > drives*s.Scale() {
		return err
	}
	return nil
}

// sameWay is what two solutions of a step may differ by, of its way: far more than what their residuals of 1e-12 make of
// springs a million times as soft as others.
const sameWay = 1e-6

// adrift reports whether nothing but friction at its bound may hold a motion of the step that was solved: D²E is
// singular, and there is an island that moves with no contact that sticks.
func (s *Stepper) adrift() bool {
	if s.min.condensed != nil || len(s.min.corners) > 0 {
		return false
	}
	if s.drift == nil {
		s.drift = make([]drift, len(s.scales.Force))
	}
	if s.psi.System.ConstantHessian() && !s.singular() {
		return false
	}
	clear(s.drift)
	for i, z := range s.zNext {
		if z != s.z[i] {
			s.drift[s.scales.Island[i/3]].moves = true
		}
	}
	for c, j := range s.min.slot {
		if r := s.min.res.R[3*c]; r > 0 && s.min.tresca[c].Threshold > 0 && [2]float64(s.zNext[3*j:]) == [2]float64(s.z[3*j:]) {
			s.drift[s.scales.Island[j]].sticks = true
		}
	}
	return slices.Contains(s.drift, drift{moves: true}) && s.singular()
}

// halfWay is what a solution to rounding may differ by from proximal points that have crept to the tolerance, of their way, to be taken for the same:
// along a direction with next to no stiffness what is left of the forces is much of the way.
const halfWay = 0.5

// drift is what an island did in a step.
type drift struct{ moves, sticks bool }

// singular reports whether D²E has no Cholesky factor, at the first state for which that is asked: springs that turn change
// no motion of all of them. A constant D²E is asked for in the first step.
func (s *Stepper) singular() bool {
	if !s.asked {
		s.asked, s.slack = true, s.min.slack(s.t, s.z)
	}
	return s.slack
}

// singular reports whether D²E + shift·I has no Cholesky factor.
func (m *Minimiser) singular(t float64, z []float64, shift float64) bool {
	a := m.shiftedBy(t, z, shift)
	n := float64(a.N)
	// A pivot of a singular matrix is rounding of the sums of its column.
	_, indefinite := errors.AsType[*factor.NotPositiveDefiniteError](factor.Analyse(a, factor.Options{PivotTolerance: 4 * n * 0x1p-52}).Refactor(a))
	return indefinite
}

const (
	// proximalResidual is where [Stepper.proximal] ends: what has stiffness comes nearer by ε/(ε + λ) in each iteration, λ >= ε; it goes on to rounding, so that what is left tells a force that drives from none.
	proximalResidual = 1e-15
	// proximalGain is what an iteration must leave of the residual to go on below the tolerance: slip that turns comes nearer
	// slowly, and where something drives nothing changes.
	proximalGain = 0.9
)

// thresholdsOf freezes the thresholds at the normal forces of the last solve; false if they
// are those that are frozen.
func (s *Stepper) thresholdsOf(t float64) (changed bool) {
	s.min.press()
	for c, j := range s.min.slot {
		r := s.opt.Rule.Threshold(s.min.pressure(c), s.switching[j]) * s.psi.Factor(j, t)
		changed = changed || math.Abs(r-s.force[c]) > implicitTolerance*s.size(c)
		s.force[c] = r
		s.min.SetThreshold(c, r, t, s.z)
	}
	return changed
}

// press sets the forces of pressure: of a constant D²E those that balance, exact to rounding, where the solver has its tolerance.
func (m *Minimiser) press() {
	if m.sys.ConstantHessian() {
		m.sys.Hessian(0, m.y).MulVec(m.f, m.res.V)
		floats.Add(m.f, m.gradBase)
	}
}

// pressure is the normal force of a contact in the last solve.
func (m *Minimiser) pressure(c int) float64 {
	r, j := m.res.R[3*c], m.slot[c]
	if r > 0 && m.sys.ConstantHessian() && j < m.sys.N() && !m.sys.Cornered(j) {
		return max(m.f[3*j+2], 0)
	}
	return r
}

// lost makes the LossError of a direction of recession, if there is one.
func (s *Stepper) lost(ctx context.Context, t, eps float64, v []float64, cause error) error {
	w, ok := s.min.regularised(ctx, t, s.z, softer*eps)
	if !ok {
		return cause
	}
	d := make([]float64, len(v))
	for i := range d {
		d[i] = w[i] - v[i]
	}
	return s.recedes(t, d, cause)
}

// recedes makes the LossError of a direction, turned to where most drives, if it is one of recession, else it returns the cause.
func (s *Stepper) recedes(t float64, d []float64, cause error) error {
	m := s.min
	z := s.z
	if !m.sys.ConstantHessian() {
		z = m.y
	}
	_, ok := unit(d)
	if ok && m.stored(t, z, d) > clean {
		m.relax(t, z, d)
		_, ok = unit(d)
	}
	if ok && m.admit(d) {
		_, ok = unit(d)
	}
	if !ok || m.stored(t, z, d) > unstored {
		return cause
	}
	s.flatten(t, z, d)
	drive := s.Steepest(t, d)
	if !(drive > 0) || !m.sys.ConstantHessian() && !s.falls(t, d, drive) {
		return cause
	}
	worst, _ := unit(d)
	return &LossError{Time: t, Direction: d, Particle: worst, Force: drive, cause: cause}
}

// admit takes from a direction what leads into obstacles, and reports whether there was some.
func (m *Minimiser) admit(d []float64) (changed bool) {
	for c, j := range m.particle {
		if m.slot[c] == j && !m.sys.Cornered(j) && d[3*j+2] < 0 {
			d[3*j+2], changed = 0, true
		}
	}
	return changed
}

// flatten takes from a direction of recession what it has along the normals of obstacles that bear something, where no more is
// stored without it: to lift what is pressed costs, and next to nothing drives near to a loss.
func (s *Stepper) flatten(t float64, z, d []float64) {
	m, g, e := s.min, s.slope(), slices.Clone(d)
	for c, j := range m.slot {
		if m.particle[c] == j && !m.sys.Cornered(j) && g[3*j+2] > 0 && m.y[3*j+2] == 0 {
			e[3*j+2] = 0
		}
	}
	if m.stored(t, z, e) <= max(m.stored(t, z, d), pure) {
		copy(d, e)
	}
}

// alike: of particles that move by the same but for this part of it, the first is named.
const alike = 1e-9

// unit scales displacements so that the particle that moves most moves by 1, and returns it; false if none moves.
func unit(d []float64) (worst int, ok bool) {
	most := 0.0
	for j := range len(d) / 3 {
		l := vec3.Norm([3]float64(d[3*j:]))
		if l > (1+alike)*most {
			worst = j
		}
		most = max(most, l)
	}
	if !(most > 0) || math.IsInf(most, 1) {
		return worst, false
	}
	floats.Scale(1/most, d)
	return worst, true
}

// Drive is what drives along a direction of recession beyond what the friction of the last step holds, −(DE·d + Ψ(d)) at the time
// of that step, also of one that failed [N]: DE·d is the same wherever the step ends.
func (s *Stepper) Drive(d []float64) float64 {
	return -(elementary.Dot(s.slope(), d) + s.min.Dissipation(d))
}

// DriveError is what the solver leaves of Drive through the thresholds [N]: beside other obstacles the normal forces of a particle
// are solved for, to 1e-12 of the forces, where they follow from its own balance else.
func (s *Stepper) DriveError() float64 {
	if len(s.min.corners) == 0 {
		return 0
	}
	return 5e-12 * s.Scale()
}

// stored is the largest entry of D²E d, over that of D²E.
func (m *Minimiser) stored(t float64, z, d []float64) float64 {
	a := m.sys.Hessian(t, z)
	a.MulVec(m.f, d)
	most := 0.0
	for _, f := range m.f {
		most = max(most, math.Abs(f))
	}
	if k := largest(a.Val); k > 0 {
		return most / k
	}
	return 0
}

// shiftedBy returns D²E + shift·I, in memory of its own.
func (m *Minimiser) shiftedBy(t float64, z []float64, shift float64) *sparse.Sym {
	hessian := m.sys.Hessian(t, z)
	a := copyPattern(hessian)
	copy(a.Val, hessian.Val)
	for c := range a.N {
		a.Val[a.Ptr[c]] += shift
	}
	return a
}

// relax takes from d what is stored in it, by inverse iterations d ← δ(D²E + δI)⁻¹d: where slip turns, or a soft spring is still
// coming to rest, the last difference of an iteration is near to a direction of recession, and no more. Heights that
// obstacles hold stay.
func (m *Minimiser) relax(t float64, z, d []float64) {
	const rounds = 6
	delta := regular * m.softestAt(t, z)
	a := m.shiftedBy(t, z, delta)
	f := factor.Analyse(a, factor.Options{})
	if f.Refactor(a) != nil {
		return
	}
	held := append([]float64(nil), d...)
	for range rounds {
		f.Solve(d, d)
		floats.Scale(delta, d)
	}
	for _, j := range m.particle {
		if held[3*j+2] <= 0 {
			d[3*j+2] = 0
		}
	}
}

func largest(list []float64) float64 {
	k := 0.0
	for _, v := range list {
		k = max(k, math.Abs(v))
	}
	return k
}

// regularised solves the step from base with D²E + εI, which has a solution; it leaves its
// reactions, and returns the displacement.
func (m *Minimiser) regularised(ctx context.Context, t float64, base []float64, eps float64) (v []float64, ok bool) {
	clear(m.v)
	m.begin(t, base)
	copy(m.floors, m.given)
	p, hessian := &m.problem, m.sys.Hessian(t, m.y)
	m.sys.Gradient(m.gradBase, nil, t, m.base)
	m.shiftBy(hessian, eps)
	for i, g := range m.gradBase {
		p.F[i] = -g
	}
	if err := m.solveContact(ctx); err != nil {
		return nil, false
	}
	return append([]float64(nil), m.res.V...), true
}
