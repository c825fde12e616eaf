package rigid

import (
	"context"
	"math"

	"github.com/quasistatic/quasistatic/contact"
)

// Cone tests (3.1) at the present active set and returns the verdict and an upper bound of c_FC in
// (3.3); ConeUnknown if the context is done. With ‖z‖ measured by M⁻¹. The cone is pointed iff the
// joints have full rank and some motion opens all contacts strictly,
//
//	min ½‖v‖²_M,  G v = 0,  u_N ≥ 1 + μ‖u_T‖ at all contacts;
//
// then Σ c_n ≤ v·z ≤ ‖v‖_M ‖z‖, and with σ the least singular value of GM^{-½} and B the largest
// ‖n‖ + μ‖D‖ of a contact, in M⁻¹,
//
//	σ‖c_ν‖ ≤ ‖z − Hr‖ ≤ (1 + B‖v‖_M)‖z‖,
//	c_FC² ≤ (1 + μ²)‖v‖²_M + (1 + B‖v‖_M)²/σ².
//
// It costs one convex cone program and an eigenvalue problem for each set of bodies tied by joints.
func (s *Stepper) Cone(ctx context.Context) (Pointedness, float64) {
	if verdict, done := s.openCone(); done {
		return verdict, math.Inf(1)
	}
	p := &s.p
	if len(p.list) == 0 {
		return ConePointed, s.boundOf(0)
	}
	for k := range p.b {
		p.b[k] = 0
		if k%p.dim == 0 {
			p.b[k] = -1
		}
	}
	clear(p.r)
	p.normalise()
	problem := contact.Local{W: &p.w, Q: p.b, Laws: p.laws}
	s.coneSpace.ws.Forget()
	res := &s.coneSpace.res
	err := contact.SolveLocal(ctx, &problem, &contact.Options{Tolerance: 1e-7, MaxIterations: 2000}, &s.coneSpace.ws, res)
	switch {
	case err == nil:
		p.restore(res.R)
		clear(s.opening)
		s.push(s.opening, 1)
		if least := s.opens(); least > 0 { // 1 but for the tolerance
			return ConePointed, s.boundOf(least)
		}
	case res.Status == contact.Infeasible:
		return ConeLost, math.Inf(1)
	}
	return ConeUnknown, math.Inf(1)
}

// TestCone tests (3.1) after a step of [Stepper.Advance] that is kept; [Stepper.Step] does so
// itself. While the active set stays, the motion that opened all contacts usually still does, which
// proves the verdict anew; where it does not, or contacts have changed, Cone finds another. A cone
// that is lost, or undecided, remains so as long as the active set stays, but for one that the
// context stopped.
//
// With joints c_FC is bounded only when the active set has changed: its eigenvalue problem costs
// O(m³) for m rows. Without contacts the cone is pointed iff no row depends on others, and nothing
// is bounded.
func (s *Stepper) TestCone(ctx context.Context) {
	if !s.o.Pointedness {
		return
	}
	same := s.sameContacts()
	if len(s.keys) == 0 {
		s.tested, s.pointed = false, ConePointed
		if len(s.step.Dependent) > 0 {
			s.pointed = ConeLost
		}
		s.step.Pointed = s.pointed
		return
	}
	if same && s.tested && s.pointed != ConePointed {
		s.step.Pointed, s.step.ConeBound = s.pointed, math.Inf(1)
		return
	}
	if same && s.tested && s.unmoved() {
		s.step.Pointed, s.step.ConeBound = ConePointed, s.proved.bound
		return
	}
	s.proved.poses = s.proved.poses[:0]
	if same && s.tested {
		if _, done := s.openCone(); !done {
			if least := s.opens(); least >= staysOpen {
				if s.step.Pointed = ConePointed; len(s.model.Rows) == 0 {
					s.step.ConeBound = s.boundOf(least)
				}
				s.keepProof()
				return
			}
		}
	}
	s.pointed, s.step.ConeBound = s.Cone(ctx)
	s.tested = ctx.Err() == nil // what was stopped says nothing of the next step
	s.step.Pointed = s.pointed
}
