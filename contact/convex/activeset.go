package convex

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/quasistatic/quasistatic/internal/num"
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
	dryContacts
	w    []float64 // (dim·nc)², row by row
	q    []float64
	held []slipState // for which a holds the factors

	unknowns []activeColumn
	a        blas64.General
	pivot    []int
	x        []float64
	fixed    []float64 // part of r that does not depend on the unknowns
	factors  int
}

// activeColumn is one unknown: contact and direction (normal, tangents) of the
// reaction that it stands for, and of the equation.
type activeColumn struct {
	contact int
	reacts  [3]float64
	tests   [3]float64 // what of u is in the equation
	scale   float64    // of the reaction itself in the equation
}

// newActiveSet takes W with all dim·nc columns.
func newActiveSet(dim, nc int, w []float64) *activeSet {
	n := dim * nc
	s := &activeSet{dryContacts: newDryContacts(dim, nc), w: w, q: make([]float64, n), fixed: make([]float64, n)}
	for k := range s.rho {
		trace := 0.0
		for c := range dim {
			trace += w[(dim*k+c)*n+dim*k+c]
		}
		s.rho[k] = float64(dim) / trace
	}
	return s
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
		if residual <= tol || residual >= 0.5*best && best <= activeSetFloor { // roundoff
			s.release()
			return iterations, true
		}
		best = min(best, residual)
		if iterations == activeSetLimit || residual != residual {
			return iterations, false
		}
		if iterations > 0 {
			s.pause(s.held)
		}
		s.columns()
		if !s.sameStates() && !s.factorise() {
			return iterations, false
		}
		s.newReactions()
	}
}

// velocities sets u = W r + q.
func (s *activeSet) velocities() {
	n := s.dim * s.nc
	copy(s.u, s.q)
	blas64.Gemv(blas.NoTrans, 1, blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: s.w},
		blas64.Vector{N: n, Inc: 1, Data: s.r}, 1, blas64.Vector{N: n, Inc: 1, Data: s.u})
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
			s.unknowns = append(s.unknowns, activeColumn{contact: k, reacts: e,
				tests: [3]float64{0, f * e[1], f * e[2]}, scale: 1 - st.kappa})
		}
	}
}

// factorise assembles and factorises the system of the present states.
func (s *activeSet) factorise() bool {
	m, n := len(s.unknowns), s.dim*s.nc
	s.a = blas64.General{Rows: m, Cols: m, Stride: max(m, 1), Data: num.Grow(s.a.Data, m*m)}
	s.pivot, s.x = num.Grow(s.pivot, m), num.Grow(s.x, m)
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
	if num.InfNorm(s.fixed) == 0 {
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
