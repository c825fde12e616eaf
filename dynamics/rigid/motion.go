package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/num"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// motion is the state of a model, and the trial of a step that leads on from it.
type motion struct {
	model *multibody.Model
	o     Options
	unit  float64 // of length, see [Model.Unit] [m]
	pace  float64 // of speeds, the size of the bodies a second, wherever they are [m/s]

	// The present state.
	t, lost  float64   // time, and what it has lost by rounding [s]
	q, v, w  []float64 // w is v^{l,α} of (4.10)
	poses    []bodies.Pose
	snap     multibody.Snapshot
	step     Step  // what is told of the present step
	entry    entry // of the step
	settling bool  // the start is

	// The trial.
	mode         stepMode
	alpha, gamma float64
	qNext, vNext []float64
	vEnd         []float64 // vNext on the axes of the beginning
	wOld         []float64 // of the round before
	cutAt        float64   // share of the trial that is accepted, below 1 up to a collision
	until        float64   // end of the present part [s]

	scratch
}

// stepMode is how the present part of a step is taken: as the options have it, unless what is left
// of a step is taken on the gap grid.
type stepMode struct {
	grid         Grid
	alpha, gamma float64
}

// stepMode is that of the options.
func (o *Options) stepMode() stepMode { return stepMode{o.Grid, o.Alpha, o.Gamma} }

// scratch is memory that no method leaves anything in for another one, but for what its comment
// says.
type scratch struct {
	x, f0, f1 []float64 // of velocities
	column    []float64 // of a component
	qMid      []float64 // of places
}

// at is the time at a share of the part of a step.
func (s *motion) at(h, share float64) float64 {
	if share == 1 {
		return s.until
	}
	return s.t + share*h
}

// along evaluates the step of a share of the length with the same impulses for its length, in the
// coordinates x of the velocities,
//
//	x(s) = h s((1−γ)v^l + γ v(s)),   v(s) = v^l + s(v^{l+1} − v^l),
//
// moves q^l there and, if v is not nil, sets it to the velocity. With constant forces this is what
// the scheme does in a step of that length, so that a collision in between creates no energy, as an
// interpolant of the ends alone does for γ ≠ ½.
func (s *motion) along(h, share float64, v []float64) {
	for i, v0 := range s.v {
		d := share * (s.vEnd[i] - v0)
		s.f1[i] = share * (v0 + s.gamma*d)
		if v != nil {
			v[i] = v0 + d
		}
	}
	s.qMid = grow(s.qMid, len(s.q))
	s.move(s.qMid, s.q, s.f1, h)
}

func (s *motion) pointSpeed(body int, at vec, w []float64) vec {
	return s.pointOf(body, at, w, s.spinOf(body, w))
}

// spinOf is the spin of a body in space.
func (s *motion) spinOf(body int, w []float64) vec {
	b := &s.model.Bodies[body]
	switch {
	case !b.Spins:
		return vec{}
	case s.model.Dim == 3:
		return multibody.ToSpace(&s.poses[body], vec{w[b.V+3], w[b.V+4], w[b.V+5]})
	}
	return vec{0, 0, w[b.V+s.model.Dim]}
}

// pointOf is pointSpeed with a known spin.
func (s *motion) pointOf(body int, at vec, w []float64, omega vec) vec {
	b := &s.model.Bodies[body]
	var u vec
	copy(u[:s.model.Dim], w[b.V:b.V+s.model.Dim])
	if !b.Spins {
		return u
	}
	return vec3.Add(u, 1, vec3.Cross(omega, vec3.Add(at, -1, s.poses[body].Centre)))
}

// gather returns the velocities v of a component.
func (s *motion) gather(c int, v []float64) []float64 {
	x := s.x[:0]
	for _, i := range s.model.Components[c].Index {
		x = append(x, v[i])
	}
	return x
}

// turns reports whether a body has a spin that may be free, see [place.idle].
func (s *motion) turns(b int) bool {
	p := &s.model.Bodies[b]
	for k := s.model.Dim; k < p.N; k++ {
		if p.Idle[k] && s.v[p.V+k] != 0 {
			return true
		}
	}
	return false
}

func (s *motion) kinetic(v []float64) float64 {
	e := 0.0
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		for k := range p.N {
			e += 0.5 * s.model.Inertia(p, k) * v[p.V+k] * v[p.V+k]
		}
	}
	return e
}

func (s *motion) elastic() float64 {
	u := 0.0
	for _, f := range s.model.Setup.Forces {
		u += f.Energy(&s.snap)
	}
	return u
}

// secant reports whether a matrix is that of a step of the secant scheme.
func (s *motion) secant(x terms) bool { return x.h > 0 && s.o.Scheme == Secant }

// spinning reports whether a body turns at the beginning or the present iterate.
func (s *motion) spinning(p *multibody.Place) bool {
	o := p.SpinOf(s.v)
	return o != (vec{}) || s.o.Scheme == Secant && p.SpinOf(s.w) != (vec{})
}

// cayley overwrites r by the rotation of a body at the end of a step with the velocity w.
func (s *motion) cayley(r *[9]float64, p *multibody.Place, h float64) {
	y := &s.poses[p.Body].Rotation
	switch {
	case !p.Spins:
		*r = *y
	case s.model.Dim == 2:
		a := 0.5 * h * s.w[p.V+2]
		f := 1 / (1 + a*a)
		c, d := (1-a*a)*f, 2*a*f
		cos, sin := y[0]*c-y[3]*d, y[3]*c+y[0]*d
		*r = [9]float64{cos, -sin, 0, sin, cos, 0, 0, 0, 1}
	default:
		var c [9]float64
		multibody.Rotation(&c, p.SpinOf(s.w), h, true)
		multibody.MulMat(r, y, &c)
	}
}

// linear reports whether a step of the scheme is one linear problem.
func (s *motion) linear() bool {
	return s.o.Scheme == Gavrea || len(s.model.Rows) == 0 && !s.model.Gyro && !s.model.Led
}

// endVelocities sets vEnd, the end velocities on the axes of the beginning, from w, and vNext, on
// those of the end: they differ for free bodies of equal moments.
func (s *motion) endVelocities(h float64) {
	for i, v := range s.v {
		s.vEnd[i] = v + (s.w[i]-v)/s.alpha
	}
	copy(s.vNext, s.vEnd)
	if s.o.Scheme == Gavrea {
		return
	}
	for i := range s.model.Bodies {
		if p := &s.model.Bodies[i]; p.Round {
			s.turnSpin(p, s.w, h)
		}
	}
}

// turnSpin sets the spin of a body in vNext to Cᵀ of that in vEnd, C the turn h about w.
func (s *motion) turnSpin(p *multibody.Place, w []float64, h float64) {
	o, turn := p.SpinOf(s.vEnd), p.SpinOf(w)
	if vec3.Cross(o, turn) == (vec{}) {
		return
	}
	var c [9]float64
	multibody.Rotation(&c, turn, h, p.Tied)
	o = multibody.MulBack(&c, o)
	copy(s.vNext[p.V+3:p.V+6], o[:])
}

// returnSpins sets vEnd and w from v and the velocities vNext of the end, whose spins it turns back
// to the axes of the beginning.
func (s *motion) returnSpins(h float64) {
	copy(s.vEnd, s.vNext)
	for i := range s.model.Bodies {
		p := &s.model.Bodies[i]
		if s.o.Scheme == Gavrea || !p.Round {
			continue
		}
		end, o := p.SpinOf(s.vNext), p.SpinOf(s.v)
		x := end // solves it for α = 1, as C turns about w
		for range 20 {
			var f, c [9]float64
			multibody.TurnTangent(&f, &c, vec3.Add(vec3.Scale(o, 1-s.alpha), s.alpha, x), end, h, p.Tied)
			r := vec3.Add(multibody.MulVec(&c, end), -1, x)
			for i := range f {
				f[i] *= -s.alpha
			}
			for i := range 3 {
				f[4*i]++
			}
			var perm [3]int
			if vec3.Norm(r) <= 1e-15*vec3.Norm(end) || !num.FactorLU(f[:], perm[:], 3) {
				break
			}
			num.SolveLU(f[:], perm[:], 3, r[:])
			x = vec3.Add(x, 1, r)
		}
		copy(s.vEnd[p.V+3:p.V+6], x[:])
	}
	for i, v := range s.v {
		s.w[i] = (1-s.alpha)*v + s.alpha*s.vEnd[i]
	}
}

// move sets dst to q moved by w during h as the scheme turns bodies.
func (s *motion) move(dst, q, w []float64, h float64) {
	if s.o.Scheme == Secant {
		s.model.World.MoveSecant(dst, q, w, h, s.model.Chorded)
		return
	}
	s.model.World.Move(dst, q, w, h)
}
