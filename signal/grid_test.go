package signal_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/signal"
)

// TestMean: closed forms against sums of many midpoints, also over kinks, before and after a table,
// and of signals of others.
func TestMean(t *testing.T) {
	table, _ := signal.NewTable([]float64{0.1, 0.11, 0.4, 0.9}, []float64{1, 80, -3, 2})
	sine, _ := signal.NewSine(0.3, 2, 7, 0.4)
	slow, _ := signal.NewSine(0.3, 2, 0.7, 0.4)
	sum, _ := signal.NewSum(table, sine, signal.Constant(5))
	for _, span := range [][2]float64{{-1, 2}, {0, 0.05}, {0.1, 0.11}, {0.105, 0.3}, {0.2, 0.3}, {0.95, 1.5}, {0.1, 0.9}, {-0.5, 0.1}} {
		for name, s := range map[string]signal.Scalar{"table": table, "sine": sine, "sum": sum,
			"another": other{signal.Sum{table, slow}}, "constant": signal.Constant(4)} {
			const n = 50_000
			want := 0.0
			for k := range n {
				want += s.At(span[0]+(span[1]-span[0])*(float64(k)+0.5)/n) / n
			}
			// Midpoints err by (Δ/n)²/24 of the second derivative, and at a kink by Δ/n of the jump
			// in the slope, 8,000.
			if got := signal.Mean(s, span[0], span[1]); math.Abs(got-want) > 5e-6 {
				t.Errorf("%s over %v: %.9g, want %.9g", name, span, got, want)
			}
		}
	}
	if got := signal.Mean(sine, 0, 3/7.); math.Abs(got-0.3) > 1e-15 {
		t.Errorf("over whole periods: %g", got)
	}
	if got := signal.Constant(0.1).Mean(0.2, 0.3); got != 0.1 {
		t.Errorf("a constant becomes %g", got)
	}
}

// other is a signal of another package: of a table and sines, taken by quadrature between the kinks
// that it lists.
type other struct{ signal.Sum }

func (o other) Mean() {}

// TestPeriod: the shortest of the sines that are none by name only.
func TestPeriod(t *testing.T) {
	slow, _ := signal.NewSine(0, 1, 0.5, 0)
	fast, _ := signal.NewSine(0, 1e-3, -50, 0)
	flat, _ := signal.NewSine(1, 0, 1e3, 0)
	still, _ := signal.NewSine(1, 2, 0, 0)
	for _, c := range []struct {
		s    signal.Scalar
		want float64
	}{{slow, 2}, {signal.Sum{slow, fast, flat}, 0.02}, {flat, math.Inf(1)}, {still, math.Inf(1)}, {signal.Constant(3), math.Inf(1)}} {
		if got := signal.Period(c.s); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: %g, want %g", c.s, got, c.want)
		}
	}
	var c signal.Course
	if c.Add(signal.Constant(3), 1); c.Longest() != 0 {
		t.Errorf("the longest step is %g, want any", c.Longest())
	}
	if c.Add(slow, 1); c.Longest() != 2./8 {
		t.Errorf("the longest step is %g, want an eighth of 2", c.Longest())
	}
	if c.Add(signal.Sum{fast, slow}, 1); c.Longest() != 0.02/8 {
		t.Errorf("the longest step is %g, want an eighth of .02", c.Longest())
	}
	ramp, _ := signal.NewTable([]float64{0, 1, 3}, []float64{0, 4 * math.Pi, 0})
	if got := signal.Turn(ramp); math.Abs(got-0.5) > 1e-15 {
		t.Errorf("a turn takes %g", got)
	}
	if got := signal.Turn(signal.Constant(2)); !math.IsInf(got, 1) {
		t.Errorf("no turn takes %g", got)
	}
}

// grid lays out n steps to 1 s.
func grid(n int, period float64, knots ...float64) *signal.Grid {
	return signal.NewGrid(1, n, signal.TwinSteps, &signal.Course{Knots: knots, Period: period})
}

// TestGridStays: equal steps that see their signals are k·until/n to the bit.
func TestGridStays(t *testing.T) {
	until := 0.7
	g := signal.NewGrid(until, 30, signal.TwinSteps,
		&signal.Course{Knots: []float64{until * 7 / 30, until * 28 / 30, until * 29 / 30 * (1 + 1e-15)}, Period: 8 * until / 30})
	if !g.Equal() || g.Steps() != 30 || g.Step() != until/30 {
		t.Fatalf("%d steps of %g", g.Steps(), g.Step())
	}
	for k := range 31 {
		if g.Time(k) != until*float64(k)/30 || g.Node(g.Time(k)*(1+1e-12)) != k || k > 0 && g.Length(k) != until/30 {
			t.Errorf("node %d at %g", k, g.Time(k))
		}
	}
}

// TestGridPeriods: eight nodes a period.
func TestGridPeriods(t *testing.T) {
	for _, c := range []struct {
		n, want int
		period  float64
	}{{10, 400, 0.02}, {399, 798, 0.02}, {400, 400, 0.02}, {401, 401, 0.02}, {7, 7, 2}, {50, 50, 0}} {
		if g := grid(c.n, c.period); g.Steps() != c.want || !g.Equal() {
			t.Errorf("%d steps, period %g: %d, want %d", c.n, c.period, g.Steps(), c.want)
		}
	}
}

// TestCuts: as many parts as a step asks for, also where no int holds their number.
func TestCuts(t *testing.T) {
	for _, c := range []struct {
		period, h float64
		want      int
	}{{0, 1, 1}, {8, 1, 1}, {8, 1.5, 2}, {8, 2, 2}, {8e-3, 1.0005, 1001}, {1e-25, 1, 1<<31 - 1}, {1e-300, 1e9, 1<<31 - 1}} {
		if got := (&signal.Course{Period: c.period}).Cuts(c.h); got != c.want {
			t.Errorf("period %g, step %g: %d, want %d", c.period, c.h, got, c.want)
		}
	}
}

// TestGridKinks: of random kinks, each is a node, to a billionth of a step; no step is longer than
// an equal one; steps of groups of two and four together meet at kinks, where they are few; nodes
// that can stay do.
func TestGridKinks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n, few := 1+r.IntN(40), r.IntN(4)
		var knots []float64
		for range few {
			knots = append(knots, r.Float64())
			if r.IntN(2) == 0 { // and one at a node
				knots = append(knots, float64(1+r.IntN(n))/float64(n))
			}
			if r.IntN(3) == 0 { // a pulse
				knots = append(knots, knots[0]+1e-5, knots[0]+2e-5)
			}
		}
		knots = slices.DeleteFunc(knots, func(x float64) bool { return x >= 1 })
		slices.Sort(knots)
		knots = slices.Compact(knots)
		g := signal.NewGrid(1, n, signal.TwinSteps, &signal.Course{Knots: knots})
		last, h := 0.0, 1/float64(n)
		for k := 1; k <= g.Steps(); k++ {
			x := g.Time(k)
			if !(x > last) || x-last > h*(1+1e-9) || math.Abs(g.Length(k)-(x-last)) > 1e-15 || g.Node(x) != k {
				t.Fatalf("%d steps, kinks %v: step %d from %g to %g, length %g, node %d", n, knots, k, last, x, g.Length(k), g.Node(x))
			}
			last = x
		}
		if last != 1 {
			t.Fatalf("%d steps, kinks %v: the end is %g", n, knots, last)
		}
		for _, x := range knots {
			k := g.Node(x)
			if math.Abs(g.Time(k)-x) > 1.01e-9*h {
				t.Fatalf("%d steps, kinks %v: no node at %g", n, knots, x)
			}
		}
		d := g.Divided(3)
		for k := range g.Steps() + 1 {
			if d.Time(3*k) != g.Time(k) {
				t.Fatalf("divided: node %d at %g, was %g", 3*k, d.Time(3*k), g.Time(k))
			}
		}
		if d.Steps() != 3*g.Steps() || d.Length(2) > g.Length(1)/2 {
			t.Fatalf("divided: %d steps", d.Steps())
		}
	}
	g := grid(100, 0, 0.5004, 0.5005) // group 12 is [0.48, 0.52]
	if g.Steps() != 100-4+12 || g.Time(48) != 0.48 || g.Time(60) != 0.52 || g.Time(52) != 0.5004 ||
		g.Time(56) != 0.5005 || g.Time(108) != 1 || g.Time(61) != 0.53 {
		t.Errorf("%d steps: %v %v %v", g.Steps(), g.Time(52), g.Time(56), g.Time(60))
	}
}

// TestGridWithoutTwins: a step ends at its kinks, and goes on from there.
func TestGridWithoutTwins(t *testing.T) {
	g := signal.NewGrid(1, 4, 1, &signal.Course{Knots: []float64{0.1, 0.25, 0.3, 0.31, 0.6}})
	var times []float64
	for k := range g.Steps() + 1 {
		times = append(times, g.Time(k))
	}
	if want := []float64{0, 0.1, 0.25, 0.3, 0.31, 0.5, 0.6, 0.75, 1}; !slices.Equal(times, want) {
		t.Errorf("nodes at %v, want %v", times, want)
	}
}

// TestDivide: times that are given keep their places; stretches between them end at knots, and are
// no longer than an eighth of the period.
func TestDivide(t *testing.T) {
	for _, c := range []struct {
		name  string
		of    signal.Course
		given []float64
		want  []float64
	}{
		{"nothing asked", signal.Course{}, []float64{0, 1, 3}, []float64{0, 1, 3}},
		{"a knot", signal.Course{Knots: []float64{2}}, []float64{0, 1, 3}, []float64{0, 1, 2, 3}},
		{"at a node but for rounding", signal.Course{Knots: []float64{1 + 1e-15, 3 - 1e-15}}, []float64{0, 1, 3}, []float64{0, 1, 3}},
		{"a lone one near a node", signal.Course{Knots: []float64{1 + 1e-10}}, []float64{0, 1, 3}, []float64{0, 1, 3}},
		{"a pulse", signal.Course{Knots: []float64{1, 1 + 1e-10, 1 + 2e-10}}, []float64{0, 1, 3},
			[]float64{0, 1, 1 + 1e-10, 1 + 2e-10, 3}},
		{"beyond the end", signal.Course{Knots: []float64{4}}, []float64{0, 1, 3}, []float64{0, 1, 3}},
		{"a period", signal.Course{Period: 8}, []float64{0, 1, 3}, []float64{0, 1, 2, 3}},
		{"both", signal.Course{Knots: []float64{0.5}, Period: 8}, []float64{0, 1, 3}, []float64{0, 0.5, 1, 2, 3}},
	} {
		got, cut := c.of.Divide(c.given)
		if !slices.Equal(got, c.want) || cut != (len(c.want) > len(c.given)) {
			t.Errorf("%s: %v, %t, want %v", c.name, got, cut, c.want)
		}
	}
}
