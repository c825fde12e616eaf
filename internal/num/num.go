package num

import "math"

// Eps is the distance from 1 to the next number [-].
const Eps = 0x1p-52

// OrNew returns x, or a new one for nil.
func OrNew[T any](x *T) *T {
	if x == nil {
		return new(T)
	}
	return x
}

// Inf is +∞.
var Inf = math.Inf(1)

// Resized is Grow with zeros.
func Resized[T any](x []T, n int) []T {
	x = Grow(x, n)
	clear(x)
	return x
}

// Norm is the Euclidean norm; it neither overflows nor vanishes.
func Norm(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	if sum > 1e-280 && sum < 1e280 {
		return math.Sqrt(sum)
	}
	scale := InfNorm(x)
	if scale == 0 || math.IsInf(scale, 1) || scale != scale {
		return scale
	}
	sum = 0
	for _, v := range x {
		sum += (v / scale) * (v / scale)
	}
	return scale * math.Sqrt(sum)
}

// Bad reports what is no finite number.
func Bad(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// Identity3 is the identity.
var Identity3 = mat3{1, 0, 0, 0, 1, 0, 0, 0, 1}

// Affine returns A x + b.
func Affine(a *mat3, x, b *vec3) vec3 {
	return vec3{
		a[0]*x[0] + a[1]*x[1] + a[2]*x[2] + b[0],
		a[3]*x[0] + a[4]*x[1] + a[5]*x[2] + b[1],
		a[6]*x[0] + a[7]*x[1] + a[8]*x[2] + b[2],
	}
}

// Mul3 sets dst = a b; dst is neither.
func Mul3(dst, a, b *mat3) {
	b0, b1, b2, b3, b4, b5, b6, b7, b8 := b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8]
	for i := 0; i < 9; i += 3 {
		x, y, z := a[i], a[i+1], a[i+2]
		dst[i] = x*b0 + y*b3 + z*b6
		dst[i+1] = x*b1 + y*b4 + z*b7
		dst[i+2] = x*b2 + y*b5 + z*b8
	}
}

// SubMulVec3 sets y −= a x.
func SubMulVec3(y *vec3, a *mat3, x *vec3) {
	y[0] -= a[0]*x[0] + a[1]*x[1] + a[2]*x[2]
	y[1] -= a[3]*x[0] + a[4]*x[1] + a[5]*x[2]
	y[2] -= a[6]*x[0] + a[7]*x[1] + a[8]*x[2]
}

// MulVec3 returns a x.
func MulVec3(a *mat3, x *vec3) vec3 {
	return vec3{
		a[0]*x[0] + a[1]*x[1] + a[2]*x[2],
		a[3]*x[0] + a[4]*x[1] + a[5]*x[2],
		a[6]*x[0] + a[7]*x[1] + a[8]*x[2],
	}
}

// Invert3 sets dst = a⁻¹, by cofactors where that loses few digits and by
// elimination otherwise, and reports whether a is regular.
func Invert3(dst, a *mat3) bool {
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
		return Eliminate3(dst, a)
	}
	f := 1 / det
	*dst = mat3{
		c0 * f, (a[2]*a[7] - a[1]*a[8]) * f, (a[1]*a[5] - a[2]*a[4]) * f,
		c1 * f, (a[0]*a[8] - a[2]*a[6]) * f, (a[2]*a[3] - a[0]*a[5]) * f,
		c2 * f, (a[1]*a[6] - a[0]*a[7]) * f, (a[0]*a[4] - a[1]*a[3]) * f,
	}
	return true
}

// Eliminate3 is invert3 by Gauss-Jordan elimination with scaled row pivoting,
// which keeps the digits of matrices whose rows have different sizes.
func Eliminate3(dst, a *mat3) bool {
	m, v := *a, Identity3
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
		if !(math.Abs(m[3*p+k]) > 2*Eps*row[p]) {
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

// Grow returns a slice of n entries in the memory of x if that suffices; what they are is not said.
func Grow[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

// InfNorm returns the largest magnitude, NaN if there is one.
func InfNorm(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		if a := math.Abs(v); a > m || a != a {
			m = a
		}
	}
	return m
}

// Dot3 returns a·b.
func Dot3(a, b *vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
