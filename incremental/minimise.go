package incremental

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
)

// NewMinimiser prepares the contact problem of a system.
func NewMinimiser(psi *dissipation.Coulomb, tolerance float64) *Minimiser {
	s := psi.System
	n := 3 * s.N()
	m := &Minimiser{psi: psi, sys: s, tolerance: tolerance}
	h := jacobian(s)
	h.Turns = len(s.Bent()) > 0
	for j := range s.N() {
		if s.Constrained(j) {
			m.particle, m.slot = append(m.particle, j), append(m.slot, j)
		}
	}
	for c := s.N(); c < s.Contacts(); c++ {
		m.particle, m.slot = append(m.particle, s.ContactParticle(c)), append(m.slot, c)
	}
	m.makeCorners()
	m.tresca = make([]contact.Tresca, len(m.particle))
	laws := make([]contact.Law, len(m.particle))
	for c := range laws {
		laws[c] = &m.tresca[c]
	}
	m.problem = contact.Global{H: h, F: make([]float64, n), W: make([]float64, 3*len(laws)), Laws: laws}
	m.v, m.next, m.f = make([]float64, n), make([]float64, n), make([]float64, n)
	m.previous = make([]float64, n)
	m.y, m.grad, m.base, m.gradBase = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	m.res.R = make([]float64, 3*len(laws))
	island, count := s.Islands()
	m.island, m.floors, m.force, m.off, m.acting = island, make([]float64, count), make([]float64, count),
		make([]float64, count), make([]float64, count)
	return m
}

// Solve stores the minimiser in z, which may be base, and DE(t, z) in grad. The
// state base must be admissible. floor is the size of forces [N] known to matter;
// residuals are relative to it or to the forces of this problem in the same island,
// whichever is larger. On an error z and grad are unchanged.
//
// The method is Newton's with the friction and the constraints kept exact in
// every step,
//
//	V⁺ = argmin{ ½(V−Vᵢ)ᵀD²E(V−Vᵢ) + DE·(V−Vᵢ) + Ψ(V) : base + V ∈ A },
//
// and a decrease test on E + Ψ, so that it only goes downhill from base. An
// indefinite D²E is shifted by a multiple of the identity until the problem is
// convex.
func (m *Minimiser) Solve(ctx context.Context, t float64, base, z, grad []float64, floor float64) error {
	clear(m.v)
	return m.descendFrom(ctx, t, base, z, grad, floor)
}

// descendFrom is Solve from base + v.
func (m *Minimiser) descendFrom(ctx context.Context, t float64, base, z, grad []float64, floor float64) error {
	m.begin(t, base)
	m.newton, m.factors, m.inner = 0, 0, 0
	for i := range m.floors {
		m.floors[i] = floor
	}
	copy(m.floors, m.given)
	target, gain := targetResidual, 0.5
	if m.proximal > 0 {
		target, gain = proximalResidual, proximalGain
	}
	if err := m.sys.Outside(t, m.y); err != nil {
		return m.failed(t, fmt.Errorf("no descent from a state of infinite energy, where prescribed motions have come in this one step; smaller steps help: %w",
			err))
	}
	if m.sys.ConstantHessian() {
		m.sys.Gradient(m.gradBase, nil, t, m.base)
	}
	m.gradient(t)
	best := math.Inf(1)
	for m.newton = 1; ; m.newton++ {
		if err := m.step(ctx, t); err != nil {
			return m.failed(t, err)
		}
		if m.residual <= target {
			break
		}
		if !(m.residual < gain*best) && best <= m.tolerance && m.residual <= m.tolerance {
			break // roundoff
		}
		if m.newton >= newtonLimit {
			if m.residual <= m.tolerance {
				break // it came nearer slowly, and near enough
			}
			return m.failed(t, nil)
		}
		best = min(best, m.residual)
	}
	m.polish(ctx, t)
	copy(z, m.y)
	copy(grad, m.grad)
	return nil
}

// begin sets the base of the displacements, and y.
func (m *Minimiser) begin(t float64, base []float64) {
	copy(m.base, base)
	m.heights(t, base)
	m.place(m.v)
	m.bend(t, m.base, m.y, m.v)
}

// step makes one Newton step from m.v and leaves y, its gradient, reactions and
// the residual.
func (m *Minimiser) step(ctx context.Context, t float64) error {
	m.beginModel(t)
	copy(m.previous, m.v)
	for {
		if err := m.solveModel(ctx); err != nil {
			return err
		}
		m.snap()
		if m.sys.ConstantHessian() {
			m.v, m.next = m.next, m.v
			break
		}
		if m.descend(t) {
			break
		}
		// A model that is not convex may have been solved all the same, where the contacts hold
		// what makes it indefinite: by a state that is stationary, and no minimiser.
		if !m.grow() {
			return errors.New("incremental: no descent along the Newton direction")
		}
	}
	m.place(m.v)
	m.meet(t)
	m.gradient(t)
	m.residual = m.imbalance()
	return nil
}

// beginModel sets the matrix of the quadratic model around m.v.
func (m *Minimiser) beginModel(t float64) {
	p := &m.problem
	hessian := m.sys.Hessian(t, m.y)
	p.M = hessian
	switch {
	case !m.sys.ConstantHessian():
		m.shiftBy(hessian, m.proximal)
		m.curve(m.shifted, t, m.y)
	case m.proximal > 0:
		m.shiftBy(hessian, m.proximal)
	}
	m.shift, m.shifts, m.stiffened = 0, 0, false
}

// solveModel minimises the quadratic model into m.next, shifted until it is convex.
func (m *Minimiser) solveModel(ctx context.Context) error {
	p := &m.problem
	for {
		// The model is Mv − f around v: f = Mv − DE.
		p.M.MulVec(p.F, m.v)
		for i, g := range m.grad {
			p.F[i] -= g
		}
		err := m.solveContact(ctx)
		m.inner += m.res.Iterations
		m.factors += m.res.Factors
		if m.sys.ConstantHessian() || !m.shiftable(err) {
			copy(m.next, m.res.V)
			return err
		}
		if _, indefinite := errors.AsType[*contact.IndefiniteError](err); !indefinite {
			clear(m.res.R) // a solve that ran away is no start
			m.warm(m.v, m.res.R)
		}
		if m.shifts == 0 && m.stiffenContacts() {
			continue
		}
		if !m.grow() {
			return fmt.Errorf("incremental: D²E is indefinite beyond repair: %w", err)
		}
	}
}

// idle: a coordinate whose own stiffness is below this part of the largest has none.
const idle = 1e-12

// shiftable reports whether a model was not solved that a stiffer one may be: D²E is indefinite, or
// nothing resists along a coordinate in which a particle is driven, as the damage of a bond.
func (m *Minimiser) shiftable(err error) bool {
	if _, indefinite := errors.AsType[*contact.IndefiniteError](err); indefinite {
		return true
	}
	if e, ok := errors.AsType[*contact.Error](err); !ok || e.Status == contact.Canceled {
		return false
	}
	least, most := math.Inf(1), 0.0
	for c := range m.shifted.N {
		k := math.Abs(m.shifted.Val[m.shifted.Ptr[c]] - m.shift)
		least, most = min(least, k), max(most, k)
	}
	return least <= idle*most
}

// grow raises the shift of the diagonal of D²E; false if it was raised often.
func (m *Minimiser) grow() bool {
	if m.shifts++; m.shifts >= shiftLimit {
		return false
	}
	a, largest := m.shifted, 0.0
	for c := range a.N {
		largest = max(largest, math.Abs(a.Val[a.Ptr[c]]))
	}
	next := max(10*m.shift, 1e-3*largest)
	for c := range a.N {
		a.Val[a.Ptr[c]] += next - m.shift
	}
	m.shift = next
	return true
}

// snap makes m.next exact: height 0 where there is a normal force, no motion
// where friction holds. What it removes is below the solver's tolerance.
func (m *Minimiser) snap() {
	p := &m.problem
	m.sizes(p.F)
	for i := range m.corners {
		m.snapCorner(&m.corners[i])
	}
	for c, j := range m.particle {
		if m.sys.Cornered(j) {
			continue
		}
		force := m.force[m.island[j]]
		v := m.next[3*j : 3*j+3]
		k := func(i int) float64 { return p.M.Val[p.M.Ptr[3*j+i]] }
		height := p.W[3*c] + v[2]
		// Without a stiffness of its own a height is arbitrary, and stays.
		if m.res.R[3*c] > 0 || height <= 0 || (k(2) > 0 && height*k(2) <= zeroMotion*force) {
			v[2] = -p.W[3*c]
		}
		if m.tresca[c].Threshold > 0 && (m.holds(c) || max(math.Abs(v[0]*k(0)), math.Abs(v[1]*k(1))) <= zeroMotion*force) {
			v[0], v[1] = 0, 0
		}
	}
}

// holding: a friction force that this factor leaves within its limit holds its
// contact, whatever roundoff makes it move; solvers meet the limit of a sliding
// contact to 1e-12 or better, and certificates allow 1e-9 of the forces.
const holding = 1 + 5e-10

// flat: an ellipse of friction with semi-axes in this ratio has no inside; along
// the short one a contact slides without friction.
const flat = 1e-9

// holds reports whether the friction force of contact c is inside its limit.
func (m *Minimiser) holds(c int) bool {
	if !m.tresca[c].Shape.Isotropic() {
		s := m.tresca[c].Shape.Matrix()
		if largest := max(math.Abs(s[0]), math.Abs(s[1]), math.Abs(s[2]),
			math.Abs(s[3])); math.Abs(s[0]*s[3]-s[1]*s[2]) <= flat*largest*largest {
			return false
		}
	}
	r := m.res.R[3*c : 3*c+3]
	p := [3]float64{r[0], holding * r[1], holding * r[2]}
	q := p
	m.tresca[c].Project(&q, nil, &p)
	return q == p
}

// descend goes from m.v towards m.next until E + Ψ has decreased enough; false if it does not.
func (m *Minimiser) descend(t float64) bool {
	if len(m.sys.Bent()) > 0 {
		return m.descendBent(t)
	}
	m.place(m.v)
	e0, _ := m.sys.Value(t, m.y)
	psi0 := m.Dissipation(m.v)
	slope := m.Dissipation(m.next) - psi0
	for i, g := range m.grad {
		slope += g * (m.next[i] - m.v[i])
	}
	size := math.Abs(e0) + psi0 + rounding*m.positionWork()
	if slope > 1e-14*size {
		return false
	}
	alpha := 1.0
	for range backtrackLimit {
		for i, x := range m.v {
			m.f[i] = x + alpha*(m.next[i]-x)
		}
		if alpha == 1 {
			copy(m.f, m.next) // to the bit
		}
		m.place(m.f)
		e, _ := m.sys.Value(t, m.y)
		if e+m.Dissipation(m.f)-e0-psi0 <= armijo*alpha*slope+1e-14*size { // roundoff of the sums
			m.v, m.f = m.f, m.v
			return true
		}
		if alpha == 1 && m.nearer(t) {
			return true
		}
		alpha *= 0.5
	}
	return false
}

// nearResidual: below, Newton's method is so near to where it converges that the energy of a body,
// a sum over its elements whose positions are rounded, may not tell that it falls.
const nearResidual = 1e-6

// nearer goes to m.next if the forces are known to be balanced better there, near to a solution.
func (m *Minimiser) nearer(t float64) bool {
	if m.newton <= 1 || !(m.residual <= nearResidual) {
		return false
	}
	m.place(m.next)
	m.gradient(t)
	if m.imbalance() < 0.5*m.residual {
		m.v, m.next = m.next, m.v
		return true
	}
	m.place(m.v)
	m.gradient(t)
	return false
}

// swell: forces of a model, D²E v − DE, that are this many times those that act come from a long
// way v. They are no measure of what is balanced.
const swell = 10

// swollen reports whether the forces of the last model are such in some island that obstacles bear,
// and what is left there is more than targetResidual of those that act.
func (m *Minimiser) swollen() bool {
	if m.sys.ConstantHessian() || len(m.corners) > 0 {
		return false
	}
	m.force, m.acting = m.acting, m.force
	m.sizes(m.grad)
	m.force, m.acting = m.acting, m.force
	for c, j := range m.particle {
		k := m.island[j]
		if f := m.acting[k]; m.res.R[3*c] > 0 && m.force[k] > swell*f && m.off[k] > targetResidual*f {
			return true
		}
	}
	return false
}

// polishes is the number of steps of [Minimiser.polish]: where D²E is shifted they come nearer by a
// factor each.
const polishes = 20

// polish goes on where the forces of the last model were swollen, until those that act are balanced
// to targetResidual or nothing is gained.
func (m *Minimiser) polish(ctx context.Context, t float64) {
	if !m.swollen() {
		return
	}
	for range polishes {
		if !m.retouch(ctx, t) || m.residual <= targetResidual {
			return
		}
	}
}

// retouch makes a Newton step whose unknown is the way from where the iteration has come to, not
// from the base: its forces are those that act, and it is solved to a part of these. It is taken
// where less is left unbalanced.
func (m *Minimiser) retouch(ctx context.Context, t float64) bool {
	p := &m.problem
	v, r, w, residual := slices.Clone(m.v), slices.Clone(m.res.R), slices.Clone(p.W), m.residual
	left := m.unbalancedMost()
	p.H.MulTransAdd(p.W, v)
	for i, g := range m.grad {
		p.F[i] = -g
	}
	clear(m.next)
	m.warm(m.next, r)
	err := m.solveContact(ctx)
	m.inner += m.res.Iterations
	m.factors += m.res.Factors
	copy(p.W, w)
	if err == nil {
		floats.AddTo(m.next, v, m.res.V)
		m.snap()
		m.v, m.next = m.next, m.v
		m.place(m.v)
		m.gradient(t)
		m.residual = m.imbalance()
	}
	better := err == nil && m.unbalancedMost() < proximalGain*left
	if !better {
		copy(m.v, v)
		copy(m.res.R, r)
		m.residual = residual
		m.place(m.v)
		m.gradient(t)
	}
	m.warm(m.v, m.res.R)
	return better
}

// unbalancedMost is the largest force that is not balanced [N].
func (m *Minimiser) unbalancedMost() float64 {
	m.unbalanced(m.f)
	return largest(m.f)
}

const (
	// proximalResidual is where [Stepper.proximal] ends: what has stiffness comes nearer by ε/(ε +
	// λ) in each iteration, λ >= ε; it goes on to rounding, so that what is left tells a force that
	// drives from none.
	proximalResidual = 1e-15
	// proximalGain is what an iteration must leave of the residual to go on below the tolerance:
	// slip that turns comes nearer slowly, and where something drives nothing changes.
	proximalGain = 0.9
)

// balanceForces sets the forces of pressure: of a constant D²E those that balance, exact to
// rounding, where the solver has its tolerance.
func (m *Minimiser) balanceForces() {
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

// lastMove is what the last iteration of a solve by proximal points did.
func (m *Minimiser) lastMove() []float64 {
	d := slices.Clone(m.v)
	floats.Sub(d, m.previous)
	return d
}

// contactStiffness is the stiffness across a contact that is closed, over the largest of the model:
// along it the model then is what it is with the height held, to 1e-6 of what couples both.
const contactStiffness = 1e6

// stiffenContacts makes the model stiff across the contacts with curved obstacles that are pressed,
// once a model; false if there is none. A solution in which they stay closed has the same motion
// and the same forces: their heights do not change.
func (m *Minimiser) stiffenContacts() bool {
	if m.stiffened {
		return false
	}
	k := largest(m.shifted.Val)
	for _, slot := range m.slot {
		if slot < m.sys.N() && m.sys.Curved(slot) && m.y[3*slot+2] == 0 && m.grad[3*slot+2] > 0 {
			m.shifted.Val[m.shifted.Ptr[3*slot+2]] += contactStiffness * k
			m.stiffened = true
		}
	}
	return m.stiffened
}
