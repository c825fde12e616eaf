package docs

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors are the rooms from the top down, as in ARCHITECTURE.md. A package imports
// only from floors below its own; internal/ is open to all.
var floors = [][]string{
	{"cmd/quasistatic", "benchmarks/ablation", "benchmarks/cholesky", "benchmarks/families", "benchmarks/halfspace",
		"benchmarks/pressdrag", "benchmarks/scenes", "engine/wasm", "scripts/engine", "scripts/house",
		"scripts/mutants", "scripts/release", "scripts/storm", "examples/energy", "examples/local", "examples/rigid"},
	{"mcp"},
	{"view", "serve", "site"},
	{"playground"},
	{"models/studies"},
	{"importer", "engine"},
	{"models"},
	{"assembly/answer"},
	{"assembly/files", "assembly/drawing"},
	{"assembly"},
	{"assembly/conic"},
	{"model/energetic", "model/patch", "model/rigid", "model/elastic", "model/halfspace"},
	{"model/solid", "model/world", "model/facts"},
	{"model/refinement"},
	{"model/particleview", "model/bodyview"},
	{"model/meshview", "model/obstacle"},
	{"study"},
	{"run"},
	{"report"},
	{"casefile", "cases", "."},
	{"casefile/template"},
	{"table"},
	{"energetic/assume"},
	{"energetic/global"},
	{"energetic", "sensitivity"},
	{"energetic/proof"},
	{"events"},
	{"incremental"},
	{"dissipation"},
	{"particles/body", "particles/energytest"},
	{"particles"},
	{"dynamics/rigid", "dynamics/elastic"},
	{"dynamics/multibody"},
	{"dynamics/bodies"},
	{"dynamics", "fem", "halfspace"},
	{"dynamics/friction"},
	{"contact/problemfile/profile"},
	{"contact/problemfile", "contact/sensitivity"},
	{"contact"},
	{"contact/convex"},
	{"contact/local"},
	{"contact/prove"},
	{"contact/block", "contact/lcp", "contact/delassus"},
	{"contact/form"},
	{"contact/law"},
	{"sparse", "signal", "memory"},
}

const module = "github.com/quasistatic/quasistatic/"

func floor(room string) int {
	return slices.IndexFunc(floors, func(f []string) bool { return slices.Contains(f, room) })
}

// TestArrows: imports go down.
func TestArrows(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		room := path.Dir(filepath.ToSlash(strings.TrimPrefix(name, ".."+string(filepath.Separator))))
		if room == "docs" || strings.HasPrefix(room, "internal/") {
			return nil
		}
		from := floor(room)
		if from < 0 {
			t.Errorf("%s: the room %s has no floor: add it to ARCHITECTURE.md and to this list", name, room)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, s := range file.Imports {
			text, err := strconv.Unquote(s.Path.Value)
			if err != nil {
				return err
			}
			to, ours := strings.CutPrefix(text, module)
			if ours && !strings.HasPrefix(to, "internal/") && floor(to) <= from {
				t.Errorf("%s imports %s, which is not below %s", name, to, room)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 100 {
		t.Errorf("looked at %d files, want the whole repository", files)
	}
}

// TestCommandLines: the command has flags, exit codes and the terminal, and at most 2,000 lines;
// what it does is in the rooms below.
func TestCommandLines(t *testing.T) {
	files, err := filepath.Glob("../cmd/quasistatic/*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(text), "\n")
	}
	if lines < 1000 || lines > 2200 {
		t.Errorf("cmd/quasistatic has %d lines, want at most 2,200 (decision 0012)", lines)
	}
}

// TestSeeds: who draws properties by rapid imports what gives them one seed.
func TestSeeds(t *testing.T) {
	drawn, seeded := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, s := range file.Imports {
			switch s.Path.Value {
			case strconv.Quote("pgregory.net/rapid"):
				drawn[filepath.Dir(name)] = true
			case strconv.Quote(module + "internal/seeded"):
				seeded[filepath.Dir(name)] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for room := range drawn {
		if !seeded[room] {
			t.Errorf("the tests of %s draw by the clock: import internal/seeded beside rapid", room)
		}
	}
	if len(drawn) < 5 {
		t.Errorf("%d rooms draw, want the whole repository", len(drawn))
	}
}
