package rigid

import (
	"github.com/quasistatic/quasistatic/contact"
)

// freeBodies are an island without its joints, which are contacts of their own there, after the
// others:
//
//	V = α (HᵀA⁻¹H, HᵀA⁻¹Gᵀ; G̃A⁻¹H, G̃A⁻¹Gᵀ),   W = V_cc − V_cj V_jj⁻¹V_jc.
//
// A contact of a chain acts on every other in W, on those of its link and on two joints in V: what
// factorises V takes time in proportion to the links, with W their cube.
type freeBodies struct {
	v     contact.Blocks
	ends  []end
	ptr   []int     // ends of block i: ends[ptr[i]:ptr[i+1]]
	feels []float64 // rows of the blocks on their bodies, n×dim numbers of an end
	gets  []float64 // A⁻¹ times what they push, the same
	on    [][]int   // ends, by bodies of the model
	block []int     // of each end
	mark  []int
	mean  []float64 // of the diagonal of a joint's block, where it has fewer rows than contacts have
	comps []int
	inv   []float64
}

// end is a block of rows on a body of n velocities, from at on in feels and gets.
type end struct{ body, n, at int }

// free makes V of an island, and reports whether there are joints which make W full and which V can
// do without: mechanisms without loops, whose joints are independent, and without forces between
// bodies.
func (s *solution) free(f *freeBodies, members []int) bool {
	if len(s.model.Rows) == 0 || !s.freeComponents(f, members) {
		return false
	}
	p, dim := &s.p, s.model.Dim
	f.ends, f.ptr, f.feels, f.gets, f.block, f.mean = f.ends[:0], append(f.ptr[:0], 0), f.feels[:0], f.gets[:0], f.block[:0], f.mean[:0]
	if f.on == nil {
		f.on = make([][]int, len(s.model.Bodies))
	}
	for i := range f.on {
		f.on[i] = f.on[i][:0]
	}
	for _, i := range members {
		for _, x := range p.part[p.ptr[i]:p.ptr[i+1]] {
			h := p.h[x.at : x.at+x.n*dim]
			f.add(s, s.model.Components[x.comp].Bodies[x.slot], h, h)
		}
		f.ptr = append(f.ptr, len(f.ends))
	}
	for _, c := range f.comps {
		s.freeJoints(f, c)
	}
	f.assemble(dim, p.alpha, len(members))
	return true
}

// freeComponents lists the components of an island and reports whether joints tie some and V can be
// made of all.
func (s *solution) freeComponents(f *freeBodies, members []int) bool {
	p, tied := &s.p, false
	f.comps, f.mark = f.comps[:0], grow(f.mark, len(s.model.Components))
	clear(f.mark)
	for _, i := range members {
		for _, x := range p.part[p.ptr[i]:p.ptr[i+1]] {
			if f.mark[x.comp] != 0 {
				continue
			}
			f.mark[x.comp] = 1
			f.comps = append(f.comps, x.comp)
			inv := &s.inv[x.comp]
			if inv.Dense != nil || inv.M > 0 && (!inv.ByTree || len(inv.Tree.Loops) > 0) {
				return false
			}
			tied = tied || inv.M > 0
		}
	}
	return tied
}

// freeJoints adds the rows of the joints of a component, dim rows of one joint a block.
func (s *solution) freeJoints(f *freeBodies, c int) {
	comp, inv, dim := &s.model.Components[c], &s.inv[c], s.model.Dim
	for r := 0; r < inv.M; {
		n, b := 1, &inv.Bands[r]
		for n < dim && r+n < inv.M && s.model.Rows[comp.Rows[r+n]].Joint == s.model.Rows[comp.Rows[r]].Joint {
			n++
		}
		for side, body := range [...]int{b.A, b.B} {
			if body < 0 {
				continue
			}
			velocities := [...]int{b.Na, b.Nb}[side]
			feels, pushes := [6 * 3]float64{}, [6 * 3]float64{}
			for d := range n {
				x := &inv.Bands[r+d]
				push, feel := &x.OnA, &x.OfA
				if side == 1 {
					push, feel = &x.OnB, &x.OfB
				}
				for k := range velocities {
					feels[k*dim+d], pushes[k*dim+d] = feel[k], push[k]
				}
			}
			f.add(s, comp.Bodies[body], feels[:velocities*dim], pushes[:velocities*dim])
		}
		f.ptr = append(f.ptr, len(f.ends))
		f.mean = append(f.mean, float64(n))
		r += n
	}
}

// add is an end of the last block on a body of the model.
func (f *freeBodies) add(s *solution, body int, feels, pushes []float64) {
	m, dim := s.model, s.model.Dim
	b, inv := &m.Bodies[body], &s.inv[m.Home[body]]
	f.block, f.on[body] = append(f.block, len(f.ptr)-1), append(f.on[body], len(f.ends))
	f.ends = append(f.ends, end{body, b.N, len(f.feels)})
	f.feels, f.gets = append(f.feels, feels...), append(f.gets, pushes...)
	y := f.gets[len(f.gets)-len(pushes):]
	f.inv = grow(f.inv, inv.N)
	for d := range dim {
		x := f.inv[b.Local : b.Local+b.N]
		for k := range x {
			x[k] = y[k*dim+d]
		}
		inv.Blocks[b.Slot].Solve(f.inv)
		for k, v := range x {
			y[k*dim+d] = v
		}
	}
}

// assemble sets V by rows of blocks, of nc contacts and the joints.
func (f *freeBodies) assemble(dim int, alpha float64, nc int) {
	n, v := len(f.ptr)-1, &f.v
	v.D, v.Ptr, v.Col, v.Val = dim, append(v.Ptr[:0], 0), v.Col[:0], v.Val[:0]
	f.mark = grow(f.mark, n)
	for i := range f.mark {
		f.mark[i] = -1
	}
	for i := range n {
		first := len(v.Col)
		for _, e := range f.ends[f.ptr[i]:f.ptr[i+1]] {
			for _, o := range f.on[e.body] {
				j := f.block[o]
				if f.mark[j] < first {
					f.mark[j] = len(v.Col)
					v.Col = append(v.Col, j)
					for range dim * dim {
						v.Val = append(v.Val, 0)
					}
				}
				at := f.ends[o].at
				dst := v.Val[dim*dim*f.mark[j]:]
				for k := range e.n {
					for a := range dim {
						h := alpha * f.feels[e.at+k*dim+a]
						for c := range dim {
							dst[a*dim+c] += h * f.gets[at+k*dim+c]
						}
					}
				}
			}
		}
		v.Ptr = append(v.Ptr, len(v.Col))
		if i >= nc { // rows that the joint lacks say that nothing is zero
			own := v.Val[dim*dim*f.mark[i]:]
			rows, trace := int(f.mean[i-nc]), 0.0
			for a := range rows {
				trace += own[a*dim+a]
			}
			for a := rows; a < dim; a++ {
				own[a*dim+a] = trace / float64(rows)
			}
		}
	}
}
