package fem_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestPressureAllRound: a pressure on all of the surface of a body, curved or flat, has no resultant and no moment, and
// works −p ∫ n·x = −p d V for the displacements x (Gauss), d = 3 for rings, for groups whose elements go round either way.
func TestPressureAllRound(t *testing.T) {
	const p = 7
	boxes := map[string]fem.Box{
		"block":       {Corner: []float64{1, -2}, Size: []float64{1, 3}, Cells: []int{2, 3}},
		"ring":        {Form: fem.Ring, Corner: []float64{1, 0.3}, Size: []float64{1, 2}, Cells: []int{2, 5}},
		"wedge":       {Corner: []float64{1, 0, 0}, Size: []float64{1, 2, 1}, Cells: []int{2, 2, 2}, Lean: 0.3},
		"dome":        {Form: fem.Cylinder, Corner: []float64{2}, Size: []float64{1, 0.5}, Cells: []int{2, 2, 1}, Radius: 2},
		"ring of pie": {Form: fem.Ring, Corner: []float64{1, 0.3, 1}, Size: []float64{1, 2, 2}, Cells: []int{1, 3, 2}},
	}
	for name, box := range boxes {
		for _, box.Kind = range []fem.Kind{fem.P1, fem.P2, fem.Q1} {
			for _, kin := range []fem.Kinematics{fem.PlaneStrain, fem.Axisymmetric} {
				m, err := box.Mesh()
				if err != nil {
					t.Fatal(err)
				}
				if kin == fem.Axisymmetric && m.Dim == 3 {
					continue
				}
				e := fem.Elastic{Kinematics: kin}
				g, _ := m.Surface()
				backwards := g
				if backwards.Elem = append([]int(nil), g.Elem...); box.Kind == fem.P1 {
					for k := 0; k < len(g.Elem); k += m.Dim {
						backwards.Elem[k], backwards.Elem[k+1] = g.Elem[k+1], g.Elem[k]
					}
				}
				pressed, err := m.Inward(backwards)
				if err != nil {
					t.Fatal(err)
				}
				load, volume := make([]float64, len(m.X)), make([]float64, len(m.X))
				if err := fem.Traction(load, m, e, pressed, []float64{p, 0, 0}[:m.Dim]); err != nil {
					t.Fatal(err)
				}
				fem.BodyForce(volume, m, e, []float64{1, 0, 0}[:m.Dim])
				var sum [3]float64
				work, moment, v := 0.0, 0.0, 0.0
				for i := range m.NumNodes() {
					x, f := m.Node(i), load[m.Dim*i:]
					for c := range m.Dim {
						sum[c] += f[c]
						work += f[c] * x[c]
					}
					moment += x[0]*f[1] - x[1]*f[0]
					v += volume[m.Dim*i]
				}
				d := float64(m.Dim)
				if kin == fem.Axisymmetric { // its radial forces balance each other around the axis
					d, moment, sum[0] = 3, 0, 0
				}
				if off := math.Abs(sum[0]) + math.Abs(sum[1]) + math.Abs(sum[2]) + math.Abs(moment); off > 1e-12*p*v {
					t.Errorf("%s of %s, %s: resultant %v, moment %g", name, box.Kind, kin, sum, moment)
				}
				if want := -p * d * v; math.Abs(work-want) > 1e-12*p*v {
					t.Errorf("%s of %s, %s: work %.15g, want %.15g", name, box.Kind, kin, work, want)
				}
			}
		}
	}
	m, err := boxes["block"].Mesh()
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Inward(fem.Group{Dim: 1, Elem: []int{4, 1}})
	if want := "inside the body"; err == nil || !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
