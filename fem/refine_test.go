package fem_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestRefined: volume and area of every group stay, nodes keep their numbers, all is as Validate
// and CheckTopology ask, elements have 2^-Dim of the volume, and no shape gets worse by repetition.
func TestRefined(t *testing.T) {
	for dim := 1; dim <= 3; dim++ {
		box := fem.Box{Corner: make([]float64, dim), Size: []float64{1, 0.7, 0.4}[:dim], Cells: []int{3, 2, 1}[:dim]}
		m, err := box.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, uint64(dim)))
		for i := range m.X { // no symmetry
			m.X[i] += 0.03 * r.Float64()
		}
		first := worst(m)
		for range 3 {
			fine, err := m.Refined()
			if err == nil {
				err = fine.CheckTopology(nil, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			if fine.NumElems() != m.NumElems()<<dim {
				t.Errorf("%d elements of %d in dimension %d", fine.NumElems(), m.NumElems(), dim)
			}
			for i := range m.X {
				if m.X[i] != fine.X[i] {
					t.Fatalf("coordinate %d moves", i)
				}
			}
			for k := range fine.NumElems() {
				want := m.Element(k>>dim).Volume / float64(int(1)<<dim)
				if got := fine.Element(k).Volume; math.Abs(got-want) > 1e-12*want {
					t.Fatalf("element %d has the volume %g, want %g", k, got, want)
				}
			}
			e := fem.Elastic{Young: 1}
			for name, g := range m.Groups {
				if g.Dim != dim-1 {
					continue
				}
				one := make([]float64, dim)
				one[0] = 1
				a, b := make([]float64, len(m.X)), make([]float64, len(fine.X))
				if err := fem.Traction(a, m, e, g, one); err != nil {
					t.Fatal(err)
				}
				if err := fem.Traction(b, fine, e, fine.Groups[name], one); err != nil {
					t.Fatal(err)
				}
				if x, y := sum(a), sum(b); math.Abs(x-y) > 1e-12*x {
					t.Errorf("group %s has the size %g, was %g", name, y, x)
				}
			}
			m = fine
		}
		if w := worst(m); w < first/3 { // Bey's classes are few
			t.Errorf("dimension %d: shapes fell from %.3g to %.3g", dim, first, w)
		}
	}
}

// worst is the least volume over the longest edge to the power of the dimension.
func worst(m *fem.Mesh) float64 {
	least := math.Inf(1)
	for k := range m.NumElems() {
		s, long := m.Element(k), 0.0
		for a := range m.Dim + 1 {
			for b := range a {
				d := 0.0
				for c, x := range m.Node(s.Nodes[a]) {
					d += (x - m.Node(s.Nodes[b])[c]) * (x - m.Node(s.Nodes[b])[c])
				}
				long = max(long, math.Sqrt(d))
			}
		}
		least = min(least, s.Volume/math.Pow(long, float64(m.Dim)))
	}
	return least
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}
