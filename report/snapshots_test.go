package report

import (
	"image/color"
	"math"
	"testing"
)

// TestSnapshots: a ball and a capsule that move by (1, 0, 0) over a floor, before a wall and behind
// another one, at two times. What is drawn has the sizes of space, the wall before the bodies is
// left out, and what is past is pale and behind.
func TestSnapshots(t *testing.T) {
	const r, length = 0.5, 2.0
	round := [3]float64{r, r, r}
	poses := [7][]float64{{0, 4, 1, 5}, {0, 0, 0, 0}, {1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}
	s := &Scene{Times: []float64{0, 1}, Points: 2, Anchors: 2, Links: [][3]int{{0, 1, LinkRod}},
		X: NewChannel([]float64{0, 4, 1, 5}), Y: NewChannel([]float64{0, 0, 0, 0}), Z: NewChannel([]float64{1, 1, 1, 1}),
		Bodies: []SceneBody{{Name: "ball", Round: &round}, {Name: "capsule", Length: length, Radius: r}},
		Joints: []SceneMark{{Point: 0, Kind: "joint"}},
		Box:    &[2][3]float64{{-1, -1, 0}, {7, 1, 2}},
		Obstacles: []Obstacle{{N: [3]float64{0, 0, 1}, T: [3]float64{1, 0, 0}, O: [3]float64{0, 1, 0}},
			{P: [3]float64{0, 1, 0}, N: [3]float64{0, -1, 0}, T: [3]float64{1, 0, 0}, O: [3]float64{0, 0, 1}},
			{P: [3]float64{0, -1, 0}, N: [3]float64{0, 1, 0}, T: [3]float64{1, 0, 0}, O: [3]float64{0, 0, 1}}}}
	for c := range poses {
		s.Pose = append(s.Pose, NewChannel(poses[c]))
	}
	p, err := s.Snapshots()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.draw(); err != nil || p.Title != "Motion, 2 snapshots" {
		t.Error(p.Title, err)
	}
	// A floor, a wall; twice a ball, and a capsule as its rim and what is in it; a joint.
	if len(p.Areas) != 2+2*3+1 || len(p.Lines) != 1 {
		t.Fatalf("%d areas, %d lines", len(p.Areas), len(p.Lines))
	}
	// Bodies in the order of their depth: at yaw −28° what is at larger x is further off.
	for k, want := range []color.Color{color.Gray{205}, color.Gray{247}, color.Gray{247}, colourOf(filmFaint),
		colourOf(filmBody), colourOf(filmBody)} {
		if got := p.Areas[2+k].Color; got != want {
			t.Errorf("area %d has the colour %v, want %v", k, got, want)
		}
	}
	middle := func(a Area) (m Point) {
		for _, x := range a.Rings[0] {
			m.X, m.Y = m.X+x.X/float64(len(a.Rings[0])), m.Y+x.Y/float64(len(a.Rings[0]))
		}
		return m
	}
	const tolerance = 1e-3 // 16 bits of 5 m, and corners of ovals
	sy, cy := math.Sincos(-28 * math.Pi / 180)
	st := math.Sin(32 * math.Pi / 180)
	long := math.Hypot(cy, -sy*st) // of a metre along x as it is seen
	for _, k := range []int{2, 5} {
		capsule, ball := p.Areas[k], p.Areas[k+2]
		m := middle(ball)
		for _, x := range ball.Rings[0] {
			if d := math.Hypot(x.X-m.X, x.Y-m.Y); math.Abs(d-r) > tolerance {
				t.Fatalf("a point of the ball is %g m from its centre", d)
			}
		}
		most := 0.0
		for _, x := range capsule.Rings[0] {
			for _, y := range capsule.Rings[0] {
				most = max(most, math.Hypot(x.X-y.X, x.Y-y.Y))
			}
		}
		const pixel = 8. / 720 // at most, of a box 8 m wide; the rim is half a line beyond
		if want := length*long + 2*r; most < want || most > want+3*pixel {
			t.Errorf("the capsule is %g m long, want %g", most, want)
		}
	}
	if a, b := middle(p.Areas[4]), middle(p.Areas[7]); math.Abs(math.Hypot(b.X-a.X, b.Y-a.Y)-long) > tolerance {
		t.Errorf("the ball goes from %v to %v, want %g m", a, b, long)
	}
	if l := p.Lines[0].Points; math.Abs(math.Hypot(l[1].X-l[0].X, l[1].Y-l[0].Y)-4*long) > tolerance {
		t.Errorf("the rod is %v", l)
	}
	if x, y := p.Lines[0].Points[0], middle(p.Areas[7]); math.Hypot(x.X-y.X, x.Y-y.Y) > tolerance {
		t.Errorf("the rod begins at %v, its ball is at %v", x, y)
	}
}

// TestSnapshotsOfAll: bodies of each shape are drawn, of many with fewer corners; nothing is an
// error.
func TestSnapshotsOfAll(t *testing.T) {
	p, err := everything().Snapshots()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.draw(); err != nil {
		t.Error(err)
	}
	for name, s := range map[string]*Scene{"nil": nil, "no times": {Bodies: []SceneBody{{}}}, "no bodies": {Times: []float64{0}}} {
		if _, err := s.Snapshots(); err == nil {
			t.Errorf("%s: there is nothing to draw", name)
		}
	}
	damaged := everything()
	damaged.Pose[0].Data = "?"
	if _, err := damaged.Snapshots(); err == nil {
		t.Error("a damaged scene is drawn")
	}
	ring := func(bodies int) int {
		round := [3]float64{1, 1, 1}
		s := &Scene{Times: []float64{0}, Box: &[2][3]float64{{0, 0, 0}, {1, 1, 1}}}
		for range bodies {
			s.Bodies = append(s.Bodies, SceneBody{Round: &round})
		}
		for range 7 {
			s.Pose = append(s.Pose, NewChannel(make([]float64, bodies)))
		}
		p, err := s.Snapshots()
		if err != nil || len(p.Areas) != bodies {
			t.Fatal(err)
		}
		return len(p.Areas[0].Rings[0])
	}
	if few, many := ring(manyShapes), ring(manyShapes+1); few != 48 || many != 16 {
		t.Errorf("ovals have %d corners, of many %d", few, many)
	}
}
