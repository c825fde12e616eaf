package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
)

// refined are the cases that TestConvergeCases takes: friction by direction, steps chosen, a walk
// from event to event, a jump. .ci/run has all that are not costly; those, which take minutes, are made by hand.
var refined = []string{"anisotropic", "chain-exact", "grazing-adaptive", "klarbring-jump"}

// TestConvergeCases: every energetic case converges, in few steps here, and leaves its table.
func TestConvergeCases(t *testing.T) {
	files, energetic := cases(t)
	for _, file := range files {
		if !energetic[file] || strings.Contains(file, "snap-through") { // whose apex, hardly held, is not solved to 1e-10 in 25 steps
			continue
		}
		names := refined
		if thorough.SecondsAsked() {
			names = affordable()
		}
		if !slices.Contains(names, strings.TrimSuffix(filepath.Base(file), ".json")) {
			continue
		}
		if strings.Contains(read(t, file), `"until_loss"`) {
			continue // no equilibrium is left before the end
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			steps, cells := "25", "[8, 2]"
			if strings.Contains(file, "3d") {
				steps, cells = "10", "[8, 2, 2]"
			}
			dir := t.TempDir()
			converge(t, lighter(t, file, cells), "--steps", steps, "--levels", "3", "--out", dir)
			if _, err := os.Stat(filepath.Join(dir, "convergence.json")); err != nil {
				t.Error(err)
			}
		})
	}
}

// converge makes a convergence study whose coarse runs need not be accurate.
func converge(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	code, out, err := qs(append([]string{"converge"}, args...)...)
	if code != exitDone && !(code == exitFailed &&
		(strings.Contains(err, "runs are not certified") || strings.Contains(err, "is not as expected"))) {
		t.Fatalf("converge %v: exit %d\n%s%s", args, code, out, err)
	}
	return out
}

// TestConvergeVerdicts: a study says of each of its runs what the run says by itself, in words and
// in JSON, and its exit code is that of all of them.
func TestConvergeVerdicts(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for _, x := range []struct {
		args []string
		code int
	}{
		{[]string{"braking-point", "--set", "accuracy=1e-12"}, exitFailed},           // dynamic: no run is accurate
		{[]string{"klarbring", "--set", "friction.rough.mu=1.3"}, exitFailed},        // certified, and never as expected
		{[]string{"grazing", "--set", "accuracy=1e-9", "--steps", "50"}, exitFailed}, // by certificates
		{[]string{"klarbring"}, exitDone},
	} {
		args := append([]string{"converge"}, x.args...)
		args = append(args, "--levels", "2", "--out", t.TempDir(), "--json")
		code, out, stderr := qs(args...)
		var s struct{ Verdicts []run.LevelVerdict }
		if err := json.Unmarshal([]byte(out), &s); err != nil || code != x.code || len(s.Verdicts) != 2 {
			t.Errorf("%v: exit %d, %v, verdicts %+v\n%s", args, code, err, s.Verdicts, stderr)
			continue
		}
		for _, v := range s.Verdicts {
			steps, _, _ := strings.Cut(v.Run, " ")
			sets := append([]string{"run"}, slices.DeleteFunc(slices.Clone(x.args),
				func(a string) bool { return a == "--steps" || a == "50" })...)
			code, _, stderr := qs(append(sets, "--set", "steps="+steps, "--out", t.TempDir(), "--quiet", "--no-picture")...)
			if (code == exitDone) != (v.Verdict == "certified" && v.Met) {
				t.Errorf("%v, %s: %+v, the run by itself: exit %d %s", x.args, v.Run, v, code, stderr)
			}
		}
		if text := converge(t, append(x.args, "--levels", "2", "--out", t.TempDir())...); strings.Count(text,
			" steps ") < 2 || !strings.Contains(text, "verdicts") {
			t.Errorf("%v: no verdicts in\n%s", x.args, text)
		}
	}
}

// TestConvergeOrders: grazing with γ halved along the step is of first order.
func TestConvergeOrders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := converge(t, "../../cases/grazing-lagged.json", "--steps", "250", "--levels", "4", "--out", dir, "--json")
	var s struct{ Rows []energetic.Refinement }
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	r := s.Rows[2] // the last row has no Richardson order
	if math.Abs(r.OrderError-1) > 0.1 || math.Abs(r.OrderGap-2) > 0.1 || math.Abs(r.OrderBalance-1) > 0.1 {
		t.Errorf("orders %.2f, %.2f, %.2f, want 1, 2, 1 to the nearest tenth", r.OrderError, r.OrderGap, r.OrderBalance)
	}
	if pictures, _ := filepath.Glob(filepath.Join(dir, "convergence.*g")); len(pictures) != 2 {
		t.Errorf("pictures %v", pictures)
	}
}

func TestConvergeInput(t *testing.T) {
	for _, args := range [][]string{{"converge"}, {"converge", "a", "b"},
		{"converge", "../../cases/play.json", "--levels", "1"}, {"converge", "no.json"},
		{"converge", "play", "--steps", "1000000000"}, {"converge", "play", "--workers", "0"},
		{"converge", "play", "--set", "friction.dry.mux=1"}} {
		var out, errOut bytes.Buffer
		if code := start(append([]string{"quasistatic"}, append(args, "--out", t.TempDir())...), &out, &errOut); code != exitInput {
			t.Errorf("%v: exit code %d: %s", args, code, errOut.String())
		}
	}
}

// TestConvergeKeeps: what no study wrote is not replaced by one, in a folder with a file of each of
// its names; a study is.
func TestConvergeKeeps(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"convergence.json", "convergence.png", "convergence.svg", "convergence.html"} {
		dir := t.TempDir()
		write(t, "[1, 2]", dir, name)
		var out, errOut bytes.Buffer
		if code := start([]string{"quasistatic", "converge", "../../cases/play.json", "--levels", "2", "--steps", "4",
			"--out", dir}, &out, &errOut); code != exitInput || !strings.Contains(errOut.String(), name) {
			t.Errorf("%s: exit code %d: %s", name, code, errOut.String())
		}
		if read(t, dir, name) != "[1, 2]" {
			t.Errorf("%s is lost", name)
		}
	}
	dir := t.TempDir()
	for range 2 {
		converge(t, "../../cases/play.json", "--levels", "2", "--steps", "4", "--out", dir, "--quiet")
	}
}
