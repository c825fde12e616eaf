package assembly_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/assembly"
)

// places are what the gradient of a position, of a load and of its point are tested at: a block on a block on a floor, turned by 20°
// about the vertical so that edges cross and vertices of both carry; or flush with it, so that vertices lie on edges of the other.
type places struct {
	flush                      bool
	lower, upper, force, point [3]float64
}

func (p places) assembly(t *testing.T, mu float64) *assembly.Assembly {
	t.Helper()
	upper := box("upper", [3]float64{-.6, -.5, 1}, [3]float64{.7, .4, 2}, false)
	sin, cos := math.Sincos(20 * math.Pi / 180)
	x, y := .55, .45
	if p.flush {
		sin, cos, x, y = 0, 1, .75, .5
	}
	for k, v := range upper.Vertices {
		upper.Vertices[k] = [3]float64{x + cos*v[0] - sin*v[1], y + sin*v[0] + cos*v[1], v[2]}
	}
	lower := box("lower", [3]float64{}, [3]float64{1, 1, 1}, false)
	for k := range lower.Vertices {
		for e := range 3 {
			lower.Vertices[k][e] += p.lower[e]
			upper.Vertices[k][e] += p.upper[e]
		}
	}
	lower.Density, upper.Density = 2, 3
	a := &assembly.Assembly{Friction: mu, Blocks: []assembly.Block{box("floor", [3]float64{-9, -9, -1},
		[3]float64{9, 9, 0}, true), lower, upper},
		Loads: []assembly.Load{{Block: 1, Point: [3]float64{.5, .9, .7}, Force: [3]float64{0, 1, -1}}}}
	l := assembly.Load{Block: 2, Live: true}
	for e := range 3 {
		a.Loads[0].Point[e] += p.lower[e]
		l.Force[e] = [3]float64{3, 1, .2}[e] + p.force[e]
		l.Point[e] = [3]float64{.6, .5, 1.6}[e] + p.point[e] + p.upper[e]
	}
	a.Loads = append(a.Loads, l)
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestGradientOfPlaces: derivatives by the positions of blocks, by loads and by their points are central differences; and nothing
// changes where all moves together.
func TestGradientOfPlaces(t *testing.T) {
	factor := func(a *assembly.Assembly) (float64, *assembly.Gradient) {
		m, err := assembly.LoadFactor(t.Context(), a, 0)
		if err != nil {
			t.Fatal(err)
		}
		return m.Value, m.Gradient
	}
	tilt := func(a *assembly.Assembly) (float64, *assembly.Gradient) {
		x, err := assembly.TiltTowards(t.Context(), a, [3]float64{1, .4, 0})
		if err != nil {
			t.Fatal(err)
		}
		return x.Angle, x.Gradient
	}
	friction := func(a *assembly.Assembly) (float64, *assembly.Gradient) {
		x, err := assembly.LeastFriction(t.Context(), a, 1e-9, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return (x.Lower + x.Upper) / 2, x.Gradient
	}
	const h = 1e-4 // the programs are solved to 1e-10
	for _, c := range []struct {
		name  string
		of    func(*assembly.Assembly) (float64, *assembly.Gradient)
		mu    float64
		flush bool
	}{{"factor that tips", factor, .9, false}, {"factor that slides", factor, .3, false}, {"tilt that tips", tilt, .9, false},
		{"friction", friction, .9, false}, {"flush, factor", factor, .9, true}, {"flush, friction", friction, .9, true}} {
		_, g := c.of(places{flush: c.flush}.assembly(t, c.mu))
		difference := func(set func(p *places, x float64)) float64 {
			var ends [2]float64
			for k, x := range []float64{h, -h} {
				p := places{flush: c.flush}
				set(&p, x)
				ends[k], _ = c.of(p.assembly(t, c.mu))
			}
			return (ends[0] - ends[1]) / (2 * h)
		}
		for e := range 3 {
			near(t, c.name+", load", g.Force[1][e], difference(func(p *places, x float64) { p.force[e] = x }), 1e-5)
			near(t, c.name+", point", g.Point[1][e], difference(func(p *places, x float64) { p.point[e] = x }), 1e-5)
			sum := 0.
			for i := range g.Position {
				sum += g.Position[i][e]
			}
			near(t, c.name+", all moved", sum, 0, 1e-9)
			if e == 2 {
				continue // blocks would part
			}
			near(t, c.name+", upper", g.Position[2][e], difference(func(p *places, x float64) { p.upper[e] = x }), 1e-5)
			near(t, c.name+", lower", g.Position[1][e], difference(func(p *places, x float64) { p.lower[e] = x }), 1e-5)
		}
	}
	share, err := assembly.LeastFriction(t.Context(), places{}.assembly(t, .9), 1e-9, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.
	for _, d := range share.Gradient.Friction {
		sum += .9 * d
	}
	near(t, "least share, by all friction", sum, -share.Upper, 1e-5)
}

// TestGradientOfOverhang: a block of b by h on a floor that ends under it at c tips about that edge at tan α = 2 (c − b/2)/h, and of
// what changes c, b or h the derivative is the closed one.
func TestGradientOfOverhang(t *testing.T) {
	overhang := func(c, b, h float64) *assembly.Assembly {
		a := &assembly.Assembly{Plane: true, Friction: .9,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, c, 0, true), rectangle("block", 0, 0, b, h, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		return a
	}
	const c, b, h, d = .8, 1., 2., 1e-5
	tan := 2 * (c - b/2) / h
	x, err := assembly.LeastTilt(t.Context(), overhang(c, b, h), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "tilt", x.Angle, math.Atan(tan), 1e-8)
	by := 1 / (1 + tan*tan) // of the angle by its tangent
	near(t, "by the position of the block", x.Gradient.Position[1][0], -by*2/h, 1e-7)
	near(t, "by that of the floor", x.Gradient.Position[0][0], by*2/h, 1e-7)
	for _, k := range []struct {
		name       string
		less, more *assembly.Assembly
		want       float64
	}{
		{"c", overhang(c-d, b, h), overhang(c+d, b, h), by * 2 / h},
		{"b", overhang(c, b-d, h), overhang(c, b+d, h), -by / h},
		{"h", overhang(c, b, h-d), overhang(c, b, h+d), -by * tan / h},
	} {
		change, err := x.Gradient.Between(k.less, k.more)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "by "+k.name, change/(2*d), k.want, 1e-7)
	}
	smooth := overhang(c, b, h)
	smooth.Interfaces[0].Friction = 0
	if change, err := x.Gradient.Between(overhang(c, b, h), smooth); err == nil {
		t.Errorf("friction that is lost has a derivative: %v", change)
	}
}

// TestGradientOfRanges: a beam of length l on supports at its ends and its middle, a load P at x before that: the middle carries from
// nothing to all that its right end leaves to it, W + 2P x/l, the left one from P(1 − 2x/l) to W/2 + P(1 − x/l).
func TestGradientOfRanges(t *testing.T) {
	const l, x, load, density = 4., 1., 50., 10.
	a := &assembly.Assembly{Plane: true,
		Blocks: []assembly.Block{rectangle("left", -.1, -1, .1, 0, true), rectangle("middle", 1.9, -1, 2.1, 0, true),
			rectangle("right", 3.9, -1, 4.1, 0, true),
			rectangle("beam", -.1, 0, 4.1, .5, false)},
		Loads: []assembly.Load{{Block: 3, Point: [3]float64{x, 0, .5}, Force: [3]float64{0, 0, -load}}}}
	a.Blocks[3].Density = density
	for k, at := range []float64{0, l / 2, l} {
		a.Interfaces = append(a.Interfaces, assembly.Interface{A: k, B: 3, Normal: [3]float64{0, 0, 1},
			Points: [][3]float64{{at, 0, 0}}, Friction: .3})
	}
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	w := a.Blocks[3].Mass() * 9.81
	for _, c := range []struct {
		name                             string
		block                            int
		value, byWeight, byLoad, byPoint float64
	}{
		{"middle, most", 1, w + 2*load*x/l, 1, 2 * x / l, 2 * load / l}, {"middle, least", 1, 0, 0, 0, 0},
		{"left, most", 0, w/2 + load*(1-x/l), .5, 1 - x/l, -load / l}, {"left, least", 0, load * (1 - 2*x/l), 0, 1 - 2*x/l, -2 * load / l},
	} {
		r, err := assembly.ReactionRange(t.Context(), a, c.block, [3]float64{0, 0, -1})
		if err != nil {
			t.Fatal(err)
		}
		value, g := r.Most, r.AtMost
		if strings.HasSuffix(c.name, "least") {
			value, g = r.Least, r.AtLeast
		}
		near(t, c.name, value, c.value, 1e-6)
		near(t, c.name+", by density", g.Density[3], c.byWeight*w/density, 1e-6)
		near(t, c.name+", by the load", -g.Force[0][2], c.byLoad, 1e-7)
		near(t, c.name+", by its point", g.Point[0][0], c.byPoint, 1e-5)
		near(t, c.name+", by the density of the support", g.Density[c.block], 0, 0)
	}
}

// TestGradientOfMortar: a tension by the area of an interface changes as blocks move along it, which is not followed: no derivative by
// their positions; one that is given has them.
func TestGradientOfMortar(t *testing.T) {
	for _, given := range []bool{false, true} {
		a := &assembly.Assembly{Plane: true, Friction: .9, Strength: 2,
			Blocks: []assembly.Block{rectangle("floor", -9, -1, .8, 0, true), rectangle("block", 0, 0, 1, 3, false)}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		if given {
			a.Strength = 0
		}
		x, err := assembly.TiltTowards(t.Context(), a, [3]float64{1})
		if err != nil {
			t.Fatal(err)
		}
		if known := !math.IsNaN(x.Gradient.Position[1][0]); known != given {
			t.Errorf("tension given %v: by position %v", given, x.Gradient.Position[1])
		}
		if d := x.Gradient.Density[1]; !(math.Abs(d) > 1e-3) {
			t.Errorf("by density %v", d)
		}
	}
}
