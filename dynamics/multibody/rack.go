package multibody

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Rack is a pinion, body A with its centre at At, and the line of a rack, fixed to B, that meets its
// pitch circle in Other: the pinion turns about Axis, in the plane out of it, as it rolls along the
// rack. In space its axis keeps the direction in B. What guides both are joints of their own.
const Rack Kind = "rack"

var rack = jointKind{
	kind: Rack, text: "all but that body, a pinion around at, rolls about axis, which stays across it, on a line of the other, the rack, that it touches in other",
	axis: 3, other: true,
	rows: (*builder).rack,
}

// rack: with the arm from the rack to the centre the pinion goes along n = e × arm/R by R a radian.
func (b *builder) rack(j *Joint, axis vec) error {
	arm := vec3.Add(j.At, -1, j.Other)
	radius := vec3.Norm(arm)
	if b.m.Dim == 2 {
		axis = vec{0, 0, 1}
	}
	switch {
	case !(radius > 0) || math.IsInf(radius, 1):
		return fmt.Errorf("has the radius %g, want a positive number", radius)
	case math.Abs(vec3.Dot(arm, axis)) > typedAngle*radius:
		return errors.New("has an axis that is not across the line from \"at\" to \"other\"")
	case !b.turns():
		return errors.New("ties a point, which does not turn")
	}
	arm = vec3.Scale(arm, 1/radius)
	n := vec3.Cross(axis, arm)
	if b.m.Dim == 3 {
		b.align(axis)
	}
	b.emit(&geared{along{PointOf(b.pa, j.At), PointOf(b.pb, j.Other), ToBody(b.pb, n)}, ToBody(b.pa, arm),
		ToBody(b.pb, arm), ToBody(b.pb, axis), radius})
	return nil
}

// typedAngle is what two directions across each other may be off by where they are typed [rad].
const typedAngle = 1e-6
