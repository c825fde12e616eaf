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

	"github.com/quasistatic/quasistatic/energetic"
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

// TestResume stops every energetic case at several steps and goes on.
func TestResume(t *testing.T) {
	files, energetic := cases(t)
	for _, file := range files {
		if !energetic[file] || heavy(file) {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			if testing.Short() && strings.Contains(file, "net") {
				t.Skip("takes seconds")
			}
			whole := t.TempDir()
			mustRun(t, "run", file, "--out", whole, "--quiet")
			parts := t.TempDir()
			c, m, err := load(file)
			if err != nil {
				t.Fatal(err)
			}
			j := &job{c: c, m: m, dir: parts, picture: true}
			stopAt(t, j, 0)
			for _, k := range []int{1, m.Steps / 3, 2*m.Steps/3 + 1} {
				next, err := resumable(parts)
				if err != nil {
					t.Fatal(err)
				}
				next.picture = true
				stopAt(t, next, k)
			}
			mustRun(t, "run", "--resume", parts, "--quiet")
			sameRun(t, parts, whole)
			mustRun(t, "run", "--resume", parts) // nothing left to do
		})
	}
}

// stopAt runs a job up to step k.
func stopAt(t *testing.T, j *job, k int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	j.watch = func(n *energetic.Node) {
		if n.K >= k {
			cancel()
		}
	}
	if err := j.run(ctx); err != nil {
		t.Fatal(err)
	}
	if j.summary.Status != trajectory.Interrupted {
		t.Fatalf("the run is %s, want it stopped at step %d", j.summary.Status, k)
	}
}

func TestResumeThinned(t *testing.T) {
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
	stopAt(t, &job{c: c, m: m, dir: parts}, 420)
	mustRun(t, "run", "--resume", parts, "--quiet", "--no-picture")
	sameRun(t, parts, whole)
	if _, err := os.Stat(filepath.Join(parts, trajectory.TrajectoryFile)); err == nil {
		t.Error("the CSV files are still there beside the NPZ file")
	}
}

// TestKill kills runs with SIGKILL at random moments, and resumes them, which may
// be killed again.
func TestKill(t *testing.T) {
	kills, most := 0, 60
	if testing.Short() {
		most = 4
	} else if os.Getenv("QUASISTATIC_LONG") == "" {
		most = 12
	}
	dir := t.TempDir()
	file := write(t, strings.Replace(read(t, small("play")), `"steps": 800`, `"steps": 2000`, 1), dir, "play.json")
	whole := filepath.Join(dir, "whole")
	began := time.Now()
	mustRun(t, "run", file, "--out", whole, "--quiet", "--checkpoint", "1ms")
	length := time.Since(began)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d, a run takes %v", seed, length)
	random := rand.New(rand.NewPCG(seed, 0))
	for kills < most {
		out := filepath.Join(dir, fmt.Sprint("killed", kills))
		args := []string{"run", file, "--out", out, "--quiet", "--checkpoint", "1ms"}
		for {
			cmd := exec.Command(os.Args[0], args...)
			cmd.Env = append(os.Environ(), "QUASISTATIC_TEST_MAIN=1")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			timer := time.AfterFunc(time.Duration(random.Float64()*1.2*float64(length)), func() { _ = cmd.Process.Kill() })
			err := cmd.Wait()
			timer.Stop()
			if err == nil {
				break
			}
			if err.Error() != "signal: killed" {
				t.Fatalf("%v: %v", args, err)
			}
			kills++
			if _, err := os.Stat(filepath.Join(out, trajectory.CaseFile)); err == nil {
				args = []string{"run", "--resume", out, "--quiet", "--checkpoint", "1ms"}
			}
		}
		sameRun(t, out, whole)
	}
	t.Logf("killed %d times", kills)
}

func TestResumeRefuses(t *testing.T) {
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
		stopAt(t, &job{c: c, m: m, dir: run}, 100)
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
