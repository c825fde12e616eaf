package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// cost are the numbers that say what a run took, not what it gave: a matrix that a
// resumed run factorises again counts again, and the memory allowed is what was free.
var cost = regexp.MustCompile(`"(wall_seconds|factors|limit|peak)": [^,]*,|"seal": "[0-9a-f]*"|<dt>computed in</dt><dd>[^<]*|[0-9]+ factorisations</td>`)

// sameRun compares all files of two run folders, but for their cost.
func sameRun(t *testing.T, got, want string) {
	t.Helper()
	list := func(dir string) (names []string) {
		err := filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				names = append(names, strings.TrimPrefix(name, dir))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	if a, b := fmt.Sprint(list(got)), fmt.Sprint(list(want)); a != b {
		t.Errorf("files %s, want %s", a, b)
		return
	}
	for _, name := range list(want) {
		a, b := read(t, got, name), read(t, want, name)
		if base := filepath.Base(name); base == table.SummaryFile || base == table.ReportFile {
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

// mechanisms are the cases in which what a checkpoint must hold differs, beside those of
// TestProduct: certificates and thresholds, implicit and lagged; steps chosen; a continuation;
// factorisations kept from step to step; reactions of patches; joints, collisions, trees of bodies,
// multipliers that warm the next step; displacements of a mesh; the stretches between jumps that
// are resolved, and the search of global minimisers.
var mechanisms = []string{"play", "grazing-lagged", "grazing-adaptive", "klarbring", "press-and-drag-3d", "pressed-ball", "braking-point",
	"disc-drop", "stick-slip-block", "chain-50", "block-impact", "snap-through", "two-wells"}

// TestResume stops a case of each mechanism at several steps and goes on. Of the heavy ones
// it takes copies: one whose contacts are so many that the problem condensed onto them
// is solved by a preconditioner that lives from step to step, and the beginning of a long
// chain. With QUASISTATIC_LONG it takes all cases, as they are.
func TestResume(t *testing.T) {
	names := mechanisms
	switch {
	case thorough.Asked():
		names = affordable()
	case !thorough.SecondsAsked():
		names = []string{"play", "braking-point", "disc-drop", "block-impact", "two-wells"} // the cheapest of each model
	}
	for _, name := range names {
		file := small(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !thorough.Asked() && (heavy(file) || name == "chain-50") {
				copied, whole := "", t.TempDir()
				if name == "chain-50" {
					copied = write(t, strings.Replace(unexpecting(read(t, file)),
						"\"until\": 1,\n  \"steps\": 800, \"accuracy\": 0.015",
						`"accuracy": 0.5, "until": 0.1, "steps": 80`, 1), t.TempDir(), "chain.json")
				} else {
					copied = lighter(t, file, "[17, 7, 6]") // 144 nodes in contact, 3,024 rows: see TestLarge of particles/body
				}
				mustRun(t, "run", copied, "--out", whole, "--quiet", "--no-picture")
				resumes(t, copied, whole)
				return
			}
			whole, _ := finished(t, name)
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
	steps := summaryOf(t, whole).Steps // a run that chooses them plans others
	_, err = os.Stat(filepath.Join(whole, "overview.png"))
	pictured := err == nil
	j.Picture = pictured
	stopAt(t, j, 0)
	for _, k := range []int{1, max(2, steps/2)} {
		if k >= steps {
			break
		}
		next, err := resumed(t, parts)
		if err != nil {
			t.Fatal(err)
		}
		next.Picture = pictured
		stopAt(t, next, k)
	}
	want := exitDone
	if uncertified[c.Name] {
		want = exitFailed
	}
	args := []string{"run", "--resume", parts, "--quiet"}
	if !pictured {
		args = append(args, "--no-picture")
	}
	if code, _, stderr := qs(args...); code != want {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	sameRun(t, parts, whole)
	if code, _, stderr := qs("run", "--resume", parts); code != want { // nothing left to do
		t.Fatalf("exit %d: %s", code, stderr)
	}
}

// stopAt runs a task up to step k.
func stopAt(t *testing.T, j *run.Task, k int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	j.OnStep = func(step int) {
		if step >= k {
			cancel()
		}
	}
	if err := j.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if s := j.Summary; s.Status != table.Interrupted {
		t.Fatalf("the run is %s (%s), want it stopped at step %d", s.Status, s.Message, k)
	}
}

func TestResumeThinned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.Replace(unexpecting(read(t, small("play"))), `"steps": 800`,
		`"steps": 803, "output": {"every": 50, "format": "npz"}`, 1)
	file := write(t, text, dir, "thin.json")
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
	mustRun(t, "run", file, "--out", whole, "--quiet", "--no-picture")
	c, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	j, err := newTask(c, parts)
	if err != nil {
		t.Fatal(err)
	}
	stopAt(t, j, 420)
	mustRun(t, "run", "--resume", parts, "--quiet", "--no-picture")
	sameRun(t, parts, whole)
	if _, err := os.Stat(filepath.Join(parts, table.TrajectoryFile)); err == nil {
		t.Error("the CSV files are still there beside the NPZ file")
	}
}

// killed are the cases that are killed, one of each way that a run can go: what makes
// a copy of them long enough to be hit, and whether every run of the tests has them.
var killed = []struct {
	name, old, new string
	often          bool
}{
	{"play", "", "", true},
	{"grazing-adaptive", "", "", false},
	{"grazing-lagged", `"steps": 2000`, `"steps": 2000, "output": {"every": 7, "format": "npz"}`, false},
	{"gamma-to-zero", "", "", false}, // begins anew: it makes no checkpoints
	{"press-and-drag", `"steps": 25`, `"steps": 200, "output": {"format": "vtu"}`, false},
	{"rubber-block", `"steps": 60`, `"steps": 12`, false},
	{"bouncing-sphere", `"steps": 40000`, `"steps": 1500`, false},
	{"braking-point", "", "", false},
	{"sliding-target", "", "", false},
	{"double-pendulum-floor", "\"until\": 4,\n  \"steps\": 3000", `"until": 1, "steps": 850`, false},
	{"woodpecker", "\"until\": 0.5,\n  \"steps\": 5000", `"until": 0.15, "steps": 1500`, false},
	{"block-impact", "", "", false},
}

// TestKill kills runs with SIGKILL at random moments, and resumes them, which may
// be killed again: a few times, and with QUASISTATIC_LONG at least 50 times each.
func TestKill(t *testing.T) {
	long := thorough.Asked()
	for _, k := range killed {
		if !k.often && !long {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			text := unexpecting(read(t, small(k.name)))
			if !strings.Contains(text, k.old) {
				t.Fatalf("the case has no %s", k.old)
			}
			most := 2
			if long {
				most = 50
			}
			kills(t, write(t, strings.Replace(text, k.old, k.new, 1), t.TempDir(), "case.json"), most)
		})
	}
}

// kills compares a run with ones that are killed again and again, most times.
func kills(t *testing.T, file string, most int) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	began := time.Now()
	mustRun(t, "run", file, "--out", whole, "--quiet", "--report", "--checkpoint", "5ms")
	length := time.Since(began)
	seed := uint64(began.UnixNano())
	t.Logf("seed %d, a run takes %v", seed, length)
	random := rand.New(rand.NewPCG(seed, 0))
	attempts := 4
	if thorough.Asked() {
		attempts = 20
	}
	all, at := 0, map[string]int{}
	for all < most {
		out := filepath.Join(dir, fmt.Sprint("killed", all))
		args := []string{"run", file, "--out", out, "--quiet", "--report", "--checkpoint", "5ms"}
		for attempt := 0; ; attempt++ {
			cmd := program(args...)
			if attempt < attempts { // an unlucky machine may never get as far as the next checkpoint
				cmd.Env = append(cmd.Env, killAfter+"="+time.Duration(random.Float64()*1.2*float64(length)).String())
			}
			text, err := cmd.CombinedOutput()
			if err == nil {
				break
			}
			if err.Error() != "signal: killed" {
				t.Fatalf("%v: %v\n%s", args, err, text)
			}
			all++
			at[phase(out)]++
			if args[1] == "--resume" {
				at["resumed"]++
			}
			if _, err := os.Stat(filepath.Join(out, table.CaseFile)); err == nil {
				args = []string{"run", "--resume", out, "--quiet", "--report", "--checkpoint", "5ms"}
			}
		}
		sameRun(t, out, whole)
		if err := os.RemoveAll(out); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("killed %d times, %v", all, at)
}

// phase says in which part of a run it was killed, from what it left.
func phase(dir string) string {
	left := func(pattern string) bool {
		list, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is right
		return len(list) > 0
	}
	s, err := table.ReadSummary(dir)
	switch {
	case !left(table.CaseFile):
		return "start"
	case err == nil && s.Status == table.Done:
		return "after the summary"
	case left("*overview*"), left(".overview*"), left("trajectory.npz"), left(".trajectory*"):
		return "pictures and formats"
	}
	return "steps"
}

// unexpecting takes the expectations from a case.
func unexpecting(text string) string {
	if i := strings.Index(text, ",\n  \"expect\""); i >= 0 {
		return text[:i] + "}"
	}
	return text
}

// killAfter is the variable that lets the program kill itself, as kill -9 does, a
// time after it began: a clock of the test would count the start of the process.
const killAfter = "QUASISTATIC_TEST_KILL"

// patient is the variable that says how long the program may take to end in order.
const patient = "QUASISTATIC_TEST_PATIENCE"

// peakTo is the variable that names a file to which the program leaves what Linux knows of it
// when it ends.
const peakTo = "QUASISTATIC_TEST_PEAK"

// stopAfter is the same for SIGTERM.
const stopAfter = "QUASISTATIC_TEST_STOP"

func TestResumeRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := open(small("play"))
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(dir, "run")
	fresh := func() string {
		if err := os.RemoveAll(run); err != nil {
			t.Fatal(err)
		}
		stopAt(t, begun(t, c, run), 100)
		return filepath.Join(run, table.CheckpointFile)
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
		{"other version", func(string) {
			if err := table.WriteCheckpoint(run, table.CheckpointHead{Version: "0.0.9"}, "any"); err != nil {
				t.Fatal(err)
			}
		}, exitInput, "is of version 0.0.9"},
		{"other version of the file", func(f string) { change(f, "checkpoint 4", "checkpoint 2") }, exitInput,
			`the first line is "quasistatic checkpoint 2"`},
		{"other case", func(f string) {
			change(filepath.Join(run, table.CaseFile), `"steps": 800`, `"steps": 801`)
			_ = os.Remove(filepath.Join(run, table.SummaryFile))
		}, exitInput, "of another case"},
		{"cut", func(f string) { text := read(t, f); write(t, text[:len(text)-7], f) }, exitInput, "the state is damaged"},
		{"other model", func(f string) {
			other := filepath.Join(dir, "other")
			c, err := open(small("block-impact"))
			if err != nil {
				t.Fatal(err)
			}
			j, err := newTask(c, other)
			if err != nil {
				t.Fatal(err)
			}
			stopAt(t, j, 10)
			write(t, read(t, other, table.CheckpointFile), f)
		}, exitInput, "of another case"},
		{"a folder", func(f string) { _, _ = os.Remove(f), os.Mkdir(f, 0o777) }, exitInput, "is a directory"},
		{"head changed", func(f string) { change(f, `"step":100`, `"step":101`) }, exitInput, "it is damaged: its SHA-256"},
		{"longer", func(f string) { write(t, read(t, f)+"x", f) }, exitInput, "the state is damaged"},
		{"summary cut", func(string) { write(t, `{"name": "pl`, run, table.SummaryFile) }, exitInput, table.SummaryFile},
		{"foreign", func(f string) { write(t, "hello\n", f) }, exitInput, `the first line is "hello"`},
		{"empty", func(f string) { write(t, "", f) }, exitInput, "the first line is"},
		{"short forces", func(f string) { write(t, "t\n", run, table.ForcesFile) }, exitInput,
			"forces.csv: from byte 0 on, lines 1 to 2: the file ends after 2 bytes"},
		{"no forces", func(f string) { _ = os.Remove(filepath.Join(run, table.ForcesFile)) }, exitFailed, "no such file"},
		{"no case", func(f string) { _ = os.Remove(filepath.Join(run, table.CaseFile)) }, exitInput, "no such file"},
		{"no folder", func(f string) { _ = os.RemoveAll(run) }, exitInput, "is not a folder"},
	} {
		c.damage(fresh())
		if code, _, stderr := qs("run", "--resume", run, "--quiet"); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d and %q\n%s", c.name, code, c.code, c.want, stderr)
		}
	}
}

// TestResumeBitFlips flips bits of a checkpoint, all over it: each is found.
func TestResumeBitFlips(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	run := t.TempDir()
	c, err := open(small("play"))
	if err != nil {
		t.Fatal(err)
	}
	stopAt(t, begun(t, c, run), 100)
	text := read(t, run, table.CheckpointFile)
	for i := 0; i < len(text); i += 1 + i/64 { // every byte of magic and head, fewer of the state
		flipped := []byte(text)
		flipped[i] ^= 1 << (i % 8)
		if strings.EqualFold(string(flipped), text) {
			continue // keys of JSON may be in capitals
		}
		write(t, string(flipped), run, table.CheckpointFile)
		if _, err := resumed(t, run); err == nil {
			t.Errorf("bit %d of byte %d, %q, is flipped: accepted", i%8, i, text[max(0, i-10):min(len(text), i+10)])
		}
	}
}

// TestOtherCaseForgotten: what is left of another case in a folder cannot be taken for
// that of the run that is killed as it begins there.
func TestOtherCaseForgotten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustRun(t, "run", "play", "--out", dir, "--quiet", "--report")
	c, err := open(small("klarbring"))
	if err != nil {
		t.Fatal(err)
	}
	if err := begun(t, c, dir).Forget(); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := qs("run", "--resume", dir); code != exitInput || !strings.Contains(stderr, "case.json: no such file") {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	mustRun(t, "run", "klarbring", "--out", dir, "--quiet", "--no-picture")
	for _, name := range []string{"overview.svg", "overview.png"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is there, of another case", name)
		}
	}
	if page := read(t, dir, table.ReportFile); !strings.Contains(page, "<h1>klarbring") {
		t.Errorf("the page is that of another case")
	}
	if err := begun(t, c, dir).Forget(); err != nil || read(t, dir, table.CaseFile) != string(c.Raw) {
		t.Errorf("the case itself is gone: %v", err)
	}
}

// TestTwoRuns: a folder takes one run at a time; the second is refused and disturbs
// nothing.
func TestTwoRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := open(small("play"))
	if err != nil {
		t.Fatal(err)
	}
	j := begun(t, c, dir)
	j.OnStep = func(step int) {
		if step != 100 {
			return
		}
		for _, args := range [][]string{{"run", small("play"), "--out", dir}, {"run", "--resume", dir},
			{"run", small("block-impact"), "--out", dir, "--quiet"}} {
			if code, _, stderr := qs(args...); code != exitInput || !strings.Contains(stderr, "another run writes to it") {
				t.Errorf("%v: exit %d\n%s", args, code, stderr)
			}
		}
	}
	j.Picture = true
	if err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, _ := finished(t, "play")
	sameRun(t, dir, whole)
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
		for _, name := range []string{table.CheckpointFile, ".overview.svg.part-1"} {
			write(t, "left behind", killed, name)
		}
		if format == "npz" {
			mustRun(t, "export", killed, "--format", "csv", "--out", dir, "--quiet")
			write(t, read(t, dir, table.ForcesFile), killed, table.ForcesFile) // the first of the two is gone already
		}
		mustRun(t, "run", "--resume", killed, "--quiet", "--no-picture")
		sameRun(t, killed, whole)
	}
}
