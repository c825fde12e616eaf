package particles

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Smooth is implemented by a Law that bounds its derivatives, so that the force of a spring is bounded
// between two states, see [WayBounded].
type Smooth interface {
	Law
	// Derivatives returns bounds of |φ”| and |φ”'| over the lengths [a, b], 0 <= a <= b < ∞; either
	// may be +Inf.
	Derivatives(a, b float64) (second, third float64)
}

var (
	_ Smooth = Linear{}
	_ Smooth = Cubic{}
	_ Smooth = Morse{}
	_ Smooth = LennardJones{}
	_ Smooth = Cut{}
)

// lawBounds are bounds of ω = φ'/l [N/m], and of φ”' and ω' [N/m²].
type lawBounds struct{ across, alongRate, acrossRate float64 }

// bounds are those of a law over the lengths [a, b]. Half the range from its middle m, |φ'| grows by
// at most |φ”|, and the numerator of ω' = (l φ” − φ')/l² by at most |l φ”'|. From l = 0 on with φ'(0) =
// 0, |ω| <= |φ”|, and l φ” − φ' = ∫ s φ”' ds gives |ω'| <= |φ”'|/2.
func bounds(law Smooth, a, b float64) lawBounds {
	second, third := law.Derivatives(a, b)
	if a == 0 {
		if law.D1(0) != 0 {
			return lawBounds{math.Inf(1), math.Inf(1), math.Inf(1)}
		}
		return lawBounds{second, third, third / 2}
	}
	m, half := (a+b)/2, (b-a)/2
	force := math.Abs(law.D1(m)) + half*second
	moment := math.Abs(m*law.D2(m)-law.D1(m)) + half*b*third
	return lawBounds{force / a, third, moment / (a * a)}
}

// largest returns max |f| over [a, b] of a function that rises or falls on either side of l.
func largest(f func(float64) float64, l, a, b float64) float64 {
	return max(math.Abs(f(a)), math.Abs(f(b)), math.Abs(f(l+outside(l, a, b))))
}

// Derivatives is exact.
func (s Linear) Derivatives(_, _ float64) (second, third float64) { return s.K, 0 }

// Derivatives is exact: both grow with |l − l₀|.
func (s Cubic) Derivatives(a, b float64) (second, third float64) {
	e := max(math.Abs(a-s.Rest), math.Abs(b-s.Rest))
	return s.K + 3*s.K3*e*e, 6 * s.K3 * e
}

// Derivatives is exact. With e = e^{−a(l−d)}, φ” = 2Da²(2e² − e) turns at e = ¼, and φ”' = 2Da³(e −
// 4e²) at e = ⅛.
func (p Morse) Derivatives(a, b float64) (second, third float64) {
	rate := func(l float64) float64 {
		e := elementary.Exp(-p.Decay * (l - p.Distance))
		return 2 * p.Depth * p.Decay * p.Decay * p.Decay * (e - 4*e*e)
	}
	return largest(p.D2, p.Distance+elementary.Log(4)/p.Decay, a, b), largest(rate, p.Distance+elementary.Log(8)/p.Decay, a, b)
}

// Derivatives is exact. With s = (d/l)⁶, φ” turns at s = 4/13, and φ”' = −168ε(13s² − 4s)/l³ at
// s = 12/65.
func (p LennardJones) Derivatives(a, b float64) (second, third float64) {
	if a == 0 {
		return math.Inf(1), math.Inf(1)
	}
	rate := func(l float64) float64 {
		s := math.Pow(p.Distance/l, 6)
		return 168 * p.Depth * (13*s*s - 4*s) / (l * l * l)
	}
	return largest(p.D2, p.Distance*elementary.Pow(13./4, 1./6), a, b), largest(rate, p.Distance*elementary.Pow(65./12, 1./6), a, b)
}

// Derivatives is by the product rule of (Sφ)” and (Sφ)”', with the largest of each factor; a law that
// is not Smooth has none. S”' jumps where the cut begins and ends, but is bounded.
func (c Cut) Derivatives(a, b float64) (second, third float64) {
	law, smooth := c.Law.(Smooth)
	switch {
	case a >= c.To:
		return 0, 0
	case !smooth:
		return math.Inf(1), math.Inf(1)
	}
	b = min(b, c.To)
	f2, f3 := law.Derivatives(a, b)
	if b <= c.From {
		return f2, f3
	}
	m, half := (a+b)/2, (b-a)/2
	f1 := math.Abs(law.D1(m)) + half*f2
	f0 := math.Abs(law.Value(m)) + half*f1
	w := c.To - c.From
	from, to := max(a-c.From, 0)/w, (b-c.From)/w
	y := func(x float64) float64 { return x * (1 - x) }
	s2 := func(x float64) float64 { return 60 * y(x) * (1 - 2*x) }
	s3 := func(x float64) float64 { return 60 * (1 - 6*y(x)) }
	inner := math.Sqrt(1. / 12) // S” turns at ½ ± √(1/12), S' and S”' at ½
	d1 := 30 * largest(y, .5, from, to) * largest(y, .5, from, to) / w
	d2 := max(largest(s2, .5-inner, from, to), largest(s2, .5+inner, from, to)) / (w * w)
	d3 := largest(s3, .5, from, to) / (w * w * w)
	s, _, _ := c.smooth(a)
	return s*f2 + 2*d1*f1 + d2*f0, s*f3 + 3*d1*f2 + 3*d2*f1 + d3*f0
}
