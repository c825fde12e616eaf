package study

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/quasistatic/quasistatic/internal/crew"
	"github.com/quasistatic/quasistatic/internal/processor"
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
	// Processor is how the program rounds, as in summary.json; "": as this one does.
	Processor string
	Runner    Runner

	ids   []key // of the plan, if they are known
	index index // of them
	// withdraw takes the rows of a worker that is not believed back and returns their runs; nil:
	// nobody keeps rows.
	withdraw func(worker, why string) ([]int, error)
}

// kind is how the program of a study rounds.
func (w *Work) kind() string { return cmp.Or(w.Processor, processor.Kind()) }

// index finds the run of an id.
type index struct {
	ids   []key   // of the runs
	order []int32 // their numbers in the order of ids
}

func newIndex(ids []key) index {
	x := index{ids, make([]int32, len(ids))}
	for i := range x.order {
		x.order[i] = int32(i) // a plan whose ids are in memory has no more
	}
	slices.SortFunc(x.order, func(a, b int32) int { return bytes.Compare(ids[a][:], ids[b][:]) })
	return x
}

// find returns the first run with an id; false: no run of the plan has it.
func (x index) find(id string) (run int, ok bool) {
	k := keyOf(id)
	if k.String() != id {
		return 0, false // no id of any plan
	}
	at, ok := slices.BinarySearchFunc(x.order, k, func(i int32, k key) int { return bytes.Compare(x.ids[i][:], k[:]) })
	if !ok {
		return 0, false
	}
	return int(x.order[at]), true
}

// ready indexes the ids of the plan, if nobody has.
func (w *Work) ready() error {
	if w.index.ids != nil {
		return nil
	}
	if w.ids != nil {
		w.index = newIndex(w.ids)
		return nil
	}
	ids, err := w.Plan.ids(0, w.Plan.Len())
	if err == nil && w.Plan.levels != nil {
		for i := range ids {
			var j *Job
			if j, err = w.job(i); err != nil {
				return err
			}
			ids[i] = keyOf(j.ID)
		}
	}
	w.index = newIndex(ids)
	return err
}

// given is the message by which run i is given to a worker: its number, and the values of its
// parameters as text. A worker that computed them from the rule of an axis might round otherwise
// in the last digit, and have another run.
type given struct {
	Run    int               `json:"run"`
	Values []json.RawMessage `json:"values,omitempty"`
}

// order returns the id of run i and its message.
func (w *Work) order(i int) (id string, text []byte, err error) {
	o := given{Run: i}
	if w.Plan.levels == nil {
		o.Values = w.Plan.Parameters(i)
	}
	j, err := w.ordered(&o)
	if err != nil {
		return "", nil, err
	}
	if text, err = json.Marshal(&o); err != nil {
		return "", nil, fmt.Errorf("study: run %d: %w", i, err)
	}
	return j.ID, text, nil
}

// ordered returns the job of a message.
func (w *Work) ordered(o *given) (*Job, error) {
	if o.Run < 0 || o.Run >= w.Plan.Len() || len(o.Values) != len(w.Plan.paths) {
		return nil, fmt.Errorf("study: run %d with %d values, want one of %d with %d", o.Run, len(o.Values),
			w.Plan.Len(), len(w.Plan.paths))
	}
	text, id, err := w.Plan.valued(o.Values)
	if err != nil {
		return nil, err
	}
	return w.jobOf(o.Run, text, id), nil
}

// job returns the job of run i.
func (w *Work) job(i int) (*Job, error) {
	text, id, err := w.Plan.run(i)
	if err != nil {
		return nil, err
	}
	return w.jobOf(i, text, id), nil
}

func (w *Work) jobOf(i int, text []byte, id key) *Job {
	s := w.Plan.Spec
	j := &Job{ID: id.String(), Text: text, Base: w.Base, Observe: s.Observe, Keep: s.Keep}
	if j.Level = w.Plan.level(i); j.Level != nil {
		j.ID = w.Plan.levelID(text, j.Level)
	}
	return j
}

// record wraps an outcome.
func (w *Work) record(id string, o *Outcome) *Record {
	return &Record{ID: id, Observe: w.Plan.Spec.observeHash(), Version: w.Version, Processor: mark(w.kind()), Outcome: *o}
}

// mark is how the kind of a processor stands in records: nothing for that which rounds each
// operation.
func mark(kind string) string {
	if kind == processor.Rounded {
		return ""
	}
	return kind
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
