package local

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/block"
	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/internal/num"
)

// centreOptions are the numbers of the correctors of centrality.
type centreOptions struct {
	// ahead is how much longer a step is tried for, gain the part of that which has to
	// come of it, most how often: a solve costs a tenth of a factorisation of the large
	// problems that are centred so.
	ahead float64
	gain  float64
	most  int
	// Eigenvalues of x ∘ z are brought between these parts of κ.
	least, up float64
}

// centreDefault are the values of all solves.
var centreDefault = centreOptions{
	ahead: 0.3, gain: 0.1, most: 2,
	least: 0.1, up: 10,
}

// centre lengthens a step a towards x ∘ z = κ e by correctors of centrality [Gondzio96], by
// the factors at hand: where the eigenvalues of (λ + ã dx̃) ∘ (λ + ã dz̃), ã beyond a, leave the
// bounds, the right side is moved by as much as would bring them back. It returns the length of the
// step to the boundary.
func (p *interior) centre(lu *block.LU, kappa, a float64) float64 {
	n := len(p.x)
	p.keptX, p.keptZ = num.Grow(p.keptX, n), num.Grow(p.keptZ, n)
	for range centreDefault.most {
		copy(p.keptX, p.dx)
		copy(p.keptZ, p.dz)
		ahead := min(1, a+centreDefault.ahead)
		for j := range p.product {
			kind, _ := p.c.interiorKind(j)
			t := p.scaling[j].offCentre(kind, kappa, ahead, &p.scaledX[j], &p.scaledZ[j])
			for k, v := range t {
				p.product[j][k] -= v
			}
		}
		lost := p.direction(lu, kappa, true) > interiorDefault.lost
		reach := p.reach()
		if lost || reach < a+centreDefault.gain*(ahead-a) {
			copy(p.dx, p.keptX)
			copy(p.dz, p.keptZ)
			break
		}
		if a = reach; a == 1 {
			break
		}
	}
	return a
}

// offCentre returns what (λ + a dx) ∘ (λ + a dz) lacks to have its eigenvalues within the bounds,
// no more than the upper one at a time.
func (t *ntScaling) offCentre(kind form.LawKind, kappa, a float64, dx, dz *vec3) vec3 {
	l := &t.lambda
	x := vec3{l[0] + a*dx[0], l[1] + a*dx[1], l[2] + a*dx[2]}
	z := vec3{l[0] + a*dz[0], l[1] + a*dz[1], l[2] + a*dz[2]}
	back := func(v float64) float64 {
		return max(min(max(v, centreDefault.least*kappa), centreDefault.up*kappa)-v, -centreDefault.up*kappa)
	}
	switch kind {
	case form.KindBilateral:
		return vec3{}
	case form.KindFrictionless:
		return vec3{back(x[0] * z[0])}
	}
	n, y, o := num.Dot3(&x, &z), x[0]*z[1]+z[0]*x[1], x[0]*z[2]+z[0]*x[2]
	size := math.Sqrt(y*y + o*o)
	up, down := back(n+size), back(n-size)
	if size == 0 {
		return vec3{up}
	}
	f := 0.5 * (up - down) / size
	return vec3{0.5 * (up + down), f * y, f * o}
}
