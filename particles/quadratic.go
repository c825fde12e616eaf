package particles

import (
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/signal"
	"github.com/quasistatic/quasistatic/sparse"
)

// Entry is one entry of a matrix.
type Entry struct {
	Row, Col int
	Value    float64
}

// Quadratic is a quadratic form of the displacements d of m listed particles from
// their reference positions:
//
//	E = ½ dᵀ A d − f(t)ᵀ d,  d_{3k+c} = x_{3p_k+c} − X_{3k+c}
//
// A is symmetric of order 3m, dense or sparse; zero entries cost nothing. D²E is
// constant.
type Quadratic struct {
	dof   []int     // global dof of each row of A
	ref   []float64 // X
	a     *sparse.Sym
	force Path // nil: none
}

var (
	_ Energy          = (*Quadratic)(nil)
	_ ConstantHessian = (*Quadratic)(nil)
	_ Breaker         = (*Quadratic)(nil)
	_ Validator       = (*Quadratic)(nil)
)

// NewQuadratic takes the m particles p, each once, their reference positions X
// (flat, 3m, global), the entries of A from both triangles (repeated ones add up)
// and the force of 3m components, or nil. It fails where A is not symmetric.
func NewQuadratic(particles []int, ref []float64, a []Entry, force Path) (*Quadratic, error) {
	e := &Quadratic{ref: slices.Clone(ref), force: force}
	if err := e.setParticles(particles); err != nil {
		return nil, fmt.Errorf("particles: quadratic: %w", err)
	}
	if force != nil {
		if err := force.Validate(len(e.dof)); err != nil {
			return nil, fmt.Errorf("particles: quadratic: force: %w", err)
		}
	}
	if err := e.setMatrix(a); err != nil {
		return nil, fmt.Errorf("particles: quadratic: matrix: %w", err)
	}
	return e, nil
}

// DenseEntries returns the non-zero entries of a square matrix, rows first.
func DenseEntries(a [][]float64) ([]Entry, error) {
	var entries []Entry
	for r, row := range a {
		if len(row) != len(a) {
			return nil, fmt.Errorf("particles: matrix: row %d has %d entries, want %d", r, len(row), len(a))
		}
		for c, v := range row {
			if v != 0 {
				entries = append(entries, Entry{r, c, v})
			}
		}
	}
	return entries, nil
}

func (e *Quadratic) setParticles(particles []int) error {
	if len(e.ref) != 3*len(particles) {
		return fmt.Errorf("%d reference coordinates for %d particles", len(e.ref), len(particles))
	}
	seen := make(map[int]bool, len(particles))
	for k, p := range particles {
		if seen[p] {
			return fmt.Errorf("particle %d is listed twice", p)
		}
		if x := at(e.ref, k).array(); !finite3(x) {
			return fmt.Errorf("reference position %v of particle %d is not finite", x, p)
		}
		seen[p] = true
		e.dof = append(e.dof, 3*p, 3*p+1, 3*p+2)
	}
	return nil
}

// setMatrix stores the lower triangle of ½(A + Aᵀ) and checks A − Aᵀ.
func (e *Quadratic) setMatrix(entries []Entry) error {
	n := len(e.dof)
	b := sparse.NewBuilder(n)
	for _, v := range entries {
		if v.Row < 0 || v.Col < 0 || v.Row >= n || v.Col >= n {
			return fmt.Errorf("entry (%d, %d) is outside order %d", v.Row, v.Col, n)
		}
		if !finite(v.Value) {
			return fmt.Errorf("entry (%d, %d) is %v", v.Row, v.Col, v.Value)
		}
		b.Add(v.Row, v.Col)
	}
	e.a = b.Build()
	skew := make([]float64, len(e.a.Val)) // A − Aᵀ below the diagonal
	for _, v := range entries {
		k := e.a.Index(v.Row, v.Col)
		switch {
		case v.Row == v.Col:
			e.a.Val[k] += v.Value
		case v.Row > v.Col:
			e.a.Val[k] += v.Value / 2
			skew[k] += v.Value
		default:
			e.a.Val[k] += v.Value / 2
			skew[k] -= v.Value
		}
	}
	return e.checkMatrix(skew)
}

func (e *Quadratic) checkMatrix(skew []float64) error {
	var largest float64
	for _, v := range e.a.Val {
		if !finite(v) {
			return fmt.Errorf("the repeated entries add up to %v", v)
		}
		largest = max(largest, math.Abs(v))
	}
	for c := range e.a.N {
		for k := e.a.Ptr[c]; k < e.a.Ptr[c+1]; k++ {
			if math.Abs(skew[k]) > symmetry*largest {
				return fmt.Errorf("not symmetric: entries (%d, %d) and (%d, %d) differ by %g", e.a.Row[k], c, c, e.a.Row[k], skew[k])
			}
		}
	}
	return nil
}

// Validate checks the numbers of the particles.
func (e *Quadratic) Validate(particles int) error {
	for k := 0; k < len(e.dof); k += 3 {
		if p := e.dof[k] / 3; e.dof[k] < 0 || p >= particles {
			return fmt.Errorf("particle %d is not one of the %d particles", p, particles)
		}
	}
	return nil
}

// ConstantHessian returns true.
func (e *Quadratic) ConstantHessian() bool { return true }

// Breaks appends the kinks of the force.
func (e *Quadratic) Breaks(dst []float64, t0, t1 float64) []float64 {
	return e.force.Breaks(dst, t0, t1)
}

// TimeBound adds bounds of |f^(k)|.
func (e *Quadratic) TimeBound(dst []float64, k int) bool {
	for r, f := range e.force {
		b, ok := signal.DerivativeBound(f, k)
		if !ok {
			return false
		}
		dst[e.dof[r]] += b
	}
	return true
}

// Pattern declares the entries of A.
func (e *Quadratic) Pattern(p *Pattern) {
	for c := range e.a.N {
		for k := e.a.Ptr[c]; k < e.a.Ptr[c+1]; k++ {
			p.Add(e.dof[e.a.Row[k]], e.dof[c])
		}
	}
}

// displacement returns d_r.
func (e *Quadratic) displacement(r int, x []float64) float64 { return x[e.dof[r]] - e.ref[r] }

// Value returns ½dᵀAd − fᵀd and −ḟᵀd.
func (e *Quadratic) Value(t float64, x []float64) (energy, rate float64) {
	for c := range e.a.N {
		first, end := e.a.Ptr[c], e.a.Ptr[c+1]
		d := e.displacement(c, x)
		ad := e.a.Val[first] * d / 2
		for k := first + 1; k < end; k++ {
			ad += e.a.Val[k] * e.displacement(e.a.Row[k], x)
		}
		energy += d * ad
	}
	for r, f := range e.force {
		d := e.displacement(r, x)
		energy -= f.At(t) * d
		rate -= f.Rate(t) * d
	}
	return energy, rate
}

// Gradient adds Ad − f and −ḟ.
func (e *Quadratic) Gradient(grad, rate []float64, t float64, x []float64) {
	if grad != nil {
		e.addMatrix(grad, x)
		for r, f := range e.force {
			grad[e.dof[r]] -= f.At(t)
		}
	}
	if rate != nil {
		for r, f := range e.force {
			rate[e.dof[r]] -= f.Rate(t)
		}
	}
}

// addMatrix adds Ad.
func (e *Quadratic) addMatrix(grad, x []float64) {
	for c := range e.a.N {
		first, end := e.a.Ptr[c], e.a.Ptr[c+1]
		d := e.displacement(c, x)
		ad := e.a.Val[first] * d
		for k := first + 1; k < end; k++ {
			r, v := e.a.Row[k], e.a.Val[k]
			ad += v * e.displacement(r, x)
			grad[e.dof[r]] += v * d
		}
		grad[e.dof[c]] += ad
	}
}

// Hessian adds A.
func (e *Quadratic) Hessian(h *Hessian, _ float64, _ []float64) {
	for c := range e.a.N {
		for k := e.a.Ptr[c]; k < e.a.Ptr[c+1]; k++ {
			h.Add(e.dof[e.a.Row[k]], e.dof[c], e.a.Val[k])
		}
	}
}
