package bodyview

import (
	"maps"
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// TestObstaclesAreWhereTheyAre: the corners of the faces and lines that show an obstacle lie on it,
// but for the mark of how a disc turns; faces look to where bodies are. A graph is shown at least
// over the picture.
func TestObstaclesAreWhereTheyAre(t *testing.T) {
	relief, err := particles.NewGraph([]float64{-1, 0, 1}, []float64{0}, [][]float64{{0, .5, 0}}, false)
	if err != nil {
		t.Fatal(err)
	}
	dome, err := particles.NewGraph([]float64{-1, 0, 1}, []float64{-1, 0, 2}, [][]float64{{0, .1, 0}, {.2, .5, .1}, {0, .3, 0}}, false)
	if err != nil {
		t.Fatal(err)
	}
	centre := [3]float64{.5, -.25, 1}
	height := func(g *particles.Graph) func(x [3]float64, dim int) float64 {
		return func(x [3]float64, dim int) float64 {
			y, z := x[1], x[2]
			if dim == 2 {
				y, z = 0, x[1]
			}
			h, _, _, _, _, _ := g.Height(x[0], y)
			return z - h
		}
	}
	for _, c := range []struct {
		name    string
		dim     int
		surface bodies.Surface
		off     func(x [3]float64, dim int) float64 // from it
		inside  int                                 // points that are not on it
	}{
		{"disc", 2, bodies.Ball{Center: [3]float64{.5, -.25}, R: 2},
			func(x [3]float64, _ int) float64 { return math.Hypot(x[0]-.5, x[1]+.25) - 2 }, 1},
		{"ball", 3, bodies.Ball{Center: centre, R: 2},
			func(x [3]float64, _ int) float64 { return vec3.Norm(vec3.Add(x, -1, centre)) - 2 }, 0},
		{"ellipse", 2, bodies.Oval{Center: [3]float64{.5, -.25}, Axes: [3]float64{3, 1}},
			func(x [3]float64, _ int) float64 { return math.Hypot((x[0]-.5)/3, x[1]+.25) - 1 }, 0},
		{"ellipsoid", 3, bodies.Oval{Center: centre, Axes: [3]float64{3, 1, 2}}, func(x [3]float64, _ int) float64 {
			return vec3.Norm([3]float64{(x[0] - .5) / 3, x[1] + .25, (x[2] - 1) / 2}) - 1
		}, 0},
		{"torus", 3, bodies.Torus{Center: centre, Axis: [3]float64{0, 0, 1}, Radius: 2, Tube: .5}, func(x [3]float64, _ int) float64 {
			return math.Hypot(math.Hypot(x[0]-.5, x[1]+.25)-2, x[2]-1) - .5
		}, 0},
		{"cylinder", 3, bodies.Cylinder{Point: centre, Axis: [3]float64{0, 1, 0}, R: 2},
			func(x [3]float64, _ int) float64 { return math.Hypot(x[0]-.5, x[2]-1) - 2 }, 0},
		{"profile", 2, bodies.Graph{Relief: relief}, height(relief), 0},
		{"relief", 3, bodies.Graph{Relief: dome}, height(dome), 0},
	} {
		w, err := bodies.NewWorld(c.dim, [3]float64{})
		if err == nil {
			_, err = w.AddObstacle(bodies.Obstacle{Surface: c.surface})
		}
		if err != nil {
			t.Fatal(err)
		}
		o := (&Reader{setup: Setup{World: w}}).obstacle(0, [2][3]float64{{-2.3, -2.4, -2.5}, {2.7, 2.6, 2.5}})
		off, span := 0, [2]float64{math.Inf(1), math.Inf(-1)}
		from := func(x [3]float64) float64 {
			if c.dim == 2 {
				x = [3]float64{x[0], x[2]}
			}
			return c.off(x, c.dim)
		}
		at := func(i int) [3]float64 {
			return [3]float64{float64(o.At[i][0]), float64(o.At[i][1]), float64(o.At[i][2])}
		}
		for i := range o.At {
			x := at(i)
			span[0], span[1] = min(span[0], x[0]), max(span[1], x[0])
			if !(math.Abs(from(x)) <= 1e-6) {
				off++
			}
		}
		if off != c.inside || len(o.At) < 60 {
			t.Errorf("%s: %d of %d corners are not on it", c.name, off, len(o.At))
		}
		if _, graph := c.surface.(bodies.Graph); graph && !(span[0] <= -2.3+1e-6 && span[1] >= 2.7-1e-6) {
			t.Errorf("%s: shown from %g to %g", c.name, span[0], span[1])
		}
		for _, face := range o.Faces {
			if c.dim == 2 || len(face) > 4 {
				continue // an end of a cylinder
			}
			n := vec3.Cross(vec3.Add(at(face[2]), -1, at(face[0])), vec3.Add(at(face[3]), -1, at(face[1])))
			middle := vec3.Scale(vec3.Add(at(face[0]), 1, at(face[2])), 0.5)
			if l := vec3.Norm(n); l > 0 && !(from(vec3.Add(middle, 0.3/l, n)) > from(middle)) {
				t.Errorf("%s: a face at %v looks the wrong way, along %v", c.name, middle, n)
			}
		}
	}
}

// tiedBoxes are three boxes in a row with joints and springs of all kinds that are shown.
func tiedBoxes(t *testing.T) (*bodies.World, *multibody.Model) {
	t.Helper()
	w, err := bodies.NewWorld(3, [3]float64{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := w.Add(bodies.Body{Shape: bodies.Box{Size: [3]float64{.2, .2, .2}}, Mass: 1,
			Position: [3]float64{float64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	m, err := multibody.NewModel(w, multibody.Setup{Joints: []multibody.Joint{
		{Kind: multibody.Distance, A: 0, B: 1, At: [3]float64{.1}, Other: [3]float64{.9, .05}},
		{Kind: multibody.Spherical, A: 1, B: 2, At: [3]float64{1.5, 0, .25}},
		{Kind: multibody.Revolute, A: 2, B: -1, At: [3]float64{2, .5}, Axis: [3]float64{0, 0, 1}},
	}, Forces: []multibody.Force{
		&multibody.Spring{A: 0, B: 2, AtA: [3]float64{0, .1}, AtB: [3]float64{0, 0, .1}, Stiffness: 1},
		&multibody.Spring{A: 1, B: -1, AtB: [3]float64{1, 0, 3}, Stiffness: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return w, m
}

// TestJointsAreShown: a rod between the ends of a distance joint, arms from other joints to the
// centres of their bodies, a line from end to end of a spring, of the ground where it hangs there;
// far from the origin too.
func TestJointsAreShown(t *testing.T) {
	for _, origin := range [][3]float64{{}, {1000, 0, 0}} {
		w, m := tiedBoxes(t)
		p := newPicture(w, m, origin).(*picture)
		p.once.Do(p.lay)
		place := func(x bodyPoint) [3]float64 { // of bodies without a turn
			if x.body < 0 {
				return vec3.Add(x.y, -1, origin)
			}
			return vec3.Add(x.y, 1, [3]float64{float64(x.body)})
		}
		want := [][3]any{
			{byte(cellJoint), [3]float64{.1}, [3]float64{.9, .05}},
			{byte(cellJoint), [3]float64{1.5, 0, .25}, [3]float64{1}}, {byte(cellJoint), [3]float64{1.5, 0, .25}, [3]float64{2}},
			{byte(cellJoint), [3]float64{2, .5}, [3]float64{2}},
			{byte(cellSpring), [3]float64{0, .1}, [3]float64{2, 0, .1}}, {byte(cellSpring), [3]float64{1}, [3]float64{1, 0, 3}},
		}
		n, first := 0, int64(0)
		for k, end := range p.cells.Ends {
			points := p.cells.Nodes[first:end]
			if first = end; p.kinds[k] != cellJoint && p.kinds[k] != cellSpring {
				continue
			}
			if n == len(want) || p.kinds[k] != want[n][0] || p.cells.Types[k] != table.VTKLine || len(points) != 2 {
				t.Fatalf("origin %v: line %d of kind %d", origin, n, p.kinds[k])
			}
			for i := range 2 {
				if d := vec3.Norm(vec3.Add(place(p.ties[points[i]]), -1, want[n][1+i].([3]float64))); !(d <= 1e-12) {
					t.Errorf("origin %v: end %d of line %d is at %v, want %v", origin, i, n, place(p.ties[points[i]]), want[n][1+i])
				}
			}
			n++
		}
		if n != len(want) {
			t.Errorf("origin %v: %d lines, want %d", origin, n, len(want))
		}
	}
}

// TestSceneOfJoints: the animation has the same: a rod between two marks for a distance, arms to
// the centres from a mark for other joints, one mark for what hangs on the ground within its body,
// and springs, whose end at the ground is an anchor.
func TestSceneOfJoints(t *testing.T) {
	w, m := tiedBoxes(t)
	s := &bodyScene{Scene: &report.Scene{}, m: &Reader{setup: Setup{World: w, Rigid: m, IDs: []string{"a", "b", "c"}}}}
	s.joints()
	kinds := map[string]int{}
	for _, j := range s.Joints {
		kinds[j.Kind]++
	}
	links := map[int]int{}
	for _, l := range s.Links {
		if links[l[2]]++; l[0] == l[1] || l[0] >= len(s.ties) || l[1] >= len(s.ties) {
			t.Errorf("link %v of %d points", l, len(s.ties))
		}
	}
	// The pin at (2, .5) is out of its box, and takes an arm.
	if want := map[string]int{"joint": 2 + 1 + 2 + 1, "ground": 1, "anchor": 1}; !maps.Equal(kinds, want) {
		t.Errorf("marks %v, want %v", kinds, want)
	}
	if want := map[int]int{report.LinkRod: 1 + 2 + 1, report.LinkSpring: 2}; !maps.Equal(links, want) {
		t.Errorf("links %v, want %v", links, want)
	}
	for _, l := range s.Links {
		if l[2] != report.LinkSpring {
			continue
		}
		if a, b := s.ties[l[0]], s.ties[l[1]]; !(a.body == 0 && b.body == 2 && a.y == [3]float64{0, .1} &&
			b.y == [3]float64{0, 0, .1}) && !(a.body == 1 && b.body < 0 && b.y == [3]float64{1, 0, 3}) {
			t.Errorf("a spring from %+v to %+v", a, b)
		}
	}
}
