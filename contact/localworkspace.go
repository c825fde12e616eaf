package contact

import (
	"context"
	"math"
)

// LocalWorkspace keeps what a sequence of solves of [Local] problems has in
// common: the scaled problem, the ordering and pattern of its factors, all
// vectors, and the last solution, from which the next solve starts if the
// number of contacts is the same. The zero value is ready. It is not safe for
// concurrent use.
type LocalWorkspace struct {
	last     []float64 // the last solution, in the units of its problem
	c        reduced
	lu       blockLU
	analysed bool // lu belongs to the pattern of c

	vectors           []vec3 // the memory of the six below
	r, u, f, d, trial []vec3
	best              []vec3
	blocks            []mat3 // and of these two
	e, b              []mat3
	spare, save       []vec3
	held              held
	interior          interior
	run               localRun
	mem               [3]vec3   // arguments of laws
	rho               []float64 // of the unit-free check
}

// Forget drops the last solution: the next solve starts from zero.
func (ws *LocalWorkspace) Forget() { ws.last = ws.last[:0] }

// WarmStart sets the reactions from which the next solve starts.
func (ws *LocalWorkspace) WarmStart(r []float64) { ws.last = append(ws.last[:0], r...) }

// prepare scales p and sizes the vectors.
func (ws *LocalWorkspace) prepare(p *Local) {
	if !ws.c.reduce(p) {
		ws.analysed = false
	}
	n := ws.c.nc
	ws.vectors, ws.blocks = grow(ws.vectors, 6*n), grow(ws.blocks, 2*n)
	v := ws.vectors
	ws.r, ws.u, ws.best = v[:n:n], v[n:2*n:2*n], v[2*n:3*n:3*n]
	ws.f, ws.d, ws.trial = v[3*n:4*n:4*n], v[4*n:5*n:5*n], v[5*n:6*n:6*n]
	ws.e, ws.b = ws.blocks[:n:n], ws.blocks[n:2*n:2*n]
}

// factors returns the block factorisation, its pattern analysed.
func (ws *LocalWorkspace) factors() *blockLU {
	if !ws.analysed {
		ws.lu.analyse(&ws.c)
		ws.analysed = true
	}
	return &ws.lu
}

// localRun is one solve: the iterate is ws.r, the best so far ws.best.
type localRun struct {
	ws         *LocalWorkspace
	c          *reduced
	ctx        context.Context
	o          *Options
	res        *Result
	p          *Local
	want       float64 // tolerance of the caller
	tol        float64 // on the scaled merit, a part of it
	bestMerit  float64 // scaled merit of ws.best
	iterations int
	limit      int // on iterations
	factors    int
}

// A localMethod works on ws.r with at most limit iterations, records what it
// finds by [localRun.look], and says how it ended.
type localMethod func(s *localRun, limit int) Status

// look evaluates the iterate, keeps it if it is the best, and returns its
// scaled merit; ws.u is set.
func (s *localRun) look() float64 {
	return s.keep(s.c.merit(s.ws.u, s.ws.r))
}

// keep is look for an iterate of known merit m.
func (s *localRun) keep(m float64) float64 {
	if m < s.bestMerit {
		s.bestMerit = m
		copy(s.ws.best, s.ws.r)
	}
	return m
}

// step counts an iteration and tells whether the solve has to stop.
func (s *localRun) step(solver string, residual, length float64) (Status, bool) {
	s.iterations++
	if s.o.OnIteration != nil {
		s.o.OnIteration(Iteration{Solver: solver, Iteration: s.iterations, Residual: residual, Step: length})
	}
	if s.ctx.Err() != nil {
		return Canceled, true
	}
	if s.iterations >= s.limit {
		return IterationLimit, true
	}
	return Unsolved, false
}

// stage runs a method from the present iterate and notes what it did.
func (s *localRun) stage(name string, method localMethod, limit int) Status {
	before := s.iterations
	status := method(s, limit)
	s.res.Solver = name
	stages := s.res.Stages
	if n := len(stages); n > 0 && stages[n-1].Solver == name { // one line for a run of one method
		stages[n-1].Iterations += s.iterations - before
		stages[n-1].Status, stages[n-1].Merit = status, s.bestMerit
		return status
	}
	s.res.Stages = append(stages, Stage{Solver: name, Status: status, Iterations: s.iterations - before, Merit: s.bestMerit})
	return status
}

// enough reports whether the best iterate passes as it is, both in the scaled
// units and in those of the problem: not as good as aimed at, but what was
// asked for.
func (s *localRun) enough() bool {
	if s.bestMerit > s.want {
		return false
	}
	s.check()
	return s.passes()
}

// check evaluates the best iterate on the problem as it was given.
func (s *localRun) check() {
	s.c.expand(s.res.R, s.ws.best)
	s.p.assess(&s.ws.mem, s.ws.rho, s.res)
}

func bad(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
