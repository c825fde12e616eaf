package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/table"
)

// longRuns are cases whose steps are multiplied; all nodes are written.
var longRuns = []struct {
	name  string
	steps int // by default
	long  int // with QUASISTATIC_LONG=1
}{
	{"play", 8_000, 1_000_000},
	{"stick-slip-block", 2_000, 100_000}, // rigid
	{"ellipse", 3_000, 100_000},          // compliant
	{"block-impact", 2_000, 100_000},     // elastodynamic
}

// longMemory is what a run and its report may take [bytes].
const longMemory = 200 << 20

// withSteps leaves a built-in case with other steps and nothing expected.
func withSteps(t *testing.T, name string, steps int) string {
	t.Helper()
	var c map[string]any
	if err := json.Unmarshal([]byte(read(t, small(name))), &c); err != nil {
		t.Fatal(err)
	}
	c["steps"] = steps
	delete(c, "step")
	delete(c, "expect")
	delete(c, "output")
	c["accuracy"] = 0.5 // the steps of the shorter run are long
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, string(text), t.TempDir(), name+".json")
}

// weighed runs the program in a process of its own and checks its memory: the peak that the
// kernel knows of its address space. (What it tells a parent of a child that has ended is the
// parent's own size, where that is more: the two were one before the program began.)
func weighed(t *testing.T, args ...string) {
	t.Helper()
	cmd := program(args...)
	peak := filepath.Join(t.TempDir(), "status")
	cmd.Env = append(cmd.Env, peakTo+"="+peak)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	var most int
	_, text, _ := strings.Cut(read(t, peak), "VmHWM:")
	if _, err := fmt.Sscan(text, &most); err != nil {
		t.Fatalf("no peak in %s: %v", read(t, peak), err)
	}
	most <<= 10 // kB
	t.Logf("%s: %d MB", args[0], most>>20)
	if most > longMemory {
		t.Errorf("%v takes %d MB, want at most %d", args, most>>20, longMemory>>20)
	}
}

// TestLongRuns: neither a run nor its report takes more memory for more steps, and the
// report stays small. The full length is that of the promise: 10⁶ steps.
func TestLongRuns(t *testing.T) {
	full := thorough.Asked()
	for _, r := range longRuns {
		t.Run(r.name, func(t *testing.T) {
			if r.name == "ellipse" || r.name == "stick-slip-block" {
				thorough.Only(t, "half a second")
			}
			steps := r.steps
			if full {
				steps = r.long
			}
			dir := t.TempDir()
			weighed(t, "run", withSteps(t, r.name, steps), "--out", dir, "--quiet", "--no-picture")
			weighed(t, "report", dir, "--quiet")
			info, err := os.Stat(filepath.Join(dir, table.ReportFile))
			if err != nil || info.Size() > reportLimit {
				t.Errorf("%v, error %v: want at most %d bytes", info, err, reportLimit)
			}
			short := t.TempDir()
			mustRun(t, "run", withSteps(t, r.name, steps/8), "--out", short, "--quiet", "--no-picture")
			// Buffers may be half as full again (measured: block-impact, 1.4 to 1.6; else a fifth);
			// what grows with the steps grows eightfold.
			a, b := retained(t, short), retained(t, dir)
			t.Logf("keeps %d and %d bytes", a, b)
			if b > 2*a {
				t.Errorf("what a report keeps grows from %d to %d bytes with eight times the steps", a, b)
			}
		})
	}
}

// retained returns the memory that the reader of a run keeps [bytes], and checks that
// what the page shows ends with the run.
func retained(t *testing.T, dir string) int64 {
	t.Helper()
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools held
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	s, err := models.Show(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n, err := s.Reader.Read(context.Background()); err != nil || n < s.Summary.Steps {
		t.Fatalf("%d nodes of %d steps, error %v", n, s.Summary.Steps, err)
	}
	kept := heap() - before
	p, err := s.Reader.Page(s.About())
	if err != nil {
		t.Fatal(err)
	}
	if times := p.Scene.Times; times[0] != 0 || times[len(times)-1] != s.Summary.Time {
		t.Errorf("the page shows t = %g … %g of a run to %g", times[0], times[len(times)-1], s.Summary.Time)
	}
	return kept
}
