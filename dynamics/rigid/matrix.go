package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// terms say which matrix a component needs.
type terms struct {
	h, alpha, gamma float64 // h = 0: M alone
}

// bodyBlocks sets the blocks of A to M + αh·drag with the Coriolis terms: αdN/dw
// of the secant scheme, or M − αhF with F = [Iω]×, which is skew.
func (s *mechanics) bodyBlocks(comp *component, inv *inverse, x terms) {
	drag := x.alpha * x.h
	if s.o.Jacobians == NoJacobians {
		drag = 0
	}
	for i, b := range comp.bodies {
		p, k := &s.model.body[b], &inv.blocks[i]
		n := p.n
		turned := s.secant(x) && k.turned
		k.full = x.h > 0 && p.gyro && s.spinning(p) || turned && s.model.dim == 3
		clear(k.a[:n*n]) // the tree takes all of it
		if k.full {
			s.spinBlock(p, k, x)
		}
		for d := range n {
			e := &k.a[d*n+d]
			switch {
			case d < s.model.dim:
				*e = p.mass + drag*p.drag[0]
				if s.secant(x) {
					*e += x.alpha * k.pull
				}
			case k.full:
				*e += drag * p.drag[1]
			default:
				*e = s.model.moment(p, d) + drag*p.drag[1]
				if turned {
					*e += x.alpha * k.geo[8]
				}
			}
		}
	}
}

// spinBlock sets the block of the spins of a body.
func (s *mechanics) spinBlock(p *place, k *block, x terms) {
	var t [9]float64
	switch {
	case s.o.Scheme == Secant && p.gyro:
		p.spinTangent(&t, p.spinOf(s.v), p.spinOf(s.w), x.h, x.alpha)
		for i := range t {
			t[i] *= x.alpha
		}
	case s.o.Scheme == Secant:
		for i := range 3 {
			t[4*i] = p.j[i]
		}
	default:
		l := p.momentum(p.spinOf(s.v))
		second(&t, l, 0, -x.alpha*x.h, 0)
		for i := range 3 {
			t[4*i] += p.j[i]
		}
	}
	if k.turned { // in the secant scheme only
		for i := range t {
			t[i] += x.alpha * k.geo[i]
		}
	}
	for r := range 3 {
		copy(k.a[(3+r)*k.n+3:(3+r)*k.n+6], t[3*r:3*r+3])
	}
}

// masses sets m to the diagonal of M.
func (s *mechanics) masses(comp *component, inv *inverse) {
	if inv.m == 0 {
		return
	}
	for _, b := range comp.bodies {
		p := &s.model.body[b]
		for k := range p.n {
			inv.mass[p.local+k] = s.model.inertia(p, k)
		}
	}
}

func (m *Model) moment(p *place, k int) float64 {
	if m.dim == 2 {
		return p.j[2]
	}
	return p.j[k-3]
}

// full sets A to its blocks − αhk̃_v − αγh²k̃_q.
func (s *mechanics) full(comp *component, inv *inverse, x terms) {
	if inv.coupled == nil {
		inv.coupled = &denseInverse{}
	}
	inv.dense = inv.coupled
	n := inv.n
	a := grow(inv.dense.a, n*n)
	inv.dense.a = a
	clear(a)
	for i := range inv.blocks {
		b := &inv.blocks[i]
		for r := range b.n {
			for c := range b.n {
				if r == c || b.full {
					a[(b.v+r)*n+b.v+c] = b.a[r*b.n+c]
				}
			}
		}
	}
	ah := x.alpha * x.h
	for _, i := range comp.forces {
		k := &s.tangents[i]
		for r, row := range k.local {
			for c, col := range k.local {
				e := r*len(k.at) + c
				a[row*n+col] -= ah*k.v[e] + ah*x.gamma*x.h*k.q[e]
			}
		}
	}
}

// jointRows evaluates Θ and G at the given poses. Moments are on the axes that
// bodies have at the beginning of a step.
func (s *mechanics) jointRows(comp *component, inv *inverse, poses []bodies.Pose) {
	for k, i := range comp.rows {
		r, x := &s.model.rows[i], &inv.bands[k]
		if s.model.dim == 2 && r.kind == rowPinned {
			pa, pb := poseOf(poses, r.a), poseOf(poses, r.b)
			x.theta = along(pa, &r.pa, r.axis) - along(pb, &r.pb, r.axis)
			x.lever = lever{}
			x.lever.lin[r.axis] = 1
			x.pin(r, pa, pb)
			x.lever.angA[2], x.lever.vB[2] = x.onA[2], x.onB[2]
			x.ofA, x.ofB = x.onA, x.onB
			continue
		}
		theta, l := r.gradient(s.model, poses, s.q)
		x.theta, x.lever = theta, l
		x.onA = [6]float64{}
		s.model.put(x.onA[:], 1, r.a, &s.poses[r.a], 1, &l.lin, &l.angA)
		if r.b >= 0 {
			minus := vec3.Scale(l.lin, -1)
			x.onB = [6]float64{}
			s.model.put(x.onB[:], 1, r.b, &s.poses[r.b], 1, &minus, &l.vB)
		}
		x.ofA, x.ofB = x.onA, x.onB
	}
}

// pin sets the row of a pin in the plane.
func (b *band) pin(r *row, pa, pb *bodies.Pose) {
	b.onA, b.onB = [6]float64{}, [6]float64{}
	b.onA[r.axis], b.onB[r.axis] = 1, -1
	b.onA[2], b.onB[2] = b.arms(r, pa, pb)
}

// arms are the moments of the row of a pin in the plane: of e_x at r about the centre −r_y, of
// e_y r_x.
func (b *band) arms(r *row, pa, pb *bodies.Pose) (onA, onB float64) {
	other, sign := 1-r.axis, float64(2*r.axis-1)
	if b.na == 3 {
		onA = sign * (along(pa, &r.pa, other) - pa.Centre[other])
	}
	if b.nb == 3 {
		onB = -sign * (along(pb, &r.pb, other) - pb.Centre[other])
	}
	return onA, onB
}

// tilt sets G̃ = ∂(Ḡw)/∂w in a step of length h: as hḠw = Θ(q') − Θ(q), the rows are the
// gradients of Θ at the end. There Cayley's transform, a = hω/2, turns a body by
//
//	h/(1 + ‖a‖²) (I + â) δω
//
// on the axes of the beginning.
func (s *mechanics) tilt(comp *component, inv *inverse, h float64) {
	for k, i := range comp.rows {
		r, x := &s.model.rows[i], &inv.bands[k]
		if r.kind == rowHeading { // Ḡ is constant
			continue
		}
		if s.model.dim == 2 && r.kind == rowPinned {
			x.ofA[2], x.ofB[2] = x.arms(r, poseOf(s.ended, r.a), poseOf(s.ended, r.b))
			s.tiltSpin(&x.ofA, r.a, h)
			if r.b >= 0 {
				s.tiltSpin(&x.ofB, r.b, h)
			}
			continue
		}
		_, l := r.gradient(s.model, s.ended, s.q)
		x.ofA = [6]float64{}
		s.model.put(x.ofA[:], 1, r.a, &s.poses[r.a], 1, &l.lin, &l.angA)
		s.tiltSpin(&x.ofA, r.a, h)
		if r.b >= 0 {
			minus := vec3.Scale(l.lin, -1)
			x.ofB = [6]float64{}
			s.model.put(x.ofB[:], 1, r.b, &s.poses[r.b], 1, &minus, &l.vB)
			s.tiltSpin(&x.ofB, r.b, h)
		}
	}
}

// tiltSpin overwrites the moment m of a row on a body by (I − â)m/(1 + ‖a‖²).
func (s *mechanics) tiltSpin(row *[6]float64, body int, h float64) {
	p := &s.model.body[body]
	if !p.spins {
		return
	}
	if s.model.dim == 2 {
		a := 0.5 * h * s.w[p.v+2]
		row[2] /= 1 + a*a
		return
	}
	a, m := vec3.Scale(p.spinOf(s.w), 0.5*h), vec{row[3], row[4], row[5]}
	f := 1 / (1 + vec3.Dot(a, a))
	for i, x := range vec3.Cross(a, m) {
		row[3+i] = f * (m[i] - x)
	}
}
