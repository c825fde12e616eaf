package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/quasistatic/quasistatic/internal/storm"
)

// seed is a whole input with the commands that take it: FILE stands for the damaged file,
// DIR for the folder that it lies in, OUT for a new one.
type seed struct {
	name     string            // of the file
	text     []byte            // of it
	beside   map[string][]byte // other files of the folder, by name
	commands []string
}

// caseCommands take a case, studyCommands a study, folderCommands a run's folder,
// stoppedCommands that of a run that was stopped,
// ledgerCommands that of a study, assemblyCommands an assembly, importCommands a file of another program.
var (
	caseCommands = []string{"run FILE --out OUT --no-picture", "run FILE --out OUT --report", "check FILE",
		"converge FILE --out OUT", "run FILE --out OUT --json --quiet",
		"run FILE --out OUT --memory 100MB", "run FILE --out OUT --verify --quiet",
		"run FILE --out OUT --accuracy 1e-3 --no-picture", "run FILE --out OUT --exact --quiet --no-picture",
		"run FILE --out OUT --set steps=3 --set friction.rough.mu=0.2 --no-picture",
		"sensitivity FILE --of dissipation --by friction.dry.mu",
		"sensitivity FILE --by friction.rough.mu --json", "show FILE", "show FILE --set steps=3", "converge FILE --levels 3 --json"}
	studyCommands = []string{"sweep FILE --dry-run", "sweep FILE --out OUT --quiet",
		"sweep FILE --out OUT --json --shard 1/2", "sweep FILE --out OUT --set steps=3 --quiet"}
	folderCommands = []string{"diagnose DIR", "diagnose DIR --json --quiet", "diagnose DIR --files-only -v",
		"diagnose DIR --proof OUT.json", "report DIR", "film DIR", "film DIR --strip", "film DIR --out OUT.gif",
		"compare DIR DIR --column t --out OUT.png", "compare DIR DIR --column kinetic --out OUT.png",
		"diagnose --case DIR/case.json --trajectory DIR/trajectory.csv", "view DIR", "study DIR",
		"film DIR --strip --out OUT.png", "export DIR --format npz", "export DIR --format parquet",
		"export DIR --format vtu", "export DIR --format csv", "run --resume DIR"}
	stoppedCommands = []string{"run --resume DIR --quiet", "run --resume DIR --no-picture --json",
		"run --resume DIR --report", "diagnose DIR", "report DIR", "film DIR", "view DIR", "export DIR --format npz"}
	assemblyCommands = []string{"stands FILE", "stands FILE --json --limit 1s",
		"stands FILE --margins --limit 1s --picture OUT.svg", "stands FILE --mu 0.5 --tilt 1,0,0 --csv OUT.csv --limit 1s",
		"stands FILE --move gravity:x=5 --path OUT.csv --limit 1s", "stands FILE --compas OUT.json --limit 1s"}
	importCommands = []string{"import FILE", "import FILE --out OUT.json"}
	ledgerCommands = []string{"study DIR", "study DIR --json", "sweep DIR/study.json --out DIR --quiet",
		"sweep DIR/study.json --out DIR --retry failed --quiet", "diagnose DIR", "run --resume DIR",
		"run DIR/case.json --out OUT --quiet"}
)

// corpus collects the seeds: cases from a folder, made short, the folders that their runs
// leave, and small files of all other kinds.
func corpus(ctx context.Context, program, cases, scratch string) ([]seed, error) {
	files, err := filepath.Glob(filepath.Join(cases, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no case in %s (%w)", cases, err)
	}
	list := smallFiles()
	ledger, err := ledgerSeeds(ctx, program, filepath.Join(scratch, "corpus", "study"))
	if err != nil {
		return nil, err
	}
	list = append(list, ledger...)
	for _, name := range []string{"play", "stick-slip-block", "ellipse", "block-impact", "carter"} {
		stopped, err := stoppedSeeds(ctx, program, name, filepath.Join(scratch, "corpus", "stopped-"+name))
		if err != nil {
			return nil, err
		}
		list = append(list, stopped...)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if slices.Contains(storm.TooLarge, name) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		short, err := storm.Shorten(text)
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

// folderSeeds runs a case and makes a seed of each file that it leaves.
func folderSeeds(ctx context.Context, program, dir string, text []byte) ([]seed, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return nil, err
	}
	file := dir + ".json"
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return nil, err
	}
	if err := leave(ctx, program, "run", file, "--out", dir, "--no-picture", "--quiet"); err != nil {
		return nil, err
	}
	return fileSeeds(dir, folderCommands)
}

// ledgerSeeds makes a study and a seed of each file that it leaves.
func ledgerSeeds(ctx context.Context, program, dir string) ([]seed, error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return nil, err
	}
	file := dir + ".json"
	if err := os.WriteFile(file, []byte(gridStudy), 0o666); err != nil {
		return nil, err
	}
	if err := leave(ctx, program, "sweep", file, "--out", dir, "--quiet"); err != nil {
		return nil, err
	}
	return fileSeeds(dir, ledgerCommands)
}

// stoppedSeeds stops a built-in case after its first checkpoint, and makes a seed of each
// file. How far it came depends on the machine.
func stoppedSeeds(ctx context.Context, program, name, dir string) ([]seed, error) {
	c := exec.CommandContext(ctx, program, "run", name, "--out", dir, "--no-picture", "--quiet", "--checkpoint", "0")
	if err := c.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return fileSeeds(dir, stoppedCommands)
		case <-tick.C:
			if files, _ := filepath.Glob(filepath.Join(dir, "checkpoint*")); len(files) > 0 { // the pattern is right
				_ = c.Process.Signal(os.Interrupt) // it may have ended
			}
		}
	}
}

// leave runs a command for its files: one that is not certified leaves them too.
func leave(ctx context.Context, program string, arguments ...string) error {
	var exit *exec.ExitError
	if out, err := exec.CommandContext(ctx, program, arguments...).CombinedOutput(); err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// fileSeeds makes a seed of each file of a folder.
func fileSeeds(dir string, commands []string) ([]seed, error) {
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
		list = append(list, seed{name: name, text: data, beside: all, commands: commands})
	}
	sortSeeds(list)
	return list, nil
}

// Studies of the corpus.
const (
	gridStudy    = `{"case": "play", "expect": false, "vary": {"friction.dry.mu": {"linspace": [0.1, 0.5, 3]}, "steps": [4]}, "observe": ["dissipation"], "keep": "nothing"}`
	sampledStudy = `{"case": "block-impact", "expect": false, "zip": [{"until": [1e-3, 2e-3], "young": [1000, 900]}],
		"sample": {"friction.rough.mu": {"normal": [0.3, 0.05]}, "poisson": {"uniform": [0.1, 0.2]}, "count": 2, "seed": 7, "method": "latin"}, "observe": ["kinetic_energy"], "keep": "all"}`
	refinedStudy = `{"case": "ladder", "expect": false, "vary": {"friction.rough.mu": [0.1, 0.9]}, "refine": {"boundary": "verdict", "to": 0.2}}`
)

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
	const load = "t,fx,fy,fz\n0,0,0,-1\n0.5,0.2,0,-1\n1,0.5,0,-1\n"
	const loadCase = `{"model": "energetic", "until": 1, "steps": 3, "friction": {"rough": {"mu": 0.3}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "rough"}], "anchors": [{"id": "u", "at": [0, 0, 0]}],
		"energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [1, 1, 1]}, {"type": "load", "particle": "p", "force": {"csv": "load.csv", "time": "t", "value": ["fx", "fy", "fz"]}}]}`
	const heights = "0,0,0,0\n0,0.1,0.1,0\n0,0.1,0.2,0\n0,0,0,0\n"
	const heightsCase = `{"model": "halfspace", "until": 1, "steps": 2, "window": {"elements": [4, 4], "size": [1, 1]}, "body": {"shear": 10, "poisson": 0.3},
		"profile": {"csv": "heights.csv"}, "friction": {"mu": 0.3}, "control": {"normal": {"load": {"table": [[0, 0], [1, 1]]}}}}`
	const local = "3\n1\n0\n3 3\n1 0 0 0 1 0 0 0 1\n3\n-1 1 0\n1\n0.5\n"
	const lcp = "2\n2 1\n1 2\n-5 -6\n"
	arm := `<robot name="arm"><link name="world"/><link name="upper"><inertial><origin xyz=".2 0 0" rpy="0 0 .3"/><mass value="1.5"/><inertia ixx=".002" iyy=".02" izz=".021" ixy="0" ixz="0" iyz="0"/></inertial>
		<collision><origin xyz=".2 0 0"/><geometry><box size=".4 .04 .04"/></geometry></collision></link>
		<joint name="shoulder" type="revolute"><origin xyz="0 0 .15" rpy=".2 -.5 .1"/><parent link="world"/><child link="upper"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="4"/><dynamics damping=".1" friction=".2"/></joint></robot>`
	scene := `<mujoco model="arm"><compiler angle="radian"/><option gravity="0 0 -9.81"/><worldbody><geom type="plane" size="1 1 1" friction=".5 .005 .0001"/><body name="upper" pos="0 0 .15" euler=".2 -.5 .1">
		<inertial pos=".2 0 0" mass="1.5" diaginertia=".002 .02 .021"/><joint name="shoulder" axis="0 1 0" range="-2 2" damping=".1" frictionloss=".2"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body></worldbody>
		<actuator><motor joint="shoulder" gear="2" ctrlrange="-1 1"/></actuator></mujoco>`
	boxes := `{"name": "two on a floor", "friction": 0.6, "gravity": [0, 0, -9.81], "blocks": [{"name": "floor", "support": true, "box": [[-3, -3, -1], [3, 3, 0]]},
		{"name": "lower", "density": 2000, "box": [[0, 0, 0], [1, 1, 1]]}, {"name": "upper", "density": 2000, "box": [[0.3, 0, 1], [1.3, 1, 2]]}], "loads": [{"block": "upper", "force": [100, 0, 0], "live": true}]}`
	arch := `{"name": "arch", "friction": 0.7, "generate": {"arch": {"radius": 1, "thickness": 0.2, "voussoirs": 5, "density": 2000}}}`
	return []seed{
		{name: "arm.urdf", text: []byte(arm), commands: importCommands},
		{name: "arm.xml", text: []byte(scene), commands: importCommands},
		{name: "boxes.json", text: []byte(boxes), commands: assemblyCommands},
		{name: "arch.json", text: []byte(arch), commands: assemblyCommands},
		{name: "block.msh", text: []byte(mesh2), beside: map[string][]byte{"case.json": []byte(meshCase)},
			commands: []string{"run DIR/case.json --out OUT --no-picture", "check DIR/case.json"}},
		{name: "case.json", text: []byte(meshCase), beside: map[string][]byte{"block.msh": []byte(mesh2)}, commands: caseCommands},
		{name: "k.mtx", text: []byte(matrix), beside: map[string][]byte{"case.json": []byte(matrixCase)},
			commands: []string{"run DIR/case.json --out OUT --no-picture", "check DIR/case.json"}},
		{name: "case.json", text: []byte(matrixCase), beside: map[string][]byte{"k.mtx": []byte(matrix)}, commands: caseCommands},
		{name: "load.csv", text: []byte(load), beside: map[string][]byte{"case.json": []byte(loadCase)},
			commands: []string{"run DIR/case.json --out OUT --no-picture", "check DIR/case.json"}},
		{name: "case.json", text: []byte(loadCase), beside: map[string][]byte{"load.csv": []byte(load)}, commands: caseCommands},
		{name: "heights.csv", text: []byte(heights), beside: map[string][]byte{"case.json": []byte(heightsCase)},
			commands: []string{"run DIR/case.json --out OUT --no-picture", "check DIR/case.json"}},
		{name: "case.json", text: []byte(heightsCase), beside: map[string][]byte{"heights.csv": []byte(heights)}, commands: caseCommands},
		{name: "study.json", text: []byte(gridStudy), commands: studyCommands},
		{name: "study.json", text: []byte(sampledStudy), commands: studyCommands},
		{name: "study.json", text: []byte(refinedStudy), commands: studyCommands},
		{name: "problem.dat", text: []byte(local), commands: []string{"solve FILE", "solve FILE --json"}},
		{name: "lcp.dat", text: []byte(lcp), commands: []string{"solve FILE"}},
		{name: "arguments", text: []byte("run play --out OUT --steps 3 -v --quiet --report --json --no-picture --memory 1GB --resume DIR --checkpoint 1s diagnose view film --strip init schema cases solve help version sensitivity sweep worker study compare film --of --by --exact --accuracy --verify --strip --shard --listen --nats --idle export --format npz"),
			commands: []string{"ARGUMENTS"}},
	}
}
