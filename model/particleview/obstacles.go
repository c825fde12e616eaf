package particleview

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/report"
)

// obstacles shows all of the case, and says which of them each contact is with. The picture
// holds the motion, and obstacles that are not far larger than it.
func (r *Reader) obstacles(s *report.Scene, contacts []int, frames []*frame) {
	box := [2][3]float64{}
	if len(frames) > 0 {
		box = r.extent(frames)
	}
	shown := box
	for i := range r.scene.Obstacles {
		o := &r.scene.Obstacles[i]
		s.Obstacles = append(s.Obstacles, o.picture(&box))
		x := &s.Obstacles[i]
		if o.Shape.Motion.Moves() {
			x.Move(s.Times, o.Shape.Motion.At)
		}
		if whole := box; x.At != nil {
			x.Holds(&whole, s.Times, o.Shape.Motion.At)
			if size := extentOf(&box); size == 0 || extentOf(&whole) <= farLarger*size {
				x.Holds(&shown, s.Times, o.Shape.Motion.At)
			}
		}
	}
	for _, c := range contacts {
		s.On = append(s.On, r.obstacle(s, c))
	}
	if len(frames) > 0 {
		s.Box = &shown
	}
}

// farLarger is the part of the motion from which on the picture does not hold an obstacle:
// the motion would not be seen any more.
const farLarger = 6

// obstacle is the number of that of a contact, −1 of one between bodies. The floor that a case does not name is added.
func (r *Reader) obstacle(s *report.Scene, c int) int {
	f := r.scene.System.ContactFrame(c)
	if f.Relative { // the other body
		return -1
	}
	if f.Chart != nil {
		return r.scene.On[f.Chart]
	}
	for i := range s.Obstacles {
		if o := &s.Obstacles[i]; o.Pose == nil && o.N == f.N && o.P == f.P {
			return i
		}
	}
	s.Obstacles = append(s.Obstacles, report.Obstacle{P: f.P, T: f.T, O: f.O, N: f.N})
	return len(s.Obstacles) - 1
}

// extent is the box of all that moves in some frames.
func (r *Reader) extent(frames []*frame) (box [2][3]float64) {
	for c := range 3 {
		box[0][c], box[1][c] = math.Inf(1), math.Inf(-1)
	}
	take := func(x []float64) {
		for i, v := range x {
			box[0][i%3], box[1][i%3] = min(box[0][i%3], v), max(box[1][i%3], v)
		}
	}
	for _, f := range frames {
		for _, j := range r.shown {
			take(f.X[3*j : 3*j+3])
		}
		take(r.scene.anchorsAt(nil, f.T))
	}
	return box
}

// extentOf is the longest side of a box.
func extentOf(box *[2][3]float64) (size float64) {
	for c := range 3 {
		size = max(size, box[1][c]-box[0][c])
	}
	return size
}

// picture is the obstacle at rest, as far as it is near to a box.
func (o *Obstacle) picture(box *[2][3]float64) report.Obstacle {
	x, s := report.Obstacle{Name: o.Name}, &o.Shape
	size := extentOf(box)
	centre := vec3.Scale(vec3.Add(box[0], 1, box[1]), 0.5)
	switch s.Kind {
	case "sphere":
		x.Ellipsoid(s.Point, [3]float64{s.Radius, s.Radius, s.Radius}, s.Inside)
	case "ellipsoid":
		x.Ellipsoid(s.Point, s.SemiAxes, s.Inside)
	case "cylinder":
		axis := vec3.Scale(s.Direction, 1/vec3.Norm(s.Direction))
		middle := vec3.Add(s.Point, vec3.Dot(vec3.Add(centre, -1, s.Point), axis), axis)
		x.Cylinder(middle, axis, s.Radius, 0.6*max(size, s.Radius), s.Inside)
	case "torus":
		x.Torus(s.Point, vec3.Scale(s.Direction, 1/vec3.Norm(s.Direction)), s.Radius, s.Tube, s.Inside)
	case "graph":
		var low, high [2]float64
		for c := range 2 {
			low[c], high[c] = centre[c]-0.7*size, centre[c]+0.7*size
		}
		if size == 0 {
			low, high = [2]float64{s.X[0], s.Y[0]}, [2]float64{s.X[len(s.X)-1], s.Y[len(s.Y)-1]}
		}
		x.Graph(low, high, s.Inside, func(u, v float64) float64 { p, _, _, _, _, _ := o.Frame.Chart.Face.At(u, v); return p[2] })
	default:
		h, err := particles.NewHalfSpace(s.Point, s.Direction)
		if err != nil {
			return x // the case would not have been read
		}
		f := h.Frame()
		x.P, x.T, x.O, x.N = f.P, f.T, f.O, f.N
	}
	return x
}
