package study

import (
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
)

// TestFaults: what is wrong with a study is said with its path.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		``:                                 "broken JSON",
		`[]`:                               "want an object",
		`{}`:                               "$.case: missing",
		`{"case": "p", "vry": {}}`:         `unknown key "vry", the nearest valid one is "vary"`,
		`{"case": "p", "case": "q"}`:       `"case" occurs twice`,
		`{"case": 3}`:                      "found a JSON number",
		`{"case": "p", "keep": "half"}`:    "want nothing, summary or all",
		`{"case": "p", "tries": 0}`:        "$.tries: found 0",
		`{"case": "p", "vary": {"a": []}}`: `$.vary["a"]: an empty list`,
		`{"case": "p", "vary": {"a": 3}}`:  "want a list of values",
		`{"case": "p", "vary": {"a": {"linspac": [0, 1, 2]}}}`:                                                                          `the nearest valid one is "linspace"`,
		`{"case": "p", "vary": {"a": {"linspace": [0, 1, 2.5]}}}`:                                                                       "found 2.5 points",
		`{"case": "p", "vary": {"a": {"linspace": [0, 1, 0]}}}`:                                                                         "found 0 points",
		`{"case": "p", "vary": {"a": {"logspace": [0, 1, 3]}}}`:                                                                         "want ends > 0",
		`{"case": "p", "vary": {"a": {"range": [0, 1, 0]}}}`:                                                                            "that ends",
		`{"case": "p", "vary": {"a": {"range": [0, 1, -0.1]}}}`:                                                                         "that ends",
		`{"case": "p", "vary": {"a": {"range": [0, 1e300, 1]}}}`:                                                                        "with --yes",
		`{"case": "p", "vary": {"a": {"range": [1, 1e7, 1]}, "b": {"linspace": [0, 1, 10000000]}, "c": {"logspace": [1, 2, 9999999]}}}`: "9.999999e+20 runs",
		`{"case": "p", "vary": {"a.b": [1, 2], "c": ["x"]}, "refine": {"to": 1, "path": "a.d"}}`:                                        `did you mean "a.b"?`,
		`{"case": "p", "vary": {"a": {"linspace": [0, 1, 1000000000]}}}`:                                                                "1000000000 runs, more than 1000000",
		`{"case": "p", "vary": {"a.b": [1], "a": [{}]}}`:                                                                                `"a" would undo "a.b"`,
		`{"case": "p", "vary": {"a.b": [1], "$.a.b": [1]}}`:                                                                             `"$.a.b" is given twice`,
		`{"case": "p", "vary": {"a[": [1]}}`:                                                                                            `a [ without`,
		`{"case": "p", "name": "../x"}`:                                                                                                 "$.name: found",
		`{"case": "p", "name": "\u202ex"}`:                                                                                              "$.name: found",
		`{"case": "p", "zip": [{"a": [1, 2], "b": [1]}]}`:                                                                               `1 values, want 2 as for "a"`,
		`{"case": "p", "zip": [{}]}`:                                                                                                    "$.zip[0]: empty",
		`{"case": "p", "vary": {"a": [1]}, "zip": [{"a": [1]}]}`:                                                                        `"a" is given twice`,
		`{"case": "p", "sample": {"count": 3}}`:                                                                                         "$.sample: no path",
		`{"case": "p", "sample": {"a": {"uniform": [0, 1]}}}`:                                                                           "$.sample.count: found 0",
		`{"case": "p", "sample": {"a": {"uniform": [1, 0]}, "count": 3}}`:                                                               "the smaller number first",
		`{"case": "p", "sample": {"a": {"normal": [1, 0]}, "count": 3}}`:                                                                "more than 0",
		`{"case": "p", "sample": {"a": {"gauss": [1, 0]}, "count": 3}}`:                                                                 "want one of choice, integer",
		`{"case": "p", "sample": {"a": {"uniform": [0]}, "count": 3}}`:                                                                  "want 2 numbers: [from, to]",
		`{"case": "p", "sample": {"a": {"uniform": [0, 1]}, "count": "many"}}`:                                                          `$.sample.count: found "many"`,
		`{"case": "p", "sample": {"a": {"uniform": [0, 1]}, "count": 1, "method": "sobol"}}`:                                            "want one of random",
		`{"case": "p", "sample": {"a": {"uniform": [0, 1]}, "count": 100000000}}`:                                                       "100000000 runs",
		`{"case": "p", "observe": [3]}`:                                                                                                 "$.observe[0]: found 3",
		`{"case": "p", "refine": {"to": 1}}`:                                                                                            "want an axis of numbers; there is none",
		`{"case": "p", "vary": {"a": [0, 1]}, "refine": {}}`:                                                                            "$.refine.to: found 0",
		`{"case": "p", "vary": {"a": [0, 1], "b": [0, 1]}, "refine": {"to": 1}}`:                                                        `one of the axes "a" and "b"`,
		`{"case": "p", "vary": {"a": [1]}, "refine": {"to": 1}}`:                                                                        "$.refine.between",
		`{"case": "p", "vary": {"a": [0, 1]}, "refine": {"to": 1, "boundary": "x"}}`:                                                    "$.refine.boundary",
		`{"case": "p", "vary": {"a": ["x", "y"]}, "refine": {"to": 1, "path": "a"}}`:                                                    "an axis of numbers",
	} {
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestLongAxis: the points of a rule are not in memory, however many they are: a megabyte is for
// what servers of other tests still do, and a tenth of a byte a point.
func TestLongAxis(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, err := Decode(fmt.Appendf(nil, `{"case": "p", "vary": {"a": {"linspace": [0, 1, %d]}}}`, 10_000_000))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(s, []byte(`{"a": 0}`))
	if err != nil || p.Len() != 10_000_000 {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 1e6 {
		t.Errorf("%d bytes", took)
	}
}

// TestAxes: rules give the points that they say, ends exact; the last axis varies fastest.
func TestAxes(t *testing.T) {
	for text, want := range map[string][]float64{
		`{"linspace": [0.1, 1, 10]}`: {.1, .2, .3, .4, .5, .6, .7, .8, .9, 1},
		`{"linspace": [3, 5, 1]}`:    {3},
		`{"logspace": [1, 100, 3]}`:  {1, 10, 100},
		`{"range": [0, 1, 0.1]}`:     {0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1},
		`{"range": [5, 1, -2]}`:      {5, 3, 1},
		`[1, 2.5e-3, 3]`:             {1, .0025, 3},
	} {
		s, err := Decode([]byte(`{"case": "p", "vary": {"a": ` + text + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlan(s, []byte("{}"))
		if err != nil || p.Len() != len(want) {
			t.Errorf("%s: %d values, %v", text, p.Len(), err)
			continue
		}
		for i := range want {
			// Three operations with numbers of at most 100.
			if x, err := strconv.ParseFloat(string(p.Parameters(i)[0]), 64); err != nil ||
				math.Abs(x-want[i]) > 4*0x1p-52*math.Abs(want[i]) {
				t.Errorf("%s: value %d is %s, want %v", text, i, p.Parameters(i), want)
				break
			}
		}
	}
	s, err := Decode([]byte(`{"case": "p", "vary": {"a": [1, 2]}, "zip": [{"b": [10, 20], "c.d": [100, 200]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(s, []byte(`{"c": {"d": 0}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range p.Len() {
		got = append(got, fmt.Sprintf("%s", p.Parameters(i)))
	}
	if want := []string{"[1 10 100]", "[1 20 200]", "[2 10 100]", "[2 20 200]"}; !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	if text, err := p.Text(3); err != nil || string(text) != `{"b": 20, "a": 2, "c": {"d": 200}}` {
		t.Errorf("text %s, %v", text, err)
	}
	if _, err := NewPlan(s, []byte(`{"c": 3}`)); err == nil || !strings.Contains(err.Error(), "$.c is not an object") {
		t.Errorf("a path that leads nowhere: %v", err)
	}
}

// TestID: the id is that of the meaning of a case.
func TestID(t *testing.T) {
	var p Plan
	a := p.ID([]byte(`{"a": 1, "b": [1.0, 2e0]}`))
	if b := p.ID([]byte(" {\"b\":[1,2],\n\"a\":1.00}")); a != b {
		t.Errorf("ids %s and %s of one case", a, b)
	}
	if b := p.ID([]byte(`{"a": 1, "b": [1, 2.0000000000000004]}`)); a == b {
		t.Error("one id of two cases")
	}
	if k := keyOf(a); k.String() != a {
		t.Errorf("id %s of the key of %s", k, a)
	}
}

// TestSamples: the same seed gives the same points, whatever the method; a Latin
// hypercube has one point in each slice; moments are those of the distribution.
func TestSamples(t *testing.T) {
	const n = 2000
	for _, method := range []string{string(Random), string(Latin), string(Halton), string(Saltelli)} {
		text := fmt.Sprintf(`{"case": "p", "sample": {"u": {"uniform": [2, 4]}, "x": {"normal": [1, 0.5]}, "l": {"lognormal": [0, 0.25]}, "i": {"integer": [1, 6]}, "w": {"weibull": [2, 3]},
			"g": {"loguniform": [1, 100]}, "c": {"choice": ["a", "b"]}, "count": %d, "seed": 5, "method": %q}}`, n, method)
		s, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlan(s, []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := NewPlan(s, []byte("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: n * 9, false: n}[method == string(Saltelli)]; p.Len() != want {
			t.Errorf("%s: %d runs, want %d", method, p.Len(), want)
		}
		var mean [6]float64
		slices := map[int]bool{}
		for i := range n {
			values := p.Parameters(i)
			if fmt.Sprint(values) != fmt.Sprint(again.Parameters(i)) {
				t.Fatalf("%s: run %d differs with the same seed", method, i)
			}
			for j := range mean {
				v, err := strconv.ParseFloat(string(values[j]), 64)
				if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
					t.Fatalf("%s: run %d: %s", method, i, values[j])
				}
				if j == 5 {
					v = math.Log(v)
				}
				mean[j] += v / n
				if j == 0 {
					slices[int((v-2)/2*n)] = true
				}
			}
			if text := string(values[6]); text != `"a"` && text != `"b"` {
				t.Fatalf("%s: choice %s", method, text)
			}
		}
		want := [6]float64{3, 1, math.Exp(0.25 * 0.25 / 2), 3.5, 3 * math.Gamma(1.5), math.Log(10)}
		deviation := [6]float64{2 / math.Sqrt(12), .5, .26, math.Sqrt(35. / 12), 1.39, math.Log(100) / math.Sqrt(12)}
		for j := range mean {
			// Four deviations of the mean of independent draws; the other methods are closer.
			if math.Abs(mean[j]-want[j]) > 4*deviation[j]/math.Sqrt(n) {
				t.Errorf("%s: mean of %s is %g, want %g", method, s.Sample.Paths[j], mean[j], want[j])
			}
		}
		if method == string(Latin) && len(slices) < n-2 { // two may fall on an edge by rounding
			t.Errorf("latin: points in %d of %d slices", len(slices), n)
		}
	}
}

// FuzzDecode: any text is refused or gives a plan whose runs can be expanded.
func FuzzDecode(f *testing.F) {
	f.Add(`{"case": "p", "vary": {"a": {"linspace": [0, 1, 3]}}, "zip": [{"b": [1], "c": [2]}], "sample": {"d": {"normal": [0, 1]}, "count": 2}}`)
	f.Add(`{"case": "p", "vary": {"a": [0, 1]}, "refine": {"to": 0.5}, "observe": ["x", {"quantity": "y"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return
		}
		s, err := Decode([]byte(text))
		if err != nil || s.Sample != nil && s.Sample.Count > 1000 {
			return
		}
		p, err := NewPlan(s, []byte(`{"a": 0}`))
		if err != nil {
			return
		}
		for i := range min(p.Len(), 10) {
			if text, err := p.Text(i); err != nil || !json.Valid(text) {
				t.Fatalf("run %d: %s, %v", i, text, err)
			}
		}
	})
}

// TestRunID: a run that is expanded without reading its case has the text and the id of one that
// is; paths below others, and keys that occur twice, are left to the long way.
func TestRunID(t *testing.T) {
	for base, study := range map[string]string{
		` { "b":[1.0, {"c" : "<&>"}], "a": {"x": 1e2} , "name":"n" } `: `"vary": {"a.x": [1, 1.0, 1e0, "1", null, {"z": 1, "y": [2.50]}], "b[1].c": ["é\u00e9<", "\u0007"], "new.k": [true]}, "zip": [{"b[0]": [1e-7, -0.0], "name": ["p", "q"]}]`,
		`{"a": {"x": 1}}`:          `"vary": {"a": [{"x": 1, "y": 2}], "a.y": [3, 4]}`,
		`{"a": 1, "a": 2, "b": 3}`: `"vary": {"b": [1, 2], "a": [1, 5]}`,
		`{"u": 0}`:                 `"sample": {"u": {"normal": [0, 1]}, "v": {"choice": ["a", [1]]}, "count": 20}`,
		`{"w": 0}`:                 `"vary": {"w": [1e400, 1e-400, -0, 12345678901234567890]}`,
	} {
		s, err := Decode([]byte(`{"case": "c", ` + study + `}`))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPlan(s, []byte(base))
		if err != nil {
			t.Fatal(err)
		}
		table := newTable(p, nil)
		for i := range p.Len() {
			text, id, err := p.run(i)
			if err != nil {
				t.Fatal(err)
			}
			if listed, err := table.id(i); listed != id || err != nil {
				t.Errorf("%s, run %d: %s stands in the list of ids, want %s (%v)", base, i, listed, id, err)
			}
			want := p.base
			for j, v := range p.Parameters(i) {
				if want, err = casefile.Set(want, s.Paths()[j], v); err != nil {
					t.Fatal(err)
				}
			}
			if string(text) != string(want) || id.String() != p.ID(want) {
				t.Errorf("%s, run %d: %s has the id %s; want %s with %s", base, i, text, id, want, p.ID(want))
			}
		}
	}
}

// TestBrokenRun: the ids of a table are those before the first run that has no case, with its
// fault from there on, however many cores compute them.
func TestBrokenRun(t *testing.T) {
	s, err := Decode([]byte(`{"case": "c", "sample": {"u": {"lognormal": [700, 10]}, "count": 200}}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(s, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	table, broken := newTable(p, nil), false
	for i := range p.Len() {
		_, want, fault := p.run(i)
		broken = broken || fault != nil
		if id, err := table.id(i); (err != nil) != broken || !broken && id != want {
			t.Errorf("run %d: %s, %v; want %s, %v", i, id, err, want, fault)
		}
	}
	if _, err := table.id(0); err != nil || !broken {
		t.Errorf("run 0: %v; of the others one is broken: %v", err, broken)
	}
}
