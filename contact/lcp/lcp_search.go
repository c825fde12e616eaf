package lcp

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// fallback is what SolveLCP does when Lemke's method gives up: the linear
// program decides whether M z + q ≥ 0, z ≥ 0 can be met at all, and its answer
// starts a Newton method and then the search.
func (ws *LCPWorkspace) fallback(ctx context.Context, p *LCP, res *LCPResult) {
	n := len(p.Q)
	if n == 0 || n > maxSearchOrder {
		return
	}
	s := newLCPSearch(p, ws)
	state := make([]pairState, n)
	switch s.relax(ctx, state) {
	case relaxInfeasible:
		if y := s.farkas(); farkasCertifies(p, y, ws.mMax, ws.qMax) {
			res.Farkas = append(res.Farkas[:0], y...)
			res.Status, res.Solver = form.Infeasible, "linear program"
			return
		}
	case relaxSolved:
		copy(ws.z, s.z)
		if ws.polish(p, res, "linear program") {
			return
		}
	}
	if ctx.Err() == nil && ws.newton(ctx, s.newton, res, s.z) {
		return
	}
	s.run(ctx, res)
}

// maxSearchOrder bounds the linear programs of 2n complementary pairs.
const maxSearchOrder = 400

// searchWork is the number of multiplications the search may cost: about 2 s.
const searchWork = 2e9

// pairState says what is decided about a complementary pair.
type pairState int8

const (
	pairOpen pairState = iota
	pairZ0             // z_i = 0
	pairW0             // w_i = 0
)

type relaxOutcome int

const (
	relaxSolved relaxOutcome = iota
	relaxInfeasible
	relaxFailed
)

// lcpSearch branches over the pairs. At a node, the linear program
//
//	min Σ_open (z_i/s_z + w_i/s_w)  s.t.  z ≥ 0, M z + q ≥ 0, the decided pairs,
//
// is itself an LCP with a skew-symmetric matrix, for which Lemke's method
// never fails but for infeasibility [CPS09, Theorem 4.4.12].
type lcpSearch struct {
	p      *LCP
	parent *LCPWorkspace
	sub    LCPWorkspace
	newton *fischerBurmeister
	lp     LCP
	cols   []int     // z_j that take part
	rows   []int     // rows: i for w_i ≥ 0, n+i for −w_i ≥ 0
	z      []float64 // solution of the last relaxation
	ray    []float64
}

func newLCPSearch(p *LCP, parent *LCPWorkspace) *lcpSearch {
	return &lcpSearch{p: p, parent: parent, newton: newFischerBurmeister(p, parent), z: make([]float64, len(p.Q))}
}

// relax solves the linear program of a node.
func (s *lcpSearch) relax(ctx context.Context, state []pairState) relaxOutcome {
	s.assemble(state)
	var res LCPResult
	ws, err := s.sub.begin(&s.lp, nil, &res)
	if err != nil {
		return relaxFailed
	}
	if !ws.lemke(ctx, &s.lp, &res, "lemke") {
		ws.lemkeVariants(ctx, &s.lp, &res)
	}
	switch res.Status {
	case form.Converged:
		clear(s.z)
		for c, j := range s.cols {
			s.z[j] = res.Z[c] * s.unit()
		}
		return relaxSolved
	case form.Infeasible:
		s.ray = append(s.ray[:0], res.Farkas...)
		return relaxInfeasible
	}
	return relaxFailed
}

// unit is the natural size of z, by which the unknowns are scaled.
func (s *lcpSearch) unit() float64 {
	if s.parent.mMax == 0 || s.parent.qMax == 0 {
		return 1
	}
	return s.parent.qMax / s.parent.mMax
}

// assemble writes [0 −Gᵀ; G 0] and (c, g) for the rows G z + g ≥ 0.
func (s *lcpSearch) assemble(state []pairState) {
	n := len(s.p.Q)
	s.cols, s.rows = s.cols[:0], s.rows[:0]
	for i, st := range state {
		if st != pairZ0 {
			s.cols = append(s.cols, i)
		}
		s.rows = append(s.rows, i)
		if st == pairW0 {
			s.rows = append(s.rows, n+i)
		}
	}
	nz := len(s.cols)
	k := nz + len(s.rows)
	s.lp.M, s.lp.Q = num.Resized(s.lp.M, k*k), num.Resized(s.lp.Q, k)
	for c, j := range s.cols {
		if state[j] == pairOpen {
			s.lp.Q[c] = 1
		}
	}
	qs, ms := s.scales()
	for r, id := range s.rows {
		i, sign := id, 1.0
		if id >= n {
			i, sign = id-n, -1
		}
		s.lp.Q[nz+r] = sign * s.p.Q[i] * qs
		for c, j := range s.cols {
			g := sign * s.p.M[i*n+j] * ms
			s.lp.M[(nz+r)*k+c], s.lp.M[c*k+nz+r] = g, -g
			if state[i] == pairOpen {
				s.lp.Q[c] += g // the objective counts w_i too
			}
		}
	}
}

func (s *lcpSearch) scales() (q, m float64) {
	q, m = 1, 1
	if s.parent.qMax > 0 {
		q = 1 / s.parent.qMax
	}
	if s.parent.mMax > 0 {
		m = 1 / s.parent.mMax
	}
	return q, m
}

// farkas returns the multipliers of the rows w_i ≥ 0 of the last relaxation.
func (s *lcpSearch) farkas() []float64 {
	y := make([]float64, len(s.p.Q))
	for r, id := range s.rows {
		if id < len(y) {
			y[id] = s.ray[len(s.cols)+r]
		}
	}
	return y
}

// run is a depth-first search. It ends with a solution, or with the proof that
// there is none (every leaf infeasible by a Farkas vector of its own), or when
// the work is used up.
func (s *lcpSearch) run(ctx context.Context, res *LCPResult) {
	n := len(s.p.Q)
	limit := max(64, int(searchWork/(40*float64(n*n*n)+1)))
	stack := [][]pairState{make([]pairState, n)}
	complete := true
	for len(stack) > 0 {
		if res.Nodes >= limit || ctx.Err() != nil {
			res.Status = form.NoProgress // or cancelled, which the verdict tells
			return
		}
		state := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		res.Nodes++
		switch s.relax(ctx, state) {
		case relaxInfeasible:
			continue
		case relaxSolved:
			if s.tryNode(ctx, res) {
				return
			}
		} // a failed linear program prunes nothing, and its children may do better
		if i := s.branchPair(state); i >= 0 {
			stack = s.children(stack, state, i)
		} else {
			complete = false // a leaf on which the tolerances disagree
		}
	}
	if complete && ctx.Err() == nil {
		res.Status, res.Solver = form.Infeasible, "search"
	}
}

// tryNode offers the solution of the linear program and what Newton's method
// makes of it.
func (s *lcpSearch) tryNode(ctx context.Context, res *LCPResult) bool {
	copy(s.parent.z, s.z)
	if s.parent.polish(s.p, res, "search") {
		return true
	}
	for i, v := range s.z {
		s.newton.x[i] = v / s.newton.unit
	}
	if s.parent.newtonFrom(ctx, s.newton, res) {
		res.Solver = "search"
		return true
	}
	return false
}

// branchPair returns the open pair that is least complementary, or any open
// pair, or −1.
func (s *lcpSearch) branchPair(state []pairState) int {
	qs, _ := s.scales()
	best, pair := -1.0, -1
	w := s.p.slack(nil, s.z)
	for i, st := range state {
		if st == pairOpen {
			if v := math.Min(s.z[i]/s.unit(), w[i]*qs); v > best {
				best, pair = v, i
			}
		}
	}
	return pair
}

// children pushes the two decisions about pair i, the likelier one last.
func (s *lcpSearch) children(stack [][]pairState, state []pairState, i int) [][]pairState {
	qs, _ := s.scales()
	w := s.p.slack(nil, s.z)
	first, second := pairW0, pairZ0
	if s.z[i]/s.unit() < w[i]*qs {
		first, second = pairZ0, pairW0
	}
	for _, d := range []pairState{second, first} {
		child := append([]pairState(nil), state...)
		child[i] = d
		stack = append(stack, child)
	}
	return stack
}
