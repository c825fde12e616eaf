package bodyview

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// lines show an obstacle, at times: points, and which of them are joined. Lines of a plane or along a
// cylinder go with it, but stay where the picture is.
type lines struct {
	points int
	joined [][2]int
	place  func(dst [][3]float64, t float64) [][3]float64
}

// around is the number of points of a circle, gridLines of lines across a picture.
const (
	around    = 32
	gridLines = 9
)

// obstacleLines shows an obstacle in a box.
func obstacleLines(w *bodies.World, i int, box [2][3]float64) *lines {
	o := w.Obstacle(i)
	l := &lines{}
	centre, size := [3]float64{}, 0.0
	for c := range 3 {
		centre[c] = (box[0][c] + box[1][c]) / 2
		size = max(size, box[1][c]-box[0][c])
	}
	still := l.shape(w.Dim(), o.Surface, centre, size)
	l.points = len(still(0, o))
	l.place = func(dst [][3]float64, t float64) [][3]float64 {
		r, p := o.Motion.At(t)
		for _, y := range still(t, o) {
			x := p
			for a := range x {
				for b, v := range y {
					x[a] += r[3*a+b] * v
				}
			}
			dst = append(dst, x)
		}
		return dst
	}
	return l
}

// shape declares the lines and returns their points in the frame of the obstacle at a time.
func (l *lines) shape(dim int, s bodies.Surface, centre [3]float64, size float64) func(t float64, o bodies.Obstacle) [][3]float64 {
	var points [][3]float64
	fixed := func(float64, bodies.Obstacle) [][3]float64 { return points }
	switch s := s.(type) {
	case bodies.HalfSpace:
		return l.plane(dim, s, centre, size)
	case bodies.Ball:
		points = l.oval(dim, s.Center, [3]float64{s.R, s.R, s.R})
	case bodies.Oval:
		points = l.oval(dim, s.Center, s.Axes)
	case bodies.Torus:
		t, o := across(s.Axis)
		for _, c := range [][2]float64{{s.Radius + s.Tube, 0}, {s.Radius, s.Tube}, {s.Radius - s.Tube, 0}, {s.Radius, -s.Tube}} {
			points = append(points, l.ring(len(points), vec3.Add(s.Center, c[1], s.Axis), vec3.Scale(t, c[0]), vec3.Scale(o, c[0]))...)
		}
		for k := range 6 {
			sin, cos := math.Sincos(math.Pi / 3 * float64(k))
			out := vec3.Add(vec3.Scale(t, cos), sin, o)
			points = append(points, l.ring(len(points), vec3.Add(s.Center, s.Radius, out), vec3.Scale(out, s.Tube), vec3.Scale(s.Axis, s.Tube))...)
		}
	case bodies.Cylinder:
		t, o := across(s.Axis)
		middle := vec3.Add(s.Point, vec3.Dot(vec3.Add(centre, -1, s.Point), s.Axis), s.Axis)
		for k := -1; k <= 1; k++ {
			points = append(points, l.ring(len(points), vec3.Add(middle, 0.6*float64(k)*max(size, s.R), s.Axis), vec3.Scale(t, s.R), vec3.Scale(o, s.R))...)
		}
		for k := 0; k < around; k += 4 { // along it
			l.joined = append(l.joined, [2]int{k, 2*around + k})
		}
	case bodies.Graph:
		points = l.graph(dim, s, centre, size)
	}
	return fixed
}

// ring adds a circle, or an ellipse, and returns its points.
func (l *lines) ring(first int, centre, a, b [3]float64) (points [][3]float64) {
	for k := range around {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / around)
		points = append(points, vec3.Add(vec3.Add(centre, cos, a), sin, b))
		l.joined = append(l.joined, [2]int{first + k, first + (k+1)%around})
	}
	return points
}

// oval adds an ellipse with a mark that shows how it turns, in space three of them.
func (l *lines) oval(dim int, centre, axes [3]float64) (points [][3]float64) {
	x, y, z := [3]float64{axes[0]}, [3]float64{0, axes[1]}, [3]float64{0, 0, axes[2]}
	points = l.ring(0, centre, x, y)
	if dim == 2 {
		l.joined = append(l.joined, [2]int{0, around})
		return append(points, vec3.Add(centre, 0.85, x))
	}
	points = append(points, l.ring(around, centre, y, z)...)
	return append(points, l.ring(2*around, centre, z, x)...)
}

// graph adds lines over the grid, in the plane one.
func (l *lines) graph(dim int, s bodies.Graph, centre [3]float64, size float64) (points [][3]float64) {
	span := func(grid []float64, c int) (from, to float64) {
		return min(grid[0], centre[c]-size), max(grid[len(grid)-1], centre[c]+size)
	}
	xs, ys := s.Relief.Grid()
	x0, x1 := span(xs, 0)
	strip := func(n int, at func(share float64) (x, y float64)) {
		for k := range n {
			x, y := at(float64(k) / float64(n-1))
			h, _, _, _, _, _ := s.Relief.Height(x, y)
			if dim == 2 {
				points = append(points, [3]float64{x, h})
			} else {
				points = append(points, [3]float64{x, y, h})
			}
			if k > 0 {
				l.joined = append(l.joined, [2]int{len(points) - 2, len(points) - 1})
			}
		}
	}
	if dim == 2 {
		strip(4*around, func(share float64) (x, y float64) { return x0 + share*(x1-x0), 0 })
		return points
	}
	y0, y1 := span(ys, 1)
	for k := range gridLines {
		c := float64(k) / (gridLines - 1)
		strip(around, func(share float64) (x, y float64) { return x0 + share*(x1-x0), y0 + c*(y1-y0) })
		strip(around, func(share float64) (x, y float64) { return x0 + c*(x1-x0), y0 + share*(y1-y0) })
	}
	return points
}

// plane adds a line with strokes on its far side, in space a grid, that go with the plane.
func (l *lines) plane(dim int, s bodies.HalfSpace, centre [3]float64, size float64) func(t float64, o bodies.Obstacle) [][3]float64 {
	u, v := [3]float64{s.Normal[1], -s.Normal[0]}, [3]float64{}
	if dim == 3 {
		u, v = across(s.Normal)
	}
	if size == 0 {
		size = 1
	}
	n := gridLines
	if dim == 2 {
		n = 2*gridLines + 1
		l.joined = append(l.joined, [2]int{0, 2 * (n - 1)})
	}
	for k := range n {
		l.joined = append(l.joined, [2]int{2 * k, 2*k + 1})
		if dim == 3 {
			l.joined = append(l.joined, [2]int{2*n + 2*k, 2*n + 2*k + 1})
		}
	}
	step := 2 * size / float64(n-1)
	return func(t float64, o bodies.Obstacle) (points [][3]float64) {
		// The middle of the picture, in the frame of the obstacle, to whole lines.
		r, p := o.Motion.At(t)
		var y [3]float64
		for a := range y {
			for b := range 3 {
				y[a] += r[3*b+a] * (centre[b] - p[b])
			}
		}
		y = vec3.Add(y, -1, s.Point)
		a, b := step*math.Round(vec3.Dot(y, u)/step), step*math.Round(vec3.Dot(y, v)/step)
		foot := vec3.Add(vec3.Add(s.Point, a, u), b, v)
		for k := range n {
			c := step * (float64(k) - float64(n-1)/2)
			if dim == 2 {
				x := vec3.Add(foot, c, u)
				points = append(points, x, vec3.Add(vec3.Add(x, -0.4*step, u), -0.4*step, s.Normal))
				continue
			}
			points = append(points, vec3.Add(vec3.Add(foot, c, u), -size, v), vec3.Add(vec3.Add(foot, c, u), size, v))
		}
		if dim == 3 {
			for k := range n {
				c := step * (float64(k) - float64(n-1)/2)
				points = append(points, vec3.Add(vec3.Add(foot, -size, u), c, v), vec3.Add(vec3.Add(foot, size, u), c, v))
			}
		}
		return points
	}
}

// across returns two directions with n that are at right angles.
func across(n [3]float64) (t, o [3]float64) {
	axis := [3]float64{1}
	if math.Abs(n[0]) > 0.8 {
		axis = [3]float64{0, 1}
	}
	t = vec3.Add(axis, -vec3.Dot(axis, n), n)
	t = vec3.Scale(t, 1/vec3.Norm(t))
	return t, vec3.Cross(n, t)
}
