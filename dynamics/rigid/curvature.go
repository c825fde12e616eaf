package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Gap curvature. Ellipses and ellipsoids meet others in a point that moves over them, balls roll in
// hollows, corners turn, planes tilt under what slides: the linear row n·v^α leaves Φ = ½h²vᵀΦ″v, and
// the projection that takes it back makes energy of the order of h, or Φ > 0 lets the next step fall
// onto the plane, a collision. The secant scheme takes instead
//
//	u_N = (Φ(q') − Φ(q))/h = n·v^α + c,   H at q + (1−α)h v^α.
//
// The first is exact: nothing is left to project. The second is where the contact does no work in
// the smooth part: the path of the step has the velocity v^α of the time t + αh, so that places are
// ahead of velocities by (α − ½)h, and (v + v')/2 belongs to q(t + ½h − (α − ½)h) = q(t + (1−α)h),
// where n·(v + v')/2 = dΦ/dt = 0 up to O(h²). The slip belongs to v^α and its time,
//
//	u_T = H_T(q + ½hv^α)·v^α = H_T·v^α + c_T,
//
// c_T = 0 for α = ½. An obstacle that moves is taken where it is at the time of each of these places,
// and u is the velocity relative to it: c is the curvature of the gap that one who goes with it sees,
// and a constant velocity changes no step. c, c_T and H depend on v^α: rounds of contact problems,
// each with those of the round before. For α = 1 that is done for ellipses, ellipsoids, curved
// obstacles, balls and planes that tilt.
//
// A step of α < 1 in which something comes to stick has α = 1 in its place, see trial. α = ½ would
// repeat the difference of its velocity and its place, ½hΦ″, with alternating sign: γ = ½, H at q'
// and c = 0 in that step, and O(h³) is left to the projection.

// curve is what the scheme puts in the place of H at q and of n·v^α.
type curve struct {
	on    bool
	plain bool   // c is left out
	again bool   // c was taken back into the step, see restoreCurves
	arm   [2]vec // from the centres to the contact point, of the first body and of the second [m]
	frame [3]vec // at q
	more  vec    // c, and of the slip c_T [m/s]
}

const (
	curveGoal  = 1e-14 // on the change of the speeds in a round, relative: light contacts beside heavy ones feel 1e-12
	curveStall = 1e-11 // below which a round that gains nothing ends, or ten times what the contact problems leave
	// curveSwing is what impulses turn by in a round that is the last: a tenth of what the momentum
	// of the files may be off by, in parts of the speed that the forces of the step give.
	curveSwing  = 1e-10
	curveNoise  = 4e-16 // of gaps, over coordinates: rounding of Φ/h
	curveRounds = 30
	curveClosed = 1e-2 // of what a projection takes for closed: for α = 1 the rest is of first order anyway
	// curveMost bounds r_n|c| over the energy of the turn, ½Jω²: with the force r_n/h and c =
	// ½hΦ″ω² that is h²Ω², Ω² = (r_n/h)Φ″/J the frequency at which the body rocks. For α = 1 the
	// scheme is that of Verlet, which beyond hΩ = 2 makes energy without bound.
	curveMost = 0.25
	// curveNear is what r_n|c| of a step that was taken without c is at least: its last rounds have
	// other forces.
	curveNear = 1e-2 * curveMost
)

// isCurved reports whether the scheme takes touch t with its curvature.
func (s *curvature) isCurved(t *bodies.Touch) bool {
	switch {
	case t.Leaps || s.model.StopOf(t) != nil || s.straight || s.o.Scheme != Secant || s.o.Unstabilised:
		return false
	case s.oval(t):
		return true
	}
	return (s.mode.alpha < 1 || s.curved || s.mode.grid != GapGrid && s.smooth(t)) && !s.flat(t)
}

// flat reports whether the gap of a touch is linear: that of a ball or a point and a plane that keeps
// its normal.
func (s *curvature) flat(t *bodies.Touch) bool { return s.level(t) && !s.tilts[t.Floor] }

// level reports whether the gap of a touch is linear in q, as that of a ball or a point and a plane is
// at any time. Over a plane that tilts with ω what slides with v bends it all the same, by 2ωv [m/s²]:
// s₀ is at the place where the step begins, and what the plane has on the way of the body is s₀ − c,
// which does the work of its force. Nothing rocks there, and c is never left out.
func (s *curvature) level(t *bodies.Touch) bool {
	return t.B < 0 && s.model.Planes[t.Floor] && s.model.Bodies[t.A].Ball
}

// smooth reports whether a touch is one with a curved obstacle or a plane that tilts, or of a ball, disc
// or point with another body: its gap curves by more than the turn of a corner.
func (s *curvature) smooth(t *bodies.Touch) bool {
	if t.B < 0 {
		return !s.model.Planes[t.Floor] || s.tilts[t.Floor]
	}
	return s.model.Bodies[t.A].Ball || s.model.Bodies[t.B].Ball
}

// oval reports whether one of the bodies of a touch is an ellipse or ellipsoid.
func (s *curvature) oval(t *bodies.Touch) bool {
	return s.model.Bodies[t.A].Curved || t.B >= 0 && s.model.Bodies[t.B].Curved
}

// forgetCurves forgets the curvature of the present touches.
func (s *curvature) forgetCurves() {
	for i := range s.curves {
		if s.curves[i].on {
			s.marks[i].frame = s.curves[i].frame
		}
	}
	s.curves = s.curves[:0]
}

// curveEvery takes the curvature of all touches at the velocities w, before their impulses are
// known.
func (s *curvature) curveEvery(h float64) {
	for i := range s.touches {
		if s.isCurved(&s.touches[i]) {
			s.marks[i].r = vec{} // of the step before
			s.curvePath(h)
			s.updateCurve(i, h)
		}
	}
}

// curvePath sets x to the velocity of the path of the step, qMid to its end and qCurve to the place
// of H.
func (s *curvature) curvePath(h float64) {
	if len(s.curves) != len(s.touches) {
		s.curves = grow(s.curves, len(s.touches))
		clear(s.curves)
	}
	s.qMid, s.qCurve = grow(s.qMid, len(s.q)), grow(s.qCurve, len(s.q))
	for i, v := range s.v {
		s.x[i] = v + s.gamma/s.alpha*(s.w[i]-v)
	}
	s.move(s.qMid, s.q, s.x, h)
	if s.alpha != 0.5 {
		s.qHalf = grow(s.qHalf, len(s.q))
		s.move(s.qHalf, s.q, s.x, 0.5*h)
	}
	if s.toEnd() {
		copy(s.qCurve, s.qMid)
		return
	}
	s.move(s.qCurve, s.q, s.x, (1-s.alpha)*h)
}

// inMiddle reports whether H is taken in the middle of a step of α = 1, as in those that are taken
// again for the depth at their end. There n·v' = 0, and the force takes ½m(hΦ″)²; with H at q a
// step would end with n·v' = −c and make energy where Φ″ < 0.
func (s *curvature) inMiddle() bool { return s.curved && s.alpha == 1 }

// toEnd reports whether the step ends with velocities that curved touches allow, n·v' = 0 with n at
// q', see trial.
func (s *curvature) toEnd() bool { return s.alpha == 1 && s.gamma < 1 }

// updateCurve takes the curvature of touch i, which it leaves as it is where only the rounding of the gap over h
// changes it: two of them would follow each other for ever, and the velocities with them. It returns how much speeds have changed
// by it, over their size, and how much momentum is off by the turn of its frame, see swings.
func (s *curvature) updateCurve(i int, h float64) (change, swung float64) {
	t, b, m := &s.touches[i], &s.curves[i], &s.marks[i]
	if !b.on {
		*b = curve{on: true, frame: m.frame}
		b.arm = s.arms(t)
	}
	before, frame := *b, m.frame
	s.curvePlace(i, h)
	u, size := s.curveSpeed(i, h)
	if b.more = (vec{}); !b.plain && !s.toEnd() {
		s.curveSlip(i, h, u)
		s.carrySlip(i, h)
		end, ok := s.touchAt(t, s.t+h, s.qMid)
		if ok {
			b.more[0] = (end.Gap-t.Gap)/h - vec3.Dot(m.frame[0], u)
		}
	}
	if !s.level(t) && m.r[0]*math.Abs(b.more[0]) > curveMost*s.curveEnergy(i) {
		b.plain, b.more = true, vec{}
	}
	turned := 0.0
	for d := range s.model.Dim {
		change = max(change, math.Abs(b.more[d]-before.more[d]))
		by := vec3.Add(m.frame[d], -1, frame[d])
		turned, swung = max(turned, math.Abs(vec3.Dot(by, u))), max(swung, vec3.Norm(by))
	}
	var moved [2]float64
	for k, body := range [2]int{t.A, t.B} {
		if body >= 0 {
			by := vec3.Add(b.arm[k], -1, before.arm[k])
			moved[k], turned = vec3.Norm(by), max(turned, vec3.Norm(vec3.Cross(s.spinAt(body), by)))
		}
	}
	swung = s.swings(i, swung, moved, size)
	noise := s.curveSlack(i, h)
	size = max(size, s.heaviest(i))
	if change = max(change, turned); change <= noise {
		if h < shortPart*s.step.H || change <= s.curveRounding(i, h) { // 1e-7 m/s in 1e-9 s: joints would feel it sway without end
			b.more = before.more
		}
		if turned <= max(curveStall*size, curveNoise*s.unit/h) &&
			swung <= curveStall { // places far off the origin round c, but turn no frame and no arm
			return 0, swung
		}
		change = turned
	}
	return max(change/size, swung), swung
}

// swings is what the impulse of touch i makes of velocities by a turn of its frame and the ways that
// its arms have moved, over the size of the velocities: H of the next round is that of the files,
// and momentum is off by the turn times |r|/m, and spin by |r|/J times the arm's way and the turn
// times the arm. It does so of a body that hardly moves, or does not turn, too.
func (s *curvature) swings(i int, turn float64, moved [2]float64, size float64) float64 {
	t, r, most := &s.touches[i], vec3.Norm(s.marks[i].r), 0.0
	size = max(size, s.heaviest(i))
	for k, body := range [2]int{t.A, t.B} {
		if body < 0 {
			continue
		}
		p, arm := &s.model.Bodies[body], vec3.Norm(s.curves[i].arm[k])
		size, most = max(size, r/p.Mass), max(most, turn*r/p.Mass)
		for j := s.model.Dim; j < p.N; j++ {
			most = max(most, r*(turn*arm+moved[k])/s.model.Inertia(p, j))
		}
	}
	if most == 0 {
		return 0
	}
	return most / size
}

// curveSlack is the change of c of touch i below which its rounds end [m/s].
func (s *curvature) curveSlack(i int, h float64) float64 {
	if s.mode.alpha == 1 && !s.oval(&s.touches[i]) {
		return max(s.curveRounding(i, h), curveClosed*s.unit*projectGap/h)
	}
	return s.curveRounding(i, h)
}

// curveRounding is what rounding of the gap of touch i leaves of c [m/s].
func (s *curvature) curveRounding(i int, h float64) float64 {
	return curveNoise * (vec3.Norm(s.touches[i].At) + s.unit) / h
}

// curveSlip sets c_T of touch i, whose bodies have the relative velocity u at H: what the slip is
// in the middle of the way beyond that. Velocities of the time t + αh belong to it.
func (s *curvature) curveSlip(i int, h float64, u vec) {
	t, b, m := &s.touches[i], &s.curves[i], s.marks[i]
	if s.alpha == 0.5 || s.inMiddle() {
		return
	}
	place, ok := s.touchAt(t, s.t+0.5*h, s.qHalf)
	if !ok {
		return
	}
	frame, arm := m.frame, b.arm
	m.frame = b.frame
	m.transport(s.model, &place)
	s.armsAt(&b.arm, t, &place, s.qHalf)
	mid, _ := s.curveSpeed(i, h)
	for d := 1; d < s.model.Dim; d++ {
		b.more[d] = vec3.Dot(m.frame[d], mid) - vec3.Dot(frame[d], u)
	}
	b.arm = arm
}

// armsAt overwrites arm by what leads from the centres of the bodies of a touch at q to its point
// there.
func (s *curvature) armsAt(arm *[2]vec, t, place *bodies.Touch, q []float64) {
	for k, body := range [2]int{t.A, t.B} {
		if body >= 0 {
			centre, _ := s.model.World.Place(body, q)
			arm[k] = vec3.Add(place.At, -1, centre)
		}
	}
}

// spinAt is the spin of a body in x, in space.
func (s *curvature) spinAt(body int) vec {
	p := &s.model.Bodies[body]
	switch {
	case !p.Spins:
		return vec{}
	case s.model.Dim == 2:
		return vec{0, 0, s.x[p.V+2]}
	}
	return multibody.ToSpace(&s.poses[body], p.SpinOf(s.x))
}

// curveEnergy is that in x of what curves the gap of a touch: ½ω·Jω of its ellipses and ellipsoids,
// or else that of the turns of both bodies and of their motion to each other, or over an obstacle
// that is curved or tilts.
func (s *curvature) curveEnergy(i int) (e float64) {
	t := &s.touches[i]
	oval := s.oval(t)
	for _, body := range [2]int{t.A, t.B} {
		if body < 0 || oval && !s.model.Bodies[body].Curved {
			continue
		}
		p := &s.model.Bodies[body]
		for k := p.V + s.model.Dim; k < p.V+p.N; k++ {
			e += 0.5 * s.model.Inertia(p, k-p.V) * s.x[k] * s.x[k]
		}
	}
	if oval {
		return e
	}
	a := &s.model.Bodies[t.A]
	mass, v := a.Mass, 0.0
	switch {
	case t.B >= 0:
		b := &s.model.Bodies[t.B]
		mass, v = mass/(mass+b.Mass)*b.Mass, vec3.Norm(vec3.Add(s.armSpeed(t.A, vec{}), -1, s.armSpeed(t.B, vec{})))
	case s.model.Planes[t.Floor] && !s.tilts[t.Floor]:
		return e
	default:
		v = vec3.Norm(vec3.Add(s.armSpeed(t.A, vec{}), -1, s.obstacleAt(i, 0, s.poses[t.A].Centre)))
	}
	return e + 0.5*mass*v*v
}

// curvePlace takes arms and frame of touch i at qCurve or, where its features do not meet there, at
// q.
func (s *curvature) curvePlace(i int, h float64) {
	t, b, m := &s.touches[i], &s.curves[i], &s.marks[i]
	q, time, middle := s.qCurve, s.t+(1-s.alpha)*h, s.inMiddle()
	switch {
	case s.toEnd():
		time = s.t + h
	case middle:
		q, time = s.qHalf, s.t+0.5*h
	case s.alpha == 1:
		return
	}
	place, ok := s.touchAt(t, time, q)
	m.frame = b.frame
	if !ok {
		b.arm = s.arms(t)
		return
	}
	m.transport(s.model, &place)
	s.armsAt(&b.arm, t, &place, q)
	if middle && t.B >= 0 {
		s.meetArms(b, t, h)
	}
}

// meetArms moves the arms of two bodies from the middle of a step so that they begin in one point
// from where the bodies are at its beginning: for α = 1 that keeps the angular momentum. It is the
// point that moves on with the mean of the velocities by the masses of the others, so that the
// light body has its arm in the middle.
func (s *curvature) meetArms(b *curve, t *bodies.Touch, h float64) {
	m, n := s.model.Bodies[t.A].Mass, s.model.Bodies[t.B].Mass
	u := vec3.Scale(vec3.Add(s.armSpeed(t.A, vec{}), -1, s.armSpeed(t.B, vec{})), 0.5*h)
	b.arm[0] = vec3.Add(b.arm[0], m/(m+n), u)
	b.arm[1] = vec3.Add(b.arm[1], -n/(m+n), u)
}

// curveSpeed is the relative velocity in x at the arms of touch i, and the size of what it is the
// difference of.
func (s *curvature) curveSpeed(i int, h float64) (u vec, size float64) {
	t, b := &s.touches[i], &s.curves[i]
	u = s.armSpeed(t.A, b.arm[0])
	v := s.curvedSpeed(i, h)
	if t.B >= 0 {
		v = s.armSpeed(t.B, b.arm[1])
	}
	return vec3.Add(u, -1, v), max(vec3.Norm(u), vec3.Norm(v))
}

// armSpeed is the velocity in x of the point of a body at an arm.
func (s *curvature) armSpeed(body int, arm vec) (u vec) {
	v := s.model.Bodies[body].V
	copy(u[:s.model.Dim], s.x[v:v+s.model.Dim])
	return vec3.Add(u, 1, vec3.Cross(s.spinAt(body), arm))
}

// curvature has the gaps that curve within a step.
type curvature struct {
	*motion
	*contactSet
	*drives
	*mechanics

	qCurve   []float64 // where it takes H
	qHalf    []float64 // where it takes the slip
	straight bool      // the present step is taken without
	curved   bool      // the present step is taken with the curvature of all touches, see penetration.go
}

// heaviest is the largest velocity that the forces of the step give a body of a touch.
func (s *curvature) heaviest(i int) float64 {
	most := 0.0
	for _, b := range []int{s.touches[i].A, s.touches[i].B} {
		for k := 0; b >= 0 && k < s.model.Bodies[b].N; k++ {
			p := &s.model.Bodies[b]
			most = max(most, math.Abs(s.kick[p.V+k]/s.model.Inertia(p, k)))
		}
	}
	return most
}
