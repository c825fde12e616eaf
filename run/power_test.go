package run_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/disk"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// lossy keeps what a file system that drops all that was not synced would have: contents of files
// as they were at their last sync, apart from the names that folders had at theirs.
type lossy struct {
	sync.Mutex
	root  string
	files []inode
	names map[string][]entry // by folder
	cuts  []map[string]string
}

type inode struct {
	info os.FileInfo
	text string
}

type entry struct {
	name string
	info os.FileInfo
}

func (l *lossy) see(f *os.File) {
	l.Lock()
	defer l.Unlock()
	info, err := f.Stat()
	if err != nil || !strings.HasPrefix(f.Name(), l.root) {
		return
	}
	if info.IsDir() {
		var list []entry
		entries, _ := os.ReadDir(f.Name())
		for _, e := range entries {
			if i, err := e.Info(); err == nil {
				list = append(list, entry{e.Name(), i})
			}
		}
		l.names[f.Name()] = list
	} else {
		text, _ := os.ReadFile(f.Name())
		k := slices.IndexFunc(l.files, func(x inode) bool { return os.SameFile(x.info, info) })
		if k < 0 {
			l.files = append(l.files, inode{info, string(text)})
		} else {
			l.files[k].text = string(text)
		}
	}
	l.cuts = append(l.cuts, l.left())
}

// left is what is there after a failure of power now: files with their texts, by path.
func (l *lossy) left() map[string]string {
	left := map[string]string{}
	var walk func(dir string)
	walk = func(dir string) {
		for _, e := range l.names[dir] {
			name := filepath.Join(dir, e.name)
			if e.info.IsDir() {
				walk(name)
				continue
			}
			k := slices.IndexFunc(l.files, func(x inode) bool { return os.SameFile(x.info, e.info) })
			left[strings.TrimPrefix(name, l.root+"/")] = "" // its data were never synced
			if k >= 0 {
				left[strings.TrimPrefix(name, l.root+"/")] = l.files[k].text
			}
		}
	}
	walk(l.root)
	return left
}

// TestPowerLoss cuts the power at every sync of a run with checkpoints, which is wherever what is
// left changes: from the first checkpoint on the run goes on from what is left to the same files,
// and when the run has said that it is done all of it is there.
func TestPowerLoss(t *testing.T) {
	thorough.Seconds(t)
	root := t.TempDir()
	l := &lossy{root: root, names: map[string][]entry{}}
	defer disk.Watch(l.see)()
	dir := filepath.Join(root, "out", "drop")
	j := task(t, dir)
	j.Pause = time.Microsecond
	saved := 0
	j.OnStep = func(step int) {
		switch {
		case step == 1:
			time.Sleep(1100 * time.Millisecond) // a run of less than a second promises nothing
		case step == 12:
			j.Pause = time.Hour // some are enough
			saved = len(l.cuts)
		}
	}
	if err := j.Run(t.Context()); err != nil || j.Summary.Status != table.Done {
		t.Fatalf("%v, %s", err, j.Summary.Message)
	}
	disk.Watch(func(*os.File) {})()
	t.Logf("%d syncs, %d of them by step 12; %d files", len(l.cuts), saved, len(j.Summary.Files))
	begun := false
	for k, cut := range l.cuts {
		if !thorough.Asked() && k%9 > 0 && k < len(l.cuts)-4 {
			continue
		}
		to := t.TempDir()
		for name, text := range cut {
			file := filepath.Join(to, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		to = filepath.Join(to, "out", "drop")
		_, there := cut["out/drop/"+table.CheckpointFile]
		begun = begun || there
		last := k == len(l.cuts)-1
		if !there && !last {
			if s, err := table.ReadSummary(to); err == nil && s.Status == table.Done && begun {
				t.Errorf("cut %d: done, and without a checkpoint", k)
			}
			continue
		}
		c := decoded(t)
		s, err := run.ReadSummary(to, c)
		if err != nil {
			t.Errorf("cut %d: %v", k, err)
			continue
		}
		again := task(t, to)
		err = again.Resume(s)
		if err == nil {
			again.OnStep = nil
			err = again.Run(t.Context())
		}
		if err != nil && !errors.Is(err, run.ErrComplete) {
			t.Errorf("cut %d: %v", k, err)
			continue
		}
		if last && !errors.Is(err, run.ErrComplete) {
			t.Error("what was said to be done is not")
		}
		if !slices.Equal(again.Summary.Files, j.Summary.Files) {
			t.Errorf("cut %d: other files", k)
		}
	}
	if !begun {
		t.Error("no checkpoint was ever on the disk")
	}
}
