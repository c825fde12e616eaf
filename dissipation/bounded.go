package dissipation

import "math"

// Bounded is implemented by a varying Matrix of the form S(z) = f(z)·S_base that
// knows its extremes: over the rectangle lo <= z_T <= hi, size is sup ‖S‖₂ [-],
// and |∇f·u|·‖S_base‖₂ has the supremum |slope·u| for every u [1/m].
type Bounded interface {
	Bounds(lo, hi [2]float64) (size float64, slope [2]float64)
}

var _ Bounded = Rippled{}

// Bounds implements [Bounded].
func (m Rippled) Bounds(lo, hi [2]float64) (size float64, slope [2]float64) {
	from, to := m.wave*m.off, m.wave*m.off // range of the phase
	for k, a := range m.axis {
		p, q := m.wave*a*lo[k], m.wave*a*hi[k]
		from, to = from+min(p, q), to+max(p, q)
	}
	base := norm2x2(&m.base)
	size = base * (1 + m.amplitude*maxSine(from, to))
	// |cos| = |sin(· + π/2)| is the larger of both signs.
	steep := max(maxSine(from+math.Pi/2, to+math.Pi/2), maxSine(from-math.Pi/2, to-math.Pi/2))
	for k, a := range m.axis {
		slope[k] = base * m.amplitude * m.wave * steep * a
	}
	return size, slope
}

// maxSine returns max sin over [from, to].
func maxSine(from, to float64) float64 {
	crest := math.Pi/2 + 2*math.Pi*math.Ceil((from-math.Pi/2)/(2*math.Pi))
	if crest <= to {
		return 1
	}
	return max(math.Sin(from), math.Sin(to))
}

// norm2x2 returns the spectral norm.
func norm2x2(s *[4]float64) float64 {
	p, m := math.Hypot(s[0]+s[3], s[2]-s[1]), math.Hypot(s[0]-s[3], s[2]+s[1])
	return (p + m) / 2
}
