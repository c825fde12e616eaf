package rigid

import (
	"encoding/json"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// motorDocument drives a joint to a place, to a velocity, or by a force.
type motorDocument struct {
	Position  json.RawMessage `json:"position"`
	Stiffness *float64        `json:"stiffness"`
	Velocity  json.RawMessage `json:"velocity"`
	Gain      *float64        `json:"gain"`
	Limit     *float64        `json:"limit"`
	Force     json.RawMessage `json:"force"`
	Recovery  *float64        `json:"recovery"`
}

// exact reports whether a motor has its velocity, or its position, as long as its limit allows, see
// [multibody.Brake].
func (d *motorDocument) exact() bool {
	if d == nil || d.Gain != nil || d.Stiffness != nil || d.Force != nil || d.Limit == nil {
		return false
	}
	return (d.Velocity != nil) != (d.Position != nil) && (d.Recovery != nil) == (d.Position != nil)
}

// damp gives a joint a damper: a motor that wants no velocity.
func (b *builder) damp(p casefile.Path, damping float64, j *multibody.Joint) {
	slides := j.Kind.Slides()
	switch {
	case damping == 0:
	case !slides && j.Kind != multibody.Revolute:
		b.Add(p, "a damper is of a way along an axis or of a turn about one, found %s joint", casefile.Article(string(j.Kind)))
	case !slides && slices.ContainsFunc([]int{j.A, j.B}, func(body int) bool { return body >= 0 && !b.World.Spins(body) }):
		b.Add(p, "a damper of a turn, and the joint ties a point, which does not turn")
	case !b.Any():
		b.setup.Forces = append(b.setup.Forces, &multibody.Motor{Coordinate: multibody.NewCoordinate(b.World, j, slides), Gain: damping})
	}
}

// motor reads the motor of a joint.
func (b *builder) motor(p casefile.Path, d *motorDocument, joint int, j *multibody.Joint) {
	if d.exact() {
		return // a brake
	}
	slides := j.Kind == multibody.Prismatic
	if !slides && j.Kind != multibody.Revolute {
		b.Add(p, "a motor with \"force\", \"gain\" or \"stiffness\" turns a revolute joint, or slides a prismatic one, found %s joint: one with \"velocity\" and \"limit\" is of any that turns or slides, a torque or a force is one of \"loads\"",
			casefile.Article(string(j.Kind)))
		return
	}
	switch {
	case (d.Velocity == nil && d.Position == nil) == (d.Force == nil):
		b.Add(p, "want either \"velocity\", with \"gain\", or \"position\", with \"stiffness\", or \"force\"")
	case d.Recovery != nil && (d.Position == nil || d.Stiffness != nil):
		b.Add(p.With("recovery"), "the key \"recovery\" has an effect on a motor with \"position\" and \"limit\", without \"stiffness\"")
	case d.Recovery != nil:
		b.Add(p, "want \"position\", \"limit\" and \"recovery\", and no \"velocity\" or \"gain\" beside them: the motor has the rate of the position")
	case d.Position != nil && d.Stiffness == nil:
		b.Add(p, "want \"stiffness\" beside \"position\", force or torque for each m or rad that the joint is away from it; or \"limit\" and \"recovery\", the time in which what is missing shrinks to 1/e: by the limit alone a joint that was once away would swing about its place for ever")
	case d.Position == nil && d.Stiffness != nil:
		b.Add(p, "want \"position\" beside \"stiffness\", which is the force or torque for each m or rad that the joint is away from it")
	case d.Velocity != nil && d.Gain == nil:
		b.Add(p, "want \"limit\", the force or torque of a motor that otherwise has its velocity, or \"gain\", that for each m/s or rad/s that the joint is too slow")
	case d.Force != nil && (d.Gain != nil || d.Limit != nil):
		b.Add(p, "\"gain\" and \"limit\" are of a controller: they have no effect on a force that is given")
	}
	for _, body := range []int{j.A, j.B} {
		if body >= 0 && !slides && !b.World.Spins(body) {
			b.Add(p, "%q is a point, which does not turn", b.IDs[body])
		}
	}
	if b.Any() {
		return
	}
	m := multibody.Motor{Coordinate: multibody.NewCoordinate(b.World, j, slides)}
	if d.Force != nil {
		m.Given = b.Scalar(p.With("force"), d.Force)
	}
	if d.Velocity != nil {
		m.Velocity = b.Scalar(p.With("velocity"), d.Velocity)
	}
	if d.Gain != nil {
		m.Gain = *d.Gain
	}
	if d.Position != nil {
		m.Position, m.Stiffness = b.Scalar(p.With("position"), d.Position), *d.Stiffness
	}
	if d.Limit != nil {
		m.Limit = *d.Limit
	}
	if b.motors == nil {
		b.motors = map[int]*multibody.Motor{}
	}
	b.setup.Forces, b.motors[joint] = append(b.setup.Forces, &m), &m
}
