package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Embedded makes runs through a server within this process, whose store lies in the
// folder of the study until the study is complete: a study that was killed goes on with
// what its workers had stored.
type Embedded struct {
	Dir     string // of the study
	Workers int    // of this process
	Listen  string // host:port for workers of other processes; "": none

	Patience time.Duration // with a store that takes nothing; 0: DefaultPatience
	Log      func(text string)
}

var _ Engine = (*Embedded)(nil)

// storeFolder is that of the server's store within a study.
const storeFolder = "store"

// Make implements [Engine].
func (e *Embedded) Make(ctx context.Context, w *Work, todo func(yield func(i int) bool), done func(*Record) error) error {
	store := filepath.Join(e.Dir, storeFolder)
	s, err := StartServer(store, e.Listen)
	if err != nil {
		return err
	}
	if url := s.URL(); url != "" && e.Log != nil {
		e.Log("workers find the study at " + url)
	}
	b := &Broker{Connection: s.Connect(), Workers: e.Workers, Patience: e.Patience, Log: e.Log, alone: true}
	ctx, cancel := context.WithCancelCause(ctx)
	end := s.watch(func() {
		cancel(fmt.Errorf("study: the store in %s failed: is the disk full? the same study goes on when there is room", store))
	})
	err = b.Make(ctx, w, todo, done)
	end()
	cancel(nil)
	s.Close()
	if err != nil {
		return err
	}
	return os.RemoveAll(store)
}

// watch calls lost when the server gives up its store, as it does when a disk is full.
func (s *Server) watch(lost func()) (end func()) {
	ticker, done := time.NewTicker(pause), make(chan struct{})
	go func() {
		defer ticker.Stop()
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if !s.nats.JetStreamEnabled() {
					lost()
					return
				}
			}
		}
	}()
	return func() { close(done) }
}
