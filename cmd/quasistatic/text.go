package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/table"
)

// page collects labelled lines and prints them at once.
type page struct {
	strings.Builder
}

// line prints a label in the first column and a text in the second, which is one line
// also where several errors were joined.
func (p *page) line(label, format string, args ...any) {
	fmt.Fprintf(p, "  %-13s %s\n", label, oneLine(fmt.Sprintf(format, args...)))
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "; ") }

// tell prints a result: as JSON with --json, not at all with --quiet, else as text
// below the title of the case.
func tell(c *cli.Context, k *casefile.Case, result any, print func(p *page)) error {
	switch {
	case c.Bool("json"):
		enc := json.NewEncoder(c.App.Writer)
		enc.SetIndent("", "  ")
		return enc.Encode(result)
	case c.Bool("quiet"):
		return nil
	}
	var p page
	p.title(k)
	print(&p)
	_, err := fmt.Fprint(c.App.Writer, p.String())
	return err
}

// printRun prints what a run computed and certified.
func printRun(w io.Writer, j *job) error {
	var p page
	s := &j.summary
	p.title(j.c)
	p.computed(j.m, s)
	if s.Status != table.Failed || s.Steps > 0 {
		p.events(j.events.first, j.events.total)
		p.jumps(s)
		p.levels(s)
		p.certificates(s)
		p.searches(s.Global, "; see "+table.BetterFile)
		p.line("solver", "%d solves, %d inner iterations, %d factorisations, residual <= %.2g, %s", s.Solver.Solves, s.Solver.Inner, s.Solver.Factors, s.Solver.Residual, seconds(s.WallSeconds))
	}
	p.memory(s.Memory)
	p.expectations(s.Expectations)
	p.verdict(s)
	p.trouble(j)
	p.line("files", "%s", j.dir)
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) title(c *casefile.Case) {
	fmt.Fprintf(p, "%s", c.Name)
	if first, _, _ := strings.Cut(c.Description, ". "); first != "" {
		fmt.Fprintf(p, " — %s", strings.TrimSuffix(first, "."))
	}
	fmt.Fprintln(p)
}

// computed says which problem was solved and how far.
func (p *page) computed(m *casefile.Model, s *table.Summary) {
	threshold := "lagged"
	if m.Options.Step.Threshold == incremental.Implicit {
		threshold = "implicit"
	}
	gamma := ""
	if g := m.Options.Step.Rule.Gamma; g > 0 {
		gamma = fmt.Sprintf(", γ = %.4g N", g)
	}
	if a := s.Adaptive; a != nil {
		gamma += fmt.Sprintf("; adaptive, %d rejected, %d settled first", a.Rejected, a.Equilibrated)
	}
	p.line("computed", "t = 0 … %.10g s in %d steps, %s, %d with an obstacle; %s thresholds%s", s.Time, s.Steps, count(s.Particles, "particle"), s.Constrained, threshold, gamma)
	if c := s.Chosen; c != nil {
		p.line("", "%d steps were chosen for an accuracy of %g, in %s", c.Steps, c.Accuracy, count(c.Runs, "run"))
	}
	if e := s.Existence; e != nil {
		p.line("existence", "(N4) %s: %s", e.Verdict, e.Detail)
	}
	if s.Settled > 0 {
		p.line("", "the start settled first and moved by %.4g m", s.Settled)
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (p *page) events(first []string, total int) {
	if total == 0 {
		p.line("events", "no change of contact")
		return
	}
	more := ""
	if total > len(first) {
		more = fmt.Sprintf(", and %d more", total-len(first))
	}
	p.line("events", "%s", count(total, "change")+" of contact")
	for i := 0; i < len(first); i += 2 {
		row := fmt.Sprintf("%-36s", first[i])
		if i+1 < len(first) {
			row += "  " + first[i+1]
		}
		if i+2 >= len(first) {
			row = strings.TrimRight(row, " ") + more
		}
		p.line("", "%s", strings.TrimRight(row, " "))
	}
}

// jumps prints the discontinuities.
func (p *page) jumps(s *table.Summary) {
	for i, jump := range s.Jumps {
		if i == listed {
			p.line("", "and %d more", len(s.Jumps)-i)
			break
		}
		label := ""
		if i == 0 {
			label = "jumps"
		}
		p.line(label, "between t=%.6g and t=%.6g by %.3g m, most of it %s, releasing %.3g J; its dissipation is not determined", jump.From, jump.To, jump.Distance, jump.Particle, jump.Released)
	}
	if len(s.Jumps) > 0 {
		p.line("", "no continuous solution was found there, in steps a hundred times shorter; quasistatic check tells about (N4)")
	}
}

// levels prints the continuation γ → 0.
func (p *page) levels(s *table.Summary) {
	for i, l := range s.Levels {
		if i == 0 {
			p.line("continuation", "γ [N]       steps     change [m]  order   (S) gap [J]  (E) residual [J]")
		}
		rate := ""
		if l.Rate != 0 {
			rate = fmt.Sprintf("%.2f", l.Rate)
		}
		p.line("", "%-11.4g %-9d %-11.3g %-7s %-12.2g %.2g", l.Gamma, l.Steps, l.Difference, rate, l.Gap, l.Balance)
	}
}

// certificates prints the numbers that say how wrong the result can be.
func (p *page) certificates(s *table.Summary) {
	c := &s.Certificates
	scope := ""
	if !c.Convex {
		scope = " (E is not quadratic: by descent and the local model, no proof for far states)"
	}
	p.line("steps", "gap <= %.2g J of %.3g J allowed: each state minimises E + Ψ of its step%s", c.StepStabilityGap, c.Tolerance*c.EnergyScale, scope)
	p.line("stability", "(S) gap <= %.2g J at the nodes, with the friction of the nodes themselves%s", c.StabilityGap, remark(c))
	p.line("balance", "(E) residual <= %.2g J; stored %.4g J, dissipated %.4g J, work %.4g J", c.BalanceResidual, c.Energy, c.Dissipation, c.Work)
	p.line("forces", "(DI) residual <= %.2g N of %.4g N", c.ForceResidual, c.ForceScale)
	p.line("estimates", "upper >= %.2g J, lower >= %.2g J a step", c.UpperEstimate, c.LowerEstimate)
	p.line("speed", "‖ż‖ <= %.6g m/s", c.Lipschitz)
	if s.Solver.FellBack > 0 {
		p.line("", "%s fell back to lagged thresholds: the implicit ones did not converge, (N4) may fail", count(s.Solver.FellBack, "step"))
	}
}

// exact is the gap, relative to the energies met, that is roundoff.
const exact = 1e-12

// remark says what the gap of (S) is.
func remark(c *table.Certificates) string {
	if c.StabilityGap <= exact*c.EnergyScale {
		return ": exact"
	}
	return ": error of the step length"
}

func (p *page) expectations(list []table.Outcome) {
	if len(list) == 0 {
		return
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  expected\tvalue\twanted\toff by\t")
	for i := range list {
		o := &list[i]
		value, off := "not reached", ""
		if o.Value != nil {
			value = fmt.Sprintf("%.10g", *o.Value)
			if o.Want != nil {
				off = fmt.Sprintf("%.2g", math.Abs(*o.Value-*o.Want))
			}
		}
		met := "met"
		if !o.Met {
			met = "NOT MET"
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\n", o.Label, value, wantedText(o), off, met)
	}
	_ = w.Flush() // into memory
	p.WriteString(text.String())
}

func wantedText(o *table.Outcome) string {
	var parts []string
	if o.Want != nil {
		parts = append(parts, fmt.Sprintf("%.10g ± %.2g", *o.Want, *o.Tolerance))
	}
	if o.Min != nil {
		parts = append(parts, fmt.Sprintf(">= %g", *o.Min))
	}
	if o.Max != nil {
		parts = append(parts, fmt.Sprintf("<= %g", *o.Max))
	}
	return strings.Join(parts, ", ")
}

func (p *page) verdict(s *table.Summary) {
	switch {
	case s.Status == table.Interrupted:
		p.line("INTERRUPTED", "%s", s.Message)
	case s.Status == table.Failed:
		p.line("FAILED", "%s", s.Message)
	case !s.Certified:
		p.line("NOT CERTIFIED", "%s", s.Message)
	case !s.Met:
		p.line("certified", "but not as expected")
	case len(s.Expectations) > 0:
		p.line("certified", "and all %s met", count(len(s.Expectations), "expectation"))
	default:
		p.line("certified", "all steps solved")
	}
}

func seconds(s float64) string {
	if s < 1 {
		return fmt.Sprintf("%.3g ms", 1000*s)
	}
	return fmt.Sprintf("%.3g s", s)
}
