package casefile_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/models"
)

// TestEvaluator: the square of time at rows 0, 1, 2, 3, looked at between two of them by
// each policy, at the end, over all rows, and after the end.
func TestEvaluator(t *testing.T) {
	c, err := models.Grammar().Decode("drag.json", []byte(strings.Replace(valid, `"until": 2`, `"until": 3`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	quantities := []casefile.Quantity{{Name: "linear"}, {Name: "before", Between: casefile.Before},
		{Name: "after", Between: casefile.After}, {Name: "sized", Sized: true}}
	var d casefile.Document
	b := casefile.NewBuilder(t.Context(), c, &d)
	d.Until, d.Expect = 3, nil
	for _, text := range []string{
		`{"quantity": "linear", "time": 1.5, "value": 2.5, "tolerance": 2}`,
		`{"quantity": "before", "time": 1.5, "value": 1, "tolerance": 0}`,
		`{"quantity": "after", "time": 1.5, "value": 4, "tolerance": 0}`, `{"quantity": "linear", "value": 9, "tolerance": 0}`,
		`{"quantity": "linear", "time": 0, "value": 1, "tolerance": 0.5}`, `{"quantity": "linear", "max": 8}`,
		`{"quantity": "linear", "min": 0}`,
		`{"quantity": "sized", "max": 9, "min": 1}`, `{"quantity": "linear", "max": 9, "min": 0}`,
		`{"quantity": "after", "min": 1}`, `{"quantity": "after", "time": 0, "value": 1, "tolerance": 0}`, // no step ends at 0
	} {
		var x casefile.ExpectDocument
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			t.Fatal(err)
		}
		d.Expect = append(d.Expect, x)
	}
	list := b.Expectations(&d, quantities, 3, func(casefile.Path, *casefile.ExpectDocument, *casefile.Expectation) {})
	if err := b.Err(); err != nil {
		t.Fatal(err)
	}
	e := casefile.NewEvaluator(list, d.Until)
	for _, o := range e.Outcomes(true) {
		if o.Met || o.Value != nil {
			t.Errorf("nothing was seen, but %+v", o)
		}
	}
	for k := range 4 {
		at := float64(k)
		e.Observe(at, func(x *casefile.Expectation) float64 {
			if x.Quantity == "sized" {
				return -at * at
			}
			return at * at
		})
		again := casefile.NewEvaluator(list, d.Until) // as from a checkpoint
		if err := again.Load(e.Save()); err != nil {
			t.Fatal(err)
		}
		e = again
	}
	if err := casefile.NewEvaluator(nil, 1).Load(e.Save()); err == nil {
		t.Error("the progress of another case was taken")
	}
	want := []struct {
		value float64
		met   bool
	}{{2.5, true}, {1, true}, {4, true}, {9, true}, {0, false}, {9, false}, {0, true}, {0, false}, {9, true}, {1, true}, {1, true}}
	for i, o := range e.Outcomes(true) {
		if *o.Value != want[i].value || o.Met != want[i].met {
			t.Errorf("%s: %g, met %t, want %g, %t", o.Label, *o.Value, o.Met, want[i].value, want[i].met)
		}
		bound := o.Max != nil || o.Min != nil // met first at √|value|
		if bound != (o.At != nil) || bound && *o.At != math.Sqrt(math.Abs(*o.Value)) {
			t.Errorf("%s: found %s", o.Label, o.Found())
		}
	}
}

// TestNotReached: of a run that stops after 2 of 3 s, the square of time at a time before and bounds that are broken are
// known; the value at the end, one at a time after, and bounds that held so far are not reached, whatever the last row has.
func TestNotReached(t *testing.T) {
	half, four, eight, nine := 0.5, 4.0, 8.0, 9.0
	one, late := 1.0, 2.5
	list := []casefile.Expectation{{Time: &one, Value: &one}, {Max: &half}, {Min: &half},
		{Value: &four}, {Value: &nine}, {Time: &late, Value: &four}, {Max: &eight}}
	e := casefile.NewEvaluator(list, 3)
	for k := range 3 {
		e.Observe(float64(k), func(*casefile.Expectation) float64 { return float64(k * k) })
	}
	for i, o := range e.Outcomes(false) {
		if known := i < 3; known != (o.Value != nil) || o.Met != (i == 0) {
			t.Errorf("%d: found %s, met %t", i, o.Found(), o.Met)
		}
	}
}

// TestSeveralRowsAtATime: the last of them counts, from which the run goes on, as at the end.
func TestSeveralRowsAtATime(t *testing.T) {
	one, half, two, seven := 1.0, 1.5, 2.0, 7.0
	list := []casefile.Expectation{{Time: &one, Value: &seven}, {Time: &half, Value: &seven}, {Time: &two, Value: &seven}, {Value: &seven}}
	e := casefile.NewEvaluator(list, 2)
	for _, row := range [][2]float64{{0, 0}, {1, 5}, {1, 7}, {2, 9}, {2, 7}} {
		e.Observe(row[0], func(*casefile.Expectation) float64 { return row[1] })
	}
	for i, o := range e.Outcomes(true) {
		if want := map[bool]float64{true: 8, false: 7}[i == 1]; *o.Value != want { // half way to the row that ends the step
			t.Errorf("%d: %g, want %g", i, *o.Value, want)
		}
	}
}

// TestObserved: quantities that are looked at only, by their names or by a line; they have
// no value to compare with, and faults name their places.
func TestObserved(t *testing.T) {
	observe := func(lines ...string) error {
		t.Helper()
		c, err := models.Grammar().Decode("drag.json", []byte(valid))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			c.Observe = append(c.Observe, json.RawMessage(l))
		}
		built, err := models.Build(t.Context(), c)
		if err != nil {
			return err
		}
		if n := len(built.Plan().Expect); n != 1+len(lines) {
			t.Errorf("%d expectations", n)
		}
		for i, x := range built.Plan().Expect {
			if x.Index != i {
				t.Errorf("expectation %d has the number %d", i, x.Index)
			}
		}
		e := casefile.NewEvaluator(built.Plan().Expect, 2)
		e.Observe(2, func(*casefile.Expectation) float64 { return math.Pi })
		for _, o := range e.Outcomes(true)[1:] {
			if !o.Observed || !o.Met || *o.Value != math.Pi {
				t.Errorf("%+v", o)
			}
		}
		return nil
	}
	if err := observe(`"dissipation"`, `{"quantity": "position", "particle": "a", "axis": "y"}`); err != nil {
		t.Error(err)
	}
	for line, want := range map[string]string{
		`{"quantity": "dissipation", "value": 1}`:                "want a quantity to look at",
		`{"quantity": "dissipation", "tme": 1}`:                  "unknown field",
		`{"quantity": "dissipation", "time": 3}`:                 "want a time of the run, 0 to 2",
		`{"quantity": "position", "particle": "a", "axis": "w"}`: "want x, y or z",
		`"disipation"`: `the nearest one is "dissipation"`,
	} {
		if err := observe(line); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "$.observe[0]") {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// TestNumberAt: numbers of a case, and what is none.
func TestNumberAt(t *testing.T) {
	if v, err := casefile.NumberAt([]byte(valid), "friction.steel.mu"); err != nil || v != 0.4 {
		t.Errorf("%g, %v", v, err)
	}
	if v, err := casefile.NumberAt([]byte(valid), "energies[0].stiffness[2]"); err != nil || v != 5 {
		t.Errorf("%g, %v", v, err)
	}
	for path, want := range map[string]string{
		"friction.steel.nu": `the nearest name is "mu"`, "friction.stel.mu": `the nearest name is "steel"`,
		"friction.steel.weight": "there are mu", "name": "want a number", "energies[7].stiffness": "energies[7]",
		"[": "without a number", "name.x": "$.name",
	} {
		if _, err := casefile.NumberAt([]byte(valid), path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if _, err := casefile.NumberAt([]byte("{"), "name"); err == nil || !strings.Contains(err.Error(), "not JSON") {
		t.Error(err)
	}
}

// TestReadable: what is no file beside a case is named, and so is one that is not there.
func TestReadable(t *testing.T) {
	c, err := models.Grammar().Decode("drag.json", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	var d casefile.Document
	b, dir := casefile.NewBuilder(t.Context(), c, &d), t.TempDir()
	if err := b.Readable(dir); err == nil || !strings.Contains(err.Error(), "a pipe, a device or a folder") {
		t.Error(err)
	}
	if err := b.Readable(filepath.Join(dir, "none.csv")); err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Error(err)
	}
}

// TestMeansOfSteps: means over two steps of h of a function, at times on and between rows and at the end: the value
// is within its bound, and of second order; of a constant it is exact, and behind a jump it is not continued. An
// expectation that the bound leaves open is not decided. A run that is resumed after each step says the same.
func TestMeansOfSteps(t *testing.T) {
	c, err := models.Grammar().Decode("drag.json", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	var d casefile.Document
	b := casefile.NewBuilder(t.Context(), c, &d)
	d.Until = 2
	look := func(h, at float64, mean func(from, to float64) float64) (value, within float64) {
		tolerance := 1e-12
		want := mean(at, at)
		d.Expect = []casefile.ExpectDocument{{Quantity: "force", Time: &at, Value: &want, Tolerance: &tolerance}}
		list := b.Expectations(&d, []casefile.Quantity{{Name: "force", Between: casefile.After}}, 3,
			func(casefile.Path, *casefile.ExpectDocument, *casefile.Expectation) {})
		if err := b.Err(); err != nil {
			t.Fatal(err)
		}
		e := casefile.NewEvaluator(list, 2)
		for k := range int(math.Round(2/h)) + 1 {
			now := float64(k) * h
			span := min(2*h, max(now, h))
			e.Average(spanOf(span))
			e.Observe(now, func(*casefile.Expectation) float64 { return mean(now-span, now) })
			again := casefile.NewEvaluator(list, 2)
			if err := again.Load(e.Save()); err != nil {
				t.Fatal(err)
			}
			e = again
		}
		o := e.Outcomes(true)[0]
		if off := math.Abs(*o.Value - mean(at, at)); off > o.Within+1e-14 ||
			o.Met != (off+o.Within <= tolerance) || !o.Met && !o.Undecided() {
			t.Errorf("h = %g, t = %g: off by %g, said to be within %g, met %v", h, at, off, o.Within, o.Met)
		}
		return *o.Value, o.Within
	}
	wave := func(from, to float64) float64 {
		if from == to {
			return math.Cos(3 * to)
		}
		return (math.Sin(3*to) - math.Sin(3*from)) / (3 * (to - from))
	}
	look(.02, .731, wave)
	look(.02, 1.25, wave)
	for _, at := range []float64{.5, .74, 1.2, 2} {
		value, within := look(.02, at, wave)
		finer, less := look(.01, at, wave)
		order := math.Log2(math.Abs(value-math.Cos(3*at)) / math.Abs(finer-math.Cos(3*at)))
		if order < 1.5 || less > .4*within {
			t.Errorf("t = %g: order %.2f, within %g and %g", at, order, within, less)
		}
	}
	if value, within := look(.1, 1.3, func(float64, float64) float64 { return 7 }); value != 7 || within != 0 {
		t.Errorf("a constant is %g ± %g", value, within)
	}
	jump := func(from, to float64) float64 { // from 10 to 0 at 1
		if from == to {
			return 0
		}
		return 10 * max(0, min(1, to)-from) / (to - from)
	}
	if value, _ := look(.1, 1.2, jump); math.Abs(value) > 1e-12 {
		t.Errorf("behind a jump to 0 the value is %g", value)
	}
	if off, within := behindKinks(t, &d, b); off > within {
		t.Errorf("between kinks that cut a step: off by %g, said to be within %g", off, within)
	}
}

// behindKinks is by what a force is off that falls from 50 to 10 within a twentieth of a step, at its middle, and by what
// it is said to be.
func behindKinks(t *testing.T, d *casefile.Document, b *casefile.Builder) (off, within float64) {
	at, want, tolerance := 1.0025, 30., 1e-9
	d.Expect = []casefile.ExpectDocument{{Quantity: "force", Time: &at, Value: &want, Tolerance: &tolerance}}
	list := b.Expectations(d, []casefile.Quantity{{Name: "force", Between: casefile.After}}, 3,
		func(casefile.Path, *casefile.ExpectDocument, *casefile.Expectation) {})
	e, force := casefile.NewEvaluator(list, 2), 50.
	for k, now := range []float64{0.8, 0.9, 1, 1.005} {
		mean := force
		if h := 0.005; k == 3 {
			mean = (50*0.1 + 30*h) / (0.1 + h)
		}
		e.Average(spanOf(min(0.2, 0.1+now-[]float64{0.7, 0.8, 0.9, 1}[k])))
		e.Observe(now, func(*casefile.Expectation) float64 { return mean })
	}
	o := e.Outcomes(true)[0]
	return math.Abs(*o.Value - want), o.Within
}

// TestExtremeAtTheEnd: a force that rises until the end is largest there, not in the mean of the last steps; one that
// falls from the start on is larger than the first mean.
func TestExtremeAtTheEnd(t *testing.T) {
	c, err := models.Grammar().Decode("drag.json", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	var d casefile.Document
	b := casefile.NewBuilder(t.Context(), c, &d)
	most := 1.97
	d.Until, d.Expect = 2, []casefile.ExpectDocument{{Quantity: "force", Max: &most}}
	list := b.Expectations(&d, []casefile.Quantity{{Name: "force", Between: casefile.After}}, 3,
		func(casefile.Path, *casefile.ExpectDocument, *casefile.Expectation) {})
	if err := b.Err(); err != nil {
		t.Fatal(err)
	}
	for _, force := range []func(t float64) float64{func(t float64) float64 { return t }, func(t float64) float64 { return 2 - t }} {
		e := casefile.NewEvaluator(list, 2)
		for k := range 21 {
			now := float64(k) / 10
			span := min(0.2, max(now, 0.1))
			e.Average(spanOf(span))
			e.Observe(now, func(*casefile.Expectation) float64 { return force(now - span/2) })
		}
		if o := e.Outcomes(true)[0]; math.Abs(*o.Value-2) > 1e-12 || o.Met || o.Undecided() {
			t.Errorf("the largest is %g ± %g, met %t, want 2", *o.Value, o.Within, o.Met)
		}
	}
}

// TestExtremeOfSteps: a least value of steps that lies beyond those two rows before and after it may be off by what it
// is beyond the nearer one, also of a run that was resumed; at an end, or on a level, it is as it stands.
func TestExtremeOfSteps(t *testing.T) {
	c, err := models.Grammar().Decode("drag.json", []byte(strings.Replace(valid, `"until": 2`, `"until": 9`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	var d casefile.Document
	b := casefile.NewBuilder(t.Context(), c, &d)
	min := 1.0
	d.Until, d.Expect = 9, []casefile.ExpectDocument{{Quantity: "force", Min: &min}}
	list := b.Expectations(&d, []casefile.Quantity{{Name: "force", Between: casefile.After}}, 3,
		func(casefile.Path, *casefile.ExpectDocument, *casefile.Expectation) {})
	if err := b.Err(); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		values         []float64 // from the first step on
		within         float64
		met, undecided bool
	}{{[]float64{3, 1.5, 2.25, 4}, 3.25, false, true}, {[]float64{5, 2, 2, 5}, 6, false, true},
		{[]float64{5, 2, 2, 2, 2, 2, 5}, 0, true, false}, {[]float64{5, 4, 3, 1.5, 1.5, 1.5, 1.5, 3, 4, 5}, 0, true, false},
		{[]float64{5, 4, 3, 1.5, 3, 4, 5}, 1.5, false, true}, {[]float64{2, 3, 4}, 0, true, false},
		{[]float64{4, 3, 2}, 0, true, false}, {[]float64{4, -3, 4}, 14, false, true}} {
		e := casefile.NewEvaluator(list, d.Until)
		for k, v := range append([]float64{0}, x.values...) { // the row at the start is of no step
			e.Observe(float64(k), func(*casefile.Expectation) float64 { return v })
			again := casefile.NewEvaluator(list, d.Until)
			if err := again.Load(e.Save()); err != nil {
				t.Fatal(err)
			}
			e = again
		}
		if o := e.Outcomes(true)[0]; o.Within != x.within || o.Met != x.met || o.Undecided() != x.undecided {
			t.Errorf("%v: ± %g, met %v, undecided %v, want %+v", x.values, o.Within, o.Met, o.Undecided(), x)
		}
	}
}
