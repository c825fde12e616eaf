package casefile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/dynamics/elastic"
	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/memory"
	solids "github.com/quasistatic/quasistatic/model/elastic"
	particles "github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/models"
)

// pressed is a pressed block on a floor as a case.
func pressed(law, cells, threshold, solver string) string {
	size, last, more := "[1, 0.25]", "y", ""
	if strings.Count(cells, ",") == 2 {
		size, last, more = "[1, 0.25, 0.25]", "z", `, {"group": "top", "axis": "y", "motion": 0}`
	}
	return fmt.Sprintf(`{"model": "energetic", "until": 1, "steps": 10, "threshold": %q, "solver": {%s},
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"rough": {"mu": 0.3}},
  "energies": [{"type": "body", "id": "b", "law": %q, "mesh": {"block": {"size": %s, "cells": %s}, "accuracy": "given"}, "young": 1000, "poisson": 0.3,
    "contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}],
    "prescribed": [{"group": "top", "axis": "x", "motion": 0}, {"group": "top", "axis": %q, "motion": {"table": [[0, 0], [1, -0.001]]}}%s]}]}`,
		threshold, solver, law, size, cells, last, more)
}

func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools held
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// allocated is what the process ever took of the heap [bytes].
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// without is the total without some parts.
func without(e memory.Estimate, parts ...string) float64 {
	total := e.Total()
	for _, p := range e.Parts {
		if slices.Contains(parts, p.Name) {
			total -= p.Bytes
		}
	}
	return float64(total)
}

// What lives after certified steps is what was predicted before the first number
// was computed, without the part that is given back. It may be half as much again,
// not counting the problems that certificates solve only where friction changes:
// the contacts may need fewer dense matrices than they can, and there are no
// pictures here. It is four fifths at least: more forgotten would be a part.
// TestPredictedMemory: what a run is predicted to take is what it takes, within a fifth; the
// larger bodies with QUASISTATIC_LONG.
func TestPredictedMemory(t *testing.T) {
	thorough.Seconds(t)
	long := 0
	if thorough.Asked() {
		long = 1
	}
	for _, test := range []struct{ law, cells, threshold string }{
		{"linear", "[20, 8, 8]", "implicit"}, {"neo-hookean", "[40, 10]", "implicit"},
		{"linear", "[80, 30]", "implicit"}, {"linear", "[80, 30]", "lagged"},
		{"linear", "[120, 40]", "implicit"}, {"linear", "[240, 50]", "implicit"}, {"linear", "[24, 10, 8]", "implicit"},
		{"linear", "[160, 40]", "lagged"}, {"neo-hookean", "[8, 4, 3]", "implicit"},
	}[:2+7*long] {
		t.Run(test.law+test.cells+test.threshold, func(t *testing.T) {
			before := heap()
			c, err := models.Grammar().Decode("block.json", []byte(pressed(test.law, test.cells, test.threshold, "")))
			if err != nil {
				t.Fatal(err)
			}
			built, err := models.Build(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			m := built.(*particles.Case)
			e, err := energetic.Start(context.Background(), m.Psi, m.Z0, m.Options)
			if err != nil {
				t.Fatal(err)
			}
			for k := 1; k <= 2; k++ {
				if err := e.Step(context.Background(), m.Time(k)); err != nil {
					t.Fatal(err)
				}
			}
			got := heap() - before
			most, least := without(m.Plan().Need, incremental.PartWork),
				without(m.Plan().Need, incremental.PartWork, incremental.PartCertificates, incremental.PartTwin)
			t.Logf("%.3g MB, predicted %v: %.2f to %.2f", got/1e6, m.Plan().Need, least/got, most/got)
			if most < 0.8*got || least > 1.5*got {
				t.Errorf("%.4g bytes, predicted %.4g: %v", got, most, m.Plan().Need)
			}
			runtime.KeepAlive(e)
			runtime.KeepAlive(m)
		})
	}
}

func TestMemoryRefused(t *testing.T) {
	// The first document that breaks the schema has it compiled, once in a process: 5 MB.
	if _, err := models.Grammar().Decode("block.json", []byte(pressed("linear", "[3, 1]", "implicit", `"memory": 0`))); err == nil {
		t.Fatal("no fault")
	}
	for _, test := range []struct{ name, text, want string }{
		{"the run", pressed("linear", "[24, 10, 8]", "implicit", `"memory": "50MB"`), "$.energies[0].mesh: the run needs "},
		{"the mesh", pressed("linear", "[24, 10, 8]", "implicit", `"memory": 1e5`),
			"$.energies[0].mesh.block.cells: found [24 10 8] cells, and the mesh alone needs "},
		{"10⁹ cells", pressed("linear", "[1000, 1000, 1000]", "implicit", ""), "free"},
		{"10¹⁸ cells", pressed("neo-hookean", "[1000000, 1000000, 1000000]", "implicit", ""), "take fewer cells"},
		{"no size", pressed("linear", "[3, 1]", "implicit", `"memory": "much"`), `$.solver.memory: found "much", want a size > 0 like 4GB`},
		{"not above zero", pressed("linear", "[3, 1]", "implicit", `"memory": 0`), "$.solver.memory: found 0, want a number > 0"},
	} {
		before := allocated()
		c, err := models.Grammar().Decode("block.json", []byte(test.text))
		if err == nil {
			_, err = models.Build(context.Background(), c)
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
		// What is refused is refused before the first number: of the mesh and its symbolic
		// analysis 69 MB were measured, of the rest .16 MB.
		most := uint64(1e6)
		if test.name == "the run" {
			most = 100e6
		}
		if took := allocated() - before; took > most {
			t.Errorf("%s: refused after %d bytes, want at most %d", test.name, took, most)
		}
	}
}

// TestTableRefused: a table of a file that takes more than the limit is refused before a row of
// it is kept; so are tables that do so together, and a row without an end.
func TestTableRefused(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"long.csv": "t,fx\n" + rows(60_000), "wide.csv": "t,fx\n0," + strings.Repeat("1", 500_000)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const column = `{"csv": "long.csv", "time": "t", "value": "fx"}`
	for _, test := range []struct{ force, want string }{
		{column + ", 0, 0", ""}, // 60,001 rows of 24 bytes
		{column + ", " + column + ", 0", "$.energies[0].force[1].csv: needs 2.88 MB (tables of files before 1.44 MB, 60001 rows of long.csv 1.44 MB) of memory, more than 1.5 MB"},
		{strings.Replace(column, "long", "wide", 1) + ", 0, 0", "$.energies[0].force[0].csv: needs 1.5 MB of memory, more than 1.5 MB"},
	} {
		text := fmt.Sprintf(`{"name": "c", "model": "energetic", "until": 1, "steps": 1, "obstacles": {"floor": {"type": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}},
			"friction": {"dry": {"mu": 0.3}}, "particles": [{"id": "p", "at": [0, 0, 0], "obstacle": "floor", "friction": "dry"}],
			"energies": [{"type": "load", "particle": "p", "force": [%s]}]}`, test.force)
		c, err := models.Grammar().Decode(filepath.Join(dir, "c.json"), []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		c.Memory = 1.5e6
		if _, err = models.Build(context.Background(), c); test.want == "" && err != nil &&
			strings.Contains(err.Error(), "csv") || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", test.force, err, test.want)
		}
	}
}

// rows are lines of a table at rising times.
func rows(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d,0\n", i)
	}
	return b.String()
}

// A limit between the two ways of a step makes the one that needs less the choice.
func TestMemoryChooses(t *testing.T) {
	build := func(limit int64) *particles.Case {
		c, err := models.Grammar().Decode("block.json", []byte(pressed("linear", "[28, 28, 4]", "implicit", "")))
		if err != nil {
			t.Fatal(err)
		}
		c.Memory = limit
		m, err := models.Build(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		return m.(*particles.Case)
	}
	free := build(1 << 40)
	if !free.Options.Step.Plan.Condenses() {
		t.Fatal("the steps of this block are cheaper on its contacts")
	}
	tight := build(free.Plan().Need.Total() - 1)
	if tight.Options.Step.Plan.Condenses() || tight.Plan().Need.Total() >= free.Plan().Need.Total() {
		t.Errorf("condensed: %v, %v of %v", tight.Options.Step.Plan.Condenses(), tight.Plan().Need, free.Plan().Need)
	}
}

// The same of the model elastodynamic.
func TestPredictedElasticMemory(t *testing.T) {
	text := `{"model": "elastodynamic", "until": 0.01, "steps": 10, "mesh": {"block": {"size": [1, 0.25, 0.25], "cells": [18, 7, 7]}}, "young": 1000, "poisson": 0.3, "density": 1,
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}}, "friction": {"rough": {"mu": 0.3}}, "contact": [{"group": "bottom", "obstacle": "floor", "friction": "rough"}],
  "body_force": [0, 0, -10], "solver": {"memory": %q}}`
	c, err := models.Grammar().Decode("block.json", fmt.Appendf(nil, text, "1GB"))
	if err != nil {
		t.Fatal(err)
	}
	built, err := models.Build(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	m := built.(*solids.Case)
	before := heap()
	s, err := elastic.New(context.Background(), m.Model, m.Options)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
	// The plan of a run counts three of these: its twin has steps of other lengths.
	need := s.Need()
	got, want := heap()-before, without(need, "work of the start")
	t.Logf("%.3g MB, predicted %v without the start: %.2f", got/1e6, need, want/got)
	if want < 0.8*got || want > 1.5*got {
		t.Errorf("%.4g bytes, predicted %.4g: %v", got, want, need)
	}
	if all := m.Plan().Need.Total(); all < need.Total() {
		t.Errorf("the run needs %d bytes, its stepper alone %d", all, need.Total())
	}
	runtime.KeepAlive(s)
	if c, err = models.Grammar().Decode("block.json", fmt.Appendf(nil, text, "30MB")); err != nil {
		t.Fatal(err)
	}
	if _, err := models.Build(context.Background(), c); err == nil || !strings.Contains(err.Error(), "$.mesh: the run needs") {
		t.Errorf("%v", err)
	}
}
