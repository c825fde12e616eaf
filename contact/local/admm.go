package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// admmOptions are the numbers of the alternating direction method.
type admmOptions struct {
	relax   float64 // over-relaxation
	start   float64 // ρ over the unit diagonal of W
	period  int     // iterations between looks at ρ
	balance float64 // imbalance of the residuals at which ρ moves
	least   float64 // bounds of ρ
	most    float64
}

// admmDefault are the values of all solves.
var admmDefault = admmOptions{
	relax:   1.6,
	start:   0.1,
	period:  20,
	balance: 5.0,
	least:   1e-5,
	most:    1e5,
}

const admmName = "admm"

// admm solves a [form.Local] problem by the alternating direction method of
// multipliers with the de Saxcé term updated in every iteration [Kanno14,
// Tasora21]:
//
//	x = (W + ρI)⁻¹(ρ(y − w) − q − g e_N),   y = P_K(x + w),   w += x − y,
//
// where −ρw = u + g e_N at the solution, so that g follows from w_T. One
// factorisation serves as long as ρ stays; an iteration costs two triangular
// solves. For the associated laws it converges for every W ⪰ 0.
func (s *localRun) admm(limit int) form.Status {
	ws := s.ws
	lu := ws.factors(s.ctx)
	if lu == nil {
		return form.Canceled
	}
	// Names: x in ws.d, y in ws.r, w in ws.f.
	rho := admmDefault.start
	s.admmFactor(lu, rho)
	ws.admmBegin(rho)
	for k := 1; k <= limit; k++ {
		ws.admmSolve(lu, rho)
		primal, dual := ws.admmProject(rho)
		status, stop := s.step(admmName, max(primal, dual), 1)
		if num.Bad(primal) {
			return form.NumericalFailure
		}
		if primal+dual <= s.tol || k%admmDefault.period == 0 || k == limit || stop {
			if s.evaluate() <= s.tol {
				return form.Converged
			}
		}
		if stop {
			return status
		}
		if k%admmDefault.period == 0 {
			if next := admmNext(rho, primal, dual); next != rho {
				for j := range ws.f {
					for i := range 3 {
						ws.f[j][i] *= rho / next
					}
				}
				rho = next
				s.admmFactor(lu, rho)
			}
		}
	}
	return form.IterationLimit
}

// admmBegin sets w of the reactions at hand.
func (ws *Workspace) admmBegin(rho float64) {
	c := &ws.c
	c.Velocity(ws.u, ws.r)
	for j, u := range ws.u {
		g := c.Correction(j, &u)
		ws.f[j] = vec3{-(u[0] + g) / rho, -u[1] / rho, -u[2] / rho}
	}
}

// admmNext balances the residuals.
func admmNext(rho, primal, dual float64) float64 {
	ratio := math.Sqrt(primal / max(dual, math.SmallestNonzeroFloat64))
	if ratio > admmDefault.balance || ratio < 1/admmDefault.balance {
		return min(max(rho*ratio, admmDefault.least), admmDefault.most)
	}
	return rho
}

func (s *localRun) admmFactor(lu *block.LU, rho float64) {
	for j := range s.ws.b {
		s.ws.b[j] = mat3{rho, 0, 0, 0, rho, 0, 0, 0, rho}
	}
	lu.Factor(s.ctx, &s.c.Scaled, nil, s.ws.b)
	s.factors++
}

func (ws *Workspace) admmSolve(lu *block.LU, rho float64) {
	c := &ws.c
	for j := range ws.d {
		y, w, q := &ws.r[j], &ws.f[j], &c.Q[j]
		u := vec3{1: -rho * w[1], 2: -rho * w[2]} // g is of the tangents
		g := c.Correction(j, &u)
		ws.d[j] = vec3{rho*(y[0]-w[0]) - q[0] - g, rho*(y[1]-w[1]) - q[1], rho*(y[2]-w[2]) - q[2]}
	}
	lu.Solve(ws.d)
}

// admmProject updates y and w and returns ‖x − y‖ and ρ‖Δy‖.
func (ws *Workspace) admmProject(rho float64) (primal, dual float64) {
	c := &ws.c
	for j := range ws.d {
		x, y, w := &ws.d[j], &ws.r[j], &ws.f[j]
		var p vec3
		for i := range 3 {
			primal += (x[i] - y[i]) * (x[i] - y[i])
			p[i] = admmDefault.relax*x[i] + (1-admmDefault.relax)*y[i] + w[i]
		}
		old := *y
		c.Project(j, y, nil, &p)
		for i := range 3 {
			w[i] = p[i] - y[i]
			dual += (y[i] - old[i]) * (y[i] - old[i])
		}
	}
	return math.Sqrt(primal), rho * math.Sqrt(dual)
}
