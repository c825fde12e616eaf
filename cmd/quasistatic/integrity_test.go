package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// TestDamagedFiles changes each file of finished runs: every command that reads it says
// which file and where, and none goes on with it.
func TestDamagedFiles(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for _, name := range []string{"play", "pressed-ball", "block-impact"} {
		dir := filepath.Join(t.TempDir(), "run")
		mustRun(t, "run", small(name), "--out", dir, "--quiet", "--no-picture")
		s, err := table.ReadSummary(dir)
		if err != nil || len(s.Files) < 4 {
			t.Fatalf("%s: %v, %d sums", name, err, len(s.Files))
		}
		for k, f := range s.Files {
			text := read(t, dir, f.File)
			last := strings.LastIndexByte(text[:len(text)-1], '\n') + 1
			for i, damage := range []struct{ what, text string }{
				{"a bit", text[:len(text)/2] + string(text[len(text)/2]^1) + text[len(text)/2+1:]},
				{"line twice", text + text[last:]},
				{"empty", ""},
			} {
				if !thorough.Asked() && i != k%3 {
					continue // one a file, in turn
				}
				what := damage.what
				write(t, damage.text, dir, f.File)
				for j, args := range [][]string{{"report", dir},
					{"export", dir, "--format", "npz", "--out", t.TempDir()}, {"compare", "--column", "x", dir},
					{"film", dir}, {"run", "--resume", dir}} {
					if !thorough.Asked() && (j+k)%5 > 1 {
						continue // two commands a file, in turn
					}
					if code, _, stderr := qs(args...); code != exitInput || !strings.Contains(stderr, f.File+": from byte") {
						t.Errorf("%s, %s: %s: %s: exit %d\n%s", name, f.File, what, args[0], code, stderr)
					}
				}
				if code, _, stderr := qs("diagnose", "-v", dir, "--quiet"); code == exitDone ||
					!strings.Contains(stderr, ".csv") && !strings.Contains(stderr, f.File) {
					t.Errorf("%s, %s: %s: diagnose: exit %d\n%s", name, f.File, what, code, stderr)
				}
			}
			write(t, text, dir, f.File)
		}
		mustRun(t, "diagnose", "-v", dir, "--quiet")
	}
}

// TestResumeDamaged changes a bit before the mark of a run that was stopped.
func TestResumeDamaged(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"play", "pressed-ball", "block-impact"} {
		c, err := open(small(name))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "run")
		j, err := newTask(c, dir)
		if err != nil {
			t.Fatal(err)
		}
		stopAt(t, j, 10)
		for _, file := range []string{table.TrajectoryFile, table.ForcesFile, table.CertificatesFile} {
			text := read(t, dir, file)
			at := strings.IndexByte(text, '\n') + 3
			write(t, text[:at]+string(text[at]^1)+text[at+1:], dir, file)
			if code, _, stderr := qs("run", "--resume", dir, "--quiet"); code != exitInput ||
				!strings.Contains(stderr, file+": from byte") {
				t.Errorf("%s, %s: exit %d\n%s", name, file, code, stderr)
			}
			write(t, text, dir, file)
		}
	}
}

// TestForeignFolder: a folder that is no run keeps its files, unless it is forced.
func TestForeignFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "[mine]")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{table.ContactsFile, "notes.txt", table.CaseFile} {
		write(t, "mine", dir, name)
	}
	code, _, stderr := qs("run", small("play"), "--out", dir, "--quiet", "--no-picture")
	if code != exitInput || !strings.Contains(stderr, "--force") || !strings.Contains(stderr, table.ContactsFile) {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	for _, name := range []string{table.ContactsFile, "notes.txt", table.CaseFile} {
		if read(t, dir, name) != "mine" {
			t.Errorf("%s was touched", name)
		}
	}
	code, _, stderr = qs("run", small("play"), "--out", dir, "--no-picture", "--force")
	if code != exitDone || !strings.Contains(stderr, "case.json, contacts.csv") || read(t, dir, "notes.txt") != "mine" {
		t.Errorf("--force: exit %d\n%s", code, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, table.ContactsFile)); err == nil {
		t.Error("--force left contacts.csv of another time")
	}
	mustRun(t, "run", small("play"), "--out", dir, "--quiet", "--no-picture") // a run by now
}
