package meshview

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
)

// block returns the mesh of a box with a corner at the origin.
func block(t *testing.T, size []float64, cells ...int) *fem.Mesh {
	t.Helper()
	m, err := fem.Box{Corner: make([]float64, len(size)), Size: size, Cells: cells}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestView: of a mesh in space the faces that are seen are its surface, their areas those of
// the box, and nodes inside are none of it; of a plane one all elements, of a bar all pieces.
func TestView(t *testing.T) {
	for _, c := range []struct {
		size  []float64
		cells []int
		area  float64
		nodes int
	}{
		{[]float64{2, 3, 4}, []int{4, 3, 5}, 2 * (6 + 8 + 12), 5*4*6 - 3*2*4},
		{[]float64{2, 3}, []int{4, 3}, 6, 5 * 4},
		{[]float64{2}, []int{4}, 2, 5},
	} {
		v := NewView(block(t, c.size, c.cells...))
		if len(v.Nodes) != c.nodes || len(v.Of) != len(v.Faces) {
			t.Errorf("%v: %d nodes, want %d; %d faces, %d elements", c.cells, len(v.Nodes), c.nodes, len(v.Faces), len(v.Of))
		}
		area := 0.0
		for _, f := range v.Faces {
			a, b := v.at(f[0], nil), v.at(f[1], nil)
			if len(f) == 2 {
				area += math.Abs(b[0] - a[0])
				continue
			}
			x := v.at(f[2], nil)
			for i := range 3 {
				b[i], x[i] = b[i]-a[i], x[i]-a[i]
			}
			area += math.Hypot(math.Hypot(b[1]*x[2]-b[2]*x[1], b[2]*x[0]-b[0]*x[2]), b[0]*x[1]-b[1]*x[0]) / 2
		}
		if math.Abs(area-c.area) > 1e-12*c.area { // sums of a hundred triangles
			t.Errorf("%v: the faces have %g, want %g", c.cells, area, c.area)
		}
	}
}

// TestContactShares: a pressure over the shares of the nodes is the force on the bottom:
// their sum is its length or area, and those at its ends have half of one inside.
func TestContactShares(t *testing.T) {
	for _, c := range []struct {
		size  []float64
		cells []int
		area  float64
	}{{[]float64{2, 1}, []int{4, 2}, 2}, {[]float64{2, 3, 1}, []int{2, 3, 2}, 6}} {
		m := &elastic.Model{Mesh: block(t, c.size, c.cells...), Material: fem.Elastic{Young: 1, Density: 1}}
		for _, i := range m.Mesh.Groups["bottom"].Nodes() {
			m.Contacts = append(m.Contacts, fem.ContactNode{Node: i})
		}
		sum := 0.0
		for _, s := range contactShares(m) {
			sum += s
		}
		if math.Abs(sum-c.area) > 1e-13*c.area {
			t.Errorf("%v: the shares add up to %g, want %g", c.cells, sum, c.area)
		}
		if c.size[len(c.size)-1] == 1 && len(c.size) == 2 {
			for k, s := range contactShares(m) {
				x := m.Mesh.Node(m.Contacts[k].Node)[0]
				want := 0.5
				if x == 0 || x == 2 {
					want = 0.25
				}
				if math.Abs(s-want) > 1e-14 {
					t.Errorf("x = %g: share %g, want %g", x, s, want)
				}
			}
		}
	}
}
