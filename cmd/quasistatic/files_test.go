package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// long is a case that takes much longer than a test.
func long(t *testing.T) string {
	t.Helper()
	text := strings.Replace(read(t, small("play")), `"steps": 800`, `"steps": 9000000`, 1)
	return write(t, text, t.TempDir(), "long.json")
}

// checkWhole checks that the files of a run that was stopped can be read, and
// returns the number of nodes.
func checkWhole(t *testing.T, dir string) int {
	t.Helper()
	nodes := 0
	for _, f := range []string{table.TrajectoryFile, table.ForcesFile, table.CertificatesFile} {
		text := read(t, dir, f)
		if !strings.HasSuffix(text, "\n") {
			t.Errorf("%s ends in the middle of a line", f)
		}
		n := strings.Count(text, "\n") - 1
		if nodes != 0 && n != nodes {
			t.Errorf("%s has %d nodes, the others %d", f, n, nodes)
		}
		nodes = n
	}
	s := summaryOf(t, dir)
	if s.Status != table.Interrupted || s.Certified || s.Steps != nodes-1 || !strings.Contains(s.Message, "stopped after step") {
		t.Errorf("%d nodes, summary %+v", nodes, s)
	}
	return nodes
}

func TestCancelledRunLeavesWholeFiles(t *testing.T) {
	t.Parallel()
	c, err := open(long(t))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	dir := filepath.Join(t.TempDir(), "out")
	j, err := newTask(c, dir)
	if err != nil {
		t.Fatal(err)
	}
	j.Picture = true
	j.OnStep = func(step int) {
		if step == 100 {
			cancel()
		}
	}
	if err := j.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if run.Certified(&j.Summary) {
		t.Errorf("certified: %+v", j.Summary)
	}
	if nodes := checkWhole(t, dir); nodes != 101 {
		t.Errorf("%d nodes, want 101", nodes)
	}
	if code, out, _ := qs("diagnose", "-v", dir); code != exitFailed || !strings.Contains(out, "100 steps") ||
		!strings.Contains(out, "not reached") {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no SIGINT to send")
	}
	dir := filepath.Join(t.TempDir(), "out")
	cmd := program("run", long(t), "--out", dir)
	cmd.Env = append(cmd.Env, patient+"=5m") // a machine may be busy
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(5 * time.Minute)
	for { // the header is written before the first step, and the signal is to come after it
		text, err := os.ReadFile(filepath.Join(dir, table.TrajectoryFile))
		if err == nil && bytes.Count(text, []byte("\n")) > 2 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no step was written in five minutes")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code is looked at next
	if code := cmd.ProcessState.ExitCode(); code != exitFailed {
		t.Errorf("exit %d, want %d", code, exitFailed)
	}
	if !strings.Contains(out.String(), "INTERRUPTED") {
		t.Errorf("output:\n%s", out.String())
	}
	checkWhole(t, dir)
}

// TestStops stops commands that would go on for long amid what they do: they end
// soon, say so, and runs can go on.
func TestStops(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	dir := t.TempDir()
	slow := func(name, old, new string) string {
		text := read(t, small(name))
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %s", name, old)
		}
		return write(t, strings.Replace(text, old, new, 1), dir, name+".json")
	}
	play := slow("play", `"steps": 800`, `"steps": 9000000`)
	bounce := slow("bouncing-sphere", `"steps": 40000`, `"steps": 9000000`)
	target := slow("sliding-target", `"steps": 50`, `"steps": 50000000`)
	pecker := slow("woodpecker", `"steps": 5000`, `"steps": 50000000`)
	bar := slow("impacting-bar", `"steps": 900`, `"steps": 90000000`)
	gammas := slow("gamma-to-zero", `"steps": 400`, `"steps": 400000`)
	for i, file := range []string{play, bounce, pecker, bar} { // amid the steps
		t.Run("run"+filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(dir, strconv.Itoa(i))
			for _, args := range [][]string{{"run", file, "--out", out, "--trace", "--no-picture"},
				{"run", "--resume", out, "--trace", "--no-picture"}} {
				cmd := program(args...)
				// A machine may be busy, and a step is ended first.
				cmd.Env = append(cmd.Env, patient+"=5m")
				text, _ := stopWhen(cmd, func(line string) bool {
					return strings.HasPrefix(line, "step ") &&
						!strings.HasPrefix(line, "step 0 ")
				}) // the exit code is looked at
				if cmd.ProcessState.ExitCode() != exitFailed ||
					!strings.Contains(string(text), "quasistatic run --resume "+out+" goes on") {
					t.Errorf("%v: %v\n%.3000s", args, cmd.ProcessState, text)
				}
			}
		})
	}
	for i, args := range [][]string{ // where no step is there to be saved
		{"run", target}, {"run", gammas}, {"check", small("press-and-drag-3d")}, {"converge", play},
		{"converge", bounce}, {"converge", pecker},
	} {
		t.Run(args[0]+filepath.Base(args[1]), func(t *testing.T) {
			t.Parallel()
			if args[0] != "check" {
				args = append(args, "--out", filepath.Join(dir, "other", strconv.Itoa(i)))
			}
			cmd := program(args...)
			cmd.Env = append(cmd.Env, stopAfter+"=100ms")
			if text, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != exitFailed ||
				!strings.Contains(string(text), "stopped") && !strings.Contains(string(text), "terminated signal") {
				t.Errorf("%v: %v\n%s", args, cmd.ProcessState, text)
			}
		})
	}
}

// TestStopped calls the commands that read a run when they are told to stop already.
func TestStopped(t *testing.T) {
	t.Parallel()
	whole, _ := finished(t, "play")
	dir, cases := t.TempDir(), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	write(t, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\n"+strings.Repeat("a line\n", 10_000)+"$EndComments\n", cases, "long.msh")
	mesh := strings.NewReplacer(`"block": {`, `"file": "long.msh", "block": {`).Replace(read(t, small("block-impact")))
	mesh = regexp.MustCompile(`"file": "long.msh", "block": \{[^}]*\}`).ReplaceAllString(mesh, `"file": "long.msh"`)
	for _, args := range [][]string{
		{"report", whole, "--out", filepath.Join(dir, "r.html")}, {"film", whole, "--out", filepath.Join(dir, "f.svg")},
		{"compare", "--column", "p.n", "--out", filepath.Join(dir, "c.svg"), whole}, {"export", whole, "--format", "npz", "--out", dir},
		{"export", whole, "--format", "vtu", "--out", dir}, {"export", whole, "--format", "parquet", "--out", dir},
		{"diagnose", whole}, {"run", write(t, mesh, cases, "mesh.json"), "--out", filepath.Join(dir, "mesh")},
		{"run", "play", "--out", filepath.Join(dir, "play")}, {"converge", "play", "--out", filepath.Join(dir, "c")},
		{"solve", write(t, planeProblem, t.TempDir(), "a.dat")},
		{"stands", write(t, `{"plane": true, "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 7, "density": 2000}}}`,
			t.TempDir(), "a.json")},
	} {
		want := exitFailed
		if args[0] == "stands" { // there it would say that it falls
			want = exitOpen
		}
		var out, faults bytes.Buffer
		code := runContext(ctx, append([]string{"quasistatic"}, args...), &out, &faults)
		if text := faults.String(); code != want || !strings.Contains(text, "stopped") && !strings.Contains(text, "interrupted") {
			t.Errorf("%v: exit %d\n%s", args, code, text)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// shift replaces a field of a line by a text, unless it is that already.
func shift(t *testing.T, line string, field int, with string) string {
	t.Helper()
	fields := strings.Split(line, ",")
	if fields[field] == with {
		t.Fatalf("field %d of %s is %s already", field, line, with)
	}
	fields[field] = with
	return strings.Join(fields, ",")
}

// nudge adds to a field.
func nudge(t *testing.T, line string, field int, by float64) string {
	t.Helper()
	v, err := strconv.ParseFloat(strings.Split(line, ",")[field], 64)
	if err != nil {
		t.Fatal(err)
	}
	return shift(t, line, field, strconv.FormatFloat(v+by, 'g', 17, 64))
}

func TestForeignCase(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, "run", small("play"), "--out", dir, "--no-picture", "--quiet")
	write(t, strings.Replace(read(t, dir, table.CaseFile), "0.4", "0.5", 1), dir, table.CaseFile)
	if code, _, stderr := qs("diagnose", "-v", dir); code != exitInput || !strings.Contains(stderr, "is not the case that was run") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
}

func TestThinnedRun(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(read(t, small("play")), `"steps": 800`, `"steps": 802, "output": {"every": 5}`, 1)
	text = text[:strings.Index(text, `,
  "expect"`)] + "}"
	mustRun(t, "run", write(t, text, t.TempDir(), "thin.json"), "--out", dir, "--no-picture", "--quiet")
	lines := strings.Split(strings.TrimSpace(read(t, dir, table.TrajectoryFile)), "\n")
	if len(lines) != 1+161+1 || !strings.HasPrefix(lines[len(lines)-1], "2,") {
		t.Errorf("%d lines, the last one %q", len(lines), lines[len(lines)-1])
	}
	if code, stdout, stderr := qs("diagnose", "-v", dir); code != exitDone || !strings.Contains(stdout, "every 5-th node only") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	forces := read(t, dir, table.ForcesFile)
	write(t, strings.Replace(forces, "\n0.5", "\n0.5001", 1), dir, table.ForcesFile)
	if code, _, stderr := qs("diagnose", "-v", dir); code != exitFailed {
		t.Errorf("another force: exit %d\n%s", code, stderr)
	}
	write(t, forces, dir, table.ForcesFile)
	if err := os.Remove(filepath.Join(dir, table.SummaryFile)); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := qs("diagnose", "-v", dir, "--quiet"); code != exitFailed || !strings.Contains(stderr, "summary.json") {
		t.Errorf("without a summary: exit %d\n%s", code, stderr)
	}
}

func TestMatrixFileIsCopied(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	write(t, "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 2 1\n3 3 2\n3 1 -0.5\n", dir, "k.mtx")
	text := read(t, small("klarbring"))
	text = strings.Replace(text, `[[1, 0, -0.5], [0, 1, 0], [-0.5, 0, 2]]`, `{"file": "k.mtx"}`, 1)
	mustRun(t, "run", write(t, text, dir, "a.json"), "--out", out, "--no-picture", "--quiet")
	mustRun(t, "diagnose", "-v", out)
}
