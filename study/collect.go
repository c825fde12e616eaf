package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quasistatic/quasistatic/internal/processor"
)

// collector takes the results of a study off a server, from whoever has put them there. A row is
// taken if it is one of a run of the plan and sealed by its worker for this study; rows of other
// processes are made again here, the first ones of each worker and a sample of the others, and a
// worker whose row differs is not believed any more: all its rows are made anew.
type collector struct {
	*queue
	work    *Work
	missing *missing
	own     *identity // of the workers of this process

	check        float64 // part of the rows that are made again; 0: none
	anyProcessor bool
	scale        []float64 // of each quantity, the largest value of a run that was made here
	log          func(text string)

	makes   chan suspect // to be made here
	restart atomic.Pointer[func()]
	next    atomic.Uint64 // number of the next result
	unread  bool          // results were there at the last look
	taking  atomic.Bool   // a result is being taken, which may be long: its files are fetched
	highest atomic.Uint64 // number of a result so far: one that is read again is not counted again

	mu      sync.Mutex // of what follows, and while a row is kept
	done    func(*Record) error
	workers map[string]*colleague
	making  map[key]struct{} // runs that are made here
	refused map[key]int      // times that a result of a run was dropped
	dropped map[string]int   // messages, by the reason
	aside   int              // messages that were set aside
}

// colleague is a worker of another process, as far as it is known.
type colleague struct {
	rows    int    // taken, or to be made again
	kind    string // of processor, by its first row
	excused bool   // a row that it had begun from the checkpoint of another one differed
	barred  bool   // it is not believed
}

// suspect is a run that is made here: to compare with a row, or since nobody is trusted with it.
type suspect struct {
	run int
	row *Record // nil: there is none to compare with; a lost one is no fault of its worker
}

// firstChecked is the number of rows of a new worker that are all made again: a machine or a build
// that computes otherwise shows at once, and whoever takes a new name for each row has each of them
// made again.
const firstChecked = 5

func newCollector(b *Broker, q *queue, w *Work, done func(*Record) error) (*collector, error) {
	if err := w.ready(); err != nil {
		return nil, err
	}
	c := &collector{queue: q, work: w, missing: newMissing(max(b.ahead, 0)), own: newIdentity(),
		anyProcessor: b.AnyProcessor, log: b.Log, done: done, makes: make(chan suspect, 1024),
		workers: map[string]*colleague{}, making: map[key]struct{}{}, refused: map[key]int{}, dropped: map[string]int{}}
	if b.ahead == 0 {
		c.missing.most = ahead
	}
	if !b.NoCheck {
		c.check = b.Check
		if c.check == 0 {
			c.check = DefaultCheck
		}
	}
	if c.log == nil {
		c.log = func(string) {}
	}
	c.next.Store(1)
	return c, nil
}

// collect takes the results in the order of the stream, from its begin: those of an
// earlier client too.
func (c *collector) collect(ctx context.Context) error {
	for ctx.Err() == nil {
		inner, cancel := context.WithCancel(ctx)
		end := func() { cancel() }
		c.restart.Store(&end)
		err := c.receive(inner)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// receive takes results until the consumer fails, as it does when the server restarts.
func (c *collector) receive(ctx context.Context) error {
	var results jetstream.Consumer
	err := c.persist(ctx, func(ctx context.Context) error {
		var err error
		results, err = c.js.OrderedConsumer(ctx, resultStream(c.key),
			jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: c.next.Load()})
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, jetstream.ErrStreamNotFound): // somebody took it away: it is made anew
		wait(ctx, pause)
		return nil
	case err != nil:
		return fmt.Errorf("study: server: %w", err)
	}
	messages, err := results.Messages()
	if err != nil {
		wait(ctx, pause)
		return nil
	}
	end := context.AfterFunc(ctx, messages.Stop)
	defer end()
	defer messages.Stop()
	for {
		m, err := messages.Next()
		if err != nil {
			wait(ctx, pause)
			return nil
		}
		if x, err := m.Metadata(); err == nil {
			c.next.Store(x.Sequence.Stream + 1)
		}
		fresh := c.next.Load() > c.highest.Load()
		c.highest.Store(max(c.highest.Load(), c.next.Load()))
		c.taking.Store(true)
		err = c.takeOff(ctx, m, fresh)
		c.taking.Store(false)
		if err != nil {
			return err
		}
	}
}

// takeOff takes a result, and releases it and those before now and then.
func (c *collector) takeOff(ctx context.Context, m jetstream.Msg, fresh bool) error {
	stored, err := c.take(ctx, m, fresh)
	if err != nil {
		return err
	}
	if next := c.next.Load(); stored != "" || next%window == 0 {
		c.release(ctx, next, stored)
	}
	return nil
}

// rowError is why a result is not taken.
type rowError struct {
	what string // a kind of fault, for the count
	err  error  // nil: that is all
}

func (e *rowError) Error() string {
	if e.err == nil {
		return e.what
	}
	return e.what + ": " + e.err.Error()
}

// take judges a result, and keeps the row, has it made again here, or drops it; stored is the
// object with its files, if there is one. The error is that of who keeps rows.
func (c *collector) take(ctx context.Context, m jetstream.Msg, fresh bool) (stored string, err error) {
	id := m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]
	run, ours := c.work.index.find(id)
	if !ours {
		if fresh {
			c.drop("results of runs that the study has not")
		}
		return "", nil
	}
	r, stored, err := c.read(ctx, m, id)
	if ctx.Err() != nil {
		return "", nil // it is read again
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if bad := (*rowError)(nil); errors.As(err, &bad) {
		if fresh {
			c.setAside(id, m.Data(), bad)
		}
		if r != nil && r.Worker != c.own.name { // sealed by its worker, so that it is its fault
			return stored, c.refuse(ctx, run, r.Worker, bad.Error())
		}
		return stored, c.instead(ctx, run, nil)
	}
	if r.Worker == c.own.name {
		return stored, c.keep(r, "")
	}
	w := c.workers[r.Worker]
	if w == nil {
		w = &colleague{kind: r.Processor}
		c.workers[r.Worker] = w
	}
	if r.Processor != w.kind { // by which its rows are compared
		return stored, c.refuse(ctx, run, r.Worker,
			fmt.Sprintf("of a processor of the kind %q, after rows of the kind %q", kindOf(r.Processor), kindOf(w.kind)))
	}
	switch {
	case w.barred:
		c.dropped["results of workers that are not believed"]++
		return stored, c.instead(ctx, run, nil)
	case !c.missing.waits(keyOf(id)) && c.isMaking(id):
		return stored, nil
	case c.check > 0 && r.Verdict == Lost: // which nobody has to have tried
		return stored, c.instead(ctx, run, r)
	case c.check > 0 && (w.rows < firstChecked || rand.Float64() < c.check):
		w.rows++
		return stored, c.again(run, r)
	}
	w.rows++
	return stored, c.keep(r, r.Worker)
}

// refuse drops the result of a worker that is not believed for it, and has its run made again: the
// first result of a run stays on the server, and no other one would come.
func (c *collector) refuse(ctx context.Context, run int, worker, why string) error {
	if err := c.bar(ctx, worker, fmt.Sprintf("run %d: %s", run, why)); err != nil {
		return err
	}
	return c.instead(ctx, run, nil)
}

func (c *collector) isMaking(id string) bool { _, is := c.making[keyOf(id)]; return is }

// read reads a result. With an error that is the fault of its worker it returns the record too.
func (c *collector) read(ctx context.Context, m jetstream.Msg, id string) (r *Record, stored string, err error) {
	var p parcel
	if err := json.Unmarshal(m.Data(), &p); err != nil {
		return nil, "", &rowError{what: "results that cannot be read", err: err}
	}
	if p.ID != id {
		return nil, "", &rowError{what: "results under the name of another run"}
	}
	if err := p.checkSeal(c.key); err != nil {
		return nil, "", &rowError{what: "results without a seal", err: err}
	}
	if p.Stored {
		stored = filesObject(id, p.Sum)
	}
	if err := c.fits(&p); err != nil {
		return &p.Record, stored, err
	}
	if r, err = c.unpack(ctx, &p); err != nil {
		// Whoever may leave results can take files away, or send a sealed record again with others:
		// it need not be the worker, who is not barred.
		return nil, stored, &rowError{what: "results whose files are not there", err: err}
	}
	if c.work.Plan.Spec.Keep == KeepAll && len(r.Files) > 0 { // sealed as they are
		if err := checkPacked(r.Files); err != nil {
			return r, stored, &rowError{what: "results whose files are no folder", err: err}
		}
	}
	return r, stored, nil
}

// longestMessage bounds that of a row [bytes]: it is held in memory.
const longestMessage = 1 << 14

// fits refuses a record that no run of the study has.
func (c *collector) fits(p *parcel) error {
	s := c.work.Plan.Spec
	fault := ""
	switch {
	case p.Version != c.work.Version:
		fault = fmt.Sprintf("of version %q, want %q", p.Version, c.work.Version)
	case p.Processor != mark(c.work.kind()) && !c.anyProcessor:
		fault = fmt.Sprintf("by a processor of the kind %q, want %q", kindOf(p.Processor), c.work.kind())
	case p.Observe != s.observeHash():
		fault = "of other quantities"
	case !slices.Contains(verdicts, p.Verdict):
		fault = fmt.Sprintf("with the verdict %q", short([]byte(p.Verdict)))
	case p.Steps < 0 || p.Solves < 0:
		fault = "with less than no steps"
	case len(p.Message) > longestMessage:
		fault = fmt.Sprintf("with a message of %d bytes, want at most %d", len(p.Message), longestMessage)
	case p.Stored && len(p.Files) > 0:
		fault = "with files twice"
	}
	if fault != "" {
		return &rowError{what: "results that no run of the study has", err: errors.New(fault)}
	}
	return nil
}

// kindOf is the inverse of mark.
func kindOf(mark string) string {
	if mark == "" {
		return processor.Rounded
	}
	return mark
}

// keep gives a row to who keeps them, which knows those that come twice.
func (c *collector) keep(r *Record, worker string) error {
	r.Worker = worker
	if worker == "" || r.From == worker {
		r.From = ""
	}
	r.Observed = r.Observed[:min(len(r.Observed), len(c.work.Plan.Spec.Observe))]
	if err := c.done(r); err != nil {
		return err
	}
	c.missing.got(keyOf(r.ID))
	return nil
}

// again has a run made here, and compared with a row.
func (c *collector) again(run int, row *Record) error {
	k := c.work.index.ids[run]
	if _, twice := c.making[k]; twice {
		return nil
	}
	c.making[k] = struct{}{}
	select {
	case c.makes <- suspect{run, row}:
	default: // as many wait as may: a later one
		go func() { c.makes <- suspect{run, row} }()
	}
	return nil
}

// instead has a run made again whose result was dropped, unless it waits for none: by a message of
// a byte each, whoever may leave results would else have all runs of a study made twice. It is made
// by any worker at first, and where that was in vain, by this process; lost is a row that gave it up,
// or nil.
func (c *collector) instead(ctx context.Context, run int, lost *Record) error {
	k := c.work.index.ids[run]
	if !c.missing.waits(k) {
		return nil
	}
	if lost != nil {
		c.dropped["rows of runs that are given up, which are made again"]++
	}
	if c.refused[k]++; c.refused[k] > 1 {
		return c.again(run, lost)
	}
	c.requeue(ctx, run)
	return nil
}

// requeue queues a run again; where that cannot be now, the next look at the queue does it.
func (c *collector) requeue(ctx context.Context, run int) {
	id := c.work.index.ids[run].String()
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	results, err := c.js.Stream(ctx, resultStream(c.key))
	if err == nil {
		err = results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject(c.key, id)))
	}
	if err == nil {
		_ = c.order(ctx, c.work, run)
	}
}

// remake makes the runs that are to be made here.
func (c *collector) remake(ctx context.Context) error {
	for {
		var s suspect
		select {
		case <-ctx.Done():
			return nil
		case s = <-c.makes:
		}
		r, err := c.work.make(ctx, s.run)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && s.row != nil && s.row.Verdict == Lost {
			r, err = c.work.record(s.row.ID, &Outcome{Verdict: Lost, Message: fmt.Sprintf("given up by workers, and here: %v", err)}), nil
		}
		if err != nil {
			return err
		}
		if err := c.settle(ctx, s, r); err != nil {
			return err
		}
	}
}

// settle keeps a run that was made here, in the place of the row that it was compared with unless
// they are the same.
func (c *collector) settle(ctx context.Context, s suspect, r *Record) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.making, keyOf(r.ID))
	if s.row == nil || s.row.Verdict == Lost || c.workers[s.row.Worker].barred {
		return c.keep(r, "")
	}
	worker, from := s.row.Worker, s.row.From
	text, err := c.work.Plan.Text(s.run)
	if err != nil {
		return err
	}
	c.measure(r)
	fault := (&comparison{alike: !c.anyProcessor || c.workers[worker].kind == r.Processor, accuracy: accuracyIn(text),
		scale: c.scale}).difference(s.row, r)
	if fault == "" {
		return c.keep(s.row, worker)
	}
	fault = fmt.Sprintf("run %d, %s: %s", s.run, r.ID, fault)
	if err := c.keep(r, ""); err != nil {
		return err
	}
	if w := c.workers[worker]; from != "" && from != worker && !w.excused {
		// Either may have been at fault: the next rows of both are made again.
		w.excused, w.rows = true, 0
		if other := c.workers[from]; other != nil {
			other.rows = 0
		}
		c.log(fmt.Sprintf("study: worker %s, which went on from a checkpoint of worker %s, %s; the row of this process is taken, and the next ones of both are made again",
			shortName(worker), shortName(from), fault))
		return nil
	}
	return c.bar(ctx, worker, fault)
}

// measure takes the values of a run that was made here.
func (c *collector) measure(r *Record) {
	for k, v := range r.Observed {
		if k == len(c.scale) {
			c.scale = append(c.scale, 0)
		}
		if v != nil {
			c.scale[k] = max(c.scale[k], math.Abs(*v))
		}
	}
}

// bar believes a worker no more: its rows are withdrawn and made anew.
func (c *collector) bar(ctx context.Context, worker, why string) error {
	w := c.workers[worker]
	if w == nil {
		w = new(colleague)
		c.workers[worker] = w
	}
	if w.barred {
		return nil
	}
	w.barred = true
	var runs []int
	if c.work.withdraw != nil {
		var err error
		if runs, err = c.work.withdraw(worker, why); err != nil {
			return err
		}
	}
	for _, run := range runs {
		c.missing.again(c.work.index.ids[run])
	}
	c.log(fmt.Sprintf("study: worker %s is not believed: %s; its rows, %d so far, are made again, and none is taken any more",
		shortName(worker), why, len(runs)))
	_ = c.conn.Publish(barSubject(c.key, worker), []byte(why)) // a word for it; nothing depends on that
	for _, run := range runs {
		c.requeue(ctx, run)
	}
	return nil
}

// barSubject is where a worker hears that it is not believed, noteSubject where the client hears
// of workers that cannot work for it.
func barSubject(key, worker string) string  { return "qs." + key + ".bar." + worker }
func noteSubject(key, worker string) string { return "qs." + key + ".note." + worker }

// listen hears of workers that cannot work for the study, and says so once for each reason.
func (c *collector) listen() (end func(), err error) {
	var mu sync.Mutex
	seen := map[string]bool{}
	s, err := c.conn.Subscribe(noteSubject(c.key, "*"), func(m *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		var n note
		const most = 8 // anybody may send notes
		if json.Unmarshal(m.Data, &n) != nil || len(n.Version)+len(n.Processor) > 200 || seen[n.String()] || len(seen) >= most {
			return
		}
		seen[n.String()] = true
		c.log(fmt.Sprintf("study: a worker of %s is there, which makes no runs of this study of %s", &n,
			&note{c.work.Version, c.work.kind()}))
	})
	if err != nil {
		return nil, err
	}
	return func() { _ = s.Unsubscribe() }, nil
}

// note is what a worker is that cannot work for a study.
type note struct {
	Version   string `json:"version"`
	Processor string `json:"processor"`
}

func (n *note) String() string {
	return fmt.Sprintf("version %q on a processor of the kind %q", n.Version, n.Processor)
}

// AsideFile, in the folder of a study, holds messages of its workers that could not be taken.
const AsideFile = "aside.txt"

// Of messages that are set aside so many are kept, of so many bytes.
const (
	mostAside    = 100
	longestAside = 1 << 12
)

// setAside keeps a message that cannot be taken for who wants to know, and says so at first.
func (c *collector) setAside(id string, text []byte, why *rowError) {
	c.dropped[why.what]++
	if c.aside++; c.aside > mostAside || c.work.Dir == "" {
		return
	}
	// Quoted: it may hold what a terminal would obey.
	line := fmt.Appendf(nil, "%s %q %q\n", id, why.Error(), text[:min(len(text), longestAside)])
	err := appendTo(filepath.Join(c.work.Dir, AsideFile), line)
	if c.aside == 1 {
		c.log(fmt.Sprintf("study: a result is set aside in %s, and its run made again: %v %s", AsideFile, why, reason(err)))
	}
}

func reason(err error) string {
	if err == nil {
		return ""
	}
	return "(" + err.Error() + ")"
}

// drop counts a message that is not taken, and says so at first.
func (c *collector) drop(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dropped[what]++; c.dropped[what] == 1 {
		c.log("study: " + what + " are on the server: they are dropped")
	}
}

// account says at the end what was not taken.
func (c *collector) account() {
	c.mu.Lock()
	defer c.mu.Unlock()
	var words []string
	for what, n := range c.dropped {
		words = append(words, fmt.Sprintf("%d %s", n, what))
	}
	if slices.Sort(words); len(words) > 0 {
		c.log("study: dropped: " + strings.Join(words, ", "))
	}
}

// release takes results off the server that are in the ledger: its memory and its store do
// not grow with the study. The message goes before the object that it names: a client that
// is killed in between finds neither. What is not released now is with the next. The row of a run
// that is being made again here goes too: a client that is killed has it made once more.
func (q *queue) release(ctx context.Context, before uint64, object string) {
	err := q.persist(ctx, func(ctx context.Context) error {
		results, err := q.js.Stream(ctx, resultStream(q.key))
		if err == nil {
			err = results.Purge(ctx, jetstream.WithPurgeSequence(before))
		}
		return err
	})
	if err == nil && object != "" {
		_ = q.objects.Delete(ctx, object)
	}
}
