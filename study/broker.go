package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Broker makes runs through a JetStream server: it queues what is missing and takes the
// results as they come, from workers of this process and of any other.
type Broker struct {
	Connection Connection
	Workers    int           // of this process; 0: only others
	Replicas   int           // of the streams, on a cluster; 0: 1
	Lease      time.Duration // of a run: a worker silent for that long is taken for dead; 0: 10 s
	Patience   time.Duration // with a server that stores nothing; 0: DefaultPatience
	Log        func(text string)
}

var _ Engine = (*Broker)(nil)

// Make implements [Engine]. What is on the server when it returns early stays there: the
// same study goes on with it.
func (b *Broker) Make(ctx context.Context, w *Work, todo func(yield func(i int) bool), done func(*Record) error) error {
	conn, err := b.Connection.dial(ctx, "quasistatic study")
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn, jetstream.WithPublishAsyncMaxPending(1024))
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	x := b.shipment(w)
	q := &queue{conn: conn, js: js, key: x.keyOf(), patience: cmp.Or(b.Patience, DefaultPatience)}
	if err := q.create(ctx, x, b.Replicas); err != nil {
		return fmt.Errorf("study: server: %w", err)
	}
	if err := b.make(ctx, q, w, todo, done); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return q.persist(ctx, q.remove)
}

// shipment is what workers expand the runs from.
func (b *Broker) shipment(w *Work) *shipment {
	lease := b.Lease
	if lease == 0 {
		lease = 10 * time.Second
	}
	return &shipment{Spec: w.Plan.Spec.source, Name: w.Plan.Spec.Name, Base: w.Plan.base, File: w.Base, Files: w.Files, Version: w.Version, Lease: lease}
}

// make queues the runs, takes the results, and works along, until all are there.
func (b *Broker) make(ctx context.Context, q *queue, w *Work, todo func(yield func(i int) bool), done func(*Record) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	missing := newMissing()
	var all sync.WaitGroup
	start := func(part func() error) {
		all.Go(func() {
			if err := part(); err != nil {
				cancel(err)
			}
		})
	}
	if b.Workers > 0 {
		worker := &Worker{Connection: b.Connection, Runner: w.Runner, Version: w.Version, Workers: b.Workers, Patience: b.Patience, Log: b.Log}
		start(func() error { return worker.Work(ctx) })
	}
	start(func() error { return q.fill(ctx, w, todo, missing) })
	start(func() error { return q.collect(ctx, missing, done) })
	select {
	case <-missing.none:
		cancel(errComplete)
	case <-ctx.Done():
	}
	all.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errComplete) {
		return err
	}
	return nil
}

var errComplete = errors.New("study: complete")

// window is the number of messages on the way to the server.
const window = 512

// fill queues the runs, many at once on the way.
func (q *queue) fill(ctx context.Context, w *Work, todo func(yield func(i int) bool), missing *missing) error {
	var fault error
	var sent []jetstream.PubAckFuture
	var runs []int
	settle := func() bool {
		for k, f := range sent {
			if fault = q.settled(ctx, w, f, runs[k]); fault != nil {
				return false
			}
		}
		sent, runs = sent[:0], runs[:0]
		return true
	}
	todo(func(i int) bool {
		var j *Job
		if j, fault = w.job(i); fault != nil {
			return false
		}
		if !missing.add(j.ID) {
			return ctx.Err() == nil // twice in the plan: one run is enough
		}
		f, err := q.js.PublishAsync(workSubject(q.key, j.ID), strconv.AppendInt(nil, int64(i), 10))
		if err != nil { // the server is away: wait for it
			fault = q.put(ctx, workSubject(q.key, j.ID), strconv.AppendInt(nil, int64(i), 10))
			return fault == nil
		}
		if sent, runs = append(sent, f), append(runs, i); len(sent) >= window {
			return settle() && ctx.Err() == nil
		}
		return ctx.Err() == nil
	})
	if fault == nil {
		settle()
	}
	if fault != nil {
		return fmt.Errorf("queue: %w", fault)
	}
	missing.complete()
	return nil
}

// settled waits until a message is stored, or stores it anew.
func (q *queue) settled(ctx context.Context, w *Work, f jetstream.PubAckFuture, i int) error {
	select {
	case <-f.Ok():
		return nil
	case err := <-f.Err():
		if there(err) == nil {
			return nil
		}
	case <-time.After(attempt):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	j, err := w.job(i)
	if err != nil {
		return err
	}
	return q.put(ctx, workSubject(q.key, j.ID), strconv.AppendInt(nil, int64(i), 10))
}

// collect takes the results in the order of the stream, from its begin: those of an
// earlier client too.
func (q *queue) collect(ctx context.Context, missing *missing, done func(*Record) error) error {
	next := uint64(1)
	for ctx.Err() == nil {
		var results jetstream.Consumer
		err := q.persist(ctx, func(ctx context.Context) error {
			var err error
			results, err = q.js.OrderedConsumer(ctx, resultStream(q.key), jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: next})
			return err
		})
		if err != nil {
			return fmt.Errorf("study: server: %w", err)
		}
		if next, err = receive(ctx, results, next, missing, done); err != nil {
			return err
		}
	}
	return nil
}

// receive takes results until the consumer fails, as it does when the server restarts.
func receive(ctx context.Context, results jetstream.Consumer, next uint64, missing *missing, done func(*Record) error) (uint64, error) {
	messages, err := results.Messages()
	if err != nil {
		wait(ctx, pause)
		return next, nil
	}
	end := context.AfterFunc(ctx, messages.Stop)
	defer end()
	defer messages.Stop()
	for {
		m, err := messages.Next()
		if err != nil {
			wait(ctx, pause)
			return next, nil
		}
		if x, err := m.Metadata(); err == nil {
			next = x.Sequence.Stream + 1
		}
		r, err := unpack(m.Data())
		if err != nil {
			return next, err
		}
		if !missing.has(r.ID) {
			if err := done(r); err != nil {
				return next, err
			}
			missing.got(r.ID)
		}
	}
}

// missing are the runs without a result. A result may come before its run is queued: it
// is one of an earlier client.
type missing struct {
	mu    sync.Mutex
	there map[string]bool // by id: the result has come
	left  int             // runs queued whose result has not
	all   bool            // all runs are queued
	none  chan struct{}   // closed when nothing is missing
}

func newMissing() *missing { return &missing{there: map[string]bool{}, none: make(chan struct{})} }

// add notes a run to be queued; false: it is queued already, or its result is there.
func (m *missing) add(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.there[id]; known {
		return false
	}
	m.there[id] = false
	m.left++
	return true
}

// has reports whether a result has come.
func (m *missing) has(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.there[id]
}

// got notes a result that has come for the first time.
func (m *missing) got(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, queued := m.there[id]
	if m.there[id] = true; queued {
		m.left--
	}
	m.settle()
}

// complete notes that all runs are queued.
func (m *missing) complete() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.all = true
	m.settle()
}

func (m *missing) settle() {
	if m.all && m.left == 0 {
		m.all = false // close once
		close(m.none)
	}
}
