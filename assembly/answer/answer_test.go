package answer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/quasistatic/quasistatic/assembly"
	"github.com/quasistatic/quasistatic/assembly/answer"
)

// stands runs the command and returns its exit code, what it printed and its error.
func stands(t *testing.T, args ...string) (code int, out, fault string) {
	t.Helper()
	return standsUntil(t.Context(), t, args...)
}

// standsUntil is stands until a context ends.
func standsUntil(ctx context.Context, t *testing.T, args ...string) (code int, out, fault string) {
	t.Helper()
	var b bytes.Buffer
	app := &cli.App{Writer: &b, ExitErrHandler: func(*cli.Context, error) {}, Commands: []*cli.Command{
		answer.Command(func(format string, args ...any) error { return cli.Exit(strings.TrimSpace(format), 2) })}}
	err := app.RunContext(ctx, append([]string{"quasistatic", "stands"}, args...))
	var coder cli.ExitCoder
	if errors.As(err, &coder) {
		return coder.ExitCode(), b.String(), err.Error()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0, b.String(), ""
}

// TestCommand: words, exit codes and numbers of a stack that stands, tips and is loaded.
func TestCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "stack.json")
	text := `{"name": "stack", "blocks": [
		{"name": "floor", "box": [[-3,-3,-1],[3,3,0]]},
		{"name": "lower", "box": [[0,0,0],[1,1,1]]},
		{"name": "upper", "box": [[0,0,1],[1,1,2]]}]}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := stands(t, "--support", "floor", "--mu", "0.7", "--margins", file); code != 0 ||
		!strings.Contains(out, "stack: STANDS") || !strings.Contains(out, "least tilt: 26.565051 degrees") {
		t.Errorf("code %d: %s, want STANDS and a tilt of atan 1/2", code, out)
	}
	if _, out, _ := stands(t, "--support", "floor", "--mu", "0.7", "--tilt", "1,1,0", "--reaction", "floor:z",
		file); !strings.Contains(out, "tilt towards 1,1,0: 34.99202 degrees") ||
		!strings.Contains(out, "reaction on floor:z: from -19.62 to -19.62 N") {
		t.Errorf("%s, want a tilt of atan μ and the weight of two blocks", out)
	}
	if _, out, _ := stands(t, "--support", "floor", "--mu", "0.7", "--move", "floor:x=0.1",
		file); !strings.Contains(out, "    0.1 m: 0 N\n") {
		t.Errorf("%s, want that the floor moves with what stands on it", out)
	}
	code, out, _ := stands(t, "--support", "floor", "--mu", "0.7", "--turn", "x30", "--json", file)
	var a answer.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || code != 1 || a.Verdict != "falls" || !a.Exact || len(a.Motion) != 3 {
		t.Errorf("code %d, %v: %s, want falls by an exact proof", code, err, out)
	}
	loaded := filepath.Join(t.TempDir(), "loaded.json")
	text = `{"friction": 0.5, "blocks": [{"name": "floor", "support": true, "box": [[-3,-3,-1],[3,3,0]]}, {"name": "a", "box": [[0,0,0],[1,1,1]]}],
		"loads": [{"block": "a", "force": [9.81, 0, 0], "live": true}]}`
	if err := os.WriteFile(loaded, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := stands(t, "--margins", loaded); code != 1 ||
		!strings.Contains(out, "load factor: 0.5 times the live loads (from below 0.4999") {
		t.Errorf("code %d: %s, want that it falls, at half of its live load", code, out)
	}
	if _, out, _ := stands(t, "--support", "floor", "--mu", "0.7", "--turn", "x30", "--move", "floor:x=1",
		file); !strings.Contains(out, "are not answered") {
		t.Errorf("%s, want a note of the wish that what falls does not answer", out)
	}
	for _, args := range [][]string{{"--mu", "1", file}, {"--support", "flor", file},
		{"--support", "floor", "--turn", "q1", file}, {"--support", "floor", "--density", "x", file},
		{"--support", "floor", "--tilt", "1,0", file}, {"--support", "floor", "--reaction", "flor:z", file},
		{"--support", "floor", "--reaction", "floor", file}, {"--support", "floor", "--move", "upper:x=1", file},
		{"--support", "floor", "--move", "floor:x=0", file},
		{"--support", "floor", "--move", "floor:rx=5@1,2", file},
		{"--support", "floor", "--move", "floor:x=1@0,0,0", file},
		{"--support", "floor", "--move", "floor:x=1", "--move", "floor:y=1", file},
		{"--support", "floor", "--move", "floor:x=1", "--move", "gravity:x=5", file},
		{"--support", "floor", "--move", "loads=2", file}, {"--support", "floor", "--move", "gravity:x=100", file},
		{"--support", "floor", "--move", "gravity:q=10", file}, {"--support", "floor", "--path", "a.csv", file},
		{"--support", "floor", "--move", "floor:x=1", "--path", "a.txt", file}, {file, file}, {"none.json"}} {
		if code, out, fault := stands(t, args...); code != 2 || out != "" || fault == "" {
			t.Errorf("%q: code %d, %q, %q, want a fault of the input", args, code, out, fault)
		}
	}
}

// TestMoves: paths of supports, gravity and loads in words, numbers and files.
func TestMoves(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "block.json")
	text := `{"plane": true, "friction": 0.9, "blocks": [{"name": "floor", "support": true, "polygon": [[-9,-1],[9,-1],[9,0],[-9,0]]}, {"name": "block", "polygon": [[0,0],[1,0],[1,3],[0,3]]}],
		"loads": [{"block": "block", "force": [29.43, 0, 0], "live": true}]}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ move, want string }{
		{"loads=2", "it collapses at 0.33333333: as it moves on, it holds less"},
		{"loads=2", "up to 0.33333333 forces balance without a motion"},
		{"loads=2", "between states forces within friction leave at most"},
		{"loads=0.2", "nothing has to move: forces balance up to 0.2"},
	} {
		if _, out, fault := stands(t, "--move", c.move, file); !strings.Contains(out, c.want) {
			t.Errorf("%s: %s%s, want %q", c.move, out, fault, c.want)
		}
	}
	bare := filepath.Join(folder, "bare.json")
	if err := os.WriteFile(bare, []byte(strings.Replace(text, "29.43", "0", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ move, want string }{
		{"gravity:x=40", "it collapses at 18.43494"}, // atan 1/3
		{"gravity:1,0,0=40", "it collapses at 18.43494"},
		{"gravity:x=-40", "floor-block opens as a hinge at 18.4349°, 0 m: at x 0, y 0, z 0"},
		{"floor:ry=40@-1,0,0", "it collapses at 18.4349"},
		{"floor:ry=-40", "it collapses at -18.4349"},
	} {
		if _, out, fault := stands(t, "--move", c.move, bare); !strings.Contains(out, c.want) {
			t.Errorf("%s: %s%s, want %q", c.move, out, fault, c.want)
		}
	}
	names := map[string]string{"a.csv": "distance,level,gap", "a.svg": "<animate", "a.pvd": "a-000.vtu", "a-000.vtu": "UnstructuredGrid"}
	if code, out, fault := stands(t, "--move", "gravity:x=40", "--path", filepath.Join(folder, "a.csv"), "--path",
		filepath.Join(folder, "a.svg"), "--path", filepath.Join(folder, "a.pvd"), bare); code != 0 {
		t.Errorf("code %d: %s%s", code, out, fault)
	}
	for name, want := range names {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %.200s, want %q in it", name, err, text, want)
		}
	}
	if _, out, _ := stands(t, "--move", "gravity:x=4", "--path", filepath.Join(folder, "b.csv"),
		bare); !strings.Contains(out, "b.csv is not written") {
		t.Errorf("%s, want a note of the file that is not written", out)
	}
}

// TestReserves: of a block that is pushed at its middle with a fifth of its weight, the use of its joint is .4, of friction .9; the pull that it
// holds is .6 of the weight; in words, numbers and files.
func TestReserves(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "block.json")
	text := `{"plane": true, "friction": 0.9, "blocks": [{"name": "floor", "support": true, "polygon": [[-9,-1],[9,-1],[9,0],[-9,0]]}, {"name": "block", "polygon": [[0,0],[1,0],[1,2],[0,2]]},
		{"name": "wall", "support": true, "polygon": [[9,0],[10,0],[10,1],[9,1]]}],
		"interfaces": [{"blocks": ["floor", "block"], "normal": [0,0,1], "points": [[0,0,0],[1,0,0]]}, {"blocks": ["floor", "wall"], "normal": [1,0,0], "points": [[9,0,0],[9,0,-1]]}],
		"loads": [{"block": "block", "force": [3.924, 0, 0]}]}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	dense := strings.Replace(text, `"name": "block", `, `"name": "block", "density": 1, `, 1)
	if err := os.WriteFile(filepath.Join(folder, "dense.json"), []byte(dense), 0o666); err != nil {
		t.Fatal(err)
	}
	table, picture := filepath.Join(folder, "a.csv"), filepath.Join(folder, "a.svg")
	if _, out, fault := stands(t, "--reserves", "--csv", table, "--picture", picture, file); !strings.Contains(out,
		"floor-block: 0.400000, 11.772 N\n") {
		t.Errorf("%s%s, want the reserve of the joint", out, fault)
	}
	_, out, _ := stands(t, "--reserves", "--json", file)
	var a answer.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil || len(a.Reserves) != 1 || a.Reserves[0].Use == nil ||
		math.Abs(*a.Reserves[0].Use-.4) > 1e-7 || math.Abs(float64(a.Reserves[0].Pull)-11.772) > 1e-6 {
		t.Errorf("%v: %+v, want .4 and 11.772 N of the one interface of a block", err, a.Reserves)
	}
	// the pull is W − 2 T z/b
	_, out, _ = stands(t, "--reserves", "--json", "--by", "loads[0].force[0]", "--by", "blocks[1].density", "--by",
		"friction", filepath.Join(folder, "dense.json"))
	var by answer.Answer
	if err := json.Unmarshal([]byte(out), &by); err != nil || len(by.Reserves) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	for key, want := range map[string]float64{"loads[0].force[0]": -2, "blocks[1].density": 9.81 * 2, "friction": 0} {
		if d, ok := by.Reserves[0].By[key]; !ok || math.Abs(d-want) > 1e-5 {
			t.Errorf("pull by %s: %v, want %v", key, d, want)
		}
	}
	for name, want := range map[string]string{table: "pull,least_use\n0,floor,block,", picture: "least use, each by its best state"} {
		if text, err := os.ReadFile(name); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %.300s, want %q in it", name, err, text, want)
		}
	}
	if _, out, _ := stands(t, "--reserves", "--turn", "y-60", file); !strings.Contains(out, "are not answered") {
		t.Errorf("%s, want a note that what falls has no reserves", out)
	}
}

// TestCodes: each word has its code.
func TestCodes(t *testing.T) {
	for word, code := range map[assembly.Word]int{assembly.Stands: 0, assembly.Falls: 1, assembly.Depends: 1, assembly.Open: 4} {
		if a := (&answer.Answer{Verdict: word}); a.Code() != code {
			t.Errorf("%s: code %d, want %d", word, a.Code(), code)
		}
	}
}

// TestOthers: assemblies of others, where they are at hand (they are no part of this repository).
func TestOthers(t *testing.T) {
	folder := os.Getenv("QUASISTATIC_ASSEMBLIES")
	if folder == "" {
		t.Skip("QUASISTATIC_ASSEMBLIES names no folder with compas/ and lego/")
	}
	for _, c := range []struct{ line, word string }{
		{"--support 0 --mu .84 compas/cubes.json", "stands"},
		{"--support 0 --support 1 --mu .84 compas/A.json", "depends"},
		{"--support 0 --mu .84 compas/type-a.json", "falls"},
		{"--support 0 --mu .9 compas/shelf-s1.json", "depends"},
		{"--support 0 --mu .7 compas/snake.json", "depends"},
		{"lego/stair_19.json", "stands"}, {"lego/stair_20.json", "falls"},
		{"lego/stick_light.json", "stands"}, {"lego/external_weight_good.json", "stands"},
	} {
		args := strings.Fields(c.line)
		args[len(args)-1] = filepath.Join(folder, args[len(args)-1])
		if _, out, fault := stands(t, args...); !strings.Contains(out, ": "+strings.ToUpper(c.word)) {
			t.Errorf("%s: %s%s, want %s", c.line, out, fault, c.word)
		}
	}
}

// TestDerivatives: of margins by numbers of the file: the tilt of an arch by its thickness is the central difference of two files, by its
// density nothing; keys that there are not, and counts, are faults.
func TestDerivatives(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arch.json")
	ask := func(thickness float64, flags ...string) answer.Margin {
		text := fmt.Sprintf(`{"name": "arch", "friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": %v, "voussoirs": 7, "density": 2000}},
			"loads": [{"block": "3", "force": [30, 0, -100]}]}`, thickness)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, out, _ := stands(t, append(append([]string{"--json", "--limit", "1s", "--tilt", "1,0,0"}, flags...), file)...)
		var a answer.Answer
		if err := json.Unmarshal([]byte(out), &a); err != nil {
			t.Fatal(err)
		}
		return a.Margins["tilt towards 1,0,0"]
	}
	const h = 1e-4
	m := ask(.2, "--by", "generate.arch.thickness", "--by", "generate.arch.density", "--by", "loads[0].force[2]")
	want := float64(ask(.2+h).Upper-ask(.2-h).Upper) / (2 * h)
	if found := m.By["generate.arch.thickness"]; math.Abs(found-want) > 1e-5*want || want < 10 {
		t.Errorf("by thickness %v, want %v", found, want)
	}
	if byName, byKey := m.By["force of load 0 on 3 z"], m.By["loads[0].force[2]"]; !(math.Abs(byName-byKey) < 1e-6*math.Abs(byKey)) {
		t.Errorf("by a force: %v, as a number of the file %v", byName, byKey)
	}
	// as large as one likes: densities, loads over areas, and lengths
	if sum := 2000*m.By["generate.arch.density"] +
		30*m.By["force of load 0 on 3 x"] - 100*m.By["force of load 0 on 3 z"]; math.Abs(sum) > 1e-5 {
		t.Errorf("all loads larger: %v", sum)
	}
	for key, want := range map[string]string{"generate.arch.voussoirs": "whole number", "generate.arch.thicknes": "has no"} {
		q := answer.Question{File: file, By: []string{key}, Margins: true}
		if _, err := q.Load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("by %s: %v, want %q", key, err, want)
		}
	}
}

// TestHalved: a path that is followed in steps half as large, too, has an error, of the thrust of an arch less than a
// hundredth; without a path it is a fault.
func TestHalved(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arch.json")
	text := `{"name": "arch", "friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 3, "density": 2000}}}`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, out, _ := stands(t, "--json", "--move", "right:x=0.02", "--halved", file)
	var a answer.Answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatal(err)
	}
	e := a.Path.Error
	if e == nil || len(e.Forces) != 1 || !(e.Forces[0] < 1e-2*a.Path.Steps[0].Forces[0]) || !e.Alike {
		t.Errorf("error %+v of forces %v", e, a.Path.Steps[0].Forces)
	}
	if _, out, _ = stands(t, "--move", "right:x=0.02", "--halved", file); !strings.Contains(out, "steps half as large") {
		t.Errorf("it is not told: %s", out)
	}
	q := answer.Question{File: file, Halved: true}
	if _, err := q.Load(); err == nil || !strings.Contains(err.Error(), "want --move") {
		t.Errorf("halved without a path: %v", err)
	}
}
