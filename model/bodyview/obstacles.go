package bodyview

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/report"
)

// obstacle shows obstacle i of the world at rest, as far as it is near to a box; in the plane
// a point (x, y) is shown at (x, 0, y).
func (m *Reader) obstacle(i int, box [2][3]float64) (x report.Obstacle) {
	w := m.setup.World
	if i < len(m.setup.Obstacles) {
		x.Name = m.setup.Obstacles[i]
	}
	centre, size := vec3.Scale(vec3.Add(box[0], 1, box[1]), 0.5), 0.0
	for c := range 3 {
		size = max(size, box[1][c]-box[0][c])
	}
	plane := w.Dim() == 2
	switch s := w.Obstacle(i).Surface.(type) {
	case bodies.HalfSpace:
		t, o := w.Tangents(s.Normal)
		x.P, x.N, x.T, x.O = s.Point, s.Normal, t, o
		if plane {
			x.P, x.N, x.T, x.O = lifted(s.Point), lifted(s.Normal), lifted(t), [3]float64{0, 1, 0}
		}
	case bodies.Ball:
		if plane {
			x.Outline(oval(s.Center, [3]float64{s.R, s.R}), s.Inside)
			x.Mark([][2]float64{{s.Center[0] + 0.6*s.R, s.Center[1]}, {s.Center[0] + s.R, s.Center[1]}})
			break
		}
		x.Ellipsoid(s.Center, [3]float64{s.R, s.R, s.R}, s.Inside)
	case bodies.Oval:
		if plane {
			x.Outline(oval(s.Center, s.Axes), s.Inside)
			break
		}
		x.Ellipsoid(s.Center, s.Axes, s.Inside)
	case bodies.Torus:
		x.Torus(s.Center, s.Axis, s.Radius, s.Tube, s.Inside)
	case bodies.Cylinder:
		middle := vec3.Add(s.Point, vec3.Dot(vec3.Add(centre, -1, s.Point), s.Axis), s.Axis)
		x.Cylinder(middle, s.Axis, s.R, 0.6*max(size, s.R), s.Inside)
	case bodies.Solid:
		for _, part := range w.Surfaces(i) {
			first := len(x.At)
			for _, y := range part.Points {
				if plane {
					y = lifted(y)
				}
				x.At = append(x.At, [3]float32{float32(y[0]), float32(y[1]), float32(y[2])})
			}
			for _, face := range part.Faces {
				var ring []int
				for _, k := range face {
					ring = append(ring, first+k)
				}
				if plane {
					x.Lines = append(x.Lines, append(ring, first))
					continue
				}
				x.Faces = append(x.Faces, ring)
			}
		}
	case bodies.Mesh:
		for _, y := range s.Vertices() {
			x.At = append(x.At, [3]float32{float32(y[0]), float32(y[1]), float32(y[2])})
		}
		for _, t := range s.Triangles() {
			x.Faces = append(x.Faces, t[:])
		}
	case bodies.Graph:
		height := func(u, v float64) float64 { h, _, _, _, _, _ := s.Relief.Height(u, v); return h }
		low, high := spans(s.Relief, centre, size)
		if !plane {
			x.Graph(low, high, s.Below, height)
			break
		}
		const steps = 128
		var line [][2]float64
		for k := range steps + 1 {
			u := low[0] + (high[0]-low[0])*float64(k)/steps
			line = append(line, [2]float64{u, height(u, 0)})
		}
		x.Profile(line)
	}
	return x
}

// spans are the ranges of x and y over which a graph is shown: its grid, and what is near.
func spans(r bodies.Relief, centre [3]float64, size float64) (low, high [2]float64) {
	x, y := r.Grid()
	for c, grid := range [][]float64{x, y} {
		low[c], high[c] = min(grid[0], centre[c]-size), max(grid[len(grid)-1], centre[c]+size)
	}
	return low, high
}

// oval is an ellipse of the plane.
func oval(centre, axes [3]float64) (ring [][2]float64) {
	const corners = 72
	for k := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / corners)
		ring = append(ring, [2]float64{centre[0] + axes[0]*cos, centre[1] + axes[1]*sin})
	}
	return ring
}

// lifted is a vector of the plane as it is shown.
func lifted(x [3]float64) [3]float64 { return [3]float64{x[0], 0, x[1]} }

// moved is how an obstacle moves as it is shown: in the plane it turns from x to z.
func (m *Reader) moved(i int) func(t float64) (r [9]float64, p [3]float64) {
	o := m.setup.World.Obstacle(i)
	if m.setup.World.Dim() == 3 {
		return o.Motion.At
	}
	return func(t float64) ([9]float64, [3]float64) {
		r, p := o.Motion.At(t)
		return [9]float64{r[0], 0, r[1], 0, 1, 0, r[3], 0, r[4]}, lifted(p)
	}
}
