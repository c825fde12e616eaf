package multibody

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

type vec = vec3.Vec

var ground = bodies.Pose{Rotation: [9]float64{0: 1, 4: 1, 8: 1}}

func PoseOf(poses []bodies.Pose, i int) *bodies.Pose {
	if i < 0 {
		return &ground
	}
	return &poses[i]
}

// PointOf is a point of space on the axes of a body.
func PointOf(p *bodies.Pose, x vec) vec { return ToBody(p, vec3.Add(x, -1, p.Centre)) }

func ToSpace(p *bodies.Pose, y vec) vec {
	r := &p.Rotation
	return vec{r[0]*y[0] + r[1]*y[1] + r[2]*y[2], r[3]*y[0] + r[4]*y[1] + r[5]*y[2], r[6]*y[0] + r[7]*y[1] + r[8]*y[2]}
}

func ToBody(p *bodies.Pose, x vec) vec {
	r := &p.Rotation
	return vec{r[0]*x[0] + r[3]*x[1] + r[6]*x[2], r[1]*x[0] + r[4]*x[1] + r[7]*x[2], r[2]*x[0] + r[5]*x[1] + r[8]*x[2]}
}
