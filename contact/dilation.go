package contact

import "github.com/quasistatic/quasistatic/internal/num"

// dilation returns the largest opening of an [Associated] contact that carries
// more than tol of the largest reaction: what is below is not known to press.
func (p *Local) dilation(u, r []float64, tol float64) float64 {
	dim, most := p.W.Dim(), 0.0
	least := tol * num.InfNorm(r)
	for j, law := range p.Laws {
		if _, coulomb := isotropic(law); coulomb {
			continue
		}
		if formOf(law).Set == kindAssociated && r[dim*j] > least {
			most = max(most, u[dim*j])
		}
	}
	return most
}
