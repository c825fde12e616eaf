package delassus

import (
	"context"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/factor"
)

// gram builds W = HᵀM⁻¹H by blocks. Contacts i and j are coupled if both touch a
// part of M; with M = LDLᵀ of a small part its share is
//
//	W_ij += Y_iᵀ D⁻¹ Y_j,   Y_j = L⁻¹ H_j,
//
// symmetric to the last bit, and by a solve for each column for a large one.
type gram struct {
	h        *form.Jacobian
	m        *massParts
	contacts [][]int   // of each part, ascending
	touched  [][]int32 // parts of each contact, ascending
	w        *form.Blocks
}

func newGram(h *form.Jacobian, m *massParts) *gram {
	g := &gram{h: h, m: m, contacts: make([][]int, len(m.parts)), touched: make([][]int32, h.Contacts())}
	for j := range g.touched {
		for _, row := range h.Row[h.Ptr[j]:h.Ptr[j+1]] {
			if k := m.of[row]; !slices.Contains(g.touched[j], k) {
				g.touched[j] = append(g.touched[j], k)
				g.contacts[k] = append(g.contacts[k], j)
			}
		}
		slices.Sort(g.touched[j])
	}
	return g
}

// build sets W.
func (g *gram) build(ctx context.Context) (*form.Blocks, error) {
	g.pattern()
	for k, list := range g.contacts {
		if len(list) == 0 {
			continue
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("Delassus operator: %w", context.Cause(ctx))
		}
		part := &g.m.parts[k]
		if part.small != nil {
			g.addSmall(part.small, int32(k), list)
		} else if part.kept != nil {
			if err := g.addDense(ctx, part, int32(k), list); err != nil {
				return nil, err
			}
		} else if err := g.addLarge(ctx, part, int32(k), list); err != nil {
			return nil, err
		}
	}
	dropZeros(g.w)
	return g.w, nil
}

// pattern lays out the blocks of contacts that share a part.
func (g *gram) pattern() {
	nc := len(g.touched)
	g.w = &form.Blocks{D: g.h.Dim, Ptr: make([]int, nc+1)}
	seen, row := make([]int32, nc), []int(nil)
	for i, parts := range g.touched {
		row = append(row[:0], i)
		seen[i] = int32(i + 1)
		for _, k := range parts {
			for _, j := range g.contacts[k] {
				if seen[j] != int32(i+1) {
					seen[j] = int32(i + 1)
					row = append(row, j)
				}
			}
		}
		slices.Sort(row)
		g.w.Col = append(g.w.Col, row...)
		g.w.Ptr[i+1] = len(g.w.Col)
	}
	g.w.Val = make([]float64, g.h.Dim*g.h.Dim*len(g.w.Col))
}

// addSmall adds the share of a small part to the blocks of its contacts.
func (g *gram) addSmall(l *smallLDL, part int32, list []int) {
	dim, n := g.h.Dim, l.N
	y := make([]float64, len(list)*dim*n) // Y_j by columns
	for c, j := range list {
		for k := range dim {
			x := y[(c*dim+k)*n : (c*dim+k+1)*n]
			g.scatter(x, part, j, k)
			l.forward(x)
		}
	}
	for c, i := range list {
		at := g.w.Ptr[i]
		for d, j := range list {
			for g.w.Col[at] != j {
				at++
			}
			block := g.w.Val[dim*dim*at : dim*dim*(at+1)]
			for a := range dim {
				x := y[(c*dim+a)*n : (c*dim+a+1)*n]
				for b := range dim {
					block[a*dim+b] += l.product(x, y[(d*dim+b)*n:(d*dim+b+1)*n])
				}
			}
		}
	}
}

// scatter adds column k of H at contact j to x, in the rows of the part.
func (g *gram) scatter(x []float64, part int32, j, k int) {
	h := g.h
	for e := h.Ptr[j]; e < h.Ptr[j+1]; e++ {
		if row := h.Row[e]; g.m.of[row] == part {
			x[g.m.at[row]] += h.Val[h.Dim*e+k]
		}
	}
}

// addLarge is addSmall by solves; what is below the diagonal is mirrored.
func (g *gram) addLarge(ctx context.Context, part *massPart, number int32, list []int) error {
	h, dim := g.h, g.h.Dim
	for c, j := range list {
		if ctx.Err() != nil {
			return fmt.Errorf("Delassus operator: %w", context.Cause(ctx))
		}
		for k := range dim {
			clear(part.x)
			g.scatter(part.x, number, j, k)
			part.large.Solve(part.x, part.x)
			row := g.w.Ptr[j]
			for _, i := range list[c:] {
				var u [form.WideMost]float64
				for e := h.Ptr[i]; e < h.Ptr[i+1]; e++ {
					if r := h.Row[e]; g.m.of[r] == number {
						for a := range dim {
							u[a] += h.Val[dim*e+a] * part.x[g.m.at[r]]
						}
					}
				}
				for g.w.Col[row] != i {
					row++
				}
				g.mirror(i, j, k, row, &u)
			}
		}
	}
	return nil
}

// addDense is addLarge by the Schur complement S of the rows that contacts touch:
// the rows and columns of M⁻¹ there are S⁻¹.
func (g *gram) addDense(ctx context.Context, part *massPart, number int32, list []int) error {
	h, dim, n, k := g.h, g.h.Dim, g.h.Dim*len(list), len(part.kept)
	place := make([]int, len(part.rows))
	for i, row := range part.kept {
		place[row] = i
	}
	b := make([]float64, n*k)
	for c, j := range list {
		for e := h.Ptr[j]; e < h.Ptr[j+1]; e++ {
			if row := h.Row[e]; g.m.of[row] == number {
				for a := range dim {
					b[(dim*c+a)*k+place[g.m.at[row]]] += h.Val[dim*e+a]
				}
			}
		}
	}
	w, err := part.large.(*factor.Schur).Congruence(ctx, b, n)
	if err != nil {
		return fmt.Errorf("Delassus operator: %w", err)
	}
	for c, i := range list {
		at := g.w.Ptr[i]
		for d, j := range list {
			for g.w.Col[at] != j {
				at++
			}
			for a := range dim {
				for e := range dim {
					g.w.Val[dim*dim*at+dim*a+e] += w[(dim*c+a)*n+dim*d+e]
				}
			}
		}
	}
	return nil
}

// mirror adds u to column k of block (i, j), i >= j, and to row k of (j, i), which
// lies at row. Of a diagonal block the part below the diagonal counts.
func (g *gram) mirror(i, j, k, row int, u *[form.WideMost]float64) {
	dim, val := g.h.Dim, g.w.Val
	if i == j {
		block := val[dim*dim*row:]
		for a := k; a < dim; a++ {
			block[a*dim+k] += u[a]
			if a > k {
				block[k*dim+a] += u[a]
			}
		}
		return
	}
	lower, upper := val[dim*dim*find(g.w, i, j):], val[dim*dim*row:]
	for a := range dim {
		lower[a*dim+k] += u[a]
		upper[k*dim+a] += u[a]
	}
}

// dropZeros removes the blocks that are zero, but for those of the diagonal.
func dropZeros(b *form.Blocks) {
	size, at, from := b.D*b.D, 0, 0
	for i := range b.Contacts() {
		end := b.Ptr[i+1]
		for k := from; k < end; k++ {
			block := b.Val[size*k : size*(k+1)]
			if b.Col[k] != i && !slices.ContainsFunc(block, func(v float64) bool { return v != 0 }) {
				continue
			}
			b.Col[at] = b.Col[k]
			copy(b.Val[size*at:], block)
			at++
		}
		from, b.Ptr[i+1] = end, at
	}
	b.Col, b.Val = b.Col[:at], b.Val[:size*at]
}

// find returns the position of block (i, j) in a row sorted by columns, -1 if
// it is not stored.
func find(b *form.Blocks, i, j int) int {
	if k, ok := slices.BinarySearch(b.Col[b.Ptr[i]:b.Ptr[i+1]], j); ok {
		return b.Ptr[i] + k
	}
	return -1
}
