package fem_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
)

// TestBoundOfStack: two blocks with meshes that do not match, one on the other, under a pressure p: the state is exact,
// and so is the bound, 0. With a gap h between them it is p h for a side of 1 m, and where the upper one is h inside,
// which has p h less energy than the exact state, the bound covers that.
func TestBoundOfStack(t *testing.T) {
	const p = 0.5
	e := fem.Elastic{Young: 5, Poisson: 0.25, Kinematics: fem.PlaneStress}
	for _, kinds := range [][2]fem.Kind{{fem.P1, fem.P1}, {fem.Q1, fem.P2}, {fem.P2, fem.Q1}} {
		var mesh [2]*fem.Mesh // the own one is above
		for k, kind := range kinds {
			var err error
			mesh[k], err = fem.Box{Kind: kind, Corner: []float64{0, float64(1 - k)}, Size: []float64{1, 1},
				Cells: []int{2 + k, 2}}.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			mesh[k].StraightenEdges(mesh[k].Groups[[]string{"bottom", "top"}[k]])
		}
		met, err := fem.NewMeeting(fem.Side{Mesh: mesh[0], Group: mesh[0].Groups["bottom"]},
			fem.Side{Mesh: mesh[1], Group: mesh[1].Groups["top"]}, e.Kinematics)
		if err != nil {
			t.Fatal(err)
		}
		for _, high := range []float64{0, 0.1, -0.1} {
			var states [2]fem.BoundState
			var bounds [2]*fem.Bound
			for k, m := range mesh {
				o := fem.BoundOptions{Mesh: m, Material: e, Cuts: met.Cuts[k]}
				for _, i := range m.Groups["left"].Nodes() {
					o.Held = append(o.Held, 2*i)
				}
				if s := &states[k]; k == 0 {
					o.Tractions, s.Tractions = []fem.Group{m.Groups["top"]}, [][3]float64{{0, -p}}
				} else {
					for _, i := range m.Groups["bottom"].Nodes() {
						o.Held = append(o.Held, 2*i+1)
					}
				}
				for i := range m.NumNodes() {
					x := m.Node(i)
					states[k].U = append(states[k].U, e.Poisson*p/e.Young*x[0], -p/e.Young*x[1]+high*float64(1-k))
				}
				if bounds[k], err = fem.NewBound(t.Context(), o); err != nil {
					t.Fatal(err)
				}
			}
			zero := func(int) float64 { return 0 }
			lifted := met.Lift(&states[0], &states[1], 0, zero, 1e-12)
			var total fem.ErrorBound
			total.Square, err = met.Press(&states[0], &states[1], func(int) float64 { return p }, zero, 1e-12)
			for k := range bounds {
				x, fault := bounds[k].At(&states[k])
				if err != nil || fault != nil {
					t.Fatal(err, fault)
				}
				total.Square, total.Short = total.Square+x.Square, total.Short+x.Short
				checkStrain(t, bounds[k], mesh[k], e, states[k])
			}
			switch off := total.Off() - p*max(high, 0); {
			case high < 0 && (len(lifted) != 3 || !(total.Short >= -p*high)), high >= 0 && math.Abs(off) > 1e-12:
				t.Errorf("%v, %g m above: bound %g, %g less, %d nodes lifted", kinds, high, total.Square, total.Short,
					len(lifted))
			}
		}
	}
}

// checkStrain compares the energy of the parts of elements with that of the elements, of a state that is bent.
func checkStrain(t *testing.T, b *fem.Bound, m *fem.Mesh, e fem.Elastic, s fem.BoundState) {
	t.Helper()
	s.Lift, s.U = nil, make([]float64, len(s.U))
	for i := range m.NumNodes() {
		if x := m.Node(i); !m.Follows(i) { // those of edges in contact have the mean of the ends, here 0
			s.U[2*i], s.U[2*i+1] = x[0]*x[1]*(x[1]-1), x[0]*x[1]*(x[1]-1)
		}
	}
	x, err := b.At(&s)
	a, fault := fem.Stiffness(m, e)
	if err != nil || fault != nil {
		t.Fatal(err, fault)
	}
	au, strain := make([]float64, a.N), 0.0
	a.MulVec(au, s.U)
	for i, u := range s.U {
		strain += u * au[i] / 2
	}
	if off := x.Strain - strain; m.Kind != fem.Q1 && math.Abs(off) > 1e-12 || off < -1e-12 {
		t.Errorf("%v: the energy of the parts is %g, of the elements %g", m.Kind, x.Strain, strain)
	}
}
