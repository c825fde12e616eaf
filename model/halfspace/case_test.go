package halfspace

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/internal/thorough"
	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

func decode(text string) (*casefile.Case, error) {
	return run.Grammar([]*run.Model{&Model}).Decode("case.json", []byte(text))
}

func prepared(t *testing.T, text string) *Case {
	t.Helper()
	k, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
	c, err := build(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return c.(*Case)
}

// pressed is a valid case; the tests replace parts of it.
const pressed = `{
  "name": "pressed", "model": "halfspace", "until": 1, "steps": 4,
  "window": {"elements": [12, 8], "size": [3, 2]},
  "body": {"young": 1, "poisson": 0.3},
  "on": "similar",
  "profile": {"sphere": 1},
  "friction": {"mu": 0.3},
  "control": {"normal": {"load": 0.1}, "x": {"shift": 0}}
}`

func edit(t *testing.T, old, with string) string {
	t.Helper()
	if !strings.Contains(pressed, old) {
		t.Fatalf("the valid case has no %s", old)
	}
	return strings.Replace(pressed, old, with, 1)
}

// TestFaults: what is wrong with a case is named with its place, its number and what is
// wanted, whether the schema finds it or the model.
func TestFaults(t *testing.T) {
	prepared(t, pressed)
	for _, c := range []struct{ name, old, with, want string }{
		{"elements", `[12, 8]`, `[12, 0]`, "case.json:3:31: $.window.elements[1]: found 0, want a number >= 1"},
		{"size", `"size": [3, 2]`, `"size": [3, -2]`, "$.window.size[1]: found -2, want a number > 0"},
		{"periodic shape", `[12, 8], "size": [3, 2]`, `[10, 8], "size": [3, 2], "kind": "periodic"`,
			"$.window: halfspace: a periodic window has 2^a·{1, 3, 9} elements a side, a >= 2, such as 12×8, not 10×8"},
		{"two moduli", `"young": 1`, `"young": 1, "shear": 1`, `$.body: want "young" or "shear", one of them`},
		{"no modulus", `"young": 1, `, ``, `$.body: want "young" or "shear", one of them`},
		{"two moduli below", `"on": "similar"`, `"on": {"young": 1, "shear": 2}`, `$.on: want "young" or "shear", one of them`},
		{"poisson", `"poisson": 0.3`, `"poisson": 0.6`, "$.body.poisson: found 0.6, want a number <= 0.5"},
		{"radius", `"sphere": 1`, `"sphere": 0`, "$.profile.sphere: found 0, want a number > 0"},
		{"file outside", `"sphere": 1`, `"csv": "../heights.csv"`,
			`$.profile.csv: found "../heights.csv", want a file beside the case or below it`},
		{"one-way friction", `"mu": 0.3`, `"mu": [0.3, 0]`, "$.friction.mu: found [0.3 0], want friction in both directions or in none"},
		{"shift of the normal", `"load": 0.1`, `"shift": 0.1`, `$.control.normal.shift: the key "shift" has no effect here, want approach`},
		{"approach along the surface", `"shift": 0`, `"approach": 0`,
			`$.control.x.approach: the key "approach" has no effect here, want shift or load`},
		{"creepage at rest", `"shift": 0`, `"creepage": 0`, `$.control.x.creepage: the key "creepage" has no effect here`},
		{"shift while rolling", `"until": 1`, `"steady": [0.1, 0], "until": 1`,
			`$.control.x.shift: the key "shift" has no effect here, want creepage or load`},
		{"load without friction", `"friction": {"mu": 0.3},
  "control": {"normal": {"load": 0.1}, "x": {"shift": 0}}`, `"control": {"normal": {"load": 0.1}, "x": {"load": 0}}`,
			"$.control.x.load: found a load along the surface, which nothing bears without friction"},
		{"two ways of rolling", `"control": {`, `"rolled": [0, 0], "steady": [0.1, 0], "control": {`,
			"$.steady: found rolled and steady, want one of them"},
		{"a long way", `"shift": 0}}`, `"creepage": 0}}, "steady": [0.6, 0]`,
			"$.steady: found a way of 2.4 elements, want about one, 0.001 to 2"},
		{"hardly a way", `"shift": 0}}`, `"creepage": 0}}, "steady": [0, 1e-9]`, "$.steady: found a way of 4e-09 elements"},
		{"no way", `"shift": 0}}`, `"creepage": 0}}, "steady": [0, 0]`, "$.steady: found no way, want about an element"},
		{"stress of nothing", `"steps": 4`, `"steps": 4, "stress": {"body": "upper"}`, `$.stress: want "points" or "planes"`},
		{"stress above", `"steps": 4`, `"steps": 4, "stress": {"planes": [-1]}`, "$.stress.planes[0]: found -1, want a number >= 0"},
		{"stress at an edge", `"steps": 4`, `"steps": 4, "stress": {"points": [[0, 0, 0]]}`,
			"$.stress.points[0]: halfspace: the stress at (0, 0, 0), the edge of an element, is not finite"},
		{"stress in a rigid body", `"on": "similar"`, `"stress": {"body": "lower", "planes": [0.1]}`,
			`$.stress.body: found "lower", which is rigid`},
		{"threshold", `"mu": 0.3`, `"threshold": -1`, "$.friction.threshold: found -1, want a number >= 0"},
		{"memory", `"steps": 4`, `"steps": 4, "solver": {"memory": 1000}`, "$.window.elements: the run needs "},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, err := decode(edit(t, c.old, c.with))
			if err == nil {
				_, err = build(t.Context(), k)
			}
			if _, ok := errors.AsType[*casefile.Error](err); !ok || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want a *casefile.Error with %q", err, c.want)
			}
		})
	}
}

// TestProfileFile: undeformed gaps from a file, with what spreadsheets and loggers add to it,
// are those of the formula, to the last bit; a file of another shape is named with its line.
func TestProfileFile(t *testing.T) {
	want := prepared(t, pressed).Problem.Gap
	rows := make([]string, 8)
	for j := range rows {
		cells := make([]string, 12)
		for i := range cells {
			cells[i] = strconv.FormatFloat(want[i+12*j], 'g', -1, 64)
		}
		rows[j] = strings.Join(cells, ", ")
	}
	build := func(text string) (*Case, error) {
		path := filepath.Join(t.TempDir(), "case.json")
		if err := os.WriteFile(filepath.Join(filepath.Dir(path), "heights.csv"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		k, err := run.Grammar([]*run.Model{&Model}).Decode(path, []byte(edit(t, `"sphere": 1`, `"csv": "heights.csv"`)))
		if err != nil {
			t.Fatal(err)
		}
		c, err := build(t.Context(), k)
		if err != nil {
			return nil, err
		}
		return c.(*Case), nil
	}
	c, err := build("\ufeff# of a profilometer\r\n" + strings.Join(rows, "\r\n") + "\r\n")
	if err != nil || !slices.Equal(c.Problem.Gap, want) {
		t.Fatalf("gaps of the file differ from those of the formula (%v)", err)
	}
	for _, bad := range []struct{ text, want string }{
		{strings.Join(rows[:7], "\n"), "$.profile.csv: line 8 of heights.csv: EOF, want 8 lines of 12 numbers"},
		{strings.Join(rows, "\n") + "\n" + rows[0], "$.profile.csv: heights.csv has more than 8 lines"},
		{strings.Replace(strings.Join(rows, "\n"), ",", ";", 1), "$.profile.csv: line 1 of heights.csv: "},
		{strings.Join(rows[:7], "\n") + "\n" + strings.Repeat("nan,", 11) + "1",
			`line 8 of heights.csv: found "nan", want a number of at most 1e+30 in size`},
	} {
		if _, err := build(bad.text); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("error %v, want %q", err, bad.want)
		}
	}
}

// TestHertzMindlin runs a case of steel balls in SI units, pressed by P up to t = 1 and
// dragged by Q up to t = 2, in a window that is neither square nor centred, against Hertz
// and Cattaneo–Mindlin, who are exact for ν = 0 [Johnson85, (4.22) to (4.24), (7.42)]:
//
//	a³ = 3PR/4E*,  δ = a²/R,  p₀ = 3P/2πa²,  U = ⅖Pδ,  δ_x = 3μP/4aG (1 − (1 − Q/μP)^⅔)
//
// with 2·2/G of the two bodies in 3μP/16a Σ(2 − ν)/G; a disc of (1 − Q/μP)^⅔ of the area
// sticks. What is left is the grid's: 18 elements in the radius.
func TestHertzMindlin(t *testing.T) {
	const young, radius, mu, load, drag = 210e9, 0.01, 0.25, 50, -8.
	const shear, modulus = young / 2, young / 2 // G and E* of ν = 0, two bodies
	a := math.Cbrt(3 * load * radius / (4 * modulus))
	stick := math.Pow(1+drag/(mu*load), 2./3)
	side := a / 18
	text := fmt.Sprintf(`{
  "name": "balls", "model": "halfspace", "until": 2, "steps": 16, "accuracy": 0.01,
  "mesh": "given", "window": {"elements": [45, 43], "size": [%g, %g], "centre": [%g, %g]},
  "body": {"young": %g}, "on": "similar", "profile": {"sphere": %g}, "friction": {"mu": %g},
  "control": {"normal": {"load": {"table": [[0, 0], [1, %d]]}}, "x": {"load": {"table": [[1, 0], [2, %g]]}}},
  "expect": [`, 45*side, 43*side, 2.3*side, -1.6*side, young, radius, mu, load, drag)
	expected(t, text, []expectation{
		// Displacements and energies are means over the contact, of the second order in 1/18:
		// a third of (1/18)².
		{`"approach"`, a * a / radius, 1e-3},
		{`"elastic_energy", "time": 1`, 2. / 5 * load * a * a / radius, 1e-3},
		{`"shift", "axis": "x"`, -3 * mu * load / (4 * a * shear) * (1 - stick), 1e-3},
		// The pressure's top is flat, the mean over the element in the middle (1/18)²/12 below it.
		{`"pressure"`, 3 * load / (2 * math.Pi * a * a), 4e-4},
		// Elements are counted whole: those on the edge are 2/18 of all, a quarter of them wrongly.
		{`"area"`, math.Pi * a * a, 0.03},
		{`"stick_share"`, stick, 0.03},
		// Prescribed, with the sign of loads on the upper body.
		{`"load", "axis": "x"`, drag, 1e-9},
		{`"load"`, load, 1e-9},
	})
}

// expected is a case with its expectations, of relative tolerances, run.
func expected(t *testing.T, text string, list []expectation) {
	t.Helper()
	for i, x := range list {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(`{"quantity": %s, "value": %.17g, "tolerance": %g}`, x.quantity, x.value, x.relative*math.Abs(x.value))
	}
	k, err := decode(text + "]}")
	if err != nil {
		t.Fatal(err)
	}
	task, err := run.New(t.Context(), k, &Model, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := task.Loosely(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Certified || !s.Met {
		t.Errorf("%s: %s", s.Status, s.Message)
	}
	for _, o := range s.Expectations {
		t.Logf("%s: %.6g, want %.6g: %.2g", o.Label, *o.Value, *o.Want, *o.Value / *o.Want - 1)
	}
}

type expectation struct {
	quantity        string
	value, relative float64
}

// TestTresca shears balls whose friction is τ₀ wherever they touch. With ν = 0 tractions along
// the surface are q = −(1/r) d/dr ∫ ψ t dt/√(t² − r²), ψ = (2τ₀/π)√(a² − t²) where they slip,
// r > c, and constant where they stick, as under a flat punch:
//
//	Q = 2τ₀ (a² acos(c/a) + c√(a² − c²)),  δ_x = (2τ₀/E*) √(a² − c²)
func TestTresca(t *testing.T) {
	thorough.Seconds(t)
	const a, stick, threshold = 0.1, 0.6, 0.01 // E* = 1
	across := a * math.Sqrt(1-stick*stick)
	drag := 2 * threshold * (a*a*math.Acos(stick) + stick*a*across)
	text := fmt.Sprintf(`{
  "name": "tresca", "model": "halfspace", "until": 2, "steps": 30,
  "mesh": "given", "window": {"elements": [61, 61], "size": [0.24, 0.24]},
  "body": {"young": 2}, "on": "similar", "profile": {"sphere": 1}, "friction": {"threshold": %g},
  "control": {"normal": {"load": {"table": [[0, 0], [1, %.17g]]}}, "x": {"load": {"table": [[1, 0], [2, %.17g]]}}},
  "expect": [`, threshold, 4./3*a*a*a, drag)
	expected(t, text, []expectation{
		// Elements on the edge, where τ₀ acts in full, count whole: with 25 in the radius the area
		// is 1 % too large. The stick zone, 1 − c²/a², takes that four times.
		{`"shift", "axis": "x"`, 2 * threshold * across, 0.015},
		{`"stick_share"`, stick * stick, 0.08},
		{`"traction_share"`, drag / (math.Pi * a * a * threshold), 0.015},
		{`"approach"`, a * a, 1e-3},
	})
}

// TestStress presses a ball of ν = 0.3: on the axis σ_r = p₀(½/(1 + ζ²) − (1 + ν)(1 − ζ acot ζ)),
// σ_z = −p₀/(1 + ζ²), ζ = z/a [Johnson85, (3.45)], so that the stress of von Mises is largest
// with .620 p₀ in the depth .481 a.
func TestStress(t *testing.T) {
	const a, nu, depth = 0.1, 0.3, 0.0481
	modulus := 1 / (1 - nu*nu)
	pressure := 2 / math.Pi * modulus * a // R = 1
	axial := func(z float64) float64 {
		zeta := z / a
		return pressure * math.Abs(1.5/(1+zeta*zeta)-(1+nu)*(1-zeta*math.Atan(1/zeta)))
	}
	text := fmt.Sprintf(`{
  "name": "stressed", "model": "halfspace", "until": 1, "steps": 20,
  "mesh": "given", "window": {"elements": [41, 41], "size": [0.24, 0.24]},
  "body": {"young": 1, "poisson": %g}, "profile": {"sphere": 1},
  "stress": {%%s},
  "control": {"normal": {"load": {"table": [[0, 0], [1, %.17g]]}}},
  "expect": [`, nu, 4./3*modulus*a*a*a)
	for where, want := range map[string]float64{
		fmt.Sprintf(`"planes": [0.02, %g, 0.08]`, depth): axial(depth),
		`"points": [[0, 0, 0.08], [0.05, 0, 0.3]]`:       axial(0.08),
	} {
		expected(t, fmt.Sprintf(text, where), []expectation{{`"mises"`, want, 2e-3}}) // of the edge, a part of an element
	}
}

// TestResume makes every step twice: in a run that goes through, and in one of a case
// built anew that has nothing but the checkpoint after the step before, as package gob
// gives it. The checkpoints after the step are the same, byte by byte: with the state and
// all that the verdict depends on.
func TestResume(t *testing.T) {
	for name, text := range map[string]string{
		"dragged": edit(t, `"x": {"shift": 0}`, `"x": {"shift": {"table": [[0, 0], [1, 0.02]]}}, "tilt_y": {"load": {"table": [[0, 0], [1, 0.003]]}}`),
		"rolling": edit(t, `"x": {"shift": 0}}`, `"x": {"shift": 0.001}}, "rolled": {"table": [[0, [0, 0]], [1, [0.7, 0.1]]]}`),
		"steady":  edit(t, `"x": {"shift": 0}}`, `"x": {"creepage": {"table": [[0, 0], [1, 0.01]]}}}, "steady": [0.25, 0]`),
		"unlike":  edit(t, `"on": "similar"`, `"on": {"young": 5}`),
		"rough, periodic": strings.NewReplacer(`[12, 8]`, `[16, 16]`, `"size": [3, 2]`, `"size": [3, 3], "kind": "periodic"`, `"sphere": 1`,
			`"rough": {"height": 0.01, "hurst": 0.8}`, `"load": 0.1`, `"load": {"table": [[0, 0.01], [1, 0.05]]}`,
			`"x": {"shift": 0}`, `"x": {"load": 0.001}`).Replace(pressed),
	} {
		t.Run(name, func(t *testing.T) {
			whole := began(t, text, nil)
			for range whole.c.plan.Steps {
				resumed := began(t, text, checkpoint(t, whole))
				stepped(t, whole)
				stepped(t, resumed)
				if !bytes.Equal(checkpoint(t, resumed), checkpoint(t, whole)) {
					t.Errorf("step %d: resumed %+v, want %+v", whole.step, resumed.node, whole.node)
				}
			}
		})
	}
}

// began starts a case, built anew, from a checkpoint (nil: from the start).
func began(t *testing.T, text string, from []byte) *Run {
	t.Helper()
	var d run.Decoder
	if from != nil {
		d = gob.NewDecoder(bytes.NewReader(from))
	}
	r, err := prepared(t, text).Start(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return r.(*Run)
}

// stepped makes a step and takes it into the totals.
func stepped(t *testing.T, r *Run) {
	t.Helper()
	if err := r.Step(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := r.Row(r.step, &run.Output{Tables: table.Discard(r.c.plan.Layout)}); err != nil {
		t.Fatal(err)
	}
}

func checkpoint(t *testing.T, r *Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(r.Save()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestNothingChanges: loads that do not change exchange no energy, and what two solutions of the
// same step differ by is judged by what a duality gap resolves, in any unit and number of steps.
func TestNothingChanges(t *testing.T) {
	for _, on := range []string{`"similar"`, `"rigid"`} {
		for _, load := range []string{"1e-9", "0.1", "1e6"} {
			for _, steps := range []int{1, 7} {
				text := strings.NewReplacer(`"load": 0.1`, `"load": `+load, `"on": "similar"`, `"on": `+on,
					`"young": 1`, `"young": 1`+strings.TrimPrefix(load, "0.1"), `"steps": 4`,
					fmt.Sprintf(`"steps": %d, "mesh": "given"`, steps)).Replace(pressed)
				r := began(t, text, nil)
				if err := r.Row(0, &run.Output{Tables: table.Discard(r.c.plan.Layout)}); err != nil {
					t.Fatal(err)
				}
				for range steps {
					stepped(t, r)
				}
				for _, f := range r.Verdict() {
					if !f.Passed {
						t.Errorf("on %s, load %s, %d steps: %s: %g > %g %s", on, load, steps, f.Name, f.Value, f.Limit, f.Unit)
					}
				}
			}
		}
	}
}

// TestCutOff: a run whose contact reaches the edge of its window is not certified, by run and diagnose,
// unless the case accepts that: a ball is larger than its window, a block may end there.
func TestCutOff(t *testing.T) {
	for accept, certified := range map[string]bool{"": false, `"accept": ["window"],`: true} {
		x := trial.Run(t, `{"name": "cut", "model": "halfspace", "until": 1, "steps": 2, "mesh": "given", `+accept+`
  "window": {"elements": [9, 9], "size": [0.24, 0.24]}, "body": {"young": 2}, "profile": {"sphere": 1}, "control": {"normal": {"load": 1}}}`,
			&Model)
		d := x.Diagnose(t)
		if run.Certified(x.Summary) != certified || run.Certified(d) != certified {
			t.Errorf("accept %q: certified is %t, by diagnose %t", accept, run.Certified(x.Summary), run.Certified(d))
		}
		if f := run.Failure(x.Summary); !certified && !strings.Contains(f, `larger "size" of the window`) {
			t.Error(f)
		}
	}
}

// TestEdge: who presses a ball so deep that it touches the end of the window is told, but not of a
// strip or a surface that repeats.
func TestEdge(t *testing.T) {
	for _, test := range []struct {
		window string
		load   float64
		edge   bool
	}{
		{`"elements": [9, 9], "size": [0.24, 0.24]`, 1e-4, false},
		{`"elements": [9, 9], "size": [0.24, 0.24]`, 1, true},
		{`"elements": [9, 1], "size": [0.24, 0.24], "kind": "plane strain"`, 1e-4, false},
		{`"elements": [9, 1], "size": [0.24, 0.24], "kind": "plane strain"`, 1, true},
		{`"elements": [16, 16], "size": [0.24, 0.24], "kind": "periodic"`, 1, false},
	} {
		k, err := decode(fmt.Sprintf(`{"name": "edge", "model": "halfspace", "until": 1, "steps": 1, "window": {%s},
  "body": {"young": 2}, "profile": {"sphere": 1}, "control": {"normal": {"load": %g}}}`, test.window, test.load))
		if err != nil {
			t.Fatal(err)
		}
		c, err := build(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Start(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		h := r.(*Run)
		h.count(0)
		if (h.sum.Edge > 0) != test.edge || h.sum.Contacts == 0 {
			t.Errorf("%s, %g N: %d of %d elements at the edge, want %t", test.window, test.load, h.sum.Edge, h.sum.Contacts, test.edge)
		}
	}
}
