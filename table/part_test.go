package table

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestStaleParts: what a killed writer of the same file left goes when it is written again;
// the temporary file of one that writes now stays, and so does one of another name.
func TestStaleParts(t *testing.T) {
	if !locks {
		t.Skip("this system has no locks")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "[f]*.svg")
	for _, stale := range []string{".[f]*.svg.part-1", ".[f]*.svg.part-22", ".other.svg.part-1", ".f.svg.part-1"} {
		if err := os.WriteFile(filepath.Join(dir, stale), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	living, err := createPart(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	if got, want := entriesOf(t, dir), strings.Join([]string{filepath.Base(living.Name()), ".f.svg.part-1",
		".other.svg.part-1", "[f]*.svg"}, " "); got != want {
		t.Errorf("left %q, want %q", got, want)
	}
	if err := ClearParts(dir); err != nil {
		t.Fatal(err)
	}
	if got, want := entriesOf(t, dir), filepath.Base(living.Name())+" [f]*.svg"; got != want {
		t.Errorf("cleared to %q, want %q", got, want)
	}
	if err := replace(living, name, true, nil); err != nil {
		t.Fatal(err)
	}
	if got := entriesOf(t, dir); got != "[f]*.svg" {
		t.Errorf("at the end %q", got)
	}
}

// TestDiscardParts kills a process amid a file, a folder and a table: nothing is left, and
// what had the name before still has it. The process is this test again.
func TestDiscardParts(t *testing.T) {
	if dir := os.Getenv("TABLE_DISCARD"); dir != "" {
		_, err := createPartFolder(dir, "nodes")
		_, errTable := createPart(filepath.Join(dir, "t.parquet"))
		err = errors.Join(err, errTable, WriteAtomic(filepath.Join(dir, "film"), func(w io.Writer) error {
			_, err := w.Write(make([]byte, 1<<20))
			go WriteFile(filepath.Join(dir, "late"), nil) // before or after: whole, or not there
			if err == nil {
				DiscardParts()
				os.Exit(7)
			}
			return err
		}))
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := WriteFile(filepath.Join(dir, "film"), []byte("earlier")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "-test.run", "^TestDiscardParts$")
	c.Env = append(os.Environ(), "TABLE_DISCARD="+dir)
	text, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 7 {
		t.Fatalf("%v: %s", err, text)
	}
	if got := strings.TrimSuffix(entriesOf(t, dir), " late"); got != "film" {
		t.Errorf("left %q", got)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "film")); string(text) != "earlier" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestExchange: a folder takes the name of another, which is kept until then.
func TestExchange(t *testing.T) {
	dir := t.TempDir()
	final := filepath.Join(dir, "final")
	for _, text := range []string{"first", "second"} {
		made, err := createPartFolder(dir, "x")
		if err == nil {
			err = os.WriteFile(filepath.Join(made, text), nil, 0o600)
		}
		if err == nil {
			err = exchange(made, final)
		}
		if err != nil {
			t.Fatal(err)
		}
		discardPart(made)
		if entriesOf(t, dir) != "final" || entriesOf(t, final) != text {
			t.Errorf("%s: %q with %q", text, entriesOf(t, dir), entriesOf(t, final))
		}
	}
	if err := exchange(filepath.Join(dir, "none"), final); err == nil || entriesOf(t, final) != "second" {
		t.Errorf("a folder that is not there: %v, left %q", err, entriesOf(t, final))
	}
}
