package rigid

import (
	"context"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/contact"
)

const (
	// inexactAim of the merit that is asked for is what a solver ends at whose impulses are not
	// within the limits before, see suffices.
	inexactAim = 0.2
	// inexactTries bounds the solves, each to less than the last by what the last missed the limits
	// by, between these two factors.
	inexactTries                    = 5
	inexactTighter, inexactTightest = 0.3, 1e-3
	// gapRelax is the relaxation of the sweeps that open gaps, to gapGoal of what counts as open,
	// gapSweeps the most of them: 40 to 50 are enough for islands of 400 and of 1,700 contacts.
	gapRelax  = 1.5
	gapGoal   = 0.3
	gapSweeps = 1000
	// gapGiven of the power that contacts may give is left to those that open under their impulse.
	gapGiven = 0.2
	// earlyShare of the limits does for the stages of a step in which there was a fallback before:
	// its rounds need no more digits than it has.
	earlyShare = 0.1
)

// solveInexact is attempt for inexact solves; p.inexact says what it has left, nothing if it has
// been solved to the tolerance of others.
func (p *solver) solveInexact(ctx context.Context, o *Options, mayCut bool) error {
	goal := p.opt.Tolerance
	tol := max(p.inexactTolerance(), o.Accept) // which would do, without a word of V: the limits are asked of it, too
	creep := p.limits().creep * tol            // of all tries: a smaller residual gives less, and friction takes by it what it did
	for range inexactTries {
		if !(tol >= goal) {
			break
		}
		p.opt.Tolerance, p.space.creep, p.space.on = inexactAim*tol, creep, true
		err := p.attempt(ctx, o, mayCut)
		p.space.creep, p.space.on = 0, false
		if len(p.res.R) != len(p.r) || ctx.Err() != nil || beyondMemory(err) || p.inexact.Solves > 0 {
			return err
		}
		miss := p.correct()
		if miss <= 1 {
			return nil
		}
		if err != nil { // what is less will not be found by the same methods
			if mayCut && len(p.list) >= hugeIsland {
				return err
			}
			break
		}
		copy(p.r, p.space.r)
		tol = min(tol, p.res.Merit) * max(inexactTightest, min(inexactTighter, 0.5/miss))
	}
	p.opt.Tolerance = goal
	return p.attempt(ctx, o, mayCut)
}

// regularise adds a mobility of friction to W, c or less by limits.last: what sticks creeps by −c
// r_T, and what slips does as it would. W is nearly singular on what sticks, and Newton's steps and
// interior points go astray along its kernel; a creep of the size of the residual that is asked for
// takes energy in each contact, where another residual gives some as often as not.
func (p *solver) regularise(c float64) {
	x, dim, last := &p.space, p.dim, p.limits().last
	if x.regular = x.regular[:0]; c == 0 {
		return
	}
	for i := range p.list {
		least := min(c, last*p.speeds[i]*p.scale[i]/(p.size*length(p.r[i*dim:(i+1)*dim])))
		for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ {
			for d := 1; d < dim && p.w.Col[k] == i; d++ {
				at := (k*dim+d)*dim + d
				x.regular = append(x.regular, regularised{at, p.w.Val[at]})
				p.w.Val[at] += least
			}
		}
	}
}

// inexactSpace is the memory of inexact solves.
type inexactSpace struct {
	on                     bool      // a stage ends where its impulses are within the limits
	creep                  float64   // mobility that friction has beside W, see regularise
	nearest                []float64 // the best impulses of the stages …
	merit                  float64   // … and their merit
	normal, diagonal, push []float64 // of correctGaps
	least, opens           []float64 // how far push may fall, and u_N
	r                      []float64 // impulses with their gaps corrected …
	from                   []float64 // … from these of the solver
	regular                []regularised
	stop                   func([]float64) bool // ends a solve …
	of                     *solver              // … of this solver
}

// regularised is an entry of W before or after regularise, the other one is in W.
type regularised struct {
	at int
	w  float64
}

// regularEnd takes back what regularise has added, and judges the impulses by W as it is.
func (p *solver) regularEnd() {
	x := &p.space
	p.exchange()
	if len(x.regular) > 0 && len(p.res.R) == len(p.r) {
		p.res.Merit, p.res.Worst = p.local.Merit(p.res.U, p.res.Residuals, p.res.R)
	}
	x.regular = x.regular[:0]
}

// correctGaps solves for the normal impulses with the tangential ones as they are, by relaxation,
//
//	0 <= u_N ⊥ r_N − ‖r_T‖/μ >= 0,
//
// a step down the energy ½‖v'−v_free‖². It opens the contacts that the impulses r, of speeds u,
// close too far, and takes impulses from those that open under them, which give r_N u_N. u_N is
// kept as the changes of all before have left it, as most of what a sweep visits does nothing.
func (p *solver) correctGaps(r []float64) {
	taken, power := p.gapRanges(r), p.limits().power // taken by friction
	x, dim := &p.space, p.dim
	clear(x.push)
	settled := taken == 0 // what opens under its impulse is left as it is
	for range gapSweeps {
		worst, given := 0.0, 0.0
		for i, u := range x.opens {
			relax := gapRelax
			switch opens := u >= 0 && x.push[i] <= 0; {
			case opens && (settled || x.push[i] == x.least[i]):
				continue
			case opens:
				given += u * (r[i*dim] + x.push[i])
				relax = 1 // beyond its solution it would close
			default:
				worst = max(worst, math.Abs(u)/p.scale[i])
			}
			push := max(x.least[i], x.push[i]-relax*u/x.diagonal[i])
			change := push - x.push[i]
			if x.push[i] = push; change == 0 {
				continue
			}
			for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ { // the column, as W is symmetric
				x.opens[p.w.Col[k]] += x.normal[k] * change
			}
		}
		if settled && worst*p.size <= gapGoal*p.touch {
			break
		}
		settled = settled || given <= gapGiven*power*taken
	}
	for i, push := range x.push {
		r[i*dim] += push
	}
}

// gapRanges sets W_NN, u_N and how far impulses may fall, and returns the power that friction
// takes.
func (p *solver) gapRanges(r []float64) (taken float64) {
	x, dim, nc := &p.space, p.dim, len(p.list)
	x.normal, x.diagonal = grow(x.normal, len(p.w.Col)), grow(x.diagonal, nc)
	x.push, x.least, x.opens = grow(x.push, nc), grow(x.least, nc), grow(x.opens, nc)
	for i := range nc {
		for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ {
			x.normal[k] = p.w.Val[k*dim*dim]
			if p.w.Col[k] == i {
				x.diagonal[i] = x.normal[k]
			}
		}
		ri, ui := r[i*dim:(i+1)*dim], p.active.u[i*dim:(i+1)*dim]
		inner, friction := ri[0], 0.0
		for d := 1; d < dim; d++ {
			friction -= ri[d] * ui[d]
		}
		if mu := lawMu(p.laws[i]); mu > 0 {
			inner -= length(ri[1:]) / mu * (1 + coneRounding)
		}
		x.least[i], x.opens[i] = -max(0, inner), ui[0]
		taken += max(0, friction)
	}
	return taken
}

// correct takes the solver's impulses into their cones, opens their gaps and returns by how much
// more than the limits they leave; if that is up to 1 they do: p.res has them, and p.inexact what
// they leave.
func (p *solver) correct() float64 {
	x := &p.space
	if len(x.from) == 0 || !slices.Equal(x.from, p.res.R) {
		x.r = append(x.r[:0], p.res.R...)
		p.active.u = grow(p.active.u, len(x.r))
		p.intoCones(x.r)
		p.multiply(p.active.u, x.r)
		p.correctGaps(x.r)
	}
	r := x.r
	p.multiply(p.active.u, r)
	x.from = x.from[:0]
	left, miss := p.missed(r, p.res.Merit)
	if miss <= 1 {
		copy(p.res.R, r)
		p.inexact = left
	}
	return miss
}

// stopWhen returns what ends an inexact solve: impulses within the limits, be they what it was
// asked for or not.
func (p *solver) stopWhen() func([]float64) bool {
	if !p.space.on {
		return nil
	}
	if x := &p.space; x.of != p { // solvers move as there come to be more of them
		x.stop, x.of = p.suffices, p
	}
	return p.space.stop
}

// suffices reports whether impulses of the solver leave no more than the limits, with W as it is;
// gaps, which cost as much as five sweeps, are opened where the others hold.
func (p *solver) suffices(impulses []float64) bool {
	p.exchange()
	defer p.exchange()
	x, l := &p.space, p.limits()
	r := append(x.r[:0], impulses...)
	x.r, p.active.u, x.from = r, grow(p.active.u, len(r)), x.from[:0]
	p.intoCones(r)
	p.multiply(p.active.u, r)
	if left, _ := p.missed(r, 0); !(left.Share <= l.first*l.most) {
		return false
	}
	p.correctGaps(r)
	p.multiply(p.active.u, r)
	if _, miss := p.missed(r, 0); !(miss <= 1) {
		return false
	}
	x.from = append(x.from, impulses...)
	return true
}

// exchange takes the regularisation out of W, or back in.
func (p *solver) exchange() {
	for k := range p.space.regular {
		y := &p.space.regular[k]
		p.w.Val[y.at], y.w = y.w, p.w.Val[y.at]
	}
}

// keepNearest keeps the result of a stage that is nearer than those before.
func (p *solver) keepNearest() {
	if p.fallback && len(p.res.R) == len(p.r) && p.res.Merit < p.space.merit {
		p.space.merit, p.space.nearest = p.res.Merit, append(p.space.nearest[:0], p.res.R...)
	}
}

// fallBack takes the nearest impulses if they leave no more than a share of the limits.
func (p *solver) fallBack(ctx context.Context, share float64) bool {
	if !p.fallback || !(p.space.merit < math.Inf(1)) || ctx.Err() != nil {
		return false
	}
	p.res.R, p.res.Merit = append(p.res.R[:0], p.space.nearest...), p.space.merit
	p.space.from = p.space.from[:0]
	if p.correct() <= share {
		return true
	}
	p.inexact = Inexact{}
	return false
}

// tryFallback is tryLast for faces: before the slow ends of the plan the fallback is tried, and
// where the step may be cut in place of a cut.
func (p *solver) tryFallback(ctx context.Context, mayCut bool) error {
	if len(p.list) >= manyContacts && p.fallBack(ctx, 1) {
		return nil
	}
	err := p.try(ctx, contact.MethodAuto, p.planLimit(true), nil)
	if err == nil || ctx.Err() != nil || beyondMemory(err) {
		return err
	}
	if p.keepNearest(); p.fallBack(ctx, 1) {
		return nil
	}
	if mayCut {
		return err
	}
	return p.tryLast(ctx, mayCut)
}
