package fem_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// rotation is Rodrigues' of an angle about an axis of unit length.
func rotation(axis [3]float64, angle float64) func(x [3]float64) [3]float64 {
	return func(x [3]float64) (y [3]float64) {
		along, c, s := 0.0, math.Cos(angle), math.Sin(angle)
		for k := range x {
			along += axis[k] * x[k]
		}
		for k := range x {
			i, j := (k+1)%3, (k+2)%3
			y[k] = c*x[k] + s*(axis[i]*x[j]-axis[j]*x[i]) + (1-c)*along*axis[k]
		}
		return y
	}
}

// uneven moves the nodes of a side along it at random, ends and edges staying where they are, and
// turns all: faces are not regular, and quadrilaterals no parallelograms.
func uneven(r *rand.Rand, side fem.Side, size, cell [2]float64, turn func([3]float64) [3]float64) {
	m := side.Mesh
	for _, i := range side.Group.Corners() {
		for c, x := range m.Node(i)[:2] {
			if x > 1e-9 && x < size[c]-1e-9 {
				m.Node(i)[c] += 0.35 * cell[c] * (r.Float64() - 0.5)
			}
		}
	}
	for i := range m.NumNodes() {
		x := turn([3]float64(m.Node(i)))
		copy(m.Node(i), x[:])
	}
	m.StraightenEdges(side.Group)
}

// TestMortarPatchInSpace: a uniform pressure between flat sides of any elements in space, at any angle, that do not match
// makes on both the forces that it makes by quadrature, with held nodes too; where they end differently all areas add up;
// and places are seen where they are.
func TestMortarPatchInSpace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 60 {
		ownKind, otherKind := kinds[trial%3], kinds[trial/3%3]
		turn := rotation([3]float64{0.6, 0, 0.8}, 0.1*float64(trial))
		side := func(kind fem.Kind, low float64, size [2]float64, cells []int, name string) fem.Side {
			m, err := fem.Box{Kind: kind, Corner: []float64{0, 0, low}, Size: []float64{size[0], size[1], 1}, Cells: cells}.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			s := fem.Side{Mesh: m, Group: m.Groups[name]}
			uneven(r, s, size, [2]float64{size[0] / float64(cells[0]), size[1] / float64(cells[1])}, turn)
			return s
		}
		same := trial%2 == 0
		other, size := [2]float64{2, 1.5}, [2]float64{2, 1.5}
		if !same {
			other = [2]float64{1.1 + r.Float64(), 1 + r.Float64()}
		}
		own := side(ownKind, 0, size, []int{2 + r.IntN(4), 2 + r.IntN(3), 2}, "bottom")
		faced := side(otherKind, -1, other, []int{2 + r.IntN(4), 2 + r.IntN(3), 2}, "top")
		own.Held = map[int][3]bool{}
		if corners := own.Group.Corners(); trial%4 > 1 { // a whole edge, and some others
			for _, i := range corners {
				if r.IntN(8) == 0 {
					own.Held[i] = fixed
				}
			}
			own.Held[corners[0]], own.Held[corners[1]] = fixed, fixed
		}
		what := fmt.Sprintf("trial %d, %s on %s", trial, ownKind, otherKind)
		nodes, err := fem.Mortar(own, faced, fem.PlaneStrain)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		comparePatch(t, what, own, faced, nodes, same)
		common := min(size[0], other[0]) * min(size[1], other[1])
		sum := 0.0
		for _, n := range nodes {
			sum += n.Area
		}
		if math.Abs(sum-common) > 1e-12*common {
			t.Errorf("%s: areas add up to %.15g, want %.15g", what, sum, common)
		}
	}
}

// comparePatch compares the forces of a uniform pressure.
func comparePatch(t *testing.T, what string, own, other fem.Side, nodes []fem.MortarNode, same bool) {
	t.Helper()
	onOwn, onOther := make([]float64, own.Mesh.NumNodes()), make([]float64, other.Mesh.NumNodes())
	for _, n := range nodes {
		onOwn[n.Node] += n.Area * n.Own()
		for k, h := range n.Held {
			onOwn[h] += n.Area * n.HeldWeights[k]
		}
		for k, m := range n.Masters {
			onOther[m] += n.Area * n.Weights[k]
		}
		// A node that faces the other side by a small share of its own loses as many digits.
		apart, allowed := n.Apart(own.Mesh, other.Mesh), 1e-12+1e-15/n.Area
		if vec3.Norm(apart) > allowed || math.Abs(n.Gap) > 1e-12 || own.Held[n.Node] == fixed {
			t.Errorf("%s: node %d is off by %v, gap %g, area %g", what, n.Node, apart, n.Gap, n.Area)
		}
	}
	// A pressure is a traction of the same size along the normal.
	normal := nodes[0].Frame[2]
	for k, side := range []fem.Side{own, other} {
		pressed, got := make([]float64, len(side.Mesh.X)), [][]float64{onOwn, onOther}[k]
		if err := fem.Traction(pressed, side.Mesh, steel, side.Group, normal[:]); err != nil {
			t.Fatal(err)
		}
		for i, f := range got {
			want := 0.0
			for c := range 3 {
				want += normal[c] * pressed[3*i+c]
			}
			if same && math.Abs(f-want) > 1e-13 {
				t.Errorf("%s: force at node %d of side %d is %.15g, want %.15g", what, i, k, f, want)
			}
		}
	}
}

// TestNearestFaces: where faces lie behind others, those are met that are nearest, over the parts where they are; areas add up.
func TestNearestFaces(t *testing.T) {
	for dim := 2; dim <= 3; dim++ {
		box := func(low, length float64, cells int) *fem.Mesh {
			b := fem.Box{Corner: []float64{0, 0, low}[3-dim:], Size: []float64{length, 1, 1}[:dim], Cells: []int{cells, 3, 2}[:dim]}
			m, err := b.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		// Shelves over each other, the upper one as one mesh with the lower one: its top is .1 under the side, the other's 2 more.
		upper, lower := box(-1.1, 0.55, 3), box(-3.1, 1, 4)
		first := upper.NumNodes()
		shelves := &fem.Mesh{Dim: dim, X: append(slices.Clone(upper.X), lower.X...), Elem: slices.Clone(upper.Elem),
			Groups: map[string]fem.Group{}}
		top := slices.Clone(upper.Groups["top"].Elem)
		for _, i := range lower.Elem {
			shelves.Elem = append(shelves.Elem, first+i)
		}
		for _, i := range lower.Groups["top"].Elem {
			top = append(top, first+i)
		}
		own := box(0, 1, 5)
		nodes, err := fem.Mortar(fem.Side{Mesh: own, Group: own.Groups["bottom"]},
			fem.Side{Mesh: shelves, Group: fem.Group{Dim: dim - 1, Elem: top}}, fem.PlaneStrain)
		if err != nil {
			t.Fatal(err)
		}
		var areas [2]float64
		for _, n := range nodes {
			for k, m := range n.Masters {
				which := 0
				if m >= first {
					which = 1
				}
				areas[which] += n.Area * n.Weights[k]
			}
		}
		if math.Abs(areas[0]-0.55) > 1e-13 || math.Abs(areas[1]-0.45) > 1e-13 {
			t.Errorf("dimension %d: %.15g of the upper shelf and %.15g of the lower one are met, want .55 and .45", dim, areas[0], areas[1])
		}
	}
}
