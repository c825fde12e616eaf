package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// mechanics has the equations of motion without contacts: masses and joints, the forces, and the
// rounds of the secant scheme.
type mechanics struct {
	*motion
	*contactSet

	inv       []multibody.Inverse
	pins      *pins         // of a model of pins alone
	byPins    bool          // the present part was solved by them
	between   []bodies.Pose // of the middle of the step …
	ended     []bodies.Pose // … and of its end, of bodies with joints
	rowPoses  []bodies.Pose // at which the present matrices have the joints
	pull      []float64     // c/h of the last part of a step, by the rows of the joints
	tangents  []tangent
	kick      []float64
	endLoads  bool      // loads are those at the end of the step in place of their mean, see untilOverload
	dating    bool      // slip counts from a speed on, see release.go
	loads     []float64 // impulse of loads, drag and forces [N s]
	lead      []float64 // moments of forces on the axes of the beginning, see leadForces [N m s]
	joint     []float64 // Gᵀc of the step [N s]
	reactions []Reaction
	own       []float64 // of one force
	shift     []float64
	turning   int                      // the body that changed most in the last round
	limits    map[*multibody.Motor]int // see limitMotors
}

// holdAll projects velocities on those that the joints admit.
func (s *mechanics) holdAll(w []float64) {
	for c := range s.inv {
		inv, index := &s.inv[c], s.model.Components[c].Index
		if inv.M == 0 {
			continue
		}
		x := s.x[:inv.N]
		for i, v := range index {
			x[i] = w[v]
		}
		inv.Hold(x, nil)
		for i, v := range index {
			w[v] = x[i]
		}
	}
}
