package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/internal/num"
)

// Where neither the methods of contact problems nor the rounds of graded.go find the states of
// light bodies between heavy ones, as in stacks of boxes of 1 kg and 1e6 kg in turn that are struck
// aside, proximal points do: round k solves the laws of contact between r and
//
//	u + D (r − r_k),  D_i = c U/R_i,
//
// by Newton's method for Alart and Curnier's function, from r_k, and takes its solution for r_k+1;
// at a fixed point D is gone. U is the largest speed, R_i the impulse that contact i bears, at
// least U/W_ii: its measure is what presses the bodies, not what moves the lighter one. In the
// units R and U of impulses and speeds W is (R_i/U) W_ij R_j/R_i, and c what is least of it where a
// light body between heavy ones has next to nothing, m/M. c falls where Newton's method ends, and
// grows where it does not.
//
// Of 941 problems of 4 to 49 contacts, of stacks of 5 to 10 boxes with ratios of 1e4 to 1e8, in
// which the methods had left errors of the order of the speeds, these rounds bring 98 in a hundred
// below 1e-3, in 31 to 53 of Newton's steps and 3 ms, and half of them below 1e-6, see
// settleStates.
const (
	pressedStart  = 0.1   // c …
	pressedLeast  = 1e-10 // … least and
	pressedMost   = 10.0  // … most
	pressedFactor = 10.0  // of its changes
	pressedRounds = 60
	pressedSteps  = 20    // of Newton's method in a round …
	pressedTotal  = 200   // … and in all
	pressedEnd    = 1e-14 // residual, in units of R, that ends a round: rounding
	pressedGood   = 1e-8  // c falls below that
	// Steps are halved up to pressedHalf times, until the residual falls by pressedLess of their
	// length: the function has kinks everywhere. With 6 in place of 20 halvings 68 of 129 of the
	// worst of these problems came below 1e-3, of which 114 do.
	pressedHalf = 20
	pressedLess = 1e-4
	// pressedVain rounds in a row that do not halve the error end them, pressedIdle where it is
	// less than gradedNear: what creeps then has no states nearby, as two of them exchange within
	// rounding.
	pressedVain = 12
	pressedIdle = 3
	pressedNear = 1e-2 // error of speeds from which on the states are tried
	// pressedContacts is the most: dense matrices of three unknowns each, a millisecond or three a
	// step.
	pressedContacts = 60
)

// pressing is the memory of proximalStates.
type pressing struct {
	load, rho, slack []float64 // R, the scale of Alart and Curnier's function and D of the contacts
	centre           []float64 // r_k
	f                []float64
	a, b             []float64 // its derivatives with respect to r and u + D(r − r_k), blocks
	step, trial      []float64
	r, z             []float64 // before a step
	best, bestZ      []float64
	at               []int // the unknowns: components of the contacts that push
}

// proximalStates looks for impulses of the normalised problem by proximal points, from r, which it
// overwrites by the best that it finds, with the z of that; it returns the error of their speeds.
func (p *solver) proximalStates(ctx context.Context, r []float64) (best float64) {
	x, g, y := &p.pressing, &p.graded, &p.polish
	y.u = grow(y.u, len(r))
	best = math.Inf(1)
	keep := func(e, merit float64, r []float64) {
		if e < best {
			best, g.bestMerit = e, merit
			x.best, x.bestZ = append(x.best[:0], r...), append(x.bestZ[:0], g.z...)
		}
	}
	c, vain, last, end := pressedStart, 0, math.Inf(1), p.iterations+pressedTotal
	p.lift(r)
	for range pressedRounds {
		p.bear(r, c)
		left := p.pressedNewton(r)
		p.relift(r)
		e, merit := p.gradedError(r)
		if keep(e, merit, r); e <= pressedNear && e > gradedGoal {
			x.r, x.z = append(x.r[:0], r...), append(x.z[:0], g.z...)
			e = p.settleStates(x.r)
			keep(e, g.merit, x.r)
			copy(g.z, x.z)
		}
		if vain++; best < 0.5*last {
			vain, last = 0, best
		}
		if best <= gradedGoal || vain == pressedVain || best <= gradedNear && vain >= pressedIdle || p.iterations >= end || ctx.Err() != nil {
			break
		}
		if left < pressedGood {
			c = max(c/pressedFactor, pressedLeast)
		} else {
			c = min(c*pressedFactor, pressedMost)
		}
	}
	copy(r, x.best)
	copy(g.z, x.bestZ)
	g.merit, g.done = g.bestMerit, true
	return best
}

// presses reports whether proximal points are looked for: where the rounding of the forces does not
// move light bodies by what they leave.
func (p *solver) presses() bool {
	return len(p.list) <= pressedContacts && 0x1p-52*p.graded.ratio <= gradedNear
}

// bear takes r for the centre of a round, and what the contacts bear in it.
func (p *solver) bear(r []float64, c float64) {
	x, dim := &p.pressing, p.dim
	nc := len(p.list)
	x.load, x.rho, x.slack = grow(x.load, nc), grow(x.rho, nc), grow(x.slack, nc)
	unit := 0.0
	for i, b := range p.b {
		unit = max(unit, math.Abs(b)/p.scale[i/dim])
	}
	for i, s := range p.scale[:nc] {
		u := unit * s
		x.load[i] = max(length(r[i*dim:(i+1)*dim]), u)
		x.rho[i] = x.load[i] / u
		x.slack[i] = c / x.rho[i]
	}
	x.centre = append(x.centre[:0], r...)
}

// pressedNewton is a round from r, which with z it overwrites; it returns the residual that is
// left.
func (p *solver) pressedNewton(r []float64) (left float64) {
	x, g, y := &p.pressing, &p.graded, &p.polish
	p.gradedSpeeds(y.u)
	for range pressedSteps {
		if left = p.pressedResidual(r, true); left <= pressedEnd {
			break
		}
		p.iterations++
		if !p.pressedStep(r) {
			break
		}
		x.r, x.z = append(x.r[:0], r...), append(x.z[:0], g.z...)
		if !p.searchPressed(r, left) {
			copy(r, x.r)
			copy(g.z, x.z)
			p.gradedSpeeds(y.u)
			break
		}
	}
	return p.pressedResidual(r, false)
}

// searchPressed goes along a step as far as the residual falls, and reports whether it does.
func (p *solver) searchPressed(r []float64, left float64) bool {
	x, g := &p.pressing, &p.graded
	x.trial = grow(x.trial, len(r))
	next, t := 0.0, 1.0
	for range pressedHalf {
		for i, d := range x.step {
			x.trial[i] = t * d
			r[i] = x.r[i] + x.trial[i]
		}
		copy(g.z, x.z)
		p.addLift(x.trial)
		p.gradedSpeeds(p.polish.u)
		if next = p.pressedResidual(r, false); next < (1-pressedLess*t)*left {
			return true
		}
		t *= 0.5
	}
	return next < left
}

// pressedResidual sets f to Alart and Curnier's function of a round, in units of R, and returns its
// norm; if asked also its derivatives.
func (p *solver) pressedResidual(r []float64, derive bool) float64 {
	x, dim := &p.pressing, p.dim
	x.f = grow(x.f, len(r))
	if derive {
		x.a, x.b = grow(x.a, dim*len(r)), grow(x.b, dim*len(r))
		clear(x.a)
		clear(x.b)
	}
	sum := 0.0
	for i := range p.list {
		f := x.f[i*dim : (i+1)*dim]
		p.pressedOne(i, f, r[i*dim:(i+1)*dim], derive)
		for d := range f {
			f[d] /= x.load[i]
			sum += f[d] * f[d]
		}
	}
	return math.Sqrt(sum)
}

// pressedOne is the function of contact i.
func (p *solver) pressedOne(i int, f, r []float64, derive bool) {
	x, dim := &p.pressing, p.dim
	rho := x.rho[i]
	var u, way [3]float64
	for d := range dim {
		u[d] = p.polish.u[i*dim+d] + x.slack[i]*(r[d]-x.centre[i*dim+d])
	}
	a, b := x.a, x.b
	if derive {
		a, b = a[i*dim*dim:(i+1)*dim*dim], b[i*dim*dim:(i+1)*dim*dim]
	}
	mu, push := lawMu(p.laws[i]), r[0]-rho*u[0]
	if push <= 0 {
		for d := range f {
			f[d] = r[d]
			if derive {
				a[d*dim+d] = 1
			}
		}
		return
	}
	f[0] = rho * u[0]
	along := 0.0
	for d := 1; d < dim; d++ {
		way[d] = r[d] - rho*u[d]
		along = math.Hypot(along, way[d])
	}
	if derive {
		b[0] = rho
	}
	bound := mu * push
	for d := 1; d < dim; d++ {
		if along <= bound && mu > 0 {
			f[d] = rho * u[d]
			if derive {
				b[d*dim+d] = rho
			}
			continue
		}
		f[d] = r[d]
		if derive {
			a[d*dim+d] = 1
		}
		if mu == 0 {
			continue
		}
		w := way[d] / along
		f[d] -= bound * w
		if !derive {
			continue
		}
		a[d*dim] = -mu * w
		b[d*dim] = mu * rho * w
		for e := 1; e < dim; e++ {
			turn := -w * way[e] / along
			if e == d {
				turn++
			}
			a[d*dim+e] -= bound / along * turn
			b[d*dim+e] += rho * bound / along * turn
		}
	}
}

// pressedStep sets step to that of Newton's method, and reports whether it has one.
func (p *solver) pressedStep(r []float64) bool {
	x, y, dim := &p.pressing, &p.polish, p.dim
	x.step, x.at = grow(x.step, len(r)), x.at[:0]
	y.first = grow(y.first, len(p.list))
	for i := range p.list { // what is open has the step −r
		y.first[i] = -1
		if x.b[i*dim*dim] > 0 {
			y.first[i] = len(x.at)
			for d := range dim {
				x.at = append(x.at, i*dim+d)
			}
		}
		for d := i * dim; d < (i+1)*dim; d++ {
			x.step[d] = -r[d]
		}
	}
	n := len(x.at)
	y.k, y.perm, y.delta = grow(y.k, n*n), grow(y.perm, n), grow(y.delta, n)
	clear(y.k)
	for i, row := range y.first[:len(p.list)] {
		if row >= 0 {
			p.pressedRows(i, row, r)
		}
	}
	for a, at := range x.at { // in units of R
		for b, col := range x.at {
			y.k[a*n+b] *= x.load[col/dim] / x.load[at/dim]
		}
	}
	if !num.FactorLU(y.k, y.perm, n) {
		return false
	}
	num.SolveLU(y.k, y.perm, n, y.delta)
	for a, at := range x.at {
		x.step[at] = x.load[at/dim] * y.delta[a]
	}
	return finite(x.step)
}

// pressedRows are the rows of contact i in the matrix of Newton's method, A + B(W + D), from row
// on, and its right side.
func (p *solver) pressedRows(i, row int, r []float64) {
	x, y, dim, n := &p.pressing, &p.polish, p.dim, len(p.pressing.at)
	a, b := x.a[i*dim*dim:(i+1)*dim*dim], x.b[i*dim*dim:(i+1)*dim*dim]
	for d := range dim {
		y.delta[row+d] = -x.f[i*dim+d]
		for e := range dim {
			y.k[(row+d)*n+row+e] = a[d*dim+e] + b[d*dim+e]*x.slack[i]
		}
	}
	for k := p.w.Ptr[i]; k < p.w.Ptr[i+1]; k++ {
		j := p.w.Col[k]
		w := p.w.Val[k*dim*dim : (k+1)*dim*dim]
		for d := range dim {
			for e := range dim {
				sum := 0.0
				for c := range dim {
					sum += b[d*dim+c] * w[c*dim+e]
				}
				if col := y.first[j]; col >= 0 {
					y.k[(row+d)*n+col+e] += sum
				} else {
					y.delta[row+d] += sum * r[j*dim+e] / x.load[i]
				}
			}
		}
	}
}
