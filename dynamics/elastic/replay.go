package elastic

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/sparse"
)

// Audit says how far states that were computed before are from the equations of the
// scheme, without solving them. Not safe for concurrent use.
type Audit struct {
	a         *assembly
	opt       Options
	load      [2][]float64
	force     [2][]float64
	momentum  []float64
	magnitude []float64   // Σ|A_ij u_j|, whose rounding is that of A u
	followed  map[int]int // place of nodes in Model.Followed
	root      []float64   // √K̃_ii, see Took …
	solved    float64     // … and ‖√K̃_ii u_i‖ of the present states
}

// NewAudit assembles a model.
func NewAudit(m *Model, o Options) (*Audit, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	a, err := assemble(m)
	if err != nil {
		return nil, err
	}
	n := a.stiffness.N
	x := &Audit{a: a, opt: o, momentum: make([]float64, n), magnitude: make([]float64, n), root: make([]float64, n)}
	x.followed = map[int]int{}
	for k, i := range m.Followed() {
		x.followed[i] = k
	}
	x.Took(o.Step)
	for i := range x.load {
		x.load[i], x.force[i] = make([]float64, n), make([]float64, n)
	}
	return x, nil
}

// Took says how long the step is that leads to the states to come, if that is not Options.Step: its K̃ = A +
// 4/Δt² M_*, or A of central differences, is what their displacements were solved for with.
func (x *Audit) Took(dt float64) {
	a, m := x.a.stiffness, x.a.mass
	for i := range x.root {
		if x.root[i] = a.Val[a.Ptr[i]]; x.opt.Scheme == Trapezoidal {
			x.root[i] += 4 / (dt * dt) * m.Val[m.Ptr[i]]
		}
		x.root[i] = math.Sqrt(x.root[i])
	}
}

// Error is the largest error of some equations: its size, the size of the terms that it
// is a difference of, and where it is, a node of the mesh.
type Error struct {
	Size, Scale float64
	Node        int
}

// keep keeps the larger error, relative to its scale.
func (e *Error) keep(size, scale float64, node int) {
	if size = math.Abs(size); size*e.Scale > e.Size*scale || e.Scale == 0 && size >= e.Size || math.IsNaN(size) {
		*e = Error{size, scale, node}
	}
}

// State makes a state of displacements and velocities of all nodes in global
// components, and reactions of the contacts, normal first. A is not known, and zero.
func (x *Audit) State(t float64, u, v, r []float64) (*State, error) {
	s := x.a.newState()
	if len(u) != len(s.U) || len(v) != len(s.V) || len(r) != len(s.R) {
		return nil, fmt.Errorf("elastic: a state of %d displacements, %d velocities and %d reactions, want %d, %d and %d",
			len(u), len(v), len(r), len(s.U), len(s.V), len(s.R))
	}
	s.T = t
	copy(s.U, u)
	copy(s.V, v)
	copy(s.R, r)
	x.a.toLocal(s.U)
	x.a.toLocal(s.V)
	return &s, nil
}

// Worn sets the states of friction of a state of [Audit.State], of those contacts that have one. It reports
// whether they are as many.
func (x *Audit) Worn(s *State, states []float64) bool {
	for k := range s.Friction {
		if _, is := x.a.model.Stateful(k); is {
			if len(states) == 0 {
				return false
			}
			s.Friction[k], states = states[0], states[1:]
		}
	}
	return len(states) == 0
}

// New is by how much the states of friction are not those of what begins to touch, relative.
func (x *Audit) New(s *State) (e Error) {
	for k, want := range x.a.newState().Friction {
		e.keep(s.Friction[k]-want, want, x.a.normal[k]/x.a.dim)
	}
	return e
}

// Static are the conditions of one state.
type Static struct {
	Penetration     Error // −(u_N + g), of contacts that are closed too far [m]
	Tension         Error // −r_N [N]
	Complementarity Error // u_N + g where r_N > 0 [m]
	Cone            Error // ‖r_T‖ − μ r_N [N]
	Slip            Error // ‖μ r_N v_T/‖v_T‖ + r_T‖ where v_T ≠ 0 [N]
	Normal          Error // (L − A u)_N + r_N: no mass there [N]
	Rest            Error // normal velocities of contacts without mass, which are zero [m/s]
	Support         Error // prescribed displacements [m] …
	Driven          Error // … and velocities [m/s]
	Energies        Energies
}

// Check looks at the conditions of a state. The scale of lengths is the largest
// displacement or gap, that of forces the largest reaction or load.
func (x *Audit) Check(s *State) *Static {
	a, f := x.a, &Static{}
	x.forces(0, s)
	length := infNorm(s.U)
	force := max(infNorm(s.R), infNorm(x.load[0]))
	for k, n := range a.normal {
		rounding := 0.0
		for i := n - a.dim + 1; i <= n; i++ {
			rounding = max(rounding, x.rounding(i))
		}
		x.contact(f, s, k, max(length, math.Abs(a.gap[k]), math.Abs(a.gapAt(k, s.T))), force+rounding)
		if a.model.Inertia != Standard {
			f.Rest.keep(s.V[n], infNorm(s.V), n/a.dim)
			f.Normal.keep(x.load[0][n]-x.force[0][n]+s.R[max(a.dim, 2)*k], max(force, math.Abs(x.force[0][n]))+x.rounding(n), n/a.dim)
		}
	}
	for _, n := range a.massless[len(a.normal):] {
		if a.model.Inertia != Standard {
			f.Rest.keep(s.V[n], infNorm(s.V), n/a.dim)
			f.Normal.keep(x.load[0][n]-x.force[0][n], max(force, math.Abs(x.force[0][n]))+x.rounding(n), n/a.dim)
		}
	}
	for k, i := range a.split.Fixed {
		f.Support.keep(s.U[i]-a.fixed[k].At(s.T), max(length, math.Abs(a.fixed[k].At(s.T))), i/a.dim)
		before, after := a.rate(k, s.T), a.fixed[k].Rate(s.T) // at the start there is no step before
		f.Driven.keep(min(math.Abs(s.V[i]-before), math.Abs(s.V[i]-after)), max(infNorm(s.V), math.Abs(after)), i/a.dim)
	}
	a.mass.MulVec(x.momentum, s.V)
	f.Energies.Kinetic = 0.5 * dot(x.momentum, s.V)
	f.Energies.Elastic = 0.5 * dot(x.force[0], s.U)
	return f
}

// atRest: a velocity below this fraction of the largest one is rounding of the local
// axes.
const atRest = 1e-12

// contact looks at one contact.
func (x *Audit) contact(f *Static, s *State, k int, length, force float64) {
	a := x.a
	dim, n := max(a.dim, 2), a.normal[k]
	r, node, open := s.R[dim*k:dim*k+dim], n/a.dim, s.U[n]+a.gapAt(k, s.T)
	f.Penetration.keep(min(open, 0), length, node)
	f.Tension.keep(min(r[0], 0), force, node)
	if r[0] > 0 {
		f.Complementarity.keep(open, length, node)
	}
	size, speed := 0.0, 0.0
	w, v, fast := a.speed(k, s.T), [3]float64{}, infNorm(s.V)
	for c := range a.dim - 1 {
		v[c], fast = s.V[n-a.dim+1+c]-w[c], max(fast, math.Abs(w[c]))
		size, speed = math.Hypot(size, r[1+c]), math.Hypot(speed, v[c])
	}
	slips := speed > atRest*fast
	if !slips {
		speed = 0
	}
	limit := a.model.muAt(k, s, speed) * max(r[0], 0)
	f.Cone.keep(max(size-limit, 0), force, node)
	if slips && r[0] > 0 {
		off := 0.0
		for c := range a.dim - 1 {
			off = math.Hypot(off, r[1+c]+limit*v[c]/speed)
		}
		// A node that all but holds has a direction only as far as its velocity is known.
		f.Slip.keep(off, force+atRest/1e-9*limit*fast/speed, node)
	}
}

// forces evaluates L and A u of a state, and what the latter loses by rounding.
func (x *Audit) forces(which int, s *State) {
	x.a.load(x.load[which], s.T)
	x.a.elastic(x.force[which], s.U)
	if which == 0 {
		clear(x.magnitude)
		x.solved = 0
	}
	sum := 0.0
	for i, u := range s.U {
		sum += x.root[i] * u * x.root[i] * u
	}
	x.solved = max(x.solved, math.Sqrt(sum))
	addMagnitude(x.magnitude, 1, x.a.stiffness, s.U)
}

// addMagnitude adds f Σ|M_ij x_j| to sum.
func addMagnitude(sum []float64, f float64, m *sparse.Sym, x []float64) {
	for c := range m.N {
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			r := m.Row[k]
			sum[r] += f * math.Abs(m.Val[k]*x[c])
			if r != c {
				sum[c] += f * math.Abs(m.Val[k]*x[r])
			}
		}
	}
}

// rounding is what errors of the force at a dof may have beside 1e-9 of the forces met:
// steps are solved to 1e-13 of the terms A u and 2/Δt M v, which are large and cancel
// where a body has moved far; the condition of the systems takes two digits. And Cholesky's factors of
// a matrix K̃ have the error ε√(K̃_ii K̃_jj) of each entry [Demmel89], whatever the entry is: what hardly
// moves, as a node at an obstacle, has in its forces the rounding of those of all others.
func (x *Audit) rounding(i int) float64 {
	return 1e-11/1e-9*x.magnitude[i] + roundedPlace/1e-9*x.root[i]*x.solved
}

// Rounding bounds the errors of forces at contact nodes that have nothing to do with these
// forces, beside 1e-9 of those met, where nodes have moved by no more than a length [N]:
// see rounding.
func (x *Audit) Rounding(length float64) float64 {
	sum := make([]float64, len(x.magnitude))
	one := make([]float64, len(sum))
	for i := range one {
		one[i] = 1
	}
	addMagnitude(sum, 1, x.a.stiffness, one)
	most := 0.0
	for _, n := range x.a.normal {
		for i := n - x.a.dim + 1; i <= n; i++ {
			most = max(most, sum[i])
		}
	}
	return 1e-11 * most * length
}

// roundedPlace is what u' − u is off by where both are rounded, and so are their sum and difference
// on the way, in parts of the largest displacement.
const roundedPlace = 4 * 0x1p-53

// Dynamic are the equations of a step.
type Dynamic struct {
	Path   Error // (36), (37): u' − u = Δt/2 (v + v') [m]; central differences: u' = u + Δt v + Δt²/2 a
	Wear   Error // states of friction, of which they are after the step [s, m]
	Motion Error // (38), (39): 2/Δt M_*(v' − v) + A(u + u') = L + L' + r + r' [N]
	// Work of the step: of loads and supports, of the normal reactions, of friction [J];
	// and what (51) leaves.
	External, Contact, Friction float64
	Dissipation                 float64 // Σ μ r_N'‖v_T'‖ Δt [J]
	Identity                    float64
}

// Step looks at the step of dt between two states.
func (x *Audit) Step(dt float64, s, next *State) *Dynamic {
	a, f := x.a, &Dynamic{}
	x.forces(0, s)
	x.forces(1, next)
	for _, v := range [][]float64{s.V, next.V} {
		addMagnitude(x.magnitude, 2/dt, a.mass, v)
	}
	n := len(s.U)
	dv, pull := make([]float64, n), make([]float64, n)
	for i := range dv {
		dv[i] = next.V[i] - s.V[i]
	}
	a.mass.MulVec(x.momentum, dv)
	// v' − v = 2(u' − u)/Δt − 2v has the rounding of the displacements, which short steps make
	// large.
	lost := roundedPlace / 1e-11
	if x.opt.Method == Picard { // iterated to a few 1e-13 of the displacements, not of forces
		lost = 0.1
	}
	lost *= max(infNorm(s.U), infNorm(next.U))
	for i := range pull {
		pull[i] = lost
	}
	addMagnitude(x.magnitude, 4/(dt*dt), a.mass, pull)
	clear(pull)
	dim, skip, fixed := max(a.dim, 2), make([]bool, n), make([]bool, n)
	for _, i := range a.massless {
		skip[i] = a.model.Inertia != Standard // see Check
	}
	for k, i := range a.normal {
		for c := range a.dim {
			pull[i-a.dim+1+c] = s.R[dim*k+(c+1)%a.dim] + next.R[dim*k+(c+1)%a.dim]
		}
	}
	for _, i := range a.split.Fixed {
		fixed[i] = true
	}
	force := 0.0
	for i := range n {
		force = max(force, math.Abs(2/dt*x.momentum[i]), math.Abs(x.load[0][i]+x.load[1][i]), math.Abs(pull[i]))
	}
	for i := range n {
		if skip[i] || fixed[i] {
			continue
		}
		f.Motion.keep(2/dt*x.momentum[i]+x.force[0][i]+x.force[1][i]-x.load[0][i]-x.load[1][i]-pull[i], force+x.rounding(i), i/a.dim)
	}
	x.path(f, dt, s, next, skip, fixed)
	worn := *next
	worn.Friction = slices.Clone(next.Friction)
	a.wear(dt, s, &worn)
	for k, want := range worn.Friction {
		f.Wear.keep(next.Friction[k]-want, want, a.normal[k]/dim)
	}
	x.works(f, dt, s, next, dv)
	return f
}

// path looks at the displacements.
func (x *Audit) path(f *Dynamic, dt float64, s, next *State, skip, fixed []bool) {
	a := x.a
	length := max(infNorm(s.U), infNorm(next.U), dt*infNorm(s.V))
	dim := max(a.dim, 2)
	if x.opt.Scheme == Trapezoidal {
		for i := range s.U {
			if !skip[i] && !fixed[i] {
				f.Path.keep(next.U[i]-s.U[i]-0.5*dt*(s.V[i]+next.V[i]), length, i/a.dim)
			}
		}
		return
	}
	pull := make([]float64, len(s.U))
	for k, i := range a.normal {
		for c := 1; c < a.dim; c++ {
			pull[i-a.dim+c] = s.R[dim*k+c]
		}
	}
	for i := range s.U {
		if !skip[i] && !fixed[i] {
			m := a.mass.Val[a.mass.Ptr[i]] // lumped, 0 where skipped alone
			f.Path.keep(next.U[i]-s.U[i]-dt*s.V[i]-0.5*dt*dt*(x.load[0][i]-x.force[0][i]+pull[i])/m, length, i/a.dim)
		}
	}
}

// works sums the works of the step, at the mean forces; those of the supports as the stepper does.
func (x *Audit) works(f *Dynamic, dt float64, s, next *State, dv []float64) {
	a := x.a
	for i := range s.U {
		f.External += 0.5 * (x.load[0][i] + x.load[1][i]) * (next.U[i] - s.U[i])
	}
	for _, i := range a.split.Fixed {
		f.External += 0.5 * (x.force[0][i] + x.force[1][i] - x.load[0][i] - x.load[1][i]) * (next.U[i] - s.U[i])
		if x.opt.Scheme == Trapezoidal { // central differences have no accelerations there
			f.External += 0.5 * x.momentum[i] * (s.V[i] + next.V[i])
		}
	}
	dim := max(a.dim, 2)
	for k, n := range a.normal {
		r0, r1 := s.R[dim*k:dim*k+dim], next.R[dim*k:dim*k+dim]
		speed := 0.0
		carried, w := a.carry(k, s.T, next.T), a.speed(k, next.T)
		f.External += pushed(r0, r1, carried, a.dim)
		f.Contact += 0.5 * (r0[0] + r1[0]) * (next.U[n] - s.U[n] - carried[a.dim-1])
		for c := 1; c < a.dim; c++ {
			i := n - a.dim + c
			f.Friction += 0.5 * (r0[c] + r1[c]) * (next.U[i] - s.U[i] - carried[c-1])
			speed = math.Hypot(speed, next.V[i]-w[c-1])
		}
		f.Dissipation += a.model.muAt(k, next, speed) * r1[0] * speed * dt
	}
	change := 0.0 // ½(v + v')·M_*(v' − v) + ½(u + u')·A(u' − u)
	for i := range dv {
		change += 0.5*(s.V[i]+next.V[i])*x.momentum[i] + 0.5*(x.force[0][i]+x.force[1][i])*(next.U[i]-s.U[i])
	}
	f.Identity = change - f.External - f.Contact - f.Friction
}

// Gap returns the gap of contact k at a time, of a node that has not moved [m].
func (x *Audit) Gap(k int, t float64) float64 { return x.a.gapAt(k, t) }

// Carry returns how far the obstacle of contact k goes from one time to another, local components,
// the normal last [m].
func (x *Audit) Carry(k int, from, to float64) [3]float64 { return x.a.carry(k, from, to) }

// Local stores displacements of contact k in local components, the normal last, of those of the nodes
// [Model.Followed] in global ones.
func (x *Audit) Local(dst, u []float64, k int) {
	a, c, at := x.a, &x.a.model.Contacts[k], [3]float64{}
	copy(at[:], u[a.dim*k:a.dim*k+a.dim])
	for i := range a.dim {
		if row, is := a.relative.row(a.dim*c.Node + i); is {
			for _, t := range row.terms {
				at[i] -= t.Weight * u[a.dim*x.followed[t.Dof/a.dim]+i]
			}
			at[i] /= row.own
		}
	}
	for i := range a.dim {
		dst[i] = 0
		for j, v := range at[:a.dim] {
			dst[i] += c.Frame[i][j] * v
		}
	}
}
