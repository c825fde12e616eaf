package main

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// mutant is a case of which a few values were changed at random: what it says is
// mostly wrong, but it is nearly right JSON, and gets far.
type mutant struct {
	*rand.Rand
	donors []any // trees of other cases, parts of which are grafted in
	left   int   // changes to make
}

// oddNumbers are those at which formulas break.
var oddNumbers = []float64{0, -1, 1, 2, 3, 0.5, math.Copysign(0, -1), 1e-3, 1e3, 1e6, 1e15, 1e-15, 1e20, -1e20, 1e30, -1e30, 1e-30, 1e-60, 5e-324, 1<<53 + 2, 1e-300, 1e300}

// change walks a tree and changes parts of it; of is the share of parts changed.
func (m *mutant) change(v any, of float64) any {
	if m.left > 0 && m.Float64() < of {
		m.left--
		return m.another(v)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			v[key] = m.change(v[key], of)
			if m.left > 0 && m.Float64() < of/3 {
				m.left--
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = m.change(v[i], of)
		}
		if len(v) > 0 && m.left > 0 && m.Float64() < of {
			m.left--
			if i := m.IntN(len(v)); m.IntN(2) == 0 {
				return append(v, v[i]) // twice
			} else {
				return append(v[:i:i], v[i+1:]...)
			}
		}
	}
	return v
}

// another returns something in place of v: mostly of its kind.
func (m *mutant) another(v any) any {
	if m.IntN(8) == 0 {
		return []any{nil, true, "x", "", []any{}, map[string]any{}, 0.0, []any{[]any{[]any{0.0}}}}[m.IntN(8)]
	}
	switch v := v.(type) {
	case float64:
		switch m.IntN(4) {
		case 0:
			return -v
		case 1:
			return v * math.Pow(10, float64(m.IntN(21)-10))
		default:
			return oddNumbers[m.IntN(len(oddNumbers))]
		}
	case string:
		return m.pick(m.donors[m.IntN(len(m.donors))], func(x any) bool { _, ok := x.(string); return ok })
	case map[string]any:
		return m.pick(m.donors[m.IntN(len(m.donors))], func(x any) bool { _, ok := x.(map[string]any); return ok })
	case []any:
		return m.pick(m.donors[m.IntN(len(m.donors))], func(x any) bool { _, ok := x.([]any); return ok })
	}
	return v
}

// pick returns a random part of a tree of a kind; nil if there is none.
func (m *mutant) pick(tree any, kind func(any) bool) any {
	var found any
	n := 0
	var walk func(v any)
	walk = func(v any) {
		if kind(v) {
			if n++; m.IntN(n) == 0 {
				found = v
			}
		}
		switch v := v.(type) {
		case map[string]any:
			for _, key := range sortedKeys(v) {
				walk(v[key])
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	walk(tree)
	return clone(found)
}

func sortedKeys(v map[string]any) []string { return slices.Sorted(maps.Keys(v)) }

// clone copies a tree, so that a change of a part changes nothing else.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		c := map[string]any{}
		for key, x := range v {
			c[key] = clone(x)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, x := range v {
			c[i] = clone(x)
		}
		return c
	}
	return v
}

// fuzzSteps is how far a mutant runs.
const fuzzSteps = 4

// fuzzPatience is how long a mutant runs: what takes longer is stopped as by a user.
const fuzzPatience = 30 * time.Second

// FuzzRun changes cases and runs the first steps of what is accepted: there is no
// panic and no hang, a fault names the file and has exit code 2, and no number of
// what was computed is not finite.
func FuzzRun(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(casesDir, "*.json"))
	if err != nil {
		f.Fatal(err)
	}
	var donors []any
	for _, file := range files {
		if heavy(file) || strings.HasSuffix(file, "pile.json") || strings.HasSuffix(file, "box-stack.json") {
			continue // a body of 10¹⁵ m that meets all others is a contact problem of minutes
		}
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(text, &tree); err != nil {
			f.Fatal(err)
		}
		donors = append(donors, tree)
	}
	every := 5
	if thorough.Asked() {
		every = 1
	}
	for i := 0; i < len(donors); i += every {
		f.Add(uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		m := &mutant{Rand: rand.New(rand.NewPCG(seed, uint64(which))), donors: donors, left: int(seed % 4)}
		tree := m.change(clone(donors[int(which)%len(donors)]), 0.03)
		text, err := json.Marshal(tree)
		if err != nil {
			t.Skip("no JSON can say this")
		}
		fuzzCase(t, text)
	})
}

// fuzzCase runs the first steps of a case.
func fuzzCase(t *testing.T, text []byte) {
	dir := t.TempDir()
	file := write(t, string(text), dir, "mutant.json")
	c, err := open(file)
	var j *run.Task
	if err == nil {
		j, err = newTask(c, filepath.Join(dir, "out"))
	}
	if err != nil {
		if !strings.Contains(err.Error(), "mutant.json") {
			t.Errorf("the fault does not name the file: %v\n%s", err, text)
		}
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), fuzzPatience)
	defer cancel()
	j.OnStep = func(step int) {
		if step >= fuzzSteps {
			cancel()
		}
	}
	if err := j.Run(ctx); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var out bytes.Buffer
	out.WriteString(j.Print())
	s := &j.Summary
	if said := out.String() + s.Message; s.Status != table.Failed && (strings.Contains(said, "NaN") || strings.Contains(said, "Inf")) {
		t.Errorf("not finite:\n%s\n%s", said, text)
	}
	tables, _ := filepath.Glob(filepath.Join(dir, "out", "*.csv")) // the pattern is right
	for _, name := range tables {
		if rows := afterHeader(read(t, name)); strings.Contains(rows, "NaN") || strings.Contains(rows, "Inf") {
			t.Errorf("%s has what is no number\n%s", name, text)
		}
	}
}

// afterHeader is a table without its first line.
func afterHeader(table string) string {
	_, rest, _ := strings.Cut(table, "\n")
	return rest
}
