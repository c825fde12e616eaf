package rigid

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/internal/anderson"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Friction that depends on the speed of slip. The laws of [contact] have one μ a step; what a step
// solves is the fixed point
//
//	μ = law(‖u_T‖),  u = W r(μ) + b,
//
// by Anderson's acceleration: for one contact the secant method, for the plain iteration contracts
// by r_N L W_TT wherever the step has one solution, see package friction. At rest a law may jump, and
// a contact that could stick and slide goes on as before: what was stuck is tried to stick, with
// μ(0), and slides if that does not hold; what slid slides, and if that turns it round it is tried
// to stick, as its slip has passed through zero. Each is tried once, so that the rounds end.

const (
	slipRounds = 60 // each contact of a few is tried twice, and the secants of the rest take five
	// slipStall rounds in which the error has not been halved: what is left is that of the solver.
	slipStall = 8
	// stuckShare of a cone is on it, as in stateOf.
	stuckShare = 1e-6
)

// errSlip is a step in which the friction that belongs to the slip was not found.
var errSlip = errors.New("friction that falls with speed has not found its slip: a smaller step helps")

// slipFriction is what is known of the contacts of the problem whose μ depends on their slip.
type slipFriction struct {
	on    bool // there are materials of this kind
	list  []slipping
	mixer anderson.Mixer
	mu    []float64 // of list
	next  []float64 // of the slip that they lead to
	steep []float64 // r_N L of the contacts of the problem [N s²/m]
}

// slipping is one of them.
type slipping struct {
	k     int // of the problem
	law   friction.Law
	start vec  // slip at the beginning of the step, in the frame [m/s]
	stuck bool // at the beginning of the step
	phase slipPhase
}

// slipPhase is what a contact is tried to do.
type slipPhase uint8

const (
	slipGoes   slipPhase = iota // on, as before
	slipHeld                    // by μ(0)
	slipYields                  // as it could not be held
)

// slipLaw is the law of touch i, nil where μ does not depend on its slip.
func (s *assembly) slipLaw(i int) friction.Law { return s.model.MaterialOf(&s.touches[i]).Slip }

// slipAtStart is the slip of touch i at the beginning of the step, in its frame.
func (s *assembly) slipAtStart(i int) (u vec) {
	v := s.relativeSpeed(i, s.v)
	for d := 1; d < s.model.Dim; d++ {
		u[d] = vec3.Dot(v, s.marks[i].frame[d])
	}
	return u
}

// slipBefore takes μ of an impact at the slip before it: its impulses have no length of a step that
// would make the fixed point contract.
func (s *assembly) slipBefore() {
	if !s.slip.on {
		return
	}
	for i := range s.touches {
		if l := s.slipLaw(i); l != nil && s.marks[i].active {
			s.marks[i].mu = l.Mu(s.slipSpeed(vec3.Norm(s.slipAtStart(i))))
		}
	}
}

// slipSpeed is a speed of slip, zero where it is rounding.
func (s *assembly) slipSpeed(speed float64) float64 {
	if speed <= s.pace*slides {
		return 0
	}
	return speed
}

// slipMu is μ of a contact by its impulse and the slip of the step: that of rest unless it slides,
// with its impulse on the cone of that speed.
func (s *assembly) slipMu(l friction.Law, r []float64, speed float64) float64 {
	if mu := l.Mu(s.slipSpeed(speed)); length(r[1:]) >= mu*s.edge()*r[0]*(1-stuckShare) {
		return mu
	}
	return l.Mu(0)
}

// imposeSlip sets μ of the contacts of a problem whose speeds b are those of the solution p.r, and
// returns what weakening does.
func (s *assembly) imposeSlip() float64 {
	if !s.slip.on {
		return 0
	}
	s.openSlip()
	s.uMean = append(s.uMean[:0], s.p.b...)
	return s.endSlip()
}

// setSlip sets μ of contact k.
func (s *assembly) setSlip(k int, mu float64) {
	s.marks[s.p.list[k]].mu = mu
	s.p.laws[k] = s.newLaw(mu)
}

// openSlip lists the contacts whose μ depends on their slip, with the μ to begin with.
func (s *assembly) openSlip() {
	x, p := &s.slip, &s.p
	x.list, x.mu = x.list[:0], x.mu[:0]
	for k, i := range p.list {
		l := s.slipLaw(i)
		if l == nil {
			continue
		}
		c := slipping{k: k, law: l, start: s.slipAtStart(i)}
		speed := s.slipSpeed(vec3.Norm(c.start))
		if speed == 0 || !s.slid[i] {
			c.stuck, c.phase, speed = true, slipHeld, 0
		}
		x.list, x.mu = append(x.list, c), append(x.mu, l.Mu(speed))
		s.setSlip(k, l.Mu(speed))
	}
	x.next = grow(x.next, len(x.list))
	x.mixer.Resize(len(x.list))
	x.mixer.Reset()
}

// solveSlip is solve with the friction that belongs to the slip.
func (s *impacts) solveSlip(ctx context.Context) error {
	if !s.slip.on {
		return s.solve(ctx)
	}
	s.openSlip()
	x := &s.slip
	least, stalled := math.Inf(1), 0
	for range slipRounds + 2*len(x.list) {
		if err := s.solve(ctx); err != nil {
			return err
		}
		s.slipSpeeds()
		off, changed := s.nextSlip()
		if stalled++; changed || off <= least/2 {
			least, stalled = off, 0
		}
		if !changed && (off <= s.o.Tolerance || off <= s.o.Accept && stalled >= slipStall) {
			s.solved, s.step.Residual = max(s.solved, off), max(s.step.Residual, off)
			share := s.endSlip()
			if s.step.Weakening = max(s.step.Weakening, share); share >= 1 && s.o.Chosen {
				return fmt.Errorf("friction falls so steeply with speed that the step has several solutions, h N |dμ/dv| W_TT = %.3g: want a step %.3g times as long", share, 1/share)
			}
			return nil
		}
		if changed {
			copy(x.mu, x.next)
			x.mixer.Reset()
		} else {
			x.mixer.Next(x.mu, x.next)
		}
		for n := range x.list {
			s.setSlip(x.list[n].k, x.mu[n])
		}
	}
	return errSlip
}

// slipSpeeds sets uMean to the speeds of the contacts under the impulses p.r.
func (s *impacts) slipSpeeds() {
	copy(s.x, s.w)
	s.pushSolved(s.x)
	s.uMean = grow(s.uMean, len(s.p.b))
	s.relative(s.uMean, s.x)
	s.curveTerms(s.uMean)
}

// nextSlip sets next to the μ of the slip, and returns by how much of the largest impulse friction is
// off, and whether some contact is tried to do something else.
func (s *assembly) nextSlip() (off float64, changed bool) {
	x, p, size := &s.slip, &s.p, 0.0
	for _, r := range p.r[:len(p.list)*p.dim] {
		size = max(size, math.Abs(r))
	}
	for n := range x.list {
		c := &x.list[n]
		r, u := p.r[c.k*p.dim:(c.k+1)*p.dim], s.uMean[c.k*p.dim:(c.k+1)*p.dim]
		state, speed := s.stateOf(r, lawMu(p.laws[c.k]), length(u[1:])), length(u[1:])
		x.next[n] = x.mu[n]
		switch {
		case state == Slip && c.phase == slipHeld:
			c.phase, x.next[n], changed = slipYields, c.law.Mu(speed), true
		case state == Slip && c.phase == slipGoes && turned(u, &c.start):
			c.phase, x.next[n], changed = slipHeld, c.law.Mu(0), true
		case state == Slip:
			x.next[n] = c.law.Mu(speed)
		case state == Stick && length(r[1:]) > c.law.Mu(0)*s.edge()*r[0]:
			x.next[n] = c.law.Mu(0)
		}
		if size > 0 {
			off = max(off, math.Abs(x.next[n]-x.mu[n])*r[0]/size)
		}
	}
	return off, changed
}

// turned reports whether a slip has the other direction than that at the beginning of the step.
func turned(u []float64, start *vec) bool {
	dot := 0.0
	for d := 1; d < len(u); d++ {
		dot += u[d] * start[d]
	}
	return dot < 0
}

// endSlip gives what sticks the μ of rest, which bounds it, and returns what weakening does.
func (s *assembly) endSlip() float64 {
	x, p := &s.slip, &s.p
	for n := range x.list {
		c := &x.list[n]
		s.setSlip(c.k, s.slipMu(c.law, p.r[c.k*p.dim:(c.k+1)*p.dim], length(s.uMean[c.k*p.dim+1:(c.k+1)*p.dim])))
	}
	return s.weakening()
}

// weakening bounds the eigenvalues of D W_TT, see package friction: L is the largest of all speeds
// that a contact may have in the step under friction between none and twice the most. What was
// stuck and sticks goes on as before.
func (s *assembly) weakening() (share float64) {
	x, p := &s.slip, &s.p
	x.steep = grow(x.steep, len(p.list))
	clear(x.steep)
	for n := range x.list {
		c := &x.list[n]
		r, speed := p.r[c.k*p.dim:(c.k+1)*p.dim], length(s.uMean[c.k*p.dim+1:(c.k+1)*p.dim])
		if state := s.stateOf(r, lawMu(p.laws[c.k]), speed); c.stuck && state != Slip {
			continue
		}
		by := 0.0
		s.eachBlock(c.k, func(j int, norm float64) {
			by += 2 * norm * s.mostMu(j) * p.r[j*p.dim]
		})
		x.steep[c.k] = r[0] * c.law.Weakening(max(0, speed-by), speed+by)
	}
	for k, d := range x.steep {
		sum := 0.0
		if d > 0 {
			s.eachBlock(k, func(j int, norm float64) { sum += norm * x.steep[j] })
		}
		share = max(share, sum)
	}
	return share
}

// mostMu is the largest μ of contact k.
func (s *assembly) mostMu(k int) float64 {
	if l := s.slipLaw(s.p.list[k]); l != nil {
		_, most := l.Bounds()
		return most
	}
	return lawMu(s.p.laws[k])
}

// eachBlock visits the blocks of W in the row of contact k with the norms of their tangential parts;
// where W is not at hand, with the bound of a positive semidefinite matrix, √(‖W_kk‖‖W_jj‖), of
// all contacts.
func (s *assembly) eachBlock(k int, visit func(j int, norm float64)) {
	p := &s.p
	if !p.augmented {
		for at := p.w.Ptr[k]; at < p.w.Ptr[k+1]; at++ {
			visit(p.w.Col[at], friction.Norm(p.w.Val[at*p.dim*p.dim:(at+1)*p.dim*p.dim], p.dim))
		}
		return
	}
	var own, other [9]float64
	s.blockOf(&own, k)
	for j := range p.list {
		s.blockOf(&other, j)
		visit(j, math.Sqrt(friction.Norm(own[:], p.dim)*friction.Norm(other[:], p.dim)))
	}
}
