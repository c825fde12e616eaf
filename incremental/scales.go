package incremental

import (
	"math"

	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// Scales are the sizes of the forces in each island of a system, see
// [particles.System.Islands]: what is small beside the forces of one island may be
// all that there is in another.
type Scales struct {
	Island   []int     // of each particle
	Force    []float64 // largest |DE_i| met, by island [N]
	Rounding []float64 // that the rounding of the positions may pretend, by island [N]
	work     []float64
}

// NewScales returns scales of zero.
func NewScales(sys *particles.System) *Scales {
	island, n := sys.Islands()
	return &Scales{Island: island, Force: make([]float64, n), Rounding: make([]float64, n), work: make([]float64, 6*sys.N())}
}

// Meet takes a state with the gradient grad and D²E h into account: forces grow,
// the rounding is that of the state.
func (s *Scales) Meet(sys *particles.System, h *sparse.Sym, z, grad []float64) {
	for i, g := range grad {
		k := s.Island[i/3]
		s.Force[k] = max(s.Force[k], math.Abs(g))
	}
	s.round(sys, h, z)
}

// Inherit takes the forces into account that were met by other scales of as many particles.
func (s *Scales) Inherit(from *Scales) {
	for j, k := range s.Island {
		s.Force[k] = max(s.Force[k], from.Force[from.Island[j]])
	}
}

// round sets the rounding of a state.
func (s *Scales) round(sys *particles.System, h *sparse.Sym, z []float64) {
	roundingForces(s.work, sys, h, z)
	clear(s.Rounding)
	for i, f := range s.work[len(z):] {
		k := s.Island[i/3]
		s.Rounding[k] = max(s.Rounding[k], ulps*f)
	}
}

// Size is the size of the forces of island k of which a part tolerance is more than
// rounding.
func (s *Scales) Size(k int, tolerance float64) float64 {
	return max(s.Force[k], s.Rounding[k]/tolerance)
}

// None is the normal force [N] on particle j that counts as none.
func (s *Scales) None(j int) float64 {
	k := s.Island[j]
	return noForce(s.Force[k], s.Rounding[k])
}
