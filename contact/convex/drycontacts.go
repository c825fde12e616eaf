package convex

import (
	"math"

	"github.com/quasistatic/quasistatic/contact/form"
	"github.com/quasistatic/quasistatic/contact/law"
	"github.com/quasistatic/quasistatic/internal/num"
)

// dryContacts are the reactions, relative displacements and states of contacts
// with isotropic friction, for the methods that follow sets of states: with
// p = r − ρu and the limit s = μp_N (or the threshold of Tresca), a contact is
//
//	open   p_N ≤ 0          r = 0,
//	stick  |p_T| ≤ s        u = 0,
//	slip   otherwise        u_N = 0, r_T = s p_T/|p_T|.
type dryContacts struct {
	dim, nc int
	r, u    []float64
	rho     []float64
	law     []frictionLaw
	state   []slipState
}

func newDryContacts(dim, nc int) dryContacts {
	n := dim * nc
	return dryContacts{dim: dim, nc: nc, r: make([]float64, n), u: make([]float64, n), rho: make([]float64, nc),
		law: make([]frictionLaw, nc), state: make([]slipState, nc)}
}

// restart makes last the next start; what it lacks is zero.
func (s *dryContacts) restart(last []float64) {
	clear(s.r)
	copy(s.r, last)
}

// release makes the forces on open contacts zero. What a start, or a linear solve, has of them is below the tolerance, but
// whoever asks whether a contact presses asks for a sign.
func (s *dryContacts) release() {
	for k, st := range s.state {
		if r := s.r[s.dim*k:][:s.dim]; !st.closed {
			if r[0] = 0; s.law[k].threshold == 0 {
				clear(r)
			}
		}
	}
}

// frictionLaw is a law by two numbers: the limit is mu·r_N + threshold.
type frictionLaw struct{ mu, threshold float64 }

// slipState is the state of a contact, and what its rows of the system depend on.
type slipState struct {
	closed, slips bool
	t             [2]float64
	kappa         float64 // of a sliding contact in space
	mu            float64 // of a sliding contact
}

// activeSetLimit: beyond so many steps it cycles; states settle in less than ten.
const activeSetLimit = 40

// activeSetFloor is a residual that counts as roundoff when it does not shrink.
const activeSetFloor = 1e-11

// setLaws reports whether all laws are isotropic Coulomb, Tresca or
// frictionless ones.
func (s *dryContacts) setLaws(laws []law.Law) bool {
	for k, law := range laws {
		f := form.FormOf(law)
		if !f.Shape.Isotropic() {
			return false
		}
		switch f.Set {
		case form.KindFrictionless:
			s.law[k] = frictionLaw{}
		case form.KindTresca:
			s.law[k] = frictionLaw{threshold: f.Bound}
		case form.KindCoulomb:
			s.law[k] = frictionLaw{mu: f.Bound}
		default:
			return false
		}
	}
	return true
}

// classify sets the states and returns ‖r − P(p)‖∞ over the forces, 1 if there are none to
// compare with: that does not depend on units.
func (s *dryContacts) classify(scale float64) float64 {
	worst, force := 0.0, scale
	for k := range s.nc {
		r, u, rho := s.r[s.dim*k:s.dim*k+s.dim], s.u[s.dim*k:s.dim*k+s.dim], s.rho[k]
		st := &s.state[k]
		*st = slipState{}
		pn := r[0] - rho*u[0]
		if pn > 0 {
			st.closed = true
			worst = max(worst, math.Abs(rho*u[0]))
		} else {
			worst = max(worst, math.Abs(r[0]))
		}
		force = max(force, num.InfNorm(r))
		worst = max(worst, s.classifyTangent(st, r, u, rho, max(pn, 0), s.law[k]))
		if worst != worst {
			return worst
		}
	}
	if worst == 0 {
		return 0
	}
	if force == 0 { // the first forces of all: nothing says yet what is small
		force = worst
	}
	return worst / force
}

// pause makes contacts stick whose slip would turn round from the states of an iteration to those of the next, from +s to
// −s: between the two is no slip. Without that whole rows of them may turn to and fro for ever, as those of a body that
// begins to be dragged.
func (s *dryContacts) pause(before []slipState) {
	for k, b := range before {
		st := &s.state[k]
		if st.slips && b.slips && st.t[0]*b.t[0]+st.t[1]*b.t[1] < 0 {
			*st = slipState{closed: st.closed}
		}
	}
}

func (s *dryContacts) classifyTangent(st *slipState, r, u []float64, rho, pn float64, law frictionLaw) float64 {
	var p, rt [2]float64
	for c := range s.dim - 1 {
		rt[c] = r[1+c]
		p[c] = rt[c] - rho*u[1+c]
	}
	limit := law.mu*pn + law.threshold
	size := math.Hypot(p[0], p[1])
	if size <= limit {
		st.slips = false
		return max(math.Abs(p[0]-rt[0]), math.Abs(p[1]-rt[1]))
	}
	st.slips, st.t, st.mu = true, [2]float64{p[0] / size, p[1] / size}, law.mu
	if s.dim == 3 {
		st.kappa = limit / size
	}
	return max(math.Abs(limit*st.t[0]-rt[0]), math.Abs(limit*st.t[1]-rt[1]))
}
