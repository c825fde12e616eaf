package incremental

import (
	"errors"
	"slices"

	"github.com/quasistatic/quasistatic/internal/factor"
)

// pressed is the part of the forces of a system above which a contact bears one: a thousand times what a step that is
// solved may leave.
const pressed = 1e3 * targetResidual

// held reports whether contacts hold all that moves where D²E stores nothing. Another state z + d that is as good has
//
//	D²E d = 0,   d_n = 0 where r > 0,
//
// since ½ d·D²E d + Σ r d_n and the rest of E(z + d) + Ψ(z + d) − E(z) − Ψ(z) are at least 0, and all vanish. There is none
// but d = 0 if D²E with stiff springs along these normals has a Cholesky factor. What does not move needs none.
func (s *Stepper) held() bool {
	if s.psi.System.AnyCurved() {
		return false // a motion along a curved obstacle is none along its normal in the first order alone
	}
	m, k := s.min, largest(s.min.sys.Hessian(s.t, s.z).Val)
	if s.springs[0] == nil {
		s.springs = [2][]float64{make([]float64, len(s.z)), make([]float64, len(s.z))}
	}
	springs := s.springs[1]
	for i := range springs {
		springs[i] = 0
		if !s.motions[s.scales.Island[i/3]].moves {
			springs[i] = k
		}
	}
	for c, j := range m.slot {
		if r := m.res.R[3*c]; m.particle[c] == j && r > pressed*s.scales.Size(s.scales.Island[j], s.opt.Tolerance) {
			springs[3*j+2] = k
		}
	}
	if slices.Equal(springs, s.springs[0]) {
		return s.whole
	}
	a := m.shiftedBy(s.t, s.z, 0)
	for i, x := range springs {
		a.Val[a.Ptr[i]] += x
	}
	_, free := errors.AsType[*factor.NotPositiveDefiniteError](factor.Analyse(a,
		factor.Options{PivotTolerance: 4 * float64(a.N) * 0x1p-52}).Refactor(a))
	s.springs[0], s.springs[1], s.whole = springs, s.springs[0], !free
	return s.whole
}
