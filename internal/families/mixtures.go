package families

import (
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// mixture is a pile of spheres each of whose contacts has a friction of its own, between a
// thousandth and ten.
func mixture(g *generator, n int) *contact.Global {
	p := spherePile(g, n)
	for j := range p.Laws {
		p.Laws[j] = contact.Coulomb{Mu: math.Pow(10, g.between(-3, 1))}
	}
	return p
}
