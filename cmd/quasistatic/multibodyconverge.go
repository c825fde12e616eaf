package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// multibodyStudy is a convergence study of a case of the model rigid, h → 0.
type multibodyStudy struct {
	Name     string            `json:"name"`
	Steps    []int             `json:"steps"`
	H        []float64         `json:"h"`        // lengths [s]
	Distance []float64         `json:"distance"` // of q to the finest run, at the nodes of the coarsest
	Halving  []float64         `json:"halving"`  // distance of q to the run before; 0 of the first
	Order    []float64         `json:"order"`    // log₂ of the ratio of two of them; 0 of the first two
	Cost     []float64         `json:"cost"`     // energy that the step length takes or gives, largest of the run [J]
	Balance  []float64         `json:"balance"`  // residual of the ledger, rounding [J]
	Expect   [][]table.Outcome `json:"expectations"`
}

func convergeMultibody(c *cli.Context, k *casefile.Case, steps, levels int) error {
	m, err := k.BuildMultibody()
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	if steps == 0 {
		steps = max(1, m.Steps/4)
	}
	s := &multibodyStudy{Name: k.Name}
	if err = s.halve(c.Context, m, steps, levels); err == nil {
		err = leaveStudy(c, k, s)
	}
	if err != nil {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %v", k.Name, err), exitFailed)
	}
	return nil
}

// halve runs the case in steps, 2·steps, 4·steps, … steps.
func (s *multibodyStudy) halve(ctx context.Context, m *casefile.Multibody, steps, levels int) error {
	var paths [][][]float64 // q at the nodes of the coarsest run, of each level
	for i := range levels {
		l := *m
		l.Steps = steps << i
		path, err := s.run(ctx, &l, 1<<i)
		if err != nil {
			return fmt.Errorf("in %d steps: %w", l.Steps, err)
		}
		paths = append(paths, path)
	}
	s.Halving, s.Order = make([]float64, levels), make([]float64, levels)
	for i, p := range paths {
		s.Distance = append(s.Distance, apart(p, paths[levels-1]))
		if i > 0 {
			s.Halving[i] = apart(p, paths[i-1])
		}
		if i > 1 && s.Halving[i] > 0 && s.Halving[i-1] > 0 {
			s.Order[i] = math.Log2(s.Halving[i-1] / s.Halving[i])
		}
	}
	return nil
}

// run computes one level and returns q at every so many nodes.
func (s *multibodyStudy) run(ctx context.Context, m *casefile.Multibody, every int) (path [][]float64, err error) {
	st, err := rigid.NewStepper(m.Model, m.Options)
	if err != nil {
		return nil, err
	}
	e := casefile.NewMultibodyEvaluator(m)
	e.Observe(st.Last())
	cost, balance := 0.0, 0.0
	for k := 1; k <= m.Steps; k++ {
		if err := errors.Join(ctx.Err(), st.Step(ctx, m.H())); err != nil {
			return nil, err
		}
		x := st.Last()
		e.Observe(x)
		cost = max(cost, math.Abs(x.Energy.Scheme+x.Energy.Projection))
		balance = max(balance, math.Abs(x.Energy.Residual))
		if k%every == 0 {
			path = append(path, append([]float64(nil), x.Q...))
		}
	}
	s.Steps, s.H = append(s.Steps, m.Steps), append(s.H, m.H())
	s.Cost, s.Balance, s.Expect = append(s.Cost, cost), append(s.Balance, balance), append(s.Expect, e.Outcomes())
	return path, nil
}

func (s *multibodyStudy) draw(dir, title string) error {
	curves := []report.Curve{{Name: "distance to the finest run", Values: s.Distance}, {Name: "energy lost to the step length", Values: s.Cost}}
	return report.DrawOrders(dir, title, s.H, curves)
}

func (s *multibodyStudy) print(p *page) {
	p.line("h → 0", "%-9s %-12s %-17s %-17s %s", "steps", "h [s]", "distance [m]", "to the run before", "energy lost to the step [J]")
	for i := range s.Steps {
		halving := "-"
		if i > 0 {
			halving = withOrder(s.Halving[i], s.Order[i], 0)
		}
		p.line("", "%-9d %-12.4g %-17s %-17s %.2g", s.Steps[i], s.H[i], ordered(s.Distance, i), halving, s.Cost[i])
	}
}
