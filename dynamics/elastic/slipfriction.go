package elastic

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/friction"
)

// Friction over the speed of slip: the fixed point of [friction.Search] about the contact problem of
// a step. What slips by s in the problem goes at 2s/Δt at the end of the step, so that W of the
// package friction is 2/Δt HᵀK̃⁻¹H, and a step has one solution where
//
//	λ_max(D^½ (2/Δt) W_TT D^½) < 1,  D = diag(r_N L),
//
// by rows of W where it is at hand. Where there are many contacts K̃ ⪰ 4/Δt² M_* and M_* ⪰ c diag(M_*),
// by which r_N L Δt/(2c M_kk) bounds it, c of [fem.Mesh.MassRatio]. That holds of W at any step, and falls with Δt,
// so that at the same forces all steps below Δt over the largest of these bounds have one solution; longer ones may,
// where W of a stiff body is less.
//
// # The body as a continuum
//
// Shorter steps always have one solution, for a node has mass; meshes may still not agree. A mode
// exp(pt + ikx) of the slip of a half-space that lies on an obstacle meets the traction ρp v/(γ_s −
// k²/γ_p), γ² = k² + p²/c², which falls with p/k from infinity to ρc_s, that of plane shear waves; where
// friction falls by P L a speed, P the pressure, it grows with the real root p of
//
//	ρp/(γ_s − k²/γ_p) = P L,
//
// and there is one, p in proportion to k, if and only if P L > ρc_s: then the finer the mesh the
// faster the slip, without bound, and no evolution is approached. Below it waves carry away what
// friction gives. A fall at once, from a static to a kinetic coefficient, is beyond for any pressure:
// Validate refuses it. (A pressure that changes with slip is not part of this.) Friction with a state
// does not fall at once: at a state that of rates rises with the speed, and one that falls by P w a way
// has P w/p in place of P L, of which p is at most P w/(ρc_s) on any mesh.

// slipping is the search of a step of one length.
type slipping struct {
	friction.Search
	list  []int          // contacts, as the search has them …
	at    []int          // … and of the contacts their place there, −1 for others
	laws  []friction.Law // of all contacts in the step, nil where μ is the same at any slip
	mu    []float64      // of all contacts in the step
	rows  [][]coupled    // of the contacts of the list; nil: W is not at hand
	mass  []float64      // c M_kk, the least of a contact [kg]
	speed [][2]float64   // of slip at the end of the step [m/s]
}

// coupled is a block of 2/Δt W.
type coupled struct {
	contact int
	norm    float64 // of its tangential part [m/s/N]
}

// openSlip lists the contacts of a law over speed.
func (t *trapezoid) openSlip() {
	m, x := t.a.model, &t.slip
	nc := len(t.a.normal)
	x.mu, x.at, x.speed, x.laws = make([]float64, nc), make([]int, nc), make([][2]float64, nc), make([]friction.Law, nc)
	x.mass = make([]float64, nc)
	ratio := m.Mesh.MassRatio(m.Material, m.Mass)
	for k, n := range t.a.normal {
		x.at[k], x.mu[k], x.mass[k] = -1, m.mu(k), math.Inf(1)
		for i := n - t.a.dim + 1; i < n; i++ {
			x.mass[k] = min(x.mass[k], ratio*t.a.mass.Val[t.a.mass.Ptr[i]])
		}
		if t.a.dim > 1 && m.slip(k) != nil {
			x.at[k] = len(x.list)
			x.list = append(x.list, k)
		}
	}
	if w, columns := t.solver.Delassus(); w != nil {
		for _, k := range x.list {
			x.rows = append(x.rows, t.row(w, columns, k))
		}
	}
}

// row takes the tangential blocks of contact k from W.
func (t *trapezoid) row(w []float64, columns []int, k int) (row []coupled) {
	dim := t.problem.H.Dim
	blocks := map[int]*[9]float64{}
	for p, i := range columns {
		if i/dim != k {
			continue
		}
		for q, j := range columns {
			if blocks[j/dim] == nil {
				blocks[j/dim] = new([9]float64)
			}
			blocks[j/dim][i%dim*dim+j%dim] = 2 / t.dt * w[p*len(columns)+q]
		}
	}
	for j := range t.a.normal {
		if b := blocks[j]; b != nil {
			row = append(row, coupled{j, friction.Norm(b[:dim*dim], dim)})
		}
	}
	return row
}

// slip returns the law over speed of contact k, nil where μ is the same at any.
func (m *Model) slip(k int) friction.Law {
	if m.Slip == nil {
		return nil
	}
	return m.Slip[k]
}

// muAt returns the friction coefficient of contact k in a state at a speed of slip.
func (m *Model) muAt(k int, now *State, speed float64) float64 {
	if l, is := m.Stateful(k); is {
		return l.In(now.Friction[k], 0).Mu(speed)
	}
	if l := m.slip(k); l != nil {
		return l.Mu(speed)
	}
	return m.mu(k)
}

// validateSlip wants laws that a continuum can have.
func (m *Model) validateSlip() error {
	if m.Slip == nil {
		return nil
	}
	if len(m.Slip) != len(m.Contacts) || len(m.Friction) != len(m.Contacts) {
		return fmt.Errorf("elastic: %d laws over speed and %d friction coefficients for %d contacts", len(m.Slip),
			len(m.Friction), len(m.Contacts))
	}
	for k, l := range m.Slip {
		if l == nil {
			continue
		}
		if err := l.Validate(); err != nil {
			return fmt.Errorf("elastic: friction of contact %d: %w", k, err)
		}
		switch l.(type) {
		case friction.Jump:
			return invalidOption("friction", "%w", ErrJump)
		case friction.Aged:
			return invalidOption("friction", "contact %d: found the friction of one step, want that of a contact", k)
		}
		if _, most := l.Bounds(); m.Friction[k] != most {
			return fmt.Errorf("elastic: the friction coefficient of contact %d is %g, that of its law %g at most: want the same",
				k, m.Friction[k], most)
		}
	}
	return nil
}

// ErrJump is what is wrong with a static and a kinetic coefficient.
var ErrJump = errors.New("friction that falls at once, from a static to a kinetic coefficient, leaves an elastic body no evolution that meshes approach: " +
	"waves carry away what friction gives where P |dμ/dv| < ρ c_s, of the pressure P and the speed of shear waves c_s, and that is a slope without bound; " +
	"want a law that falls over a speed, as Stribeck's of \"speed\" > P (static − kinetic)/(ρ c_s)")

// onlyTrapezoidal refuses laws over speed where the friction of a step is not that of its end.
func (m *Model) onlyTrapezoidal(o *Options) error {
	for k := range m.Contacts {
		if m.slip(k) == nil {
			continue
		}
		switch {
		case o.Scheme == CentralDifference:
			return invalidOption("scheme", "central differences have one friction coefficient a contact; the trapezoidal rule takes one over the speed of slip")
		case o.Method == Picard:
			return invalidOption("method", "the fixed point of Theorem 4 has one friction coefficient a contact; newton takes one over the speed of slip")
		}
	}
	return nil
}

// solve finds the reactions of the step, with the friction that belongs to the slip.
func (t *trapezoid) solve(ctx context.Context, s *Stepper) error {
	opt := contact.Options{Tolerance: s.opt.Tolerance}
	if len(t.slip.list) == 0 {
		return t.solver.Solve(ctx, &t.problem, s.scale, &opt, &t.res)
	}
	x := &t.slip
	x.Clear()
	for _, k := range x.list {
		x.laws[k] = t.a.lawInStep(k, t.dt, &s.now)
		x.Add(x.laws[k], friction.Start{Slip: t.a.slipAt(&s.now, k), Reach: math.Inf(1)}) // what gives way comes to rest in turning round
	}
	x.Open()
	iterations, factors := 0, 0
	for {
		for n, k := range x.list {
			x.mu[k] = x.Mu(n)
			t.problem.Laws[k] = contact.Coulomb{Mu: x.mu[k]}
		}
		err := t.solver.Solve(ctx, &t.problem, s.scale, &opt, &t.res)
		iterations, factors = iterations+t.res.Iterations, factors+t.res.Factors
		t.res.Iterations, t.res.Factors = iterations, factors
		if err != nil {
			return err
		}
		outcome, off := t.seeSlip()
		switch outcome {
		case friction.Lost:
			return friction.Unfound(t.slipShare())
		case friction.Found:
			t.res.Merit = max(t.res.Merit, off)
			t.boundSlip()
			return nil
		}
	}
}

// slipAt is the slip of contact k in a state, zero where it sticks, tangents first [m/s].
func (a *assembly) slipAt(now *State, k int) (u [2]float64) {
	w := a.speed(k, now.T)
	for c := range a.dim - 1 {
		u[c] = now.V[a.normal[k]-a.dim+1+c] - w[c]
	}
	return u
}

// slipState is what contact k does: its reaction along and across the surface, its slip, and whether
// that is one, by the trial of [trapezoid.hold].
func (t *trapezoid) slipState(k int) (normal, along float64, slip [2]float64, slides bool) {
	dim := t.problem.H.Dim
	r, u := t.res.R[dim*k:dim*k+dim], t.res.U[dim*k:dim*k+dim]
	trial := 0.0
	for c := 1; c < t.a.dim; c++ {
		slip[c-1] = 2 / t.dt * u[c]
		along = math.Hypot(along, r[c])
		trial = math.Hypot(trial, r[c]-t.rho[k]*u[c])
	}
	return r[0], along, slip, r[0] > 0 && trial >= sticking*t.slip.mu[k]*r[0]
}

// seeSlip shows the search the solution of a round.
func (t *trapezoid) seeSlip() (friction.Outcome, float64) {
	for n, k := range t.slip.list {
		if t.slip.Creeps(n) {
			t.slip.Gain(n, t.slipGain(n))
		}
		normal, along, slip, slides := t.slipState(k)
		t.slip.See(n, slides, normal, along, slip)
	}
	// Of the largest reaction: what solvers aim at, and what is accepted where their rounding lets it
	// fall no further.
	return t.slip.Next(infNorm(t.res.R), 1e-12, 1e-10)
}

// boundSlip gives what sticks the μ of rest, which bounds it.
func (t *trapezoid) boundSlip() {
	for _, k := range t.slip.list {
		normal, along, slip, slides := t.slipState(k)
		t.slip.speed[k] = [2]float64{}
		if slides {
			t.slip.speed[k] = slip
		}
		t.slip.mu[k] = friction.Bounding(t.slip.laws[k], normal, along, math.Hypot(t.slip.speed[k][0], t.slip.speed[k][1]))
	}
}

// yields bounds 2/Δt W_TT at contact k where W is not at hand [m/s/N].
func (t *trapezoid) yields(k int) float64 { return t.dt / (2 * t.slip.mass[k]) }

// slipGain is what [friction.Search.Gain] asks of contact n of the search [m/s].
func (t *trapezoid) slipGain(n int) (gain float64) {
	x, dim := &t.slip, t.problem.H.Dim
	if x.rows == nil {
		return t.res.R[dim*x.list[n]] * t.yields(x.list[n])
	}
	for _, b := range x.rows[n] {
		if x.at[b.contact] >= 0 {
			gain += b.norm * t.res.R[dim*b.contact]
		}
	}
	return gain
}

// slipShare is below 1 where the step has one solution.
func (t *trapezoid) slipShare() float64 {
	x := &t.slip
	if x.rows == nil {
		return t.inertialShare()
	}
	byRows := x.Share(func(n int, visit func(int, float64, float64, float64)) {
		for _, b := range x.rows[n] {
			visit(x.at[b.contact], b.norm, t.res.R[t.problem.H.Dim*b.contact], t.a.model.mu(b.contact))
		}
	}, func(n int) (normal float64, slip [2]float64, slides bool) {
		normal, _, slip, slides = t.slipState(x.list[n])
		return normal, slip, slides
	})
	return min(byRows, t.inertialShare())
}

// inertialShare bounds slipShare by the masses of the nodes alone, at any speed of slip: it is in proportion to Δt.
func (t *trapezoid) inertialShare() (share float64) {
	for _, k := range t.slip.list {
		if r := t.res.R[t.problem.H.Dim*k]; r > 0 {
			share = max(share, r*t.slip.laws[k].Weakening(0, math.MaxFloat64)*t.yields(k))
		}
	}
	return share
}

// Fall is how steeply friction has fallen with the speed of slip, at most.
type Fall struct {
	Share   float64 // (2/Δt) r_N |dμ/dv| W_TT of a step, below 1 where it has one solution [-]
	Longest float64 // a step below which Share is below 1 at the same forces; 0: each step had one solution [s]
	Waves   float64 // P |dμ/dv|/(ρ c_s) of a node that slid, below 1 where waves carry it away [-]
	At      float64 // when [s]
	Node    int
}

// observeSlip takes the fall of friction in a step.
func (s *Stepper) observeSlip(before, now *State) {
	t := s.trapezoid
	share := t.slipShare()
	s.fall.Share = max(s.fall.Share, share)
	if longest := t.dt / t.inertialShare(); share >= 1 && (s.fall.Longest == 0 || longest < s.fall.Longest) {
		s.fall.Longest = longest
	}
	for _, k := range t.slip.list {
		r := now.R[t.problem.H.Dim*k]
		u, from := t.slip.speed[k], s.a.slipAt(before, k)
		speed, old := math.Hypot(u[0], u[1]), math.Hypot(from[0], from[1])
		if !(r > 0) || speed == 0 {
			continue
		}
		slope := s.a.model.slip(k).Weakening(min(speed, old), max(speed, old))
		if x := r * slope / s.a.impedance[k]; x > s.fall.Waves {
			s.fall.Waves, s.fall.At, s.fall.Node = x, now.T, s.a.normal[k]/s.a.dim
		}
	}
}

// impedances are ρ c_s A of the contacts, A the area of the surface at a node: of the facets of
// contact nodes alone where it has some, else of all [N s/m].
func (m *Model) impedances() []float64 {
	_, shear := m.Material.Lame(m.Mesh.Dim)
	own, all := m.ContactShares(false), m.ContactShares(true)
	z := make([]float64, len(m.Contacts))
	for k := range m.Contacts {
		if z[k] = own[k]; z[k] == 0 {
			z[k] = all[k]
		}
		z[k] *= math.Sqrt(shear * m.Material.Density) // ρ c_s, c_s² = G/ρ
	}
	return z
}

// unique says whether friction that falls with speed left each step one solution.
func (f *Fall) unique() dynamics.Measure {
	m := dynamics.Measure{Name: "fall of friction with speed in a step, 2/Δt r_N |dμ/dv| W_TT", Value: f.Share,
		Limit: 1, Unit: "-", Basis: dynamics.Computed}
	if !m.Passed() {
		m.Remedy = fmt.Sprintf("steps below %.3g s: in longer ones several speeds of slip may have the friction that leads to them", f.Longest)
	}
	return m
}

// carried says whether waves carry away what falling friction gives.
func (f *Fall) carried() dynamics.Measure {
	m := dynamics.Measure{Name: "fall of friction with speed, of what shear waves carry away, P |dμ/dv|/(ρ c_s)",
		Value: f.Waves, Limit: 1, Unit: "-", Basis: dynamics.Computed}
	if f.Waves > 0 {
		m.Place = fmt.Sprintf("node %d, t=%g s", f.Node, f.At)
	}
	if !m.Passed() {
		m.Remedy = "friction that falls more slowly, or less pressure: the finer the mesh, the faster slip grows in it"
	}
	return m
}
