package study

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/thorough"
)

// TestIdle: a worker ends when it has had no work for Idle; not amid a run, however long that
// takes.
func TestIdle(t *testing.T) {
	t.Parallel()
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	const idle = 50 * time.Millisecond
	ended := make(chan error, 1)
	slow := square{runs: func(string) { time.Sleep(3 * idle) }}
	go func() {
		ended <- (&Worker{Connection: server.Connect(), Runner: slow, Idle: idle}).Work(t.Context())
	}()
	o := Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{}, Engine: &Broker{Connection: server.Connect(), Workers: 1}}
	if _, err := Run(t.Context(), squareStudy(t, 6), o); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestInTurn: a worker has the runs of a study while another one waits on the server without any.
func TestInTurn(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	server, err := StartServer(t.TempDir(), Listen{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	left := &queue{js: stream(t, server), key: "left", patience: DefaultPatience}
	connection := server.Connect()
	if left.conn, err = connection.dial(t.Context(), t.Name()); err != nil {
		t.Fatal(err)
	}
	defer left.conn.Close()
	if err := left.create(t.Context(), &shipment{Spec: squareText(4), Base: []byte(squareBase), Lease: time.Second}, 1); err != nil {
		t.Fatal(err)
	}
	worker := &Worker{Connection: connection, Runner: square{}}
	ctx, end := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if err := worker.Work(ctx); err != nil {
			t.Error(err)
		}
	})
	if _, err := Run(t.Context(), squareStudy(t, 20),
		Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{}, Engine: &Broker{Connection: connection}}); err != nil {
		t.Error(err)
	}
	end()
	all.Wait()
}

// TestMostWorkers: as many as nobody has cores are refused, with the number.
func TestMostWorkers(t *testing.T) {
	const many = 1_000_000_000
	if err := (&Worker{Workers: many}).Work(t.Context()); err == nil || !strings.Contains(err.Error(), "1000000000 workers") {
		t.Errorf("a worker: %v", err)
	}
	_, err := Run(t.Context(), squareStudy(t, 4), Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{},
		Engine: Pool{Workers: many}})
	if err == nil || !strings.Contains(err.Error(), "1000000000 workers") {
		t.Errorf("a pool: %v", err)
	}
}

// TestPanic: a run that panics is lost, with the reason, and the others are made.
func TestPanic(t *testing.T) {
	runner := square{runs: func(id string) {
		if id < "8" {
			panic("no such row")
		}
	}}
	s := squareStudy(t, 40)
	table, err := Run(t.Context(), s, Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: runner, Engine: Pool{Workers: 3}})
	if err != nil {
		t.Fatal(err)
	}
	lost, rows := 0, 0
	for row := range table.Rows() {
		rows++
		if id, verdict := row[1].(string), row[len(row)-5]; (id < "8") != (verdict == string(Lost)) {
			t.Errorf("run %s is %s", id, verdict)
		} else if id < "8" {
			if lost++; !strings.Contains(row[len(row)-1].(string), "no such row") {
				t.Errorf("its message is %q", row[len(row)-1])
			}
		}
	}
	if rows != 40 || lost == 0 {
		t.Errorf("%d runs, %d lost", rows, lost)
	}
}
