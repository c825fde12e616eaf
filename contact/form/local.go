package form

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// Local is a discrete contact problem in the reactions alone:
//
//	u = W r + q,   a law between u and r at each contact.
//
// W = HᵀM⁻¹H (Delassus) is positive semidefinite, often singular, and may be
// slightly unsymmetric. r, u and q are stacked with the normal first.
type Local struct {
	W    Operator  // dim·nc square
	Q    []float64 // dim·nc
	Laws []law.Law // nc

	Graph Graph // where W comes from, if that is known
}

// Validate checks sizes, finiteness and the parameters of the laws.
func (p *Local) Validate() error {
	if p == nil || p.W == nil {
		return errors.New("contact: W is required")
	}
	if w, ok := p.W.(interface{ validate() error }); ok {
		if err := w.validate(); err != nil {
			return err
		}
	}
	dim, nc := p.W.Dim(), p.W.Contacts()
	switch {
	case dim < 2 || dim > WideMost:
		return fmt.Errorf("contact: W.Dim is %d, want 2 or 3, or 4 to 6 with moments", dim)
	case len(p.Q) != dim*nc:
		return fmt.Errorf("contact: Q has %d entries, want %d", len(p.Q), dim*nc)
	case len(p.Laws) != nc:
		return fmt.Errorf("contact: there are %d laws for %d contacts", len(p.Laws), nc)
	}
	for j, given := range p.Laws {
		if given == nil {
			return fmt.Errorf("contact: law of contact %d is missing", j)
		}
		if c, ok := given.(law.Coulomb); ok && dim <= 3 && c.Shape.Isotropic() {
			if err := c.Validate(); err != nil {
				return fmt.Errorf("contact: law of contact %d: %w", j, err)
			}
			continue
		}
		if err := given.Validate(); err != nil {
			return fmt.Errorf("contact: law of contact %d: %w", j, err)
		}
		if dim > 3 {
			if _, _, _, err := WideBounds(given, dim); err != nil {
				return fmt.Errorf("contact: law of contact %d: %w", j, err)
			}
			continue
		}
		if l, ok := given.(*law.Rolling); ok {
			given = *l
		}
		if l, ok := given.(law.Rolling); ok && l.Moments() {
			return fmt.Errorf("contact: law of contact %d: resistance to rolling or spinning takes contacts of 4 to 6 components, not %d",
				j, dim)
		}
		if f := FormOf(given); dim == 2 && f.Shape.MixesTangents() {
			return fmt.Errorf("contact: law of contact %d: a Shape that leaves the plane in a problem of two dimensions", j)
		}
	}
	return usable("Q", p.Q)
}

// Merit is the independent check of a [Local] solution r: it sets u = W r + q
// and, if residuals is not nil, the residual of each contact, and returns
//
//	‖r − P_K(r − u − g(u)e_N)‖₂ / max(‖q‖₂, ‖r‖₂, ‖u‖₂),
//
// the merit function of FCLIB [Acary14], and the worst contact (-1 if all
// residuals are zero). W r + q is evaluated in twice the working precision. The merit
// depends on the units: where W is small, every
// admissible r passes, which is why the solvers ask for unitFreeMerit too.
func (p *Local) Merit(u, residuals, r []float64) (merit float64, worst int) {
	if p.W.Dim() > 3 {
		return p.WideMerit(u, residuals, r)
	}
	rigid, springs := p.WithoutSprings()
	rigid.ExactMotion(u, r, nil)
	if springs {
		defer p.ExactMotion(u, r, nil)
	}
	return rigid.MeritAt(new([3]vec3), u, residuals, r)
}

// UnitFreeMerit is the same check with a step ρ_j = 1/(mean diagonal of W_jj)
// for each contact, in the norms that make r and u comparable,
//
//	(Σ_j ‖r_j − P_K(r_j − ρ_j(u_j + g(u_j)e_N))‖²/ρ_j)^½ / max(‖ρ^½ q‖₂, ‖ρ^−½ r‖₂, ‖ρ^½ u‖₂):
//
// the same number in all units of W and q. It sets u. A contact without
// mobility gets the ρ of the most mobile one.
func (p *Local) UnitFreeMerit(u, r []float64) float64 {
	if p.W.Dim() > 3 {
		_, _ = p.WideMerit(u, nil, r)
		k, res := p.wideAt(u, r)
		_, free := k.merits(p, res, res.Residuals)
		return free
	}
	rigid, springs := p.WithoutSprings()
	rigid.ExactMotion(u, r, nil)
	if springs {
		defer p.ExactMotion(u, r, nil)
	}
	return rigid.UnitFree(new([3]vec3), Steps(nil, rigid.W), u, r)
}

// Motion sets u = W r + q.
func (p *Local) Motion(u, r []float64) {
	p.W.MulVec(u, r)
	for i, q := range p.Q {
		u[i] += q
	}
}

// MeritAt is Merit at a given u, with the memory for the arguments of the laws,
// which would go to the heap otherwise.
func (p *Local) MeritAt(mem *[3]vec3, u, residuals, r []float64) (merit float64, worst int) {
	dim, sum, most := p.W.Dim(), 0.0, 0.0
	worst = -1
	for j, given := range p.Laws {
		Triple(&mem[0], u, dim, j)
		Triple(&mem[1], r, dim, j)
		e := ResidualAt(given, mem, 1)
		if residuals != nil {
			residuals[j] = e
		}
		sum += e * e
		if e > most || e != e {
			most, worst = e, j
		}
	}
	scale := max(num.Norm(p.Q), num.Norm(r), num.Norm(u))
	if scale == 0 {
		return math.Sqrt(sum), worst
	}
	return math.Sqrt(sum) / scale, worst
}

// UnitFree is unitFreeMerit at a given u, with the steps and the memory; +Inf
// where numbers leave the range.
func (p *Local) UnitFree(mem *[3]vec3, rho, u, r []float64) float64 {
	dim := p.W.Dim()
	var sum, qq, uu, rr float64
	for j, given := range p.Laws {
		Triple(&mem[0], u, dim, j)
		Triple(&mem[1], r, dim, j)
		for k := range dim {
			q := p.Q[dim*j+k]
			qq += rho[j] * q * q
			uu += rho[j] * mem[0][k] * mem[0][k]
			rr += mem[1][k] * mem[1][k] / rho[j]
		}
		e := ResidualAt(given, mem, rho[j])
		sum += e * e / rho[j]
	}
	scale := max(qq, uu, rr)
	if scale == 0 {
		scale = 1
	}
	if m := math.Sqrt(sum / scale); !num.Bad(m) {
		return m
	}
	return num.Inf
}

// ResidualAt is ‖r − P_K(r − ρ(u + g(u)e_N))‖ of one contact with
// mem = u, r; it overwrites u and mem[2].
func ResidualAt(l law.Law, mem *[3]vec3, rho float64) float64 {
	u, r, p := &mem[0], &mem[1], &mem[2]
	if mu, ok := Isotropic(l); ok {
		u[0] += mu * math.Sqrt(u[1]*u[1]+u[2]*u[2])
		*p = vec3{r[0] - rho*u[0], r[1] - rho*u[1], r[2] - rho*u[2]}
		law.ProjectCone(p, nil, mu, p)
	} else {
		u[0] += l.Correction(u)
		*p = vec3{r[0] - rho*u[0], r[1] - rho*u[1], r[2] - rho*u[2]}
		l.Project(p, nil, p)
	}
	a, b, c := r[0]-p[0], r[1]-p[1], r[2]-p[2]
	return math.Sqrt(a*a + b*b + c*c)
}
