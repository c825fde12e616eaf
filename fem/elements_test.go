package fem_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

var kinds = []fem.Kind{fem.P1, fem.P2, fem.Q1}

// TestRingPatch: u_r = a r, u_z = b z + c on the boundary of a section makes it everywhere, also at
// the axis: stiffness by quadrature holds 1/r. Affine triangles have one point and are not asked.
func TestRingPatch(t *testing.T) {
	for _, kind := range []fem.Kind{fem.P2, fem.Q1} {
		m := boxOf(t, kind, []float64{1, 1}, 4, 3)
		shake(m, 0.05)
		e := steel
		e.Kinematics, e.Poisson = fem.Axisymmetric, 0.4
		a, err := fem.Stiffness(m, e)
		if err != nil {
			t.Fatal(err)
		}
		u := make([]float64, len(m.X))
		for i := range m.NumNodes() {
			u[2*i], u[2*i+1] = 0.02*m.X[2*i], 0.01-0.03*m.X[2*i+1]
		}
		got := solve(t, a, make([]float64, a.N), u, allDofs(2, boundary(m)))
		for i := range got {
			if math.Abs(got[i]-u[i]) > 1e-13 {
				t.Errorf("%s: dof %d: %g, want %g", kind, i, got[i], u[i])
			}
		}
		for i, s := range fem.StressesAtNodes(m, e, got) {
			lambda, mu := e.Lame(2)
			want := fem.Tensor{lambda*0.01 + 2*mu*0.02, lambda*0.01 - 2*mu*0.03, lambda*0.01 + 2*mu*0.02}
			for c := range want {
				if math.Abs(s[c]-want[c]) > 1e-9 { // of 30 Pa
					t.Errorf("%s: stress at node %d: %v, want %v", kind, i, s, want)
					break
				}
			}
		}
	}
}

// TestPressureShares: a uniform pressure on faces in contact makes forces at their corners that are
// all positive and add up to it, and none elsewhere.
func TestPressureShares(t *testing.T) {
	for _, kind := range kinds {
		for _, cells := range [][]int{{3, 2}, {2, 3, 1}} {
			m := boxOf(t, kind, []float64{1, 1, 1}[:len(cells)], cells...)
			g := m.Groups["bottom"]
			m.StraightenEdges(g)
			load := make([]float64, len(m.X))
			if err := fem.Traction(load, m, steel, g, []float64{0, 0, 1}[3-len(cells):]); err != nil {
				t.Fatal(err)
			}
			left := 1.0
			for _, i := range g.Corners() {
				f := load[m.Dim*i+m.Dim-1]
				if !(f > 0.01) {
					t.Errorf("%s, dimension %d: corner %d bears %g", kind, m.Dim, i, f)
				}
				left -= f
				load[m.Dim*i+m.Dim-1] = 0
			}
			for i, f := range load {
				if math.Abs(f) > 1e-15 || math.Abs(left) > 1e-14 {
					t.Errorf("%s, dimension %d: dof %d bears %g, corners lack %g", kind, m.Dim, i, f, left)
				}
			}
		}
	}
}

// cook is Cook's membrane: corners (0, 0), (48, 44), (48, 60), (0, 44), held at the left, pulled
// up at the right by 100 in all; it returns the rise of the upper right corner and the number of
// unknowns.
func cook(t testing.TB, kind fem.Kind, cells int, poisson float64) (rise float64, dofs int) {
	t.Helper()
	m := boxOf(t, kind, []float64{1, 1}, cells, cells)
	for i := range m.NumNodes() {
		x, y := m.X[2*i], m.X[2*i+1]
		m.X[2*i], m.X[2*i+1] = 48*x, 44*x+y*(44-28*x)
	}
	e := fem.Elastic{Young: 250, Poisson: poisson}
	a, err := fem.Stiffness(m, e)
	if err != nil {
		t.Fatal(err)
	}
	load := make([]float64, a.N)
	if err := fem.Traction(load, m, e, m.Groups["right"], []float64{0, 100. / 16}); err != nil {
		t.Fatal(err)
	}
	u := solve(t, a, load, make([]float64, a.N), allDofs(2, m.Groups["left"].Nodes()))
	return u[a.N-1], a.N
}

// TestCook: with at most 9,000 unknowns within 1 % of what GetFEM has with 33,282 of quadratic
// triangles, 7.669 (fine meshes of Q1 converge to 7.769); linear triangles are far off.
func TestCook(t *testing.T) {
	for kind, cells := range map[fem.Kind]int{fem.P1: 64, fem.P2: 32, fem.Q1: 64} {
		rise, dofs := cook(t, kind, cells, 0.4999)
		t.Logf("%s: %d unknowns, %.5f", kind, dofs, rise)
		if good := math.Abs(rise/7.669-1) < 0.01; good != (kind != fem.P1) || dofs > 9000 {
			t.Errorf("%s: %.4f with %d unknowns", kind, rise, dofs)
		}
	}
}

// TestCantilever: 10:1, plane stress, against Timoshenko's solution, of which its ends have the
// tractions: at most 500 unknowns and 1 %.
func TestCantilever(t *testing.T) {
	const long, high, load = 10.0, 1.0, 1.0
	for kind, cells := range map[fem.Kind][]int{fem.P1: {40, 4}, fem.P2: {16, 3}, fem.Q1: {48, 4}} {
		m := boxOf(t, kind, []float64{long, high}, cells...)
		e := fem.Elastic{Young: 1000, Poisson: 0.3, Kinematics: fem.PlaneStress}
		a, err := fem.Stiffness(m, e)
		if err != nil {
			t.Fatal(err)
		}
		f := make([]float64, a.N)
		if err := fem.Traction(f, m, e, m.Groups["right"], []float64{0, load / high}); err != nil {
			t.Fatal(err)
		}
		u := solve(t, a, f, make([]float64, a.N), allDofs(2, m.Groups["left"].Nodes()))
		inertia := high * high * high / 12
		want := load*long*long*long/(3*e.Young*inertia) + (4+5*e.Poisson)*high*high*long*load/(24*e.Young*inertia)
		t.Logf("%s: %d unknowns, %.5f of Timoshenko's", kind, a.N, u[a.N-1]/want)
		if math.Abs(u[a.N-1]/want-1) < 0.01 != (kind == fem.P2) || kind == fem.P2 && a.N > 500 {
			t.Errorf("%s: %.4f with %d unknowns", kind, u[a.N-1]/want, a.N)
		}
	}
}

// TestRefinedKinds: elements have 2^-Dim of the volume, all is as Validate and CheckTopology ask,
// nodes stay, groups keep their size; of curved elements the union stays the same.
func TestRefinedKinds(t *testing.T) {
	for name, m := range meshes(t) {
		fine, err := m.Refined()
		if err == nil {
			err = fine.CheckTopology(nil, nil)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if fine.NumElems() != m.NumElems()<<m.Dim || fine.Kind != m.Kind {
			t.Errorf("%s: %d elements of %d", name, fine.NumElems(), m.NumElems())
		}
		for i := range m.X {
			if m.X[i] != fine.X[i] {
				t.Fatalf("%s: coordinate %d moves", name, i)
			}
		}
		volumes := func(m *fem.Mesh) float64 {
			load, one := make([]float64, len(m.X)), make([]float64, m.Dim)
			one[0] = 1
			fem.BodyForce(load, m, steel, one)
			return sum(load)
		}
		if v, w := volumes(m), volumes(fine); math.Abs(v-w) > 1e-13 {
			t.Errorf("%s: volume %g, was %g", name, w, v)
		}
		for group, g := range m.Groups {
			if a, b := g.Nodes(), fine.Groups[group].Nodes(); g.Dim > 0 && len(b) <= len(a) {
				t.Errorf("%s: group %s has %d nodes, had %d", name, group, len(b), len(a))
			}
		}
	}
}

// TestRefinedCurve: the arc of a quadratic element stays on its parabola.
func TestRefinedCurve(t *testing.T) {
	m := boxOf(t, fem.P2, []float64{1, 1}, 1, 1)
	bend := func(x float64) float64 { return 0.2 * x * (1 - x) }
	for i := range m.NumNodes() {
		m.X[2*i+1] += bend(m.X[2*i])
	}
	fine, err := m.Refined()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range fine.Groups["bottom"].Nodes() {
		if x, y := fine.X[2*i], fine.X[2*i+1]; math.Abs(y-bend(x)) > 1e-15 {
			t.Errorf("(%g, %g) is off the curve by %g", x, y, y-bend(x))
		}
	}
}

// TestCut: the simplices that elements are cut into have their volume and the same orientation.
func TestCut(t *testing.T) {
	for _, kind := range kinds {
		for dim := 1; dim <= 3; dim++ {
			m := boxOf(t, kind, []float64{1, 2, 3}[:dim], []int{2, 1, 1}[:dim]...)
			nodes, of := m.Simplices()
			s := &fem.Mesh{Dim: dim, X: m.X, Elem: nodes}
			volume := 0.0
			for k := range s.NumElems() {
				v := s.Element(k).Volume
				volume += v
				if !(v > 0) {
					t.Errorf("%s: simplex %d has the volume %g", kind.Name(dim), k, v)
				}
			}
			want := []float64{1: 1, 2: 2, 3: 6}[dim]
			if math.Abs(volume-want) > 1e-14 || len(of) != s.NumElems() || of[len(of)-1] != m.NumElems()-1 {
				t.Errorf("%s: %g, want %g; %d of %d", kind.Name(dim), volume, want, len(of), s.NumElems())
			}
			surface, owner := m.Surface()
			if want := []int{1: 2, 2: 6, 3: 10}[dim]; dim < 3 && kind == fem.Q1 && len(owner) != want {
				t.Errorf("%s: %d facets, want %d", kind.Name(dim), len(owner), want)
			}
			load, one := make([]float64, len(m.X)), make([]float64, dim)
			one[0] = 1
			if err := fem.Traction(load, m, fem.Elastic{Young: 1}, surface, one); err != nil {
				t.Fatal(err)
			}
			if want := []float64{1: 2, 2: 6, 3: 22}[dim]; math.Abs(sum(load)-want) > 1e-13 {
				t.Errorf("%s: surface %g, want %g", kind.Name(dim), sum(load), want)
			}
		}
	}
}

// gmsh writes a box as a file of Gmsh: its number of a form is that of kind and dimension.
func gmsh(m *fem.Mesh, form [4]int, swap bool) string {
	var nodes, elems strings.Builder
	for i := range m.NumNodes() {
		x := [3]float64{}
		copy(x[:], m.Node(i))
		fmt.Fprintf(&nodes, "%d %.17g %.17g %.17g\n", i+1, x[0], x[1], x[2])
	}
	count := 0
	write := func(dim, tag int, list []int, each int) {
		for k := 0; k < len(list); k += each {
			e := append([]int(nil), list[k:k+each]...)
			if swap && dim == 3 {
				e[8], e[9] = e[9], e[8]
			}
			count++
			fmt.Fprintf(&elems, "%d %d 2 %d 1", count, form[dim], tag)
			for _, i := range e {
				fmt.Fprintf(&elems, " %d", i+1)
			}
			elems.WriteString("\n")
		}
	}
	bottom := m.Groups["bottom"]
	write(m.Dim-1, 1, bottom.Elem, len(bottom.Elem)/len(bottom.Outlines()))
	write(m.Dim, 2, m.Elem, len(m.Elem)/m.NumElems())
	return fmt.Sprintf("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n%d 1 \"bottom\"\n$EndPhysicalNames\n$Nodes\n%d\n%s$EndNodes\n$Elements\n%d\n%s$EndElements\n",
		m.Dim-1, m.NumNodes(), nodes.String(), count, elems.String())
}

// TestGmshKinds: elements of second order and quadrilaterals and hexahedra are read as what they are.
func TestGmshKinds(t *testing.T) {
	for _, c := range []struct {
		kind  fem.Kind
		cells []int
		form  [4]int
	}{{fem.P2, []int{2, 1}, [4]int{1: 8, 2: 9}}, {fem.P2, []int{2, 1, 1}, [4]int{2: 9, 3: 11}},
		{fem.Q1, []int{2, 1}, [4]int{1: 1, 2: 3}}, {fem.Q1, []int{2, 1, 1}, [4]int{2: 3, 3: 5}}} {
		want := boxOf(t, c.kind, []float64{1, 1, 1}[:len(c.cells)], c.cells...)
		got, err := fem.ReadGmsh(context.Background(), strings.NewReader(gmsh(want, c.form, c.kind == fem.P2)))
		if err != nil {
			t.Fatal(err)
		}
		if got.Kind != c.kind || fmt.Sprint(got.Elem) != fmt.Sprint(want.Elem) ||
			fmt.Sprint(got.Groups["bottom"]) != fmt.Sprint(want.Groups["bottom"]) {
			t.Errorf("%s: %s with the elements %v, want %v", c.kind.Name(got.Dim), got.Kind, got.Elem, want.Elem)
		}
	}
}
