package dynamics

// local is the problem of one step in the forces alone, with the separation
// and slip speeds s of all elements:
//
//	s = A λ + b,   A = h(1−θ) W M⁻¹ Wᵀ + (hK + C)⁻¹,
//	b = W(θv + (1−θ)v_free) − s₀ − (hK + C)⁻¹ K δ   (+ (Ψ_n + δ_n)/h in the rows n).
//
// It is the inverse of (13) of [Song04], A = H⁻¹, without the inverse: the
// identity of Sherman, Morrison and Woodbury turns J = H⁻¹ into the sum. The
// second term is absent for rigid patches.
type local struct {
	c       *Contacts
	mass    *Mass
	solver  *denseLU // replaces M⁻¹ in Newton's method; nil otherwise
	step    float64  // h(1−θ)
	push    float64  // time in which a penetration is undone, see [Stepper.begin] [s]
	owner   []int    // patch of each element
	b       []float64
	check   []float64 // b at the speeds of a solution
	blocks  []int     // scratch: blocks of M that a column touches
	seen    []bool
	columns [3][]float64 // scratch: M⁻¹Wᵀ of one element, nv each
}

// load sizes the vectors for the contacts of a step.
func (l *local) load(c *Contacts, mass *Mass, step float64) {
	l.c, l.mass, l.step = c, mass, step
	l.owner = l.owner[:0]
	for i := range c.patches {
		for range c.patches[i].last - c.patches[i].first {
			l.owner = append(l.owner, i)
		}
	}
	l.b = grow(l.b, c.h.Dim*c.elements())
	nb := len(mass.first) - 1
	if len(l.seen) != nb {
		l.seen, l.blocks = make([]bool, nb), make([]int, 0, nb)
	}
	for k := range l.columns {
		l.columns[k] = grow(l.columns[k], c.h.Rows)
	}
}

// opening is the speed that closes a gap in the step, or that opens a negative one.
func (l *local) opening(gap, h float64) float64 {
	if gap < 0 {
		return gap / l.push
	}
	return gap / h
}

// column sets l.columns to M⁻¹ W_eᵀ and returns the blocks of M it fills.
func (l *local) column(e int) {
	h := &l.c.h
	l.blocks = l.blocks[:0]
	for k := h.Ptr[e]; k < h.Ptr[e+1]; k++ {
		row := h.Row[k]
		for d := range h.Dim {
			l.columns[d][row] += h.Val[h.Dim*k+d]
		}
		if b := l.mass.of[row]; !l.seen[b] {
			l.seen[b] = true
			l.blocks = append(l.blocks, b)
		}
	}
	for d := range h.Dim {
		if l.solver != nil {
			l.solver.solve(l.columns[d])
			continue
		}
		for _, b := range l.blocks {
			l.mass.solveBlock(b, l.columns[d])
		}
	}
}

// release clears the columns for the next one.
func (l *local) release() {
	for _, b := range l.blocks {
		l.seen[b] = false
	}
	for d := range l.c.h.Dim {
		if l.solver != nil {
			clear(l.columns[d])
			continue
		}
		for _, b := range l.blocks {
			clear(l.columns[d][l.mass.first[b]:l.mass.first[b+1]])
		}
	}
}

// assemble overwrites a with the rows and columns of A that belong to the
// given elements: a full matrix of order dim·len(elements), row by row.
func (l *local) assemble(a []float64, elements []int) {
	h, dim := &l.c.h, l.c.h.Dim
	n := dim * len(elements)
	for j, ej := range elements {
		l.column(ej)
		for i, ei := range elements {
			var s [9]float64
			for k := h.Ptr[ei]; k < h.Ptr[ei+1]; k++ {
				row, w := h.Row[k], h.Val[dim*k:dim*k+dim]
				for d := range dim {
					y := l.columns[d][row]
					for c := range dim {
						s[3*c+d] += w[c] * y
					}
				}
			}
			for c := range dim {
				for d := range dim {
					a[(dim*i+c)*n+dim*j+d] = l.step * s[3*c+d]
				}
			}
		}
		l.release()
	}
	l.addCompliance(a, elements)
}

// addCompliance adds (hK + C)⁻¹ of each patch; the elements of a patch follow
// each other.
func (l *local) addCompliance(a []float64, elements []int) {
	dim := l.c.h.Dim
	n := dim * len(elements)
	for i := 0; i < len(elements); {
		p := l.c.patches[l.owner[elements[i]]]
		m := dim * (p.last - p.first)
		if p.patch.k != nil {
			for r := range m {
				at := (dim*i+r)*n + dim*i
				for c, v := range p.patch.eInv[r*m : r*m+m] {
					a[at+c] += v
				}
			}
		}
		i += p.last - p.first
	}
}

// rightSide overwrites dst with b for the given mean velocity and deformations:
// the speeds s of elements without force.
func (l *local) rightSide(dst, mean, delta []float64, h float64, gapForm bool) {
	dim := l.c.h.Dim
	clear(dst)
	l.c.relative(dst, mean)
	for i := range l.c.patches {
		p := &l.c.patches[i]
		first, m := dim*p.first, dim*(p.last-p.first)
		b, d := dst[first:first+m], delta[first:first+m]
		if p.patch.k != nil {
			for r := range m {
				s := 0.0
				for c, v := range p.patch.relax[r*m : r*m+m] {
					s += v * d[c]
				}
				b[r] -= s
			}
		}
		if !gapForm {
			continue
		}
		for e := range p.last - p.first {
			b[dim*e] += l.opening(l.c.gap[p.first+e]+d[dim*e], h)
		}
	}
}

func grow[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}
