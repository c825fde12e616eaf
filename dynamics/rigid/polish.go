package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/num"
)

const (
	polishAt       = 1e-9  // error of a contact's speed, over the speeds of the problem, from which on it is polished
	polishContacts = 120   // a dense system of these, 3 unknowns each
	polishShift    = 1e-10 // of the diagonal of W, which is one: makes redundant impulses unique
	polishRounds   = 30
)

// sharpen solves the equations that the present impulses suggest, u = 0 where a
// contact sticks and u_N = 0 with the force on the cone, against u_T, where it
// slips, by a direct method. Merits are relative to the largest impulse, so that
// light bodies that carry heavy ones have speeds that a merit of 1e-11 says little
// of. Redundant contacts make the matrix K singular, but not the equations
// inconsistent: the rounds (K + εI)δ = −u converge on the range of K. What does
// not satisfy the laws better than before is dropped. W, b and the impulses r are
// those of the normalised problem; the result is the error that is left.
func (p *solver) sharpen(r []float64) (left float64) {
	x := &p.polish
	before := p.speedError(r)
	if before <= polishAt || len(p.list) > polishContacts {
		return before
	}
	x.best = append(x.best[:0], r...)
	best := before
	for range 4 { // the states may change
		p.suggest(r)
		if !p.solveStates(r) {
			break
		}
		e := p.speedError(r)
		if e < best {
			best = e
			copy(x.best, r)
		}
		if e <= polishAt*1e-2 {
			break
		}
	}
	copy(r, x.best)
	return best
}

// polisher is the memory of sharpen.
type polisher struct {
	u, best                []float64
	normal, diagonal, push []float64 // of part
	least, opens           []float64 // its d_i, how far push may fall, and u_N
	loose                  []float64 // impulses that may do for bodies that tumble
	sufficed               []float64 // those of the solver that loose stands for, of suffices
	yields                 []yielded
	enough                 func([]float64) bool // of a loose solve …
	of                     *solver              // … of this solver
	one                    [3]float64           // impulse and speed of one contact
	speed                  [3]float64
	column                 []unknown
	k, delta               []float64
	perm                   []int
	first                  []int     // unknown of each contact
	sum, step              []float64 // of unknowns and of impulses
}

// unknown is one of the unknowns: component d of the impulse of contact i, or of
// a sliding one r_N, with its force along dir.
type unknown struct {
	i, d int
	dir  [3]float64
	// In [solver.chooseStates] also the turn of the force of a sliding contact, across it, and what
	// the slip resists it.
	turns bool
	more  float64
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
			j := p.w.Col[k]
			for a := range dim {
				sum := 0.0
				for c := range dim {
					sum += p.w.Val[(k*dim+a)*dim+c] * r[j*dim+c]
				}
				u[i*dim+a] += sum
			}
		}
	}
}

// look sets the impulse and the speed of contact i to what r and the speeds of all say.
func (p *solver) look(i int, r []float64) {
	x := &p.polish
	x.one, x.speed = [3]float64{}, [3]float64{}
	copy(x.one[:], r[i*p.dim:(i+1)*p.dim])
	copy(x.speed[:], x.u[i*p.dim:(i+1)*p.dim])
}

// speedError is the largest natural residual of a contact as a speed, over the
// largest speed of the problem.
func (p *solver) speedError(r []float64) float64 {
	x := &p.polish
	x.u = grow(x.u, len(r))
	p.multiply(x.u, r)
	worst, size := 0.0, 0.0
	for i := range p.list {
		p.look(i, r)
		for _, b := range p.b[i*p.dim : (i+1)*p.dim] {
			size = max(size, math.Abs(b)/p.scale[i])
		}
		worst = max(worst, contact.NaturalResidual(p.laws[i], &x.one, &x.speed, 1)/p.scale[i])
	}
	if !(size > 0) {
		return 0
	}
	return worst / size
}

// suggest lists the unknowns of the states that r and its speeds u suggest.
func (p *solver) suggest(r []float64) {
	x := &p.polish
	x.column = x.column[:0]
	p.multiply(x.u, r)
	for i := range p.list {
		ri, ui := r[i*p.dim:(i+1)*p.dim], x.u[i*p.dim:(i+1)*p.dim]
		mu := lawMu(p.laws[i])
		if ri[0] <= ui[0] {
			clear(ri)
			continue
		}
		ut, rt := length(ui[1:]), length(ri[1:])
		if mu == 0 || rt >= mu*ri[0]*(1-1e-6) && ut > 1e-6*length(p.b) { // as classify has it
			v := unknown{i: i, dir: [3]float64{1}}
			for d := 1; d < p.dim && rt > 0; d++ {
				v.dir[d] = mu * ri[d] / rt
			}
			x.column = append(x.column, v)
			for d := range p.dim {
				ri[d] = ri[0] * v.dir[d]
			}
			continue
		}
		for d := range p.dim {
			v := unknown{i: i, d: d}
			v.dir[d] = 1
			x.column = append(x.column, v)
		}
	}
}

// solveStates changes r so that the equations of the unknowns hold.
func (p *solver) solveStates(r []float64) bool {
	x := &p.polish
	n := len(x.column)
	if n == 0 {
		return false
	}
	x.k, x.delta, x.perm = grow(x.k, n*n), grow(x.delta, n), grow(x.perm, n)
	first := grow(x.first, len(p.list))
	x.first = first
	for i := range first {
		first[i] = -1
	}
	for c := n - 1; c >= 0; c-- {
		first[x.column[c].i] = c
	}
	clear(x.k)
	dim := p.dim
	for a, row := range x.column {
		for k := p.w.Ptr[row.i]; k < p.w.Ptr[row.i+1]; k++ {
			j := p.w.Col[k]
			for c := first[j]; c >= 0 && c < n && x.column[c].i == j; c++ {
				for d := range dim {
					x.k[a*n+c] += p.w.Val[(k*dim+row.d)*dim+d] * x.column[c].dir[d]
				}
			}
		}
		x.k[a*n+a] += polishShift
	}
	if !num.FactorLU(x.k, x.perm, n) {
		return false
	}
	last := math.Inf(1)
	for range polishRounds {
		p.multiply(x.u, r)
		off := 0.0
		for a, row := range x.column {
			x.delta[a] = -x.u[row.i*dim+row.d]
			off = max(off, math.Abs(x.delta[a]))
		}
		if !(off < 0.5*last) {
			return true
		}
		last = off
		num.SolveLU(x.k, x.perm, n, x.delta)
		for a, row := range x.column {
			for d := range dim {
				r[row.i*dim+d] += row.dir[d] * x.delta[a]
			}
		}
	}
	return true
}
