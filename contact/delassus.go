package contact

import (
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/internal/factor"
)

// Delassus is the reduction of a global problem to the reactions,
//
//	W = Hᵀ M⁻¹ H,   q = Hᵀ M⁻¹ f + w,
//
// with one factorisation of M, which it keeps for the way back. With joints
// M⁻¹ stands for the answer of the jointed system,
//
//	M⁻¹ − Z S⁻¹ Zᵀ,   Z = M⁻¹G,   S = GᵀM⁻¹G,
//
// and q has the motion that b causes.
type Delassus struct {
	Local *Local

	h *Jacobian
	f []float64
	// solve sets dst = M⁻¹ rhs, lambda the reactions of the joints, both for
	// b = 0; dst is not rhs. What b adds is the shift.
	solve       func(dst, lambda, rhs []float64)
	rhs, lambda []float64
	v           []float64
	shift       []float64 // of v; nil without joints
	lambdaShift []float64
}

// DependentError reports joints of which one follows from, or contradicts,
// the ones before it: column Row of G is a combination of them.
type DependentError struct{ Row int }

func (e *DependentError) Error() string {
	return fmt.Sprintf("bilateral constraint %d depends on the ones before it", e.Row)
}

// NewDelassus reduces p. W is stored by blocks, without the blocks that are
// zero, and symmetric to the last bit. It costs one factorisation and
// dim·nc + nb solves. If M is not positive definite, the error wraps a
// *[IndefiniteError]; if G is rank deficient, a [*DependentError].
func NewDelassus(p *Global) (*Delassus, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	factor := factor.Analyse(p.M, factor.Options{})
	if err := factor.Refactor(p.M); err != nil {
		return nil, fmt.Errorf("contact: Delassus operator: M: %w", indefinite(err))
	}
	d := &Delassus{h: p.H, f: p.F, solve: func(dst, _, rhs []float64) { factor.Solve(dst, rhs) }}
	if p.Joints() == 0 {
		d.reduce(p.W, p.Laws)
		symmetrise(d.Local.W.(*Blocks), nil)
		return d, nil
	}
	s, err := newSchur(p, factor)
	if err != nil {
		return nil, fmt.Errorf("contact: Delassus operator: %w", err)
	}
	free := d.mobilities()
	d.solve, d.lambda = s.solve, make([]float64, p.Joints())
	d.shift, d.lambdaShift = s.shift(p.B)
	d.reduce(p.W, p.Laws)
	symmetrise(d.Local.W.(*Blocks), free)
	return d, nil
}

// reduce sets W and q by the solve function.
func (d *Delassus) reduce(w []float64, laws []Law) {
	h, dim, nc := d.h, d.h.Dim, len(laws)
	d.allocate()
	v, u := d.v, make([]float64, dim*nc)
	b := &Blocks{D: dim, Ptr: make([]int, nc+1)}
	columns := make([][]delassusBlock, nc) // by block row, column index ascending
	for j := range nc {
		block := make([][]float64, dim)
		for k := range dim {
			d.column(v, j, k)
			clear(u)
			h.MulTransAdd(u, v)
			block[k] = append([]float64(nil), u...)
		}
		for i := range nc {
			if val := delassusEntry(block, i, dim); val != nil || i == j {
				columns[i] = append(columns[i], delassusBlock{j, val})
			}
		}
	}
	for i, row := range columns {
		for _, e := range row {
			b.Col = append(b.Col, e.col)
			if e.val == nil {
				e.val = make([]float64, dim*dim)
			}
			b.Val = append(b.Val, e.val...)
		}
		b.Ptr[i+1] = len(b.Col)
	}
	q := append([]float64(nil), w...)
	h.MulTransAdd(q, d.Velocity(v, nil))
	d.Local = &Local{W: b, Q: q, Laws: laws}
}

func (d *Delassus) allocate() {
	d.rhs, d.v = resize(d.rhs, len(d.f)), resize(d.v, len(d.f))
}

type delassusBlock struct {
	col int
	val []float64
}

// column sets v to M⁻¹ times column k of H at contact j.
func (d *Delassus) column(v []float64, j, k int) {
	clear(d.rhs)
	for e := d.h.Ptr[j]; e < d.h.Ptr[j+1]; e++ {
		d.rhs[d.h.Row[e]] += d.h.Val[d.h.Dim*e+k]
	}
	d.solve(v, d.lambda, d.rhs)
}

// delassusEntry gathers the block of row i, row by row; nil if it is zero.
func delassusEntry(block [][]float64, i, dim int) []float64 {
	val, zero := make([]float64, dim*dim), true
	for a := range dim {
		for k := range dim {
			val[a*dim+k] = block[k][i*dim+a]
			zero = zero && val[a*dim+k] == 0
		}
	}
	if zero {
		return nil
	}
	return val
}

// Velocity overwrites v with M⁻¹(f + H r), within the joints, and returns it; a
// nil v allocates. A nil r means no reactions.
func (d *Delassus) Velocity(v, r []float64) []float64 {
	if v == nil {
		v = make([]float64, len(d.f))
	}
	copy(d.rhs, d.f)
	if r != nil {
		d.h.MulAdd(d.rhs, r)
	}
	d.solve(v, d.lambda, d.rhs)
	for i, x := range d.shift {
		v[i] += x
	}
	return v
}

// Lambda returns the reactions of the joints that belong to r in lambda[:0].
func (d *Delassus) Lambda(lambda, r []float64) []float64 {
	d.Velocity(d.v, r)
	lambda = lambda[:0]
	for k, x := range d.lambda {
		lambda = append(lambda, x+d.lambdaShift[k])
	}
	return lambda
}

// mobilities returns the diagonal of HᵀM⁻¹H by the present solve function.
func (d *Delassus) mobilities() []float64 {
	d.allocate()
	dim, free := d.h.Dim, []float64(nil)
	for j := range d.h.Contacts() {
		for k := range dim {
			d.column(d.v, j, k)
			s := 0.0
			for e := d.h.Ptr[j]; e < d.h.Ptr[j+1]; e++ {
				s += d.h.Val[dim*e+k] * d.v[d.h.Row[e]]
			}
			free = append(free, s)
		}
	}
	return free
}

// heldFactor is the part of its mobility without joints below which a
// direction is held by them: what is left of it is roundoff.
const heldFactor = 1e-13

// symmetrise makes W symmetric where the solves left roundoff. If free is not
// nil, the directions that the joints hold get rows and columns of zeros.
func symmetrise(b *Blocks, free []float64) {
	n, dim := b.Contacts(), b.D
	held := make([]bool, dim*n)
	for i := range n {
		k := b.find(i, i)
		for a := range dim {
			held[dim*i+a] = free != nil && !(b.Val[dim*dim*k+dim*a+a] > heldFactor*free[dim*i+a])
		}
	}
	for i := range n {
		for k := b.Ptr[i]; k < b.Ptr[i+1]; k++ {
			block, j := b.Val[dim*dim*k:dim*dim*(k+1)], b.Col[k]
			t := b.find(j, i)
			if t < 0 { // an exact zero the other way round
				clear(block)
			} else if j <= i {
				average(block, b.Val[dim*dim*t:], dim, held[dim*i:], held[dim*j:])
			}
		}
	}
}

// average makes x and y transposes of each other, zero where held.
func average(x, y []float64, dim int, rowHeld, colHeld []bool) {
	for a := range dim {
		for c := range dim {
			m := 0.5 * (x[dim*a+c] + y[dim*c+a])
			if rowHeld[a] || colHeld[c] {
				m = 0
			}
			x[dim*a+c], y[dim*c+a] = m, m
		}
	}
}

// find returns the position of block (i, j) in a row sorted by columns, -1 if
// it is not stored.
func (b *Blocks) find(i, j int) int {
	if k, ok := slices.BinarySearch(b.Col[b.Ptr[i]:b.Ptr[i+1]], j); ok {
		return b.Ptr[i] + k
	}
	return -1
}
