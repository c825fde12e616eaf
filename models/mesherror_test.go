package models_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/elastic"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/model/halfspace"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// meshed is a case with a place for its mesh.
type meshed struct {
	model *run.Model
	text  func(mesh string) string
	// coarse is wrong by factors, fine, if not empty, is right to the accuracy, given says so of
	// the coarse one.
	coarse, fine, given string
}

// meshes are the rows of the issue that asked for a judgement of meshes. A cantilever of length 1
// and height .05, E = 1e5, whose end is kept by a wall while its clamp goes down by .06: 3EI/L³ of
// it, .187 N, where five cells make 3.7. A bar hits a wall, whose modified mass is a third of its
// own if it is one element. Hertz: the area πRd of .0314 m² is .0432 on four elements a side.
var meshes = map[string]meshed{
	"cantilever": {&energetic.Model, func(mesh string) string {
		return fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 4, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "energies": [{"type": "body", "id": "b", "mesh": %s, "young": 1e5, "kinematics": "plane stress", "contact": [{"group": "right", "obstacle": "floor"}],
    "prescribed": [{"group": "left", "axis": "x", "motion": 0}, {"group": "left", "axis": "y", "motion": {"table": [[0, 0], [1, -0.06]]}}]}]}`,
			mesh)
	}, `{"block": {"size": [1, 0.05], "cells": [5, 1]}}`, ``, `{"block": {"size": [1, 0.05], "cells": [5, 1]}, "accuracy": "given"}`},
	"bar": {&elastic.Model, func(mesh string) string {
		return fmt.Sprintf(`{"model": "elastodynamic", "until": 0.4, "steps": 400, "accuracy": 0.03, "mesh": %s, "young": 1, "density": 0.01, "velocity": [-1],
  "obstacles": {"wall": {"point": [-0.1], "normal": [1]}}, "contact": [{"group": "left", "obstacle": "wall"}]}`, mesh)
	}, `{"block": {"size": [1], "cells": [1]}}`, `{"block": {"size": [1], "cells": [128]}}`,
		`{"block": {"size": [1], "cells": [1]}, "accuracy": "given"}`},
	"Hertz": {&halfspace.Model, func(mesh string) string {
		return fmt.Sprintf(`{"model": "halfspace", "until": 1, "steps": 12, %s, "accuracy": 0.04, "body": {"young": 2}, "on": "similar", "profile": {"sphere": 1},
  "control": {"normal": {"approach": {"table": [[0, 0], [1, 0.01]]}}}}`, mesh)
	}, `"window": {"elements": [4, 4], "size": [0.24, 0.24]}, "accept": ["window"]`,
		`"window": {"elements": [48, 48], "size": [0.24, 0.24]}`,
		`"window": {"elements": [4, 4], "size": [0.24, 0.24]}, "mesh": "given", "accept": ["window"]`},
}

// meshFacts are the lines about the mesh.
func meshFacts(s *table.Summary) (list []table.Fact) {
	for _, f := range s.Facts {
		if strings.HasPrefix(f.Name, "mesh") {
			list = append(list, f)
		}
	}
	return list
}

// TestMeshIsJudged: what is right on its mesh and wrong by factors is not accurate, and the lines
// about the mesh alone say so; on a mesh that is fine enough it is certified; and where the case
// says that its mesh is given the verdict says that it is not judged. diagnose says the same, also
// where not all rows were written.
func TestMeshIsJudged(t *testing.T) {
	for name, m := range meshes {
		for kind, mesh := range map[string]string{"coarse": m.coarse, "fine": m.fine, "given": m.given} {
			text := m.text(mesh)
			if mesh == "" { // beams of linear triangles take thousands of them for 1 %
				continue
			}
			if kind == "coarse" {
				text = strings.Replace(text, `"until"`, `"output": {"every": 2}, "until"`, 1)
			}
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				x := trial.Run(t, text, m.model)
				for _, s := range []*table.Summary{x.Summary, x.Diagnose(t)} {
					list, bad := meshFacts(s), 0
					for _, f := range list {
						if !f.Passed {
							bad++
						}
						if want := map[bool]table.Basis{true: table.NotSaid, false: table.Estimated}[kind == "given"]; f.Basis != want {
							t.Errorf("%s, want %s", f.String(), want)
						}
					}
					if s.Certified != (kind != "coarse") || (bad > 0) != (kind == "coarse") || len(list) == 0 {
						t.Errorf("certified: %t, %d of %d lines about the mesh fail: %s", s.Certified, bad, len(list), s.Message)
					}
					for _, f := range s.Facts {
						if !f.Passed && f.Word != table.Expected && !strings.HasPrefix(f.Name, "mesh") &&
							!strings.Contains(f.Name, "not certified") {
							t.Errorf("%s", f.String())
						}
					}
				}
			})
		}
	}
}

// TestMeshSmallDissipation: what friction takes in a ring of slip that is thinner than an element,
// on both meshes, is not judged, and fails the run unless the case accepts that; what bears no
// friction takes nothing, and is said. diagnose says the same.
func TestMeshSmallDissipation(t *testing.T) {
	sphere := func(shift, accept string) string {
		return fmt.Sprintf(`{"model": "halfspace", "until": 2, "steps": 6, "accuracy": 0.4, %s "window": {"elements": [12, 12], "size": [0.3, 0.3]}, "body": {"young": 2, "poisson": 0.3}, "on": "similar",
  "profile": {"sphere": 1}, "friction": {"mu": 0.5}, "control": {"normal": {"approach": {"table": [[0, 0], [1, 0.008], [2, 0.008]]}}, "x": {"shift": {"table": [[0, 0], [1, 0], [2, %s]]}}}}`,
			accept, shift)
	}
	block := func(drag, accept string) string {
		return fmt.Sprintf(`{"model": "energetic", "until": 2, "steps": 8, "accuracy": 0.3, "output": {"every": 2}, %s "threshold": "implicit", "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"rough": {"mu": 0.8}},
  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 0.25], "cells": [6, 2]}}, "young": 1000, "poisson": 0, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}],
    "prescribed": [{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [1, 0], [2, %s]]}}, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, -0.01]]}}]}]}`,
			accept, drag)
	}
	for name, c := range map[string]struct {
		model *run.Model
		text  func(drag, accept string) string
		drag  string
	}{"sphere": {&halfspace.Model, sphere, "0.0003"}, "block": {&energetic.Model, block, "0.001"}} {
		for _, drag := range []string{c.drag, "0"} {
			for _, accept := range []string{"", `"accept": ["dissipation"],`} {
				if drag == "0" && accept != "" {
					continue // nothing is there to accept
				}
				t.Run(fmt.Sprintf("%s %s %s", name, drag, accept), func(t *testing.T) {
					t.Parallel()
					x := trial.Run(t, c.text(drag, accept), c.model)
					want := table.NotSaid
					if drag == "0" {
						want = table.Estimated
					}
					for _, s := range []*table.Summary{x.Summary, x.Diagnose(t)} {
						k := slices.IndexFunc(s.Facts, func(f table.Fact) bool { return strings.HasPrefix(f.Name, "mesh: dissipation,") })
						if k < 0 {
							t.Fatalf("nothing is said of what friction takes: %v", s.Facts)
						}
						if f := &s.Facts[k]; f.Basis != want || want == table.Estimated && f.Value != 0 ||
							s.Certified != (drag == "0" || accept != "") {
							t.Errorf("certified: %t, %s: %s", s.Certified, f.String(), s.Message)
						}
					}
				})
			}
		}
	}
}

// TestMeshCostsTooMuch: the error of a mesh that nothing cheap judges is not said, and no key
// "accept" helps; a block that can be halved is judged by the half of it.
func TestMeshCostsTooMuch(t *testing.T) {
	for cells, halved := range map[string]bool{"[31, 31]": false, "[32, 32]": true} {
		text := fmt.Sprintf(`{"model": "elastodynamic", "until": 1, "steps": 100000, "mesh": {"block": {"size": [1, 1], "cells": %s}}, "young": 1, "density": 1,
  "obstacles": {"floor": {"point": [0, 0], "normal": [0, 1]}}, "contact": [{"group": "bottom", "obstacle": "floor"}]}`, cells)
		r := startedRun(t, &elastic.Model, text)
		if err := run.Step(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Verdict() {
			if !strings.HasPrefix(f.Name, "mesh") {
				continue
			}
			if said := f.Basis == table.Estimated; said != halved || f.Passed != halved ||
				strings.Contains(f.Name, "half the cells") != halved {
				t.Errorf("%s cells: %s", cells, f.String())
			}
		}
	}
}

// startedRun is a run at its start.
func startedRun(t *testing.T, m *run.Model, text string) run.Run {
	t.Helper()
	k, err := run.Grammar([]*run.Model{m}).Decode("case.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := run.Build(t.Context(), k, m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Start(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMeshStops: a run that was stopped between its steps, twice, says of its mesh what one that
// was not says, to the bit.
func TestMeshStops(t *testing.T) {
	for name, m := range meshes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := trial.Run(t, m.text(m.coarse), m.model)
			last := stoppedAt(t, whole.Case, m.model, 0.2, 0.3, 2)
			if got, want := meshFacts(&last.Summary), meshFacts(whole.Summary); len(want) == 0 || !reflect.DeepEqual(got, want) {
				t.Errorf("after stops %v, want %v", got, want)
			}
		})
	}
}

// curve is a column of a table of a run; where its numbers are less than those of another of the
// same table, they count as those.
type curve struct{ file, column, least string }

// curves are those whose errors a line about the mesh speaks of, by a word of the line.
var curves = map[*run.Model]map[string][]curve{
	&halfspace.Model: {
		"loads, moves, energy": {{table.ForcesFile, "n", ""}, {table.TrajectoryFile, "n", ""}, {table.EnergiesFile, "elastic", ""}},
		"area in contact":      {{table.CertificatesFile, "area", ""}},
		"largest pressure":     {{table.CertificatesFile, "pressure", ""}},
		"dissipation":          {{table.EnergiesFile, "dissipation", ""}},
	},
	&elastic.Model: {"energies": {{table.EnergiesFile, "elastic", "kinetic"}}},
	&energetic.Model: {
		"energies":    {{table.CertificatesFile, "energy", ""}, {table.CertificatesFile, "work", ""}},
		"dissipation": {{table.CertificatesFile, "dissipation", ""}},
	},
}

// columnOf reads one.
func columnOf(t *testing.T, x *trial.Trial, file, name string) []float64 {
	t.Helper()
	s, err := table.NewFolder(x.Dir, x.Built.Plan().Layout).Cursor(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // read only
	var list []float64
	for s.Next() == nil {
		list = append(list, s.Number(name))
	}
	return list
}

// scene is a random case on a mesh of n elements a side, or k times as many.
func scene(r *rand.Rand, kind int) (*run.Model, func(k int) string) {
	number := func(low, high float64) float64 { return low + (high-low)*r.Float64() }
	switch kind % 3 {
	case 0:
		n := 8 + r.IntN(9)
		profile := []string{`{"sphere": 1}`, `{"quadratic": [0.5, 0.1, 0.2, 0, 0, 0]}`, `{"sphere": 0.8}`}[r.IntN(3)]
		nu, mu, press, shift := number(0, 0.45), number(0.1, 0.6), number(0.004, 0.009), number(-0.003, 0.003)
		return &halfspace.Model, func(k int) string {
			return fmt.Sprintf(`{"model": "halfspace", "until": 2, "steps": 6, "accuracy": 0.1, "window": {"elements": [%d, %d], "size": [0.3, 0.3]}, "body": {"young": 2, "poisson": %g}, "on": "similar",
  "profile": %s, "friction": {"mu": %g}, "control": {"normal": {"approach": {"table": [[0, 0], [1, %g], [2, %g]]}}, "x": {"shift": {"table": [[0, 0], [1, 0], [2, %g]]}}}}`,
				n*k, n*k, nu, profile, mu, press, press, shift)
		}
	case 1:
		n, gap, load := 4+r.IntN(20), number(0.01, 0.2), number(-0.05, 0.05)
		return &elastic.Model, func(k int) string {
			return fmt.Sprintf(`{"model": "elastodynamic", "until": 0.5, "steps": 1000, "accuracy": 0.1, "mesh": {"block": {"size": [1], "cells": [%d]}}, "young": 1, "density": 0.01, "velocity": [-1],
  "obstacles": {"wall": {"point": [-%g], "normal": [1]}}, "contact": [{"group": "left", "obstacle": "wall"}], "body_force": [%g]}`,
				n*k, gap, load)
		}
	}
	nx, ny, mu, press, drag, nu := 2+r.IntN(4), 1+r.IntN(2), number(0.1, 0.8), number(0.005, 0.02), number(-0.01, 0.01), number(0, 0.39)
	high := number(0.1, 0.5)
	return &energetic.Model, func(k int) string {
		return fmt.Sprintf(`{"model": "energetic", "until": 2, "steps": 8, "accuracy": 0.1, "threshold": "implicit", "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"rough": {"mu": %g}},
  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, %g], "cells": [%d, %d]}}, "young": 1000, "poisson": %g, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}],
    "prescribed": [{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [1, 0], [2, %g]]}}, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, -%g]]}}]}]}`,
			mu, high, nx*k, ny*k, nu, drag, press)
	}
}

// TestMeshErrors: random scenes against meshes eight times as fine (four times, of the energetic
// model): how often the estimate is below the error. It is no bound, and few may be; none by a
// factor of three. What the verdict does not judge is left out.
func TestMeshErrors(t *testing.T) {
	thorough.Seconds(t)
	scenes := 6
	if thorough.Asked() {
		scenes = 300
	}
	lines, below, unsaid, ratios := 0, 0, 0, []float64{}
	for i := range scenes {
		r := rand.New(rand.NewPCG(32, uint64(i)))
		m, text := scene(r, i)
		k := 8
		if m == &energetic.Model {
			k = 4
		}
		one := trial.Run(t, text(1), m)
		given := strings.NewReplacer(`"window"`, `"mesh": "given", "window"`, `"mesh": {`,
			`"mesh": {"accuracy": "given", `).Replace(text(k))
		other := trial.Run(t, given, m)
		if one.Summary.Status != table.Done || other.Summary.Status != table.Done {
			continue
		}
		for group, list := range curves[m] {
			k := slices.IndexFunc(one.Summary.Facts, func(f table.Fact) bool { return strings.HasPrefix(f.Name, "mesh: "+group+",") })
			if k < 0 {
				continue
			}
			estimate := one.Summary.Facts[k].Value
			if one.Summary.Facts[k].Basis == table.NotSaid {
				unsaid++
				continue
			}
			truth := 0.0
			for _, c := range list {
				own, least := columnOf(t, one, c.file, c.column), 0.0
				if c.least != "" {
					for _, v := range columnOf(t, one, c.file, c.least) {
						least = max(least, math.Abs(v))
					}
				}
				truth = max(truth, apart(own, columnOf(t, other, c.file, c.column), least))
			}
			if truth == 0 {
				continue
			}
			lines++
			ratios = append(ratios, estimate/truth)
			if estimate < truth && truth > 1e-6 {
				below++
				t.Logf("scene %d, %s: estimate %.3g of %.3g", i, group, estimate, truth)
			}
			if estimate < truth/3 && truth > 1e-3 {
				text, _ := json.Marshal(text(1))
				t.Errorf("scene %d, %s: estimate %.3g of %.3g: %s", i, group, estimate, truth, text)
			}
		}
	}
	slices.Sort(ratios)
	t.Logf("%d of %d estimates are below the error; estimate over error %.2f at the tenth, %.2f in the median; %d dissipations are not judged",
		below, lines, ratios[len(ratios)/10], ratios[len(ratios)/2], unsaid)
	if lines < scenes || float64(below) > 0.15*float64(lines) {
		t.Errorf("%d of %d estimates are below the error", below, lines)
	}
}

// apart is the largest distance of two curves, the second in the same rows, beside the largest
// number of the first.
func apart(a, b []float64, size float64) float64 {
	far := 0.0
	for i := range min(len(a), len(b)) {
		far, size = max(far, math.Abs(a[i]-b[i])), max(size, math.Abs(a[i]))
	}
	if far == 0 {
		return 0
	}
	return far / size
}

// stoppedAt stops a run at the first step that reaches each of some times, and resumes it in between.
func stoppedAt(t *testing.T, c *casefile.Case, m *run.Model, times ...float64) (last *run.Task) {
	t.Helper()
	dir := t.TempDir()
	for k, at := range times {
		built, err := m.Build(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		last = run.Of(c, m, built, dir)
		if k > 0 {
			if err := last.Resume(nil); err != nil {
				t.Fatal(err)
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		last.OnStep = func(int) {
			if last.Summary.Time >= at {
				stop()
			}
		}
		if err := last.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stop()
	}
	return last
}

// TestMeshIsBounded: of linear bodies on flat obstacles an equilibrated stress bounds the energy, and takes the place
// of the estimate where it meets the accuracy; where it does not, the line of the estimate tells it; with friction it
// is a line of its own. diagnose says the same, also where not all rows were written, and so does a run that was
// stopped.
func TestMeshIsBounded(t *testing.T) {
	thorough.Seconds(t)
	scene := func(element, accuracy, friction string) string {
		return fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 4, "accuracy": %s, "accept": ["dissipation"], "output": {"every": 2}, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 0.5], "cells": [8, 4], "element": "%s"}}, "young": 1e5, "poisson": 0.3, "contact": [{"group": "bottom", "obstacle": "floor"%s}],
    "tractions": [{"group": "right", "force": [{"table": [[0, 0], [1, 200]]}, {"table": [[0, 0], [1, 40]]}]}],
    "prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, -0.01]]}}]}]%s}`,
			accuracy, element, friction,
			map[bool]string{true: `, "friction": {"rough": {"mu": 0.3}}`}[friction != ""])
	}
	const bound = "mesh: energy"
	for name, c := range map[string]struct {
		element, accuracy, friction string
		proven                      bool
	}{
		"replaced": {"P2", "0.05", "", true},
		"beside":   {"P1", "0.004", "", false},
		"friction": {"P2", "0.05", `, "friction": "rough"`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := scene(c.element, c.accuracy, c.friction)
			x := trial.Run(t, text, &energetic.Model)
			every := trial.Run(t, strings.Replace(text, `"output": {"every": 2}, `, "", 1), &energetic.Model)
			for _, s := range []*table.Summary{x.Summary, x.Diagnose(t), every.Diagnose(t),
				&stoppedAt(t, x.Case, &energetic.Model, 0.3, 0.6, 2).Summary} {
				list := meshFacts(s)
				k := slices.IndexFunc(list, func(f table.Fact) bool {
					return strings.HasPrefix(f.Name, bound+",") || strings.HasPrefix(f.Name, bound+" ")
				})
				estimate := slices.IndexFunc(list, func(f table.Fact) bool { return strings.HasPrefix(f.Name, "mesh: energies,") })
				told := estimate >= 0 && (strings.Contains(list[estimate].Place, "(proven)") ||
					strings.Contains(list[estimate].Place, "stated"))
				switch {
				case c.proven && s != x.Summary && k < 0 && c.friction != "" && estimate >= 0: // of files with half the rows
				case (k >= 0) != c.proven || (estimate >= 0) != (!c.proven || c.friction != "") || !c.proven && !told:
					t.Errorf("%s: %v", name, list)
				case k >= 0 && (list[k].Basis != table.Proven || !(list[k].Value > 1e-4) || !list[k].Passed):
					t.Errorf("%s", list[k].String())
				}
			}
		})
	}
}

// TestMeshIsAdaptedOverSteps: with friction meshes are refined until the bounds of all steps are met, on fewer
// elements than a uniform mesh needs. Energy and dissipation at the end are within the accuracy of those on a mesh of
// 576 triangles. diagnose, and a run that was stopped, make the same mesh. Where nothing but contact keeps a body from
// turning no bound is proven, since its tractions have another moment than its forces: the run is not certified.
func TestMeshIsAdaptedOverSteps(t *testing.T) {
	thorough.Seconds(t)
	const accuracy = 0.05
	scene := func(rng *rand.Rand, mesh, more string) string {
		return fmt.Sprintf(`{"model": "energetic", "until": 3, "steps": 12, "accuracy": %g, "accept": ["dissipation"], "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"dry": {"mu": %.3f}},
  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 0.5], "cells": %s, "young": 1000, "poisson": %.3f, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "dry"}],
    %s "prescribed": [{"group": "top", "axis": "x", "motion": {"table": [[0, 0], [1, 0], [2, %.4f], [3, %.4f]]}}%s]}]}`,
			accuracy, 0.1+0.3*rng.Float64(), mesh, 0.4*rng.Float64(), more, 0.02+0.02*rng.Float64(), -0.02*rng.Float64(),
			map[bool]string{true: fmt.Sprintf(`, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, %.4f], [3, -0.001]]}}`, -0.004-0.002*rng.Float64())}[more == ""])
	}
	bound := func(s *table.Summary) table.Fact {
		k := slices.IndexFunc(s.Facts, func(f table.Fact) bool { return strings.HasPrefix(f.Name, "mesh: energy of each step") })
		if k < 0 {
			t.Fatalf("no bound: %s", s.Message)
		}
		return s.Facts[k]
	}
	for seed := range uint64(3) {
		drawn := func(mesh string) string { return scene(rand.New(rand.NewPCG(21, seed)), mesh, "") }
		adapted := trial.Run(t, drawn(`[4, 2], "element": "P2"}, "accuracy": 0.004}`), &energetic.Model)
		uniform := trial.Run(t, drawn(`[8, 4], "element": "P2"}}`), &energetic.Model)
		f := bound(adapted.Summary)
		var first, last int
		if _, err := fmt.Sscanf(f.Place[strings.Index(f.Place, "refined"):], "refined to %d elements from %d", &last, &first); err != nil ||
			first != 16 || last > 128 || !(f.Value <= 0.004) || !(bound(uniform.Summary).Value > 0.004) {
			t.Errorf("seed %d: %s; with 64 triangles %g", seed, f.String(), bound(uniform.Summary).Value)
		}
		ends, fine := adapted.Last(t, "certificates.csv"), trial.Run(t, drawn(`[24, 12], "element": "P2"}, "accuracy": "given"}`), &energetic.Model).Last(t, "certificates.csv")
		for k, name := range []string{"energy", "dissipation"} {
			if off := math.Abs(ends[k+1] - fine[k+1]); !(off <= accuracy*max(math.Abs(fine[1]), fine[2])) {
				t.Errorf("seed %d: %s %g, %g on a fine mesh", seed, name, ends[k+1], fine[k+1])
			}
		}
		if seed > 0 {
			continue
		}
		for _, s := range []*table.Summary{adapted.Diagnose(t), &stoppedAt(t, adapted.Case, &energetic.Model, 1.6).Summary} {
			if g := bound(s); math.Abs(g.Value-f.Value) > 1e-6*f.Value || g.Place != f.Place {
				t.Errorf("%s, and %s of the run", g.String(), f.String())
			}
		}
	}
	loose := scene(rand.New(rand.NewPCG(21, 0)), `[4, 2], "element": "P2"}, "accuracy": 0.004}`,
		`"tractions": [{"group": "top", "force": [0, {"table": [[0, 0], [1, -10]]}]}],`)
	if s := trial.Run(t, loose, &energetic.Model).Summary; s.Certified || !strings.Contains(s.Message+fmt.Sprint(s.Facts), "refined to a bound, and none is proven") {
		t.Errorf("certified %t: %s", s.Certified, s.Message)
	}
}

// TestMeshIsAdapted: a mesh is refined until the bound is met, where the error is: fewer triangles, or tetrahedra,
// than a mesh has that is refined everywhere to the same bound. diagnose and a run that was stopped make the same
// mesh. What has no bound is refused, as is one larger than the accuracy of the case, and a bound that costs more than
// is judged is not met, if the accuracy of the run is.
func TestMeshIsAdapted(t *testing.T) {
	thorough.Seconds(t)
	scene := func(cells, element, accuracy, more string) string {
		return fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 2, "accuracy": 0.05, "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "energies": [{"type": "body", "id": "b", "mesh": {"block": {"size": [1, 0.5], "cells": %s, "element": "%s"}%s}, "young": 1000, "poisson": 0.3, "contact": [{"group": "bottom", "obstacle": "floor"%s}],
    "prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": {"table": [[0, 0], [1, -0.005]]}}]}]%s}`,
			cells, element, accuracy, more,
			map[bool]string{true: `, "friction": {"rough": {"mu": 0.3}}`}[more != ""])
	}
	place := ""
	bound := func(s *table.Summary) float64 {
		k := slices.IndexFunc(s.Facts, func(f table.Fact) bool {
			return f.Basis == table.Proven &&
				strings.HasPrefix(f.Name, "mesh: energy,")
		})
		if k < 0 || !s.Certified {
			t.Fatalf("no bound, or not certified: %s", s.Message)
		}
		place = s.Facts[k].Place
		return s.Facts[k].Value
	}
	text := scene("[4, 2]", "P1", `, "accuracy": 0.004`, "")
	adapted, uniform := trial.Run(t, text, &energetic.Model), trial.Run(t, scene("[16, 8]", "P1", "", ""), &energetic.Model)
	if all := bound(uniform.Summary); !(all > 0.004) || !(bound(adapted.Summary) <= 0.004) {
		t.Errorf("bound %g, of a uniform mesh %g", bound(adapted.Summary), all)
	}
	var first, last int
	if _, err := fmt.Sscanf(place, "t=1, refined to %d elements from %d", &last, &first); err != nil || first != 16 || last >= 256 {
		t.Errorf("%q, and the uniform mesh has 256", place)
	}
	for _, s := range []*table.Summary{adapted.Diagnose(t), &stoppedAt(t, adapted.Case, &energetic.Model, 0.6).Summary} {
		if bound(s) != bound(adapted.Summary) && math.Abs(bound(s)-bound(adapted.Summary)) > 1e-6*bound(s) {
			t.Errorf("bound %g, and %g of the run", bound(s), bound(adapted.Summary))
		}
	}
	space := strings.NewReplacer(`"size": [1, 0.5]`, `"size": [1, 0.5, 0.5]`, `"accuracy": 0.05`, `"accuracy": 0.2`, `"axis": "y"`, `"axis": "z"`,
		`"axis": "x", "motion": 0}`, `"axis": "x", "motion": 0}, {"group": "top", "axis": "y", "motion": 0}`).Replace(scene("[2, 1, 1]", "P1", `, "accuracy": 0.03`, ""))
	if b := bound(trial.Run(t, space, &energetic.Model).Summary); !(b <= 0.03) {
		t.Errorf("bound %g in space", b)
	}
	// Of 96 tetrahedra the bound is .0605, and falls to a third or more where 768 have edges of half the length.
	if _, err := fmt.Sscanf(place, "t=1, refined to %d elements from %d", &last, &first); err != nil || first != 12 || last >= 384 {
		t.Errorf("%q, and the uniform mesh has 768", place)
	}
	if s := trial.Run(t, scene("[4, 2]", "P2", `, "accuracy": 1e-8`, ""), &energetic.Model).Summary; s.Certified ||
		!trial.Names(s, "refined to") {
		t.Errorf("certified %t: %s", s.Certified, s.Message)
	}
	for want, text := range map[string]string{
		"of triangles or":        scene("[4, 2]", "Q1", `, "accuracy": 0.004`, ""),
		"no more than 0.05, the": scene("[4, 2]", "P1", `, "accuracy": 0.1`, ""),
	} {
		k, err := run.Grammar([]*run.Model{&energetic.Model}).Decode("case.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Build(t.Context(), k, &energetic.Model); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "energies[0].mesh.accuracy") {
			t.Errorf("%v, want a fault with %q", err, want)
		}
	}
}
