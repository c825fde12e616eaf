package run_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/falling"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestMadeAgain: diagnose makes the run again. What the same program left differently, in a
// table or in the summary, takes the certificate and is named; of files of another version, or of
// another kind of processor, the trajectories are compared, within twice the accuracy, and all
// numbers and words of the summary, of events, collisions and certificates, to rounding, unless
// the motion is another one.
func TestMadeAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *table.Summary)
		old    string // of trajectory.csv, for
		new    string
		passes bool
		want   string
	}{
		{"untouched", func(*table.Summary) {}, "", "", true, "made again"},
		{"a fact", func(s *table.Summary) { s.Facts[0].Value /= 2 }, "", "", false, "summary.json: facts"},
		{"its steps", func(s *table.Summary) { s.StepsPlanned++ }, "", "", false, "summary.json: steps_planned"},
		{"a digit", func(*table.Summary) {}, "\n0.002,9.9999901900000001", "\n0.002,9.9999901900000002", false, "trajectory.csv"},
		{"another version", func(s *table.Summary) { s.Version = "0.0.0" }, "", "", true, "of version 0.0.0"},
		{"another version, last digits", foreign(func(s *table.Summary) { s.Facts[0].Value *= 1 + 1e-8 }), "", "", true,
			"of version 0.0.0"},
		{"another version, a fact", foreign(func(s *table.Summary) { s.Facts[0].Value /= 2 }), "", "", false, "summary.json: facts[0] is"},
		{"another version, a basis", foreign(func(s *table.Summary) { s.Facts[0].Basis = table.Proven }), "", "", false,
			"summary.json: facts[0] is"},
		{"another version, a limit", foreign(func(s *table.Summary) { s.Facts[0].Limit *= 2 }), "", "", false, "summary.json: facts[0] is"},
		{"another version, a fact left out", foreign(func(s *table.Summary) { s.Facts = s.Facts[1:] }), "", "", false,
			"summary.json says nothing"},
		{"another version, a value", foreign(func(s *table.Summary) { *s.Expectations[0].Value += 1e-3 }), "", "",
			false, "summary.json: expectations[0]"},
		{"another version, what a value may be off by", foreign(blurred(1e-12)), "", "", true, "of version 0.0.0"},
		{"another version, what it is not off by", foreign(blurred(1e-3)), "", "", false, "summary.json: facts["},
		{"another version, a label", foreign(func(s *table.Summary) { s.Expectations[0].Label = "depth" }), "", "",
			false, "summary.json: expectations[0]"},
		{"another version, its section", foreign(func(s *table.Summary) { s.Section = json.RawMessage(`{"created": 1}`) }),
			"", "", false, "summary.json: created is"},
		{"another version, its steps", foreign(func(s *table.Summary) { s.StepsPlanned++ }), "", "", false,
			"summary.json: steps_planned is"},
		{"another version, the word of an event", foreign(func(*table.Summary) {}), "point,rest,fall,0.001",
			"point,rest,land,0.001", false, "events.csv:2: t=0.001, column to is land and not fall"},
		{"another version, the time of an event", foreign(func(*table.Summary) {}), "0.001,point", "0.00105,point",
			false, "column t is 0.00105 and not 0.001"},
		{"another version, one event more", foreign(func(*table.Summary) {}), "0.001,point,rest,fall,0.001\n",
			"0.001,point,rest,fall,0.001\n0.002,point,fall,rest,0.001\n", false, "there should be no such line"},
		{"another version, another motion", foreign(func(*table.Summary) {}), "\n0.002,-0.01", "\n0.002,-0.02", true,
			"not compared: certificates.csv, collisions.csv, events.csv: velocities.csv"},
		{"another processor", func(s *table.Summary) { s.Processor, s.Facts[0].Value = "fused", 0 }, "", "", false,
			"summary.json: facts[0] is"},
	} {
		dir := t.TempDir()
		if err := task(t, dir).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, table.TrajectoryFile)
		switch {
		case strings.Contains(c.old, "point"):
			file = filepath.Join(dir, table.EventsFile)
		case strings.Contains(c.old, "-"):
			file = filepath.Join(dir, table.VelocitiesFile)
		}
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

// foreign changes a summary that says that it is of another version.
func foreign(change func(s *table.Summary)) func(s *table.Summary) {
	return func(s *table.Summary) {
		s.Version = "0.0.0"
		change(s)
	}
}

// blurred says of the last value that is expected by how much it may be off.
func blurred(by float64) func(s *table.Summary) {
	return func(s *table.Summary) {
		s.Expectations[len(s.Expectations)-1].Within, s.Facts[len(s.Facts)-1].Within = by, by
	}
}

// judging is the model that falls, with an audit of its own.
type judging struct{ run.Case }

// Audit finds the motion too long, and takes the height on trust.
func (c *judging) Audit(ctx context.Context, a *run.Audit) error {
	z := a.Sheet(table.TrajectoryFile)
	a.Accurate(table.AtMost(table.Accurate, "length of the motion", 2, 1, "m", table.Computed))
	a.Stated("energy made by the scheme, of the kinetic")
	a.Taken("the height of the start is taken as it is")
	return a.Clocks(z).Each(ctx, func() error { return nil })
}

// TestJudged: what an audit finds is in the verdict, and what it takes on trust is said.
func TestJudged(t *testing.T) {
	dir := t.TempDir()
	if err := task(t, dir).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	k := decoded(t)
	built, err := falling.Model.Build(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.ReadSummary(dir, k)
	if err != nil {
		t.Fatal(err)
	}
	d, err := run.Diagnose(t.Context(), k, &judging{built}, run.Source{Dir: dir, Summary: s})
	if err != nil {
		t.Fatal(err)
	}
	text := d.Print()
	for _, want := range []string{"length of the motion: 2 is not <= 1 m", "the height of the start is taken as it is"} {
		if d.Result().Certified || !strings.Contains(text, want) {
			t.Errorf("certified: %v, want %q in\n%s", d.Result().Certified, want, text)
		}
	}
}
