package study

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/relay"
	"github.com/quasistatic/quasistatic/memory"
)

// Worker takes runs from the studies on a server and makes them.
type Worker struct {
	Connection Connection
	Runner     Runner
	Version    string
	Processor  string        // how the program rounds, as in summary.json; "": as this one does
	Workers    int           // runs at once; 0: 1
	Idle       time.Duration // end after that long without work, or without the server; 0: never
	Patience   time.Duration // with a server that stores nothing; 0: DefaultPatience
	Log        func(text string)

	identity *identity // nil: a new one
	clock    clock
}

// Work works until ctx ends, or until there was no work for Idle. Studies of another
// version are passed over, with a word of both versions.
func (w *Worker) Work(ctx context.Context) error {
	if err := checkWorkers(w.Workers); err != nil {
		return err
	}
	if w.Runner == nil {
		return errors.New("study: Worker.Runner is nil, want what computes a run")
	}
	conn, err := w.Connection.dial(ctx, "quasistatic worker")
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	scratch, err := os.MkdirTemp("", "quasistatic-")
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	defer disk.RemoveAll(scratch) // copies
	b := &board{worker: w, conn: conn, js: js, scratch: scratch, desks: make(chan struct{}, max(1, w.Workers)),
		studies: map[string]*assignment{}, rest: rest{clock: w.clock, last: w.clock.now()}, identity: w.identity}
	if b.identity == nil {
		b.identity = newIdentity()
	}
	var all sync.WaitGroup
	errs := make([]error, 2*cap(b.desks)) // while half of them wait for the server, half compute
	for k := range errs {
		all.Go(func() { errs[k] = b.work(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// MostWorkers is how many runs a process makes at once at most: each takes a place in memory,
// and asks a server for work.
const MostWorkers = 4096

func checkWorkers(n int) error {
	if n > MostWorkers {
		return fmt.Errorf("study: %d workers, want at most %d in one process", n, MostWorkers)
	}
	return nil
}

func (w *Worker) log(format string, args ...any) {
	if w.Log != nil {
		w.Log(fmt.Sprintf(format, args...))
	}
}

// board is what the workers of one process know of the studies on a server.
type board struct {
	worker   *Worker
	conn     *nats.Conn
	js       jetstream.JetStream
	scratch  string // for the files that cases name
	identity *identity
	desks    chan struct{} // taken while a run is fetched and made, as many as there are workers

	rest rest

	mu      sync.Mutex
	studies map[string]*assignment // by key; one of another version has no work
	partial map[string]bool        // of these the last look found a part only
	order   []string
	looked  time.Time
}

// assignment is a study that a worker works for.
type assignment struct {
	queue
	*Work
	worker *identity
	lease  time.Duration
	tries  int
	files  string // folder of its own, with the files that cases name and nothing else
	heard  func() // ends hearing that the client does not believe this worker

	mu     sync.Mutex
	users  int  // that are at its runs
	over   bool // nobody begins another one
	barred bool // the client does not believe this worker
}

// isBarred reports whether the client does not believe this worker.
func (a *assignment) isBarred() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.barred
}

// enter begins a use of the assignment; false: it is over.
func (a *assignment) enter() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.over {
		a.users++
	}
	return !a.over
}

// leave ends a use. The last one of an assignment that is over takes its files along.
func (a *assignment) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.users--
	a.clear()
}

// close lets nobody begin another use.
func (a *assignment) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	if a.heard != nil {
		a.heard()
		a.heard = nil
	}
	a.clear()
}

func (a *assignment) clear() {
	if a.over && a.users == 0 && a.files != "" {
		_ = disk.RemoveAll(a.files) // copies; what is left goes with the scratch folder
	}
}

// glance is how often the list of studies is read anew, and how long a worker waits for
// work of one [s].
const glance = time.Second

// work takes runs of the studies in turn. It waits for those of one study only where the last
// turn found none of any: a study without runs does not hold up the others, and a worker that is
// stopped amid work has none on the way to it.
func (b *board) work(ctx context.Context) error {
	for worked := true; ctx.Err() == nil; {
		studies, err := b.current(ctx)
		if err != nil && !errors.Is(err, errIdle) {
			return stopped(ctx, err)
		}
		patience := time.Duration(0)
		if !worked {
			patience = glance / time.Duration(max(1, len(studies)))
		}
		worked, err = b.turn(ctx, studies, patience)
		if err != nil || b.rest.long(b.worker.Idle) {
			return err
		}
		if len(studies) == 0 {
			wait(ctx, pause)
		}
	}
	return nil
}

// turn takes a run of each study that has one, with patience.
func (b *board) turn(ctx context.Context, studies []*assignment, patience time.Duration) (worked bool, err error) {
	for _, a := range studies {
		did, err := b.sit(ctx, a, patience)
		switch {
		case ctx.Err() != nil:
			return worked, nil
		case errors.Is(err, errStore):
			return worked, err
		case err != nil:
			b.forget(a)                                                                                 // it is over, or its server is away: look anew
			if !errors.Is(err, jetstream.ErrConsumerDeleted) && !errors.Is(err, nats.ErrNoResponders) { // as at the end of each study
				b.worker.log("study %s: %v", a.key, err)
			}
			wait(ctx, pause)
		}
		worked = worked || did
	}
	return worked, nil
}

// sit takes a run of a study, at a desk, and makes it; false: there was none for a while. It
// leaves the desk when the run is made: the next one is computed while the server stores it.
func (b *board) sit(ctx context.Context, a *assignment, patience time.Duration) (worked bool, err error) {
	select {
	case b.desks <- struct{}{}:
	case <-ctx.Done():
		return false, nil
	}
	leave := sync.OnceFunc(func() { <-b.desks })
	defer leave()
	if !a.enter() {
		return false, nil
	}
	defer a.leave()
	m, err := a.next(ctx, patience)
	if err != nil || m == nil {
		return false, err
	}
	b.rest.begin()
	defer b.rest.end()
	j, err := a.read(m)
	if err != nil { // the client queues the run again
		b.worker.log("study %s: a message of the queue is set aside: %v", a.key, err)
		return true, m.TermWithReason("no run of the study")
	}
	return true, a.serve(ctx, m, j, leave)
}

// read reads a message of the queue, whose subject names the run.
func (a *assignment) read(m jetstream.Msg) (*Job, error) {
	var o given
	if err := json.Unmarshal(m.Data(), &o); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	j, err := a.ordered(&o)
	if err == nil && m.Subject() != workSubject(a.key, j.ID) {
		err = fmt.Errorf("study: run %d is %s, and its message says another one", o.Run, j.ID)
	}
	return j, err
}

// rest is how long nobody of a process has had work.
type rest struct {
	clock clock

	mu   sync.Mutex
	busy int       // at work
	last time.Time // of work, where nobody is at it
	over bool      // all go home
}

func (r *rest) begin() { r.note(1) }
func (r *rest) end()   { r.note(-1) }

func (r *rest) note(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.busy += n
	r.last = r.clock.now()
}

// since is when the rest began: now, where somebody is at work.
func (r *rest) since() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.busy > 0 {
		return r.clock.now()
	}
	return r.last
}

// long reports whether all have rested for so long, to all once it is so; 0: never.
func (r *rest) long(idle time.Duration) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	rested := r.clock.now().Sub(r.last)
	if rested < 0 { // the clock was set back
		r.last, rested = r.clock.now(), 0
	}
	r.over = r.over || idle > 0 && r.busy == 0 && rested >= idle
	return r.over
}

// stopped takes the end of ctx for none.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// forget drops an assignment, unless another one has taken its place.
func (b *board) forget(a *assignment) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.studies[a.key] == a {
		delete(b.studies, a.key)
		b.looked = time.Time{}
	}
	a.close()
}

// current returns the studies of this version, reading the list of all now and then.
func (b *board) current(ctx context.Context) ([]*assignment, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.worker.clock.passed(b.looked, glance) {
		if err := b.read(ctx); err != nil {
			return nil, err
		}
		b.looked = b.worker.clock.now()
	}
	var list []*assignment
	for _, key := range b.order {
		if a := b.studies[key]; a != nil && a.Work != nil && !a.isBarred() {
			list = append(list, a)
		}
	}
	return list, nil
}

// read reads the list of studies on the server.
func (b *board) read(ctx context.Context) error {
	var keys []string
	if idle := b.worker.Idle; idle > 0 { // also where the server is gone
		var cancel context.CancelFunc
		left := b.rest.since().Add(max(idle, glance)).Sub(b.worker.clock.now())
		ctx, cancel = context.WithTimeoutCause(ctx, min(max(left, 0), max(idle, glance)), errIdle)
		defer cancel()
	}
	q := &queue{conn: b.conn, patience: cmp.Or(b.worker.Patience, DefaultPatience), clock: b.worker.clock}
	err := q.persist(ctx, func(ctx context.Context) error {
		keys = keys[:0]
		names := b.js.StreamNames(ctx)
		for name := range names.Name() {
			if key, ok := keyOfStream(name); ok {
				keys = append(keys, key)
			}
		}
		return names.Err()
	})
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	b.order = keys
	for key, a := range b.studies {
		if !slices.Contains(keys, key) { // complete
			a.close()
			delete(b.studies, key)
		}
	}
	partial := map[string]bool{}
	for _, key := range keys {
		if a := b.studies[key]; a != nil {
			if a.Work == nil {
				b.note(a)
			}
			continue
		}
		a, err := b.assignment(ctx, key)
		if err != nil {
			// It may just be put there or taken away, part by part: that is a fault where it stays so.
			if partial[key] = lacks(err); !partial[key] || b.partial[key] {
				b.worker.log("study %s: %v", key, err)
			}
			continue
		}
		b.studies[key] = a
	}
	b.partial = partial
	return nil
}

// lacks reports whether a part of a study is not on the server.
func lacks(err error) bool {
	for _, of := range []error{jetstream.ErrStreamNotFound, jetstream.ErrBucketNotFound, jetstream.ErrObjectNotFound,
		jetstream.ErrConsumerNotFound} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}

var errIdle = errors.New("study: no work")

// note lets the client of a study know that this worker cannot work for it.
func (b *board) note(a *assignment) {
	n := note{b.worker.Version, b.worker.kind()}
	text, _ := json.Marshal(&n)                                   // two texts
	_ = b.conn.Publish(noteSubject(a.key, b.identity.name), text) // nothing depends on it
}

func (w *Worker) kind() string { return cmp.Or(w.Processor, processor.Kind()) }

// assignment joins the workers of a study.
func (b *board) assignment(ctx context.Context, key string) (*assignment, error) {
	w := b.worker
	a := &assignment{queue: queue{conn: b.conn, js: b.js, key: key, patience: cmp.Or(w.Patience, DefaultPatience),
		clock: w.clock}, worker: b.identity}
	x, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	if x.Version != w.Version {
		w.log("study %s (%s) is of version %s, this worker of version %s: not its work", short([]byte(x.Name)), key, x.Version, w.Version)
		b.note(a)
		return a, nil
	}
	if x.Processor != w.kind() && !x.AnyProcessor {
		w.log("study %s (%s) is made by processors of the kind %s, this one is of the kind %s, whose last digits differ: not its work, unless the study is made with --any-processor",
			short([]byte(x.Name)), key, x.Processor, w.kind())
		b.note(a)
		return a, nil
	}
	plan, err := x.plan()
	if err != nil {
		return nil, err
	}
	plan.SetSums(x.Files.Sums())
	// Wherever the client has the case: nothing that it names is read but what came with the study.
	if a.files, err = os.MkdirTemp(b.scratch, "study-"); err == nil {
		err = x.Files.Write(a.files)
	}
	if err != nil {
		a.close() // it is tried again each second, with a new folder
		return nil, err
	}
	base := filepath.Base(x.File)
	if !isName(base) || base == "." {
		base = BaseFile
	}
	a.Work = &Work{Plan: plan, Base: filepath.Join(a.files, base), Version: x.Version, Processor: w.Processor, Runner: w.Runner}
	a.lease, a.tries = x.Lease, plan.Spec.Tries
	s, err := b.conn.Subscribe(barSubject(key, b.identity.name), func(m *nats.Msg) {
		a.mu.Lock()
		first := !a.barred
		a.barred = true
		a.mu.Unlock()
		if first {
			w.log("study %s (%s): its client does not believe this worker: %s; it takes no more of its runs",
				short([]byte(x.Name)), key, short(m.Data))
		}
	})
	if err != nil {
		a.close()
		return nil, err
	}
	a.heard = func() { _ = s.Unsubscribe() }
	return a, nil
}

// next waits for a message of the queue; nil: there was none for a while. Without patience the
// server answers at once; with it the end of ctx ends the waiting, for there was no message before.
func (a *assignment) next(ctx context.Context, patience time.Duration) (m jetstream.Msg, err error) {
	var batch jetstream.MessageBatch
	stopped := ctx.Done()
	if patience > 0 {
		batch, err = a.work.Fetch(1, jetstream.FetchMaxWait(patience))
	} else {
		batch, err = a.work.FetchNoWait(1)
		stopped = nil
	}
	if err != nil {
		return nil, err
	}
	select {
	case m = <-batch.Messages():
	case <-stopped:
		return nil, nil
	}
	if err := batch.Error(); m == nil && err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, jetstream.ErrNoMessages) {
		return nil, err
	}
	return m, nil
}

// serve makes a run while the lease is renewed, leaves its result, and only then gives
// the message back.
func (a *assignment) serve(ctx context.Context, m jetstream.Msg, j *Job, leave func()) error {
	end := a.renew(m)
	defer end()
	tries := uint64(1)
	if x, err := m.Metadata(); err == nil {
		tries = x.NumDelivered
	}
	if tries > 1 {
		switch known, err := a.known(ctx, j); {
		case err != nil:
			return giveBack(ctx, m, tries, err)
		case known:
			return acknowledge(ctx, m)
		}
	}
	saved := tries > 1
	r, err := a.result(ctx, j, int(tries), &saved)
	leave()
	if err != nil {
		return giveBack(ctx, m, tries, err)
	}
	ctx = context.WithoutCancel(ctx) // what is computed is not thrown away
	ctx, cancel := context.WithTimeout(ctx, 4*patience)
	defer cancel()
	if err := a.deliver(ctx, r, a.worker); err != nil {
		return err
	}
	if saved {
		_ = a.objects.Delete(ctx, r.ID) // the checkpoint, if there was one
	}
	return acknowledge(ctx, m)
}

// giveBack leaves a run that was not made to another worker, which goes on from the checkpoint: at
// once where this one is stopped, else later from try to try.
func giveBack(ctx context.Context, m jetstream.Msg, tries uint64, err error) error {
	if ctx.Err() != nil {
		return m.Nak()
	}
	return errors.Join(err, m.NakWithDelay(time.Duration(tries)*glance))
}

// acknowledge ends a message. A server that was restarted since it gave the message out
// does not answer: it gives it out again, to a worker that finds the result.
func acknowledge(ctx context.Context, m jetstream.Msg) error {
	ctx, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	if err := m.DoubleAck(ctx); err != nil && !away(err) {
		return err
	}
	return nil
}

// known reports whether the result of a run is on the server.
func (a *assignment) known(ctx context.Context, j *Job) (known bool, err error) {
	return known, a.persist(ctx, func(ctx context.Context) error {
		results, err := a.js.Stream(ctx, resultStream(a.key))
		if err == nil {
			_, err = results.GetLastMsgForSubject(ctx, resultSubject(a.key, j.ID))
		}
		known = err == nil
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
}

// renew renews the lease of a message three times in its length.
func (a *assignment) renew(m jetstream.Msg) (end func()) {
	ticker, done := time.NewTicker(a.lease/3), make(chan struct{})
	go func() {
		for {
			select {
			case <-ticker.C:
				_ = m.InProgress() // lost: another worker takes over, results are idempotent
			case <-done:
				return
			}
		}
	}()
	return func() { ticker.Stop(); close(done) }
}

// result makes a run, from its checkpoint if it was given out before, and tells whether it
// has saved one.
func (a *assignment) result(ctx context.Context, j *Job, tries int, saved *bool) (*Record, error) {
	from := ""
	if tries > a.tries {
		return a.record(j.ID, &Outcome{Verdict: Lost,
			Message: fmt.Sprintf("given up after %d tries: the workers that had it died, or could not make it", a.tries)}), nil
	}
	if tries > 1 {
		var err error
		if from, err = a.checkpoint(ctx, j); err != nil {
			return nil, err
		}
	}
	j.Save = func(checkpoint []byte) error {
		*saved = true
		text := a.worker.saved(a.key, j.ID, checkpoint)
		return a.persist(ctx, func(ctx context.Context) error { _, err := a.objects.PutBytes(ctx, j.ID, text); return err })
	}
	o, err := a.run(ctx, j)
	if err != nil && ctx.Err() == nil && j.From != nil { // anybody may have left the checkpoint
		j.From, from = nil, ""
		o, err = a.run(ctx, j)
	}
	switch {
	case err == nil:
		r := a.record(j.ID, o)
		if from != a.worker.name {
			r.From = from
		}
		return r, nil
	case ctx.Err() == nil && tries >= a.tries:
		return a.record(j.ID, &Outcome{Verdict: Lost, Message: fmt.Sprintf("given up after %d tries: %v", a.tries, err)}), nil
	}
	return nil, err
}

// run makes a run; a panic in it is an error, a [relay.Panic].
func (w *Work) run(ctx context.Context, j *Job) (o *Outcome, err error) {
	defer relay.Catch(&err)
	return w.Runner.Run(ctx, j)
}

// checkpoint fetches that of a job, if there is one that its worker has sealed for this run, and
// returns whose it is.
func (a *assignment) checkpoint(ctx context.Context, j *Job) (from string, err error) {
	return from, a.persist(ctx, func(ctx context.Context) error {
		text, err := fetch(ctx, a.objects, j.ID, uint64(memory.Free().Bytes))
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return nil
		}
		if err == nil {
			j.From, from = restored(a.key, j.ID, text)
		}
		return err
	})
}
