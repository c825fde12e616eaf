package study

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestBisect: the boundary of the square's verdicts is where mu = 0.5, whatever the other
// axis, and only the runs of the bisection are made.
func TestBisect(t *testing.T) {
	dir := t.TempDir()
	s, err := Decode([]byte(`{"case": "square", "vary": {"mu": [0, 1], "steps": [1, 2, 3]}, "observe": ["square"], "refine": {"path": "mu", "to": 1e-3}}`))
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	o := Options{Dir: dir, Base: []byte(squareBase), Runner: square{runs: func(string) { made++ }}}
	if _, err := Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	table := read(t, dir, CSVFile)
	list, err := Bisect(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := 3 * (2 + 10); made != want { // 2⁻¹⁰ < 1e-3
		t.Errorf("%d runs, want %d", made, want)
	}
	for _, b := range list {
		if b.Fault != "" || b.Low >= 0.5 || b.High < 0.5 || b.High-b.Low > 1e-3 {
			t.Errorf("%s: boundary in [%g, %g] %s, want 0.5", b.Parameters, b.Low, b.High, b.Fault)
		}
		if b.At[0] == nil || !b.At[0].Met || b.At[1] == nil || b.At[1].Met {
			t.Errorf("%s: at the ends %+v and %+v", b.Parameters, b.At[0], b.At[1])
		}
	}
	if lines := strings.Split(strings.TrimSpace(string(read(t, dir, BoundaryFile))), "\n"); len(lines) != 4 ||
		!strings.HasPrefix(lines[0], "steps,mu low,mu high,low is,high is") {
		t.Errorf("table of boundaries:\n%s", strings.Join(lines, "\n"))
	}
	if !bytes.Equal(read(t, dir, CSVFile), table) || !bytes.Contains(read(t, dir, SpecFile), []byte(`"refine"`)) {
		t.Error("the refinement changed the study's table or file")
	}
}

// TestCrossings: each change between neighbouring points of the axis is a boundary of its own,
// also where the ends agree; what the axis has shown is not made again.
func TestCrossings(t *testing.T) {
	s, err := Decode([]byte(`{"case": "square", "vary": {"mu": [1, -1, 0, 0.25], "steps": [1, 2]}, "observe": ["square"], "refine": {"path": "mu", "boundary": "square", "level": 0.3, "to": 1e-3}}`))
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	o := Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{runs: func(string) { made++ }}}
	if _, err := Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	made = 0
	list, err := Bisect(t.Context(), s, o)
	if err != nil || len(list) != 4 {
		t.Fatalf("%d boundaries, %v, want two for each number of steps", len(list), err)
	}
	if want := 2 * (10 + 10); made != want { // 1 and .75 are halved ten times
		t.Errorf("%d runs, want %d", made, want)
	}
	for k, b := range list {
		want := []float64{-1, 1}[k%2] * math.Sqrt(0.3)
		if b.Fault != "" || b.Low >= want || b.High < want || b.High-b.Low > 1e-3 || string(b.Parameters[0]) != []string{"1", "2"}[k/2] {
			t.Errorf("%s: boundary in [%g, %g] %s, want %g", b.Parameters, b.Low, b.High, b.Fault, want)
		}
	}
	if rows := bytes.Count(read(t, o.Dir, BoundaryFile), []byte("\n")); rows != 5 {
		t.Errorf("%d lines of boundaries, want 5", rows)
	}
}

// TestBesideExpectation: runs of the square are as expected below mu = 0.5 and fail above 0.75: a boundary between 0.6
// and 1 is that of the failure, and says that it is not that of the expectation; one between 0 and 0.6 is.
func TestBesideExpectation(t *testing.T) {
	for between, want := range map[string]string{
		"[0.6, 1]": "neither end is as expected: runs turn from certified to failed here, and where they are as expected is elsewhere",
		"[0, 0.6]": ""} {
		s, err := Decode([]byte(`{"case": "square", "vary": {"mu": ` + between + `}, "refine": {"to": 1e-3}}`))
		if err != nil {
			t.Fatal(err)
		}
		list, err := Bisect(t.Context(), s, Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{}})
		if err != nil || len(list) != 1 || list[0].Fault != "" || list[0].Criterion != want {
			t.Errorf("%s: %+v, %v; want %q", between, list, err, want)
		}
	}
}

// fussy refuses runs below and beyond [0, 1].
type fussy struct{ square }

func (f fussy) Run(ctx context.Context, j *Job) (*Outcome, error) {
	o, err := f.square.Run(ctx, j)
	if err == nil && (*o.Observed[0] < 0 || *o.Observed[0] > 1) {
		return &Outcome{Verdict: Refused, Message: "out of range"}, nil
	}
	return o, err
}

// TestRefusedEnds: where the runs at the ends are refused there is no boundary, and the first
// reason is given.
func TestRefusedEnds(t *testing.T) {
	t.Parallel()
	for ends, want := range map[string]string{"[1.5, 0]": "mu = 1.5: refused: out of range",
		"[0, 1.5]": "mu = 1.5: refused", "[1.25, 1.5]": "mu = 1.25: refused"} {
		s, err := Decode([]byte(`{"case": "square", "vary": {"mu": ` + ends + `}, "observe": ["square"], "refine": {"to": 1e-3}}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, mirrored := range []bool{false, true} {
			if mirrored { // the lower end is the one at fault
				s.Refine.Between = [2]float64{-s.Refine.Between[1], -s.Refine.Between[0]}
				want = strings.Replace(want, "1.25", "-1.5", 1)
				want = strings.Replace(want, "= 1.5", "= -1.5", 1)
			}
			list, err := Bisect(t.Context(), s, Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: fussy{}})
			if err != nil || len(list) != 1 || !strings.Contains(list[0].Fault, want) {
				t.Errorf("%s, mirrored %v: %+v, %v, want %q", ends, mirrored, list, err, want)
			}
		}
	}
}

// TestLevel: the boundary may be where a quantity crosses a level; where it does not,
// that is said.
func TestLevel(t *testing.T) {
	for text, want := range map[string]float64{`"level": 0.3`: math.Sqrt(0.3), `"level": 2`: math.NaN()} {
		s, err := Decode([]byte(`{"case": "square", "vary": {"mu": [0, 1]}, "observe": ["square"], "refine": {"boundary": "square", ` +
			text + `, "to": 1e-9}}`))
		if err != nil {
			t.Fatal(err)
		}
		list, err := Bisect(t.Context(), s, Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: square{}})
		if err != nil || len(list) != 1 {
			t.Fatal(err, list)
		}
		b := list[0]
		if math.IsNaN(want) {
			if !strings.Contains(b.Fault, "both ends") {
				t.Errorf("%s: fault %q, want that there is no boundary", text, b.Fault)
			}
			continue
		}
		if b.Fault != "" || !(b.Low < want && want <= b.High && b.High-b.Low <= 1e-9) {
			t.Errorf("%s: [%g, %g] %s, want %g", text, b.Low, b.High, b.Fault, want)
		}
	}
}

// ringing is the square, certified but between .7 and .8.
type ringing struct{ runs, certified *int }

func (r ringing) Run(ctx context.Context, j *Job) (*Outcome, error) {
	o, err := square{}.Run(ctx, j)
	if err != nil {
		return nil, err
	}
	o.Verdict, o.Met = Certified, true
	if y := *o.Observed[0]; y > 0.49 && y < 0.64 {
		o.Verdict, o.Message = Solved, "its force alternates"
	}
	*r.runs++
	if o.Verdict == Certified {
		*r.certified++
	}
	return o, nil
}

// TestEndNotCertified: of a boundary of a quantity table, summary, page and exit code say which end is not certified and why, and
// all runs are counted; where both ends are certified they say nothing.
func TestEndNotCertified(t *testing.T) {
	for level, open := range map[string]bool{"0.49": true, "0.36": false} { // mu = .7, and .6
		s, err := Decode([]byte(`{"case": "square", "vary": {"mu": [0, 1]}, "observe": ["square"], "refine": {"boundary": "square", "level": ` +
			level + `, "to": 1e-3}}`))
		if err != nil {
			t.Fatal(err)
		}
		runs, certified := 0, 0
		o := Options{Dir: t.TempDir(), Base: []byte(squareBase), Runner: ringing{&runs, &certified}}
		table, err := Run(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // what is known is counted as well
			if _, err := Bisect(t.Context(), s, o); err != nil {
				t.Fatal(err)
			}
		}
		sum, err := table.Summary(o.Dir, Shard{})
		if err != nil {
			t.Fatal(err)
		}
		if sum.Refining != runs-2 || sum.Proven != certified-2 || sum.Failed() != open {
			t.Errorf("level %s: %d runs and %d certified, %v; want %d and %d beside the two, %v", level, sum.Refining,
				sum.Proven, sum.Failed(), runs-2, certified-2, open)
		}
		var terminal strings.Builder
		if err := table.Print(&terminal, sum, o.Dir); err != nil {
			t.Fatal(err)
		}
		if counts := fmt.Sprintf("%d more by", runs-2); !strings.Contains(terminal.String(), counts) {
			t.Errorf("level %s: no %q in\n%s", level, counts, &terminal)
		}
		for name, text := range map[string]string{"terminal": terminal.String(),
			"table": string(read(t, o.Dir, BoundaryFile)), "page": string(read(t, o.Dir, PageFile))} {
			if got := strings.Contains(text, "the upper end is not certified, it is solved: its force alternates"); got != open {
				t.Errorf("level %s, %s: says that the end is not certified: %v\n%s", level, name, got, text)
			}
		}
	}
}

// ishigami is the function of three variables whose indices are known in closed form.
type ishigami struct{}

func (ishigami) Run(_ context.Context, j *Job) (*Outcome, error) {
	var x struct{ A, B, C float64 }
	if err := json.Unmarshal(j.Text, &x); err != nil {
		return nil, err
	}
	y := math.Sin(x.A) + 7*math.Sin(x.B)*math.Sin(x.B) + 0.1*x.C*x.C*x.C*x.C*math.Sin(x.A)
	return &Outcome{Verdict: Certified, Met: true, Observed: []*float64{&y}}, nil
}

// TestSobol: the indices of the Ishigami function, a = 7, b = .1: V = a²/8 + bπ⁴/5 +
// b²π⁸/18 + ½, V₁ = ½(1 + bπ⁴/5)², V₂ = a²/8, V₁₃ = b²π⁸(1/18 − 1/50).
func TestSobol(t *testing.T) {
	t.Parallel()
	s, err := Decode([]byte(`{"case": "f", "sample": {"A": {"uniform": [-3.141592653589793, 3.141592653589793]}, "B": {"uniform": [-3.141592653589793, 3.141592653589793]},
		"C": {"uniform": [-3.141592653589793, 3.141592653589793]}, "count": 2048, "method": "saltelli", "seed": 7}, "observe": ["y"], "keep": "nothing"}`))
	if err != nil {
		t.Fatal(err)
	}
	table, err := Run(t.Context(), s, Options{Dir: t.TempDir(), Base: []byte("{}"), Runner: ishigami{}, Engine: Pool{Workers: 2}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.Sobol()
	if err != nil {
		t.Fatal(err)
	}
	const a, b = 7.0, 0.1
	p4 := math.Pow(math.Pi, 4)
	v := a*a/8 + b*p4/5 + b*b*p4*p4/18 + 0.5
	v1, v2, v13 := 0.5*(1+b*p4/5)*(1+b*p4/5), a*a/8, b*b*p4*p4*(1./18-1./50)
	want := [][2]float64{{v1 / v, (v1 + v13) / v}, {v2 / v, v2 / v}, {0, v13 / v}}
	for j, x := range got {
		// Quasi-random points err less than the resampled spread; 2048 rows leave spreads of about
		// 0.04 and 0.06.
		if math.Abs(x.First-want[j][0]) > x.FirstError || math.Abs(x.Total-want[j][1]) > x.TotalError ||
			x.FirstError > .1 || x.TotalError > .1 {
			t.Errorf("%s: S = %.4f ± %.4f, want %.4f; T = %.4f ± %.4f, want %.4f", x.Path, x.First, x.FirstError,
				want[j][0], x.Total, x.TotalError, want[j][1])
		}
	}
}

// product is the function g = Π (|4x_j − 2| + a_j)/(1 + a_j) on the unit cube, a = 0, 1, 4.5, 9.
type product struct{}

var ofProduct = [4]float64{0, 1, 4.5, 9}

func (product) Run(_ context.Context, j *Job) (*Outcome, error) {
	var x [4]float64
	if err := json.Unmarshal(j.Text, &struct{ X *[4]float64 }{&x}); err != nil {
		return nil, err
	}
	y := 1.0
	for j, a := range ofProduct {
		y *= (math.Abs(4*x[j]-2) + a) / (1 + a)
	}
	return &Outcome{Verdict: Certified, Met: true, Observed: []*float64{&y}}, nil
}

// TestSobolProduct: V_j = 1/3(1+a_j)², V = Π (1 + V_j) − 1, S_j = V_j/V, T_j = V_j Π_{i≠j} (1 +
// V_i)/V.
func TestSobolProduct(t *testing.T) {
	s, err := Decode([]byte(`{"case": "g", "sample": {"x[0]": {"uniform": [0, 1]}, "x[1]": {"uniform": [0, 1]}, "x[2]": {"uniform": [0, 1]}, "x[3]": {"uniform": [0, 1]},
		"count": 512, "method": "saltelli", "seed": 3}, "observe": ["g"], "keep": "nothing"}`))
	if err != nil {
		t.Fatal(err)
	}
	table, err := Run(t.Context(), s, Options{Dir: t.TempDir(), Base: []byte(`{"x": [0, 0, 0, 0]}`), Runner: product{},
		Engine: Pool{Workers: 2}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.Sobol()
	if err != nil {
		t.Fatal(err)
	}
	variance := 1.0
	for _, a := range ofProduct {
		variance *= 1 + 1/(3*(1+a)*(1+a))
	}
	for j, x := range got {
		own := 1 / (3 * (1 + ofProduct[j]) * (1 + ofProduct[j]))
		first, total := own/(variance-1), own*variance/(1+own)/(variance-1)
		if math.Abs(x.First-first) > x.FirstError || math.Abs(x.Total-total) > x.TotalError || x.FirstError > .15 || x.TotalError > .1 {
			t.Errorf("%s: S = %.4f ± %.4f, want %.4f; T = %.4f ± %.4f, want %.4f", x.Path, x.First, x.FirstError, first,
				x.Total, x.TotalError, total)
		}
	}
}

// TestQuantiles: those of 2, 3, 5, 7, 11, 13, 17, 19 lie at .35, 1.75, 3.5, 5.25 and 6.65 of them,
// counted from 0.
func TestQuantiles(t *testing.T) {
	var s Statistics
	s.of([]float64{19, 3, 5, 2, 11, 17, 13, 7})
	for q, want := range []float64{2.35, 4.5, 9, 13.0 + 4*.25, 17 + 2*.65} {
		if math.Abs(s.Quantiles[q]-want) > 1e-14*want { // rounding of one product
			t.Errorf("quantile of %g: %.17g, want %g", quantileLevels[q], s.Quantiles[q], want)
		}
	}
	s.of([]float64{7})
	if s.Quantiles != [5]float64{7, 7, 7, 7, 7} {
		t.Errorf("of one value: %v", s.Quantiles)
	}
	s.of([]float64{-math.MaxFloat64, math.MaxFloat64})
	if text, err := json.Marshal(s); err != nil || s.Mean != 0 || s.Deviation != math.MaxFloat64 {
		t.Errorf("mean %g ± %g of ±%g: %s, %v", s.Mean, s.Deviation, math.MaxFloat64, text, err)
	}
	if s.of([]float64{1e300, 3e300}); s.Mean != 2e300 || math.Abs(s.Deviation/1e300-math.Sqrt2) > 1e-15 { // by the formula
		t.Errorf("mean %g ± %g of 1e300 and 3e300", s.Mean, s.Deviation)
	}
	if s.of([]float64{1e-300, 3e-300}); s.Mean != 2e-300 || math.Abs(s.Deviation/1e-300-math.Sqrt2) > 1e-15 {
		t.Errorf("mean %g ± %g of 1e-300 and 3e-300", s.Mean, s.Deviation)
	}
	s.of([]float64{-math.MaxFloat64, math.MaxFloat64})
	if s.Quantiles[2] != 0 {
		t.Errorf("the median of ±%g is %g", math.MaxFloat64, s.Quantiles[2])
	}
}

// TestWholeNumbers: a path that wants whole numbers is refined by whole numbers.
func TestWholeNumbers(t *testing.T) {
	s, err := Decode([]byte(`{"case": "square", "vary": {"steps": [10, 1000]}, "observe": ["square"], "refine": {"boundary": "square", "level": 0.2, "to": 1}}`))
	if err != nil {
		t.Fatal(err)
	}
	list, err := Bisect(t.Context(), s, Options{Dir: t.TempDir(), Base: []byte(`{"mu": 0.5, "steps": 10}`), Runner: whole{}})
	if err != nil || len(list) != 1 {
		t.Fatal(err, list)
	}
	if b := list[0]; b.Fault != "" || b.Low != 36 || b.High != 37 {
		t.Errorf("[%g, %g] %s, want 36 and 37", b.Low, b.High, b.Fault)
	}
}

// whole is a runner whose quantity is .2 from 37 steps on; it refuses parts of steps.
type whole struct{}

func (whole) Run(_ context.Context, j *Job) (*Outcome, error) {
	var c struct{ Steps int }
	if err := json.Unmarshal(j.Text, &c); err != nil {
		return &Outcome{Verdict: Refused, Message: err.Error()}, nil
	}
	y := .1
	if c.Steps >= 37 {
		y = .2
	}
	return &Outcome{Verdict: Certified, Met: true, Observed: []*float64{&y}}, nil
}

// TestFewRuns: what cannot be said of few runs is left out of the summary, which JSON can have.
func TestFewRuns(t *testing.T) {
	for _, text := range []string{
		`"sample": {"mu": {"uniform": [0, 1]}, "count": 1, "method": "saltelli"}`,
		`"vary": {"mu": [0.3], "steps": [100, 200, 400]}`,
		`"vary": {"mu": [1, 2, 4]}`,
	} {
		s, err := Decode([]byte(`{"case": "square", "observe": ["square"], ` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		table, err := Run(t.Context(), s, Options{Dir: dir, Base: []byte(squareBase), Runner: square{}})
		if err != nil {
			t.Fatal(err)
		}
		sum, err := table.Summary(dir, Shard{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(sum); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if o, ok := order([]float64{1, 2, 3}, 2); ok {
		t.Errorf("equal differences have no limit, found %+v", o)
	}
}
