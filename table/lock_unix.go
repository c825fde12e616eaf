//go:build unix && !solaris && !aix

package table

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// locks reports whether the system has locks.
const locks = true

// hold locks a file or a folder, alone or with others that do not want it alone.
func hold(name string, alone bool) (release func(), err error) {
	d, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	if err := flock(d, how); err != nil {
		_ = d.Close() // the lock is the news
		return nil, fmt.Errorf("table: %s: %w", name, err)
	}
	return func() {
		unlock(d)
		_ = d.Close() // read only
	}, nil
}

func lock(d *os.File) error { return flock(d, syscall.LOCK_EX) }

func flock(d *os.File, how int) error {
	err := syscall.Flock(int(d.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return nil // or a file system that has no locks
}

// unlock gives the lock back at once: closing alone would leave it to a child of this process
// that is between its fork and its exec.
func unlock(d *os.File) { _ = syscall.Flock(int(d.Fd()), syscall.LOCK_UN) } // closing follows
