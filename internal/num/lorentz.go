package num

import "math"

// RayStep is the largest step in [0, 1] that keeps x + step·d ≥ 0.
func RayStep(x, d float64) float64 {
	if d < 0 {
		return min(1, -x/d)
	}
	return 1
}

// Lorentz returns det x = x_0² − ‖x_T‖².
func Lorentz(x *vec3) float64 {
	t := math.Sqrt(x[1]*x[1] + x[2]*x[2])
	return (x[0] - t) * (x[0] + t)
}

// ScalingPoint returns w = (J x̄ + z̄)/√(2(1 + x̄·z̄)) with x̄ = x/√det x, z̄ likewise
// [Nesterov98], and the two roots.
func ScalingPoint(x, z *vec3) (w vec3, dx, dz float64) {
	dx, dz = math.Sqrt(Lorentz(x)), math.Sqrt(Lorentz(z))
	dot := Dot3(x, z) / (dx * dz)
	g := 1 / math.Sqrt(2*(1+dot))
	return vec3{g * (x[0]/dx + z[0]/dz), g * (-x[1]/dx + z[1]/dz), g * (-x[2]/dx + z[2]/dz)}, dx, dz
}

// LorentzScaling sets the Θ = √(det z/det x)·(2 w wᵀ − J) with Θ x = z.
func LorentzScaling(m *mat3, x, z *vec3) {
	w, dx, dz := ScalingPoint(x, z)
	k := dz / dx
	*m = mat3{
		k * (2*w[0]*w[0] - 1), 2 * k * w[0] * w[1], 2 * k * w[0] * w[2],
		2 * k * w[0] * w[1], k * (2*w[1]*w[1] + 1), 2 * k * w[1] * w[2],
		2 * k * w[0] * w[2], 2 * k * w[1] * w[2], k * (2*w[2]*w[2] + 1),
	}
}

// LorentzStep is the largest step in [0, 1] that keeps x + step·d in L: the
// first positive root of a·step² + 2b·step + det x.
func LorentzStep(x, d *vec3) float64 {
	a := d[0]*d[0] - d[1]*d[1] - d[2]*d[2]
	b := x[0]*d[0] - x[1]*d[1] - x[2]*d[2]
	c, step := Lorentz(x), 1.0
	if disc := b*b - a*c; disc >= 0 {
		if den := math.Sqrt(disc) - b; den > 0 && (a < 0 || b < 0) {
			step = min(step, c/den)
		}
	}
	if x[0]+step*d[0] < 0 {
		step = min(step, -x[0]/d[0])
	}
	return step
}
