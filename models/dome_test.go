package models_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// spaceGmsh writes a mesh of tetrahedra with some groups of its boundary as a file of Gmsh.
func spaceGmsh(m *fem.Mesh, groups ...string) string {
	var out, elements strings.Builder
	fmt.Fprintf(&out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n", len(groups)+1)
	count := 0
	simplices := func(kind, tag, corners int, list []int) {
		for k := 0; k < len(list); k += corners {
			count++
			fmt.Fprintf(&elements, "%d %d 2 %d 1", count, kind, tag)
			for _, i := range list[k : k+corners] {
				fmt.Fprintf(&elements, " %d", i+1)
			}
			elements.WriteString("\n")
		}
	}
	for i, name := range groups {
		fmt.Fprintf(&out, "2 %d %q\n", i+1, name)
		simplices(2, i+1, 3, m.Groups[name].Simplex)
	}
	simplices(4, 99, 4, m.Elem)
	fmt.Fprintf(&out, "3 99 \"all\"\n$EndPhysicalNames\n$Nodes\n%d\n", m.NumNodes())
	for i := range m.NumNodes() {
		fmt.Fprintf(&out, "%d %.17g %.17g %.17g\n", i+1, m.X[3*i], m.X[3*i+1], m.X[3*i+2])
	}
	fmt.Fprintf(&out, "$EndNodes\n$Elements\n%d\n%s$EndElements\n", count, elements.String())
	return out.String()
}

// dome is a block 1.2 by 1.2 by .6 of cells by cells by half of them, whose lower side is a sphere
// of radius 1, nearly: z = r²/2.
func dome(t *testing.T, cells int) *fem.Mesh {
	t.Helper()
	const high = 0.6
	m, err := fem.Box{Corner: []float64{-0.6, -0.6, 0}, Size: []float64{1.2, 1.2, high}, Cells: []int{cells, cells, cells / 2}}.Mesh()
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.NumNodes() {
		x := m.X[3*i : 3*i+3]
		x[2] += (1 - x[2]/high) * (x[0]*x[0] + x[1]*x[1]) / 2
	}
	return m
}

// TestDome: a dome of linear tetrahedra at ν = .4999 that is pressed on a plane bears fifty times
// the force of Hertz, F = 4/3 E* √R d^{3/2}: its elements lock. No such run is accurate, whether
// its mesh is given or judged, and the verdict says why.
func TestDome(t *testing.T) {
	const deep = 0.02
	hertz := 4. / 3 / (1 - 0.4999*0.4999) * math.Pow(deep, 1.5)
	for _, given := range []string{"", `, "accuracy": "given"`} {
		dir := t.TempDir()
		text := fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 4, "expect": [{"quantity": "normal_force", "value": %.17g, "tolerance": %.17g}], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "energies": [{"type": "body", "id": "b", "mesh": {"file": "mesh.msh"%s}, "young": 1, "poisson": 0.4999, "contact": [{"group": "bottom", "obstacle": "floor"}],
    "prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": 0}, {"group": "top", "axis": "z", "motion": {"table": [[0, 0], [1, -%g]]}}]}]}`, hertz, hertz, given, deep)
		for name, content := range map[string]string{"mesh.msh": spaceGmsh(dome(t, 6), "bottom", "top"), "case.json": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		c, err := models.Grammar().Load(filepath.Join(dir, "case.json"))
		if err != nil {
			t.Fatal(err)
		}
		task, err := run.New(t.Context(), c, models.Find(c), filepath.Join(dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		if err := task.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s, locks := &task.Summary, false
		for _, f := range s.Facts {
			locks = locks || f.Word == table.Accurate && !f.Passed && strings.Contains(f.Name, "tetrahedra are too stiff")
		}
		if s.Certified || !locks {
			t.Errorf("certified: %t: %s", s.Certified, s.Message)
		}
		if force := *s.Expectations[0].Value; !(force > 10*hertz) {
			t.Errorf("it bears %g N, %.3g of Hertz's: nothing locks", force, force/hertz)
		}
	}
}
