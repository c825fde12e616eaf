package dynamics

import "math"

// influence overwrites xi with the compliance matrix Ξ of Appendix A of
// [Song04] for an elastic half-space (Boussinesq-Cerruti) and elements at the
// points at = (t, o) [m]: order dim·n, element-major, (n, t[, o]).
// eps is ε = 1/Young's modulus [m²/N], nu Poisson's ratio, rho0 the spacing.
//
// Two misprints of the appendix are mended: ξ_nn(i,i) is .95(1−ν²)ε/ρ0, with
// the printed 1/π Ξ is indefinite; and ξ_to carries a factor ν, as Cerruti's
// solution has it.
func influence(dim int, at [][2]float64, eps, nu, rho0 float64) []float64 {
	n := len(at)
	size := dim * n
	xi := make([]float64, size*size)
	for i := range n {
		for j := range n {
			b := selfInfluence(eps, nu, rho0)
			if i != j {
				b = crossInfluence(at[i][0]-at[j][0], at[i][1]-at[j][1], eps, nu)
			}
			for r := range dim {
				for c := range dim {
					xi[(dim*i+r)*size+dim*j+c] = b[3*r+c]
				}
			}
		}
	}
	return xi
}

func selfInfluence(eps, nu, rho0 float64) [9]float64 {
	n := 0.95 * (1 - nu*nu) * eps / rho0
	t := (1 + nu) * (2 - nu) * eps / (math.Sqrt(math.Pi) * rho0)
	return [9]float64{0: n, 4: t, 8: t}
}

// crossInfluence is the block ξ(r_i, r_j) for r_i − r_j = (t, o).
func crossInfluence(t, o, eps, nu float64) [9]float64 {
	r2 := t*t + o*o
	r := math.Sqrt(r2)
	a := (1 + nu) * eps / (math.Pi * r)
	c := (1 - 2*nu) * (1 + nu) * eps / (2 * math.Pi * r2)
	to := a * nu * t * o / r2
	return [9]float64{
		(1 - nu) * a, c * t, c * o,
		-c * t, a * (1 - nu + nu*t*t/r2), to,
		-c * o, to, a * (1 - nu + nu*o*o/r2),
	}
}
