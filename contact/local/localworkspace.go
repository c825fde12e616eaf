package local

import (
	"context"
	"errors"
	"sync"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/memory"
)

// Workspace keeps what a sequence of solves of [form.Local] problems has in
// common: the scaled problem, the ordering and pattern of its factors, all
// vectors, and the last solution, from which the next solve starts if the
// number of contacts is the same. The zero value is ready. It is not safe for
// concurrent use.
type Workspace struct {
	last     []float64 // the last solution, in the units of its problem
	c        reduced
	lu       block.LU
	analysed bool       // lu belongs to the pattern of c and the graph
	most     int64      // bytes that lu may take; 0: what is free
	beyond   error      // lu takes more memory than there is; nil: it does not, or that is not known
	graph    form.Graph // of the W of c, if known
	set      bool       // lu has the values of H

	vectors           []vec3 // the memory of the six below
	r, u, f, d, trial []vec3
	best              []vec3
	blocks            []mat3 // and of these two
	e, b              []mat3
	spare, save       []vec3
	held              held
	friction          held // what the continuation changes
	interior          interior
	momentum          momentum
	curve             centralPath
	colours           colours
	judge             func(r []float64) bool // the verdict, if the problem stands for another
	run               localRun
	mem               [3]vec3   // arguments of laws
	rho               []float64 // of the unit-free check
}

// Forget drops the last solution: the next solve starts from zero.
func (ws *Workspace) Forget() { ws.last = ws.last[:0] }

// WarmStart sets the reactions from which the next solve starts.
func (ws *Workspace) WarmStart(r []float64) { ws.last = append(ws.last[:0], r...) }

// workspaces are those of callers without one: to lay out the memory of a few contacts takes as
// long as to solve them.
var workspaces = sync.Pool{New: func() any { return new(Workspace) }}

// workspaceMost is the number of contacts up to which a workspace is kept for others.
const workspaceMost = 64

// borrowWorkspace returns a workspace without a last solution, whose memory may have been used.
func borrowWorkspace() *Workspace {
	ws := workspaces.Get().(*Workspace)
	ws.Forget()
	return ws
}

// giveBack keeps a small workspace for the next caller, without a hold on what is this one's.
func (ws *Workspace) giveBack() {
	if ws.c.Nc > workspaceMost {
		return
	}
	ws.c.Law, ws.graph, ws.judge = nil, form.Graph{}, nil
	workspaces.Put(ws)
}

// prepare scales p and sizes the vectors.
func (ws *Workspace) prepare(p *form.Local) {
	g := p.Graph
	if !g.Of(p.W) {
		g = form.Graph{}
	}
	same := ws.c.reduce(p)
	if !same || !ws.graph.SamePattern(g) {
		ws.analysed = false
	}
	if !same {
		ws.colours.analyse(&ws.c)
	}
	ws.colours.set(&ws.c)
	ws.graph, ws.set = g, false
	n := ws.c.Nc
	ws.vectors, ws.blocks = num.Grow(ws.vectors, 6*n), num.Grow(ws.blocks, 2*n)
	v := ws.vectors
	for _, x := range [...]*[]vec3{&ws.r, &ws.u, &ws.best, &ws.f, &ws.d, &ws.trial} {
		*x, v = v[:n:n], v[n:]
	}
	ws.e, ws.b = ws.blocks[:n:n], ws.blocks[n:2*n]
}

// factors returns the block factorisation, its pattern analysed; nil when the context is done
// before that, or where it takes more memory than there is, which ws.beyond is then.
func (ws *Workspace) factors(ctx context.Context) *block.LU {
	if !ws.analysed {
		if err := ws.lu.Analyse(ctx, &ws.c.Scaled, ws.graph, ws.most); err != nil {
			if _, exceeded := errors.AsType[*memory.ExceededError](err); exceeded {
				ws.beyond = err
			}
			return nil
		}
		ws.analysed = true
	}
	if ws.lu.Graph != nil && !ws.set {
		ws.lu.Graph.Set(ws.graph, &ws.c.Scaled)
		ws.set = true
	}
	return &ws.lu
}

// localRun is one solve: the iterate is ws.r, the best so far ws.best.
type localRun struct {
	ws         *Workspace
	c          *reduced
	ctx        context.Context
	o          *form.Options
	res        *form.Result
	p          *form.Local
	want       float64 // tolerance of the caller
	tol        float64 // on the scaled merit, a part of it
	bestMerit  float64 // scaled merit of ws.best
	tightened  int     // times that tol was lowered since the check of the problem failed
	relaxed    bool    // the limits of the verdict count, not what is aimed at
	sweeping   bool    // see warm
	enough     bool    // the best iterate is, see [form.Options.Enough]
	within     int     // problems that stand for this one are solved, one in the other
	iterations int
	limit      int // on iterations
	factors    int
}

// A localMethod works on ws.r with at most limit iterations, records what it
// finds by [localRun.evaluate], and says how it ended.
type localMethod func(s *localRun, limit int) form.Status

// evaluate evaluates the iterate, keeps it if it is the best, and returns its
// scaled merit; ws.u is set.
func (s *localRun) evaluate() float64 {
	return s.keep(s.c.Merit(s.ws.u, s.ws.r))
}

// keep is evaluate for an iterate of known merit m.
func (s *localRun) keep(m float64) float64 {
	if m < s.bestMerit {
		s.bestMerit = m
		copy(s.ws.best, s.ws.r)
	}
	if s.suffices(m) {
		return 0 // ends any method
	}
	return m
}

// step counts an iteration and tells whether the solve has to stop.
func (s *localRun) step(solver string, residual, length float64) (form.Status, bool) {
	s.iterations++
	if s.o.OnIteration != nil {
		s.o.OnIteration(form.Iteration{Solver: solver, Iteration: s.iterations, Residual: residual, Step: length})
	}
	if s.ctx.Err() != nil {
		return form.Canceled, true
	}
	if s.iterations >= s.limit {
		return form.IterationLimit, true
	}
	return form.Unsolved, false
}

// stage runs a method from the present iterate until the iterate passes the check of
// the problem as it was given, tightening the tolerance in scaled units in between,
// and notes what it did.
func (s *localRun) stage(name string, method localMethod, limit int) form.Status {
	before := s.iterations
	status := s.confirmed(method, limit)
	// What stood still may be what was asked for, if not as good as was aimed at.
	if status == form.NoProgress && s.bestMerit <= s.want && s.confirm(s.ws.best) {
		status = form.Converged
	}
	s.note(name, status, s.iterations-before)
	return status
}

// confirmed is stage without its record.
func (s *localRun) confirmed(method localMethod, limit int) form.Status {
	status := method(s, limit)
	for status == form.Converged && !s.confirm(s.ws.r) {
		if s.tightened == tightenLimit { // scaled units do not help here; the next stage starts anew
			s.tol, s.tightened = scaledFactor*s.want, 0
			status = form.NoProgress
			break
		}
		s.tol *= tightenFactor
		s.tightened++
		status = method(s, limit)
	}
	return status
}

// note adds to the record of the stages; a run of one method is one line.
func (s *localRun) note(name string, status form.Status, iterations int) {
	s.res.Solver = name
	stages := s.res.Stages
	if n := len(stages); n > 0 && stages[n-1].Solver == name {
		stages[n-1].Iterations += iterations
		stages[n-1].Status, stages[n-1].Merit = status, s.bestMerit
		return
	}
	s.res.Stages = append(stages, form.Stage{Solver: name, Status: status, Iterations: iterations, Merit: s.bestMerit})
}

// confirm checks an iterate on the problem as it was given and makes it the best if
// it passes.
func (s *localRun) confirm(r []vec3) bool {
	if s.enough {
		s.check(s.ws.best)
		return true
	}
	if !s.passes(r) {
		return false
	}
	copy(s.ws.best, r)
	return true
}

// passes is the verdict on an iterate.
func (s *localRun) passes(r []vec3) bool {
	s.check(r)
	return s.ws.passes(s.res, s.want)
}

// passes is the verdict on a result that was assessed.
func (ws *Workspace) passes(res *form.Result, tol float64) bool {
	if ws.judge != nil {
		return ws.judge(res.R)
	}
	return res.Passes(tol)
}

// check evaluates an iterate on the problem as it was given.
func (s *localRun) check(r []vec3) {
	s.c.Expand(s.res.R, r)
	limit := form.DataFactor * s.want // what is aimed at
	if s.relaxed {
		limit = form.DataLimit(s.want, s.ws.rho)
	}
	s.p.Assess(&s.ws.mem, s.ws.rho, s.res, limit)
}
