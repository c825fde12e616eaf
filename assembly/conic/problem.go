package conic

import "math"

// Matrix is an m×n matrix by columns: column j has the entries Ptr[j] to Ptr[j+1].
type Matrix struct {
	Rows int
	Ptr  []int // length n+1; nil for no column
	Row  []int
	Val  []float64
}

// Column appends a column, of the values at rows; zeros are left out.
func (a *Matrix) Column(rows []int, values []float64) {
	if a.Ptr == nil {
		a.Ptr = []int{0}
	}
	for i, v := range values {
		if v != 0 {
			a.Row, a.Val = append(a.Row, rows[i]), append(a.Val, v)
		}
	}
	a.Ptr = append(a.Ptr, len(a.Row))
}

// Cols returns the number of columns.
func (a *Matrix) Cols() int { return max(len(a.Ptr)-1, 0) }

// MulVec sets dst = A x.
func (a *Matrix) MulVec(dst, x []float64) {
	clear(dst)
	for j, v := range x {
		for p := a.Ptr[j]; p < a.Ptr[j+1]; p++ {
			dst[a.Row[p]] += a.Val[p] * v
		}
	}
}

// MulTransVec sets dst = Aᵀy.
func (a *Matrix) MulTransVec(dst, y []float64) {
	for j := range dst {
		sum := 0.
		for p := a.Ptr[j]; p < a.Ptr[j+1]; p++ {
			sum += a.Val[p] * y[a.Row[p]]
		}
		dst[j] = sum
	}
}

// Problem is min cᵀx, A x = b, x ∈ K.
type Problem struct {
	A     Matrix
	B, C  []float64 // lengths m and n
	Cones []int     // dimensions, of sum n
}

// Status is what was found.
type Status int

// The answers of Solve.
const (
	Undecided  Status = iota // no answer to the tolerance
	Optimal                  // X, Y, S
	Infeasible               // Y is a ray: no x is admissible
	Unbounded                // X is a ray: no y is admissible
)

func (s Status) String() string {
	return [...]string{"undecided", "optimal", "infeasible", "unbounded"}[s]
}

// Options are the wishes for Solve. The zero value works, and so does nil.
type Options struct {
	// Tolerance [-] on residuals relative to the data and on the gap. Default 1e-10.
	Tolerance float64
	// Enough [-] is what counts as solved where steps end before Tolerance. Default 1e-7.
	Enough float64
	// Iterations is the largest number of steps. Default 100.
	Iterations int
	// Keep [-] are residuals, falling: the first iterate below each is kept in the Result.
	Keep []float64
	// From is where the steps begin, of an iterate that was kept for a problem near to this one. Default: the units of the cones.
	From *Point
}

// Point is an iterate of the homogeneous model at τ = 1, x and s inside the cones.
type Point struct {
	X, Y, S []float64
	Kappa   float64
}

// Between returns share times p and the rest of o.
func (p *Point) Between(o *Point, share float64) *Point {
	mix := func(x, y []float64) []float64 {
		z := scaled(nil, x, share)
		addTo(z, y, 1-share)
		return z
	}
	return &Point{mix(p.X, o.X), mix(p.Y, o.Y), mix(p.S, o.S), share*p.Kappa + (1-share)*o.Kappa}
}

func (o *Options) defaults() Options {
	d := Options{Tolerance: 1e-10, Enough: 1e-7, Iterations: 100}
	if o == nil {
		return d
	}
	d.Keep, d.From = o.Keep, o.From
	if o.Tolerance > 0 {
		d.Tolerance, d.Enough = o.Tolerance, max(o.Tolerance, d.Enough)
	}
	if o.Enough > 0 {
		d.Enough = o.Enough
	}
	if o.Iterations > 0 {
		d.Iterations = o.Iterations
	}
	return d
}

// Result is the answer: values of x, y and s, or of a ray, and how exact they are.
type Result struct {
	Status     Status
	X, Y, S    []float64
	Value      float64 // cᵀx
	Bound      float64 // bᵀy, below Value
	Residual   float64 // largest of A x = b and c − Aᵀy = s relative to the data, and of the gap; of a ray: its violation
	Iterations int
	Kept       []*Point // as wished for, as many as were reached
}

// equilibrate returns A with rows of one size, and these sizes.
func equilibrate(a *Matrix) (Matrix, []float64) {
	size := make([]float64, a.Rows)
	for p, i := range a.Row {
		size[i] = max(size[i], math.Abs(a.Val[p]))
	}
	for i, v := range size {
		if v == 0 {
			size[i] = 1
		}
	}
	scaled := Matrix{Rows: a.Rows, Ptr: a.Ptr, Row: a.Row, Val: make([]float64, len(a.Val))}
	for p, i := range a.Row {
		scaled.Val[p] = a.Val[p] / size[i]
	}
	return scaled, size
}

// RayViolation is the independent check of a ray: how far −Aᵀy is from the cones, over bᵀy, in the
// units of p; infinite if bᵀy is not positive.
func (p *Problem) RayViolation(y []float64) float64 {
	by := dot(p.B, y)
	if !(by > 0) {
		return math.Inf(1)
	}
	s := make([]float64, p.A.Cols())
	p.A.MulTransVec(s, y)
	worst, at := 0., 0
	for _, d := range p.Cones {
		worst = max(worst, s[at]+math.Sqrt(dot(s[at+1:at+d], s[at+1:at+d])))
		at += d
	}
	return worst / by
}
