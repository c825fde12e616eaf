package table

import (
	"errors"
	"fmt"
	"os"
)

// ErrLocked says that another run writes to the folder.
var ErrLocked = errors.New("another run writes to it, or an export")

// Lock keeps other runs out of a folder, which is made if it is not there. The lock
// is on the folder itself, on Windows on a hidden file beside it: no file is left behind, and the end of the
// process, kill -9 too, gives it back. Readers do not ask for it. File systems without locks let
// everybody in.
func Lock(dir string) (release func(), err error) { return lockFolder(dir, true) }

// Share keeps out who would lock a folder, and lets in who shares it.
func Share(dir string) (release func(), err error) { return lockFolder(dir, false) }

func lockFolder(dir string, alone bool) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	return hold(dir, alone)
}

// LockFile keeps other locks of a file away, which is there and is not replaced meanwhile.
func LockFile(name string) (release func(), err error) { return hold(name, true) }
