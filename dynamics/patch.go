package dynamics

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dynamics/friction"
	"github.com/quasistatic/quasistatic/signal"
)

// Patch is a contact patch: n elements with coupled springs and dampers,
//
//	λ = K δ + C δ̇,                                   (6) of [Song04]
//
// and one friction law. A rigid patch has none (δ = 0). Matrices are of order
// dim·n, element-major with (n, t[, o]) for each element. Many contacts may
// share a Patch; it is not safe for concurrent use.
type Patch struct {
	law   contact.Law
	over  signal.Scalar // μ of Coulomb's law over time; nil: that of law
	slip  friction.Law  // μ of Coulomb's law over the speed of slip; nil: at any the same
	dim   int
	at    [][2]float64 // (t, o) of each element from the contact point [m]
	k, c  []float64
	state StiffnessFunc

	stepMatrices
	others [stepLengths - 1]stepMatrices // of the steps used before, the last one first
	chol   []float64
}

// stepMatrices depend on the step.
type stepMatrices struct {
	h     float64
	eInv  []float64 // (hK + C)⁻¹
	relax []float64 // (hK + C)⁻¹ K
}

// stepLengths bounds those whose matrices are kept: of a run and of its two twins, see [Doubled].
const stepLengths = 3

// StiffnessFunc overwrites K and C by their values at q.
type StiffnessFunc func(k, c, q []float64)

// HalfSpace describes a patch by Appendix A of [Song04].
type HalfSpace struct {
	Dim      int     // 2 or 3
	Elements int     // n_s: n_s elements in the plane, n_s×n_s in space
	Spacing  float64 // ρ0 > 0 [m]
	Epsilon  float64 // ε = 1/Young's modulus > 0 [m²/N]
	Poisson  float64 // ν, 0 to 0.5
	Damping  float64 // C = Damping·√K; 0 means 2, the critical damping
}

// NewPatch returns the distributed patch K = Ξ⁻¹, C = 2√K.
func NewPatch(law contact.Law, o HalfSpace) (*Patch, error) {
	p := &Patch{law: law, dim: o.Dim}
	if err := errors.Join(p.validate(), o.validate()); err != nil {
		return nil, err
	}
	p.at = grid(o.Dim, o.Elements, o.Spacing)
	if o.Damping == 0 {
		o.Damping = 2
	}
	xi := influence(o.Dim, p.at, o.Epsilon, o.Poisson, o.Spacing)
	var err error
	p.k, p.c, err = invertAndRoot(xi, o.Dim*len(p.at), o.Damping)
	return p, err
}

func (o *HalfSpace) validate() error {
	switch {
	case o.Elements < 1 || o.Elements > 32:
		return fmt.Errorf("dynamics: a patch has %d elements a side, want 1 to 32", o.Elements)
	case !(o.Spacing > 0) || math.IsInf(o.Spacing, 1):
		return fmt.Errorf("dynamics: the spacing of a patch is %g, want a positive number", o.Spacing)
	case !(o.Epsilon > 0) || math.IsInf(o.Epsilon, 1):
		return fmt.Errorf("dynamics: the compliance of a patch is %g, want a positive number", o.Epsilon)
	case !(o.Poisson >= 0 && o.Poisson <= 0.5):
		return fmt.Errorf("dynamics: Poisson's ratio of a patch is %g, want 0 to 0.5", o.Poisson)
	case !(o.Damping >= 0) || math.IsInf(o.Damping, 1):
		return fmt.Errorf("dynamics: the damping of a patch is %g, want a number >= 0", o.Damping)
	}
	return nil
}

// grid places the elements around the contact point, left to right.
func grid(dim, ns int, spacing float64) [][2]float64 {
	var at [][2]float64
	mid := float64(ns-1) / 2
	if dim == 2 {
		for i := range ns {
			at = append(at, [2]float64{(float64(i) - mid) * spacing, 0})
		}
		return at
	}
	for j := range ns {
		for i := range ns {
			at = append(at, [2]float64{(float64(i) - mid) * spacing, (float64(j) - mid) * spacing})
		}
	}
	return at
}

// NewLumped returns a patch of one element with diagonal K [N/m] and C [N s/m]
// of two or three entries, (n, t[, o]).
func NewLumped(law contact.Law, k, c []float64) (*Patch, error) {
	if len(c) != len(k) {
		return nil, fmt.Errorf("dynamics: a lumped patch has %d stiffnesses and %d dampers", len(k), len(c))
	}
	p := &Patch{law: law, dim: len(k), at: make([][2]float64, 1)}
	if err := p.validate(); err != nil {
		return nil, err
	}
	n := len(k)
	p.k, p.c = make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		if !(k[i] > 0) || !(c[i] >= 0) || math.IsInf(k[i]+c[i], 1) {
			return nil, fmt.Errorf("dynamics: a lumped patch has stiffness %g and damping %g, want k > 0 and c >= 0", k[i], c[i])
		}
		p.k[i*n+i], p.c[i*n+i] = k[i], c[i]
	}
	return p, nil
}

// NewGeneral returns a patch with elements at the given places and full
// matrices; K must be positive definite, C positive semidefinite. If state is
// not nil, it replaces both at each step by their values at q.
func NewGeneral(law contact.Law, dim int, at [][2]float64, k, c []float64, state StiffnessFunc) (*Patch, error) {
	p := &Patch{law: law, dim: dim, at: at, k: k, c: c, state: state}
	if err := p.validate(); err != nil {
		return nil, err
	}
	if n := dim * len(at); len(at) == 0 || len(k) != n*n || len(c) != n*n {
		return nil, fmt.Errorf("dynamics: a patch of %d elements has matrices of %d and %d entries, want %d", len(at), len(k), len(c), n*n)
	}
	for _, m := range [][]float64{k, c} {
		if !symmetric(m, dim*len(at)) {
			return nil, errors.New("dynamics: the matrices of a patch must be symmetric and finite")
		}
	}
	return p, p.prepare(0, 1, nil)
}

func symmetric(m []float64, n int) bool {
	for i := range n {
		for j := range i + 1 {
			a, b := m[i*n+j], m[j*n+i]
			if !(math.Abs(a-b) <= 1e-10*(math.Abs(a)+math.Abs(b))) { // a few digits of rounding
				return false
			}
		}
	}
	return true
}

// NewRigid returns a patch of one rigid element: the model (14) of [Song04].
func NewRigid(law contact.Law, dim int) (*Patch, error) {
	p := &Patch{law: law, dim: dim, at: make([][2]float64, 1)}
	return p, p.validate()
}

func (p *Patch) validate() error {
	if p.dim != 2 && p.dim != 3 {
		return fmt.Errorf("dynamics: a patch has dimension %d, want 2 or 3", p.dim)
	}
	if p.law == nil {
		return errors.New("dynamics: a patch has no friction law")
	}
	if err := p.law.Validate(); err != nil {
		return fmt.Errorf("dynamics: friction law of a patch: %w", err)
	}
	return nil
}

// Dim returns 2 or 3.
func (p *Patch) Dim() int { return p.dim }

// Elements returns the number of elements.
func (p *Patch) Elements() int { return len(p.at) }

// At returns the place (t, o) of element i from the contact point.
func (p *Patch) At(i int) (t, o float64) { return p.at[i][0], p.at[i][1] }

// Size returns the width of the patch [m]: 0 for one element.
func (p *Patch) Size() float64 { return p.at[len(p.at)-1][0] - p.at[0][0] }

// Rigid reports whether the patch has no springs.
func (p *Patch) Rigid() bool { return p.k == nil }

// LawAt returns the friction law at a time; where μ depends on the slip that of the largest.
func (p *Patch) LawAt(t float64) contact.Law {
	if p.over == nil {
		return p.law
	}
	return contact.Coulomb{Mu: max(0, p.over.At(t))} // below zero by rounding
}

// invertAndRoot returns Ξ⁻¹ and damping·√(Ξ⁻¹) by the spectral decomposition.
func invertAndRoot(xi []float64, n int, damping float64) (k, c []float64, err error) {
	var eig mat.EigenSym
	if !eig.Factorize(mat.NewSymDense(n, xi), true) {
		return nil, nil, errors.New("dynamics: the eigenvalues of a compliance matrix were not found")
	}
	var u mat.Dense
	eig.VectorsTo(&u)
	k, c = make([]float64, n*n), make([]float64, n*n)
	for e, v := range eig.Values(nil) {
		if !(v > 0) {
			return nil, nil, fmt.Errorf("dynamics: the compliance matrix of a patch is not positive definite: eigenvalue %g", v)
		}
		for i := range n {
			for j := range n {
				d := u.At(i, e) * u.At(j, e)
				k[i*n+j] += d / v
				c[i*n+j] += damping * d / math.Sqrt(v)
			}
		}
	}
	return k, c, nil
}

// ChangeFriction gives Coulomb's law of the patch a coefficient that changes with time; each step
// takes that of its v^θ.
func (p *Patch) ChangeFriction(mu signal.Scalar) error {
	if _, ok := p.law.(contact.Coulomb); !ok || mu == nil {
		return errors.New("dynamics: a coefficient over time is one of Coulomb's law with the exact cone")
	}
	p.over = mu
	p.law = p.LawAt(0)
	return nil
}

// recall puts the matrices of a step of h first, and reports whether they are known; if not, those
// that were not used for longest are in their place.
func (p *Patch) recall(h float64) bool {
	if p.h == h {
		return true
	}
	for i := range p.others {
		p.stepMatrices, p.others[i] = p.others[i], p.stepMatrices
		if p.h == h {
			return true
		}
	}
	return false
}

// prepare computes what depends on h (and on q for state-dependent patches), and μ at a time.
func (p *Patch) prepare(t, h float64, q []float64) error {
	p.law = p.LawAt(t)
	if p.k == nil || p.state == nil && p.recall(h) {
		return nil
	}
	if p.state != nil && q != nil {
		p.state(p.k, p.c, q)
	}
	n := p.dim * len(p.at)
	if p.eInv == nil {
		p.eInv, p.relax = make([]float64, n*n), make([]float64, n*n)
	}
	if p.chol == nil {
		p.chol = make([]float64, n*n)
	}
	p.h = 0 // until they are whole
	for i := range p.chol {
		p.chol[i] = h*p.k[i] + p.c[i]
	}
	if i := cholesky(p.chol, n); i >= 0 {
		return fmt.Errorf("dynamics: hK + C of a patch is not positive definite: pivot %g in row %d", p.chol[i*n+i], i)
	}
	for j := range n { // column j of both by symmetry of hK + C and of K
		e, r := p.eInv[j*n:j*n+n], p.relax[j*n:j*n+n]
		clear(e)
		e[j] = 1
		cholSolve(p.chol, n, e)
		copy(r, p.k[j*n:j*n+n])
		cholSolve(p.chol, n, r)
	}
	for i := range n { // relax holds its transpose
		for j := range i {
			p.relax[i*n+j], p.relax[j*n+i] = p.relax[j*n+i], p.relax[i*n+j]
		}
	}
	p.h = h
	return nil
}
