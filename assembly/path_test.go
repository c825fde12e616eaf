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

// displace moves a support.
func displace(t *testing.T, a *assembly.Assembly, block int, way [3]float64, o *assembly.PathOptions) *assembly.Path {
	t.Helper()
	size := math.Hypot(way[0], way[2])
	p, err := assembly.Follow(t.Context(), a, &assembly.Drive{To: size, Supports: []assembly.SupportMotion{
		{Block: block, Velocity: [3]float64{way[0] / size, 0, way[2] / size}}}}, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
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
	p := displace(t, a, 3, [3]float64{.8}, &assembly.PathOptions{Gap: 1e-6})
	for _, step := range p.Steps {
		near(t, "thrust", step.Forces[0], thrust(step.Distance), 1e-4*weight)
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

// unbalanced is what forces that are half way between those of two states, each turned by half with its corner, leave on the left of the
// blocks that lean on each other, half way of the motion: at the springing corners are vertices of it, at the crown in the middle of both.
func unbalanced(first, last *assembly.Step) float64 {
	turned := func(v [3]float64, angle float64) [3]float64 { // about y
		sin, cos := math.Sincos(angle)
		return [3]float64{v[0]*cos + v[2]*sin, 0, v[2]*cos - v[0]*sin}
	}
	h := last.Distance - first.Distance
	left := &first.Assembly.Blocks[0]
	var middle [3]float64
	for e := range middle {
		middle[e] = left.Centroid[e] + first.Motion[0][e]*h/2
	}
	force, moment := [3]float64{0, 0, -left.Mass() * 9.81}, 0.
	for k := range first.Reactions {
		f := &first.Assembly.Interfaces[k]
		if f.A != 0 && f.B != 0 {
			continue
		}
		var at [3]float64
		angle, owners := 0., []int{0}
		if f.A == 0 && f.B == 1 {
			owners = []int{0, 1}
		}
		for _, i := range owners {
			b, share := &first.Assembly.Blocks[i], 1/float64(len(owners))
			theta := first.Motion[i][4] * h
			angle += theta * share
			arm := turned([3]float64{f.Points[0][0] - b.Centroid[0], 0, f.Points[0][2] - b.Centroid[2]}, theta/2)
			for e := range at {
				at[e] += share * (b.Centroid[e] + first.Motion[i][e]*h/2 + arm[e])
			}
		}
		back, side := turned(last.Reactions[k].Force, -angle), -1.
		if f.B == 0 {
			side = 1
		}
		r := turned([3]float64{side * (first.Reactions[k].Force[0] + back[0]) / 2, 0,
			side * (first.Reactions[k].Force[2] + back[2]) / 2}, angle/2)
		force[0], force[2] = force[0]+r[0], force[2]+r[2]
		moment += (at[2]-middle[2])*r[0] - (at[0]-middle[0])*r[2]
	}
	reach := 0.
	for _, x := range left.Vertices {
		reach = max(reach, math.Hypot(x[0]-left.Centroid[0], x[2]-left.Centroid[2]))
	}
	return max(math.Hypot(force[0], force[2]), math.Abs(moment)/reach)
}

// TestBetween: half way between the states of the blocks that lean on each other, forces half way between theirs leave less than the bound
// unbalanced, and more than a thirtieth of it; it falls with the square of the steps.
func TestBetween(t *testing.T) {
	a := frame(2)
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	weight := 2 * a.Blocks[0].Mass() * 9.81
	var bounds [2]float64
	for k, steps := range []int{20, 40} {
		p := displace(t, a, 3, [3]float64{.2}, &assembly.PathOptions{Gap: 1e-4, Steps: steps})
		bounds[k] = p.Between.Unbalanced
		worst := 0.
		for i := 1; i < len(p.Steps); i++ {
			worst = max(worst, unbalanced(&p.Steps[i-1], &p.Steps[i])/weight)
		}
		if p.Between.Unbounded > 0 || p.Between.Steps != steps || !(worst < bounds[k] && worst > bounds[k]/30) {
			t.Errorf("%d steps: %.3g of the weight is unbalanced half way, %+v", steps, worst, p.Between)
		}
	}
	near(t, "order", bounds[0]/bounds[1], 4, .5)
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
	p := displace(t, a, 1, [3]float64{.5}, nil)
	if p.Collapsed {
		t.Fatal(p)
	}
	for _, step := range p.Steps {
		near(t, "force", step.Forces[0], -mu*2*9.81, 1e-5)
		if len(step.Slides) == 0 || step.Slides[0].Blocks != [2]int{0, 2} || len(step.Hinges) != 0 {
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

// TestMeetings: a block that is pushed over the edge of its floor is carried by that, until its centroid passes it; one that is
// pushed against another takes it along, and jams at a support.
func TestMeetings(t *testing.T) {
	for _, c := range []struct {
		name      string
		blocks    []assembly.Block
		way, at   float64
		collapses bool
		ends      string
	}{
		{"edge", []assembly.Block{rectangle("floor", -1, -1, 2.2, 0, true)}, 1.5, 1.2, true, ""},
		{"stop", []assembly.Block{rectangle("floor", -1, -1, 9, 0, true), rectangle("stop", 2.2, 0, 3, 1, true)}, 1, .2, false, "jammed"},
		{"train", []assembly.Block{rectangle("floor", -1, -1, 9, 0, true), rectangle("other", 2.2, 0, 3.2, 1, false)}, 1, 1, false, ""},
	} {
		a := &assembly.Assembly{Plane: true, Friction: .6,
			Blocks: append(c.blocks, rectangle("wall", -1, 0, 0, 1, true), rectangle("block", 0, 0, 2, 1, false))}
		n := len(a.Blocks)
		a.Interfaces = []assembly.Interface{{A: 0, B: n - 1, Normal: [3]float64{0, 0, 1}, Points: [][3]float64{{}, {2}}, Friction: .6},
			{A: n - 2, B: n - 1, Normal: [3]float64{1}, Points: [][3]float64{{}, {0, 0, .5}}, Friction: 0}}
		if c.name == "train" {
			a.Interfaces = append(a.Interfaces, assembly.Interface{A: 0, B: 1, Normal: [3]float64{0, 0, 1},
				Points: [][3]float64{{2.2}, {3.2}}, Friction: .6})
		}
		if err := a.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		p := displace(t, a, n-2, [3]float64{c.way}, nil)
		last := p.Steps[len(p.Steps)-1]
		if p.Collapsed != c.collapses || !strings.Contains(p.Ends, c.ends) || (c.ends == "") != (p.Ends == "") {
			t.Errorf("%s: collapse %v, ends %q", c.name, p.Collapsed, p.Ends)
		}
		near(t, c.name, last.Distance, c.at, 1e-3)
		if c.name == "train" { // the second weighs half of the first
			near(t, "both pushed", last.Forces[0], -.6*3*9.81, 1e-4)
			near(t, "gap", last.Assembly.Blocks[1].Centroid[0], 3.7-.2, 1e-3)
		}
		for _, e := range p.Events[:min(len(p.Events), 12)] {
			t.Logf("%s: %.5f %.5f %s %v %.3f", c.name, e.From, e.Distance, e.What, e.Joint.Blocks, e.Joint.Point)
		}
	}
}

// rocking is a block of b by h on a floor, pushed at its centroid by its weight.
func rocking(t *testing.T, mu, b, h float64) *assembly.Assembly {
	a := &assembly.Assembly{Plane: true, Friction: mu,
		Blocks: []assembly.Block{rectangle("floor", -9, -1, 9, 0, true), rectangle("block", 0, 0, b, h, false)},
		Loads:  []assembly.Load{{Block: 1, Point: [3]float64{b / 2, 0, h / 2}, Force: [3]float64{9.81 * b * h}, Live: true}}}
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestRocking: a block that is pushed at its centroid holds tan(α − θ) of its weight when it has turned by θ about its corner,
// α = atan b/h, and nothing where its centroid is above it; one that tilts with its floor holds α − θ. One that slides holds μ, or
// atan μ, however far.
func TestRocking(t *testing.T) {
	const b, h = 1., 3.
	alpha := math.Atan(b / h)
	level := map[bool]func(x float64) float64{true: func(x float64) float64 { return math.Tan(alpha - x) },
		false: func(x float64) float64 { return alpha - x }}
	for _, loads := range []bool{true, false} {
		a := rocking(t, .9, b, h)
		d := &assembly.Drive{Loads: loads, To: 1, Tilt: [3]float64{1}}
		if !loads {
			a.Loads = nil
		}
		p, err := assembly.Follow(t.Context(), a, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "margin", p.Peak.Level, level[loads](0), 1e-8)
		if len(p.Events) != 1 || p.Events[0].What != assembly.HingeOpens || !p.Collapsed || p.Holds ||
			len(p.Steps) < 15 || !strings.Contains(p.Ends, "by itself") {
			t.Errorf("%d steps, events %+v, collapsed %v, ends %q", len(p.Steps), p.Events, p.Collapsed, p.Ends)
		}
		for _, s := range p.Steps {
			c := s.Assembly.Blocks[1].Centroid
			theta := alpha - math.Atan2(b-c[0], c[2]) // about (b, 0), where the corner is
			near(t, "level", s.Level, level[loads](theta), 1e-4)
		}
		a = rocking(t, .25, b, h)
		a.Loads = a.Loads[:len(p.Steps[0].Assembly.Loads)]
		if p, err = assembly.Follow(t.Context(), a, d, nil); err != nil {
			t.Fatal(err)
		}
		for _, s := range p.Steps {
			want := .25
			if !loads {
				want = math.Atan(.25)
			}
			near(t, "level that slides", s.Level, want, 1e-7)
		}
		if len(p.Events) != 1 || p.Events[0].What != assembly.SlipBegins || p.Collapsed || p.Holds {
			t.Errorf("what slides: events %+v, collapsed %v, holds %v", p.Events, p.Collapsed, p.Holds)
		}
	}
}

// TestRest: loads and tilts below the margins move nothing; a stop that is fixed holds any load once it is met.
func TestRest(t *testing.T) {
	for _, d := range []*assembly.Drive{{Loads: true, To: .2}, {Tilt: [3]float64{1}, To: .2}} {
		a := rocking(t, .25, 1, 3)
		if !d.Loads {
			a.Loads = nil
		}
		if p, err := assembly.Follow(t.Context(), a, d, nil); err != nil || !p.Holds || len(p.Steps) > 0 {
			t.Errorf("%+v: %+v, %v, want that nothing moves", d, p, err)
		}
		a = rocking(t, .25, 1, 3)
		if !d.Loads {
			a.Loads = nil
		}
		a.Blocks = append(a.Blocks, rectangle("stop", 1.5, 0, 2, 3, true))
		d.To = 1.2
		p, err := assembly.Follow(t.Context(), a, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		last := p.Steps[len(p.Steps)-1]
		want := .5 // of a tilt across the gravity of the floor that it slides on
		if !d.Loads {
			want *= math.Cos(math.Atan(.25))
		}
		if near(t, "way to the stop", last.Distance, want, 1e-3); !p.Holds || last.Level != d.To {
			t.Errorf("%+v: holds %v at level %v, ends %q", d, p.Holds, last.Level, p.Ends)
		}
	}
}

// TestTurningSupport: a block on a floor that turns about a point falls where that is as steep as atan min(μ, b/h).
func TestTurningSupport(t *testing.T) {
	for _, c := range []struct{ mu, b, h float64 }{{.9, 1, 3}, {.25, 1, 3}, {.7, 2, 2.2}} {
		a := rocking(t, c.mu, c.b, c.h)
		a.Loads = nil
		p, err := assembly.Follow(t.Context(), a, &assembly.Drive{To: 1.2,
			Supports: []assembly.SupportMotion{{Block: 0, Turning: [3]float64{0, 1}, Point: [3]float64{-2, 0, -.5}}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		last := p.Steps[len(p.Steps)-1]
		near(t, "turn", last.Distance, math.Atan(min(c.mu, c.b/c.h)), 3e-6) // Least and the tolerance of programs
		if !p.Collapsed {
			t.Errorf("no collapse: %q", p.Ends)
		}
		// the moment on the floor is that of the weight at the centroid
		near(t, "moment", last.Forces[0], 9.81*c.b*c.h*(last.Assembly.Blocks[1].Centroid[0]+2), 1e-4*9.81*c.b*c.h)
	}
}

// TestFarWish: a support that is to go a thousand times farther than the arch lasts finds the same collapse.
func TestFarWish(t *testing.T) {
	a := frame(.8)
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	p := displace(t, a, 3, [3]float64{500}, nil)
	if last := p.Steps[len(p.Steps)-1]; !p.Collapsed || math.Abs(last.Distance-.443136) > 1e-4 {
		t.Errorf("collapse %v at %v, want .443136", p.Collapsed, last.Distance)
	}
}

// TestSpreadingBoth: supports that part by s/2 each have the thrust of one that parts by s.
func TestSpreadingBoth(t *testing.T) {
	a := frame(.8)
	if err := a.Prepare(assembly.Finding{}); err != nil {
		t.Fatal(err)
	}
	one := displace(t, a, 3, [3]float64{.6}, nil)
	both, err := assembly.Follow(t.Context(), a, &assembly.Drive{To: .3, Supports: []assembly.SupportMotion{
		{Block: 3, Velocity: [3]float64{1}}, {Block: 2, Velocity: [3]float64{-1}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(one.Steps) != len(both.Steps) || !both.Collapsed {
		t.Fatalf("%d and %d steps, collapse %v", len(one.Steps), len(both.Steps), both.Collapsed)
	}
	for k, s := range both.Steps {
		near(t, "distance", 2*s.Distance, one.Steps[k].Distance, 1e-5)
		near(t, "thrust right", s.Forces[0], one.Steps[k].Forces[0], 1e-4*s.Forces[0])
		near(t, "thrust left", s.Forces[1], one.Steps[k].Forces[0], 1e-4*s.Forces[0])
	}
}

// TestCrack: a block held by mortar of tension σ tips at b/h + σb²/(W h) of its weight, and then, as the crack is open, as a dry one.
func TestCrack(t *testing.T) {
	const b, h, sigma = 1., 3., 5.
	a := rocking(t, .9, b, h)
	for k := range a.Interfaces {
		a.Interfaces[k].Tension = sigma * b / 2
	}
	p, err := assembly.Follow(t.Context(), a, &assembly.Drive{Loads: true, To: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "with mortar", p.Peak.Level, b/h+sigma*b*b/(9.81*b*h*h), 1e-7)
	for _, s := range p.Steps[1:] {
		c := s.Assembly.Blocks[1].Centroid
		near(t, "cracked", s.Level, (b-c[0])/c[2], 1e-4)
	}
	if !p.Collapsed || len(p.Steps) < 10 {
		t.Errorf("collapsed %v in %d states", p.Collapsed, len(p.Steps))
	}
}

// TestFlatArchSpreads: two blocks of a by h between upright supports of which one moves away by s and sinks by a share of it turn about
// the lower corners A, B of the supports and the upper one C of the joint between them, so that |AC| = |BC| = √(a² + h²); moments of
// the weights W of the blocks at their centroids G about C give the thrust,
//
//	H z_C − V x_C + W (x_C − x_G) = 0,   H (z_C − z_B) − (2 W − V)(x_B − x_C) + W (x_G' − x_C) = 0
//
// Where neither sinks it is W x_G/z_C, and the arch snaps through at s = 2(√(a² + h²) − a), if friction of the supports holds.
func TestFlatArchSpreads(t *testing.T) {
	const a, h = 2., 1.
	weight := 9.81 * a * h
	diagonal := math.Hypot(a, h)
	thrust := func(s, v float64) float64 {
		bx, bz := 2*a+s, -v
		half := math.Hypot(bx, bz) / 2
		rise := math.Sqrt(diagonal*diagonal - half*half)
		cx, cz := bx/2-rise*bz/(2*half), bz/2+rise*bx/(2*half)
		// the centroid is half of the diagonal from A to C, which it lies on
		gx, gx2 := cx/2, (bx+cx)/2
		// eliminate V: from the first V = (H cz + W (cx − gx))/cx
		left := (cz - bz) + cz*(bx-cx)/cx
		right := (2*weight-weight*(cx-gx)/cx)*(bx-cx) - weight*(gx2-cx)
		return right / left
	}
	near(t, "of the straight one", thrust(0, 0), weight*a/2/h, 1e-12)
	for _, sinks := range []float64{0, .25} {
		arch := &assembly.Assembly{Plane: true, Friction: 5,
			Blocks: []assembly.Block{rectangle("west", -1, -1, 0, 2, true), rectangle("east", 2*a, -1, 2*a+1, 2, true),
				rectangle("left", 0, 0, a, h, false), rectangle("right", a, 0, 2*a, h, false)}}
		if err := arch.Prepare(assembly.Finding{}); err != nil {
			t.Fatal(err)
		}
		p, err := assembly.Follow(t.Context(), arch,
			&assembly.Drive{To: .6, Supports: []assembly.SupportMotion{{Block: 1, Velocity: [3]float64{1, 0, -sinks}}}},
			&assembly.PathOptions{Gap: 1e-6})
		if err != nil {
			t.Fatal(err)
		}
		last := 0.
		for _, s := range p.Steps {
			h, v := thrust(s.Distance, sinks*s.Distance), verticalOn(&s, 1)
			if last = s.Distance; last < .45 { // beyond, it snaps through
				near(t, "thrust", s.Forces[0], h+sinks*v, 3e-4*h)
			}
		}
		if want := 2 * (diagonal - a); sinks == 0 && (!p.Collapsed || math.Abs(last-want) > 1e-3) {
			t.Errorf("collapse %v at %v, want %v", p.Collapsed, last, want)
		}
		if !p.Collapsed || len(p.Steps) < 10 {
			t.Errorf("sinks %v: %d states, collapsed %v", sinks, len(p.Steps), p.Collapsed)
		}
	}
}

// verticalOn is the force downwards on a block.
func verticalOn(s *assembly.Step, block int) (sum float64) {
	for _, r := range s.Reactions {
		switch f := &s.Assembly.Interfaces[r.Interface]; block {
		case f.A:
			sum += r.Force[2]
		case f.B:
			sum -= r.Force[2]
		}
	}
	return sum
}
