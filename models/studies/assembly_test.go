package studies

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/study"
)

// assemblyStudy makes a study of a block of 1 by 3 m whose gravity is tilted by atan .3.
func assemblyStudy(t *testing.T, text string) (*study.Table, []study.Boundary, error) {
	t.Helper()
	dir := t.TempDir()
	block := `{"plane": true, "friction": 0.5, "gravity": [3, 0, -10], "blocks": [
		{"name": "floor", "support": true, "polygon": [[-9, -1], [9, -1], [9, 0], [-9, 0]]},
		{"name": "block", "polygon": [[0, 0], [1, 0], [1, 3], [0, 3]]}]}`
	if err := os.WriteFile(filepath.Join(dir, "block.json"), []byte(block), 0o666); err != nil {
		t.Fatal(err)
	}
	spec, err := study.Parse("s.json", []byte(text))
	if err != nil {
		return nil, nil, err
	}
	o := study.Options{Dir: filepath.Join(dir, "out"), Runner: Runner{}, Engine: study.Pool{Workers: 1}}
	if o.Base, o.File, err = BaseCase(spec, dir, nil); err != nil {
		return nil, nil, err
	}
	if _, err = PlanOf(context.Background(), spec, &o); err != nil {
		return nil, nil, err
	}
	table, err := study.Run(t.Context(), spec, o)
	if err != nil || spec.Refine == nil {
		return table, nil, err
	}
	list, err := study.Bisect(t.Context(), spec, o)
	return table, list, err
}

// TestAssemblyStudy: the boundary between stands and falls of a block over friction and the slope of gravity is at tan α = μ, and
// where it tips, at 1/3, at that.
func TestAssemblyStudy(t *testing.T) {
	table, list, err := assemblyStudy(t, `{"case": "block.json", "vary": {"friction": [0.2, 0.3, 0.6], "gravity[0]": [0, 5]}, "observe": ["least tilt"],
		"refine": {"path": "gravity[0]", "boundary": "verdict", "to": 1e-6}}`)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := table.Verdicts()
	if err != nil || counts[study.Stands] != 3 || counts[study.Falls] != 3 {
		t.Errorf("verdicts %v, %v", counts, err)
	}
	for k, want := range []float64{2, 3, 10. / 3} {
		if b := list[k]; b.Fault != "" || b.Low > want+1e-6 || b.High < want-1e-6 || b.High-b.Low > 1e-6 {
			t.Errorf("boundary %d: %v to %v, %s, want %v", k, b.Low, b.High, b.Fault, want)
		}
		if low := list[k].At[0]; len(low.Observed) != 1 || low.Observed[0] == nil || math.Abs(*low.Observed[0]) > 1e-4 {
			t.Errorf("tilt that is left at the boundary: %v", low.Observed)
		}
	}
}

// TestAssemblyStudyFaults: names and keys of a study of an assembly are those of assemblies.
func TestAssemblyStudyFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"case": "block.json", "vary": {"frictoin": [0.2, 0.3]}}`:                       `did you mean "friction"?`,
		`{"case": "block.json", "vary": {"friction": [0.2]}, "observe": ["least tild"]}`: `"least tilt"`,
		`{"case": "block.json", "vary": {"friction": [0.2]}, "keep": "all"}`:             "no folder",
	} {
		_, _, err := assemblyStudy(t, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", text, err, want)
		}
	}
}
