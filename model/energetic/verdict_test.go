package energetic

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/energetic"
	"github.com/quasistatic/quasistatic/table"
)

// changed reads a case and changes it: a value by its key at the top, nil deletes it.
func changed(t *testing.T, name string, change map[string]any) map[string]any {
	t.Helper()
	text, err := os.ReadFile("../../cases/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	delete(doc, "expect")
	for k, v := range change {
		if v == nil {
			delete(doc, k)
		} else {
			doc[k] = v
		}
	}
	return doc
}

func value(text string) (v any) {
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(err)
	}
	return v
}

// steps makes the model of a document and steps through it as the command line does.
func steps(t *testing.T, doc map[string]any) (*Case, *energetic.Evolution, []*energetic.Jump) {
	t.Helper()
	ctx := context.Background()
	m := buildOf(t, doc)
	if m.Chosen {
		if err := (&Run{c: m}).choose(ctx); err != nil {
			t.Fatal(err)
		}
	}
	e, err := energetic.Start(ctx, m.Psi, m.Z0, m.Options)
	if err != nil {
		t.Fatal(err)
	}
	var jumps []*energetic.Jump
	for s := 1; s <= m.plan.Steps; s++ {
		jump, err := e.StepProbing(ctx, m.Time(s), func(*energetic.Node) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if jump != nil {
			jumps = append(jumps, jump)
		}
	}
	return m, e, jumps
}

const oneTether = `{"name": "one", "model": "energetic", "friction": {"dry": {"mu": 0.4}}, "particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}],
 "anchors": [{"id": "u", "at": {"sine": {"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]}}}],
 "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]}]`

// TestVerdicts: runs that are solved and yet wrong are not certified, and what is said
// first names the cause; their repair is.
func TestVerdicts(t *testing.T) {
	steep := value(`{"dry": {"mu": 1e6}}`)
	blocks := func(drag, steps float64) map[string]any {
		doc := changed(t, "press-and-drag", map[string]any{"until": 10., "steps": steps})
		first := doc["energies"].([]any)[0].(map[string]any)
		var second map[string]any
		text, _ := json.Marshal(first)
		_ = json.Unmarshal(text, &second) // of what was just made
		second["id"] = "other"
		second["mesh"].(map[string]any)["block"].(map[string]any)["corner"] = []any{1.05, 0.}
		first["prescribed"].([]any)[0].(map[string]any)["motion"] = map[string]any{"table": []any{[]any{0., 0.},
			[]any{5., 0.}, []any{10., drag}}}
		doc["energies"] = []any{first, second}
		return doc
	}
	for _, c := range []struct {
		name      string
		doc       map[string]any
		certified bool
		first     string // of the reason
	}{
		{"nodes at the zeros of a sine", value(oneTether + `, "until": 5, "steps": 5}`).(map[string]any), false, "stability"},
		{"the same in steps that see it", value(oneTether + `, "until": 5, "steps": 1400}`).(map[string]any), true, ""},
		{"the same in steps that are chosen", value(oneTether + `, "until": 5}`).(map[string]any), true, ""},
		{"γ above all normal forces", value(oneTether + `, "until": 2, "steps": 200, "gamma": 100}`).(map[string]any), false, "friction"},
		{"five steps of grazing", changed(t, "grazing", map[string]any{"steps": 5.}), false, "friction"},
		{"lagged thresholds of a pressed block", changed(t, "press-and-drag", map[string]any{"threshold": "lagged"}), false, "stability"},
		{"by default they are implicit", changed(t, "press-and-drag", map[string]any{"threshold": nil}), true, ""},
		{"steep friction, lagged", changed(t, "grazing-lagged", map[string]any{"until": .012, "steps": 12., "friction": steep}), false, ""},
		{"a block through another", blocks(.19, 20), false, "overlap"},
		{"a block beside another", blocks(.02, 60), true, ""},
		{"a table whose knot lies between nodes", value(strings.Replace(oneTether,
			`{"sine": {"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]}}`,
			`{"table": [[0, [0, 0, -0.3]], [0.5, [0.25, 0, -0.3]], [0.55, [1, 0, -0.3]], [0.6, [0.25, 0, -0.3]], [1, [0, 0, -0.3]]]}`,
			1) + `, "until": 1, "steps": 2}`).(map[string]any), false, "friction"},
	} {
		_, e, jumps := steps(t, c.doc)
		s := e.Summary()
		if s.Certified != c.certified || !strings.Contains(s.First, c.first) || len(jumps) > 0 {
			t.Errorf("%s: certified %t, %q, %d jumps", c.name, s.Certified, s.First, len(jumps))
		}
		if !s.Solved {
			t.Errorf("%s: %s", c.name, s.First)
		}
	}
}

// TestFarCorner: press-and-drag ten metres off gives the forces of its description.
func TestFarCorner(t *testing.T) {
	doc := changed(t, "press-and-drag", map[string]any{"until": 10., "steps": 10., "threshold": nil})
	body := doc["energies"].([]any)[0].(map[string]any)
	body["mesh"].(map[string]any)["block"].(map[string]any)["corner"] = []any{10., 0.}
	// The drag ends at t = 25 in the table; to t = 10 the steps are the same.
	m, e, _ := steps(t, doc)
	var normal, along float64
	for j := range m.Psi.System.N() {
		if n := e.Node(); m.Psi.Touches(0, j, n.Z) {
			normal += n.Grad[3*j+2]
			along += n.Grad[3*j]
		}
	}
	if s := e.Summary(); s.FellBack > 0 || !s.Certified {
		t.Errorf("%d steps fell back; %s", s.FellBack, s.First)
	}
	if math.Abs(normal-25.633680) > 1e-6 || math.Abs(along+3.600211) > 1e-6 {
		t.Errorf("N, T = %.7g, %.7g, want 25.633680, -3.600211", normal, along)
	}
}

// TestStiffBystander: a particle is solved and judged as if the decoupled one beside
// it, up to 1e13 times stiffer, were not there; and its faults are seen.
func TestStiffBystander(t *testing.T) {
	const both = `{"name": "two", "model": "energetic", "until": 2, "friction": {"dry": {"mu": 0.4}},
	 "particles": [{"id": "p", "at": [0, 0, 0], "friction": "dry"}, {"id": "q", "at": [5, 0, 0], "friction": "dry"}],
	 "anchors": [{"id": "u", "at": {"sine": {"amplitude": [1, 0, 0], "frequency": 1, "offset": [0, 0, -0.3]}}},
	  {"id": "w", "at": {"table": [[0, [5, 0, -0.3]], [2, [6, 0, -0.3]]]}}],
	 "energies": [{"type": "tether", "particle": "p", "anchor": "u", "stiffness": [2, 2, 5]},
	  {"type": "tether", "particle": "q", "anchor": "w", "stiffness": [2e13, 2e13, 5e13]}], "steps": `
	_, e, _ := steps(t, value(both+"800}").(map[string]any))
	if s := e.Summary(); !s.Certified {
		t.Error(s.First)
	}
	// The anchor comes up through 0 at t = 2; the particle lies its play, 0.3 m, behind.
	if x := e.Node().Z[0]; math.Abs(x+0.3) > 1e-10 {
		t.Errorf("x = %.12g, want -0.3", x)
	}
	_, e, _ = steps(t, value(both+"2}").(map[string]any)) // at the zeros of p's sine
	if s := e.Summary(); s.Certified || !strings.Contains(s.First, "particle 0") {
		t.Errorf("certified %t: %s", s.Certified, s.First)
	}
}

// TestNoFalseJump: example 2 with coupled stiffness satisfies (N4), and so has no
// jump, though its lagged steps run away for some time.
func TestNoFalseJump(t *testing.T) {
	for _, coupling := range []float64{0.5, 1.8, -1, -1.8} {
		doc := changed(t, "grazing", map[string]any{"steps": 2400., "threshold": "lagged", "friction": value(`{"dry": {"mu": 1.05}}`)})
		doc["energies"].([]any)[0].(map[string]any)["stiffness"] = []any{[]any{2., 0., coupling}, []any{0., 2., 0.},
			[]any{coupling, 0., 5.}}
		if _, _, jumps := steps(t, doc); len(jumps) > 0 {
			t.Errorf("coupling %g: %v", coupling, jumps[0])
		}
	}
}

// TestCutTables: of a run that is certified, a trajectory that was cut is named with the time from
// which rows are missing, whatever else follows from that; so are a row that is gone from the
// middle of it, one that another table has twice, and a table that ends before it, or was all cut
// with the others.
func TestCutTables(t *testing.T) {
	doc := object{"name": "pulled", "model": "energetic", "until": 2.0, "steps": 20.0, "friction": object{"dry": object{"mu": 0.3}},
		"particles": []any{object{"id": "p", "at": []any{0.0, 0.0, 0.0}, "friction": "dry"}},
		"anchors": []any{object{"id": "a", "at": object{"table": []any{[]any{0.0, []any{0.0, 0.0, -1.0}},
			[]any{2.0, []any{2.0, 0.0, -1.0}}}}}},
		"energies": []any{object{"type": "tether", "particle": "p", "anchor": "a", "stiffness": 2.0}},
		"expect":   []any{object{"quantity": "position", "particle": "p", "axis": "x", "value": 1.7, "tolerance": 1e-9}}}
	x := tried(t, doc)
	if !x.Summary.Certified {
		t.Fatal(x.Summary.Message)
	}
	rows := func(file string) []string {
		text, err := os.ReadFile(filepath.Join(x.Dir, file))
		if err != nil {
			t.Fatal(err)
		}
		return strings.SplitAfter(string(text), "\n")
	}
	cut := func(n int) func(l []string) []string { return func(l []string) []string { return l[:n] } }
	all := []string{table.TrajectoryFile, table.ForcesFile, table.CertificatesFile, table.EventsFile}
	for _, c := range []struct {
		name   string
		files  []string
		change func(l []string) []string
		want   string
	}{
		{"cut", all[:1], cut(9), "trajectory.csv ends at t=0.7, forces.csv goes on: rows from t=0.8 on are missing"},
		{"cut in a number", all[:1], func(l []string) []string { return append(l[:9:9], l[9][:5]) },
			"trajectory.csv ends at t=0.7, forces.csv goes on: rows from t=0.8 on are missing"},
		{"gone", all[:1], func(l []string) []string { return slices.Delete(slices.Clone(l), 9, 10) },
			"the node at t=0.8, which the case plans, is missing"},
		{"twice", all[1:2], func(l []string) []string { return slices.Insert(slices.Clone(l), 9, l[9]) },
			"forces.csv has another row at t=0.9 than the trajectory: t=0.8"},
		{"shorter", all[2:3], cut(9), "certificates.csv ends before t=0.8"},
		{"all of them", all, func(l []string) []string { return l[:min(len(l), 9)] }, "the trajectory ends at t=0.7, the case at t=2"},
		{"the header alone", all[:1], cut(1), "there is no state, not even a start"},
	} {
		before := map[string][]string{}
		for _, file := range c.files {
			l := rows(file)
			before[file] = l
			if err := os.WriteFile(filepath.Join(x.Dir, file), []byte(strings.Join(c.change(l), "")), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if s := diagnosed(t, x, doc); s.Certified || !strings.Contains(s.Message, c.want) {
			t.Errorf("%s: certified %v, %q, want %q", c.name, s.Certified, s.Message, c.want)
		}
		for file, l := range before {
			if err := os.WriteFile(filepath.Join(x.Dir, file), []byte(strings.Join(l, "")), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
