package vec3

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/quasistatic/quasistatic/internal/seeded"
)

// TestIdentities: for integers, whose products are exact, the identities of Lagrange,
// ‖a × b‖² + (a·b)² = ‖a‖² ‖b‖², and of Graßmann, a × (b × c) = b (a·c) − c (a·b), hold to
// the last bit, and a × b stands on both.
func TestIdentities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (v Vec) {
			for k := range v {
				v[k] = float64(rapid.IntRange(-1000, 1000).Draw(t, name))
			}
			return v
		}
		a, b, c := draw("a"), draw("b"), draw("c")
		n := Cross(a, b)
		if Dot(n, a) != 0 || Dot(n, b) != 0 {
			t.Errorf("%v × %v = %v stands on neither", a, b, n)
		}
		if Dot(n, n)+Dot(a, b)*Dot(a, b) != Dot(a, a)*Dot(b, b) {
			t.Errorf("Lagrange's identity fails for %v, %v", a, b)
		}
		if got, want := Cross(a, Cross(b, c)), Add(Scale(b, Dot(a, c)), -Dot(a, b), c); got != want {
			t.Errorf("%v × (%v × %v) = %v, want %v", a, b, c, got, want)
		}
	})
	if got := Norm(Vec{2, -3, 6}); got != 7 {
		t.Errorf("norm %v, want 7", got)
	}
	if got := Norm(Vec{0, 0, -math.SmallestNonzeroFloat64}); got != 0 {
		t.Errorf("norm %v of what vanishes when squared", got)
	}
}
