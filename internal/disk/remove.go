package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// RemoveAll is [os.RemoveAll], and on Windows does without what that asks of a file system: some
// drives there, and wine 8, answer it with "Invalid function".
func RemoveAll(path string) error {
	err := os.RemoveAll(path)
	if err == nil || runtime.GOOS != "windows" {
		return err
	}
	return RemoveEach(path)
}

// RemoveEach removes what is below a path one by one, and then that.
func RemoveEach(path string) error {
	var list []string
	err := filepath.WalkDir(path, func(name string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		list = append(list, name)
		return err
	})
	for _, name := range slices.Backward(list) { // what is in a folder before that
		if e := os.Remove(name); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
