package table

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteAtomic puts a file in place as a whole: it is written beside the name,
// synced, and renamed. After an error, or a crash, the name holds what it held. What a
// program that was killed left beside it is taken away.
func WriteAtomic(name string, fill func(w io.Writer) error) error {
	f, err := createPart(name)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<16)
	err = fill(w)
	if err == nil {
		err = w.Flush()
	}
	return replace(f, name, err)
}

// WriteFile puts a text in place as [WriteAtomic] does.
func WriteFile(name string, text []byte) error {
	return WriteAtomic(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// replace renames a temporary file to its final name, or removes it after a fault.
func replace(f *os.File, name string, fault error) error {
	if fault == nil {
		fault = f.Chmod(0o644) // CreateTemp gives 0600
	}
	if fault == nil {
		fault = f.Sync()
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
	return syncDir(filepath.Dir(name))
}

// syncDir makes names in a folder durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("table: %w", err)
	}
	err = d.Sync()
	if e := d.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("table: %s: %w", dir, err)
	}
	return nil
}
