package fem_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/fem"
)

// affine is the displacement u = G x of all nodes.
func affine(m *fem.Mesh, g [3][3]float64) []float64 {
	u := make([]float64, len(m.X))
	for i := range m.NumNodes() {
		for a := range m.Dim {
			for c, x := range m.Node(i) {
				u[m.Dim*i+a] += g[a][c] * x
			}
		}
	}
	return u
}

// TestHooke: the states that are known of each kinematics: tension of a bar, of a plate in
// plane stress, which thins, and a ring that widens and grows longer.
func TestHooke(t *testing.T) {
	const young, nu, a, b = 7.0, 0.3, 0.01, -0.02
	lambda, mu := young*nu/((1+nu)*(1-2*nu)), young/(2*(1+nu))
	for _, c := range []struct {
		name string
		m    *fem.Mesh
		kind fem.Kinematics
		g    [3][3]float64
		want fem.Tensor
		wave float64 // Young's modulus of waves
	}{
		{"bar", box(t, []float64{2}, 3), fem.PlaneStrain, [3][3]float64{{a}}, fem.Tensor{young * a}, young},
		{"plate", box(t, []float64{2, 1}, 2, 2), fem.PlaneStress, [3][3]float64{{a, 0, 0}, {0, -nu * a, 0}},
			fem.Tensor{young * a}, young / (1 - nu*nu)},
		{"plate with shear", box(t, []float64{2, 1}, 2, 2), fem.PlaneStress, [3][3]float64{{a, b, 0}, {b, -nu * a, 0}},
			fem.Tensor{young * a, 0, 0, 2 * mu * b}, young / (1 - nu*nu)},
		{"strip", box(t, []float64{2, 1}, 2, 2), fem.PlaneStrain, [3][3]float64{{a, 0, 0}, {0, b, 0}},
			fem.Tensor{lambda*(a+b) + 2*mu*a, lambda*(a+b) + 2*mu*b, lambda * (a + b)}, lambda + 2*mu},
		{"ring", box(t, []float64{2, 1}, 2, 2), fem.Axisymmetric, [3][3]float64{{a, 0, 0}, {0, b, 0}},
			fem.Tensor{lambda*(2*a+b) + 2*mu*a, lambda*(2*a+b) + 2*mu*b, lambda*(2*a+b) + 2*mu*a}, lambda + 2*mu},
	} {
		e := fem.Elastic{Young: young, Poisson: nu, Density: 2, Kinematics: c.kind}
		for k, s := range fem.Stresses(c.m, e, affine(c.m, c.g)) {
			for i := range s {
				near(t, fmt.Sprintf("%s, element %d, stress %d", c.name, k, i), s[i], c.want[i], 1e-15*young)
			}
		}
		near(t, c.name+": wave", e.WaveSpeed(c.m.Dim), math.Sqrt(c.wave/2), 1e-15*math.Sqrt(c.wave))
	}
}

// TestNodalStresses: a node has the mean of its elements by their volumes.
func TestNodalStresses(t *testing.T) {
	m := &fem.Mesh{Dim: 2, X: []float64{0, 0, 1, 0, 1, 1, 4, 0}, Elem: []int{0, 1, 2, 1, 3, 2}} // of ½ and 1½
	one, two := fem.Tensor{1, 2, 3, 4, 5, 6}, fem.Tensor{-3, 0, 7, 1, 2, 9}
	got := fem.NodalStresses(m, []fem.Tensor{one, two})
	for i := range one {
		mean := 0.25*one[i] + 0.75*two[i]
		for node, want := range []float64{one[i], mean, mean, two[i]} {
			near(t, fmt.Sprintf("node %d, component %d", node, i), got[node][i], want, 1e-15)
		}
	}
}

// TestFreeModes: as many rigid modes are free as the prescribed components leave of their
// rank, by singular values; in units of any size; rotations are about the middle of the nodes.
func TestFreeModes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range [][]float64{{1, 0.5}, {1, 0.5, 2}} {
		for _, unit := range []float64{1, 1e-7, 1e7} {
			dim := len(size)
			scaled := slices.Clone(size)
			for i := range scaled {
				scaled[i] *= unit
			}
			m := box(t, scaled, []int{2, 2, 1}[:dim]...)
			modes := fem.RigidModes(m, steel)
			for _, mode := range modes[dim:] {
				for c := range dim {
					sum := 0.0
					for i := range m.NumNodes() {
						sum += mode.U[dim*i+c]
					}
					near(t, mode.Name, sum, 0, 1e-13*unit)
				}
			}
			for range 40 {
				fixed := r.Perm(len(m.X))[:r.IntN(len(modes)+1)]
				a := mat.NewDense(max(1, len(fixed)), len(modes), nil)
				for i, d := range fixed {
					for k, mode := range modes {
						scale := 1.0
						if k >= dim {
							scale = unit
						}
						a.Set(i, k, mode.U[d]/scale)
					}
				}
				var svd mat.SVD
				svd.Factorize(a, mat.SVDNone)
				if want := len(modes) - svd.Rank(1e-9); len(fem.FreeModes(m, steel, fixed)) != want {
					t.Errorf("size %g, fixed %v: %v are free, want %d", unit, fixed, fem.FreeModes(m, steel, fixed), want)
				}
			}
		}
	}
}

// TestTopologyOfAnyNumbering: two triangles with a side in common are one body, however
// their nodes and they themselves are numbered.
func TestTopologyOfAnyNumbering(t *testing.T) {
	at := [][]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	r := rand.New(rand.NewPCG(9, 10))
	for range 24 {
		p := r.Perm(4)
		m := &fem.Mesh{Dim: 2, X: make([]float64, 8)}
		for i, k := range p {
			copy(m.X[2*k:], at[i])
		}
		m.Elem = []int{p[0], p[1], p[2], p[0], p[2], p[3]}
		if r.IntN(2) == 0 {
			m.Elem = slices.Concat(m.Elem[3:], m.Elem[:3])
		}
		if err := m.CheckTopology(nil, nil); err != nil {
			t.Errorf("numbered %v: %v", p, err)
		}
	}
}

// TestBadMeshes: one thing wrong each.
func TestBadMeshes(t *testing.T) {
	good := func() *fem.Mesh {
		return &fem.Mesh{Dim: 2, X: []float64{0, 0, 1, 0, 0, 1}, Elem: []int{0, 1, 2}}
	}
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(m *fem.Mesh){
		"dimension 0":      func(m *fem.Mesh) { m.Dim = 0 },
		"dimension 4":      func(m *fem.Mesh) { m.Dim, m.X, m.Elem = 4, make([]float64, 20), []int{0, 1, 2, 3, 4} },
		"half a node":      func(m *fem.Mesh) { m.X = append(m.X, 1) },
		"part of element":  func(m *fem.Mesh) { m.Elem = append(m.Elem, 1) },
		"one node too far": func(m *fem.Mesh) { m.Elem[2] = 3 },
		"node −1":          func(m *fem.Mesh) { m.Elem[1] = -1 },
		"flat":             func(m *fem.Mesh) { m.X[5] = 0 },
		"one node":         func(m *fem.Mesh) { m.Elem[1], m.Elem[2] = 0, 0 },
	} {
		m := good()
		if spoil(m); m.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	for _, b := range []fem.Box{
		{},
		{Cells: []int{1, 1}, Corner: []float64{0}, Size: []float64{1, 1}},
		{Cells: []int{1, 1}, Corner: []float64{0, 0}, Size: []float64{1}},
		{Cells: []int{1, 1, 1, 1}, Corner: make([]float64, 4), Size: []float64{1, 1, 1, 1}},
		{Cells: []int{1, 0}, Corner: []float64{0, 0}, Size: []float64{1, 1}},
		{Cells: []int{1, 1}, Corner: []float64{0, 0}, Size: []float64{1, 0}},
	} {
		if _, err := b.Mesh(); err == nil {
			t.Errorf("%+v is accepted", b)
		}
	}
	if _, err := fem.Contacts(good(), []int{0}, fem.HalfSpace{Point: []float64{0, 0}, Normal: []float64{0, 0}}); err == nil {
		t.Error("a normal of no length is accepted")
	}
}

// TestTangents: t is the projection of x, or of y where the normal is nearer than 45° to x.
func TestTangents(t *testing.T) {
	m := box(t, []float64{1, 1, 1}, 1, 1, 1)
	for _, c := range []struct{ normal, t []float64 }{
		{[]float64{0, 0, 2}, []float64{1, 0, 0}}, {[]float64{3, 0, 0}, []float64{0, 1, 0}}, {[]float64{0, 1, 0}, []float64{1, 0, 0}},
		{[]float64{1, 0, 0.9}, []float64{0, 1, 0}}, {[]float64{0.9, 0, 1}, []float64{1 / math.Hypot(1, 0.9), 0, -0.9 / math.Hypot(1, 0.9)}},
	} {
		list, err := fem.Contacts(m, []int{0}, fem.HalfSpace{Point: []float64{-9, -9, -9}, Normal: c.normal})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.t {
			near(t, fmt.Sprintf("normal %v, t[%d]", c.normal, i), list[0].Frame[0][i], want, 1e-15)
		}
		if got, want := fem.NewFrames(3, list).Aligned(), slices.Equal(c.normal, []float64{0, 0, 2}); got != want {
			t.Errorf("normal %v: aligned is %t", c.normal, got)
		}
	}
}

// TestGmshTags: physical numbers, those of entities and a header without the size of numbers; the
// numbers that faults name are those of the file.
func TestGmshTags(t *testing.T) {
	const text = "$MeshFormat\n2.2 0\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"body\"\n$EndPhysicalNames\n$Nodes\n4\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 1 1 0\n$EndNodes\n" +
		"$Elements\n2\n50 2 2 7 0 10 20 30\n60 2 2 0 7 20 40 30\n$EndElements\n"
	m, err := fem.ReadGmsh(context.Background(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if g := m.Groups["body"]; len(g.Elem) != 3 || len(m.Groups) != 1 {
		t.Errorf("groups %v, want the one element of the physical number 7", m.Groups)
	}
	none := strings.Replace(text, "60 2 2 0 7 20", "60 2 0 20", 1)
	if m, err = fem.ReadGmsh(context.Background(), strings.NewReader(none)); err != nil || m.NumElems() != 2 {
		t.Errorf("an element without tags: %v", err)
	}
	for _, c := range []struct{ from, to, want string }{
		{"40 1 1 0\n$EndNodes\n$Elements\n2\n50 2 2 7 0 10 20 30\n60 2 2 0 7 20 40",
			"40 0 0 0\n$EndNodes\n$Elements\n2\n50 2 2 7 0 10 20 30\n60 2 2 0 7 40 20", "10 and 40"},
		{"2.2 0\n", "2.2 1 8\n", "are not the number 1"},
		{"2.2 0\n", "2.2\n", "file type"},
		{"60 2 2 0 7 20 40 30", "60 2 4 0 7 20", "element 60 announces 4 tags"},
		{"2\n50 2 2 7 0 10 20 30\n", "4\n70 2 0 10 20 40\n80 2 0 10 20 40\n50 2 2 7 0 10 20 30\n",
			"[10 20] belongs to three elements, 70, 80 and 50"},
	} {
		if _, err := fem.ReadGmsh(context.Background(),
			strings.NewReader(strings.Replace(text, c.from, c.to, 1))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.to, err, c.want)
		}
	}
	const one = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n"
	if m, err = fem.ReadGmsh(context.Background(), strings.NewReader(one)); err != nil || m.NumElems() != 1 || m.Dim != 2 {
		t.Errorf("one triangle: %v", err)
	}
}

// TestVTURows: a vector a line, three components in the plane too.
func TestVTURows(t *testing.T) {
	m := &fem.Mesh{Dim: 2, X: []float64{0, 0, 1, 0, 0, 2}, Elem: []int{0, 1, 2}}
	var b bytes.Buffer
	if err := fem.WriteVTU(&b, m, []float64{1, 2, 3, 4, 5, 6}, nil, nil); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">\n0 0 0\n1 0 0\n0 2 0\n<",
		"Name=\"displacement\" NumberOfComponents=\"3\" format=\"ascii\">\n1 2 0\n3 4 0\n5 6 0\n<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
