package relay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/relay"
)

// TestSaveBounded: reports do not pile up; the last ones stay, and what is not one too.
func TestSaveBounded(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for k := range 50 {
		name := filepath.Join(dir, fmt.Sprintf("quasistatic-fault-%d.txt", k))
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1e9+k), 0)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "quasistatic.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := relay.Panic{Value: "x", Stack: []byte("stack")}
	last, removed := "", 0
	for range 5 {
		name, _, n, err := p.Save("head\n")
		if err != nil {
			t.Fatal(err)
		}
		last, removed = name, removed+n
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 21 || removed != 35 {
		t.Errorf("%d files are left, %d were removed, %v", len(left), removed, err)
	}
	for _, name := range []string{last, filepath.Join(dir, "quasistatic-fault-49.txt")} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}
