package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/trajectory"
)

// cost are the numbers that say what a run took, not what it gave: a matrix that a
// resumed run factorises again counts again.
var cost = regexp.MustCompile(`"(wall_seconds|factors)": [^,]*,`)

// sameRun compares all files of two run folders, but for their cost.
func sameRun(t *testing.T, got, want string) {
	t.Helper()
	list := func(dir string) (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	if a, b := fmt.Sprint(list(got)), fmt.Sprint(list(want)); a != b {
		t.Errorf("files %s, want %s", a, b)
		return
	}
	for _, name := range list(want) {
		a, b := read(t, got, name), read(t, want, name)
		if name == trajectory.SummaryFile {
			a, b = cost.ReplaceAllString(a, ""), cost.ReplaceAllString(b, "")
		}
		if a != b {
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			t.Errorf("%s differs at byte %d: %.80q, want %.80q", name, at, a[at:], b[at:])
		}
	}
}

// TestResume stops every case at several steps and goes on. Of the heavy ones it
// takes copies: one whose contacts are so many that the problem condensed onto them
// is solved by a preconditioner that lives from step to step, and one of rubber. With
// QUASISTATIC_LONG it takes them as they are.
func TestResume(t *testing.T) {
	files, _ := cases(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			if heavy(file) && os.Getenv("QUASISTATIC_LONG") == "" {
				cells := "[16, 3]" // more particles than a global search takes
				if strings.Contains(file, "3d") {
					cells = "[24, 6, 6]" // 175 nodes in contact
				}
				copied, whole := lighter(t, file, cells), t.TempDir()
				mustRun(t, "run", copied, "--out", whole, "--quiet")
				resumes(t, copied, whole)
				return
			}
			whole, _ := finished(t, strings.TrimSuffix(filepath.Base(file), ".json"))
			resumes(t, file, whole)
		})
	}
}

// resumes compares a whole run with one that is stopped at several steps.
func resumes(t *testing.T, file, whole string) {
	parts := t.TempDir()
	c, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	j, err := newTask(c, parts)
	if err != nil {
		t.Fatal(err)
	}
	steps := j.common().summary.StepsPlanned
	j.common().picture = true
	stopAt(t, j, 0)
	for _, k := range []int{1, steps/2 + 1} {
		next, err := resumable(parts)
		if err != nil {
			t.Fatal(err)
		}
		next.common().picture = true
		stopAt(t, next, k)
	}
	mustRun(t, "run", "--resume", parts, "--quiet")
	sameRun(t, parts, whole)
	mustRun(t, "run", "--resume", parts) // nothing left to do
}

// stopAt runs a task up to step k.
func stopAt(t *testing.T, j task, k int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	j.follow(func(step int) {
		if step >= k {
			cancel()
		}
	})
	if err := j.run(ctx); err != nil {
		t.Fatal(err)
	}
	if s := j.common().summary; s.Status != trajectory.Interrupted {
		t.Fatalf("the run is %s (%s), want it stopped at step %d", s.Status, s.Message, k)
	}
}

func TestResumeThinned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.Replace(read(t, small("play")), `"steps": 800`, `"steps": 803, "output": {"every": 50, "format": "npz"}`, 1)
	text = text[:strings.Index(text, ",\n  \"expect\"")] + "}"
	file := write(t, text, dir, "thin.json")
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	mustRun(t, "run", file, "--out", whole, "--quiet", "--no-picture")
	c, m, err := load(file)
	if err != nil {
		t.Fatal(err)
	}
	stopAt(t, newJob(c, m, parts), 420)
	mustRun(t, "run", "--resume", parts, "--quiet", "--no-picture")
	sameRun(t, parts, whole)
	if _, err := os.Stat(filepath.Join(parts, trajectory.TrajectoryFile)); err == nil {
		t.Error("the CSV files are still there beside the NPZ file")
	}
}

// TestKill kills runs with SIGKILL at random moments, and resumes them, which may
// be killed again.
func TestKill(t *testing.T) {
	most := 3
	if os.Getenv("QUASISTATIC_LONG") != "" {
		most = 50
	}
	for name, change := range map[string][2]string{
		"play": {`"steps": 800`, `"steps": 2000`}, "braking-point": {}, "double-pendulum-floor": {}, "block-impact": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(read(t, small(name)), change[0], change[1], 1)
			kills(t, write(t, text, t.TempDir(), "case.json"), most)
		})
	}
}

// kills compares a run with ones that are killed again and again, most times.
func kills(t *testing.T, file string, most int) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	began := time.Now()
	mustRun(t, "run", file, "--out", whole, "--quiet", "--checkpoint", "1ms")
	length := time.Since(began)
	seed := uint64(began.UnixNano())
	t.Logf("seed %d, a run takes %v", seed, length)
	random := rand.New(rand.NewPCG(seed, 0))
	killed := 0
	for killed < most {
		out := filepath.Join(dir, fmt.Sprint("killed", killed))
		args := []string{"run", file, "--out", out, "--quiet", "--checkpoint", "1ms"}
		for attempt := 0; ; attempt++ {
			cmd := exec.Command(os.Args[0], args...)
			cmd.Env = append(os.Environ(), "QUASISTATIC_TEST_MAIN=1")
			if attempt < 20 { // an unlucky machine may never get as far as the next checkpoint
				cmd.Env = append(cmd.Env, killAfter+"="+time.Duration(random.Float64()*1.2*float64(length)).String())
			}
			text, err := cmd.CombinedOutput()
			if err == nil {
				break
			}
			if err.Error() != "signal: killed" {
				t.Fatalf("%v: %v\n%s", args, err, text)
			}
			killed++
			if _, err := os.Stat(filepath.Join(out, trajectory.CaseFile)); err == nil {
				args = []string{"run", "--resume", out, "--quiet", "--checkpoint", "1ms"}
			}
		}
		sameRun(t, out, whole)
	}
	t.Logf("killed %d times", killed)
}

// killAfter is the variable that lets the program kill itself, as kill -9 does, a
// time after it began: a clock of the test would count the start of the process.
const killAfter = "QUASISTATIC_TEST_KILL"

func TestResumeRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, m, err := load(small("play"))
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run")
	fresh := func() string {
		if err := os.RemoveAll(run); err != nil {
			t.Fatal(err)
		}
		stopAt(t, newJob(c, m, run), 100)
		return filepath.Join(run, trajectory.CheckpointFile)
	}
	change := func(name, old, new string) {
		text := read(t, name)
		if !strings.Contains(text, old) {
			t.Fatalf("%s has no %q", name, old)
		}
		write(t, strings.Replace(text, old, new, 1), name)
	}
	for _, c := range []struct {
		name   string
		damage func(checkpoint string)
		code   int
		want   string
	}{
		{"other version", func(f string) { change(f, `"version":"`+version, `"version":"0.0.9`) }, exitInput, "is of version 0.0.9"},
		{"other case", func(f string) {
			change(filepath.Join(run, trajectory.CaseFile), `"steps": 800`, `"steps": 801`)
			_ = os.Remove(filepath.Join(run, trajectory.SummaryFile))
		}, exitInput, "of another case"},
		{"cut", func(f string) { text := read(t, f); write(t, text[:len(text)-7], f) }, exitInput, "the state is damaged"},
		{"foreign", func(f string) { write(t, "hello\n", f) }, exitInput, `the first line is "hello"`},
		{"empty", func(f string) { write(t, "", f) }, exitInput, "the first line is"},
		{"short forces", func(f string) { write(t, "t\n", run, trajectory.ForcesFile) }, exitFailed, "it was changed since"},
		{"no forces", func(f string) { _ = os.Remove(filepath.Join(run, trajectory.ForcesFile)) }, exitFailed, "no such file"},
		{"no case", func(f string) { _ = os.Remove(filepath.Join(run, trajectory.CaseFile)) }, exitInput, "no such file"},
		{"no folder", func(f string) { _ = os.RemoveAll(run) }, exitInput, "is not a folder"},
	} {
		c.damage(fresh())
		if code, _, stderr := qs("run", "--resume", run, "--quiet"); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d and %q\n%s", c.name, code, c.code, c.want, stderr)
		}
	}
}

// TestResumeTidies resumes runs that were killed after their summary was written,
// before what they need no more was taken away.
func TestResumeTidies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := read(t, small("play"))
	for _, format := range []string{"csv", "npz"} {
		file := write(t, strings.Replace(text, `"steps": 800`, `"steps": 800, "output": {"format": "`+format+`"}`, 1), dir, format+".json")
		whole, killed := filepath.Join(dir, format), filepath.Join(dir, format+"-killed")
		for _, out := range []string{whole, killed} {
			mustRun(t, "run", file, "--out", out, "--quiet", "--no-picture")
		}
		for _, name := range []string{trajectory.CheckpointFile, ".overview.svg.part-1"} {
			write(t, "left behind", killed, name)
		}
		if format == "npz" {
			write(t, "t\n", killed, trajectory.ForcesFile) // the first of the two is gone already
		}
		mustRun(t, "run", "--resume", killed, "--quiet", "--no-picture")
		sameRun(t, killed, whole)
	}
}
