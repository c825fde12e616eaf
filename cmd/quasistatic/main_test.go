package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	builtin "github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/table"
)

// TestMain lets the test binary stand in for the program: see TestInterrupt.
func TestMain(m *testing.M) {
	if test, err := strconv.Atoi(os.Getenv(ofTest)); err == nil {
		go endWith(test)
		if d, err := time.ParseDuration(os.Getenv(patient)); err == nil {
			patience = d
		}
		if after, err := time.ParseDuration(os.Getenv(killAfter)); err == nil {
			time.AfterFunc(after, func() { _ = signalTo(os.Getpid(), os.Kill) })
		}
		if after, err := time.ParseDuration(os.Getenv(stopAfter)); err == nil {
			time.AfterFunc(after, stopMyself)
		}
		code := start(os.Args, os.Stdout, os.Stderr)
		if name := os.Getenv(peakTo); name != "" {
			status, _ := os.ReadFile("/proc/self/status") // who asked looks for what is in it
			_ = os.WriteFile(name, status, 0o666)
		}
		os.Exit(code)
	}
	os.Exit(withShared(m))
}

// stopMyself sends the process SIGTERM until the program has taken it: on a busy machine it
// may not listen yet, and the first signal must not end it as one that nobody takes does.
func stopMyself() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM)
	for {
		_ = signalTo(os.Getpid(), syscall.SIGTERM) // to ourselves, it arrives
		time.Sleep(time.Second)
	}
}

// qs runs the program and returns what it says.
func qs(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = start(append([]string{"quasistatic"}, args...), &out, &err)
	return code, out.String(), err.String()
}

// mustRun runs the program and fails the test unless it exits with 0.
func mustRun(t *testing.T, args ...string) (stdout string) {
	t.Helper()
	code, out, err := qs(args...)
	if code != exitDone {
		t.Fatalf("%v: exit %d\n%s%s", args, code, out, err)
	}
	return out
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, text string, elements ...string) string {
	t.Helper()
	name := filepath.Join(elements...)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func summaryOf(t *testing.T, dir string) table.Summary {
	t.Helper()
	var s table.Summary
	if err := json.Unmarshal([]byte(read(t, dir, table.SummaryFile)), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

const casesDir = "../../cases"

// small returns the path of a case that runs in a few milliseconds.
func small(name string) string { return filepath.Join(casesDir, name+".json") }

// cases returns the paths of all cases, and which of them are energetic.
func cases(t *testing.T) (all []string, energetic map[string]bool) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(casesDir, "*.json"))
	if err != nil || len(all) < 8 {
		t.Fatalf("%d cases, error %v", len(all), err)
	}
	energetic = map[string]bool{}
	for _, file := range all {
		var head struct{ Model string }
		if err := json.Unmarshal([]byte(read(t, file)), &head); err != nil {
			t.Fatal(err)
		}
		energetic[file] = head.Model == "energetic"
	}
	return all, energetic
}

// TestCases looks at a run of every case: certified, as expected, and certified again from its
// files; of those that are [pictured], one of each kind, what is energetic is certified from its
// trajectory alone, and the run is made again, unless that takes long and TestForged has it of an
// excerpt. (That the bytes are the same twice, TestResume shows; .ci/run runs those that are
// costly.)
func TestCases(t *testing.T) {
	_, energetic := cases(t)
	for _, name := range affordable() {
		file := small(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, out := finished(t, name)
			if !strings.Contains(strings.ToLower(out), "certified") || !strings.Contains(out, name) {
				t.Errorf("output:\n%s", out)
			}
			s := summaryOf(t, dir)
			if s.Name != name || s.Status != table.Done || s.Certified == uncertified[name] || !s.Met || len(s.Expectations) == 0 {
				t.Errorf("summary %+v", s)
			}
			lost := strings.Contains(read(t, file), `"until_loss"`) // ends where no equilibrium is left
			if !lost && math.Abs(s.Time-s.Until) > 1e-15*s.Until {  // the times of nodes are k·h, not sums of roundings
				t.Errorf("the run ends at %.17g, want %.17g", s.Time, s.Until)
			}
			if text := read(t, dir, table.SummaryFile); strings.Contains(text, `"certificates"`) != energetic[file] ||
				strings.Contains(text, `"solver"`) != energetic[file] {
				t.Errorf("what is of the energetic model is in the summary, or not: %s", text)
			}
			if read(t, dir, table.CaseFile) != read(t, file) {
				t.Error("case.json is not the input")
			}
			whole := thorough.Asked() || slices.Contains(pictured, name)
			if whole && (!strings.HasPrefix(read(t, dir, "overview.png"), "\x89PNG") ||
				!strings.Contains(read(t, dir, "overview.svg"), "</svg>")) {
				t.Error("the pictures are not whole")
			}
			if tables, err := filepath.Glob(filepath.Join(dir, "*.csv")); err != nil || len(tables) < 3 {
				t.Errorf("tables %v, error %v", tables, err)
			}
			if uncertified[name] {
				if code, _, stderr := qs("diagnose", "-v", dir); code != exitFailed {
					t.Errorf("diagnose: exit %d: %s", code, stderr)
				}
				return
			}
			if !whole {
				mustRun(t, "diagnose", "-v", dir, "--files-only")
				return
			}
			if thorough.Asked() || !slices.Contains([]string{"cattaneo-mindlin-41", "ellipse", "slider-crank"}, name) {
				mustRun(t, "diagnose", "-v", dir)
			} else {
				mustRun(t, "diagnose", "-v", dir, "--files-only")
			}
			if heavy(file) || !energetic[file] || strings.Contains(read(t, file), `"viscous"`) {
				return // without the summary the time of a jump is known to a step, and its price not as expected
			}
			mustRun(t, "diagnose", "-v", "--case", file, "--trajectory", filepath.Join(dir, table.TrajectoryFile), "--quiet")
		})
	}
}

func TestSeveralCases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	missed := write(t, strings.Replace(read(t, small("play")), `"value": 0.7,`, `"value": 0.8,`, 1), dir, "missed.json")
	code, out, stderr := qs("run", "-v", small("chain"), missed, "--no-picture", "--out", filepath.Join(dir, "out"))
	if code != exitFailed || !strings.Contains(out, "NOT MET") || !strings.Contains(stderr, "1 of 7 expectations are not met") {
		t.Errorf("exit %d\n%s\n%s", code, out, stderr)
	}
	for _, name := range []string{"chain", "play"} {
		if s := summaryOf(t, filepath.Join(dir, "out", name)); s.Met != (name == "chain") {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if code, _, stderr := qs("run", small("play"), missed); code != exitInput ||
		!strings.Contains(stderr, "want cases with different names") {
		t.Errorf("two cases of one name: exit %d, %s", code, stderr)
	}
}

func TestInputErrors(t *testing.T) {
	dir := t.TempDir()
	broken := write(t, "{\n  \"name\": }", dir, "broken.json")
	unknown := write(t, strings.Replace(read(t, small("play")), `"stiffness"`, `"stifness"`, 1), dir, "unknown.json")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run"}, "no case given"},
		{[]string{"run", "missing.json"}, "missing.json: no such file"},
		{[]string{"run", dir}, "is a directory, want a case file"},
		{[]string{"run", broken}, "broken.json:2:11: broken JSON"},
		{[]string{"run", small("play"), unknown, "--out", filepath.Join(dir, "never")},
			"unknown key \"stifness\", the nearest valid one is \"stiffness\""},
		{[]string{"run", small("play"), "--qiet"}, "unknown flag \"--qiet\", did you mean \"--quiet\"?"},
		{[]string{"run", "-o", "dir", small("play")}, "unknown flag \"-o\", did you mean \"--out\"?"},
		{[]string{"run", "--zzzzzzzz", small("play")}, "unknown flag \"--zzzzzzzz\", want one of --help, --out"},
		{[]string{"run", small("play"), "--out"}, "flag needs an argument"},
		{[]string{"rnu", small("play")}, "unknown command \"rnu\", did you mean \"run\"?"},
		{[]string{"frobnicate"}, "unknown command \"frobnicate\", want one of"},
		{[]string{"help", "rnu"}, "unknown command \"rnu\", did you mean \"run\"?"},
		{[]string{"--help", "walk", "play"}, "unknown command \"walk\", want one of"},
		{[]string{"--help=true", "walk"}, "No help topic for 'walk'"},
		{[]string{"diagnose"}, "found 0 arguments, want one run folder"},
		{[]string{"diagnose", "missing"}, "missing is not a folder"},
		{[]string{"diagnose", dir}, "case.json: no such file"},
		{[]string{"diagnose", "--case", small("play")}, "want a run folder, or both --case and --trajectory"},
		{[]string{"diagnose", "--case", small("play"), "--trajectory", "missing.csv"}, "missing.csv"},
		{[]string{"init"}, "found 0 arguments, want one name"},
		{[]string{"cases", "play", "chain"}, "found 2 arguments"},
		{[]string{"init", filepath.Join(dir, "a b")}, "cannot be that of a case"},
		{[]string{"init", "--model", "rigit", filepath.Join(dir, "d")}, "which is none, did you mean \"rigid\"?"},
		{[]string{"init", "--model", "rigid", "--from", "play", filepath.Join(dir, "d")}, "found --model and --from, want one of them"},
		{[]string{"init", "--from", "disc-dorp", filepath.Join(dir, "d")}, "did you mean \"disc-drop\"?"},
	} {
		code, _, stderr := qs(c.args...)
		if code != exitInput || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, want %d\n%s\nlacks %q", c.args, code, exitInput, stderr, c.want)
		}
	}
	for _, args := range [][]string{{"run", "missing.json", "--help"}, {"help", "run", "play"}, {"-h", "run"}} {
		if code, stdout, stderr := qs(args...); code != exitDone || !strings.Contains(stdout, "quasistatic run [command options] CASE...") {
			t.Errorf("%v: exit %d, %s%s", args, code, stdout, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "never")); err == nil {
		t.Error("a wrong case after a right one: the right one was run")
	}
}

func TestUnstableStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := strings.Replace(read(t, small("play")), `"at": [0, 0, 0]`, `"at": [0.5, 0, 0]`, 1)
	file := write(t, text, dir, "unstable.json")
	code, _, stderr := qs("run", file, "--no-picture", "--out", filepath.Join(dir, "out"))
	if code != exitFailed || !strings.Contains(stderr, `particle "p" is pushed by 0.4 N`) {
		t.Errorf("exit %d\n%s", code, stderr)
	}
	if s := summaryOf(t, filepath.Join(dir, "out")); s.Status != table.Failed || s.Certified || s.Facts[0].Passed ||
		s.Facts[0].Name == "" || s.Facts[1].Word != table.Expected {
		t.Errorf("summary %+v", s)
	}
	if code, stdout, stderr := qs("diagnose", "-v", filepath.Join(dir, "out")); code != exitFailed ||
		strings.Contains(stdout, "(S)") || !strings.Contains(stderr, "there is no state") {
		t.Errorf("diagnose: exit %d\n%s%s", code, stdout, stderr)
	}
	text = strings.Replace(text, `"model"`, `"equilibrate": true, "model"`, 1)
	text = text[:strings.Index(text, `,
  "expect"`)] + "}"
	mustRun(t, "run", write(t, text, dir, "settled.json"), "--no-picture", "--out", filepath.Join(dir, "out"))
	var s struct{ Settled float64 }
	if err := json.Unmarshal([]byte(read(t, dir, "out", table.SummaryFile)), &s); err != nil || !(s.Settled > 0.19 && s.Settled < 0.21) {
		t.Errorf("settled by %g, want 0.2", s.Settled)
	}
}

// TestQuietAndJSON: with --quiet a command that succeeds prints nothing, with --json
// one JSON value and nothing else.
func TestQuietAndJSON(t *testing.T) {
	t.Parallel()
	whole, _ := finished(t, "play")
	dir := t.TempDir()
	problem := write(t, planeProblem, dir, "a.dat")
	for _, args := range [][]string{
		{"run", "play", "--no-picture", "--out", filepath.Join(dir, "play")}, {"check", "play"},
		{"converge", "klarbring", "--levels", "2", "--out", dir},
		{"converge", "braking-point", "--set", "accuracy=0.4", "--set", "expect=[]", "--levels", "2", "--out", dir},
		{"converge", "joint-oscillation", "--set", "expect=[]", "--levels", "2", "--out", dir},
		{"check", "braking-point"}, {"check", "joint-oscillation"}, {"diagnose", whole}, {"solve", problem},
	} {
		if out := mustRun(t, append(args, "--quiet")...); out != "" {
			t.Errorf("%v --quiet prints %q", args, out)
		}
		var value any
		if err := json.Unmarshal([]byte(mustRun(t, append(args, "--json")...)), &value); err != nil {
			t.Errorf("%v --json: %v", args, err)
		}
	}
	for _, args := range [][]string{
		{"report", whole, "--out", filepath.Join(dir, "r.html")}, {"film", whole, "--out", filepath.Join(dir, "f.svg")},
		{"compare", "--column", "p.n", "--out", filepath.Join(dir, "c.svg"), whole}, {"export", whole, "--format", "npz", "--out", dir},
		{"init", filepath.Join(dir, "starter")}, {"run", "--resume", filepath.Join(dir, "play")},
	} {
		if out := mustRun(t, append(args, "--quiet")...); out != "" {
			t.Errorf("%v --quiet prints %q", args, out)
		}
	}
	var list []models.Listed
	if err := json.Unmarshal([]byte(mustRun(t, "cases", "--json")), &list); err != nil || len(list) < 30 ||
		list[0].Name == "" || list[0].Model == "" {
		t.Errorf("error %v, %d cases", err, len(list))
	}
	var summaries []table.Summary
	if err := json.Unmarshal([]byte(mustRun(t, "run", "--resume", filepath.Join(dir, "play"), "--json")),
		&summaries); err != nil || len(summaries) != 1 || !summaries[0].Certified {
		t.Errorf("error %v, summaries %+v", err, summaries)
	}
}

func TestSchemaValidatesCases(t *testing.T) {
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(mustRun(t, "schema")))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:test", tree); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("urn:test")
	files, err := filepath.Glob(filepath.Join(casesDir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(read(t, file)))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestInit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "drag")
	if out := mustRun(t, "init", name); !strings.Contains(out, "quasistatic run "+name+".json") {
		t.Error(out)
	}
	mustRun(t, "run", name+".json", "--out", filepath.Join(dir, "out"))
	if s := summaryOf(t, filepath.Join(dir, "out")); s.Name != "drag" || len(s.Expectations) == 0 {
		t.Errorf("summary %+v", s)
	}
	if code, _, stderr := qs("init", name); code != exitInput || !strings.Contains(stderr, "exists already") {
		t.Errorf("exit %d, %s", code, stderr)
	}
	testSchemaBeside(t, dir)
	for _, model := range models.Names() {
		file := filepath.Join(dir, "of-"+model)
		mustRun(t, "init", "--model", model, file)
		mustRun(t, "run", file+".json", "--no-picture", "--out", file)
		if s := summaryOf(t, file); s.Name != "of-"+model || len(s.Expectations) < 3 {
			t.Errorf("%s: summary %+v", model, s)
		}
	}
	for _, from := range affordable() { // each has its name once, as the copy replaces it
		c, err := models.BuiltIn(from)
		if err != nil {
			t.Fatal(err)
		}
		mustRun(t, "init", "--from", from, filepath.Join(dir, "copy-of-"+from))
		copied, err := models.Grammar().Load(filepath.Join(dir, "copy-of-"+from+".json"))
		if err != nil || copied.Name != "copy-of-"+from || copied.Model != c.Model {
			t.Errorf("the copy of %s: %v", from, err)
		}
	}
}

// testSchemaBeside: drag.json in a folder names a file beside it by which an editor checks it, and
// finds a key that is misspelt. Another file of that name is left as it is, which is said.
func testSchemaBeside(t *testing.T, dir string) {
	t.Helper()
	var named struct {
		Schema string `json:"$schema"`
	}
	text := read(t, filepath.Join(dir, "drag.json"))
	// VS Code looks beside the case for what begins with a dot only.
	if err := json.Unmarshal([]byte(text), &named); err != nil || !strings.HasPrefix(named.Schema, "./") {
		t.Fatalf("$schema %q, error %v", named.Schema, err)
	}
	beside := filepath.Join(dir, named.Schema)
	schema, err := jsonschema.NewCompiler().Compile(beside)
	if err != nil {
		t.Fatal(err)
	}
	for text, valid := range map[string]bool{text: true, strings.Replace(text, `"particles"`, `"partikles"`, 1): false} {
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); (err == nil) != valid {
			t.Errorf("an editor says %v, want valid: %v", err, valid)
		}
	}
	if out := mustRun(t, "init", filepath.Join(dir, "second")); strings.Contains(out, "schema") {
		t.Errorf("the same schema twice: %s", out)
	}
	write(t, "{}", beside)
	if out := mustRun(t, "init", filepath.Join(dir, "third")); !strings.Contains(out,
		"not the schema of this version") || read(t, beside) != "{}" {
		t.Errorf("another file: %s, now %.40q", out, read(t, beside))
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{}, {"--help"}, {"help"}, {"help", "run"}, {"run", "--help"}, {"diagnose", "-h"}} {
		if out := mustRun(t, args...); !strings.Contains(out, "quasistatic") {
			t.Errorf("%v:\n%s", args, out)
		}
	}
	for _, name := range builtin.Names() {
		if c, err := models.BuiltIn(name); err != nil || !strings.Contains(mustRun(t), "   "+c.Model+" ") {
			t.Errorf("the help does not name the model of %s, error %v", name, err)
		}
	}
}
