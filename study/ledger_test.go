package study

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLedgerIsAFile: what is no regular file is refused before it is opened, which for a pipe
// would wait for ever.
func TestLedgerIsAFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, LedgerFile), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := readRecords(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
}

// TestDamagedRecords: lines of the ledger in which bits have flipped are set aside and their runs
// made again, to the table of a folder that nothing happened to; the lines around them stay.
func TestDamagedRecords(t *testing.T) {
	dir := t.TempDir()
	made := 0
	o := Options{Dir: dir, Base: []byte(squareBase), Runner: square{runs: func(string) { made++ }}}
	if _, err := Run(t.Context(), squareStudy(t, 20), o); err != nil {
		t.Fatal(err)
	}
	table, text := read(t, dir, CSVFile), read(t, dir, LedgerFile)
	lines := bytes.SplitAfter(text, []byte("\n"))
	flip := func(line, at int) []byte { // of so many bytes in the line
		changed := bytes.Clone(text)
		start := len(bytes.Join(lines[:line], nil))
		changed[start+(at+len(lines[line]))%len(lines[line])] ^= 1
		return changed
	}
	for at := range len(lines[4]) - 1 { // any bit of a line
		if err := os.WriteFile(filepath.Join(dir, LedgerFile), flip(4, at), 0o666); err != nil {
			t.Fatal(err)
		}
		if known, err := Open(dir); err != nil || known.Damaged != 1 {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
	for name, c := range map[string]struct {
		text         []byte
		aside, again int
	}{
		"a digit":        {flip(4, 40), 1, 1},
		"the first byte": {flip(0, 0), 1, 1},
		"an end of line": {flip(7, -1), 1, 2},
		"the last line":  {flip(19, 9), 1, 1},
		"a strange line": {append([]byte("hello\n"), text...), 1, 0},
	} {
		if err := os.WriteFile(filepath.Join(dir, LedgerFile), c.text, 0o666); err != nil {
			t.Fatal(err)
		}
		if known, err := Open(dir); err != nil || known.Damaged != c.aside {
			t.Fatalf("%s: opened: %v", name, err)
		}
		made = 0
		got, err := Run(t.Context(), squareStudy(t, 20), o)
		if err != nil || made != c.again || got.Damaged != c.aside {
			t.Errorf("%s: %d runs made, %d lines damaged, %v; want %d and %d", name, made, got.Damaged, err, c.again, c.aside)
		}
		if !bytes.Equal(read(t, dir, CSVFile), table) {
			t.Errorf("%s: another table", name)
		}
		aside := read(t, dir, DamagedFile)
		if n := bytes.Count(aside, []byte("\n")); n != c.aside || !bytes.Contains(c.text, aside) {
			t.Errorf("%s: %d lines set aside: %q", name, n, aside)
		}
		if known, err := Open(dir); err != nil || known.Damaged != 0 {
			t.Errorf("%s: opened again: %v", name, err)
		}
		if err := os.Remove(filepath.Join(dir, DamagedFile)); err != nil {
			t.Fatal(err)
		}
	}
}
