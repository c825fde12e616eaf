package form

import "github.com/quasistatic/quasistatic/internal/num"

// Dilation returns the largest opening of an [Associated] contact that carries
// more than tol of the largest reaction: what is below is not known to press.
func (p *Local) Dilation(u, r []float64, tol float64) float64 {
	dim, most := p.W.Dim(), 0.0
	least := tol * num.InfNorm(r)
	for j, law := range p.Laws {
		if _, coulomb := Isotropic(law); coulomb {
			continue
		}
		if FormOf(law).Set == KindAssociated && r[dim*j] > least {
			most = max(most, u[dim*j])
		}
	}
	return most
}
