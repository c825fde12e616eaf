package table

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Writing says whether a program writes to a run folder.
type Writing uint8

// What is known.
const (
	Unknown   Writing = iota
	Written           // a program holds the lock of the folder
	Abandoned         // none does, and no file grew of late
)

func (w Writing) String() string { return [...]string{"unknown", "written", "abandoned"}[w] }

// quiet is the time after which a folder that nobody holds counts as abandoned: files grow
// every second, and a program that ends writes its summary last.
const quiet = 5 * time.Second

// WritingTo tells whether a program writes to a folder. It asks for no lock, so that a run
// that is about to begin is not refused. Where the system does not list locks it is
// unknown.
func WritingTo(dir string) Writing {
	held, known := locked(dir)
	switch {
	case !known:
		return Unknown
	case held:
		return Written
	case time.Since(newest(dir)) < quiet:
		return Unknown
	}
	return Abandoned
}

// newest is the time of the last change of a file of the tables in a folder.
func newest(dir string) (last time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return last
	}
	for _, e := range entries {
		var info fs.FileInfo
		if filepath.Ext(e.Name()) == ".csv" || e.Name() == SummaryFile || e.Name() == CheckpointFile {
			if info, err = e.Info(); err == nil && info.ModTime().After(last) {
				last = info.ModTime()
			}
		}
	}
	return last
}
