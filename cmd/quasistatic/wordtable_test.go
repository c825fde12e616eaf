package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/table"
)

// tether is a particle on a tether whose anchor swings.
const tether = `{"name": "one", "model": "energetic", "friction": {"dry": {"mu": 0.4}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}%s],
 "anchors": [{"id": "u", "at": {"sine": {"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]}}}%s],
 "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]}%s], %s}`

// disc falls onto a floor that it touches at the start.
const disc = `{"name": "disc", "model": "rigid", "dimension": 2, "until": 1, "steps": %d, "gravity": [0, -9.81], "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}},
 "friction": {"dry": {"mu": 0.2, "restitution": %g}}, "material": "dry", "bodies": [{"id": "disc", "shape": {"type": "disc", "radius": 0.1}, "mass": 1, "position": [0, 0.1], "velocity": [0, -1]}]}`

// altered is a case with another top, without its expectations if they are nil there.
func altered(t *testing.T, name string, change map[string]any) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(read(t, small(name))), &doc); err != nil {
		t.Fatal(err)
	}
	for k, v := range change {
		if doc[k] = v; v == nil {
			delete(doc, k)
		}
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wordTable is the table of runs that were certified, and wrong: what each is worth by now.
func wordTable(t *testing.T) []wordRow {
	var doc map[string]any
	if err := json.Unmarshal([]byte(read(t, small("press-and-drag"))), &doc); err != nil {
		t.Fatal(err)
	}
	blocks := func(change func(first, second map[string]any)) any {
		text, err := json.Marshal([]any{doc["energies"].([]any)[0], doc["energies"].([]any)[0]})
		if err != nil {
			t.Fatal(err)
		}
		var list []map[string]any
		if err := json.Unmarshal(text, &list); err != nil {
			t.Fatal(err)
		}
		list[1]["id"] = "other"
		change(list[0], list[1])
		if list[1]["id"] == nil {
			return list[:1]
		}
		return list
	}
	corner := func(x float64) func(a, b map[string]any) {
		return func(a, b map[string]any) {
			a["mesh"].(map[string]any)["block"].(map[string]any)["corner"] = []float64{x, 0}
			b["id"] = nil
		}
	}
	through := func(a, b map[string]any) {
		a["prescribed"].([]any)[0].(map[string]any)["motion"] = map[string]any{"table": [][]float64{{0, 0}, {5, 0}, {10, .19}}}
		b["mesh"].(map[string]any)["block"].(map[string]any)["corner"] = []float64{1.05, 0}
	}
	pendulum := func(scheme string, until float64) string {
		return fmt.Sprintf(`{"name": "pendulum", "model": "rigid", "dimension": 2, "gravity": [0, -9.81], "until": %g, "steps": %.0f, "alpha": 0.5, %s"bodies": [{"id": "a", "shape": {"type": "rod", "length": 1, "radius": 0.05},
			"mass": 1, "position": [0.5, 0]}], "joints": [{"type": "revolute", "body": "a", "at": [0, 0]}]}`, until, until/.005, scheme)
	}
	long := 5.
	if thorough.Asked() {
		long = 250
	}
	bystander := [3]string{`, {"id": "q", "at": [5, 0, 0], "friction": "dry"}`,
		`, {"id": "w", "at": {"table": [[0, [5, 0, -0.3]], [2, [6, 0, -0.3]]]}}`,
		`, {"type": "tether", "particle": "q", "anchor": "w", "stiffness": [2e13, 2e13, 5e13]}`}
	steep := map[string]any{"until": .012, "steps": 12, "friction": map[string]any{"dry": map[string]any{"mu": 1e6}},
		"expect": nil, "accuracy": nil}
	return []wordRow{
		{"nodes at the zeros of a sine", fmt.Sprintf(tether, "", "", "", `"until": 5, "steps": 5`), "stability"},
		{"in the steps that its remedy names", fmt.Sprintf(tether, "", "", "", `"until": 5, "steps": 1800`), ""},
		{"gamma above all forces", fmt.Sprintf(tether, "", "", "", `"until": 2, "steps": 200, "gamma": 100`), "a smaller gamma"},
		{"grazing in five steps", altered(t, "grazing", map[string]any{"steps": 5, "expect": nil}), "180 steps would reach it"},
		{"press-and-drag ten metres off", altered(t, "press-and-drag", map[string]any{"energies": blocks(corner(10))}), ""},
		{"press-and-drag without threshold", altered(t, "press-and-drag", map[string]any{"threshold": nil}), ""},
		{"pendulum in the scheme of the paper", pendulum(`"scheme": "gavrea", `, long), "energy made or destroyed by the scheme"},
		{"pendulum", pendulum("", 5), ""},
		{"1 kg under 1e6 kg", `{"name": "heavy", "model": "rigid", "until": 2, "step": 0.01, "gravity": [0, 0, -9.81], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"dry": {"mu": 0.5}}, "material": "dry",
			"bodies": [{"id": "light", "shape": {"type": "box", "size": [1, 1, 1]}, "mass": 1, "position": [0, 0, 0.5]}, {"id": "heavy", "shape": {"type": "box", "size": [1, 1, 1]}, "mass": 1e6, "position": [0, 0, 1.5]}],
			"expect": [{"quantity": "largest_displacement", "max": 1e-7}]}`, ""},
		{"beside one 1e13 times stiffer", fmt.Sprintf(tether, bystander[0], bystander[1], bystander[2],
			`"until": 2, "steps": 800, "expect": [{"quantity": "position", "particle": "p", "axis": "x", "value": -0.3, "tolerance": 1e-8}]`),
			""},
		{"mu of a million, lagged", altered(t, "grazing-lagged", steep), `"threshold": "implicit"`},
		{"a block through another", altered(t, "press-and-drag",
			map[string]any{"until": 10, "steps": 20, "expect": nil, "energies": blocks(through)}), "keep them apart"},
		{"a collision at the start", fmt.Sprintf(disc, 100, 0.), ""},
		{"one that bounces", fmt.Sprintf(disc, 100, .5), "energy made or destroyed by the scheme"}, // ever faster
	}
}

type wordRow struct {
	name, text string
	says       string // of the failure; "": it is certified
}

// TestWordTable: runs that were certified and wrong, and folders that were refused and right, have
// the right word, from run and from diagnose. The bar of standard mass is in dynamics/elastic
// (TestStandardMassIsNotAccurate), its 250 s the pendulum has with QUASISTATIC_LONG.
func TestWordTable(t *testing.T) {
	t.Parallel()
	for _, row := range wordTable(t) {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			out, want := filepath.Join(dir, "out"), exitDone
			if row.says != "" {
				want = exitFailed
			}
			code, _, stderr := qs("run", write(t, row.text, dir, "case.json"), "--out", out, "--quiet", "--no-picture")
			if code != want || !strings.Contains(stderr, row.says) {
				t.Errorf("exit %d, %s", code, stderr)
			}
			own := strings.Contains(row.text, `"restitution"`) // of whose collisions the files do not tell all
			if code, _, told := qs("diagnose", "-v", out, "--quiet"); code != want || told != stderr && !own {
				t.Errorf("diagnose: exit %d, %s\nthe run: %s", code, told, stderr)
			}
			if s := summaryOf(t, out); s.Certified != (want == exitDone) || !s.Certified && !table.Holds(s.Facts, table.Solved) {
				t.Errorf("certified %t, %s", s.Certified, s.Message)
			}
		})
	}
}

// TestForeignTrajectories: a part of a trajectory, or one with something left out, is not the
// run, and another one that is accurate is, whoever made it: here in twenty times the steps.
func TestForeignTrajectories(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, fine := filepath.Join(dir, "out"), filepath.Join(dir, "fine")
	text := altered(t, "grazing", map[string]any{"steps": 400, "expect": nil})
	mustRun(t, "run", write(t, text, dir, "case.json"), "--out", out, "--quiet", "--no-picture")
	mustRun(t, "run", filepath.Join(dir, "case.json"), "--set", "steps=8000", "--set", `output={"every": 20}`, "--out",
		fine, "--quiet", "--no-picture")
	unsealed(t, out)
	whole := map[string]string{}
	list, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		whole[f.Name()] = read(t, out, f.Name())
	}
	rows := func(change func(lines []string) []string) func(text string) string {
		return func(text string) string {
			lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
			return strings.Join(change(lines), "\n") + "\n"
		}
	}
	for _, c := range []struct {
		name   string
		files  []string // that are changed
		change func(text string) string
		says   string
	}{
		{"truncated at 30 %", nil, rows(func(l []string) []string { return l[:len(l)*3/10] }), ""},
		{"a start row alone", nil, rows(func(l []string) []string { return l[:2] }), ""},
		{"a cycle deleted", nil, rows(func(l []string) []string { return slices.Concat(l[:2], l[202:]) }), ""},
		{"forces of 999 N", []string{table.ForcesFile}, rows(func(l []string) []string {
			for i := 1; i < len(l); i++ {
				fields := strings.Split(l[i], ",")
				for k := 1; k < len(fields); k++ {
					fields[k] = "999"
				}
				l[i] = strings.Join(fields, ",")
			}
			return l
		}), "forces.csv"},
	} {
		for _, sums := range []bool{true, false} { // summary.json with and without
			names := c.files
			if names == nil {
				names = []string{table.TrajectoryFile, table.ForcesFile, table.CertificatesFile}
			}
			for _, name := range names {
				write(t, c.change(whole[name]), out, name)
			}
			if !sums {
				if err := os.Remove(filepath.Join(out, table.SummaryFile)); err != nil {
					t.Fatal(err)
				}
			}
			if code, _, stderr := qs("diagnose", "-v", out, "--quiet"); code != exitFailed || !strings.Contains(stderr, c.says) {
				t.Errorf("%s, summary %t: exit %d, %s", c.name, sums, code, stderr)
			}
			for name, text := range whole {
				write(t, text, out, name)
			}
		}
	}
	// The nodes of the fine run, without anything else: a trajectory of anyone.
	if code, stdout, stderr := qs("diagnose", "-v", "--trajectory", filepath.Join(fine, table.TrajectoryFile), "--case",
		filepath.Join(dir, "case.json")); code != exitDone {
		t.Errorf("a finer run: exit %d\n%s%s", code, stdout, stderr)
	}
}

// TestBowls: an anchor passes through the surface of a hollow, and through the particle on it, at a
// node, where nothing presses: whether it touches is left to what the solver leaves, 1e-13 m. Run
// and diagnose agree all the same, without a search for better states, which is not asked; and so
// they do of one that lands along the normal, by a way that is all height.
func TestBowls(t *testing.T) {
	t.Parallel()
	axis, heights := make([]float64, 21), make([][]float64, 21)
	for i := range axis {
		axis[i] = -1 + .1*float64(i)
	}
	for i, y := range axis {
		for _, x := range axis {
			heights[i] = append(heights[i], .5*(x*x+y*y))
		}
	}
	cylinder, graph := map[string]any{"type": "cylinder", "point": []float64{0, 0, 1}, "axis": []float64{0, 1, 0},
		"radius": 1, "inside": true}, map[string]any{"type": "graph", "x": axis, "y": axis, "height": heights}
	const lift = `[{"table": [[0, 0], [1, 0.4], [2, 0]]}, {"table": [[0, 0], [1, 0.2], [2, 0]]}, {"table": [[0, -0.1], [1, 0.1], [2, -0.1]]}]`
	const land = `[{"table": [[0, 0], [2, 0.5]]}, 0, {"sine": {"amplitude": -0.3, "frequency": 1}}]`
	for i, c := range []struct {
		obstacle  any
		anchor    string
		stiffness string
		until     float64
		steps     int
	}{{cylinder, lift, "[2, 2, 5]", .75, 15}, {graph, lift, "[3, 3, 3]", 2, 8}, {graph, land, "[2, 2, 5]", 2, 40},
		{graph, lift, "[2, 2, 5]", 2, 8}} {
		if i > 0 && !thorough.Asked() {
			break // splines take a second each
		}
		bowl, err := json.Marshal(c.obstacle)
		if err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`{"name": "bowl", "model": "energetic", "until": %g, "steps": %d, "accuracy": 0.5, "stability": "convex", "obstacles": {"bowl": %s}, "friction": {"dry": {"mu": 0.4}},
			"particles": [{"id": "p", "at": [0, 0, 0], "obstacle": "bowl", "friction": "dry"}], "anchors": [{"id": "u", "at": %s}],
			"energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": %s}]}`, c.until, c.steps, bowl,
			c.anchor, c.stiffness)
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		mustRun(t, "run", write(t, text, dir, "case.json"), "--out", out, "--quiet", "--no-picture")
		if code, _, stderr := qs("diagnose", "-v", out, "--quiet"); code != exitDone {
			t.Errorf("%d: exit %d, %s", i, code, stderr)
		}
	}
}
