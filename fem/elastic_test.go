package fem_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/factor"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/sparse"
)

func box(t testing.TB, size []float64, cells ...int) *fem.Mesh {
	t.Helper()
	return boxOf(t, fem.P1, size, cells...)
}

func boxOf(t testing.TB, kind fem.Kind, size []float64, cells ...int) *fem.Mesh {
	t.Helper()
	m, err := fem.Box{Kind: kind, Corner: make([]float64, len(cells)), Size: size, Cells: cells}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// shake moves the nodes that are not on the boundary by a quarter of a cell, so
// that no element is special.
func shake(m *fem.Mesh, h float64) {
	fixed := boundary(m)
	for i := range m.NumNodes() {
		for c := range m.Dim {
			if !slices.Contains(fixed, i) {
				m.X[m.Dim*i+c] += 0.25 * h * math.Sin(float64(37*i+11*c))
			}
		}
	}
}

func boundary(m *fem.Mesh) []int {
	var nodes []int
	for _, name := range []string{"left", "right", "front", "back", "bottom", "top"} {
		nodes = append(nodes, m.Groups[name].Nodes()...)
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

func allDofs(dim int, nodes []int) []int {
	var dofs []int
	for _, i := range nodes {
		for c := range dim {
			dofs = append(dofs, dim*i+c)
		}
	}
	return dofs
}

func meshes(t testing.TB) map[string]*fem.Mesh {
	list := map[string]*fem.Mesh{
		"bar":   box(t, []float64{1}, 7),
		"plane": box(t, []float64{1, 1}, 5, 4),
		"space": box(t, []float64{1, 1, 1}, 3, 4, 3),
	}
	for _, kind := range []fem.Kind{fem.P2, fem.Q1} {
		list["bar of "+kind.String()] = boxOf(t, kind, []float64{1}, 7)
		list["plane of "+kind.String()] = boxOf(t, kind, []float64{1, 1}, 5, 4)
		list["space of "+kind.String()] = boxOf(t, kind, []float64{1, 1, 1}, 3, 2, 3)
	}
	straight := boxOf(t, fem.P2, []float64{1, 1, 1}, 2, 2, 2)
	straight.StraightenEdges(straight.Groups["bottom"])
	list["space of P2, straight at the bottom"] = straight
	for _, m := range list {
		shake(m, map[fem.Kind]float64{fem.P1: 0.2, fem.P2: 0.05, fem.Q1: 0.2}[m.Kind]) // of curved edges little
		if err := m.Validate(); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

var steel = fem.Elastic{Young: 1000, Poisson: 0.3, Density: 2}

// solve returns the displacement with u prescribed on the dofs fixed.
func solve(t testing.TB, a *sparse.Sym, load, u []float64, fixed []int) []float64 {
	t.Helper()
	split := fem.NewSplit(a.N, fixed)
	ff, fd := split.Restrict(a)
	prescribed := make([]float64, len(split.Fixed))
	for k, i := range split.Fixed {
		prescribed[k] = u[i]
	}
	b := split.Gather(nil, load)
	fd.SubMul(b, prescribed)
	f := factor.Analyse(ff, factor.Options{})
	if err := f.Refactor(ff); err != nil {
		t.Fatal(err)
	}
	f.Solve(b, b)
	x := slices.Clone(u)
	split.Scatter(x, b)
	return x
}

// TestPatch: affine displacements on the boundary give the affine displacement
// everywhere, to the roundoff of a solve, and constant stress.
func TestPatch(t *testing.T) {
	for name, m := range meshes(t) {
		for _, kin := range []fem.Kinematics{fem.PlaneStrain, fem.PlaneStress} {
			e := steel
			if m.Dim == 2 {
				e.Kinematics = kin
			}
			a, err := fem.Stiffness(m, e)
			if err != nil {
				t.Fatal(err)
			}
			u := make([]float64, len(m.X))
			for i := range m.NumNodes() {
				for c := range m.Dim {
					u[m.Dim*i+c] = 0.01 * float64(c+1)
					for k, x := range m.Node(i) {
						u[m.Dim*i+c] += 0.02 * x * math.Cos(float64(3*c+k))
					}
				}
			}
			got := solve(t, a, make([]float64, a.N), u, allDofs(m.Dim, boundary(m)))
			for i := range got {
				if math.Abs(got[i]-u[i]) > 1e-14 {
					t.Errorf("%s: dof %d: %g, want %g", name, i, got[i], u[i])
				}
			}
			stress := fem.Stresses(m, e, got)
			for k, s := range stress {
				for c := range s {
					if math.Abs(s[c]-stress[0][c]) > 1e-10 { // of 20 Pa
						t.Errorf("%s: stress of element %d: %v, of element 0: %v", name, k, s, stress[0])
					}
				}
			}
		}
	}
}

func TestRigidModes(t *testing.T) {
	for name, m := range meshes(t) {
		a, err := fem.Stiffness(m, steel)
		if err != nil {
			t.Fatal(err)
		}
		modes := fem.RigidModes(m, steel)
		if want := []int{1: 1, 2: 3, 3: 6}[m.Dim]; len(modes) != want {
			t.Errorf("%s: %d modes, want %d", name, len(modes), want)
		}
		force := make([]float64, a.N)
		for _, mode := range modes {
			a.MulVec(force, mode.U)
			for i, f := range force {
				if math.Abs(f) > 1e-9 { // roundoff of stiffnesses near 1e4
					t.Errorf("%s: %s: force %g at dof %d", name, mode.Name, f, i)
				}
			}
		}
		bottom := m.Groups[map[int]string{1: "left", 2: "bottom", 3: "bottom"}[m.Dim]].Nodes()
		if err := fem.CheckSupport(m, steel, allDofs(m.Dim, bottom)); err != nil {
			t.Errorf("%s: held at one side: %v", name, err)
		}
		if m.Dim == 1 {
			continue
		}
		var vertical []int
		for _, i := range bottom {
			vertical = append(vertical, m.Dim*i+m.Dim-1)
		}
		err = fem.CheckSupport(m, steel, vertical)
		if err == nil || !strings.Contains(err.Error(), "translation along x") ||
			strings.Contains(err.Error(), "along "+"xyz"[m.Dim-1:m.Dim]) {
			t.Errorf("%s: on rollers: %v", name, err)
		}
	}
}

// TestManufactured: u = sin(πx)… with the body force that belongs to it. Orders
// 2 in L2 and 1 in H1, measured between the two finest of three meshes; the
// window of 0.1 allows for what is not yet asymptotic.
func TestManufactured(t *testing.T) {
	thorough.Seconds(t)
	for dim := 1; dim <= 3; dim++ {
		cells := [][]int{1: {8, 16, 32}, 2: {8, 16, 32}, 3: {3, 6, 12}}[dim]
		var l2, h1 []float64
		for _, n := range cells {
			a, b := manufactured(t, dim, n)
			l2, h1 = append(l2, a), append(h1, b)
		}
		p, q := math.Log2(l2[1]/l2[2]), math.Log2(h1[1]/h1[2])
		t.Logf("dimension %d: L2 %.3e order %.3f, H1 %.3e order %.3f", dim, l2[2], p, h1[2], q)
		if math.Abs(p-2) > 0.1 || math.Abs(q-1) > 0.1 {
			t.Errorf("dimension %d: orders %.3f and %.3f, want 2 and 1", dim, p, q)
		}
	}
}

// manufactured returns the errors in L2 and in the H1 seminorm of
// u_c = (c+1) Π sin(π x_k) on the unit cube with n cells along each axis.
func manufactured(t testing.TB, dim, n int) (l2, h1 float64) {
	size, cells := []float64{1, 1, 1}[:dim], []int{n, n, n}[:dim]
	m := box(t, size, cells...)
	a, err := fem.Stiffness(m, steel)
	if err != nil {
		t.Fatal(err)
	}
	load := make([]float64, a.N)
	eachPoint(m, func(s *fem.Simplex, x []float64, phi []float64, w float64) {
		f := force(dim, x)
		for k := range dim + 1 {
			for c := range dim {
				load[dim*s.Nodes[k]+c] += w * phi[k] * f[c]
			}
		}
	})
	u := solve(t, a, load, make([]float64, a.N), allDofs(dim, boundary(m)))
	eachPoint(m, func(s *fem.Simplex, x []float64, phi []float64, w float64) {
		for c := range dim {
			value, slope := 0.0, [3]float64{}
			for k := range dim + 1 {
				value += phi[k] * u[dim*s.Nodes[k]+c]
				for d := range dim {
					slope[d] += s.Grad[k][d] * u[dim*s.Nodes[k]+c]
				}
			}
			l2 += w * math.Pow(value-exact(dim, c, -1, x), 2)
			for d := range dim {
				h1 += w * math.Pow(slope[d]-exact(dim, c, d, x), 2)
			}
		}
	})
	return math.Sqrt(l2), math.Sqrt(h1)
}

// exact is u_c, or its derivative along an axis.
func exact(dim, c, axis int, x []float64) float64 {
	v := float64(c + 1)
	for k := range dim {
		if k == axis {
			v *= math.Pi * math.Cos(math.Pi*x[k])
		} else {
			v *= math.Sin(math.Pi * x[k])
		}
	}
	return v
}

// force is −div σ(u) = −μ Δu − (λ+μ) ∇ div u.
func force(dim int, x []float64) (f [3]float64) {
	lambda, mu := steel.Lame(dim)
	for c := range dim {
		f[c] = mu * float64(dim) * math.Pi * math.Pi * exact(dim, c, -1, x)
		for k := range dim { // ∂_c ∂_k u_k
			v := float64(k+1) * math.Pi * math.Pi
			for d := range dim {
				switch {
				case c == k && d == c:
					v *= -math.Sin(math.Pi * x[d])
				case d == c || d == k:
					v *= math.Cos(math.Pi * x[d])
				default:
					v *= math.Sin(math.Pi * x[d])
				}
			}
			f[c] -= (lambda + mu) * v
		}
	}
	return f
}

// eachPoint visits quadrature points of degree 3 or more: conical products of
// three Gauss points on the unit cube collapsed to the simplex.
func eachPoint(m *fem.Mesh, visit func(s *fem.Simplex, x, phi []float64, w float64)) {
	g := [3]float64{0.5 - math.Sqrt(0.15), 0.5, 0.5 + math.Sqrt(0.15)}
	gw := [3]float64{5. / 18, 8. / 18, 5. / 18}
	points := []int{1: 3, 2: 9, 3: 27}[m.Dim]
	for k := range m.NumElems() {
		s := m.Element(k)
		for p := range points {
			phi, rest, w := make([]float64, m.Dim+1), 1.0, s.Volume*float64([]int{1, 1, 2, 6}[m.Dim])
			for d, q := 0, p; d < m.Dim; d, q = d+1, q/3 {
				phi[d] = rest * g[q%3]
				w *= gw[q%3] * math.Pow(1-g[q%3], float64(m.Dim-1-d))
				rest -= phi[d]
			}
			phi[m.Dim] = rest
			x := make([]float64, m.Dim)
			for a := range m.Dim + 1 {
				for d, y := range m.Node(s.Nodes[a]) {
					x[d] += phi[a] * y
				}
			}
			visit(&s, x, phi, w)
		}
	}
}

// TestAxisymmetric: a ring under internal pressure against Lamé's solution.
func TestAxisymmetric(t *testing.T) {
	const in, out, p = 1.0, 2.0, 3.0
	e := fem.Elastic{Young: 1000, Poisson: 0.3, Kinematics: fem.Axisymmetric}
	var last float64
	for i, n := range []int{10, 20, 40} {
		m, err := fem.Box{Corner: []float64{in, 0}, Size: []float64{out - in, 0.1}, Cells: []int{n, 2}}.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		a, err := fem.Stiffness(m, e)
		if err != nil {
			t.Fatal(err)
		}
		load := make([]float64, a.N)
		if err := fem.Traction(load, m, e, m.Groups["left"], []float64{p, 0}); err != nil {
			t.Fatal(err)
		}
		var vertical []int // plane strain along the axis
		for k := range m.NumNodes() {
			vertical = append(vertical, 2*k+1)
		}
		u := solve(t, a, load, make([]float64, a.N), vertical)
		c := p * in * in / (out*out - in*in)
		want := (1 + e.Poisson) / e.Young * c * ((1-2*e.Poisson)*in + out*out/in)
		got := u[2*m.Groups["left"].Nodes()[0]]
		err1 := math.Abs(got/want - 1)
		t.Logf("n = %d: u(in) = %.8g, exact %.8g", n, got, want)
		if i > 0 && last/err1 < 1.9 { // first order at a node: the quadrature of the hoop strain
			t.Errorf("n = %d: error %g after %g", n, err1, last)
		}
		last = err1
	}
}

func TestElasticValidate(t *testing.T) {
	for name, e := range map[string]fem.Elastic{
		"1/2":             {Young: 1, Poisson: 0.5},
		"Young's modulus": {Poisson: 0.3},
		"density":         {Young: 1, Density: -1},
		"plane stress":    {Young: 1, Kinematics: fem.PlaneStress},
	} {
		if err := e.Validate(3); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
