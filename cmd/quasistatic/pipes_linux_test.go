package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// TestPipes: a pipe in place of any file of a run, in any format, or of a study, at which a command
// that opened it would wait for ever: each command goes without the file, or says that it is none.
func TestPipes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	mustRun(t, "run", "play", "--set", "steps=12", "--set", "expect=[]", "--accuracy", ".9", "--out", at("csv"), "--quiet", "--no-picture")
	for _, format := range []string{"npz", "parquet", "vtu"} {
		if err := os.CopyFS(at(format), os.DirFS(at("csv"))); err != nil {
			t.Fatal(err)
		}
		mustRun(t, "export", at(format), "--format", format, "--quiet")
	}
	mustRun(t, "sweep", write(t, `{"case": "play", "expect": false, "vary": {"steps": [12]}, "observe": ["dissipation"]}`,
		dir, "s.json"), "--accuracy", ".9", "--out", at("study"), "--quiet")
	ofRun := [][]string{{"diagnose", "DIR"}, {"report", "DIR"}, {"export", "DIR", "--format", "csv", "--out", at("e")},
		{"run", "--resume", "DIR"},
		{"film", "DIR", "--strip"}, {"compare", "DIR", "DIR", "--column", "p.x", "--out", at("c.svg")},
		{"check", "DIR/case.json"}, {"diagnose", "--case", "DIR/case.json", "--trajectory", "DIR/trajectory.csv"}}
	ofStudy := [][]string{{"study", "DIR"}, {"sweep", at("s.json"), "--accuracy", ".9", "--out", "DIR", "--quiet"}}
	folders := map[string][][]string{"csv": ofRun[:4], "study": ofStudy[:1]}
	if thorough.Asked() {
		folders = map[string][][]string{"csv": ofRun, "npz": ofRun, "parquet": ofRun, "vtu": ofRun, "study": ofStudy}
	}
	for name, commands := range folders {
		files, err := os.ReadDir(at(name))
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for _, f := range append(files, checkpointEntry{}) {
			if !f.Type().IsRegular() || strings.HasPrefix(f.Name(), "trajectory_") && !strings.HasSuffix(f.Name(), "_0.vtu") {
				continue
			}
			for _, args := range commands {
				work := filepath.Join(t.TempDir(), "run")
				pipe := filepath.Join(work, f.Name())
				if err := errors.Join(os.CopyFS(work, os.DirFS(at(name))), os.RemoveAll(pipe), syscall.Mkfifo(pipe, 0o666)); err != nil {
					t.Fatal(err)
				}
				words := make([]string, len(args))
				for i, a := range args {
					words[i] = strings.Replace(a, "DIR", work, 1)
				}
				code, stdout, stderr := qs(words...)
				if code == exitFault {
					t.Errorf("%s of %s, %v: %s%s", f.Name(), name, args, stdout, stderr)
				}
				if strings.Contains(stderr, "pipe") {
					refused++
				}
			}
		}
		if refused < len(commands) {
			t.Errorf("%s: %d commands of %d refused something", name, refused, len(commands))
		}
	}
}

// checkpointEntry stands for a file that a run which is done does not have.
type checkpointEntry struct{ os.DirEntry }

func (checkpointEntry) Name() string      { return table.CheckpointFile }
func (checkpointEntry) Type() os.FileMode { return 0 }
