package patch

import (
	"fmt"
	"strings"

	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
)

// Report prints what was computed and what its numbers are worth.
func (r *Run) Report(p *run.Page) {
	s, m := p.Summary, &r.sum
	r.steps.Print(p, r.c.plan.Step(), fmt.Sprintf("%s in %d dimensions; %s", world.Count(m.Bodies), r.c.World.Dim(), r.schemeText()))
	r.c.PrintMasses(p)
	if m.Boundary != nil {
		reportBoundary(p, m.Boundary)
	}
	if s.Steps > 0 {
		p.Line("contact", "element steps: %d stick, %d slide, %d open", m.Stick, m.Slide, m.Open)
		p.Events()
		p.Line("forces", "residual <= %.2g of %.2g allowed, relative to the largest force of each contact problem", m.Residual, m.Tolerance)
		e := &m.Energy
		p.Line("energy", "kinetic %.4g J, potential %.4g J, stored in contacts %.4g J; work of loads %.4g J", e.Kinetic,
			e.Potential, e.Stored, e.Loads)
		p.Line("", "dissipated: friction %.4g J, dampers %.4g J, impacts %.4g J", e.Friction, e.Viscous, e.Impact)
		p.Line("balance", "residual <= %.2g J: error of the step length, O(h)", m.Balance)
		r.steps.PrintUnsaid(p, m.Stick+m.Slide > 0)
		reportUniqueness(p, m)
		p.Line("solver", "%d contact problems, %d pivots, %s", m.Solves, m.Pivots, p.Cost())
	}
}

func (r *Run) schemeText() string {
	o := &r.c.Options
	switch {
	case o.ImplicitForce:
		return fmt.Sprintf("θ-scheme, θ = %g", o.Theta)
	case o.VelocityForm:
		return "semi-implicit, velocity form"
	}
	return "semi-implicit, gap form"
}

// reportBoundary prints how v(0) was found.
func reportBoundary(p *run.Page, b *bodyview.BoundaryValue) {
	var v []string
	for _, x := range b.V0 {
		v = append(v, fmt.Sprintf("%.10g", x+0)) // no −0
	}
	// Without a solution the message of the run, and what was tried, have the numbers.
	label, found := "boundary", b.Residual <= b.Tolerance
	if found {
		p.Line(label, "v(0) = (%s) by %s, %d integrations, residual %.2g of %.2g allowed", strings.Join(v, ", "),
			b.Method, b.Integrations, b.Residual, b.Tolerance)
		label = ""
	}
	all := map[bool]string{true: "; a solution was found all the same"}[found]
	if n := len(b.Solutions); n > 1 {
		p.Line("", "%d solutions found from the starts: this is the first, all are in the summary", n)
	}
	switch {
	case !b.Applies:
		p.Line(label, "(28) of Theorem 8 does not apply: M_v + N_v has rank %d of %d%s", b.Rank, len(b.V0), all)
	case b.Holds:
		p.Line(label, "(28) holds with ψ = %.4g 1/s measured: %.4g < %.4g", b.Psi, b.Left, b.Right)
	default:
		p.Line(label, "(28) does not hold, ψ = %.4g 1/s measured: %.4g >= %.4g%s", b.Psi, b.Left, b.Right, all)
	}
}

// reportUniqueness prints the bounds of Lemma 4 and Proposition 3.
func reportUniqueness(p *run.Page, m *bodyview.Motion) {
	if m.Mu == 0 || m.MuBar > 1e300 {
		return
	}
	verdict := "below it"
	if m.Mu >= m.MuBar {
		verdict = "not below it, so that they may or may not be"
	}
	p.Line("uniqueness", "contact forces of a step are unique where μ < %.4g (Lemma 4 of Pang, Kumar and Song, at the last step); the largest μ is %g, %s",
		m.MuBar, m.Mu, verdict)
	if m.ForceRate > 0 {
		p.Line("", "implicit force: contraction %.2g, at most %d rounds", m.ForceRate, m.Rounds)
	}
}
