package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/num"
)

// Newton's method for the states of the contacts,
//
//	open: r = 0;  stick: u = 0;  slip: u_N = 0, u_T = −|u_T| d, r_T = μ r_N d,
//
// by a dense matrix (Alart and Curnier's function). It takes what another method has found to
// rounding: a merit is relative to the largest impulse and says little of light bodies that carry
// heavy ones. Redundant contacts make the matrix K singular, but not the equations inconsistent:
// the rounds (K + εI)δ = −u converge on the range of K.
const (
	statesAt       = 1e-9  // error of a contact's speed, over the largest of b, that counts as solved
	statesRounds   = 20    // where states repeat they were not near
	statesVain     = 3     // rounds in a row that find nothing better end them
	statesEnough   = 1e-14 // ends the rounds: rounding
	statesContacts = 120   // the most: a dense system, three unknowns each
	statesShift    = 1e-10 // of the diagonal of W, which is one: makes redundant impulses unique
	statesSolves   = 30    // with one factorisation
	statesSlip     = 1e-6  // of b is the least slip, where masses are even
	// coneRounding of the size of an impulse is rounding of the cone.
	coneRounding = 4 * 0x1p-52
)

// activeSet is the memory of settleStates.
type activeSet struct {
	u, best     []float64 // speeds, and the best impulses
	unknowns    []unknown
	first       []int // unknown of each contact, −1: none
	k, delta    []float64
	perm        []int
	sum, change []float64 // of unknowns and of impulses
	sizes       []float64 // of the terms of z
	r, speed    [3]float64
}

// unknown is a component d of the impulse of contact i, or of a sliding one r_N with its force
// along dir, or the turn of that force across it, and what the slip resists the turn.
type unknown struct {
	i, d   int
	dir    [3]float64
	turns  bool
	resist float64
}

// settleStates starts from the impulses r of the normalised problem, which it overwrites by the
// best that it finds, and ends at the given error of the speeds; it returns that of the result, and
// its merit.
func (p *solver) settleStates(r []float64, enough float64) (best, merit float64) {
	x := &p.active
	x.u = grow(x.u, len(r))
	best = math.Inf(1)
	vain := 0
	p.stateSpeeds(r)
	for range statesRounds {
		e, m := p.speedError(r)
		if vain++; e < best {
			best, merit, vain = e, m, 0
			x.best = append(x.best[:0], r...)
			p.lifted.keep()
		}
		if !(e > enough) || vain == statesVain {
			break
		}
		p.iterations++
		p.chooseStates(r)
		if !p.solveStates(r) {
			break
		}
	}
	copy(r, x.best)
	p.lifted.back()
	return best, merit
}

// polish is settleStates where impulses are further off than statesAt, to a hundredth of it.
func (p *solver) polish(r []float64) float64 {
	x := &p.active
	x.u = grow(x.u, len(r))
	p.stateSpeeds(r)
	if e, _ := p.speedError(r); e <= statesAt || len(p.list) > statesContacts {
		return e
	}
	e, _ := p.settleStates(r, 1e-2*statesAt)
	return e
}

// stateSpeeds sets u to the speeds of the impulses r: W r + b, or Hᵀz + b where z is kept.
func (p *solver) stateSpeeds(r []float64) {
	if p.lifted.ratio == 0 {
		p.multiply(p.active.u, r)
		return
	}
	p.liftedSpeeds(p.active.u)
}

// changeStates adds a change to the impulses r, and sets u to their speeds.
func (p *solver) changeStates(r, change []float64) {
	for i, d := range change {
		r[i] += d
	}
	if p.lifted.ratio > 0 {
		p.addLift(change)
	}
	p.stateSpeeds(r)
}

// speedError is the largest natural residual of a contact beyond the rounding of its cone, as a
// speed, over the largest of b; and the merit, as an impulse over the largest.
func (p *solver) speedError(r []float64) (speed, merit float64) {
	x := &p.active
	worst, size, most, rounding := 0.0, 0.0, 0.0, 0.0
	if p.lifted.ratio > 0 { // large impulses are what it is for
		rounding = coneRounding
	}
	for i := range p.list {
		p.contactAt(i, r)
		for _, b := range p.b[i*p.dim : (i+1)*p.dim] {
			size = max(size, math.Abs(b)/p.scale[i])
		}
		push := max(math.Abs(x.r[0]), math.Abs(x.r[1]), math.Abs(x.r[2]))
		most = max(most, push)
		e := contact.NaturalResidual(p.laws[i], &x.r, &x.speed, 1)
		if merit = max(merit, e); !((e-rounding*push)/p.scale[i] <= worst) {
			worst = (e - rounding*push) / p.scale[i]
		}
	}
	if !(size > 0) { // nothing moves: r = 0
		return 0, 0
	}
	return worst / size, merit / max(most, length(p.b))
}

// contactAt takes the impulse and the speed of contact i.
func (p *solver) contactAt(i int, r []float64) {
	x := &p.active
	x.r, x.speed = [3]float64{}, [3]float64{}
	copy(x.r[:], r[i*p.dim:(i+1)*p.dim])
	copy(x.speed[:], x.u[i*p.dim:(i+1)*p.dim])
}

// chooseStates lists the unknowns of the states that r and u suggest, and moves r into them.
func (p *solver) chooseStates(r []float64) {
	x, dim := &p.active, p.dim
	x.unknowns = x.unknowns[:0]
	x.change = append(x.change[:0], r...)
	size := length(p.b)
	for i := range p.list {
		ri, ui := x.change[i*dim:(i+1)*dim], x.u[i*dim:(i+1)*dim]
		mu, push := lawMu(p.laws[i]), ri[0]-ui[0]
		if push <= 0 {
			clear(ri)
			continue
		}
		var way [3]float64 // r_T − u_T
		for d := 1; d < dim; d++ {
			way[d] = ri[d] - ui[d]
		}
		along := length(way[1:])
		if math.IsNaN(mu) || mu > 0 && (along <= mu*push*(1+coneRounding) || p.lifted.ratio == 0 && length(ui[1:]) <= statesSlip*size) {
			for d := range dim {
				v := unknown{i: i, d: d}
				v.dir[d] = 1
				x.unknowns = append(x.unknowns, v)
			}
			continue
		}
		v, slip := unknown{i: i, dir: [3]float64{1}}, 0.0
		for d := 1; d < dim && mu > 0; d++ {
			v.dir[d] = mu * way[d] / along
			slip -= ui[d] * way[d] / along
		}
		x.unknowns = append(x.unknowns, v)
		ri[0] = max(ri[0], 0)
		for d := range dim {
			ri[d] = ri[0] * v.dir[d]
		}
		if dim == 3 && mu > 0 {
			x.unknowns = append(x.unknowns, unknown{i: i, turns: true,
				dir: [3]float64{0, -v.dir[2] / mu, v.dir[1] / mu}, resist: max(0, slip) / (mu * push)})
		}
	}
	for i := range r {
		x.change[i] -= r[i]
	}
	p.changeStates(r, x.change)
}

// solveStates changes r so that the equations of the unknowns hold; false where they have no
// solution.
func (p *solver) solveStates(r []float64) bool {
	x, dim := &p.active, p.dim
	n := len(x.unknowns)
	if n == 0 {
		return true
	}
	shift := statesShift
	if p.lifted.ratio > 0 {
		shift = min(shift, liftedShift/p.lifted.ratio)
	}
	p.stateMatrix(shift)
	if !num.FactorLU(x.k, x.perm, n) {
		return false
	}
	x.delta, x.sum, x.change = grow(x.delta, n), grow(x.sum, n), grow(x.change, len(r))
	clear(x.sum)
	last := math.Inf(1)
	for range statesSolves {
		off := 0.0
		for a, c := range x.unknowns {
			x.delta[a] = -c.along(x.u[c.i*dim:(c.i+1)*dim]) - c.resist*x.sum[a]
			off = max(off, math.Abs(x.delta[a]))
		}
		if !(off < 0.5*last) {
			break
		}
		last = off
		num.SolveLU(x.k, x.perm, n, x.delta)
		clear(x.change)
		for a, c := range x.unknowns {
			x.sum[a] += x.delta[a]
			for d := range dim {
				x.change[c.i*dim+d] += c.dir[d] * x.delta[a]
			}
		}
		p.changeStates(r, x.change)
	}
	return finite(r)
}

// along is the speed of the equation of an unknown.
func (c *unknown) along(u []float64) float64 {
	if !c.turns {
		return u[c.d]
	}
	return c.dir[1]*u[1] + c.dir[2]*u[2]
}

// stateMatrix sets k to what the unknowns do to the speeds of their equations.
func (p *solver) stateMatrix(shift float64) {
	x, dim := &p.active, p.dim
	n := len(x.unknowns)
	x.k, x.perm, x.first = grow(x.k, n*n), grow(x.perm, n), grow(x.first, len(p.list))
	for i := range x.first {
		x.first[i] = -1
	}
	for a := n - 1; a >= 0; a-- {
		x.first[x.unknowns[a].i] = a
	}
	clear(x.k)
	var u [3]float64
	for a, row := range x.unknowns {
		for k := p.w.Ptr[row.i]; k < p.w.Ptr[row.i+1]; k++ {
			j := p.w.Col[k]
			for b := x.first[j]; b >= 0 && b < n && x.unknowns[b].i == j; b++ {
				for d := range dim {
					u[d] = 0
					for c := range dim {
						u[d] += p.w.Val[(k*dim+d)*dim+c] * x.unknowns[b].dir[c]
					}
				}
				x.k[a*n+b] += row.along(u[:dim])
			}
		}
		x.k[a*n+a] += shift + row.resist
	}
}

// multiply sets u to W r + b.
func (p *solver) multiply(u, r []float64) {
	dim := p.dim
	copy(u, p.b)
	for i := range p.list {
		from, end := p.w.Ptr[i], p.w.Ptr[i+1]
		if dim == 3 {
			s, t, o := u[3*i], u[3*i+1], u[3*i+2]
			for k, j := range p.w.Col[from:end] {
				w, x := (*[9]float64)(p.w.Val[9*(from+k):]), (*[3]float64)(r[3*j:])
				s += w[0]*x[0] + w[1]*x[1] + w[2]*x[2]
				t += w[3]*x[0] + w[4]*x[1] + w[5]*x[2]
				o += w[6]*x[0] + w[7]*x[1] + w[8]*x[2]
			}
			u[3*i], u[3*i+1], u[3*i+2] = s, t, o
			continue
		}
		for k := from; k < end; k++ {
			w, x := p.w.Val[4*k:4*k+4], r[2*p.w.Col[k]:]
			u[2*i] += w[0]*x[0] + w[1]*x[1]
			u[2*i+1] += w[2]*x[0] + w[3]*x[1]
		}
	}
}
