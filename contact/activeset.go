package contact

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

const activeSetName = "active set newton"

// activeSet is the semismooth Newton method for exact friction on the dense
// Delassus operator: with p = r − ρu and the limit s = μp_N (or the threshold
// of Tresca), a contact is
//
//	open   p_N ≤ 0          r = 0,
//	stick  |p_T| ≤ s        u = 0,
//	slip   otherwise        u_N = 0, r_T = s t̂ + r_⊥ e,  (1−κ) r_⊥ + κρ u_⊥ = 0,
//
// t̂ = p_T/|p_T|, e across it, κ = s/|p_T|. Only what is unknown enters the
// linear system: nothing of an open contact, r_N and (in space) r_⊥ of a sliding
// one, all of a sticking one. In the plane the factors serve until a state
// changes, over steps too.
//
// The method is fast and may cycle: the caller falls back to the globalised
// one, and checks in any case.
type activeSet struct {
	dim, nc int
	w       []float64 // (dim·nc)², row by row
	q, r, u []float64
	rho     []float64
	law     []frictionLaw
	state   []slipState
	held    []slipState // for which lu stands

	unknowns []activeColumn
	a        blas64.General
	pivot    []int
	x        []float64
	fixed    []float64 // part of r that does not depend on the unknowns
	factors  int
}

// frictionLaw is a law by two numbers: the limit is mu·r_N + threshold.
type frictionLaw struct{ mu, threshold float64 }

// slipState is the state of a contact, and what its rows of the system depend on.
type slipState struct {
	closed, slips bool
	t             [2]float64
	kappa         float64 // of a sliding contact in space
	mu            float64 // of a sliding contact
}

// activeColumn is one unknown: contact and direction (normal, tangents) of the
// reaction that it stands for, and of the equation.
type activeColumn struct {
	contact int
	reacts  [3]float64
	tests   [3]float64 // what of u is in the equation
	scale   float64    // of the reaction itself in the equation
}

// activeSetLimit: beyond so many steps it cycles; states settle in less than ten.
const activeSetLimit = 40

// newActiveSet takes W with all dim·nc columns.
func newActiveSet(dim, nc int, w []float64) *activeSet {
	n := dim * nc
	s := &activeSet{dim: dim, nc: nc, w: w, q: make([]float64, n), r: make([]float64, n), u: make([]float64, n), rho: make([]float64, nc),
		law: make([]frictionLaw, nc), state: make([]slipState, nc), held: nil, fixed: make([]float64, n)}
	for k := range s.rho {
		trace := 0.0
		for c := range dim {
			trace += w[(dim*k+c)*n+dim*k+c]
		}
		s.rho[k] = float64(dim) / trace
	}
	return s
}

// setLaws reports whether all laws are isotropic Coulomb, Tresca or
// frictionless ones.
func (s *activeSet) setLaws(laws []Law) bool {
	for k, law := range laws {
		switch l := law.(type) {
		case *Tresca:
			law = *l
		case *Coulomb:
			law = *l
		}
		kind, mu, shape := classify(law)
		if !shape.Isotropic() {
			return false
		}
		switch kind {
		case kindFrictionless:
			s.law[k] = frictionLaw{}
		case kindTresca:
			s.law[k] = frictionLaw{threshold: mu}
		case kindCoulomb:
			s.law[k] = frictionLaw{mu: mu}
		default:
			return false
		}
	}
	return true
}

// solve iterates from s.r with s.q given, until the natural map is below tol
// times the forces (scale at least). It returns the iterations and whether it
// converged.
func (s *activeSet) solve(tol, scale float64) (iterations int, ok bool) {
	s.factors = 0
	best := math.Inf(1)
	for iterations = 0; ; iterations++ {
		s.velocities()
		residual := s.classify(scale)
		if residual <= tol {
			return iterations, true
		}
		if residual >= 0.5*best && best <= activeSetFloor { // roundoff
			return iterations, true
		}
		best = min(best, residual)
		if iterations == activeSetLimit || residual != residual {
			return iterations, false
		}
		s.columns()
		if !s.sameStates() && !s.factorise() {
			return iterations, false
		}
		s.newReactions()
	}
}

// activeSetFloor is a residual that counts as roundoff when it does not shrink.
const activeSetFloor = 1e-11

// velocities sets u = W r + q.
func (s *activeSet) velocities() {
	n := s.dim * s.nc
	copy(s.u, s.q)
	blas64.Gemv(blas.NoTrans, 1, blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: s.w}, blas64.Vector{N: n, Inc: 1, Data: s.r}, 1, blas64.Vector{N: n, Inc: 1, Data: s.u})
}

// classify sets the states and returns ‖r − P(p)‖∞ over the forces.
func (s *activeSet) classify(scale float64) float64 {
	worst, force := 0.0, scale
	for k := range s.nc {
		r, u, rho := s.r[s.dim*k:s.dim*k+s.dim], s.u[s.dim*k:s.dim*k+s.dim], s.rho[k]
		st := &s.state[k]
		*st = slipState{}
		pn := r[0] - rho*u[0]
		if pn > 0 {
			st.closed = true
			worst = max(worst, math.Abs(rho*u[0]))
		} else {
			worst = max(worst, math.Abs(r[0]))
		}
		force = max(force, infNorm(r))
		worst = max(worst, s.classifyTangent(st, r, u, rho, max(pn, 0), s.law[k]))
		if worst != worst {
			return worst
		}
	}
	if force == 0 {
		force = 1
	}
	return worst / force
}

func (s *activeSet) classifyTangent(st *slipState, r, u []float64, rho, pn float64, law frictionLaw) float64 {
	var p, rt [2]float64
	for c := range s.dim - 1 {
		rt[c] = r[1+c]
		p[c] = rt[c] - rho*u[1+c]
	}
	limit := law.mu*pn + law.threshold
	size := math.Hypot(p[0], p[1])
	if size <= limit {
		st.slips = false
		return max(math.Abs(p[0]-rt[0]), math.Abs(p[1]-rt[1]))
	}
	st.slips, st.t, st.mu = true, [2]float64{p[0] / size, p[1] / size}, law.mu
	if s.dim == 3 {
		st.kappa = limit / size
	}
	return max(math.Abs(limit*st.t[0]-rt[0]), math.Abs(limit*st.t[1]-rt[1]))
}

// sameStates reports whether the factors at hand belong to the states.
func (s *activeSet) sameStates() bool { return slices.Equal(s.state, s.held) }

// columns lists the unknowns.
func (s *activeSet) columns() {
	s.unknowns = s.unknowns[:0]
	clear(s.fixed)
	for k, st := range s.state {
		law := s.law[k]
		if st.closed {
			c := activeColumn{contact: k, reacts: [3]float64{1}, tests: [3]float64{1}}
			if st.slips {
				c.reacts[1], c.reacts[2] = law.mu*st.t[0], law.mu*st.t[1]
			}
			s.unknowns = append(s.unknowns, c)
		}
		if !st.slips {
			if st.closed || law.threshold > 0 {
				for c := 1; c < s.dim; c++ {
					col := activeColumn{contact: k}
					col.reacts[c], col.tests[c] = 1, 1
					s.unknowns = append(s.unknowns, col)
				}
			}
			continue
		}
		for c := 1; c < s.dim; c++ {
			s.fixed[s.dim*k+c] = law.threshold * st.t[c-1]
		}
		if s.dim == 3 && st.kappa > 0 {
			e := [3]float64{0, -st.t[1], st.t[0]}
			f := st.kappa * s.rho[k]
			s.unknowns = append(s.unknowns, activeColumn{contact: k, reacts: e, tests: [3]float64{0, f * e[1], f * e[2]}, scale: 1 - st.kappa})
		}
	}
}

// factorise assembles and factorises the system of the present states.
func (s *activeSet) factorise() bool {
	m, n := len(s.unknowns), s.dim*s.nc
	s.a = blas64.General{Rows: m, Cols: m, Stride: max(m, 1), Data: grow(s.a.Data, m*m)}
	s.pivot, s.x = grow(s.pivot, m), grow(s.x, m)
	for a := range s.unknowns {
		ca := &s.unknowns[a]
		row := s.a.Data[a*m : (a+1)*m]
		for b := range s.unknowns {
			cb := &s.unknowns[b]
			sum := 0.0
			for i := range s.dim {
				if ca.tests[i] == 0 {
					continue
				}
				w := s.w[(s.dim*ca.contact+i)*n+s.dim*cb.contact:]
				part := 0.0
				for j := range s.dim {
					part += w[j] * cb.reacts[j]
				}
				sum += ca.tests[i] * part
			}
			row[b] = sum
		}
		row[a] += ca.scale
	}
	s.factors++
	s.held = append(s.held[:0], s.state...)
	if m > 0 && !lapack64.Getrf(s.a, s.pivot) {
		s.held = s.held[:0]
		return false
	}
	return true
}

// newReactions solves the system for r.
func (s *activeSet) newReactions() {
	n := s.dim * s.nc
	if infNorm(s.fixed) == 0 {
		copy(s.u, s.q)
	} else {
		copy(s.r, s.fixed)
		s.velocities()
	}
	for a := range s.unknowns {
		c, sum := &s.unknowns[a], 0.0
		for i := range s.dim {
			sum -= c.tests[i] * s.u[s.dim*c.contact+i]
		}
		s.x[a] = sum
	}
	m := len(s.unknowns)
	if m > 0 {
		lapack64.Getrs(blas.NoTrans, s.a, blas64.General{Rows: m, Cols: 1, Stride: 1, Data: s.x[:m]}, s.pivot)
	}
	copy(s.r[:n], s.fixed)
	for a := range s.unknowns {
		c := &s.unknowns[a]
		for i := range s.dim {
			s.r[s.dim*c.contact+i] += c.reacts[i] * s.x[a]
		}
	}
}
