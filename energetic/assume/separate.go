package assume

import (
	"context"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/particles"
	"github.com/quasistatic/quasistatic/sparse"
)

// separate is (N4) at (0, Z_0): as printed, condensed, and for all index sets.
func (c *checker) separate() {
	h := copySym(c.sys.Hessian(c.opt.At, c.z0))
	n := c.sys.N()
	p := &separationProblem{ctx: c.ctx, forms: []*form{c.formAt(h, c.Sigma, nil)}, n: n,
		contact: c.Members(particles.Contact), switching: c.Members(particles.Switching)}
	c.Printed = p.solve()
	drop := make([]bool, n)
	for _, j := range c.Members(particles.Free) {
		drop[j] = true
	}
	c.Condensed, c.CondensedNote = c.separateCondensed(h, drop, p.contact, p.switching)
	c.Always = c.separateAlways(h)
	c.N4 = c.concludeN4()
}

// formAt takes the friction matrices at Z_0, for the particles listed or all.
func (c *checker) formAt(h *sparse.Sym, sigma []float64, kept []int) *form {
	if kept == nil {
		kept = make([]int, c.sys.N())
		for j := range kept {
			kept[j] = j
		}
	}
	slopes, positive := make([]slope, len(kept)), make([]float64, len(kept))
	for i, j := range kept {
		if c.sys.Constrained(j) {
			s := slopeOf(c.psi.Matrices[j], [2]float64{c.z0[3*j], c.z0[3*j+1]}, 0)
			if m, is := c.psi.Matrices[j].(dissipation.Slipping); is {
				fall, _ := m.Steepest()
				s = slopeOfSlip(m, fall)
			}
			slopes[i] = s.times(c.psi.Factor(j, c.opt.At))
		}
		positive[i] = max(sigma[j], 0)
	}
	return newForm(h, positive, slopes)
}

// separateCondensed is (N4) with the particles drop minimised out; nil if there
// are none, or with a note.
func (c *checker) separateCondensed(h *sparse.Sym, drop []bool, contact, switching []int) (*Separation, string) {
	if !slices.Contains(drop, true) {
		return nil, ""
	}
	if !slices.Contains(drop, false) {
		return nil, "every particle is in I_f"
	}
	s, err := condense(c.ctx, h, drop)
	if err != nil {
		return nil, err.Error()
	}
	place := make([]int, len(drop))
	for i, j := range s.kept {
		place[j] = i
	}
	p := &separationProblem{ctx: c.ctx, forms: []*form{c.formAt(s.h, c.Sigma, s.kept)}, n: len(s.kept),
		contact: mapped(contact, place), switching: mapped(switching, place)}
	out := p.solve()
	out.renumber(s.kept)
	return out, ""
}

func mapped(list, place []int) []int {
	out := []int{}
	for _, j := range list {
		out = append(out, place[j])
	}
	return out
}

// renumber turns the particle numbers of a condensed system into those of the whole.
func (s *Separation) renumber(kept []int) {
	s.Contact, s.Switching = mapped(s.Contact, kept), mapped(s.Switching, kept)
	for i := range s.Subsets {
		s.Subsets[i].K = mapped(s.Subsets[i].K, kept)
	}
	s.Worst.K = mapped(s.Worst.K, kept)
	n := kept[len(kept)-1] + 1
	soft, share := make([]float64, 3*n), make([]float64, n)
	for i, j := range kept {
		copy(soft[3*j:3*j+3], s.Soft[3*i:3*i+3])
		share[j] = s.Share[i]
	}
	s.Soft, s.Share = soft, share
}

// alwaysNodes limits the search over all index sets: its root bound decides most
// systems, and the verdict is advice for long runs, not an assumption.
const alwaysNodes = 200

// denseEntries of D²E make a branch cost seconds: only the root is bounded then.
const denseEntries = 1e6

// continuousParticles is the largest system that [Continuous] examines: condensing larger ones
// takes longer than their runs.
const continuousParticles = 2000

// Continuous reports whether (N4) is known to hold for every state and time, whatever touches: D²E
// and the friction matrices are constant, and α_K > q_K for all K. By Theorem 4.7 solutions are
// then Lipschitz continuous, and none jumps. z is any state.
func Continuous(ctx context.Context, psi *dissipation.Coulomb, z []float64) bool {
	sys := psi.System
	if sys.N() > continuousParticles || !sys.ConstantHessian() || psi.Timed() {
		return false
	}
	for _, m := range psi.Matrices {
		if m != nil && !m.Constant() {
			return false
		}
	}
	// σ plays no part where M is constant.
	c := &checker{Assumptions: &Assumptions{}, ctx: ctx, psi: psi, sys: sys, z0: z, quadratic: true, constant: true}
	c.Sigma = make([]float64, sys.N())
	c.Names = names(nil, sys.N())
	return c.separateAlways(copySym(sys.Hessian(0, z))).Verdict == Holds
}

func (c *checker) separateAlways(h *sparse.Sym) *Separation {
	var all []int
	drop := make([]bool, c.sys.N())
	for j := range drop {
		drop[j] = !c.sys.Constrained(j)
		if !drop[j] {
			all = append(all, j)
		}
	}
	p := &separationProblem{ctx: c.ctx, forms: []*form{c.formAt(h, c.Sigma, nil)}, n: len(drop), switching: all, limit: alwaysNodes}
	if len(h.Val) > denseEntries {
		p.limit = 1
	}
	if slices.Contains(drop, true) && len(all) > 0 {
		if s, err := condense(c.ctx, h, drop); err == nil {
			p.forms, p.n, p.switching = []*form{c.formAt(s.h, c.Sigma, s.kept)}, len(s.kept), nil
			for i := range s.kept {
				p.switching = append(p.switching, i)
			}
			out := p.solve()
			out.renumber(s.kept)
			return out
		}
	}
	return p.solve()
}

// concludeN4 takes the better of both forms.
func (c *checker) concludeN4() Assumption {
	if c.Condensed != nil && c.Condensed.Verdict < c.Printed.Verdict {
		return Assumption{c.Condensed.Verdict, "as printed: " + c.explain(c.Printed) +
			"; with the dofs of I_f condensed out: " + c.explain(c.Condensed)}
	}
	return Assumption{c.Printed.Verdict, c.explain(c.Printed)}
}

func copySym(a *sparse.Sym) *sparse.Sym {
	return &sparse.Sym{N: a.N, Ptr: a.Ptr, Row: a.Row, Val: slices.Clone(a.Val)}
}
