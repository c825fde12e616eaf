package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	builtin "github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// shared are the runs that several tests look at: each case is run once.
var shared struct {
	dir   string // of TestMain, which takes it away
	runs  sync.Map
	pages sync.Map
	parts sync.Map // of excerpts
}

// sharedRun is one of them.
type sharedRun struct {
	once           sync.Once
	code           int
	stdout, stderr string
}

// By default tests that go through cases take those that are [pictured], one of each mechanism; with
// QUASISTATIC_LONG=seconds those that are not costly, which take less than half a second each to run and to diagnose; else
// all. (.ci/run runs and diagnoses every case by the command, and compares its bytes.)
var costly = []string{
	"arch-collapse", "bonded-beam", "bonded-cantilever", "bouncing-sphere", "box-pile", "box-stack", "brick-wall",
	"burridge-knopoff", "capstan-strip", "cattaneo-mindlin", "caught-shaft", "chain-50", "disc-and-blocks", "dominoes",
	"elastic-incline", "flat-punch", "gamma-to-zero", "graded-drag", "gripper", "half-pipe", "helix", "hertz-ball",
	"hertz-yield", "impacting-bar-by-accuracy", "ironing", "jack", "lap-joint", "leaning-block", "nafems-roller", "oblique-plate",
	"painleve-rod", "peeled-bar", "pile", "pin-in-bore", "press-and-drag-3d", "pressed-rubber", "push-off",
	"pushed-box", "pusher", "rate-and-state", "rate-and-state-elastic", "rattleback", "receding-strip",
	"roller-between-plates", "rough-contact", "rounded-punch", "rubber-block", "rubber-sheet", "sheared-stack",
	"sliding-wedge", "spence", "split-ring", "stacked-blocks", "tippe-top", "torsion-wave", "two-blocks", "wavy-contact", "woodpecker",
	"yielding-bar",
}

// affordable returns the names of the cases that a test runs.
func affordable() []string {
	switch {
	case thorough.Asked():
		return builtin.Names()
	case !thorough.SecondsAsked():
		return pictured
	}
	return slices.DeleteFunc(builtin.Names(), func(name string) bool { return slices.Contains(costly, name) })
}

// pictured are the cases whose shared runs draw their overview, a tenth of a second each: one
// of each way to draw. .ci/run draws those of all cases, and QUASISTATIC_LONG.
var pictured = []string{"play", "press-and-drag", "cattaneo-mindlin-41", "capstan", "incline", "ellipse",
	"braking-point", "slider-crank", "disc-drop", "joint-oscillation", "block-impact", "impacting-bar", "carter", "ladder"}

// ended returns the folder of a case that was run, and how it went.
func ended(name string) (dir string, r *sharedRun) {
	dir = filepath.Join(shared.dir, name)
	entry, _ := shared.runs.LoadOrStore(name, &sharedRun{})
	r = entry.(*sharedRun)
	r.once.Do(func() {
		args := []string{"run", small(name), "--out", dir}
		if !thorough.Asked() && !slices.Contains(pictured, name) {
			args = append(args, "--no-picture")
		}
		r.code, r.stdout, r.stderr = qs(args...)
	})
	return dir, r
}

// finished returns the folder of a case of cases/ that was run, see [pictured], and
// what the run printed. Tests read the folder, they do not write to it.
func finished(t *testing.T, name string) (dir, stdout string) {
	t.Helper()
	dir, r := ended(name)
	want := exitDone
	if uncertified[name] {
		want = exitFailed
	}
	if r.code != want {
		t.Fatalf("%s: exit %d\n%s%s", name, r.code, r.stdout, r.stderr)
	}
	return dir, r.stdout
}

// reported returns the page of a case of cases/ that was run; it is made once.
func reported(t *testing.T, name string) (page string) {
	t.Helper()
	dir, _ := finished(t, name)
	entry, _ := shared.pages.LoadOrStore(name, &sync.Once{})
	page = filepath.Join(shared.dir, name+".html")
	entry.(*sync.Once).Do(func() { mustRun(t, "report", dir, "--out", page, "--quiet") })
	return page
}

// uncertified are the cases whose descriptions say why they are meant not to be.
var uncertified = map[string]bool{"arch-collapse": true, "ripple-jump": true, "impacting-bar-standard-mass": true}

// garbage is what the tests keep of it, in parts of a hundred of what lives: hundreds of small
// runs in one process would be in collections for a fifth of their time.
const garbage = 400

// withShared runs the tests with a folder for shared runs.
func withShared(m *testing.M) int {
	debug.SetGCPercent(garbage)
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", "4") // a number; pages in a browser, and programs that are to be stopped, are waited for
	}
	dir, err := os.MkdirTemp("", "quasistatic-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	shared.dir = dir
	defer func() {
		if chromium.end != nil {
			chromium.end()
		}
	}()
	return m.Run()
}

// heavy is a case that runs for seconds; what repeats runs takes lighter copies.
func heavy(file string) bool {
	name := filepath.Base(file)
	return name == "press-and-drag-3d.json" || name == "rubber-block.json"
}

// lighter returns a case of cases/, or, if it is heavy, a copy with other cells, fewer
// steps, and without the expectations, which are for its own mesh.
func lighter(t *testing.T, file, cells string) string {
	t.Helper()
	if !heavy(file) {
		return file
	}
	text := strings.NewReplacer(`"until": 15, "steps": 60`, `"until": 8, "steps": 4, "accuracy": 0.5`,
		`"until": 25, "steps": 25, "accuracy": 0.04`, `"until": 10, "steps": 4, "accuracy": 0.5`).Replace(unexpecting(read(t, file)))
	changed := regexp.MustCompile(`"cells": \[[0-9, ]*\]`).ReplaceAllString(text, `"cells": `+cells)
	if changed == text {
		t.Fatalf("%s has no cells to change", file)
	}
	return write(t, changed, t.TempDir(), filepath.Base(file))
}

// open reads a case: a file, or else a built-in one by its name.
func open(file string) (*casefile.Case, error) { return models.OpenCase(file, nil, 0) }

// newTask returns the run of a case into a folder.
func newTask(c *casefile.Case, dir string) (*run.Task, error) {
	return run.New(context.Background(), c, models.Find(c), dir)
}

// begun is the same for one that can be built.
func begun(t *testing.T, c *casefile.Case, dir string) *run.Task {
	t.Helper()
	j, err := newTask(c, dir)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// resumed is the run of a folder, to go on with.
func resumed(t *testing.T, dir string) (*run.Task, error) {
	t.Helper()
	f, err := models.Open(t.Context(), dir, 0)
	if err != nil {
		return nil, err
	}
	j := run.Of(f.Case, models.Find(f.Case), f.Built, dir)
	return j, j.Resume(f.Summary)
}
