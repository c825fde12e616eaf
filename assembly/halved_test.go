package assembly_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
)

// TestSpread: what a path of half the steps has else bounds the error of a path: of a block that is pushed at its centroid, whose load is
// tan φ with sin φ = sin α − d/R when it has moved by d, R from its corner; and of two blocks whose supports spread, by the thrust of
// TestSpreading.
func TestSpread(t *testing.T) {
	follow := func(a *assembly.Assembly, d *assembly.Drive, o *assembly.PathOptions) *assembly.Path {
		p, err := assembly.Follow(t.Context(), a, d, o)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	bounds := func(what string, told, real, most float64) {
		t.Helper()
		t.Logf("%s: told %.3g, real %.3g", what, told, real)
		if !(real <= told) || told > most {
			t.Errorf("%s: told %v, the error is %v, want no more than %v", what, told, real, most)
		}
	}
	const b, h = 1., 3.
	push := &assembly.Drive{Loads: true, To: 1}
	coarse := &assembly.PathOptions{Steps: 10, Gap: 1e-4}
	p := follow(rocking(t, .9, b, h), push, coarse)
	s := p.Spread(follow(rocking(t, .9, b, h), push, coarse.Halved()))
	real := 0.
	for i := range p.Steps {
		phi := math.Asin(b/math.Hypot(b, h) - 2*p.Steps[i].Distance/math.Hypot(b, h))
		real = max(real, math.Abs(p.Steps[i].Level-math.Tan(phi)))
	}
	bounds("level", s.Level, real, .02)
	if !s.Alike || s.Events != 0 || s.Peak > 1e-8 {
		t.Errorf("%+v", s)
	}

	spread := func(o *assembly.PathOptions) *assembly.Path {
		a := frame(.8)
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		return displace(t, a, 3, [3]float64{.8}, o)
	}
	p = spread(coarse)
	fine := spread(coarse.Halved())
	s = p.Spread(fine)
	exact := spread(&assembly.PathOptions{Steps: 10, Gap: 1e-7})
	real = 0
	for i := range p.Steps[:5] {
		real = max(real, math.Abs(p.Steps[i].Forces[0]-exact.Steps[i].Forces[0]))
	}
	bounds("thrust", s.Forces[0], real, 1e-2*exact.Steps[0].Forces[0])
	bounds("collapse", s.End, math.Abs(p.Steps[len(p.Steps)-1].Distance-exact.Steps[len(exact.Steps)-1].Distance), 1e-2)
}

// TestBrittle: a block that mortar holds under a ceiling, with T at each end of its joint of length b, tilts until one end opens or it
// slides,
//
//	W (b cos α + h sin α)/2 = T b,   W sin α = μ (2 T − W cos α)
//
// and no slow motion leads on, as mortar is lost where it opens by more than a gap of rounding: the state is told up to which it is held.
func TestBrittle(t *testing.T) {
	const mu, b, h, strength = 5., .5, .4, 4.4
	a := &assembly.Assembly{Plane: true, Friction: mu, Strength: strength,
		Blocks: []assembly.Block{rectangle("ceiling", -1, 1, 2, 2, true), rectangle("block", 0, 1-h, b, 1, false)}}
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	w, tension := 9.81*b*h, strength*b/2
	opens := root(func(x float64) float64 { return w*(b*math.Cos(x)+h*math.Sin(x))/2 - tension*b })
	slides := root(func(x float64) float64 { return w*math.Sin(x) - mu*(2*tension-w*math.Cos(x)) })
	p, err := assembly.Follow(t.Context(), a, &assembly.Drive{Tilt: [3]float64{1}, To: math.Pi / 2}, &assembly.PathOptions{Gap: 1e-14})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != 1 || p.Holds || p.Collapsed || p.Ends == "" {
		t.Fatalf("%d states, holds %v, ends %q, want %v", len(p.Steps), p.Holds, p.Ends, min(opens, slides))
	}
	near(t, "held", p.Steps[0].Level, min(opens, slides), 1e-8)
	near(t, "peak", p.Peak.Level, min(opens, slides), 1e-8)
}
