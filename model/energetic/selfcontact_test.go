package energetic

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestSlitIsClosed: a plate with a closed slit whose sides have meshes that do not match is strained as one without a
// slit, to rounding: the ends of the slit belong to both sides. Friction holds the shear.
func TestSlitIsClosed(t *testing.T) {
	const young, nu, pressure, shear = 1000.0, 0.3, 2.0, 0.5
	for _, cells := range [][2]int{{3, 4}, {4, 4}, {5, 2}} {
		dir := t.TempDir()
		m := slit(cells)
		trial.GmshFile(t, dir, "plate.msh", m)
		grows := func(value float64) string {
			return fmt.Sprintf(`{"table": [[0, 0], [0.5, %g], [1, %g]]}`, value/2, value)
		}
		grown := func(value float64) string { return fmt.Sprintf(`{"table": [[0, 0], [0.5, 0], [1, %g]]}`, value) }
		c, n := stepped(t, dir, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 2, "friction": {"rough": {"mu": 0.5}}, "energies": [
			{"type": "body", "id": "plate", "mesh": {"file": "plate.msh"}, "young": %g, "poisson": %g,
			 "contact": [{"group": "high", "body": "plate", "side": "low", "friction": "rough"}],
			 "tractions": [{"group": "top", "force": [%[3]s, %[4]s]}, {"group": "bottom", "force": [%[5]s, 0]},
			   {"group": "left", "force": [0, %[5]s]}, {"group": "right", "force": [0, %[3]s]}],
			 "prescribed": [{"group": "bottom", "axis": "y", "motion": 0}, {"group": "corner", "axis": "x", "motion": 0}]}]}`,
			young, nu, grown(shear), grows(-pressure), grown(-shear)), 2)
		across, along, turn := -pressure*(1-nu*nu)/young, pressure*nu*(1+nu)/young, shear*2*(1+nu)/young
		worst := 0.0
		for i := range m.NumNodes() {
			x, at := m.Node(i), c.Psi.System.Position(1, i, n.Z)
			worst = max(worst, math.Abs(at[0]-c.At[3*i]-along*x[0]-turn*x[1]), math.Abs(at[2]-c.At[3*i+2]-across*x[1]))
		}
		if worst > 1e-14 {
			t.Errorf("%v cells along the slit: displacements of %.3g are off by %.3g", cells, turn, worst)
		}
	}
}

// TestSlitWantsItself: the sides of a slit are those of a contact of this very body, whatever groups of the same names
// another body has.
func TestSlitWantsItself(t *testing.T) {
	dir := t.TempDir()
	trial.GmshFile(t, dir, "plate.msh", slit([2]int{4, 4}))
	body := func(id, with string) string {
		return fmt.Sprintf(`{"type": "body", "id": %q, "mesh": {"file": "plate.msh"}, "young": 1e3, "poisson": 0.3,
			"prescribed": [{"group": "plate", "axis": "x", "motion": 0}, {"group": "bottom", "axis": "y", "motion": 0}],
			"contact": [{"group": "high", "body": %q, "side": "low"}]}`, id, with)
	}
	for with, refused := range map[string]bool{"plate": false, "other": true} {
		k, err := run.Grammar([]*run.Model{&Model}).Decode(filepath.Join(dir, "case.json"),
			[]byte(`{"model": "energetic", "until": 1, "steps": 2, "energies": [`+body("plate", with)+", "+body("other", "other")+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := build(t.Context(), k); refused != (err != nil && strings.Contains(err.Error(), "contact[0]: two sides of a slit lie at")) {
			t.Errorf("with %s: %v", with, err)
		}
	}
}

// slit is a unit square with a slit from x = 1/4 to 3/4 at half its height, and numbers of cells along the low and the
// high side of that.
func slit(cells [2]int) *fem.Mesh {
	m := &fem.Mesh{Kind: fem.Q1, Dim: 2, Groups: map[string]fem.Group{"corner": {Kind: fem.Q1, Elem: []int{0}}}}
	numbers := map[[3]float64]int{}
	node := func(x, y float64, side int) int {
		key := [3]float64{x, y}
		if y == 0.5 && x > 0.25 && x < 0.75 {
			key[2] = float64(side)
		}
		if _, is := numbers[key]; !is {
			numbers[key], m.X = len(numbers), append(m.X, x, y)
		}
		return numbers[key]
	}
	edge := func(name string, a, b int) {
		g := m.Groups[name]
		m.Groups[name] = fem.Group{Kind: fem.Q1, Dim: 1, Elem: append(g.Elem, a, b)}
	}
	for side := range 2 {
		columns := []float64{0, 0.125, 0.25}
		for k := 1; k < cells[side]; k++ {
			columns = append(columns, 0.25+0.5*float64(k)/float64(cells[side]))
		}
		columns = append(columns, 0.75, 1)
		for i := range columns[1:] {
			for row := range 2 {
				x, y := columns[i:i+2], []float64{float64(side)/2 + float64(row)/4, float64(side)/2 + float64(row+1)/4}
				quad := []int{node(x[0], y[0], side), node(x[1], y[0], side), node(x[1], y[1], side), node(x[0], y[1], side)}
				m.Elem = append(m.Elem, quad...)
				for k, name := range []string{"bottom", "right", "top", "left"} {
					out := []bool{y[0] == 0, x[1] == 1, y[1] == 1, x[0] == 0}[k]
					if k%2 == 0 && x[0] >= 0.25 && x[1] <= 0.75 && y[k/2] == 0.5 {
						name, out = []string{"high", "", "low"}[k], (k == 0) == (side == 1)
					}
					if out {
						edge(name, quad[k], quad[(k+1)%4])
					}
				}
			}
		}
	}
	m.Groups["plate"] = fem.Group{Kind: fem.Q1, Dim: 2, Elem: m.Elem}
	return m
}

// TestOneBodyOfTwoParts: two blocks in one mesh that meet as sides of one body go as two bodies do, with new linearisations
// too.
func TestOneBodyOfTwoParts(t *testing.T) {
	var meshes []*fem.Mesh
	for k, cells := range [][]int{{7, 2}, {3, 2}} {
		m, err := fem.Box{Kind: fem.Q1, Corner: [][]float64{{0, 0}, {0.2, 0.2}}[k], Size: [][]float64{{0.9, 0.2}, {0.4, 0.2}}[k], Cells: cells}.Mesh()
		if err != nil {
			t.Fatal(err)
		}
		meshes = append(meshes, m)
	}
	both, err := fem.Union([]string{"slab", "block"}, meshes)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for k, name := range []string{"slab", "block"} {
		trial.GmshFile(t, dir, name+".msh", meshes[k])
	}
	trial.GmshFile(t, dir, "both.msh", both)
	text := func(block, slab string, between string) string { // the names of their groups, and what ends the one and begins the other
		return `{"model": "energetic", "until": 1, "steps": 6, "accuracy": 0.1, "relinearise": 0.1, "friction": {"rough": {"mu": 0.3}}, "energies": [{"type": "body", ` +
			`"contact": [{"group": "` + block + `bottom", "body": "` + slab + `top", "friction": "rough"}], ` +
			`"tractions": [{"group": "` + block + `top", "force": [0, {"table": [[0, 0], [0.5, -10], [1, -10]]}]}], ` +
			`"prescribed": [{"group": "` + block + `top", "axis": "x", "motion": {"table": [[0, 0], [0.5, 0], [1, 0.03]]}}` + between +
			`{"group": "` + slab[strings.LastIndex(slab, `"`)+1:] + `bottom", "axis": "x", "motion": 0}, {"group": "` +
			slab[strings.LastIndex(slab, `"`)+1:] + `bottom", "axis": "y", "motion": 0}], `
	}
	const steel = `"mesh": {"file": "%s.msh"}, "young": 4000, "poisson": 0.3, "id": %[1]q}`
	t.Chdir(dir)
	one := trial.Run(t, text("block.", `both", "side": "slab.`, ", ")+fmt.Sprintf(steel, "both")+`]}`, &Model)
	two := trial.Run(t, text("", `slab", "side": "`, `], `+fmt.Sprintf(steel, "block")+`, {"type": "body", "prescribed": [`)+fmt.Sprintf(steel, "slab")+`]}`, &Model)
	one.Passed(t)
	zero := func(force float64) bool { return force == 0 } // of nodes without contact: the bodies have another order
	a, b := slices.DeleteFunc(one.Last(t, table.ForcesFile), zero), slices.DeleteFunc(two.Last(t, table.ForcesFile), zero)
	for i := range a {
		if len(a) != len(b) || math.Abs(a[i]-b[i]) > 1e-11 {
			t.Fatalf("forces of one body are %v, of two %v", a, b)
		}
	}
}
