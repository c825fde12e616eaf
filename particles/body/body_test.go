package body_test

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/particles/energytest"
	"github.com/quasistatic/quasistatic/signal"
)

var rubber = fem.Elastic{Young: 1000, Poisson: 0.3}

// lawOf is none of a linear body.
func lawOf(hyper bool) fem.Law {
	if !hyper {
		return nil
	}
	return rubber.NeoHookean()
}

func table(t testing.TB, times, values []float64) signal.Scalar {
	t.Helper()
	s, err := signal.NewTable(times, values)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// pressAndDrag is the block of the reference sheet: the top goes down .005 until
// t = 5 and .01 sideways until t = 25, a step of the sheet a second.
func pressAndDrag(t testing.TB, hyper bool, cells ...int) *body.Body {
	t.Helper()
	dim := len(cells)
	mesh, err := fem.Box{Corner: make([]float64, dim), Size: []float64{1, 0.25, 0.25}[:dim], Cells: cells}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	top := mesh.Groups["top"].Nodes()
	o := body.Options{Mesh: mesh, Material: rubber, Law: lawOf(hyper), Prescribed: []body.Prescribed{
		{Nodes: top, Axis: 0, Motion: table(t, []float64{0, 5, 25}, []float64{0, 0, 0.01})},
		{Nodes: top, Axis: dim - 1, Motion: table(t, []float64{0, 5, 25}, []float64{0, -0.005, -0.005})},
	}}
	if dim == 3 {
		o.Prescribed = append(o.Prescribed, body.Prescribed{Nodes: top, Axis: 1, Motion: signal.Constant(0)})
	}
	b, err := body.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// system puts the body on the floor with μ = .3.
func system(t testing.TB, b *body.Body) (*dissipation.Coulomb, []float64) {
	t.Helper()
	bottom := b.Mesh().Groups["bottom"].Corners()
	floor, err := particles.NewHalfSpace([3]float64{}, [3]float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	frames, err := b.Obstacle(bottom, floor)
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem(frames, b)
	if err != nil {
		t.Fatal(err)
	}
	friction := make([]dissipation.Matrix, sys.N())
	for _, i := range bottom {
		friction[i] = dissipation.Isotropic{Mu: 0.3}
	}
	psi, err := dissipation.New(sys, friction)
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, 3*sys.N())
	sys.ToLocal(z, b.Start())
	return psi, z
}

// states writes the bottom row as the sheet does: s stick, < > slip, o open.
func states(node *energetic.Node, before []float64, bottom []int) string {
	var w strings.Builder
	for _, i := range bottom {
		switch {
		case node.States[i] == incremental.Stick:
			w.WriteByte('s')
		case node.States[i] != incremental.Slip:
			w.WriteByte('o')
		case node.Z[3*i] < before[3*i]:
			w.WriteByte('<')
		default:
			w.WriteByte('>')
		}
	}
	return w.String()
}

func TestDerivatives(t *testing.T) {
	for _, hyper := range []bool{false, true} {
		for _, cells := range [][]int{{3, 2}, {2, 1, 2}} {
			b := pressAndDrag(t, hyper, cells...)
			x := append([]float64(nil), b.Start()...)
			for i := range x {
				x[i] += 0.01 * math.Sin(float64(5*i))
			}
			if err := energytest.Check(b, 7.3, x); err != nil {
				t.Errorf("hyperelastic %t, cells %v: %v", hyper, cells, err)
			}
		}
	}
}

// TestPlasticDerivatives: of a body that yields, from what it remembers of another state, of which it has a memory
// of its own; the states of one that cannot yield at all are those without plasticity.
func TestPlasticDerivatives(t *testing.T) {
	b := pressAndDrag(t, false, 2, 1, 2)
	o := body.Options{Mesh: b.Mesh(), Material: rubber, Plasticity: &fem.Plasticity{Yield: 20, Hardening: 100, Isotropic: 50}}
	o.Prescribed = []body.Prescribed{{Nodes: b.Mesh().Groups["top"].Nodes(), Axis: 2, Motion: table(t, []float64{0, 5}, []float64{0, -0.05})},
		{Nodes: b.Mesh().Groups["top"].Nodes(), Axis: 0, Motion: signal.Constant(0)}}
	o.Held = true
	y, err := body.New(o)
	if err != nil {
		t.Fatal(err)
	}
	first, second := slices.Clone(y.Start()), slices.Clone(y.Start())
	for i := range first {
		first[i] += 0.02 * math.Sin(float64(5*i))
		second[i] += 0.02 * math.Cos(float64(3*i))
	}
	own := y.Own().(*body.Body)
	own.Recall(own.Variables(nil, 1, first))
	if err := energytest.Check(own, 3, second); err != nil {
		t.Error(err)
	}
	e, _ := own.Value(3, second)
	other, _ := y.Value(3, second)
	if e == other || y.Variables(nil, 0, y.Start())[0] != 0 {
		t.Error("a body remembers what its copy was told")
	}
	if own.Recall(nil); !reflect.DeepEqual(own.Flow(1, first, 3, second), y.Flow(1, first, 3, second)) {
		t.Error("an empty memory is not the start")
	}
	o.Plasticity.Yield = 1e9
	stiff, err := body.New(o)
	if err != nil {
		t.Fatal(err)
	}
	o.Plasticity = nil
	elastic, err := body.New(o)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := stiff.Value(3, second)
	if c, _ := elastic.Value(3, second); a != c {
		t.Errorf("what does not yield stores %g J, want %g", a, c)
	}
}

// TestPressAndDrag: forces to the eight digits of the sheet, states node by node.
func TestPressAndDrag(t *testing.T) {
	type line struct {
		step        int
		n, friction float64
		states      string
		hasState    bool
	}
	for name, c := range map[string]struct {
		cells []int
		lines []line
	}{
		"16x4": {[]int{16, 4}, []line{
			{step: 5, n: 25.687188, friction: -.033425, states: "<<" + strings.Repeat("s", 13) + ">>", hasState: true},
			{step: 10, n: 25.633680, friction: -3.600211, states: "<" + strings.Repeat("s", 12) + ">>>>", hasState: true},
			{step: 18, n: math.NaN(), states: "ss" + strings.Repeat(">", 15), hasState: true}, // from step 19 all slip
			{step: 19, n: math.NaN(), states: strings.Repeat(">", 17), hasState: true},
			{step: 25, n: 24.880971, friction: -7.464291, states: strings.Repeat(">", 17), hasState: true},
		}},
		"32x8": {[]int{32, 8}, []line{{step: 10, n: 25.546666, friction: -3.543108}}},
	} {
		b := pressAndDrag(t, false, c.cells...)
		psi, z := system(t, b)
		// In steps of the sheet places amid a step, after its node begins to slip, are off by 1.15 parts in a hundred.
		e, err := energetic.Start(context.Background(), psi, z,
			energetic.Options{Accuracy: 0.0125, Step: incremental.Options{Threshold: incremental.Implicit}})
		if err != nil {
			t.Fatal(err)
		}
		bottom := b.Mesh().Groups["bottom"].Nodes()
		for k := 1; k <= 25; k++ {
			before := append([]float64(nil), e.Node().Z...)
			if err := e.Step(context.Background(), float64(k)); err != nil {
				t.Fatal(err)
			}
			node := e.Node()
			for _, l := range c.lines {
				if l.step != k {
					continue
				}
				n, f := 0.0, 0.0
				for _, i := range bottom {
					n += node.Grad[3*i+2]
					f += node.Grad[3*i]
				}
				if !math.IsNaN(l.n) && (math.Abs(n-l.n) > 5.1e-7 || math.Abs(f-l.friction) > 5.1e-7) {
					t.Errorf("%s step %d: N = %.8g, friction %.8g, want %.8g, %.8g", name, k, n, f, l.n, l.friction)
				}
				if s := states(node, before, bottom); l.hasState && s != l.states {
					t.Errorf("%s step %d: states %s, want %s", name, k, s, l.states)
				}
			}
		}
		s := e.Summary()
		if !s.Certified || s.FellBack > 0 {
			t.Errorf("%s: certified %t, %s, %d steps fell back", name, s.Certified, s.First, s.FellBack)
		}
		t.Logf("%s: gap %.2g, balance %.2g of energies %.3g", name, s.MaxGap, s.MaxBalance, s.EnergyScale)
	}
}

// TestLarge: bodies large enough for the condensation onto the contacts (3,000 rows), with
// few and with many contacts (400 columns); the certificates do not know how a step was solved.
// What sticks does not move by a rounding error: friction would then oppose that
// motion, and the residual of (DI) be of the size of the forces (0.02 N).
func TestLarge(t *testing.T) {
	sizes := [][]int{{48, 20}, {17, 7, 6}}
	if thorough.Asked() {
		sizes = [][]int{{48, 20}, {32, 8, 8}}
	}
	for _, cells := range sizes {
		b := pressAndDrag(t, false, cells...)
		psi, z := system(t, b)
		e, err := energetic.Start(context.Background(), psi, z,
			energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
		if err != nil {
			t.Fatal(err)
		}
		for _, time := range []float64{5, 6, 7, 10, 15, 25} {
			if err := e.Step(context.Background(), time); err != nil {
				t.Fatal(err)
			}
			if f := e.Node().Force; f > 1e-10 { // of forces of 10 N in all, solved to 1e-12
				t.Errorf("%v, t = %g: residual %g N of (DI)", cells, time, f)
			}
		}
		s := e.Summary()
		if !s.Solved || s.FellBack > 0 {
			t.Errorf("%v: solved %t, %s, %d steps fell back", cells, s.Solved, s.First, s.FellBack)
		}
		t.Logf("%v: gap %.2g of energies %.3g, %v", cells, s.MaxGap, s.EnergyScale, incremental.Count(e.Node().States))
	}
}

// TestSupport: what holds the prescribed nodes balances what the others feel, as elastic forces
// have no resultant.
func TestSupport(t *testing.T) {
	for _, hyper := range []bool{false, true} {
		b := pressAndDrag(t, hyper, 4, 2, 2)
		x, top := slices.Clone(b.Start()), b.Mesh().Groups["top"].Nodes()
		for i := range x {
			if !slices.Contains(top, i/3) { // which is where it is held at t = 0
				x[i] += 1e-3 * math.Sin(float64(7*i))
			}
		}
		grad := make([]float64, len(x))
		b.Gradient(grad, nil, 0, x)
		held := b.Support(nil, 0, x)
		again := b.Support(held, 0, x)
		largest := 0.0
		for axis := range 3 {
			sum := 0.0
			for i := axis; i < len(grad); i += 3 {
				sum, largest = sum+grad[i], max(largest, math.Abs(grad[i]))
			}
			for i := axis; i < len(held); i += 3 {
				sum, largest = sum+again[i], max(largest, math.Abs(again[i]))
			}
			if !(math.Abs(sum) <= 1e-12*largest) || largest == 0 {
				t.Errorf("hyperelastic %t, axis %d: %g N are left of %g", hyper, axis, sum, largest)
			}
		}
	}
}
