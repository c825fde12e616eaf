package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestMadeAgain: diagnose makes the run again. What the same program left differently, in a
// table or in the summary, takes the certificate and is named; of files of another version the
// trajectories are compared, within twice the accuracy.
func TestMadeAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *table.Summary)
		old    string // of trajectory.csv, for
		new    string
		passes bool
		want   string
	}{
		{"untouched", func(*table.Summary) {}, "", "", true, run.SameAgain},
		{"a fact", func(s *table.Summary) { s.Facts[0].Value /= 2 }, "", "", false, "summary.json: facts"},
		{"an event", func(s *table.Summary) { s.Events++ }, "", "", false, "summary.json: events"},
		{"a digit", func(*table.Summary) {}, "\n0.5,8.775", "\n0.5,8.776", false, "trajectory.csv"},
		{"another version", func(s *table.Summary) { s.Version = "0.0.0" }, "", "", true, "of version 0.0.0"},
		{"another version's digit", func(s *table.Summary) { s.Version = "0.0.0" }, "\n0.5,8.775", "\n0.5,9.775", false, "distance of the trajectory"},
	} {
		dir := t.TempDir()
		if err := task(t, dir).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, table.TrajectoryFile)
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), c.old) {
			t.Fatalf("%v, %.300s", err, text)
		}
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		k := decoded(t)
		s, err := run.ReadSummary(dir, k)
		if err != nil {
			t.Fatal(err)
		}
		s.Files = nil // the sums of the files would say it first
		c.change(s)
		if err := s.Write(dir); err != nil {
			t.Fatal(err)
		}
		built, err := falling.Model.Build(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		d, err := run.Diagnose(t.Context(), k, built, run.Source{Dir: dir, Summary: s})
		if err != nil {
			t.Fatal(err)
		}
		if r := d.Result(); r.Certified != c.passes || !strings.Contains(d.Print(), c.want) {
			t.Errorf("%s: certified: %v, want %q in\n%s", c.name, r.Certified, c.want, d.Print())
		}
	}
}
