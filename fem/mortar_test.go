package fem_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// sideOf is a side of a block of the height 1 at corner.
func sideOf(t *testing.T, kind fem.Kind, corner, length float64, cells int, name string) fem.Side {
	t.Helper()
	low := 0.0
	if name == "top" {
		low = -1
	}
	m, err := fem.Box{Kind: kind, Corner: []float64{corner, low}, Size: []float64{length, 1}, Cells: []int{cells, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	m.StraightenEdges(m.Groups[name])
	return fem.Side{Mesh: m, Group: m.Groups[name]}
}

// TestMortarPatch: a uniform pressure between flat sides that do not match makes on both the forces
// that it makes by quadrature, of plane bodies and rings, where one is shorter than the other too;
// and places are seen where they are: weights take linear functions to their values.
func TestMortarPatch(t *testing.T) {
	for _, kind := range kinds {
		for _, kinematics := range []fem.Kinematics{fem.PlaneStrain, fem.Axisymmetric} {
			for _, shape := range []struct{ corner, length float64 }{{0, 3}, {0.5, 2}, {1.3, 1.1}} { // of the other side
				own, other := sideOf(t, kind, 0, 3, 7, "bottom"), sideOf(t, kind, shape.corner, shape.length, 5, "top")
				nodes, err := fem.Mortar(own, other, kinematics)
				if err != nil {
					t.Fatal(err)
				}
				onOther, total := make([]float64, other.Mesh.NumNodes()), 0.0
				for _, n := range nodes {
					place := [2]float64{}
					for k, m := range n.Masters {
						onOther[m] += n.Area * n.Weights[k]
						for c, x := range other.Mesh.Node(m) {
							place[c] += n.Weights[k] * x
						}
					}
					total += n.Area
					for c, x := range own.Mesh.Node(n.Node) {
						if math.Abs(place[c]-x) > 1e-13 || math.Abs(n.Gap) > 1e-13 || n.Frame[1] != [3]float64{0, 1} {
							t.Errorf("%s, %v: node %d at %v is seen at %v, gap %g, frame %v", kind, shape, n.Node, own.Mesh.Node(n.Node), place, n.Gap, n.Frame)
							break
						}
					}
					if want := shape.length / 5 / (3. / 7); math.Abs(n.Finer-want) > 1e-13 {
						t.Errorf("%s, %v: node %d faces edges longer by %g, want %g", kind, shape, n.Node, n.Finer, want)
					}
					if n.Area <= 0 {
						t.Errorf("%s, %v: node %d has the share %g", kind, shape, n.Node, n.Area)
					}
				}
				pressed := make([]float64, len(other.Mesh.X))
				e := steel
				e.Kinematics = kinematics
				if err := fem.Traction(pressed, other.Mesh, e, other.Group, []float64{0, 1}); err != nil {
					t.Fatal(err)
				}
				sum := 0.0
				for i, f := range onOther {
					sum += pressed[2*i+1]
					if math.Abs(f-pressed[2*i+1]) > 1e-13*(1+math.Abs(f)) {
						t.Errorf("%s, %s, %v: force at node %d is %.15g, want %.15g", kind, kinematics, shape, i, f, pressed[2*i+1])
					}
				}
				if math.Abs(total-sum) > 1e-12*sum {
					t.Errorf("%s, %s, %v: areas add up to %.15g, want %.15g", kind, kinematics, shape, total, sum)
				}
			}
		}
	}
}

// TestMortarRound: between polygons round each other weights add up to one, normals are those of the
// circle, and the gap is the distance to the order h². Edges that look away are not seen.
func TestMortarRound(t *testing.T) {
	ring := func(inner, outer, angle float64, cells int, name string) fem.Side {
		m, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 1}, Cells: []int{2, cells}}.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.NumNodes() {
			r, phi := inner+(outer-inner)*m.X[2*i], angle*m.X[2*i+1]
			m.X[2*i], m.X[2*i+1] = r*math.Cos(phi), r*math.Sin(phi)
		}
		return fem.Side{Mesh: m, Group: m.Groups[name]}
	}
	errors := []float64{}
	for _, cells := range []int{12, 24} {
		hole, shaft := ring(1.1, 2, 3, cells, "left"), ring(0.5, 1, 3, cells*3/2, "right")
		nodes, err := fem.Mortar(hole, shaft, fem.PlaneStrain)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for _, n := range nodes {
			sum := 0.0
			for _, w := range n.Weights {
				sum += w
			}
			x := hole.Mesh.Node(n.Node)
			along := (n.Frame[1][0]*x[0] + n.Frame[1][1]*x[1]) / 1.1
			if math.Abs(sum-1) > 1e-13 || along < 1-1.1*math.Pow(1.5/float64(cells), 2)/2 { // at the ends the normal is that of one edge
				t.Errorf("node %d: sum of weights %.15g, normal along the radius %g", n.Node, sum, along)
			}
			worst = max(worst, math.Abs(n.Gap-0.1))
		}
		errors = append(errors, worst)
		if len(nodes) != cells+1 {
			t.Errorf("%d of %d nodes face the shaft", len(nodes), cells+1)
		}
	}
	if errors[0] > 0.02 || errors[1] > errors[0]/3 {
		t.Errorf("errors of the gap %v, want the order h²", errors)
	}
	out := sideOf(t, fem.P1, 0, 3, 7, "bottom")
	if _, err := fem.Mortar(out, sideOf(t, fem.P1, 0, 3, 5, "bottom"), fem.PlaneStrain); err == nil || !strings.Contains(err.Error(), "no edge of the one side faces the other") {
		t.Errorf("sides that look away: %v", err)
	}
	out.Group.Elem = slices.Clone(out.Group.Elem)
	out.Group.Elem[1] = 9
	if _, err := fem.Mortar(out, out, fem.PlaneStrain); err == nil || !strings.Contains(err.Error(), "is not on the boundary") {
		t.Errorf("an edge within: %v", err)
	}
}
