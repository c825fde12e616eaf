package casefile_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/models"
	"github.com/quasistatic/quasistatic/run"
)

// valid is a case with one of nearly everything; the tests replace parts of it.
const valid = `{
  "name": "drag", "model": "energetic", "until": 2, "steps": 10,
  "obstacles": {"floor": {"point": [0, 0, 0], "normal": [0, 0, 1]}},
  "friction": {"steel": {"mu": 0.4}},
  "particles": [
    {"id": "a", "at": [0, 0, 0], "obstacle": "floor", "friction": "steel", "mass": 1},
    {"id": "b", "at": [1, 0, 0], "obstacle": "floor"}
  ],
  "anchors": [{"id": "hook", "at": {"table": [[0, [0, 0, 0]], [2, [1, 0, 0]]]}}],
  "energies": [
    {"type": "tether", "particle": "a", "anchor": "hook", "stiffness": [2, 2, 5]},
    {"type": "bond", "between": ["a", "b"], "stiffness": 1},
    {"type": "load", "particle": "a", "force": [0, 0, -1]}
  ],
  "gamma": 0,
  "expect": [{"quantity": "position", "particle": "a", "axis": "x", "value": 0.8, "tolerance": 1}]
}`

func decode(name, text string) (run.Case, error) {
	c, err := models.Grammar().Decode(name, []byte(text))
	if err != nil {
		return nil, err
	}
	return models.Build(context.Background(), c)
}

func build(name, text string) (*energetic.Case, error) {
	c, err := decode(name, text)
	if err != nil {
		return nil, err
	}
	return c.(*energetic.Case), nil
}

func TestFaults(t *testing.T) {
	edit := func(old, with string) string {
		if !strings.Contains(valid, old) {
			t.Fatalf("the valid case has no %s", old)
		}
		return strings.Replace(valid, old, with, 1)
	}
	const hook, fast = `{"table": [[0, [0, 0, 0]], [2, [1, 0, 0]]]}`, `{"sine": {"amplitude": [1, 0, 0], "frequency": 1e12}}`
	tooFast := []string{"$.until: found 2, in which the loads have 2e+12 periods of 1e-12 s", "want at most 1e+08 steps"}
	for _, c := range []struct {
		name, text string
		want       []string // parts of the message
	}{
		{"empty file", "", []string{"bad.json:1:1: the file is empty"}},
		{"blank file", " \n\t", []string{"the file is empty"}},
		{"empty case", "{}", []string{"bad.json:1:1: $: the case is empty"}},
		{"array", "[]", []string{"$: found an array of 0, want an object"}},
		{"null", "null", []string{"$: found null, want an object"}},
		{"broken", "{\n  \"name\": \"a\",\n  \"model\" \"energetic\"\n}",
			[]string{"bad.json:3:11: broken JSON: invalid character '\"' after object key"}},
		{"missing comma", "{\n  \"name\": \"a\"\n  \"model\": \"energetic\"\n}",
			[]string{"bad.json:3:3: broken JSON: a comma is missing before '\"', or a closing brace"}},
		{"missing comma of a list", "{\"a\": [1 2]}",
			[]string{"bad.json:1:10: broken JSON: a comma is missing before '2', or a closing bracket"}},
		{"comma at the end", "{\"name\": \"a\",\n}", []string{"bad.json:2:1: broken JSON: a comma too many before '}'"}},
		{"comma at the end of a list", "{\"a\": [1,\n]}", []string{"bad.json:2:1: broken JSON: a comma too many before ']'"}},
		{"key without a value", "{\"a\" }", []string{"bad.json:1:6: broken JSON: invalid character '}' after object key"}},
		{"value without a value", "{\"a\": }", []string{"bad.json:1:7: broken JSON: invalid character '}' looking for beginning of value"}},
		{"bad name", edit(`"steel"`, `"st eel"`), []string{"found the name \"st eel\", want letters"}},
		{"cut off", "{\n  \"name\": \"a\",\n  \"mod", []string{"bad.json:3:7: broken JSON: unexpected end of JSON input"}},
		{"two cases", valid + valid, []string{"bad.json:17:2: broken JSON: invalid character '{' after top-level value"}},
		{"comment", "{ // why\n}", []string{"bad.json:1:3: broken JSON: invalid character '/'"}},
		{"not UTF-8", "{\"name\": \"\xff\"}", []string{"bad.json:1:11: broken JSON: a byte that is not UTF-8"}},
		{"deep", strings.Repeat("[", 5000) + strings.Repeat("]", 5000), []string{"nested deeper than 100 levels"}},
		{"deep sum", edit(`[0, 0, -1]`, strings.Repeat(`{"sum": [`, 200)+"1"+strings.Repeat("]}", 200)),
			[]string{"$.energies[2].force", "nested deeper than 100 levels"}},
		{"key twice", edit(`"gamma": 0`, `"gamma": 0, "gamma": 1`), []string{"$.gamma: the key \"gamma\" occurs twice"}},
		{"overflow", edit(`"until": 2`, `"until": 1e999`),
			[]string{"bad.json:2:50: $.until: found 1e999, want a number of at most 1e+30 in size"}},
		{"overflow, huge exponent", edit(`"until": 2`, `"until": -1e999999999999`),
			[]string{"$.until: found -1e999999999999, want a number"}},
		{"no model", edit(`"model": "energetic", `, ""), []string{"$: the key \"model\" is missing"}},
		{"mistyped model", edit(`energetic`, `energtic`), []string{"unknown model \"energtic\", the nearest valid one is \"energetic\""}},
		{"foreign model", edit(`energetic`, `weather`),
			[]string{"unknown model \"weather\", want one of energetic, compliant, theta, rigid, elastodynamic"}},
		{"model of a wrong type", edit(`"energetic"`, `7`), []string{"$.model: found 7, want one of \"energetic\""}},
		{"unknown key", edit(`"stiffness": [2, 2, 5]`, `"stifness": [2, 2, 5]`),
			[]string{"bad.json:11:71: $.energies[0].stifness: unknown key \"stifness\", the nearest valid one is \"stiffness\"",
				"$.energies[0]: the key \"stiffness\" is missing"}},
		{"unknown key far off", edit(`"gamma": 0`, `"colour": 0`),
			[]string{"$.colour: unknown key \"colour\", valid ones are $schema, accept, accuracy, adaptive, anchors,"}},
		{"key of a later version", edit(`"gamma": 0`, `"solver": {"method": "auto"}`),
			[]string{"the choice of a solver (solver.method) is not available in this version"}},
		{"adaptive without length", edit(`"gamma": 0`, `"adaptive": {}`), []string{"$.adaptive: the key \"max_step\" is missing"}},
		{"adaptive and steps", edit(`"gamma": 0`, `"adaptive": {"max_step": 0.1}`),
			[]string{"$.adaptive: found more than one of steps, step, times and adaptive"}},
		{"on_jump", edit(`"gamma": 0`, `"on_jump": "fly"`), []string{"$.on_jump: found \"fly\", want one of \"continue\", \"stop\""}},
		{"wrong type", edit(`"steps": 10`, `"steps": "ten"`), []string{"$.steps: found \"ten\", want \"events\""}},
		{"wrong type in an array", edit(`[2, 2, 5]`, `[2, "2", 5]`),
			[]string{"$.energies[0].stiffness[1]: found \"2\", want a number or array"}},
		{"three components", edit(`"at": [0, 0, 0]`, `"at": [0, 0]`),
			[]string{"$.particles[0].at: found an array of 2, want at least 3 items"}},
		{"steps 0", edit(`"steps": 10`, `"steps": 0`), []string{"$.steps: found 0, want a number >= 1"}},
		{"steps broken", edit(`"steps": 10`, `"steps": 10.5`), []string{"$.steps: found 10.5, want an integer"}},
		{"steps absurd", edit(`"steps": 10`, `"steps": 1e9`), []string{"$.steps: found 1000000000, want a number <= 1e+08"}},
		{"loads too fast for events", strings.Replace(edit(`"steps": 10`, `"steps": "events"`), hook, fast, 1),
			tooFast}, {"loads too fast for adaptive steps",
			strings.Replace(edit(`"steps": 10`, `"adaptive": {"max_step": 0.1}`), hook, fast, 1), tooFast},
		{"loads too fast for chosen steps", strings.Replace(edit(`"steps": 10,`, ``), hook, fast, 1), tooFast},
		{"step absurd", edit(`"steps": 10`, `"step": 1e-9`),
			[]string{"$.step: found 1e-09, which makes 2e+09 steps to t = 2, want at most 1e+08"}},
		{"step 0", edit(`"steps": 10`, `"step": 0`), []string{"$.step: found 0, want a number > 0"}},
		{"steps and step", edit(`"steps": 10`, `"steps": 10, "step": 1`),
			[]string{"$.step: found more than one of steps, step, times and adaptive"}},
		{"until 0", edit(`"until": 2`, `"until": 0`), []string{"$.until: found 0, want a number > 0"}},
		{"until negative", edit(`"until": 2`, `"until": -1`), []string{"$.until: found -1, want a number > 0"}},
		{"no particles", edit(`"particles": [
    {"id": "a", "at": [0, 0, 0], "obstacle": "floor", "friction": "steel", "mass": 1},
    {"id": "b", "at": [1, 0, 0], "obstacle": "floor"}
  ]`, `"particles": []`), []string{"$.particles: found an array of 0, want at least 1 items"}},
		{"negative mu", edit(`"mu": 0.4`, `"mu": -0.4`), []string{"$.friction.steel.mu: found -0.4, want a number >= 0"}},
		{"negative mu across", edit(`"mu": 0.4`, `"mu": [0.4, -1], "axis": [1, 0, 0]`),
			[]string{"$.friction.steel.mu[1]: found -1, want a number >= 0"}},
		{"pair without axis", edit(`"mu": 0.4`, `"mu": [0.4, 1]`), []string{"$.friction.steel: the key \"axis\" is missing"}},
		{"axis without pair", edit(`"mu": 0.4`, `"mu": 0.4, "axis": [1, 0, 0]`),
			[]string{"$.friction.steel.axis: an axis has no effect on one coefficient"}},
		{"axis zero", edit(`"mu": 0.4`, `"mu": [0.4, 1], "axis": [0, 0, 0]`),
			[]string{"$.friction.steel.axis: found [0 0 0], want a direction"}},
		{"axis off the surface", edit(`"mu": 0.4`, `"mu": [0.4, 1], "axis": [0, 0, 3]`),
			[]string{"$.friction.steel.axis", "perpendicular to the surface under particle \"a\""}},
		{"ripple too high", edit(`"mu": 0.4`, `"mu": 0.4, "ripple": {"amplitude": 1, "wavelength": 1, "axis": [1, 0, 0]}`),
			[]string{"ripple.amplitude: found 1, want a number < 1"}},
		{"negative gamma", edit(`"gamma": 0`, `"gamma": -1e-3`), []string{"$.gamma: found -0.001, want a number >= 0"}},
		{"gamma continuation", edit(`"gamma": 0`, `"gamma": {"start": 0.1}`),
			[]string{"$.gamma: the key \"factor\" is missing", "$.gamma: the key \"count\" is missing"}},
		{"policy", edit(`"gamma": 0`, `"gamma_policy": "some"`),
			[]string{"$.gamma_policy: found \"some\", want one of \"all\", \"switching\", \"blend\""}},
		{"zero normal", edit(`"normal": [0, 0, 1]`, `"normal": [0, 0, 0]`),
			[]string{"$.obstacles.floor.normal: found [0 0 0], want a direction with a length > 0"}},
		{"obstacle named none", edit(`"floor": {`, `"none": {`),
			[]string{"$.obstacles.none: the name \"none\" stands for no obstacle", "unknown obstacle \"floor\""}},
		{"unknown obstacle", edit(`"obstacle": "floor"`, `"obstacle": "flour"`),
			[]string{"$.particles[0].obstacle: unknown obstacle \"flour\", the nearest valid one is \"floor\""}},
		{"unknown friction", edit(`"friction": "steel"`, `"friction": "steal"`),
			[]string{"$.particles[0].friction: unknown friction \"steal\", the nearest valid one is \"steel\""}},
		{"friction in the air", edit(`"obstacle": "floor", "friction"`, `"obstacle": "none", "friction"`),
			[]string{"$.particles[0].friction: particle \"a\" has no obstacle"}},
		{"doubled id", edit(`"id": "b"`, `"id": "a"`), []string{"$.particles[1].id: the id \"a\" is taken by $.particles[0]"}},
		{"id of particle and anchor", edit(`"id": "hook"`, `"id": "b"`),
			[]string{"$.anchors[0].id: the id \"b\" is taken by $.particles[1]"}},
		{"bad id", edit(`"id": "b"`, `"id": "b,c"`), []string{"$.particles[1].id: found \"b,c\", want letters, digits"}},
		{"unknown particle", edit(`"particle": "a", "anchor"`, `"particle": "aa", "anchor"`),
			[]string{"$.energies[0].particle: unknown id \"aa\", the nearest particle is \"a\""}},
		{"unknown anchor", edit(`"anchor": "hook"`, `"anchor": "hok"`),
			[]string{"$.energies[0].anchor: unknown id \"hok\", the nearest anchor is \"hook\""}},
		{"particle for an anchor", edit(`"anchor": "hook"`, `"anchor": "b"`), []string{"$.energies[0].anchor: \"b\" is not an anchor"}},
		{"bond to itself", edit(`["a", "b"]`, `["a", "a"]`), []string{"$.energies[1].between: both ends are \"a\""}},
		{"bond to nothing", edit(`["a", "b"]`, `[["a", "b"], ["a", "c"]]`), []string{"$.energies[1].between[1][1]: unknown id \"c\""}},
		{"negative stiffness", edit(`[2, 2, 5]`, `[2, -2, 5]`), []string{"$.energies[0].stiffness[1]: found -2, want a number >= 0"}},
		{"matrix not symmetric", edit(`[2, 2, 5]`, `[[1, 2, 0], [0, 1, 0], [0, 0, 1]]`),
			[]string{"$.energies[0].stiffness", "not symmetric"}},
		{"stiffness mixed", edit(`[2, 2, 5]`, `[1, [1, 0, 0], 2]`), []string{"$.energies[0].stiffness: found rows and numbers mixed"}},
		{"indefinite stiffness", edit(`[2, 2, 5]`, `[[1, 3, 0], [3, 1, 0], [0, 0, 1]]`),
			[]string{"$.energies[0].stiffness", "indefinite", "want eigenvalues >= 0"}},
		{"indefinite", edit(`{"type": "tether"`, `{"type": "quadratic", "particles": ["b"], "matrix": [[1, 3, 0], [3, 1, 0], [0, 0, 1]]}, {"type": "tether"`),
			[]string{"$.energies: the energy is indefinite", "particle \"", "want D²E >= 0"}},
		{"stiffness overflows", edit(`[2, 2, 5]`, `[1e308, 1e308, 1e308]`),
			[]string{"$.energies[0].stiffness[0]: found 1e308, want a number of at most 1e+30 in size"}},
		{"time overflows", edit(`"until": 2`, `"until": 1.1e30`),
			[]string{"$.until: found 1.1e30, want a number of at most 1e+30 in size"}},
		{"tiny time", edit(`"until": 2`, `"until": 9e-61`), []string{"$.until: found 9e-61, want a number >= 1e-60"}},
		{"time below zero", edit(`"until": 2`, `"until": -1e300`),
			[]string{"$.until: found -1e300, want a number of at most 1e+30 in size"}},
		{"gamma underflows", edit(`"gamma": 0`, `"gamma": {"start": 1, "factor": 1e-60, "count": 30}`),
			[]string{"$.gamma: found a continuation that ends with 0 N, want numbers above 0"}},
		{"unknown energy", edit(`"bond"`, `"bonds"`), []string{"$.energies[1].type: found \"bonds\", want one of \"tether\""}},
		{"body without a mesh", edit(`"bond"`, `"body"`), []string{"$.energies[1]: the key \"mesh\" is missing"}},
		{"gravity without mass", strings.Replace(edit(`, "mass": 1`, ``),
			`"type": "load", "particle": "a", "force": [0, 0, -1]`, `"type": "gravity"`, 1),
			[]string{"$.energies[2]: no particle has a mass"}},
		{"table not increasing", edit(`[2, [1, 0, 0]]`, `[0, [1, 0, 0]]`),
			[]string{"$.anchors[0].at.table[1][0]: found the time 0 after 0, want times that increase"}},
		{"signal of two kinds", edit(`"table": [[0`, `"sum": [1], "table": [[0`),
			[]string{"$.anchors[0].at: found an object, want exactly one of table, sine, sum"}},
		{"components", edit(`"force": [0, 0, -1]`, `"force": [0, 0]`), []string{"$.energies[2].force: found 2 components, want 3"}},
		{"signal overflow", edit(`"force": [0, 0, -1]`, `"force": {"sum": [[0, 0, 1e308], [0, 0, 1e308]]}`),
			[]string{"$.energies[2].force.sum[0][2]: found 1e308"}},
		{"inside the obstacle", edit(`"at": [1, 0, 0]`, `"at": [1, 0, -0.25]`),
			[]string{"$.particles[1].at: particle \"b\" starts 0.25 m inside its obstacle"}},
		{"an obstacle so far away that no height over it can be told",
			strings.Replace(edit(`"at": [1, 0, 0]`, `"at": [1, 0, 5]`), `"point": [0, 0, 0]`, `"point": [1e12, 0, 0]`,
				1), []string{"$.particles[1].at: particle \"b\" is put 5 m from here"}},
		{"overflowing positions", edit(`"at": [1, 0, 0]`, `"at": [1e308, 1e308, 0]`),
			[]string{"$.particles[1].at[0]: found 1e308, want a number of at most 1e+30 in size"}},
		{"expect unknown", edit(`"quantity": "position"`, `"quantity": "positon"`),
			[]string{"$.expect[0].quantity: found \"positon\", want one of"}},
		{"expect without axis", edit(`"axis": "x", `, ""), []string{"$.expect[0]: the key \"axis\" is missing, which position needs"}},
		{"expect with a useless key", edit(`"quantity": "position"`, `"quantity": "energy"`),
			[]string{"$.expect[0].particle: the key \"particle\" has no effect on energy"}},
		{"expect without tolerance", edit(`, "tolerance": 1`, ""), []string{"$.expect[0]: the key \"tolerance\" is missing"}},
		{"expect after the end", edit(`"value": 0.8`, `"time": 2.5, "value": 0.8`),
			[]string{"$.expect[0].time: found 2.5, want a time of the run, 0 to 2"}},
		{"expect nothing", edit(`"value": 0.8, "tolerance": 1`, `"time": 1`),
			[]string{"want \"value\" and \"tolerance\", or \"max\" or \"min\""}},
		{"unknown format", edit(`"gamma": 0`, `"output": {"format": "vtk"}`),
			[]string{"$.output.format: found \"vtk\", want one of \"csv\", \"npz\", \"parquet\", \"vtu\""}},
		{"solver tolerance", edit(`"gamma": 0`, `"solver": {"tolerance": 1}`),
			[]string{"$.solver.tolerance: found 1, want a number <= 0.01"}},
		{"matrix file outside", edit(`"type": "bond", "between": ["a", "b"], "stiffness": 1`,
			`"type": "quadratic", "particles": ["a"], "matrix": {"file": "../k.mtx"}`),
			[]string{"matrix.file: found \"../k.mtx\", want a file beside the case"}},
		{"matrix file missing", edit(`"type": "bond", "between": ["a", "b"], "stiffness": 1`,
			`"type": "quadratic", "particles": ["a"], "matrix": {"file": "k.mtx"}`), []string{"cannot read the file \"k.mtx\""}},
		{"matrix of a wrong size", edit(`"type": "bond", "between": ["a", "b"], "stiffness": 1`,
			`"type": "quadratic", "particles": ["a"], "matrix": [[1]]`), []string{"$.energies[1].matrix: found 1 rows, want 3"}},
		{"particle listed twice", edit(`"type": "bond", "between": ["a", "b"], "stiffness": 1`,
			`"type": "quadratic", "particles": ["a", "a"], "matrix": [[1]]`),
			[]string{"$.energies[1].particles[1]: the particle \"a\" is listed twice"}},
		{"several", strings.Replace(edit(`"mu": 0.4`, `"mu": -1`), `"steps": 10`, `"steps": 0`, 1),
			[]string{"$.steps: found 0", "$.friction.steel.mu: found -1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := build("bad.json", c.text)
			var fault *casefile.Error
			if !errors.As(err, &fault) {
				t.Fatalf("error %v, want a *casefile.Error", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("message\n%v\nlacks\n%s", err, want)
				}
			}
		})
	}
}

func TestManyFaultsAreCutShort(t *testing.T) {
	text := strings.Replace(valid, `"expect": [`, `"expect": [`+strings.Repeat(`{"quantity": "energy"},`, 50), 1)
	_, err := build("bad.json", text)
	if err == nil || !strings.Contains(err.Error(), "bad.json: and 40 more") {
		t.Errorf("error %v", err)
	}
}
