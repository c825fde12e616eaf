package elastic

import (
	"context"
	"math"
)

// central is the semi-explicit scheme: central differences in the form of
// velocity Verlet, with the lumped modified mass,
//
//	u_*^{n+1} = u_*^n + Δt v_*^n + Δt²/2 a_*^n,   u_c^{n+1} = q(t_{n+1}, u_*^{n+1}),
//	M_* a^{n+1} = L − A u^{n+1} + r_T,            v^{n+1} = v^n + Δt/2 (a^n + a^{n+1}),
//
// where friction r_T is implicit in v^{n+1} node by node, since M_* is diagonal.
type central struct {
	mass             []float64 // diagonal of M_*
	stable, unstable float64   // see Certificate [s]
	balance          CentralBalance
	force            []float64
	lambda           []float64
}

func newCentral(ctx context.Context, a *assembly, dt float64) (*central, error) {
	c := &central{mass: make([]float64, a.mass.N), force: make([]float64, a.mass.N), lambda: make([]float64, len(a.normal))}
	c.balance.Move = make([]float64, a.mass.N)
	for i := range c.mass {
		c.mass[i] = a.mass.Val[a.mass.Ptr[i]]
	}
	c.limits(ctx, a)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if dt > c.unstable*(1+limitRounding) {
		return nil, invalidOption("step", "central differences are unstable at Δt = %.6g s: the highest frequency of the mesh is at least %.6g rad/s, want Δt <= 2/ω = %.6g s, or the scheme \"trapezoidal\"",
			dt, 2/c.unstable, c.unstable)
	}
	return c, nil
}

// limitRounding: at CFL 1 the step equals the limit of a bar, up to the rounding
// of eigenvalues.
const limitRounding = 1e-9

// limits sets the steps up to which the scheme is stable and above which it is
// not, Δt ω ≤ 2, with ω² the largest eigenvalue of M_*⁻¹A_** over the dofs that
// have a mass and are not prescribed: contacts that open, where u_c gives way, lower it.
func (c *central) limits(ctx context.Context, a *assembly) {
	moves := make([]bool, len(c.mass))
	for _, i := range a.split.Free {
		moves[i] = c.mass[i] > 0
	}
	sums, m := make([]float64, len(c.mass)), a.stiffness
	for j := range m.N {
		for k := m.Ptr[j]; k < m.Ptr[j+1]; k++ {
			if i := m.Row[k]; moves[i] && moves[j] {
				sums[i] += math.Abs(m.Val[k])
				if i != j {
					sums[j] += math.Abs(m.Val[k])
				}
			}
		}
	}
	gershgorin, n := 0.0, 0
	for i, sum := range sums {
		if moves[i] {
			gershgorin = max(gershgorin, sum/c.mass[i])
			n++
		}
	}
	if n == 0 {
		c.stable, c.unstable = math.Inf(1), math.Inf(1)
		return
	}
	free := make([]float64, len(c.mass))
	ritz, _ := lanczos(ctx, len(c.mass), func(dst, x []float64) {
		for i, v := range x {
			free[i] = 0
			if moves[i] {
				free[i] = v
			}
		}
		m.MulVec(dst, free)
		for i := range dst {
			if moves[i] {
				dst[i] /= c.mass[i]
			}
		}
	}, func(x, y []float64) float64 {
		sum := 0.0
		for i, v := range x {
			if moves[i] {
				sum += c.mass[i] * v * y[i]
			}
		}
		return sum
	})
	c.stable, c.unstable = 2/math.Sqrt(gershgorin), 2/math.Sqrt(ritz)
}

func (c *central) step(ctx context.Context, s *Stepper, next *State) error {
	a, now, dt := s.a, &s.now, s.opt.Step
	for i, u := range now.U {
		next.U[i] = u + dt*now.V[i] + 0.5*dt*dt*now.A[i]
	}
	for k, i := range a.split.Fixed {
		next.U[i] = a.fixed[k].At(next.T)
	}
	if err := s.obstacle.solve(ctx, next.U, c.lambda, next.T, s.scale); err != nil {
		return err
	}
	s.stats.Iterations, s.stats.Residual, s.stats.Solver = s.obstacle.res.Iterations, s.obstacle.res.Merit, "obstacle problem"
	a.load(c.force, next.T)
	a.elastic(s.work, next.U)
	for i, m := range c.mass {
		next.A[i], next.V[i] = 0, 0
		if m > 0 {
			next.A[i] = (c.force[i] - s.work[i]) / m
			next.V[i] = now.V[i] + 0.5*dt*(now.A[i]+next.A[i])
		}
	}
	for k, i := range a.split.Fixed {
		next.V[i], next.A[i] = a.fixed[k].Rate(next.T), 0
	}
	for k := range a.normal {
		c.friction(s, next, k, 0.5*dt)
	}
	return nil
}

// friction finds the force on contact k that belongs to its velocity at the end
// of a half step, given next.V and next.A without friction.
func (c *central) friction(s *Stepper, next *State, k int, half float64) {
	a := s.a
	dim := max(a.dim, 2)
	r := next.R[dim*k : dim*k+dim]
	clear(r)
	r[0] = c.lambda[k]
	first := a.normal[k] - a.dim + 1
	limit, speed := a.model.mu(k)*r[0], 0.0
	for _, v := range next.V[first:a.normal[k]] {
		speed = math.Hypot(speed, v)
	}
	if limit == 0 || speed == 0 {
		return
	}
	m := c.mass[first] // the same for all components of a node
	needed := m * speed / half
	share := min(limit/needed, 1)
	for d := range a.dim - 1 {
		i := first + d
		force := -share * m * next.V[i] / half
		r[1+d] = force
		next.A[i] += force / m
		next.V[i] *= 1 - share
	}
}
