//go:build unix && !solaris && !aix

package table

import (
	"errors"
	"os"
	"syscall"
)

// locks reports whether the system has locks.
const locks = true

func lock(d *os.File) error { return flock(d, syscall.LOCK_EX) }

func share(d *os.File) error { return flock(d, syscall.LOCK_SH) }

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
