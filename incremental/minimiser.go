package incremental

import (
	"errors"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

const (
	// targetResidual is where Newton's method stops; a quadratic energy meets
	// it in one step. [Options.Tolerance] is what is accepted if roundoff stops
	// it earlier.
	targetResidual = 1e-12
	// zeroMotion: a displacement whose elastic force is below this fraction of
	// the forces is roundoff and set to zero, where friction is at its limit.
	zeroMotion = 1e-14
	// zeroForce: a normal force below this fraction of the forces is none.
	zeroForce = 1e-12

	armijo         = 1e-4
	newtonLimit    = 100
	backtrackLimit = 40
	shiftLimit     = 12
)

// Minimiser solves argmin problems with frozen thresholds,
//
//	min { E(t, y) + Σ_j ‖S_j (y − base)_T^(j)‖ : y ∈ A },
//
// where S_j is threshold times matrix, set by SetThreshold. It keeps the
// factorisation, the reactions and the last displacement between solves. Not
// safe for concurrent use.
type Minimiser struct {
	psi       *dissipation.Coulomb
	sys       *particles.System
	tolerance float64
	contactSet
	contactProblem
	shiftedModel
	iterate
	islandForces
	counts
	gaps
}

// contactSet are the contacts of the problem, and their laws.
type contactSet struct {
	particle []int    // of each contact
	slot     []int    // number of each contact in the system
	corners  []corner // particles with several obstacles
	tresca   []contact.Tresca
	coulomb  []contact.Law // exact laws, see coulomb.go
}

// contactProblem is what each model is solved by.
type contactProblem struct {
	problem   contact.Global
	ws        contact.GlobalWorkspace
	res       contact.Result
	convexTol contact.Options
	plan      *Plan              // nil: not made yet, or not needed
	condensed *contact.Condensed // see condense.go; nil: not used
	held      *contact.Condensed // of a singular D²E; nil: not used
	tried     bool               // whether to condense
	parts     []*part            // see islands.go; nil: not made, or not used
}

// shiftedModel is D²E as it is changed until the problem is convex.
type shiftedModel struct {
	shifted   *sparse.Sym // D²E of an energy whose Hessian varies, plus a shift
	shift     float64     // that of the present model …
	shifts    int         // … and how often it was raised
	stiffened bool        // see stiffenContacts
	floating  *bool       // see floats; nil: not asked
	proximal  float64     // ε of D²E + εI in each model; 0: none, see regularise.go [N/m]
	softness  float64     // ε of the last part of [Minimiser.levenberg] [N/m]
}

// iterate is where Newton's method is.
type iterate struct {
	v, next, f       []float64 // displacements from the base
	previous         []float64 // displacements before the last step, see lastMove
	y, grad          []float64
	base, gradBase   []float64 // gradBase = DE(t, base), of a constant D²E
	start, direction []float64 // of a descent, see bent.go
	closed           []int     // scratch, see meet
	from             float64   // time of the base states, see From …
	moved            bool      // … if it was given
}

// islandForces are sizes of forces by island [N].
type islandForces struct {
	island     []int     // of each particle
	floors     []float64 // that are known to matter, see Solve
	given      []float64 // see SetFloors; nil: none
	force, off []float64 // of an iterate
	acting     []float64 // see swollen
}

// counts are the costs and the residual of the last solve.
type counts struct {
	newton, factors, inner int
	residual               float64
	work                   work // of the step
}

// gaps is the memory of [Minimiser.Gap].
type gaps struct {
	gapV, gapZ, gapGrad []float64
	point               [3]float64
}

// SetFloors gives the sizes of the forces that are known to matter by island, in
// place of the one that Solve takes; nil takes them back.
func (m *Minimiser) SetFloors(byIsland []float64) { m.given = byIsland }

// UsePlan gives m an analysis of its system; nil is no analysis.
func (m *Minimiser) UsePlan(p *Plan) {
	if p != nil {
		m.plan = p
		m.ws.UseMassPlan(p.mass)
		m.ws.UseCondensed(m.ownCondensed)
	}
}

// Contacts returns the contacts of the problem by their number in the system: those of
// particles with their own obstacle, ascending, then those with extra ones.
func (m *Minimiser) Contacts() []int { return m.slot }

// SetThreshold freezes the law of contact c: regularised normal force times
// friction matrix at the time t and the state z.
func (m *Minimiser) SetThreshold(c int, force, t float64, z []float64) {
	m.psi.Law(&m.tresca[c], t, m.slot[c], force, z)
}

// reaction returns the force of the obstacle on the particle of contact c in
// the order (t, o, n), from the last solve.
func (m *Minimiser) reaction(c int) [3]float64 {
	r := m.res.R[3*c : 3*c+3]
	return [3]float64{r[1], r[2], r[0]}
}

// gradient sets grad = DE(t, base + v). That of a quadratic energy is
// DE(t, base) + D²E v: exact to the rounding of the displacement and not of the
// positions, so that a step far from the origin converges as one at it.
func (m *Minimiser) gradient(t float64) {
	if !m.sys.ConstantHessian() {
		m.sys.Gradient(m.grad, nil, t, m.y)
		return
	}
	m.sys.Hessian(t, m.y).MulVec(m.grad, m.v)
	for i, g := range m.gradBase {
		m.grad[i] += g
	}
}

// place sets y = base + v, with heights of contacts exactly 0.
func (m *Minimiser) place(v []float64) {
	for i, b := range m.base {
		m.y[i] = b + v[i]
	}
	for c, j := range m.particle {
		if m.slot[c] == j {
			m.y[3*j+2] = max(m.y[3*j+2], 0)
		}
	}
}

// Dissipation returns Σ_j ‖S_j v_T^(j)‖ with the frozen thresholds [J].
func (m *Minimiser) Dissipation(v []float64) float64 {
	sum := 0.0
	for c := range m.slot {
		l := &m.tresca[c]
		if l.Threshold > 0 {
			a, b := m.slide(c, v)
			sum += l.Threshold * l.Shape.Norm(a, b)
		}
	}
	return sum
}

// slide returns the components of v along contact c, less what its obstacle has moved.
func (m *Minimiser) slide(c int, v []float64) (a, b float64) {
	if m.slot[c] < m.sys.N() {
		return v[3*m.slot[c]], v[3*m.slot[c]+1]
	}
	_, t, o := m.axes(c)
	d := [3]float64(v[3*m.particle[c] : 3*m.particle[c]+3])
	return vec3.Dot(t, d) + m.problem.W[3*c+1], vec3.Dot(o, d) + m.problem.W[3*c+2]
}

// unbalanced sets e = DE − Hr.
func (m *Minimiser) unbalanced(e []float64) {
	copy(e, m.grad)
	m.subtractExtras(e)
	for c, j := range m.slot {
		if j >= m.sys.N() {
			break
		}
		r := m.reaction(c)
		e[3*j] -= r[0]
		e[3*j+1] -= r[1]
		e[3*j+2] -= r[2]
	}
}

// imbalance returns ‖DE − Hr‖∞ over the size of the forces, of the worst island.
func (m *Minimiser) imbalance() float64 {
	e := m.f
	m.unbalanced(e)
	m.sizes(m.grad, m.problem.F)
	clear(m.off)
	for i, f := range e {
		k := m.island[i/3]
		m.off[k] = max(m.off[k], math.Abs(f))
		if f != f { // max keeps it on some machines only
			m.off[k] = f
		}
	}
	worst := 0.0
	for k, f := range m.off {
		if f != 0 {
			worst = max(worst, f/m.force[k])
		}
	}
	return worst
}

// sizes sets m.force: the largest of the floor, the reactions and the forces given,
// by island.
func (m *Minimiser) sizes(forces ...[]float64) {
	copy(m.force, m.floors)
	for _, list := range forces {
		for i, f := range list {
			k := m.island[i/3]
			m.force[k] = max(m.force[k], math.Abs(f))
		}
	}
	for c, j := range m.particle {
		r, k := m.res.R[3*c:3*c+3], m.island[j]
		m.force[k] = max(m.force[k], math.Abs(r[0]), math.Abs(r[1]), math.Abs(r[2]))
	}
}

// positionWork returns Σ |DE_i y_i|.
func (m *Minimiser) positionWork() float64 {
	sum := 0.0
	for i, g := range m.grad {
		sum += math.Abs(g * m.y[i])
	}
	return sum
}

// copyShifted copies D²E to where it can be shifted.
func (m *Minimiser) copyShifted(hessian *sparse.Sym) {
	if m.shifted == nil {
		m.shifted = copyPattern(hessian)
	}
	copy(m.shifted.Val, hessian.Val)
}

// shiftBy makes D²E + εI the matrix of the model.
func (m *Minimiser) shiftBy(hessian *sparse.Sym, eps float64) {
	m.copyShifted(hessian)
	for c := range hessian.N {
		m.shifted.Val[hessian.Ptr[c]] += eps
	}
	m.problem.M = m.shifted
}

// copyPattern returns a matrix of zeros with the pattern of a.
func copyPattern(a *sparse.Sym) *sparse.Sym {
	return &sparse.Sym{N: a.N, Ptr: a.Ptr, Row: a.Row, Val: make([]float64, len(a.Val))}
}

// rounding times the 1e-14 of the test below is 2⁻⁵²: the energy of base + v is
// uncertain by the forces times the rounding of the positions, which outweighs
// that of its own sum where a body moves little against its size.
const rounding = 0.0222

// failed makes the error of a step, with the particle that the solver names.
func (m *Minimiser) failed(t float64, cause error) error {
	e := &StepError{Time: t, Newton: m.newton, Residual: m.residual, Tolerance: m.tolerance, Particle: -1, Cause: cause}
	if indefinite, ok := errors.AsType[*contact.IndefiniteError](cause); ok {
		e.Particle = indefinite.Row / 3
	} else if c, ok := errors.AsType[*contact.Error](cause); ok && c.Worst >= 0 {
		e.Particle = m.particle[c.Worst]
	} else if cause == nil {
		e.Particle = m.worstImbalance()
	}
	return e
}

// worstImbalance returns the particle whose forces are balanced worst; imbalance
// has left them in m.f.
func (m *Minimiser) worstImbalance() int {
	var worst int
	for i, f := range m.f {
		if math.Abs(f) > math.Abs(m.f[worst]) {
			worst = i
		}
	}
	return worst / 3
}

// corner is a particle with several obstacles: its contacts share three coordinates, so
// that their heights, their friction and their forces are found together.
type corner struct {
	particle int
	contacts []int // of the minimiser, in the order of problem.Contacts
	bent     bool  // an obstacle is curved or moves, see bent.go
	problem  dissipation.Corner
	aligned  [][3]float64 // reactions of problem by align, see naturalCorner
	slides   bool
}

// axes returns the directions n, t, o of a contact in the problem at hand.
func (m *Minimiser) axes(c int) (n, t, o [3]float64) {
	h := m.problem.H.Val[3*m.problem.H.Ptr[c] : 3*m.problem.H.Ptr[c+1]]
	for i := range 3 {
		n[i], t[i], o[i] = h[3*i], h[3*i+1], h[3*i+2]
	}
	return n, t, o
}

// subtractExtras subtracts the reactions of extra obstacles from forces.
func (m *Minimiser) subtractExtras(e []float64) {
	for c, slot := range m.slot {
		if slot < m.sys.N() {
			continue
		}
		n, t, o := m.axes(c)
		r, j := m.res.R[3*c:3*c+3], m.particle[c]
		for i := range 3 {
			e[3*j+i] -= r[0]*n[i] + r[1]*t[i] + r[2]*o[i]
		}
	}
}

// part is an island of the contact problem, or all those without contacts: it is
// solved by itself, to the size of its own forces.
type part struct {
	island   int   // −1: those without contacts
	dof      []int // of the whole, ascending
	contacts []int // of the whole, ascending
	entry    []int // of the whole D²E, for each of its own
	problem  contact.Global
	ws       contact.GlobalWorkspace
	res      contact.Result
	v, r     []float64 // scratch of warm starts
}

// warm sets the point from which the next solve starts.
func (m *Minimiser) warm(v, r []float64) {
	if !m.split() {
		m.ws.WarmStart(&m.problem, v, r)
		return
	}
	for _, p := range m.parts {
		for i, d := range p.dof {
			p.v[i] = v[d]
		}
		for i, c := range p.contacts {
			copy(p.r[3*i:3*i+3], r[3*c:3*c+3])
		}
		p.ws.WarmStart(&p.problem, p.v, p.r)
	}
}

// last appends the point from which the next solve starts to v[:0] and r[:0]; both
// stay empty before the first solve.
func (m *Minimiser) last(v, r []float64) (vLast, rLast []float64) {
	if !m.split() {
		return m.ws.Last(v, r)
	}
	v, r = append(v[:0], m.v...), append(r[:0], m.res.R...)
	clear(v)
	clear(r)
	for _, p := range m.parts {
		p.v, p.r = p.ws.Last(p.v, p.r)
		for i, x := range p.v {
			v[p.dof[i]] = x
		}
		for i := range len(p.r) / 3 {
			copy(r[3*p.contacts[i]:3*p.contacts[i]+3], p.r[3*i:3*i+3])
		}
		p.v, p.r = p.v[:len(p.dof):len(p.dof)], p.r[:3*len(p.contacts)]
	}
	return v, r
}

// gapVector returns memory of its own for Gap.
func (m *Minimiser) gapVector(n int) []float64 {
	if len(m.gapV) != n {
		m.gapV, m.gapZ, m.gapGrad = make([]float64, n), make([]float64, n), make([]float64, n)
	}
	return m.gapV
}

func largest(list []float64) float64 {
	k := 0.0
	for _, v := range list {
		k = max(k, math.Abs(v))
	}
	return k
}
