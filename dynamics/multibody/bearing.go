package multibody

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Bearing is dry friction in a joint by a coefficient: the force that the joint transmits presses its
// surfaces on each other, and bounds what resists the motion that it leaves,
//
//	|b| ≤ F + μ r Σ‖N_i‖   of a turn,   F + μ Σ‖N_i‖   of a way,
//
// Coulomb's law of a contact whose normal force is the reaction of the joint, F that of [Brake]. With
// the force f and the moment m of the joint at its place, f_⊥ = f − (f·a)a across the axis a, a journal
// or a guide of the length l has its two ends press by
//
//	N_1,2 = f_⊥/2 ± m × a/l,
//
// and a joint that takes no moment, of a point or in the plane, by f_⊥ in one place. A moment about the
// axis of a guide presses nothing.
//
// A square thread of the mean radius r and the lead λ has the slope τ = λ/r. Its faces press by N along
// the normal of the helix, and friction g acts along it. In the rows of the joint, c of the screw and b
// of the way, N cos α = c + b cos²α and g = b sin α, so that |g| ≤ μ|N| is
//
//	|b| ≤ F + μ (τ + 1/τ) |c + b/(1 + τ²)|.
//
// Where joints hold the same twice, as the two hinges of a door, or contacts hold what a joint does, as a
// floor under a guide along it, how they share what they bear is open, and a step with a bearing among them
// is an error.
type Bearing struct {
	Mu     float64 // μ [-]
	Radius float64 // r of a turn or a thread [m]
	Length float64 // l of what takes a moment [m]
}

// Takes reports whether a bearing of a joint of a kind, in so many dimensions, has a radius and a length;
// not ok: there is none of that kind.
func (k Kind) Takes(dim int) (radius, length, ok bool) {
	switch k {
	case Revolute:
		return true, dim == 3, true
	case Prismatic:
		return false, true, true
	case Slider:
		return false, false, true
	case Screw:
		return true, false, true
	}
	return false, false, false
}

// check objects to a bearing that a joint cannot have.
func (x *Bearing) check(j *Joint, dim int) error {
	radius, length, ok := j.Kind.Takes(dim)
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	switch {
	case !ok:
		return errors.New("has a bearing, which is one of a revolute, prismatic, slider or screw joint")
	case !(x.Mu >= 0) || math.IsInf(x.Mu, 1):
		return fmt.Errorf("has the friction coefficient %g, want a number >= 0", x.Mu)
	case radius && !positive(x.Radius):
		return fmt.Errorf("has a bearing of the radius %g m, want a positive number", x.Radius)
	case length && !positive(x.Length):
		return fmt.Errorf("has a bearing of the length %g m, want a positive number", x.Length)
	}
	return nil
}

// Reaction is what a joint does to its body A: a force at the joint and a moment about it, in space.
type Reaction struct{ Force, Moment [3]float64 }

// Add adds f times a row of a joint.
func (x *Reaction) Add(l *Lever, f float64) {
	x.Force = vec3.Add(x.Force, f, l.Lin)
	if l.Lin == (vec{}) { // a couple; forces act at the point
		x.Moment = vec3.Add(x.Moment, f, l.AngA)
	}
}

// Pressing are the N_i of a brake with a bearing whose axis is a, for a reaction of its joint and what the
// brake itself does along the joint, b; linear in both.
func (x *Stop) Pressing(a vec, by *Reaction, b float64) (n [2]vec) {
	if l := vec3.Norm(a); l > 0 { // that of the middle of a step is shorter
		a = vec3.Scale(a, 1/l)
	}
	along := vec3.Dot(by.Force, a)
	if x.slope != 0 {
		n[0] = vec3.Scale(a, along+b/(1+x.slope*x.slope))
		return n
	}
	n[0] = vec3.Add(by.Force, -along, a)
	if l := x.Brake.Bearing.Length; l > 0 {
		half, couple := vec3.Scale(n[0], 0.5), vec3.Scale(vec3.Cross(by.Moment, a), 1/l)
		n[0], n[1] = vec3.Add(half, 1, couple), vec3.Add(half, -1, couple)
	}
	return n
}

// Hold is the bound of a brake along its joint for the N_i.
func (x *Stop) Hold(n *[2]vec) float64 { return x.grip * (vec3.Norm(n[0]) + vec3.Norm(n[1])) }

// HoldRate is the derivative of Hold in a direction of the N_i.
func (x *Stop) HoldRate(n, d *[2]vec) (rate float64) {
	for i, v := range n {
		if size := vec3.Norm(v); size > 0 {
			rate += vec3.Dot(v, d[i]) / size
		} else {
			rate += vec3.Norm(d[i])
		}
	}
	return x.grip * rate
}

// bear sets what the bearing of a brake of a joint makes of its reaction.
func (x *Stop) bear(j *Joint) {
	b := x.Brake.Bearing
	if x.grip = b.Mu; !x.Slides {
		x.grip *= b.Radius
	}
	if j.Kind == Screw {
		x.slope = j.Numbers["pitch"] / (2 * math.Pi * b.Radius)
		x.grip *= math.Abs(x.slope + 1/x.slope)
	}
}
