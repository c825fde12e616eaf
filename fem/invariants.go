package fem

import "math"

// invariants are x = (Ī₁ − 3, Ī₂ − 3, J − 1) of a strain E = ½(FᵀF − I) with their derivatives by it. All are formed from
// E and J − 1, in which small strains keep all digits: with i₂ and i₃ the second and third invariant of E, q = J^⅔ and
// y = q − 1
//
//	q (Ī₁ − 3) = 3y² + y³ − 4i₂ − 8i₃,   q² (Ī₂ − 3) = 3y² + 2y³ − 4i₂ − 16i₃.
type invariants struct {
	x       [3]float64
	by      [3]Tensor // ∂x_k/∂E
	inverse Tensor    // C⁻¹
	q       float64
}

// of returns those of a strain; j is J − 1.
func (v *invariants) of(e *Tensor, j float64) {
	cofactor := e.cofactor()
	second := cofactor[0] + cofactor[1] + cofactor[2]
	third := e[0]*cofactor[0] + e[3]*cofactor[3] + e[5]*cofactor[5]
	y := powered(j)
	v.q = 1 + y
	v.x = [3]float64{(y*y*(3+y) - 4*second - 8*third) / v.q, (y*y*(3+2*y) - 4*second - 16*third) / (v.q * v.q), j}

	c := Tensor{1 + 2*e[0], 1 + 2*e[1], 1 + 2*e[2], 2 * e[3], 2 * e[4], 2 * e[5]}
	v.inverse = c.cofactor()
	for i, f := 0, 1/((1+j)*(1+j)); i < len(v.inverse); i++ {
		v.inverse[i] *= f
	}
}

// powered is (1 + x)^⅔ − 1 without cancellation: with c = (1 + x)^⅓ it is (c + 1)(c − 1), and c − 1 = x/(c² + c + 1).
func powered(x float64) float64 {
	c := math.Cbrt(1 + x)
	return x * (c + 1) / (c*(c+1) + 1)
}

// slopes stores ∂Ī₁ = 4/q dev(E) C⁻¹, ∂Ī₂ = 4/q² dev(E + 2(tr E E − E²)) C⁻¹, unless a law does without, and ∂J = J C⁻¹; by
// Cayley and Hamilton E² = tr E E − i₂ I + cof E.
func (v *invariants) slopes(e *Tensor, second bool) {
	for i := range v.inverse {
		v.by[2][i] = (1 + v.x[2]) * v.inverse[i]
	}
	v.by[0] = deviatorTimes(e, &v.inverse, 4/v.q)
	if v.by[1] = (Tensor{}); second {
		t := e.cofactor()
		for i := range t {
			t[i] = e[i] - 2*t[i]
		}
		v.by[1] = deviatorTimes(&t, &v.inverse, 4/(v.q*v.q))
	}
}

// deviatorTimes is f dev(a) b of tensors that commute.
func deviatorTimes(a, b *Tensor, f float64) Tensor {
	mean := (a[0] + a[1] + a[2]) / 3
	x, y, z := f*(a[0]-mean), f*(a[1]-mean), f*(a[2]-mean)
	xy, yz, zx := f*a[3], f*a[4], f*a[5]
	return Tensor{x*b[0] + xy*b[3] + zx*b[5], xy*b[3] + y*b[1] + yz*b[4], zx*b[5] + yz*b[4] + z*b[2],
		x*b[3] + xy*b[1] + zx*b[4], xy*b[5] + y*b[4] + yz*b[2], zx*b[0] + yz*b[3] + z*b[5]}
}

// cofactor is det(t) t⁻¹.
func (t *Tensor) cofactor() Tensor {
	return Tensor{t[1]*t[2] - t[4]*t[4], t[0]*t[2] - t[5]*t[5], t[0]*t[1] - t[3]*t[3],
		t[4]*t[5] - t[3]*t[2], t[3]*t[5] - t[4]*t[0], t[3]*t[4] - t[5]*t[1]}
}

// curvature adds Σ d_k ∂²x_k/∂E² to the n components of dst, as [Tensor] has them, shears counted twice. With C⁻¹ = B
//
//	∂²Ī₁ = −⅔ (∂Ī₁⊗B + B⊗∂Ī₁) − 4/9 Ī₁ B⊗B + 4/3 Ī₁ B⊙B,
//	∂²Ī₂ = −4/3 (∂Ī₂⊗B + B⊗∂Ī₂) − 16/9 Ī₂ B⊗B + 8/3 Ī₂ B⊙B + 4/q² (I⊗I − I⊙I),
//	∂²J  = J (B⊗B − 2 B⊙B).
func (v *invariants) curvature(dst *[6][6]float64, d *[3]float64, n int) {
	b := &v.inverse
	first, second, volume := d[0]*(3+v.x[0]), d[1]*(3+v.x[1]), d[2]*(1+v.x[2])
	outer := -4./9*first - 16./9*second + volume
	mixed := 4./3*first + 8./3*second - 2*volume
	for r := range n {
		i, k := components[r][0], components[r][1]
		left := -2./3*d[0]*v.by[0][r] - 4./3*d[1]*v.by[1][r]
		for c := range r + 1 {
			j, l := components[c][0], components[c][1]
			right := -2./3*d[0]*v.by[0][c] - 4./3*d[1]*v.by[1][c]
			x := outer*b[r]*b[c] + left*b[c] + b[r]*right +
				mixed/2*(b[place[i][j]]*b[place[k][l]]+b[place[i][l]]*b[place[k][j]])
			dst[r][c] += x
			if r != c {
				dst[c][r] += x
			}
		}
	}
	if flat := 4 * d[1] / (v.q * v.q); flat != 0 {
		for r := range n {
			for c := range 3 {
				if r < 3 && r != c {
					dst[r][c] += flat
				}
			}
			if r > 2 {
				dst[r][r] -= flat / 2
			}
		}
	}
}

// components are the indices of those of a [Tensor], place the other way round.
var (
	components = [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}
	place      = [3][3]int{{0, 3, 5}, {3, 1, 4}, {5, 4, 2}}
)
