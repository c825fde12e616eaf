package table

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestJudge: certified is solved and accurate; the first fact that fails is the message.
func TestJudge(t *testing.T) {
	value, want, off, least := 2.0, 2.5, 1.0, 3.0
	for _, c := range []struct {
		s       Summary
		message string
		met     bool
	}{
		{Summary{Status: Done, Facts: []Fact{AtMost(Solved, "steps", 1, 2, "J", Computed),
			AtMost(Accurate, "(E)", 1, 2, "", Proven)}}, "", true},
		{Summary{Status: Done, Facts: []Fact{AtMost(Accurate, "(E)", 3, 2, "J", Sampled),
			AtMost(Solved, "steps", 4, 2, "N", Computed)}}, "not solved: steps", true},
		{Summary{Status: Done, Expectations: []Outcome{{Label: "x", Value: &value, Want: &want, Tolerance: &off,
			Met: true}, {Label: "y", Min: &least, Value: &value}, {Label: "z", Max: &least, Value: &value, Met: true},
			{Label: "none"}}}, "", false},
	} {
		c.s.Judge(1)
		if c.s.Certified != (c.message == "") || !strings.HasPrefix(c.s.Message, c.message) || c.s.Met != c.met {
			t.Errorf("%+v", c.s)
		}
	}
	s := Summary{Status: Running, Certified: true}
	if s.Fail(Failed, "step 3"); s.Certified || s.Status != Failed || s.Message != "step 3" {
		t.Errorf("%+v", s)
	}
	f := AtMost(Accurate, "(E)", 3, 2, "J", Sampled)
	f.Place, f.Remedy = "t=1", "shorter steps"
	if text := f.String(); !strings.Contains(text, "3 is not <= 2 J") || !strings.Contains(text, "t=1") ||
		!strings.Contains(text, "shorter steps") {
		t.Error(text)
	}
	if f = AtMost(Accurate, "energy", math.Inf(1), 2, "J", Sampled); !strings.HasPrefix(f.String(), "energy: unbounded is not <= 2 J") {
		t.Error(f.String())
	}
}

// TestFolders: the state of a checkpoint comes back, the sums of other files are found, what a
// complete run needs no more goes.
func TestFolders(t *testing.T) {
	run := motionRun(t, 3)
	if err := WriteCheckpoint(run.Dir, CheckpointHead{Version: "1", Inputs: "i", Step: 4}, []float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	var state []float64
	head, err := ReadCheckpoint(run.Dir, CheckpointHead{Version: "1", Inputs: "i"}, &state)
	if err != nil || head.Step != 4 || len(state) != 2 {
		t.Errorf("%v, %+v, %v", err, head, state)
	}
	for _, want := range []CheckpointHead{{Version: "2", Inputs: "i"}, {Version: "1", Inputs: "j"}} {
		if _, err := ReadCheckpoint(run.Dir, want, &state); err == nil {
			t.Errorf("%+v reads a checkpoint of another run", want)
		}
	}
	if err := ClearCheckpoint(run.Dir); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCheckpoint(run.Dir, CheckpointHead{}, &state); !errors.Is(err, ErrNoCheckpoint) {
		t.Error(err)
	}
	for _, name := range []string{FinalFile, "final.3.vtu", BetterFile, "trajectory.npz", "notes.txt"} {
		if err := WriteFile(filepath.Join(run.Dir, name), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	list, err := run.Sums()
	if err != nil || len(list) != len(run.layout.Sheets)+4 {
		t.Errorf("%v, %+v", err, list)
	}
	if err := run.ClearMoved(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(run.Dir, TrajectoryFile)); err == nil {
		t.Error("the trajectory stays CSV")
	}
	unlock, err := Lock(run.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(run.Dir); !errors.Is(err, ErrLocked) {
		t.Error(err)
	}
	unlock()
	if _, err := ParseFormat("xml"); err == nil {
		t.Error("a format xml")
	}
	if f, err := ParseFormat("npz"); err != nil || f != NPZ {
		t.Error(err)
	}
	for _, dir := range []string{filepath.Join(run.Dir, "none"), filepath.Join(run.Dir, "notes.txt"), t.TempDir()} {
		if _, err := formatOf(dir); err == nil {
			t.Errorf("%s has a format", dir)
		}
	}
}

// TestFlat: tables that are no run's, as CSV and Parquet.
func TestFlat(t *testing.T) {
	dir := t.TempDir()
	columns := []FlatColumn{{Name: "name", Word: true}, {Name: "value"}}
	rows := slices.Values([][]any{{"a, b", 1. / 3}, {"c", nil}})
	if err := WriteFlatCSV(filepath.Join(dir, "x.csv"), columns, rows); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "x.csv"); got != "name,value\n\"a, b\",0.3333333333333333\nc,\n" {
		t.Errorf("%q", got)
	}
	if err := WriteFlatParquet(filepath.Join(dir, "x.parquet"), columns, rows); err != nil {
		t.Fatal(err)
	}
	r, err := openParquetTable(filepath.Join(dir, "x.parquet"), parquetTable{{name: "name", word: true}, {name: "value", optional: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if row, err := r.next(); err != nil || row[1].Double() != 1./3 {
		t.Error(err)
	}
	if row, err := r.next(); err != nil || !row[1].IsNull() {
		t.Error(err)
	}
}

// TestFormulas: no text of a table is a formula; numbers are what they were.
func TestFormulas(t *testing.T) {
	dir := t.TempDir()
	columns := []FlatColumn{{Name: "=cmd|'/c calc'!A1", Word: true}, {Name: "value"}}
	rows := slices.Values([][]any{{"=1+1", -1.}, {"+SUM(A1)", 1.}, {"@x", nil}, {"-2+3", nil}, {"\t=1", nil},
		{"-1.5e3", nil}, {"a=b", nil}})
	if err := WriteFlatCSV(filepath.Join(dir, "x.csv"), columns, rows); err != nil {
		t.Fatal(err)
	}
	want := "'=cmd|'/c calc'!A1,value\n'=1+1,-1\n'+SUM(A1),1\n'@x,\n'-2+3,\n'\t=1,\n-1.5e3,\na=b,\n"
	if got := read(t, dir, "x.csv"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
