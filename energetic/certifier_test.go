package energetic_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/reference"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/signal"
)

// TestAfter: of two trajectories one behind the other, counts add up, what is largest is the larger
// of both, what is smallest the smaller, and all gaps are exact if all of both are; a summary of no
// step changes nothing.
func TestAfter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		var a, b energetic.Summary
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

// begun is a certifier of a tethered particle at its start, k = (2, 2, 5) N/m, μ = .4, σ = 1.5 N, on
// a floor with an origin.
func begun(t *testing.T, o energetic.Options, origin [3]float64) *energetic.Certifier {
	t.Helper()
	floor := particles.Floors(1)
	floor[0].P = origin
	psi := must(dissipation.New(must(particles.NewSystem(floor,
		must(particles.NewTethers(particles.Tether{Anchor: signal.Vector{signal.Constant(0), signal.Constant(0),
			signal.Constant(-0.3)}, Stiffness: particles.Diagonal(2, 2, 5)})))),
		[]dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
	k := must(energetic.NewCertifier(psi, o))
	if err := k.Begin(t.Context(), 0, make([]float64, 3)); err != nil {
		t.Fatal(err)
	}
	return k
}

// aside is an origin on the floor: heights over it have been computed.
var aside = [3]float64{0.25, 0, 0}

// ulp is what rounding a coordinate in a frame and back may be of it.
const ulp = 4 * 0x1p-52

// TestSnap: a height of rounding is taken for none, and told if it is more than that, whatever the
// sizes.
func TestSnap(t *testing.T) {
	for _, size := range []float64{1e-3, 1, 1e3} {
		for _, c := range []struct {
			height  float64
			lowered bool
		}{{2 * ulp, false}, {8 * ulp, true}, {-2 * ulp, false}} {
			k := begun(t, energetic.Options{}, aside)
			z := []float64{c.height * size / 2, size, c.height * size}
			if err := k.Observe(t.Context(), 1, z); err != nil {
				t.Fatal(err)
			}
			if got := k.Node().Z; k.Lowered() != c.lowered || got[2] != 0 || got[0] != z[0] {
				t.Errorf("size %g, height %g: lowered %t, %v", size, c.height*size, k.Lowered(), got)
			}
		}
	}
}

// TestCloseHeights: with Close a height of four roundings of the largest coordinate is none;
// without it one of 1e-12 of that, which is told from five roundings on. Coordinates that are the
// global ones are not rounded at all.
func TestCloseHeights(t *testing.T) {
	const size = 0.25 // a power of two: its multiples of roundings are numbers
	for _, c := range []struct {
		height        float64 // in roundings
		close         bool
		kept, lowered bool
		origin        [3]float64
	}{{4, true, false, false, aside}, {4.5, true, true, false, aside}, {4.5, false, false, true, aside},
		{4, false, false, false, aside}, {6000, false, true, false, aside},
		{1, true, true, false, [3]float64{}}, {1, false, false, true, [3]float64{}}} {
		k := begun(t, energetic.Options{Close: c.close}, c.origin)
		if err := k.Observe(t.Context(), 1, []float64{0, size, c.height * ulp * size}); err != nil {
			t.Fatal(err)
		}
		if got := k.Node().Z[2]; (got > 0) != c.kept || k.Lowered() != c.lowered {
			t.Errorf("%+v: height %g, lowered %t", c, got, k.Lowered())
		}
	}
}

// TestSmoothForces: forces of contacts without friction change no threshold.
func TestSmoothForces(t *testing.T) {
	for mu, want := range map[float64]float64{0: 0, 0.3: 0.5} {
		matrices := []dissipation.Matrix{nil}
		if mu > 0 {
			matrices[0] = dissipation.Isotropic{Mu: mu}
		}
		load := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, -1}, {0, 0, -0.5}}))
		tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0),
			Stiffness: particles.Isotropic(2)}))
		psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether,
			must(particles.NewLoads(particles.Load{Particle: 0, Force: load})))), matrices))
		k := must(energetic.NewCertifier(psi, energetic.Options{}))
		if err := k.Begin(t.Context(), 0, make([]float64, 3)); err != nil {
			t.Fatal(err)
		}
		if err := k.Observe(t.Context(), 1, make([]float64, 3)); err != nil {
			t.Fatal(err)
		}
		nearly(t, "change of the force", k.Node().ForceChange, want, 1e-15)
		nearly(t, "change of the threshold", k.Node().ThresholdChange, want, 1e-15)
	}
}

// TestKink: of a step in which loads are linear between breaks, forces are known where they break:
// a particle that stands while μσ = .6 N is exceeded by a tooth of 1 N in the middle is off by .4 N
// there.
func TestKink(t *testing.T) {
	tooth := must(particles.PiecewiseLinear([]float64{0, 0.5, 1}, [][3]float64{{0, 0, -1.5}, {1, 0, -1.5}, {0, 0, -1.5}}))
	loads := must(particles.NewLoads(particles.Load{Particle: 0, Force: tooth}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, 0, 0), Stiffness: particles.Isotropic(2)}))
	psi := must(dissipation.New(must(particles.NewSystem(particles.Floors(1), tether, loads)),
		[]dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}}))
	k := must(energetic.NewCertifier(psi, energetic.Options{}))
	z := make([]float64, 3)
	if err := k.Begin(t.Context(), 0, z); err != nil {
		t.Fatal(err)
	}
	if err := k.Observe(t.Context(), 1, z); err != nil {
		t.Fatal(err)
	}
	nearly(t, "force", k.Residuals()[0].Along.Force, 0.4, 1e-14)
}

// TestBases: names of what measures rest on, and numbers that are none.
func TestBases(t *testing.T) {
	for b, want := range map[energetic.Basis]string{-1: "Basis(-1)", energetic.Proven: "proven",
		energetic.Sampled: "sampled", 4: "Basis(4)"} {
		if got := b.String(); got != want {
			t.Errorf("%d: %q", int(b), got)
		}
	}
}

// TestLimitsOfCertifiers: options, times and numbers of levels end where they say so.
func TestLimitsOfCertifiers(t *testing.T) {
	ex := reference.Play()
	for _, c := range []struct {
		o  energetic.Options
		ok bool
	}{
		{energetic.Options{}, true}, {energetic.Options{Tolerance: 1e-2}, true},
		{energetic.Options{Tolerance: 1.1e-2}, false}, {energetic.Options{Tolerance: -1}, false},
		{energetic.Options{Tolerance: math.NaN()}, false}, {energetic.Options{Accuracy: 1}, true},
		{energetic.Options{Accuracy: 1.1}, false}, {energetic.Options{Accuracy: -0.1}, false},
		{energetic.Options{Step: incremental.Options{MaxFixedPoint: -1}}, false},
	} {
		if _, err := energetic.NewCertifier(ex.Psi, c.o); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	k, err := energetic.NewCertifier(ex.Psi, energetic.Options{})
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
	if err := k.Observe(t.Context(), 0.5, z); err != nil || k.Node().Lipschitz != 0 {
		t.Errorf("a node at the same time: %v", err)
	}
	visit := func(int, *energetic.Node) error { return nil }
	problem := func(int) *dissipation.Coulomb { return reference.Play().Psi }
	for _, levels := range []int{-1, 0, 1, 21} {
		if _, err := energetic.Converge(t.Context(), problem, ex.Start, energetic.Options{}, 0.1, 1, levels, visit); err == nil {
			t.Errorf("%d levels", levels)
		}
	}
	if rows, err := energetic.Converge(t.Context(), problem, ex.Start, energetic.Options{}, 0.1, 1, 2,
		visit); err != nil || len(rows) != 2 || rows[0].Steps != 1 || rows[1].Steps != 2 {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, c := range []struct {
		until        float64
		steps, level int
		ok           bool
	}{{0.1, 1, 0, true}, {0, 1, 0, false}, {0.1, 0, 0, false}, {0.1, 1, -1, false}, {0.1, 1, 20, false}, {math.NaN(), 1, 0, false}} {
		r, err := energetic.Refine(t.Context(), ex.Psi, ex.Start, energetic.Options{}, c.until, c.steps, c.level,
			func(*energetic.Node) error { return nil })
		if (err == nil) != c.ok || c.ok && len(r.States) != 2 {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, c := range []struct {
		a  energetic.Adaptive
		ok bool
	}{{energetic.Adaptive{1, 1, 0}, true}, {energetic.Adaptive{1, 2, 0}, false}, {energetic.Adaptive{0, 1, 0}, false},
		{energetic.Adaptive{1, 0, 0}, false}, {energetic.Adaptive{1, 0.5, -1}, false},
		{energetic.Adaptive{math.Inf(1), 1, 0}, false}, {energetic.Adaptive{1, 1, math.Inf(1)}, false}} {
		if err := c.a.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.a, err)
		}
	}
}

// TestMovingWall: a wall that moves on by .3 m past a particle that stands, pressed against it by
// .3 N with μ = .4, works .036 J.
func TestMovingWall(t *testing.T) {
	path := must(particles.PiecewiseLinear([]float64{0, 1}, [][3]float64{{0, 0, 0}, {0.3, 0, 0}}))
	side := must(particles.NewHalfSpace([3]float64{}, [3]float64{0, 1, 0}))
	wall := must(particles.NewChart(must(particles.NewPlane(side.Frame())), particles.Motion{Shift: path}))
	tether := must(particles.NewTethers(particles.Tether{Particle: 0, Anchor: particles.At(0, -0.1, -0.2),
		Stiffness: particles.Diagonal(2, 3, 5)}))
	sys := must(must(particles.NewSystem(particles.Floors(1),
		tether)).WithExtras([]particles.Extra{{Particle: 0, Frame: particles.Charted(wall, [3]float64{})}}, 1))
	psi := must(dissipation.New(sys, []dissipation.Matrix{dissipation.Isotropic{Mu: 0.4}, dissipation.Isotropic{Mu: 0.4}}))
	k := must(energetic.NewCertifier(psi, energetic.Options{}))
	z := make([]float64, 3)
	if err := k.Begin(t.Context(), 0, z); err != nil {
		t.Fatal(err)
	}
	if err := k.Observe(t.Context(), 1, z); err != nil {
		t.Fatal(err)
	}
	nearly(t, "work", k.Node().Work, 0.4*0.3*0.3, 1e-12)
}

// TestCornerOfGamma: with next to no γ the residuals of Ψ_γ in a corner whose wall moves are those
// of Ψ, and half of the friction takes half.
func TestCornerOfGamma(t *testing.T) {
	residuals := func(factor, gamma float64) (energetic.Residuals, float64) {
		k := must(energetic.NewCertifier(besideWall(factor), regularised(gamma)))
		if err := k.Begin(t.Context(), 0, make([]float64, 6)); err != nil {
			t.Fatal(err)
		}
		if err := k.Observe(t.Context(), 1, []float64{0, 0, 0, 0.1, 0, 0}); err != nil {
			t.Fatal(err)
		}
		return k.Residuals()[1], k.Node().Dissipation
	}
	p, whole := residuals(1, 1e-13)
	if p.Slip == 0 || p.Balance == 0 || p.Along.Force == 0 {
		t.Fatalf("nothing to compare: %+v", p)
	}
	nearly(t, "slip of Ψ_γ", p.SlipGamma, p.Slip, 1e-11)
	nearly(t, "balance of Ψ_γ", p.BalanceGamma, p.Balance, 1e-11)
	nearly(t, "force of Ψ_γ", p.AlongGamma.Force, p.Along.Force, 1e-11)
	_, half := residuals(0.5, 0)
	nearly(t, "half of the friction", half, whole/2, 1e-12)
}

// TestNothing: a missing functional is an error that says so.
func TestNothing(t *testing.T) {
	ctx := context.Background()
	if _, err := energetic.Start(ctx, nil, nil, energetic.Options{}); err == nil {
		t.Error("Start")
	}
	if _, err := energetic.NewCertifier(nil, energetic.Options{}); err == nil {
		t.Error("NewCertifier")
	}
	if _, err := energetic.ChoosePartition(ctx, nil, nil, energetic.Options{}, 1); err == nil {
		t.Error("ChoosePartition")
	}
}
