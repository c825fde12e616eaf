package energetic

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// must returns a value that a test needs.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// begun is a certifier of [reference.Play] at its start: k = (2, 2, 5) N/m, μ = .4, σ = 1.5 N.
func begun(t *testing.T, o Options) *Certifier {
	t.Helper()
	ex := reference.Play()
	k := must(NewCertifier(ex.Psi, o))
	if err := k.Begin(t.Context(), 0, ex.Start); err != nil {
		t.Fatal(err)
	}
	return k
}

// near compares to a part of the size of what is wanted, at least 1.
func nearly(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: %.16g, want %.16g", what, got, want)
	}
}

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

// TestJudge: a node fails by its gap, by a force, by the upper estimate, each just beyond its
// limit; a start by its gap alone, one from elsewhere by no number but one that is none.
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

// TestConvexNodes: the gaps of a run are exact if those of all nodes and steps are.
func TestConvexNodes(t *testing.T) {
	for _, c := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		s, n := newSummary(1e-10), &Node{}
		n.Gap.Exact, n.StepGap.Exact = c[0], c[1]
		if s.add(n, false); s.Convex != (c[0] && c[1]) {
			t.Errorf("%v: %t", c, s.Convex)
		}
	}
}

// TestMerge: of a step and all before, excesses and sizes are the largest, with the place of the
// larger one, ways and energies add up, and the largest residual is that of the sums; what is not
// finite is as large as a number can be, and as a size nothing.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	added := []string{"Slip", "SlipGamma", "Flight", "Balance", "BalanceGamma", "Twin", "Dissipated", "Lost",
		"ExchangedAlong", "ExchangedAcross", "Path", "FreePath", "Yielded"}
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
			case name == "Sampled", name == "Closed":
				if f.Bool() != (x.Field(i).Bool() || y.Field(i).Bool()) {
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
	p, s := Residuals{Path: 3, Slip: 1}, Residuals{Path: math.Inf(1), Slip: math.Inf(1), Balance: math.Inf(-1),
		Along: Excess{Force: math.Inf(1), Time: 2, Particle: 3}}
	if p.merge(&s); p.Path != 3 || p.Slip != math.MaxFloat64 || p.Balance != -math.MaxFloat64 ||
		p.Along != (Excess{math.MaxFloat64, 2, 3}) || p.MaxBalance != math.MaxFloat64 {
		t.Errorf("what is not finite: %+v", p)
	}
	var e Excess
	e.keep(1, 2, 3)
	if e.keep(1, 4, 5); e != (Excess{1, 2, 3}) {
		t.Errorf("of two that are the same the first is kept: %+v", e)
	}
}

// TestScalesOfIslands: accuracy times what the run has, forces not more than those of the data,
// nothing below rounding and what steps leave.
func TestScalesOfIslands(t *testing.T) {
	const accuracy, tolerance = 0.01, 1e-10
	p := Residuals{ForceAlong: 3, ForceAcross: 5, Acting: 7, Data: 100, ExchangedAlong: 11, ExchangedAcross: 13,
		Lost: 17, Friction: 19, Way: 23, Reach: 29, Path: 31, FreePath: 37, Compliance: 41, Touches: true}
	check := func(what string, want scales) {
		t.Helper()
		got, w := reflect.ValueOf(p.scales(accuracy, tolerance, 0, 0)), reflect.ValueOf(want)
		for i := range got.NumField() {
			nearly(t, what+", "+got.Type().Field(i).Name, got.Field(i).Float(), w.Field(i).Float(), 1e-15)
		}
	}
	check("the run", scales{along: 0.03, across: 0.05, free: 0.07, slip: 0.11, balance: 0.24 + 0.07*37, lost: 0.17,
		friction: 0.19, way: 0.23, barred: 0.23 / 41, supports: 7e-9})
	p.Data = 4
	check("the data", scales{along: 0.03, across: 0.04, free: 0.04, slip: 0.11, balance: 0.24 + 0.04*37, lost: 0.17,
		friction: 0.19, way: 0.23, barred: 0.23 / 41, supports: 7e-9})
	p.Touches = false
	check("no obstacle", scales{along: 0.03, across: 0.04, free: 0.04, slip: 0.11, balance: 0.24 + 0.04*37, lost: 0.17,
		friction: 0.19, way: 0.23, barred: 0.23 / 41, supports: 7e-9})
	p.Data = 1
	check("small data", scales{along: 0.01, across: 0.01, free: 0.01, slip: 0.11, balance: 0.24 + 0.01*37, lost: 0.17,
		friction: 0.19, way: 0.23, barred: 0.23 / 41, supports: 7e-9})
	p.Rounding = 2
	check("rounding", scales{along: 8, across: 8, free: 8, slip: 8 * 31, balance: 8*31 + 8*37, lost: 8 * 31, friction: 8, way: 8 * 41, barred: 8, supports: 8})
	p.Rounding, p.Acting, p.Data = 0, 1e10, 0
	check("what steps leave", scales{along: 10, across: 10, free: 10, slip: 10 * 31, balance: 10*31 + 10*37,
		lost: 10 * 31, friction: 10, way: 10 * 41, barred: 10, supports: 10})
	p = Residuals{ExchangedAlong: 1e3, Reach: 1e3, Touches: true, Acting: 5, Data: 3}
	check("what hardly slides", scales{along: 5e-9, across: 5e-9, free: 0.03, slip: 10, balance: 10, lost: 1e-5, friction: 5e-9, way: 1e-5, barred: 5e-9, supports: 5e-9})
	for _, c := range []struct{ run, data, want float64 }{{3, 2, 2}, {2, 3, 2}, {3, 0, 3}, {3, -1, 3}} {
		if got := capped(c.run, c.data); got != c.want {
			t.Errorf("%g, data %g: %g", c.run, c.data, got)
		}
	}
	for _, c := range []struct{ x, want float64 }{{1, 1}, {math.MaxFloat64, math.MaxFloat64},
		{math.Inf(1), math.MaxFloat64}, {math.NaN(), math.MaxFloat64}, {-1, -1}} {
		if got := finite(c.x); got != c.want {
			t.Errorf("%g: %g", c.x, got)
		}
	}
}

// TestWorseMeasures: of two measures the one is kept whose value is more of its limit, one of no
// value is nothing, and one that is no number is worst.
func TestWorseMeasures(t *testing.T) {
	m := func(name string, value, limit float64) Measure {
		return Measure{Name: name, Value: value, Limit: limit, Judged: true}
	}
	var worst Measure
	for _, c := range []struct {
		m    Measure
		want string
	}{{m("a", 0, 1), "a"}, {m("b", 0, 0), "a"}, {m("c", 1, 4), "c"}, {m("d", 1, 5), "c"}, {m("e", 1, 4), "c"},
		{m("f", 9, 3), "f"}, {m("g", math.NaN(), 3), "g"}} {
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

// TestUnstable: of starts alone, and of this program's, one is unstable whose gap and whose force
// both exceed their tolerances.
func TestUnstable(t *testing.T) {
	for _, c := range []struct {
		foreign    bool
		k          int
		gap, force float64
		unstable   bool
	}{{false, 0, 1.01e-6, 1.01e-2, true}, {true, 0, 1.01e-6, 1.01e-2, false}, {false, 1, 1.01e-6, 1.01e-2, false},
		{false, 0, 0.99e-6, 1.01e-2, false}, {false, 0, 1.01e-6, 0.99e-2, false}, {false, 0, 0, 0, false}} {
		k := begun(t, Options{Tolerance: 1e-4, Foreign: c.foreign})
		n := &k.node
		n.K, n.EnergyScale, n.ForceScale, n.Rounding = c.k, 1e-2, 100, 0
		n.Gap.Upper, n.Gap.Lower, n.Force = c.gap, c.gap, c.force
		if err := k.Unstable(); (err != nil) != c.unstable {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// TestSolvedGaps: a step is solved if its gap is below the tolerance of the energies and the force
// that is left below ten tolerances.
func TestSolvedGaps(t *testing.T) {
	k := begun(t, Options{Tolerance: 1e-4})
	k.node.EnergyScale = 1e-2
	for _, c := range []struct {
		upper, share float64
		want         bool
	}{{0.99e-6, 0, true}, {1.01e-6, 0, false}, {0, 0.99e-3, true}, {0, 1.01e-3, false}} {
		if got := k.solved(incremental.Gap{Upper: c.upper, Share: c.share}); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	nearly(t, "forces", (&Certificate{ForceScale: 1, Rounding: 1}).forces(0.1), 10, 1e-15)
	nearly(t, "forces", (&Certificate{ForceScale: 1, Rounding: 0.01}).forces(0.1), 1, 1e-15)
}

// TestThresholdsOfSteps: whose thresholds a step had is what it says, if it was solved once or
// more, and else what was asked for.
func TestThresholdsOfSteps(t *testing.T) {
	for _, asked := range []incremental.ThresholdMode{incremental.Lagged, incremental.Implicit} {
		k := begun(t, Options{Step: incremental.Options{Threshold: asked}})
		for _, s := range []incremental.Stats{{}, {Lagged: true}, {Solves: 1}, {Solves: 1, Lagged: true}, {Solves: 2, Lagged: true}} {
			want := asked == incremental.Implicit
			if s.Solves > 0 {
				want = !s.Lagged
			}
			if k.node.Stats = s; k.implicit() != want {
				t.Errorf("asked %v, %+v: implicit %t", asked, s, !want)
			}
		}
	}
}

// TestUnbalancedSlip: who slips along either axis has the friction μσ against its way, and no force
// at all is off by it.
func TestUnbalancedSlip(t *testing.T) {
	k := begun(t, Options{})
	k.node.K = 1
	copy(k.node.Grad, []float64{0, 0, 1.5})
	for _, v := range [][]float64{{1e-3, 0, 0}, {0, 1e-3, 0}} {
		copy(k.v, v)
		nearly(t, "force", k.unbalanced(0), 0.4*1.5, 1e-15)
	}
	clear(k.v)
	if got := k.unbalanced(0); got != 0 {
		t.Errorf("at rest: %g N", got)
	}
}

// TestTolerances: ten tolerances of the forces of the island or four roundings; of an energy ten
// tolerances of all and what rounding adds up to; friction turns with its way, by what rounding is
// of it.
func TestTolerances(t *testing.T) {
	ex := reference.Play()
	k, err := NewCertifier(ex.Psi, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Begin(t.Context(), 0, ex.Start); err != nil {
		t.Fatal(err)
	}
	n := &k.node
	k.scales.Force[0], k.scales.Rounding[0] = 8, 0
	nearly(t, "force", k.ForceTolerance(0)*1e9, 8, 1e-15)
	k.scales.Rounding[0] = 3e-9
	nearly(t, "force", k.ForceTolerance(0)*1e9, 12, 1e-15)
	copy(n.Z, []float64{3, -7, 0})
	k.measurePositions()
	n.ForceScale, n.EnergyScale, n.Rounding, n.K = 5, 2, 3e-10, 4
	nearly(t, "energy", k.EnergyTolerance(), 10*1e-10*2+(ulps*5+3e-10)*7*5, 1e-15)
	copy(n.Grad, []float64{2, 3, 6})
	copy(k.v, []float64{3e-14, 4e-14, 0})
	turn := 4 * ulps * 7 / 5e-14
	nearly(t, "friction", (k.FrictionTolerance(0)-k.ForceTolerance(0))/7, turn, 1e-12)
	copy(k.v, []float64{3e-16, 4e-16, 0})
	nearly(t, "friction of a short way", (k.FrictionTolerance(0)-k.ForceTolerance(0))/7, 2, 1e-8)
	n.K = 0
	if k.FrictionTolerance(0) != k.ForceTolerance(0) {
		t.Error("friction at the start")
	}
}
