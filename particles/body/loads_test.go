package body_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/particles/energytest"
	"github.com/quasistatic/quasistatic/signal"
)

// loaded is a block on the floor, free at the top, under a body force and tractions
// on its top that grow with time; its sides, but for the nodes on the floor,
// cannot move through their planes.
func loaded(t testing.TB, kind fem.Kind, hyper bool, top []float64, weight float64, cells ...int) *body.Body {
	t.Helper()
	dim := len(cells)
	mesh, err := fem.Box{Kind: kind, Corner: make([]float64, dim), Size: []float64{1, 0.25, 0.25}[:dim], Cells: cells}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	mesh.StraightenEdges(mesh.Groups["bottom"])
	growing := func(v float64) signal.Scalar { return table(t, []float64{0, 2}, []float64{0, 2 * v}) }
	o := body.Options{Mesh: mesh, Material: rubber, Law: lawOf(hyper), Held: true,
		Prescribed: []body.Prescribed{{Nodes: above(mesh, "left"), Axis: 0, Motion: signal.Constant(0)}}}
	if dim == 3 {
		o.Prescribed = append(o.Prescribed, body.Prescribed{Nodes: above(mesh, "front"), Axis: 1, Motion: signal.Constant(0)})
	}
	traction, force := body.Traction{Group: mesh.Groups["top"]}, signal.Vector{}
	for c := range dim {
		traction.Force = append(traction.Force, growing(top[c]))
		force = append(force, growing(map[bool]float64{true: -weight, false: 0}[c == dim-1]))
	}
	o.Tractions, o.BodyForce = []body.Traction{traction}, force
	b, err := body.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// above returns the nodes of a side without those in contact with the floor.
func above(mesh *fem.Mesh, side string) []int {
	return slices.DeleteFunc(mesh.Groups[side].Nodes(), func(i int) bool { return mesh.Node(i)[mesh.Dim-1] == 0 })
}

func TestLoadDerivatives(t *testing.T) {
	for _, hyper := range []bool{false, true} {
		for _, cells := range [][]int{{3, 2}, {2, 1, 2}} {
			for _, kind := range []fem.Kind{fem.P1, fem.P2, fem.Q1} {
				b := loaded(t, kind, hyper, []float64{1, -2, 3}, 5, cells...)
				x := append([]float64(nil), b.Start()...)
				for i := range x {
					x[i] += 0.01 * math.Sin(float64(5*i))
				}
				if err := energytest.Check(b, 0.7, x); err != nil {
					t.Errorf("%s, hyperelastic %t, cells %v: %v", kind, hyper, cells, err)
				}
			}
		}
	}
}

// TestPressedByLoads: under a pressure p on top and without friction the strain is
// uniform: in plane strain ε_y = −p(1−ν²)/E, ε_x = pν(1+ν)/E, in space ε_z = −p/E,
// ε_x = pν/E, all of which elements hold exactly, and the floor bears p on the share of each corner:
// the patch test of contact. With a body force too, the floor carries the sum.
func TestPressedByLoads(t *testing.T) {
	for _, kind := range []fem.Kind{fem.P1, fem.P2, fem.Q1} {
		for _, cells := range [][]int{{4, 3}, {3, 2, 2}} {
			for _, weight := range []float64{0, 3} {
				pressed(t, kind, weight, cells...)
			}
		}
	}
}

func pressed(t *testing.T, kind fem.Kind, weight float64, cells ...int) {
	t.Helper()
	const p, e, nu = 7, 1000, 0.3
	dim := len(cells)
	up, across := -p*(1-nu*nu)/e, p*nu*(1+nu)/e
	pressure, area := []float64{0, -p, 0}, 1.0
	if dim == 3 {
		up, across, pressure, area = -p/float64(e), p*nu/e, []float64{0, 0, -p}, 0.25
	}
	b := loaded(t, kind, false, pressure, weight, cells...)
	psi, z := system(t, b)
	for i := range psi.Matrices {
		psi.Matrices[i] = nil
	}
	ev, err := energetic.Start(context.Background(), psi, z, energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
	if err != nil {
		t.Fatal(err)
	}
	for _, time := range []float64{0.5, 1} {
		if err := ev.Step(context.Background(), time); err != nil {
			t.Fatal(err)
		}
	}
	n, force, bottom, on := ev.Node(), 0.0, b.Mesh().Groups["bottom"].Corners(), map[int]bool{}
	for _, i := range bottom {
		force += n.Grad[3*i+2]
		on[i] = true
	}
	if want := (p + weight*0.25) * area; math.Abs(force-want) > 1e-11*want { // solved to 1e-12
		t.Errorf("%s, cells %v, weight %g: the floor carries %.15g, want %.15g", kind, cells, weight, force, want)
	}
	// Only the floor holds the block up: D²E is singular, and the gap counts the
	// forces left over, 1e-13 N, with the length of the block.
	if s := ev.Summary(); s.MaxGap > 1e-10*s.EnergyScale {
		t.Errorf("%s, cells %v: gap %g of energies %g", kind, cells, s.MaxGap, s.EnergyScale)
	}
	if weight > 0 {
		return
	}
	shares := b.Mesh().SurfaceShares(rubber, on)
	for _, i := range bottom {
		if got, want := n.Grad[3*i+2], p*shares[i]; math.Abs(got-want) > 1e-12*p*area {
			t.Errorf("%s, cells %v: corner %d bears %.15g, want %.15g", kind, cells, i, got, want)
		}
	}
	for i := range b.Particles() {
		for c, strain := range map[int]float64{0: across, 2: up} {
			if got, want := n.Z[3*i+c]-b.Start()[3*i+c], strain*b.Start()[3*i+c]; math.Abs(got-want) > 1e-13 { // of 7e-3
				t.Errorf("%s, cells %v: node %d moves by %.10g along %d, want %.10g", kind, cells, i, got, c, want)
			}
		}
	}
}

// TestInverted: a step whose prescribed motions turn elements over says so.
func TestInverted(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 0.25}, Cells: []int{4, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	top := mesh.Groups["top"].Nodes()
	b, err := body.New(body.Options{Mesh: mesh, Material: rubber, Law: rubber.NeoHookean(), Prescribed: []body.Prescribed{
		{Nodes: top, Axis: 0, Motion: signal.Constant(0)}, {Nodes: top, Axis: 1, Motion: table(t, []float64{0, 1}, []float64{0, -0.2})}}})
	if err != nil {
		t.Fatal(err)
	}
	psi, z := system(t, b)
	e, err := energetic.Start(context.Background(), psi, z, energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
	if err != nil {
		t.Fatal(err)
	}
	err = e.Step(context.Background(), 1)
	if err == nil || !strings.Contains(err.Error(),
		"smaller steps help: body: element 8 with the nodes [5 6 11] is inverted, det F = -0.6") {
		t.Errorf("%v", err)
	}
	for k := 1; k <= 16; k++ { // each by a tenth of a layer
		if err := e.Step(context.Background(), float64(k)/16); err != nil {
			t.Fatal(err)
		}
	}
}
