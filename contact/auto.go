package contact

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/ablation"
	"github.com/quasistatic/quasistatic/internal/elementary"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	autoFirst     = 4  // sweeps before the first look at the rate of Gauss-Seidel
	autoStart     = 12 // sweeps that prepare the first Newton phase
	autoPair      = 2  // contacts up to which Newton's method finds the states after autoPairStart sweeps as well
	autoPairStart = 8
	autoNewton    = 100   // Newton steps of a phase
	autoPoint     = 80    // steps of the interior-point phase
	autoEager     = 0.3   // Newton's method is tried if its cost is below that of the sweeps by this factor or less
	autoLarge     = 1000  // contacts from which sweeps with momentum come before those
	autoSlender   = 10    // products of a factorisation for a block of W up to which its graph is thin
	autoSwept     = 20000 // accelerated sweeps; they stop where they progress slower than that would
	autoNear      = 1e-6  // merit below which an iterate counts as near a solution
	autoEdge      = 1e-5  // and below which neighbours in friction are tried where the path ended
	autoPath      = 2300  // steps along the central path before another one is tried: few that come through take more
	autoCurve     = 5000  // in the end
	autoPolish    = 30    // Newton steps from the end of an interior-point phase
	autoFew       = 8     // Newton steps where each costs hundreds of sweeps
	autoCone      = 40    // steps of the first fixed point over cone problems, on piles of thousands
	// autoPointed is the number of contacts up to which the interior-point method is tried
	// before Newton's: its thirty factorisations cost tens of seconds beyond. Up to autoCurved it
	// comes before regions, and the central path, of a thousand factorisations, is followed.
	autoPointed, autoCurved = 8000, 3000
	// autoCentred is the number of contacts up to which a dozen factorisations are worth it: they grow
	// as n^1.8, the sweeps as n.
	autoCentred = 50000
	// autoPoints are the steps of the interior-point method that are usual.
	autoPoints = 25
)

// A planStage is one line of the plan of [SolveLocal].
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

// plan is what SolveLocal tries after the first sweeps, in this order. Each stage is
// there for problems that the ones before do not solve; how many those are, family
// by family, is on the page docs/decisions/0009-plan-of-stages.md.
//
//	momentum          piles of thousands, at rest above all
//	regions           some thousands: the sweeps are slow in few places
//	inside            many thousands at rest with clusters of weak contacts: as far as the next, without a factorisation
//	centred           piles at rest with clusters of weak contacts
//	newton            where those sweeps came close
//	regions           many thousands, after that
//	accelerated       piles, packings and walls, in a hundredth of the sweeps; for as long
//	                  as the next would take
//	interior point    arches, walls, tables, grippers, wedges: twenty steps whatever the rank of W
//	cone fixed point  piles of a thousand at rest: what drifts there under sweeps sticks in the
//	                  middle of the cones
//	regions           piles of a thousand that move
//	central path      rods, piles, chains and discs in motion, where clusters jam and begin to roll
//	                  past each other: the path of the interior-point method folds back there
//	proximal newton   what ends of that path; again below, from other starts
//	kick              the same, at an edge between states
//	another path      where all that failed: it has other folds
//	newton            one in two problems ends here, in a few steps
//	newton from zero  little friction: a dozen sweeps may be worse than none
//	search            few contacts in the plane: a solution or the proof of none
//	sectors           the same in space
//	cone fixed point  stacks with much friction: redundant reactions do not hurt it
//	proximal newton   jamming at the edge of slip, singular W
//	interior point    masses of very different size
//	sharp newton      masses of different size: W nearly singular
//	continuation      jamming piles with friction of 1 (RockPile)
//	kick              a stall close to a solution, at an edge between states
//	tresca, admm      strongly coupled tangents; slow and sure
//	sweeps            what contracts at all contracts under Gauss-Seidel
var plan []planStage

func init() { // regions are problems of their own, which refers to the plan again
	plan = []planStage{
		{momentumName, (*localRun).momentumSweeps, fromHere, autoSwept, (*localRun).large},
		{regionsName, (*localRun).regions, fromBest, autoSwept, (*localRun).regionalVast},
		{insideName, (*localRun).insideSweeps, fromBest, autoSwept, (*localRun).insidable},
		{centredName, (*localRun).centredSweeps, fromBest, autoSwept, (*localRun).centrable},
		{newtonName, (*localRun).naturalNewton, fromBest, autoFew, (*localRun).centrableNear},
		{regionsName, (*localRun).regions, fromBest, autoSwept, (*localRun).regionalRest},
		{acceleratedName, (*localRun).acceleratedForAPoint, fromHere, autoSwept, (*localRun).wandering},
		{interiorName, (*localRun).interiorPoint, fromHere, autoPoint, (*localRun).pointed},
		{newtonName, (*localRun).naturalNewton, fromBest, autoPolish, (*localRun).pointed},
		{coneName, (*localRun).coneFixedPoint, fromHere, autoCone, (*localRun).pointedLarge},
		{regionsName, (*localRun).regions, fromBest, autoSwept, (*localRun).regionalLarge},
		{sharpName, (*localRun).sharpNewton, fromBest, autoNewton, (*localRun).short},
		{curveName, (*localRun).firstPath, fromZero, autoPath, (*localRun).curved},
		{proximalName, (*localRun).proximal, fromBest, 3 * autoNewton, (*localRun).pointed},
		{kickName, (*localRun).kick, fromBest, 4000, (*localRun).pointedNear},
		{sharpCurveName, (*localRun).sharpPath, fromZero, autoPath, (*localRun).curved},
		{curveName, (*localRun).centralPath, fromZero, autoCurve, (*localRun).curvedOn},
		{proximalName, (*localRun).proximal, fromBest, 3 * autoNewton, (*localRun).curved},
		{newtonName, (*localRun).newton, fromHere, autoNewton, nil},
		{newtonName, (*localRun).newton, fromZero, autoNewton, nil},
		{newtonName, (*localRun).naturalNewton, fromHere, autoNewton, nil},
		{proximalName, (*localRun).proximal, fromSweeps, 3000, (*localRun).pointed},
		{gaussSeidelName, (*localRun).gaussSeidel, fromSweeps, 2 * autoStart, nil},
		{newtonName, (*localRun).naturalNewton, fromHere, autoNewton, nil},
		{newtonName, (*localRun).newton, fromSweeps, autoNewton, nil},
		{searchName, (*localRun).search, fromSweeps, 1, (*localRun).searchable},
		{sectorsName, (*localRun).sectors, fromSweeps, 1, (*localRun).sectored},
		{coneName, (*localRun).coneFixedPoint, fromHere, 3000, nil},
		{acceleratedName, (*localRun).acceleratedSweeps, fromSweeps, autoSwept, (*localRun).pointed},
		{gaussSeidelName, (*localRun).gaussSeidel, fromSweeps, 4 * autoStart, nil},
		{newtonName, (*localRun).newton, fromHere, autoNewton, nil},
		{newtonName, (*localRun).naturalNewton, fromSweeps, autoNewton, nil},
		{proximalName, (*localRun).proximal, fromSweeps, 3000, nil},
		{gaussSeidelName, (*localRun).gaussSeidel, fromSweeps, 8 * autoStart, nil},
		{newtonName, (*localRun).naturalNewton, fromHere, autoNewton, nil},
		{newtonName, (*localRun).newton, fromSweeps, autoNewton, nil},
		{interiorName, (*localRun).interiorPoint, fromHere, autoPoint, nil},
		{newtonName, (*localRun).naturalNewton, fromBest, autoNewton, nil},
		{proximalName, (*localRun).proximal, fromZero, 3000, nil},
		{sharpName, (*localRun).sharpNewton, fromBest, autoNewton, (*localRun).near},
		{kickName, (*localRun).kick, fromBest, 14000, (*localRun).near},
		{continuationName, (*localRun).continuation, fromZero, 6000, (*localRun).rubs},
		{kickName, (*localRun).kick, fromBest, 14000, (*localRun).near},
		{fixedPointName, (*localRun).fixedPoint, fromSweeps, 2000, nil},
		{gaussSeidelName, (*localRun).gaussSeidel, fromSweeps, 64 * autoStart, nil},
		{newtonName, (*localRun).newton, fromHere, autoNewton, nil},
		{newtonName, (*localRun).naturalNewton, fromSweeps, autoNewton, nil},
		{admmName, (*localRun).admm, fromSweeps, 200 * autoStart, nil},
		{newtonName, (*localRun).naturalNewton, fromBest, autoNewton, nil},
		{gaussSeidelName, (*localRun).gaussSeidel, fromSweeps, 1000 * autoStart, nil},
		{newtonName, (*localRun).newton, fromHere, autoNewton, nil},
		{newtonName, (*localRun).naturalNewton, fromSweeps, autoNewton, nil},
		{proximalName, (*localRun).proximal, fromBest, 3000, nil},
	}
}

// SolveLocal solves a [Local] problem by the method of o, by default a plan of
// stages that tries what works. Nil for o, ws or res means defaults and new ones.
//
// It starts from the last solution in ws (see [LocalWorkspace]), or from zero. If
// that solves the problem already, the solve costs one evaluation of the residual.
// err is nil only if the merits are at most the tolerance and motions, reactions and
// power pass on their own in units of the data (verdict.go); otherwise it is an
// *[Error] that names the number which failed, and res holds the best iterate. An
// error of the context is wrapped. Nothing is allocated on a problem whose sizes and
// pattern ws has seen, but for the samples of an Operator that is neither [Blocks]
// nor [Dense]. An unsolved problem is searched for a certificate that no solution
// exists (see [Local.Certifies]).
func SolveLocal(ctx context.Context, p *Local, o *Options, ws *LocalWorkspace, res *Result) error {
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
	if o.Method == MethodLemke {
		solve = solvePolyhedral
	}
	err := solve(ctx, rigid, o, ws, res)
	if springs {
		p.FinishSprings(res)
	}
	return err
}

// noWishes are the options of who gives none; options are read only.
var noWishes Options

// final reports whether a verdict ends the solve.
func (s *localRun) final(status Status) bool {
	return status == Converged || status == Canceled || status == Infeasible || s.iterations >= s.limit
}

// auto goes through the plan.
func (s *localRun) auto(int) Status {
	ws := s.ws
	s.thin = s.slender()
	status := Unsolved
	if ws.joints != nil { // the start is what the free bodies left
		if status = s.stage(newtonName, (*localRun).naturalNewton, autoPolish); s.final(status) {
			return status
		}
		copy(ws.r, ws.best)
	}
	status = s.autoSweeps()
	ws.spare = append(ws.spare[:0], ws.r...)
	for k := range plan {
		st := &plan[k]
		if s.final(status) {
			return status
		}
		if st.when != nil && !st.when(s) || ablation.Line != nil && !ablation.Line(k) {
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
		if st.name == sharpName && !s.final(status) && !s.relaxed {
			// What neither form of Newton's method reaches is not to be had.
			if s.relaxed = true; s.bestMerit <= s.want && s.confirm(ws.best) {
				status = Converged
			}
		}
		if st.name == gaussSeidelName {
			ws.spare = append(ws.spare[:0], ws.r...)
		}
	}
	return status
}

// many reports whether there are so many contacts that a factorisation costs as much as
// many sweeps.
func (s *localRun) many() bool { return s.c.nc >= form.UntieFrom }

// centrable reports whether sweeps may start from the middle of the cones: many contacts of laws that the
// interior-point method takes.
func (s *localRun) centrable() bool {
	return s.large() && s.c.nc <= autoCentred && s.conical()
}

// centrableNear reports whether that came close to a solution.
func (s *localRun) centrableNear() bool { return s.centrable() && s.near() }

// wandering reports whether accelerated sweeps are worth it: many contacts that were not centred.
func (s *localRun) wandering() bool { return s.many() && !s.centrable() }

// pointed reports whether the interior-point method comes early: laws that it takes, and
// so many contacts that Newton's method rarely finds their states at once.
func (s *localRun) pointed() bool {
	return s.many() && s.c.nc <= autoPointed && s.conical()
}

// conical reports whether the interior-point method takes all laws.
func (s *localRun) conical() bool {
	for j := range s.c.kind {
		if _, ok := s.c.interiorKind(j); !ok {
			return false
		}
	}
	return true
}

// pointedLarge reports whether that method comes early on a problem that sweeps have left.
func (s *localRun) pointedLarge() bool { return s.pointed() && s.large() }

// regionalLarge, regionalVast and regionalRest tell the piles on which regions come after the
// interior-point method from those on which they come first, and from those on which after the centre.
func (s *localRun) regionalLarge() bool { return s.regional() && s.c.nc <= autoCurved }
func (s *localRun) regionalVast() bool {
	return s.regional() && s.c.nc > autoCurved && s.c.nc <= autoPointed
}

// regionalRest: beyond that size what is slow is no longer in few places.
func (s *localRun) regionalRest() bool { return s.regional() && s.c.nc > autoPointed }

// curved reports whether the central path can be followed in some seconds.
func (s *localRun) curved() bool { return s.pointed() && s.c.nc <= autoCurved }

// curvedOn reports whether that path was left for its length.
func (s *localRun) curvedOn() bool { return s.curved() && s.cut }

// short reports whether the iterate passes in scaled units and not in those of the problem:
// masses of very different size.
func (s *localRun) short() bool { return s.pointed() && s.bestMerit <= s.want }

// pointedNear reports whether that method and what followed came close to a solution: the path ends at a merit of the root
// of κ where contacts neither slip nor stick strictly.
func (s *localRun) pointedNear() bool { return s.pointed() && s.bestMerit <= autoEdge }

// acceleratedForAPoint sweeps for at most as long as the interior-point method would take:
// so much is lost, by a factor of two, if it is that which solves the problem. What that is
// takes an ordering to know, and many problems are solved before it would be made.
func (s *localRun) acceleratedForAPoint(limit int) Status {
	if !s.pointed() {
		return s.acceleratedSweeps(limit)
	}
	status := s.acceleratedSweeps(min(limit, acceleratedLeast))
	if status != IterationLimit || s.final(status) {
		return status
	}
	lu := s.ws.factors(s.ctx)
	if lu == nil {
		return Canceled
	}
	nb, nc := float64(len(s.c.col)), float64(s.c.nc)
	// Counted in products of a block with a vector, of which a scaling is worth 400.
	point := 3*lu.count + 15*nb + 400*nc
	if left := min(limit, int(autoPoints*point/(nb+20*nc))) - acceleratedLeast; left > 0 {
		status = s.acceleratedSweeps(left)
	}
	return status
}

// large reports whether a factorisation costs as much as hundreds of sweeps.
func (s *localRun) large() bool { return s.c.nc >= autoLarge && !s.thin }

// slender reports whether joints make a graph so thin that a factorisation costs as much as a few sweeps.
func (s *localRun) slender() bool {
	if s.c.nc < autoLarge || !slices.Contains(s.c.kind, form.KindBilateral) {
		return false
	}
	lu := s.ws.factors(s.ctx)
	return lu != nil && lu.count <= autoSlender*float64(len(s.c.col))
}

// near reports whether the best iterate is close to a solution.
func (s *localRun) near() bool { return s.bestMerit <= autoNear }

// rubs reports whether there is friction to raise.
func (s *localRun) rubs() bool {
	for j, kind := range s.c.kind {
		if s.c.mu[j] > 0 && (kind == form.KindCoulomb || kind == form.KindPyramid) {
			return true
		}
	}
	return false
}

// autoSweeps sweeps until Newton's method is the better choice.
func (s *localRun) autoSweeps() Status {
	status := s.stage(gaussSeidelName, (*localRun).gaussSeidel, autoFirst)
	for total := autoFirst; status == IterationLimit && !s.final(status); {
		before := s.bestMerit
		status = s.stage(gaussSeidelName, (*localRun).gaussSeidel, autoFirst)
		total += autoFirst
		if s.final(status) || status != IterationLimit {
			break
		}
		if total < autoStart && (s.c.nc > autoPair || total < autoPairStart) {
			continue
		}
		rate := elementary.Log(before / s.bestMerit) // per autoFirst sweeps
		need := autoFirst * elementary.Log(s.bestMerit/s.tol) / max(rate, 1e-3)
		if need*s.sweepCost() > autoEager*s.newtonCost() {
			break
		}
	}
	return status
}

// sweepCost and newtonCost count products of blocks.
func (s *localRun) sweepCost() float64 {
	return 0.5*float64(len(s.c.col)) + 6*float64(s.c.nc)
}

// The fill is guessed: the decision must not depend on what the workspace knows.
func (s *localRun) newtonCost() float64 {
	n, nb := float64(s.c.nc), float64(len(s.c.col))
	if s.ws.joints != nil { // products with W, factors of the free bodies
		free := float64(len(s.ws.jointed.c.col))
		return 6*(1.5*free*free/float64(s.ws.jointed.c.nc)+3*nb+15*n) + 30*nb
	}
	factor := 1.5 * nb * nb / n
	return 6*(factor+3*nb+15*n) + 30*nb
}
