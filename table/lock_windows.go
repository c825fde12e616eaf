package table

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// locks reports whether an open file can be locked and renamed, which tells temporary files that are
// written from those that were left. Here, what is open is not renamed.
const locks = false

func lock(*os.File) error { return nil }

// hold opens a hidden file beside what is locked, for Windows locks no folder: nobody else may open it,
// or nobody who wants it alone. The end of the process closes it; that of one which has it alone
// takes it away too. Beside the root of a drive there is no place: it has no lock.
func hold(name string, alone bool) (release func(), err error) {
	if _, err := os.Stat(name); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	at := filepath.Join(filepath.Dir(full), "."+filepath.Base(full)+".lock")
	text, err := windows.UTF16PtrFromString(at)
	if err != nil {
		return nil, fmt.Errorf("table: %s: %w", name, err)
	}
	share, flags := uint32(windows.FILE_SHARE_READ), uint32(windows.FILE_ATTRIBUTE_HIDDEN)
	if alone {
		share, flags = 0, flags|windows.FILE_FLAG_DELETE_ON_CLOSE
	}
	h, err := windows.CreateFile(text, windows.GENERIC_READ, share, nil, windows.OPEN_ALWAYS, flags, 0)
	if errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) && isThere(at) {
		return nil, fmt.Errorf("table: %s: %w", name, ErrLocked)
	}
	if err != nil {
		return func() {}, nil // a folder that is only read, or a file system without locks
	}
	return func() { _ = windows.CloseHandle(h) }, nil // nothing was written
}

// isThere is so too of a file that is taken away once the last one has closed it.
func isThere(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
