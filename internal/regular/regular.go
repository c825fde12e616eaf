// Package regular opens files that somebody else may have put there, and refuses what only has the
// name of one: pipes, which wait for who writes to them, and devices and sockets, which may have no
// end. Folders are left to who reads: that fails at once.
//
// # Limits
//
// What takes the place of a file between the look at it and its opening is not noticed.
package regular

import (
	"errors"
	"io/fs"
	"os"

	"github.com/quasistatic/quasistatic/memory"
)

// ErrNotRegular is wrapped by the errors about pipes, devices and sockets.
var ErrNotRegular = errors.New("it is a pipe or a device, want a file")

// small is what any machine has the memory for [bytes].
const small = 1 << 20

// Check refuses a name that is not that of a file or a folder. A missing one is an error that
// wraps [fs.ErrNotExist].
func Check(name string) error {
	_, err := stat(name)
	return err
}

func stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	return info, err
}

// Open opens a file to read it.
func Open(name string) (*os.File, error) {
	if err := Check(name); err != nil {
		return nil, err
	}
	return os.Open(name)
}

// Append opens a file to read and write it, that is there.
func Append(name string) (*os.File, error) {
	if err := Check(name); err != nil {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDWR, 0)
}

// ReadFile reads a file whole, if that takes no more than the memory that is free; else the
// error is a [*memory.ExceededError].
func ReadFile(name string) ([]byte, error) {
	info, err := stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > small && !info.IsDir() {
		var need memory.Estimate
		need.Add("reading "+name, info.Size())
		if err := memory.Free().Check(need, ""); err != nil {
			return nil, &fs.PathError{Op: "read", Path: name, Err: err}
		}
	}
	return os.ReadFile(name)
}
