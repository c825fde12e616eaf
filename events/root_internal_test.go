package events

import (
	"math"
	"testing"
)

// TestNewton: the root that bisect finds, of functions that fall, with a kink of the rate or none,
// flat at the root, or at their bound at the start, in fewer values.
func TestNewton(t *testing.T) {
	for name, f := range map[string]func(t float64) (value, rate float64){
		"cosine":   func(t float64) (float64, float64) { return math.Cos(40*t) - 0.2, -40 * math.Sin(40*t) },
		"line":     func(t float64) (float64, float64) { return 0.017 - t, -1 },
		"cubic":    func(t float64) (float64, float64) { return 1e-6 - t*t*t, -3 * t * t },
		"at bound": func(t float64) (float64, float64) { return -t * t, -2 * t },
		"no rate":  func(t float64) (float64, float64) { return 0.03 - t - t*t, 0 },
	} {
		for _, origin := range [2]float64{0, 1e3} {
			count := 0
			one := func(t float64) point {
				count++
				v, r := f(t)
				return point{t, v, r, 1}
			}
			a, b := one(0), one(0.05)
			count = 0
			want := bisect(a, b, origin, one)
			before := count
			count = 0
			got := newton(a, b, origin, one)
			if math.Abs(got-want) > 4e-16*(1+origin)+1e-12*want || !(one(got).value < 0) {
				t.Errorf("%s from %g: root at %.17g, by bisection at %.17g", name, origin, got, want)
			}
			if name == "cosine" && !(4*count <= 3*before) {
				t.Errorf("%s from %g: %d values, by bisection %d", name, origin, count, before)
			}
		}
	}
}

// TestFar: a cubic between two points with a minimum between is above zero where the smaller end is
// more than the steeper slope times the length.
func TestFar(t *testing.T) {
	for _, x := range []struct {
		a, b point
		want bool
	}{
		{point{0, 1, -1, 1}, point{.5, 2, 1, 1}, true},
		{point{0, 2, -1, 1}, point{.5, 1, 1, 1}, true},
		{point{0, 1, -3, 1}, point{.5, 2, .1, 1}, false},
		{point{0, 1, -.1, 1}, point{.5, 2, 3, 1}, false},
		{point{2, 1, -1, 1}, point{3, 1, .5, 1}, false}, // at the limit
		{point{2, 1.01, -1, 1}, point{3, 1.01, 1, 1}, true},
	} {
		if got := far(x.a, x.b); got != x.want {
			t.Errorf("%+v to %+v: %v", x.a, x.b, got)
		}
	}
}

// counted returns the points of a function, and how many were asked for.
func counted(f func(t float64) (value, rate float64)) (one func(t float64) point, count *int) {
	count = new(int)
	return func(t float64) point {
		*count++
		v, r := f(t)
		return point{t, v, r, 1}
	}, count
}

// TestDeepest: between two points above zero the first point met below it, or the second where
// there is none; without a look where both ends are far, or the rate does not change from falling
// to rising, and to the least value, no further, where it is near.
func TestDeepest(t *testing.T) {
	dip := func(depth, at float64) func(t float64) (float64, float64) {
		return func(t float64) (float64, float64) { return (t-at)*(t-at) - depth, 2 * (t - at) }
	}
	for _, x := range []struct {
		name        string
		f           func(t float64) (float64, float64)
		least, most int // points
		found       bool
	}{
		{"deep", dip(.01, .4), 1, 3, true},
		{"narrow", dip(1e-9, .3), 5, 20, true},
		{"touches", dip(0, .3), 40, 60, false},
		{"above", dip(-1e-3, .3), 3, 8, false},
		{"far above", dip(-3, .3), 0, 0, false},
		{"falls", func(t float64) (float64, float64) { return 1 - t/2, -.5 }, 0, 0, false},
		{"rises", func(t float64) (float64, float64) { return .1 + t/2, .5 }, 0, 0, false},
		{"rises and falls", func(t float64) (float64, float64) { return .1 + t*(1-t), 1 - 2*t }, 0, 0, false},
	} {
		one, count := counted(x.f)
		a, b := one(0), one(1)
		*count = 0
		got := deepest(a, b, one)
		if below(got) != x.found || !x.found && got != b || *count < x.least || *count > x.most {
			t.Errorf("%s: %+v in %d points", x.name, got, *count)
		}
	}
}

// TestBisect: the root to the last digits of the time, behind it, with secants where the function
// is smooth, without where it is at its bound from the start on.
func TestBisect(t *testing.T) {
	for _, x := range []struct {
		name         string
		f            func(t float64) (float64, float64)
		origin, root float64
		most         int
	}{
		{"line", func(t float64) (float64, float64) { return .3 - t, -1 }, 0, .3, 60},
		{"exponential", func(t float64) (float64, float64) { return math.Exp(-3*t) - .5, 0 }, 0, math.Log(2) / 3, 40},
		{"far", func(t float64) (float64, float64) { return math.Exp(-3*t) - .5, 0 }, 1e6, math.Log(2) / 3, 25},
		{"at its bound", func(t float64) (float64, float64) { return -max(t-.3, 0), 0 }, 0, .3, 60},
		{"late", func(t float64) (float64, float64) { return .999 - t*t, 0 }, 0, math.Sqrt(.999), 40},
	} {
		one, count := counted(x.f)
		a, b := one(0), one(1)
		*count = 0
		got := bisect(a, b, x.origin, one)
		if off := got - x.root; !(math.Abs(off) <= 4e-16*(x.origin+1)) || !(one(got).value < 0) && x.origin == 0 || *count > x.most {
			t.Errorf("%s: root at %.17g, want %.17g, in %d points", x.name, got, x.root, *count)
		}
	}
}

// TestRise: of a condition that leaves its bound the last point that is fulfilled before one that
// fails; the start if none is.
func TestRise(t *testing.T) {
	for _, x := range []struct {
		name string
		f    func(t float64) (float64, float64)
		want float64
	}{
		{"rises and falls", func(t float64) (float64, float64) { return t * (.3 - t), 0 }, .25},
		{"at once", func(t float64) (float64, float64) { return t * (1e-9 - t), 0 }, math.Ldexp(1, -30)},
		{"fails before it rises", func(t float64) (float64, float64) { return (t - .1) * (.3 - t), 0 }, .25},
		{"falls, rises and falls", func(t float64) (float64, float64) { return t * (t - .1) * (.3 - t), 0 }, .25},
		{"stays up", func(t float64) (float64, float64) { return t, 0 }, .5},
		{"falls", func(t float64) (float64, float64) { return -t, 0 }, 0},
		{"stays at its bound", func(float64) (float64, float64) { return 0, 0 }, 0},
	} {
		one, _ := counted(x.f)
		if got := rise(one(0), one(1), one); got.t != x.want {
			t.Errorf("%s: %+v, want at %g", x.name, got, x.want)
		}
	}
}
