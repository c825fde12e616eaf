package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// restoreCurves takes c back into the touches that rounds with other forces have left it out of,
// see [curveMost], and reports whether there are such, and whether there are some that have left it
// out again.
func (s *assembly) restoreCurves(h float64) (back, more bool) {
	if len(s.curves) == 0 || s.toEnd() {
		return false, false
	}
	for _, i := range s.p.list {
		t, b := &s.touches[i], &s.curves[i]
		if !b.on || !b.plain {
			continue
		}
		u, _ := s.curveSpeed(i, h)
		end, ok := s.touchAt(t, s.t+h, s.qMid)
		c := (end.Gap-t.Gap)/h - vec3.Dot(s.marks[i].frame[0], u)
		switch {
		case !ok || s.marks[i].r[0]*math.Abs(c) > curveNear*s.curveEnergy(i) || math.Abs(c) <= s.curveRounding(i, h):
		case b.again:
			more = true
		default:
			b.plain, b.again, back = false, true, true
		}
	}
	return back, more
}

// findCurves leaves c out where the impulses in p.r of a step of [ModePlain] belong to one without
// it, see curveMost: they are nearer to complementary with u_N so.
func (s *assembly) findCurves(h float64) {
	p := &s.p
	if len(s.curves) == 0 {
		return
	}
	s.curvePath(h)
	s.relative(p.b, s.w)
	s.gapTerms(h)
	for k, i := range p.list {
		b, u := &s.curves[i], p.b[k*p.dim]
		if r := p.r[k*p.dim]; s.level(&s.touches[i]) || r > 0 && r*math.Abs(b.more[0]) <= curveNear*s.curveEnergy(i) { // c_T stays
			continue
		}
		straight := u - b.more[0]
		if p.r[k*p.dim] <= 0 { // nothing but an approach is wrong
			u, straight = min(u, 0), min(straight, 0)
		}
		if b.on && math.Abs(u)-math.Abs(straight) > s.curveRounding(i, h) { // c may be rounding, where c_T is not
			b.plain, b.more = true, vec{}
		}
	}
}

// curveTerms adds c and c_T to the speeds u = Hᵀv^α − s₀ of the contacts of the problem, but for c that
// s₀ has, see drive.
func (s *assembly) curveTerms(u []float64) {
	if len(s.curves) == 0 {
		return
	}
	for k, i := range s.p.list {
		if !s.curves[i].on {
			continue
		}
		for d := range s.p.dim {
			if d > 0 || !s.level(&s.touches[i]) {
				u[k*s.p.dim+d] += s.curves[i].more[d]
			}
		}
	}
}

// drive sets s₀ of the contacts in the list, less c where a plane that tilts alone makes it.
func (s *assembly) drive(h float64) {
	p := &s.p
	p.drive = p.drive[:0]
	if !s.driven {
		return
	}
	for _, i := range p.list {
		v := s.curvedSpeed(i, h)
		for d := range p.dim {
			p.drive = append(p.drive, vec3.Dot(v, s.marks[i].frame[d]))
		}
		if i < len(s.curves) && s.curves[i].on && s.level(&s.touches[i]) {
			p.drive[len(p.drive)-p.dim] -= s.curves[i].more[0]
		}
		if s.brakeOf(&s.touches[i]) != nil { // u_N > 0 of the size of other speeds
			p.drive[len(p.drive)-p.dim] = -max(s.pairKick(i), vec3.Norm(v), s.pace*slides)
		}
	}
}

// relative overwrites u by Hᵀw − s₀.
func (s *assembly) relative(u, w []float64) {
	s.speeds(u, w)
	for i, v := range s.p.drive {
		u[i] -= v
	}
}

// driveWork is Σ r·s₀ of the impulses in p.r, driveWorkOf that of contact k of the problem.
func (s *assembly) driveWork() (work float64) {
	for i, v := range s.p.drive {
		work += s.p.r[i] * v
	}
	for i, v := range s.p.resistance.drive {
		work += s.p.resistance.m[i] * v
	}
	return work
}

func (s *assembly) driveWorkOf(k int) (work float64) {
	for i := k * s.p.dim; i < (k+1)*s.p.dim; i++ {
		work += s.p.r[i] * s.p.drive[i]
	}
	return work
}

// kinks reports whether the velocity of an obstacle has jumped at the beginning of a step, and that
// of a contact with it has not, in a direction in which the contact holds: for α < 1 that would be
// reflected. Where it slides along, friction is what it was, and the step is one of second order.
func (s *assembly) kinks(h float64) bool {
	if !s.driven {
		return false
	}
	for _, i := range s.p.list {
		t, m := &s.touches[i], &s.marks[i]
		if !s.hasKink(t, h) {
			continue
		}
		u := s.relativeSpeed(i, s.v)
		if m.state == Slip {
			u = vec3.Scale(m.frame[0], vec3.Dot(m.frame[0], u))
		}
		if vec3.Norm(u) > s.pace*slides {
			return true
		}
	}
	return false
}
