package fem_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/quasistatic/quasistatic/fem"
)

// TestVonMises: of random tensors, from the deviator itself, and of the three pure states.
func TestVonMises(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var s fem.Tensor
		for i := range s {
			s[i] = r.NormFloat64()
		}
		mean := (s[0] + s[1] + s[2]) / 3
		sum := 0.0
		for i, x := range s {
			if i < 3 {
				sum += (x - mean) * (x - mean)
			} else {
				sum += 2 * x * x
			}
		}
		near(t, "von Mises", s.VonMises(), math.Sqrt(1.5*sum), 1e-14*(1+sum))
	}
	near(t, "tension", fem.Tensor{2}.VonMises(), 2, 1e-15)
	near(t, "pressure", fem.Tensor{2, 2, 2}.VonMises(), 0, 1e-15)
	near(t, "shear", fem.Tensor{0, 0, 0, 1}.VonMises(), math.Sqrt(3), 1e-15)
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

// TestStrainOfAffine: an affine displacement u = G x has the strain ½(G + Gᵀ) in every
// element, in each dimension.
func TestStrainOfAffine(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for dim := 1; dim <= 3; dim++ {
		m := box(t, []float64{1, 0.7, 0.4}[:dim], []int{2, 2, 2}[:dim]...)
		var g [3][3]float64
		for i := range dim {
			for j := range dim {
				g[i][j] = r.NormFloat64()
			}
		}
		u := make([]float64, len(m.X))
		for i := range m.NumNodes() {
			for a := range dim {
				for c, x := range m.Node(i) {
					u[dim*i+a] += g[a][c] * x
				}
			}
		}
		want := fem.Tensor{g[0][0], g[1][1], g[2][2], (g[0][1] + g[1][0]) / 2, (g[1][2] + g[2][1]) / 2, (g[2][0] + g[0][2]) / 2}
		for k := range m.NumElems() {
			s := m.Element(k)
			for c, x := range fem.Strain(dim, &s, u) {
				near(t, "strain", x, want[c], 1e-13)
			}
		}
	}
}

// TestFramesAreRotations: the local axes of a contact are orthonormal with the normal last,
// whatever the normal, those close to an axis too.
func TestFramesAreRotations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	normals := [][]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {1, 1e-9, 0}, {1e-9, 1, 0},
		{0.7071, 0.7071, 0.001}, {math.Sqrt2 / 2, 0, math.Sqrt2 / 2}}
	for range 30 {
		normals = append(normals, []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
	}
	m := box(t, []float64{1, 1, 1}, 1, 1, 1)
	for _, n := range normals {
		point := []float64{-10 * n[0], -10 * n[1], -10 * n[2]}
		list, err := fem.Contacts(m, []int{0}, fem.HalfSpace{Point: point, Normal: n})
		if err != nil {
			t.Fatal(err)
		}
		f, size := list[0].Frame, math.Sqrt(n[0]*n[0]+n[1]*n[1]+n[2]*n[2])
		for i := range 3 {
			near(t, "normal", f[2][i], n[i]/size, 1e-15)
			for j := range 3 {
				want := 0.0
				if i == j {
					want = 1
				}
				near(t, "axes", f[i][0]*f[j][0]+f[i][1]*f[j][1]+f[i][2]*f[j][2], want, 1e-15)
			}
		}
		near(t, "gap", list[0].Gap, 10*size, 1e-13*size)
	}
}

// TestRigidModesOfKinematics: rigid motions have no energy, are as many as the kinematics
// has, and stay so about any place.
func TestRigidModesOfKinematics(t *testing.T) {
	for _, c := range []struct {
		dim        int
		kinematics fem.Kinematics
		want       []string
	}{
		{1, fem.PlaneStrain, []string{"translation along x"}},
		{2, fem.PlaneStrain, []string{"translation along x", "translation along y", "rotation in the xy plane"}},
		{2, fem.Axisymmetric, []string{"translation along y"}},
		{3, fem.PlaneStrain, []string{"translation along x", "translation along y", "translation along z",
			"rotation in the xy plane", "rotation in the xz plane", "rotation in the yz plane"}},
	} {
		m := box(t, []float64{1, 0.7, 0.4}[:c.dim], []int{2, 2, 2}[:c.dim]...)
		for i := range m.X {
			m.X[i] += 3 // an axisymmetric body needs a radius
		}
		e := fem.Elastic{Young: 2, Poisson: 0.3, Density: 1, Kinematics: c.kinematics}
		a, err := fem.Stiffness(m, e)
		if err != nil {
			t.Fatal(err)
		}
		modes := fem.RigidModes(m, e)
		var names []string
		au := make([]float64, a.N)
		for _, mode := range modes {
			names = append(names, mode.Name)
			a.MulVec(au, mode.U)
			for i, x := range au {
				if math.Abs(x) > 1e-13 {
					t.Errorf("dimension %d, %s: force %g at dof %d", c.dim, mode.Name, x, i)
				}
			}
		}
		if strings.Join(names, ", ") != strings.Join(c.want, ", ") {
			t.Errorf("dimension %d: %q, want %q", c.dim, names, c.want)
		}
	}
}

// TestRedistributeMoments: mass, centre and all second moments of the last component are
// back, in the plane and in space, anywhere and in any units.
func TestRedistributeMoments(t *testing.T) {
	for dim, cells := range map[int][]int{2: {12, 6}, 3: {5, 5, 5}} {
		for _, at := range []float64{0, 1e3} {
			for _, l := range []float64{1, 1e-6} {
				m := box(t, []float64{1, 0.8, 0.9}[:dim], cells...)
				for i := range m.X {
					m.X[i] = l * (m.X[i] + at)
				}
				e := fem.Elastic{Young: 1, Poisson: 0.3, Density: 1}
				standard, err := fem.Mass(m, e, fem.Consistent)
				if err != nil {
					t.Fatal(err)
				}
				modified, _ := fem.Mass(m, e, fem.Consistent)
				nodes := m.Groups["bottom"].Nodes()
				fem.Modify(modified, dim, nodes)
				if err := fem.Redistribute(modified, standard, m, nodes); err != nil {
					t.Fatalf("dimension %d at %g: %v", dim, at, err)
				}
				moment := func(a interface{ MulVec(dst, x []float64) }, p, q int) float64 {
					x, y := make([]float64, len(m.X)), make([]float64, len(m.X))
					value := func(i, axis int) float64 {
						if axis < 0 {
							return 1
						}
						return m.Node(i)[axis]/l - at - 0.4
					}
					for i := range m.NumNodes() {
						x[dim*i+dim-1], y[dim*i+dim-1] = value(i, p), value(i, q)
					}
					ay := make([]float64, len(y))
					a.MulVec(ay, y)
					return mat.Dot(mat.NewVecDense(len(x), x), mat.NewVecDense(len(ay), ay)) / math.Pow(l, float64(dim))
				}
				for p := -1; p < dim; p++ {
					for q := -1; q <= p; q++ {
						near(t, "moment", moment(modified, p, q), moment(standard, p, q), 1e-11+1e-14*at)
					}
				}
			}
		}
	}
}

// TestGmshGroupsOfEntities: an entity may announce as many groups as its line has, and no
// more; 4 numbers follow here.
func TestGmshGroupsOfEntities(t *testing.T) {
	const line = "5 0 0 0 1 0 0 1 7 2 1 -1\n"
	for count, ok := range map[string]bool{"1": true, "4": true, "5": false, "6": false} {
		text := strings.Replace(square41, line, "5 0 0 0 1 0 0 "+count+" 7 2 1 -1\n", 1)
		if _, err := fem.ReadGmsh(context.Background(), strings.NewReader(text)); (err == nil) != ok {
			t.Errorf("%s groups: %v", count, err)
		}
	}
}
