package study

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// heap is what lives, after all garbage is collected [bytes].
func heap() int64 {
	runtime.GC()
	runtime.GC() // what the first one has finalised
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestMemory: what a study holds while it runs grows by a few tens of bytes a run: a record,
// an id, a number in the list of what is to be made.
func TestMemory(t *testing.T) {
	thorough.Only(t, "15,000 runs")
	var most [2]int64
	counts := [2]int{5000, 10_000}
	for k, n := range counts {
		s, err := Decode(fmt.Appendf(nil, `{"case": "square", "vary": {"mu": {"linspace": [0, 1, %d]}, "steps": {"range": [1, 100, 1]}}, "observe": ["square"], "keep": "nothing"}`,
			n/100))
		if err != nil {
			t.Fatal(err)
		}
		look := func(p Progress) {
			if p.Done%(n/4) == 0 {
				most[k] = max(most[k], heap())
			}
		}
		if _, err := Run(t.Context(), s, Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{},
			Engine: Pool{Workers: 2}, Observe: look}); err != nil {
			t.Fatal(err)
		}
	}
	// 50 to 80 for the record, 16 for the id, 8 for the number.
	if each := (most[1] - most[0]) / int64(counts[1]-counts[0]); each > 128 {
		t.Errorf("%d bytes a run: %d for %d runs, %d for %d", each, most[0], counts[0], most[1], counts[1])
	}
}

// TestRoom: no more runs wait on a server than may, and all are made.
func TestRoom(t *testing.T) {
	t.Parallel()
	s, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	most := uint64(0)
	look := func(Progress) {
		info, err := s.nats.Jsz(&server.JSzOptions{Accounts: true, Streams: true})
		if err != nil {
			t.Error(err)
			return
		}
		for _, a := range info.AccountDetails {
			for _, x := range a.Streams {
				if strings.HasSuffix(x.Name, "_WORK") {
					most = max(most, x.State.Msgs)
				}
			}
		}
	}
	const room, runs = 32, 400
	dir := t.TempDir()
	if _, err := Run(t.Context(), squareStudy(t, runs),
		Options{Dir: dir, Base: []byte(squareBase), Runner: square{},
			Engine: &Broker{Connection: s.Connect(), Workers: 2, ahead: room}, Observe: look}); err != nil {
		t.Fatal(err)
	}
	// A run leaves the queue a little after its result is there.
	if most == 0 || most > 2*room {
		t.Errorf("%d runs on the server, want at most %d", most, 2*room)
	}
	if n := bytes.Count(read(t, dir, LedgerFile), []byte("\n")); n != runs {
		t.Errorf("%d records, want %d", n, runs)
	}
}
