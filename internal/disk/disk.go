// Package disk makes files and folders durable. Everything that a run says to be on the disk
// passes through Sync, so that a test can keep what a failure of power would leave: the
// contents of files at their last Sync, under the names that their folders had at theirs.
package disk

import (
	"os"
	"runtime"
	"sync/atomic"
)

var watcher atomic.Pointer[func(f *os.File)]

// Sync makes a file, or the names in a folder, durable. Windows flushes no folder that is open to
// read, and journals names itself.
func Sync(f *os.File) error {
	err := f.Sync()
	if err != nil && runtime.GOOS == "windows" {
		if info, other := f.Stat(); other == nil && info.IsDir() {
			err = nil
		}
	}
	if see := watcher.Load(); see != nil && err == nil {
		(*see)(f)
	}
	return err
}

// Watch shows each file and folder that was made durable, until stop is called. One watches at a
// time.
func Watch(see func(f *os.File)) (stop func()) {
	watcher.Store(&see)
	return func() { watcher.Store(nil) }
}
