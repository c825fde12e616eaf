package dissipation_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/dissipation"
)

// spectral is ‖S‖₂ by singular values.
func spectral(s [4]float64) float64 {
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(2, 2, s[:]), mat.SVDNone) {
		return math.NaN()
	}
	return svd.Values(nil)[0]
}

func ripple(t *testing.T, base dissipation.Matrix, amplitude, wavelength float64, axis [2]float64, offset float64) dissipation.Rippled {
	t.Helper()
	m, err := dissipation.NewRippled(base, amplitude, wavelength, axis, offset)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func orthotropic(t *testing.T, mu, axis [2]float64) dissipation.Orthotropic {
	t.Helper()
	m, err := dissipation.NewOrthotropic(mu, axis)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestBounds: Bounds are the suprema of ‖S‖₂ and of the slope over a rectangle: no sample
// is above them, and the samples come as near as their distance lets them. Rectangles are
// short against the wave, across crests and troughs, far from the origin, and degenerate.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 9))
	for range 250 {
		angle := r.Float64() * 2 * math.Pi
		base := orthotropic(t, [2]float64{r.Float64(), 2 * r.Float64()}, [2]float64{r.NormFloat64(), r.NormFloat64()})
		amplitude, wavelength := 0.9*r.Float64(), 0.5+r.Float64()
		m := ripple(t, base, amplitude, wavelength, [2]float64{math.Cos(angle), math.Sin(angle)}, r.NormFloat64())
		lo := [2]float64{10 * r.NormFloat64(), 10 * r.NormFloat64()}
		hi := [2]float64{lo[0] + r.Float64()*wavelength*0.4, lo[1] + r.Float64()*wavelength*0.4}
		if r.IntN(4) == 0 {
			hi[1] = lo[1]
		}
		size, slope := m.Bounds(lo, hi)
		const n = 40
		most, steepest := 0.0, 0.0
		for i := range n + 1 {
			for k := range n + 1 {
				x, y := lo[0]+(hi[0]-lo[0])*float64(i)/n, lo[1]+(hi[1]-lo[1])*float64(k)/n
				var d [2][4]float64
				s := m.At(x, y, &d)
				most = max(most, spectral(s))
				// ∇f·u ‖S_base‖ with u along the axis is ‖Σ u_k ∂S/∂z_k‖.
				var along [4]float64
				for e := range along {
					along[e] = math.Cos(angle)*d[0][e] + math.Sin(angle)*d[1][e]
				}
				steepest = max(steepest, spectral(along))
			}
		}
		// Between two samples, .4·√2/40 of a wave at most, the sine lacks (2π·.4·√2/80)²/2.
		const lack = 1e-3
		norm := spectral(base.At(0, 0, nil))
		if most > size*(1+1e-12) || most < size-norm*amplitude*lack {
			t.Fatalf("size %g, samples reach %g", size, most)
		}
		wave := 2 * math.Pi / wavelength
		if s := math.Hypot(slope[0], slope[1]); steepest > s*(1+1e-12) || steepest < s-norm*amplitude*wave*lack {
			t.Fatalf("slope %g, samples reach %g", s, steepest)
		}
		if cross := slope[0]*math.Sin(angle) - slope[1]*math.Cos(angle); math.Abs(cross) > 1e-12*(1+math.Abs(slope[0])+math.Abs(slope[1])) {
			t.Fatalf("slope %v is not along the axis", slope)
		}
	}
}

// TestMatrices: entries by hand. The axis (3, 4)/5 of an orthotropic surface has Mu[0] along
// it and Mu[1] across; a ripple is (1 + A sin(2π(a·z + o)/L)) times its base.
func TestMatrices(t *testing.T) {
	o := orthotropic(t, [2]float64{0.5, 0.25}, [2]float64{3, 4})
	d := [2][4]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}
	if got := o.At(1, 2, &d); !near(got, [4]float64{0.3, 0.4, -0.2, 0.15}) || d != [2][4]float64{} {
		t.Errorf("orthotropic: %v, derivatives %v", got, d)
	}
	d = [2][4]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}
	if got := (dissipation.Isotropic{Mu: 0.5}).At(1, 2, &d); got != [4]float64{0.5, 0, 0, 0.5} || d != [2][4]float64{} {
		t.Errorf("isotropic: %v, derivatives %v", got, d)
	}
	m := ripple(t, o, 0.5, 4, [2]float64{6, 8}, 0.3) // 2π/4 (.6·.5 + .8·.5 + .3) = π/2
	if got := m.At(0.5, 0.5, nil); !near(got, [4]float64{0.45, 0.6, -0.3, 0.225}) {
		t.Errorf("crest of a ripple: %v", got)
	}
	if m.Constant() || !ripple(t, o, 0, 4, [2]float64{1, 0}, 0).Constant() || !o.Constant() {
		t.Error("Constant is wrong")
	}
	if _, err := dissipation.NewIsotropic(0); err != nil {
		t.Error(err)
	}
}

func near(a, b [4]float64) bool {
	for i := range a {
		if !(math.Abs(a[i]-b[i]) <= 1e-15) { // of numbers below one
			return false
		}
	}
	return true
}

// TestSecond: all is of the particle that was named, at its place.
func TestSecond(t *testing.T) {
	o := orthotropic(t, [2]float64{0.5, 0.25}, [2]float64{3, 4})
	m := ripple(t, o, 0.5, 4, [2]float64{3, 4}, 0.3)
	psi := two(t, m)
	psi.Matrices[0] = nil
	z := []float64{7, 8, 0, 0.5, 0.5, 0} // the second on a crest: S = 1.5 S_base
	v := []float64{1, 1, 1, 3, 4, 9}     // along the axis: ‖S v‖ = 1.5·.5·5
	if got := psi.Norm(0, 1, z, v); math.Abs(got-3.75) > 1e-15*4 {
		t.Errorf("norm %g", got)
	}
	if got := psi.Norm(0, 0, z, v); got != 0 {
		t.Errorf("norm without friction %g", got)
	}
	if got := psi.Size(0, 0, z); got != 0 {
		t.Errorf("size without friction %g", got)
	}
	if got, want := psi.Size(0, 1, z), 1.5*math.Sqrt(0.5*(0.25+0.0625)); math.Abs(got-want) > 1e-15 {
		t.Errorf("size %g, want %g", got, want)
	}
	// SᵀS v/‖S v‖ for v along the axis: .75 along it.
	if f := psi.Force(0, 1, z, v); math.Abs(f[0]-0.45) > 1e-15 || math.Abs(f[1]-0.6) > 1e-15 {
		t.Errorf("force %v", f)
	}
	if f := psi.Force(0, 0, z, v); f != [2]float64{} {
		t.Errorf("force without friction %v", f)
	}
	if f := psi.Force(0, 1, z, make([]float64, 6)); f != [2]float64{} {
		t.Errorf("force at rest %v", f)
	}
	grad := []float64{0, 0, 5, 0, 0, 2}
	if got := psi.Value(0, grad, z, v); math.Abs(got-7.5) > 1e-14 {
		t.Errorf("Ψ = %g", got)
	}
	// Friction holds 2·.75 = 1.5 N along the axis; of 2 N, .5 N are too much.
	if a, b := psi.Excess(0, 1, 2, z, [2]float64{1.2, 1.6}); math.Abs(a-0.3) > 1e-12 || math.Abs(b-0.4) > 1e-12 {
		t.Errorf("excess (%g, %g)", a, b)
	}
	if a, b := psi.Excess(0, 0, 2, z, [2]float64{1.2, 1.6}); a != 1.2 || b != 1.6 {
		t.Errorf("excess without friction (%g, %g)", a, b)
	}
}

// TestForceOne: a slip with ‖S v‖ = 1 is no rest.
func TestForceOne(t *testing.T) {
	psi := two(t, dissipation.Isotropic{Mu: 1})
	if f := psi.Force(0, 0, make([]float64, 6), []float64{1, 0, 0, 0, 0, 0}); f != [2]float64{1, 0} {
		t.Errorf("force %v", f)
	}
}

// TestLawAgain: a law that was used before is that of the present place; isotropic matrices
// are in the threshold, others in the shape, and without force there is neither.
func TestLawAgain(t *testing.T) {
	o := orthotropic(t, [2]float64{0.5, 0.25}, [2]float64{3, 4})
	psi := two(t, ripple(t, o, 0.5, 4, [2]float64{1, 0}, 0))
	var law contact.Tresca
	for _, x := range []float64{0.3, 1, 0.3, 0.3, 2.5} {
		z := []float64{x, 0, 0, 9, 9, 0}
		psi.Law(&law, 0, 0, 0.5, z)
		if s := psi.Matrices[0].At(x, 0, nil); law.Threshold != 0.5 || law.Shape.Matrix() != s || law.Shape.Isotropic() {
			t.Fatalf("at %g: threshold %g, shape %v, want %v", x, law.Threshold, law.Shape.Matrix(), s)
		}
	}
	for _, r := range []float64{0, -1} {
		if psi.Law(&law, 0, 0, r, make([]float64, 6)); law.Threshold != 0 || !law.Shape.Isotropic() {
			t.Errorf("without force: %+v", law)
		}
		psi.Law(&law, 0, 0, 0.5, make([]float64, 6))
	}
	psi.Matrices[0] = nil
	if psi.Law(&law, 0, 0, 2, make([]float64, 6)); law.Threshold != 0 || !law.Shape.Isotropic() {
		t.Errorf("without friction: %+v", law)
	}
	psi.Matrices[0] = dissipation.Isotropic{Mu: 0.5}
	if psi.Law(&law, 0, 0, 3, make([]float64, 6)); law.Threshold != 1.5 || !law.Shape.Isotropic() {
		t.Errorf("isotropic: %+v", law)
	}
	// A turn by 90° has zeros on the diagonal, one by 45° four equal sizes.
	for _, axis := range [][2]float64{{0, 1}, {1, 1}, {1, -1}} {
		psi.Matrices[0] = orthotropic(t, [2]float64{0.5, 0.5}, axis)
		psi.Law(&law, 0, 0, 3, make([]float64, 6))
		if got := law.Support(&[3]float64{0, 3, 4}); math.Abs(got-7.5) > 1e-14 || law.Shape.Isotropic() {
			t.Errorf("axis %v: support %g, %+v", axis, got, law)
		}
	}
}

// TestRuleByHand: thresholds below one, where a blend is exact from mγ on.
func TestRuleByHand(t *testing.T) {
	for _, c := range []struct {
		rule      dissipation.Rule
		sigma     float64
		switching bool
		want      float64
	}{
		{dissipation.Rule{Gamma: 0.05, Policy: dissipation.Blend}, 0.5, false, 0.5},
		{dissipation.Rule{Gamma: 0.25, Policy: dissipation.Blend}, 0.5, false, 0.3125},
		{dissipation.Rule{Gamma: 0.25, Policy: dissipation.Blend}, -1, false, 0},
		{dissipation.Rule{Gamma: 0.25, Policy: dissipation.SwitchingOnly}, 0.5, false, 0.5},
		{dissipation.Rule{Gamma: 0.25, Policy: dissipation.SwitchingOnly}, 0.5, true, 0.25},
		{dissipation.Rule{Gamma: 0.25, Policy: dissipation.SwitchingOnly}, -0.5, false, 0},
		{dissipation.Rule{Gamma: 0.25}, 0.125, true, 0},
	} {
		if got := c.rule.Threshold(c.sigma, c.switching); math.Abs(got-c.want) > 1e-16 {
			t.Errorf("%+v at %g, switching %v: %g, want %g", c.rule, c.sigma, c.switching, got, c.want)
		}
		if err := c.rule.Validate(); err != nil {
			t.Errorf("%+v: %v", c.rule, err)
		}
	}
	for p, want := range map[dissipation.Policy]string{dissipation.All: "all", dissipation.SwitchingOnly: "switching",
		dissipation.Blend: "blend", -1: "Policy(-1)", 3: "Policy(3)"} {
		if got := p.String(); got != want {
			t.Errorf("policy %d is called %q", int(p), got)
		}
	}
	if err := (dissipation.Rule{}).Validate(); err != nil {
		t.Error(err)
	}
}

// TestRestrictedSecond: the label and the threshold are those of the particle; one that
// pulls, γ or not, has none.
func TestRestrictedSecond(t *testing.T) {
	psi := two(t, dissipation.Isotropic{Mu: 0.5})
	z, v := make([]float64, 6), []float64{3, 4, 0, 6, 8, 0}
	rule := dissipation.Rule{Gamma: 0.25, Policy: dissipation.SwitchingOnly}
	if got := psi.Restricted(rule, nil, []bool{true, false}, 0, []float64{0, 0, 0.5, 0, 0, 0.75}, z,
		v); math.Abs(got-(0.25*2.5+0.75*5)) > 1e-14 {
		t.Errorf("%g", got)
	}
	if got := psi.Restricted(rule, []bool{false, true}, []bool{false, true}, 0, []float64{0, 0, 0.5, 0, 0, 0.75}, z,
		v); math.Abs(got-0.5*5) > 1e-14 {
		t.Errorf("%g", got)
	}
	if got := psi.Value(0, []float64{0, 0, -1, 0, 0, 0.5}, z, v); math.Abs(got-2.5) > 1e-14 {
		t.Errorf("Ψ = %g", got)
	}
	if psi.Touches(0, 1, []float64{0, 0, 0, 0, 0, 1e-300}) || !psi.Touches(0, 1, []float64{0, 0, 1, 0, 0, 0}) {
		t.Error("Touches looks at another particle")
	}
}

// TestNew: one matrix a particle, or none at all.
func TestNew(t *testing.T) {
	psi := two(t, dissipation.Isotropic{Mu: 0.5})
	free, err := dissipation.New(psi.System, nil)
	if err != nil || len(free.Matrices) != 2 {
		t.Fatalf("%v, %v", free, err)
	}
	if got := free.Value(0, []float64{0, 0, 1, 0, 0, 1}, make([]float64, 6), []float64{1, 1, 1, 1, 1, 1}); got != 0 {
		t.Errorf("Ψ = %g without friction", got)
	}
	for _, n := range []int{1, 3} {
		if _, err := dissipation.New(psi.System, make([]dissipation.Matrix, n)); err == nil {
			t.Errorf("%d matrices for two particles pass", n)
		}
	}
}

// TestRefused: what NewRippled and the others refuse, at the edge.
func TestRefused(t *testing.T) {
	one := dissipation.Isotropic{Mu: 1}
	along := [2]float64{1, 0}
	for _, c := range []struct {
		amplitude, wavelength float64
		axis                  [2]float64
		offset                float64
		ok                    bool
	}{
		{0, 1, along, 0, true}, {0.999, 1, along, 0, true}, {0.5, 4e-308, along, 0, true}, {0.5, 1e300, along, -1e300, true},
		{-0.1, 1, along, 0, false}, {math.NaN(), 1, along, 0, false}, {0.5, math.Inf(1), along, 0, false}, {0.5, -1, along, 0, false},
		{0.5, 3e-308, along, 0, false}, {0.5, 1, along, math.Inf(-1), false}, {0.5, 1, along, math.Inf(1), false},
		{0.5, 1, [2]float64{math.Inf(1), 0}, 0, false}, {0.5, 1, [2]float64{0, 1e-300}, 0, true},
	} {
		if _, err := dissipation.NewRippled(one, c.amplitude, c.wavelength, c.axis, c.offset); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, mu := range []float64{math.Inf(1), math.NaN(), -1e-300} {
		if _, err := dissipation.NewIsotropic(mu); err == nil {
			t.Errorf("μ = %g passes", mu)
		}
		if _, err := dissipation.NewOrthotropic([2]float64{mu, 1}, along); err == nil {
			t.Errorf("μ₁ = %g passes", mu)
		}
		if _, err := dissipation.NewOrthotropic([2]float64{1, mu}, along); err == nil {
			t.Errorf("μ₂ = %g passes", mu)
		}
		if (dissipation.Rule{Gamma: mu}).Validate() == nil {
			t.Errorf("γ = %g passes", mu)
		}
	}
}
