package particles

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Bounded is implemented by a Law that knows bounds of itself, so that E can be bounded
// from below over boxes of states, see global.Prover.
type Bounded interface {
	// Bounds returns lower bounds of φ, φ' and φ” over [a, b], 0 <= a <= b; b may be +Inf.
	Bounds(a, b float64) (value, slope, curvature float64)
	// Growth returns g >= 0 and c with φ(l) >= ½ g l² − c for all l >= 0; c is +Inf if
	// there are none.
	Growth() (stiffness, offset float64)
}

// EachSpring visits the springs by their ends, J = −1 with an anchor, and their law.
func (e *Springs) EachSpring(visit func(Spring)) {
	for k := range e.items {
		it := &e.items[k]
		s := Spring{I: int(it.i), J: int(it.j), Law: it.law}
		if it.j < 0 {
			s.J, s.Anchor = -1, e.paths.list[-1-it.j].path
		}
		visit(s)
	}
}

// outside returns the distance of l from [a, b] with its sign.
func outside(l, a, b float64) float64 { return max(a-l, 0) + min(b-l, 0) }

// Bounds is exact.
func (s Linear) Bounds(a, b float64) (value, slope, curvature float64) {
	e := outside(s.Rest, a, b)
	return s.K * e * e / 2, s.K * (a - s.Rest), s.K
}

// Growth follows from (l − l₀)² >= ½ l² − l₀².
func (s Linear) Growth() (stiffness, offset float64) { return s.K / 2, s.K * s.Rest * s.Rest / 2 }

// Bounds is exact: φ' does not fall.
func (s Cubic) Bounds(a, b float64) (value, slope, curvature float64) {
	e := outside(s.Rest, a, b)
	return s.Value(s.Rest + e), s.D1(a), s.D2(s.Rest + e)
}

// Growth is that of the linear part.
func (s Cubic) Growth() (stiffness, offset float64) { return s.K / 2, s.K * s.Rest * s.Rest / 2 }

// between returns the least of a function over [a, b] that falls up to l and rises behind.
func between(f func(float64) float64, l, a, b float64) float64 {
	return f(l + outside(l, a, b))
}

// Bounds is exact. φ' rises up to e^{−a(l−d)} = ½ and then falls to 0; φ” falls up to ¼.
func (p Morse) Bounds(a, b float64) (value, slope, curvature float64) {
	return between(p.Value, p.Distance, a, b), min(p.D1(a), p.D1(b)), between(p.D2, p.Distance+elementary.Log(4)/p.Decay, a, b)
}

// Growth is none; −D is the least value.
func (p Morse) Growth() (stiffness, offset float64) { return 0, p.Depth }

// Bounds is exact. With s = (d/l)⁶, φ' rises up to s = 7/13 and then falls to 0; φ” falls
// up to s = 4/13.
func (p LennardJones) Bounds(a, b float64) (value, slope, curvature float64) {
	if a == 0 {
		slope = math.Inf(-1)
	} else {
		slope = min(p.D1(a), p.D1(b))
	}
	if p.Depth == 0 {
		return 0, 0, 0
	}
	if math.IsInf(b, 1) { // where powers of 0 times ∞ are no numbers
		b = math.MaxFloat64
		if a > 0 {
			slope = min(p.D1(a), 0)
		}
	}
	return between(p.Value, p.Distance, a, b), slope, between(p.D2, p.Distance*elementary.Pow(13./4, 1./6), a, b)
}

// Growth is none; −ε is the least value.
func (p LennardJones) Growth() (stiffness, offset float64) { return 0, p.Depth }

var (
	_ Bounded = Linear{}
	_ Bounded = Cubic{}
	_ Bounded = Morse{}
	_ Bounded = LennardJones{}
)
