package events

import (
	"math"
	"slices"
	"testing"
)

// TestFar: a cubic between two points with a minimum between is above zero where the smaller end is more than the steeper slope times the length.
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

// TestDeepest: between two points above zero the first point met below it, or the second where there is none; without a look where both ends are far, or the rate does not change from falling to
// rising, and to the least value, no further, where it is near.
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

// TestBisect: the root to the last digits of the time, behind it, with secants where the function is smooth, without where it is at its bound from the start on.
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

// TestRise: of a condition that leaves its bound the last point that is fulfilled before one that fails; the start if none is.
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

// TestFirstFailure: of conditions that fail in a step the one that fails first, and when; also one that fails between two points at which it does not, one that leaves its bound before, and not the speed of
// slip, which has no rate; the same roots where loads are smooth.
func TestFirstFailure(t *testing.T) {
	line := func(root float64) func(t float64) (float64, float64) {
		return func(t float64) (float64, float64) { return root - t, -1 }
	}
	dip := func(t float64) (float64, float64) { return (t-.2)*(t-.2) - 1e-4, 2 * (t - .2) }
	hump := func(t float64) (float64, float64) { return t * (.35 - t), .35 - 2*t }
	holds := func(t float64) (float64, float64) { return 1 + t, 1 }
	for _, x := range []struct {
		name string
		kind []kind
		f    []func(t float64) (float64, float64)
		hit  int
		at   float64
	}{
		{"none", []kind{pressure, height}, []func(t float64) (float64, float64){holds, holds}, -1, 1},
		{"the second", []kind{pressure, height, forward}, []func(t float64) (float64, float64){line(.7), line(.4), line(.6)}, 1, .4},
		{"the first", []kind{pressure, height}, []func(t float64) (float64, float64){line(.2), line(.4)}, 0, .2},
		{"a dip", []kind{pressure, height}, []func(t float64) (float64, float64){line(.7), dip}, 1, .19},
		{"a speed", []kind{pressure, onward}, []func(t float64) (float64, float64){line(.7), dip}, 0, .7},
		{"from its bound", []kind{cone, pressure}, []func(t float64) (float64, float64){hump, line(.5)}, 0, .35},
		{"at its bound", []kind{pressure}, []func(t float64) (float64, float64){line(0)}, 0, 0},
		{"speeds", []kind{onward, onward}, []func(t float64) (float64, float64){line(.3), line(.3)}, 0, .3},
	} {
		for _, smooth := range []bool{false, true} {
			var list []condition
			var now, ends []point
			at := func(k int, h float64) point {
				v, r := x.f[k](h)
				return point{h, v, r, 1}
			}
			for k, kind := range x.kind {
				list, now, ends = append(list, condition{contact: k, kind: kind}), append(now, at(k, 0)), append(ends, at(k, 1))
			}
			before := slices.Clone(now)
			hit, h := firstFailure(list, now, ends, 0, 1, smooth, func(c condition, h float64) point { return at(c.contact, h) })
			if hit != x.hit || !(math.Abs(h-x.at) < 1e-15) {
				t.Errorf("%s, smooth %v: %d at %.17g, want %d at %g", x.name, smooth, hit, h, x.hit, x.at)
			}
			if !slices.Equal(before, now) {
				t.Errorf("%s: points were changed", x.name)
			}
		}
	}
}

// TestSpreads: forces of one direction, whichever displacement makes them, or next to none of another, do not spread; of two they do.
func TestSpreads(t *testing.T) {
	for _, x := range []struct {
		name  string
		block [9]float64 // rows t, o, n; the forces on the other are its first two columns
		want  bool
	}{
		{"none", [9]float64{}, false},
		{"one", [9]float64{0, 0, 0, .6, .8, 0, 0, 0, 0}, false},
		{"parallel", [9]float64{.6, .8, 9, .3, .4, 9, -.6, -.8, 9}, false},
		{"first and second", [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 0}, true},
		{"first and second, aslant", [9]float64{.5, .25, 0, .25, -.5, 0, 0, 0, 0}, true},
		{"first and third", [9]float64{.5, .25, 0, 0, 0, 0, .25, .5, 0}, true},
		{"second and third", [9]float64{0, 0, 0, .5, .25, 0, .25, .5, 0}, true},
		{"second and third alike but for one", [9]float64{0, 0, 0, .5, .25, 0, .5, .5, 0}, true},
		{"a little of another", [9]float64{1, 0, 0, 0, 1e-5, 0, 0, 0, 0}, true},
		{"next to none of another", [9]float64{1, 0, 0, 0, 1e-7, 0, 0, 0, 0}, false},
		{"next to none of the first", [9]float64{0, 1e-7, 0, 1, 0, 0, 0, 0, 0}, false},
		{"nearly parallel", [9]float64{1, 0, 0, 1, 1e-7, 0, 0, 0, 0}, false},
		{"hardly parallel", [9]float64{1, 0, 0, 1, 1e-5, 0, 0, 0, 0}, true},
	} {
		if b := (&coupling{block: x.block}); b.spreads() != x.want {
			t.Errorf("%s: spreads %v", x.name, !x.want)
		}
	}
}
