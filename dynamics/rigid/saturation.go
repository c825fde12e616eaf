package rigid

import (
	"errors"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
)

// Motors at their limits. A motor with a gain g holds a velocity to within a time I/g of the inertia I,
// which a step may be much longer than. Whether it is at its limit in the mean of the step, as all forces
// are, decides the mean velocity that this force leads to: T(w) falls with w, so that one of the three
// branches is that of its own w, and a search that goes from a limit to the other one by the middle
// branch, the tangent of T there, finds it.

// limitRounds bound the solves of that search; one to three are usual.
const limitRounds = 20

var errLimits = errors.New("the motors go from limit to limit: a smaller step helps")

// limitMotors says at which limits motors are by the mean velocities w of a step of h, and reports whether
// one was at another.
func (s *mechanics) limitMotors(h float64, w []float64) (changed bool) {
	for _, f := range s.model.Setup.Forces {
		m, ok := f.(*multibody.Motor)
		if !ok || m.Limit == 0 {
			continue
		}
		if s.limits == nil {
			s.limits = map[*multibody.Motor]int{}
		}
		now, known := s.limits[m]
		side := m.Side(w, s.alpha*h, s.t, h, &s.snap)
		if known && side*now < 0 {
			side = 0
		}
		s.limits[m] = side
		changed = changed || !known || side != now
	}
	s.snap.Limits = s.limits
	return changed
}
