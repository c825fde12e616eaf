package casefile_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/models"
)

// slope is a case on an incline of 3:4:5 with everything that depends on frames.
const slope = `{
  "model": "energetic", "until": 1, "step": 0.3, "gamma": 0.01, "gamma_policy": "blend", "threshold": "implicit", "equilibrate": true,
  "obstacles": {"ramp": {"point": [1, 0, 2], "normal": [-3, 0, 4]}},
  "friction": {
    "wood": {"mu": [0.2, 0.6], "axis": [1, 0, 0], "ripple": {"amplitude": 0.5, "wavelength": 8, "axis": [1, 0, 0]}},
    "ice": {"mu": 0.01}
  },
  "particles": [
    {"id": "on", "at": [1.8, 1, 2.6], "obstacle": "ramp", "friction": "wood"},
    {"id": "off", "at": [0.4, 0, 2.8], "obstacle": "ramp", "friction": "ice"},
    {"id": "floating", "at": [0, 0, -5], "obstacle": "none"},
    {"id": "default", "at": [0, 0, 0]}
  ],
  "anchors": [{"id": "q", "at": [{"sine": {"amplitude": 1, "frequency": 2, "phase": 0.5, "offset": 3}}, 0, {"sum": [1, {"table": [[0, 0], [1, 2]]}]}]}],
  "energies": [
    {"type": "tether", "particle": ["on", "off"], "anchor": "q", "stiffness": [[2, 1, 0], [1, 2, 0], [0, 0, 3]], "stiffening": 1},
    {"type": "spring", "between": ["q", "off"], "stiffness": 2, "law": "cubic", "stiffening": 3, "rest_length": 0.5},
    {"type": "spring", "between": [["on", "off"], ["off", "floating"]], "stiffness": 2},
    {"type": "bond", "between": ["on", "default"], "stiffness": 1},
    {"type": "quadratic", "particles": ["floating"], "matrix": [[2, -1, 0], [-1, 2, 0], [0, 0, 1]], "force": {"sine": {"amplitude": [1, 2, 3], "frequency": [1, 0, 2], "phase": 0.1, "offset": [0, 0, 1]}}}
  ],
  "solver": {"tolerance": 1e-8}, "output": {"format": "csv", "every": 3}
}`

func dot(a, b [3]float64) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func TestBuildOnASlope(t *testing.T) {
	m, err := build("dir/slope.json", slope)
	if err != nil {
		t.Fatal(err)
	}
	if m.Plan().Steps != 16 || m.Time(16) != 1 || m.Plan().Every != 3 { // 4, and eight a period of 2 Hz
		t.Errorf("%d steps, end %g, every %d", m.Plan().Steps, m.Time(16), m.Plan().Every)
	}
	o := m.Options
	if o.Step.Rule != (dissipation.Rule{Gamma: 0.01, Policy: dissipation.Blend}) ||
		o.Step.Threshold != incremental.Implicit || !o.Equilibrate || o.Step.Tolerance != 1e-8 {
		t.Errorf("options %+v", o)
	}
	// The first particle is on the ramp to roundoff, 1 m from its point along it; the second 1 m
	// above.
	want := []float64{1, 1, 0, 0, 0, 1, 0, 0, -5, 0, 0, 0}
	for i, z := range m.Z0 {
		if math.Abs(z-want[i]) > 1e-15 {
			t.Errorf("z[%d] = %g, want %g", i, z, want[i])
		}
	}
	if m.Z0[2] != 0 {
		t.Errorf("height %g, want 0 exactly", m.Z0[2])
	}
	// The frame's origin lies (1, 0, 2)·(0.8, 0, 0.6) = 2 m along the ramp: a quarter wave.
	s := m.Psi.Matrices[0].At(0, 0, nil)
	if math.Abs(s[0]-0.2*1.5) > 1e-12 || math.Abs(s[3]-0.6*1.5) > 1e-12 {
		t.Errorf("S at the frame's origin = %v", s)
	}
	if m.Psi.Matrices[3] != nil {
		t.Error("a particle without friction has a friction matrix")
	}
	if m.Psi.System.Constrained(2) || !m.Psi.System.Constrained(3) {
		t.Error("obstacles are mixed up")
	}
}

func TestEnergyValues(t *testing.T) {
	m, err := build("slope.json", slope)
	if err != nil {
		t.Fatal(err)
	}
	// By hand at t = 0: q = (3 + sin 0.5, 0, 1).
	q := [3]float64{3 + math.Sin(0.5), 0, 1}
	on, off, floating := [3]float64{1.8, 1, 2.6}, [3]float64{0.4, 0, 2.8}, [3]float64{0, 0, -5}
	tether := func(x [3]float64) float64 {
		d := [3]float64{x[0] - q[0], x[1] - q[1], x[2] - q[2]}
		l := dot(d, d)
		return 0.5*(2*d[0]*d[0]+2*d[0]*d[1]+2*d[1]*d[1]+3*d[2]*d[2]) + 0.25*l*l
	}
	e := math.Sqrt(dot([3]float64{off[0] - q[0], 0, off[2] - q[2]}, [3]float64{off[0] - q[0], 0, off[2] - q[2]})) - 0.5
	want := tether(on) + tether(off) + 0.5*2*e*e + 0.25*3*e*e*e*e
	_ = floating // springs without rest_length, bond and quadratic form start without energy
	got, _ := m.Psi.System.Value(0, m.Z0)
	if math.Abs(got-want) > 1e-12*want {
		t.Errorf("E(0, Z_0) = %.15g, want %.15g", got, want)
	}
	// The force on the quadratic form: the gradient of a free particle is −f(0) and the springs'
	// pull, zero here.
	grad := make([]float64, len(m.Z0))
	m.Psi.System.Gradient(grad, nil, 0, m.Z0)
	for c, f := range []float64{math.Sin(0.1), 2 * math.Sin(0.1), 1 + 3*math.Sin(0.1)} {
		if math.Abs(grad[6+c]+f) > 1e-12 {
			t.Errorf("force %d on the quadratic form: %g, want %g", c, -grad[6+c], f)
		}
	}
}

func TestSemidefiniteIsAllowed(t *testing.T) {
	// b has no stiffness along its bond to nothing: loads only.
	text := strings.Replace(valid, `{"type": "bond", "between": ["a", "b"], "stiffness": 1},`, "", 1)
	if _, err := build("a.json", text); err != nil {
		t.Error(err)
	}
}

func TestWholeNumbersMayLookBroken(t *testing.T) {
	m, err := build("a.json", strings.Replace(valid, `"steps": 10`, `"steps": 1.0e2`, 1))
	if err != nil || m.Plan().Steps != 100 {
		t.Errorf("model %v, error %v", m, err)
	}
	// 2.1/0.3 is 7.000000000000001; the kink of a table makes one more.
	m, err = build("a.json", strings.Replace(valid, `"until": 2, "steps": 10`, `"until": 2.1, "step": 0.3`, 1))
	if err != nil || m.Plan().Steps != 8 {
		t.Errorf("model %v, error %v", m, err)
	}
}

func TestNamesAndByteOrderMark(t *testing.T) {
	c, err := models.Grammar().Decode("some/dir/slip.json", []byte("\uFEFF"+strings.Replace(valid, `"name": "drag", `, "", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "slip" || len(c.SHA256) != 64 {
		t.Errorf("name %q, hash %q", c.Name, c.SHA256)
	}
}

func TestMatrixFile(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(valid, `"type": "bond", "between": ["a", "b"], "stiffness": 1`,
		`"type": "quadratic", "particles": ["a"], "matrix": {"file": "sub/k.mtx"}`, 1)
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ matrix, want string }{
		{"%%MatrixMarket matrix coordinate real symmetric\n% comment\n3 3 4\n1 1 2\n2 2 3\n3 3 4\n3 1 -1\n", ""},
		{"%%MatrixMarket matrix array real general\n3 3\n1\n0\n0\n0\n1\n0\n0\n0\n1\n", ""},
		{"%%MatrixMarket matrix array real symmetric\n3 3\n1\n0\n0\n1\n0\n1\n", ""},
		{"%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n", "line 3: the file ends, want 4 entries, read 1"},
		{"%%MatrixMarket matrix coordinate complex symmetric\n3 3 1\n1 1 2\n", "line 1: found \"complex\" in the header"},
		{"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 3 2\n", "line 3: entry (1, 3) is above the diagonal"},
		{"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n4 1 2\n", "line 3: found the index \"4\", want 1 to 3"},
		{"%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 1 nan\n",
			"line 3: found \"nan\", want a number of at most 1e+30 in size"},
		{"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 1 1\n", "the matrix has order 2, want 3"},
		{"%%MatrixMarket matrix coordinate real symmetric\n3 4 1\n1 1 1\n", "line 2: the matrix has 3 rows and 4 columns"},
		{"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 1\n", "not symmetric"},
		{"1 2 3\n", "line 1: want the header"},
	} {
		if err := os.WriteFile(filepath.Join(dir, "sub", "k.mtx"), []byte(c.matrix), 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := build(filepath.Join(dir, "a.json"), text)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.matrix, err)
		case c.want == "" && (len(m.Plan().Files) != 1 || m.Plan().Files[0] != "sub/k.mtx"):
			t.Errorf("files %v", m.Plan().Files)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q:\n%v\nlacks %q", c.matrix, err, c.want)
		}
	}
}

// TestSignalFile: signals come from the columns of a file beside the case, in any model; the
// run takes the file with it, and faults name the line and column of the file.
func TestSignalFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "load.csv"), []byte("t,fx,fy,bad,far\n0,1,2,3,0\n1,4,5,x,-1e31\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	const particles = `{"model": "energetic", "until": 1, "steps": 2, "particles": [{"id": "a", "at": [0, 0, 0]}], "anchors": [{"id": "u", "at": %s}], "energies": [{"type": "tether", "particle": "a", "anchor": "u", "stiffness": 1}]}`
	const bodies = `{"model": "rigid", "dimension": 2, "until": 1, "steps": 2, "gravity": [0, 0], "bodies": [{"id": "a", "mass": 1, "inertia": 1, "position": [0, 0], "load": %s}]}`
	for _, c := range []struct{ text, signal, want string }{
		{particles, `{"csv": "load.csv", "time": "t", "value": ["fx", "fy", "fx"]}`, ""},
		{particles, `[{"csv": "load.csv", "time": "t", "value": "fx"}, 0, 1]`, ""},
		{particles, `{"sum": [[1, 2, 3], {"csv": "load.csv", "time": "t", "value": ["fx", "fy", "fx"]}]}`, ""},
		{bodies, `{"csv": "load.csv", "time": "t", "value": ["fx", "fy"]}`, ""},
		{bodies, `{"csv": "load.csv", "time": "t", "value": "fx"}`, "found 1 columns, want 2"},
		{bodies, `{"csv": "load.csv", "time": "t", "value": ["fx", "bad"]}`, "load.csv:3:7: found \"x\""},
		{bodies, `{"csv": "load.csv", "time": "t", "value": ["fx", "far"]}`,
			"load.csv: row 2 of the column \"far\": found -1e+31, want a number of at most 1e+30 in size"},
		{bodies, `{"csv": "load.csv", "time": "time", "value": ["fx", "fy"]}`, "no column \"time\""},
		{bodies, `{"csv": "../load.csv", "time": "t", "value": ["fx", "fy"]}`, "beside the case"},
		{bodies, `{"csv": "none.csv", "time": "t", "value": ["fx", "fy"]}`, "cannot read"},
		{bodies, `{"csv": "trajectory.csv", "time": "t", "value": ["fx", "fy"]}`, "that runs write"},
		{bodies, `{"csv": "load.csv", "value": ["fx", "fy"]}`, "\"time\" is missing"},
		{bodies, `{"time": "t"}`, "want one of them"},
	} {
		m, err := decode(filepath.Join(dir, "a.json"), fmt.Sprintf(c.text, c.signal))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.signal, err)
		case c.want == "" && !slices.Equal(m.Plan().Files, []string{"load.csv"}):
			t.Errorf("%s: files %v", c.signal, m.Plan().Files)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s:\n%v\nlacks %q", c.signal, err, c.want)
		}
	}
}

func TestSchemaIsValidAndDescribed(t *testing.T) {
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(string(models.Grammar().Schema())))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("urn:test", tree); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Compile("urn:test"); err != nil {
		t.Fatal(err)
	}
	// Every key a user can write says what it means.
	defs := tree.(map[string]any)["$defs"].(map[string]any)
	for name, d := range defs {
		properties, _ := d.(map[string]any)["properties"].(map[string]any)
		for key, p := range properties {
			m := p.(map[string]any)
			_, described := m["description"]
			_, refers := m["$ref"]
			_, constant := m["const"]
			if !described && !refers && !constant {
				t.Errorf("%s.%s has no description", name, key)
			}
		}
	}
}
