package contact

import "math"

var identity3 = mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}

// affine returns A x + b.
func affine(a *mat3, x, b *vec3) vec3 {
	return vec3{
		a[0]*x[0] + a[1]*x[1] + a[2]*x[2] + b[0],
		a[3]*x[0] + a[4]*x[1] + a[5]*x[2] + b[1],
		a[6]*x[0] + a[7]*x[1] + a[8]*x[2] + b[2],
	}
}

// mul3 sets dst = a b; dst is neither.
func mul3(dst, a, b *mat3) {
	b0, b1, b2, b3, b4, b5, b6, b7, b8 := b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]
	for i := 0; i < 9; i += 3 {
		x, y, z := a[i], a[i+1], a[i+2]
		dst[i] = x*b0 + y*b3 + z*b6
		dst[i+1] = x*b1 + y*b4 + z*b7
		dst[i+2] = x*b2 + y*b5 + z*b8
	}
}

// subMulVec3 sets y −= a x.
func subMulVec3(y *vec3, a *mat3, x *vec3) {
	y[0] -= a[0]*x[0] + a[1]*x[1] + a[2]*x[2]
	y[1] -= a[3]*x[0] + a[4]*x[1] + a[5]*x[2]
	y[2] -= a[6]*x[0] + a[7]*x[1] + a[8]*x[2]
}

// mulVec3 returns a x.
func mulVec3(a *mat3, x *vec3) vec3 {
	return vec3{
		a[0]*x[0] + a[1]*x[1] + a[2]*x[2],
		a[3]*x[0] + a[4]*x[1] + a[5]*x[2],
		a[6]*x[0] + a[7]*x[1] + a[8]*x[2],
	}
}

// invert3 sets dst = a⁻¹, by cofactors where that loses few digits and by
// elimination otherwise, and reports whether a is regular.
func invert3(dst, a *mat3) bool {
	c0, c1, c2 := a[4]*a[8]-a[5]*a[7], a[5]*a[6]-a[3]*a[8], a[3]*a[7]-a[4]*a[6]
	det := a[0]*c0 + a[1]*c1 + a[2]*c2
	size := 0.0
	for _, v := range a { // by comparison: the built-in max looks for NaN, which det has as well
		if v = math.Abs(v); v > size {
			size = v
		}
	}
	// 1e-6: cofactors then lose at most six digits, which a Newton step can spare.
	if !(math.Abs(det) > 1e-6*size*size*size) || math.IsInf(det, 0) {
		return eliminate3(dst, a)
	}
	f := 1 / det
	*dst = mat3{
		c0 * f, (a[2]*a[7] - a[1]*a[8]) * f, (a[1]*a[5] - a[2]*a[4]) * f,
		c1 * f, (a[0]*a[8] - a[2]*a[6]) * f, (a[2]*a[3] - a[0]*a[5]) * f,
		c2 * f, (a[1]*a[6] - a[0]*a[7]) * f, (a[0]*a[4] - a[1]*a[3]) * f,
	}
	return true
}

// eliminate3 is invert3 by Gauss-Jordan elimination with scaled row pivoting,
// which keeps the digits of matrices whose rows have different sizes.
func eliminate3(dst, a *mat3) bool {
	m, v := *a, identity3
	var row vec3
	for i := range 3 {
		row[i] = max(math.Abs(m[3*i]), math.Abs(m[3*i+1]), math.Abs(m[3*i+2]))
		if !(row[i] > 0) || math.IsInf(row[i], 1) {
			return false
		}
	}
	for k := range 3 {
		p := k
		for i := k + 1; i < 3; i++ {
			if math.Abs(m[3*i+k])*row[p] > math.Abs(m[3*p+k])*row[i] {
				p = i
			}
		}
		if !(math.Abs(m[3*p+k]) > 2*eps*row[p]) {
			return false
		}
		if p != k {
			row[p], row[k] = row[k], row[p]
			for j := range 3 {
				m[3*p+j], m[3*k+j] = m[3*k+j], m[3*p+j]
				v[3*p+j], v[3*k+j] = v[3*k+j], v[3*p+j]
			}
		}
		clearColumn3(&m, &v, k)
	}
	*dst = v
	return true
}

// clearColumn3 makes column k of m that of the identity, by its row k.
func clearColumn3(m, v *mat3, k int) {
	f := 1 / m[3*k+k]
	for j := range 3 {
		m[3*k+j] *= f
		v[3*k+j] *= f
	}
	for i := range 3 {
		g := m[3*i+k]
		if i == k || g == 0 {
			continue
		}
		for j := range 3 {
			m[3*i+j] -= g * m[3*k+j]
			v[3*i+j] -= g * v[3*k+j]
		}
	}
}
