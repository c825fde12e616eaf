package rigid

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
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

// middle sets the poses between the ends of a step with the velocity w: means of both, in which
// rotations are no rotations.
func (s *mechanics) middle(h float64) {
	if len(s.model.Rows) == 0 {
		return
	}
	s.between, s.ended = grow(s.between, len(s.poses)), grow(s.ended, len(s.poses))
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		if !p.Tied {
			continue
		}
		x, z, y := &s.between[i], &s.ended[i], &s.poses[i]
		for k := range s.model.Dim {
			way := h * s.w[p.V+k]
			z.Centre[k], x.Centre[k] = y.Centre[k]+way, y.Centre[k]+0.5*way
		}
		s.cayley(&z.Rotation, p, h)
		for k, r := range z.Rotation {
			x.Rotation[k] = 0.5 * (r + y.Rotation[k])
		}
	}
}

// guessVelocity sets w of the bodies with joints to where the part before, which ended with v after
// its v^α in w, leads: v + α(v' − v) with its change of v; for α = 1 to v. Others begin with v.
func (s *mechanics) guessVelocity() {
	f := 0.0
	if s.alpha < 1 {
		f = s.alpha / (1 - s.alpha)
	}
	for i := range s.model.Bodies {
		p, f := &s.model.Bodies[i], f
		if !p.Tied {
			f = 0
		}
		for k := p.V; k < p.V+p.N; k++ {
			s.w[k] = s.v[k] + f*(s.v[k]-s.w[k])
		}
	}
}

// leadForces sets lead to what moments of forces, which are given on the axes of the body, are on
// those of the beginning of the step beyond that: these turn by αhw up to where the scheme takes
// the forces.
func (s *mechanics) leadForces(h float64) {
	if !s.model.Led || s.o.Scheme == Gavrea {
		return
	}
	s.loadImpulse(h)
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		if !p.Led {
			continue
		}
		l := vec{s.loads[p.V+3], s.loads[p.V+4], s.loads[p.V+5]}
		for k, x := range vec3.Cross(vec3.Scale(p.SpinOf(s.w), s.alpha*h), l) {
			s.lead[p.V+3+k] = x
		}
	}
}

// farTurn is a body whose joints feel its turn and whose spin changes so much in a step, h‖ω^α − ω‖,
// that the equations have several solutions; −1: there is none.
func (s *mechanics) farTurn(h float64) int {
	for i := range s.model.Bodies {
		p, sum := &s.model.Bodies[i], 0.0
		if !s.model.Chorded[i] {
			continue
		}
		for k := p.V + s.model.Dim; k < p.V+p.N; k++ {
			sum += (s.w[k] - s.v[k]) * (s.w[k] - s.v[k])
		}
		if h*h*sum > secantTurn*secantTurn {
			return i
		}
	}
	return -1
}

// steep is errSteep with the joint whose gradient changes most from round to round, or the body
// that does.
func (s *mechanics) steep(body int, h float64) error {
	if len(s.model.Rows) == 0 || !finite(s.w) {
		return fmt.Errorf("%s: %w", s.model.BodyName(body), errSteep)
	}
	s.middle(h)
	worst, at := -1.0, 0
	for c := range s.inv {
		for k, i := range s.model.Components[c].Rows {
			_, l := s.model.Rows[i].Gradient(s.between)
			old := &s.inv[c].Bands[k].Lever
			if s.model.Rows[i].B < 0 { // the ground does not turn
				l.VB = old.VB
			}
			if d := vec3.Norm(vec3.Add(l.Lin, -1, old.Lin)) + vec3.Norm(vec3.Add(l.AngA, -1, old.AngA)) +
				vec3.Norm(vec3.Add(l.VB, -1, old.VB)); d > worst {
				worst, at = d, s.model.Rows[i].Joint
			}
		}
	}
	against := ""
	for i := range s.touches {
		if t := &s.touches[i]; -t.Gap == s.deepest() && -t.Gap > s.unit*projectLost {
			against = fmt.Sprintf(": %s overlap by %.3g m at %s", s.model.TouchName(t), -t.Gap, multibody.Where(s.model.There(t.At)))
		}
	}
	return fmt.Errorf("%s cannot close%s: %w", s.model.JointName(at), against, errSteep)
}

// changeOf is the change of the velocities of a body over their size and what each of the impulses
// gives, and over their size alone.
func (s *mechanics) changeOf(p *multibody.Place, impulses []float64) (change, own float64) {
	most, size, gross := 0.0, math.SmallestNonzeroFloat64, 0.0
	for k := range p.N {
		lever := 1.0
		if k >= s.model.Dim && p.Reach > 0 {
			lever = p.Reach
		}
		v := p.V + k
		most = max(most, lever*math.Abs(s.w[v]-s.wOld[v]))
		size = max(size, lever*math.Abs(s.w[v]), lever*math.Abs(s.wOld[v]), lever*math.Abs(s.v[v]))
		gross = max(gross, lever*math.Abs(impulses[v]/s.model.Inertia(p, k)))
	}
	return most / max(size, gross), most / size
}

// newtonDefect is what the tangent at wOld leaves of N(w), over the spins.
func (s *mechanics) newtonDefect(p *multibody.Place, h float64) float64 {
	b := &s.inv[s.model.Home[p.Body]].Blocks[p.Slot]
	o, w, old := p.SpinOf(s.v), p.SpinOf(s.w), p.SpinOf(s.wOld)
	d := vec3.Add(w, -1, old)
	now, was := p.SpinBalance(o, w, h, s.alpha), p.SpinBalance(o, old, h, s.alpha)
	worst, size := 0.0, 0.0
	for r := range 3 {
		e := now[r] - was[r]
		for c := range 3 {
			a := b.A[(3+r)*b.N+3+c]
			if r == c && s.o.Jacobians != multibody.NoJacobians {
				a -= s.alpha * h * p.Drag[1]
			}
			if b.Full || r == c {
				e -= a / s.alpha * d[c]
			}
		}
		worst = max(worst, math.Abs(e/p.Moments[r]))
		size = max(size, math.Abs(w[r]), math.Abs(o[r]))
	}
	return worst / size
}
