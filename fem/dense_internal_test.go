package fem

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSolveDense: systems whose rows have been exchanged at random, the diagonal full of zeros
// and of tiny numbers, have the solutions that they were made of; dependent rows are refused.
func TestSolveDense(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 6; n++ {
		for range 60 {
			// Rows with a dominant entry each, in a random order: the condition is below 10.
			a, b, x := make([]float64, n*n), make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			for i, p := range r.Perm(n) {
				for j := range n {
					a[i*n+j] = []float64{0, 1e-17, 2*r.Float64() - 1}[r.IntN(3)] / float64(n)
				}
				a[i*n+p] += 2
				for j := range n {
					b[i] += a[i*n+j] * x[j]
				}
			}
			if err := solveDense(a, b); err != nil {
				t.Fatal(err)
			}
			for i := range x {
				if !(math.Abs(b[i]-x[i]) <= 1e-13) { // 10·6·2⁻⁵³ and room
					t.Fatalf("order %d: x[%d] = %g, want %g", n, i, b[i], x[i])
				}
			}
		}
	}
	for _, a := range [][]float64{{0}, {1, 2, 2, 4}, {0, 0, 0, 0}, {1, 2, 3, 4, 5, 6, 5, 7, 9}, {math.NaN()}} {
		n := int(math.Sqrt(float64(len(a))))
		if err := solveDense(a, make([]float64, n)); err == nil {
			t.Errorf("%v was solved", a)
		}
	}
}

// TestRingMass: with functions f and g linear in a triangle, Σ f_p m_pq g_q = 2π ∫ r f g,
// which is found by Gauss's rule for the fourth degree here.
func TestRingMass(t *testing.T) {
	m := &Mesh{Dim: 2, X: []float64{1, 0, 3, 0.5, 1.5, 2}, Elem: []int{0, 1, 2}}
	s := m.Element(0)
	// The rule of seven points of Radon, weights of the unit area.
	q, w := math.Sqrt(15), [3]float64{9. / 40, 0, 0}
	w[1], w[2] = (155-q)/1200, (155+q)/1200
	points := [][3]float64{{1. / 3, 1. / 3, 1. / 3}}
	weights := []float64{w[0]}
	for k, a := range [2]float64{(6 - q) / 21, (6 + q) / 21} {
		for i := range 3 {
			l := [3]float64{a, a, a}
			l[i] = 1 - 2*a
			points, weights = append(points, l), append(weights, w[k+1])
		}
	}
	for p := range 3 {
		for o := range 3 {
			want := 0.0
			for k, l := range points {
				r := l[0]*m.X[0] + l[1]*m.X[2] + l[2]*m.X[4]
				want += 2 * math.Pi * s.Volume * weights[k] * r * l[p] * l[o]
			}
			e, x := Elastic{Kinematics: Axisymmetric}, element{}
			m.evaluate(&x, 0, &e)
			if got := m.massEntry(&x, 0, &e, Consistent, p, o); !(math.Abs(got-want) <= 1e-14*math.Abs(want)) {
				t.Errorf("entry (%d, %d) is %.17g, want %.17g", p, o, got, want)
			}
		}
	}
}
