package rigid

import (
	"encoding/json"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// motorDocument drives a joint to a velocity, or by a force.
type motorDocument struct {
	Velocity json.RawMessage `json:"velocity"`
	Gain     *float64        `json:"gain"`
	Limit    *float64        `json:"limit"`
	Force    json.RawMessage `json:"force"`
}

// motor reads the motor of a joint.
func (b *builder) motor(p casefile.Path, d *motorDocument, j *multibody.Joint) {
	slides := j.Kind == multibody.Prismatic
	if !slides && j.Kind != multibody.Revolute {
		b.Add(p, "a motor turns a revolute joint, or slides a prismatic one, found %s joint", casefile.Article(string(j.Kind)))
		return
	}
	switch {
	case (d.Velocity == nil) == (d.Force == nil):
		b.Add(p, "want either \"velocity\", with \"gain\", or \"force\"")
	case d.Velocity != nil && d.Gain == nil:
		b.Add(p, "the key \"gain\" is missing: force or torque for each m/s or rad/s that the joint is too slow")
	case d.Force != nil && (d.Gain != nil || d.Limit != nil):
		b.Add(p, "\"gain\" and \"limit\" are of \"velocity\": they have no effect on a force that is given")
	}
	for _, body := range []int{j.A, j.B} {
		if body >= 0 && !slides && !b.World.Spins(body) {
			b.Add(p, "%q is a point, which does not turn", b.IDs[body])
		}
	}
	if b.Any() {
		return
	}
	q, _ := b.World.Start()
	poses := b.World.Poses(nil, q)
	pa, pb := multibody.PoseOf(poses, j.A), multibody.PoseOf(poses, j.B)
	m := multibody.Motor{A: j.A, B: j.B, Slides: slides, AtA: multibody.PointOf(pa, j.At), AtB: multibody.PointOf(pb, j.At)}
	if slides || b.Dim == 3 {
		m.Axis = multibody.ToBody(pb, vec3.Scale(j.Axis, 1/vec3.Norm(j.Axis)))
	}
	if d.Force != nil {
		m.Given = b.Scalar(p.With("force"), d.Force)
	} else {
		m.Velocity, m.Gain = b.Scalar(p.With("velocity"), d.Velocity), *d.Gain
	}
	if d.Limit != nil {
		m.Limit = *d.Limit
	}
	b.setup.Forces = append(b.setup.Forces, multibody.NewMotor(m))
}
