package friction

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// Ageing is rate-and-state friction with the ageing law [Dieterich79], [Ruina83],
//
//	μ = a asinh( v/(2 v₀) exp((μ₀ + b ln(v₀ θ/L))/a) ),  dθ/dt = 1 − v θ/L,
//
// which is μ₀ + a ln(v/v₀) + b ln(v₀ θ/L) where v is not tiny, and μ₀ + (a − b) ln(v/v₀) in steady
// sliding. The regularised form creeps below any force; what is slower than Rest sticks, up to the
// friction that Rest has. What touches anew has the state Start.
//
// As a [Law] it is that of what touches anew; [Ageing.During] is that of a step.
//
// [Dieterich79] J. H. Dieterich, Modeling of rock friction, J. Geophys. Res. 84 (1979).
// [Ruina83] A. Ruina, Slip instability and state variable friction laws, J. Geophys. Res. 88 (1983).
type Ageing struct {
	Reference float64 // μ₀ [-]
	Direct    float64 // a, of the speed [-]
	Evolution float64 // b, of the state [-]
	Speed     float64 // v₀ [m/s]
	Length    float64 // L [m]
	Rest      float64 // [m/s]
	Start     float64 // θ [s]
}

// Aged is the friction of a contact of a state θ in a step of h: θ follows the ageing law with the
// speed of the step, and μ is that of its middle.
type Aged struct {
	Ageing
	Theta float64 // at the beginning of the step [s]
	Step  float64 // h [s]
}

var (
	_ Law   = Ageing{}
	_ Law   = Aged{}
	_ creep = Aged{}
)

// During returns the friction in a step of h of a contact of a state; 0: a new one.
func (l Ageing) During(theta, h float64) Aged {
	if theta == 0 {
		theta = l.Start
	}
	return Aged{l, theta, h}
}

// State implements [Stateful]: θ [s].
func (l Ageing) State(theta float64) float64 { return l.During(theta, 0).Theta }

// In implements [Stateful].
func (l Ageing) In(theta, h float64) Law { return l.During(theta, h) }

// After implements [Stateful].
func (l Ageing) After(theta, speed, time float64) float64 { return l.Aged(l.State(theta), speed, time) }

// Lasts implements [Stateful].
func (l Ageing) Lasts() bool { return false }

// Mu implements [Law].
func (l Ageing) Mu(speed float64) float64 { return l.During(0, 0).Mu(speed) }

// Weakening implements [Law]: at a state μ rises with speed.
func (l Ageing) Weakening(_, _ float64) float64 { return 0 }

const (
	fastest = 1e3 // m/s, and
	eldest  = 1e9 // s, some thirty years: no contact goes beyond
)

// Bounds implements [Law]: up to 1 km/s, or Rest if that is more, and after thirty years.
func (l Ageing) Bounds() (least, most float64) {
	return 0, l.at(max(fastest, l.Rest), max(eldest, l.Start))
}

// at is μ at a speed and a state: asinh x of x = e^y is y + ln(1 + √(1 + x⁻²)), and without
// cancellation below 1 ln(1 + x + x²/(1 + √(1 + x²))).
func (l Ageing) at(speed, theta float64) float64 {
	y := l.exponent(speed, theta)
	if y > 0 {
		return l.Direct * (y + elementary.Log(1+math.Sqrt(1+elementary.Exp(-2*y))))
	}
	x := elementary.Exp(y)
	return l.Direct * math.Log1p(x+x*x/(1+math.Sqrt(1+x*x)))
}

// exponent is the logarithm of what asinh is taken of.
func (l Ageing) exponent(speed, theta float64) float64 {
	return elementary.Log(speed/(2*l.Speed)) + (l.Reference+l.Evolution*elementary.Log(l.Speed*theta/l.Length))/l.Direct
}

// Aged returns the state after a time at a speed of slip: the ageing law in closed form.
func (l Ageing) Aged(theta, speed, time float64) float64 {
	z := speed * time / l.Length
	return theta*elementary.Exp(-z) + time*decay(z)
}

// decay is (1 − e^−z)/z.
func decay(z float64) float64 {
	if z == 0 {
		return 1
	}
	return -math.Expm1(-z) / z
}

// decaySlope is its derivative; below 1e-3 by its series, of which the next term is z³/30.
func decaySlope(z float64) float64 {
	if z < 1e-3 {
		return -1./2 + z/3 - z*z/8
	}
	return (elementary.Exp(-z)*z + math.Expm1(-z)) / (z * z)
}

// Bounds implements [Law].
func (l Aged) Bounds() (least, most float64) {
	return 0, l.at(max(fastest, l.Rest), l.Theta+l.Step)
}

// Mu implements [Law].
func (l Aged) Mu(speed float64) float64 {
	v := max(speed, l.Rest)
	return l.at(v, l.Aged(l.Theta, v, l.Step/2))
}

// fading is −∂lnΘ/∂v, of the state Θ in the middle of the step [s/m]. Θ is a sum of exponentials of
// −z, and so logarithmically convex: this falls with v.
func (l Aged) fading(v float64) float64 {
	t := l.Step / 2
	z := v * t / l.Length
	return t / l.Length * (l.Theta*elementary.Exp(-z) - t*decaySlope(z)) / (l.Theta*elementary.Exp(-z) + t*decay(z))
}

// Slope is dμ/dv, of a speed above Rest [s/m].
func (l Aged) Slope(speed float64) float64 {
	y := l.exponent(speed, l.Aged(l.Theta, speed, l.Step/2))
	return (l.Direct/speed - l.Evolution*l.fading(speed)) / math.Sqrt(1+elementary.Exp(-2*y))
}

// Slowest is the speed below which it sticks [m/s].
func (l Aged) Slowest() float64 { return l.Rest }

// Weakening implements [Law]: between two speeds v₀ < v₁ −dμ/dv is at most b fading(v₀) − a/v₁, as
// both fall with v; the speeds are cut in parts of a tenth of their size, up to those of Bounds.
func (l Aged) Weakening(from, to float64) (most float64) {
	const part = 1.1
	to = min(to, max(fastest, l.Rest))
	for v := max(from, l.Rest); v < to; v *= part {
		most = max(most, l.Evolution*l.fading(v)-l.Direct/min(v*part, to))
	}
	return most
}

// Validate implements [Law].
func (l Ageing) Validate() error {
	for _, x := range []struct {
		name  string
		value float64
	}{{"a", l.Direct}, {"v0", l.Speed}, {"length", l.Length}, {"rest", l.Rest}, {"state", l.Start}} {
		if !(x.value > 0) || math.IsInf(x.value, 1) {
			return fmt.Errorf("found %q %g, want a number > 0", x.name, x.value)
		}
	}
	if !(l.Reference >= 0 && l.Reference <= most) || !(l.Evolution >= 0 && l.Evolution <= most) || l.Direct > most {
		return fmt.Errorf("found \"mu0\" %g, \"a\" %g, \"b\" %g, want numbers from 0 to %g", l.Reference, l.Direct,
			l.Evolution, float64(most))
	}
	return nil
}
