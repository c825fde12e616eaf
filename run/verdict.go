package run

import (
	"context"
	"fmt"
	"math"
	"strings"

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
	missed, open, first, more := 0, 0, (*table.Outcome)(nil), 1.0
	for i := range s.Expectations {
		o := &s.Expectations[i]
		switch {
		case o.Met:
		case o.Undecided():
			if open, more = open+1, max(more, o.Within/o.Margin()); first == nil {
				first = o
			}
		default:
			missed++
		}
	}
	switch {
	case open == 0:
		return fmt.Sprintf("%d of %d expectations are not met", missed, len(s.Expectations))
	case missed > 0:
		return fmt.Sprintf("%d of %d expectations are not met, and %d not decided", missed, len(s.Expectations), open)
	}
	text := fmt.Sprintf("not decided: %s: %s, wanted %s", first.Label, first.Found(), first.Wanted(">=", "<="))
	if open > 1 {
		text += fmt.Sprintf(" (%d of %d)", open, len(s.Expectations))
	}
	// What the value is off by falls with the step, or faster.
	if steps := more * float64(s.Steps); steps >= 1 && steps <= 1e6 {
		digits := math.Pow(10, math.Floor(math.Log10(steps))-1) // two of them, rounded up
		text += fmt.Sprintf("; about %.0f steps may decide it, a guess that was not tried",
			math.Ceil(1.1*steps/digits)*digits)
	}
	return text
}

// NotDecided reports whether what [Failure] says of a run is that something is not decided, and nothing missed.
func NotDecided(failure string) bool { return strings.HasPrefix(failure, "not decided: ") }
