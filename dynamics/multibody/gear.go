package multibody

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Gear meshes a toothed wheel of A around At with one of B, or of the ground, around Other, in the
// plane, and keeps the centres as far apart as they are. Bearings, or an arm that goes round, are joints
// of their own, which may say the distance again.
const Gear Kind = "gear"

var gear = jointKind{
	kind: Gear, text: "all but the distance of at on body and other on to, and that a wheel around at, with teeth, and one around other, with other_teeth, turn as these ask; in the plane",
	plane: true, other: true,
	numbers: map[string]string{
		"teeth":       "Teeth of the wheel of body of a gear, a whole number.",
		"other_teeth": "Teeth of the wheel of to, or of a wheel that stands still, a whole number; negative: inside a ring, which turns the same way.",
	},
	rows: (*builder).gear,
}

// mostTeeth bounds the rounding of an angle times the teeth to 1e-10 of a tooth.
const mostTeeth = 1e5

func (b *builder) gear(j *Joint, _ vec) error {
	of, with := j.Numbers["teeth"], j.Numbers["other_teeth"]
	for _, z := range []float64{of, with} {
		if z == 0 || z != math.Trunc(z) || math.Abs(z) > mostTeeth {
			return fmt.Errorf("has %g teeth, want a whole number, not zero, of at most %g", z, mostTeeth)
		}
	}
	switch {
	case !b.turns():
		return errors.New("ties a point, which does not turn")
	case of+with == 0:
		return fmt.Errorf("has a ring of %g teeth around a wheel of as many", of)
	}
	if err := b.distance(j, vec{}); err != nil {
		return err
	}
	e := &meshed{a: PointOf(b.pa, j.At), b: PointOf(b.pb, j.Other), teethA: of, teethB: with, l: vec3.Norm(vec3.Add(j.At, -1, j.Other))}
	e.start = e.phase(b.pa, b.pb)
	b.emit(e)
	return nil
}

// meshed is, with ψ the direction from the centre of A's wheel to that of B's,
//
//	l/(z_A + z_B) (z_A(θ_A − ψ) + z_B(θ_B − ψ)),
//
// the way of the teeth past each other on the pitch circles. All turns come in whole teeth, so that a
// revolution more or less of any angle is none of the sum.
type meshed struct {
	a, b           vec // the centres, on the axes of the bodies
	teethA, teethB float64
	l              float64 // their distance [m]
	start          float64 // the sum at the start
}

func (r *meshed) phase(a, b *bodies.Pose) float64 {
	d, _, _ := way(b, a, r.b, r.a)
	psi := math.Atan2(d[1], d[0])
	return r.teethA*(headingOf(a)-psi) + r.teethB*(headingOf(b)-psi)
}

func (r *meshed) Value(a, b *bodies.Pose) float64 {
	return r.l / (r.teethA + r.teethB) * math.Remainder(r.phase(a, b)-r.start, 2*math.Pi)
}

// Gradient has for wheels and arm that turn by 2x in a step tan x in place of x, so that teeth push
// with no moment on the whole; the projection brings back what that is off, of third order.
func (r *meshed) Gradient(a, b *bodies.Pose) (theta float64, g Lever) {
	d, rb, ra := way(b, a, r.b, r.a)
	across := vec3.Scale(vec3.Cross(vec{0, 0, 1}, d), r.l/vec3.Dot(d, d)) // ψ̇ = −l⁻¹ across·(v_A − v_B)
	tooth := r.l / (r.teethA + r.teethB)
	return r.Value(a, b), Lever{
		Lin:  across,
		AngA: vec3.Add(vec3.Cross(ra, across), 1, vec{0, 0, tooth * r.teethA}),
		VB:   vec3.Add(vec3.Cross(across, rb), 1, vec{0, 0, tooth * r.teethB}),
	}
}

func (r *meshed) Turning(a, b *bodies.Pose) Turning {
	d, rb, ra := way(b, a, r.b, r.a)
	across := vec3.Scale(vec3.Cross(vec{0, 0, 1}, d), r.l/vec3.Dot(d, d))
	return Turning{OnA: [2]vec{ra, across}, OnB: [2]vec{rb, vec3.Scale(across, -1)}}
}
