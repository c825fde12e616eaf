package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// producible are short cases of every model, of particles with one obstacle, several and none in
// their way, each with what makes it short.
var producible = map[string][]string{
	"play":                      {"steps=17"},
	"corner":                    {"steps=14"},
	"corner-in-space":           {"steps=11"},
	"chain":                     {"steps=5"},
	"bouncing-sphere":           {"steps=50", "until=0.05"},
	"braking-point":             {"steps=20", "until=0.2"},
	"disc-drop":                 {"steps=20", "until=0.2"},
	"double-pendulum-floor":     {"steps=25", "until=0.04"},
	"block-impact":              {"until=0.008"},
	"impacting-bar-by-accuracy": {"until=0.3"},
	"carter":                    {"steps=5"},
}

// TestProduct: whatever the model, its obstacles, the format, how many rows are written and whether
// the run was stopped: each file that is written is read back by the program, the stopped run
// leaves the same bytes, and in CSV again it has the text that a run into CSV has.
func TestProduct(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	formats := []table.Format{table.CSV, table.NPZ, table.Parquet, table.VTU}
	for i, name := range slices.Sorted(maps.Keys(producible)) {
		for j, format := range formats {
			for every := range 3 {
				if !thorough.Asked() && (j != i%4 || every != i/4) {
					continue // every case once, each of another pair of a format and a number of rows
				}
				every++
				t.Run(fmt.Sprintf("%s-%s-%d", name, format, every), func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					whole, parts, back, plain := filepath.Join(dir, "whole"), filepath.Join(dir, "parts"),
						filepath.Join(dir, "back"), filepath.Join(dir, "plain")
					output := func(f table.Format) []string {
						args := []string{"--quiet", "--no-picture", "--set", "expect=[]", "--set",
							fmt.Sprintf(`output={"format": %q, "every": %d}`, f, every)}
						for _, change := range producible[name] {
							args = append(args, "--set", change)
						}
						return args
					}
					ran, _, stderr := qs(append([]string{"run", small(name), "--out", whole}, output(format)...)...)
					if ran > exitFailed {
						t.Fatalf("exit %d\n%s", ran, stderr)
					}
					c, err := open(filepath.Join(whole, table.CaseFile))
					if err != nil {
						t.Fatal(err)
					}
					task, err := newTask(c, parts)
					if err != nil {
						t.Fatal(err)
					}
					stopAt(t, task, 4)
					for _, dir := range []string{parts, whole} {
						if _, _, stderr := qs("report", dir, "--quiet"); stderr != "" {
							t.Errorf("report: %s", stderr)
						}
					}
					if code, _, stderr := qs("run", "--resume", parts, "--quiet", "--no-picture"); code != ran {
						t.Errorf("resumed: exit %d, want %d\n%s", code, ran, stderr)
					}
					if code, _, stderr := qs("diagnose", "-v", parts, "--quiet"); code != ran || code == exitFailed &&
						!strings.Contains(stderr, "not accurate") {
						t.Errorf("diagnose: exit %d, want %d\n%s", code, ran, stderr)
					}
					qs("report", parts, "--quiet") // of the whole of it
					sameTables(t, parts, whole)
					if format == table.CSV {
						return
					}
					if _, err := os.Stat(filepath.Join(whole, table.TrajectoryFile)); err == nil {
						t.Error("trajectory.csv is still there")
					}
					mustRun(t, "export", whole, "--format", "csv", "--out", back)
					qs(append([]string{"run", small(name), "--out", plain}, output(table.CSV)...)...)
					files, err := filepath.Glob(filepath.Join(back, "*.csv"))
					if err != nil || len(files) == 0 {
						t.Fatalf("%v, %d files", err, len(files))
					}
					for _, file := range files {
						if base := filepath.Base(file); read(t, file) != read(t, plain, base) {
							t.Errorf("%s back from %s differs", base, format)
						}
					}
				})
			}
		}
	}
}

// sameTables compares the tables and archives of two runs.
func sameTables(t *testing.T, got, want string) {
	t.Helper()
	a, b := summaryOf(t, got), summaryOf(t, want)
	if !slices.Equal(a.Files, b.Files) {
		t.Errorf("the files of the run that was stopped are others: %d and %d", len(a.Files), len(b.Files))
	}
}
