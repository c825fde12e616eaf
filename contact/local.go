package contact

import (
	"errors"
	"fmt"
	"math"
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
	Laws []Law     // nc
}

// Validate checks sizes, finiteness and the parameters of the laws.
func (p *Local) Validate() error {
	if p.W == nil {
		return errors.New("contact: W is required")
	}
	if w, ok := p.W.(interface{ validate() error }); ok {
		if err := w.validate(); err != nil {
			return err
		}
	}
	dim, nc := p.W.Dim(), p.W.Contacts()
	switch {
	case dim != 2 && dim != 3:
		return fmt.Errorf("contact: W.Dim is %d, want 2 or 3", dim)
	case len(p.Q) != dim*nc:
		return fmt.Errorf("contact: Q has %d entries, want %d", len(p.Q), dim*nc)
	case len(p.Laws) != nc:
		return fmt.Errorf("contact: there are %d laws for %d contacts", len(p.Laws), nc)
	}
	for j, law := range p.Laws {
		if law == nil {
			return fmt.Errorf("contact: law of contact %d is missing", j)
		}
		if err := law.Validate(); err != nil {
			return fmt.Errorf("contact: law of contact %d: %w", j, err)
		}
		if s := shapeOf(law); dim == 2 && (s.s[1] != 0 || s.s[2] != 0) {
			return fmt.Errorf("contact: law of contact %d: a Shape that leaves the plane in a problem of two dimensions", j)
		}
	}
	return errors.Join(finite("Q", p.Q), inRange("Q", p.Q))
}

// inRange bounds the largest entry, so that products and squares of any two
// quantities of a problem stay numbers.
func inRange(name string, x []float64) error {
	if m := infNorm(x); m != 0 && !(m >= rangeLeast && m <= rangeMost) {
		return fmt.Errorf("contact: the largest entry of %s is %g, not between %g and %g: change the units", name, m, rangeLeast, rangeMost)
	}
	return nil
}

const (
	rangeLeast = 1e-50
	rangeMost  = 1e50
)

// Merit is the independent check of a [Local] solution r: it sets u = W r + q
// and, if residuals is not nil, the residual of each contact, and returns
//
//	‖r − P_K(r − u − g(u)e_N)‖₂ / max(‖q‖₂, ‖r‖₂, ‖u‖₂),
//
// the merit function of FCLIB [Acary14], and the worst contact (-1 if all
// residuals are zero).
func (p *Local) Merit(u, residuals, r []float64) (merit float64, worst int) {
	return p.meritIn(new([3]vec3), u, residuals, r)
}

// meritIn is Merit with the memory for the arguments of the laws, which would
// go to the heap otherwise.
func (p *Local) meritIn(mem *[3]vec3, u, residuals, r []float64) (merit float64, worst int) {
	p.W.MulVec(u, r)
	for i, q := range p.Q {
		u[i] += q
	}
	dim, sum, most := p.W.Dim(), 0.0, 0.0
	worst = -1
	for j, law := range p.Laws {
		mem[0], mem[1] = vec3{}, vec3{}
		copy(mem[0][:], u[dim*j:dim*j+dim])
		copy(mem[1][:], r[dim*j:dim*j+dim])
		e := naturalResidual(law, &mem[0], &mem[1], &mem[2])
		if residuals != nil {
			residuals[j] = e
		}
		sum += e * e
		if e > most || e != e {
			most, worst = e, j
		}
	}
	scale := max(norm(p.Q), norm(r), norm(u))
	if scale == 0 {
		return math.Sqrt(sum), worst
	}
	return math.Sqrt(sum) / scale, worst
}

// naturalResidual is ‖r − P_K(r − u − g(u)e_N)‖ of one contact; it overwrites
// u and p.
func naturalResidual(law Law, u, r, p *vec3) float64 {
	u[0] += law.Correction(u)
	for k := range 3 {
		p[k] = r[k] - u[k]
	}
	law.Project(p, nil, p)
	a, b, c := r[0]-p[0], r[1]-p[1], r[2]-p[2]
	return math.Sqrt(a*a + b*b + c*c)
}

// norm is the Euclidean norm; it neither overflows nor vanishes.
func norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	if sum > 1e-280 && sum < 1e280 {
		return math.Sqrt(sum)
	}
	scale := infNorm(x)
	if scale == 0 || math.IsInf(scale, 1) || scale != scale {
		return scale
	}
	sum = 0
	for _, v := range x {
		sum += (v / scale) * (v / scale)
	}
	return scale * math.Sqrt(sum)
}
