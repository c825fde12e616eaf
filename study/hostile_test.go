package study

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// siege is a study on a server that lets everybody in, in a folder within another one, and what an
// attacker has in hand: a connection that may do anything.
type siege struct {
	t     *testing.T
	home  string // of the user
	dir   string // of the study
	url   string
	conn  *nats.Conn
	js    jetstream.JetStream
	told  lines
	study []byte // its text
	base  []byte
}

// lines are what an engine or a worker has said.
type lines struct {
	mu   sync.Mutex
	list []string
}

func (l *lines) add(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, text)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.list, "\n")
}

// besiege starts a server, for a study of some runs.
func besiege(t *testing.T, runs int) *siege {
	t.Helper()
	server, err := openServer(t.TempDir(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Shutdown(); server.WaitForShutdown() })
	home := t.TempDir()
	x := &siege{t: t, home: home, dir: filepath.Join(home, "out", "study"), url: server.ClientURL(),
		study: squareText(runs), base: []byte(squareBase)}
	if x.conn, err = nats.Connect(x.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.conn.Close)
	if x.js, err = jetstream.New(x.conn); err != nil {
		t.Fatal(err)
	}
	return x
}

// key waits for the study on the server.
func (x *siege) key(ctx context.Context) string {
	for ctx.Err() == nil {
		for name := range x.js.StreamNames(ctx).Name() {
			if key, ok := keyOfStream(name); ok {
				if _, err := x.js.ObjectStore(ctx, bucket(key)); err == nil {
					return key
				}
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return ""
}

// hold lets an attack come first: workers begin when it is over.
func (x *siege) hold(b *Broker, workers []*Worker, attack func(ctx context.Context, key string)) *Table {
	x.t.Helper()
	spec, err := Decode(x.study)
	if err != nil {
		x.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(x.t.Context(), 2*time.Minute) // a guard: nothing waits for it
	defer cancel()
	var all sync.WaitGroup
	defer all.Wait()
	inner, end := context.WithCancel(ctx)
	defer end()
	all.Go(func() {
		attack(inner, x.key(inner))
		for _, w := range workers {
			w.Connection = Connection{URL: x.url}
			all.Go(func() {
				if err := w.Work(inner); err != nil {
					x.t.Errorf("a worker: %v", err)
				}
			})
		}
	})
	b.Connection, b.Log, b.look = Connection{URL: x.url}, x.told.add, 50*time.Millisecond
	table, err := Run(ctx, spec, Options{Dir: x.dir, Base: x.base, Runner: square{}, Engine: b, AnyProcessor: b.AnyProcessor})
	if err != nil {
		x.t.Fatalf("%v\n%s", err, &x.told)
	}
	return table
}

// sameAsAlone checks the table against that of a study that nobody disturbed.
func (x *siege) sameAsAlone() {
	x.t.Helper()
	spec, err := Decode(x.study)
	if err != nil {
		x.t.Fatal(err)
	}
	serial := x.t.TempDir()
	if _, err := Run(x.t.Context(), spec, Options{Dir: serial, Base: x.base, Runner: square{}}); err != nil {
		x.t.Fatal(err)
	}
	if !bytes.Equal(read(x.t, x.dir, CSVFile), read(x.t, serial, CSVFile)) {
		x.t.Errorf("another table than that of a study that nobody disturbs:\n%s\n%s", read(x.t, x.dir, CSVFile), &x.told)
	}
}

// says checks what the client has said.
func (x *siege) says(words ...string) {
	x.t.Helper()
	for _, w := range words {
		if !strings.Contains(x.told.String(), w) {
			x.t.Errorf("nobody says %q:\n%s", w, &x.told)
		}
	}
}

// post leaves a message where results are.
func (x *siege) post(ctx context.Context, key, id string, text []byte) {
	if _, err := x.js.Publish(ctx, resultSubject(key, id), text); err != nil && there(err) != nil {
		x.t.Error(err)
	}
}

// ids are those of the study's runs.
func (x *siege) ids() (ids []string) {
	spec, err := Decode(x.study)
	if err != nil {
		x.t.Fatal(err)
	}
	plan, err := NewPlan(spec, x.base)
	if err != nil {
		x.t.Fatal(err)
	}
	for i := range plan.Len() {
		id, err := plan.runID(i)
		if err != nil {
			x.t.Fatal(err)
		}
		ids = append(ids, id.String())
	}
	return ids
}

// forgery is the row of a worker that says what is not so.
func (x *siege) forgery(id string, change func(r *parcel)) *parcel {
	spec, err := Decode(x.study)
	if err != nil {
		x.t.Fatal(err)
	}
	y := 666.0
	p := &parcel{Record: Record{ID: id, Observe: spec.observeHash(),
		Outcome: Outcome{Verdict: Certified, Met: true, Observed: []*float64{&y, &y}, Steps: 1}}}
	if change != nil {
		change(p)
	}
	return p
}

func packed(t *testing.T, name, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestResultNamesPath: a result whose id is a path writes nothing, with the seal of a worker or
// without, and results of runs that the study has not are counted and dropped, not stored.
func TestResultNamesPath(t *testing.T) {
	t.Parallel()
	x := besiege(t, 20)
	x.study = bytes.Replace(x.study, []byte(`"tries"`), []byte(`"keep": "all", "tries"`), 1)
	strangers := 500
	if thorough.Asked() {
		strangers = 20_000
	}
	evil := newIdentity()
	x.holdAll(&Broker{Workers: 2}, func(ctx context.Context, key string) {
		for k, id := range []string{"../../../x", "..", "/tmp/" + filepath.Base(x.home), x.ids()[0] + "/../../../../x",
			strings.ToUpper(x.ids()[1]), ""} {
			for _, sealed := range []bool{false, true} {
				p := x.forgery(id, func(p *parcel) { p.Files = packed(t, "owned", "by a stranger") })
				if p.Sum, p.Worker = sumOf(p.Files), evil.name; sealed {
					evil.seal(key, p)
				}
				text, err := json.Marshal(p)
				if err != nil {
					t.Error(err)
				}
				x.post(ctx, key, fmt.Sprintf("evil%d%v", k, sealed), text)
				x.post(ctx, key, x.ids()[k], text) // in the place of another run
			}
		}
		for k := range strangers {
			id := noKey(k).String()
			text, err := json.Marshal(x.forgery(id, nil))
			if err != nil {
				t.Error(err)
			}
			if _, err := x.js.PublishAsync(resultSubject(key, id), text); err != nil {
				t.Error(err)
			}
		}
		<-x.js.PublishAsyncComplete()
	})
	err := filepath.WalkDir(x.home, func(name string, d os.DirEntry, err error) error {
		if err == nil && (d.Name() == "owned" || d.Name() == "x" || d.Name() == "x.json") {
			t.Errorf("%s was written", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if n := bytes.Count(read(t, x.dir, LedgerFile), []byte("\n")); n != 20 {
		t.Errorf("%d records, want 20", n)
	}
	x.says(fmt.Sprint(strangers+12, " results of runs that the study has not"), "under the name of another run")
}

// noKey is an id that no run has.
func noKey(k int) key { return key{0: 0xff, 1: byte(k), 2: byte(k >> 8), 3: byte(k >> 16)} }

// holdAll is hold with workers in the process of the client, which cannot open packed files of
// squares: none are kept.
func (x *siege) holdAll(b *Broker, attack func(ctx context.Context, key string)) {
	x.t.Helper()
	spec, err := Decode(x.study)
	if err != nil {
		x.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(x.t.Context(), 2*time.Minute) // a guard: nothing waits for it
	defer cancel()
	begin := make(chan struct{})
	go func() {
		defer close(begin)
		attack(ctx, x.key(ctx))
	}()
	b.Connection, b.Log, b.look = Connection{URL: x.url}, x.told.add, 50*time.Millisecond
	runner := plainSquare{square{runs: func(string) { <-begin }}}
	if _, err := Run(ctx, spec, Options{Dir: x.dir, Base: x.base, Runner: runner, Engine: b}); err != nil {
		x.t.Fatalf("%v\n%s", err, &x.told)
	}
}

// plainSquare leaves no files.
type plainSquare struct{ square }

func (p plainSquare) Run(ctx context.Context, j *Job) (*Outcome, error) {
	o, err := p.square.Run(ctx, j)
	if o != nil {
		o.Files = nil
	}
	return o, err
}

// TestFilesAreNoFolder: rows whose files cannot be unpacked (no archive, cut, names that lead out or
// are those of folders, a file below another one, a link) end no study: they are dropped as others
// that no run has, with their worker, and nothing of them is written.
func TestFilesAreNoFolder(t *testing.T) {
	t.Parallel()
	x := besiege(t, 20)
	x.study = bytes.Replace(x.study, []byte(`"tries"`), []byte(`"keep": "all", "tries"`), 1)
	good := packed(t, "owned", "by a stranger")
	below := append(member('0', "owned", "x"), member('0', "owned/below", "x")...)
	evil := [][]byte{[]byte("no archive"), good[:515], packed(t, "../owned", "x"), packed(t, "/owned", "x"),
		packed(t, ".", "x"), packed(t, "a//b", "x"), packed(t, strings.Repeat("long", 99), "x"), below, member('2', "owned", "")}
	x.holdAll(&Broker{Workers: 2, NoCheck: true}, func(ctx context.Context, key string) {
		for k, id := range x.ids() {
			worker := newIdentity() // each of them would be believed
			p := x.forgery(id, func(p *parcel) { p.Files, p.Worker = evil[k%len(evil)], worker.name })
			p.Sum = sumOf(p.Files)
			worker.seal(key, p)
			text, err := json.Marshal(p)
			if err != nil {
				t.Error(err)
			}
			x.post(ctx, key, id, text)
		}
	})
	if table := read(t, x.dir, CSVFile); bytes.Contains(table, []byte(",666,")) || bytes.Count(table, []byte("\n")) != 21 {
		t.Errorf("rows of strangers:\n%s", table)
	}
	if err := filepath.WalkDir(x.home, func(name string, d os.DirEntry, err error) error {
		if err == nil && (d.Name() == "owned" || d.Name() == "below" || d.Type()&os.ModeSymlink != 0) {
			t.Errorf("%s was written", name)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	x.says("20 results whose files are no folder", "is not believed: run ")
}

// TestStudyNamesFile: a worker makes runs in a folder of its own with the files that came with the
// study, wherever the client says that the case lies, and writes none outside of it.
func TestStudyNamesFile(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	x := besiege(t, 4)
	secret := filepath.Join(x.home, "secret.csv")
	if err := os.WriteFile(secret, []byte("root:$6$salt$hash"), 0o600); err != nil {
		t.Fatal(err)
	}
	spy := &spy{}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute) // a guard: nothing waits for it
	defer cancel()
	var told lines
	var all sync.WaitGroup
	defer all.Wait()
	inner, end := context.WithCancel(ctx)
	defer end()
	all.Go(func() {
		w := &Worker{Connection: Connection{URL: x.url}, Runner: spy, Log: told.add}
		if err := w.Work(inner); err != nil {
			t.Error(err)
		}
	})
	text := []byte(`{"case": "c", "vary": {"csv": ["secret.csv", "shipped.csv"]}, "observe": ["length"]}`)
	queues := map[*queue]bool{} // refused
	for _, s := range []shipment{
		{File: filepath.Join(x.home, "x.json")},
		{File: "/x.json", Files: Files{"shipped.csv": []byte("four")}},
		{File: "../../../../x.json"},
		{File: "x.json"}, // beside where the worker was started
		{File: filepath.Join(x.home, ".."), Files: Files{"../up": []byte("owned")}},
		{File: "c.json", Files: Files{filepath.Join(x.home, "owned"): []byte("owned")}},
		{File: "c.json", Files: Files{"a": nil, "a/b": []byte("owned")}},
	} {
		s.Spec, s.Base, s.Lease, s.Processor = text, []byte(`{"csv": ""}`), time.Second, (&Work{}).kind()
		q := &queue{conn: x.conn, js: x.js, key: s.keyOf(), patience: DefaultPatience}
		if err := q.create(ctx, &s, 1); err != nil {
			t.Fatal(err)
		}
		plan, err := s.plan()
		if err != nil {
			t.Fatal(err)
		}
		plan.SetSums(s.Files.Sums())
		work := &Work{Plan: plan}
		for i := range 2 {
			if err := q.order(ctx, work, i); err != nil {
				t.Fatal(err)
			}
		}
		queues[q] = s.Files.Write(t.TempDir()) != nil
	}
	for q, refused := range queues {
		results, err := x.js.Stream(ctx, resultStream(q.key))
		if err != nil {
			t.Fatal(err)
		}
		for ctx.Err() == nil {
			info, err := results.Info(ctx)
			if err == nil && info.State.Msgs == 2 || refused && strings.Contains(told.String(), q.key) {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	spy.check(t, x.home)
	for _, name := range []string{"up", "owned"} {
		if _, err := os.Stat(filepath.Join(x.home, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

// spy is a runner that reads what its case names beside the case, as models do.
type spy struct {
	mu    sync.Mutex
	bases []string
	read  []string
}

func (s *spy) Run(_ context.Context, j *Job) (*Outcome, error) {
	var c struct{ CSV string }
	if err := json.Unmarshal(j.Text, &c); err != nil {
		return nil, err
	}
	text, _ := os.ReadFile(filepath.Join(filepath.Dir(j.Base), c.CSV)) // what is not there is not read
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bases, s.read = append(s.bases, j.Base), append(s.read, string(text))
	y := float64(len(text))
	return &Outcome{Verdict: Certified, Met: true, Observed: []*float64{&y}}, nil
}

func (s *spy) check(t *testing.T, home string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.bases) < 8 {
		t.Errorf("%d runs, want those of four studies", len(s.bases))
	}
	for k, base := range s.bases {
		if strings.HasPrefix(base, home) || !filepath.IsAbs(base) || strings.Contains(s.read[k], "root") {
			t.Errorf("a run at %s reads %q", base, s.read[k])
		}
	}
}

// liar is a runner whose rows are those of square at first, and then say that all is well.
type liar struct {
	square
	honest int64 // rows
	made   atomic.Int64
	lies   atomic.Int64
}

func (l *liar) Run(ctx context.Context, j *Job) (*Outcome, error) {
	o, err := l.square.Run(ctx, j)
	if l.made.Add(1) > l.honest && o != nil {
		l.lies.Add(1)
		y := 0.25
		o.Verdict, o.Met, o.Observed = Certified, true, []*float64{&y, &y}
	}
	return o, err
}

// TestForgedRows: a worker that lies from the first row on has none of its rows in the table; one
// that lies later is found by the sample, and all its rows are made again, also those of before.
func TestForgedRows(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]*liar{"at once": {}, "later": {honest: 20}} {
		x := besiege(t, 100)
		broker := &Broker{Check: .2}
		var told lines
		honest := &Worker{Runner: square{}}
		evil := &Worker{Runner: l, Log: told.add}
		x.hold(broker, []*Worker{evil}, func(ctx context.Context, _ string) {
			go func() { // honest ones come when it was found out
				for ctx.Err() == nil && !strings.Contains(x.told.String(), "is not believed") {
					time.Sleep(5 * time.Millisecond)
				}
				honest.Connection = Connection{URL: x.url}
				if err := honest.Work(ctx); err != nil {
					t.Error(err)
				}
			}()
		})
		x.sameAsAlone()
		x.says("is not believed: run ", "its rows, ", "are made again, and none is taken any more")
		if l.lies.Load() == 0 || !strings.Contains(told.String(), "its client does not believe this worker") {
			t.Errorf("%s: %d lies, the worker was told %q", name, l.lies.Load(), &told)
		}
		// Where it lies at once its rows are taken while the first ones are made again, or not: that hangs on time.
		if l.honest > 0 && !bytes.Contains(read(t, x.dir, LedgerFile), []byte(`"verdict":"withdrawn"`)) {
			t.Errorf("%s: no rows were withdrawn", name)
		}
	}
}

// TestUnfitRows: a stranger leaves a row of its own for each run, sealed, of another version or of
// processors of changing kinds, before any worker comes. Such rows stand where those of the workers
// would: all are made again, by workers or here.
func TestUnfitRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		broker Broker
		change func(k int, p *parcel)
	}{
		"version": {Broker{}, func(_ int, p *parcel) { p.Version = "another" }},
		"kinds": {Broker{AnyProcessor: true, NoCheck: true},
			func(k int, p *parcel) { p.Processor = []string{"amd64+fma", "arm64"}[min(k, 1)]; p.Verdict = Lost }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, evil := besiege(t, 20), newIdentity()
			var told lines
			x.hold(&c.broker, []*Worker{{Runner: square{}, Log: told.add}}, func(ctx context.Context, key string) {
				for k, id := range x.ids() {
					p := x.forgery(id, func(p *parcel) { p.Worker = evil.name; c.change(k, p) })
					evil.seal(key, p)
					text, err := json.Marshal(p)
					if err != nil {
						t.Error(err)
					}
					x.post(ctx, key, id, text)
				}
			})
			x.sameAsAlone()
			x.says("is not believed: run ")
			if text := told.String(); text != "" { // that a study is over is no fault
				t.Errorf("the worker says %q", text)
			}
		})
	}
}

// TestLostIsMadeAgain: whoever says of all runs that they are given up, once or for ever, ends none: they are
// made by other workers, or by the client.
func TestLostIsMadeAgain(t *testing.T) {
	t.Parallel()
	for _, always := range []bool{false, true} {
		x, evil := besiege(t, 20), newIdentity()
		var workers []*Worker
		if !always {
			workers = []*Worker{{Runner: square{}}}
		}
		x.hold(&Broker{}, workers, func(ctx context.Context, key string) {
			for once := true; ctx.Err() == nil && (once || always); once = false {
				for _, id := range x.ids() {
					p := x.forgery(id, func(p *parcel) { p.Worker, p.Verdict, p.Observed = evil.name, Lost, nil })
					evil.seal(key, p)
					text, err := json.Marshal(p)
					if err != nil {
						t.Error(err)
					}
					_, _ = x.js.Publish(ctx, resultSubject(key, id), text) // some run may have its row
				}
			}
		})
		x.sameAsAlone()
		x.says("rows of runs that are given up, which are made again")
	}
}

// TestSeals: a row is taken from its worker only, for its run and its study only: not without a
// seal, not with that of another one in its name, not with that of another study or of another run,
// nor changed after it was sealed.
func TestSeals(t *testing.T) {
	t.Parallel()
	x := besiege(t, 20)
	evil, careless, honest := newIdentity(), newIdentity(), newIdentity()
	x.hold(&Broker{NoCheck: true}, []*Worker{{Runner: square{}, identity: honest}}, func(ctx context.Context, key string) {
		for k, id := range x.ids()[:8] {
			p := x.forgery(id, nil)
			p.Worker = honest.name
			switch k {
			case 0:
			case 1:
				evil.seal(key, p)
			case 2:
				honest.seal("another study", p)
			case 3:
				honest.seal(key, p)
				p.Met = false
			case 4:
				honest.seal(key, x.forgery(x.ids()[9], nil))
			case 5:
				p.Worker = careless.name
				careless.seal(key, p)
				p.Files = []byte("not sealed")
			case 6:
				p.Worker = "nobody"
			case 7:
				p.Stored, p.Sum, p.Worker = true, "nowhere", evil.name
				evil.seal(key, p)
			}
			text, err := json.Marshal(p)
			if err != nil {
				t.Error(err)
			}
			x.post(ctx, key, id, text)
		}
	})
	x.sameAsAlone()
	x.says("results without a seal", "set aside in aside.txt", "whose files are not there")
	if strings.Contains(x.told.String(), "is not believed") { // whoever posts a sealed record may change its files
		t.Errorf("a worker is barred for what another one may have done:\n%s", &x.told)
	}
}

// TestUnreadable: messages that cannot be read, among the results and in the queue, are set aside
// and told, and their runs are made all the same.
func TestUnreadable(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	x := besiege(t, 40)
	var told lines
	x.hold(&Broker{}, []*Worker{{Runner: square{}, Log: told.add}}, func(ctx context.Context, key string) {
		for k, text := range []string{"", "null", "{", "[]", `{"id": 7}`, "\x1b]0;owned\a\x00\xff",
			strings.Repeat("[", 100_000), `{"id":"` + x.ids()[7] + `","observed":[1e999]}`, `{"verdict":"splendid"}`} {
			x.post(ctx, key, x.ids()[k], []byte(text))
		}
		queue, err := x.js.Stream(ctx, workStream(key))
		if err != nil {
			t.Error(err)
			return
		}
		for k, text := range []string{"", "12", "{", `{"run":-1}`, `{"run":99999999999999999999}`,
			`{"run":3,"values":[1]}`, `{"run":0,"values":["a","b"]}`, `{"run":1,"values":[0.123,2]}`} {
			if err := queue.Purge(ctx, jetstream.WithPurgeSubject(workSubject(key, x.ids()[20+k]))); err != nil {
				t.Error(err)
			}
			if _, err := x.js.Publish(ctx, workSubject(key, x.ids()[20+k]), []byte(text)); err != nil && there(err) != nil {
				t.Error(err)
			}
		}
	})
	x.sameAsAlone()
	x.says("a result is set aside in aside.txt", "2 results under the name of another run", "7 results that cannot be read")
	if text := read(t, x.dir, AsideFile); bytes.Count(text, []byte("\n")) != 9 || bytes.ContainsAny(text, "\x1b\a\x00") {
		t.Errorf("%q", text)
	}
	if !strings.Contains(told.String(), "a message of the queue is set aside") {
		t.Errorf("the worker says %q", &told)
	}
}

// TestTakenAway: a study whose queue, results, consumer, object or streams somebody takes away, or
// replaces, has them back, and is made.
func TestTakenAway(t *testing.T) {
	t.Parallel()
	for name, attack := range map[string]func(ctx context.Context, x *siege, key string) error{
		"the queue is purged": func(ctx context.Context, x *siege, key string) error {
			s, err := x.js.Stream(ctx, workStream(key))
			if err != nil {
				return err
			}
			return s.Purge(ctx)
		},
		"the queue is gone": func(ctx context.Context, x *siege, key string) error { return x.js.DeleteStream(ctx, workStream(key)) },
		"the results are gone": func(ctx context.Context, x *siege, key string) error {
			return x.js.DeleteStream(ctx, resultStream(key))
		},
		"the consumer is gone": func(ctx context.Context, x *siege, key string) error {
			return x.js.DeleteConsumer(ctx, workStream(key), workersConsumer)
		},
		"the objects are gone": func(ctx context.Context, x *siege, key string) error { return x.js.DeleteObjectStore(ctx, bucket(key)) },
		"another study is in its place": func(ctx context.Context, x *siege, key string) error {
			o, err := x.js.ObjectStore(ctx, bucket(key))
			if err != nil {
				return err
			}
			other := &shipment{Spec: x.study, Base: []byte(`{"mu": 7, "steps": 10}`), Lease: time.Second, Processor: (&Work{}).kind()}
			_, err = o.PutBytes(ctx, "study", other.text())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := besiege(t, 20)
			x.hold(&Broker{}, []*Worker{{Runner: square{}}}, func(ctx context.Context, key string) {
				q := &queue{js: x.js, key: key}
				for ctx.Err() == nil { // all are queued
					s, err := q.js.Stream(ctx, workStream(key))
					if err == nil && s.CachedInfo().State.Msgs == 20 {
						break
					}
					time.Sleep(5 * time.Millisecond)
				}
				if err := attack(ctx, x, key); err != nil {
					t.Error(err)
				}
			})
			x.sameAsAlone()
		})
	}
}

// TestOtherKind: a worker whose processor rounds otherwise is refused with a word on both sides;
// where any may work its rows are taken within the accuracy of the case, and marked.
func TestOtherKind(t *testing.T) {
	t.Parallel()
	x := besiege(t, 20)
	var told lines
	fused := func() *Worker {
		return &Worker{Runner: fusing{}, Processor: "amd64+fma", Log: told.add}
	}
	ended := make(chan struct{})
	x.hold(&Broker{}, []*Worker{fused()}, func(ctx context.Context, _ string) {
		go func() {
			defer close(ended)
			for ctx.Err() == nil && !strings.Contains(x.told.String(), "amd64+fma") {
				time.Sleep(5 * time.Millisecond)
			}
			w := &Worker{Connection: Connection{URL: x.url}, Runner: square{}}
			_ = w.Work(ctx) // until the study is made
		}()
	})
	<-ended
	x.sameAsAlone()
	x.says(`a worker of version "" on a processor of the kind "amd64+fma" is there, which makes no runs of this study of version "" on a processor of the kind "rounded"`)
	if !strings.Contains(told.String(), "of the kind amd64+fma, whose last digits differ: not its work") {
		t.Errorf("the worker says %q", &told)
	}
	x = besiege(t, 20)
	table := x.hold(&Broker{AnyProcessor: true}, []*Worker{fused()}, func(context.Context, string) {})
	s, err := table.Summary(x.dir, Shard{})
	text := string(read(t, x.dir, CSVFile))
	if err != nil || s.Processors["amd64+fma"] == 0 || s.Processors["amd64+fma"]+s.Processors["rounded"] != 20 ||
		strings.Count(text, ",amd64+fma\n") != s.Processors["amd64+fma"] || !strings.Contains(text, "run.message,run.processor\n") {
		t.Errorf("%+v, %v:\n%s", s, err, text)
	}
	if strings.Contains(x.told.String(), "is not believed") {
		t.Errorf("%s", &x.told)
	}
}

// fusing is square with another last digit.
type fusing struct{ square }

func (f fusing) Run(ctx context.Context, j *Job) (*Outcome, error) {
	o, err := f.square.Run(ctx, j)
	if o != nil && len(o.Observed) > 0 {
		y := *o.Observed[0] * (1 + 0x1p-52)
		o.Observed = []*float64{&y, &y}
	}
	return o, err
}

// TestPoisonedCheckpoint: a checkpoint that is none, or of another run, or that nobody can go on
// from, makes no run fail.
func TestPoisonedCheckpoint(t *testing.T) {
	t.Parallel()
	x := besiege(t, 8)
	evil := newIdentity()
	x.hold(&Broker{Lease: 100 * time.Millisecond}, []*Worker{{Runner: resuming{}}}, func(ctx context.Context, key string) {
		store, err := x.js.ObjectStore(ctx, bucket(key))
		if err != nil {
			t.Error(err)
			return
		}
		for k, id := range x.ids() {
			text := [][]byte{nil, []byte("x"), evil.saved(key, "another", []byte("good")), evil.saved(key, id, []byte("bad"))}[k%4]
			if _, err := store.PutBytes(ctx, id, text); err != nil {
				t.Error(err)
			}
		}
		for { // a worker has had each of them and was killed
			c, err := x.js.Consumer(ctx, workStream(key), workersConsumer)
			if err != nil {
				t.Error(err)
				return
			}
			batch, err := c.FetchNoWait(8)
			if err != nil {
				t.Error(err)
				return
			}
			n := 0
			for m := range batch.Messages() {
				n++
				if err := m.Nak(); err != nil {
					t.Error(err)
				}
			}
			if n > 0 || ctx.Err() != nil {
				return
			}
		}
	})
	x.sameAsAlone()
}

// resuming is square, which cannot go on from a checkpoint.
type resuming struct{ square }

func (r resuming) Run(ctx context.Context, j *Job) (*Outcome, error) {
	if j.From != nil {
		return nil, errors.New("it cannot be read: " + string(j.From))
	}
	return r.square.Run(ctx, j)
}

// TestSkewedClocks: clocks that are years apart, jump, and go backwards change nothing.
func TestSkewedClocks(t *testing.T) {
	t.Parallel()
	x := besiege(t, 40)
	began := time.Now().Round(0) // without the monotonic reading
	clocks := []clock{
		func() time.Time { return began.Add(-10 * 365 * 24 * time.Hour) },                               // stands still
		func() time.Time { return began.Add(time.Hour - 60*time.Since(began)) },                         // goes backwards
		func() time.Time { return began.Add(time.Duration(time.Now().UnixNano()%7-3) * time.Hour * 9) }, // jumps
	}
	var workers []*Worker
	for _, c := range clocks {
		workers = append(workers, &Worker{Runner: square{delay: time.Millisecond}, Idle: time.Hour * 24 * 365 * 20, clock: c})
	}
	x.hold(&Broker{clock: clocks[2], Lease: time.Second}, workers, func(context.Context, string) {})
	x.sameAsAlone()
}
