// Package crew makes pieces of work on several workers: the runs of a study, the levels of
// a convergence study.
package crew

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/quasistatic/quasistatic/internal/relay"
)

// Each makes the pieces that todo yields, on at most so many workers, and gives each
// result to done as it comes, never two at once. It returns when all are done, or with
// the first error of work or done, or of ctx. A panic in work is raised again here.
func Each[T any](ctx context.Context, workers int, todo iter.Seq[int], work func(ctx context.Context, i int) (T, error),
	done func(i int, result T) error) error {
	type piece struct {
		i      int
		result T
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	pieces := sequence(ctx, todo)
	results := make(chan piece)
	for range max(1, workers) {
		all.Go(func() {
			for i := range pieces {
				r, err := caught(ctx, i, work)
				if err != nil {
					cancel(err)
					return
				}
				select {
				case results <- piece{i, r}:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		all.Wait()
		close(results)
	}()
	for p := range results {
		if err := done(p.i, p.result); err != nil {
			cancel(err)
		}
	}
	if p, ok := errors.AsType[*relay.Panic](context.Cause(ctx)); ok {
		panic(p)
	}
	return context.Cause(ctx)
}

// caught makes a piece; a panic in it is an error, to be raised where it is waited for.
func caught[T any](ctx context.Context, i int, work func(ctx context.Context, i int) (T, error)) (r T, err error) {
	defer relay.Catch(&err)
	return work(ctx, i)
}

// Down counts n − 1, …, 0: for pieces of which the last takes longest, and so begins first.
func Down(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := n - 1; i >= 0 && yield(i); i-- {
		}
	}
}

// sequence yields into a channel until ctx ends.
func sequence(ctx context.Context, todo iter.Seq[int]) <-chan int {
	pieces := make(chan int)
	go func() {
		defer close(pieces)
		for i := range todo {
			select {
			case pieces <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return pieces
}
