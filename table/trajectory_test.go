package table

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/particles"
)

// two is a particle on a slope of 3:4:5 through (0, 0, 1) and one in the air.
func two(t *testing.T) *particles.System {
	t.Helper()
	h, err := particles.NewHalfSpace([3]float64{0, 0, 1}, [3]float64{-3, 0, 4})
	if err != nil {
		t.Fatal(err)
	}
	sys, err := particles.NewSystem([]particles.Frame{h.Frame(), particles.NoObstacle()})
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

func node(k int, z ...float64) *energetic.Node {
	n := &energetic.Node{K: k, T: float64(k) / 8, Z: z, Grad: []float64{1, 2, 3, 1e-17, 0, 0}}
	n.States = []incremental.ContactState{incremental.Stick, incremental.Free}
	n.Before = n.States
	n.Energy, n.Gap.Upper, n.SinceEvent = 0.1, 1e-20, k
	return n
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	w, err := Create(dir, two(t), []string{"a", "b"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	second := node(1, 1, 0, 0, 0.1, 0.2, 0.3)
	second.Before = []incremental.ContactState{incremental.Grazing, incremental.Free}
	for _, n := range []*energetic.Node{node(0, 0, 0, 0, 0, 0, 0), second} {
		if err := w.Observe(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		TrajectoryFile: "t,a.x,a.y,a.z,b.x,b.y,b.z\n0,0,0,1,0,0,0\n0.125,0.80000000000000004,0,1.6000000000000001,0.10000000000000001,0.20000000000000001,0.29999999999999999\n",
		ForcesFile:     "t,a.n,a.tx,a.ty,b.n,b.tx,b.ty\n0,3,1,2,0,0,0\n0.125,3,1,2,0,0,0\n",
		CertificatesFile: "t,energy,dissipation,work,balance_residual,stability_gap,force_residual,steps_since_event\n" +
			"0,0.10000000000000001,0,0,0,9.9999999999999995e-21,0,0\n0.125,0.10000000000000001,0,0,0,9.9999999999999995e-21,0,1\n",
		EventsFile: "t,particle,from,to\n0.125,a,grazing,stick\n",
	} {
		if got := read(t, dir, name); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestReaderReturnsTheSameBits(t *testing.T) {
	sys := two(t)
	dir := t.TempDir()
	w, err := Create(dir, sys, []string{"a", "b"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	z := []float64{1. / 3, math.Pi, 0, 1e-300, -1e17, 2. / 3}
	if err := w.Observe(node(0, z...)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(strings.NewReader(read(t, dir, TrajectoryFile)), "x", []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	_, x, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, 6)
	sys.ToGlobal(want, z)
	for i := range want {
		if x[i] != want[i] {
			t.Errorf("x[%d] = %g, want %g", i, x[i], want[i])
		}
	}
	back := make([]float64, 6)
	ToLocal(back, sys, x)
	if back[2] != 0 {
		t.Errorf("the height on the slope is %g, want 0 exactly", back[2])
	}
	if _, _, err := r.Next(); err != io.EOF {
		t.Errorf("error %v, want EOF", err)
	}
}

func TestThinning(t *testing.T) {
	for _, c := range []struct{ every, last, rows int }{{1, 10, 11}, {3, 10, 5}, {3, 9, 4}, {100, 10, 2}, {100, 0, 1}} {
		dir := t.TempDir()
		w, err := Create(dir, two(t), []string{"a", "b"}, Options{Every: c.every})
		if err != nil {
			t.Fatal(err)
		}
		for k := range c.last + 1 {
			if err := w.Observe(node(k, float64(k), 0, 0, 0, 0, 0)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{TrajectoryFile, ForcesFile, CertificatesFile} {
			if rows := strings.Count(read(t, dir, f), "\n") - 1; rows != c.rows {
				t.Errorf("every %d of %d: %s has %d rows, want %d", c.every, c.last, f, rows, c.rows)
			}
		}
	}
}

func TestFlushesWithinASecond(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a second")
	}
	dir := t.TempDir()
	w, err := Create(dir, two(t), []string{"a", "b"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close() // what matters was read before
	if err := w.Observe(node(0, 0, 0, 0, 0, 0, 0)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1200 * time.Millisecond)
	if text := read(t, dir, TrajectoryFile); strings.Count(text, "\n") != 2 {
		t.Errorf("after a second: %q", text)
	}
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
	} {
		r, err := NewReader(strings.NewReader(c.text), "f.csv", []string{"a"})
		for err == nil {
			_, _, err = r.Next()
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.text, err, c.want)
		}
	}
	// Foreign dialects: a mark, spaces, Windows line ends, columns in another order, no end of line.
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

func TestSummaryHoldsNoInfinity(t *testing.T) {
	dir := t.TempDir()
	nan := math.NaN()
	s := Summary{Expectations: []Outcome{{Value: &nan}}}
	type section struct {
		Gap, Speed float64
	}
	s.Section = &section{nan, math.Inf(-1)}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	var back Summary
	if err := json.Unmarshal([]byte(read(t, dir, SummaryFile)), &back); err != nil {
		t.Fatal(err)
	}
	var x section
	if err := back.Read(&x); err != nil || x.Gap != math.MaxFloat64 || x.Speed != -math.MaxFloat64 || back.Expectations[0].Value != nil {
		t.Errorf("%+v, %+v, %v", back, x, err)
	}
}
