package energetic

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
)

// TestInverseBlock: the inverse of a block of D²E in the order (n, t, o), against dense algebra; none of one that is not definite.
func TestInverseBlock(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 20 {
		h, dense := randomSym(r, 3, 1, 6)
		for j := range 3 {
			order := []int{3*j + 2, 3 * j, 3*j + 1}
			block := mat.NewDense(3, 3, nil)
			for p, row := range order {
				for q, col := range order {
					block.Set(p, q, dense.At(row, col))
				}
			}
			var want mat.Dense
			if err := want.Inverse(block); err != nil {
				t.Fatal(err)
			}
			got := inverseBlock(h, j)
			for p := range 3 {
				for q := range 3 {
					nearly(t, "inverse", got[3*p+q], want.At(p, q), 1e-13)
				}
			}
			h.Val[h.Index(3*j+1, 3*j+1)] = -1
			if got := inverseBlock(h, j); got != [9]float64{} {
				t.Errorf("a block that is not definite: %v", got)
			}
		}
	}
	h, _ := randomSym(r, 1, 1, 0)
	for _, c := range []struct {
		soft float64
		ok   bool
	}{{3e-12, true}, {1.9e-12, false}, {0, false}} {
		clear(h.Val)
		h.Val[h.Index(0, 0)], h.Val[h.Index(1, 1)], h.Val[h.Index(2, 2)] = 1, c.soft, 1
		if got := inverseBlock(h, 0); (got[8] != 0) != c.ok {
			t.Errorf("a coordinate of stiffness %g: %v", c.soft, got)
		}
	}
}

// TestOrders: aᵖ ratio; nodes of a division; the points of a twin.
func TestOrders(t *testing.T) {
	for _, c := range []struct{ a, b, ratio, want float64 }{{8, 2, 2, 2}, {9, 3, 3, 1}, {1, 1, 2, 0}, {0, 1, 2, 0}, {1, 0, 2, 0}, {1, 4, 2, -2}} {
		nearly(t, "order", order(c.a, c.b, c.ratio), c.want, 1e-15)
	}
	c := &continuation{times: []float64{0, 1, 3}, parts: 4}
	if got := c.nodes(); !slices.Equal(got, []float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3}) {
		t.Errorf("nodes %v", got)
	}
	ex := reference.Play()
	k, err := NewCertifier(ex.Psi, Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := gaussTwo
	for _, c := range []struct {
		h      float64
		breaks []float64
		want   []float64
	}{
		{0, []float64{2, 2}, []float64{1}},
		{4, []float64{2, 6}, []float64{g[0], g[1], 1}},
		{4, []float64{2, 4, 5, 6}, []float64{g[0], 0.5, 0.75, g[1], 1}},
		{4, []float64{2, 2.5, 6}, []float64{0.125, g[0], g[1], 1}},
	} {
		k.tPrev, k.breaks = 2, c.breaks
		if k.divide(c.h); !slices.Equal(k.twin.points, c.want) {
			t.Errorf("points %v, want %v", k.twin.points, c.want)
		}
	}
	k.breaks = []float64{2}
	for i := range 30 {
		k.breaks = append(k.breaks, 2+0.1*float64(i+1))
	}
	k.breaks = append(k.breaks, 6)
	if k.divide(4); len(k.twin.points) != 3+30 {
		t.Errorf("%d points", len(k.twin.points))
	}
	nearly(t, "∫x² by two points", (g[0]*g[0]+g[1]*g[1])/2, 1./3, 1e-15)
	nearly(t, "∫x³ by two points", (g[0]*g[0]*g[0]+g[1]*g[1]*g[1])/2, 1./4, 1e-15)
	for p := range 6 { // exact for the fifth degree
		sum := 0.0
		for _, q := range gauss {
			sum += q.weight * math.Pow(q.at, float64(p))
		}
		nearly(t, "∫ by three points", sum, 1/float64(p+1), 1e-15)
	}
}

// TestLimitsOfCertifiers: options, times and numbers of levels end where they say so.
func TestLimitsOfCertifiers(t *testing.T) {
	ex := reference.Play()
	for _, c := range []struct {
		o  Options
		ok bool
	}{
		{Options{}, true}, {Options{Tolerance: 1e-2}, true}, {Options{Tolerance: 1.1e-2}, false}, {Options{Tolerance: -1}, false}, {Options{Tolerance: math.NaN()}, false}, {Options{Accuracy: 1}, true}, {Options{Accuracy: 1.1}, false}, {Options{Accuracy: -0.1}, false},
		{Options{Step: incremental.Options{MaxFixedPoint: -1}}, false},
	} {
		k, err := NewCertifier(ex.Psi, c.o)
		if (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
		if err == nil && (k.opt.Tolerance != max(c.o.Tolerance, 1e-10) || k.opt.Step.Tolerance != 1e-10 || k.opt.Accuracy != max(c.o.Accuracy, 1e-2)) {
			t.Errorf("%+v: %+v", c.o, k.opt)
		}
	}
	k, err := NewCertifier(ex.Psi, Options{})
	if err != nil {
		t.Fatal(err)
	}
	z := make([]float64, 3)
	if k.Observe(t.Context(), 1, z) == nil {
		t.Error("a node before the start")
	}
	if err := k.Begin(t.Context(), 0.5, z); err != nil {
		t.Fatal(err)
	}
	for _, at := range []float64{0.25, math.NaN(), math.Inf(1)} {
		if k.Observe(t.Context(), at, z) == nil {
			t.Errorf("a node at %g after one at .5", at)
		}
	}
	if err := k.Observe(t.Context(), 0.5, z); err != nil || k.node.Lipschitz != 0 {
		t.Errorf("a node at the same time: %v", err)
	}
	visit := func(int, *Node) error { return nil }
	problem := func(int) *dissipation.Coulomb { return reference.Play().Psi }
	for _, levels := range []int{-1, 0, 1, 21} {
		if _, err := Converge(t.Context(), problem, ex.Start, Options{}, 0.1, 1, levels, visit); err == nil {
			t.Errorf("%d levels", levels)
		}
	}
	if rows, err := Converge(t.Context(), problem, ex.Start, Options{}, 0.1, 1, 2, visit); err != nil || len(rows) != 2 || rows[0].Steps != 1 || rows[1].Steps != 2 {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, c := range []struct {
		until        float64
		steps, level int
		ok           bool
	}{{0.1, 1, 0, true}, {0, 1, 0, false}, {0.1, 0, 0, false}, {0.1, 1, -1, false}, {0.1, 1, 20, false}, {math.NaN(), 1, 0, false}} {
		r, err := Refine(t.Context(), ex.Psi, ex.Start, Options{}, c.until, c.steps, c.level, func(*Node) error { return nil })
		if (err == nil) != c.ok || c.ok && len(r.States) != 2 {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []struct {
		a  Adaptive
		ok bool
	}{{Adaptive{1, 1, 0}, true}, {Adaptive{1, 2, 0}, false}, {Adaptive{0, 1, 0}, false}, {Adaptive{1, 0, 0}, false}, {Adaptive{1, 0.5, -1}, false}, {Adaptive{math.Inf(1), 1, 0}, false}, {Adaptive{1, 1, math.Inf(1)}, false}} {
		if err := c.a.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.a, err)
		}
	}
	if got := extent(ex.Psi.System, z); got != 1 {
		t.Errorf("one particle extends over %g m", got)
	}
	chain := reference.Chain(4, 1)
	if got := extent(chain.Psi.System, chain.Start); got != 3 {
		t.Errorf("four particles in a row extend over %g m", got)
	}
}

// TestPieces: a step is divided such that what a force may do between samples, curve·(length/m)²/8, is a tenth of what is allowed, into 64 at
// most; one in which forces are affine not at all, one of which nothing is known in two.
func TestPieces(t *testing.T) {
	ex := reference.Play()
	k, err := NewCertifier(ex.Psi, Options{Accuracy: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Begin(t.Context(), 0, ex.Start); err != nil {
		t.Fatal(err)
	}
	in := &k.between
	in.part[0] = Residuals{ForceAlong: 3, ForceAcross: 1, Acting: 2, Touches: true}
	copy(in.curve, []float64{3, 4, 12}) // 13 N/s²
	for _, c := range []struct {
		still, known bool
		length       float64
		want         int
	}{{true, true, 1, 1}, {false, true, 0, 1}, {false, false, 1, 2}, {false, true, 1, 17}, {false, true, 0.1, 2}, {false, true, 0.01, 1}, {false, true, 3, 50}, {false, true, 30, 64}} {
		in.still, in.known = c.still, c.known
		in.step[0].Sampled = false
		if got := k.pieces(c.length); got != c.want || in.step[0].Sampled != (!c.known && !c.still && c.length > 0) {
			t.Errorf("%+v: %d pieces, √(1·13/(8·.1·.02·3)) is %g", c, got, c.length*math.Sqrt(13/(8*0.1*0.02*3)))
		}
	}
	in.known = true
	if got := k.rest(0, 2); got != [2]float64{10, 24} {
		t.Errorf("rest %v", got)
	}
	clear(in.curve)
	if got := k.pieces(1); got != 1 {
		t.Errorf("no curve: %d pieces", got)
	}
	in.known = false
	if k.rest(0, 2) != [2]float64{} {
		t.Error("a rest of what is not known")
	}
}

// TestTolerances: ten tolerances of the forces of the island or four roundings; of an energy ten tolerances of all and what rounding adds up to; friction
// turns with its way, by what rounding is of it.
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
	n.ForceScale, n.EnergyScale, n.K = 5, 2, 4
	nearly(t, "energy", k.EnergyTolerance(), 10*1e-10*2+ulps*5*7*5, 1e-15)
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
