package elastic

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/sparse"
)

// start sets u, v and a at t = 0: u_c = q(0, u_*), v_c = 0, and the acceleration
// of M_* a = L − A u + r with the friction r_T of the initial velocities, so that
// (50) holds from the start. With the standard mass u is taken as given.
func (s *Stepper) start(ctx context.Context) error {
	a, now := s.a, &s.now
	copy(now.U, a.model.U0)
	copy(now.V, a.model.V0)
	a.toLocal(now.U)
	a.toLocal(now.V)
	for k, i := range a.split.Fixed {
		now.U[i], now.V[i] = a.fixed[k].At(0), a.fixed[k].Rate(0)
	}
	lambda := make([]float64, len(a.normal))
	if a.model.Inertia == Standard {
		for k, n := range a.normal {
			if gap := a.gapAt(k, 0); now.U[n]+gap < 0 {
				return fmt.Errorf("node %d starts %g m inside its obstacle", n/a.dim, -now.U[n]-gap)
			}
		}
	} else {
		for _, n := range a.massless {
			now.V[n] = 0
		}
		if err := s.obstacle.solve(ctx, now.U, lambda, 0, 0); err != nil {
			return err
		}
	}
	a.load(s.loadNow, 0)
	a.elastic(s.work, now.U)
	for i, l := range s.loadNow {
		s.work[i] = l - s.work[i]
	}
	s.scale = infNorm(s.work)
	return s.startAcceleration(ctx, lambda)
}

// startAcceleration solves M_* a = L − A u + H r for a: sliding contacts have
// the friction force μλ_c against their velocity, those at rest whatever keeps
// them at rest within μλ_c. That is a Tresca problem in the acceleration.
func (s *Stepper) startAcceleration(ctx context.Context, lambda []float64) error {
	a, now := s.a, &s.now
	m, coupling := a.split.Restrict(s.massWithNormals())
	p := contact.Global{M: m, F: a.split.Gather(nil, s.work), H: a.jacobian()}
	coupling.SubMul(p.F, make([]float64, len(a.split.Fixed))) // prescribed dofs start without acceleration
	dim := p.H.Dim
	p.W = make([]float64, dim*len(lambda))
	free := fastest(m, p.F)
	if a.model.Inertia != Standard { // normal accelerations do not exist
		for _, n := range a.massless {
			p.F[a.split.Index[n]] = 0
		}
	}
	for k, n := range a.normal {
		r := now.R[dim*k : dim*k+dim]
		r[0] = lambda[k]
		with := s.obstacleAcceleration(k)
		switch {
		case a.model.Inertia != Standard:
			p.W[dim*k] = 1
		case now.U[n]+a.gapAt(k, 0) > 0 || now.V[n] != a.speed(k, 0)[a.dim-1]:
			p.W[dim*k] = free // not in contact, or about to be
		default:
			p.W[dim*k] = -with[a.dim-1]
		}
		for c, x := range with[:a.dim-1] {
			p.W[dim*k+1+c] = -x
		}
		law := contact.Tresca{Threshold: a.model.muAt(k, now, 0) * lambda[k]}
		if s.slides(k, r) {
			law.Threshold = 0
			for c := range a.dim - 1 {
				p.F[a.split.Index[n-a.dim+1+c]] += r[1+c]
			}
		}
		p.Laws = append(p.Laws, law)
	}
	var ws contact.GlobalWorkspace
	var res contact.Result
	if err := contact.SolveConvex(ctx, &p, s.scale, &contact.Options{}, &ws, &res); err != nil {
		return fmt.Errorf("initial acceleration: %w", err)
	}
	a.split.Scatter(now.A, res.V)
	for k := range lambda {
		for c := 1; c < a.dim; c++ {
			now.R[dim*k+c] += res.R[dim*k+c]
		}
		if a.model.Inertia == Standard {
			now.R[dim*k] = res.R[dim*k] // of a node that rests on its obstacle
		}
	}
	if a.model.Inertia != Standard {
		for _, n := range a.massless {
			now.A[n] = 0
		}
	}
	return nil
}

// obstacleAcceleration is the acceleration of the obstacle of contact k at the start, over a step
// [m/s²].
func (s *Stepper) obstacleAcceleration(k int) (x [3]float64) {
	if s.a.motion(k) == nil {
		return x
	}
	from, to := s.a.speed(k, 0), s.a.speed(k, s.opt.Step)
	for i := range x {
		x[i] = (to[i] - from[i]) / s.opt.Step
	}
	return x
}

// fastest bounds the accelerations M⁻¹f: the least eigenvalue of a mass matrix of
// simplices is at least its least diagonal entry over dim + 2 <= 5.
func fastest(m *sparse.Sym, f []float64) float64 {
	least := math.Inf(1)
	for c := range m.N {
		least = min(least, m.Val[m.Ptr[c]])
	}
	return 1 + 5*math.Sqrt(dot(f, f))/least
}

// slides reports whether contact k moves along its obstacle, and stores the
// friction force of that motion in r, beside the normal one.
func (s *Stepper) slides(k int, r []float64) bool {
	v := s.a.slipAt(&s.now, k)
	speed := math.Hypot(v[0], v[1])
	if speed == 0 {
		return false
	}
	limit := s.a.model.muAt(k, &s.now, speed) * r[0]
	for c := range s.a.dim - 1 {
		r[1+c] = -limit * v[c] / speed
	}
	return true
}

// massWithNormals returns M_* with some mass in the normal components that have
// none, so that it can be factorised; they take no part.
func (s *Stepper) massWithNormals() *sparse.Sym {
	a := s.a
	if a.model.Inertia == Standard {
		return a.mass
	}
	m := combine(1, a.mass, 0, a.mass)
	mean := 0.0
	for c := range m.N {
		mean += m.Val[m.Ptr[c]] / float64(m.N)
	}
	for _, n := range a.massless {
		m.Val[m.Ptr[n]] = mean
	}
	return m
}
