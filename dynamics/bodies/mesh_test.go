package bodies_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/signal"
)

// boxMesh are the corners and faces of a box.
func boxMesh(low, high v3) (at []v3, faces [][]int) {
	for k := range 8 {
		x := low
		for c := range 3 {
			if k>>c&1 == 1 {
				x[c] = high[c]
			}
		}
		at = append(at, x)
	}
	return at, [][]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}
}

// angleMesh is a body with the cross-section of an L, of two boxes: [0, .6] × [0, .2] and [0, .2] × [0, .5]
// in x and z, over [0, .4] in y. Its faces are cut at random places into triangles.
func angleMesh() (at []v3, faces [][]int, parts []bodies.Part) {
	section := [][2]float64{{0, 0}, {.6, 0}, {.6, .2}, {.2, .2}, {.2, .5}, {0, .5}}
	for _, y := range []float64{0, .4} {
		for _, p := range section {
			at = append(at, v3{p[0], y, p[1]})
		}
	}
	for k := range 6 {
		l := (k + 1) % 6
		faces = append(faces, []int{l, k, k + 6, l + 6})
	}
	faces = append(faces, []int{0, 1, 2, 3}, []int{0, 3, 4, 5}, []int{9, 8, 7, 6}, []int{11, 10, 9, 6})
	parts = []bodies.Part{{Shape: bodies.Box{Size: v3{.6, .4, .2}}, Position: v3{.3, .2, .1}},
		{Shape: bodies.Box{Size: v3{.2, .4, .5}}, Position: v3{.1, .2, .25}}}
	return at, faces, parts
}

// onto is a world of a body of a shape and an obstacle.
func onto(t *testing.T, shape bodies.Shape, s bodies.Surface) *bodies.World {
	t.Helper()
	w, err := bodies.NewWorld(3, v3{})
	if err == nil {
		_, err = w.AddObstacle(bodies.Obstacle{Surface: s})
	}
	if err == nil {
		_, err = w.Add(bodies.Body{Shape: shape, Mass: 1})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func newMesh(t *testing.T, at []v3, faces [][]int, open, inside bool) bodies.Mesh {
	t.Helper()
	m, err := bodies.NewMesh(at, faces, open, inside)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMeshIsBody: the distance of a body of any shape from a mesh, convex or not, is that from the same
// obstacle made of boxes, where they are apart and where they are pushed together by 1e-4 it is less than zero, and no more; no
// two touches have one name.
func TestMeshIsBody(t *testing.T) {
	thorough.Seconds(t)
	rng := rand.New(rand.NewPCG(7, 1))
	boxAt, boxFaces := boxMesh(v3{-.3, -.2, -.1}, v3{.3, .2, .1})
	angleAt, angleFaces, parts := angleMesh()
	for _, x := range []struct {
		mesh bodies.Mesh
		body bodies.Solid
	}{
		{newMesh(t, boxAt, boxFaces, false, false), bodies.Solid{Shape: bodies.Box{Size: v3{.6, .4, .2}}}},
		{newMesh(t, angleAt, angleFaces, false, false), bodies.Solid{Shape: bodies.Compound{Parts: parts}}},
	} {
		for _, shape := range shapes[3] {
			mesh, body := onto(t, shape, x.mesh), onto(t, shape, x.body)
			onMesh, onBody := mesh.NewToucher(nil), body.NewToucher(nil)
			apart := 0
			for range 30 {
				q, _ := mesh.Start()
				for k := range q {
					q[k] = 2*rng.Float64() - 1
				}
				mesh.Project(q)
				got, want := nearest(onMesh.Find(nil, 0, q, 10)), nearest(onBody.Find(nil, 0, q, 10))
				if want.Gap <= 1e-3 {
					continue
				}
				if apart++; math.Abs(got.Gap-want.Gap) > 1e-9 || abs(sum(got.N, -1, want.N)) > 1e-6 {
					t.Errorf("%T %v: gap %.12g along %v, want %.12g along %v, at %v", shape, shape, got.Gap, got.N, want.Gap, want.N, q)
				}
				for k := range 3 {
					q[k] -= (want.Gap + 1e-4) * want.N[k]
				}
				touches := onMesh.Find(nil, 0, q, .05)
				if got, want = nearest(touches), nearest(onBody.Find(nil, 0, q, .05)); !(got.Gap >= -1e-4-1e-9 && got.Gap < 0) {
					t.Errorf("%T %v: pushed together gap %.12g along %v, want %.12g along %v, at %v", shape, shape,
						got.Gap, got.N, want.Gap, want.N, q)
				}
				for i := 1; i < len(touches); i++ {
					if touches[i].Key == touches[i-1].Key {
						t.Errorf("%T %v: two touches of one name %#x", shape, shape, touches[i].Key)
					}
				}
			}
			if apart < 5 {
				t.Errorf("%T: only %d scenes apart", shape, apart)
			}
		}
	}
}

// TestMeshRefused: what is no surface of a body is refused, with the place.
func TestMeshRefused(t *testing.T) {
	at, faces := boxMesh(v3{}, v3{1, 1, 1})
	turned := func() [][]int {
		list := append([][]int(nil), faces...)
		list[0] = []int{1, 3, 2, 0}
		return list
	}()
	all := make([][]int, len(faces))
	for i, f := range faces {
		all[i] = []int{f[3], f[2], f[1], f[0]}
	}
	for name, x := range map[string]struct {
		at    []v3
		faces [][]int
		open  bool
		want  string
	}{
		"hole":    {at, faces[1:], false, "a face on one side only"},
		"flipped": {at, turned, false, "flipped"},
		"turned":  {at, all, false, "inside out"},
		"closed":  {at, faces, true, "is closed"},
		"line":    {append(at[:8:8], v3{2, 2, 2}), [][]int{{0, 7, 8}}, true, "face 0 of a mesh has no area at (0, 0, 0) m"},
		"corner":  {at, [][]int{{0, 1, 9}}, true, "has the corner 9, want one of 0 to 7"},
		"two":     {at, [][]int{{0, 1}}, true, "has 2 corners"},
		"none":    {at, nil, true, "no faces"},
		"fin":     {at, [][]int{{0, 1, 2}, {0, 2, 1}}, false, "lie on each other"},
		"far":     {[]v3{{math.NaN()}, {}, {}}, [][]int{{0, 1, 2}}, true, "vertex 0 of a mesh is at [NaN 0 0]"},
	} {
		if _, err := bodies.NewMesh(x.at, x.faces, x.open, false); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", name, err, x.want)
		}
	}
}

// TestMeshHollow: a point that has gone through the bottom of a valley with walls of 45° touches both.
func TestMeshHollow(t *testing.T) {
	w := onto(t, bodies.Point{}, newMesh(t, []v3{{-1, -1, 1}, {-1, 1, 1}, {0, -1, 0}, {0, 1, 0}, {1, -1, 1}, {1, 1, 1}},
		[][]int{{0, 2, 3, 1}, {2, 4, 5, 3}}, true, false))
	q, _ := w.Start()
	const deep = 1e-6
	q[2] = -deep
	touches := w.NewToucher(nil).Find(nil, 0, q, .1)
	if len(touches) != 2 || inner(touches[0].N, touches[1].N) > 1e-12 {
		t.Fatalf("touches %+v, want two that are at right angles", touches)
	}
	for _, x := range touches {
		if math.Abs(x.Gap+deep*math.Sqrt(.5)) > 1e-12 {
			t.Errorf("gap %g, want %g", x.Gap, -deep*math.Sqrt(.5))
		}
	}
}

// TestMeshInside: a ball that is all inside of a closed mesh is as deep in it as it is large and its centre
// below the nearest face; outside of open ground that ends beside it it touches nothing.
func TestMeshInside(t *testing.T) {
	at, faces := boxMesh(v3{-1, -1, -.2}, v3{1, 1, .2})
	w := onto(t, bodies.Sphere{R: .01}, newMesh(t, at, faces, false, false))
	q, _ := w.Start()
	q[2] = .1
	if x := w.NewToucher(nil).Find(nil, 0, q, .001); len(x) != 1 || math.Abs(x[0].Gap+.11) > 1e-12 ||
		abs(sum(x[0].N, -1, v3{0, 0, 1})) > 1e-12 {
		t.Errorf("inside: %+v", x)
	}
	w = onto(t, bodies.Sphere{R: .01}, newMesh(t, at, faces[1:2], true, false))
	q[0], q[2] = 1.1, -.5
	if x := w.NewToucher(nil).Find(nil, 0, q, .001); len(x) != 0 {
		t.Errorf("beside: %+v", x)
	}
}

// TestMeshBehind: a ball begins behind open ground where it sees the back of a face and the edge of the ground
// is nearest, wherever the ground is at the start; beside ground, below its level, it does not.
func TestMeshBehind(t *testing.T) {
	at, faces := boxMesh(v3{}, v3{1, 1, 1})
	cup := append(faces[:1:1], faces[2:]...) // without the top
	for name, x := range map[string]struct {
		faces  [][]int
		inside bool
		at     v3
		behind bool
	}{
		"above a box from outside":        {cup, false, v3{.4, .5, 1.3}, true},
		"above a box from inside":         {cup, true, v3{.4, .5, 1.3}, false},
		"above, over two triangles":       {cup, false, v3{.5, .5, 1.3}, true},
		"above and beside":                {cup, false, v3{-.4, .5, 1.3}, false},
		"beside the wall from outside":    {cup, false, v3{-.4, .5, .8}, false},
		"beside a table, below its level": {faces[1:2], false, v3{1.3, .5, .3}, false},
		"behind a wall, before the other": {[][]int{faces[3], faces[2]}, true, v3{.5, .5, 1.3}, false},
	} {
		w, err := bodies.NewWorld(3, v3{})
		if err == nil {
			_, err = w.AddObstacle(bodies.Obstacle{Surface: newMesh(t, at, x.faces, true, x.inside),
				Motion: signal.Motion{Shift: signal.Vector{signal.Constant(7), signal.Constant(0), signal.Constant(0)}}})
		}
		if err == nil {
			_, err = w.Add(bodies.Body{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: sum(x.at, 1, v3{7})})
		}
		if err != nil {
			t.Fatal(err)
		}
		q, _ := w.Start()
		if err := w.Begins(q, 0, 0); err != nil != x.behind {
			t.Errorf("%s: %v", name, err)
		}
	}
}
