package multibody

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Resistance is what a contact has beyond friction: moments that oppose rolling and spinning, in
// proportion to the normal force, and a pull.
type Resistance struct {
	Rolling  float64 // μ_R, ‖m_R‖ ≤ μ_R r_N [m]
	Spinning float64 // μ_S, |m_S| ≤ μ_S r_N [m]; in space
	Drilling float64 // ε, ‖(r_T, m_S/ε)‖ ≤ μ r_N, in place of Spinning [m]; in space
	Adhesion float64 // the pull that a closed contact bears [N]
}

// Moments reports whether something resists rolling or spinning.
func (r *Resistance) Moments() bool {
	return r != nil && (r.Rolling > 0 || r.Spinning > 0 || r.Drilling > 0)
}

// Pull is the most that a contact bears [N].
func (r *Resistance) Pull() float64 {
	if r == nil {
		return 0
	}
	return r.Adhesion
}

// Validate returns what is wrong with the resistance of a material, in a number of dimensions.
func (r *Resistance) Validate(x *Material, dim int) error {
	for _, f := range []struct {
		name  string
		value float64
	}{{"rolling", r.Rolling}, {"spinning", r.Spinning}, {"drilling", r.Drilling}, {"adhesion", r.Adhesion}} {
		if !(f.value >= 0) || math.IsInf(f.value, 1) {
			return fmt.Errorf("found %g as %q, want a finite number >= 0", f.value, f.name)
		}
	}
	switch {
	case dim == 2 && (r.Spinning > 0 || r.Drilling > 0):
		return errors.New("\"spinning\" and \"drilling\" have no effect in the plane, where nothing turns about a normal: \"rolling\" does")
	case r.Spinning > 0 && r.Drilling > 0:
		return errors.New("found \"spinning\" and \"drilling\", want one of them: drilling joins the moment of spin with friction, spinning is apart from it")
	case r.Drilling > 0 && (x.Varies() || x.Grain != nil):
		return errors.New("\"drilling\" goes with a \"mu\" that is one number")
	case r.Drilling > 0 && x.Mu == 0:
		return errors.New("\"drilling\" has no effect without friction: its moment is in proportion to \"mu\"")
	}
	return nil
}

// Clings reports whether some material has a resistance.
func (m *Model) Clings() bool {
	for _, x := range m.Setup.Pairs {
		if x.Resistance != nil {
			return true
		}
	}
	return m.Setup.Material.Resistance != nil
}

// ObstacleSpin is the mean spin of the obstacle of a touch from a time on over h, that of the instant
// for 0; zero of a body.
func (m *Model) ObstacleSpin(t *bodies.Touch, from, h float64) vec {
	if t.B >= 0 || m.StopOf(t) != nil {
		return vec{}
	}
	x := m.World.Obstacle(t.Floor).Motion
	if x.Angle == nil {
		return vec{}
	}
	axis := x.Axis
	if m.Dim == 2 {
		axis = vec{0, 0, 1}
	}
	return vec3.Scale(axis, x.Spin(from, h))
}

// PullOf is the most that a touch bears [N].
func (m *Model) PullOf(t *bodies.Touch) float64 { return m.MaterialOf(t).Resistance.Pull() }
