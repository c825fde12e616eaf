package energetic

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// fill sets all numbers of a structure at random, and its booleans.
func fill(r *rand.Rand, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.CanSet() {
			continue
		}
		switch f.Kind() {
		case reflect.Int:
			f.SetInt(int64(1 + r.IntN(1000)))
		case reflect.Float64:
			f.SetFloat(r.NormFloat64())
		case reflect.Bool:
			f.SetBool(r.IntN(2) == 0)
		case reflect.Struct:
			fill(r, f)
		}
	}
}

// TestAfter: of two trajectories one behind the other, counts add up, what is largest is the larger of both, what is smallest the smaller, and
// all gaps are exact if all of both are; a summary of no step changes nothing.
func TestAfter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		var a, b Summary
		fill(r, reflect.ValueOf(&a).Elem())
		fill(r, reflect.ValueOf(&b).Elem())
		got := reflect.ValueOf(a.After(&b))
		x, y := reflect.ValueOf(a), reflect.ValueOf(b)
		for i := range got.NumField() {
			name := got.Type().Field(i).Name
			want := x.Field(i).Interface()
			switch {
			case slices.Contains([]string{"Steps", "Events", "Jumps", "FellBack", "Solves", "Inner", "Factors"}, name):
				want = int(x.Field(i).Int() + y.Field(i).Int())
			case strings.HasPrefix(name, "Max"), name == "EnergyScale", name == "ForceScale", name == "Loose":
				want = max(x.Field(i).Float(), y.Field(i).Float())
			case strings.HasPrefix(name, "Min"):
				want = min(x.Field(i).Float(), y.Field(i).Float())
			case name == "Convex":
				want = a.Convex && b.Convex
			}
			if got.Field(i).Interface() != want {
				t.Errorf("%s: %v, want %v", name, got.Field(i).Interface(), want)
			}
		}
		if b.Steps = 0; a.After(&b) != a {
			t.Error("a summary of no step changes another")
		}
	}
}

// TestJudge: a node fails by its gap, by a force, by the upper estimate, each just beyond its limit; a start by its gap alone, one from elsewhere by
// no number but one that is none.
func TestJudge(t *testing.T) {
	const tol, scale = 1e-10, 8.0
	for _, c := range []struct {
		name    string
		k       int
		foreign bool
		spoil   func(n *Node)
		solved  bool
	}{
		{"nothing", 1, false, func(n *Node) {}, true},
		{"gap at the limit", 1, false, func(n *Node) { n.StepGap.Upper = tol * scale }, true},
		{"gap", 1, false, func(n *Node) { n.StepGap.Upper = 1.01 * tol * scale }, false},
		{"loose gap at the limit", 1, false, func(n *Node) { n.Loose, n.StepGap.Upper = 2, 2 }, true},
		{"loose gap", 1, false, func(n *Node) { n.Loose, n.StepGap.Upper = 2, 2+1.01*tol*scale }, false},
		{"gap of a start", 0, false, func(n *Node) { n.StepGap.Upper = 1.01 * tol * scale }, false},
		{"gap from elsewhere", 1, true, func(n *Node) { n.StepGap.Upper = 1 }, true},
		{"force at the limit", 1, false, func(n *Node) { n.StepGap.Share = 10 * tol }, true},
		{"force", 1, false, func(n *Node) { n.StepGap.Share = 10.1 * tol }, false},
		{"force of a start", 0, false, func(n *Node) { n.StepGap.Share = 1 }, true},
		{"upper at the limit", 1, false, func(n *Node) { n.Upper = -tol * scale }, true},
		{"upper", 1, false, func(n *Node) { n.Upper = -1.01 * tol * scale }, false},
		{"upper of a start", 0, false, func(n *Node) { n.Upper = -1 }, true},
		{"large upper", 1, false, func(n *Node) { n.Upper = 1 }, true},
		{"gap is no number", 1, true, func(n *Node) { n.StepGap.Upper = math.NaN() }, false},
		{"upper is no number", 1, true, func(n *Node) { n.Upper = math.NaN() }, false},
		{"balance is no number", 1, true, func(n *Node) { n.Balance = math.NaN() }, false},
	} {
		s, n := newSummary(tol), &Node{K: c.k}
		n.EnergyScale = scale
		c.spoil(n)
		if s.judge(n, c.foreign); s.Solved != c.solved || s.Certified != c.solved || (s.First == "") != c.solved {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// TestMerge: of a step and all before, excesses and sizes are the largest, with the place of the larger one, ways and energies add up, and the largest
// residual is that of the sums; what is not finite is as large as a number can be, and as a size nothing.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	added := []string{"Slip", "SlipGamma", "Flight", "Balance", "BalanceGamma", "Twin", "Dissipated", "Lost", "ExchangedAlong", "ExchangedAcross", "Path", "FreePath"}
	kept := []string{"Drift", "Touches", "along2"}
	for range 20 {
		var p, s Residuals
		fill(r, reflect.ValueOf(&p).Elem())
		fill(r, reflect.ValueOf(&s).Elem())
		before := p
		p.merge(&s)
		got, x, y := reflect.ValueOf(p), reflect.ValueOf(before), reflect.ValueOf(s)
		for i := range got.NumField() {
			name := got.Type().Field(i).Name
			switch f := got.Field(i); {
			case name == "Sampled":
				if f.Bool() != (before.Sampled || s.Sampled) {
					t.Errorf("%s: %t", name, f.Bool())
				}
			case name == "MaxBalance":
				nearly(t, name, f.Float(), max(x.Field(i).Float(), math.Abs(p.Balance)), 0)
			case name == "MaxBalanceGamma":
				nearly(t, name, f.Float(), max(x.Field(i).Float(), math.Abs(p.BalanceGamma)), 0)
			case name == "MaxTwin":
				nearly(t, name, f.Float(), max(x.Field(i).Float(), math.Abs(p.Twin-p.Dissipated)), 0)
			case slices.Contains(kept, name):
			case slices.Contains(added, name):
				nearly(t, name, f.Float(), x.Field(i).Float()+y.Field(i).Float(), 0)
			case f.Kind() == reflect.Struct:
				want := x.Field(i)
				if y.Field(i).Field(0).Float() > want.Field(0).Float() {
					want = y.Field(i)
				}
				if f.Interface() != want.Interface() {
					t.Errorf("%s: %v, want %v", name, f.Interface(), want.Interface())
				}
			default:
				nearly(t, name, f.Float(), max(x.Field(i).Float(), y.Field(i).Float()), 0)
			}
		}
	}
	p, s := Residuals{Path: 3, Slip: 1}, Residuals{Path: math.Inf(1), Slip: math.Inf(1), Balance: math.Inf(-1), Along: Excess{Force: math.Inf(1), Time: 2, Particle: 3}}
	if p.merge(&s); p.Path != 3 || p.Slip != math.MaxFloat64 || p.Balance != -math.MaxFloat64 || p.Along != (Excess{math.MaxFloat64, 2, 3}) || p.MaxBalance != math.MaxFloat64 {
		t.Errorf("what is not finite: %+v", p)
	}
	var e Excess
	e.keep(1, 2, 3)
	if e.keep(1, 4, 5); e != (Excess{1, 2, 3}) {
		t.Errorf("of two that are the same the first is kept: %+v", e)
	}
}

// TestScalesOfIslands: accuracy times what the run has, forces not more than those of the data, nothing below rounding and what steps leave.
func TestScalesOfIslands(t *testing.T) {
	const accuracy, tolerance = 0.01, 1e-10
	p := Residuals{ForceAlong: 3, ForceAcross: 5, Acting: 7, Data: 100, ExchangedAlong: 11, ExchangedAcross: 13, Lost: 17, Friction: 19, Way: 23, Reach: 29, Path: 31, FreePath: 37, Compliance: 41, Touches: true}
	check := func(what string, want scales) {
		t.Helper()
		got, w := reflect.ValueOf(p.scales(accuracy, tolerance, 0, 0)), reflect.ValueOf(want)
		for i := range got.NumField() {
			nearly(t, what+", "+got.Type().Field(i).Name, got.Field(i).Float(), w.Field(i).Float(), 1e-15)
		}
	}
	check("the run", scales{along: 0.03, across: 0.05, free: 0.07, slip: 0.11, balance: 0.24 + 0.07*37, lost: 0.17, friction: 0.19, way: 0.23})
	p.Data = 4
	check("the data", scales{along: 0.03, across: 0.04, free: 0.04, slip: 0.11, balance: 0.24 + 0.04*37, lost: 0.17, friction: 0.19, way: 0.23})
	p.Touches = false
	check("no obstacle", scales{along: 0.03, across: 0.04, free: 0.04, slip: 0.11, balance: 0.24 + 0.04*37, lost: 0.17, friction: 0.19, way: 0.23})
	p.Data = 1
	check("small data", scales{along: 0.01, across: 0.01, free: 0.01, slip: 0.11, balance: 0.24 + 0.01*37, lost: 0.17, friction: 0.19, way: 0.23})
	p.Rounding = 2
	check("rounding", scales{along: 8, across: 8, free: 8, slip: 8 * 31, balance: 8*31 + 8*37, lost: 8 * 31, friction: 8, way: 8 * 41})
	p.Rounding, p.Acting, p.Data = 0, 1e10, 0
	check("what steps leave", scales{along: 10, across: 10, free: 10, slip: 10 * 31, balance: 10*31 + 10*37, lost: 10 * 31, friction: 10, way: 10 * 41})
	p = Residuals{ExchangedAlong: 1e3, Reach: 1e3, Touches: true, Acting: 5, Data: 3}
	check("what hardly slides", scales{along: 5e-9, across: 5e-9, free: 0.03, slip: 10, balance: 10, lost: 1e-5, friction: 5e-9, way: 1e-5})
	for _, c := range []struct{ run, data, want float64 }{{3, 2, 2}, {2, 3, 2}, {3, 0, 3}, {3, -1, 3}} {
		if got := capped(c.run, c.data); got != c.want {
			t.Errorf("%g, data %g: %g", c.run, c.data, got)
		}
	}
	for _, c := range []struct{ x, want float64 }{{1, 1}, {math.MaxFloat64, math.MaxFloat64}, {math.Inf(1), math.MaxFloat64}, {math.NaN(), math.MaxFloat64}, {-1, -1}} {
		if got := finite(c.x); got != c.want {
			t.Errorf("%g: %g", c.x, got)
		}
	}
}

// TestShares: what a step adds to each measure, in parts of its limit, of the worst island; the steps that add most, beyond the part that is
// kept, are halved, and those whose force is too large.
func TestShares(t *testing.T) {
	in := &interior{step: make([]Residuals, 2)}
	limits := []scales{{1, 2, 4, 8, 16, 32, 64, 128}, {1, 1, 1, 1, 1, 1, 1, 1}}
	for _, c := range []struct {
		set           func(p *Residuals)
		force, energy float64
	}{
		{func(p *Residuals) { p.Along.Force = 3 }, 3, 0}, {func(p *Residuals) { p.Across.Force = 3 }, 1.5, 0}, {func(p *Residuals) { p.Free.Force = 3 }, 0.75, 0}, {func(p *Residuals) { p.Drift = 64 }, 1, 0},
		{func(p *Residuals) { p.ForceOffset.Force = 32 }, 0.5, 0}, {func(p *Residuals) { p.Slip = 4 }, 0, 0.5}, {func(p *Residuals) { p.Flight = 4 }, 0, 0.25}, {func(p *Residuals) { p.Balance = -4 }, 0, 0.25},
		{func(p *Residuals) { p.Twin, p.Dissipated = 1, 9 }, 0, 0.5}, {func(p *Residuals) {}, 0, 0},
	} {
		clear(in.step)
		c.set(&in.step[0])
		if s := in.share(limits); s.force != c.force || s.energy != c.energy {
			t.Errorf("%+v, want %g, %g", s, c.force, c.energy)
		}
		in.step[1].Along.Force, in.step[1].Slip = 0.1, 0.1
		if s := in.share(limits); s.force != max(c.force, 0.1) || s.energy != max(c.energy, 0.1) {
			t.Errorf("two islands: %+v", s)
		}
	}
	r := &round{mark: make([]bool, 4)}
	part := shareKept / 3
	r.markShares([]share{{step: 0, energy: 2 * part}, {step: 1, energy: part}, {step: 2, energy: 4 * part}, {step: 3, energy: 1.5 * part}})
	if !slices.Equal(r.mark, []bool{true, false, true, false}) {
		t.Errorf("marked %v", r.mark)
	}
	if got := r.halved([]float64{0, 1, 2, 4, 5}); !slices.Equal(got, []float64{0, 0.5, 1, 2, 3, 4, 5}) {
		t.Errorf("halved %v", got)
	}
	r.mark[0] = true
	if got := r.halved([]float64{1, math.Nextafter(1, 2), 2, 2, 3}); len(got) != 5 {
		t.Errorf("a step of one bit is halved: %v", got)
	}
	one := math.Nextafter(1, 2)
	if got := r.halved([]float64{one, math.Nextafter(one, 2), 2, 2, 3}); len(got) != 5 {
		t.Errorf("a step of one bit whose middle is its end is halved: %v", got)
	}
	if got := spaced([]float64{0, 1e-13, 0.5, 0.5, 0.5 + 3e-12, 2 - 1e-13}, 2); !slices.Equal(got, []float64{0, 0.5, 0.5 + 3e-12, 2}) {
		t.Errorf("spaced %v", got)
	}
	if got := spaced([]float64{0, 1e-11, 1.9e-11, 10}, 10); !slices.Equal(got, []float64{0, 1.9e-11, 10}) {
		t.Errorf("spaced %v", got)
	}
}

// TestAside: an offset along the way of a step is none, up to the ends of the step.
func TestAside(t *testing.T) {
	v := []float64{2, 0, 0}
	for _, c := range []struct {
		d     [3]float64
		theta float64
		want  float64
	}{{[3]float64{0, 3, 4}, 0.5, 5}, {[3]float64{1, 3, 4}, 0.5, 5}, {[3]float64{-1, 3, 4}, 0.5, 5}, {[3]float64{2, 0, 0}, 0.5, 1}, {[3]float64{-2, 0, 0}, 0.25, 1.5}, {[3]float64{2, 0, 0}, 0.25, 0.5}, {[3]float64{1.5, 0, 0}, 0.25, 0}} {
		if got := aside(&c.d, v, c.theta); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v at %g: %g, want %g", c.d, c.theta, got, c.want)
		}
	}
	if got := aside(&[3]float64{1, 2, 2}, make([]float64, 3), 0.5); got != 3 {
		t.Errorf("no way: %g", got)
	}
}

// TestWorseMeasures: of two measures the one is kept whose value is more of its limit, one of no value is nothing, and one that is no number is worst.
func TestWorseMeasures(t *testing.T) {
	m := func(name string, value, limit float64) Measure {
		return Measure{Name: name, Value: value, Limit: limit, Judged: true}
	}
	var worst Measure
	for _, c := range []struct {
		m    Measure
		want string
	}{{m("a", 0, 1), "a"}, {m("b", 0, 0), "a"}, {m("c", 1, 4), "c"}, {m("d", 1, 5), "c"}, {m("e", 1, 4), "c"}, {m("f", 9, 3), "f"}, {m("g", math.NaN(), 3), "g"}} {
		if worse(&worst, c.m); worst.Name != c.want {
			t.Errorf("after %s the worst is %s, want %s", c.m.Name, worst.Name, c.want)
		}
	}
	list := []Measure{m("a", 1, 2), m("b", 3, 2), m("c", 9, 2)}
	list[2].Judged = false
	if got := worstOf(list); got != 1.5 {
		t.Errorf("worst %g", got)
	}
	if ok, first := accurate(list); ok || first.Name != "b" {
		t.Errorf("%t, %v", ok, first)
	}
	list[1].Value = 2
	if ok, first := accurate(list); !ok || first != nil {
		t.Errorf("%t, %v", ok, first)
	}
}
