package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// terms say which matrix a component needs.
type terms struct {
	h, alpha, gamma float64 // h = 0: M alone
}

// bodyBlocks sets the blocks of A to M + αh·drag with the Coriolis terms: αdN/dw of the secant
// scheme, or M − αhF with F = [Iω]×, which is skew.
func (s *mechanics) bodyBlocks(comp *multibody.Component, inv *multibody.Inverse, x terms) {
	drag := x.alpha * x.h
	if s.o.Jacobians == multibody.NoJacobians {
		drag = 0
	}
	for i, b := range comp.Bodies {
		p, k := &s.model.Bodies[b], &inv.Blocks[i]
		n := p.N
		turned := s.secant(x) && k.Turned
		k.Full = x.h > 0 && p.Gyro && s.spinning(p) || turned && s.model.Dim == 3
		clear(k.A[:n*n]) // the tree takes all of it
		if k.Full {
			s.spinBlock(p, k, x)
		}
		for d := range n {
			e := &k.A[d*n+d]
			switch {
			case d < s.model.Dim:
				*e = p.Mass + drag*p.Drag[0]
				if s.secant(x) {
					*e += x.alpha * k.Pull
				}
			case k.Full:
				*e += drag * p.Drag[1]
			default:
				*e = s.model.Moment(p, d) + drag*p.Drag[1]
				if turned {
					*e += x.alpha * k.Geo[8]
				}
			}
		}
	}
}

// spinBlock sets the block of the spins of a body.
func (s *mechanics) spinBlock(p *multibody.Place, k *multibody.Block, x terms) {
	var t [9]float64
	switch {
	case s.o.Scheme == Secant && p.Gyro:
		p.SpinTangent(&t, p.SpinOf(s.v), p.SpinOf(s.w), x.h, x.alpha)
		for i := range t {
			t[i] *= x.alpha
		}
	case s.o.Scheme == Secant:
		for i := range 3 {
			t[4*i] = p.Moments[i]
		}
	default:
		l := p.Momentum(p.SpinOf(s.v))
		multibody.Second(&t, l, 0, -x.alpha*x.h, 0)
		for i := range 3 {
			t[4*i] += p.Moments[i]
		}
	}
	if k.Turned { // in the secant scheme only
		for i := range t {
			t[i] += x.alpha * k.Geo[i]
		}
	}
	for r := range 3 {
		copy(k.A[(3+r)*k.N+3:(3+r)*k.N+6], t[3*r:3*r+3])
	}
}

// masses sets m to the diagonal of M.
func (s *mechanics) masses(comp *multibody.Component, inv *multibody.Inverse) {
	if inv.M == 0 {
		return
	}
	for _, b := range comp.Bodies {
		p := &s.model.Bodies[b]
		for k := range p.N {
			inv.Mass[p.Local+k] = s.model.Inertia(p, k)
		}
	}
}

// full sets A to its blocks − αhk̃_v − αγh²k̃_q.
func (s *mechanics) full(comp *multibody.Component, inv *multibody.Inverse, x terms) {
	if inv.Coupled == nil {
		inv.Coupled = &multibody.DenseInverse{}
	}
	inv.Dense = inv.Coupled
	n := inv.N
	a := grow(inv.Dense.A, n*n)
	inv.Dense.A = a
	clear(a)
	for i := range inv.Blocks {
		b := &inv.Blocks[i]
		for r := range b.N {
			for c := range b.N {
				if r == c || b.Full {
					a[(b.V+r)*n+b.V+c] = b.A[r*b.N+c]
				}
			}
		}
	}
	ah := x.alpha * x.h
	for _, i := range comp.Forces {
		k := &s.tangents[i]
		for r, row := range k.local {
			for c, col := range k.local {
				e := r*len(k.at) + c
				a[row*n+col] -= ah*k.v[e] + ah*x.gamma*x.h*k.q[e]
			}
		}
	}
}

// jointRows evaluates Θ and G at the given poses. Moments are on the axes that bodies have at the
// beginning of a step.
func (s *mechanics) jointRows(comp *multibody.Component, inv *multibody.Inverse, poses []bodies.Pose) {
	for k, i := range comp.Rows {
		r, x := &s.model.Rows[i], &inv.Bands[k]
		x.Theta, x.Lever = r.Gradient(poses)
		s.rowOf(&x.OnA, &x.OnB, r, &x.Lever)
		x.OfA, x.OfB = x.OnA, x.OnB
	}
}

// rowOf sets a row on the velocities of both bodies of a joint.
func (s *mechanics) rowOf(onA, onB *[6]float64, r *multibody.Row, l *multibody.Lever) {
	*onA, *onB = [6]float64{}, [6]float64{}
	s.model.Put(onA[:], 1, r.A, &s.poses[r.A], 1, &l.Lin, &l.AngA)
	if r.B >= 0 {
		minus := vec3.Scale(l.Lin, -1)
		s.model.Put(onB[:], 1, r.B, &s.poses[r.B], 1, &minus, &l.VB)
	}
}

// tilt sets G̃ = ∂(Ḡw)/∂w in a step of length h: as hḠw = Θ(q') − Θ(q), the rows are the gradients of
// Θ at the end. There Cayley's transform, a = hω/2, turns a body by
//
//	h/(1 + ‖a‖²) (I + â) δω
//
// on the axes of the beginning.
func (s *mechanics) tilt(comp *multibody.Component, inv *multibody.Inverse, h float64) {
	for k, i := range comp.Rows {
		r, x := &s.model.Rows[i], &inv.Bands[k]
		_, l := r.Gradient(s.ended)
		if l.Steady {
			continue
		}
		s.rowOf(&x.OfA, &x.OfB, r, &l)
		s.tiltSpin(&x.OfA, r.A, h)
		if r.B >= 0 {
			s.tiltSpin(&x.OfB, r.B, h)
		}
	}
}

// tiltSpin overwrites the moment m of a row on a body by (I − â)m/(1 + ‖a‖²).
func (s *mechanics) tiltSpin(row *[6]float64, body int, h float64) {
	p := &s.model.Bodies[body]
	if !p.Spins {
		return
	}
	if s.model.Dim == 2 {
		a := 0.5 * h * s.w[p.V+2]
		row[2] /= 1 + a*a
		return
	}
	a, m := vec3.Scale(p.SpinOf(s.w), 0.5*h), vec{row[3], row[4], row[5]}
	f := 1 / (1 + vec3.Dot(a, a))
	for i, x := range vec3.Cross(a, m) {
		row[3+i] = f * (m[i] - x)
	}
}
