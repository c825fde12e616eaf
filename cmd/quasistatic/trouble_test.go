package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/run"
)

// TestTrace: --trace prints a line for each step of every model, with the residual beside
// what is allowed; into a pipe no bar is drawn.
func TestTrace(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"play":          "residual 0 of 1e-10  gap 0 J of ",
		"braking-point": "of 1e-08  stick 1, slip 0, open 0  1 solves, ",
		"disc-drop":     "of 1e-08  joints apart 0, penetration ",
		"block-impact":  "of 1e-13  energies ",
	} {
		code, stdout, stderr := qs("run", name, "--trace", "--no-picture", "--out", t.TempDir())
		lines := strings.Split(strings.TrimSpace(stderr), "\n")
		s := map[string]int{"play": 800, "braking-point": 100, "disc-drop": 1000, "block-impact": 100}[name]
		if code != exitDone || len(lines) != s+1 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %d lines, want %d with %q\n%.400s", name, code, len(lines), s+1, want, stderr)
		}
		for _, line := range lines {
			if !strings.HasPrefix(line, "step ") || !strings.Contains(line, "residual ") || !strings.Contains(line, "stick ") {
				t.Errorf("%s: %q", name, line)
				break
			}
		}
		if strings.ContainsAny(stdout+stderr, "\r\x1b") {
			t.Errorf("%s: control characters in what is no terminal", name)
		}
	}
}

// stopped returns a task that was stopped at a step.
func stopped(t *testing.T, name string, step int, change ...string) *run.Task {
	t.Helper()
	text := strings.NewReplacer(change...).Replace(unexpecting(read(t, small(name))))
	c, err := open(write(t, text, t.TempDir(), "changed.json"))
	if err != nil {
		t.Fatal(err)
	}
	j, err := newTask(c, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	stopAt(t, j, step)
	return j
}

// has checks that a text has some parts and lacks others, those that begin with "-".
func has(t *testing.T, name, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if part, without := strings.CutPrefix(w, "-"); strings.Contains(text, part) == without {
			t.Errorf("%s: want %q\n%s", name, w, text)
		}
	}
}

// TestTrouble: what is said after a step of an energetic run that failed.
func TestTrouble(t *testing.T) {
	t.Parallel()
	near := &incremental.StepError{Time: 1.002, Newton: 12, Residual: 3e-9, Tolerance: 1e-10}
	far := &incremental.StepError{Time: 1.002, Newton: 1, Residual: 3, Tolerance: 1e-10,
		Cause: errors.New("the contact problem\nwas not solved")}
	fine := &incremental.StepError{Time: 1.002, Newton: 2, Residual: 1e-12, Tolerance: 1e-10, Particle: -1}
	const tolerance = `"solver": {"tolerance": 1e-07}`
	for _, c := range []struct {
		name   string
		step   int
		change []string
		fault  error
		want   []string
	}{
		{"grazing", 1000, nil, near, []string{"from t = ", "to 1.002 s", "12 steps of Newton's method",
			"residual 3e-09, wanted 1e-10", "particle p", "free → grazing",
			`"steps": 8000`, `"threshold": "lagged"`, tolerance, "quasistatic check"}},
		{"play", 400, []string{`"steps": 800`, `"steps": 800, "threshold": "lagged"`}, far,
			[]string{"tried", "the contact problem; was not solved; residual 3, wanted",
				`"threshold": "implicit", or a "gamma" above`, "-" + tolerance, "-lagged"}},
		{"grazing-lagged", 100, nil, fine, []string{"2 steps of Newton's method", `a larger "gamma" than`, "-" + tolerance, "-worst"}},
		{"grazing-adaptive", 10, nil, near, []string{`a shorter "min_step" than`, `-"steps"`}},
		{"grazing", 10, nil, incremental.ErrUnsettled, []string{"-tried", `"steps": 8000`, "-" + tolerance}},
		{"play", 10, nil, errors.New("of another kind"), []string{"-tried", "-to change"}},
	} {
		has(t, c.name, stopped(t, c.name, c.step, c.change...).Advice(c.fault), c.want...)
	}
}

// TestAdvice: what is said after a step of a dynamic model that failed.
func TestAdvice(t *testing.T) {
	t.Parallel()
	some := errors.New("the step failed")
	const fewer, springs = "fewer elements, or a larger compliance", "patches with springs"
	for _, c := range []struct {
		name   string
		step   int
		change []string
		fault  error
		want   []string
	}{
		{"bouncing-sphere", 3900, []string{`"steps": 40000`, `"steps": 4000`}, some,
			[]string{"fastest       body ball, at ", "deepest       contact ball/floor, gap ", `"steps": 16000`, fewer,
				"-" + springs, "Lemma 4", "step from t = 1.95 to 1.9505 s", "residual "}},
		{"ellipse-rigid", 10, nil, some, []string{springs, "-" + fewer}},
		{"braking-point", 10, nil, some, []string{"from t = 0.1 to 0.11 s", fewer}},
		{"disc-drop", 10, nil, &rigid.ZenoError{Contact: "disc/floor", Count: 99},
			[]string{"worst         contact disc/floor, 99 collisions in one step", `"restitution_speed"`,
				`"grid": "gaps", which`, "-masses"}},
		{"disc-drop", 10, nil, some, []string{"fastest       body disc, at 2.002", "-worst", `-"grid"`, `"steps": 4000`}},
		{"woodpecker", 20, nil, some, []string{"-deepest", `"steps": 20000`}},
		{"slider-crank", 5, nil, multibody.ErrIndefinite, []string{`"jacobians": "definite"`}},
		{"painleve-rod", 1, nil, some, []string{"deepest       contact rod/floor", "configurations of Painlevé"}},
		{"block-impact", 30, nil, some, []string{"worst         node ", "normal force ",
			`"steps": 400; the CFL number is 0.2`, "-scheme", "-newton"}},
		{"block-impact", 3, []string{`"model": "elastodynamic"`, `"model": "elastodynamic", "method": "fixed point"`},
			some, []string{`"method": "newton": the fixed point contracts by `, "less friction: above "}},
		{"block-impact", 3, []string{`"model": "elastodynamic"`,
			`"model": "elastodynamic", "scheme": "central difference", "mass": "lumped"`}, some, []string{`"scheme": "trapezoidal"`}},
	} {
		has(t, c.name, stopped(t, c.name, c.step, c.change...).Advice(c.fault), c.want...)
	}
}

// TestFailures runs a case of each model in which a step cannot be solved: exit code 1,
// one line on stderr, and a report that ends with what to change.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change []string
		want   []string
	}{
		{"rubber-block", []string{`[16, 4]`, `[8, 2]`, `[5, -0.04]`, `[5, -0.5]`, `"threshold"`,
			`"stability": "convex", "threshold"`}, []string{"FAILED", "tried         the step from t = ", "to change     shorter steps"}},
		{"bouncing-sphere", []string{`"steps": 40000`, `"steps": 5`, `"mass": 1`,
			`"mass": 1, "spin": [1e4, 2e4, 3e4], "inertia": [1, 2, 3]`},
			[]string{"FAILED", "fastest       body ball", "tried         the step from t = 1.2 to 1.6 s",
				"to change     shorter steps: \"steps\": 20"}},
		{"sliding-target", []string{`"steps": 50`, `"steps": 10`, `"mu": `, `"mu": 100`},
			[]string{"boundary-value problem: residual ", "of the whole motion; the best is v(0) = [",
				"to change     \"boundary\": {\"starts\""}},
		{"sliding-target", []string{`"value": 0.6`, `"value": 1e30`}, []string{"FAILED", "boundary-value problem"}},
		{"disc-drop", []string{`"mu": 0.2`, `"mu": 0, "restitution": 1`, `"velocity": [2, 0]`, `"velocity": [0, 1e9]`,
			`"obstacles": {`, `"obstacles": {"roof": {"point": [0, 1], "normal": [0, -1]}, `},
			[]string{"collisions in one step", "fastest       body disc", "worst         contact ",
				"before        t = ", "\"restitution_speed\""}},
		{"block-impact", []string{`"step": 5e-4`, `"step": 0.025, "method": "fixed point"`, `"mu": 0.3`, `"mu": 5`},
			[]string{"fixed point: change ", "tried         the step from t = 0 to 0.025 s",
				"to change     shorter steps", "\"method\": \"newton\""}},
	} {
		dir := t.TempDir()
		text := unexpecting(read(t, small(c.name)))
		for i := 0; i < len(c.change); i += 2 {
			if !strings.Contains(text, c.change[i]) {
				t.Fatalf("%s has no %s", c.name, c.change[i])
			}
		}
		file := write(t, strings.NewReplacer(c.change...).Replace(text), dir, "failing.json")
		code, stdout, stderr := qs("run", "-v", file, "--no-picture", "--out", filepath.Join(dir, "out"))
		if code != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "quasistatic: "+c.name+": ") {
			t.Errorf("%s: exit %d\n%s", c.name, code, stderr)
		}
		has(t, c.name, stdout, c.want...)
	}
}

// TestPilotSteps: pilot runs, which may take a minute, are told of before the first step.
func TestPilotSteps(t *testing.T) {
	t.Parallel()
	code, _, said := qs("run", filepath.Join(casesDir, "thrown-stone.json"), "--trace", "--no-picture", "--out", t.TempDir())
	pilot, step := strings.Index(said, " steps of pilot runs, by which steps are chosen; one is at t = "), strings.Index(said, "step 1 ")
	if code != exitDone || pilot < 0 || step < pilot {
		t.Errorf("exit %d: %.400s", code, said)
	}
}
