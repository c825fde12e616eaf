package study

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// Embedded makes runs through a server within this process, whose store lies in the
// folder of the study until the study is complete: a study that was killed goes on with
// what its workers had stored.
type Embedded struct {
	Dir     string // of the study
	Workers int    // of this process
	Listen  string // host:port for workers of other processes; "": none
	Log     func(text string)
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
	b := &Broker{Connection: s.Connect(), Workers: e.Workers, Log: e.Log}
	err = b.Make(ctx, w, todo, done)
	s.Close()
	if err != nil {
		return err
	}
	return errors.Join(err, os.RemoveAll(store))
}
