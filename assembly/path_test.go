package assembly_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/assembly"
)

// frame is two blocks that lean on each other: at the springings they stand on flat supports, at the crown
// they touch along an upright joint.
func frame(mu float64) *assembly.Assembly {
	quad := func(name string, p ...[3]float64) assembly.Block {
		return assembly.Block{Name: name, Density: 1, Vertices: p, Faces: [][]int{{0, 1, 2, 3}}}
	}
	return &assembly.Assembly{Plane: true, Friction: mu, Blocks: []assembly.Block{
		quad("left", [3]float64{-1.2, 0, 0}, [3]float64{-1, 0, 0}, [3]float64{0, 0, .8}, [3]float64{0, 0, 1}),
		quad("right", [3]float64{1, 0, 0}, [3]float64{1.2, 0, 0}, [3]float64{0, 0, 1}, [3]float64{0, 0, .8}),
		rectangle("west", -2, -1, -.8, 0, true), rectangle("east", .8, -1, 2, 0, true)}}
}

// TestSpreading: of two blocks that lean on each other between supports that spread by s, hinges are at the inner corners
// of the springings and at the top of the crown; with the distance L of these, half the span a = 1 + s/2,
// and the centroid turned with the hinges, the thrust is W x/√(L² − a²), until it is μ W and the springings slide.
func TestSpreading(t *testing.T) {
	const mu = .8
	a := frame(mu)
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	centre := a.Blocks[0].Centroid
	weight := a.Blocks[0].Mass() * 9.81
	thrust := func(s float64) float64 {
		half := 1 + s/2
		turn := math.Pi/4 - math.Acos(half/math.Sqrt2)
		sin, cos := math.Sincos(turn)
		return weight * ((centre[0]+1)*cos + centre[2]*sin) / math.Sqrt(2-half*half)
	}
	low, high := 0., .8
	for range 60 {
		if middle := (low + high) / 2; thrust(middle) < mu*weight {
			low = middle
		} else {
			high = middle
		}
	}
	p, err := assembly.Displace(t.Context(), a, 3, [3]float64{.8}, &assembly.PathOptions{Gap: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range p.Steps {
		near(t, "thrust", step.Force, thrust(step.Distance), 1e-4*weight)
		if step.Gap > 1e-6*3 || step.Dilation > 1e-10 && step.Distance < low-.01 {
			t.Errorf("at %.4f m: gap %.2g, dilation %.2g", step.Distance, step.Gap, step.Dilation)
		}
	}
	last := p.Steps[len(p.Steps)-1].Distance
	t.Logf("%d steps, collapse at %.6f, want %.6f", len(p.Steps), last, low)
	if !p.Collapsed || math.Abs(last-low) > 1e-4 {
		t.Errorf("collapse %v at %.6f m, want %.6f", p.Collapsed, last, low)
	}
}

// TestPushedBlock: a support without friction that pushes a block along the floor gets μ W, however far; the lift of the
// program, μ times a step, does not add up.
func TestPushedBlock(t *testing.T) {
	const mu = .6
	a := &assembly.Assembly{Plane: true, Friction: mu, Blocks: []assembly.Block{
		rectangle("floor", -1, -1, 9, 0, true), rectangle("wall", -1, 0, 0, 1, true), rectangle("block", 0, 0, 2, 1, false)},
		Interfaces: []assembly.Interface{
			{A: 0, B: 2, Normal: [3]float64{0, 0, 1}, Points: [][3]float64{{}, {2}}, Friction: mu},
			{A: 1, B: 2, Normal: [3]float64{1}, Points: [][3]float64{{}, {0, 0, .5}}, Friction: 0}}}
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	p, err := assembly.Displace(t.Context(), a, 1, [3]float64{.5}, nil)
	if err != nil || p.Collapsed {
		t.Fatal(p, err)
	}
	for _, step := range p.Steps {
		near(t, "force", step.Force, -mu*2*9.81, 1e-5)
		if len(step.Slides) == 0 || step.Slides[0] != 0 || len(step.Hinges) != 0 {
			t.Errorf("at %.2f m: interfaces %v slide, %v turn, want the floor to slide", step.Distance, step.Slides, step.Hinges)
		}
	}
	last := p.Steps[len(p.Steps)-1]
	near(t, "way", last.Assembly.Blocks[2].Centroid[0], 1.5, 1e-6)
	near(t, "lift", last.Assembly.Blocks[2].Centroid[2], .5, 3e-3)
	if last.Dilation == 0 {
		t.Error("nothing is lifted where it slides: the law of the program is not told")
	}
}

// TestPathEnds: a block that is pushed off the edge of its floor, or against another, is not followed beyond.
func TestPathEnds(t *testing.T) {
	for name, blocks := range map[string][]assembly.Block{
		"slid off": {rectangle("floor", -1, -1, 2.2, 0, true), rectangle("wall", -1, 0, 0, 1, true), rectangle("block", 0, 0, 2, 1, false)},
		"overlap": {rectangle("floor", -1, -1, 9, 0, true), rectangle("wall", -1, 0, 0, 1, true), rectangle("block", 0, 0, 2, 1, false),
			rectangle("stop", 2.2, 0, 3, 1, true)},
	} {
		a := &assembly.Assembly{Plane: true, Friction: .6, Blocks: blocks, Interfaces: []assembly.Interface{
			{A: 0, B: 2, Normal: [3]float64{0, 0, 1}, Points: [][3]float64{{}, {2}}, Friction: .6},
			{A: 1, B: 2, Normal: [3]float64{1}, Points: [][3]float64{{}, {0, 0, .5}}, Friction: 0}}}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		p, err := assembly.Displace(t.Context(), a, 1, [3]float64{1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if at := p.Steps[len(p.Steps)-1].Distance; !strings.Contains(p.Ends, name) || at < .2 || at > .25001 {
			t.Errorf("%s: ends at %.3f m: %q, want at .2 or a step beyond", name, at, p.Ends)
		}
	}
}
