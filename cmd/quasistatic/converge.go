package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// convergeCommand returns `quasistatic converge CASE`.
func convergeCommand() *cli.Command {
	return &cli.Command{
		Name:      "converge",
		Usage:     "halve the step (and gamma along with it) and observe the orders",
		ArgsUsage: "CASE",
		Description: "Runs the case in steps, 2·steps, 4·steps, … equal steps and tabulates the distance to the finest run, the\n" +
			"stability gap, the balance residual and the errors of the expectations, each with its observed order.\n" +
			"A case of the model compliant is also run with 10, 1, 0.1 and 0.01 times its compliances and compared to the rigid one;\n" +
			"of one of the model elastodynamic the table has the work of λ_c and the balance (27), which vanish with the step.\n" +
			"Exit code 0: every run was certified.",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "levels", Value: 4, Usage: "number of runs, 2 to 12"},
			&cli.IntFlag{Name: "steps", Usage: "steps of the coarsest run; a quarter of the case's without this"},
			&cli.StringFlag{Name: "out", Usage: "write table and picture to `DIR` in place of out/<name>-convergence"},
			&cli.BoolFlag{Name: "quiet", Usage: "print errors only"},
			&cli.BoolFlag{Name: "json", Usage: "print the table as JSON"},
		},
		Action: convergeAction,
	}
}

// study is a convergence study with the expectations of its case.
type study struct {
	Name   string                 `json:"name"`
	Rows   []energetic.Refinement `json:"rows"`
	Expect [][]table.Outcome      `json:"expectations"` // of each row
	Steps  []float64              `json:"step"`         // lengths [s]
}

func convergeAction(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return inputError("converge: found %d arguments, want one case, for instance: quasistatic converge cases/klarbring.json", c.Args().Len())
	}
	levels, steps := c.Int("levels"), c.Int("steps")
	if levels < 2 || levels > 12 || steps < 0 {
		return inputError("converge: --levels %d --steps %d, want 2 to 12 levels and a positive number of steps", levels, steps)
	}
	k, err := open(c.Args().First())
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	switch k.Model {
	case "energetic":
	case "rigid":
		return convergeMultibody(c, k, steps, levels)
	case "elastodynamic":
		return convergeElastic(c, k, steps, levels)
	default:
		return convergeMotion(c, k, steps, levels)
	}
	m, err := k.Build()
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	if steps == 0 {
		steps = max(1, m.Steps/4)
	}
	s, err := refine(c, k, m, steps, levels)
	if err != nil {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %v", k.Name, err), exitFailed)
	}
	if err := leaveStudy(c, k, s); err != nil {
		return cli.Exit("quasistatic: "+err.Error(), exitFailed)
	}
	for _, r := range s.Rows {
		if !r.Summary.Solved { // coarse levels are not accurate, and need not be
			return cli.Exit(fmt.Sprintf("quasistatic: %s: in %d steps: %s", k.Name, r.Steps, r.Summary.First), exitFailed)
		}
	}
	return nil
}

// refine runs all levels.
func refine(c *cli.Context, k *casefile.Case, m *casefile.Model, steps, levels int) (*study, error) {
	s := &study{Name: k.Name}
	var evaluators []*casefile.Evaluator
	rows, err := energetic.Converge(c.Context, m.Psi, m.Start, m.Options, m.Until, steps, levels, func(level int, n *energetic.Node) error {
		if level == len(evaluators) {
			evaluators = append(evaluators, casefile.NewEvaluator(m))
		}
		evaluators[level].Observe(n)
		return c.Context.Err()
	})
	if err != nil {
		return nil, err
	}
	s.Rows = rows
	for i, e := range evaluators {
		s.Expect = append(s.Expect, e.Outcomes())
		s.Steps = append(s.Steps, m.Until/float64(rows[i].Steps))
	}
	return s, nil
}

func (s *study) draw(dir, title string) error {
	return report.DrawOrders(dir, title, s.Steps, s.curves())
}

func (s *study) print(p *page) { p.refinements(s) }

// curves are what the picture shows.
func (s *study) curves() []report.Curve {
	curves := []report.Curve{{Name: "distance to the finest run"}, {Name: "stability gap (S)"}, {Name: "balance residual (E)"}}
	for _, r := range s.Rows {
		// Below 1e-15 of the energies there is only roundoff.
		gap := r.Summary.MaxGap
		if gap < 1e-15*r.Summary.EnergyScale {
			gap = 0
		}
		for i, v := range []float64{r.Error, gap, r.Summary.MaxBalance} {
			curves[i].Values = append(curves[i].Values, v)
		}
	}
	return curves
}

// roundoff is the part of a size below which differences are noise, whose orders
// mean nothing.
const roundoff = 1e-12

// refinements prints the table of a study.
func (p *page) refinements(s *study) {
	p.line("runs", "%-9s %-10s %-17s %-17s %s", "steps", "γ [N]", "distance [m]", "(S) gap [J]", "(E) residual [J]")
	for _, r := range s.Rows {
		energy := roundoff * r.Summary.EnergyScale
		way := roundoff * max(1, r.Summary.MaxLipschitz)
		p.line("", "%-9d %-10.3g %-17s %-17s %s", r.Steps, r.Gamma, withOrder(r.Error, r.OrderError, way), withOrder(r.Summary.MaxGap, r.OrderGap, energy), withOrder(r.Summary.MaxBalance, r.OrderBalance, energy))
	}
	for i := range s.Expect[0] {
		p.expected(s, i)
	}
}

// expected prints how the error of one expectation falls.
func (p *page) expected(s *study, i int) {
	var row string
	last := 0.0
	for level := range s.Rows {
		o := s.Expect[level][i]
		if o.Want == nil || o.Value == nil {
			return
		}
		off := math.Abs(*o.Value - *o.Want)
		order := 0.0
		if last > 0 && off > 0 {
			order = math.Log2(last / off)
		}
		row += fmt.Sprintf("%-17s", withOrder(off, order, roundoff*max(1, math.Abs(*o.Want))))
		last = off
	}
	p.line("errors", "%-36s %s", s.Expect[0][i].Label, strings.TrimRight(row, " "))
}

// withOrder prints a number with its observed order, if it is above the noise.
func withOrder(v, order, noise float64) string {
	switch {
	case v <= noise:
		return "roundoff"
	case order == 0:
		return fmt.Sprintf("%.2g", v)
	}
	return fmt.Sprintf("%.2g (%.2f)", v, order)
}
