package multibody_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

type vec = [3]float64

// TestTurns: C of a turn is a rotation about w by h‖w‖, or 2 atan(h‖w‖/2) by Cayley's, and its
// derivative is that of differences, also of turns so small that series take over.
func TestTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	draw := func() vec { return vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	for _, size := range []float64{1e-9, 1e-5, 9.9e-5, 5e-4, 2e-3, .1, 1, 3} {
		for _, cayley := range []bool{false, true} {
			w := draw()
			h := size / vec3.Norm(w)
			angle := size
			if cayley {
				angle = 2 * math.Atan(size/2)
			}
			axis := vec3.Scale(w, 1/vec3.Norm(w))
			var c [9]float64
			multibody.Rotation(&c, w, h, cayley)
			for range 3 { // Rodrigues
				x := draw()
				sin, cos := math.Sincos(angle)
				want := vec3.Add(vec3.Add(vec3.Scale(x, cos), sin, vec3.Cross(axis, x)), (1-cos)*vec3.Dot(axis, x), axis)
				if d := vec3.Norm(vec3.Add(multibody.MulVec(&c, x), -1, want)); !(d <= 1e-15*(1+vec3.Norm(x))*4) {
					t.Errorf("size %g, Cayley %t: off by %g", size, cayley, d)
				}
				if d := vec3.Norm(vec3.Add(multibody.MulBack(&c, multibody.MulVec(&c, x)), -1, x)); !(d <= 1e-14) {
					t.Errorf("size %g, Cayley %t: no rotation by %g", size, cayley, d)
				}
			}
			y := draw()
			var d, at [9]float64
			multibody.TurnTangent(&d, &at, w, y, h, cayley)
			if at != c {
				t.Errorf("size %g: another rotation", size)
			}
			for k := range 3 {
				step := 1e-5 * vec3.Norm(w)
				a, b := w, w
				a[k], b[k] = a[k]+step, b[k]-step
				var up, down [9]float64
				multibody.Rotation(&up, a, h, cayley)
				multibody.Rotation(&down, b, h, cayley)
				diff := vec3.Scale(vec3.Add(multibody.MulVec(&up, y), -1, multibody.MulVec(&down, y)), 1/(2*step))
				for i := range 3 { // the error of differences: 1e-10 of the step squared, and rounding over it
					if !(math.Abs(d[3*i+k]-diff[i]) <= h*vec3.Norm(y)*1e-8+1e-15/step) {
						t.Errorf("size %g, Cayley %t, entry (%d, %d): %g, differences %g", size, cayley, i, k, d[3*i+k], diff[i])
					}
				}
			}
		}
	}
	// On both sides of where series end.
	for _, l := range []float64{.9e-4, 1.1e-4} {
		var c [9]float64
		multibody.Rotation(&c, vec{0, 0, 2 * l}, .5, false)
		if sin, cos := math.Sincos(l); !(math.Abs(c[3]-sin) <= 1e-19) || !(math.Abs(c[1]+sin) <= 1e-19) ||
			!(math.Abs(c[0]-cos) <= 1e-16) || c[8] != 1 {
			t.Errorf("a turn of %g: %v", l, c)
		}
	}
}

// TestTangentOfSpins: dN/dw is continuous where its closed form takes over from the series, and
// central differences of N.
func TestTangentOfSpins(t *testing.T) {
	p := &multibody.Place{Moments: vec{1, 2, 5}}
	const h, alpha = 1e-2, .5
	o := vec{.02, -.05, .04}
	axis := vec3.Scale(vec{1, 2, -2}, 1./3)
	tangent := func(phi float64) (m [9]float64) {
		p.SpinTangent(&m, o, vec3.Scale(axis, phi/h), h, alpha)
		return m
	}
	below, above := tangent(1e-3*(1-1e-11)), tangent(1e-3*(1+1e-11))
	for i := range below {
		// Of a φ³/24 is left out, times h and a y of .5: 2e-13; the step of φ, 2e-14, makes as
		// much.
		if !(math.Abs(below[i]-above[i]) <= 1e-12) {
			t.Errorf("entry %d jumps by %g", i, below[i]-above[i])
		}
	}
	for _, phi := range []float64{9e-4, 2e-3, .3} {
		m, w := tangent(phi), vec3.Scale(axis, phi/h)
		for c := range 3 {
			const d = 1e-4
			var e vec
			e[c] = d
			plus, minus := p.SpinBalance(o, vec3.Add(w, 1, e), h, alpha), p.SpinBalance(o, vec3.Add(w, -1, e), h, alpha)
			for r := range 3 {
				if diff := (plus[r] - minus[r]) / (2 * d); !(math.Abs(m[3*r+c]-diff) <= 1e-8*(1+phi)) { // rounding 1e-15/d, and d²
					t.Errorf("φ = %g, entry %d %d: %g, by differences %g", phi, r, c, m[3*r+c], diff)
				}
			}
		}
	}
}
