package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSealedRecords: a line of a ledger is refused when any bit of it is another; as it was
// written it gives the record back.
func TestSealedRecords(t *testing.T) {
	want := Record{ID: "d3b31228b106b1ba251e3a5f8d61e7a8", Version: "devel"}
	want.Message = "1.25 is not <= .0075 N, \"p\"\n"
	line, err := sealed(&want)
	if err != nil {
		t.Fatal(err)
	}
	var got Record
	if err := unseal(line, &got); err != nil || got.ID != want.ID || got.Message != want.Message {
		t.Fatalf("%v: %+v", err, got)
	}
	for i := range line {
		for bit := range 8 {
			changed := append([]byte(nil), line...)
			changed[i] ^= 1 << bit
			if err := unseal(changed, &got); err == nil {
				t.Fatalf("bit %d of byte %d changed: %q is taken", bit, i, changed)
			}
		}
	}
	for _, text := range []string{"\n", "{}\n", `{"id":"x"}` + "\n", `,"sum":"` + seal(nil) + "\"}\n"} {
		if err := unseal([]byte(text), &got); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

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
