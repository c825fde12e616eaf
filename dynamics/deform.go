package dynamics

// deform sets δ' and s of all patches from their forces, (17) of [Pang05]:
//
//	δ' = δ + h(hK + C)⁻¹(λ − Kδ),   s = W v^θ − s₀ + (δ' − δ)/h,
//
// s₀ the speed of what they touch, see [Driven].
// next.Delta holds δ on entry. Patches that have lost their contact relax.
func (s *Stepper) deform(h float64) {
	live := s.dim * s.contacts.elements()
	slip := s.next.Slip
	clear(slip)
	s.contacts.relative(slip[:live], s.mean)
	for i, p := range s.patches {
		if p.k == nil {
			continue
		}
		first, last := s.next.Ptr[i], s.next.Ptr[i+1]
		viscous, stored := s.deformPatch(p, h, s.next.Delta[first:last], s.next.Lambda[first:last], slip[first:last])
		s.step.Energy.Viscous += viscous
		s.step.Energy.Stored += stored
		s.partition.lost[s.partition.home[i]] += viscous
		s.partition.taken[s.partition.home[i]] += viscous
		s.partition.stored[s.partition.home[i]] += stored
	}
	s.boundSlip()
	s.count()
}

// deformPatch returns what its dampers took and what its springs store [J].
func (s *Stepper) deformPatch(p *Patch, h float64, delta, lambda, slip []float64) (viscous, stored float64) {
	n := len(delta)
	s.rates = s.rates[:0]
	for r := range n { // δ̇ = (hK + C)⁻¹(λ − Kδ) first: slip has W v^θ already
		d := 0.0
		e, k := p.eInv[r*n:r*n+n], p.relax[r*n:r*n+n]
		for c := range n {
			d += e[c]*lambda[c] - k[c]*delta[c]
		}
		slip[r] += d
		s.rates = append(s.rates, d)
	}
	for r := range n {
		delta[r] += h * s.rates[r]
	}
	return h * quadratic(p.c, s.rates), 0.5 * quadratic(p.k, delta)
}

// quadratic returns xᵀ A x.
func quadratic(a, x []float64) float64 {
	n, sum := len(x), 0.0
	for i, v := range x {
		row := a[i*n : i*n+n]
		s := 0.0
		for j, w := range x {
			s += row[j] * w
		}
		sum += v * s
	}
	return sum
}

// count classifies the elements: open, stick and slide. An element slides if
// its friction is at its bound and its tangential speed more than what the
// residual of the contact problem can make of a speed of zero.
func (s *Stepper) count() {
	dim := s.dim
	s.states = s.states[:0]
	for e := range s.contacts.elements() {
		lambda, u := s.next.Lambda[dim*e:dim*e+dim], s.next.Slip[dim*e:dim*e+dim]
		state := Stick
		if lambda[0] <= 0 {
			state = Open
		} else if slides(u, s.solver.limit) && s.atBound(e, lambda) && !(s.bySlip && s.solver.rests(e, slipOf(u))) {
			state = Slide
		}
		s.states = append(s.states, state)
		s.step.counts[state]++
	}
	s.step.Contacts = s.states
	s.step.Open, s.step.Stick, s.step.Slide = s.step.counts[Open], s.step.counts[Stick], s.step.counts[Slide]
}

// atBound reports whether a little more tangential force would leave the set of
// admissible forces.
func (s *Stepper) atBound(e int, lambda []float64) bool {
	of, margin := &s.contacts.patches[s.local.owner[e]], boundMargin
	if of.patch.slip != nil {
		margin = slideMargin // its bound is that of a search
	}
	p := &s.solver.one.r
	*p = [3]float64{}
	copy(p[:], lambda)
	p[1] *= 1 + margin
	p[2] *= 1 + margin
	more := *p
	s.contacts.lawOf(of, e).Project(p, nil, p)
	return *p != more
}

// boundMargin is the relative accuracy of the forces.
const boundMargin = 1e-9

// slideSpeed is relative to the largest free speed of the step: the contact
// problems are solved to 1e-10, and slip ends in a step, not gradually.
const slideSpeed = 1e-7

func slides(u []float64, limit float64) bool {
	for _, x := range u[1:] {
		if abs(x) > limit {
			return true
		}
	}
	return false
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}
