package models_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// turned is a body in the plane, its loads and its floor, turned by an angle and moved.
type turned struct {
	angle float64 // [rad]
	move  float64 // of the origin [m]
	space bool    // the plane of an energetic body is x, z of space
}

// vector is (x, y) turned, as a list of a case.
func (f *turned) vector(x, y float64) string {
	s, c := math.Sincos(f.angle)
	return f.list(c*x-s*y, s*x+c*y)
}

// point is the place (x, y) turned and moved.
func (f *turned) point(x, y float64) string {
	s, c := math.Sincos(f.angle)
	return f.list(c*x-s*y+f.move, s*x+c*y-f.move)
}

func (f *turned) list(x, y float64) string {
	if f.space {
		return fmt.Sprintf("[%.17g, 0, %.17g]", x, y)
	}
	return fmt.Sprintf("[%.17g, %.17g]", x, y)
}

// gmsh writes a mesh as a file of Gmsh, turned and moved.
func (f *turned) gmsh(m *fem.Mesh) string {
	var out strings.Builder
	names := slices.Sorted(maps.Keys(m.Groups))
	fmt.Fprintf(&out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n", len(names)+1)
	for i, name := range names {
		fmt.Fprintf(&out, "1 %d %q\n", i+1, name)
	}
	fmt.Fprintf(&out, "2 99 \"all\"\n$EndPhysicalNames\n$Nodes\n%d\n", m.NumNodes())
	s, c := math.Sincos(f.angle)
	for i := range m.NumNodes() {
		x, y := m.X[2*i], m.X[2*i+1]
		fmt.Fprintf(&out, "%d %.17g %.17g 0\n", i+1, c*x-s*y+f.move, s*x+c*y-f.move)
	}
	var lines []string
	for i, name := range names {
		g := m.Groups[name]
		for k := 0; g.Dim == 1 && k < len(g.Elem); k += 2 {
			lines = append(lines, fmt.Sprintf("1 2 %d 1 %d %d", i+1, g.Elem[k]+1, g.Elem[k+1]+1))
		}
	}
	for k := range m.NumElems() {
		lines = append(lines, fmt.Sprintf("2 2 99 1 %d %d %d", m.Elem[3*k]+1, m.Elem[3*k+1]+1, m.Elem[3*k+2]+1))
	}
	fmt.Fprintf(&out, "$EndNodes\n$Elements\n%d\n", len(lines))
	for i, line := range lines {
		fmt.Fprintf(&out, "%d %s\n", i+1, line)
	}
	out.WriteString("$EndElements\n")
	return out.String()
}

// quantities are what is compared: numbers, and displacements of nodes as pairs.
type quantities struct {
	scalars []string
	nodes   []int
	key     string // of a node, in an expectation
}

// expect lists them for a case. The bounds of the expectations allow anything.
func (f *turned) expect(q *quantities) string {
	var list []string
	for _, name := range q.scalars {
		list = append(list, fmt.Sprintf(`{"quantity": %q, "value": 0, "tolerance": 1e30}`, name))
	}
	up := "y"
	if f.space {
		up = "z"
	}
	for _, n := range q.nodes {
		for _, axis := range []string{"x", up} {
			list = append(list, fmt.Sprintf(`{"quantity": "displacement", `+q.key+`, "axis": %q, "value": 0, "tolerance": 1e30}`, n, axis))
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// end runs a case with this mesh and returns the quantities, displacements turned back, and
// whether it is certified.
func (f *turned) end(t *testing.T, text string, m *fem.Mesh, q *quantities) (values []float64, s *table.Summary) {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{"mesh.msh": f.gmsh(m), "case.json": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, err := models.Grammar().Load(filepath.Join(dir, "case.json"))
	if err != nil {
		t.Fatal(err)
	}
	task, err := run.New(t.Context(), c, models.Find(c), "")
	if err != nil {
		t.Fatal(err)
	}
	if s, err = task.Loosely(t.Context(), nil, nil); err != nil {
		t.Fatal(err)
	}
	for i := range s.Expectations {
		values = append(values, *s.Expectations[i].Value)
	}
	sin, cos := math.Sincos(-f.angle)
	for i := len(q.scalars); i < len(values); i += 2 {
		x, y := values[i], values[i+1]
		values[i], values[i+1] = cos*x-sin*y, sin*x+cos*y
	}
	return values, s
}

// solids are bodies in the plane with all that a turn changes: one thrown at a floor, one
// that is pressed by its top and dragged in quarters of a turn, for motions are prescribed along
// the axes, and one that is clamped at its left side and pressed and dragged by its load.
var solids = []struct {
	name   string
	space  bool
	text   func(f *turned) string
	angles []float64
	quantities
}{
	{"thrown", false, func(f *turned) string {
		return `{"name": "thrown", "model": "elastodynamic", "until": 0.02, "step": 5e-4, "mesh": {"file": "mesh.msh"}, "young": 1000, "poisson": 0.3, "density": 1,
		"obstacles": {"floor": {"point": ` + f.point(0, -.0103) + `, "normal": ` + f.vector(0, 1) + `}}, "friction": {"rough": {"mu": 0.3}},
		"contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}], "velocity": ` + f.vector(3, -1) +
			`, "body_force": ` + f.vector(1, -4)
	}, []float64{2.5, math.Pi / 2}, quantities{[]string{"kinetic_energy", "elastic_energy", "normal_force", "contacts"},
		[]int{0, 4, 20}, `"node": %d`}},
	{"dragged", true, func(f *turned) string {
		// Along a direction of the case, a motion is one along or against an axis.
		motion := func(x, y, scale float64, axis string) string {
			s, c := math.Sincos(f.angle)
			a, factor := "x", c*x-s*y
			if math.Abs(factor) < .5 {
				a, factor = "y", s*x+c*y
			}
			factor = math.Round(factor) * scale
			rows := map[string]string{"along": `[[0, 0], [5, 0], [25, %.17g]]`, "down": `[[0, 0], [5, %.17g]]`}[axis]
			return fmt.Sprintf(`{"group": "top", "axis": %q, "motion": {"table": `+rows+`}}`, a, factor)
		}
		return `{"name": "dragged", "model": "energetic", "until": 25, "steps": 25, "threshold": "implicit", "obstacles": {"floor": {"point": ` +
			f.point(0, 0) + `, "normal": ` + f.vector(0, 1) + `}},
		"friction": {"rough": {"mu": 0.3}}, "energies": [{"type": "body", "id": "b", "mesh": {"file": "mesh.msh"}, "young": 1000, "poisson": 0.3,
		"contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}], "prescribed": [` +
			motion(1, 0, .01, "along") + `, ` + motion(0, 1, -.005, "down") + `]}]`
	}, []float64{math.Pi / 2, math.Pi, -math.Pi / 2},
		quantities{[]string{"normal_force", "friction_force", "dissipation"}, []int{0, 3, 6}, `"particle": "b.%d"`}},
	{"clamped", true, func(f *turned) string {
		loads := func(x, y float64) string {
			v := f.vector(x, y)
			if f.space { // those of the mesh are in the plane
				v = (&turned{angle: f.angle}).vector(x, y)
			}
			return v
		}
		return `{"name": "clamped", "model": "energetic", "until": 2, "steps": 40, "threshold": "implicit", "obstacles": {"floor": {"point": ` +
			f.point(0, 0) + `, "normal": ` + f.vector(0, 1) + `}},
		"friction": {"rough": {"mu": 0.2}}, "energies": [{"type": "body", "id": "b", "mesh": {"file": "mesh.msh"}, "young": 1000, "poisson": 0.3,
		"contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}], "prescribed": [{"group": "left", "axis": "x", "motion": 0}, {"group": "left", "axis": "y", "motion": 0}],
		"tractions": [{"group": "top", "force": {"table": [[0, ` + loads(0, 0) + `], [1, ` + loads(0, -20) + `], [2, ` +
			loads(30, -20) + `]]}}]}]`
	}, []float64{.7, math.Pi / 2, 3}, quantities{[]string{"normal_force", "friction_force", "dissipation"},
		[]int{2, 4, 6}, `"particle": "b.%d"`}},
}

// TestMeshesTurned: bodies on meshes that are turned, with their floor and their loads, end the
// same, with the same verdict: by any angle, and moved. One angle by default, more with
// QUASISTATIC_LONG.
func TestMeshesTurned(t *testing.T) {
	t.Parallel()
	for _, s := range solids {
		box := fem.Box{Corner: []float64{0, 0}, Size: []float64{1, .25}, Cells: []int{6, 2}}
		m, err := box.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		if s.name == "clamped" { // the corner is held, and touches nothing
			g := m.Groups["bottom"]
			m.Groups["bottom"] = fem.Group{Dim: 1, Elem: g.Elem[2:]}
		}
		end := func(f turned) ([]float64, *table.Summary) {
			f.space = s.space
			return f.end(t, s.text(&f)+`, "expect": `+f.expect(&s.quantities)+"}", m, &s.quantities)
		}
		want, first := end(turned{})
		if math.Abs(want[0]) == 0 || math.Abs(want[len(s.scalars)]) == 0 {
			t.Errorf("%s: nothing happens: %v", s.name, want)
		}
		for i, angle := range s.angles {
			if i > 0 && !thorough.Asked() {
				break
			}
			f := turned{angle: angle, move: []float64{10, 0}[i%2]}
			got, again := end(f)
			for k := range want {
				size := math.Abs(want[k])
				if k >= len(s.scalars) {
					size = math.Hypot(want[len(s.scalars)], want[len(s.scalars)+1])
				}
				// 2⁻⁵² of coordinates, times the stiffness 1000 of cells and 100 steps.
				if off := math.Abs(got[k] - want[k]); !(off <= 1e-9*(1+f.move)*max(size, 1e-3)) {
					t.Errorf("%s turned by %.2f: value %d is %.12g, want %.12g", s.name, angle, k, got[k], want[k])
				}
			}
			if first.Certified != again.Certified {
				t.Errorf("%s turned by %.2f: certified %t, was %t: %s%s", s.name, angle, again.Certified,
					first.Certified, first.Message, again.Message)
			}
		}
	}
}
