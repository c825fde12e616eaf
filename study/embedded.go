package study

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/internal/regular"
)

// Embedded makes runs through a server within this process, whose store lies in the
// folder of the study until the study is complete: a study that was killed goes on with
// what its workers had stored.
type Embedded struct {
	Dir     string // of the study
	Workers int    // of this process
	Listen  Listen // for workers of other processes; zero: none

	Patience time.Duration // with a store that takes nothing; 0: DefaultPatience
	// Check, NoCheck and AnyProcessor are those of [Broker], for workers of other processes.
	Check        float64
	NoCheck      bool
	AnyProcessor bool
	Log          func(text string)
}

var _ Engine = (*Embedded)(nil)

// storeFolder is that of the server's store within a study.
const storeFolder = "store"

// Make implements [Engine].
func (e *Embedded) Make(ctx context.Context, w *Work, todo func(yield func(i int) bool), done func(*Record) error) error {
	store := filepath.Join(e.Dir, storeFolder)
	b := &Broker{Workers: e.Workers, Patience: e.Patience, Check: e.Check, NoCheck: e.NoCheck || e.Listen.Address == "",
		AnyProcessor: e.AnyProcessor, Log: e.Log, alone: true}
	l := e.Listen
	if l.Address != "" {
		x, err := b.shipment(w)
		if err == nil {
			l.key = x.keyOf()
			l.Token, err = e.token()
		}
		if err != nil {
			return err
		}
	}
	s, err := StartServer(store, l)
	if err != nil {
		return err
	}
	b.Connection = s.Connect()
	if s.URL() != "" && e.Log != nil {
		e.Log("workers find the study by: " + s.Invitation(l.Cert))
	}
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
	return errors.Join(disk.RemoveAll(store), disk.RemoveAll(filepath.Join(e.Dir, tokenFile)))
}

// tokenFile, in the folder of a study, holds the token of its workers until it is complete: they
// find a study that was stopped again when it goes on.
const tokenFile = "token"

// token is that of the workers of the study, made once.
func (e *Embedded) token() (string, error) {
	if e.Listen.Token != "" {
		return e.Listen.Token, nil
	}
	name := filepath.Join(e.Dir, tokenFile)
	text, err := regular.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		text = []byte(rand.Text())
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("study: %w", err)
	}
	return string(text), nil
}

// TokenVariable is the variable of the environment that holds the token of a worker: arguments are
// seen by all users of a machine.
const TokenVariable = "QUASISTATIC_TOKEN"

// Invitation is the line by which a worker finds a server that listens; its certificate is for
// those whose machine does not know the authority.
func (s *Server) Invitation(cert string) string {
	line := fmt.Sprintf("%s=%s quasistatic worker --nats %s", TokenVariable, s.Token(), s.URL())
	if cert != "" {
		line += " --ca " + cert
	}
	return line
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
