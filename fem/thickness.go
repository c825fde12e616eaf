package fem

import "math"

// thicken stores the thickness of a plate in plane stress, which makes W least: σ_zz = 0. With F_zz = e^l it is found by
// Newton's method on dW/dl = F_zz² S_zz, from the thickness that keeps the volume and within the bracket that the signs
// make: W grows without bound for l → ±∞. For W = f(Ī₁, Ī₂) + g(J) with f that rises in both and g convex in ln J, so
// where J > ½ for that of [MooneyRivlin], W is convex in l, and there is one. An error e of l changes W by its square.
func (h *Hyperelastic) thicken(s *state) float64 {
	area := s.g[0][0] + s.g[1][1] + s.g[0][0]*s.g[1][1] - s.g[0][1]*s.g[1][0]
	if !(area > -1) || math.IsInf(area, 1) {
		s.g[2][2] = math.NaN()
		s.set()
		return area
	}
	l, low, high := -math.Log1p(area), math.Inf(-1), math.Inf(1)
	var d [6][6]float64
	// Bisection of the bracket of doubles ends after some 64 steps; Newton's method takes three to six.
	for range 100 {
		s.g[2][2] = math.Expm1(l)
		s.set()
		h.load(s, false, 0)
		h.moduli(&d, s, false)
		square := (1 + s.g[2][2]) * (1 + s.g[2][2])
		slope := square * s.stress()[2]
		if slope > 0 {
			high = l
		} else {
			low = l
		}
		step := -slope / (square*square*d[2][2] + 2*slope)
		if math.IsNaN(step) { // beyond numbers
			l = step
			break
		}
		// The next step would be of the size of the square of this one, beside strains of that size.
		if math.Abs(step) <= 1e-9*(math.Abs(l)+math.Abs(s.strain[0])+math.Abs(s.strain[1])+math.Abs(s.strain[3])) {
			l += step
			break
		}
		if next := l + step; !(next > low && next < high) {
			step = math.Copysign(1, -slope)
			if half := (low+high)/2 - l; math.Abs(half) < 1 {
				step = half
			}
		}
		l += step
	}
	s.g[2][2] = math.Expm1(l)
	return s.set()
}

// condense takes the strain across a plate out of the moduli: the stress there stays 0.
func condense(d *[6][6]float64) {
	row := d[2]
	for r := range d {
		for c, f := 0, d[r][2]/row[2]; c < len(row); c++ {
			d[r][c] -= f * row[c]
		}
	}
}
