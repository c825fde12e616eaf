package study

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// TestMain lets the test binary be a server, a worker or a client of a study, for tests
// that kill them.
func TestMain(m *testing.M) {
	role, rest, _ := strings.Cut(os.Getenv("QUASISTATIC_STUDY_ROLE"), " ")
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	var err error
	switch words := strings.Fields(rest); role {
	case "server": // store address
		var s *server.Server
		if s, err = openServer(words[0], words[1]); err == nil {
			<-ctx.Done()
			s.Shutdown()
		}
	case "worker": // url delay folder
		delay, _ := time.ParseDuration(words[1])
		err = (&Worker{Connection: Connection{URL: words[0]},
			Runner: square{delay: delay, runs: func(string) { atGate(ctx, words[2]) }}, Version: os.Getenv("QUASISTATIC_STUDY_VERSION"),
			Log: func(text string) { fmt.Fprintln(os.Stderr, text) }}).Work(ctx)
	case "client": // url dir runs
		var runs int
		if _, err = fmt.Sscan(words[2], &runs); err == nil {
			var s *Spec
			if s, err = Decode(squareText(runs)); err == nil {
				_, err = Run(ctx, s, Options{Dir: words[1], Base: []byte(squareBase), Runner: square{},
					Engine: &Broker{Connection: Connection{URL: words[0]}, Lease: time.Second}})
			}
		}
	case "embedded": // dir runs bytes: no file grows beyond so many, as on a disk that is full
		var runs int
		var most uint64
		if _, err = fmt.Sscan(words[1]+" "+words[2], &runs, &most); err == nil {
			err = limitFiles(most)
		}
		if err == nil {
			err = embedded(ctx, words[0], runs, time.Second)
		}
	default:
		waitTogether()
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, role+":", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// openServer starts a server that lets everybody in and allows everything, as nats-server -js does.
func openServer(store, address string) (*server.Server, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		return nil, err
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	s, err := server.NewServer(&server.Options{ServerName: "open", Host: host, Port: port, JetStream: true,
		StoreDir: store, NoLog: true, NoSigs: true})
	if err != nil {
		return nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(patience) {
		return nil, errors.New("the server did not come up")
	}
	return s, nil
}

// waitTogether lets more tests go side by side than there are cores, unless -parallel is given:
// servers, workers and clients wait for each other most of the time.
func waitTogether() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", "8") // a number
	}
}

// embedded makes a study with a server of its own.
func embedded(ctx context.Context, dir string, runs int, patience time.Duration) error {
	s, err := Decode(squareText(runs))
	if err == nil {
		_, err = Run(ctx, s, Options{Dir: dir, Base: []byte(squareBase), Runner: square{},
			Engine: &Embedded{Dir: dir, Workers: 2, Patience: patience}})
	}
	return err
}

// process starts the test binary in a role; it is killed with the test at the latest.
func process(t *testing.T, role string, args ...any) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), "QUASISTATIC_STUDY_ROLE="+role+" "+strings.TrimSpace(fmt.Sprintln(args...)))
	var log bytes.Buffer
	c.Stderr = &log
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		kill(c)
		if t.Failed() && log.Len() > 0 {
			t.Logf("%s %v:\n%s", role, args, log.String())
		}
	})
	return c
}

// kill ends a process at once; one that has ended already is left alone.
func kill(c *exec.Cmd) {
	if c.ProcessState == nil {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
}

// freeAddress is one of this machine at which nobody listens, below the ports that the
// system gives to outgoing connections: one of those could take it while a server is
// away.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+rand.IntN(10_000)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port between 20000 and 30000 is free")
	return ""
}

// gateFile, beside the folder of a study, holds the number of records up to which workers make
// runs.
const gateFile = "gate"

// openGate lets workers make runs until so many records are there.
func openGate(t *testing.T, dir string, records int) {
	t.Helper()
	gate := filepath.Join(filepath.Dir(dir), gateFile)
	if err := errors.Join(os.MkdirAll(filepath.Dir(gate), 0o777), table.WriteFile(gate, fmt.Append(nil, records))); err != nil {
		t.Fatal(err)
	}
}

// atGate waits until a run may be made.
func atGate(ctx context.Context, dir string) {
	for ctx.Err() == nil {
		text, _ := os.ReadFile(filepath.Join(filepath.Dir(dir), gateFile)) // without one nobody goes on
		if most, err := strconv.Atoi(string(text)); err == nil && recorded(dir) < most {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// recorded is the number of records of a study.
func recorded(dir string) int {
	data, _ := os.ReadFile(filepath.Join(dir, LedgerFile)) // without one there are none
	return bytes.Count(data, []byte("\n"))
}

// TestKilled: workers are killed one after the other, the server twice, the client once;
// every run is in the table exactly once, and the table has the bytes of a study that
// nobody disturbed. Workers stop at a gate amid a run until the next of them is killed, so
// that a slow machine, or a busy one, sees the same kills as a fast one; the long form lets all
// of them run and kills one every second, whatever has come in.
func TestKilled(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	f := &faults{t: t, runs: 80, address: freeAddress(t), store: t.TempDir(), dir: filepath.Join(t.TempDir(), "study"),
		done: make(chan error, 1), random: rand.New(rand.NewPCG(1, 2))}
	openGate(t, f.dir, 0)
	pace := f.records
	if thorough.Asked() {
		f.runs, pace = 300, f.seconds
		f.delay = 500 * time.Millisecond
		openGate(t, f.dir, f.runs)
	}
	f.serve()
	f.client = process(t, "client", f.url(), f.dir, f.runs)
	for range 3 {
		f.staff = append(f.staff, f.worker())
	}
	go f.await(f.client)
	for round := 1; ; round++ {
		if ended := pace(round); ended {
			checkKilled(t, f.dir, f.runs, round)
			return
		}
		k := f.random.IntN(len(f.staff))
		kill(f.staff[k])
		switch round {
		case 2, 6:
			kill(f.server)
			f.serve()
		case 4:
			_ = f.client.Process.Kill()
			<-f.done
			f.client = process(t, "client", f.url(), f.dir, f.runs)
			go f.await(f.client)
		}
		f.staff[k] = f.worker()
	}
}

// faults are the processes of a study whose members are killed.
type faults struct {
	t              *testing.T
	runs           int
	delay          time.Duration // of a run
	address, store string
	dir            string
	server, client *exec.Cmd
	staff          []*exec.Cmd
	done           chan error // the client's end
	random         *rand.Rand
}

func (f *faults) url() string       { return "nats://" + f.address }
func (f *faults) worker() *exec.Cmd { return process(f.t, "worker", f.url(), f.delay, f.dir) }
func (f *faults) await(c *exec.Cmd) { f.done <- c.Wait() }

// serve starts the server, and waits until it listens: a busy machine may take longer to start a
// process than clients wait for a server.
func (f *faults) serve() {
	f.server = process(f.t, "server", f.store, f.address)
	for f.t.Context().Err() == nil {
		if c, err := net.Dial("tcp", f.address); err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// records lets 8 more runs be made than in the round before and waits for their records; after
// the ninth round it lets all be made, and waits for the end.
func (f *faults) records(round int) (ended bool) {
	want := 8 * round
	if want >= f.runs {
		openGate(f.t, f.dir, f.runs)
		return f.ended(<-f.done)
	}
	openGate(f.t, f.dir, want)
	for recorded(f.dir) < want {
		select {
		case err := <-f.done:
			f.t.Fatalf("the client ended with %d records of %d: %v", recorded(f.dir), f.runs, err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	return false
}

// seconds waits a second.
func (f *faults) seconds(int) (ended bool) {
	select {
	case err := <-f.done:
		return f.ended(err)
	case <-time.After(time.Second):
		return false
	}
}

func (f *faults) ended(err error) bool {
	if err != nil {
		f.t.Fatalf("client: %v", err)
	}
	return true
}

func checkKilled(t *testing.T, dir string, runs, kills int) {
	t.Helper()
	if kills < 6 {
		t.Errorf("done after %d kills, want the server killed twice before", kills)
	}
	serial := t.TempDir()
	if _, err := Run(t.Context(), squareStudy(t, runs), Options{Dir: serial, Base: []byte(squareBase), Runner: square{}}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{CSVFile, ParquetFile} {
		if !bytes.Equal(read(t, dir, name), read(t, serial, name)) {
			t.Errorf("%s is not that of the serial study", name)
		}
	}
	seen := map[string]int{}
	for line := range bytes.Lines(read(t, dir, LedgerFile)) {
		seen[string(line)]++
	}
	if len(seen) != runs {
		t.Errorf("%d records, want %d", len(seen), runs)
	}
	for line, n := range seen {
		if n != 1 {
			t.Errorf("%d times %s", n, line)
		}
	}
	files, err := os.ReadDir(filepath.Join(dir, RunsFolder))
	if err != nil || len(files) != runs {
		t.Errorf("%d files of runs, %v", len(files), err)
	}
}

// TestOtherVersion: a worker of another version does not touch the runs, and says both.
func TestOtherVersion(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	all.Go(func() {
		o := Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{}, Version: "1.0",
			Engine: &Broker{Connection: server.Connect()}}
		if _, err := Run(ctx, squareStudy(t, 4), o); !errors.Is(err, context.Canceled) {
			t.Errorf("the study without a worker of its version: %v", err)
		}
	})
	said := make(chan string, 1)
	w := &Worker{Connection: server.Connect(), Runner: square{runs: func(string) { t.Error("a run was made") }},
		Version: "2.0", Log: func(text string) {
			select {
			case said <- text:
				time.AfterFunc(pause, cancel) // it had the time to take a run
			default:
			}
		}}
	if err := w.Work(ctx); err != nil { // until it has said something
		t.Error(err)
	}
	select {
	case text := <-said:
		if !strings.Contains(text, "1.0") || !strings.Contains(text, "2.0") {
			t.Errorf("said %q, want both versions", text)
		}
	default:
		t.Error("nothing was said")
	}
}

// poison is a runner that cannot make one run, and goes on from a checkpoint in another.
type poison struct{ square }

func (p poison) Run(ctx context.Context, j *Job) (*Outcome, error) {
	if bytes.Contains(j.Text, []byte(`"mu": 1,`)) {
		return nil, fmt.Errorf("no space left on the device")
	}
	if bytes.Contains(j.Text, []byte(`"mu": 0,`)) && j.From == nil {
		if err := j.Save([]byte("half way")); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("interrupted")
	}
	o, err := p.square.Run(ctx, j)
	if string(j.From) == "half way" {
		o.Steps = 99
	}
	return o, err
}

// TestPoison: a run that no worker can make is given up after some tries, with its error;
// one that left a checkpoint goes on from it.
func TestPoison(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	dir := t.TempDir()
	s, err := Decode([]byte(`{"case": "square", "vary": {"mu": [0, 0.25, 1]}, "observe": ["square"], "tries": 2}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), s, Options{Dir: dir, Base: []byte(squareBase), Runner: poison{},
		Engine: &Broker{Connection: server.Connect(), Workers: 2, Lease: time.Hour, Log: func(s string) { t.Log(s) }}}); err != nil {
		t.Fatal(err)
	}
	verdicts := map[Verdict]int{}
	for line := range bytes.Lines(read(t, dir, LedgerFile)) {
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		verdicts[r.Verdict]++
		if r.Verdict == Lost && !strings.Contains(r.Message, "2 tries: no space left") {
			t.Errorf("message %q", r.Message)
		}
		if r.Steps == 99 {
			verdicts["resumed"]++
		}
	}
	if verdicts[Certified] != 2 || verdicts[Lost] != 1 || verdicts["resumed"] != 1 {
		t.Errorf("verdicts %v", verdicts)
	}
}

// TestFullDisk: a study whose store, or whose ledger, cannot grow ends with the reason,
// and goes on when there is room, to the bytes of a study that nobody disturbed.
func TestFullDisk(t *testing.T) {
	thorough.Only(t, "seconds, which a server that does not answer is given")
	const runs = 300
	serial := t.TempDir()
	if _, err := Run(t.Context(), squareStudy(t, runs), Options{Dir: serial, Base: []byte(squareBase), Runner: square{}}); err != nil {
		t.Fatal(err)
	}
	// The queue of 300 runs takes some 30 kB and is written first; the ledger takes 60 kB,
	// the results 130 kB.
	for _, most := range []int{4_000, 20_000, 50_000, 100_000} {
		dir := filepath.Join(t.TempDir(), "study")
		c := process(t, "embedded", dir, runs, most)
		err := c.Wait()
		told := c.Stderr.(*bytes.Buffer).String()
		if err == nil || !strings.Contains(told, "disk full") && !strings.Contains(told, "file too large") {
			t.Errorf("files of %d bytes at most: %v, said %q", most, err, told)
		}
		if err := embedded(t.Context(), dir, runs, 0); err != nil {
			t.Fatalf("files of %d bytes at most, gone on: %v", most, err)
		}
		if !bytes.Equal(read(t, dir, CSVFile), read(t, serial, CSVFile)) {
			t.Errorf("files of %d bytes at most, gone on: another table than the serial one", most)
		}
	}
}
