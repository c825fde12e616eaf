package events_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestExactForm: the problem in ratios of integers is that in float64, with every kind of energy
// that can be taken apart: D²E, loads, their rates, E at the start, breaks, friction and gaps, of
// two particles that are pulled along (.6, .8) over floors, one a part of a metre high, and a
// plastic strain.
func TestExactForm(t *testing.T) {
	const until = 3.
	// its decimals are what it is
	short := func(v float64) float64 { return math.Round(1e6*v) / 1e6 }
	line := func(scale float64, points ...float64) signal.Scalar {
		p := slices.Clone(points)
		for i := 1; i < len(p); i += 2 {
			p[i] = short(scale * p[i])
		}
		return ramp(t, p...)
	}
	along := func(up float64, points ...float64) particles.Path {
		var s signal.Scalar = signal.Constant(up)
		return particles.Path{line(.6, points...), line(.8, points...), s}
	}
	// along (.6, .8), across, up, and between the first and the last
	stiff := func(a, b, n, c float64) particles.Stiffness {
		k := particles.Stiffness{.36*a + .64*b, .48 * (a - b), .6 * c, .48 * (a - b), .64*a + .36*b, .8 * c, .6 * c, .8 * c, n}
		for i := range k {
			k[i] = short(k[i])
		}
		return k
	}
	z0 := []float64{.6, .8, 0, 1.8, 2.4, .25, 0, 0, 0}
	variable, err := particles.VariableFrame([3]float64{}, [3]float64{.6, .8, 0})
	if err != nil {
		t.Fatal(err)
	}
	must := func(e particles.Energy, err error) particles.Energy {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	sum, err := signal.NewSum(line(.6, 0, 0, .5, 1, 3, 2), line(.6, 0, 0, 2, -1, 3, 0), signal.Constant(0))
	if err != nil {
		t.Fatal(err)
	}
	other, err := signal.NewSum(line(.8, 0, 0, .5, 1, 3, 2), line(.8, 0, 0, 2, -1, 3, 0), signal.Constant(0))
	if err != nil {
		t.Fatal(err)
	}
	tethers, err := particles.NewTethers(
		particles.Tether{Particle: 0, Anchor: along(-.5, 0, 1, 1, 1.5, 3, .5), Stiffness: stiff(2, 3, 4, .5)},
		particles.Tether{Particle: 1, Anchor: along(.1, 0, 3.5, 1.25, 2, 3, 4), Stiffness: stiff(1.5, 1, 2, -.25)})
	if err != nil {
		t.Fatal(err)
	}
	bonds, err := particles.NewBonds(z0, particles.Bond{I: 0, J: 1, Stiffness: stiff(.75, .5, 1, .125)})
	if err != nil {
		t.Fatal(err)
	}
	loads, err := particles.NewLoads(particles.Load{Particle: 0, Force: particles.Path{sum, other, signal.Constant(-2)}})
	if err != nil {
		t.Fatal(err)
	}
	gravity, err := particles.NewGravity([]float64{.5, .25, 0}, [3]float64{0, 0, -10})
	if err != nil {
		t.Fatal(err)
	}
	force := append(along(-.5, 0, 0, 1.5, .5, 3, -.5), along(-.25, 0, 0, 3, 1)...)
	form := func(ref []float64) particles.Energy {
		entries := []particles.Entry{
			{Row: 0, Col: 0, Value: .36 * .5}, {Row: 0, Col: 1, Value: .48 * .5}, {Row: 1, Col: 0, Value: .48 * .5},
			{Row: 1, Col: 1, Value: .64 * .5}, {Row: 2, Col: 2, Value: .75},
			{Row: 0, Col: 3, Value: -.36 * .125}, {Row: 3, Col: 0, Value: -.36 * .125},
			{Row: 0, Col: 4, Value: -.48 * .125}, {Row: 4, Col: 0, Value: -.48 * .125},
			{Row: 1, Col: 3, Value: -.48 * .125}, {Row: 3, Col: 1, Value: -.48 * .125},
			{Row: 1, Col: 4, Value: -.64 * .125}, {Row: 4, Col: 1, Value: -.64 * .125},
			{Row: 3, Col: 3, Value: .36}, {Row: 3, Col: 4, Value: .48}, {Row: 4, Col: 3, Value: .48},
			{Row: 4, Col: 4, Value: .64}, {Row: 5, Col: 5, Value: .5},
		}
		for i := range entries {
			entries[i].Value = short(entries[i].Value)
		}
		return must(particles.NewQuadratic([]int{0, 1}, ref, entries, force))
	}
	plastic := must(particles.NewPlasticSprings(z0,
		particles.PlasticSpring{I: 0, J: 1, Variable: 2, Axis: [3]float64{.6, .8, 0}, Stiffness: 1.25, Hardening: .5},
		particles.PlasticSpring{I: 1, Anchor: along(0, 0, .5, 1.75, 1, 3, 2), Variable: 2, Axis: [3]float64{-.6, -.8, 0}, Stiffness: .75}))
	make := func(terms ...particles.Energy) *events.Plane {
		frames := append(particles.Floors(2), variable)
		sys, err := particles.NewSystem(frames, terms...)
		if err != nil {
			t.Fatal(err)
		}
		psi, err := dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: .3},
			dissipation.Isotropic{Mu: .4}, dissipation.Isotropic{Mu: .5}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := events.NewPlane(psi, z0, until)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	apart := slices.Clone(z0) // where another bond has no force
	apart[3], apart[4], apart[5] = apart[3]+.3, apart[4]+.4, apart[5]-.125
	stretched, err := particles.NewBonds(apart, particles.Bond{I: 1, J: 0, Stiffness: stiff(.5, .25, .75, .0625)})
	if err != nil {
		t.Fatal(err)
	}
	p := make(tethers, bonds, stretched, loads, gravity, form(z0[:6]), plastic)
	f, err := p.Form()
	if err != nil {
		t.Fatal(err)
	}
	x, err := p.Exact(z0)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-12) { // sums of a few terms below ten
			t.Errorf("%s: %.17g, in float64 %.17g", what, got, want)
		}
	}
	if f.N != x.N || len(f.Contacts) != len(x.Contacts) || len(f.Contacts) < 2 {
		t.Fatalf("%d and %d dofs, %d and %d contacts", f.N, x.N, len(f.Contacts), len(x.Contacts))
	}
	dense := func(n int, ptr, col []int, val func(k int) float64) []float64 {
		var a []float64
		for i := range n {
			row := [9]float64{}
			end := len(col)
			if i+1 < len(ptr) {
				end = ptr[i+1]
			}
			for k := ptr[i]; k < end; k++ {
				row[col[k]] = val(k)
			}
			a = append(a, row[:n]...)
		}
		return a
	}
	h, hx := dense(f.N, f.Ptr, f.Col, func(k int) float64 { return f.Val[k].Float() }),
		dense(x.N, x.Ptr, x.Col, func(k int) float64 { return x.Val[k].Float() })
	for k := range h {
		near("D²E", hx[k], h[k])
	}
	for i, c := range f.Contacts {
		e := x.Contacts[i]
		if c.T != e.T || c.N != e.N {
			t.Errorf("contact %d: dofs %d %d, want %d %d", i, e.T, e.N, c.T, c.N)
		}
		near("μ", e.Mu.Float(), c.Mu.Float())
		near("gap", e.Gap.Float(), c.Gap.Float())
	}
	// The tables are polygons, whose rates between rows are differences.
	var load, rate, before, after [9]events.Real
	var loadX, rateX [9]events.Rational
	for _, at := range []float64{0, .25, .5, .75, 1, 1.125, 1.375, 1.625, 1.9, 2.5, 3} {
		energy := f.Source.Load(load[:f.N], events.Real(at))
		energyX := x.Source.Load(loadX[:x.N], events.Rational{}.Of(at))
		near("E at the start", energyX.Float(), energy.Float())
		x.Source.Rate(rateX[:x.N], events.Rational{}.Of(at))
		f.Source.Rate(rate[:f.N], events.Real(at))
		for i := range f.N {
			near("load", loadX[i].Float(), load[i].Float())
			near("rate", rateX[i].Float(), rate[i].Float())
		}
		if at < until {
			const d = 1. / 16
			f.Source.Load(before[:f.N], events.Real(at))
			f.Source.Load(after[:f.N], events.Real(at+d))
			for i := range f.N {
				near("difference", rateX[i].Float(), (after[i]-before[i]).Float()/d)
			}
		}
	}
	var breaks []float64
	for _, b := range x.Source.Breaks() {
		breaks = append(breaks, b.Float())
	}
	if want := []float64{.5, 1, 1.25, 1.5, 1.75, 2}; !slices.Equal(breaks, want) {
		t.Errorf("breaks at %v, want %v", breaks, want)
	}
	moved := slices.Clone(z0[:6])
	moved[3] += .5
	if _, err := make(tethers, form(moved), plastic).Exact(z0); err == nil ||
		!strings.Contains(err.Error(), "another position than the start") {
		t.Errorf("a quadratic form about another position: %v", err)
	}
}
