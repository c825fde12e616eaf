package energetic

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// examination is what is found out about a case.
type examination struct {
	*assume.Assumptions
	need    *table.Memory
	settled float64 // way of the start to equilibrium [m]
	rates   *branchings
}

// Check examines the assumptions (N0) to (N4) at the start.
func (c *Case) Check(ctx context.Context) (run.Examination, error) {
	a, settled, err := c.assume(ctx, false)
	if err != nil {
		return nil, err
	}
	return &examination{a, &table.Memory{Predicted: c.plan.Need.Total(), Limit: c.plan.Limit.Bytes,
		Parts: c.plan.Need.Parts}, settled, c.branch(ctx, a)}, nil
}

// MarshalJSON puts the prediction of memory and the rate problem before the assumptions.
func (x *examination) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(x.Assumptions)
	if err != nil {
		return nil, err
	}
	part, err := json.Marshal(x.need)
	if err != nil {
		return nil, err
	}
	head := append([]byte(`{"memory":`), part...)
	if x.rates != nil {
		if part, err = json.Marshal(x.rates); err != nil {
			return nil, err
		}
		head = append(append(head, `,"rate_problem":`...), part...)
	}
	return append(append(head, ','), text[1:]...), nil
}

// Print prints what was found out.
func (x *examination) Print(p *run.Page) {
	p.Memory(x.need)
	if x.settled > 0 {
		fmt.Fprintf(p, "the start settles first and moves by %.4g m\n", x.settled)
	}
	_ = x.WriteText(p) // into memory
	if x.rates != nil {
		fmt.Fprintf(p, "\n%s", x.rates.text())
	}
}

// Objections names the first assumption that does not hold.
func (x *examination) Objections() []string {
	if x.Verdict() == assume.Holds {
		return nil
	}
	return []string{objection(x.Assumptions)}
}

// assume examines a model, settled first if it asks for that.
func (c *Case) assume(ctx context.Context, near bool) (a *assume.Assumptions, settled float64, err error) {
	start := c.Z0
	if c.Options.Equilibrate {
		s, err := incremental.New(c.Psi, 0, start, c.Options.Step)
		if err != nil {
			return nil, 0, err
		}
		if settled, err = s.Equilibrate(ctx); err != nil {
			return nil, settled, err
		}
		start = s.State()
	}
	a, err = assume.Examine(ctx, c.Psi, start, assume.Options{Until: c.plan.Until, Names: c.IDs,
		Gamma: c.Options.Step.Rule.Gamma, Step: c.plan.Step(), Near: near})
	return a, settled, err
}

// objection names the first assumption that does not hold.
func objection(a *assume.Assumptions) string {
	for i, n := range []assume.Assumption{a.N0, a.N1, a.N2, a.N3, a.N4} {
		if n.Verdict != assume.Holds && n.Verdict == a.Verdict() {
			return fmt.Sprintf("(N%d) %s: %s", i, n.Verdict, n.Detail)
		}
	}
	return a.Verdict().String()
}
