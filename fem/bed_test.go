package fem_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestBed: the energy of a bed under the linear displacement u_y = x of a side is exact, ½k∫x², for all elements in the plane,
// as rings and in space; along the normals of the rim of a ring that grows by 1 m it is ½k times the rim.
func TestBed(t *testing.T) {
	energy := func(m *fem.Mesh, k fem.Kinematics, b fem.Bed, u []float64) float64 {
		t.Helper()
		a, err := fem.BedStiffness(m, k, []fem.Bed{b})
		if err != nil {
			t.Fatal(err)
		}
		f, sum := make([]float64, len(u)), 0.0
		a.MulVec(f, u)
		for i := range u {
			sum += f[i] * u[i] / 2
		}
		return sum
	}
	check := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%s: %g J, want %g", what, got, want)
		}
	}
	for _, kind := range []fem.Kind{fem.P1, fem.P2, fem.Q1} {
		for dim := 2; dim <= 3; dim++ {
			m, err := fem.Box{Kind: kind, Corner: make([]float64, dim), Size: []float64{2, 3, 1}[:dim], Cells: []int{3, 2, 2}[:dim]}.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			u, last := make([]float64, len(m.X)), dim-1
			for i := range m.NumNodes() {
				u[dim*i+last] = m.Node(i)[0]
			}
			width := [4]float64{2: 1, 3: 3}[dim]
			b := fem.Bed{Group: m.Groups["bottom"]}
			b.Stiffness[last] = 7
			check(kind.Name(dim)+" along an axis", energy(m, fem.PlaneStrain, b, u), 7./2*8/3*width)
			if b.Group, err = m.Inward(b.Group); err != nil {
				t.Fatal(err)
			}
			b.Stiffness = [3]float64{7}
			check(kind.Name(dim)+" along the normal", energy(m, fem.PlaneStrain, b, u), 7./2*8/3*width)
			if dim == 2 {
				check(kind.Name(dim)+" of a ring", energy(m, fem.Axisymmetric, b, u), 7./2*2*math.Pi*4)
			}
			if len(b.Holds(m)) == 0 {
				t.Error("the bed holds nothing")
			}
		}
	}
	m, err := fem.Box{Kind: fem.P2, Form: fem.Ring, Corner: []float64{1, 0}, Size: []float64{1, math.Pi / 2}, Cells: []int{2, 12}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	g, err := m.Inward(m.Groups["outer"])
	if err != nil {
		t.Fatal(err)
	}
	u := make([]float64, len(m.X))
	for i := range m.NumNodes() {
		r := math.Hypot(m.Node(i)[0], m.Node(i)[1])
		u[2*i], u[2*i+1] = m.Node(i)[0]/r, m.Node(i)[1]/r
	}
	// Quadratic arcs of 7.5° are off by their angle to the fourth over some hundreds.
	if got := energy(m, fem.PlaneStrain, fem.Bed{Group: g, Stiffness: [3]float64{7}}, u); !(math.Abs(got-7*math.Pi/2) <= 1e-5*got) {
		t.Errorf("a rim: %g J, want %g", got, 7*math.Pi/2)
	}
	if _, err := fem.BedStiffness(m, fem.PlaneStrain, []fem.Bed{{Group: fem.Group{}}}); err == nil {
		t.Error("a bed under nodes is taken")
	}
}
