package bodies

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Path bounds the motion of a body over a step. The velocity of its centre, times the step, goes
// linearly from B[0] to B[1].
type Path struct {
	B     [2]vec  // [m]
	Turn  float64 // largest angle a share of the step times the lever [m]
	Most  float64 // largest motion of a point [m]
	Bend  float64 // largest second derivative of the place of a point by the share [m]
	Width float64 // of the body [m]
}

// PathOf bounds the motion of a body with velocities, times the step, that go linearly from b0 to
// b1.
func (w *World) PathOf(body int, b0, b1 []float64) (x Path) {
	x.Width = w.Width(body)
	fastest, change := 0.0, 0.0 // of the turn
	for k, b := range [2][]float64{b0, b1} {
		copy(x.B[k][:w.dim], b)
		spin := 0.0
		for d := w.dim; d < len(b); d++ {
			spin += b[d] * b[d]
			change += float64(k) * math.Abs(b1[d]-b0[d])
		}
		fastest = max(fastest, math.Sqrt(spin))
		x.Most = max(x.Most, vec3.Norm(x.B[k]))
	}
	lever := w.Lever(body)
	x.Turn = fastest * lever
	x.Most += x.Turn
	x.Bend = vec3.Norm(vec3.Add(x.B[1], -1, x.B[0]))
	if lever > 0 { // ω² to the centre, and at most as much because the axis turns
		x.Bend += w.Reach(body) * (change + 2*fastest*fastest)
	}
	return x
}

// Fast reports whether a body moves by more than half its width: slower ones cannot pass through
// each other within a step.
func (x *Path) Fast() bool { return x.Most > 0.5*x.Width }

// Straight reports whether no point of the body leaves the line, but for what the velocity changes,
// and it has a width.
func (x *Path) Straight() bool { return x.Turn == 0 && x.Width > 0 }

// Sway bounds how far an obstacle moves from t to t + h, near a body that has its centre at c then
// and moves by most [m].
func (w *World) Sway(obstacle, body int, t, h float64, c [3]float64, most float64) float64 {
	return w.floors[obstacle].Motion.Sway(t, h, c, w.Reach(body)+most)
}

// TunnelError is a step in which two bodies, or a body and an obstacle, pass through each other, or
// come so close at such speeds that this cannot be excluded.
type TunnelError struct {
	Contact string
	At      [3]float64 // where they meet on the way [m]
	H       float64    // a step that resolves the passage [s]
}

func (e *TunnelError) Error() string {
	return fmt.Sprintf("%s pass through each other at (%.6g, %.6g, %.6g) m within a step: a step of %.2g s resolves it", e.Contact, e.At[0], e.At[1], e.At[2], e.H)
}
