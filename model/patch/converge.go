package patch

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
)

// study is a convergence study: h → 0, and with compliant patches ε → 0.
type study struct {
	*run.Refinement
	Compliance []complianceRow `json:"compliance,omitempty"`
	histories  []bodyview.History
}

// complianceRow compares a run with compliances times Factor to the rigid one.
type complianceRow struct {
	Factor   float64 `json:"factor"`
	Distance float64 `json:"distance"` // largest of q over the run
	Forces   float64 `json:"forces"`   // rms of the difference of ΣN, the first 1 % of the run left out [N]
}

// complianceFactors are the compliances of the study, in those of the case.
var complianceFactors = []float64{10, 1, 0.1, 0.01}

// convergence are the runs of the study: those that refine the step, then those of the
// compliances, the rigid one first.
type convergence struct {
	*run.Refinements
	c *Case
}

// Convergence implements [run.Converger].
func (c *Case) Convergence(steps, levels int) (run.Convergence, error) {
	r, err := run.Refine(c.file.Name, c, steps, levels)
	if err != nil {
		return nil, err
	}
	return &convergence{r, c}, nil
}

// softenings are the compliances of the study, in those of the case; 0: rigid.
func (s *convergence) softenings() []float64 {
	if s.c.theta || !s.c.compliant() {
		return nil
	}
	return append([]float64{0}, complianceFactors...)
}

// Len implements [run.Convergence].
func (s *convergence) Len() int { return s.Refinements.Len() + len(s.softenings()) }

// Name implements [run.Convergence].
func (s *convergence) Name(i int) string {
	n := s.Refinements.Len()
	if i < n {
		return s.Refinements.Name(i)
	}
	return softening(s.softenings()[i-n])
}

// softening names the run with compliances in those of the case.
func softening(factor float64) string {
	if factor == 0 {
		return "rigid"
	}
	return fmt.Sprintf("ε × %g", factor)
}

// Case implements [run.Convergence].
func (s *convergence) Case(ctx context.Context, i int) (run.Case, error) {
	n := s.Refinements.Len()
	if i < n {
		return s.Refinements.Case(ctx, i)
	}
	l := *s.c
	l.spare = nil
	var err error
	l.World, err = s.c.softened(ctx, s.softenings()[i-n])
	return &l, err
}

// Level implements [run.Convergence].
func (s *convergence) Level(ctx context.Context, i int) ([]byte, error) {
	i -= s.Refinements.Len()
	if i < 0 {
		return s.Refinements.Level(ctx, i+s.Refinements.Len())
	}
	h, err := s.c.soften(ctx, s.softenings()[i])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", h.Name, err)
	}
	return run.EncodeLevel(h)
}

// Study implements [run.Convergence].
func (s *convergence) Study(coded [][]byte) (run.Study, error) {
	n := s.Refinements.Len()
	r, err := s.Refinement(coded[:n])
	if err != nil {
		return nil, err
	}
	x := &study{Refinement: r}
	histories, err := run.DecodeLevels[bodyview.History](coded[n:])
	if err != nil {
		return nil, err
	}
	for i, h := range histories {
		x.histories = append(x.histories, *h)
		if rigid := &x.histories[0]; i > 0 {
			x.Compliance = append(x.Compliance, complianceRow{complianceFactors[i-1], run.Distance(h.Q, rigid.Q),
				rms(h.Normal, rigid.Normal)})
		}
	}
	return x, nil
}

// soften runs the case with other compliances.
func (c *Case) soften(ctx context.Context, factor float64) (*bodyview.History, error) {
	h := &bodyview.History{Name: softening(factor)}
	w, err := c.softened(ctx, factor)
	if err == nil {
		err = c.integrate(ctx, w, func(st *dynamics.Stepper) { h.Observe(st) })
	}
	return h, err
}

// Refined returns the case in other equal steps.
func (c *Case) Refined(steps int) (run.Case, error) {
	if steps == 0 {
		steps = max(1, c.plan.Steps/4)
	}
	l := *c
	l.plan, l.spare = c.plan.Refined(steps), nil
	if c.Boundary != nil {
		t := *c.Boundary
		t.Options.Steps, t.Options.H, t.Options.Grid = l.plan.Steps, l.plan.Step(), l.plan.Grid()
		l.Boundary = &t
	}
	return &l, nil
}

// Sharper returns a case that chooses its steps at half its accuracy.
func (c *Case) Sharper() run.Case {
	l := *c
	l.plan.Accuracy, l.spare = l.plan.Accuracy/2, nil
	return &l
}

// Coordinates are those of the bodies.
func (r *Run) Coordinates() []float64 { return r.stepper.State().Q }

// Parts implements [run.Divided].
func (r *Run) Parts() []run.Part { return world.Parts(r.c.World, r.c.IDs) }

// Measures are those of a study.
func (r *Run) Measures() []run.Measure {
	return []run.Measure{{Key: "balance", Name: "balance residual", Unit: "J", Value: r.sum.Balance, Falls: true}}
}

// integrate runs a case in another world and shows every step.
func (c *Case) integrate(ctx context.Context, w *bodies.World, observe func(s *dynamics.Stepper)) error {
	v0 := c.V0
	if c.Boundary != nil {
		r, err := dynamics.SolveBoundary(ctx, w, &dynamics.State{Q: c.Q0, V: c.V0}, &c.Boundary.Boundary, c.Boundary.Options)
		if err != nil {
			return err
		}
		v0 = r.V0
	}
	s, err := dynamics.NewStepper(w, c.Q0, v0, c.Options)
	if err != nil {
		return err
	}
	for range c.plan.Steps {
		if err := errors.Join(ctx.Err(), s.Step(ctx, c.plan.StepFrom(s.State().T))); err != nil {
			return err
		}
		observe(s)
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

// Plots implements [run.Study]: both limits.
func (s *study) Plots() []*report.Plot {
	if len(s.Compliance) == 0 {
		return s.Refinement.Plots()
	}
	var factor, distance, forces []float64
	for _, r := range s.Compliance {
		factor, distance, forces = append(factor, r.Factor), append(distance, r.Distance), append(forces, r.Forces)
	}
	return append(s.Refinement.Plots(), bodyview.Compliance(s.histories, factor, distance, forces)...)
}

// Print prints the tables.
func (s *study) Print(p *run.Page) {
	s.Refinement.Print(p)
	if len(s.Compliance) == 0 {
		return
	}
	p.Line("ε → 0", "%-9s %-24s %s", "factor", "distance to rigid [m]", "rms of ΣN − ΣN_rigid [N]")
	for _, r := range s.Compliance {
		p.Line("", "%-9g %-24.3g %.3g", r.Factor, r.Distance, r.Forces)
	}
}
