package energetic

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/particleview"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// TestYieldOnset presses a cylinder and a ball of radius 1 onto a plane until they yield, by von Mises and ν = .3:
// a cylinder where Hertz's largest pressure is 1.794 σ_y, .704 a below it, a ball where it is 1.613 σ_y, .481 a below
// (the largest of the stresses along the axis in K. L. Johnson, Contact Mechanics, (4.49) and (3.45); he has 1.79
// and 1.60). Points of the mesh lie beside the place, and pressures are those of a mesh: 4 % of it.
func TestYieldOnset(t *testing.T) {
	const young, nu, yield = 1000.0, 0.3, 20.0
	stiffness := young / (1 - nu*nu)
	for _, c := range []struct {
		kinematics string
		want       float64
		deep       float64
		pressure   func(load float64) float64
	}{
		{"plane strain", 1.7937, 0.012, func(load float64) float64 { return math.Sqrt(2 * load * stiffness / math.Pi) }}, // half of it
		{"axisymmetric", 1.6128, 0.004, func(load float64) float64 { return math.Cbrt(6*load*stiffness*stiffness) / math.Pi }},
	} {
		dir := t.TempDir()
		halfBody(t, dir, "half.msh", 24, 24, 1, func(x float64) float64 { return x * x / 2 })
		k := caseOf(t, filepath.Join(dir, "case.json"), fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 1,
			"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
			"energies": [{"type": "body", "id": "b", "mesh": {"file": "half.msh"}, "young": %g, "poisson": %g, "kinematics": %q,
			"plasticity": {"yield": %g, "hardening": 100}, "contact": [{"group": "near", "obstacle": "floor"}],
			"prescribed": [{"group": "far", "axis": "y", "motion": {"table": [[0, 0], [1, %g]]}}, {"group": "left", "axis": "x", "motion": 0}]}]}`,
			young, nu, c.kinematics, yield, -c.deep))
		s, err := incremental.New(k.Psi, 0, k.Z0, k.Options.Step)
		if err != nil {
			t.Fatal(err)
		}
		before, at := 0.0, 0.0
		for i := 8; at == 0 && i <= 20; i++ {
			if err := s.Step(t.Context(), float64(i)/20); err != nil {
				t.Fatal(err)
			}
			load := 0.0
			for j := range s.System().N() {
				if s.System().Constrained(j) {
					load += s.Gradient()[3*j+2]
				}
			}
			ratio := c.pressure(load) / yield
			if s.System().Flows(s.Time(), s.State(), s.Time(), s.State())[0].Dissipated > 0 {
				at = ratio
			} else {
				before = ratio
			}
		}
		if !(at >= 0.95*c.want && before > 0 && before <= 1.05*c.want) {
			t.Errorf("%s: nothing yields at p₀ = %.4g σ_y, and something at %.4g, want %.4g between", c.kinematics, before, at, c.want)
		}
	}
}

// draggedSteel is a block that is pressed onto a rough floor until its edges yield, and dragged forth and back.
const draggedSteel = `{"model": "energetic", "until": 4, "steps": 40, "name": "steel", "accuracy": 0.1,
	"obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"dry": {"mu": 0.3}},
	"energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 0.5], "cells": [6, 3], "element": "Q1"}, "accuracy": "given"},
		"young": 1000, "poisson": 0.3, "plasticity": {"yield": 8, "hardening": 100, "isotropic": 50},
		"contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}],
		"prescribed": [{"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, -0.005], [4, -0.005]]}},
			{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [1, 0], [2, 0.004], [3, -0.004], [4, 0.004]]}}]}],
	"expect": [{"quantity": "plastic_dissipation", "min": 0}]}`

// TestYieldsAndRubs: what yields and what rubs dissipate in the same run, told apart; both balance the work, to
// the tolerance of the solver where the interpolant is that of the steps; the files say the same, and what they
// say of yielding is checked.
func TestYieldsAndRubs(t *testing.T) {
	thorough.Seconds(t)
	x := trial.Run(t, draggedSteel, &Model)
	x.Passed(t)
	row := x.Last(t, table.CertificatesFile)
	rubbed, yielded, balance, work := row[2], row[8], row[4], row[3]
	if !(rubbed > 0.1*work && yielded > 0.05*work) || !(math.Abs(balance) <= 0.02*work) {
		t.Errorf("friction took %g J, yielding %g J of %g J, residual %g J", rubbed, yielded, work, balance)
	}
	// Thresholds begin where the last ones ended: from the start of the step it took six.
	if s := x.Summary.Section.(*particleview.Section).Solver; s.Factors > 4*s.Solves {
		t.Errorf("%d factorisations for %d solves", s.Factors, s.Solves)
	}
	if s := x.Diagnose(t); !run.Certified(s) {
		t.Errorf("diagnosis: %s", run.Failure(s))
	}
	shades, err := base64.StdEncoding.DecodeString(x.Page(t).Scene.Shade)
	if n := len(shades) / 41; err != nil || n == 0 || slices.Max(shades[:n]) != 0 || slices.Max(shades[n:2*n]) == 0 {
		t.Errorf("the first of 41 frames of the film shows stresses, before anything has yielded (%v)", err)
	}
	if s := x.Doctored(t, table.CertificatesFile, 30); run.Certified(s) {
		t.Error("other certificates are certified")
	}
}

// TestYieldingThinned: pictures of some rows, and the last one, are those of all rows at these times.
func TestYieldingThinned(t *testing.T) {
	x := trial.Run(t, draggedSteel, &Model)
	strains := func(every int) (list []string) {
		dir := t.TempDir()
		if _, err := run.Export(t.Context(), x.Built.Plan(), x.Dir, table.VTU, table.ExportOptions{Every: every, To: dir}); err != nil {
			t.Fatal(err)
		}
		names, err := filepath.Glob(filepath.Join(dir, "*", "*.vtu"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			_, cells, _ := strings.Cut(string(text), "<CellData")
			cells, _, _ = strings.Cut(cells, "</CellData")
			list = append(list, cells)
		}
		return list
	}
	all, some := strains(1), strains(7)
	if len(all) != 41 || len(some) != 7 {
		t.Fatalf("%d and %d pictures, want 41 and 7", len(all), len(some))
	}
	for i, cells := range some {
		if want := all[min(7*i, 40)]; cells != want || !strings.Contains(want, "plastic_strain") {
			t.Errorf("picture %d of every seventh row has other stresses or plastic strains than that of its row", i)
		}
	}
}

// TestYieldingResumes: an evolution that is saved and loaded amid plastic flow goes on to the same bits, and so
// does its certificate.
func TestYieldingResumes(t *testing.T) {
	c := caseOf(t, filepath.Join(t.TempDir(), "case.json"), draggedSteel)
	e, err := energetic.Start(t.Context(), c.Psi, c.Z0, c.Options)
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	for k := 1; k <= 16; k++ {
		if err := e.Step(t.Context(), float64(k)/10); err != nil {
			t.Fatal(err)
		}
		if k == 14 {
			var p energetic.Checkpoint
			e.Save(&p)
			if text, err = json.Marshal(&p); err != nil {
				t.Fatal(err)
			}
		}
	}
	var p energetic.Checkpoint
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	again, err := energetic.Resume(c.Psi, c.Options, &p)
	if err != nil {
		t.Fatal(err)
	}
	for k := 15; k <= 16; k++ {
		if err := again.Step(t.Context(), float64(k)/10); err != nil {
			t.Fatal(err)
		}
	}
	n, m := e.Node(), again.Node()
	if !slices.Equal(n.Z, m.Z) || !slices.Equal(n.Slipped, m.Slipped) || n.Certificate != m.Certificate || !(n.Plastic > 0) {
		t.Errorf("resumed: %+v, want %+v", m.Certificate, n.Certificate)
	}
}

// TestYieldingFaults: what plasticity does not go with is said, at its place.
func TestYieldingFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"hardening": 100, "isotropic": 50`, `"hardening": 0`, "$.energies[0].plasticity.hardening: fem: there is no hardening"},
		{`"poisson": 0.3`, `"poisson": 0.3, "kinematics": "plane stress"`, "the strain across a bar or a thin plate"},
		{`"element": "Q1"`, `"element": "P1"`, ""},
		{`"young": 1000`, `"young": 1000, "law": "neo-hookean"`, `want "law": "linear"`},
		{`"until": 4`, `"until": 4, "equilibrate": true`, "$.equilibrate: what has yielded"},
		{`"until": 4`, `"until": 4, "solution": "viscous"`, "$.solution: a body that yields"},
		{`"until": 4`, `"until": 4, "output": {"every": 2}`, "$.output.every: plastic strains follow from all nodes"},
		{`"until": 4`, `"until": 4, "stability": "global"`, "$.stability"},
		{`"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}`, `"floor": {"type": "sphere", "center": [0, 0, -9], "radius": 9}`, `$.energies[0].plasticity: better states far away are searched`},
	} {
		text := strings.Replace(draggedSteel, c.old, c.new, 1)
		k, err := run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(text))
		if err == nil {
			_, err = build(t.Context(), k)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
}

// drawnBar is a bar of steel that a support draws until it yields, at t = .238. Expectations are of the closed form; at
// t = .2375 they are between two nodes of few steps.
const drawnBar = `{"model": "energetic", "until": 1, %s "name": "drawn",
	"energies": [{"type": "body", "id": "bar", "young": 2.1e11, "poisson": 0.3,
		"mesh": {"block": {"size": [2, 0.1, 0.1], "cells": [2, 1, 1], "element": "Q1"}, "accuracy": "given"},
		"plasticity": {"yield": 2.5e8, "hardening": 2.1e9},
		"prescribed": [{"group": "left", "axis": "x", "motion": %s}, {"group": "front", "axis": "y", "motion": 0},
			{"group": "bottom", "axis": "z", "motion": 0},
			{"group": "right", "axis": "x", "motion": {"table": [[0, 0], [1, 0.01]]}}]}],
	"expect": [{"quantity": "reaction", "body": "bar", "group": "right", "axis": "x", "time": 0.2375,
		"value": %s, "tolerance": 25e3}]}`

// TestDrawnBar: forces of a body that yields are compared with those of its supports, not with what its elements
// would bear if all of the motion were in those beside a support. Two steps, of which the reaction is half the
// closed form, are refused; those that are chosen are right to the accuracy. A bar that is moved and not drawn is
// certified too.
func TestDrawnBar(t *testing.T) {
	thorough.Seconds(t)
	still, moved := "0", `{"table": [[0, 0], [1, 0.01]]}`
	two := trial.Run(t, fmt.Sprintf(drawnBar, `"steps": 2,`, still, "1200433"), &Model)
	for _, name := range []string{"stability", "balance"} {
		failed := func(f table.Fact) bool { return !f.Passed && strings.HasPrefix(f.Name, name) }
		if !slices.ContainsFunc(two.Summary.Facts, failed) {
			t.Errorf("two steps, %s is within its limit: %+v", name, two.Summary.Facts)
		}
	}
	trial.Run(t, fmt.Sprintf(drawnBar, "", still, "2493750"), &Model).Passed(t)
	trial.Run(t, fmt.Sprintf(drawnBar, `"steps": 7,`, moved, "0"), &Model).Passed(t)
}

// drawnCube is a cube of which each side is drawn or held by a table of time.
const drawnCube = `{"model": "energetic", "until": 1, %s "name": "cube",
	"energies": [{"type": "body", "id": "b", "young": 1000, "poisson": 0.3, "plasticity": {"yield": 1, "hardening": 0.7},
		"mesh": {"block": {"size": [1, 1, 1], "cells": [1, 1, 1], "element": "Q1"}, "accuracy": "given"},
		"prescribed": [{"group": "left", "axis": "x", "motion": 0}, {"group": "front", "axis": "y", "motion": 0},
			{"group": "bottom", "axis": "z", "motion": 0}, {"group": "right", "axis": "x", "motion": {"table": %s}},
			{"group": "back", "axis": "y", "motion": {"table": %s}}, {"group": "top", "axis": "z", "motion": {"table": %s}}]}],
	"expect": [{"quantity": "reaction", "body": "b", "group": "top", "axis": "z", "time": 0.6, "value": %.9g, "tolerance": %.9g},
		{"quantity": "reaction", "body": "b", "group": "top", "axis": "z", "value": %.9g, "tolerance": %.9g}]}`

// TestYieldingAlongAnyWay: where supports draw all nodes, positions say nothing of what the length of steps does to
// plastic strains that turn. Forces of supports do: what is certified is within the accuracy of the largest one of a
// return mapping in 20,000 parts of the time, and few steps are not certified.
func TestYieldingAlongAnyWay(t *testing.T) {
	thorough.Seconds(t)
	const lame, mu, hardening, parts = 1000 * 0.3 / (1.3 * 0.4), 1000 / 2.6, 0.7, 20000
	refused := 0
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 7))
		var tables [3]string
		var ways [3][4]float64 // at t = 0, .2, .6, 1
		for c := range ways {
			for k := 1; k < 4; k++ {
				ways[c][k] = 0.006*r.Float64() - 0.003
			}
			tables[c] = fmt.Sprintf("[[0, 0], [0.2, %.9g], [0.6, %.9g], [1, %.9g]]", ways[c][1], ways[c][2], ways[c][3])
		}
		var plastic [3]float64
		var at [2]float64
		largest := 0.0
		for k := 1; k <= parts; k++ {
			var e, xi [3]float64
			var trace, size float64
			for c, w := range ways {
				switch tau := float64(k) / parts; {
				case tau <= 0.2:
					e[c] = w[1] * tau / 0.2
				case tau <= 0.6:
					e[c] = w[1] + (w[2]-w[1])*(tau-0.2)/0.4
				default:
					e[c] = w[2] + (w[3]-w[2])*(tau-0.6)/0.4
				}
				trace += e[c]
			}
			for c := range e {
				xi[c] = 2*mu*(e[c]-trace/3-plastic[c]) - 2./3*hardening*plastic[c]
				size += 1.5 * xi[c] * xi[c]
			}
			if size = math.Sqrt(size); size > 1 {
				for c := range e {
					plastic[c] += (size - 1) / (3*mu + hardening) * 1.5 * xi[c] / size
				}
			}
			stress := func(c int) float64 { return lame*trace + 2*mu*(e[c]-plastic[c]) }
			largest = max(largest, math.Abs(stress(0)), math.Abs(stress(1)), math.Abs(stress(2)))
			switch k {
			case parts * 6 / 10:
				at[0] = stress(2)
			case parts:
				at[1] = stress(2)
			}
		}
		for _, steps := range []string{"", `"steps": 10,`} {
			x := trial.Run(t, fmt.Sprintf(drawnCube, steps, tables[0], tables[1], tables[2], at[0], 0.01*largest, at[1], 0.01*largest), &Model)
			switch {
			case x.Summary.Certified:
				x.Passed(t)
			case steps == "":
				t.Errorf("seed %d is not certified: %+v", seed, x.Summary.Facts)
			default:
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("10 steps are certified")
	}
}

// TestDrawnRubber: the same of a neo-Hookean bar that a support draws to one and a half of its length. In two steps its
// reaction at a quarter would be 7 % of that of 64 steps off, and they are refused by (S); twelve are accurate.
func TestDrawnRubber(t *testing.T) {
	const drawn = `{"model": "energetic", "until": 1, "steps": 2, "name": "rubber",
		"energies": [{"type": "body", "id": "bar", "young": 2.1e11, "poisson": 0.3, "law": "neo-hookean",
			"mesh": {"block": {"size": [2, 0.1, 0.1], "cells": [4, 1, 1]}, "accuracy": "given"},
			"prescribed": [{"group": "left", "axis": "x", "motion": 0}, {"group": "front", "axis": "y", "motion": 0},
				{"group": "bottom", "axis": "z", "motion": 0},
				{"group": "right", "axis": "x", "motion": {"table": [[0, 0], [1, 1]]}}]}]}`
	c := caseOf(t, filepath.Join(t.TempDir(), "case.json"), drawn)
	for steps, want := range map[int]bool{2: false, 12: true} {
		e, err := energetic.Start(t.Context(), c.Psi, c.Z0, c.Options)
		if err != nil {
			t.Fatal(err)
		}
		for k := range steps {
			if err := e.Step(t.Context(), float64(k+1)/float64(steps)); err != nil {
				t.Fatal(err)
			}
		}
		passed := func(m energetic.Measure) bool { return m.Name != "stability" || m.Passed() }
		if list := e.Measures(); slices.ContainsFunc(list, func(m energetic.Measure) bool { return !passed(m) }) == want {
			t.Errorf("%d steps: %v", steps, list)
		}
	}
}
