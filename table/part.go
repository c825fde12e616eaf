package table

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/quasistatic/quasistatic/internal/disk"
)

// partInfix stands in the names of temporary files: .NAME.part-NUMBER.
const partInfix = ".part-"

// parts are the temporary files and folders that this process writes.
var parts = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// createPart makes a temporary file beside the name that it will have, and takes away those
// of the same name whose program was killed. The file is locked while it is open, which
// tells it from them.
func createPart(name string) (*os.File, error) {
	parts.Lock()
	defer parts.Unlock()
	dir, prefix := filepath.Dir(name), "."+filepath.Base(name)+partInfix
	if locks {
		_ = clearStale(dir, prefix) // what cannot be taken away stays
	}
	for {
		f, err := os.CreateTemp(dir, prefix)
		if err != nil {
			return nil, err
		}
		_ = lock(f) // nobody can have it, but somebody may have taken the file for a stale one just before
		if at, err := os.Lstat(f.Name()); err == nil {
			if own, err := f.Stat(); err == nil && os.SameFile(at, own) {
				parts.names[f.Name()] = true
				return f, nil
			}
		}
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
}

// createPartFolder makes a temporary folder beside the name that it will have; with an empty
// dir among the temporary files of the system.
func createPartFolder(dir, name string) (string, error) {
	parts.Lock()
	defer parts.Unlock()
	made, err := os.MkdirTemp(dir, "."+name+partInfix)
	if err == nil {
		parts.names[made] = true
	}
	return made, err
}

// Scratch makes a folder for temporary files; remove takes it away, and so does
// [DiscardParts].
func Scratch(name string) (dir string, remove func(), err error) {
	dir, err = createPartFolder("", name)
	return dir, func() { discardPart(dir) }, err
}

// keepPart forgets a temporary file that has got its final name.
func keepPart(name string) {
	parts.Lock()
	defer parts.Unlock()
	delete(parts.names, name)
}

// discardPart removes a temporary file or folder.
func discardPart(name string) {
	_ = disk.RemoveAll(name) // what made it useless is the news
	keepPart(name)
}

// DiscardParts removes all temporary files that this process writes, and lets nobody make
// or rename one any more: call it last, before the process ends amid its work.
func DiscardParts() {
	parts.Lock() // for good
	for name := range parts.names {
		_ = disk.RemoveAll(name) // there is nobody to tell
	}
}

// isPart reports whether a name is that of a file which a program was writing.
func isPart(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, partInfix)
}

// ClearParts takes away the temporary files of programs that were killed; those that
// somebody writes now stay.
func ClearParts(dir string) error { return clearStale(dir, ".") }

// clearStale takes away the temporary files whose names begin with a prefix and that nobody
// writes. Folders are not locked: they go.
func clearStale(dir, prefix string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if !isPart(e.Name()) || !strings.HasPrefix(e.Name(), prefix) || isWritten(name, e) {
			continue
		}
		if err := disk.RemoveAll(name); err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	return nil
}

// isWritten reports whether a program holds the lock of a temporary file.
func isWritten(name string, e fs.DirEntry) bool {
	if !e.Type().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close() // read only
	return lock(f) != nil
}
