//go:build unix

package contact_test

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/contact"
	"github.com/quasistatic/quasistatic/internal/families"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

// processor is the time that the process has computed.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestStopsAmidManyContacts: 20,000 contacts, stopped at any time of the reduction and of the
// solve, end within a second of processor time on each of two cores.
func TestStopsAmidManyContacts(t *testing.T) {
	thorough.Only(t, "minutes")
	f, err := families.Find("spheres")
	if err != nil {
		t.Fatal(err)
	}
	p := f.Problem(20000, families.Parameters{Seed: 1})
	if nc := len(p.Laws); nc < 18000 {
		t.Fatalf("%d contacts", nc)
	}
	for _, after := range []time.Duration{50, 300, 1000, 3000, 8000, 20000} {
		for _, m := range []contact.Method{contact.MethodAuto, contact.MethodNewton, contact.MethodInterior} {
			if m != contact.MethodAuto && after > 3000 {
				continue
			}
			ctx, cancel := context.WithCancel(context.Background())
			stopped, done := make(chan time.Duration, 1), make(chan struct{})
			began := processor(t)
			go func() {
				defer close(stopped)
				for processor(t)-began < after*time.Millisecond {
					select {
					case <-done: // before that
						return
					case <-time.After(time.Millisecond):
					}
				}
				stopped <- processor(t)
				cancel()
			}()
			var res contact.Result
			err := contact.SolveGlobal(ctx, p, &contact.Options{Method: m}, nil, &res)
			end := processor(t)
			close(done)
			at, amid := <-stopped
			cancel()
			if !amid || err == nil {
				t.Logf("%v is done within %v", m, end-began)
				continue
			}
			took := end - at
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v after %v ms: %v", m, int(after), err)
			}
			t.Logf("%v stopped after %d ms of processor time: %v later", m, int(after), took)
			if took > 2*time.Second {
				t.Errorf("%v stopped after %d ms: %v of processor time later", m, int(after), took)
			}
		}
	}
}
