package table

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func read(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestReaderErrors(t *testing.T) {
	const good = "t,a.x,a.y,a.z\n"
	for _, c := range []struct{ text, want string }{
		{"", "f.csv:1: the file is empty"},
		{"time,a.x,a.y,a.z\n", `f.csv:1: the first column is "time", want t`},
		{"t,a.x,a.y\n", `f.csv:1: the column "a.z" is missing`},
		{"t,a.x,a.y,a.z,a.x\n", `f.csv:1: column "a.x" occurs twice`},
		{"t,a.x,a.y,a.w\n", `f.csv:1: column 4 is "a.w", which the case does not have; the nearest one is "a.x"`},
		{"t,a.x,a.y,a.z,velocity\n", `f.csv:1: column 5 is "velocity", which the case does not have, want columns like a.x`},
		{good + "0,1,2\n", "f.csv:2: found 3 values, want 4"},
		{good + "0,1,2,3\n\n1,1,2,inf\n", `f.csv:4: value 4 is "inf", want a finite number`},
		{good + "0,1,2,x\n", `f.csv:2: value 4 is "x", want a finite number`},
		{good + "1,1,2,3\n0.5,1,2,3\n", "f.csv:3: the time 0.5 follows 1, want times that do not decrease"},
		{good + "1,1,2,3\n" + strings.Repeat("0", 1<<20+200), "f.csv: line 3 has more than 1048704 bytes"},
	} {
		r, err := NewReader(strings.NewReader(c.text), "f.csv", []string{"a"})
		for err == nil {
			_, _, err = r.Next()
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
	// Foreign dialects: a mark, spaces, Windows line ends, columns in another order, no end of
	// line.
	r, err := NewReader(strings.NewReader("\uFEFFt, a.z, a.x, a.y\r\n0, 3, 1, 2\r\n.5,6,4,5"), "f.csv", []string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range [][]float64{{0, 1, 2, 3}, {0.5, 4, 5, 6}} {
		tk, x, err := r.Next()
		if err != nil || tk != want[0] || x[0] != want[1] || x[1] != want[2] || x[2] != want[3] {
			t.Errorf("node %d: %g %v, error %v", k, tk, x, err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add("t,a.x,a.y,a.z\n0,1,2,3\n")
	f.Add("\uFEFFt,a.x\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := NewReader(strings.NewReader(text), "f.csv", []string{"a"})
		for err == nil {
			var x []float64
			if _, x, err = r.Next(); err == nil && math.IsNaN(x[0]+x[1]+x[2]) && !math.IsInf(x[0]+x[1], 0) {
				t.Errorf("x = %v", x)
			}
		}
	})
}

// TestThinning: every n-th row and the last one are written.
func TestThinning(t *testing.T) {
	for _, c := range []struct{ every, last, rows int }{{1, 10, 11}, {3, 10, 5}, {3, 9, 4}, {100, 10, 2}, {100, 0, 1}} {
		dir := t.TempDir()
		w, err := Start(dir, runLayout, Options{Every: c.every})
		if err != nil {
			t.Fatal(err)
		}
		steps(t, w, 0, c.last)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{TrajectoryFile, EnergiesFile} {
			if rows := strings.Count(read(t, dir, f), "\n") - 1; rows != c.rows {
				t.Errorf("every %d of %d: %s has %d rows, want %d", c.every, c.last, f, rows, c.rows)
			}
		}
	}
}

// TestFlushesWithinASecond: a second after a row, by the clock of the test, the row is in the
// file; before it is not.
func TestFlushesWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		w, err := Start(dir, runLayout, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close() // what matters was read before
		steps(t, w, 0, 0)
		for _, c := range []struct {
			wait  time.Duration
			lines int
		}{{900 * time.Millisecond, 1}, {200 * time.Millisecond, 2}} {
			time.Sleep(c.wait)
			synctest.Wait()
			if text := read(t, dir, TrajectoryFile); strings.Count(text, "\n") != c.lines {
				t.Errorf("want %d lines: %q", c.lines, text)
			}
		}
	})
}

// TestNotFinite: tables of results refuse numbers that are none; of tables that stay CSV the
// first is told.
func TestNotFinite(t *testing.T) {
	w, err := Start(t.TempDir(), runLayout, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close() // what matters was looked at
	if err := w.Row(0, 0, []float64{0}, []float64{math.Inf(1), 0}); err != nil || w.NotFinite() == nil ||
		!strings.Contains(w.NotFinite().Error(), "energies.csv: column kinetic at t=0 is +Inf") {
		t.Errorf("%v, %v", err, w.NotFinite())
	}
	if err := w.Row(1, 1, []float64{math.NaN()}, []float64{0, 0}); err == nil ||
		!strings.Contains(err.Error(), "trajectory.csv: column a.x at t=1 is NaN") {
		t.Error(err)
	}
	if err := w.Write(ContactsFile, 1, []string{"a", "b"}, math.Inf(-1)); err == nil {
		t.Error("an infinite force")
	}
	if err := w.Row(2, math.Inf(1), []float64{0}, []float64{0, 0}); err == nil {
		t.Error("an infinite time")
	}
}

func TestSummaryHoldsNoInfinity(t *testing.T) {
	dir := t.TempDir()
	nan := math.NaN()
	section := struct {
		Gap float64 `json:"gap"`
	}{math.Inf(1)}
	s := Summary{Expectations: []Outcome{{Value: &nan}}, WallSeconds: nan, Section: &section}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	back, err := ReadSummary(dir)
	if err != nil || back.WallSeconds != math.MaxFloat64 || back.Expectations[0].Value != nil {
		t.Errorf("%v, %+v", err, back)
	}
	section.Gap = 0
	if err := back.Read(&section); err != nil || section.Gap != math.MaxFloat64 {
		t.Errorf("%v, %+v", err, section)
	}
}

// TestCursor reads columns by their names, of a table that grows too.
func TestCursor(t *testing.T) {
	run := motionRun(t, 9)
	c, err := run.Cursor(ContactsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rows := 0
	for c.Next() == nil {
		rows++
		if c.Number("normal") != 0.333333333 || c.Text("state") != "slide" && c.Text("state") != "stick" || c.Finite() != nil {
			t.Errorf("row %d: %+v", rows, c.Row)
		}
	}
	if rows != 9 {
		t.Errorf("%d rows, want 9", rows)
	}
	f, err := os.OpenFile(filepath.Join(run.Dir, ContactsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("9,p,floor,stick,1,2,3"); err != nil || c.Next() == nil {
		t.Errorf("%v: a row that has not ended is read", err)
	}
	if _, err := f.WriteString("\n10,p\n11,p,floor,stick,1,x,3\n12,p,floor,stick,1,NaN,3\n"); err != nil {
		t.Fatal(err)
	}
	if err := c.Next(); err != nil || c.Row.T != 9 || c.Number("bound") != 3 {
		t.Errorf("%v, %+v", err, c.Row)
	}
	if err := c.Next(); err == nil || !strings.Contains(err.Error(), "contacts.csv:12: found 2 values, want 7") {
		t.Error(err)
	}
	if err := c.Next(); err == nil || !strings.Contains(err.Error(), `value 6 is "x", want a number`) {
		t.Error(err)
	}
	if err := c.Next(); err != nil || c.Finite() == nil {
		t.Errorf("%v: NaN is finite", err)
	}
	if none, err := run.CursorIfAny("none.csv"); none != nil || err != nil {
		t.Error(err)
	}
}

// TestOneLine: a table that became one line of many megabytes is read as far as a line of it may
// go, and what a message quotes of a file is short.
func TestOneLine(t *testing.T) {
	f := motionRun(t, 2)
	long := strings.Repeat("0", 3<<20)
	for _, file := range []string{CertificatesFile, ContactsFile} {
		if err := os.WriteFile(filepath.Join(f.Dir, file), []byte(read(t, f.Dir, file)+long), 0o644); err != nil {
			t.Fatal(err)
		}
		c, err := f.Cursor(file)
		for err == nil {
			err = c.Next()
		}
		if text := err.Error(); !strings.Contains(text, file+": line ") || !strings.Contains(text, "has more than 1048") {
			t.Errorf("%s: %.300s", file, text)
		}
	}
	if err := os.WriteFile(filepath.Join(f.Dir, VTU.File()), []byte("<VTKFile><a></a"+long+"></VTKFile>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := openCollection(filepath.Join(f.Dir, VTU.File())); err == nil || len(err.Error()) > 500 {
		t.Errorf("%.300v", err)
	}
}
