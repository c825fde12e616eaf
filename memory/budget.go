package memory

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// Budget is what computations may take together that run at once. A computation waits
// until what it is predicted to take is there, the first come first; one that would take
// more than there is has all of it to itself. Safe for concurrent use; nil bounds nothing.
type Budget struct {
	Limit Limit
	left  *semaphore.Weighted
}

// NewBudget returns a budget of a limit.
func NewBudget(l Limit) *Budget { return &Budget{l, semaphore.NewWeighted(l.Bytes)} }

// BudgetWithin is one of a limit that was given [byte], or of what is free if that is 0.
func BudgetWithin(limit int64) *Budget {
	if limit == 0 {
		return NewBudget(Free())
	}
	return NewBudget(Limit{Bytes: limit, Source: "the limit given"})
}

// Take waits for bytes of the budget, or until ctx ends, and returns what gives them back.
func (b *Budget) Take(ctx context.Context, bytes int64) (giveBack func(), err error) {
	if b == nil {
		return func() {}, nil
	}
	bytes = min(max(bytes, 0), b.Limit.Bytes)
	if err := b.left.Acquire(ctx, bytes); err != nil {
		return nil, context.Cause(ctx)
	}
	return func() { b.left.Release(bytes) }, nil
}
