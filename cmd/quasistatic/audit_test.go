package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// excerpts are cases of all dynamic models, cut short, without expectations: a sphere on a
// compliant patch, spheres that meet, the θ-scheme, an impact, joints on a floor, an elastic block.
var excerpts = map[string]struct {
	from   string
	change map[string]any
}{
	"compliant": {"bouncing-sphere", map[string]any{"steps": 300, "until": 0.03}},
	"pairs": {"bouncing-sphere", map[string]any{"steps": 50, "until": 0.005, "accuracy": 0.05,
		"patches": map[string]any{"spot": map[string]any{"stiffness": []float64{1e4, 1e4, 1e4}, "damping": []float64{50, 50, 50}}},
		"bodies": []any{
			map[string]any{"id": "low", "shape": map[string]any{"type": "sphere", "radius": 0.1}, "mass": 1,
				"position": []float64{0, 0, 0.1}},
			map[string]any{"id": "high", "shape": map[string]any{"type": "sphere", "radius": 0.1}, "mass": 1,
				"position": []float64{0.05, 0, 0.295}, "velocity": []float64{0.3, 0, -0.5}}},
		"contacts": []any{map[string]any{"body": []string{"low", "high"}, "obstacle": "floor", "friction": "dry",
			"patch": "spot"}, map[string]any{"between": "all", "friction": "dry", "patch": "spot"}}}},
	"theta":    {"braking-point", map[string]any{"steps": 40, "until": 0.4}},
	"rigid":    {"disc-drop", map[string]any{"steps": 40, "until": 0.4}},
	"joints":   {"double-pendulum-floor", map[string]any{"steps": 120, "until": 0.2}},
	"painleve": {"painleve-rod", map[string]any{"steps": 50, "until": 0.005, "alpha": 0.5, "accuracy": 0.05}},
	"elastic":  {"block-braking", map[string]any{"steps": 45, "until": 0.005, "accuracy": 0.05}},
}

// shortCase writes one of them in a format.
func shortCase(t *testing.T, name, format string) string {
	t.Helper()
	s := excerpts[name]
	var c map[string]any
	if err := json.Unmarshal([]byte(read(t, small(s.from))), &c); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"expect", "step", "steps"} {
		delete(c, key)
	}
	for key, v := range s.change {
		c[key] = v
	}
	if name == "compliant" { // from just above the floor
		c["bodies"].([]any)[0].(map[string]any)["position"] = []float64{0, 0, 0.101}
	}
	c["output"] = map[string]any{"format": format}
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, string(text), t.TempDir(), name+".json")
}

// excerpted copies the folder of a run of one of them to dir; it is run once, into CSV files.
func excerpted(t *testing.T, name, dir string) {
	t.Helper()
	whole := filepath.Join(shared.dir, "excerpts", name)
	entry, _ := shared.parts.LoadOrStore(name, &sync.Once{})
	entry.(*sync.Once).Do(func() {
		mustRun(t, "run", shortCase(t, name, "csv"), "--out", whole, "--quiet", "--no-picture")
	})
	if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
		t.Fatal(err)
	}
}

// TestDoctored changes one number of the files of each model: diagnose of the run as it
// was certifies it, of the changed one it names file, row and column or contact.
func TestDoctored(t *testing.T) {
	t.Parallel()
	type change struct {
		file, column string
		row          float64 // as a share of the rows
		by           float64 // relative to the number, or as it is where that is 0
		want         string
	}
	for name, changes := range map[string][]change{
		"compliant": {{"trajectory.csv", "ball.x", 0.3, 1e-9, "column ball.x"}, {"trajectory.csv", "ball.qw", 0.9, 1e-9, "trajectory.csv"},
			{"velocities.csv", "ball.vz", 0.5, 1e-9, "velocities.csv"},
			{"forces.csv", "ball/floor.5.n", 0.8, 1e-6, "M(v' − v)"}, {"forces.csv", "ball/floor.5.t", 0.8, 1, "M(v' − v)"},
			{"energies.csv", "friction", 0.9, 1e-6, "column friction"}, {"contacts.csv", "z", 0.5, 1e-4, "column z"},
			{"contacts.csv", "normal", 0.5, 1e-6, "ball/floor, column normal"}},
		"pairs": {{"impulses.csv", "ix", 0.5, 1e-6, "M(v' − v)"}, {"impulses.csv", "iz", 0.3, 1e-7, "M(v' − v)"},
			{"contacts.csv", "fx", 0.9, 1e-4, "contacts.csv"}, {"trajectory.csv", "high.x", 0.5, 1e-9, "column high.x"}},
		"theta": {{"trajectory.csv", "mass.y", 0.6, 1e-9, "column mass.y"},
			{"velocities.csv", "mass.vx", 0.3, 1e-9, "t=0.12"}, {"forces.csv", "mass/floor.t", 0.5, 1e-7, "M(v' − v)"},
			{"energies.csv", "viscous", 0.5, 1e-5, "column viscous"}, {"contacts.csv", "fx", 0.5, 1e-5, "mass/floor, column fx"}},
		"rigid": {{"trajectory.csv", "disc.angle", 0.8, 1e-6, "column disc.angle"},
			{"trajectory.csv", "disc.y", 0.8, -1e-5, "trajectory.csv"}, {"velocities.csv", "disc.spin", 0.9, 1e-7, "velocities.csv"},
			{"impulses.csv", "iy", 0.5, 1e-6, "velocities.csv"}, {"impulses.csv", "ix", 0.5, -1, "velocities.csv"},
			{"forces.csv", "disc.n", 0.9, 1e-6, "column disc.n"},
			{"contacts.csv", "x", 0.5, 1e-6, "disc/floor, column x"},
			{"collisions.csv", "loss", 0, 1e-6, "certificates.csv"}, {"energies.csv", "friction", 0.9, 1e-4, "column friction"}},
		"joints": {{"trajectory.csv", "lower.x", 0.5, 1e-6, "trajectory.csv"},
			{"velocities.csv", "upper.spin", 0.5, 1e-6, "velocities.csv"},
			{"certificates.csv", "variation", 0.5, 1e-6, "column variation"}},
		"painleve": {{"velocities.csv", "rod.vx", 0.5, 1e-7, "velocities.csv"}, {"impulses.csv", "ix", 0, 1e-6, "velocities.csv"}},
		"elastic": {{"trajectory.csv", "8.ux", 0.5, 1e-6, "column 8.ux"},
			{"displacements.csv", "60.uy", 0.5, 1e-6, "node"}, {"velocities.csv", "60.vx", 0.5, 1e-6, "node"},
			{"forces.csv", "8.n", 0.5, 1e-6, "node 8"}, {"forces.csv", "8.t", 0.4, 1e-4, ""},
			{"energies.csv", "elastic", 0.5, 1e-6, "column elastic"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "out")
			excerpted(t, name, dir)
			if out := mustRun(t, "diagnose", "-v", dir); !strings.Contains(out, "not shown") {
				t.Errorf("diagnose does not say what it cannot prove:\n%s", out)
			}
			for _, c := range changes {
				text := read(t, dir, c.file)
				lines := strings.Split(strings.TrimSpace(text), "\n")
				k, v := doctor(t, lines, c.column, c.row, c.by)
				write(t, strings.Join(lines, "\n")+"\n", dir, c.file)
				code, _, stderr := qs("diagnose", "-v", dir, "--quiet")
				if code != exitFailed || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, ".csv:") {
					t.Errorf("%s:%d %s, %g changed by %g: exit %d, %s\nlacks %q", c.file, k+1, c.column, v, c.by, code, stderr, c.want)
				}
				write(t, text, dir, c.file)
			}
			var s table.Summary
			if err := json.Unmarshal([]byte(mustRun(t, "diagnose", "-v", dir, "--json")), &s); err != nil ||
				!s.Certified || len(s.Audit) < 5 || len(s.Unproved) == 0 {
				t.Errorf("--json: %v, %+v", err, s)
			}
		})
	}
}

// doctor changes a number of a column, in the first row from a share of the rows on
// where it is not zero, and returns the row and the number as it was.
func doctor(t *testing.T, lines []string, column string, share, by float64) (row int, v float64) {
	t.Helper()
	at := -1
	for i, c := range strings.Split(lines[0], ",") {
		if c == column {
			at = i
		}
	}
	if at < 0 {
		t.Fatalf("no column %q in %s", column, lines[0])
	}
	for row = 1 + int(share*float64(len(lines)-2)); row < len(lines); row++ {
		fields := strings.Split(lines[row], ",")
		var err error
		if v, err = strconv.ParseFloat(fields[at], 64); err != nil {
			t.Fatal(err)
		}
		if v != 0 {
			fields[at] = strconv.FormatFloat(v*(1+by), 'g', 17, 64)
			lines[row] = strings.Join(fields, ",")
			return row, v
		}
	}
	t.Fatalf("%s is zero from row %d on", column, 1+int(share*float64(len(lines)-2)))
	return 0, 0
}

// TestDiagnoseWrong gives diagnose of the dynamic models folders that are none.
func TestDiagnoseWrong(t *testing.T) {
	t.Parallel()
	run := filepath.Join(t.TempDir(), "run")
	excerpted(t, "theta", run)
	for _, c := range []struct {
		name, file string
		change     func(text string) string
		code       int
		want       string
	}{
		{"a table is missing", table.VelocitiesFile, nil, exitInput, "velocities.csv"},
		{"a row is missing", table.ForcesFile, func(s string) string {
			return s[:strings.LastIndex(s[:len(s)-1], "\n")+
				1]
		}, exitInput, "forces.csv ends after 40 rows: those from t=0.4 on are missing, which trajectory.csv has"},
		{"cut off", table.TrajectoryFile, func(s string) string { return s[:len(s)/2] }, exitInput,
			"trajectory.csv ends after 20 rows: those from t=0.2 on are missing, which velocities.csv has"},
		{"a line twice", table.ForcesFile, func(s string) string {
			return s +
				s[strings.LastIndex(s[:len(s)-1], "\n")+1:]
		}, exitInput, "forces.csv"},
		{"a line twice before the end", table.VelocitiesFile,
			func(s string) string { return strings.Replace(s, "\n0.25,", "\n0.25,0,0,0\n0.25,", 1) }, exitFailed,
			"velocities.csv:28: t=0.25, column t"},
		{"a line is gone", table.ForcesFile, func(s string) string {
			at := strings.Index(s, "\n0.2")
			return s[:at] + s[at+1+strings.Index(s[at+1:], "\n"):]
		}, exitFailed, "column t: the times are those of the steps"},
		{"contacts are cut off", table.ContactsFile, func(s string) string { return s[:len(s)/2] }, exitFailed,
			"contacts.csv:21: t=0.2, 0 rows"},
		{"foreign", table.TrajectoryFile, func(string) string { return "Dear reader,\nthis is a letter.\n" }, exitInput,
			`trajectory.csv:1: column 1 is "Dear reader", want "t"`},
		{"other body", table.TrajectoryFile, func(s string) string { return strings.Replace(s, "mass.x", "q.x", 1) },
			exitInput, `trajectory.csv:1: column 2 is "q.x", want "mass.x"`},
		{"no number", table.VelocitiesFile, func(s string) string {
			return strings.Replace(s, "\n0,", "\n0,NaN,1,2\n0,",
				1)
		}, exitInput, "velocities.csv:2: column mass.vx is NaN"},
		{"another contact", table.ContactsFile, func(s string) string {
			return strings.Replace(s, ",floor,",
				",ceiling,", 1)
		}, exitFailed, "contacts.csv:2"},
		{"another start", table.TrajectoryFile, func(s string) string { return strings.Replace(s, "\n0,", "\n0,9", 1) },
			exitFailed, "the run starts where the case does"},
	} {
		text := read(t, run, c.file)
		if c.change == nil {
			if err := os.Remove(filepath.Join(run, c.file)); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, c.change(text), run, c.file)
		}
		if code, _, stderr := qs("diagnose", "-v", run, "--quiet"); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit %d, want %d and %q\n%s", c.name, code, c.code, c.want, stderr)
		}
		write(t, text, run, c.file)
	}
	if code, _, stderr := qs("diagnose", "-v", run, "--tolerance", "1e-3"); code != exitInput ||
		!strings.Contains(stderr, "tolerances of their own") {
		t.Errorf("--tolerance: exit %d\n%s", code, stderr)
	}
}

// unsealed takes the sums of the files out of the summary of a run.
func unsealed(t *testing.T, dir string) {
	t.Helper()
	s, err := table.ReadSummary(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Files = nil
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
}

// TestNothingToDraw: what is drawn is finite and there.
func TestNothingToDraw(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	excerpted(t, "theta", run)
	unsealed(t, run)
	text := read(t, run, table.TrajectoryFile)
	write(t, strings.Replace(text, "\n0,", "\n0,NaN,1,2\n0,", 1), run, table.TrajectoryFile)
	for _, command := range []string{"report", "film"} {
		if code, _, stderr := qs(command, run, "--out", filepath.Join(dir, command+".svg")); code != exitInput ||
			!strings.Contains(stderr, "trajectory.csv:2: column mass.x is NaN") {
			t.Errorf("%s: exit %d\n%s", command, code, stderr)
		}
	}
	head, _, _ := strings.Cut(read(t, run, table.EnergiesFile), "\n")
	write(t, head+"\n", run, table.EnergiesFile)
	if code, _, stderr := qs("compare", "--column", "kinetic", "--out", filepath.Join(dir, "c.svg"),
		run); code != exitInput || !strings.Contains(stderr, "energies.csv has no row") {
		t.Errorf("compare: exit %d\n%s", code, stderr)
	}
}

// TestDoctoredSummary changes or takes away what the summary says of the accuracy of runs
// whose energy grows: none is certified, whatever its word.
func TestDoctoredSummary(t *testing.T) {
	t.Parallel()
	bar := filepath.Join(t.TempDir(), "bar")
	if code, _, _ := qs("run", small("impacting-bar-standard-mass"), "--set", "expect=[]", "--out", bar, "--quiet",
		"--no-picture"); code != exitFailed {
		t.Fatalf("the standard mass makes energy, but exit %d", code)
	}
	disc := filepath.Join(t.TempDir(), "disc")
	excerpted(t, "rigid", disc)
	for _, c := range []struct {
		dir, what, from, to, says string
	}{
		{bar, "passed", `"passed": false`, `"passed": true`,
			"not accurate: strains and turns"}, // which files tell, and which is told first
		{bar, "limits", `"limit": 0.01`, `"limit": 1e3`, "not accurate: strains and turns"},
		{disc, "not passed", `"passed": true`, `"passed": false`, "summary.json contradicts itself"},
		{disc, "a limit", `"limit": 0.01`, `"limit": -1`, "summary.json contradicts itself"},
		{disc, "the word", `"certified": true`, `"certified": false`, "the run itself was not certified"},
		{disc, "no facts", `"facts": [`, `"facts": [], "old": [`, "summary.json says nothing"},
	} {
		text := read(t, c.dir, table.SummaryFile)
		changed := strings.ReplaceAll(text, c.from, c.to)
		if changed == text {
			t.Fatalf("%s: no %s in\n%s", c.what, c.from, text)
		}
		write(t, resealed(changed), c.dir, table.SummaryFile)
		if code, _, stderr := qs("diagnose", "-v", c.dir, "--quiet"); code != exitFailed || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: exit %d, want %q\n%s", c.what, code, c.says, stderr)
		}
		write(t, text, c.dir, table.SummaryFile)
	}
	if err := os.Remove(filepath.Join(disc, table.SummaryFile)); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := qs("diagnose", "-v", disc, "--quiet"); code != exitFailed ||
		!strings.Contains(stderr, "there is no summary.json") {
		t.Errorf("without: exit %d\n%s", code, stderr)
	}
}

// TestDiagnoseAccuracy: diagnose judges by the accuracy that the run was given.
func TestDiagnoseAccuracy(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"grazing", "impacting-bar"} {
		dir := filepath.Join(t.TempDir(), name)
		args := []string{"run", small(name), "--set", "steps=100", "--set", "expect=[]", "--out", dir, "--quiet",
			"--no-picture", "--accuracy"}
		for _, accuracy := range []string{"0.5", "1e-7"} {
			code, _, _ := qs(append(args, accuracy)...)
			if (code == exitDone) != (accuracy == "0.5") {
				t.Errorf("%s, %s: run: exit %d", name, accuracy, code)
			}
			if again, _, stderr := qs("diagnose", "-v", dir, "--quiet"); again != code {
				t.Errorf("%s, %s: run: exit %d, diagnose %d\n%s", name, accuracy, code, again, stderr)
			}
		}
	}
}

// falseWords are runs that a verdict from their energies alone, summed over all bodies, or
// compared with what a step could move, has certified: of each the number that is wrong.
var falseWords = map[string]struct{ text, says string }{
	// It slides for .097 s and rolls then: x(1) is .728, of one step .714.
	"one step": {`{"name":"sphere","model":"rigid","until":1,"steps":1,"gravity":[0,0,-9.81],
		"obstacles":{"floor":{"point":[0,0,0],"normal":[0,0,1]}},"friction":{"dry":{"mu":0.3}},"material":"dry",
		"bodies":[{"id":"s","shape":{"type":"sphere","radius":0.1},"mass":1,"position":[0,0,0.1],"velocity":[1,0,0]}]}`,
		"energy made or destroyed"},
	"beside a billion": {`{"name":"sphere","model":"rigid","until":1,"steps":5,"gravity":[0,0,-9.81],
		"obstacles":{"floor":{"point":[0,0,0],"normal":[0,0,1]}},"friction":{"dry":{"mu":0.3}},"material":"dry",
		"bodies":[{"id":"s","shape":{"type":"sphere","radius":0.1},"mass":1,"position":[0,0,0.1],"velocity":[1,0,0]},
			{"id":"h","shape":{"type":"sphere","radius":0.1},"mass":1e9,"position":[9,0,0.1]}]}`, "energy made or destroyed"},
	// It comes to roll within the first step, and Euler's rule takes what is left of its slip as if
	// it had gone on till the end.
	"a first step": {`{"name":"sphere","model":"rigid","until":5,"steps":10,"alpha":1,"gravity":[0,0,-9.81],
		"obstacles":{"floor":{"point":[0,0,0],"normal":[0,0,1]}},"friction":{"dry":{"mu":0.3}},"material":"dry",
		"bodies":[{"id":"s","shape":{"type":"sphere","radius":0.1},"mass":1,"position":[0,0,0.1],"velocity":[1,0,0]}]}`,
		"energy made or destroyed"},
	// Euler's rule takes 1 - exp(-kh/m) = .095 of the energy of the spring.
	"a spring": {`{"name":"spring","model":"rigid","until":1,"steps":1000,"dimension":2,"gravity":[0,0],
		"bodies":[{"id":"s","shape":{"type":"disc","radius":0.1},"mass":1,"inertia":1,"position":[0,0],"spin":1}],
		"springs":[{"type":"twist","body":"s","stiffness":100,"damping":0,"rest":0}]}`, "energy made or destroyed by the scheme: 0.0952"},
	// The trapezoidal rule keeps the energy of a swing of 20 steps, and not its time.
	"a pendulum": {`{"name":"pendulum","model":"rigid","until":20,"steps":200,"dimension":2,"alpha":0.5,"gravity":[0,-9.81],
		"bodies":[{"id":"b","shape":{"type":"disc","radius":0.1},"mass":1,"position":[1,0]}],
		"joints":[{"id":"j","type":"revolute","body":"b","at":[0,0]}]}`, "error of the trajectory"},
	// Of the .153 J that friction takes 2 % are made by the length of the steps; places are right
	// to .9 % of what the block is deformed.
	"dissipation": {`{"name":"block","model":"elastodynamic","until":0.0187,"steps":32,"mesh":{"block":{"size":[1,0.25],"cells":[8,2]},"accuracy":"given"},"young":2343.87,"poisson":0.3,"density":1,
		"obstacles":{"floor":{"point":[0,-0.0103],"normal":[0,1]}},"friction":{"rough":{"mu":0.5}},"contact":[{"group":"bottom","obstacle":"floor","friction":"rough"}],
		"velocity":[-1.84573,-1.209559],"body_force":[5,-2.287299]}`, "error of the dissipated energy"},
	// It swings on its spring ten radians long, late by (ωh)²/12 of them, while it flies a
	// kilometre.
	"a turn": {`{"name":"turn","model":"rigid","until":10,"steps":60,"dimension":2,"alpha":0.5,"gravity":[0,0],
		"bodies":[{"id":"s","shape":{"type":"disc","radius":0.1},"mass":1,"inertia":1,"position":[0,0],"velocity":[100,0],"spin":1}],
		"springs":[{"type":"twist","body":"s","stiffness":1,"damping":0,"rest":0}]}`, "turn of body"},
	"a turn, compliant": {`{"name":"turn","model":"compliant","until":10,"steps":2000,"dimension":2,"gravity":[0,0],
		"bodies":[{"id":"s","shape":{"type":"disc","radius":0.1},"mass":1,"inertia":1,"position":[0,0],"velocity":[100,0],"spin":1,"spin_drag":3}]}`,
		"turn of s"},
}

// TestFalseWords: none of them is certified, and whoever writes into the summary that it is
// deceives diagnose about no energy that the files tell.
func TestFalseWords(t *testing.T) {
	thorough.Seconds(t)
	t.Parallel()
	for name, c := range falseWords {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		code, _, stderr := qs("run", write(t, c.text, dir, "case.json"), "--out", out, "--quiet", "--no-picture")
		if code != exitFailed || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: exit %d\n%s", name, code, stderr)
		}
		if code, _, stderr := qs("diagnose", "-v", out, "--quiet"); code != exitFailed || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: diagnose: exit %d\n%s", name, code, stderr)
		}
		var s map[string]any
		if err := json.Unmarshal([]byte(read(t, out, table.SummaryFile)), &s); err != nil {
			t.Fatal(err)
		}
		for _, f := range s["facts"].([]any) {
			f := f.(map[string]any)
			f["value"], f["limit"], f["passed"] = 0, 1e3, true
		}
		s["certified"] = true
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		putSummary(t, string(text), out)
		forged := strings.HasPrefix(c.says, "energy")
		if code, _, stderr := qs("diagnose", "-v", out, "--quiet"); forged && (code != exitFailed || !strings.Contains(stderr, c.says)) {
			t.Errorf("%s: forged: exit %d\n%s", name, code, stderr)
		}
	}
}
