package bodies_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/signal"
)

// TestMirror: worlds that are their own mirror image in a plane, turned anywhere, and those that one
// thing of them spoils.
func TestMirror(t *testing.T) {
	box := func(at v3) bodies.Body {
		return bodies.Body{Shape: bodies.Box{Size: v3{.2, .1, .4}}, Mass: 1, Position: at}
	}
	tilted := [4]float64{math.Cos(.2), 0, math.Sin(.2), 0} // about y
	legs := bodies.Compound{Parts: []bodies.Part{{Shape: bodies.Box{Size: v3{1, 1, .1}}, Position: v3{0, 0, 1}},
		{Shape: bodies.Box{Size: v3{.1, .1, 1}}, Position: v3{.1, .4, .45}},
		{Shape: bodies.Box{Size: v3{.1, .1, 1}}, Position: v3{.1, -.4, .45}}}}
	for name, x := range map[string]struct {
		list []bodies.Body
		wall v3 // normal of a second half-space; zero: none
		want bool
	}{
		"boxes": {[]bodies.Body{box(v3{0, .3, 0}),
			{Shape: bodies.Box{Size: v3{.2, .1, .4}}, Mass: 1, Position: v3{1, .3, 0}, Orientation: tilted,
				Velocity: v3{1, 0, 2}, Spin: v3{0, 3, 0}}}, v3{}, true},
		"box and ball": {[]bodies.Body{box(v3{}),
			{Shape: bodies.Sphere{R: .1}, Mass: 1, Position: v3{1, 0, 0}, Spin: v3{0, -7, 0}}}, v3{1, 0, 1}, true},
		"legs": {[]bodies.Body{{Shape: legs, Mass: 1}}, v3{}, true},
		"cone": {[]bodies.Body{box(v3{}),
			{Shape: bodies.Cone{R: .1, Height: .3}, Mass: 1, Position: v3{1, 0, 0}, Orientation: tilted}}, v3{}, true},
		"balls alone": {[]bodies.Body{{Shape: bodies.Sphere{R: .1}, Mass: 1}}, v3{}, false}, // nothing of theirs is in two points
		"beside":      {[]bodies.Body{box(v3{}), box(v3{1, 1e-6, .3}), box(v3{.1, 1, .3})}, v3{}, false},
		"velocity": {[]bodies.Body{box(v3{}),
			{Shape: bodies.Box{Size: v3{.2, .1, .4}}, Mass: 1, Position: v3{1, 0, .1}, Velocity: v3{0, 1e-6, 0}}}, v3{}, false},
		"spin": {[]bodies.Body{{Shape: bodies.Box{Size: v3{.2, .1, .4}}, Mass: 1, Spin: v3{1, 1, 1}}}, v3{}, false},
		"load": {[]bodies.Body{{Shape: bodies.Box{Size: v3{.2, .1, .4}}, Mass: 1,
			Load: signal.Vector{signal.Constant(1), signal.Constant(1), signal.Constant(0)}}}, v3{}, false},
		"load in the plane": {[]bodies.Body{{Shape: bodies.Box{Size: v3{.2, .1, .4}}, Mass: 1,
			Load: signal.Vector{signal.Constant(1), signal.Constant(0), signal.Constant(0)}}}, v3{}, true},
		"wall":  {[]bodies.Body{box(v3{})}, v3{1, 1, 0}, false},
		"wedge": {[]bodies.Body{{Shape: wedge, Mass: 1}}, v3{}, false},
		"half turned": {[]bodies.Body{box(v3{}),
			{Shape: bodies.Box{Size: v3{.2, .1, .4}}, Mass: 1, Position: v3{1, 0, 0}, Orientation: [4]float64{.8, .6, 0, 0}}}, v3{}, false},
	} {
		for _, turned := range []float64{0, .7} {
			q := [4]float64{math.Cos(turned / 2), 0, 0, math.Sin(turned / 2)}
			w, err := bodies.NewWorld(3, v3{0, 0, -9.81})
			if err != nil {
				t.Fatal(err)
			}
			normals := []v3{{0, 0, 1}, x.wall}
			for _, n := range normals {
				if n != (v3{}) {
					if _, err := w.AddHalfSpace(v3{}, about(turned, n)); err != nil {
						t.Fatal(err)
					}
				}
			}
			loaded := false
			for _, b := range x.list {
				b.Position, b.Velocity, b.Orientation = about(turned, b.Position), about(turned, b.Velocity), product(q, b.Orientation)
				loaded = loaded || b.Load != nil
				if _, err := w.Add(b); err != nil {
					t.Fatal(err)
				}
			}
			if loaded && turned != 0 {
				continue // its signals are along the axes
			}
			n, ok := w.Mirror()
			if ok != x.want {
				t.Errorf("%s, turned by %g: %v, want %v", name, turned, ok, x.want)
			}
			if want := about(turned, v3{0, 1, 0}); ok && math.Abs(n[0]*want[0]+n[1]*want[1]) < 1-1e-12 {
				t.Errorf("%s, turned by %g: across %v, want %v", name, turned, n, want)
			}
		}
	}
}

// about turns a vector about z.
func about(angle float64, x v3) v3 {
	sin, cos := math.Sincos(angle)
	return v3{cos*x[0] - sin*x[1], sin*x[0] + cos*x[1], x[2]}
}

// product of quaternions, of which zeros stand for no turn.
func product(p, q [4]float64) [4]float64 {
	if q == ([4]float64{}) {
		return p
	}
	return [4]float64{p[0]*q[0] - p[1]*q[1] - p[2]*q[2] - p[3]*q[3], p[0]*q[1] + p[1]*q[0] + p[2]*q[3] - p[3]*q[2],
		p[0]*q[2] + p[2]*q[0] + p[3]*q[1] - p[1]*q[3], p[0]*q[3] + p[3]*q[0] + p[1]*q[2] - p[2]*q[1]}
}
