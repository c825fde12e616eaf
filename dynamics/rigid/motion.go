package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// motion is the state of a model, and the trial of a step that leads on from it.
type motion struct {
	model *Model
	o     Options
	unit  float64 // of length, see [Model.Unit] [m]
	pace  float64 // of speeds, the size of the bodies a second, wherever they are [m/s]

	// The present state.
	t, lost  float64   // time, and what it has lost by rounding [s]
	q, v, w  []float64 // w is v^{l,α} of (4.10)
	poses    []bodies.Pose
	snap     Snapshot
	step     Step    // what is told of the present step
	depth    float64 // penetration at the beginning of the step [m]
	settling bool    // the start is

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

// along evaluates the step of a share of the length with the same impulses for
// its length, in the coordinates x of the velocities,
//
//	x(s) = h s((1−γ)v^l + γ v(s)),   v(s) = v^l + s(v^{l+1} − v^l),
//
// moves q^l there and, if v is not nil, sets it to the velocity. With constant
// forces this is what the scheme does in a step of that length, so that a
// collision in between creates no energy, as an interpolant of the ends alone does
// for γ ≠ ½.
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
	b := &s.model.body[body]
	switch {
	case !b.spins:
		return vec{}
	case s.model.dim == 3:
		return turn(&s.poses[body], vec{w[b.v+3], w[b.v+4], w[b.v+5]})
	}
	return vec{0, 0, w[b.v+s.model.dim]}
}

// pointOf is pointSpeed with a known spin.
func (s *motion) pointOf(body int, at vec, w []float64, omega vec) vec {
	b := &s.model.body[body]
	var u vec
	copy(u[:s.model.dim], w[b.v:b.v+s.model.dim])
	if !b.spins {
		return u
	}
	return vec3.Add(u, 1, vec3.Cross(omega, vec3.Add(at, -1, s.poses[body].Centre)))
}

// gather returns the velocities v of a component.
func (s *motion) gather(c int, v []float64) []float64 {
	x := s.x[:0]
	for _, i := range s.model.comps[c].index {
		x = append(x, v[i])
	}
	return x
}

// turns reports whether a body has a spin that may be free, see [place.idle].
func (s *motion) turns(b int) bool {
	p := &s.model.body[b]
	for k := s.model.dim; k < p.n; k++ {
		if p.idle[k] && s.v[p.v+k] != 0 {
			return true
		}
	}
	return false
}

func (s *motion) kinetic(v []float64) float64 {
	e := 0.0
	for i := range s.model.body {
		p := &s.model.body[i]
		for k := range p.n {
			e += 0.5 * s.model.inertia(p, k) * v[p.v+k] * v[p.v+k]
		}
	}
	return e
}

func (s *motion) elastic() float64 {
	u := 0.0
	for _, f := range s.model.setup.Forces {
		u += f.Energy(&s.snap)
	}
	return u
}

// secant reports whether a matrix is that of a step of the secant scheme.
func (s *motion) secant(x terms) bool { return x.h > 0 && s.o.Scheme == Secant }

// spinning reports whether a body turns at the beginning or the present iterate.
func (s *motion) spinning(p *place) bool {
	o := p.spinOf(s.v)
	return o != (vec{}) || s.o.Scheme == Secant && p.spinOf(s.w) != (vec{})
}

// cayley overwrites r by the rotation of a body at the end of a step with the velocity w.
func (s *motion) cayley(r *[9]float64, p *place, h float64) {
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

// linear reports whether a step of the scheme is one linear problem.
func (s *motion) linear() bool {
	return s.o.Scheme == Gavrea || len(s.model.rows) == 0 && !s.model.gyro && !s.model.led
}

// endVelocities sets vEnd, the end velocities on the axes of the beginning, from
// w, and vNext, on those of the end: they differ for free bodies of equal moments.
func (s *motion) endVelocities(h float64) {
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
func (s *motion) turnSpin(p *place, w []float64, h float64) {
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
func (s *motion) returnSpins(h float64) {
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
func (s *motion) move(dst, q, w []float64, h float64) {
	if s.o.Scheme == Secant {
		s.model.World.MoveSecant(dst, q, w, h, s.model.tied)
		return
	}
	s.model.World.Move(dst, q, w, h)
}
