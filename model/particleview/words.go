package particleview

import (
	"fmt"

	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// forces says how far particles are from balance. Of what no obstacle holds the scale is of the same rest, and says nothing.
func forces(c *Certificates) string {
	text := fmt.Sprintf("Forces: no particle is out of balance by more than %.2g N at a node", c.ForceResidual)
	if c.ForceScale > 10*c.ForceResidual {
		text += fmt.Sprintf(", where obstacles exert up to %.4g N", c.ForceScale)
	}
	return text + "."
}

// words turns a summary into a verdict in plain words.
func words(a report.About) report.Verdict {
	s := a.Summary
	v := a.Outcome()
	if s == nil || s.Steps == 0 || s.Status == table.Running {
		return v
	}
	x := section(s)
	if x == nil {
		return v
	}
	c := &x.Certificates
	v.Sentences = append(v.Sentences,
		fmt.Sprintf("Stability: at no time that is computed would another state have been better by more than %s; %s.",
			report.Joule(c.StabilityGap), report.Share(c.StabilityGap, c.EnergyScale)),
		fmt.Sprintf("Balance: stored and dissipated energy differ from the work of the loads by at most %s; %s.",
			report.Joule(c.BalanceResidual), report.Share(c.BalanceResidual, c.EnergyScale)),
		forces(c))
	if g := x.Globally; g != nil && g.Worst > g.Margin {
		v.Sentences = append(v.Sentences, fmt.Sprintf("Globally: at a node another state would have been better by %s.",
			report.Joule(g.Worst)))
	} else if g != nil && g.All() {
		v.Sentences = append(v.Sentences, "Globally: at every node it is proven that no other state anywhere would have been better.")
	} else if g != nil {
		v.Sentences = append(v.Sentences, "Globally: at every node better states were looked for, and none was found; that there is none is not proven.")
	} else if !c.Convex {
		v.Sentences = append(v.Sentences, "The energy is not quadratic: stability is known near each state, not against all others.")
	}
	if len(x.Jumps) > 0 && x.Globally != nil {
		v.Sentences = append(v.Sentences, fmt.Sprintf("The evolution jumps %s, each time to a state that has come to cost as much.",
			report.Times(len(x.Jumps))))
	} else if len(x.Jumps) > 0 {
		v.Sentences = append(v.Sentences, fmt.Sprintf("The evolution jumps %s: there no continuous solution was found.",
			report.Times(len(x.Jumps))))
	}
	return v
}

// Dissipated says what is dissipated, and by what.
func (c *Certificates) Dissipated() string {
	if c.Plastic > 0 {
		return fmt.Sprintf("%.4g J dissipated by friction, %.4g J by yielding", c.Dissipation, c.Plastic)
	}
	return fmt.Sprintf("%.4g J dissipated", c.Dissipation)
}

// certificates lists the numbers behind the verdict.
func certificates(s *table.Summary) []report.Row {
	if s == nil || s.Steps == 0 {
		return nil
	}
	x := section(s)
	if x == nil {
		return nil
	}
	c := &x.Certificates
	return []report.Row{
		{"steps", fmt.Sprintf("%.2g J", c.StepStabilityGap),
			fmt.Sprintf("largest gap of a step's own problem; allowed %.3g J", c.StepAllowed)},
		{"(S) stability", fmt.Sprintf("%.2g J", c.StabilityGap), "largest sup over y of E(t,z) − E(t,y) − Ψ(t,z,y−z)"},
		{"(E) balance", fmt.Sprintf("%.2g J", c.BalanceResidual), "largest |E(t) + dissipation − E(0) − work|"},
		{"(DI) forces", fmt.Sprintf("%.2g N", c.ForceResidual),
			fmt.Sprintf("largest force that nothing balances; forces go up to %.4g N", c.ForceScale)},
		{"upper estimate", fmt.Sprintf("%.2g J", c.UpperEstimate), "smallest share of a step; not below zero"},
		{"lower estimate", fmt.Sprintf("%.2g J", c.LowerEstimate), "smallest share of a step"},
		{"speed", fmt.Sprintf("%.4g m/s", c.Lipschitz), "largest ‖ż‖"},
		{"energies at the end", fmt.Sprintf("%.4g J", c.Energy),
			fmt.Sprintf("stored; %s; %.4g J of work", c.Dissipated(), c.Work)},
	}
}
