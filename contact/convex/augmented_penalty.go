package convex

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// penalties sets ρ_j = newtonDefault.penaltyFactor times the stiffness that the rows of
// contact j see, from the diagonal of M.
func (ws *Workspace) penalties(p *form.Global) {
	h, largest := p.H, 0.0
	for j := range ws.rho {
		k := 0.0
		for c := range h.Dim {
			num, den := 0.0, 0.0
			for a := h.Ptr[j]; a < h.Ptr[j+1]; a++ {
				x := h.Val[h.Dim*a+c]
				num += x * x * p.M.Val[p.M.Ptr[h.Row[a]]]
				den += x * x
			}
			if den > 0 {
				k = max(k, num/(den*den))
			}
		}
		ws.rho[j] = newtonDefault.penaltyFactor * k
		largest = max(largest, k)
	}
	if largest == 0 {
		largest = 1
	}
	for j := range ws.rho {
		if !(ws.rho[j] > 1e-8*newtonDefault.penaltyFactor*largest) { // no stiffness of its own: borrow
			ws.rho[j] = newtonDefault.penaltyFactor * largest
		}
	}
}

// updateMultipliers takes r for r̄. The penalty grows again after newtonDefault.relief, and
// beyond its usual value where the multipliers converge slowly: at a wedge of
// contacts that barely has reactions they are very large.
func (s *augmented) updateMultipliers() {
	copy(s.ws.rBar, s.ws.r)
	if s.relieved > 0 || s.relieved > -2 && s.step > newtonDefault.slowUpdate*s.lastStep {
		s.relieved--
		s.ws.scalePenalties(newtonDefault.relief)
	}
	s.lastStep = s.step
	s.evaluate()
}

// relieve lowers the penalty after two short steps in a row.
func (s *augmented) relieve(alpha float64) {
	if alpha >= newtonDefault.shortStep {
		s.short = 0
		return
	}
	if s.short++; s.short >= 2 && s.relieved < 2 {
		s.short = 0
		s.relieved++
		s.ws.scalePenalties(1. / newtonDefault.relief)
	}
}

// scalePenalties multiplies all ρ_j; what is factorised no longer fits.
func (ws *Workspace) scalePenalties(factor float64) {
	for j := range ws.rho {
		ws.rho[j] *= factor
	}
	ws.forget()
}

// dualRoundoff returns the relative size of the errors in ∇φ, at most: those
// of the sums Mv.
func (s *augmented) dualRoundoff() float64 {
	if s.dual > newtonDefault.nearby {
		return 0
	}
	m, y := s.p.M, s.ws.work
	clear(y)
	for c := range m.N {
		for k := m.Ptr[c]; k < m.Ptr[c+1]; k++ {
			i, a := m.Row[k], math.Abs(m.Val[k])
			y[i] += a * math.Abs(s.ws.v[c])
			if i != c {
				y[c] += a * math.Abs(s.ws.v[i])
			}
		}
	}
	return newtonDefault.roundoffFactor * num.Eps * max(num.InfNorm(y)/s.force, 1)
}

// stepRoundoff is the same for the change of the reactions: ρ times the errors
// in u = Hᵀv + w, at the contacts that carry something.
func (s *augmented) stepRoundoff() float64 {
	if s.step > newtonDefault.nearby {
		return 0
	}
	h, worst := s.p.H, 0.0
	for j, r := range s.ws.r {
		if r == [3]float64{} {
			continue
		}
		size := math.Abs(s.p.W[h.Dim*j])
		for k := h.Ptr[j]; k < h.Ptr[j+1]; k++ {
			c := triple(h, k)
			size += math.Abs(s.ws.v[h.Row[k]]) * max(math.Abs(c[0]), math.Abs(c[1]), math.Abs(c[2]))
		}
		worst = max(worst, s.ws.rho[j]*size)
	}
	return newtonDefault.stepRoundoffFactor * num.Eps * worst / s.force
}
