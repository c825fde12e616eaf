package signal

import "math"

// DerivativeBound returns a bound of the k-th derivative of s, k >= 2, over all
// times that are no kinks; false if s is not of this package, or one of what turns with k > 2. Sines have
// (2π·frequency)^k·amplitude, what turns arm·(θ'² + |θ”|), tables and constants 0.
func DerivativeBound(s Scalar, k int) (bound float64, ok bool) {
	switch s := s.(type) {
	case Constant, *Table:
		return 0, true
	case *Sine:
		return math.Pow(math.Abs(2*math.Pi*s.frequency), float64(k)) * math.Abs(s.amplitude), true
	case *Turned:
		second, known := DerivativeBound(s.angle, 2)
		rate := fastest(s.angle)
		return math.Hypot(s.across, s.along) * (rate*rate + second), known && k == 2
	case Sum:
		for _, term := range s {
			b, known := DerivativeBound(term, k)
			if !known {
				return 0, false
			}
			bound += b
		}
		return bound, true
	}
	return 0, false
}
