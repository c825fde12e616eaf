package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	builtin "github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/processor"
	"github.com/quasistatic/quasistatic/internal/thorough"
)

var remake = flag.Bool("remake", false, "write the hashes of the tables anew: with the reason in CHANGELOG.md")

// goldenFile has the SHA-256 of every table of every case, as sha256sum prints them.
const goldenFile = "testdata/csv.sha256"

// TestGolden compares the bytes of all tables with those that were made before: a change
// of the application leaves them, and who changes numbers on purpose remakes the list.
func TestGolden(t *testing.T) {
	t.Parallel()
	if processor.Kind() != processor.Rounded {
		t.Skip("the list is of programs that round each operation: go test -gcflags=all=-d=fmahash=qn")
	}
	names := affordable()
	if *remake {
		names = builtin.Names()
	}
	want := goldenHashes(t)
	var lines []string
	for _, name := range names {
		dir, r := ended(name)
		if r.code == exitInput {
			t.Fatalf("%s: %s", name, r.stderr)
		}
		tables, err := filepath.Glob(filepath.Join(dir, "*.csv"))
		if err != nil || len(tables) == 0 {
			t.Fatalf("%s: no tables: %v", name, err)
		}
		for _, table := range tables {
			sum := sha256.Sum256([]byte(read(t, table)))
			key, found := name+"/"+filepath.Base(table), hex.EncodeToString(sum[:])
			lines = append(lines, fmt.Sprintf("%s  %s\n", found, key))
			if want[key] != found && !*remake {
				t.Errorf("%s: SHA-256 %.12s…, want %.12s…: go test ./cmd/quasistatic -run TestGolden -remake, if that is meant",
					key, found, want[key])
			}
		}
	}
	if thorough.Asked() && len(lines) != len(want) && !*remake {
		t.Errorf("%d tables, want %d", len(lines), len(want))
	}
	if *remake {
		if err := os.WriteFile(goldenFile, []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// goldenHashes reads the list, by case and file.
func goldenHashes(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list := map[string]string{}
	for s := bufio.NewScanner(f); s.Scan(); {
		sum, file, ok := strings.Cut(s.Text(), "  ")
		if !ok {
			t.Fatalf("%s: %q, want a sum and a name", goldenFile, s.Text())
		}
		list[file] = sum
	}
	return list
}
