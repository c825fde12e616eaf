package multibody

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Universal is the cross of Hooke and Cardan between two shafts: its one arm, along Axis, lies in A,
// the other one, through Other, in B; both meet at right angles in At. In space.
const Universal Kind = "universal"

var universal = jointKind{
	kind: Universal, text: "rotations about the two arms of a cross in at: one along axis in body, the other from at to other in the other",
	axis: 3, space: true, other: true,
	rows: (*builder).universal,
}

func (b *builder) universal(j *Joint, axis vec) error {
	arm := vec3.Add(j.Other, -1, j.At)
	length := vec3.Norm(arm)
	switch {
	case !(length > 0) || math.IsInf(length, 1):
		return fmt.Errorf("has \"other\" %g m from \"at\", want a place on its second arm", length)
	case math.Abs(vec3.Dot(arm, axis)) > typedAngle*length:
		return errors.New("has an axis that is not across the line from \"at\" to \"other\"")
	case !b.turns():
		return errors.New("ties a point, which does not turn")
	}
	arm = vec3.Add(arm, -vec3.Dot(arm, axis), axis) // what was typed, made orthogonal
	b.pin(j.At)
	b.angle(axis, vec3.Scale(arm, 1/vec3.Norm(arm)))
	return nil
}
