package main

import (
	"strings"
	"testing"
)

// plate is a square of two triangles in Gmsh's format 2.2.
const plate = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 7 \"foot\"\n1 8 \"top\"\n2 9 \"plate\"\n$EndPhysicalNames\n" +
	"$Nodes\n4\n10 0 0 0\n20 1 0 0\n30 1 1 0\n40 0 1 0\n$EndNodes\n" +
	"$Elements\n4\n1 1 2 7 1 10 20\n2 1 2 8 1 30 40\n3 2 2 9 1 10 20 30\n4 2 2 9 1 10 30 40\n$EndElements\n"

const plateEnergetic = `{"name": "p", "model": "energetic", "until": 1, "steps": 1, "threshold": "implicit",
 "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
 "energies": [{"type": "body", "id": "b", "mesh": {"file": "plate.msh"}, "young": 1000, "poisson": 0.3,
  "contact": [{"group": "foot", "obstacle": "floor"}],
  "prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": 0}]}]}`

const plateDynamic = `{"name": "p", "model": "elastodynamic", "until": 1, "steps": 10, "mesh": {"file": "plate.msh", "accuracy": "given"}, "young": 1000, "poisson": 0.3, "density": 1,
 "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "contact": [{"group": "foot", "obstacle": "floor"}]}`

// TestSolidFaults: wrong meshes, materials and supports end with exit code 2 and
// name file, path and the element or node.
func TestSolidFaults(t *testing.T) {
	t.Parallel()
	both := []string{plateEnergetic, plateDynamic}
	run := func(t *testing.T, text, mesh string) (int, string) {
		dir := t.TempDir()
		write(t, mesh, dir, "plate.msh")
		code, _, stderr := qs("run", write(t, text, dir, "p.json"), "--out", dir+"/out", "--no-picture", "--quiet")
		return code, stderr
	}
	alike := `{"group": "top", "axis": "x", "motion": 0}, `
	for _, text := range append(both, strings.Replace(plateEnergetic, alike, alike+alike, 1)) { // the same motion twice is none too many
		if code, stderr := run(t, text, plate); code != exitDone {
			t.Errorf("the mesh itself: exit %d, %s", code, stderr)
		}
	}
	for _, c := range []struct {
		name     string
		old, new string // in the mesh
		want     string
	}{
		{"inverted", "9 1 10 20 30", "9 1 20 10 30", "element 3 of the file"},
		{"flat", "20 1 0 0", "20 1e-12 1e-12 0", "is flat"},
		{"orphan", "4\n10 0", "5\n50 5 5 0\n10 0", "node 50 at [5 5] belongs to no element"},
		{"coincident", "40 0 1 0", "40 1 1 0", "element 4 of the file"},
		{"not defined", "10 30 40\n", "10 30 77\n", "node 77, which is not defined"},
		{"twice", "30 1 1 0", "20 1 1 0", "node 20 is defined twice"},
		{"three elements", "$Elements\n4\n", "$Elements\n5\n9 2 2 9 1 10 20 30\n", "belongs to three elements"},
		{"truncated", plate[150:], "", "expected $EndNodes, found"},
		{"binary", "2.2 0 8", "2.2 1 8", "are not the number 1"},
		{"binary 4.1", "2.2 0 8", "4.1 1 8", "are not the number 1"},
		{"truncated 4.1", plate, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n", "unexpected EOF"},
		{"no mesh", plate, "hello\n", "expected $MeshFormat first"},
	} {
		mesh := strings.Replace(plate, c.old, c.new, 1)
		if c.name == "three elements" {
			mesh = strings.Replace(mesh, "9 2 2 9 1 10 20 30", "8 2 2 9 1 10 20 30\n9 2 2 9 1 10 20 30", 1)
			mesh = strings.Replace(mesh, "$Elements\n5", "$Elements\n6", 1)
		}
		for i, text := range both {
			code, stderr := run(t, text, mesh)
			if path := []string{"energies[0].mesh.file", "mesh.file"}[i]; code != exitInput ||
				!strings.Contains(stderr, c.want) || !strings.Contains(stderr, "p.json") || !strings.Contains(stderr, path) {
				t.Errorf("%s: exit %d, want %d with %q and %q\n%s", c.name, code, exitInput, c.want, path, stderr)
			}
		}
	}
	for _, c := range []struct {
		name, text string
		old, new   string // in the case
		want       []string
	}{
		{"group", plateEnergetic, `"foot"`, `"foto"`, []string{"energies[0].contact[0].group", `"foto"`, `"foot"`}},
		{"group", plateDynamic, `"foot"`, `"foto"`, []string{"contact[0].group", `"foto"`, `"foot"`}},
		{"incompressible", plateEnergetic, "0.3", "0.5", []string{"energies[0].poisson", "0.5"}},
		{"incompressible", plateDynamic, "0.3", "0.5", []string{"poisson", "0.5"}},
		{"unsupported", plateEnergetic, `{"group": "top", "axis": "x", "motion": 0}, `, "",
			[]string{"energies[0]", "translation along x is not prevented"}},
		{"inside", plateEnergetic, `[0, 0, 0]`, `[0, 0, 0.25]`, []string{"energies[0].contact[0]", "node 0", "0.25 m inside"}},
		{"inside", plateDynamic, `"point": [0, 0]`, `"point": [0, 0.25]`, []string{"contact[0]", "node 0", "0.25 m inside"}},
		{"file", plateDynamic, "plate.msh", "plat.msh", []string{"mesh.file", "plat.msh"}},
		{"prescribed twice", plateEnergetic, `{"group": "top", "axis": "y"`,
			`{"group": "top", "axis": "x", "motion": 1}, {"group": "top", "axis": "y"`,
			[]string{"energies[0].prescribed[1]", "node 2", "along x by $.energies[0].prescribed[0] already", "another motion"}},
		{"prescribed twice", plateDynamic, `"contact": [`,
			`"prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "plate", "axis": "x", "motion": 1}], "contact": [`,
			[]string{"prescribed[1]", "node 2", "along x by $.prescribed[0] already"}},
		{"prescribed in contact", plateEnergetic, `{"group": "top", "axis": "y"`, `{"group": "foot", "axis": "y"`,
			[]string{"energies[0]", "in contact and prescribed along y, which is no tangent of the obstacle"}},
	} {
		code, stderr := run(t, strings.Replace(c.text, c.old, c.new, 1), plate)
		for _, want := range append(c.want, "p.json") {
			if code != exitInput || !strings.Contains(stderr, want) {
				t.Errorf("%s: exit %d, want %d with %q\n%s", c.name, code, exitInput, want, stderr)
			}
		}
	}
}
