package run_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// own is a case whose model certifies files in its own way: it believes them.
type own struct {
	run.Case
	unprovable, broken error
}

func (c own) Diagnose(context.Context, run.Source) (run.Diagnosis, error) {
	return &believed{table.Summary{Certified: true}, c.broken}, nil
}
func (c own) Provable() error { return c.unprovable }

type believed struct {
	s      table.Summary
	broken error
}

func (d *believed) Result() *table.Summary { return &d.s }
func (d *believed) Print() string          { return "" }
func (d *believed) WriteProof(w io.Writer) error {
	_, err := io.WriteString(w, "proof")
	return errors.Join(err, d.broken)
}

// TestOwnDiagnosis: whatever a model says of files, the run is made again and compared with them; a
// proof is written of what is certified, and of nothing else.
func TestOwnDiagnosis(t *testing.T) {
	dir := t.TempDir()
	if err := task(t, dir).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	k := decoded(t)
	built, err := falling.Model.Build(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	diagnose := func(c own, filesOnly bool, damage func(s *table.Summary)) (*table.Summary, string, error) {
		t.Helper()
		s, err := run.ReadSummary(dir, k)
		if err != nil {
			t.Fatal(err)
		}
		before := *s
		s.Facts = slices.Clone(s.Facts)
		damage(s)
		if err := s.Write(dir); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := before.Write(dir); err != nil {
				t.Fatal(err)
			}
		}()
		c.Case = built
		from := run.Source{Dir: dir, Summary: s, FilesOnly: filesOnly, Proof: filepath.Join(t.TempDir(), "proof")}
		if from.Again() != (s.Status == table.Done && !filesOnly) {
			t.Errorf("%s: made again: %t", s.Status, from.Again())
		}
		d, err := run.Diagnose(t.Context(), k, c, from)
		if err != nil {
			return nil, "", err
		}
		text, _ := os.ReadFile(from.Proof) // none: there is no proof
		return d.Result(), string(text), nil
	}
	whole := func(*table.Summary) {}
	for _, only := range []bool{true, false} {
		if s, proof, err := diagnose(own{}, only, whole); err != nil || !s.Certified || proof != "proof" {
			t.Errorf("untouched: %v, %+v, %q", err, s, proof)
		}
	}
	for what, change := range map[string]func(s *table.Summary){
		"steps_planned": func(s *table.Summary) { s.StepsPlanned++ },
		"certified":     func(s *table.Summary) { s.Version, s.Certified = "0.0.0", false },
		"met":           func(s *table.Summary) { s.Version, s.Met = "0.0.0", !s.Met },
		"facts[0] is":   func(s *table.Summary) { s.Version, s.Facts[0].Passed = "0.0.0", !s.Facts[0].Passed },
		"not complete":  func(s *table.Summary) { s.Status = table.Interrupted },
		"warnings":      func(s *table.Summary) { s.Warnings = []string{"all is well"} },
		"name":          func(s *table.Summary) { s.Name = "another" },
		"message":       func(s *table.Summary) { s.Message = strings.Repeat("long ", 100) },
	} {
		if s, proof, err := diagnose(own{}, false, change); err != nil || s.Certified || proof != "" || !strings.Contains(s.Message, what) {
			t.Errorf("%s changed: %v, %+v, %q", what, err, s, proof)
		}
	}
	for _, c := range []own{{unprovable: errors.New("curved")}, {broken: errors.New("curved")}} {
		if _, _, err := diagnose(c, true, whole); err == nil || !strings.Contains(err.Error(), "--proof: no proof can be written: curved") {
			t.Errorf("%v", err)
		}
	}
	for want, from := range map[string]run.Source{"want energetic": {Dir: dir, Proof: "x"}, "wants the folder": {Proof: "x"}} {
		if _, err := run.Diagnose(t.Context(), k, built, from); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestStudyKeepsWhatOthersWrote: a convergence study replaces its own table and pictures alone.
func TestStudyKeepsWhatOthersWrote(t *testing.T) {
	c, err := falling.Model.Build(t.Context(), decoded(t))
	if err != nil {
		t.Fatal(err)
	}
	runs, err := run.NewConvergence("drop", c, 10, 3)
	if err != nil {
		t.Fatal(err)
	}
	var levels [][]byte
	for i := range runs.Len() {
		level, err := runs.Level(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		levels = append(levels, level)
	}
	s, err := runs.Study(levels)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := run.ClaimStudy(dir); err != nil {
		t.Error(err)
	}
	if err := run.WriteStudy(dir, "drop", run.Judged{Study: s,
		Verdicts: []run.LevelVerdict{{Run: "10 steps", Verdict: "certified", Met: true}}}, 0); err != nil {
		t.Fatal(err)
	}
	if err := run.ClaimStudy(dir); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"convergence.json", "convergence.png", "convergence.svg", "convergence.html"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
		foreign := t.TempDir()
		if err := os.WriteFile(filepath.Join(foreign, name), []byte(`{"mine": 1}`), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := run.ClaimStudy(foreign); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s of another program: %v", name, err)
		}
	}
}
