package meshview

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/vec3"
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

// TestView: of a mesh in space the faces that are seen are the sides of its elements that are its
// surface, their areas those of the box, and nodes inside are none of it; of a plane one all
// elements, of a bar all pieces. Each element, or side, is one polygon of all nodes at its rim.
func TestView(t *testing.T) {
	for _, c := range []struct {
		kind         fem.Kind
		size         []float64
		cells        []int
		area         float64
		nodes        int
		faces, round int
	}{
		{fem.P1, []float64{2, 3, 4}, []int{4, 3, 5}, 2 * (6 + 8 + 12), 5*4*6 - 3*2*4, 4 * (4*3 + 4*5 + 3*5), 3},
		{fem.P2, []float64{2, 3, 4}, []int{2, 1, 1}, 2 * (6 + 8 + 12), 5*3*3 - 3*1*1, 4 * (2 + 2 + 1), 6},
		{fem.Q1, []float64{2, 3, 4}, []int{4, 3, 5}, 2 * (6 + 8 + 12), 5*4*6 - 3*2*4, 2 * (4*3 + 4*5 + 3*5), 4},
		{fem.P1, []float64{2, 3}, []int{4, 3}, 6, 5 * 4, 2 * 4 * 3, 3},
		{fem.P2, []float64{2, 3}, []int{4, 3}, 6, 9 * 7, 2 * 4 * 3, 6},
		{fem.Q1, []float64{2, 3}, []int{4, 3}, 6, 5 * 4, 4 * 3, 4},
		{fem.P1, []float64{2}, []int{4}, 2, 5, 4, 2},
		{fem.P2, []float64{2}, []int{4}, 2, 9, 8, 2},
	} {
		m, err := fem.Box{Kind: c.kind, Corner: make([]float64, len(c.size)), Size: c.size, Cells: c.cells}.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		v := NewView(m, "y")
		if len(v.Nodes) != c.nodes || len(v.Of) != c.faces || len(v.Faces) != c.faces {
			t.Errorf("%v %v: %d nodes, want %d; %d faces, %d elements, want %d", c.kind, c.cells, len(v.Nodes), c.nodes,
				len(v.Faces), len(v.Of), c.faces)
		}
		area := 0.0
		for _, f := range v.Faces {
			if len(f) != c.round {
				t.Fatalf("%v %v: a face of %d nodes, want %d", c.kind, c.cells, len(f), c.round)
			}
			a := v.at(f[0], nil)
			if len(f) == 2 {
				area += math.Abs(v.at(f[1], nil)[0] - a[0])
			}
			for i := 2; i < len(f); i++ {
				area += vec3.Norm(vec3.Cross(vec3.Add(v.at(f[i-1], nil), -1, a), vec3.Add(v.at(f[i], nil), -1, a))) / 2
			}
		}
		if math.Abs(area-c.area) > 1e-12*c.area { // sums of a hundred polygons
			t.Errorf("%v %v: the faces have %g, want %g", c.kind, c.cells, area, c.area)
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

// TestShadeOfBending: one layer of quadratic triangles, bent by the curvature κ, has σ_xx = −E κ y: the shade of each is
// that of its edge, E κ h/2, which the middle of none has.
func TestShadeOfBending(t *testing.T) {
	const young, kappa, h = 3e5, 0.01, 0.2
	m, err := fem.Box{Kind: fem.P2, Corner: []float64{0, -h / 2}, Size: []float64{2, h}, Cells: []int{8, 1}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, len(m.X))
	for i := range m.NumNodes() {
		x, y := m.X[2*i], m.X[2*i+1]
		u[2*i], u[2*i+1] = -kappa*x*y, kappa*x*x/2
	}
	v, nodal := NewView(m, "y"), fem.StressesAtNodes(m, fem.Elastic{Young: young, Kinematics: fem.PlaneStress}, u)
	shades := v.FaceStress(v.Body(u, nodal).Shade, nodal)
	for k, x := range shades {
		if want := young * kappa * h / 2; math.Abs(x-want) > 1e-9*want {
			t.Errorf("shade %d: %g Pa, want %g", k, x, want)
		}
	}
	if len(shades) != 2*m.NumElems() {
		t.Errorf("%d shades", len(shades))
	}
}
