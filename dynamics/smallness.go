package dynamics

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact"
)

// Smallness is what the uniqueness of a step needs to be small, measured.
// Lemma 4 of [Pang05]: the forces are unique and continuous if
//
//	max μ < MuBar = σ_s/η_s,
//
// σ_s the modulus of monotonicity and η_s the Lipschitz constant of s(λ): the
// least eigenvalue of the symmetric part of A and its norm. Proposition 3: the
// force is a contraction of rate ForceRate < 1. Both are the worst of the
// steps so far; the condition is sufficient, not necessary.
type Smallness struct {
	Mu        float64 // largest friction coefficient met
	MuBar     float64 // least σ_s/η_s met, +∞ without contacts
	ForceRate float64 // largest rate of the fixed point for f met
}

// Unique reports whether Lemma 4 guarantees unique forces.
func (s Smallness) Unique() bool { return s.Mu < s.MuBar && s.ForceRate < 1 }

func (s *Smallness) reset() { *s = Smallness{MuBar: math.Inf(1)} }

// Smallness returns the bounds over the steps since the start; MuBar needs
// [Options.Smallness].
func (s *Stepper) Smallness() Smallness { return s.small }

// SmallnessNow measures the bound of Lemma 4 at the present state, for the
// patches that carried a force in the last step.
func (s *Stepper) SmallnessNow() (mu, muBar float64) {
	before := s.small
	s.small.reset()
	s.active = grow(s.active, len(s.contacts.patches))
	for i := range s.contacts.patches {
		p := &s.contacts.patches[i]
		first, last := s.now.Patch(p.key)
		s.active[i] = false
		for at := first; at < last; at += s.dim {
			s.active[i] = s.active[i] || s.now.Lambda[at] > 0
		}
		s.active[i] = s.active[i] && p.patch.prepare(s.now.T-s.step.H*s.step.Theta, s.step.H, s.now.Q) == nil
	}
	s.takeLaws(nil, 0)
	s.local.load(&s.contacts, &s.mass, s.step.H*(1-s.step.Theta))
	s.islands.split(&s.contacts, &s.mass, s.active, false)
	s.measureSmallness()
	mu, muBar = s.small.Mu, s.small.MuBar
	s.small = before
	return mu, muBar
}

// mostEigen bounds the order of the matrices whose eigenvalues are found; the
// bound of a larger island is left at zero.
const mostEigen = 300

// measureSmallness evaluates σ_s/η_s of every island of the step.
func (s *Stepper) measureSmallness() {
	for i := range s.contacts.patches {
		if s.active[i] {
			s.small.Mu = max(s.small.Mu, frictionCoefficient(s.contacts.patches[i].law))
		}
	}
	for i := range s.islands.count() {
		elements := s.islands.elements(i)
		n := s.dim * len(elements)
		if n > mostEigen {
			s.small.MuBar = 0
			return
		}
		a := make([]float64, n*n)
		s.local.assemble(a, elements)
		s.small.MuBar = min(s.small.MuBar, monotonicity(a, n))
	}
}

// monotonicity returns λ_min((A + Aᵀ)/2)/‖A‖₂, not below zero.
func monotonicity(a []float64, n int) float64 {
	var eig mat.EigenSym
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, 0.5*(a[i*n+j]+a[j*n+i]))
		}
	}
	var svd mat.SVD
	if !eig.Factorize(sym, false) || !svd.Factorize(mat.NewDense(n, n, a), mat.SVDNone) {
		return 0
	}
	norm := svd.Values(nil)[0]
	if norm == 0 {
		return 0
	}
	return max(eig.Values(nil)[0], 0) / norm
}

func frictionCoefficient(law contact.Law) float64 {
	switch l := law.(type) {
	case contact.Coulomb:
		return l.Mu
	case contact.Pyramid:
		return l.Mu
	case contact.Associated:
		return l.Mu
	}
	return 0
}

func coulomb(law contact.Law) bool {
	_, ok := law.(contact.Coulomb)
	return ok
}
