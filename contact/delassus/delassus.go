package delassus

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
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
	Local *form.Local

	h *form.Jacobian
	f []float64
	// solve sets dst = M⁻¹ rhs, lambda the reactions of the joints, both for
	// b = 0; dst is not rhs. What b adds is the shift.
	solve       func(dst, lambda, rhs []float64)
	rhs, lambda []float64
	v           []float64
	shift       []float64 // of v; nil without joints
	lambdaShift []float64
}

// NewDelassus reduces p. W is stored by blocks, without the blocks that are
// zero, and symmetric to the last bit. It costs one factorisation and as much as W has
// blocks if M is that of rigid bodies, dim·nc solves with a body that is elastic; with
// joints dim·nc + nb solves and a W that is full on jointed bodies. If M is not positive
// definite, the error wraps an *[IndefiniteError]; if G is rank deficient, a [*DependentError].
func NewDelassus(p *form.Global) (*Delassus, error) {
	return Reduce(context.Background(), p)
}

// Reduce is [NewDelassus] until the context is done, looked at several times a second.
func Reduce(ctx context.Context, p *form.Global) (*Delassus, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	m, err := newMassParts(ctx, p.M, p.H)
	if err != nil {
		return nil, fmt.Errorf("contact: Delassus operator: %w", err)
	}
	d := &Delassus{h: p.H, f: p.F, rhs: make([]float64, len(p.F)), v: make([]float64, len(p.F)),
		solve: func(dst, _, rhs []float64) { m.solve(dst, rhs) }}
	w, err := newGram(p.H, m).build(ctx)
	if err != nil {
		return nil, fmt.Errorf("contact: Delassus operator: %w", err)
	}
	if p.Joints() > 0 {
		if w, err = d.joint(ctx, p, m, w); err != nil {
			return nil, fmt.Errorf("contact: Delassus operator: %w", err)
		}
	}
	d.pose(p.W, p.Laws, w)
	if p.Joints() == 0 && p.H.Dim <= 3 {
		d.Local.Graph = form.NewGraph(d.Local.W, p.M, p.H)
	}
	return d, nil
}

// joint eliminates the joints of p too: W of the free bodies becomes that of the
// jointed ones.
func (d *Delassus) joint(ctx context.Context, p *form.Global, m *massParts, free *form.Blocks) (*form.Blocks, error) {
	s, err := newSchur(ctx, p, m)
	if err != nil {
		return nil, err
	}
	var mobility []float64
	for j := range free.Contacts() {
		k := find(free, j, j)
		for a := range free.D {
			mobility = append(mobility, free.Val[free.D*free.D*k+a*(free.D+1)])
		}
	}
	d.solve, d.lambda = s.solve, make([]float64, p.Joints())
	d.shift, d.lambdaShift = s.shift(p.B)
	w, err := d.columns(ctx, free.Contacts())
	if err != nil {
		return nil, err
	}
	symmetrise(w, mobility)
	return w, nil
}

// columns returns W by the solve function, a column at a time.
func (d *Delassus) columns(ctx context.Context, nc int) (*form.Blocks, error) {
	h, dim := d.h, d.h.Dim
	v, u := d.v, make([]float64, dim*nc)
	b := &form.Blocks{D: dim, Ptr: make([]int, nc+1)}
	columns := make([][]delassusBlock, nc) // by block row, column index ascending
	for j := range nc {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
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
	return b, nil
}

// pose sets q and the problem.
func (d *Delassus) pose(w []float64, laws []law.Law, b *form.Blocks) {
	q := append([]float64(nil), w...)
	d.h.MulTransAdd(q, d.Velocity(d.v, nil))
	d.Local = &form.Local{W: b, Q: q, Laws: laws}
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

// heldFactor is the part of its mobility without joints below which a
// direction is held by them: what is left of it is roundoff.
const heldFactor = 1e-13

// symmetrise makes W symmetric where the solves left roundoff; the directions that
// the joints hold get rows and columns of zeros.
func symmetrise(b *form.Blocks, free []float64) {
	n, dim := b.Contacts(), b.D
	held := make([]bool, dim*n)
	for i := range n {
		k := find(b, i, i)
		for a := range dim {
			held[dim*i+a] = !(b.Val[dim*dim*k+dim*a+a] > heldFactor*free[dim*i+a])
		}
	}
	for i := range n {
		for k := b.Ptr[i]; k < b.Ptr[i+1]; k++ {
			block, j := b.Val[dim*dim*k:dim*dim*(k+1)], b.Col[k]
			t := find(b, j, i)
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

// ChangeQ returns δq = δw + HᵀM⁻¹δf; nil for either means zero.
func (d *Delassus) ChangeQ(w, f []float64) []float64 {
	q := make([]float64, len(d.Local.Q))
	copy(q, w)
	if f != nil {
		copy(d.rhs, f)
		d.solve(d.v, d.lambda, d.rhs)
		d.h.MulTransAdd(q, d.v)
	}
	return q
}

// ForceGradient returns M⁻¹H g: ∂/∂f for g = ∂/∂q.
func (d *Delassus) ForceGradient(g []float64) []float64 {
	clear(d.rhs)
	d.h.MulAdd(d.rhs, g)
	f := make([]float64, len(d.f))
	d.solve(f, d.lambda, d.rhs)
	return f
}
