package body_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/particles/body"
	"github.com/quasistatic/quasistatic/signal"
)

// TestRubber: a neo-Hookean block under the same drag, to large strains: the
// energy balance closes and small strains agree with the linear block to their
// square.
func TestRubber(t *testing.T) {
	thorough.Seconds(t)
	force := func(hyper bool, until float64, scale float64) (n, f float64, s energetic.Summary) {
		mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 0.25}, Cells: []int{8, 2}}.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		top := mesh.Groups["top"].Nodes()
		b, err := body.New(body.Options{Mesh: mesh, Material: rubber, Law: lawOf(hyper), Prescribed: []body.Prescribed{
			{Nodes: top, Axis: 0, Motion: table(t, []float64{0, 5, 15}, []float64{0, 0, 2 * scale})},
			{Nodes: top, Axis: 1, Motion: table(t, []float64{0, 5, 15}, []float64{0, -scale, -scale})},
		}})
		if err != nil {
			t.Fatal(err)
		}
		psi, z := system(t, b)
		e, err := energetic.Start(context.Background(), psi, z,
			energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
		if err != nil {
			t.Fatal(err)
		}
		for time := 0.25; time <= until; time += 0.25 {
			if err := e.Step(context.Background(), time); err != nil {
				t.Fatal(err)
			}
		}
		for _, i := range mesh.Groups["bottom"].Nodes() {
			n += e.Node().Grad[3*i+2]
			f += e.Node().Grad[3*i]
		}
		return n, f, e.Summary()
	}
	const small = 1e-5 // strain 4e-5
	n, f, _ := force(false, 15, small)
	nh, fh, _ := force(true, 15, small)
	if math.Abs(nh/n-1) > 1e-3 || math.Abs(fh/f-1) > 1e-3 {
		t.Errorf("small strains: N = %g, friction %g, linear %g, %g", nh, fh, n, f)
	}
	n, f, s := force(true, 15, 0.04) // strain 16 %
	if !s.Certified {
		t.Errorf("large strains: %s", s.First)
	}
	t.Logf("large strains: N = %.8g, friction %.8g, gap %.2g, balance %.2g of %.3g", n, f, s.MaxGap, s.MaxBalance, s.EnergyScale)
}

func TestErrors(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 0.25}, Cells: []int{4, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	top := mesh.Groups["top"].Nodes()
	flat := func() *fem.Mesh {
		m := *mesh
		m.X = append([]float64(nil), m.X...)
		m.X[1] = 0.2
		m.X[0] = 0.9
		return &m
	}
	for want, o := range map[string]body.Options{
		"mesh is required": {},
		"ν < 1/2":          {Mesh: mesh, Material: fem.Elastic{Young: 1, Poisson: 0.5}, Held: true},
		"element 0":        {Mesh: flat(), Material: rubber},
		"translation along x": {Mesh: mesh, Material: rubber,
			Prescribed: []body.Prescribed{{Nodes: top, Axis: 1, Motion: signal.Constant(0)}}},
		"rotation in the xy plane": {Mesh: mesh, Material: rubber,
			Prescribed: []body.Prescribed{{Nodes: top[:1], Axis: 1, Motion: signal.Constant(0)},
				{Nodes: top[:1], Axis: 0, Motion: signal.Constant(0)}}},
		"node 10 is prescribed twice": {Mesh: mesh, Material: rubber,
			Prescribed: []body.Prescribed{{Nodes: top, Axis: 1, Motion: signal.Constant(0)},
				{Nodes: top, Axis: 1, Motion: signal.Constant(0)}}},
		"node 99 of 15": {Mesh: mesh, Material: rubber,
			Prescribed: []body.Prescribed{{Nodes: []int{99}, Axis: 1, Motion: signal.Constant(0)}}},
	} {
		if _, err := body.New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	b := pressAndDrag(t, false, 4, 2)
	h, _ := particles.NewHalfSpace([3]float64{0, 0, 0.1}, [3]float64{0, 0, 1})
	if _, err := b.Obstacle([]int{2}, h); err == nil ||
		!strings.Contains(err.Error(), "node 2 at [0.5 0] lies 0.1 m inside its obstacle: a run begins outside; move") {
		t.Error(err)
	}
	h, _ = particles.NewHalfSpace([3]float64{}, [3]float64{0, 0, 1})
	if _, err := b.Obstacle(top, h); err == nil ||
		!strings.Contains(err.Error(), "in contact and prescribed along x by a motion that changes, with friction") {
		t.Error(err)
	}
}

// TestCookAtLargeStrains: Cook's membrane of nearly incompressible rubber (μ = 80.194 Pa, λ = 400890 Pa, 6.25 Pa along its
// right side) rises by 6.903 m on 48 by 48 quadrilaterals with their mean dilatation. Twelve by twelve and sixteen by sixteen
// pairs of quadratic triangles are within 6 % of that, linear triangles have a third.
func TestCookAtLargeStrains(t *testing.T) {
	thorough.Seconds(t)
	for kind, cells := range map[fem.Kind]int{fem.P1: 16, fem.P2: 16, fem.Q1: 12} {
		mesh, err := fem.Box{Kind: kind, Corner: []float64{0, 0}, Size: []float64{1, 1}, Cells: []int{cells, cells}}.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		for i := range mesh.NumNodes() {
			x, y := mesh.X[2*i], mesh.X[2*i+1]
			mesh.X[2*i], mesh.X[2*i+1] = 48*x, 44*x+y*(44-28*x)
		}
		left, material := mesh.Groups["left"].Nodes(), fem.Elastic{Young: 240.565, Poisson: 0.4999}
		b, err := body.New(body.Options{Mesh: mesh, Material: material, Law: material.NeoHookean(),
			Tractions:  []body.Traction{{Group: mesh.Groups["right"], Force: signal.Vector{signal.Constant(0), table(t, []float64{0, 1}, []float64{0, 6.25})}}},
			Prescribed: []body.Prescribed{{Nodes: left, Axis: 0, Motion: signal.Constant(0)}, {Nodes: left, Axis: 1, Motion: signal.Constant(0)}}})
		if err != nil {
			t.Fatal(err)
		}
		frames := make([]particles.Frame, mesh.NumNodes())
		for i := range frames {
			frames[i] = particles.NoObstacle()
		}
		sys, err := particles.NewSystem(frames, b)
		if err != nil {
			t.Fatal(err)
		}
		psi, err := dissipation.New(sys, make([]dissipation.Matrix, sys.N()))
		if err != nil {
			t.Fatal(err)
		}
		z := make([]float64, 3*sys.N())
		sys.ToLocal(z, b.Start())
		s, err := incremental.New(psi, 0, z, incremental.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k <= 4; k++ {
			if err := s.Step(context.Background(), float64(k)/4); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
		}
		x := make([]float64, 3*sys.N())
		sys.ToGlobal(x, s.State())
		rise := x[len(x)-1] - b.Start()[len(x)-1]
		t.Logf("%s: %.4f m", kind, rise)
		if good := math.Abs(rise/6.903-1) < 0.06; good != (kind != fem.P1) || kind == fem.P1 && rise > 3.4 {
			t.Errorf("%s: %.4f m", kind, rise)
		}
	}
}
