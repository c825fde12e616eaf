package prove

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/internal/num"
)

// TestNonnegative: the minimum over x ≥ 0 is the one at which Aᵀy ≤ 0 and x·Aᵀy = 0 with
// y = b − A x, of columns that are new, equal, opposite and zero, of very different size.
func TestNonnegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 6))
	var n nonnegative
	for k := range 200 {
		rows, columns := 2+rng.IntN(4), 1+rng.IntN(9)
		n.reset(rows)
		var all [][]float64
		for j := range columns {
			a, scale := n.column(), math.Pow(10, float64(rng.IntN(7)-3))
			for i := range a {
				switch {
				case j > 0 && j%4 == 0:
					a[i] = float64(1-2*(j/4%2)) * all[j-1][i]
				case j%5 != 3:
					a[i] = scale * rng.NormFloat64()
				}
			}
			all = append(all, a)
		}
		for i := range n.b {
			n.b[i] = rng.NormFloat64()
		}
		size, y := n.solve(), slices.Clone(n.b)
		for j, a := range all {
			if !(n.x[j] >= 0) {
				t.Fatalf("problem %d: x_%d = %g", k, j, n.x[j])
			}
			for i := range y {
				y[i] -= a[i] * n.x[j]
			}
		}
		if got := num.Norm(y); math.Abs(got-size) > 1e-11 {
			t.Fatalf("problem %d: ‖b − A x‖ = %g, not %g", k, got, size)
		}
		for j, a := range all {
			w, length := 0.0, num.Norm(a)
			for i, v := range a {
				w += v * y[i]
			}
			if w > 1e-10*length || n.x[j] > 0 && math.Abs(w) > 1e-10*length {
				t.Errorf("problem %d, column %d: x = %g, Aᵀy = %g of %g", k, j, n.x[j], w, length)
			}
		}
	}
}
