package world

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Turns counts how far the bodies of space have turned about its axes since the start, over
// revolutions. With Q = (a, b) the quaternion of R(t)R(0)ᵀ, the turn about e is that of the rotation
// about e which is next to it, its twist φ = 2 atan2(b·e, a), all of the rotation where that is about e.
// It is not defined where the rest is half a revolution about an axis across, and fast nearby; so it is
// followed exactly on the rotation at a steady rate from state to state, Q(s) = (cos s, n sin s) Q: there
// (a, b·e) goes round an ellipse, always the same way, half of it each half revolution of s = π. Steps in
// which a body turns by less than half a revolution beside its spin at their end are counted.
type Turns struct {
	T     float64      // of the state before [s]
	Since [][3]float64 // [rad]
	Last  [][4]float64 // Q
}

// since returns Q of a body.
func since(w *bodies.World, body int, q, start []float64) (a float64, b [3]float64) {
	at, _ := w.Coordinates(body)
	c, d := q[at+3:at+7], start[at+3:at+7]
	x, y := [3]float64(c[1:]), [3]float64(d[1:])
	a = c[0]*d[0] + c[1]*d[1] + c[2]*d[2] + c[3]*d[3]
	return a, vec3.Add(vec3.Add(vec3.Scale(x, d[0]), -c[0], y), -1, vec3.Cross(x, y)) // of c d⁻¹
}

// Follow takes the next state.
func (x *Turns) Follow(w *bodies.World, t float64, q, start, v []float64) {
	if w.Dim() == 2 {
		return
	}
	for len(x.Since) < w.Bodies() {
		x.Since, x.Last = append(x.Since, [3]float64{}), append(x.Last, [4]float64{1})
	}
	for body := range x.Since {
		if !w.Spins(body) {
			continue
		}
		for axis := range x.Since[body] {
			x.Since[body][axis] = x.At(w, body, axis, t, q, start, v)
		}
		a, b := since(w, body, q, start)
		x.Last[body] = [4]float64{a, b[0], b[1], b[2]}
	}
	x.T = t
}

// At is the turn of a body in a state that is at most a step away.
func (x *Turns) At(w *bodies.World, body, axis int, t float64, q, start, v []float64) float64 {
	a, b := since(w, body, q, start)
	a0, b0 := x.Last[body][0], [3]float64(x.Last[body][1:])
	// the rotation of the step, cos s and n sin s, of the turn 2s that is next to what the spin makes
	cos := a*a0 + vec3.Dot(b, b0)
	n := vec3.Add(vec3.Add(vec3.Scale(b, a0), -a, b0), -1, vec3.Cross(b, b0))
	s, sin := 0.0, vec3.Norm(n)
	if sin > 0 {
		n = vec3.Scale(n, math.Copysign(1/sin, cos))
		_, speed := w.Coordinates(body)
		_, r := w.Place(body, q)
		omega := multibody.ToSpace(&bodies.Pose{Rotation: r}, [3]float64(v[speed+3:speed+6]))
		s = math.Atan2(sin, math.Abs(cos))
		s += math.Pi * math.Round((vec3.Dot(omega, n)*(t-x.T)/2-s)/math.Pi)
	}
	// the ellipse (a, b·e) at s, and by how much it has gone round
	da, db := -vec3.Dot(n, b0), a0*n[axis]+vec3.Cross(n, b0)[axis]
	halves := math.Trunc(s / math.Pi)
	sinRest, cosRest := math.Sincos(s - math.Pi*halves)
	x1, y1 := a0*cosRest+da*sinRest, b0[axis]*cosRest+db*sinRest
	psi := math.Pi*halves*sign(a0*db-da*b0[axis]) + math.Atan2(a0*y1-b0[axis]*x1, a0*x1+b0[axis]*y1)
	next := x.Since[body][axis] + 2*psi
	return next + math.Remainder(2*math.Atan2(b[axis], a)-next, 2*math.Pi)
}

// sign is 0 of 0.
func sign(x float64) float64 {
	if x == 0 {
		return 0
	}
	return math.Copysign(1, x)
}
