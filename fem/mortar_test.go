package fem_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// fixed is held along all axes.
var fixed = [3]bool{true, true, true}

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
// that it makes by quadrature, of plane bodies and rings, where one is shorter than the other and where nodes are
// held too; and places are seen where they are: weights take linear functions to their values.
func TestMortarPatch(t *testing.T) {
	for _, kind := range kinds {
		for _, kinematics := range []fem.Kinematics{fem.PlaneStrain, fem.Axisymmetric} {
			for _, shape := range []struct{ corner, length float64 }{{0, 3}, {0.5, 2}, {1.3, 1.1}} { // of the other side
				for _, held := range [][]int{nil, {0}, {3}, {0, 2, 7}, {0, 1}} { // corners of the own side, from the left
					patch(t, kind, kinematics, shape.corner, shape.length, held)
				}
			}
		}
	}
	own := sideOf(t, fem.P1, 0, 3, 7, "bottom")
	own.Held = map[int][3]bool{1: fixed, 2: fixed, 3: fixed, 4: fixed}
	if _, err := fem.Mortar(own, sideOf(t, fem.P1, 0, 3, 5, "top"), fem.PlaneStrain); err == nil ||
		!strings.Contains(err.Error(), "and all beside it are held") {
		t.Errorf("an edge whose ends are held: %v", err)
	}
}

func patch(t *testing.T, kind fem.Kind, kinematics fem.Kinematics, corner, length float64, held []int) {
	t.Helper()
	own, other := sideOf(t, kind, 0, 3, 7, "bottom"), sideOf(t, kind, corner, length, 5, "top")
	at := func(what string) string {
		return fmt.Sprintf("%s, %s, [%g %g], held %v: %s", kind, kinematics, corner, corner+length, held, what)
	}
	own.Held = map[int][3]bool{}
	for _, k := range held {
		own.Held[slices.Sorted(slices.Values(own.Group.Corners()))[k]] = fixed
	}
	nodes, err := fem.Mortar(own, other, kinematics)
	if err != nil {
		t.Fatal(err)
	}
	onOwn, onOther := make([]float64, own.Mesh.NumNodes()), make([]float64, other.Mesh.NumNodes())
	for _, n := range nodes {
		onOwn[n.Node] += n.Area * n.Own()
		for k, h := range n.Held {
			onOwn[h] += n.Area * n.HeldWeights[k]
			if own.Held[h] != fixed {
				t.Errorf("%s: node %d is not", at("is held"), h)
			}
		}
		for k, m := range n.Masters {
			onOther[m] += n.Area * n.Weights[k]
		}
		apart := n.Apart(own.Mesh, other.Mesh)
		if math.Hypot(apart[0], apart[1]) > 1e-13 || math.Abs(n.Gap) > 1e-13 || n.Frame[1] != [3]float64{0, 1} || own.Held[n.Node] == fixed {
			t.Errorf("%s %d at %v is off by %v, gap %g, frame %v", at("node"), n.Node, own.Mesh.Node(n.Node), apart, n.Gap, n.Frame)
		}
		if want := length / 5 / (3. / 7); math.Abs(n.Finer-want) > 1e-13 {
			t.Errorf("%s %d faces edges longer by %g, want %g", at("node"), n.Node, n.Finer, want)
		}
		if n.Area <= 0 {
			t.Errorf("%s %d has the share %g", at("node"), n.Node, n.Area)
		}
	}
	e := steel
	e.Kinematics = kinematics
	var totals [2]float64
	for k, side := range []fem.Side{own, other} {
		pressed, got := make([]float64, len(side.Mesh.X)), [][]float64{onOwn, onOther}[k]
		if err := fem.Traction(pressed, side.Mesh, e, side.Group, []float64{0, 1}); err != nil {
			t.Fatal(err)
		}
		for i, f := range got {
			totals[k] += f
			if (k == 1 || length == 3) && math.Abs(f-pressed[2*i+1]) > 1e-13*(1+math.Abs(f)) {
				t.Errorf("%s %d of side %d is %.15g, want %.15g", at("force at node"), i, k, f, pressed[2*i+1])
			}
		}
	}
	if math.Abs(totals[0]-totals[1]) > 1e-12*totals[1] {
		t.Errorf("%s %.15g, want %.15g", at("areas add up to"), totals[0], totals[1])
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
	if _, err := fem.Mortar(out, sideOf(t, fem.P1, 0, 3, 5, "bottom"), fem.PlaneStrain); err == nil ||
		!strings.Contains(err.Error(), "no edge or face of the one side faces the other") {
		t.Errorf("sides that look away: %v", err)
	}
	out.Group.Elem = slices.Clone(out.Group.Elem)
	out.Group.Elem[1] = 9
	if _, err := fem.Mortar(out, out, fem.PlaneStrain); err == nil || !strings.Contains(err.Error(), "is not on the boundary") {
		t.Errorf("an edge within: %v", err)
	}
}
