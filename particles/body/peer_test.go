package body_test

import (
	"context"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles/body"
)

// peerLine is a line that a script in scripts/peers prints, to its ten digits.
type peerLine struct {
	time, n, friction float64
	stick             int
}

// peerDigits is half a unit of the last of ten digits of a force of 1 to 10 N, of
// the script and of the solves here, to 1e-12 of the forces each.
const peerDigits = 1e-9

// TestPeer3D: scripts/peers/press_drag.py 8 3 3, an independent program: no line of
// code, no solver and no formulation of contact in common.
func TestPeer3D(t *testing.T) {
	b := pressAndDrag(t, false, 8, 3, 3)
	follow(t, b, 25, 25, 1, []peerLine{
		{1, 1.159847459, -0.002625754729, 14},
		{5, 5.799237297, -0.01312877364, 14},
		{6, 5.79787936, -0.1963257628, 22},
		{10, 5.773403976, -0.9138030324, 16},
		{13, 5.706919365, -1.373616637, 6},
		{15, 5.638386061, -1.579155108, 1},
		{25, 5.565466483, -1.6695718, 0},
	})
}

// TestPeerRubber: scripts/peers/rubber_block.py 8 2 30, the block of rubber-block at
// half its resolution.
func TestPeerRubber(t *testing.T) {
	mesh, err := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, 0.25}, Cells: []int{8, 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	top := mesh.Groups["top"].Nodes()
	b, err := body.New(body.Options{Mesh: mesh, Material: rubber, Law: rubber.NeoHookean(), Prescribed: []body.Prescribed{
		{Nodes: top, Axis: 0, Motion: table(t, []float64{0, 5, 15}, []float64{0, 0, 0.12})},
		{Nodes: top, Axis: 1, Motion: table(t, []float64{0, 5, 15}, []float64{0, -0.04, -0.04})},
	}})
	if err != nil {
		t.Fatal(err)
	}
	last := follow(t, b, 15, 30, 100, []peerLine{ // forces of 100 N: two digits less behind the point
		{5, 244.8221053, -0.6636500864, 7},
		{7.5, 244.2686333, -43.95819692, 7},
		{15, 238.1978843, -71.4593653, 0},
	})
	for node, want := range map[int]float64{0: 0.05672426301, 8: 0.0893408556} {
		if got := last.Z[3*node] - b.Start()[3*node]; math.Abs(got-want) > 1e-10 { // ten digits, of positions up to 1
			t.Errorf("displacement of node %d is %.10g, want %.10g", node, got, want)
		}
	}
}

// follow runs a body in equal steps and compares resultants at the times given, to
// the peer's digits times size.
func follow(t *testing.T, b *body.Body, until float64, steps int, size float64, lines []peerLine) *energetic.Node {
	t.Helper()
	psi, z := system(t, b)
	e, err := energetic.Start(context.Background(), psi, z, energetic.Options{Step: incremental.Options{Threshold: incremental.Implicit}})
	if err != nil {
		t.Fatal(err)
	}
	bottom, met := b.Mesh().Groups["bottom"].Nodes(), 0
	for k := 1; k <= steps; k++ {
		time := until * float64(k) / float64(steps)
		if err := e.Step(context.Background(), time); err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if l.time != time {
				continue
			}
			met++
			n, f, stick := 0.0, 0.0, 0
			for _, i := range bottom {
				n += e.Node().Grad[3*i+2]
				f += e.Node().Grad[3*i]
				if e.Node().States[i] == incremental.Stick {
					stick++
				}
			}
			if math.Abs(n-l.n) > peerDigits*size || math.Abs(f-l.friction) > peerDigits*size || stick != l.stick {
				t.Errorf("t = %g: N = %.10g, friction %.10g, %d stick; the peer has %.10g, %.10g, %d", time, n, f,
					stick, l.n, l.friction, l.stick)
			}
		}
	}
	if met != len(lines) {
		t.Errorf("%d of %d lines compared", met, len(lines))
	}
	return e.Node()
}
