package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Friction that depends on the speed of slip: the fixed point of [friction.Search] about the contact
// problem of a step.

// slipFriction is what is known of the contacts of the problem whose μ depends on their slip.
type slipFriction struct {
	friction.Search
	on   bool    // there are materials of this kind
	list []int   // contacts of the problem, as the search has them
	at   []int   // of the contacts of the problem in the search, −1 for others
	h    float64 // of the step, in which contacts age [s]
}

// slipLaw is the law of touch i, nil where μ does not depend on its slip; of one that ages that of its
// state in this step.
func (s *assembly) slipLaw(i int) friction.Law {
	l := s.model.MaterialOf(&s.touches[i]).Slip
	if a, ages := l.(friction.Stateful); ages {
		return a.In(s.marks[i].theta, s.slip.h)
	}
	return l
}

// age takes the states of contacts that bear a force through a step of h with the velocities w; what
// bears none, or is open, begins anew.
func (s *accounts) age(h float64) {
	if !s.slip.on {
		return
	}
	if len(s.p.list) > 0 { // or what moves them is that of a problem before
		s.uMean = grow(s.uMean, len(s.p.list)*s.p.dim)
		s.relative(s.uMean, s.w)
		s.curveTerms(s.uMean)
	}
	speeds := grow(s.sums, len(s.touches))
	s.sums = speeds
	clear(speeds) // of what sleeps
	for k, i := range s.p.list {
		speeds[i] = length(s.uMean[k*s.p.dim+1 : (k+1)*s.p.dim])
	}
	for i := range s.touches {
		if a, ages := s.model.MaterialOf(&s.touches[i]).Slip.(friction.Stateful); ages {
			m := &s.marks[i]
			if m.pressed() > 0 || a.Lasts() && s.touches[i].Gap <= s.unit*touchGap {
				m.theta = a.After(m.theta, speeds[i], h)
			} else {
				m.theta = 0
			}
		}
	}
}

// stateOfAge is that of the friction of touch i; 0 where it has none.
func (s *assembly) stateOfAge(i int) float64 {
	if a, ages := s.model.MaterialOf(&s.touches[i]).Slip.(friction.Stateful); ages {
		return a.State(s.marks[i].theta)
	}
	return 0
}

// slipAtStart is the slip of touch i at the beginning of the step, in its frame; zero where it is
// rounding.
func (s *assembly) slipAtStart(i int) (u [2]float64) {
	v := s.relativeSpeed(i, s.v)
	for d := 1; d < s.model.Dim; d++ {
		u[d-1] = vec3.Dot(v, s.marks[i].frame[d])
	}
	if math.Hypot(u[0], u[1]) <= s.pace*slides {
		return [2]float64{}
	}
	return u
}

// slipBefore takes μ of an impact at the slip before it: its impulses have no length of a step that
// would make the fixed point contract.
func (s *assembly) slipBefore() {
	if !s.slip.on {
		return
	}
	s.slip.h = 0
	for i := range s.touches {
		if l := s.slipLaw(i); l != nil && s.marks[i].active {
			u := s.slipAtStart(i)
			s.marks[i].mu = l.Mu(math.Hypot(u[0], u[1]))
		}
	}
}

// imposeSlip sets μ of the contacts of a problem whose speeds b are those of the solution p.r, and
// returns what slipShare does.
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

// openSlip lists the contacts whose μ depends on their slip.
func (s *assembly) openSlip() {
	x, p := &s.slip, &s.p
	x.list, x.at = x.list[:0], grow(x.at, len(p.list))
	x.Clear()
	for k, i := range p.list {
		x.at[k] = -1
		if l := s.slipLaw(i); l != nil {
			x.at[k] = len(x.list)
			x.list = append(x.list, k)
			if s.slid[i] {
				x.Add(l, friction.Start{Slip: s.slipAtStart(i), Reach: s.pace * slides})
			} else {
				start := friction.Start{Stuck: true, Loose: s.marks[i].line.loose, Reach: s.pace * slides}
				start.Slip, start.Lift = s.swayAtStart(k)
				x.Add(l, start)
			}
		}
	}
	x.Open()
	s.takeSlip()
}

// swayAtStart is the sway of contact k of the problem, which stuck in the step before, along the surface and the normal, see
// [friction.Sway]; none where its slip is that of an impact.
func (s *assembly) swayAtStart(k int) (sway [2]float64, lift friction.Lift) {
	i := s.p.list[k]
	if s.left[i] {
		return sway, lift
	}
	x := s.rowSway(k, s.slip.h, 1-s.alpha)
	copy(sway[:], x[1:s.p.dim])
	lift.Sway, lift.Dim = x[0], s.p.dim
	s.blockOf(&lift.W, k)
	return sway, lift
}

// sways reports whether contact k of the problem is held at the speeds u, see [friction.Search.Sways].
func (s *assembly) sways(k int, u []float64) bool {
	var slip [2]float64
	copy(slip[:], u[k*s.p.dim+1:(k+1)*s.p.dim])
	return s.slip.on && s.slip.at[k] >= 0 && s.slip.Sways(s.slip.at[k], slip)
}

// takeSlip gives the contacts the μ of the search.
func (s *assembly) takeSlip() {
	for n, k := range s.slip.list {
		s.setSlip(k, s.slip.Mu(n))
	}
}

// solveSlip is solve with the friction that belongs to the slip.
func (s *impacts) solveSlip(ctx context.Context) error {
	if !s.slip.on {
		return s.solve(ctx)
	}
	s.openSlip()
	for {
		if err := s.solve(ctx); err != nil {
			return err
		}
		s.slipSpeeds()
		s.gainSlip()
		outcome, off := s.seeSlip()
		switch outcome {
		case friction.Lost:
			return friction.Unfound(s.slipShare())
		case friction.Found:
			s.solved, s.step.Residual = max(s.solved, off), max(s.step.Residual, off)
			share := s.endSlip()
			if s.step.Weakening = max(s.step.Weakening, share); share >= 1 && s.o.Chosen {
				return friction.Several(share)
			}
			return nil
		}
		s.takeSlip()
	}
}

// slipSpeeds sets uMean to the speeds of the contacts under the impulses p.r.
func (s *impacts) slipSpeeds() {
	copy(s.x, s.w)
	s.pushSolved(s.x)
	s.uMean = grow(s.uMean, len(s.p.b))
	s.relative(s.uMean, s.x)
	s.curveTerms(s.uMean)
}

// slipState is what contact n of the search does: its impulse normal and, in units of the cone of μ =
// 1, along the surface, and its slip.
func (s *assembly) slipState(n int) (state ContactState, normal, along float64, slip [2]float64) {
	p, k := &s.p, s.slip.list[n]
	r, u := p.r[k*p.dim:(k+1)*p.dim], s.uMean[k*p.dim:(k+1)*p.dim]
	copy(slip[:], u[1:])
	normal, along = p.pressed(k), length(r[1:])
	return s.stateOf(normal, along, lawMu(p.laws[k]), length(u[1:])), normal, along / s.edge(), slip
}

// gainSlip tells the search how slip follows the friction of contacts that ask for it.
func (s *assembly) gainSlip() {
	for n := range s.slip.list {
		if s.slip.Creeps(n) {
			gain := 0.0
			s.slipRow(n, func(other int, norm, normal, _ float64) {
				if other >= 0 {
					gain += norm * normal
				}
			})
			s.slip.Gain(n, gain)
		}
	}
}

// seeSlip shows the search the impulses p.r and the speeds uMean.
func (s *assembly) seeSlip() (friction.Outcome, float64) {
	size := 0.0
	for _, r := range s.p.r[:len(s.p.list)*s.p.dim] {
		size = max(size, math.Abs(r))
	}
	for n := range s.slip.list {
		state, normal, along, slip := s.slipState(n)
		s.slip.See(n, state == Slip || !s.dating && s.breaksAway(n, normal, along, slip), normal, along, slip)
	}
	return s.slip.Next(size, s.o.Tolerance, s.o.Accept)
}

// breaksAway reports whether contact n of the search, on its bound of rest, slides though its slip is next to nothing, as
// it does where friction jumps as slip begins: the slip is more than what a force within the tolerance of solvers makes.
// Else a step that is short enough would be held by friction of rest whatever drives it, for a time that no shorter step
// shows. (How long a contact is held beyond its release is seen by slip that counts, see release.go.)
func (s *assembly) breaksAway(n int, normal, along float64, slip [2]float64) bool {
	law := s.slipLaw(s.p.list[s.slip.list[n]])
	bound := law.Mu(0) * normal
	if !onBound(along, bound) || onBound(law.Mu(s.pace*slides)*normal, bound) {
		return false
	}
	var w [9]float64
	s.blockOf(&w, s.slip.list[n])
	return length(slip[:]) > 1e-6*bound*friction.Norm(w[:], s.p.dim) // as onBound
}

// endSlip gives what sticks the μ of rest, which bounds it, and returns what slipShare does.
func (s *assembly) endSlip() float64 {
	for n, k := range s.slip.list {
		_, normal, along, slip := s.slipState(n)
		speed := math.Hypot(slip[0], slip[1])
		if speed <= s.pace*slides || s.slip.Sways(n, slip) {
			speed = 0
		}
		s.setSlip(k, friction.Bounding(s.slipLaw(s.p.list[k]), normal, along, speed))
	}
	return s.slipShare()
}

// slipShare is below 1 where the step has one solution, see [friction.Search.Share].
func (s *assembly) slipShare() float64 {
	return s.slip.Share(s.slipRow, func(n int) (float64, [2]float64, bool) {
		state, normal, _, slip := s.slipState(n)
		return normal, slip, state == Slip
	})
}

// slipRow visits the blocks of W in the row of contact n of the search; where W is not at hand, with
// the bound of a positive semidefinite matrix, √(‖W_kk‖‖W_jj‖), of all contacts.
func (s *assembly) slipRow(n int, visit func(other int, norm, normal, most float64)) {
	p, k := &s.p, s.slip.list[n]
	if !p.augmented {
		for at := p.w.Ptr[k]; at < p.w.Ptr[k+1]; at++ {
			j := p.w.Col[at]
			visit(s.slip.at[j], friction.Norm(p.w.Val[at*p.dim*p.dim:(at+1)*p.dim*p.dim], p.dim), p.r[j*p.dim], s.mostMu(j))
		}
		return
	}
	var own, other [9]float64
	s.blockOf(&own, k)
	for j := range p.list {
		s.blockOf(&other, j)
		visit(s.slip.at[j], math.Sqrt(friction.Norm(own[:], p.dim)*friction.Norm(other[:], p.dim)), p.r[j*p.dim], s.mostMu(j))
	}
}

// mostMu is the largest μ of contact k.
func (s *assembly) mostMu(k int) float64 {
	if l := s.slipLaw(s.p.list[k]); l != nil {
		_, most := l.Bounds()
		return most
	}
	return lawMu(s.p.laws[k])
}
