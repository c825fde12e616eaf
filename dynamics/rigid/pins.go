package rigid

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Mechanisms in the plane whose joints are pins and close no loop are solved by a kernel of their
// own, 2.7 times as fast as the tree: newton with the derivatives written out. A body i hangs at a
// pin on a body p, or on the ground. With r the lever of the pin in the middle of the step, a =
// hω/2, and e = (I + â)r/(1 + a²), Cayley's transform has ∂r/∂ω = h/2 ẑ×e, ∂Θ(q')/∂ω = h ẑ×e, so
// that a round for the changes d of w = v^α and φ of the impulse f on the body at its pin is
//
//	D d − Ḡᵀφ + Σ Ḡ_cᵀφ_c = k̃ − M̃(w − v)/α + Ḡᵀf − Σ Ḡ_cᵀf_c,   G̃d − G̃_p d_p = g,
//	Ḡ = (I, ẑ×r),  G̃ = (I, ẑ×e),  D = M̃/α + h/2 (e·f − Σ e_c·f_c) on the spin,
//
// the sums over what hangs on the body. In the speed u of the pin and the spin in place of d the
// spin of the last body is eliminated by one division, and leaves φ = P u + p, which is what the
// body it hangs on feels: Featherstone's articulated bodies, with two gradients.

// pins are the bodies of a model of such mechanisms, with those that have no joints, what hangs
// before what it hangs on.
type pins struct{ list []pinned }

// pinned is a body at a pin.
type pinned struct {
	body, v, n int
	tied       bool
	reach      float64
	on         int        // place of the body it hangs on; onGround, onNothing
	comp, row  int        // the first of the two bands of its pin
	sign       float64    // 1: it is body A of the joint
	own, other [2]float64 // the pin on both bodies, in their frames
	// Of the step.
	mass, moment float64    // of M̃, over α
	size         float64    // of the speeds [m/s]
	k            [3]float64 // k̃ [N s]
	r0, s0       [2]float64 // own and other from the centres at the beginning [m]
	shift        [2]float64 // [m/s]
	v0, w        [3]float64
	f            [2]float64 // [N s]
	// Of a round.
	a, scale    float64    // hω/2, 1/(1 + a²)
	r, e, s, es [2]float64 // of own, and of other on the body it hangs on
	d           [9]float64
	b, delta    [3]float64
	p           [4]float64
	g, push     [2]float64 // push is φ for d_p = 0
	inverse     float64
	down        [2]float64 // row of the spin
	spin        float64
}

const (
	onGround  = -1
	onNothing = -2
)

// newPins lists the bodies; nil if the model has other joints, loops or forces.
func newPins(m *multibody.Model, inv []multibody.Inverse) *pins {
	if m.Dim != 2 || len(m.Rows) == 0 || len(m.Setup.Forces) > 0 {
		return nil
	}
	x := &pins{}
	place := make([]int, len(m.Bodies))
	for c := range m.Components {
		comp, t := &m.Components[c], inv[c].Tree
		if len(t.Loops) > 0 {
			return nil
		}
		first := len(x.list)
		for i := range t.Nodes {
			n := &t.Nodes[i]
			if n.Body < 0 {
				continue
			}
			b := comp.Bodies[n.Body]
			l, ok := pinOf(m, c, t, n, b)
			if !ok {
				return nil
			}
			place[b] = len(x.list)
			x.list = append(x.list, l)
		}
		for i := first; i < len(x.list); i++ {
			if l := &x.list[i]; l.on >= 0 {
				l.on = place[l.on]
			}
		}
	}
	return x
}

// pinOf makes the entry of a body, on the body it hangs on; false if its joint is no pin.
func pinOf(m *multibody.Model, c int, t *multibody.Tree, n *multibody.Node, body int) (l pinned, ok bool) {
	p := &m.Bodies[body]
	l = pinned{body: body, v: p.V, n: p.N, tied: p.Tied, comp: c, on: onNothing, sign: 1}
	if n.Parent < 0 {
		return l, p.Spins || !p.Tied
	}
	joint := &t.Nodes[n.Parent]
	l.row = joint.Row
	r := &m.Rows[m.Components[c].Rows[l.row]]
	pin, ok := r.Equation.(*multibody.Pin)
	if joint.N != 2 || !ok || !p.Spins { // in the plane the second row is a pin's as well
		return l, false
	}
	l.own, l.other, l.on = [2]float64{pin.A[0], pin.A[1]}, [2]float64{pin.B[0], pin.B[1]}, r.B
	if r.B == body {
		l.own, l.other, l.on, l.sign = l.other, l.own, r.A, -1
	}
	if l.on < 0 {
		l.on = onGround
	}
	return l, true
}

// solvePins reports whether the step of length h is one of pins alone, and if so sets w and the
// impulses of the joints to its solution. What it does not solve is left to the general rounds,
// which say why.
func (s *mechanics) solvePins(h float64) bool {
	x := s.pins
	if x == nil || s.o.Scheme == Gavrea || s.touched() || s.mode.grid == GapGrid && len(s.touches) > 0 {
		return false
	}
	s.impulse(h)
	x.begin(s, h)
	last := math.Inf(1)
	for range secantRounds {
		change := x.round(h) / secantGoal
		if !(change < math.Inf(1)) {
			return false
		}
		if pinsDone(change, last) {
			return x.end(s, h)
		}
		last = change
	}
	return false
}

// pinsDone is the rule of settled.
func pinsDone(change, last float64) bool {
	if change <= 1 || change <= secantStall && change >= 0.5*last {
		return true
	}
	rate := change / last
	return change <= secantNear && change*rate*rate <= secantLeft
}

// begin sets what stays in a step.
func (x *pins) begin(s *mechanics, h float64) {
	near := h >= shortPart*s.step.H
	for i := range x.list {
		l := &x.list[i]
		p := &s.model.Bodies[l.body]
		drag := s.alpha * h
		if s.o.Jacobians == multibody.NoJacobians {
			drag = 0
		}
		l.mass, l.moment = (p.Mass+drag*p.Drag[0])/s.alpha, 1
		if l.n == 3 {
			l.moment = (p.Moments[2] + drag*p.Drag[1]) / s.alpha
		}
		copy(l.k[:], s.kick[l.v:l.v+l.n])
		copy(l.v0[:], s.v[l.v:l.v+l.n])
		copy(l.w[:], s.w[l.v:l.v+l.n])
		l.measure(p.Reach)
		if l.on == onNothing {
			continue
		}
		at := &s.poses[l.body]
		l.r0 = rotated(&at.Rotation, &l.own)
		l.s0 = l.other
		gap := [2]float64{at.Centre[0] + l.r0[0], at.Centre[1] + l.r0[1]}
		if l.on >= 0 {
			on := &s.poses[x.list[l.on].body]
			l.s0 = rotated(&on.Rotation, &l.other)
			gap[0], gap[1] = gap[0]-on.Centre[0], gap[1]-on.Centre[1]
		}
		rows := s.model.Components[l.comp].Rows[l.row : l.row+2]
		for k := range gap {
			l.f[k] = l.sign * h * s.pull[rows[k]]
			l.shift[k] = 0
			if gap[k] -= l.s0[k]; near && math.Abs(gap[k]) <= s.unit*multibody.GapGoal {
				l.shift[k] = -gap[k] / h
			}
		}
	}
}

func rotated(r *[9]float64, y *[2]float64) [2]float64 {
	return [2]float64{r[0]*y[0] + r[1]*y[1], r[3]*y[0] + r[4]*y[1]}
}

// round is one of Newton's and returns the largest change of the velocity of a body, over its size.
func (x *pins) round(h float64) float64 {
	for i := range x.list {
		l := &x.list[i]
		l.a = 0.5 * h * l.w[2]
		l.scale = 1 / (1 + l.a*l.a)
		l.d = [9]float64{0: l.mass, 4: l.mass, 8: l.moment}
		l.b[0] = l.k[0] - l.mass*(l.w[0]-l.v0[0])
		l.b[1] = l.k[1] - l.mass*(l.w[1]-l.v0[1])
		l.b[2] = l.k[2] - l.moment*(l.w[2]-l.v0[2])
	}
	for i := range x.list {
		l := &x.list[i]
		if l.on == onNothing {
			continue
		}
		var p *pinned
		if l.on >= 0 {
			p = &x.list[l.on]
		}
		l.join(p, h)
		l.eliminate(p)
	}
	change := 0.0
	for i := len(x.list) - 1; i >= 0; i-- {
		l := &x.list[i]
		switch {
		case l.on == onNothing:
			l.solve()
		case l.on == onGround:
			l.follow(nil)
		default:
			l.follow(&x.list[l.on])
		}
		for k, d := range l.delta {
			l.w[k] += d
		}
		if l.tied {
			if c := l.changed(); !(c <= change) {
				change = c
			}
		}
	}
	return change
}

// lever sets the levers r and e of a pin at r0 on a body with the present a and scale.
func (l *pinned) lever(r, e, r0 *[2]float64) {
	r[0], r[1] = l.scale*(r0[0]-l.a*r0[1]), l.scale*(r0[1]+l.a*r0[0])
	e[0], e[1] = l.scale*(r[0]-l.a*r[1]), l.scale*(r[1]+l.a*r[0])
}

// join sets the levers of the pin, g, and what its impulse does to the two bodies.
func (l *pinned) join(p *pinned, h float64) {
	l.lever(&l.r, &l.e, &l.r0)
	f := &l.f
	l.b[0] += f[0]
	l.b[1] += f[1]
	l.b[2] += l.r[0]*f[1] - l.r[1]*f[0]
	l.d[8] += 0.5 * h * (l.e[0]*f[0] + l.e[1]*f[1])
	l.g[0] = l.shift[0] - (l.w[0] - l.r[1]*l.w[2])
	l.g[1] = l.shift[1] - (l.w[1] + l.r[0]*l.w[2])
	if p == nil {
		return
	}
	p.lever(&l.s, &l.es, &l.s0)
	p.b[0] -= f[0]
	p.b[1] -= f[1]
	p.b[2] -= l.s[0]*f[1] - l.s[1]*f[0]
	p.d[8] -= 0.5 * h * (l.es[0]*f[0] + l.es[1]*f[1])
	l.g[0] += p.w[0] - l.s[1]*p.w[2]
	l.g[1] += p.w[1] + l.s[0]*p.w[2]
}

// eliminate leaves φ = P u + p of the body, all of which hangs on it taken already, and adds it to
// p.
func (l *pinned) eliminate(p *pinned) {
	d, r, e := &l.d, &l.r, &l.e
	c0 := d[2] + e[1]*d[0] - e[0]*d[1] // column of the spin, in u and the spin
	c1 := d[5] + e[1]*d[3] - e[0]*d[4]
	c2 := d[8] + e[1]*d[6] - e[0]*d[7]
	l.down = [2]float64{d[6] + r[1]*d[0] - r[0]*d[3], d[7] + r[1]*d[1] - r[0]*d[4]}
	l.inverse = 1 / (c2 + r[1]*c0 - r[0]*c1)
	l.spin = l.b[2] + r[1]*l.b[0] - r[0]*l.b[1]
	x0, x1 := c0*l.inverse, c1*l.inverse
	l.p = [4]float64{d[0] - x0*l.down[0], d[1] - x0*l.down[1], d[3] - x1*l.down[0], d[4] - x1*l.down[1]}
	g := &l.g
	l.push[0] = x0*l.spin - l.b[0] + l.p[0]*g[0] + l.p[1]*g[1]
	l.push[1] = x1*l.spin - l.b[1] + l.p[2]*g[0] + l.p[3]*g[1]
	if p == nil {
		return
	}
	s, es := &l.s, &l.es
	t0, t1 := l.p[1]*es[0]-l.p[0]*es[1], l.p[3]*es[0]-l.p[2]*es[1] // P ẑ×e
	p.d[0] += l.p[0]
	p.d[1] += l.p[1]
	p.d[2] += t0
	p.d[3] += l.p[2]
	p.d[4] += l.p[3]
	p.d[5] += t1
	p.d[6] += s[0]*l.p[2] - s[1]*l.p[0]
	p.d[7] += s[0]*l.p[3] - s[1]*l.p[1]
	p.d[8] += s[0]*t1 - s[1]*t0
	p.b[0] -= l.push[0]
	p.b[1] -= l.push[1]
	p.b[2] -= s[0]*l.push[1] - s[1]*l.push[0]
}

// follow sets delta from that of the body it hangs on, nil for the ground, and changes f.
func (l *pinned) follow(p *pinned) {
	u := l.g
	f := l.push
	if p != nil {
		x, y := p.delta[0]-l.es[1]*p.delta[2], p.delta[1]+l.es[0]*p.delta[2]
		u[0], u[1] = u[0]+x, u[1]+y
		f[0], f[1] = f[0]+l.p[0]*x+l.p[1]*y, f[1]+l.p[2]*x+l.p[3]*y
	}
	spin := (l.spin - l.down[0]*u[0] - l.down[1]*u[1]) * l.inverse
	l.delta = [3]float64{u[0] + l.e[1]*spin, u[1] - l.e[0]*spin, spin}
	l.f[0], l.f[1] = l.f[0]+f[0], l.f[1]+f[1]
}

// solve sets delta of a body that hangs on nothing, D⁻¹b.
func (l *pinned) solve() {
	d := &l.d
	m := [9]float64{
		d[4]*d[8] - d[5]*d[7], d[2]*d[7] - d[1]*d[8], d[1]*d[5] - d[2]*d[4],
		d[5]*d[6] - d[3]*d[8], d[0]*d[8] - d[2]*d[6], d[2]*d[3] - d[0]*d[5],
		d[3]*d[7] - d[4]*d[6], d[1]*d[6] - d[0]*d[7], d[0]*d[4] - d[1]*d[3],
	}
	f := 1 / (d[0]*m[0] + d[1]*m[3] + d[2]*m[6])
	for k := range l.delta {
		l.delta[k] = f * (m[3*k]*l.b[0] + m[3*k+1]*l.b[1] + m[3*k+2]*l.b[2])
	}
}

// changed is what changeOf measures; NaN is no small change.
func (l *pinned) changed() float64 {
	most, size := 0.0, l.size
	for k, d := range l.delta {
		if k == 2 {
			d *= l.reach
		}
		if d = math.Abs(d); !(d <= most) {
			most = d
		}
	}
	for k, w := range l.w {
		if k == 2 {
			w *= l.reach
		}
		if w = math.Abs(w); w > size {
			size = w
		}
	}
	return most / size
}

// measure sets what speeds of the body are compared with besides the present ones.
func (l *pinned) measure(reach float64) {
	if l.reach = reach; !(reach > 0) {
		l.reach = 1
	}
	l.size = max(math.SmallestNonzeroFloat64, math.Abs(l.v0[0]), math.Abs(l.v0[1]), l.reach*math.Abs(l.v0[2]),
		math.Abs(l.k[0])/l.mass, math.Abs(l.k[1])/l.mass, l.reach*math.Abs(l.k[2])/l.moment)
}

// end gives the solution to the stepper; false if a body turns too far in the step, see farTurn.
func (x *pins) end(s *mechanics, h float64) bool {
	for i := range x.list {
		if l := &x.list[i]; s.model.Chorded[l.body] && math.Abs(h*(l.w[2]-l.v0[2])) > secantTurn {
			return false
		}
	}
	for i := range x.list {
		l := &x.list[i]
		copy(s.w[l.v:l.v+l.n], l.w[:])
		if l.on == onNothing {
			continue
		}
		bands := s.inv[l.comp].Bands[l.row : l.row+2]
		bands[0].Impulse, bands[1].Impulse = l.sign*l.f[0], l.sign*l.f[1]
	}
	return true
}

// endImpulses sets joint to Gᵀc, M̃(v' − v) − k̃, and the reactions.
func (x *pins) endImpulses(s *mechanics, h float64) {
	for i := range x.list {
		l := &x.list[i]
		if !l.tied {
			continue
		}
		for k := range l.k {
			m := l.mass
			if k == 2 {
				m = l.moment
			}
			s.joint[l.v+k] = s.alpha*m*(s.vEnd[l.v+k]-s.v[l.v+k]) - l.k[k]
		}
	}
	for c := range s.inv {
		if s.inv[c].M > 0 {
			s.react(c, h)
		}
	}
}
