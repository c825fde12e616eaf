package table

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/internal/regular"
)

// WriteAtomic puts a file in place as a whole: it is written beside the name,
// synced, and renamed. After an error, or a crash, the name holds what it held. What a
// program that was killed left beside it is taken away.
func WriteAtomic(name string, fill func(w io.Writer) error) error { return put(name, true, fill) }

// WriteWhole is [WriteAtomic] without the wait for the disk, a third of the time of a small run:
// others, and a crash of the program, leave the file whole; a failure of power may lose it until a
// checkpoint or the end of the run is written.
func WriteWhole(name string, fill func(w io.Writer) error) error { return put(name, false, fill) }

func put(name string, durable bool, fill func(w io.Writer) error) error {
	return place(name, durable, func(f *os.File) error {
		w := bufio.NewWriterSize(f, 1<<16)
		if err := fill(w); err != nil {
			return err
		}
		return w.Flush()
	})
}

func place(name string, durable bool, write func(f *os.File) error) error {
	// A device is written to, not replaced. (A pipe that nobody reads would be waited for: it is
	// replaced.)
	if info, err := os.Stat(name); err == nil && info.Mode()&os.ModeDevice != 0 {
		return through(name, write)
	}
	f, err := createPart(name)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return replace(f, name, durable, write(f))
}

// through writes to what is no file.
func through(name string, write func(f *os.File) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err == nil {
		err = cmp.Or(write(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	return nil
}

// WriteFile puts a text in place as [WriteAtomic] does.
func WriteFile(name string, text []byte) error { return putText(name, true, text) }

// putText writes a text at once, without a buffer, whose pages are much of the time of a small run.
func putText(name string, durable bool, text []byte) error {
	return place(name, durable, func(f *os.File) error {
		_, err := f.Write(text)
		return err
	})
}

// Create writes a file that is not there yet; the error wraps fs.ErrExist if it is. One that was
// opened and could not be written is taken away.
func Create(name string, text []byte) (opened bool, err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return false, err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(name) // the fault is the news
	}
	return true, err
}

// WriteCase puts the case of a run into its folder, whole.
func WriteCase(dir string, text []byte) error {
	return putText(filepath.Join(dir, CaseFile), false, text)
}

// replace renames a temporary file to its final name, or removes it after a fault.
func replace(f *os.File, name string, durable bool, fault error) error {
	if fault == nil {
		fault = f.Chmod(0o644) // CreateTemp gives 0600
	}
	if fault == nil && durable {
		fault = disk.Sync(f)
	}
	if !locks { // there, what is open is not renamed; here, what is closed can be taken for stale
		fault = cmp.Or(fault, f.Close())
	}
	if fault == nil {
		fault = os.Rename(f.Name(), name)
	}
	if locks {
		fault = cmp.Or(fault, f.Close())
	}
	if fault != nil {
		discardPart(f.Name())
		return fmt.Errorf("table: %s: %w", name, fault)
	}
	keepPart(f.Name())
	if !durable {
		return nil
	}
	return syncDir(filepath.Dir(name))
}

// syncDir makes names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	if err = cmp.Or(disk.Sync(d), d.Close()); err != nil {
		return fmt.Errorf("table: %s: %w", dir, err)
	}
	return nil
}

// syncFiles makes files of a folder durable that were put there by [WriteWhole], those that are
// there.
func syncFiles(dir string, names ...string) error {
	for _, name := range names {
		f, err := regular.Append(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = cmp.Or(disk.Sync(f), f.Close())
		}
		if err != nil {
			return fmt.Errorf("table: %w", err)
		}
	}
	return nil
}

// syncNames makes the names in a folder durable, and its own where that may be new: out/name.
func syncNames(dir string) error {
	full, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	for k := range 3 {
		err := syncDir(full)
		if k > 0 && errors.Is(err, fs.ErrPermission) {
			return nil // it is not ours: nothing is new there
		}
		if err != nil {
			return err
		}
		full = filepath.Dir(full)
	}
	return nil
}
