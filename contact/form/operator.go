package form

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/num"
)

// An Operator is the Delassus matrix W of a [Local] problem: square, of
// Dim·Contacts rows. The solvers work on its dim×dim blocks; [Blocks] and
// [Dense] hand them over, any other Operator is sampled column by column.
type Operator interface {
	Dim() int                // 2 or 3; 4 to 6 with moments, see [Rolling]
	Contacts() int           // nc
	MulVec(dst, r []float64) // dst = W r; dst is not r
}

// Blocks is W in compressed rows of dim×dim blocks. Row i holds the blocks
// Ptr[i]:Ptr[i+1]; block k couples to contact Col[k] and its entries are
// Val[dim²k : dim²(k+1)], row by row. A pair (i, j) may appear once.
type Blocks struct {
	D   int // 2 or 3; 4 to 6 with moments
	Ptr []int
	Col []int
	Val []float64
}

var _ Operator = (*Blocks)(nil)

// Dim implements [Operator].
func (b *Blocks) Dim() int { return b.D }

// Contacts implements [Operator].
func (b *Blocks) Contacts() int { return len(b.Ptr) - 1 }

// MulVec implements [Operator].
func (b *Blocks) MulVec(dst, r []float64) {
	switch {
	case b.D == 3:
		b.mulVec3(dst, r)
		return
	case b.D > 3:
		clear(dst)
		b.each(func(i, j int, w float64) { dst[i] += w * r[j] })
		return
	}
	for i := range b.Contacts() {
		var s, t float64
		for k := b.Ptr[i]; k < b.Ptr[i+1]; k++ {
			v, x := b.Val[4*k:4*k+4:4*k+4], r[2*b.Col[k]:2*b.Col[k]+2:2*b.Col[k]+2]
			s += v[0]*x[0] + v[1]*x[1]
			t += v[2]*x[0] + v[3]*x[1]
		}
		dst[2*i], dst[2*i+1] = s, t
	}
}

func (b *Blocks) mulVec3(dst, r []float64) {
	for i := range b.Contacts() {
		var s, t, o float64
		for k := b.Ptr[i]; k < b.Ptr[i+1]; k++ {
			v, x := (*[9]float64)(b.Val[9*k:]), (*[3]float64)(r[3*b.Col[k]:])
			s += v[0]*x[0] + v[1]*x[1] + v[2]*x[2]
			t += v[3]*x[0] + v[4]*x[1] + v[5]*x[2]
			o += v[6]*x[0] + v[7]*x[1] + v[8]*x[2]
		}
		dst[3*i], dst[3*i+1], dst[3*i+2] = s, t, o
	}
}

// Diagonal returns the position of the block (j, j), -1 if it is not stored.
func (b *Blocks) Diagonal(j int) int {
	for k := b.Ptr[j]; k < b.Ptr[j+1]; k++ {
		if b.Col[k] == j {
			return k
		}
	}
	return -1
}

func (b *Blocks) validate() error {
	nc := b.Contacts()
	switch {
	case b.D < 2 || b.D > WideMost:
		return fmt.Errorf("contact: Blocks.D is %d, want 2 to %d", b.D, WideMost)
	case nc < 0 || b.Ptr[0] != 0 || b.Ptr[nc] != len(b.Col):
		return errors.New("contact: Blocks.Ptr does not span Blocks.Col")
	case len(b.Val) != b.D*b.D*len(b.Col):
		return fmt.Errorf("contact: Blocks.Val has %d entries, want %d", len(b.Val), b.D*b.D*len(b.Col))
	}
	for i := range nc {
		if b.Ptr[i] > b.Ptr[i+1] {
			return fmt.Errorf("contact: Blocks.Ptr falls at row %d", i)
		}
	}
	for k, j := range b.Col {
		if j < 0 || j >= nc {
			return fmt.Errorf("contact: Blocks.Col[%d] is %d, there are %d contacts", k, j, nc)
		}
	}
	return usable("W", b.Val)
}

// Dense is W as a full matrix, row by row.
type Dense struct {
	D   int       // 2 or 3; 4 to 6 with moments
	N   int       // rows, D times the number of contacts
	Val []float64 // N·N
}

var _ Operator = (*Dense)(nil)

// Dim implements [Operator].
func (d *Dense) Dim() int { return d.D }

// Contacts implements [Operator].
func (d *Dense) Contacts() int { return d.N / d.D }

// MulVec implements [Operator].
func (d *Dense) MulVec(dst, r []float64) {
	for i := range d.N {
		s := 0.0
		for j, v := range d.Val[i*d.N : (i+1)*d.N] {
			s += v * r[j]
		}
		dst[i] = s
	}
}

func (d *Dense) validate() error {
	switch {
	case d.D < 2 || d.D > WideMost:
		return fmt.Errorf("contact: Dense.D is %d, want 2 to %d", d.D, WideMost)
	case d.N < 0 || d.N%d.D != 0:
		return fmt.Errorf("contact: Dense.N is %d, want a multiple of %d", d.N, d.D)
	case len(d.Val) != d.N*d.N:
		return fmt.Errorf("contact: Dense.Val has %d entries, want %d", len(d.Val), d.N*d.N)
	}
	return usable("W", d.Val)
}

// each visits the entries of W.
func (b *Blocks) each(visit func(i, j int, w float64)) {
	for i := range b.Contacts() {
		for k := b.Ptr[i]; k < b.Ptr[i+1]; k++ {
			for a := range b.D {
				for c := range b.D {
					visit(b.D*i+a, b.D*b.Col[k]+c, b.Val[b.D*b.D*k+b.D*a+c])
				}
			}
		}
	}
}

func (d *Dense) each(visit func(i, j int, w float64)) {
	for i := range d.N {
		for j, w := range d.Val[i*d.N : (i+1)*d.N] {
			visit(i, j, w)
		}
	}
}

// SampleOperator returns W as a full matrix, row by row.
func SampleOperator(w Operator) []float64 {
	if d, ok := w.(*Dense); ok {
		return d.Val
	}
	n := w.Dim() * w.Contacts()
	a, e, col := make([]float64, n*n), make([]float64, n), make([]float64, n)
	for j := range n {
		e[j] = 1
		w.MulVec(col, e)
		e[j] = 0
		for i, v := range col {
			a[i*n+j] = v
		}
	}
	return a
}

// Triple sets dst to contact j of a stacked vector, zero-padded in two dimensions.
func Triple(dst *vec3, x []float64, dim, j int) {
	if dim == 3 {
		*dst = vec3(x[3*j:])
		return
	}
	x = x[2*j : 2*j+2]
	dst[0], dst[1], dst[2] = x[0], x[1], 0
}

// Sampled evaluates w on the unit vectors.
func Sampled(w Operator) *Dense {
	n := w.Dim() * w.Contacts()
	d := &Dense{D: w.Dim(), N: n, Val: make([]float64, n*n)}
	x, y := make([]float64, n), make([]float64, n)
	for j := range n {
		x[j] = 1
		w.MulVec(y, x)
		x[j] = 0
		for i, v := range y {
			d.Val[i*n+j] = v
		}
	}
	return d
}

// sampledCopy returns W as a matrix of its own.
func sampledCopy(w Operator) *Dense {
	if d, ok := w.(*Dense); ok {
		return &Dense{D: d.D, N: d.N, Val: slices.Clone(d.Val)}
	}
	return Sampled(w)
}

// usable reports entries that are no finite numbers, or out of range.
func usable(name string, x []float64) error {
	if m := num.InfNorm(x); m == 0 || m >= rangeLeast && m <= rangeMost {
		return nil
	}
	if err := Finite(name, x); err != nil {
		return err
	}
	return InRange(name, x)
}

// InRange bounds the largest entry, so that products and squares of any two
// quantities of a problem stay numbers.
func InRange(name string, x []float64) error {
	if m := num.InfNorm(x); m != 0 && !(m >= rangeLeast && m <= rangeMost) {
		return fmt.Errorf("contact: the largest entry of %s is %g, not between %g and %g: change the units", name, m, rangeLeast, rangeMost)
	}
	return nil
}

const (
	rangeLeast = 1e-50
	rangeMost  = 1e50
)

// LeastMobility is the part of the largest diagonal below which one says
// nothing of its row: about the square root of rounding.
const LeastMobility = 1e-8

// Steps returns ρ_j in dst[:0]: the inverse mean diagonal of W_jj.
func Steps(dst []float64, w Operator) []float64 { return StepsAbove(dst, w, LeastMobility) }

// StepsAbove is steps with the part of the largest diagonal up to which a contact gets the ρ of
// that.
func StepsAbove(dst []float64, w Operator, least float64) []float64 {
	dim, most := w.Dim(), 0.0
	dst = num.Grow(dst, w.Contacts())
	d, isDense := w.(*Dense)
	b, isBlocks := w.(*Blocks)
	if !isDense && !isBlocks {
		d, isDense = Sampled(w), true
	}
	for j := range dst {
		trace := 0.0
		if isDense {
			for k := range dim {
				trace += d.Val[(dim*j+k)*(d.N+1)]
			}
		} else if at := b.Diagonal(j); at >= 0 {
			for k := range dim {
				trace += b.Val[dim*dim*at+k*(dim+1)]
			}
		}
		dst[j] = trace / float64(dim)
		most = max(most, dst[j])
	}
	if most == 0 {
		most = 1
	}
	for j, v := range dst {
		if !(v > least*most) {
			v = most
		}
		dst[j] = 1 / v
	}
	return dst
}

func Finite(name string, x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("contact: %s[%d] is %g", name, i, v)
		}
	}
	return nil
}

// WideMost is the largest number of components of a contact, see [Rolling].
const WideMost = 6
