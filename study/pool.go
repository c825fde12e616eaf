package study

import (
	"context"
	"errors"

	"github.com/quasistatic/quasistatic/internal/crew"
	"github.com/quasistatic/quasistatic/internal/relay"
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
	Dir     string // of the study
	Base    string // name of the base case's file
	Files   Files  // beside it
	Version string // of the program
	Runner  Runner
}

// job returns the job of run i.
func (w *Work) job(i int) (*Job, error) {
	text, id, err := w.Plan.run(i)
	if err != nil {
		return nil, err
	}
	s := w.Plan.Spec
	j := &Job{ID: id.String(), Text: text, Base: w.Base, Observe: s.Observe, Keep: s.Keep}
	if j.Level = w.Plan.level(i); j.Level != nil {
		j.ID = w.Plan.levelID(text, j.Level)
	}
	return j, nil
}

// record wraps an outcome.
func (w *Work) record(id string, o *Outcome) *Record {
	return &Record{ID: id, Observe: w.Plan.Spec.observeHash(), Version: w.Version, Outcome: *o}
}

// Pool makes the runs in this process, without a server.
type Pool struct{ Workers int } // at least 1, at most MostWorkers

var _ Engine = Pool{}

// Make implements [Engine]. The order of records is that in which runs end.
func (p Pool) Make(ctx context.Context, w *Work, todo func(yield func(i int) bool), done func(*Record) error) error {
	if err := checkWorkers(p.Workers); err != nil {
		return err
	}
	return crew.Each(ctx, p.Workers, todo, w.make, func(_ int, r *Record) error { return done(r) })
}

// make makes run i. One that panics is lost: it would again.
func (w *Work) make(ctx context.Context, i int) (*Record, error) {
	j, err := w.job(i)
	if err != nil {
		return nil, err
	}
	o, err := w.run(ctx, j)
	if p, ok := errors.AsType[*relay.Panic](err); ok && j.Level == nil { // what follows needs all levels
		o, err = &Outcome{Verdict: Lost, Message: p.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	return w.record(j.ID, o), nil
}
