package report

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// parabola leaves a run of x = a t² at n equal times from 0 to end, with a summary and a page.
func parabola(t *testing.T, dir string, a, end float64, n int, met bool) *table.Folder {
	t.Helper()
	layout := &table.Layout{Sheets: []table.Sheet{{File: table.TrajectoryFile, Columns: []string{"p.x"}},
		{File: table.EnergiesFile, Columns: []string{"work [J]"}}}}
	w, err := table.Start(dir, layout, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		s := end * float64(k) / float64(n-1)
		if err := w.Row(k, s, []float64{a * s * s}, []float64{s}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s := table.Summary{Status: table.Done, Certified: true, Expectations: []table.Outcome{{Label: "x", Met: met}}}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, table.ReportFile), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	return table.NewFolder(dir, layout)
}

// TestComparePage: the page of a comparison has the column of all runs, what they differ by where
// both are, at the times of each; their verdicts, links to their pages and all their columns. Runs
// of one name are told apart.
func TestComparePage(t *testing.T) {
	dir := t.TempDir()
	o := Overlay{File: filepath.Join(dir, "pages", "c.html"), Column: "p.x"}
	if err := os.Mkdir(filepath.Dir(o.File), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, f := range []*table.Folder{parabola(t, filepath.Join(dir, "a"), 1, 1, 11, true),
		parabola(t, filepath.Join(dir, "b"), 2, 2, 41, false)} {
		if err := o.Add(t.Context(), f, "run"); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := o.Draw(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(o.File)
	if err != nil {
		t.Fatal(err)
	}
	page := string(raw)
	for _, want := range []string{"1 of 2 runs are not certified, or not as expected",
		`<a href="../a/report.html">run</a>`, "Certified, but only 0 of 1 expectations are met", "run in " + filepath.Join(dir, "b")} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	var x struct {
		Plots  []plotData
		Tables []columnData
	}
	if err := json.Unmarshal(pageData(t, page), &x); err != nil || len(x.Plots) != 2 || len(x.Tables) != 4 {
		t.Fatalf("%d plots, %d tables, %v", len(x.Plots), len(x.Tables), err)
	}
	b, err := base64.StdEncoding.DecodeString(x.Plots[1].Lines[0].Points)
	if err != nil || len(b) != 21*8 {
		t.Fatalf("%d bytes of differences, want 21 points up to the end of the shorter run", len(b))
	}
	for k := 0; k < len(b); k += 8 {
		s, d := float64(math.Float32frombits(binary.LittleEndian.Uint32(b[k:]))),
			float64(math.Float32frombits(binary.LittleEndian.Uint32(b[k+4:])))
		// Half way between two rows of the first, 0.1 s apart, its chord lies 0.05² above t².
		want := s * s
		if k/8%2 == 1 {
			want -= 0.0025
		}
		if math.Abs(d-want) > 1e-6 {
			t.Errorf("at %g the runs differ by %g, want %g", s, d, want)
		}
	}
}

// TestLongRunsHaveNoDifferences: of rows that were joined to intervals only the extremes are known.
func TestLongRunsHaveNoDifferences(t *testing.T) {
	dir := t.TempDir()
	o := Overlay{File: filepath.Join(dir, "c.HTML"), Column: "p.x"}
	for _, name := range []string{"a", "b"} {
		if err := o.Add(t.Context(), parabola(t, filepath.Join(dir, name), 1, 1, 3*MostIntervals, true), name); err != nil {
			t.Fatal(err)
		}
	}
	if o.differences() != nil {
		t.Error("differences of extremes are drawn")
	}
	if err := o.Draw(); err != nil {
		t.Fatal(err)
	}
	if page, err := os.ReadFile(o.File); err != nil || !strings.Contains(string(page), "All 2 runs certified and as expected") {
		t.Error(err)
	}
}

// TestComparisonIsNoGreener: a run that has not ended keeps the page from being green.
func TestComparisonIsNoGreener(t *testing.T) {
	dir := t.TempDir()
	o := Overlay{File: filepath.Join(dir, "c.html"), Column: "p.x"}
	for _, name := range []string{"a", "b"} {
		f := parabola(t, filepath.Join(dir, name), 1, 1, 5, true)
		if name == "b" {
			s := table.Summary{Status: table.Running}
			if err := s.Write(f.Dir); err != nil {
				t.Fatal(err)
			}
		}
		if err := o.Add(t.Context(), f, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Draw(); err != nil {
		t.Fatal(err)
	}
	if page, err := os.ReadFile(o.File); err != nil ||
		!strings.Contains(string(page), `<div class="verdict open"><h2>1 of 2 runs have not ended`) {
		t.Error("the page is greener than its runs: ", err)
	}
}
