package study

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/quasistatic/quasistatic/internal/regular"
	"github.com/quasistatic/quasistatic/table"
)

// Broker makes runs through a JetStream server: it queues what is missing and takes the
// results as they come, from workers of this process and of any other.
type Broker struct {
	Connection Connection
	Workers    int           // of this process; 0: only others
	Replicas   int           // of the streams, on a cluster; 0: 1
	Lease      time.Duration // of a run: a worker silent for that long is taken for dead; 0: 10 s
	Patience   time.Duration // with a server that stores nothing; 0: DefaultPatience
	// Check is the part of the rows of other processes that is made again here, beside the first of
	// each; 0: DefaultCheck. A worker whose row differs is not believed any more.
	Check   float64
	NoCheck bool // all workers are believed
	// AnyProcessor takes rows of programs that round otherwise, and marks them.
	AnyProcessor bool
	Log          func(text string)

	alone bool          // on its server: there is no other client
	ahead int           // 0: ahead
	look  time.Duration // between two looks at the queue; 0: lookPause
	clock clock
}

// DefaultCheck is the part of the rows of other processes that is made again.
const DefaultCheck = 0.01

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
	x, err := b.shipment(w)
	if err != nil {
		return err
	}
	q := &queue{conn: conn, js: js, key: x.keyOf(), patience: cmp.Or(b.Patience, DefaultPatience), clock: b.clock}
	if err := q.create(ctx, x, b.Replicas); err != nil {
		return fmt.Errorf("study: server: %w", err)
	}
	made := b.make(ctx, q, x, w, todo, done)
	if made != nil && !errors.Is(made, errLevel) {
		return made
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := q.persist(ctx, q.remove); err != nil || b.alone {
		return errors.Join(made, err)
	}
	return errors.Join(made, os.Remove(filepath.Join(w.Dir, clientFile)))
}

// shipment is what workers expand the runs from.
func (b *Broker) shipment(w *Work) (*shipment, error) {
	client, err := "", error(nil)
	if !b.alone {
		client, err = clientOf(w.Dir)
	}
	lease := b.Lease
	if lease == 0 {
		lease = 10 * time.Second
	}
	return &shipment{Spec: w.Plan.Spec.source, Name: w.Plan.Spec.Name, Base: w.Plan.base, File: w.Base, Files: w.Files,
		Version: w.Version, Client: client, Levels: w.Plan.levels, Lease: lease,
		Processor: w.kind(), AnyProcessor: b.AnyProcessor}, err
}

// clientFile names the client that a folder is, on servers.
const clientFile = "client.id"

// clientOf returns the name of a folder, made once: a client that goes on finds what it
// had left on a server, and no other one takes its results.
func clientOf(dir string) (string, error) {
	file := filepath.Join(dir, clientFile)
	name, err := regular.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		name = []byte(rand.Text())
		err = table.WriteFile(file, name)
	}
	if err != nil {
		return "", fmt.Errorf("study: %w", err)
	}
	return string(name), nil
}

// make queues the runs, takes the results, and works along, until all are there.
func (b *Broker) make(ctx context.Context, q *queue, x *shipment, w *Work, todo func(yield func(i int) bool),
	done func(*Record) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	c, err := newCollector(b, q, w, done)
	if err != nil {
		return err
	}
	defer c.account()
	var all sync.WaitGroup
	start := func(part func() error) {
		all.Go(func() {
			if err := part(); err != nil {
				cancel(err)
			}
		})
	}
	if b.Workers > 0 {
		worker := &Worker{Connection: b.Connection, Runner: w.Runner, Version: w.Version, Processor: w.Processor,
			Workers: b.Workers, Patience: b.Patience, Log: b.Log, identity: c.own, clock: b.clock}
		start(func() error { return worker.Work(ctx) })
	}
	start(func() error { return q.fill(ctx, w, todo, c.missing) })
	start(func() error { return c.collect(ctx) })
	start(func() error { return c.mend(ctx, x, b.Replicas, cmp.Or(b.look, lookPause)) })
	for range cmp.Or(b.Workers, 1) {
		start(func() error { return c.remake(ctx) })
	}
	if heard, err := c.listen(); err == nil {
		defer heard()
	}
	select {
	case <-c.missing.none:
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
		var id string
		var text []byte
		if id, text, fault = w.order(i); fault != nil {
			return false
		}
		if missing.full() && !(settle() && missing.room(ctx)) {
			return false
		}
		if !missing.add(keyOf(id)) {
			return ctx.Err() == nil // twice in the plan: one run is enough
		}
		f, err := q.js.PublishAsync(workSubject(q.key, id), text)
		if err != nil { // the server is away: wait for it
			fault = q.put(ctx, workSubject(q.key, id), text)
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
	if ctx.Err() == nil {
		missing.complete()
	}
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
	return q.order(ctx, w, i)
}

// order queues a run; one that is queued already counts.
func (q *queue) order(ctx context.Context, w *Work, i int) error {
	id, text, err := w.order(i)
	if err != nil {
		return err
	}
	return q.put(ctx, workSubject(q.key, id), text)
}

// ahead is the number of runs that wait in the queue at most: what they take of the server's
// memory does not grow with the study, and workers do not starve while the client is away
// for a while.
const ahead = 8192

// missing are the runs whose results have not come. A result may come before its run is
// queued: it is one of an earlier client.
type missing struct {
	mu     sync.Mutex
	most   int              // that may be queued
	queued map[key]struct{} // without a result
	early  map[key]struct{} // with a result, but not queued
	all    bool             // all runs are queued
	none   chan struct{}    // closed when nothing is missing
	fewer  chan struct{}    // has something in it when there may be room for more
}

func newMissing(most int) *missing {
	return &missing{most: most, queued: map[key]struct{}{}, early: map[key]struct{}{}, none: make(chan struct{}),
		fewer: make(chan struct{}, 1)}
}

// add notes a run to be queued; false: it is queued already, or its result is there.
func (m *missing) add(id key) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, there := m.early[id]; there {
		delete(m.early, id)
		return false
	}
	if _, twice := m.queued[id]; twice {
		return false
	}
	m.queued[id] = struct{}{}
	return true
}

// full reports whether as many runs are queued as may be.
func (m *missing) full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.queued) >= m.most
}

// room waits until fewer runs are queued than may be; false: ctx ended.
func (m *missing) room(ctx context.Context) bool {
	for m.full() {
		select {
		case <-m.fewer:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// again notes a run whose result was withdrawn, or is to be made anew.
func (m *missing) again(id key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.early, id)
	m.queued[id] = struct{}{}
}

// waits reports whether the result of a run has not come; list lists all such runs.
func (m *missing) waits(id key) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, queued := m.queued[id]
	return queued
}

func (m *missing) list() []key {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.queued))
}

// got notes a result.
func (m *missing) got(id key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, queued := m.queued[id]; queued {
		delete(m.queued, id)
	} else {
		m.early[id] = struct{}{}
	}
	select {
	case m.fewer <- struct{}{}:
	default:
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
	if m.all && len(m.queued) == 0 {
		m.all = false // close once
		close(m.none)
	}
}
