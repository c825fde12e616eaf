package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/quasistatic/quasistatic/internal/plain"
)

// TestSame: two writers to one file are one place, also where one cleans what it writes; a buffer is
// no place.
func TestSame(t *testing.T) {
	dir := t.TempDir()
	open := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	a, b := open("a"), open("b")
	again, err := os.Open(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if !Same(a, &plain.Writer{Writer: again}) || Same(a, b) || Same(a, new(bytes.Buffer)) || Same(new(bytes.Buffer), new(bytes.Buffer)) {
		t.Error("the places of writers")
	}
	if l := LookOf(a); l != (Look{}) || Of(a) != nil {
		t.Errorf("a file looks as %+v", l)
	}
}
