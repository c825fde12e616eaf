package delassus

import (
	"slices"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
)

// WithJoints poses p with each dim columns of G as a contact of the law [Bilateral],
//
//	[u; Gᵀv + b] = [H G]ᵀ v + [w; b],
//
// so that the reduction to reactions stays as sparse as the bodies are coupled: once
// joints are eliminated, every contact of a chain acts on every other. ok is false if
// columns are left over.
func WithJoints(p *form.Global) (q *form.Global, ok bool) {
	dim, nc, nb := p.H.Dim, p.H.Contacts(), p.Joints()
	if nb == 0 || nb%dim != 0 {
		return nil, false
	}
	h := &form.Jacobian{Dim: dim, Rows: p.H.Rows, Ptr: slices.Clone(p.H.Ptr), Row: slices.Clone(p.H.Row), Val: slices.Clone(p.H.Val)}
	laws := slices.Clone(p.Laws)
	for k := 0; k < nb; k += dim {
		for c := range dim {
			for e := p.G.Ptr[k+c]; e < p.G.Ptr[k+c+1]; e++ {
				at := slices.Index(h.Row[h.Ptr[nc+k/dim]:], p.G.Row[e])
				if at < 0 {
					at = len(h.Row) - h.Ptr[nc+k/dim]
					h.Row = append(h.Row, p.G.Row[e])
					h.Val = append(h.Val, make([]float64, dim)...)
				}
				h.Val[dim*(h.Ptr[nc+k/dim]+at)+c] += p.G.Val[e]
			}
		}
		h.Ptr = append(h.Ptr, len(h.Row))
		laws = append(laws, law.Bilateral{})
	}
	return &form.Global{M: p.M, F: p.F, H: h, W: slices.Concat(p.W, p.B), Laws: laws}, true
}
