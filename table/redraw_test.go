package table

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRedraw: archives that were exported into the folder of a run are sealed with it and are those
// that its tables make, of all rows and of every third; a byte of any of them, a file more and a
// file less is told by name.
func TestRedraw(t *testing.T) {
	for _, every := range []int{1, 3} {
		f := motionRun(t, 10)
		for _, format := range []Format{NPZ, Parquet, VTU} {
			if _, err := f.Export(t.Context(), format, ExportOptions{Every: every}); err != nil {
				t.Fatal(err)
			}
		}
		known, err := f.Verify(t.Context())
		place, fault := f.Redraw(t.Context())
		if !known || err != nil || place != "" || fault != nil {
			t.Fatalf("every %d: sealed %t, %v, %q, %v", every, known, err, place, fault)
		}
		folder := filepath.Join(f.Dir, vtuFolder(VTU.File()))
		drawn, err := os.ReadDir(folder)
		if err != nil || len(drawn) < 3 {
			t.Fatalf("%d files, %v", len(drawn), err)
		}
		for _, name := range []string{NPZ.File(), Parquet.File(), VTU.File(), filepath.Join(filepath.Base(folder), drawn[1].Name())} {
			full := filepath.Join(f.Dir, name)
			text, err := os.ReadFile(full)
			if err != nil {
				t.Fatal(err)
			}
			changed := append([]byte(nil), text...)
			changed[len(changed)/2] ^= 1
			if err := os.WriteFile(full, changed, 0o666); err != nil {
				t.Fatal(err)
			}
			if place, err := f.Redraw(t.Context()); err != nil || !strings.HasPrefix(place, name+" is another one from byte") {
				t.Errorf("%s changed: %q, %v", name, place, err)
			}
			if _, err := f.Verify(t.Context()); err == nil || !strings.Contains(err.Error(), filepath.Base(name)) {
				t.Errorf("%s changed, its sum: %v", name, err)
			}
			if err := os.WriteFile(full, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		more := filepath.Join(folder, "more.vtu")
		if err := os.WriteFile(more, []byte("<VTKFile/>"), 0o666); err != nil {
			t.Fatal(err)
		}
		if place, err := f.Redraw(t.Context()); err != nil || !strings.Contains(place, "files, want") {
			t.Errorf("one more: %q, %v", place, err)
		}
		if err := os.Remove(more); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(filepath.Join(folder, drawn[0].Name())); err != nil {
			t.Fatal(err)
		}
		if place, err := f.Redraw(t.Context()); err != nil || !strings.HasSuffix(place, " is missing") {
			t.Errorf("one less: %q, %v", place, err)
		}
	}
}

// TestDevice: a device is written to and stays what it is, and its fault names it; a file is
// replaced.
func TestDevice(t *testing.T) {
	name := filepath.Join(t.TempDir(), "full")
	if err := os.Symlink("/dev/full", name); err != nil {
		t.Skip(err) // no links here
	}
	if _, err := os.Stat(name); err != nil {
		t.Skip(err) // no such device here
	}
	if err := WriteFile(name, []byte("x")); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("%v", err)
	}
	if to, err := os.Readlink(name); err != nil || to != "/dev/full" {
		t.Errorf("the device is replaced: %s, %v", to, err)
	}
}
