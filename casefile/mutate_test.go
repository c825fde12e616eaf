package casefile_test

import (
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

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/internal/thorough"
	particles "github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/run"
)

// mutant changes valid JSON into other valid JSON that is mostly still a case, so
// that Faults get past the schema and into the building.
type mutant struct {
	*rand.Rand
	pool []any // values seen, to be put elsewhere
}

// odd are values that break things.
var odd = []any{0.0, -1.0, 1.0, 0.5, math.Copysign(0, -1), 1e-60, 1e30, -1e30, 1e300, 5e-324, 1e16, 3.0, "", "none",
	"a", "p", "x", "floor", "hook",
	true, nil, []any{}, map[string]any{}, []any{0.0, 0.0, 0.0}, []any{1.0, 0.0, 0.0}, []any{0.0, 0.0, -1.0},
	[]any{1e30, 1e30, 1e30}, 2.0, 1e8}

// collect remembers the values below v and returns how many there are.
func (m *mutant) collect(v any) int {
	m.pool = append(m.pool, v)
	n := 1
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += m.collect(e)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			n += m.collect(v[k])
		}
	}
	return n
}

func (m *mutant) change(v any, p float64) any {
	if m.Float64() < p {
		switch m.IntN(4) {
		case 0:
			return m.pool[m.IntN(len(m.pool))]
		case 1:
			if f, ok := v.(float64); ok {
				return f * math.Pow(10, float64(m.IntN(40)-20))
			}
			return v
		default:
			return odd[m.IntN(len(odd))]
		}
	}
	switch v := v.(type) {
	case []any:
		list := make([]any, 0, len(v)+1)
		for _, e := range v {
			if m.Float64() >= p/2 {
				list = append(list, m.change(e, p))
			}
		}
		if len(v) > 0 && m.Float64() < p {
			list = append(list, v[m.IntN(len(v))])
		}
		return list
	case map[string]any:
		object := map[string]any{}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if m.Float64() >= p/4 {
				object[k] = m.change(v[k], p)
			}
		}
		return object
	}
	return v
}

// FuzzMutant builds changed cases, and runs those that can be built for some
// steps: errors are fine, panics, hangs and numbers that are none are not.
func FuzzMutant(f *testing.F) {
	files, err := filepath.Glob("../cases/*.json")
	if err != nil {
		f.Fatal(err)
	}
	texts := [][]byte{[]byte(valid), []byte(slope)}
	for i, name := range files {
		if i%12 > 0 && !thorough.SecondsAsked() {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 10000 && !strings.Contains(name, "press-and-drag-3d") { // seconds a step, if it is made ill-posed
			texts = append(texts, data)
		}
	}
	fuzzMutants(f, texts, 4, func(t *testing.T, which int, built run.Case, text string) {
		if c, ok := built.(*particles.Case); ok {
			advance(t, c, text)
		} else if which > 0 {
			march(t, built, text)
		}
	})
}

// fuzzMutants changes cases, each by so many seeds at least, and gives those that can be
// built to try, with the number of the text that was changed.
func fuzzMutants(f *testing.F, texts [][]byte, each int, try func(t *testing.T, which int, built run.Case, text string)) {
	var seeds []any
	for i, text := range texts {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			f.Fatal(err)
		}
		seeds = append(seeds, v)
		for k := range each {
			f.Add(uint8(i), uint64(k))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		m := &mutant{Rand: rand.New(rand.NewPCG(seed, uint64(which)))}
		base := seeds[int(which)%len(seeds)]
		n := m.collect(base)
		text, err := json.Marshal(m.change(base, 2/float64(n)))
		if err != nil {
			return // no case: a number that JSON has no word for
		}
		if built, err := decode("fuzz.json", string(text)); err == nil {
			try(t, int(which), built, string(text))
		}
	})
}

// advance makes some steps of a model.
func advance(t *testing.T, m *particles.Case, text string) {
	evolution, err := energetic.Start(context.Background(), m.Psi, m.Z0, m.Options)
	for k := 1; k <= min(m.Plan().Steps, 5) && err == nil; k++ {
		err = evolution.Step(context.Background(), m.Time(k))
		for i, z := range evolution.Node().Z {
			if math.IsNaN(z) || math.IsInf(z, 0) {
				t.Fatalf("z[%d] = %g after step %d of\n%s", i, z, k, text)
			}
		}
	}
}
