package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// elasticStudy is a convergence study of a case of the model elastodynamic, Δt → 0
// on its mesh: the theorem lets the work of λ_c and the residual of the balance
// (27) vanish.
type elasticStudy struct {
	Name        string            `json:"name"`
	Steps       []int             `json:"steps"`
	H           []float64         `json:"h"`            // lengths [s]
	Distance    []float64         `json:"distance"`     // of u to the finest run, at nodes of the coarsest [m]
	Halving     []float64         `json:"halving"`      // of u to the run before; 0 of the first
	ContactWork []float64         `json:"contact_work"` // |work of λ_c| [J]
	Balance     []float64         `json:"balance"`      // |residual of (27)| at the end [J]
	Identity    []float64         `json:"identity"`     // largest violation of (51) in a step [J]
	Contraction []float64         `json:"contraction"`  // bound of Theorem 4
	Unique      []bool            `json:"unique"`
	Expect      [][]table.Outcome `json:"expectations"`
}

func convergeElastic(c *cli.Context, k *casefile.Case, steps, levels int) error {
	m, err := k.BuildElastic()
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	if steps == 0 {
		steps = max(1, m.Steps/4)
		if m.Options.Scheme == elastic.CentralDifference {
			steps = m.Steps // longer steps may be unstable
		}
	}
	s := &elasticStudy{Name: k.Name}
	if err = s.halve(c.Context, m, steps, levels); err == nil {
		err = leaveStudy(c, k, s)
	}
	if err != nil {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %v", k.Name, err), exitFailed)
	}
	return nil
}

// mostPaths bounds the times at which levels are compared: all nodes are kept.
const mostPaths = 200

// halve runs the case in steps, 2·steps, 4·steps, … steps.
func (s *elasticStudy) halve(ctx context.Context, m *casefile.Elastic, steps, levels int) error {
	var paths [][][]float64 // u at some steps of the coarsest run, of each level
	stride := (steps + mostPaths - 1) / mostPaths
	for i := range levels {
		l := *m
		l.Steps = steps << i
		l.Options.Step = m.Until / float64(l.Steps)
		path, err := s.run(ctx, &l, stride<<i)
		if err != nil {
			return fmt.Errorf("in %d steps: %w", l.Steps, err)
		}
		paths = append(paths, path)
	}
	s.Halving = make([]float64, levels)
	for i, p := range paths {
		s.Distance = append(s.Distance, apart(p, paths[levels-1]))
		if i > 0 {
			s.Halving[i] = apart(p, paths[i-1])
		}
	}
	return nil
}

// run computes one level and returns u at every so many steps.
func (s *elasticStudy) run(ctx context.Context, m *casefile.Elastic, every int) (path [][]float64, err error) {
	st, err := elastic.New(ctx, m.Model, m.Options)
	if err != nil {
		return nil, err
	}
	e := casefile.NewElasticEvaluator(m)
	e.Observe(st)
	for k := 1; k <= m.Steps; k++ {
		if err := errors.Join(ctx.Err(), st.Step(ctx)); err != nil {
			return nil, err
		}
		e.Observe(st)
		if k%every == 0 {
			path = append(path, st.Displacement(nil))
		}
	}
	b, c := st.Balance(), st.Certificate()
	s.Steps, s.H = append(s.Steps, m.Steps), append(s.H, m.Options.Step)
	s.ContactWork, s.Balance = append(s.ContactWork, math.Abs(b.Contact)), append(s.Balance, math.Abs(b.Residual))
	s.Identity = append(s.Identity, b.Identity)
	s.Contraction, s.Unique = append(s.Contraction, c.Contraction), append(s.Unique, c.Unique)
	s.Expect = append(s.Expect, e.Outcomes())
	return path, nil
}

func (s *elasticStudy) draw(dir, title string) error {
	curves := []report.Curve{{Name: "distance to the finest run", Values: s.Distance}, {Name: "work of the contact forces", Values: s.ContactWork},
		{Name: "residual of the balance (27)", Values: s.Balance}}
	return report.DrawOrders(dir, title, s.H, curves)
}

func (s *elasticStudy) print(p *page) { p.elasticStudy(s) }

func (p *page) elasticStudy(s *elasticStudy) {
	p.line("Δt → 0", "%-9s %-12s %-17s %-17s %-17s %-20s %s", "steps", "Δt [s]", "distance [m]", "to the run before", "work of λ_c [J]", "balance (27) [J]", "contraction")
	for i := range s.Steps {
		halving := "-"
		if i > 0 {
			halving = ordered(s.Halving[1:], i-1)
		}
		p.line("", "%-9d %-12.4g %-17s %-17s %-17s %-20s %.3g", s.Steps[i], s.H[i], ordered(s.Distance, i), halving, ordered(s.ContactWork, i), ordered(s.Balance, i), s.Contraction[i])
	}
	for i := range s.Expect[0] {
		p.elasticOutcome(s, i)
	}
}

// elasticOutcome prints an expectation's error of each level, without orders: the
// values of a case belong to its mesh and step.
func (p *page) elasticOutcome(s *elasticStudy, i int) {
	var row string
	for _, outcomes := range s.Expect {
		o := outcomes[i]
		if o.Want == nil || o.Value == nil {
			return
		}
		row += fmt.Sprintf("%-12.2g", math.Abs(*o.Value-*o.Want))
	}
	p.line("off by", "%-36s %s", s.Expect[0][i].Label, strings.TrimRight(row, " "))
}
