package local

import (
	"context"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/prove"
	"github.com/quasistatic/quasistatic/internal/ablation"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/num"
)

// The numbers of the plan. Costs are products of 3×3 blocks, see sweepCost and newtonCost.
const (
	// autoFirst are the sweeps between two looks at the rate of Gauss-Seidel, autoStart those before
	// Newton's method: contacts that open at once have opened then, and its first active set is near.
	// Of up to autoPair contacts, of which there are few active sets, autoPairStart sweeps do.
	autoFirst, autoStart    = 4, 12
	autoPair, autoPairStart = 2, 8
	// autoEager ends the first sweeps when those that are still needed at the present rate cost more
	// than this share of the guessed cost of Newton's method [-].
	autoEager = 0.3
	// autoNewton are the steps of Newton's method in one line of the plan, at most.
	autoNewton = 100
	// autoMany and autoLarge are the contacts from which a factorisation costs as much as many sweeps
	// and as hundreds of them, as it grows with a higher power of their number.
	autoMany, autoLarge = 50, 1000
	// autoSwept are the sweeps with momentum, at most; they end where the merit falls too slowly, see
	// [momentumOptions].
	autoSwept = 20000
	// autoNear is the merit [-] below which the iterate is taken to be near a solution, where other
	// friction and Newton's method without a regularisation are worth trying.
	autoNear = 1e-5
	// Up to autoPointed contacts the interior-point method has the de Saxcé term: its thirty
	// factorisations take tens of seconds beyond. Up to autoCurved the central path is followed, which
	// takes a thousand.
	autoPointed, autoCurved = 8000, 3000
	// autoPoints are the steps that the interior-point method usually takes: sweeps before it may cost
	// as much. That is pointLeast sweeps whatever the fill, by the products in manySweeps: nobody has to
	// know it, for which W is ordered, before those are made.
	autoPoints, pointLeast = 25, 15 * 25
)

// A planStage is one line of the plan of [Solve].
type planStage struct {
	name  string
	run   localMethod
	from  planStart
	limit int                  // iterations
	when  func(*localRun) bool // nil means always
}

// planStart is the iterate from which a stage starts.
type planStart int

const (
	fromHere   planStart = iota // where the stage before ended
	fromSweeps                  // the last sweeps: Newton's methods may have strayed
	fromZero
	fromBest
)

// plan is what SolveLocal tries after the first sweeps, in this order: a line stands where it ends
// problems that those before leave (docs/lab/ablation.md has how many).
//
//	sweeps              many contacts: with momentum, for as long as the next line would take
//	interior point      arches, walls, tables, wedges: twenty steps whatever the rank of W
//	newton              what both came close to; of few contacts nine in ten end here
//	newton from zero    little friction: a dozen sweeps may be worse than none
//	enumeration         few contacts: a solution or the proof that there is none
//	central path        piles in motion and what jams: the path of the interior-point method, through its folds
//	proximal points     jamming at the edge of slip, singular W
//	neighbours          a stall at an edge between states: a little more or less friction, and back
//	cone problems       stacks with much friction: redundant reactions do not hurt it
//	gauss-seidel        what contracts at all, of any law
//
// The limits count sweeps, Newton steps or factorisations: the interior point takes twenty to
// thirty, paths that come through less than 2,000, a round of proximal points ten.
var plan = [...]planStage{
	{momentumName, (*localRun).manySweeps, fromHere, autoSwept, (*localRun).many},
	{interiorName, (*localRun).points, fromHere, 80, (*localRun).pointed},
	{newtonName, (*localRun).newtonThenNatural, fromBest, autoNewton, nil},
	{newtonName, (*localRun).newtonThenNatural, fromZero, autoNewton, nil},
	{enumerationName, (*localRun).enumerate, fromSweeps, 1, (*localRun).enumerable},
	{curveName, (*localRun).centralPath, fromZero, 5000, (*localRun).curved},
	{proximalName, (*localRun).proximal, fromBest, 3000, nil},
	{restartName, (*localRun).perturbedRestart, fromBest, 14000, (*localRun).near},
	{coneName, (*localRun).coneFixedPoint, fromSweeps, 3000, nil},
	{gaussSeidelName, (*localRun).gaussSeidel, fromSweeps, 12000, nil},
}

// Solve solves a [form.Local] problem by the method of o, by default a plan of
// stages that tries what works. Nil for o, ws or res means defaults and new ones.
//
// It starts from the last solution in ws (see [Workspace]), or from zero. If
// that solves the problem already, the solve costs one evaluation of the residual.
// err is nil only if the merits are at most the tolerance and motions, reactions and
// power pass on their own in units of the data (verdict.go); otherwise it is an
// *[form.Error] that names the number which failed, and res holds the best iterate. An
// error of the context is wrapped. Nothing is allocated on a problem whose sizes and
// pattern ws has seen, but for the samples of an Operator that is neither [form.Blocks]
// nor [form.Dense]. An unsolved problem is searched for a certificate that no solution
// exists (see [prove.Certifies]).
func Solve(ctx context.Context, p *form.Local, o *form.Options, ws *Workspace, res *form.Result) error {
	if res = num.OrNew(res); o == nil {
		o = &noWishes
	}
	if err := p.Validate(); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if ws == nil {
		ws = borrowWorkspace()
		defer ws.giveBack()
	}
	if p.W.Dim() > 3 {
		return solveWide(ctx, p, o, ws, res)
	}
	rigid, springs := p.WithoutSprings()
	if ablation.Observe != nil {
		ablation.Observe(p)
	}
	solve := solveLocal
	if o.Method == form.MethodLemke {
		solve = solvePolyhedral
	}
	err := solve(ctx, rigid, o, ws, res)
	if springs {
		p.FinishSprings(res)
	}
	return err
}

// SolveJudged is [Solve] with another verdict on reactions: of a problem that stands for another.
func SolveJudged(ctx context.Context, p *form.Local, o *form.Options, ws *Workspace, judge func(r []float64) bool, res *form.Result) error {
	ws.judge = judge
	defer func() { ws.judge = nil }()
	return Solve(ctx, p, o, ws, res)
}

// noWishes are the options of who gives none; options are read only.
var noWishes form.Options

// final reports whether a verdict ends the solve.
func (s *localRun) final(status form.Status) bool {
	return status == form.Converged || status == form.Canceled || status == form.Infeasible || s.iterations >= s.limit
}

// auto goes through the plan.
func (s *localRun) auto(int) form.Status {
	ws := s.ws
	status := s.firstSweeps()
	ws.spare = append(ws.spare[:0], ws.r...)
	for k := range plan {
		st := &plan[k]
		if s.final(status) {
			return status
		}
		if st.when != nil && !st.when(s) {
			continue
		}
		switch st.from {
		case fromSweeps:
			copy(ws.r, ws.spare)
		case fromZero:
			clear(ws.r)
		case fromBest:
			copy(ws.r, ws.best)
		}
		status = s.stage(st.name, st.run, min(st.limit, s.limit-s.iterations))
	}
	return status
}

// many reports whether there are so many contacts that a factorisation costs as much as
// many sweeps.
func (s *localRun) many() bool { return s.c.Nc >= autoMany }

const enumerationName = "enumeration"

// enumerable reports whether a problem is small enough to rule out all states of its contacts: in
// the plane by complementarity, in space by sectors of the direction of friction.
func (s *localRun) enumerable() bool { return prove.Searchable(s.p) || prove.Sectored(&s.c.Scaled) }

func (s *localRun) enumerate(int) form.Status {
	if prove.Searchable(s.p) {
		r, iterations, status := prove.Search(s.ctx, s.p)
		s.iterations += iterations
		if status == form.Canceled || status == form.Infeasible {
			return status
		}
		if r != nil {
			s.c.Restrict(s.ws.r, r)
			if s.evaluate() <= s.want {
				return form.Converged
			}
		}
		return form.NoProgress
	}
	s.iterations++
	return prove.Sectors(s.ctx, &s.c.Scaled, s.fromReactions)
}

// enumerateSteps are those of Newton's method from where the search stands.
const enumerateSteps = 30

// fromReactions reports whether Newton's method solves the problem from r.
func (s *localRun) fromReactions(r []vec3) bool {
	for _, method := range [...]localMethod{(*localRun).newton, (*localRun).naturalNewton} {
		copy(s.ws.r, r)
		if method(s, enumerateSteps) == form.Converged && s.confirm(s.ws.r) {
			return true
		}
	}
	return false
}

// pointed reports whether the interior-point method comes early: laws that it takes, and
// so many contacts that Newton's method rarely finds their states at once.
func (s *localRun) pointed() bool { return s.many() && s.c.conical() }

// points is the interior-point method; of very large problems those without the de Saxcé term, which
// are convex and take half of the work, and a dozen of its steps.
func (s *localRun) points(limit int) form.Status {
	if s.c.Nc > autoPointed {
		return s.coneFixedPoint(limit)
	}
	return s.interiorPoint(limit)
}

// conical reports whether the interior-point method takes all laws.
func (c *reduced) conical() bool {
	for j := range c.Kind {
		if _, ok := c.interiorKind(j); !ok {
			return false
		}
	}
	return true
}

// curved reports whether the central path can be followed in some seconds.
func (s *localRun) curved() bool { return s.c.conical() && s.c.Nc <= autoCurved }

// manySweeps sweeps for at most as long as the interior-point method would take:
// so much is lost, by a factor of two, if it is that which solves the problem. What that is
// takes an ordering to know, and many problems are solved before it would be made.
func (s *localRun) manySweeps(limit int) form.Status {
	if s.ws.insidable() {
		return s.insideSweeps(limit)
	}
	if !s.pointed() {
		return s.momentumSweeps(limit)
	}
	status := s.momentumSweeps(min(limit, pointLeast))
	if status != form.IterationLimit || s.final(status) {
		return status
	}
	lu := s.ws.factors(s.ctx)
	if lu == nil {
		return form.Canceled
	}
	nb, nc := float64(len(s.c.Col)), float64(s.c.Nc)
	// Counted in products of a block with a vector, of which a scaling is worth 400.
	point := 3*lu.Count + 15*nb + 400*nc
	if left := min(limit, int(autoPoints*point/(nb+20*nc))) - pointLeast; left > 0 {
		status = s.momentumSweeps(left)
	}
	return status
}

// large reports whether a factorisation costs as much as hundreds of sweeps.
func (c *reduced) large() bool { return c.Nc >= autoLarge }

// near reports whether the best iterate is close to a solution.
func (s *localRun) near() bool { return s.bestMerit <= autoNear }

// firstSweeps sweeps until Newton's method is the better choice.
func (s *localRun) firstSweeps() form.Status {
	status := s.stage(gaussSeidelName, (*localRun).gaussSeidel, autoFirst)
	for total := autoFirst; status == form.IterationLimit && !s.final(status); {
		before := s.bestMerit
		status = s.stage(gaussSeidelName, (*localRun).gaussSeidel, autoFirst)
		total += autoFirst
		if s.final(status) || status != form.IterationLimit {
			break
		}
		if total < autoStart && (s.c.Nc > autoPair || total < autoPairStart) {
			continue
		}
		rate := elementary.Log(before / s.bestMerit) // per autoFirst sweeps
		need := autoFirst * elementary.Log(s.bestMerit/s.tol) / max(rate, 1e-3)
		if need*s.c.sweepCost() > autoEager*s.c.newtonCost() {
			break
		}
	}
	return status
}

// sweepCost and newtonCost count products of blocks.
func (c *reduced) sweepCost() float64 {
	return 0.5*float64(len(c.Col)) + 6*float64(c.Nc)
}

// The fill is guessed: the decision must not depend on what the workspace knows.
func (c *reduced) newtonCost() float64 {
	n, nb := float64(c.Nc), float64(len(c.Col))
	factor := 1.5 * nb * nb / n
	return 6*(factor+3*nb+15*n) + 30*nb
}
