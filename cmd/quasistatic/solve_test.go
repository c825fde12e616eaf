package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/contact/problemfile"
)

const (
	solvableLCP   = "2\n0\n2\n2\n2 2\n2 1 1 2\n-5 -6\n"
	infeasibleLCP = "1\n0\n1\n1\n1 1\n-1\n-1\n"
	planeProblem  = "2\n1\n0\n2\n2\n2 2\n1 0 0 1\n-2 3\n0.5\n"
)

// runSolve calls the command and returns its output and exit code.
func runSolve(t *testing.T, args ...string) (out string, code int) {
	t.Helper()
	code, stdout, stderr := qs(append([]string{"solve"}, args...)...)
	return stdout + stderr, code
}

func problemPath(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSolveExitCodes(t *testing.T) {
	good := problemPath(t, "good.dat", solvableLCP)
	bad := problemPath(t, "bad.dat", infeasibleLCP)
	broken := problemPath(t, "broken.dat", "hello")
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"solved", []string{good}, 0, "converged"},
		{"infeasible", []string{good, bad}, 1, "infeasible"},
		{"broken", []string{bad, broken, good}, 2, "line 1"},
		{"missing", []string{"/nonexistent"}, 2, "no such file"},
		{"no file", nil, 2, "no FILE"},
		{"unknown solver", []string{"--solver", "magic", good}, 2, "gauss-seidel"},
		{"wrong solver", []string{"--solver", "admm", good}, 2, "does not take"},
		{"wrong tolerance", []string{"--tolerance", "2", good}, 2, "tolerance"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, code := runSolve(t, c.args...)
			if code != c.code || !strings.Contains(out, c.want) {
				t.Errorf("exit code %d, output %q; want %d and %q", code, out, c.code, c.want)
			}
		})
	}
}

func TestSolveJSONAndOut(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "answers")
	out, code := runSolve(t, "--json", "--out", dir, problemPath(t, "block.dat", planeProblem))
	var rows []problemfile.Row
	if err := json.Unmarshal([]byte(out), &rows); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v in %q", code, err, out)
	}
	if len(rows) != 1 || rows[0].Slip != 1 || rows[0].Merit == nil || *rows[0].Merit > 1e-8 {
		t.Errorf("rows %+v", rows)
	}
	data, err := os.ReadFile(filepath.Join(dir, "block.dat.json"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ R, U []float64 }
	if err := json.Unmarshal(data, &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.R) != 2 || answer.R[0] < 1.9999 || answer.R[1] > -0.9999 || len(answer.U) != 2 {
		t.Errorf("answer %+v", answer)
	}
}

func TestSolveProfile(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "profile.svg")
	out, code := runSolve(t, "--profile", picture, problemPath(t, "a.dat", planeProblem), problemPath(t, "b.dat", solvableLCP))
	if code != 0 || !strings.Contains(out, "solver \\ τ") ||
		strings.Count(out, "a.dat") != len(problemfile.SolverNames()) || strings.Count(out, "b.dat") != 1 {
		t.Errorf("exit code %d, output:\n%s", code, out)
	}
	if _, err := os.Stat(picture); err != nil {
		t.Error(err)
	}
}
