package run

import (
	"context"
	"fmt"

	"github.com/quasistatic/quasistatic/table"
)

// verdict makes the run at half its steps, if that was asked for, and draws the verdict. The
// error is that of the run before, or of ctx.
func (t *Task) verdict(ctx context.Context, err error) error {
	s := &t.Summary
	if t.Verify && s.Status == table.Done && err == nil {
		var change []table.Fact
		change, err = t.verify(ctx)
		s.Facts = append(s.Facts, change...)
	}
	t.judge(ctx)
	return err
}

// judge fills the verdict of the summary from one list of facts: those of the model, and
// one for each expectation.
func (t *Task) judge(ctx context.Context) {
	s := &t.Summary
	if t.run != nil {
		s.Section = t.run.Section()
		s.Facts = append(s.Facts, t.run.Verdict()...)
	}
	if err := t.out.NotFinite(); err != nil {
		s.Facts = append(s.Facts, table.No(table.Solved, err.Error(), table.Computed))
	}
	table.Accept(s.Facts, t.plan.Accept)
	t.remedies(ctx)
	s.Judge(t.plan.Steps)
}

// Certified reports whether the run is done, solved, accurate and as expected: exit code 0.
func Certified(s *table.Summary) bool { return s.Status == table.Done && s.Certified && s.Met }

// Failure says in one line why a run is not certified, or not as expected.
func Failure(s *table.Summary) string {
	if s.Status != table.Done || !s.Certified {
		return oneLine(s.Message)
	}
	missed := 0
	for i := range s.Expectations {
		if !s.Expectations[i].Met {
			missed++
		}
	}
	return fmt.Sprintf("%d of %d expectations are not met", missed, len(s.Expectations))
}
