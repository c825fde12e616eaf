package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// curveOptions are the numbers of the central path.
type curveOptions struct {
	// smooth·κ is the slip below which the de Saxcé term is rounded off. The more of it, the
	// more folds: of 37 problems of 390 to 480 contacts of a pile that settles, 1 took 4,900
	// factorisations, 3 5,200, 10 6,500, 100 twice as many.
	smooth float64
	polish int // Newton steps from a point of the path
	// Merits from which others end faster: where κ has not fallen for near steps, and where a
	// decade of it is slow.
	nearly, almost float64
	// A step is as long as makes the correction after it about aim, in units in which the way
	// to the boundary of a cone is 1. A point is on the path with one below close, which
	// Newton's method has tries to reach; one beyond reject is not believed, and the step
	// made again. Two thirds of all three took an eighth more factorisations; with .7, .7 and 2 one
	// of those problems was lost.
	aim, close, reject float64
	tries              int
	longer, shorter    float64 // bounds of the factor on the step, after one that was taken
	least              float64 // least factor after one that was not
	// bend times the square of a step is what the change of the tangent from the point before
	// adds to it. Of a smooth curve it would be ½; but this one has bends, where contacts change
	// their states: ½ took a seventh more factorisations, 0 an eighth. It is left out after a step
	// that changed κ, and with it the scale of z, by more than the factor bent: tangents are
	// not to be compared then, and the steps of small problems went in circles.
	bend, bent        float64
	boundary, descent float64 // part of the way to the boundary, least factor on κ of a step
	strict            int
	tight             float64
	// Of more than losses directions in a row refinement left more than the right side: all is
	// rounding.
	losses int
	lost   float64
	// From polished on Newton's method tries to end each decade of κ; below end, and for
	// steps below tiny, all is rounding.
	polished, end, tiny float64
	// patience are the steps without a κ below nine tenths of the least, near those where
	// an iterate is near a solution already: other methods end faster there.
	patience int
	near     int
	gain     float64
	// slow are those for a decade of κ where other methods may end from here: contacts neither
	// slip nor stick strictly.
	slow int
}

// curveDefault are the values of all solves.
var curveDefault = curveOptions{
	smooth: 1,
	polish: 30,
	nearly: 1e-6, almost: 1e-5,
	aim: 0.6, close: 0.5, reject: 1.5,
	tries:  3,
	longer: 3.0, shorter: 0.5,
	least: 0.1,
	bend:  0.25, bent: 4.0,
	boundary: 0.9, descent: 0.1,
	strict: 20, tight: 0.2,
	losses: 20, lost: 1.0,
	polished: 1e-7, end: 1e-12, tiny: 1e-6,
	patience: 1500, near: 150, gain: 0.9,
	slow: 150,
}

const (
	curveName = "central path"

	// After curveBack steps in a row from one point that end off the path, the last by more than
	// curveSame of what the longer one before it was, it is not the steps: the way is taken up
	// again from a point before it, of the last curvePoints, with curveEarlier of the step that was
	// taken there. The next time the point is one more back, until curveDefault.strict points beyond those
	// have been passed for which aim and closeness are curveDefault.tight times as fine.
	curveBack, curveSame, curvePoints, curveEarlier = 2, 0.8, 16, 0.25
)

// centralPath is the state of [localRun.centralPath] beside that of the interior-point method.
type centralPath struct {
	interior       *interior
	kappa, length  float64 // κ and the length of the next step
	start          []vec3  // F at κ = 1
	right, against []vec3  // right sides of a direction: −F and what x ∘ z lacks
	cx, cz, tx, tz []vec3  // correction and tangent, in the frames of the scaling
	ux, uz         []vec3  // unit tangent in those of x and z
	uk             float64
	oldX, oldZ     []vec3 // the last point on the path
	oldKappa       float64
	pastX, pastZ   []vec3 // unit tangent at the point before it,
	pastK          float64
	apart          float64 // and the step from there; 0 where that tells nothing
	taken          float64 // the last step

	lost int // directions in a row that were rounding

	points  [curvePoints]pathPoint // before the one that was kept, the latest last
	earlier int                    // how many
}

// pathPoint is a point of the path with the tangent there and the step that was taken from it.
type pathPoint struct {
	x, z, ux, uz     []vec3
	kappa, uk, taken float64
}

func (a *centralPath) resize(n int) {
	for _, v := range [...]*[]vec3{&a.start, &a.right, &a.against, &a.cx, &a.cz, &a.tx, &a.tz, &a.ux, &a.uz, &a.oldX,
		&a.oldZ, &a.pastX, &a.pastZ} {
		*v = num.Grow(*v, n)
	}
}

// centralPath follows the path of the interior-point method through its folds. With x, z, N, n
// as there and g_κ(z_T) = √(‖z_T‖² + κ²) − κ, it is the curve
//
//	F = z − g_κ(z_T) n − N W N x − N q − κ F_1 = 0,   x ∘ z = κ e,
//
// where F_1 makes (x, z, κ) = (e, e, 1) a point of it. From there to κ = 0 it is bounded where q
// has a kinematically admissible motion, as that of a pile has, by the argument by which solutions
// exist [AcaryCadoux11]: x·F bounds κ Σ x_N. But the de Saxcé term is no gradient, and κ is not
// monotone on the curve: where clusters jam and begin to roll past each other it turns back, which
// stops every method that has to lower κ. Its length is the parameter here, in the metric of the
// scaling, ‖(dx, dz, dκ)‖² = (‖G dx‖² + ‖G⁻¹dz‖²)/κ + (dκ/κ)². With one factorisation of the matrix
// of the interior-point method a step solves for the correction c at constant κ and for the
// derivative t by κ, corrects by c + t dκ normal to the tangent, and goes on along (t, 1), bent as
// the tangents are that it has met. Which way is said by the degree of the map: κ falls where the
// determinant of the derivative by (x, z) is positive, as at the start, and rises where it is
// negative, so that no sharp turn is taken for the way back. A hundred factorisations are usual for
// 400 contacts that move.
func (s *localRun) centralPath(limit int) form.Status {
	p, a := &s.ws.interior, &s.ws.curve
	if !p.begin(s.ws) {
		return form.Unsolved
	}
	s.pathBegin()
	lu := s.ws.factors(s.ctx)
	if lu == nil {
		return form.Canceled
	}
	least, stale, polish, end := 1.0, 0, curveDefault.polished, s.iterations+limit
	slow := 0            // steps since Newton's method tried last
	back, last := 0, 0.0 // points in a row that were not believed, and how far the last was off
	pops, strict := 0, 0 // returns to earlier points, and the points after one that are to be reached closely
	for tries, first := 0, 0.0; ; {
		m := s.pathLook()
		if m <= s.tol {
			return form.Converged
		}
		if slow++; a.kappa < polish {
			polish, slow = 0.1*a.kappa, 0
			if status := s.naturalNewton(curveDefault.polish); s.final(status) {
				return status
			}
		}
		if stale++; a.kappa < curveDefault.gain*least {
			least, stale = a.kappa, 0
		}
		switch {
		case num.Bad(m) || num.Bad(a.kappa):
			return form.NumericalFailure
		case a.stands(s.bestMerit, stale, slow):
			return form.NoProgress
		case s.iterations >= end:
			return form.IterationLimit
		}
		p.matrix(lu, curveDefault.smooth*a.kappa)
		lu.Factor(s.ctx, &s.c.Scaled, s.ws.e, s.ws.b)
		s.factors++
		if status, stop := s.step(curveName, m, a.length); stop {
			return status
		}
		off, change, size := a.directions(lu)
		if tries++; tries == 1 {
			first = off
		}
		aim, closeness := curveDefault.aim, curveDefault.close
		if strict > 0 {
			aim, closeness = curveDefault.tight*aim, curveDefault.tight*closeness
		}
		switch {
		case off > curveDefault.reject || off > closeness && tries > curveDefault.tries:
			if back++; back > curveBack && first > curveSame*last && a.before(1+pops) {
				back, strict = 0, curveDefault.strict
				pops++
			} else {
				a.back()
				a.length *= min(curveDefault.shorter, max(curveDefault.least, math.Sqrt(aim/off)))
			}
			last = first
		case off > closeness:
			a.correct(change)
			continue
		default:
			a.correct(change)
			if lu.Negative() {
				size = -size
			}
			a.keep(-1 / size)
			back = 0
			if strict--; strict < -curveDefault.strict {
				pops = 0
			}
			a.length *= min(max(math.Sqrt(aim/max(first, num.Eps)), curveDefault.shorter), curveDefault.longer)
		}
		tries = 0
		a.advance()
	}
}

// stands reports whether the path is at its end, or so slow that others are to go on from the best
// merit so far: stale steps since κ fell last, slow ones in this decade of it.
func (a *centralPath) stands(best float64, stale, slow int) bool {
	switch {
	case a.kappa < curveDefault.end, a.length < curveDefault.tiny, a.lost > curveDefault.losses,
		stale > curveDefault.patience, stale > curveDefault.near && best <= curveDefault.nearly:
		return true
	}
	return a.kappa < curveDefault.polished && slow > curveDefault.slow && best <= curveDefault.almost
}

// pathBegin sets κ = 1 and F_1.
func (s *localRun) pathBegin() {
	a := &s.ws.curve
	a.interior = &s.ws.interior
	a.resize(s.c.Nc)
	a.kappa, a.length, a.apart, a.taken, a.oldKappa = 1, 1, 0, 0, 0
	a.lost, a.earlier = 0, 0
	clear(a.start)
	s.pathLook()
	copy(a.start, a.interior.res)
}

// pathLook sets the reactions and F, and records the merit.
func (s *localRun) pathLook() float64 {
	m := s.interiorLook()
	p, a := &s.ws.interior, &s.ws.curve
	smooth := curveDefault.smooth * a.kappa
	for j := range p.x {
		res, z, f := &p.res[j], &p.z[j], &a.start[j]
		if s.c.Kind[j] == form.KindCoulomb && s.c.Mu[j] > 0 {
			t := z[1]*z[1] + z[2]*z[2]
			res[0] += math.Sqrt(t) - t/(math.Sqrt(t+smooth*smooth)+smooth)
		}
		for k := range res {
			res[k] -= a.kappa * f[k]
		}
	}
	return m
}

// directions sets correction and tangent, both in the frames of the scaling, and returns the
// largest correction of a contact, the change of κ that makes the correction normal to the tangent,
// and the length of (t, 1).
func (a *centralPath) directions(lu *block.LU) (off, change, size float64) {
	p, c := a.interior, a.interior.c
	for j := range p.x {
		kind, _ := c.interiorKind(j)
		a.right[j], a.against[j] = p.res[j], p.scaling[j].complement(kind, a.kappa, &vec3{})
	}
	a.solve(lu, a.cx, a.cz)
	for j := range p.x {
		kind, _ := c.interiorKind(j)
		f, z := &a.start[j], &p.z[j]
		a.right[j] = vec3{-f[0], -f[1], -f[2]}
		if kind == form.KindCoulomb { // −∂g/∂κ
			smooth := curveDefault.smooth * a.kappa
			a.right[j][0] += curveDefault.smooth * (1 - smooth/math.Sqrt(z[1]*z[1]+z[2]*z[2]+smooth*smooth))
		}
		a.against[j] = p.scaling[j].quotient(kind, &vec3{1})
	}
	if a.lost++; a.solve(lu, a.tx, a.tz) <= curveDefault.lost {
		a.lost = 0
	}
	k := a.kappa
	square := (block.Dot(a.tx, a.tx)+block.Dot(a.tz, a.tz))/k + 1/(k*k)
	change = -(block.Dot(a.tx, a.cx) + block.Dot(a.tz, a.cz)) / k / square
	for j := range a.cx {
		sum := 0.0
		for i := range 3 {
			a.cx[j][i] += change * a.tx[j][i]
			a.cz[j][i] += change * a.tz[j][i]
			sum += a.cx[j][i]*a.cx[j][i] + a.cz[j][i]*a.cz[j][i]
		}
		if c.Kind[j] != form.KindBilateral { // which has no boundary to be near
			off = max(off, sum/k)
		}
	}
	return math.Sqrt(off), change, math.Sqrt(square)
}

// solve solves E G dz − N W N G⁻¹dx = −right, dx + dz = against, and returns what is left, see
// [interior.solve].
func (a *centralPath) solve(lu *block.LU, dx, dz []vec3) (left float64) {
	p, c := a.interior, a.interior.c
	for j := range p.x {
		right, r := a.right[j], &a.against[j]
		if kind, _ := c.interiorKind(j); kind == form.KindCoulomb || kind == form.KindAssociated {
			right[0] *= c.Mu[j]
		}
		y := num.MulVec3(&p.scaling[j].a, &right)
		p.rhs[j] = vec3{y[0] + r[0], y[1] + r[1], y[2] + r[2]}
	}
	left = p.solve(lu)
	for j, x := range p.dx {
		r := &a.against[j]
		dx[j], dz[j] = x, vec3{r[0] - x[0], r[1] - x[1], r[2] - x[2]}
		if c.Kind[j] == form.KindBilateral {
			dz[j] = vec3{}
		}
	}
	return left
}

// correct moves by the correction, with change of κ.
func (a *centralPath) correct(change float64) {
	p := a.interior
	for j := range p.x {
		p.dx[j], p.dz[j] = a.frame(j, &a.cx[j], &a.cz[j], 1)
	}
	reach := p.reach()
	if reach < 1 {
		reach *= curveDefault.boundary
	}
	p.move(reach)
	a.kappa = max(a.kappa+reach*change, curveDefault.descent*a.kappa)
}

// keep keeps the point with the unit tangent, of which (t, 1) is unit⁻¹ times.
func (a *centralPath) keep(unit float64) {
	p := a.interior
	a.remember()
	a.pastX, a.pastZ, a.ux, a.uz = a.ux, a.uz, a.pastX, a.pastZ
	a.pastK, a.apart = a.uk, a.taken
	if max(a.kappa/a.oldKappa, a.oldKappa/a.kappa) > curveDefault.bent {
		a.apart = 0
	}
	for j := range p.x {
		a.ux[j], a.uz[j] = a.frame(j, &a.tx[j], &a.tz[j], unit)
	}
	a.uk = unit
	copy(a.oldX, p.x)
	copy(a.oldZ, p.z)
	a.oldKappa = a.kappa
}

// back goes back to the point that was kept.
func (a *centralPath) back() {
	copy(a.interior.x, a.oldX)
	copy(a.interior.z, a.oldZ)
	a.kappa = a.oldKappa
}

// before goes back to the point before the one that was kept, and says whether there is one.
// What was kept is a point after its last correction, which is not judged again: near a bend that
// may lead farther away, to where Newton's method does not end however short the next step is.
func (a *centralPath) before(n int) bool {
	if a.earlier < n {
		return false
	}
	a.earlier -= n
	e := &a.points[a.earlier]
	a.oldX, e.x = e.x, a.oldX
	a.oldZ, e.z = e.z, a.oldZ
	a.ux, e.ux = e.ux, a.ux
	a.uz, e.uz = e.uz, a.uz
	a.oldKappa, a.uk = e.kappa, e.uk
	a.length, a.apart = curveEarlier*e.taken, 0
	a.back()
	return true
}

// remember puts the point that was kept to the earlier ones.
func (a *centralPath) remember() {
	if a.oldKappa == 0 { // there is none
		return
	}
	if a.earlier == len(a.points) {
		oldest := a.points[0]
		copy(a.points[:], a.points[1:])
		a.points[a.earlier-1] = oldest
		a.earlier--
	}
	e := &a.points[a.earlier]
	e.x, e.z = append(e.x[:0], a.oldX...), append(e.z[:0], a.oldZ...)
	e.ux, e.uz = append(e.ux[:0], a.ux...), append(e.uz[:0], a.uz...)
	e.kappa, e.uk, e.taken = a.oldKappa, a.uk, a.taken
	a.earlier++
}

// frame returns a scaled direction, times f, in the frames of x and z.
func (a *centralPath) frame(j int, x, z *vec3, f float64) (dx, dz vec3) {
	t, c := &a.interior.scaling[j], a.interior.c
	dx, dz = num.MulVec3(&t.b, x), num.MulVec3(&t.g, z)
	switch kind, _ := c.interiorKind(j); kind {
	case form.KindBilateral:
		dz = vec3{}
	case form.KindCoulomb, form.KindAssociated: // b has N
		dx[0] *= c.Mu[j]
	}
	for k := range 3 {
		dx[k] *= f
		dz[k] *= f
	}
	return dx, dz
}

// advance goes along the tangent, and by curveDefault.bend of its change since the point before, as far
// as the cones allow.
func (a *centralPath) advance() {
	p := a.interior
	bend := 0.0
	if a.apart > 0 {
		bend = curveDefault.bend * a.length * a.length / a.apart
	}
	along := func(u, past float64) float64 {
		if bend == 0 { // past is not set
			return a.length * u
		}
		return a.length*u + bend*(u-past)
	}
	for j := range p.x {
		for k := range 3 {
			p.dx[j][k], p.dz[j][k] = along(a.ux[j][k], a.pastX[j][k]), along(a.uz[j][k], a.pastZ[j][k])
		}
	}
	part, change := p.reach(), along(a.uk, a.pastK)
	if part < 1 {
		part *= curveDefault.boundary
	}
	if a.kappa+part*change < curveDefault.descent*a.kappa {
		part = (curveDefault.descent - 1) * a.kappa / change
	}
	p.move(part)
	a.kappa += part * change
	a.length *= part
	a.taken = a.length
}
