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

// TestBisected: triangles and tetrahedra around a point that are divided again and again leave a mesh that is valid
// and joined, of the same size and sides; angles of triangles stay above half of the least, and tetrahedra above a
// quarter of the volume over the cube of the longest edge that the flattest one had (0.41 is what was measured).
func TestBisected(t *testing.T) {
	for _, kind := range []fem.Kind{fem.P1, fem.P2} {
		for _, c := range []struct {
			size                  []float64
			cells                 []int
			whole, surface, floor float64
			least                 func(*fem.Mesh) float64
			share                 float64
		}{
			{[]float64{1, 0.7}, []int{3, 2}, 0.7, 3.4, 1, leastAngle, 0.5},
			{[]float64{1, 0.7, 0.6}, []int{3, 2, 2}, 0.42, 2 * (0.7 + 0.6 + 0.42), 0.7, flattest, 0.25},
		} {
			d := len(c.size)
			m, err := fem.Box{Kind: kind, Corner: make([]float64, d), Size: c.size, Cells: c.cells}.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			first := c.least(m)
			for range 12 {
				var marked []int
				for k := range m.NumElems() {
					x := m.Node(m.NodesOf(k)[0])
					if math.Hypot(x[0]-0.3, x[d-1]) < 0.2 {
						marked = append(marked, k)
					}
				}
				before := m.NumElems()
				if m, err = m.Bisected(marked[:min(len(marked), 5)]); err != nil {
					t.Fatal(err)
				}
				if m.NumElems() <= before {
					t.Fatal("nothing was divided")
				}
				if err := m.CheckTopology(nil, nil); err != nil {
					t.Fatal(err)
				}
			}
			whole, surface, floor := 0.0, 0.0, 0.0
			for k := range m.NumElems() {
				whole += m.Element(k).Volume
			}
			for _, s := range m.SurfaceShares(fem.Elastic{}, nil) {
				surface += s
			}
			bottom := m.Groups["bottom"]
			for _, i := range bottom.Nodes() {
				if m.Node(i)[d-1] != 0 {
					t.Errorf("%v: node %d of the bottom at %v", kind, i, m.Node(i))
				}
			}
			for _, s := range m.CornerAreas(fem.PlaneStrain, bottom) {
				floor += s
			}
			if math.Abs(whole-c.whole) > 1e-14 || math.Abs(surface-c.surface) > 1e-13 || math.Abs(floor-c.floor) > 1e-14 ||
				c.least(m) < c.share*first {
				t.Errorf("%v, %dD: size %g, surface %g, bottom %g, least %g of %g", kind, d, whole, surface, floor, c.least(m), first)
			}
			t.Logf("%v, %dD: %d elements, the least is %g of the first", kind, d, m.NumElems(), c.least(m)/first)
		}
	}
}

// flattest is the least volume of a tetrahedron over the cube of its longest edge.
func flattest(m *fem.Mesh) float64 {
	least := math.Inf(1)
	for k := range m.NumElems() {
		n, long := m.NodesOf(k)[:4], 0.0
		for a, i := range n {
			for _, j := range n[:a] {
				x, y := m.Node(i), m.Node(j)
				long = max(long, math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]))
			}
		}
		least = min(least, m.Element(k).Volume/(long*long*long))
	}
	return least
}

// leastAngle is that of all triangles [rad].
func leastAngle(m *fem.Mesh) float64 {
	least := math.Pi
	for k := range m.NumElems() {
		n := m.NodesOf(k)
		for a := range 3 {
			x, y, z := m.Node(n[a]), m.Node(n[(a+1)%3]), m.Node(n[(a+2)%3])
			p, q := [2]float64{y[0] - x[0], y[1] - x[1]}, [2]float64{z[0] - x[0], z[1] - x[1]}
			least = min(least, math.Atan2(p[0]*q[1]-p[1]*q[0], p[0]*q[0]+p[1]*q[1]))
		}
	}
	return least
}
