package events

import (
	"math"
	"testing"
)

// TestDrift: ẋ = −(λ/ρ)(Ax + b) with affine ρ and b, against 20,000 steps of the classical rule of fourth order, where friction stays, grows, falls to a
// hundredth and in resonance; and its limit where friction falls to nothing.
func TestDrift(t *testing.T) {
	for _, x := range []crosswind{
		{h: 1, speed: 2, stiffness: 1, b: -1, bEnd: -1, rho: .5, rhoEnd: .5},
		{h: 2, speed: 1, stiffness: 3, b: 1, bEnd: -2, rho: 1, rhoEnd: 1.5},
		{h: .5, speed: .5, stiffness: 1, b: 1, bEnd: 2, rho: .25, rhoEnd: .0025}, // nearly in resonance
		{h: 1, speed: 1, stiffness: 1, b: 1, bEnd: 3, rho: 1.25, rhoEnd: .25},    // in resonance: ρ' = −λA
		{h: 1, speed: 1, stiffness: 2, b: -1, bEnd: 1, rho: .2, rhoEnd: 2},
		{h: 1e-3, speed: 1, stiffness: 1, b: 1, bEnd: 1, rho: 1, rhoEnd: 1 + 1e-12},
	} {
		const n = 20000
		rate := func(s, y float64) float64 {
			return -x.speed / (x.rho + (x.rhoEnd-x.rho)*s/x.h) * (x.stiffness*y + x.b + (x.bEnd-x.b)*s/x.h)
		}
		y, d := 0.0, x.h/n
		for k := range n {
			s := d * float64(k)
			a := rate(s, y)
			b := rate(s+d/2, y+d/2*a)
			c := rate(s+d/2, y+d/2*b)
			y += d / 6 * (a + 2*b + 2*c + rate(s+d, y+d*c))
		}
		if got := x.way(); !(math.Abs(got-y) < 1e-11*(1+math.Abs(y))) { // (λA/ρ·d)⁴ of steps, largest in the third
			t.Errorf("%+v: %.15g, want %.15g", x, got, y)
		}
	}
	// Friction that falls to next to nothing: for constant b, x = −(b/A)(1 − (ρ_1/ρ_0)^{λA/ρ'}).
	for _, end := range []float64{1e-14, 1e-12, 1e-3} {
		x := crosswind{h: 1, speed: 1e-3, stiffness: 2, b: 3, bEnd: 3, rho: .01, rhoEnd: end}
		want := -1.5 * (1 - math.Pow(end/.01, .002/(.01-end)))
		if got := x.way(); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("friction falls to %g: %.15g, want %.15g", end, got, want)
		}
	}
	x := crosswind{h: 1, speed: 1, stiffness: 4, b: 1, bEnd: 2, rho: 1, rhoEnd: 1e-20}
	if got := x.way(); got != -.5 {
		t.Errorf("without pressure: %g, want −b/A = −½", got)
	}
}
