package energetic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/fem"
	"github.com/quasistatic/quasistatic/internal/trial"
)

// TestCrosspoints: two bodies on a joint of any lean that ends on rollers of both, under any stress across these, are
// one: each node is displaced as a uniform strain asks for, whichever side is measured, tied, with friction under what
// it holds, and without under an isotropic stress in the plane of the lean; a joint that is open at the start closes
// first.
func TestCrosspoints(t *testing.T) {
	const young, nu = 1000.0, 0.3
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 24 {
		dim, joint := 2+round/12%2, round%3
		contact := []string{`"tied": true`, `"friction": "rough", "touching": 1e-9`, `"touching": 1e-9`}[joint]
		open, overlap := 0.0, 0.0 // along the last axis
		switch round % 6 {
		case 1:
			open = 0.002
		case 2:
			overlap = 0.003
		}
		friction := ""
		if joint == 1 {
			friction = `"rough": {"mu": 20}`
		}
		steep := 1.0
		if round%6 == 3 {
			steep = 1.5
		}
		lean := []float64{steep * (r.Float64() - 0.5), 0}
		if dim == 3 {
			lean[1] = steep * 0.7 * (r.Float64() - 0.5)
		}
		if overlap > 0 { // along the normal
			contact += fmt.Sprintf(`, "overlap": {"table": [[0, 0], [0.5, %.17g]]}`,
				overlap/math.Hypot(1, math.Hypot(lean[0], lean[1])))
		}
		// The last axis is that of the pressure; the others have rollers on one side or on both.
		rolled, strain := [3]bool{}, [3]float64{}
		for c := range dim - 1 {
			rolled[c] = joint < 2 && r.IntN(3) > 0
			if !rolled[c] {
				strain[c] = 0.01 * (r.Float64() - 0.5)
			}
		}
		strain[dim-1] = -0.01
		if joint == 2 {
			for c := range dim {
				strain[c] = -0.01
			}
		}
		stress, trace := [3]float64{}, strain[0]+strain[1]+strain[2]
		for c := range dim {
			stress[c] = young / (1 + nu) * (strain[c] + nu/(1-2*nu)*trace)
		}
		dir := t.TempDir()
		var bodies []string
		var places [][]float64
		size := []float64{1, 1.3, 1}
		for k, name := range []string{"one", "two"} {
			cells := []int{2 + r.IntN(4), 2 + r.IntN(2), 2}
			cells[dim-1] = 2
			m, err := fem.Box{Kind: []fem.Kind{fem.P1, fem.Q1}[r.IntN(2)], Corner: make([]float64, dim),
				Size: []float64{1, 1, 1}[:dim], Cells: cells[:dim]}.Mesh()
			if err != nil {
				t.Fatal(err)
			}
			for i := range m.NumNodes() {
				x := m.Node(i)
				near := 1.0
				for c := range dim - 1 {
					x[c] = size[c] * (x[c] + 0.1/float64(cells[c])*math.Sin(math.Pi*x[c]))
					near += lean[c] * x[c]
				}
				if z := &x[dim-1]; k == 0 {
					*z *= near
				} else {
					*z = near + *z*(2-near) + open
				}
				at := make([]float64, dim)
				for c := range at {
					at[c] = strain[c] * x[c]
				}
				if k == 1 {
					at[dim-1] += overlap - open*(1+strain[dim-1])
				}
				places = append(places, at)
			}
			trial.GmshFile(t, dir, name+".msh", m)
			low := []string{"left", "front"}
			high := []string{"right", "back"}
			ends := []string{"bottom", "top"}
			var held, loads []string
			for c := range dim - 1 {
				held = append(held, fmt.Sprintf(`{"group": %q, "axis": %q, "motion": 0}`, low[c], "xyz"[c:c+1]))
				if rolled[c] {
					held = append(held, fmt.Sprintf(`{"group": %q, "axis": %q, "motion": 0}`, high[c], "xyz"[c:c+1]))
				} else {
					force := []string{"0", "0", "0"}
					force[c] = fmt.Sprintf(`{"table": [[0, 0], [0.5, 0], [1, %.17g]]}`, stress[c])
					loads = append(loads, fmt.Sprintf(`{"group": %q, "force": [%s]}`, high[c], strings.Join(force[:dim], ", ")))
				}
			}
			motion := "0"
			if k == 1 {
				motion = fmt.Sprintf(`{"table": [[0, 0], [0.5, %.17g], [1, %.17g]]}`, overlap-open,
					overlap-open+2*strain[dim-1])
			}
			held = append(held, fmt.Sprintf(`{"group": %q, "axis": %q, "motion": %s}`, ends[k], "xyz"[dim-1:dim], motion))
			meets := ""
			if k == round/2%2 {
				meets = fmt.Sprintf(`"contact": [{"group": %q, "body": %q, "side": %q, %s}],`, ends[1-k],
					[]string{"two", "one"}[k], ends[k], contact)
			}
			bodies = append(bodies, fmt.Sprintf(`{"type": "body", "id": %q, "mesh": {"file": %q}, "young": %g, "poisson": %g,
				%s "tractions": [%s], "prescribed": [%s]}`,
				name, name+".msh", young, nu, meets, strings.Join(loads, ", "), strings.Join(held, ", ")))
		}
		c, n := stepped(t, dir, fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 2, "friction": {%s}, "energies": [%s]}`,
			friction, strings.Join(bodies, ", ")), 2)
		worst := 0.0
		for j, want := range places {
			at := c.Psi.System.Position(1, j, n.Z)
			for a := range want {
				axis := a
				if dim == 2 && a == 1 {
					axis = 2
				}
				worst = max(worst, math.Abs(at[axis]-c.At[3*j+axis]-want[a]))
			}
		}
		allowed := 1e-13
		if open > 0 { // what faces what at the start is off by the slip until the joint is closed
			allowed = -2 * open * strain[dim-1]
		}
		if worst > allowed {
			t.Errorf("round %d, %d dimensions, %s, lean %.3g, rollers %v, open %g: off by %.3g, want %.3g",
				round, dim, contact, lean, rolled, open, worst, allowed)
		}
	}
}
