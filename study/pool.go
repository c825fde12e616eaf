package study

import (
	"context"
	"sync"
)

// Engine makes runs.
type Engine interface {
	// Make makes the runs todo yields and gives each record to done, never two at once. It
	// returns when all are done, or with the first error of done or of the engine.
	Make(ctx context.Context, w *Work, todo func(yield func(i int) bool), done func(*Record) error) error
}

// Work is what an engine needs to know of a study.
type Work struct {
	Plan    *Plan
	Base    string // name of the base case's file
	Files   Files  // beside it
	Version string // of the program
	Runner  Runner
}

// job returns the job of run i.
func (w *Work) job(i int) (*Job, error) {
	text, err := w.Plan.Text(i)
	if err != nil {
		return nil, err
	}
	s := w.Plan.Spec
	return &Job{ID: w.Plan.ID(text), Text: text, Base: w.Base, Observe: s.Observe, Keep: s.Keep}, nil
}

// record wraps an outcome.
func (w *Work) record(id string, o *Outcome) *Record {
	return &Record{ID: id, Observe: w.Plan.Spec.observeHash(), Version: w.Version, Outcome: *o}
}

// Pool makes the runs in this process, without a server.
type Pool struct{ Workers int } // at least 1

var _ Engine = Pool{}

// Make implements [Engine]. The order of records is that in which runs end.
func (p Pool) Make(ctx context.Context, w *Work, todo func(yield func(i int) bool), done func(*Record) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	indices, records := make(chan int), make(chan *Record)
	var workers sync.WaitGroup
	for range max(1, p.Workers) {
		workers.Go(func() {
			for i := range indices {
				r, err := w.make(ctx, i)
				if err != nil {
					cancel(err)
					return
				}
				select {
				case records <- r:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		todo(func(i int) bool {
			select {
			case indices <- i:
				return true
			case <-ctx.Done():
				return false
			}
		})
		close(indices)
		workers.Wait()
		close(records)
	}()
	for r := range records {
		if err := done(r); err != nil {
			cancel(err)
		}
	}
	return context.Cause(ctx)
}

// make makes run i.
func (w *Work) make(ctx context.Context, i int) (*Record, error) {
	j, err := w.job(i)
	if err != nil {
		return nil, err
	}
	o, err := w.Runner.Run(ctx, j)
	if err != nil {
		return nil, err
	}
	return w.record(j.ID, o), nil
}
