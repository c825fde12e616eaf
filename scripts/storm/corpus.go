package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// seed is a whole input with the commands that take it: FILE stands for the damaged file,
// DIR for the folder that it lies in, OUT for a new one.
type seed struct {
	name     string            // of the file
	text     []byte            // of it
	beside   map[string][]byte // other files of the folder, by name
	commands []string
}

// caseCommands take a case, folderCommands a run's folder.
var (
	caseCommands = []string{"run FILE --out OUT --no-picture", "run FILE --out OUT --report", "check FILE", "converge FILE --out OUT", "run FILE --out OUT --json --quiet",
		"run FILE --out OUT --memory 100MB", "run FILE --out OUT --verify --quiet", "init --from FILE", "sensitivity FILE --of dissipation --by friction.dry.mu"}
	folderCommands = []string{"diagnose DIR", "report DIR", "film DIR", "film DIR --strip", "film DIR --out OUT.gif", "compare DIR DIR --column t --out OUT.png", "compare DIR DIR --column kinetic --out OUT.png",
		"diagnose --case DIR/case.json --trajectory DIR/trajectory.csv", "study DIR", "export DIR --format npz", "export DIR --format parquet",
		"export DIR --format vtu", "export DIR --format csv", "run --resume DIR"}
)

// tooLarge are cases whose steps are more than a storm wants to wait for.
var tooLarge = []string{"press-and-drag-3d", "rubber-block", "cattaneo-mindlin", "net", "pile", "box-pile", "arch-collapse", "dominoes", "chain-50", "box-stack"}

// fewSteps is how far the cases of the corpus run.
const fewSteps = 5

// corpus collects the seeds: cases from a folder, made short, the folders that their runs
// leave, and small files of all other kinds.
func corpus(ctx context.Context, program, cases, scratch string) ([]seed, error) {
	files, err := filepath.Glob(filepath.Join(cases, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no case in %s (%w)", cases, err)
	}
	list := smallFiles()
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if slices.Contains(tooLarge, name) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		short, err := shorten(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		list = append(list, seed{name: "case.json", text: short, commands: caseCommands})
		dir := filepath.Join(scratch, "corpus", name)
		more, err := folderSeeds(ctx, program, dir, short)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// shorten cuts a case to a few steps of the length that it had.
func shorten(text []byte) ([]byte, error) {
	var c map[string]any
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, err
	}
	delete(c, "description")
	until, _ := c["until"].(float64)
	if steps, ok := c["steps"].(float64); ok && steps > fewSteps {
		c["steps"], c["until"] = fewSteps, until*fewSteps/steps
	} else if step, ok := c["step"].(float64); ok && until > fewSteps*step {
		c["until"] = fewSteps * step
	}
	return json.Marshal(c)
}

// folderSeeds runs a case and makes a seed of each file that it leaves.
func folderSeeds(ctx context.Context, program, dir string, text []byte) ([]seed, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return nil, err
	}
	file := dir + ".json"
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, err
	}
	// A run that is not certified leaves its files too.
	var exit *exec.ExitError
	if out, err := exec.CommandContext(ctx, program, "run", file, "--out", dir, "--no-picture", "--quiet").CombinedOutput(); err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil // the case was refused: it is a seed all the same
	}
	all := map[string][]byte{}
	for _, e := range entries {
		if e.Type().IsRegular() {
			data, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			all[e.Name()] = data
		}
	}
	var list []seed
	for name, data := range all {
		list = append(list, seed{name: name, text: data, beside: all, commands: folderCommands})
	}
	sortSeeds(list)
	return list, nil
}

// smallFiles are seeds of the kinds that no case is.
func smallFiles() []seed {
	const mesh2 = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"bottom\"\n1 2 \"top\"\n2 3 \"body\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n" +
		"$Elements\n4\n1 1 2 1 1 1 2\n2 1 2 2 2 3 4\n3 2 2 3 3 1 2 3\n4 2 2 3 3 1 3 4\n$EndElements\n"
	const meshCase = `{"model": "energetic", "until": 1, "steps": 3, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"rough": {"mu": 0.3}},
		"energies": [{"type": "elastic", "id": "b", "mesh": {"file": "block.msh"}, "young": 10, "poisson": 0.3, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}],
		"prescribed": [{"group": "top", "displacement": [0, {"table": [[0, 0], [1, -0.1]]}]}]}]}`
	const matrix = "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 2 1\n3 1 -0.5\n3 3 2\n"
	const matrixCase = `{"model": "energetic", "until": 1, "steps": 3, "friction": {"rough": {"mu": 0.3}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "rough"}],
		"energies": [{"type": "quadratic", "particles": ["p"], "matrix": {"file": "k.mtx"}, "force": {"table": [[0, [0, 0, -1]], [1, [1, 0, -1]]]}}]}`
	const study = `{"case": "play", "vary": {"friction.dry.mu": {"linspace": [0.1, 0.5, 3]}, "steps": [4]}, "observe": ["dissipation"], "keep": "nothing"}`
	const local = "3\n1\n0\n3 3\n1 0 0 0 1 0 0 0 1\n3\n-1 1 0\n1\n0.5\n"
	const lcp = "2\n2 1\n1 2\n-5 -6\n"
	return []seed{
		{name: "block.msh", text: []byte(mesh2), beside: map[string][]byte{"case.json": []byte(meshCase)}, commands: []string{"run DIR/case.json --out OUT --no-picture", "check DIR/case.json"}},
		{name: "case.json", text: []byte(meshCase), beside: map[string][]byte{"block.msh": []byte(mesh2)}, commands: caseCommands},
		{name: "k.mtx", text: []byte(matrix), beside: map[string][]byte{"case.json": []byte(matrixCase)}, commands: []string{"run DIR/case.json --out OUT --no-picture", "check DIR/case.json"}},
		{name: "case.json", text: []byte(matrixCase), beside: map[string][]byte{"k.mtx": []byte(matrix)}, commands: caseCommands},
		{name: "study.json", text: []byte(study), commands: []string{"sweep FILE --dry-run", "sweep FILE --out OUT"}},
		{name: "problem.dat", text: []byte(local), commands: []string{"solve FILE", "solve FILE --json"}},
		{name: "lcp.dat", text: []byte(lcp), commands: []string{"solve FILE"}},
		{name: "arguments", text: []byte("run play --out OUT --steps 3 -v --quiet --report --json --no-picture --memory 1GB --resume DIR --checkpoint 1s diagnose view film --strip init schema cases solve help version export --format npz"), commands: []string{"ARGUMENTS"}},
	}
}
