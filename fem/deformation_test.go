package fem_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestDeformation: it is ε of a uniform stretch by 1 + ε, 2 sin φ/2 of a turn by φ, and 0 of a shift, on all elements; of a ring
// that widens by w it is w/r at the smallest radius.
func TestDeformation(t *testing.T) {
	const epsilon, phi = 0.03, 0.2
	for _, kind := range []fem.Kind{fem.P1, fem.Q1} {
		for dim := 2; dim <= 3; dim++ {
			b := fem.Box{Size: []float64{1, 0.7, 0.4}[:dim], Cells: []int{3, 2, 2}[:dim], Kind: kind, Corner: []float64{0.5, 0, 0}[:dim]}
			m, err := b.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			stretched, turned, shifted := make([]float64, len(m.X)), make([]float64, len(m.X)), make([]float64, len(m.X))
			for i, x := range m.X {
				stretched[i], shifted[i] = epsilon*x, 7
			}
			for i := range m.NumNodes() {
				x, y := m.X[dim*i], m.X[dim*i+1]
				turned[dim*i] = math.Cos(phi)*x - math.Sin(phi)*y - x
				turned[dim*i+1] = math.Sin(phi)*x + math.Cos(phi)*y - y
			}
			for _, c := range []struct {
				u    []float64
				want float64
				k    fem.Kinematics
			}{{stretched, epsilon, 0}, {turned, 2 * math.Sin(phi/2), 0}, {shifted, 0, 0}, {shifted, 7 / 0.5, fem.Axisymmetric}} {
				if got := m.Deformation(c.u, c.k); math.Abs(got-c.want) > 1e-14*max(1, c.want) {
					t.Errorf("%v in %d dimensions: %g, want %g", kind, dim, got, c.want)
				}
			}
		}
	}
}
