package study

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// machineStudy has numbers of every rule and of most distributions, in which processors that fuse
// products and sums have other last digits.
const machineStudy = `{"case": "square", "vary": {"mu": {"linspace": [0.1, 0.7, 23]}, "steps": {"range": [1, 1.9, 0.3]}},
	"sample": {"a": {"normal": [0.3, 0.07]}, "b": {"loguniform": [1e-3, 7]}, "c": {"weibull": [1.3, 0.7]}, "count": 3, "method": "latin"}, "observe": ["square", {"quantity": "square", "time": 1}], "tries": 1000}`

// TestMachines: a study is made by programs built for a processor that fuses (GOAMD64=v3) and for
// another one (arm64, under emulation), both with the ids of this one; where any processor may not
// work for it both are refused with a word.
func TestMachines(t *testing.T) {
	thorough.Only(t, "two builds of the tests, and emulation")
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" || processor.Kind() != processor.Rounded {
		t.Skip("the emulator is that of Debian on amd64, and this program is to round each operation")
	}
	emulator := ""
	for _, name := range []string{"qemu-aarch64-static", "qemu-aarch64"} {
		if file, err := exec.LookPath(name); err == nil {
			emulator = file
		}
	}
	programs := map[string][]string{}
	for kind, env := range map[string][]string{"amd64+fma": {"GOAMD64=v3", "GOARCH=amd64"}, "arm64+fma": {"GOARCH=arm64"}} {
		if kind == "arm64+fma" && emulator == "" {
			t.Log("no emulator of arm64 (Debian: qemu-user-static)")
			continue
		}
		program := filepath.Join(t.TempDir(), "study.test")
		build := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", program, ".")
		build.Env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		programs[kind] = []string{program}
		if kind == "arm64+fma" {
			programs[kind] = []string{emulator, program}
		}
	}
	for kind, program := range programs {
		for _, anyProcessor := range []bool{false, true} {
			x := besiege(t, 4)
			x.study, x.base = []byte(machineStudy), []byte(`{"mu": 0, "steps": 10, "a": 0, "b": 0, "c": 0}`)
			openGate(t, x.dir, 1<<30)
			worker := exec.CommandContext(t.Context(), program[0], append(slices.Clone(program[1:]), "-test.run=NONE")...)
			worker.Env = append(os.Environ(), "QUASISTATIC_STUDY_ROLE=worker "+x.url+" 0 "+x.dir)
			var told bytes.Buffer
			worker.Stderr = &told
			if err := worker.Start(); err != nil {
				t.Fatal(err)
			}
			var others []*Worker
			if !anyProcessor {
				others = append(others, &Worker{Runner: square{}})
			}
			table := x.hold(&Broker{AnyProcessor: anyProcessor}, others, func(ctx context.Context, _ string) {
				for !anyProcessor && ctx.Err() == nil && !strings.Contains(x.told.String(), kind) {
					time.Sleep(10 * time.Millisecond)
				}
			})
			_ = worker.Process.Kill()
			_ = worker.Wait()
			s, err := table.Summary(x.dir, Shard{})
			if err != nil {
				t.Fatal(err)
			}
			if !anyProcessor {
				x.sameAsAlone()
				x.says(kind)
				if !strings.Contains(told.String(), "not its work") {
					t.Errorf("%s: the worker says %q", kind, &told)
				}
				continue
			}
			if s.Made != s.Runs || s.Processors[kind] < s.Runs/2 || strings.Contains(x.told.String(), "not believed") {
				t.Errorf("%s: %+v\n%s\n%s", kind, s, &x.told, &told)
			}
		}
	}
}

// link is where one server of a cluster is reached by the others; a server that is cut off neither
// reaches nor is reached.
type link struct {
	listener net.Listener
	target   string
	owner    string

	mu    *sync.Mutex
	off   map[string]bool // servers that are cut off
	conns map[net.Conn]string
}

// serve forwards connections, each told by the name that its server shows first.
func (l *link) serve() {
	for {
		in, err := l.listener.Accept()
		if err != nil {
			return
		}
		go l.forward(in)
	}
}

func (l *link) forward(in net.Conn) {
	defer in.Close()
	out, err := net.Dial("tcp", l.target)
	if err != nil {
		return
	}
	defer out.Close()
	go func() {
		_, _ = io.Copy(in, out) // until either is closed
		_ = in.Close()
	}()
	first := make([]byte, 1<<16)
	n, err := in.Read(first)
	from := ""
	for _, name := range []string{"s0", "s1", "s2"} {
		if strings.Contains(string(first[:n]), `"`+name+`"`) {
			from = name
		}
	}
	l.mu.Lock()
	cut := l.off[from] || l.off[l.owner]
	l.conns[in] = from
	l.mu.Unlock()
	if err != nil || cut {
		return
	}
	if _, err := out.Write(first[:n]); err == nil {
		_, _ = io.Copy(out, in)
	}
}

// TestPartition: of three servers that are a cluster one is cut off from the others, the one that
// leads or that the client is on among them, and comes back; the table is that of a study that
// nobody disturbed.
func TestPartition(t *testing.T) {
	thorough.Only(t, "seconds, until a cluster has chosen its leaders")
	var mu sync.Mutex
	off, conns := map[string]bool{}, map[net.Conn]string{}
	var links []*link
	var routes []*url.URL
	var ports []int
	for k := range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		address := freeAddress(t)
		var port int
		if _, err := fmt.Sscanf(address, "127.0.0.1:%d", &port); err != nil {
			t.Fatal(err)
		}
		ports = append(ports, port)
		links = append(links, &link{listener: l, target: address, owner: fmt.Sprint("s", k), mu: &mu, off: off, conns: conns})
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: l.Addr().String()})
	}
	var servers []*server.Server
	var urls []string
	for k, l := range links {
		go l.serve()
		s, err := server.NewServer(&server.Options{ServerName: l.owner, Host: "127.0.0.1", Port: server.RANDOM_PORT,
			JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
			Cluster: server.ClusterOpts{Name: "study", Host: "127.0.0.1", Port: ports[k],
				Advertise: l.listener.Addr().String(), PoolSize: -1}, Routes: routes})
		if err != nil {
			t.Fatal(err)
		}
		go s.Start()
		t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
		servers = append(servers, s)
	}
	for _, s := range servers {
		if !s.ReadyForConnections(patience) {
			t.Fatal("a server did not come up")
		}
		urls = append(urls, s.ClientURL())
	}
	leader := func() int {
		return slices.IndexFunc(servers, func(s *server.Server) bool { return s.JetStreamIsLeader() })
	}
	for k := 0; leader() < 0 && k < 300; k++ {
		time.Sleep(100 * time.Millisecond)
	}
	partition := func(name string, cut bool) {
		mu.Lock()
		defer mu.Unlock()
		off[name] = cut
		for c, from := range conns {
			if cut && (from == name || slices.ContainsFunc(links, func(l *link) bool {
				return l.owner == name && c.LocalAddr().String() == l.listener.Addr().String()
			})) {
				_ = c.Close()
				delete(conns, c)
			}
		}
	}
	dir, serial := t.TempDir(), t.TempDir()
	cuts := 0
	var told lines
	_, err := Run(t.Context(), squareStudy(t, 60), Options{Dir: dir, Base: []byte(squareBase), Runner: square{delay: 40 * time.Millisecond},
		Engine: &Broker{Connection: Connection{URL: strings.Join(urls, ",")}, Workers: 2, Replicas: 3,
			Lease: 2 * time.Second, look: time.Second, Patience: 2 * time.Minute, Log: told.add},
		Observe: func(p Progress) {
			if k := max(leader(), 0); p.Done >= 20*(cuts+1) && cuts < 2 {
				cuts++
				if cuts == 2 {
					k = 0 // that of the client at first
				}
				name := fmt.Sprint("s", k)
				partition(name, true)
				time.AfterFunc(8*time.Second, func() { partition(name, false) })
			}
		}})
	if err != nil {
		t.Fatalf("%v\n%s", err, &told)
	}
	if _, err := Run(t.Context(), squareStudy(t, 60), Options{Dir: serial, Base: []byte(squareBase), Runner: square{}}); err != nil {
		t.Fatal(err)
	}
	if cuts != 2 || !bytes.Equal(read(t, dir, CSVFile), read(t, serial, CSVFile)) {
		t.Errorf("cut off %d times, want 2; or another table than that of the serial study\n%s", cuts, &told)
	}
}

// TestStalled: a server that stands still for longer than a lease, and one that is killed and begun
// again, change nothing.
func TestStalled(t *testing.T) {
	thorough.Only(t, "seconds, for which the server stands still")
	f := &faults{t: t, runs: 40, address: freeAddress(t), store: t.TempDir(), dir: filepath.Join(t.TempDir(), "study"),
		done: make(chan error, 1)}
	openGate(t, f.dir, 10)
	f.serve()
	f.client = process(t, "client", f.url(), f.dir, f.runs)
	f.worker()
	f.worker()
	go f.await(f.client)
	until := func(records int) {
		for recorded(f.dir) < records && t.Context().Err() == nil {
			select {
			case err := <-f.done:
				t.Fatalf("the client ended with %d records: %v", recorded(f.dir), err)
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	until(10)
	if err := halt(f.server.Process); err != nil {
		t.Fatal(err)
	}
	openGate(t, f.dir, 20)
	time.Sleep(7 * time.Second) // seven leases, and more than one call to a server may take
	if err := resume(f.server.Process); err != nil {
		t.Fatal(err)
	}
	until(20)
	kill(f.server)
	f.serve()
	openGate(t, f.dir, f.runs)
	f.ended(<-f.done)
	serial := t.TempDir()
	if _, err := Run(t.Context(), squareStudy(t, f.runs), Options{Dir: serial, Base: []byte(squareBase), Runner: square{}}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read(t, f.dir, CSVFile), read(t, serial, CSVFile)) {
		t.Error("another table than that of the serial study")
	}
}
