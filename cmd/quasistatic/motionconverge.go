package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/table"
)

// motionStudy is a convergence study of a case of the dynamic models: h → 0,
// and with compliant patches ε → 0.
type motionStudy struct {
	Name       string            `json:"name"`
	Steps      []int             `json:"steps"`
	H          []float64         `json:"h"`        // lengths [s]
	Distance   []float64         `json:"distance"` // of q to the finest run
	Balance    []float64         `json:"balance"`  // residual of the ledger [J]
	Expect     [][]table.Outcome `json:"expectations"`
	Compliance []complianceRow   `json:"compliance,omitempty"`

	histories []bodyview.History
}

// complianceRow compares a run with compliances times Factor to the rigid one.
type complianceRow struct {
	Factor   float64 `json:"factor"`
	Distance float64 `json:"distance"` // largest of q over the run
	Forces   float64 `json:"forces"`   // rms of the difference of ΣN, the first 1 % of the run left out [N]
}

// complianceFactors are the compliances of the study, in those of the case.
var complianceFactors = []float64{10, 1, 0.1, 0.01}

func convergeMotion(c *cli.Context, k *casefile.Case, steps, levels int) error {
	m, err := k.BuildMotion()
	if err != nil {
		return cli.Exit(err.Error(), exitInput)
	}
	if steps == 0 {
		steps = max(1, m.Steps/4)
	}
	s := &motionStudy{Name: k.Name}
	if err = s.halve(c.Context, m, steps, levels); err == nil {
		err = s.soften(c.Context, m)
	}
	if err == nil {
		err = leaveStudy(c, k, s)
	}
	if err != nil {
		return cli.Exit(fmt.Sprintf("quasistatic: %s: %v", k.Name, err), exitFailed)
	}
	return nil
}

// level is the case with another number of steps.
func level(m *casefile.Motion, steps int) *casefile.Motion {
	l := *m
	l.Steps = steps
	if m.Boundary != nil {
		t := *m.Boundary
		t.Options.Steps, t.Options.H = steps, m.Until/float64(steps)
		l.Boundary = &t
	}
	return &l
}

// integrate runs a model and shows every step.
func integrate(ctx context.Context, m *casefile.Motion, w *bodies.World, see func(s *dynamics.Stepper)) (*casefile.MotionEvaluator, error) {
	e := casefile.NewMotionEvaluator(m)
	v0 := m.V0
	if m.Boundary != nil {
		r, err := dynamics.SolveBoundary(ctx, w, &dynamics.State{Q: m.Q0, V: m.V0}, &m.Boundary.Boundary, m.Boundary.Options)
		if err != nil {
			return nil, err
		}
		v0 = r.V0
		e.V0, e.Residual = r.V0, r.Residual
	}
	s, err := dynamics.NewStepper(w, m.Q0, v0, m.Options)
	if err != nil {
		return nil, err
	}
	e.Start(s)
	for range m.Steps {
		if err := errors.Join(ctx.Err(), s.Step(ctx, m.H())); err != nil {
			return nil, err
		}
		ledger := s.Ledger()
		e.Observe(s.Last(), &ledger)
		see(s)
	}
	return e, nil
}

// halve runs the case in steps, 2·steps, 4·steps, … steps.
func (s *motionStudy) halve(ctx context.Context, m *casefile.Motion, steps, levels int) error {
	var paths [][][]float64 // q at the nodes of the coarsest run, of each level
	for i := range levels {
		l := level(m, steps<<i)
		var path [][]float64
		balance := 0.0
		e, err := integrate(ctx, l, l.World, func(st *dynamics.Stepper) {
			balance = max(balance, math.Abs(st.Ledger().Residual))
			if st.Last().Index%(1<<i) == 0 {
				path = append(path, append([]float64(nil), st.State().Q...))
			}
		})
		if err != nil {
			return fmt.Errorf("in %d steps: %w", l.Steps, err)
		}
		paths = append(paths, path)
		s.Steps, s.H = append(s.Steps, l.Steps), append(s.H, l.H())
		s.Balance, s.Expect = append(s.Balance, balance), append(s.Expect, e.Outcomes())
	}
	for _, p := range paths {
		s.Distance = append(s.Distance, apart(p, paths[levels-1]))
	}
	return nil
}

// apart is the largest difference of two paths.
func apart(a, b [][]float64) float64 {
	d := 0.0
	for k := range min(len(a), len(b)) {
		for i, x := range a[k] {
			d = max(d, math.Abs(x-b[k][i]))
		}
	}
	return d
}

// soften compares runs with other compliances to the one with rigid patches.
func (s *motionStudy) soften(ctx context.Context, m *casefile.Motion) error {
	if m.Model != "compliant" || !m.Compliant() {
		return nil
	}
	var rigid bodyview.History
	for _, factor := range append([]float64{0}, complianceFactors...) {
		w, err := m.Rebuild(factor)
		if err != nil {
			return err
		}
		h := bodyview.History{Name: fmt.Sprintf("ε × %g", factor)}
		if factor == 0 {
			h.Name = "rigid"
		}
		plain := *m // the expectations are those of the compliances of the case
		plain.Expect = nil
		if _, err := integrate(ctx, &plain, w, func(st *dynamics.Stepper) { h.Observe(st) }); err != nil {
			return fmt.Errorf("%s: %w", h.Name, err)
		}
		s.histories = append(s.histories, h)
		if factor == 0 {
			rigid = h
			continue
		}
		s.Compliance = append(s.Compliance, complianceRow{factor, apart(h.Q, rigid.Q), rms(h.Normal, rigid.Normal)})
	}
	return nil
}

// rms is the root mean square of a difference without its first hundredth, in
// which the springs are loaded.
func rms(a, b []float64) float64 {
	first, sum := len(a)/100, 0.0
	for k := first; k < len(a); k++ {
		sum += (a[k] - b[k]) * (a[k] - b[k])
	}
	return math.Sqrt(sum / float64(max(1, len(a)-first)))
}

func (s *motionStudy) draw(dir, title string) error {
	curves := []report.Curve{{Name: "distance to the finest run", Values: s.Distance}, {Name: "balance residual", Values: s.Balance}}
	if err := report.DrawOrders(dir, title, s.H, curves); err != nil {
		return err
	}
	return s.drawCompliance(dir, title)
}

func (s *motionStudy) print(p *page) { p.motionStudy(s) }

func (s *motionStudy) drawCompliance(dir, title string) error {
	if len(s.Compliance) == 0 {
		return nil
	}
	var factor, distance, forces []float64
	for _, r := range s.Compliance {
		factor, distance, forces = append(factor, r.Factor), append(distance, r.Distance), append(forces, r.Forces)
	}
	_, err := bodyview.DrawCompliance(dir, title, s.histories, factor, distance, forces)
	return err
}

// motionStudy prints the tables of a study.
func (p *page) motionStudy(s *motionStudy) {
	p.line("h → 0", "%-9s %-12s %-17s %s", "steps", "h [s]", "distance [m]", "balance residual [J]")
	for i := range s.Steps {
		p.line("", "%-9d %-12.4g %-17s %s", s.Steps[i], s.H[i], ordered(s.Distance, i), ordered(s.Balance, i))
	}
	if len(s.Compliance) == 0 {
		return
	}
	p.line("ε → 0", "%-9s %-24s %s", "factor", "distance to rigid [m]", "rms of ΣN − ΣN_rigid [N]")
	for _, r := range s.Compliance {
		p.line("", "%-9g %-24.3g %.3g", r.Factor, r.Distance, r.Forces)
	}
}

// ordered prints a value with the order that it shows.
func ordered(v []float64, i int) string {
	if i == len(v)-1 && v[i] == 0 {
		return "finest"
	}
	order := 0.0
	if i > 0 && v[i] > 0 && v[i-1] > 0 {
		order = math.Log2(v[i-1] / v[i])
	}
	return withOrder(v[i], order, 0)
}
