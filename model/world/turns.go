package world

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Turns counts how far the bodies of space have turned about its axes since the start, over
// revolutions. With Q = (a, b) the quaternion of R(t)R(0)ᵀ, the turn about e is that of the rotation
// about e which is next to it, its twist,
//
//	φ = 2 atan2(b·e, a),  φ̇ = (a(aω + ω × b)·e + (b·e)(ω·b))/(a² + (b·e)²),
//
// all of the rotation where that is about e. It is not defined where the rest is half a revolution
// about an axis across. Of the φ + 2πk it is the one next to where the state before and φ̇ lead:
// steps in which a body turns by less than half a revolution beside its spin at their end are counted.
type Turns struct {
	T     float64      // of the state before [s]
	Since [][3]float64 // [rad]
}

// turnOf returns φ about an axis of space, up to 2π, and φ̇.
func turnOf(w *bodies.World, body, axis int, q, start, v []float64) (phi, rate float64) {
	at, speed := w.Coordinates(body)
	c, d := q[at+3:at+7], start[at+3:at+7]
	a := c[0]*d[0] + c[1]*d[1] + c[2]*d[2] + c[3]*d[3]
	x, y := [3]float64(c[1:]), [3]float64(d[1:])
	b := vec3.Add(vec3.Add(vec3.Scale(x, d[0]), -c[0], y), -1, vec3.Cross(x, y)) // of c d⁻¹
	if n := a*a + b[axis]*b[axis]; n > 0 {
		_, r := w.Place(body, q)
		omega := multibody.ToSpace(&bodies.Pose{Rotation: r}, [3]float64(v[speed+3:speed+6]))
		rate = (a*(a*omega[axis]+vec3.Cross(omega, b)[axis]) + b[axis]*vec3.Dot(omega, b)) / n
	}
	return 2 * math.Atan2(b[axis], a), rate
}

// Follow takes the next state.
func (x *Turns) Follow(w *bodies.World, t float64, q, start, v []float64) {
	if w.Dim() == 2 {
		return
	}
	x.Since = append(x.Since, make([][3]float64, w.Bodies()-len(x.Since))...)
	for body := range x.Since {
		if !w.Spins(body) {
			continue
		}
		for axis := range x.Since[body] {
			x.Since[body][axis] = x.At(w, body, axis, t, q, start, v)
		}
	}
	x.T = t
}

// At is the turn of a body in a state that is at most a step away.
func (x *Turns) At(w *bodies.World, body, axis int, t float64, q, start, v []float64) float64 {
	phi, rate := turnOf(w, body, axis, q, start, v)
	next := x.Since[body][axis] + rate*(t-x.T)
	return next + math.Remainder(phi-next, 2*math.Pi)
}
