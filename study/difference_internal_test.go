package study

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestComparison: rows of programs that round alike are the same to the last digit, others to twice
// the accuracy of the run and to rounding of what the quantity has elsewhere. What judges a row is
// not of the row, and a folder is compared by the files of which the summary has sums.
func TestComparison(t *testing.T) {
	row := func(processor string, v float64, files []byte) *Record {
		return &Record{Processor: processor, Outcome: Outcome{Verdict: Certified, Observed: []*float64{&v}, Files: files}}
	}
	folder := func(summary, rows string) []byte {
		dir := t.TempDir()
		for name, text := range map[string]string{"summary.json": summary, "trajectory.csv": rows, "overview.svg": rows + summary} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		data, err := Fold(dir)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	const done = `{"status": "done", "certified": true, "wall_seconds": 1, "files": [{"file": "trajectory.csv", "sha256": "x"}]}`
	const later = `{"status": "done", "certified": true, "wall_seconds": 2, "files": [{"file": "trajectory.csv", "sha256": "x"}]}`
	const failed = `{"status": "failed", "certified": false, "files": [{"file": "trajectory.csv", "sha256": "x"}]}`
	for name, c := range map[string]struct {
		comparison
		row, here *Record
		same      bool
	}{
		"to the last digit":        {comparison{alike: true, scale: []float64{1}}, row("", 1, nil), row("", 1+0x1p-52, nil), false},
		"another kind, as it says": {comparison{alike: true, scale: []float64{1}}, row("fused", 1, nil), row("", 1.0001, nil), false},
		"within both errors":       {comparison{accuracy: 0.01}, row("fused", 1, nil), row("", 1.019, nil), true},
		"beyond them":              {comparison{accuracy: 0.01}, row("fused", 1, nil), row("", 1.021, nil), false},
		"joules of a thin film": {comparison{accuracy: 1e-3, scale: []float64{2e-12}},
			row("fused", 1e-12, nil), row("", 2e-12, nil), false},
		"rounding beside other values": {comparison{accuracy: 1e-3, scale: []float64{1e6}}, row("fused", 0, nil),
			row("", 1e-4, nil), true},
		"a folder, at another time": {comparison{alike: true}, row("", 1, folder(later, "t\n0\n")),
			row("", 1, folder(done, "t\n0\n")), true},
		"a folder of another verdict": {comparison{alike: true}, row("", 1, folder(failed, "t\n0\n")),
			row("", 1, folder(done, "t\n0\n")), false},
		"a folder with other rows": {comparison{alike: true}, row("", 1, folder(done, "t\n1\n")),
			row("", 1, folder(done, "t\n0\n")), false},
		"a summary in place of a folder": {comparison{alike: true}, row("", 1, []byte(done)), row("", 1, folder(done, "t\n0\n")), false},
	} {
		if fault := c.difference(c.row, c.here); (fault == "") != c.same {
			t.Errorf("%s: %q", name, fault)
		}
	}
}

// TestAccuracyOfEnds: an observed quantity is known to the accuracy of the runs at the ends, which
// a study may refine.
func TestAccuracyOfEnds(t *testing.T) {
	base := []byte(`{"name": "x", "accuracy": 0.01, "steps": 3}`)
	for path, want := range map[string]float64{"accuracy": 0.25, "steps": 0.01} {
		list, err := axes([]byte(fmt.Sprintf(`{%q: [0.25, 0.5]}`, path)), nil)
		if err != nil {
			t.Fatal(err)
		}
		s := &Spec{Name: "x", Axes: list, Refine: &Refine{Path: path}}
		if got, err := s.accuracyAt(&Boundary{}, 0.25, &Options{Base: base}); err != nil || got != want {
			t.Errorf("%s: %g, %v, want %g", path, got, err, want)
		}
	}
}

// TestUnreadableOfMade: a message that cannot be read, for a run that has its result, does not have
// the run made again: the queue is not asked for anything.
func TestUnreadableOfMade(t *testing.T) {
	c := &collector{missing: newMissing(1), work: &Work{index: index{ids: []key{{1}}}}, refused: map[key]int{}}
	c.missing.add(key{1})
	c.missing.got(key{1})
	if err := c.instead(t.Context(), 0, nil); err != nil || len(c.refused) > 0 {
		t.Errorf("%v: %v", err, c.refused)
	}
}
