package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/quasistatic/quasistatic/internal/pagedata"
	"github.com/quasistatic/quasistatic/report"
	"github.com/quasistatic/quasistatic/run"
)

// plane is a runner of two observed quantities, some missing, verdicts of all kinds, and
// names that would end an element.
type plane struct{}

func (plane) Run(_ context.Context, j *Job) (*Outcome, error) {
	var c struct{ A, B, C float64 }
	if err := json.Unmarshal(j.Text, &c); err != nil {
		return nil, err
	}
	sum, product := c.A+c.B+c.C, c.A*c.B
	o := &Outcome{Verdict: Certified, Met: c.A > 0, Observed: []*float64{&sum, &product}}
	switch {
	case c.A > c.B+1:
		o.Verdict, o.Observed[1], o.Message = Failed, nil, "step 3: </script><b>no"
	case c.A > c.B:
		o.Verdict, o.Message = Solved, "too coarse"
	}
	return o, nil
}

// TestPage: pictures of grids and samples, of one run, of no spread at all; nothing that
// a case or a message says ends an element.
// TestUnits: a quantity has its unit, however it is written, in Parquet, in the summary and on the page.
func TestUnits(t *testing.T) {
	s, err := Decode([]byte(`{"case": "f", "vary": {"A": [1, 2]}, "observe": ["dissipation",
 "angle body=b", {"quantity": "joint_rate", "joint": "j"}, "sum"]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"J", "rad", "m/s, rad/s", ""}
	if got := s.Units(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	dir := t.TempDir()
	all, err := Run(t.Context(), s, Options{Dir: dir, Base: []byte(`{"A": 1, "B": 1, "C": 0.5}`), Runner: plane{}})
	if err != nil {
		t.Fatal(err)
	}
	list, err := all.Statistics()
	if err != nil || len(list) != len(want) || list[2].Unit != want[2] {
		t.Errorf("%+v (%v)", list, err)
	}
	file, err := os.ReadFile(filepath.Join(dir, ParquetFile))
	if err != nil {
		t.Fatal(err)
	}
	r, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var units map[string]string
	text, _ := r.Lookup("units")
	if err := json.Unmarshal([]byte(text), &units); err != nil || units["dissipation"] != "J" ||
		units["angle body=b"] != "rad" || units["run.steps"] != "1" || units["sum"] != "" {
		t.Errorf("%q (%v)", text, err)
	}
	if _, runs := pageOf(t, dir); runs.Outputs[0].Name != "dissipation [J]" || runs.Outputs[3].Name != "sum" {
		t.Errorf("the page has %+v", runs.Outputs)
	}
}

func TestPage(t *testing.T) {
	for name, text := range map[string]string{
		"grid":   `{"name": "a <grid>", "case": "f", "vary": {"A": {"linspace": [0, 3, 7]}, "B": [0, 1, 2]}, "observe": ["sum", {"quantity": "product", "time": 1}]}`,
		"sample": `{"case": "f", "sample": {"A": {"normal": [0, 1]}, "B": {"uniform": [0, 1]}, "count": 40, "method": "halton"}, "observe": ["sum", "product"]}`,
		"sobol":  `{"case": "f", "sample": {"A": {"uniform": [0, 1]}, "C": {"uniform": [0, 2]}, "count": 8, "method": "saltelli"}, "observe": ["sum", "product"]}`,
		"one":    `{"case": "f", "observe": ["sum"]}`,
		"same":   `{"case": "f", "vary": {"A": [1, 1.0, 1e0]}, "observe": ["sum"]}`,
		"words":  `{"case": "f", "vary": {"name": ["a,b", "c\"d"]}, "observe": ["sum"]}`,
		"order":  `{"case": "f", "vary": {"A": {"logspace": [1, 8, 4]}}, "observe": ["sum"]}`,
	} {
		s, err := Decode([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		dir := t.TempDir()
		if keep := os.Getenv("QUASISTATIC_SHOTS"); keep != "" {
			dir = filepath.Join(keep, "study-"+name)
		}
		table, err := Run(t.Context(), s, Options{Dir: dir, Base: []byte(`{"A": 1, "B": 1, "C": 0.5}`), Runner: plane{}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		page, runs := pageOf(t, dir)
		if strings.Contains(page, "<b>no") || strings.Contains(page, "<grid>") {
			t.Errorf("%s: text of the case is part of the page", name)
		}
		if n := strings.Count(page, "<figure "); n != map[string]int{"sample": 2, "sobol": 2}[name] || strings.Contains(page, "Not drawn") {
			t.Errorf("%s: %d figures", name, n)
		}
		if !strings.Contains(page, fmt.Sprintf("%d runs", s.planned(t))) {
			t.Errorf("%s: the page does not say how many runs there are", name)
		}
		if n := len(runs.Number); n != s.planned(t) {
			t.Errorf("%s: %d runs are shown", name, n)
		}
		check(t, name, table, runs)
	}
}

// pageOf is the page of the study in a folder, and the runs that it holds.
func pageOf(t *testing.T, dir string) (string, *report.Runs) {
	t.Helper()
	page := string(read(t, dir, PageFile))
	data, err := pagedata.Of(page)
	if err != nil {
		t.Fatal(err)
	}
	var x struct{ Runs *report.Runs }
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	return page, x.Runs
}

// check: the runs of a page have the parameters, verdicts and values of the table.
func check(t *testing.T, name string, table *Table, r *report.Runs) {
	t.Helper()
	rows := map[int][]any{}
	for cells := range table.Rows() {
		rows[int(cells[0].(float64))] = slices.Clone(cells)
	}
	paths := table.Plan.Spec.Paths()
	for row, i := range r.Number {
		cells := rows[i]
		observed := cells[2+len(paths):]
		verdict := observed[len(r.Outputs)].(string)
		if verdict == string(Certified) && observed[len(r.Outputs)+1] == "false" {
			verdict = "not as expected"
		}
		if found := r.Words[r.Word[row]].Name; found != verdict {
			t.Errorf("%s: run %d is %q, want %q", name, i, found, verdict)
		}
		for q, v := range r.Outputs {
			if x, ok := observed[q].(float64); ok != (v.Values[row] != nil) || ok && x != *v.Values[row] {
				t.Errorf("%s: run %d, %s: %v, want %v", name, i, v.Name, v.Values[row], observed[q])
			}
		}
		var set []string
		for _, v := range r.Inputs {
			if v.Points == nil {
				set = append(set, fmt.Sprintf("%s=%.17g", v.Name, v.At[row]))
				continue
			}
			set = append(set, v.Set[int(v.At[row])]...)
		}
		for j, raw := range table.Plan.Parameters(i) {
			path, value, _ := strings.Cut(set[j], "=")
			x, _ := strconv.ParseFloat(string(raw), 64)
			y, err := strconv.ParseFloat(value, 64)
			if path != paths[j] || value != string(raw) && (err != nil || x != y) {
				t.Errorf("%s: run %d has %s, want %s", name, i, set[j], raw)
			}
		}
	}
}

// peak is a runner whose quantity is small but in one run, and another one is the only one that fails;
// both are at no even place of the first axis.
type peak struct{}

func (peak) Run(_ context.Context, j *Job) (*Outcome, error) {
	var c struct{ A, B int }
	if err := json.Unmarshal(j.Text, &c); err != nil {
		return nil, err
	}
	v, verdict := float64((c.A+c.B)%7), Certified
	switch {
	case c.A == 1152 && c.B == 5:
		verdict = Failed
	case c.A == 1154 && c.B == 3:
		v = 100
	}
	return &Outcome{Verdict: verdict, Met: true, Observed: []*float64{&v}}, nil
}

// TestMoreRunsThanShown: of many runs the page has evenly chosen ones, the first of each verdict and
// the extremes, and says so.
func TestMoreRunsThanShown(t *testing.T) {
	s, err := Decode([]byte(`{"case": "f", "vary": {"A": {"range": [1, 1500, 1]}, "B": {"range": [0, 6, 1]}}, "observe": ["sum"], "keep": "nothing"}`))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	table, err := Run(t.Context(), s, Options{Dir: dir, Base: []byte(`{"A": 1, "B": 1}`), Runner: peak{}})
	if err != nil {
		t.Fatal(err)
	}
	page, runs := pageOf(t, dir)
	if n, all := len(runs.Number), table.Plan.Len(); n > 8000 || n < 4000 ||
		!strings.Contains(page, fmt.Sprintf("The plots have %d runs", n)) {
		t.Errorf("%d of %d runs", n, all)
	}
	if !slices.Contains(runs.Number, 1151*7+5) || !slices.Contains(runs.Number, 1153*7+3) {
		t.Error("the largest value, or the only run that failed, is not shown")
	}
	check(t, "many", table, runs)
}

// TestBoundaryLeads: the boundary is the headline of the page, with what its ends are, and the runs
// at its ends are among those that are drawn.
func TestBoundaryLeads(t *testing.T) {
	s, err := Decode([]byte(`{"case": "f", "vary": {"A": [1, 2], "B": [0, 1]}, "observe": ["sum"], "refine": {"boundary": "verdict", "path": "A", "to": 0.01}}`))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o := Options{Dir: dir, Base: []byte(`{"A": 1, "B": 1}`), Runner: steep{}}
	if _, err := Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	if _, err := Bisect(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	page, runs := pageOf(t, dir)
	for _, want := range []string{`<div class="verdict open"><h2>2 boundaries of A, between 1.2`,
		"2 of 4 ends are not certified, the first: solved.", "<p>Between A = 1.2"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if b := runs.Brackets; len(b) != 2 || b[0].Input != 0 || b[0].Low > 1.25 || b[0].High < 1.25 ||
		b[0].High-b[0].Low > 0.01 || b[0].Others[1] != "0" || b[1].Low > 1.75 || b[1].High < 1.75 {
		t.Errorf("%+v", b)
	}
	ends := map[string]int{}
	for row, i := range runs.Number {
		if i < 0 {
			ends[runs.Words[runs.Word[row]].Name]++
			x, y := runs.Inputs[0].Values[int(runs.Inputs[0].At[row])], runs.Inputs[1].Values[int(runs.Inputs[1].At[row])]
			if sum := *runs.Outputs[0].Values[row]; sum != x+y {
				t.Errorf("at %g, %g the sum is %g", x, y, sum)
			}
		}
	}
	if ends["certified"] != 2 || ends["solved"] != 2 {
		t.Errorf("ends of the boundaries: %v", ends)
	}
}

// steep is a runner whose runs are certified up to A = 1.25 + B/2.
type steep struct{}

func (steep) Run(_ context.Context, j *Job) (*Outcome, error) {
	var c struct{ A, B float64 }
	if err := json.Unmarshal(j.Text, &c); err != nil {
		return nil, err
	}
	sum := c.A + c.B
	return &Outcome{Verdict: map[bool]Verdict{true: Certified, false: Solved}[c.A <= 1.25+c.B/2], Met: true,
		Observed: []*float64{&sum}}, nil
}

func (s *Spec) planned(t *testing.T) int {
	p, err := NewPlan(s, []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	return p.Len()
}

// TestOrder: y = 2 + 3 h², h = 1/x: order 2, limit 2.
func TestOrder(t *testing.T) {
	var y []float64
	for _, x := range []float64{1, 2, 4, 8} {
		y = append(y, 2+3/(x*x))
	}
	o, ok := order(y, 2)
	// All numbers are multiples of 3/64: only the logarithm rounds.
	if !ok || o.P < 2-1e-14 || o.P > 2+1e-14 || o.Limit != 2 {
		t.Errorf("order %v, limit %v, want 2 and 2", o.P, o.Limit)
	}
}

// extreme is a runner whose quantities have the sizes that the case asks for.
type extreme struct{}

func (extreme) Run(_ context.Context, j *Job) (*Outcome, error) {
	var c struct{ A, B float64 }
	if err := json.Unmarshal(j.Text, &c); err != nil {
		return nil, err
	}
	a, b := c.A, -c.A
	return &Outcome{Verdict: []Verdict{Certified, Solved}[int(math.Abs(c.B))%2], Met: true, Observed: []*float64{&a, &b}}, nil
}

// TestExtremes: pages, figures and JSON of studies whose parameters and quantities are as large or
// as small as numbers are, all the same, or one.
func TestExtremes(t *testing.T) {
	for name, text := range map[string]string{
		"large":     `"vary": {"A": [1e300, 1.7e308, -1.7e308], "B": [0, 1]}`,
		"one large": `"vary": {"A": [1e300]}`,
		"small":     `"vary": {"A": [1e-300, 2e-300, 5e-324]}`,
		"all":       `"vary": {"A": [-1.7e308, -1, -5e-324, 0, 1e-300, 1, 1.7e308], "B": [1, 1.7e308]}`,
		"constant":  `"vary": {"B": [1, 2, 3]}`,
		"two":       `"vary": {"A": [1.7e308, 1.7e308]}`,
		"sampled":   `"sample": {"A": {"uniform": [-1e300, 1e300]}, "B": {"uniform": [1e-300, 2e-300]}, "count": 8, "method": "halton"}`,
		"sobol":     `"sample": {"A": {"uniform": [1e299, 1e300]}, "B": {"uniform": [0, 1]}, "count": 8, "method": "saltelli"}`,
		"one row":   `"sample": {"A": {"uniform": [0, 1]}, "B": {"uniform": [0, 1]}, "count": 1, "method": "saltelli"}`,
		"nothing":   `"vary": {"A": [1]}`,
	} {
		s, err := Decode([]byte(`{"case": "f", "observe": ["sum", "product"], ` + text + `}`))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		dir := t.TempDir()
		table, err := Run(t.Context(), s, Options{Dir: dir, Base: []byte(`{"A": 1, "B": 1}`), Runner: extreme{}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		page, _ := pageOf(t, dir)
		if _, plots, _ := strings.Cut(page, `<section id="plots"`); strings.Contains(plots[:strings.Index(plots,
			"<script")], "NaN") || strings.Contains(page, "Not drawn") {
			t.Errorf("%s: a figure has numbers that are none, or is not drawn", name)
		}
		summary, err := table.Summary(dir, Shard{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.JSON(summary); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
