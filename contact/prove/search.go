package prove

import (
	"context"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

const (
	// searchContacts bounds the problems that are searched: five contacts in the plane
	// have 15 pairs, and so at most 2^15 nodes of small linear programs.
	searchContacts = 5
)

// Searchable reports whether a problem is small and polyhedral.
func Searchable(p *form.Local) bool {
	return len(p.Laws) <= searchContacts && p.W.Dim() == 2 && polyhedralLaws(p)
}

// polyhedralLaws reports whether every law has a complementarity form.
func polyhedralLaws(p *form.Local) bool {
	dim := p.W.Dim()
	for _, law := range p.Laws {
		lf := form.FormOf(law)
		_, apart := lcp.PlaneFactor(&lf.Shape)
		switch lf.Set {
		case form.KindFrictionless, form.KindBilateral, form.KindPyramid:
		case form.KindCoulomb:
			if lf.Bound != 0 && (dim != 2 || !apart) {
				return false
			}
		case form.KindTresca, form.KindAssociated:
			if dim != 2 || !apart {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Search solves the complementarity form, see [Polyhedral], by Lemke's method and,
// where that ends in a ray, by branching over the pairs with a linear program at each
// node: either a solution or, if every leaf is infeasible by a Farkas vector of its
// own, the proof that there is none.
func Search(ctx context.Context, p *form.Local) (r []float64, iterations int, status form.Status) {
	lf, err := lcp.ToMLCP(p)
	if err != nil {
		return nil, 0, form.Unsolved
	}
	var sub lcp.MLCPResult
	_ = lcp.SolveMLCP(ctx, &lf.MLCP, nil, nil, &sub) // its status says the same
	if sub.Status == form.Converged {
		r = lf.Reactions(nil, sub.X)
	}
	return r, max(sub.Iterations, 1), sub.Status
}
