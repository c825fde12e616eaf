package study

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quasistatic/quasistatic/memory"
)

// A study on a server is two streams and an object store:
//
//	QS_<key>_WORK     qs.<key>.work.<id>    number of the run; a work queue, each message to one worker
//	QS_<key>_RESULT   qs.<key>.result.<id>  record and files; the first one of an id stays
//	QS_<key>          study                 what a worker expands runs from
//	                  <id>                  checkpoint of a run
//
// One subject an id makes both idempotent: a run that is already queued, or a result
// that is already there, is refused by the server, and counts as published.
type queue struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	key      string
	patience time.Duration
	clock    clock
	work     jetstream.Consumer
	objects  jetstream.ObjectStore
}

// shipment is the object study.
type shipment struct {
	Spec    []byte // its text, to the byte
	Name    string
	Base    []byte // text of the base case
	File    string // its name
	Files   Files  // beside it
	Version string
	Client  string // whose study it is
	Levels  *Levels
	Lease   time.Duration

	Processor    string // how the program of the client rounds
	AnyProcessor bool   // programs that round otherwise may work for it
}

// plan is that of the study, for runs whose values are given.
func (x *shipment) plan() (*Plan, error) {
	if x.Levels != nil {
		return NewLevels(x.Name, x.Base, *x.Levels), nil
	}
	spec, err := Decode(x.Spec)
	if err != nil {
		return nil, err
	}
	return newTemplate(spec, x.Base)
}

// text is the object.
func (x *shipment) text() []byte {
	text, _ := json.Marshal(x) // strings and bytes always can be
	return text
}

// keyOf returns the key of a shipment: its sum, so that nobody can put another one in its place.
func (x *shipment) keyOf() string { return keyOfText(x.text()) }

func keyOfText(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func workStream(key string) string        { return "QS_" + key + "_WORK" }
func resultStream(key string) string      { return "QS_" + key + "_RESULT" }
func bucket(key string) string            { return "QS_" + key }
func workSubject(key, id string) string   { return "qs." + key + ".work." + id }
func resultSubject(key, id string) string { return "qs." + key + ".result." + id }

// keyOfStream is the key of a study, by the name of its work queue.
func keyOfStream(name string) (string, bool) {
	name, ours := strings.CutPrefix(name, "QS_")
	name, work := strings.CutSuffix(name, "_WORK")
	return name, ours && work
}

// create makes the streams and the store of a study, or finds them.
func (q *queue) create(ctx context.Context, x *shipment, replicas int) error {
	one := jetstream.StreamConfig{Storage: jetstream.FileStorage, Replicas: max(1, replicas), MaxMsgsPerSubject: 1,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true}
	work, result := one, one
	work.Name, work.Subjects, work.Retention = workStream(q.key), []string{workSubject(q.key, ">")}, jetstream.WorkQueuePolicy
	result.Name, result.Subjects = resultStream(q.key), []string{resultSubject(q.key, ">")}
	for _, c := range []jetstream.StreamConfig{work, result} {
		if err := q.persist(ctx, func(ctx context.Context) error { _, err := q.js.CreateOrUpdateStream(ctx, c); return err }); err != nil {
			return err
		}
	}
	return q.persist(ctx, func(ctx context.Context) error {
		_, err := q.js.CreateOrUpdateConsumer(ctx, workStream(q.key), jetstream.ConsumerConfig{Durable: workersConsumer,
			AckPolicy: jetstream.AckExplicitPolicy, AckWait: x.Lease, MaxAckPending: 100_000})
		if err != nil {
			return err
		}
		objects, err := q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: bucket(q.key), Replicas: max(1, replicas)})
		if err != nil {
			return err
		}
		if q.objects == nil {
			q.objects = objects
		}
		text := x.text()
		sum := sha256.Sum256(text)
		want := "SHA-256=" + base64.URLEncoding.EncodeToString(sum[:])
		if there, err := objects.GetInfo(ctx, "study"); err == nil && there.Digest == want && there.Size == uint64(len(text)) {
			return nil
		}
		_, err = objects.PutBytes(ctx, "study", text)
		return err
	})
}

// shortestLease is that which a worker can renew three times in its length.
const shortestLease = 30 * time.Millisecond

// workersConsumer is the consumer of the queue that all workers share.
const workersConsumer = "workers"

// largestShipment is the size of a study that a worker takes [bytes]: that of the files that are
// read here.
const largestShipment = 1 << 30

// fetch fetches an object, if it is no longer than most [bytes].
func fetch(ctx context.Context, store jetstream.ObjectStore, name string, most uint64) ([]byte, error) {
	info, err := store.GetInfo(ctx, name)
	if err != nil {
		return nil, err
	}
	if info.Size > most {
		return nil, fmt.Errorf("%s has %d bytes, want at most %d", name, info.Size, most)
	}
	return store.GetBytes(ctx, name)
}

// open finds a study that somebody has put on the server, and joins its workers.
func (q *queue) open(ctx context.Context) (*shipment, error) {
	var x shipment
	return &x, q.persist(ctx, func(ctx context.Context) error {
		var err error
		if q.objects, err = q.js.ObjectStore(ctx, bucket(q.key)); err != nil {
			return err
		}
		text, err := fetch(ctx, q.objects, "study", largestShipment)
		switch {
		case err != nil:
			return err
		case keyOfText(text) != q.key:
			return errors.New("the study on the server is not the one that was put there")
		}
		if err := json.Unmarshal(text, &x); err != nil {
			return err
		}
		if x.Lease < shortestLease {
			return fmt.Errorf("its lease is %v, want at least %v", x.Lease, shortestLease)
		}
		q.work, err = q.js.Consumer(ctx, workStream(q.key), workersConsumer)
		return err
	})
}

// remove takes a study off the server.
func (q *queue) remove(ctx context.Context) error {
	return errors.Join(gone(q.js.DeleteStream(ctx, workStream(q.key))),
		gone(q.js.DeleteStream(ctx, resultStream(q.key))), gone(q.js.DeleteObjectStore(ctx, bucket(q.key))))
}

// gone takes what is not there for removed.
func gone(err error) error {
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil
	}
	return err
}

// put publishes a message; one that is there already counts.
func (q *queue) put(ctx context.Context, subject string, data []byte) error {
	return q.persist(ctx, func(ctx context.Context) error {
		_, err := q.js.Publish(ctx, subject, data)
		return there(err)
	})
}

// perSubject is the server's code for one message too many on a subject.
const perSubject = 10077

func there(err error) error {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok && api.ErrorCode == perSubject &&
		strings.Contains(api.Description, "per subject") {
		return nil
	}
	return err
}

// attempt is how long one call to a server may take, and pause the time between two [s].
const (
	attempt = 5 * time.Second
	pause   = 200 * time.Millisecond
)

// DefaultPatience is how long a server may be there without doing what it is asked for: it
// is choosing a leader, or its disk is full.
const DefaultPatience = time.Minute

// persist repeats a call while the server is away: it is starting, restarting, or
// choosing a leader. Other errors, a server that is there and has no store, and the end
// of ctx, end it.
func (q *queue) persist(ctx context.Context, call func(ctx context.Context) error) error {
	var since, moved time.Time // the server is there in vain, and this one since then
	for {
		inner, cancel := context.WithTimeout(ctx, attempt)
		err := call(inner)
		cancel()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case !away(err):
			return err
		case !q.conn.IsConnected():
			since = time.Time{}
		case since.IsZero():
			since = q.clock.now()
			moved = since
		case q.clock.now().Sub(since) > q.patience:
			return fmt.Errorf("%w for %v: is its disk full? (%w)", errStore, q.patience, err)
		case len(q.conn.Servers()) > 1 && q.clock.passed(moved, 2*attempt):
			moved = q.clock.now() // it may be cut off from the others of its cluster
			_ = q.conn.ForceReconnect()
		}
		if wait(ctx, pause); ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

var errStore = errors.New("study: the server is there, but has stored nothing")

// away reports whether an error may be over when the server is back.
func away(err error) bool {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return api.Code == 503 // no leader, not ready, cluster without quorum
	}
	for _, e := range []error{context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected,
		nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection, jetstream.ErrNoStreamResponse, jetstream.ErrJetStreamNotEnabled} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// parcel is a message of results: the record, and the files of the run, unless they are
// too long for a message and lie in the store.
type parcel struct {
	Record
	Files  []byte `json:"files,omitempty"`
	Stored bool   `json:"stored,omitempty"`
	Sum    string `json:"sum,omitempty"` // of the files, see sumOf
	Seal   []byte `json:"seal"`          // of the worker
}

// longestFiles is what goes with a message [bytes]; as text it is a third longer, and
// servers take messages of 1 MiB unless told otherwise.
const longestFiles = 1 << 18

// filesObject names the files of a run in the store, by their sum: a second worker that has the
// same run leaves others, with other times, beside them and not in their place.
func filesObject(id, sum string) string { return id + "." + sum + ".files" }

// deliver leaves the result of a run on the server; one that is there stays.
func (q *queue) deliver(ctx context.Context, r *Record, worker *identity) error {
	p := &parcel{Record: *r, Files: r.Files, Stored: len(r.Files) > longestFiles, Sum: sumOf(r.Files)}
	p.Worker = worker.name
	worker.seal(q.key, p)
	if p.Stored {
		p.Files = nil
		err := q.persist(ctx, func(ctx context.Context) error {
			_, err := q.objects.PutBytes(ctx, filesObject(r.ID, p.Sum), r.Files)
			return err
		})
		if err != nil {
			return err
		}
	}
	text, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("study: record %s: %w", r.ID, err)
	}
	return q.put(ctx, resultSubject(q.key, r.ID), text)
}

// unpack fetches the files of a parcel that lie in the store. The server may just be choosing a
// leader: the fetch is repeated.
func (q *queue) unpack(ctx context.Context, p *parcel) (*Record, error) {
	p.Record.Files = p.Files
	var err error
	for k := 0; p.Stored && k < 3; k++ {
		if k > 0 {
			wait(ctx, pause)
		}
		err = q.persist(ctx, func(ctx context.Context) (err error) {
			p.Record.Files, err = fetch(ctx, q.objects, filesObject(p.ID, p.Sum), uint64(memory.Free().Bytes))
			return err
		})
		if err == nil {
			break
		}
	}
	if err == nil && sumOf(p.Record.Files) != p.Sum {
		err = errors.New("they are not those that its worker sealed")
	}
	if err != nil {
		return nil, fmt.Errorf("the files of run %s: %w", p.ID, err)
	}
	return &p.Record, nil
}
