package multibody

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Grain is a direction of a surface, along and across which friction differs.
type Grain struct {
	// Axis is that of the obstacle as it is without its motion or, OfBody, along the axes of the first
	// body of a pair.
	Axis   [3]float64
	OfBody bool
	// Along and Across are the coefficients, over the larger one, from 1e-3 to 1.
	Along, Across float64
}

// leastGrain is the ratio of coefficients that leaves the scheme its digits.
const leastGrain = 1e-3

// Validate names the field out of range.
func (g *Grain) Validate() error {
	l := vec3.Norm(g.Axis)
	switch {
	case !(l > 0) || math.IsInf(l, 1):
		return fmt.Errorf("found %v as \"grain\", want a direction", g.Axis)
	case max(g.Along, g.Across) != 1 || !(min(g.Along, g.Across) >= leastGrain):
		return fmt.Errorf("found coefficients along and across the grain as %g to %g, want at most 1 to %g", g.Along, g.Across, leastGrain)
	}
	return nil
}

// GrainAt is the direction of a grain at a touch, at a time and in places of the bodies.
func (m *Model) GrainAt(g *Grain, t *bodies.Touch, time float64, poses []bodies.Pose) vec {
	axis := vec3.Scale(g.Axis, 1/vec3.Norm(g.Axis))
	if g.OfBody || t.B >= 0 {
		axis = vec3.Add(m.World.OnAxes(t.A, axis), -1, m.World.OnAxes(t.A, vec{}))
		return ToSpace(&poses[t.A], axis)
	}
	motion := m.World.Obstacle(t.Floor).Motion
	if !motion.Moves() {
		return axis
	}
	r, _ := motion.At(time)
	return ToSpace(&bodies.Pose{Rotation: r}, axis)
}
