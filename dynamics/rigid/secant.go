package rigid

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// errSteep is a step whose equations the iteration did not solve.
var errSteep = errors.New("joints or spins turn too far within the step: a smaller step helps")

const (
	secantGoal   = 1e-13 // on the relative change of the velocities of jointed bodies in a round; the next one would be far below
	spinGoal     = 1e-15 // on what Newton's method leaves of N(w), relative: rounding
	contactGoal  = 1e-11 // the same where contacts are in the problem: the tolerance of these
	secantStall  = 1e3   // of these goals, below which a round that gains nothing ends: rounding of stiff mechanisms
	secantNear   = 1e3   // of these goals, whose square is rounding: one good round may be chance
	secantLeft   = 1e-3  // of these goals: rounding
	secantRounds = 40
	secantTurn   = 2 // of h‖ω^α − ω‖: two thirds of a half turn
)

// middle sets the poses between the ends of a step with the velocity w: means of
// both, in which rotations are no rotations.
func (s *Stepper) middle(h float64) {
	if len(s.model.rows) == 0 {
		return
	}
	s.between, s.ended = grow(s.between, len(s.poses)), grow(s.ended, len(s.poses))
	for i := range s.model.body {
		p := &s.model.body[i]
		if !p.tied {
			continue
		}
		x, z, y := &s.between[i], &s.ended[i], &s.poses[i]
		for k := range s.model.dim {
			way := h * s.w[p.v+k]
			z.Centre[k], x.Centre[k] = y.Centre[k]+way, y.Centre[k]+0.5*way
		}
		s.cayley(&z.Rotation, p, h)
		for k, r := range z.Rotation {
			x.Rotation[k] = 0.5 * (r + y.Rotation[k])
		}
	}
}

// cayley overwrites r by the rotation of a body at the end of a step with the velocity w.
func (s *Stepper) cayley(r *[9]float64, p *place, h float64) {
	y := &s.poses[p.body].Rotation
	switch {
	case !p.spins:
		*r = *y
	case s.model.dim == 2:
		a := 0.5 * h * s.w[p.v+2]
		f := 1 / (1 + a*a)
		c, d := (1-a*a)*f, 2*a*f
		cos, sin := y[0]*c-y[3]*d, y[3]*c+y[0]*d
		*r = [9]float64{cos, -sin, 0, sin, cos, 0, 0, 0, 1}
	default:
		var c [9]float64
		rotation(&c, p.spinOf(s.w), h, true)
		mulMat(r, y, &c)
	}
}

// guessVelocity sets w of the bodies with joints to where the part before, which ended with
// v after its v^α in w, leads: v + α(v' − v) with its change of v; for α = 1 to v. Others
// begin with v.
func (s *Stepper) guessVelocity() {
	f := 0.0
	if s.alpha < 1 {
		f = s.alpha / (1 - s.alpha)
	}
	for i := range s.model.body {
		p, f := &s.model.body[i], f
		if !p.tied {
			f = 0
		}
		for k := p.v; k < p.v+p.n; k++ {
			s.w[k] = s.v[k] + f*(s.v[k]-s.w[k])
		}
	}
}

// openShifts sets the speeds by which a step brings the joints back from the
// rounding of the steps before. Where a mechanism lies on many contacts it is left to the projection: two that stick on
// both sides of a joint contradict its return, and hold it by as much tension as it takes to have one of them slip by rounding.
func (s *Stepper) openShifts(h float64) {
	s.countClosed()
	for c := range s.inv {
		inv := &s.inv[c]
		inv.shift = grow(inv.shift, inv.m)
		for k, i := range s.model.comps[c].rows {
			theta := s.model.rows[i].value(s.model, s.poses, s.q)
			inv.shift[k] = 0
			if s.p.mark[c] < bareContacts && math.Abs(theta) <= s.unit*projectGoal && h >= shortPart*s.step.H { // more is left to the projection
				inv.shift[k] = -theta / h
			}
		}
	}
}

// countClosed sets p.mark to the number of closed touches of each component without loops.
func (s *Stepper) countClosed() {
	mark := grow(s.p.mark, len(s.inv))
	clear(mark)
	s.p.mark = mark
	for i := range s.touches {
		t := &s.touches[i]
		if t.Gap > s.unit*touchGap {
			continue
		}
		a := s.model.home[t.A]
		mark[a]++
		if t.B >= 0 && s.model.home[t.B] != a {
			mark[s.model.home[t.B]]++
		}
	}
	for c := range s.inv {
		if len(s.inv[c].tree.loops) > 0 {
			mark[c] = 0
		}
	}
}

// leadForces sets lead to what moments of forces, which are given on the axes of
// the body, are on those of the beginning of the step beyond that: these turn by
// αhw up to where the scheme takes the forces.
func (s *Stepper) leadForces(h float64) {
	if !s.model.led || s.o.Scheme == Gavrea {
		return
	}
	s.loadImpulse(h)
	for i := range s.model.body {
		p := &s.model.body[i]
		if !p.led {
			continue
		}
		l := vec{s.loads[p.v+3], s.loads[p.v+4], s.loads[p.v+5]}
		for k, x := range vec3.Cross(vec3.Scale(p.spinOf(s.w), s.alpha*h), l) {
			s.lead[p.v+3+k] = x
		}
	}
}

// linear reports whether a step of the scheme is one linear problem.
func (s *Stepper) linear() bool {
	return s.o.Scheme == Gavrea || len(s.model.rows) == 0 && !s.model.gyro && !s.model.led
}

// settled reports whether the round from wOld to w has solved the equations of
// the secant scheme: the velocities of jointed bodies have not changed, and
// Newton's method is exact for the spins of the others.
func (s *Stepper) settled(h float64, last *float64) (bool, error) {
	change, left, at := 0.0, 0.0, 0 // of joints and what is left of spins, over their goals
	spins := spinGoal
	if len(s.p.list) > 0 {
		spins = contactGoal
	}
	for i := range s.model.body {
		p := &s.model.body[i]
		switch {
		case p.tied || p.led:
			if c := s.changeOf(p) / secantGoal; !(c <= change) {
				change, at = c, i
			}
		case p.gyro && p.spinOf(s.w) != (vec{}):
			left = max(left, s.newtonDefect(p, h)/spins)
		}
	}
	if !(max(change, left) < math.Inf(1)) {
		return false, s.steep(at, h)
	}
	s.turning = at
	most := max(change, left)
	done := most <= 1 || most <= secantStall && most >= 0.5**last
	if s.model.pinned && len(s.p.list) == 0 && left <= 1 && change <= secantNear { // quadratic convergence
		rate := change / *last
		done = done || change*rate*rate <= secantLeft // what the next round would change
	}
	*last = most
	if done {
		if i := s.farTurn(h); i >= 0 {
			return false, s.steep(i, h)
		}
	}
	return done, nil
}

// farTurn is a body with joints whose spin changes so much in a step, h‖ω^α − ω‖, that the
// equations have several solutions; −1: there is none.
func (s *Stepper) farTurn(h float64) int {
	for i := range s.model.body {
		p, sum := &s.model.body[i], 0.0
		if !p.tied {
			continue
		}
		for k := p.v + s.model.dim; k < p.v+p.n; k++ {
			sum += (s.w[k] - s.v[k]) * (s.w[k] - s.v[k])
		}
		if h*h*sum > secantTurn*secantTurn {
			return i
		}
	}
	return -1
}

// steep is errSteep with the joint whose gradient changes most from round to
// round, or the body that does.
func (s *Stepper) steep(body int, h float64) error {
	if len(s.model.rows) == 0 || !finite(s.w) {
		return fmt.Errorf("%s: %w", s.model.bodyName(body), errSteep)
	}
	s.middle(h)
	worst, at := -1.0, 0
	for c := range s.inv {
		for k, i := range s.model.comps[c].rows {
			_, l := s.model.rows[i].gradient(s.model, s.between, s.q)
			old := &s.inv[c].bands[k].lever
			if s.model.rows[i].b < 0 { // the ground does not turn
				l.vB = old.vB
			}
			if d := vec3.Norm(vec3.Add(l.lin, -1, old.lin)) + vec3.Norm(vec3.Add(l.angA, -1, old.angA)) + vec3.Norm(vec3.Add(l.vB, -1, old.vB)); d > worst {
				worst, at = d, s.model.rows[i].joint
			}
		}
	}
	against := ""
	for i := range s.touches {
		if t := &s.touches[i]; -t.Gap == s.deepest() && -t.Gap > s.unit*projectLost {
			against = fmt.Sprintf(": %s overlap by %.3g m at %s", s.model.name(t), -t.Gap, whereText(s.model.there(t.At)))
		}
	}
	return fmt.Errorf("%s cannot close%s: %w", s.model.label(at), against, errSteep)
}

// changeOf is the change of the velocities of a body over their size, and what
// the loads of the step give.
func (s *Stepper) changeOf(p *place) float64 {
	most, size := 0.0, math.SmallestNonzeroFloat64
	for k := range p.n {
		lever := 1.0
		if k >= s.model.dim && p.reach > 0 {
			lever = p.reach
		}
		v := p.v + k
		most = max(most, lever*math.Abs(s.w[v]-s.wOld[v]))
		size = max(size, lever*math.Abs(s.w[v]), lever*math.Abs(s.v[v]), lever*math.Abs(s.kick[v]/s.model.inertia(p, k)))
	}
	return most / size
}

// newtonDefect is what the tangent at wOld leaves of N(w), over the spins.
func (s *Stepper) newtonDefect(p *place, h float64) float64 {
	b := &s.inv[s.model.home[p.body]].blocks[p.slot]
	o, w, old := p.spinOf(s.v), p.spinOf(s.w), p.spinOf(s.wOld)
	d := vec3.Add(w, -1, old)
	now, was := p.spinBalance(o, w, h, s.alpha), p.spinBalance(o, old, h, s.alpha)
	worst, size := 0.0, 0.0
	for r := range 3 {
		e := now[r] - was[r]
		for c := range 3 {
			a := b.a[(3+r)*b.n+3+c]
			if r == c && s.o.Jacobians != NoJacobians {
				a -= s.alpha * h * p.drag[1]
			}
			if b.full || r == c {
				e -= a / s.alpha * d[c]
			}
		}
		worst = max(worst, math.Abs(e/p.j[r]))
		size = max(size, math.Abs(w[r]), math.Abs(o[r]))
	}
	return worst / size
}

// endVelocities sets vEnd, the end velocities on the axes of the beginning, from
// w, and vNext, on those of the end: they differ for free bodies of equal moments.
func (s *Stepper) endVelocities(h float64) {
	for i, v := range s.v {
		s.vEnd[i] = v + (s.w[i]-v)/s.alpha
	}
	copy(s.vNext, s.vEnd)
	if s.o.Scheme == Gavrea {
		return
	}
	for i := range s.model.body {
		if p := &s.model.body[i]; p.round {
			s.turnSpin(p, s.w, h)
		}
	}
}

// turnSpin sets the spin of a body in vNext to Cᵀ of that in vEnd, C the turn h
// about w.
func (s *Stepper) turnSpin(p *place, w []float64, h float64) {
	o, turn := p.spinOf(s.vEnd), p.spinOf(w)
	if vec3.Cross(o, turn) == (vec{}) {
		return
	}
	var c [9]float64
	rotation(&c, turn, h, p.tied)
	o = mulBack(&c, o)
	copy(s.vNext[p.v+3:p.v+6], o[:])
}

// returnSpins sets vEnd and w from v and the velocities vNext of the end, whose
// spins it turns back to the axes of the beginning.
func (s *Stepper) returnSpins(h float64) {
	copy(s.vEnd, s.vNext)
	for i := range s.model.body {
		p := &s.model.body[i]
		if s.o.Scheme == Gavrea || !p.round {
			continue
		}
		end, o := p.spinOf(s.vNext), p.spinOf(s.v)
		x := end // solves it for α = 1, as C turns about w
		for range 20 {
			var f, c [9]float64
			turnTangent(&f, &c, vec3.Add(vec3.Scale(o, 1-s.alpha), s.alpha, x), end, h, p.tied)
			r := vec3.Add(mulVec(&c, end), -1, x)
			for i := range f {
				f[i] *= -s.alpha
			}
			for i := range 3 {
				f[4*i]++
			}
			var perm [3]int
			if vec3.Norm(r) <= 1e-15*vec3.Norm(end) || !luFactor(f[:], perm[:], 3) {
				break
			}
			luSolve(f[:], perm[:], 3, r[:])
			x = vec3.Add(x, 1, r)
		}
		copy(s.vEnd[p.v+3:p.v+6], x[:])
	}
	for i, v := range s.v {
		s.w[i] = (1-s.alpha)*v + s.alpha*s.vEnd[i]
	}
}

// move sets dst to q moved by w during h as the scheme turns bodies.
func (s *Stepper) move(dst, q, w []float64, h float64) {
	if s.o.Scheme == Secant {
		s.model.World.MoveSecant(dst, q, w, h, s.model.tied)
		return
	}
	s.model.World.Move(dst, q, w, h)
}
