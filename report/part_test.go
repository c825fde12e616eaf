package report

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// drum is a cylinder along z of rings of points: an end, two rims, the other end.
func drum(around int) ScenePart {
	var points [][3]float64
	for _, x := range [][2]float64{{0, 1}, {1, 1}, {1, -1}, {0, -1}} {
		for k := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / float64(around))
			points = append(points, [3]float64{x[0] * cos, x[0] * sin, x[1]})
		}
	}
	return NewScenePart(points, nil, around)
}

// TestPartEdges: of a box twelve edges are drawn, none across its faces; of a drum the two rims and
// three lines from end to end, one of which is seen from wherever one looks.
func TestPartEdges(t *testing.T) {
	cube := NewScenePart([][3]float64{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}},
		[][]int{{0, 4, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}, 0)
	if list := cube.edges(); len(list) != 12 {
		t.Errorf("a cube has %d edges", len(list))
	}
	const around = 16
	x := drum(around)
	var rims int
	var sides []partEdge
	for _, e := range x.edges() {
		a, b := x.point(e.a), x.point(e.b)
		switch {
		case a[2] == b[2] && math.Hypot(a[0], a[1]) > 0.5 && math.Hypot(b[0], b[1]) > 0.5:
			rims++
		case a[2] != b[2]:
			sides = append(sides, e)
		}
	}
	for _, e := range sides {
		if a := x.point(e.a); vec3.Dot(a, e.normal[0]) < 0 {
			t.Errorf("a side at %v looks inward, along %v", a, e.normal[0])
		}
	}
	if rims != 2*around || len(sides) != 3 {
		t.Fatalf("a drum has %d edges at its rims and %d lines", rims, len(sides))
	}
	for k := range 360 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 180)
		seen := 0
		for _, e := range sides {
			if vec3.Dot(e.normal[0], [3]float64{cos, sin}) > 1e-3 || vec3.Dot(e.normal[1], [3]float64{cos, sin}) > 1e-3 {
				seen++
			}
		}
		if seen == 0 {
			t.Fatalf("from %d° no line is seen", k)
		}
	}
}

// TestOver: a plane is shown where its contacts are, of one that has moved where they are on it; one
// without contacts as far as the picture.
func TestOver(t *testing.T) {
	s := &Scene{Times: []float64{0, 1}, Points: 3, Anchors: 3, Particles: 2, Contacts: 2, On: []int{0, 1},
		X: NewExactChannel([]float64{0, 5, 9, 1, 6, 9}), Y: NewExactChannel(make([]float64, 6)),
		Z: NewExactChannel([]float64{0, 0, 2, 0, 0, 2}),
		Obstacles: []Obstacle{{T: [3]float64{1}, O: [3]float64{0, 1}, N: [3]float64{2: 1}},
			{P: [3]float64{4}, T: [3]float64{1}, O: [3]float64{0, 1}, N: [3]float64{2: 1}}, {N: [3]float64{2: 1}}}}
	s.Obstacles[1].Move(s.Times, func(t float64) ([9]float64, [3]float64) { return [9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1}, [3]float64{t} })
	s.N, s.T1, s.T2, s.Bound = NewExactChannel(make([]float64, 4)), NewExactChannel(make([]float64, 4)),
		NewExactChannel(make([]float64, 4)), NewExactChannel(make([]float64, 4))
	f, err := newFilmer(s, FilmOptions{Frames: 2})
	if err != nil {
		t.Fatal(err)
	}
	s.Polygons = [][]int{{0, 1, 2}}
	for i, want := range []*span{{{0, 0}, {1, 0}}, {{1, 0}, {1, 0}}, nil} {
		if got := f.over(i); (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("plane %d is over %v, want %v", i, got, want)
		}
	}
	s.Polygons, f.ground = [][]int{{2, 2, 2}}, map[int]*span{}
	if got := f.over(0); got != nil {
		t.Errorf("the middles of tiles are over %v", got)
	}
}
