package table

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAgainst compares rows with those of a folder: the same ones, and a folder with one
// fault of each kind, of which the place is told.
func TestAgainst(t *testing.T) {
	for _, c := range []struct {
		name, file string
		change     func(text string) string
		want       string
	}{
		{"the same", "", nil, ""},
		{"a cell", TrajectoryFile, func(s string) string { return strings.Replace(s, "\n1,4\n", "\n1,4.5\n", 1) },
			"trajectory.csv:4: t=1, column a.x is 4.5 and not 4"},
		{"the sign of zero", EnergiesFile, func(s string) string { return strings.Replace(s, "-0", "0", 1) },
			"energies.csv:2: t=0, column loads is 0 and not -0"},
		{"a word", ContactsFile, func(s string) string { return strings.Replace(s, "floor", "roof", 1) },
			"contacts.csv:2: t=0, column b is roof and not floor"},
		{"a row less", TrajectoryFile, func(s string) string { return strings.TrimSuffix(s, "1.75,7\n") },
			"trajectory.csv:6: t=1.75, there is no such line"},
		{"a row more", EventsFile, func(s string) string { return s + "9,a,b,c\n" }, "events.csv:10: t=9, there should be no such line"},
		{"no events", EventsFile, nil, "events.csv:2: t=0, there is no such line"},
	} {
		dir := t.TempDir()
		w, err := Start(dir, runLayout, Options{Every: 2})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 0, 7)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if name := filepath.Join(dir, c.file); c.change != nil {
			text, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(name, []byte(c.change(string(text))), 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		} else if c.file != "" {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		if w, err = Against(NewFolder(dir, runLayout), Options{Every: 2}, nil); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 0, 7)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got := ""
		if list := w.Differences(); len(list) == 1 {
			got = list[0].String()
		} else if len(list) > 1 {
			t.Errorf("%s: %d files differ", c.name, len(list))
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		apart, extent := w.Apart()
		if want := map[bool]float64{true: 0.5, false: 0}[c.name == "a cell"]; apart != want || extent != 7 {
			t.Errorf("%s: apart %g of %g, want %g of 7", c.name, apart, extent, want)
		}
	}
	if _, err := Against(NewFolder(t.TempDir(), runLayout), Options{}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestNear compares rows of another processor with those of a folder: last digits are near, a word,
// a row, a time and a number that is off by more are told, and columns that are set apart count.
func TestNear(t *testing.T) {
	near := &Near{Part: 1e-6, Time: 1e-3, Apart: func(column string) bool { return column == "loads" }}
	for _, c := range []struct{ name, file, old, made, want string }{
		{"last digits", TrajectoryFile, "\n1,4\n", "\n1,4.000000001\n", ""},
		{"next to nothing beside the largest", EnergiesFile, "\n0.5,4,-2\n", "\n0.5,4.00001,-2\n", ""},
		{"a cell", TrajectoryFile, "\n1,4\n", "\n1,4.1\n", "trajectory.csv:4: t=1, column a.x is 4.1 and not 4"},
		{"a cell that is no number", TrajectoryFile, "\n1,4\n", "\n1,four\n", "trajectory.csv:4: t=1, column a.x is four and not 4"},
		{"set apart", EnergiesFile, "\n1,16,-4\n", "\n1,16,-44\n", ""},
		{"a time near", EventsFile, "\n0.25,", "\n0.25001,", ""},
		{"a time", EventsFile, "\n0.25,", "\n0.26,", "events.csv:3: t=0.25, column t is 0.26 and not 0.25"},
		{"a word", EventsFile, "open", "closed", "events.csv:2: t=0, column from is closed and not open"},
		{"a cell more", TrajectoryFile, "\n1,4\n", "\n1,4,4\n", "trajectory.csv:4: t=1, column  is 1,4,4 and not 1,4"},
		{"a row less", TrajectoryFile, "1.75,7\n", "", "trajectory.csv:6: t=1.75, there is no such line"},
	} {
		dir := t.TempDir()
		w, err := Start(dir, runLayout, Options{Every: 2})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 0, 7)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, c.file)
		text, err := os.ReadFile(name)
		if changed := strings.Replace(string(text), c.old, c.made, 1); err != nil || changed == string(text) {
			t.Fatalf("%s: %v, nothing changed in\n%s", c.name, err, text)
		} else if err := os.WriteFile(name, []byte(changed), 0o666); err != nil {
			t.Fatal(err)
		}
		if w, err = Against(NewFolder(dir, runLayout), Options{Every: 2}, near); err != nil {
			t.Fatal(err)
		}
		steps(t, w, 0, 7)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		list, apart := w.Far(1e-6)
		got := ""
		if len(list) == 1 {
			got = list[0].String()
		}
		if len(list) > 1 || got != c.want || apart != 1 {
			t.Errorf("%s: %q in %d files, %d columns apart; want %q, 1", c.name, got, len(list), apart, c.want)
		}
	}
}

// TestNearInAnyOrder: events whose times are the same but for rounding are the same in any order; another one of them, or
// those of two times that are told apart, is a difference. By how much a time is off has the rounding of the time.
func TestNearInAnyOrder(t *testing.T) {
	type event struct {
		t      float64
		name   string
		within float64
	}
	layout := *runLayout
	layout.Sheets = slices.Clone(layout.Sheets)
	for i := range layout.Sheets {
		if s := &layout.Sheets[i]; s.File == EventsFile {
			s.Columns = []string{"within"}
		}
	}
	for _, c := range []struct {
		found, made []event
		want        string
	}{
		{[]event{{1, "a", 0}, {1, "b", 0}, {2, "a", 0}}, []event{{1 - 1e-15, "b", 0}, {1, "a", 0}, {2, "a", 0}}, ""},
		{[]event{{1, "a", 0}, {1, "b", 0}, {1, "c", 0}}, []event{{1, "c", 0}, {1, "a", 0}, {1, "b", 0}}, ""},
		{[]event{{1, "a", 1e-13}}, []event{{1, "a", 2e-13}}, ""},
		{[]event{{1, "a", 1e-3}}, []event{{1, "a", 2e-3}}, "events.csv:2: t=1, column within is 0.001 and not 0.002"},
		{[]event{{1, "a", 0}, {1, "b", 0}}, []event{{1, "a", 0}, {1, "c", 0}},
			"events.csv:3: t=1, column body is b and not c"},
		{[]event{{1, "a", 0}, {1.0001, "b", 0}}, []event{{1, "b", 0}, {1.0001, "a", 0}},
			"events.csv:2: t=1, column body is a and not b"},
		{[]event{{1, "a", 0}, {1, "b", 0}, {1, "b", 0}}, []event{{1, "b", 0}, {1, "a", 0}},
			"events.csv:4: t=1, there should be no such line"},
	} {
		dir := t.TempDir()
		write := func(w *Tables, err error, list []event) *Tables {
			for _, x := range list {
				err = errors.Join(err, w.Write(EventsFile, x.t, []string{x.name, "open", "stick"}, x.within))
			}
			if err = errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			return w
		}
		w, err := Start(dir, &layout, Options{})
		write(w, err, c.found)
		near := &Near{Part: 1e-6, Time: 1e-2, Apart: func(string) bool { return false }}
		w, err = Against(NewFolder(dir, &layout), Options{}, near)
		got := ""
		if list, _ := write(w, err, c.made).Far(1e-8); len(list) > 0 {
			got = list[0].String()
		}
		if got != c.want {
			t.Errorf("%v for %v: %q, want %q", c.found, c.made, got, c.want)
		}
	}
}
