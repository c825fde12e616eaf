package sensitivity

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// Sensitivity is a solution (r, u) of a [form.Local] problem linearised in its data. With D the
// Jacobian of the projection of each contact at p = r − ρ(u + g(u)e_N), the natural map F = r − P(p)
// has
//
//	E = ∂F/∂u = ρ D (I + e_N ∇gᵀ),   B = ∂F/∂r = I − D,
//
// those of contacts with moments being [form.Moments.Equations], and with C the springs of
// [law.Compliant] contacts
//
//	(E (W + C) + B) δr = −E (δW r + δq) − ∂F/∂μ δμ,   δu = W δr + δW r + δq:
//
// one dense factorisation for all products, forward and backward. Where joints or redundant
// contacts leave r undetermined, Redundant is set: δu is then right and δr one choice of many.
type Sensitivity struct {
	State     []State // of each contact
	Edges     []int   // contacts at an edge between two states: derivatives are those of one side
	Redundant bool

	given, p *form.Local   // as given, and without springs
	moments  *form.Moments // of contacts with moments, else nil
	dim      int
	w        []float64 // dense, row by row, without springs
	spring   []float64 // C, nil without springs
	r, u     []float64 // u at the far ends of the springs
	rho      []float64 // of each component, 1/W_ii by groups
	e, b     []float64 // blocks
	mu       []float64 // ∂F/∂μ
	shift    []float64 // added to W where Redundant
	lu       blas64.General
	pivot    []int
}

// State is what a contact does.
type State uint8

// The states.
const (
	StateOpen State = iota
	StateStick
	StateSlip
)

func (s State) String() string { return [...]string{"open", "stick", "slip"}[s] }

// Change is a direction in the data of a [Local] problem; nil parts are zero. That of a
// [Global] problem has δq = δw + HᵀM⁻¹δf, see [Delassus.Change].
type Change struct {
	Q     []float64   // δq, or δw
	W     *form.Dense // δW
	Bound []float64   // δμ of each contact, δs under Tresca
}

// Gradient is the derivative of a number by the data: ∂/∂W_ij = Q_i R_j.
type Gradient struct {
	Q     []float64 // ∂/∂q, which is ∂/∂w
	R     []float64 // r, the other factor of the gradient by W
	Bound []float64 // ∂/∂μ_j
}

const (
	// redundantPivot: a pivot below this part of the largest says nothing.
	redundantPivot = 1e-13
	// redundantShift is then added to W, over its diagonal; what it changes is taken out again
	// by redundantSteps solves.
	redundantShift = 1e-10
	redundantSteps = 3
	// redundantRest is the part of a change that no reaction answers: what the steps leave
	// of one that has an answer is far below, of one that has none of order 1.
	redundantRest = 1e-6
)

// mobilities sets ρ: the inverse mean diagonal of W + C of the forces of a contact, and of each
// group of moments.
func (s *Sensitivity) mobilities() (err error) {
	s.rho = make([]float64, len(s.r))
	if s.dim > 3 {
		if s.moments, err = form.NewMoments(s.p); err != nil {
			return err
		}
		for i, x := range s.moments.Scale {
			s.rho[i] = x * x
		}
		return nil
	}
	for j, rho := range form.Steps(nil, s.p.W) {
		for c := range s.dim {
			s.rho[s.dim*j+c] = rho
		}
	}
	return nil
}

// factor factorises E (W + C) + B in scaled units, those of r being the roots of ρ.
func (s *Sensitivity) factor() error {
	n, dim := len(s.r), s.dim
	for pass := range 2 {
		if pass == 1 {
			s.Redundant, s.shift = true, make([]float64, n)
			for i, rho := range s.rho {
				s.shift[i] = redundantShift / rho
			}
		}
		a := make([]float64, n*n)
		for i := range n {
			j, row := i/dim, a[i*n:i*n+n]
			for k := range dim {
				at := dim*j + k
				if e := s.e[i*dim+k]; e != 0 {
					for l, w := range s.w[at*n : at*n+n] {
						row[l] += e * w
					}
					if s.spring != nil {
						row[at] += e * s.spring[at]
					}
					if s.shift != nil {
						row[at] += e * s.shift[at]
					}
				}
				row[at] += s.b[i*dim+k]
			}
			for l := range row {
				row[l] *= math.Sqrt(s.rho[l] / s.rho[i])
			}
		}
		s.lu, s.pivot = blas64.General{Rows: n, Cols: n, Stride: max(n, 1), Data: a}, make([]int, n)
		if n == 0 || lapack64.Getrf(s.lu, s.pivot) && (s.regular() || pass == 1 && s.solves()) {
			return nil
		}
	}
	return errors.New("contact: the linearised problem is singular: the solution is not isolated")
}

// regular reports whether no pivot is rounding.
func (s *Sensitivity) regular() bool {
	n, least, most := s.lu.Rows, math.Inf(1), 0.0
	for i := range n {
		v := math.Abs(s.lu.Data[i*(n+1)])
		least, most = min(least, v), max(most, v)
	}
	return least > redundantPivot*most
}

// solves reports whether a change that redundant contacts can follow is solved for: A sin(1, 2, …).
func (s *Sensitivity) solves() bool {
	x := make([]float64, len(s.r))
	for i := range x {
		x[i] = math.Sin(float64(i+1)) * math.Sqrt(s.rho[i])
	}
	rhs := s.product(x)
	return s.solve(blas.NoTrans, rhs) <= redundantRest
}

// product is (E (W + C) + B) x.
func (s *Sensitivity) product(x []float64) []float64 {
	n, dim := len(x), s.dim
	u, y := make([]float64, n), make([]float64, n)
	for i := range n {
		for l, w := range s.w[i*n : i*n+n] {
			u[i] += w * x[l]
		}
		if s.spring != nil {
			u[i] += s.spring[i] * x[i]
		}
	}
	for i := range n {
		for k := range dim {
			at := i/dim*dim + k
			y[i] += s.e[i*dim+k]*u[at] + s.b[i*dim+k]*x[at]
		}
	}
	return y
}

// Forward sets dr and du, where they are not nil, to the derivatives of the solution along c: one
// solve. It fails where a law has no coefficient to change, and where redundant contacts cannot
// follow the change: two of them that hold one body apart, pushed towards each other.
func (s *Sensitivity) Forward(dr, du []float64, c Change) error {
	if err := s.takes(c); err != nil {
		return err
	}
	n, dim := len(s.r), s.dim
	load := s.load(c)
	rhs := make([]float64, n)
	for i := range n {
		j := i / dim
		for k := range dim {
			rhs[i] -= s.e[i*dim+k] * load[dim*j+k]
		}
		if c.Bound != nil {
			rhs[i] -= s.mu[i] * c.Bound[j]
		}
	}
	rest := s.solve(blas.NoTrans, rhs)
	copy(dr, rhs)
	if du != nil {
		for i := range n {
			du[i] = load[i]
			for j, w := range s.w[i*n : i*n+n] {
				du[i] += w * rhs[j]
			}
		}
	}
	if rest > redundantRest {
		return fmt.Errorf("contact: redundant contacts cannot follow the change: %.2g of it is left", rest)
	}
	return nil
}

// takes names a contact whose law has no coefficient, where that is to change.
func (s *Sensitivity) takes(c Change) error {
	for j, x := range c.Bound {
		if _, ok := frictionOf(s.given.Laws[j]); !ok && x != 0 {
			return fmt.Errorf("contact: law %T of contact %d has no coefficient to change", s.given.Laws[j], j)
		}
	}
	return nil
}

// load returns δW r + δq.
func (s *Sensitivity) load(c Change) []float64 {
	load := make([]float64, len(s.r))
	if c.W != nil {
		c.W.MulVec(load, s.r)
	}
	for i := range c.Q {
		load[i] += c.Q[i]
	}
	return load
}

// solve replaces x, forces, by the solution of the linearised problem or of its transpose. Where W
// was shifted, the shift is moved to the right side and solved with again; what is left of x in the
// end of the equations without shift, over x, is returned.
func (s *Sensitivity) solve(trans blas.Transpose, x []float64) (rest float64) {
	if len(x) == 0 {
		return 0
	}
	substitute := func(x []float64) {
		lapack64.Getrs(trans, s.lu, blas64.General{Rows: len(x), Cols: 1, Stride: 1, Data: x}, s.pivot)
	}
	scale := func(x []float64, power float64) {
		for i, rho := range s.rho {
			x[i] *= math.Pow(rho, power)
		}
	}
	power := -0.5
	if trans == blas.Trans {
		power = 0.5
	}
	scale(x, power)
	if s.shift == nil {
		substitute(x)
		scale(x, -power)
		return 0
	}
	b := slices.Clone(x)
	substitute(x)
	for range redundantSteps - 1 {
		y := s.shifted(trans, x)
		for i := range y {
			y[i] += b[i]
		}
		substitute(y)
		copy(x, y)
	}
	scale(x, -power)
	size := num.Norm(b)
	if trans == blas.Trans || size == 0 {
		return 0
	}
	left := s.product(x)
	scale(left, power)
	for i := range left {
		left[i] -= b[i]
	}
	if rest = num.Norm(left) / size; num.Bad(rest) {
		return num.Inf
	}
	return rest
}

// shifted is E·shift times x, or its transpose, in scaled units.
func (s *Sensitivity) shifted(trans blas.Transpose, x []float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		for k := range s.dim {
			at := i/s.dim*s.dim + k
			v := s.e[i*s.dim+k] * s.shift[at] * math.Sqrt(s.rho[at]/s.rho[i])
			if trans == blas.Trans {
				y[at] += v * x[i]
			} else {
				y[i] += v * x[at]
			}
		}
	}
	return y
}

// Backward returns the gradient of a number whose derivatives by r and u are rBar and
// uBar, either of which may be nil: one solve with the transposed factors.
func (s *Sensitivity) Backward(rBar, uBar []float64) Gradient {
	n, dim := len(s.r), s.dim
	x := make([]float64, n)
	copy(x, rBar)
	for i := range uBar {
		for j, w := range s.w[i*n : i*n+n] {
			x[j] += w * uBar[i]
		}
	}
	s.solve(blas.Trans, x)
	g := Gradient{Q: make([]float64, n), R: slices.Clone(s.r), Bound: make([]float64, len(s.State))}
	copy(g.Q, uBar)
	for i := range n {
		j := i / dim
		for k := range dim {
			g.Q[dim*j+k] -= s.e[i*dim+k] * x[i]
		}
		g.Bound[j] -= s.mu[i] * x[i]
	}
	return g
}
