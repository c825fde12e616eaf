package multibody

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Screw leaves a turn about Axis through At, with the translation along it of "pitch" a turn [m];
// positive: right-handed. In space.
const Screw Kind = "screw"

var screw = jointKind{
	kind: Screw, text: "rotation about axis through at, with a translation along it of pitch a turn, right-handed where that is positive",
	axis: 3, space: true, slides: true,
	numbers: map[string]string{"pitch": "Translation of a screw in one turn [m], not zero."},
	rows:    (*builder).screw,
}

func (b *builder) screw(j *Joint, axis vec) error {
	lead := j.Numbers["pitch"] / (2 * math.Pi)
	switch {
	case lead == 0 || math.IsNaN(lead) || math.IsInf(lead, 0):
		return fmt.Errorf("has the pitch %g, want a number that is not zero", j.Numbers["pitch"])
	case !b.turns():
		return errors.New("ties a point, which does not turn")
	}
	b.line(j.At, axis)
	b.align(axis)
	u, _ := b.m.World.Tangents(axis)
	b.emit(&geared{along{PointOf(b.pa, j.At), PointOf(b.pb, j.At), ToBody(b.pb, axis)}, ToBody(b.pa, u),
		ToBody(b.pb, u), ToBody(b.pb, axis), lead})
	return nil
}

// geared is d·(p_A − p_B) − λφ, φ the angle of u of A from w of B about the axis n of B. A turn more
// or less is one that the translation has made.
type geared struct {
	along
	u, w, n vec
	lead    float64 // λ [m]
}

func (r *geared) Value(a, b *bodies.Pose) float64 {
	n, u, w := ToSpace(b, r.n), ToSpace(a, r.u), ToSpace(b, r.w)
	phi := math.Atan2(vec3.Dot(n, vec3.Cross(w, u)), vec3.Dot(u, w))
	return r.lead * math.Remainder(r.along.Value(a, b)/r.lead-phi, 2*math.Pi)
}

// Gradient has in the middle of a step h times the rate of φ equal to its change: a turn by 2x
// about the axis shortens the mean of u to cos x, Cayley's transform has it with hω = 2 tan x, and
//
//	2x − 2y = h(ω_A − ω_B) cos x cos y (x − y)/sin(x − y).
//
// Lengths do not say the sign of y to that of x: where both bodies turn it is taken for the
// opposite, which is that of two that only the screw turns, and the projection brings back what is
// left, of third order in the turns of a step. The moments are opposite in any case.
func (r *geared) Gradient(a, b *bodies.Pose) (theta float64, g Lever) {
	_, g = r.along.Gradient(a, b)
	n, f := ToSpace(b, r.n), r.lead*turnGradient(a, b, r.u, r.w)
	g.AngA, g.VB = vec3.Add(g.AngA, -f, n), vec3.Add(g.VB, f, n)
	return r.Value(a, b), g
}

// turnGradient is ∂φ/∂(ω_A − ω_B), along the axis.
func turnGradient(a, b *bodies.Pose, u, w vec) float64 {
	cx, cy := min(1, vec3.Norm(ToSpace(a, u))), min(1, vec3.Norm(ToSpace(b, w)))
	f := cx * cy
	if x := math.Acos(cx) + math.Acos(cy); x > 0 {
		f *= x / math.Sin(x)
	}
	return f
}
