package table

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWritingTo: a folder that is held, one that was held a moment ago, one that was left.
func TestWritingTo(t *testing.T) {
	dir := t.TempDir()
	if _, known := locked(dir); !known {
		t.Skip("this system does not list locks")
	}
	name := filepath.Join(dir, TrajectoryFile)
	if err := os.WriteFile(name, []byte("t\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if w := WritingTo(dir); w != Written {
		t.Errorf("held: %v", w)
	}
	unlock()
	for _, c := range []struct {
		age  time.Duration // of the last change: an hour ahead is less than some seconds, however busy the machine
		want Writing
	}{{-time.Hour, Unknown}, {time.Minute, Abandoned}} {
		at := time.Now().Add(-c.age)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
		if w := WritingTo(dir); w != c.want {
			t.Errorf("given back, changed %v ago: %v", c.age, w)
		}
	}
	if w := WritingTo(filepath.Join(dir, "none")); w != Unknown {
		t.Errorf("no folder: %v", w)
	}
}

// TestWordsOfWriting: whether a folder is written to is said in a word.
func TestWordsOfWriting(t *testing.T) {
	if got := fmt.Sprint(Unknown, Written, Abandoned); got != "unknown written abandoned" {
		t.Error(got)
	}
}
