package fem_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestStrains: of a linear displacement u = G x they are the symmetric part of G on all elements, across thin plates
// and bars what Poisson's ratio makes of them, along the hoop of a ring u_r/r; of Green and Lagrange ½(G + Gᵀ + GᵀG).
func TestStrains(t *testing.T) {
	g := [3][3]float64{{0.01, 0.02, -0.03}, {0.04, -0.05, 0.06}, {-0.07, 0.08, 0.09}}
	for name, m := range meshes(t) {
		for _, k := range []fem.Kinematics{fem.PlaneStrain, fem.PlaneStress, fem.Axisymmetric} {
			at := g
			if k == fem.Axisymmetric {
				at[0][1] = 0 // u_r of the axis is 0
			}
			if m.Dim != 2 && k != fem.PlaneStrain {
				continue
			}
			u := make([]float64, len(m.X))
			for i := range u {
				for c, x := range m.Node(i / m.Dim) {
					u[i] += at[i%m.Dim][c] * x
				}
			}
			var want, green fem.Tensor
			for c, pair := range [][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}} {
				i, j := pair[0], pair[1]
				if i >= m.Dim || j >= m.Dim {
					continue
				}
				want[c] = (at[i][j] + at[j][i]) / 2
				green[c] = want[c]
				for r := range m.Dim {
					green[c] += at[r][i] * at[r][j] / 2
				}
			}
			material := fem.Elastic{Young: 1000, Poisson: 0.3, Kinematics: k}
			switch {
			case m.Dim == 1:
				want[1], want[2] = -0.3*want[0], -0.3*want[0]
			case k == fem.PlaneStress:
				want[2] = -0.3 / 0.7 * (want[0] + want[1])
			case k == fem.Axisymmetric:
				want[2] = at[0][0]
			}
			check := func(what string, list []fem.Tensor, want fem.Tensor) {
				for e, s := range list {
					for c := range s {
						if !(math.Abs(s[c]-want[c]) <= 1e-13) {
							t.Fatalf("%s, %v: %s of element %d is %v, want %v", name, k, what, e, s, want)
						}
					}
				}
			}
			check("strain", fem.Strains(m, material, u), want)
			hyper, err := fem.NewHyperelastic(m, material, material.NeoHookean())
			if err == nil && k == fem.PlaneStrain { // others have a strain across the plane
				check("Green's strain", hyper.Strains(u), green)
			}
		}
	}
}

// TestCornerAreas: areas of corners share a side out: what is linear over it has the integral that its quadrature has,
// of a ring too; those amid two corners have none.
func TestCornerAreas(t *testing.T) {
	for name, m := range meshes(t) {
		for _, k := range []fem.Kinematics{fem.PlaneStrain, fem.Axisymmetric} {
			for label, g := range m.Groups {
				if g.Dim != m.Dim-1 || m.Dim == 3 && k == fem.Axisymmetric {
					continue
				}
				area, share := m.CornerAreas(k, g), make([]float64, len(m.X))
				traction := []float64{1, 0, 0}[:m.Dim]
				if err := fem.Traction(share, m, fem.Elastic{Kinematics: k}, g, traction); err != nil {
					t.Fatal(err)
				}
				for c := -1; c < m.Dim; c++ {
					sum, want, size := 0.0, 0.0, 0.0
					for i := range area {
						f := 1.0
						if c >= 0 {
							f = m.Node(i)[c]
						}
						sum, want, size = sum+area[i]*f, want+share[m.Dim*i]*f, size+share[m.Dim*i]
					}
					if !(math.Abs(sum-want) <= 1e-12*size) {
						t.Errorf("%s, %v: the moment %d of %s is %g, want %g", name, k, c, label, sum, want)
					}
				}
				for _, x := range g.Amid() {
					if area[x[0]] != 0 {
						t.Errorf("%s: node %d amid %d and %d has the area %g", name, x[0], x[1], x[2], area[x[0]])
					}
				}
			}
		}
	}
}
