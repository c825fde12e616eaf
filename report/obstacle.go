package report

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Obstacle is what contacts are with, as the picture shows it: the plane through P with the
// frame T, O, N, or a surface of Faces and Lines through the corners At, where N is zero.
type Obstacle struct {
	Name string     `json:"name,omitempty"`
	P    [3]float64 `json:"p"`
	T    [3]float64 `json:"t"`
	O    [3]float64 `json:"o"`
	N    [3]float64 `json:"n"`
	// At are the corners at rest [m]. Faces are polygons of them, counter-clockwise as seen
	// from where contacts are: they are seen from there only. Lines are seen from everywhere.
	At    [][3]float32 `json:"at,omitempty"`
	Faces [][]int      `json:"faces,omitempty"`
	Lines [][]int      `json:"lines,omitempty"`
	// Marks are lines that show how it turns, of one that moves.
	Marks [][]int `json:"marks,omitempty"`
	// Pose is how an obstacle has moved: p [m] and the quaternion w, x, y, z of R, one value a
	// time, so that x = R y + p with y the place at rest. nil: it stands still.
	Pose []Channel `json:"pose,omitempty"`
}

// A surface is drawn by this many faces around, and along what is not closed.
const (
	facesAround = 48
	facesAlong  = 24
)

// corner adds one and returns its number.
func (o *Obstacle) corner(x [3]float64) int {
	o.At = append(o.At, [3]float32{float32(bounded(x[0])), float32(bounded(x[1])), float32(bounded(x[2]))})
	return len(o.At) - 1
}

// sheet adds the faces of a map of (u, v) ∈ [0, 1]², nu by nv of them, whose normal
// ∂x/∂u × ∂x/∂v is where contacts are, or the opposite if inside.
func (o *Obstacle) sheet(nu, nv int, inside bool, at func(u, v float64) [3]float64) {
	first := len(o.At)
	for j := range nv + 1 {
		for i := range nu + 1 {
			o.corner(at(float64(i)/float64(nu), float64(j)/float64(nv)))
		}
	}
	for j := range nv {
		for i := range nu {
			a := first + j*(nu+1) + i
			face := []int{a, a + 1, a + nu + 2, a + nu + 1}
			if inside {
				face = []int{a, a + nu + 1, a + nu + 2, a + 1}
			}
			o.Faces = append(o.Faces, face)
		}
	}
}

// circle returns sine and cosine of a part of the way around, at its end those of the beginning.
func circle(u float64) (sin, cos float64) { return math.Sincos(2 * math.Pi * (u - math.Floor(u))) }

// Ellipsoid adds one with semi-axes along x, y and z [m]; inside: contacts are within.
func (o *Obstacle) Ellipsoid(centre, axes [3]float64, inside bool) {
	o.sheet(facesAround, facesAlong, inside, func(u, v float64) [3]float64 {
		sin, cos := circle(u)
		z, r := math.Sincos(math.Pi * (v - 0.5))
		return [3]float64{centre[0] + axes[0]*r*cos, centre[1] + axes[1]*r*sin, centre[2] + axes[2]*z}
	})
}

// Cylinder adds the part of one whose middle is the point [m], with ends if it is a shaft.
func (o *Obstacle) Cylinder(middle, axis [3]float64, radius, half float64, inside bool) {
	t, across := Across(axis)
	ring := func(u, along float64) [3]float64 {
		sin, cos := circle(u)
		return vec3.Add(vec3.Add(vec3.Add(middle, radius*cos, t), radius*sin, across), along, axis)
	}
	const along, first = 4, facesAround + 1 // faces and, behind the first ring of corners, the next one
	begin := len(o.At)
	o.sheet(facesAround, along, inside, func(u, v float64) [3]float64 { return ring(u, half*(2*v-1)) })
	if inside {
		return
	}
	for row := 0; row <= along; row += along {
		var face []int
		for k := range facesAround {
			face = append(face, begin+row*first+k)
		}
		if row == 0 {
			slices.Reverse(face) // counter-clockwise from outside
		}
		o.Faces = append(o.Faces, face)
		o.Marks = append(o.Marks, []int{face[0], face[facesAround/2]})
	}
}

// Torus adds a ring around an axis, with the radius of its middle and that of its tube [m].
func (o *Obstacle) Torus(centre, axis [3]float64, radius, tube float64, inside bool) {
	t, across := Across(axis)
	o.sheet(facesAround, facesAlong, inside, func(u, v float64) [3]float64 {
		sin, cos := circle(u)
		z, r := circle(v)
		out := vec3.Add(vec3.Scale(t, cos), sin, across)
		return vec3.Add(vec3.Add(centre, radius+tube*r, out), tube*z, axis)
	})
}

// Graph adds the surface z = height(x, y) over a rectangle; above: contacts are below it.
func (o *Obstacle) Graph(low, high [2]float64, above bool, height func(x, y float64) float64) {
	o.sheet(facesAround, facesAround, above, func(u, v float64) [3]float64 {
		x, y := low[0]+u*(high[0]-low[0]), low[1]+v*(high[1]-low[1])
		return [3]float64{x, y, height(x, y)}
	})
}

// Outline adds a closed line of the plane x, z, counter-clockwise as it is seen there, filled
// unless contacts are within.
func (o *Obstacle) Outline(points [][2]float64, inside bool) {
	ring := o.corners(points)
	if !inside {
		o.Faces = append(o.Faces, ring)
	}
	o.Lines = append(o.Lines, append(ring, ring[0]))
}

// Profile adds an open line of the plane x, z, Mark one that shows how it turns.
func (o *Obstacle) Profile(points [][2]float64) { o.Lines = append(o.Lines, o.corners(points)) }

// Mark adds a line that shows how an obstacle of the plane turns.
func (o *Obstacle) Mark(points [][2]float64) { o.Marks = append(o.Marks, o.corners(points)) }

// lines are those that are drawn.
func (o *Obstacle) lines() [][]int {
	if o.Pose == nil {
		return o.Lines
	}
	return slices.Concat(o.Lines, o.Marks)
}

func (o *Obstacle) corners(points [][2]float64) (numbers []int) {
	for _, p := range points {
		numbers = append(numbers, o.corner([3]float64{p[0], 0, p[1]}))
	}
	return numbers
}

// Move says where an obstacle is at the times of the scene: rotation row by row, and place.
func (o *Obstacle) Move(times []float64, at func(t float64) (r [9]float64, p [3]float64)) {
	var pose [7][]float64
	last := [4]float64{1}
	for _, t := range times {
		r, p := at(t)
		q := quaternion(&r)
		if dot := q[0]*last[0] + q[1]*last[1] + q[2]*last[2] + q[3]*last[3]; dot < 0 {
			for i := range q { // q and −q turn alike: the nearer one moves smoothly
				q[i] = -q[i]
			}
		}
		last = q
		for c := range p {
			pose[c] = append(pose[c], p[c])
		}
		for c := range q {
			pose[3+c] = append(pose[3+c], q[c])
		}
	}
	o.Pose = nil
	for c := range pose {
		o.Pose = append(o.Pose, NewExactChannel(pose[c]))
	}
}

// quaternion returns that of a rotation, by its largest component.
func quaternion(r *[9]float64) (q [4]float64) {
	squares := [4]float64{1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8]}
	k := 0
	for i, s := range squares {
		if s > squares[k] {
			k = i
		}
	}
	d := math.Sqrt(squares[k]) / 2
	switch f := 1 / (4 * d); k {
	case 0:
		return [4]float64{d, (r[7] - r[5]) * f, (r[2] - r[6]) * f, (r[3] - r[1]) * f}
	case 1:
		return [4]float64{(r[7] - r[5]) * f, d, (r[1] + r[3]) * f, (r[2] + r[6]) * f}
	case 2:
		return [4]float64{(r[2] - r[6]) * f, (r[1] + r[3]) * f, d, (r[5] + r[7]) * f}
	default:
		return [4]float64{(r[3] - r[1]) * f, (r[2] + r[6]) * f, (r[5] + r[7]) * f, d}
	}
}

// Across returns two directions with n that are at right angles.
func Across(n [3]float64) (t, o [3]float64) {
	axis := [3]float64{1}
	if math.Abs(n[0]) > 0.8 {
		axis = [3]float64{0, 1}
	}
	t = vec3.Add(axis, -vec3.Dot(axis, n), n)
	t = vec3.Scale(t, 1/vec3.Norm(t))
	return t, vec3.Cross(n, t)
}

// Holds widens a box by the corners of an obstacle that is at rest or moves.
func (o *Obstacle) Holds(box *[2][3]float64, times []float64, at func(t float64) (r [9]float64, p [3]float64)) {
	for _, t := range times {
		r, p := at(t)
		for _, y := range o.At {
			for c := range 3 {
				x := p[c] + r[3*c]*float64(y[0]) + r[3*c+1]*float64(y[1]) + r[3*c+2]*float64(y[2])
				box[0][c], box[1][c] = min(box[0][c], x), max(box[1][c], x)
			}
		}
	}
}
