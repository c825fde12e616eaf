package incremental

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/contact/law"
)

// TestSteepest: along the steepest direction of translation drives the pull less the friction of all that moves, whatever direction
// was given; what is held stays.
func TestSteepest(t *testing.T) {
	pair := func() *form { return diagonal(2, 2, 1, 2, 2, 1).couple(0, 3, -2).couple(1, 4, -2) }
	for _, c := range []struct {
		name     string
		f        *form
		slope    []float64
		s        [2]float64
		d, want  []float64
		drive    float64
		varies   bool
		fellBack bool
	}{
		{name: "one", f: diagonal(0, 0, 1), slope: []float64{-3, -4, 7}, s: [2]float64{1}, d: []float64{1, 0, 0}, want: []float64{0.6, 0.8, 0}, drive: 4},
		{name: "one that rises", f: diagonal(0, 0, 0), slope: []float64{-3, -4, -2}, s: [2]float64{1}, d: []float64{0.8, 0, 0.6}, drive: math.Inf(1)},
		{name: "D²E varies", f: diagonal(0, 0, 1), slope: []float64{-3, -4, 7}, s: [2]float64{1}, d: []float64{1, 0, 0}, want: []float64{0.6, 0.8, 0}, drive: 4, varies: true},
		{name: "a pair", f: pair(), slope: []float64{-3, 0, 5, 0, 4, 5}, s: [2]float64{2, 1}, d: []float64{1, 0, 0, 1, 0, 0}, want: []float64{0.6, -0.8, 0, 0.6, -0.8, 0}, drive: 2},
		{name: "a pair of which one is smooth", f: pair(), slope: []float64{-3, 0, 5, 0, 4, 5}, s: [2]float64{2, 0}, d: []float64{1, 0, 0, 1, 0, 0}, want: []float64{0.6, -0.8, 0, 0.6, -0.8, 0}, drive: 3},
		{name: "a pair that is held", f: pair(), slope: []float64{-3, 0, 5, 0, 4, 5}, s: [2]float64{2, 4}, d: []float64{0.8, -0.6, 0, 0.8, -0.6, 0}, want: []float64{0.6, -0.8, 0, 0.6, -0.8, 0}, drive: -1},
		{name: "no friction", f: diagonal(0, 0, 1), slope: []float64{-3, -4, 7}, d: []float64{1, 0, 0}, want: []float64{1, 0, 0}, drive: 3},
		{name: "thresholds of the forces", f: diagonal(0, 0, 1), slope: []float64{-3, -4, 7}, s: [2]float64{1}, d: []float64{1, 0, 0}, want: []float64{0.6, 0.8, 0}, drive: 3, fellBack: true},
	} {
		c.f.varies = c.varies
		s := formed(t, c.f)
		for j := range len(c.d) / 3 {
			s.min.SetThreshold(j, c.s[j], 0, s.z)
		}
		copy(s.min.gradBase, c.slope)
		if c.varies {
			clear(s.min.gradBase)
			copy(s.min.grad, c.slope)
		}
		s.stats.FellBack = c.fellBack
		s.min.res.R[0], s.min.res.V = 2, make([]float64, len(c.d)) // μ = 1
		if c.fellBack {
			s.min.gradBase[2] = 2
		}
		d := append([]float64(nil), c.d...)
		got := s.Steepest(0, d)
		if c.want == nil { // what rises stays so, and more drives than before
			if d[2] <= 0 || !(got > 3*0.8+2*0.6-0.8) {
				t.Errorf("%s: %g along %v", c.name, got, d)
			}
			continue
		}
		// A direction is as good as the regularisation, 2e-8, which enters squared where it is steepest.
		if math.Abs(got-c.drive) > 1e-13*10 {
			t.Errorf("%s: driven by %.15g, want %g", c.name, got, c.drive)
		}
		for i := range d {
			if math.Abs(d[i]-c.want[i]) > 1e-7 {
				t.Errorf("%s: along %v, want %v", c.name, d, c.want)
				break
			}
		}
	}
}

// TestSteepestShape: where friction differs by direction what drives is 0 at the bound along S⁻¹S⁻ᵀ of the pull; each round takes at least
// 1 − (1 − λ₂/λ₁)² of what is missing, λ those of SᵀS.
func TestSteepestShape(t *testing.T) {
	for _, turned := range []bool{false, true} {
		shape := [4]float64{1.25, 0, 0, 1}
		if turned { // by an angle with tangent 3/4: S Rᵀ
			shape = [4]float64{1.25 * 0.8, 1.25 * 0.6, -0.6, 0.8}
		}
		s := formed(t, diagonal(0, 0, 1))
		s.min.SetThreshold(0, 2, 0, s.z)
		s.min.tresca[0].Shape = law.NewShape(shape)
		// DE = −2 Sᵀ(0.6, 0.8)
		copy(s.min.gradBase, []float64{-2 * (shape[0]*0.6 + shape[2]*0.8), -2 * (shape[1]*0.6 + shape[3]*0.8), 0})
		d := []float64{0.8, 0.6, 0}
		before := s.Drive(d)
		if got := s.Steepest(0, d); !(before < -1e-3) || !(got < 1e-15) || got < before*math.Pow(0.36*0.36, steeper) {
			t.Errorf("turned %t: driven by %g, before by %g", turned, got, before)
		}
	}
}

// TestSteepestCorner: beside other obstacles of a particle a direction stays as it is.
func TestSteepestCorner(t *testing.T) {
	s, err := New(walled(t, 1, 1, [3]float64{}).psi, 0, make([]float64, 3), Options{})
	if err != nil {
		t.Fatal(err)
	}
	copy(s.min.gradBase, []float64{-3, -4, 0})
	d := []float64{1, 0, 0}
	if got := s.Steepest(0, d); got != s.Drive(d) || [3]float64(d) != [3]float64{1, 0, 0} {
		t.Errorf("driven by %g along %v", got, d)
	}
}
