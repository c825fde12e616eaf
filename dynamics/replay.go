package dynamics

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// Finding says how far a step that was made before is from the equations of the
// scheme; see [Stepper.Replay].
type Finding struct {
	// Path is the largest error of q' = q + h G(q)v^θ, at coordinate PathAt; Motion that
	// of M(q)(v' − v) = h f + h Wᵀλ, as a velocity, at velocity MotionAt.
	Path, Motion     float64
	PathAt, MotionAt int
	// Speed is the size of the velocities that an error is compared with: the largest of
	// v, v' and hM⁻¹f, each body for itself where M is.
	Speed []float64
	// Law is the largest natural residual of an element, λ = P_K(λ − ρ(s + …)), over the
	// largest force of the step, or over what the speeds of the patch are worth as forces:
	// that λ is in its cone, gaps and forces are complementary, friction is maximal
	// dissipation, and stick is at rest. At element LawElement of the patch LawKey.
	Law                float64
	LawKey, LawElement int
	// Cone is the largest distance of λ to its cone, over the same size, of ConeElement.
	Cone                 float64
	ConeKey, ConeElement int
	// Unknown marks velocities of bodies on which a force is not known.
	Unknown []bool
}

// Replay advances by h, in a step with a θ, to a state (q, v) at a time t that are given, with the contact forces λ of
// the step given too, and says how far these are from the scheme. It solves nothing:
// deformations of the patches and the ledger follow from λ alone. lambda returns the
// forces of a patch, dim entries for each element; nil: they are not known, then
// nothing is said about the bodies of that patch.
func (s *Stepper) Replay(h, t, theta float64, q, v []float64, lambda func(key int) []float64) (*Finding, error) {
	if len(q) != s.nq || len(v) != s.nv {
		return nil, fmt.Errorf("dynamics: Replay with %d coordinates and %d velocities, want %d and %d", len(q), len(v), s.nq, s.nv)
	}
	if err := s.begin(h, theta); err != nil {
		return nil, err
	}
	s.next.T, s.nextLost = t, 0
	f := &Finding{Speed: make([]float64, s.nv), Unknown: make([]bool, s.nv), LawKey: -1, ConeKey: -1}
	clear(s.next.Lambda)
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		known := lambda(p.key)
		copy(s.next.Lambda[s.dim*p.first:s.dim*p.last], known)
		for k := s.contacts.h.Ptr[p.first]; known == nil && k < s.contacts.h.Ptr[p.last]; k++ {
			f.Unknown[s.contacts.h.Row[k]] = true
		}
	}
	s.equations(f, h, q, v)
	l := &s.local
	l.load(&s.contacts, &s.mass, h*(1-theta))
	s.weigh(s.free, h)
	s.slipLimit()
	s.weigh(v, h)
	gaps := s.openings(h)
	copy(s.next.Q, q)
	copy(s.next.V, v)
	s.holdReplayed()
	s.deform(h)
	s.laws(f, gaps, h)
	s.contactWork(h)
	s.loadWork(h)
	s.dateChanges(h)
	s.exchange()
	s.lost, s.push = s.nextLost, s.local.push
	if err := s.assemble(); err != nil {
		return nil, err
	}
	s.history.keep(&s.now, s.patches, s.partition.home, len(s.patches)-s.ghosts)
	s.timing.keepChanges(h, theta)
	s.step.Index++
	s.step.State = &s.now
	s.balance()
	return f, nil
}

// equations compares q and v with what the forces lead to.
func (s *Stepper) equations(f *Finding, h float64, q, v []float64) {
	if s.o.ImplicitForce {
		s.forceAt(s.f, h, v)
	} else {
		s.force(s.f, s.now.T, h, s.now.Q, s.now.V)
	}
	s.step.Rounds = 1
	for i, x := range s.f {
		s.free[i] = h * x
	}
	s.mass.solve(s.free)
	rounding := make([]float64, s.nv)
	s.forceRounding(rounding, h)
	for i, x := range s.free {
		f.Speed[i] = math.Abs(x)
	}
	for i, x := range s.now.V {
		s.free[i] += x
	}
	s.local.solver = nil
	s.velocities(h) // with λ
	first := s.mass.first
	for b := range len(first) - 1 {
		size := 0.0
		for i := first[b]; i < first[b+1]; i++ {
			size = max(size, f.Speed[i], math.Abs(v[i]), math.Abs(s.now.V[i]), math.Abs(s.next.V[i]-s.free[i]))
		}
		for i := first[b]; i < first[b+1]; i++ {
			f.Speed[i] = size
		}
	}
	worst := -1.0
	for i, x := range s.next.V {
		if e := max(0, math.Abs(v[i]-x)-rounding[i]); !f.Unknown[i] && e > worst*f.Speed[i] {
			f.Motion, f.MotionAt, worst = e, i, e/f.Speed[i]
		}
	}
	s.path(f, h, q, v)
}

// forceRounding adds what the rounding of W gives of velocity by the contact forces of a step of h: its
// entries are components of unit vectors, or these times arms, which are differences of places. Where an
// arm is along the force the entry is nothing else.
func (s *Stepper) forceRounding(rounding []float64, h float64) {
	w, far := &s.contacts.h, infNorm(s.now.Q)
	x := make([]float64, s.nv)
	for e := range s.contacts.elements() {
		first, last := w.Ptr[e], w.Ptr[e+1]
		push := infNorm(s.next.Lambda[s.dim*e : s.dim*(e+1)])
		entry := far + infNorm(w.Val[s.dim*first:s.dim*last])
		for _, row := range w.Row[first:last] {
			x[row] += h * gapRounding * entry * push
		}
	}
	s.mass.solve(x)
	for i, v := range x {
		rounding[i] += math.Abs(v)
	}
}

// path compares q with q + h G(q)v^θ of the velocities given.
func (s *Stepper) path(f *Finding, h float64, q, v []float64) {
	theta := s.step.Theta
	for i, a := range s.now.V {
		s.mean[i] = theta*a + (1-theta)*v[i]
	}
	s.qDot(s.qRate, s.mean)
	for i, x := range s.now.Q {
		s.next.Q[i] = x + h*s.qRate[i]
	}
	if s.project != nil {
		s.project.Project(s.next.Q)
	}
	for i, x := range s.next.Q {
		if e := math.Abs(q[i] - x); e > f.Path {
			f.Path, f.PathAt = e, i
		}
	}
}

// openings returns (Ψ_n + δ_n)/h of each element in the gap form, at the start of the
// step; zero in the velocity form, where it notes which patches are in contact.
func (s *Stepper) openings(h float64) []float64 {
	list := make([]float64, s.contacts.elements())
	s.active = grow(s.active, len(s.contacts.patches))
	for i := range s.contacts.patches {
		if s.active[i] = !s.o.VelocityForm || s.closed(i); s.o.VelocityForm {
			continue
		}
		p := &s.contacts.patches[i]
		for e := p.first; e < p.last; e++ {
			gap := s.contacts.gap[e]
			if p.patch.k != nil {
				gap += s.next.Delta[s.dim*e]
			}
			list[e] = s.local.opening(gap, h)
		}
	}
	return list
}

// laws looks at the law of each element. ρ is the inverse of the mean diagonal entry
// of A of its patch. What the rounding of positions and speeds makes of a gap that just
// closes, or of a force that just ends, is no error, but it is of the residual that energies are
// known by.
func (s *Stepper) laws(f *Finding, openings []float64, h float64) {
	dim, size := s.dim, 0.0
	rounding := gapRounding * (infNorm(s.now.Q)/h + infNorm(s.now.V) + infNorm(s.next.V))
	live := s.next.Lambda[:dim*s.contacts.elements()]
	for _, x := range live {
		size = max(size, math.Abs(x))
	}
	var a []float64
	var elements []int
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		if f.Unknown[s.contacts.h.Row[s.contacts.h.Ptr[p.first]]] {
			continue
		}
		elements = elements[:0]
		for e := p.first; e < p.last; e++ {
			elements = append(elements, e)
		}
		n := dim * len(elements)
		a = grow(a, n*n)
		s.local.assemble(a, elements)
		trace := 0.0
		for k := range n {
			trace += a[k*n+k]
		}
		rho := float64(n) / trace
		scale := size // without force the speeds are the measure
		for _, e := range elements {
			for _, b := range s.local.b[dim*e : dim*e+dim] {
				scale = max(scale, rho*math.Abs(b))
			}
		}
		for _, e := range elements {
			var r, u [3]float64
			copy(r[:], live[dim*e:dim*e+dim])
			copy(u[:], s.next.Slip[dim*e:dim*e+dim])
			s.cone(f, p, e, r, scale)
			u[0] += openings[e]
			if !s.active[i] {
				u = r // open patches have no law but λ = 0
			}
			residual := contact.NaturalResidual(s.contacts.lawOf(p, e), &r, &u, rho)
			s.step.Residual = max(s.step.Residual, ratio(residual, scale))
			if x := residual - rho*rounding; x > f.Law*scale || math.IsNaN(x) {
				f.Law, f.LawKey, f.LawElement = x/scale, p.key, e-p.first
			}
		}
	}
}

// gapRounding: a gap is a sum of a few products of coordinates.
const gapRounding = 16 * 0x1p-53

func infNorm(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// cone looks at the distance of a force to its cone.
func (s *Stepper) cone(f *Finding, p *placed, e int, r [3]float64, size float64) {
	inside := [3]float64{}
	s.contacts.lawOf(p, e).Project(&inside, nil, &r)
	off := 0.0
	for k, x := range r {
		off = math.Hypot(off, x-inside[k])
	}
	if off > f.Cone*size {
		f.Cone, f.ConeKey, f.ConeElement = off/size, p.key, e-p.first
	}
}
