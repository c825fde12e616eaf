package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// textOf is a file of n lines.
func textOf(n int) []byte {
	var b bytes.Buffer
	for k := range n {
		fmt.Fprintf(&b, "%d,%.17g\n", k, float64(k)/7)
	}
	return b.Bytes()
}

// TestDamageIsFound changes files in all ways: the change is found, and where it begins
// lies between the bytes and in the lines that the error names.
func TestDamageIsFound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, n := range []int{1, 4, 50, 3000} {
		whole := textOf(n)
		d := newDigest()
		for rest := whole; len(rest) > 0; { // in pieces of any size
			k := min(len(rest), 1+random.IntN(200))
			_, _ = d.Write(rest[:k])
			rest = rest[k:]
		}
		sum := d.sum("x.csv")
		if sum.Bytes != int64(len(whole)) || len(sum.Checks) > crcDigits*mostChecks {
			t.Fatalf("%d lines: %d bytes, %d checks", n, sum.Bytes, len(sum.Checks)/crcDigits)
		}
		if back, err := sum.verify(bytes.NewReader(whole), "x.csv", true); err != nil || back.sum("x.csv") != sum {
			t.Errorf("%d lines, unchanged: %v", n, err)
		}
		longer := append(bytes.Clone(whole), "1,2\n"...)
		if back, err := sum.verify(bytes.NewReader(longer), "x.csv", false); err != nil || back.sum("x.csv") != sum {
			t.Errorf("%d lines, that went on: %v", n, err)
		}
		lines := bytes.SplitAfter(whole, []byte("\n"))
		for range 100 {
			k := random.IntN(n)
			at := random.IntN(len(whole))
			changed := bytes.Clone(whole)
			changed[at] ^= 1 << random.IntN(8)
			for what, text := range map[string][]byte{
				"a bit":          changed,
				"a line twice":   slicesOf(lines[:k+1], lines[k:]),
				"a line less":    slicesOf(lines[:k], lines[k+1:]),
				"cut":            whole[:at],
				"goes on":        longer,
				"of another run": textOf(n + 1)[3:],
			} {
				_, err := sum.verify(bytes.NewReader(text), "x.csv", true)
				x, ok := errors.AsType[*DamageError](err)
				if !ok {
					t.Fatalf("%d lines, %s at byte %d, line %d: %v", n, what, at, k, err)
				}
				first := 0
				for first < min(len(whole), len(text)) && whole[first] == text[first] {
					first++
				}
				line := 1 + bytes.Count(text[:first], []byte("\n"))
				if int64(first) < x.From || int64(first) > x.To || line < x.Line[0] || line > x.Line[1] {
					t.Errorf("%d lines, %s: byte %d, line %d, but found from %d to %d, lines %v", n, what, first, line,
						x.From, x.To, x.Line)
				}
				if width := x.To - x.From; width > max(finestCheck, int64(len(whole))/64) {
					t.Errorf("%d lines, %s: the place is %d bytes wide", n, what, width)
				}
			}
		}
	}
}

func slicesOf(a, b [][]byte) []byte { return append(bytes.Join(a, nil), bytes.Join(b, nil)...) }

// TestVerifyFolder: files of a run that is done must be whole; of one that was killed up
// to its checkpoint; of one that left no sums nothing is known.
func TestVerifyFolder(t *testing.T) {
	run := motionRun(t, 9)
	known, err := run.Verify(context.Background())
	if known || err != nil {
		t.Errorf("without sums: %v, %v", known, err)
	}
	s := Summary{Status: Done}
	for i := range run.layout.Sheets {
		x, err := run.sum(run.layout.Sheets[i].File)
		if err != nil {
			t.Fatal(err)
		}
		s.Files = append(s.Files, x)
	}
	if err := s.Write(run.Dir); err != nil {
		t.Fatal(err)
	}
	if known, err := run.Verify(context.Background()); !known || err != nil {
		t.Errorf("as written: %v, %v", known, err)
	}
	// In another format the text of the tables is the same.
	for _, format := range []Format{NPZ, Parquet, VTU} {
		to := NewFolder(t.TempDir(), run.layout)
		if _, err := run.Export(context.Background(), format, ExportOptions{To: to.Dir}); err != nil {
			t.Fatal(err)
		}
		for i := range run.layout.Sheets {
			if x := &run.layout.Sheets[i]; x.Stays {
				if err := CopyFile(to.Dir, x.File, x.inFolder(run.Dir)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if s.Files, err = to.Sums(s.Files...); err != nil {
			t.Fatal(err)
		}
		if err := s.Write(to.Dir); err != nil {
			t.Fatal(err)
		}
		if known, err := to.Verify(context.Background()); !known || err != nil {
			t.Errorf("%s: %v, %v", format, known, err)
		}
	}
	text := read(t, run.Dir, EnergiesFile)
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(run.Dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(EnergiesFile, text+"9,9\n")
	if _, err := run.Verify(context.Background()); err == nil ||
		!strings.Contains(err.Error(), "energies.csv: from byte") || !strings.Contains(err.Error(), "the file goes on") {
		t.Errorf("longer: %v", err)
	}
	// A run that was killed: what is behind the checkpoint does not count.
	half := Sum{}
	for cut := len(text) / 2; cut < len(text); cut++ {
		if text[cut-1] == '\n' {
			d := newDigest()
			_, _ = d.Write([]byte(text[:cut]))
			half = d.sum(EnergiesFile)
			break
		}
	}
	if err := WriteCheckpoint(run.Dir, CheckpointHead{Version: "1", Files: []Sum{half}}, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(run.Dir, SummaryFile)); err != nil {
		t.Fatal(err)
	}
	if known, err := run.Verify(context.Background()); !known || err != nil {
		t.Errorf("killed: %v, %v", known, err)
	}
	write(EnergiesFile, strings.Replace(text, ",", ";", 1))
	if _, err := run.Verify(context.Background()); err == nil || !strings.Contains(err.Error(), "from byte 0 on, line") {
		t.Errorf("killed and changed: %v", err)
	}
	if err := os.Remove(filepath.Join(run.Dir, EnergiesFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := run.Verify(context.Background()); err == nil || !strings.Contains(err.Error(), "the file is missing") {
		t.Errorf("killed and removed: %v", err)
	}
}

// TestClear: only empty folders and those of runs are cleared, and of these only what runs
// leave; names of folders are no patterns.
func TestClear(t *testing.T) {
	sum := strings.Repeat("0", 64)
	summary := fmt.Sprintf(`{"version": "1", "case_sha256": %q, "status": "done", "files": [{"file": "own.csv"}]}`, sum)
	for _, c := range []struct {
		name         string
		files        string // in the folder
		force        bool
		stay, refuse string
	}{
		{name: "empty"},
		{name: "parts of a killed program", files: ".x.part-1"},
		{name: "a run", files: "summary.json contacts.csv own.csv notes.txt final.vtu final.2.vtu final.02.vtu final.x.vtu trajectory.npz forces.parquet mine.parquet overview.svg",
			stay: "final.02.vtu final.x.vtu mine.parquet notes.txt summary.json"},
		{name: "foreign", files: "contacts.csv notes.txt", refuse: "contacts.csv, which would be lost", stay: "contacts.csv notes.txt"},
		{name: "foreign, other names", files: "notes.txt", refuse: `it has "notes.txt"; want`, stay: "notes.txt"},
		{name: "forced", files: "contacts.csv notes.txt", force: true, stay: "notes.txt summary.json"},
	} {
		for _, pattern := range []string{"a", "[a]", "*"} {
			top := t.TempDir()
			dir := filepath.Join(top, pattern)
			for _, at := range []string{dir, filepath.Join(top, "a")} {
				if err := os.MkdirAll(at, 0o777); err != nil {
					t.Fatal(err)
				}
				for _, f := range strings.Fields(c.files) {
					text := "mine"
					if f == SummaryFile {
						text = summary
					}
					if err := os.WriteFile(filepath.Join(at, f), []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			before := entriesOf(t, filepath.Join(top, "a"))
			_, err := Clear(dir, c.force, func() error { return os.WriteFile(filepath.Join(dir, SummaryFile), []byte(summary), 0o666) })
			if _, foreign := errors.AsType[*ForeignError](err); foreign != (c.refuse != "") || err != nil &&
				!strings.Contains(err.Error(), c.refuse) {
				t.Errorf("%s: %v", c.name, err)
			}
			want := c.stay
			if c.refuse == "" && !strings.Contains(want, SummaryFile) {
				want = SummaryFile
			}
			if got := entriesOf(t, dir); got != want {
				t.Errorf("%s: left %q, want %q", c.name, got, want)
			}
			if pattern != "a" && entriesOf(t, filepath.Join(top, "a")) != before {
				t.Errorf("%s: clearing %s changed its neighbour", c.name, pattern)
			}
		}
	}
}

// entriesOf are the names in a folder.
func entriesOf(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return strings.Join(list, " ")
}
