package dynamics

import "github.com/quasistatic/quasistatic/contact"

// neighbours lists, for every block of M, the elements of an island that touch
// it: elements without a common block have no block in A.
type neighbours struct {
	ptr   []int
	list  []int
	local []int // place of each element in the island
	mark  []int // element that met this one last
}

// find fills the lists for an island.
func (s *neighbours) find(l *local, elements []int) {
	h, of := &l.c.h, l.mass.of
	nb, ne := len(l.mass.first)-1, l.c.elements()
	s.ptr, s.local, s.mark = grow(s.ptr, nb+1), grow(s.local, ne), grow(s.mark, len(elements))
	clear(s.ptr)
	for i, e := range elements {
		s.local[e], s.mark[i] = i, -1
		for _, row := range h.Row[h.Ptr[e]:h.Ptr[e+1]] {
			s.ptr[of[row]+1]++
		}
	}
	for b := range nb {
		s.ptr[b+1] += s.ptr[b]
	}
	s.list = grow(s.list, s.ptr[nb])
	for _, e := range elements {
		for _, row := range h.Row[h.Ptr[e]:h.Ptr[e+1]] {
			s.list[s.ptr[of[row]]] = e
			s.ptr[of[row]]++
		}
	}
	for b := nb; b > 0; b-- {
		s.ptr[b] = s.ptr[b-1]
	}
	s.ptr[0] = 0
}

// assembleBlocks is assemble for a symmetric A with most blocks zero: row j of
// A is the transpose of the column that element j makes.
func (l *local) assembleBlocks(a *contact.Blocks, elements []int, s *neighbours) {
	s.find(l, elements)
	dim := l.c.h.Dim
	a.D = dim
	a.Ptr, a.Col, a.Val = append(a.Ptr[:0], 0), a.Col[:0], a.Val[:0]
	for j, ej := range elements {
		l.column(ej)
		p := &l.c.patches[l.owner[ej]]
		for e := p.first; e < p.last; e++ { // the springs of a patch, also if it moves nothing
			l.appendBlock(a, s, j, ej, e)
		}
		for _, b := range l.blocks {
			for _, e := range s.list[s.ptr[b]:s.ptr[b+1]] {
				l.appendBlock(a, s, j, ej, e)
			}
		}
		l.release()
		a.Ptr = append(a.Ptr, len(a.Col))
	}
}

// appendBlock adds block (j, i) for element e, the i-th of the island, once.
func (l *local) appendBlock(a *contact.Blocks, s *neighbours, j, ej, e int) {
	i := s.local[e]
	if s.mark[i] == j {
		return
	}
	s.mark[i] = j
	h, dim := &l.c.h, l.c.h.Dim
	at := len(a.Val)
	a.Col = append(a.Col, i)
	for range dim * dim {
		a.Val = append(a.Val, 0)
	}
	v := a.Val[at:]
	for k := h.Ptr[e]; k < h.Ptr[e+1]; k++ {
		row, w := h.Row[k], h.Val[dim*k:dim*k+dim]
		for d := range dim {
			y := l.step * l.columns[d][row]
			for c := range dim {
				v[d*dim+c] += w[c] * y
			}
		}
	}
	if l.owner[e] != l.owner[ej] {
		return
	}
	if p := &l.c.patches[l.owner[e]]; p.patch.k != nil {
		m := dim * (p.last - p.first)
		for d := range dim {
			for c := range dim {
				v[d*dim+c] += p.patch.eInv[(dim*(ej-p.first)+d)*m+dim*(e-p.first)+c]
			}
		}
	}
}
