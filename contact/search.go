package contact

import (
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/lcp"
)

const (

	// searchContacts bounds the problems that are searched: five contacts in the plane
	// have 15 pairs, and so at most 2^15 nodes of small linear programs.
	searchContacts = 5
)

// searchable reports whether a problem is small and polyhedral.
func (s *localRun) searchable() bool {
	return s.c.nc <= searchContacts && s.c.plane && polyhedralLaws(s.p)
}

// polyhedralLaws reports whether every law has a complementarity form.
func polyhedralLaws(p *Local) bool {
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

// search solves the complementarity form, see [Polyhedral], by Lemke's method and,
// where that ends in a ray, by branching over the pairs with a linear program at each
// node: either a solution or, if every leaf is infeasible by a Farkas vector of its
// own, the proof that there is none.
func (s *localRun) search(int) Status {
	lf, err := lcp.ToMLCP(s.p)
	if err != nil {
		return Unsolved
	}
	var sub lcp.MLCPResult
	_ = lcp.SolveMLCP(s.ctx, &lf.MLCP, nil, nil, &sub) // its status says the same
	s.iterations += max(sub.Iterations, 1)
	switch sub.Status {
	case Canceled, Infeasible:
		return sub.Status
	case Converged:
		s.c.restrict(s.ws.r, lf.Reactions(nil, sub.X))
		if s.evaluate() <= s.want {
			return Converged
		}
	}
	return NoProgress
}
