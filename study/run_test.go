package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// square is a runner whose outcome is the square of mu, after a random while.
type square struct {
	delay time.Duration
	pad   int // bytes after the id, in what is kept
	runs  func(id string)
}

func (s square) Run(ctx context.Context, j *Job) (*Outcome, error) {
	if s.runs != nil {
		s.runs(j.ID)
	}
	var c struct {
		Mu    float64 `json:"mu"`
		Steps int     `json:"steps"`
	}
	if err := json.Unmarshal(j.Text, &c); err != nil {
		return &Outcome{Verdict: Refused, Message: err.Error()}, nil
	}
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-time.After(time.Duration(rand.Int64N(int64(s.delay) + 1))):
	}
	y := c.Mu * c.Mu
	verdict := Certified
	if c.Mu > 0.75 {
		verdict = Failed
	}
	return &Outcome{Verdict: verdict, Met: c.Mu < 0.5, Observed: []*float64{&y, &y}, Steps: c.Steps,
		Files: append([]byte(j.ID), make([]byte, s.pad)...)}, nil
}

// squareText is a study of so many runs, each tried again and again: on a busy machine workers may
// be silent for longer than a short lease.
const squareBase = `{"mu": 0, "steps": 10}`

func squareText(runs int) []byte {
	return fmt.Appendf(nil, `{"case": "square", "vary": {"mu": {"linspace": [0, 1, %d]}, "steps": [1, 2]}, "tries": 1000, "observe": ["square", {"quantity":  "square", "time": 1}]}`,
		runs/2)
}

func squareStudy(t testing.TB, runs int) *Spec {
	t.Helper()
	s, err := Decode(squareText(runs))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func read(t testing.TB, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestEngines: the table has the same bytes whatever the engine and the number of
// workers, and the order in which runs end.
func TestEngines(t *testing.T) {
	t.Parallel()
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	var want, wantParquet []byte
	for name, engine := range map[string]Engine{"": nil, "pool": Pool{Workers: 7},
		"broker": &Broker{Connection: server.Connect(), Workers: 5}} {
		dir := t.TempDir()
		_, err := Run(t.Context(), squareStudy(t, 100),
			Options{Dir: dir, Base: []byte(squareBase), Runner: square{delay: time.Millisecond}, Engine: engine})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, gotParquet := read(t, dir, CSVFile), read(t, dir, ParquetFile)
		if want == nil {
			want, wantParquet = got, gotParquet
			if lines := bytes.Count(got, []byte("\n")); lines != 101 {
				t.Errorf("%d lines, want 101:\n%s", lines, got)
			}
			if first, _, _ := strings.Cut(string(got),
				"\n"); first != "run,run.id,mu,steps,square,square time=1,run.verdict,run.met,run.steps,run.solves,run.message" {
				t.Errorf("header %s", first)
			}
		}
		if !bytes.Equal(got, want) || !bytes.Equal(gotParquet, wantParquet) {
			t.Errorf("%s: another table:\n%s\nwant\n%s", name, got, want)
		}
		id := strings.Split(strings.Split(string(got), "\n")[1], ",")[1]
		if text := read(t, dir, filepath.Join(RunsFolder, id+".json")); string(text) != id {
			t.Errorf("%s: kept %q", name, text)
		}
	}
}

// TestLongFiles: what a run leaves may be longer than a message.
func TestLongFiles(t *testing.T) {
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dir := t.TempDir()
	o := Options{Dir: dir, Base: []byte(squareBase), Runner: square{pad: 3 << 20},
		Engine: &Broker{Connection: server.Connect(), Workers: 2}}
	table, err := Run(t.Context(), squareStudy(t, 6), o)
	if err != nil {
		t.Fatal(err)
	}
	for row := range table.Rows() {
		if text := read(t, dir, filepath.Join(RunsFolder, row[1].(string)+".json")); len(text) != 32+3<<20 ||
			!strings.HasPrefix(string(text), row[1].(string)) {
			t.Errorf("run %v: %d bytes are kept", row[1], len(text))
		}
	}
}

// TestRelease: what the client has got leaves the server while the study goes on.
func TestRelease(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	o := Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{}, Engine: &Broker{Connection: server.Connect(), Workers: 2}}
	var first uint64
	o.Observe = func(p Progress) {
		if p.Done == 2*window+window/2 {
			first = firstResult(t, server)
		}
	}
	if _, err := Run(t.Context(), squareStudy(t, 3*window), o); err != nil {
		t.Fatal(err)
	}
	if first < 2*window {
		t.Errorf("the server has results from number %d on, want none before %d", first, 2*window)
	}
}

// stream is a connection to a server's streams, until the test ends.
func stream(t *testing.T, s *Server) jetstream.JetStream {
	t.Helper()
	c := s.Connect()
	conn, err := c.dial(t.Context(), t.Name())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	return js
}

// firstResult is the number of the first result on a server.
func firstResult(t *testing.T, s *Server) uint64 {
	for x := range stream(t, s).ListStreams(t.Context()).Info() {
		if strings.HasSuffix(x.Config.Name, "_RESULT") {
			return x.State.FirstSeq
		}
	}
	return 0
}

// TestTwoClients: the same study in two folders at once, on one server, is two studies.
func TestTwoClients(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dirs := []string{t.TempDir(), t.TempDir()}
	var all sync.WaitGroup
	for _, dir := range dirs {
		all.Go(func() {
			_, err := Run(t.Context(), squareStudy(t, window+window/4),
				Options{Dir: dir, Base: []byte(squareBase), Runner: square{}, Engine: &Broker{Connection: server.Connect(), Workers: 1}})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if !bytes.Equal(read(t, dirs[0], CSVFile), read(t, dirs[1], CSVFile)) {
		t.Error("two tables of one study differ")
	}
}

// TestKnown: what is known is not made again; a changed study makes what is new, retry
// what failed, another version all.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	made := 0
	o := Options{Dir: dir, Base: []byte(squareBase), Runner: square{runs: func(string) { made++ }}, Version: "a"}
	for _, step := range []struct {
		runs, want int
		change     func()
	}{
		{20, 20, func() {}},
		{20, 0, func() {}},
		{38, 18, func() {}},                 // every other point of the finer grid was there
		{38, 10, func() { o.Retry = true }}, // 14/18 … 1 are above 0.75, twice each
		{38, 38, func() { o.Retry, o.Version = false, "b" }},
	} {
		step.change()
		made = 0
		if _, err := Run(t.Context(), squareStudy(t, step.runs), o); err != nil {
			t.Fatal(err)
		}
		if made != step.want {
			t.Errorf("%d runs of %d made, want %d", made, step.runs, step.want)
		}
	}
}

// TestStopped: a study that is stopped keeps what it has and goes on with the rest; a
// torn last line of the ledger is dropped.
func TestStopped(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	made := 0
	o := Options{Dir: dir, Base: []byte(squareBase), Runner: square{runs: func(string) { made++ }},
		Observe: func(p Progress) {
			if p.Done == 10 {
				cancel()
			}
		}}
	if _, err := Run(ctx, squareStudy(t, 40), o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want that of the context", err)
	}
	first := bytes.Count(read(t, dir, LedgerFile), []byte("\n"))
	if first < 10 || first > 12 { // two may be on their way
		t.Errorf("%d records when it was stopped, want 10", first)
	}
	f, err := os.OpenFile(filepath.Join(dir, LedgerFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"id": "torn`); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	made, o.Observe = 0, nil
	if _, err := Run(t.Context(), squareStudy(t, 40), o); err != nil {
		t.Fatal(err)
	}
	if made != 40-first {
		t.Errorf("%d runs made, want the other %d", made, 40-first)
	}
	whole := t.TempDir()
	if _, err := Run(t.Context(), squareStudy(t, 40), Options{Dir: whole, Base: []byte(squareBase), Runner: square{}}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, dir, CSVFile), read(t, whole, CSVFile)) {
		t.Error("another table than that of a study in one go")
	}
}

// TestShards: the records of shards, made at once in one folder, are those of the whole, and
// the last one to end leaves the whole table.
func TestShards(t *testing.T) {
	t.Parallel()
	dir, whole := filepath.Join(t.TempDir(), "new"), t.TempDir()
	var all sync.WaitGroup
	for i := range 3 {
		shard, err := ParseShard(fmt.Sprintf("%d/3", i+1))
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			if _, err := Run(t.Context(), squareStudy(t, 40),
				Options{Dir: dir, Base: []byte(squareBase), Runner: square{delay: time.Millisecond}, Shard: shard}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if _, err := Run(t.Context(), squareStudy(t, 40), Options{Dir: whole, Base: []byte(squareBase), Runner: square{}}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, dir, CSVFile), read(t, whole, CSVFile)) {
		t.Error("another table than that of the whole")
	}
	first, err := openLedger(dir, Shard{1, 3}.ledger())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openLedger(dir, Shard{1, 3}.ledger()); !errors.Is(err, table.ErrLocked) {
		t.Errorf("the same shard twice at once: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	unlock, err := table.Share(dir) // as a shard at work
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), squareStudy(t, 40),
		Options{Dir: dir, Base: []byte(squareBase), Runner: square{}}); !errors.Is(err, table.ErrLocked) {
		t.Errorf("the whole beside a shard: %v", err)
	}
	unlock()
	for _, text := range []string{"", "0/3", "4/3", "1/0", "1/3x", "a/b", "-1/3"} {
		if _, err := ParseShard(text); err == nil {
			t.Errorf("shard %q: no error", text)
		}
	}
}

// TestTwoInOneFolder: a folder has one study, which may change; one of another case, or of
// another name without a run in common, is refused with both names, and nothing is touched.
func TestTwoInOneFolder(t *testing.T) {
	dir := t.TempDir()
	run := func(file, text string) error {
		s, err := Parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Run(t.Context(), s, Options{Dir: dir, Base: []byte(squareBase), Runner: square{}})
		return err
	}
	const first = `{"case": "square", "vary": {"mu": [0, 0.5]}}`
	for _, x := range []struct{ file, text string }{
		{"a.json", first},
		{"a.json", `{"case": "square", "vary": {"steps": [3, 4]}}`}, // changed wholly
		{"finer.json", `{"case": "./square", "vary": {"mu": [0, 0.25, 0.5]}}`},
		{"finer.json", `{"name": "a", "case": "square", "vary": {"mu": [0, 0.5]}}`},
		{"a.json", first},
	} {
		if err := run(x.file, x.text); err != nil {
			t.Errorf("%s, %s: %v", x.file, x.text, err)
		}
	}
	before := read(t, dir, SpecFile)
	for _, text := range []string{`{"case": "circle", "vary": {"mu": [0, 0.5]}}`, `{"case": "square", "vary": {"mu": [0.1]}}`} {
		if err := run("b.json", text); err == nil || !strings.Contains(err.Error(), `of the study "a" of the case square, this is "b" of`) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if !bytes.Equal(read(t, dir, SpecFile), before) || !bytes.Contains(before, []byte(`"name": "a"`)) {
		t.Errorf("the file of the study is %s, was %s", read(t, dir, SpecFile), before)
	}
}

// TestNoRunner: what cannot make a run says so before it touches a folder or a server.
func TestNoRunner(t *testing.T) {
	s, dir := squareStudy(t, 4), filepath.Join(t.TempDir(), "study")
	if _, err := Run(t.Context(), s, Options{Dir: dir, Base: []byte(squareBase)}); err == nil ||
		!strings.Contains(err.Error(), "Options.Runner is nil") {
		t.Errorf("Run: %v", err)
	}
	s.Refine = &Refine{Path: "mu", To: 0.1}
	if _, err := Bisect(t.Context(), s, Options{Dir: dir, Base: []byte(squareBase)}); err == nil ||
		!strings.Contains(err.Error(), "Options.Runner is nil") {
		t.Errorf("Bisect: %v", err)
	}
	if _, err := Run(t.Context(), squareStudy(t, 4), Options{Base: []byte(squareBase), Runner: square{}}); err == nil ||
		!strings.Contains(err.Error(), "Options.Dir is empty") {
		t.Errorf("no folder: %v", err)
	}
	if err := (&Worker{}).Work(t.Context()); err == nil || !strings.Contains(err.Error(), "Worker.Runner is nil") {
		t.Errorf("Work: %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a folder was made")
	}
}

// TestRefused: studies that are not begun.
func TestRefused(t *testing.T) {
	run := func(dir string, s *Spec, o Options) error {
		o.Dir, o.Base, o.Runner = dir, []byte(squareBase), square{}
		_, err := Run(t.Context(), s, o)
		return err
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "thesis.tex"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(foreign, squareStudy(t, 4), Options{}); err == nil || !strings.Contains(err.Error(), "not the folder of a study") {
		t.Errorf("a folder of something else: %v", err)
	}
	if err := run(t.TempDir(), squareStudy(t, 40), Options{Most: 39}); err == nil || !strings.Contains(err.Error(), "40 runs") {
		t.Errorf("too many runs: %v", err)
	}
	dir := t.TempDir()
	unlock, err := open(dir, squareStudy(t, 4), &Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := run(dir, squareStudy(t, 4), Options{}); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("two in one folder: %v", err)
	}
}
