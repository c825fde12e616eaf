package bodies

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// pose is the place of a body: x = c + R y for y in the body frame. In the
// plane z is zero and R turns about z.
type pose struct {
	c vec
	r [9]float64 // row by row
}

func planePose(x, y, angle float64) pose {
	sin, cos := math.Sincos(angle)
	return pose{vec{x, y}, [9]float64{cos, -sin, 0, sin, cos, 0, 0, 0, 1}}
}

// spacePose takes the quaternion (w, x, y, z), normalised on the way.
func spacePose(c vec, q []float64) pose {
	w, x, y, z := q[0], q[1], q[2], q[3]
	s := 2 / (w*w + x*x + y*y + z*z)
	return pose{c, [9]float64{
		1 - s*(y*y+z*z), s * (x*y - w*z), s * (x*z + w*y),
		s * (x*y + w*z), 1 - s*(x*x+z*z), s * (y*z - w*x),
		s * (x*z - w*y), s * (y*z + w*x), 1 - s*(x*x+y*y),
	}}
}

func (p *pose) turn(y vec) vec {
	r := &p.r
	return vec{r[0]*y[0] + r[1]*y[1] + r[2]*y[2], r[3]*y[0] + r[4]*y[1] + r[5]*y[2], r[6]*y[0] + r[7]*y[1] + r[8]*y[2]}
}

// back returns Rᵀ x.
func (p *pose) back(x vec) vec {
	r := &p.r
	return vec{r[0]*x[0] + r[3]*x[1] + r[6]*x[2], r[1]*x[0] + r[4]*x[1] + r[7]*x[2], r[2]*x[0] + r[5]*x[1] + r[8]*x[2]}
}

func (p *pose) place(y vec) vec { return vec3.Add(p.c, 1, p.turn(y)) }

// local returns Rᵀ(x − c).
func (p *pose) local(x vec) vec { return p.back(vec3.Add(x, -1, p.c)) }

// tangents returns t and o with (n, t, o) orthonormal. In the plane
// t = (n_y, −n_x); in space t is the projection of e_x, or of e_y where n is
// within 45 degrees of ±e_x: for n = e_z it is (e_x, e_y).
func tangents(n vec, dim int) (t, o vec) {
	if dim == 2 {
		return vec{n[1], -n[0]}, vec{}
	}
	axis := vec{1}
	if 2*n[0]*n[0] > 1 {
		axis = vec{0, 1}
	}
	t = vec3.Add(axis, -vec3.Dot(axis, n), n)
	t = vec3.Scale(t, 1/vec3.Norm(t))
	return t, vec3.Cross(n, t)
}
