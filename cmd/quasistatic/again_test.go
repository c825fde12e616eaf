package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// numbersOf lists the numbers of a value of JSON by their paths; set puts another one there.
func numbersOf(path string, v any, set func(any), visit func(path string, v float64, set func(any))) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			x := v[k]
			numbersOf(path+"."+k, x, func(y any) { v[k] = y }, visit)
		}
	case []any:
		for i, x := range v {
			numbersOf(fmt.Sprintf("%s[%d]", path, i), x, func(y any) { v[i] = y }, visit)
		}
	case float64:
		visit(path, v, set)
	}
}

// TestForged: nobody has the sums of the files. Then the run made again finds a changed estimate of
// the twin, changed numbers of summary.json but those of the process (one in 100, all with
// QUASISTATIC_LONG), and a changed count of iterations; without it the first would pass.
func TestForged(t *testing.T) {
	t.Parallel()
	for name := range excerpts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "out")
			excerpted(t, name, dir)
			unsealed(t, dir)
			if out := mustRun(t, "diagnose", "-v", dir); !strings.Contains(out, "made again") || strings.Contains(out, "not recomputed") {
				t.Fatalf("not made again:\n%s", out)
			}
			text := read(t, dir, table.SummaryFile)
			s := summaryOf(t, dir)
			i := slices.IndexFunc(s.Facts, func(f table.Fact) bool { return strings.HasPrefix(f.Name, "error of the trajectory") })
			s.Facts[i].Value /= 2
			if err := s.Write(dir); err != nil {
				t.Fatal(err)
			}
			if code, _, stderr := qs("diagnose", "-v", dir, "--quiet"); code != exitFailed ||
				!strings.Contains(stderr, fmt.Sprintf("facts[%d].value", i)) {
				t.Errorf("half the error: exit %d\n%s", code, stderr)
			}
			if out := mustRun(t, "diagnose", "-v", dir, "--files-only"); !strings.Contains(out, "not recomputed") {
				t.Errorf("--files-only does not say what it takes over:\n%s", out)
			}
			var tree any
			if err := json.Unmarshal([]byte(text), &tree); err != nil {
				t.Fatal(err)
			}
			r, every := rand.New(rand.NewPCG(12, 1)), 100
			if thorough.Asked() {
				every = 1
			}
			numbersOf("", tree, nil, func(path string, v float64, set func(any)) {
				if key := strings.Split(strings.TrimPrefix(path, "."), ".")[0]; key == "memory" ||
					key == "wall_seconds" || r.IntN(every) > 0 {
					return
				}
				set(v*(1+1e-9) + 1e-9)
				forged, err := json.Marshal(tree)
				if err != nil {
					t.Fatal(err)
				}
				putSummary(t, string(forged), dir)
				if code, _, _ := qs("diagnose", "-v", dir, "--quiet"); code == exitDone {
					t.Errorf("%s of summary.json: %g changed by 1e-9 is not noticed", path, v)
				}
				set(v)
			})
			write(t, text, dir, table.SummaryFile)
			lines := strings.Split(strings.TrimSpace(read(t, dir, table.CertificatesFile)), "\n")
			column := "iterations"
			if !strings.Contains(lines[0], column) {
				column = "rounds"
			}
			at := slices.Index(strings.Split(lines[0], ","), column)
			fields := strings.Split(lines[len(lines)/2], ",")
			fields[at] += "1"
			lines[len(lines)/2] = strings.Join(fields, ",")
			write(t, strings.Join(lines, "\n")+"\n", dir, table.CertificatesFile)
			if code, _, stderr := qs("diagnose", "-v", dir, "--quiet"); code != exitFailed ||
				!strings.Contains(stderr, "certificates.csv:") {
				t.Errorf("%s: exit %d\n%s", column, code, stderr)
			}
		})
	}
}

// TestAnotherVersion: what another version wrote is compared with the run made again, to rounding;
// what says more is not certified, and what it says is told.
func TestAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	excerpted(t, "rigid", dir)
	s := summaryOf(t, dir)
	s.Version = "v0.0.1"
	s.Facts[0].Value /= 2 // as if it solved its steps in another way: a residual is below its limit
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	out := mustRun(t, "diagnose", "-v", dir)
	for _, want := range []string{"of version v0.0.1", "from that of the run made again: 0 <=", "error of the trajectory"} {
		if !strings.Contains(out, want) {
			t.Errorf("lacks %q:\n%s", want, out)
		}
	}
	for i := range s.Facts {
		s.Facts[i].Basis = table.Proven
	}
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := qs("diagnose", "-v", dir, "--quiet"); code != exitFailed || !strings.Contains(stderr, "summary.json: facts[") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestAsExpected: diagnose evaluates the expectations as run does.
func TestAsExpected(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	code, _, _ := qs("run", small("disc-drop"), "--set",
		`expect=[{"quantity": "position", "body": "disc", "axis": "x", "value": 2, "tolerance": 0.1}]`, "--out", dir,
		"--quiet", "--no-picture")
	again, _, stderr := qs("diagnose", "-v", dir, "--quiet")
	if code != exitFailed || again != exitFailed || !strings.Contains(stderr, "expectations are not met") {
		t.Errorf("run: exit %d, diagnose: exit %d\n%s", code, again, stderr)
	}
}
