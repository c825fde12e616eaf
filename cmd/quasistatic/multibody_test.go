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

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
)

// edited writes a case with one part replaced.
func edited(t *testing.T, file, old, with string) string {
	t.Helper()
	text := read(t, filepath.Join(casesDir, file))
	if !strings.Contains(text, old) {
		t.Fatalf("%s has no %s", file, old)
	}
	name := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(name, []byte(strings.Replace(text, old, with, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// multibodyFiles are the cases of the model rigid.
func multibodyFiles(t *testing.T) (list []string) {
	files, _ := cases(t)
	for _, file := range files {
		if strings.Contains(read(t, file), `"model": "rigid"`) {
			list = append(list, file)
		}
	}
	if len(list) < 9 {
		t.Fatalf("only %d cases of the model rigid", len(list))
	}
	return list
}

// TestCheckMultibody: the assumptions hold at the start of every case; those that are costly
// .ci/run has, with QUASISTATIC_LONG, but one of Painlevé's.
func TestCheckMultibody(t *testing.T) {
	for _, file := range multibodyFiles(t) {
		if name := strings.TrimSuffix(filepath.Base(file), ".json"); name != "painleve-rod" && !slices.Contains(affordable(), name) {
			continue
		}
		out := mustRun(t, "check", file, "--json")
		var r struct {
			Mass       float64 `json:"least_mass"`
			Rows       int     `json:"joint_rows"`
			Rank       int     `json:"joint_rank"`
			JointSpeed float64 `json:"joint_speed"`
			ConeBound  float64 `json:"cone_bound"`
			Painleve   float64 `json:"painleve_number"`
			Pointed    string
			Definite   bool
			Objections []string
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if r.Pointed != "pointed" || r.Rank != r.Rows || !r.Definite || !(r.Mass > 0) || len(r.Objections) > 0 {
			t.Errorf("%s: %+v", file, r)
		}
		switch filepath.Base(file) {
		case "painleve-rod.json": // W = (1 + 3cos²θ, 3 sin θ cos θ)/m at θ = 60°, μ = 2
			if want := 2 * 3 * math.Sqrt(3) / 4 / (1 + 0.75); math.Abs(r.Painleve-want) > 1e-12 {
				t.Errorf("Painlevé's number %.15g, want %.15g", r.Painleve, want)
			}
		case "joint-oscillation.json":
			if r.JointSpeed != 1e-3 {
				t.Errorf("the initial velocity breaks the joint by %g", r.JointSpeed)
			}
		}
	}
}

// TestCheckMultibodyObjects: what fails is named, with exit code 1; a start in which
// bodies overlap is an input fault.
func TestCheckMultibodyObjects(t *testing.T) {
	for _, c := range []struct {
		file, old, with, want string
		code                  int
	}{
		{"box-stack.json", `0.1]`, `0.0999]`, `body "box1" and obstacle "floor" (feature 1) overlap by 0.0001 m`, exitInput},
		{"woodpecker.json", `"steps": 5000`, `"steps": 50, "jacobians": "none"`, "explicit springs with h√(k/m) = 15", exitFailed},
		{"stick-slip-block.json", `"floor": {"point": [0, 0], "normal": [0, 1]}`,
			`"floor": {"point": [0, 0], "normal": [0, 1]}, "roof": {"point": [0, 0], "normal": [0, -1]}`,
			"not pointed at the start (3.1)", exitFailed},
	} {
		var out, errOut bytes.Buffer
		code := start([]string{"quasistatic", "check", edited(t, c.file, c.old, c.with)}, &out, &errOut)
		if code != c.code || !strings.Contains(errOut.String(), c.want) {
			t.Errorf("%s: exit code %d, %q, want %d, %q", c.file, code, errOut.String(), c.code, c.want)
		}
	}
}

// TestMultibodyVerdict: a run with α < ½ is not certified, and says what to do; a collision that
// would gain energy by Newton's law is held back, which is told; by Moreau's law nothing is.
func TestMultibodyVerdict(t *testing.T) {
	// a rod at 45° that sticks to the floor with its end: rigid.TestKanesParadox
	kane := filepath.Join(t.TempDir(), "kane.json")
	text := `{"name": "kane", "model": "rigid", "until": 0.02, "steps": 2, "dimension": 2,
 "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
 "friction": {"dry": {"mu": 0.5, "restitution": 1}}, "material": "dry", "alpha": 0.5, "restitution_law": "newton",
 "bodies": [{"id": "rod", "shape": {"type": "rod", "length": 2, "radius": 0}, "mass": 2, "position": [0, 0.7171067811865476],
  "angle": -0.7853981633974483, "velocity": [-0.6, -1]}]}`
	for _, c := range []struct {
		old, with string
		held      bool
		want      []string
	}{
		{`"newton"`, `"newton"`, true, nil},
		{`"newton"`, `"moreau"`, false, nil},
		{`"alpha": 0.5, "restitution_law": "newton"`, `"alpha": 0.4, "restitution_law": "moreau"`, false,
			[]string{`"alpha": 0.4`, "(1−α)/α = 1.5 a step"}},
	} {
		if err := os.WriteFile(kane, []byte(strings.Replace(text, c.old, c.with, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		var out, errOut bytes.Buffer
		dir := t.TempDir()
		code := start([]string{"quasistatic", "run", "-v", kane, "--out", dir}, &out, &errOut)
		if (code == exitDone) != (c.want == nil) {
			t.Errorf("%s: exit code %d, %s", c.with, code, errOut.String())
		}
		if strings.Contains(out.String(), "1 collision gave back less than that, as all of it would have made energy; least 0.8 of it") != c.held {
			t.Errorf("%s: held back: %s", c.with, out.String())
		}
		if c.held {
			if code := start([]string{"quasistatic", "diagnose", "-v", dir}, &out, &errOut); code != exitDone {
				t.Errorf("diagnose: exit code %d, %s", code, errOut.String())
			}
		}
		for _, want := range c.want {
			if !strings.Contains(out.String(), want) || !strings.Contains(errOut.String(), want) {
				t.Errorf("%s: %q, %q, want %q", c.with, out.String(), errOut.String(), want)
			}
		}
	}
}

// TestMultibodyInput: wrong keys of the model rigid end with exit code 2, the
// path, what was found and the nearest key.
func TestMultibodyInput(t *testing.T) {
	for _, c := range []struct{ file, old, with, want string }{
		{"slider-crank.json", `"alpha": 0.5`, `"alpa": 0.5`, `$.alpa: unknown key "alpa", the nearest valid one is "alpha"`},
		{"slider-crank.json", `"alpha": 0.5`, `"alpha": 1.5`, `$.alpha`},
		{"slider-crank.json", `"alpha": 0.5`, `"alpha": 0.5, "gamma": -1`, `$.gamma`},
		{"slider-crank.json", `"alpha": 0.5`, `"alpha": 0.5, "facets": 5`, `$.facets`},
		{"slider-crank.json", `"alpha": 0.5`, `"alpha": 0.5, "grid": "fixd"`, `$.grid: found "fixd"`},
		{"slider-crank.json", `"alpha": 0.5`, `"alpha": 0.5, "stabilise": "non"`, `$.stabilise: found "non"`},
		{"slider-crank.json", `"alpha": 0.5`, `"alpha": 0.5, "jacobians": "exat"`, `$.jacobians: found "exat"`},
		{"slider-crank.json", `"type": "revolute"`, `"type": "revolut"`, `$.joints[0].type: found "revolut"`},
		{"slider-crank.json", `"type": "revolute"`, `"type": "screw", "axis": [1, 0], "pitch": 1`,
			`$.joints[0].type: found "screw", in 2 dimensions want one of ["revolute" "spherical"`},
		{"slider-crank.json", `"type": "revolute"`, `"type": "revolute", "pitch": 1`,
			`$.joints[0].pitch: the key "pitch" has no effect on a revolute joint in 2 dimensions`},
		{"gyroscope.json", `"type": "spherical"`, `"type": "screw", "axis": [0, 0, 1]`,
			`$.joints[0]: the key "pitch" is missing, which a screw joint needs`},
		{"gyroscope.json", `"type": "spherical"`, `"type": "screw", "axis": [0, 0, 1], "pitch": 0`,
			`$.joints[0]: rigid: joint "tip" (screw) has the pitch 0, want a number that is not zero`},
		{"slider-crank.json", `"to": "crank"`, `"to": "crnk"`, `$.joints[1].to: unknown body "crnk", the nearest valid one is "crank"`},
		{"slider-crank.json", `"at": [0, 0]`, `"at": [0]`, `$.joints[0].at`},
		{"slider-crank.json", `"at": [0, 0]`, `"att": [0, 0]`, `$.joints[0].att: unknown key "att", the nearest valid one is "at"`},
		{"slider-crank.json", `"axis": [1, 0]`, `"axis": [0, 0]`, `found zeros, want a direction`},
		{"slider-crank.json", `"at": [0.2, 0]`, `"at": [0.2, 1e400]`, `$.joints[1].at[1]`},
		{"woodpecker.json", `"restitution": 0.5`, `"restitution": 1.5`, `$.friction.beak.restitution`},
		{"woodpecker.json", `"material": "pole"`, `"material": "pol"`,
			`$.material: unknown friction "pol", the nearest valid one is "pole"`},
		{"woodpecker.json", `"stiffness": 0.0056`, `"stiffness": -1`, `$.springs[0].stiffness`},
		{"woodpecker.json", `"type": "twist"`, `"type": "twst"`, `$.springs[0].type: found "twst"`},
		{"woodpecker.json", `["sleeve", "beak"]`, `["sleeve", "beek"]`,
			`$.contacts[6].between[1]: unknown body "beek", the nearest valid one is "beak"`},
		{"woodpecker.json", `"mass": 0.0001,`, `"mass": 0,`, `$.bodies[3].mass`},
		{"box-stack.json", `"type": "box"`, `"type": "bx"`, `$.bodies[0].shape.type: found "bx"`},
		{"stick-slip-block.json", `"quantity": "weighted_variation"`, `"quantity": "weighted_varation"`, `"weighted_variation"`},
	} {
		file := edited(t, c.file, c.old, c.with)
		for _, command := range []string{"run", "check", "converge"} {
			var out, errOut bytes.Buffer
			args := []string{"quasistatic", command, file}
			if command != "check" {
				args = append(args, "--out", t.TempDir())
			}
			code := start(args, &out, &errOut)
			if code != exitInput || !strings.Contains(errOut.String(), c.want) || !strings.Contains(errOut.String(), filepath.Base(file)) {
				t.Errorf("%s %s: exit code %d, %q, want %q", command, c.with, code, errOut.String(), c.want)
			}
		}
	}
}

// TestConvergeMultibody: α = γ = ½ is of second order for the slider-crank, and
// α = γ = 1 of first order for the falling pendulum; both to a tenth, of the
// next terms.
func TestConvergeMultibody(t *testing.T) {
	t.Parallel()
	thorough.Only(t, "a second")
	for _, c := range []struct {
		file, old, with, steps string
		order                  float64
	}{
		{"slider-crank.json", `"alpha": 0.5`, `"alpha": 0.5`, "250", 2},
		{"slider-crank.json", `"alpha": 0.5`, `"alpha": 1, "gamma": 1`, "1000", 1},
	} {
		dir := t.TempDir()
		out := converge(t, edited(t, c.file, c.old, c.with), "--set", "until=0.5", "--steps", c.steps, "--levels", "4",
			"--out", dir, "--json")
		var s run.Refinement
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.Order[3]-c.order) > 0.1 {
			t.Errorf("%s: orders %v, want %g", c.with, s.Order, c.order)
		}
		if pictures, _ := filepath.Glob(filepath.Join(dir, "convergence.*g")); len(pictures) != 2 {
			t.Errorf("pictures %v", pictures)
		}
	}
	out := converge(t, filepath.Join(casesDir, "disc-drop.json"), "--levels", "2", "--out", t.TempDir())
	if !strings.Contains(out, "to the run before") || !strings.Contains(out, "finest") {
		t.Error(out)
	}
}

// TestRestitutionIsTold: the law of impact, the speed from which on it holds, and what was too slow
// for it: balls of 50 nm with 1 µm/s go off together by the default of "restitution_speed", e = 1
// or not. Where nothing rebounds there is no word of it.
func TestRestitutionIsTold(t *testing.T) {
	slow := edited(t, "cradle.json", `"velocity": [1, 0]`, `"velocity": [0.0005, 0]`)
	pair := edited(t, "cradle.json", `"material": "steel",`, `"contacts": [{"between": ["ball2", "ball1"], "friction": "steel"}],`)
	none := edited(t, "cradle.json", `"restitution": 1`, `"restitution": 0`)
	for file, want := range map[string]string{
		filepath.Join(casesDir, "cradle.json"): "by the law sequential, of what comes faster than 0.001 m/s\n",
		slow:                                   "by the law sequential; 1 of 1 collision at most 0.001 m/s fast, \"restitution_speed\", did not rebound\n",
		pair:                                   "by the law sequential, of what comes faster than 0.001 m/s\n",
		none:                                   "",
	} {
		for speed, words := range map[string]string{"0.001": want, "0.002": strings.ReplaceAll(want, "0.001", "0.002")} {
			var out, errOut bytes.Buffer
			start([]string{"quasistatic", "run", "-v", file, "--no-picture", "--set", "until=400", "--set", "steps=20",
				"--set", "restitution_speed=" + speed, "--out", t.TempDir()}, &out, &errOut)
			if told := strings.Contains(out.String(), "  restitution"); told != (want != "") || !strings.Contains(out.String(), words) {
				t.Errorf("%s: %s%s, want %q", file, out.String(), errOut.String(), words)
			}
		}
	}
}
