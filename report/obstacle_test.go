package report_test

import (
	"math"
	"testing"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/report"
)

// TestSurfaces: the corners of what is drawn of an obstacle lie on its surface, to the digits of float32, and faces look
// at where contacts are: outwards of a ball, a shaft and a ring, inwards of a bowl and a bore, up from a ground.
func TestSurfaces(t *testing.T) {
	centre, ellipse, axis := [3]float64{1, -2, 0.5}, [3]float64{1, 2, 0.5}, [3]float64{0.6, 0, 0.8}
	from := func(x [3]float64) [3]float64 { return vec3.Add(x, -1, centre) }
	for name, c := range map[string]struct {
		draw    func(o *report.Obstacle)
		apart   func(x [3]float64) float64    // how far x is off the surface [m]
		outward func(x [3]float64) [3]float64 // a direction from the solid
	}{
		"ball": {func(o *report.Obstacle) { o.Ellipsoid(centre, ellipse, false) },
			func(x [3]float64) float64 {
				y := from(x)
				return math.Hypot(math.Hypot(y[0]/ellipse[0], y[1]/ellipse[1]), y[2]/ellipse[2]) - 1
			}, from},
		"bowl": {func(o *report.Obstacle) { o.Ellipsoid(centre, [3]float64{2, 2, 2}, true) },
			func(x [3]float64) float64 { return vec3.Norm(from(x)) - 2 }, func(x [3]float64) [3]float64 { return vec3.Scale(from(x), -1) }},
		"bore": {func(o *report.Obstacle) { o.Cylinder(centre, axis, 0.3, 1, true) },
			func(x [3]float64) float64 { return vec3.Norm(vec3.Cross(from(x), axis)) - 0.3 },
			func(x [3]float64) [3]float64 {
				y := from(x)
				return vec3.Scale(vec3.Add(y, -vec3.Dot(y, axis), axis), -1)
			}},
		"ring": {func(o *report.Obstacle) { o.Torus(centre, axis, 2, 0.25, false) },
			func(x [3]float64) float64 {
				y := from(x)
				z := vec3.Dot(y, axis)
				return math.Hypot(vec3.Norm(vec3.Add(y, -z, axis))-2, z) - 0.25
			},
			func(x [3]float64) [3]float64 {
				y := from(x)
				out := vec3.Add(y, -vec3.Dot(y, axis), axis)
				return vec3.Add(y, -2/vec3.Norm(out), out)
			}},
		"ground": {func(o *report.Obstacle) {
			o.Graph([2]float64{-1, 0}, [2]float64{2, 3}, false, func(x, y float64) float64 { return 0.2 * math.Sin(x) * y })
		},
			func(x [3]float64) float64 { return x[2] - 0.2*math.Sin(x[0])*x[1] },
			func([3]float64) [3]float64 { return [3]float64{0, 0, 1} }},
	} {
		var o report.Obstacle
		c.draw(&o)
		at := func(i int) [3]float64 {
			return [3]float64{float64(o.At[i][0]), float64(o.At[i][1]), float64(o.At[i][2])}
		}
		if len(o.Faces) < 100 {
			t.Errorf("%s: %d faces", name, len(o.Faces))
		}
		for i := range o.At {
			if x := c.apart(at(i)); !(math.Abs(x) <= 2e-6) {
				t.Fatalf("%s: corner %d is %g off", name, i, x)
			}
		}
		for _, f := range o.Faces {
			n := vec3.Cross(vec3.Add(at(f[2]), -1, at(f[0])), vec3.Add(at(f[3]), -1, at(f[1]))) // of its diagonals
			middle := vec3.Scale(vec3.Add(vec3.Add(at(f[0]), 1, at(f[1])), 1, vec3.Add(at(f[2]), 1, at(f[3]))), 0.25)
			if !(vec3.Dot(n, c.outward(middle)) > 0) {
				t.Fatalf("%s: face %v looks into the solid", name, f)
			}
		}
	}
}

// TestShaftEnds: a shaft has both its ends, seen from outside, and marks on them that show how it turns.
func TestShaftEnds(t *testing.T) {
	var o report.Obstacle
	o.Cylinder([3]float64{}, [3]float64{0, 0, 1}, 0.5, 2, false)
	ends := o.Faces[len(o.Faces)-2:]
	for k, z := range []float64{-2, 2} {
		turned := 0.0
		for i, a := range ends[k] {
			p, q := o.At[a], o.At[ends[k][(i+1)%len(ends[k])]]
			turned += float64(p[0]*q[1]-p[1]*q[0]) / 2
			if float64(p[2]) != z {
				t.Fatalf("end %d is at %g", k, p[2])
			}
		}
		if area := math.Pi / 4; math.Abs(turned-math.Copysign(area, z)) > 0.01*area { // a polygon of 48 corners
			t.Errorf("end %d has the area %g", k, turned)
		}
	}
	if len(o.Marks) != 2 {
		t.Errorf("%d marks", len(o.Marks))
	}
}
