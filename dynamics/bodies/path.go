package bodies

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Path bounds the motion of a body or an obstacle over a step. The velocity of its centre, times
// the step, goes linearly from B[0] to B[1].
type Path struct {
	From  vec     // the centre at the start [m]
	B     [2]vec  // [m]
	Turn  float64 // largest angle a share of the step times the lever [m]
	Most  float64 // largest motion of a point [m]
	Bend  float64 // largest second derivative of the place of a point by the share [m]
	Width float64 // of the body; of obstacles +Inf [m]
}

// PathOf bounds the motion of a body from a place of its centre, with velocities, times the step,
// that go linearly from b0 to b1.
func (w *World) PathOf(body int, from [3]float64, b0, b1 []float64) (x Path) {
	x.From, x.Width = from, w.Width(body)
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

// Beside is a path as seen from another one, with the width of the thinner. What meets what, and how
// it may pass, is a matter of that alone, in whatever frame the two are seen.
func (x *Path) Beside(y *Path) Path {
	r := Path{From: vec3.Add(x.From, -1, y.From), Turn: x.Turn + y.Turn, Bend: x.Bend + y.Bend, Width: min(x.Width, y.Width)}
	for k := range r.B {
		r.B[k] = vec3.Add(x.B[k], -1, y.B[k])
		r.Most = max(r.Most, vec3.Norm(r.B[k]))
	}
	r.Most += r.Turn
	return r
}

// Fast reports whether a body moves by more than half its width: slower ones cannot pass through
// each other within a step.
func (x *Path) Fast() bool { return x.Most > 0.5*x.Width }

// Straight reports whether no point of the body leaves the line, but for what the velocity changes,
// and it has a width.
func (x *Path) Straight() bool { return x.Turn == 0 && x.Width > 0 }

// ObstaclePath bounds the motion of an obstacle from t to t + h near a body: it goes on evenly as
// far as its shift does, and how it differs from that counts as a turn.
func (w *World) ObstaclePath(obstacle, body int, t, h float64, x *Path) Path {
	m, y := &w.floors[obstacle].Motion, Path{Width: math.Inf(1)}
	if s, solid := w.floors[obstacle].Surface.(Solid); solid {
		y.Width = s.own.width
	}
	if !m.Moves() {
		return y
	}
	d, sway := m.Shifted(t, h)
	y.B, y.Turn = [2]vec{d, d}, sway
	near := x.Beside(&y)
	y.Turn += m.Turned(t, h, x.From, w.Reach(body)+near.Most)
	y.Most = vec3.Norm(d) + y.Turn
	return y
}

// TunnelError is a step in which two bodies, or a body and an obstacle, pass through each other, or
// come so close at such speeds that this cannot be excluded.
type TunnelError struct {
	Contact string
	At      [3]float64 // where they meet on the way [m]
	H       float64    // a step that resolves the passage [s]
}

func (e *TunnelError) Error() string {
	return fmt.Sprintf("%s pass through each other at (%.6g, %.6g, %.6g) m within a step: a step of %.2g s resolves it",
		e.Contact, e.At[0], e.At[1], e.At[2], e.H)
}
