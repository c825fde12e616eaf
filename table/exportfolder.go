package table

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/quasistatic/quasistatic/internal/regular"
)

// holdExport keeps other exports to a folder away. That of the run itself may be locked by the run,
// which exports at its end: its case is held in its place, which nobody replaces meanwhile.
func (f *Folder) holdExport(to string, own bool) (release func(), err error) {
	if !own {
		return Lock(to)
	}
	release, err = LockFile(filepath.Join(to, CaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return func() {}, nil
	}
	return release, err
}

// claim makes another folder for an export and leaves the case there, with the files beside it:
// diagnose needs them, and the next export of the run knows the folder by it. A folder where a run
// stands, or with files that an export or the case would replace, is refused. A folder without a
// case is exported as it is.
func (f *Folder) claim(to string, beside []string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return fmt.Errorf("table: %w", err)
	}
	want, err := regular.ReadFile(filepath.Join(f.Dir, CaseFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = f.known(to, want, beside)
	}
	if err == nil {
		err = WriteCase(to, want)
	}
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	for _, name := range beside {
		if err := CopyFile(to, name, filepath.Join(f.Dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// known refuses a folder that an export of the case must not write to.
func (f *Folder) known(to string, want []byte, beside []string) error {
	run, err := isRun(to)
	if err != nil {
		return err
	}
	if run {
		return fmt.Errorf("%s is the folder of another run, want one of its own for what is exported", to)
	}
	found, err := os.ReadFile(filepath.Join(to, CaseFile))
	if err == nil && bytes.Equal(found, want) {
		return nil
	}
	entries, err := os.ReadDir(to)
	if err != nil {
		return err
	}
	earlier := leftBy(to)
	for _, e := range entries {
		if name := e.Name(); name == CaseFile || earlier(e) || slices.Contains(beside, name) {
			return fmt.Errorf("%s has %s, which is not of an export of %s and would be lost: want another folder", to, name, f.Dir)
		}
	}
	return nil
}
