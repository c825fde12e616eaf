package energetic

import (
	"fmt"
	"strings"

	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// Report prints what was computed and what its numbers are worth.
func (r *Run) Report(p *run.Page) {
	s, x := p.Summary, &r.sum
	r.reportProblem(p)
	if s.Status == table.Failed && s.Steps == 0 {
		return
	}
	p.Events()
	reportExact(p, x.Exact)
	reportJumps(p, x)
	reportLevels(p, x)
	reportCertificates(p, x, r.curved())
	reportSearches(p, x.Global, "; see "+table.BetterFile)
	reportGlobally(p, x.Globally)
	v := &x.Solver
	p.Line("solver", "%d solves, %d inner iterations, %d factorisations, residual <= %.2g, %s", v.Solves, v.Inner,
		v.Factors, v.Residual, run.Seconds(s.WallSeconds))
}

// Tell implements [run.Teller].
func (r *Run) Tell() (list []string) {
	x := &r.sum
	if n := len(x.Jumps); n > 0 {
		j := &x.Jumps[0]
		text := fmt.Sprintf("%s jumps by %.3g m at t = %.4g s, releasing %.3g J", j.Particle, j.Distance, j.To, j.Released)
		if n > 1 {
			text += fmt.Sprintf(", … %d more jumps, the last at %.4g", n-1, x.Jumps[n-1].To)
		}
		list = append(list, text)
	}
	list = append(list, r.strains.Said(r.c.plan.Accuracy)...)
	if r.c.tied != "" {
		list = append(list, r.c.tied)
	}
	if n := r.verdict.Relinearised; n > 0 {
		list = append(list, "what the bodies that meet face was found anew at "+run.Count(n, "node")+" of time, each with a step of no length")
	}
	switch l := x.Loss; {
	case l == nil:
	case len(l.Closing) > 0:
		list = append(list, fmt.Sprintf("it ends at t = %.6g s: %s is crushed between %s", l.Time, l.Particle,
			strings.Join(l.Closing, ", ")))
	default:
		list = append(list, fmt.Sprintf("it ends at t = %.6g s: %s slides away, as nothing holds it beyond", l.Time, l.Particle))
	}
	if e := x.Existence; e != nil && r.c.rubs() {
		verdict, at := e.Verdict, 0.0
		if w := e.Worst; w != nil && verdict != assume.Fails.String() {
			verdict, at = w.Verdict, w.Time
		}
		if verdict == assume.Fails.String() {
			list = append(list, fmt.Sprintf("steps may have other solutions at t = %.4g s: friction is large for the stiffness there", at))
		}
	}
	return list
}

// listed is the number of jumps that are printed.
const listed = 8

// reportProblem says which problem was solved and how far.
func (r *Run) reportProblem(p *run.Page) {
	s, x := p.Summary, &r.sum
	threshold := "lagged"
	if r.c.Options.Step.Threshold == incremental.Implicit {
		threshold = "implicit"
	}
	gamma := ""
	if g := r.c.Options.Step.Rule.Gamma; g > 0 {
		gamma = fmt.Sprintf(", γ = %.4g N", g)
	}
	if a := x.Adaptive; a != nil {
		gamma += fmt.Sprintf("; adaptive, %d rejected, %d settled first", a.Rejected, a.Equilibrated)
	}
	if r.c.Walks() {
		threshold = "from event to event, no step size;" + " implicit"
	}
	p.Line("computed", "t = 0 … %.10g s in %d steps, %s, %d with an obstacle; %s thresholds%s", s.Time, s.Steps,
		run.Count(x.Particles, "particle"), x.Constrained, threshold, gamma)
	if c := x.Chosen; c != nil {
		p.Line("", "%d steps were chosen for an accuracy of %g, in %s", c.Steps, c.Accuracy, run.Count(c.Runs, "run"))
	}
	if e := x.Existence; e != nil {
		p.Line("existence", "(N4), that friction is small enough for the stiffness so that steps have one solution and nothing jumps, %s: %s",
			e.Verdict, e.Detail)
		switch w := e.Worst; {
		case w != nil:
			p.Line("", "on the way, at %s: (N4) %s at t=%.6g: %s", run.Count(e.Nodes, "node"), w.Verdict, w.Time, w.Detail)
		case e.Nodes > 0 && e.Lipschitz > 0:
			p.Line("", "it holds at %s on the way, c_lip <= %.4g m/s, q/α <= %.3g, T_* >= %.3g s there",
				run.Count(e.Nodes, "node"), e.Lipschitz, e.Ratio, e.Star)
		case e.Nodes > 0:
			p.Line("", "it holds at %s on the way", run.Count(e.Nodes, "node"))
		}
	}
	if l := x.Loss; l != nil {
		driven := ""
		if l.Closing == nil {
			driven = fmt.Sprintf(", driven by %.3g N more than friction holds", l.Force)
		}
		p.Line("ends", "%s%s", l, driven)
	} else if r.c.UntilLoss && s.Status == table.Done && s.Time >= s.Until*(1-1e-12) {
		p.Line("ends", "with the case: there is an equilibrium until t=%.10g, and no loss, which \"until_loss\" allows", s.Time)
	}
	if x.Settled > 0 {
		p.Line("", "the start settled first and moved by %.4g m", x.Settled)
	}
}

// reportJumps prints the discontinuities.
func reportJumps(p *run.Page, s *particleview.Section) {
	for i, jump := range s.Jumps {
		if i == listed {
			p.Line("", "and %d more", len(s.Jumps)-i)
			break
		}
		label := ""
		if i == 0 {
			label = "jumps"
		}
		price := "its dissipation is not determined"
		if x := jump.Path; x != nil {
			price = fmt.Sprintf("friction takes %.6g J and vanishing viscosity %.6g J on a path of %.4g m", x.Friction, x.Viscous, x.Arc)
			if s.Globally != nil {
				price = fmt.Sprintf("friction takes %.6g J on the way, (E) lacks %.2g J", x.Friction, x.Residual)
			}
		}
		if jump.From == jump.To {
			p.Line(label, "at t=%.12g by %.3g m, most of it %s, releasing %.6g J; %s", jump.To, jump.Distance,
				jump.Particle, jump.Released, price)
			continue
		}
		p.Line(label, "between t=%.6g and t=%.6g by %.3g m, most of it %s, releasing %.3g J; %s", jump.From, jump.To,
			jump.Distance, jump.Particle, jump.Released, price)
	}
	if len(s.Jumps) > 0 && s.Globally == nil {
		text := "no continuous solution was found there; quasistatic check tells about (N4)"
		if e := s.Existence; e != nil && e.Verdict == "holds" {
			text = "no continuous solution was found there, though (N4) holds: it may be a motion within a time that no step resolves"
		}
		p.Line("", "%s", text)
	}
}

// reportGlobally says how it is known that no state costs less.
func reportGlobally(p *run.Page, g *particleview.Globally) {
	switch {
	case g == nil:
	case g.Worst > g.Margin:
		p.Line("globally", "(S) FAILS: at a node another state costs %.4g J less, friction on the way included", g.Worst)
	case g.All():
		p.Line("globally", "global: proven: at %s no state costs less, by convexity or branch and bound (%d boxes); %d local minimisations found none",
			run.Count(g.Nodes, "node"), g.Boxes, g.Minimisations)
	case g.Varies:
		p.Line("globally", "global: searched: friction varies on the way to other states, and %d local minimisations found none that is worth the way; with the friction of the nodes, (S) is proven at %d of %s",
			g.Minimisations, g.Proven, run.Count(g.Nodes, "node"))
	default:
		p.Line("globally", "global: searched: %d of %s are proven, at the others %d local minimisations found no state that costs less; %s",
			g.Proven, run.Count(g.Nodes, "node"), g.Minimisations, g.Reason)
	}
}

// reportLevels prints the continuation γ → 0.
func reportLevels(p *run.Page, s *particleview.Section) {
	for i, l := range s.Levels {
		if i == 0 {
			p.Line("continuation", "γ [N]       steps     change [m]  order   (S) gap [J]  (E) residual [J]")
		}
		rate := ""
		if l.Rate != 0 {
			rate = fmt.Sprintf("%.2f", l.Rate)
		}
		p.Line("", "%-11.4g %-9d %-11.3g %-7s %-12.2g %.2g", l.Gamma, l.Steps, l.Difference, rate, l.Gap, l.Balance)
	}
}

// reportCertificates prints the numbers that say how wrong the result can be.
func reportCertificates(p *run.Page, s *particleview.Section, curved bool) {
	c := &s.Certificates
	scope := ""
	if !c.Convex {
		scope = " (E is not quadratic: by descent and the local model, no proof for far states)"
	}
	if !curved {
		p.Line("steps", "gap <= %.2g J of %.3g J allowed: each state minimises E + Ψ of its step%s", c.StepStabilityGap,
			c.StepAllowed, scope)
	}
	p.Line("stability", "(S) gap <= %.2g J at the nodes, with the friction of the nodes themselves%s", c.StabilityGap, remark(c))
	p.Line("balance", "(E) residual <= %.2g J; stored %.4g J, %s, work %.4g J", c.BalanceResidual,
		c.Energy, c.Dissipated(), c.Work)
	p.Line("forces", "(DI) residual <= %.2g N of %.4g N", c.ForceResidual, c.ForceScale)
	p.Line("estimates", "upper >= %.2g J, lower >= %.2g J a step", c.UpperEstimate, c.LowerEstimate)
	if t := s.Tube; t != nil {
		p.Line("tube", "at all nodes within %.3g m of the exact solution (proven), furthest %s", t.Distance, t.Particle)
	}
	p.Line("speed", "‖ż‖ <= %.6g m/s, from node to node", c.Lipschitz)
	if s.Solver.FellBack > 0 {
		p.Line("", "%s fell back to lagged thresholds: the implicit ones did not converge, (N4) may fail",
			run.Count(s.Solver.FellBack, "step"))
	}
}

// exact is the gap, relative to the energies met, that is roundoff.
const exact = 1e-12

// remark says what the gap of (S) is.
func remark(c *particleview.Certificates) string {
	if c.StabilityGap <= exact*c.EnergyScale {
		return ": exact"
	}
	return ": error of the step length"
}
