package assembly_test

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
)

func near(t *testing.T, what string, found, want, tol float64) {
	t.Helper()
	if !(math.Abs(found-want) <= tol) {
		t.Errorf("%s: %.12g, want %.12g", what, found, want)
	}
}

// TestTilt: a block of b by h tilts min(atan μ, atan b/h), in the plane, and in space least along the
// shorter of its edges.
func TestTilt(t *testing.T) {
	for _, c := range []struct{ mu, b, h float64 }{{.5, 1, 1}, {.7, 1, 3}, {.2, 2, 1}} {
		want := math.Atan(min(c.mu, c.b/c.h))
		a := &assembly.Assembly{Plane: true, Friction: c.mu,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, c.b, c.h, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		tilt, err := assembly.LeastTilt(t.Context(), a, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "plane", tilt.Angle, want, 1e-8)
		a = &assembly.Assembly{Friction: c.mu,
			Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1}, [3]float64{9, 9, 0}, true),
				box("block", [3]float64{}, [3]float64{2.5, c.b, c.h}, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		if tilt, err = assembly.LeastTilt(t.Context(), a, time.Minute); err != nil {
			t.Fatal(err)
		}
		near(t, "space", tilt.Angle, want, 1e-8)
		near(t, "space, from below", tilt.Lower, want, 1e-3)
		share, err := assembly.LeastFriction(t.Context(), a, 1e-9, time.Minute)
		if err != nil || share.Upper > 0 {
			t.Errorf("friction of a block on a floor: %v, %v", share, err)
		}
	}
}

// TestWorkers: margins have the same bits on one processor and on several.
func TestWorkers(t *testing.T) {
	find := func(workers int) [4]float64 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		a := &assembly.Assembly{Friction: .4, Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1}, [3]float64{9, 9, 0}, true),
			box("lower", [3]float64{}, [3]float64{1, 1, 1}, false), box("upper", [3]float64{.2, .1, 1}, [3]float64{1.2, 1.3, 3}, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		tilt, err := assembly.LeastTilt(t.Context(), a, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		a.Gravity[0] = .2 * a.Gravity[2]
		share, err := assembly.LeastFriction(t.Context(), a, 1e-7, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return [4]float64{tilt.Angle, tilt.Lower, share.Lower, share.Upper}
	}
	one, more := find(1), find(4)
	if one != more {
		t.Errorf("one processor: %v, four: %v", one, more)
	}
	near(t, "least friction of a tilted stack", one[3], .2/.4, 1e-7)
}

// bracket is a block whose centroid is e beyond the edge of its support and g above it, held by a tension σ over a width b: it falls from
// where
//
//	W (e cos α + g sin α) = σ b²/2
//
// though it is held again before it lies.
func bracket(t *testing.T) (a *assembly.Assembly, falls float64) {
	t.Helper()
	const b, l, h, strength = .5, 2.5, 1.6, 414.
	w, e, g := 9.81*(b+l)*h, (l-b)/2, h/2
	moment := strength * b * b / 2 / w
	falls = math.Atan2(g, e) - math.Acos(moment/math.Hypot(e, g))
	if !(e < moment && g < moment && falls > .01) {
		t.Fatalf("it is not held upright and lying: %v, %v, %v", e, g, moment)
	}
	a = &assembly.Assembly{Plane: true, Friction: 5, Strength: strength,
		Blocks: []assembly.Block{rectangle("wall", -3, -1, 0, 0, true), rectangle("bracket", -b, 0, l, h, false)}}
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	return a, falls
}

// TestGluedBracket: of two tilts that are held it is the first at which it falls that is found.
func TestGluedBracket(t *testing.T) {
	a, want := bracket(t)
	tilt, err := assembly.TiltTowards(t.Context(), a, [3]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "first tilt", tilt.Angle, want, 1e-8)
	near(t, "shown to be held", tilt.Lower, want, 1e-8)
}

// TestLoadedTilt: a block of b by d by h that is pushed along x at its middle with κ of its weight W tips over its edge at b, or
// slides,
//
//	h sin α + κ h = b cos α,   sin α + κ = μ cos α
//
// and by no smaller tilt in any direction. Without that push, a mortar of σ holds it as in TestMortar, with σ b d.
func TestLoadedTilt(t *testing.T) {
	for _, c := range []struct{ mu, b, h, push, mortar float64 }{{.9, 1, 3, .1, 0}, {.3, 1, 2, .15, 0}, {.8, 1, 2, 0, 1}} {
		const d = 2.5
		w := 9.81 * c.b * d * c.h
		tips := func(x float64) float64 {
			return w*(c.h*math.Sin(x)-c.b*math.Cos(x)) + c.push*w*c.h - c.mortar*c.b*c.b*d
		}
		slides := func(x float64) float64 {
			return w*math.Sin(x) + c.push*w - c.mu*(w*math.Cos(x)+c.mortar*c.b*d)
		}
		want := min(root(tips), root(slides))
		a := &assembly.Assembly{Friction: c.mu, Strength: c.mortar,
			Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1}, [3]float64{9, 9, 0}, true),
				box("block", [3]float64{}, [3]float64{c.b, d, c.h}, false)}}
		if c.push > 0 {
			a.Loads = []assembly.Load{{Block: 1, Point: [3]float64{c.b / 2, d / 2, c.h / 2}, Force: [3]float64{c.push * w}}}
		}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		tilt, err := assembly.LeastTilt(t.Context(), a, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "tilt with loads", tilt.Angle, want, 1e-8)
		near(t, "from below", tilt.Lower, want, 1.1e-4*want)
	}
}

// root of what grows from 0 to a right angle.
func root(over func(alpha float64) float64) float64 {
	low, high := 0., math.Pi/2
	for range 60 {
		if middle := (low + high) / 2; over(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// TestMortar: a block of b by h that its joint holds with a tension σ tilts until it slides or tips,
//
//	W sin α = μ (W cos α + σ b),   W (h sin α − b cos α)/2 = σ b²/2
//
// as half of the tension is at each end of the joint.
func TestMortar(t *testing.T) {
	for _, c := range []struct{ mu, b, h float64 }{{.5, 1, 1}, {.9, 1, 3}} {
		const strength = 2.
		w := 9.81 * c.b * c.h
		slides := root(func(x float64) float64 { return w*math.Sin(x) - c.mu*(w*math.Cos(x)+strength*c.b) })
		tips := root(func(x float64) float64 { return w*(c.h*math.Sin(x)-c.b*math.Cos(x)) - strength*c.b*c.b })
		a := &assembly.Assembly{Plane: true, Friction: c.mu, Strength: strength,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, c.b, c.h, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		tilt, err := assembly.TiltTowards(t.Context(), a, [3]float64{1})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "tilt with mortar", tilt.Angle, min(slides, tips), 1e-8)
	}
}

// TestLoadFactor: a block pushed sideways at its middle slides at μ or tips at b/h times its weight.
func TestLoadFactor(t *testing.T) {
	for _, c := range []struct{ mu, b, h float64 }{{.5, 1, 1}, {.7, 1, 3}} {
		a := &assembly.Assembly{Plane: true, Friction: c.mu,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, c.b, c.h, false)}}
		a.Loads = []assembly.Load{{Block: 1, Point: [3]float64{c.b / 2, 0, c.h / 2}, Force: [3]float64{9.81 * c.b * c.h}, Live: true}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		m, err := assembly.LoadFactor(t.Context(), a, 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "factor", m.Value, min(c.mu, c.b/c.h), 1e-8)
		if !m.Exact() || !m.Proof.Exact {
			t.Errorf("not exact: %+v, %+v", m, m.Proof)
		}
	}
}

// TestLeastFactor: a block on a slope of 45° that slides by itself is held by a push up the slope of 1 − μ to 1 + μ of its weight along it,
// and has no path from none of it.
func TestLeastFactor(t *testing.T) {
	const mu = .3
	a := &assembly.Assembly{Plane: true, Friction: mu, Gravity: [3]float64{7, 0, -7},
		Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, 1, 1, false)},
		Loads:  []assembly.Load{{Block: 1, Point: [3]float64{.5, 0, .2}, Force: [3]float64{-7}, Live: true}}}
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	m, err := assembly.LoadFactor(t.Context(), a, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "most", m.Value, 1+mu, 1e-8)
	near(t, "least", m.Least, 1-mu, 1e-8)
	if p, err := assembly.Follow(t.Context(), a, &assembly.Drive{Loads: true, To: 1.2}, nil); err == nil {
		t.Errorf("it goes from none of its push: %+v", p)
	}
}

// TestGradient: derivatives of load factor and tilt from the dual solution are central differences.
func TestGradient(t *testing.T) {
	build := func(densities [2]float64, mu [2]float64) *assembly.Assembly {
		a := &assembly.Assembly{Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1}, [3]float64{9, 9, 0}, true),
			box("lower", [3]float64{}, [3]float64{1, 1, 1}, false), box("upper", [3]float64{.2, 0, 1}, [3]float64{1.2, 1, 2}, false)}}
		a.Blocks[1].Density, a.Blocks[2].Density = densities[0], densities[1]
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		for k := range a.Interfaces {
			a.Interfaces[k].Friction = mu[k]
		}
		return a
	}
	factor := func(d, mu [2]float64) (float64, *assembly.Gradient) {
		a := build(d, mu)
		a.Loads = []assembly.Load{{Block: 2, Point: [3]float64{.7, .5, 1.5}, Force: [3]float64{3, 1, 0}, Live: true}}
		m, err := assembly.LoadFactor(t.Context(), a, 0)
		if err != nil {
			t.Fatal(err)
		}
		return m.Value, m.Gradient
	}
	tilt := func(d, mu [2]float64) (float64, *assembly.Gradient) {
		x, err := assembly.TiltTowards(t.Context(), build(d, mu), [3]float64{1, .3, 0})
		if err != nil {
			t.Fatal(err)
		}
		return x.Angle, x.Gradient
	}
	least := func(d, mu [2]float64) (float64, *assembly.Gradient) {
		x, err := assembly.LeastTilt(t.Context(), build(d, mu), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return x.Angle, x.Gradient
	}
	const h = 1e-4 // the programs are solved to 1e-10
	for _, c := range []struct {
		name string
		of   func(d, mu [2]float64) (float64, *assembly.Gradient)
		mu   [2]float64
	}{{"factor that tips", factor, [2]float64{.8, .9}}, {"factor that slides", factor, [2]float64{.5, .2}},
		{"tilt that tips", tilt, [2]float64{.8, .9}}, {"tilt that slides", tilt, [2]float64{.2, .4}},
		{"least tilt that tips", least, [2]float64{.8, .9}}, {"least tilt that slides", least, [2]float64{.2, .4}}} {
		d := [2]float64{2, 3}
		_, g := c.of(d, c.mu)
		for k := range 2 {
			more, less := d, d
			more[k], less[k] = d[k]+h, d[k]-h
			up, _ := c.of(more, c.mu)
			down, _ := c.of(less, c.mu)
			near(t, c.name+", density", g.Density[k+1], (up-down)/(2*h), 1e-5)
			more, less = c.mu, c.mu
			more[k], less[k] = c.mu[k]+h, c.mu[k]-h
			up, _ = c.of(d, more)
			down, _ = c.of(d, less)
			near(t, c.name+", friction", g.Friction[k], (up-down)/(2*h), 1e-5)
		}
	}
}
