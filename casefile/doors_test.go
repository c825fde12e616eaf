package casefile_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/models"
)

// TestPaths: a key stands behind a point if it is a word, else in brackets, abbreviated.
func TestPaths(t *testing.T) {
	for key, want := range map[string]string{
		"mu": "$.mu", "a_b": "$.a_b", "$x": "$.$x", "_": "$._", "azAZ09": "$.azAZ09",
		"": `$[""]`, "9a": `$["9a"]`, "0": `$["0"]`, "ä": `$["ä"]`, "a b": `$["a b"]`,
		"`": "$[\"`\"]", "{": `$["{"]`, "@": `$["@"]`, "[": `$["["]`, "a/": `$["a/"]`, "a:": `$["a:"]`,
		strings.Repeat("k", 40): "$." + strings.Repeat("k", 40), strings.Repeat("k", 41): `$["` + strings.Repeat("k", 41) + `"]`,
		strings.Repeat("k", 61): `$["` + strings.Repeat("k", 59) + `…"]`,
	} {
		if got := (casefile.Path{key}).String(); got != want {
			t.Errorf("%q: %s, want %s", key, got, want)
		}
	}
	if got := (casefile.Path{"a", 0, "b c", 12}).String(); got != `$.a[0]["b c"][12]` {
		t.Error(got)
	}
}

// TestCoefficients: one that changes with time is not negative until the end, at its knots and
// between them; its first value is that at the start.
func TestCoefficients(t *testing.T) {
	c, err := models.Grammar().Decode("drag.json", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		text  string
		first float64
		fault string
	}{
		{"0.3", 0.3, ""},
		{`{"table": [[0, 0.2], [1, 0.7], [3, 0]]}`, 0.2, ""},
		{`{"table": [[0, 0], [2, 1], [2.1, -1]]}`, 0, ""}, // after the end
		{`{"table": [[0, 1], [0.7003, 1], [0.7004, -1e-9], [0.7005, 1]]}`, 1, "the coefficient is -1e-09 at t = 0.7004"},
		{`{"sine": {"amplitude": 0.5, "frequency": 0.5, "offset": 0.49}}`, 0.49, "the coefficient is -"},
		{`{"sine": {"amplitude": 0.5, "frequency": 0.5, "offset": 0.51}}`, 0.51, ""},
	} {
		var d casefile.Document
		b := casefile.NewBuilder(t.Context(), c, &d)
		mu, _ := b.Coefficient(casefile.Path{"mu"}, json.RawMessage(x.text), 2)
		if err := fmt.Sprint(b.Err()); mu != x.first || x.fault == "" && b.Err() != nil || !strings.Contains(err, x.fault) {
			t.Errorf("%s: %g, %v; want %g, %q", x.text, mu, err, x.first, x.fault)
		}
	}
}

// TestWhatCommandsSay: the accuracy of a command goes before that of the case, and that before the
// one of all; steps that end with the run, but for rounding, do.
func TestWhatCommandsSay(t *testing.T) {
	c, err := models.Grammar().Decode("drag.json", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	var d casefile.Document
	b := casefile.NewBuilder(t.Context(), c, &d)
	d.Accuracy = nil
	own := 0.2
	for _, x := range []struct {
		command float64
		own     *float64
		want    float64
	}{{0, nil, casefile.DefaultAccuracy}, {0, &own, own}, {0.5, &own, 0.5}, {0.5, nil, 0.5}} {
		b.Case.Accuracy, d.Accuracy = x.command, x.own
		if got := b.Accuracy(&d); got != x.want {
			t.Errorf("%+v: %g", x, got)
		}
	}
	for _, x := range []struct {
		step, until float64
		want        int
	}{{0.1, 0.3, 3}, {0.3, 1, 4}, {2, 1, 1}, {1. / 3, 1, 3}, {0.1, 0.3 + 1e-9, 4}} {
		if got := b.StepCount(casefile.Path{"step"}, x.step, x.until); got != x.want {
			t.Errorf("steps of %g to %g: %d, want %d", x.step, x.until, got, x.want)
		}
	}
}

// TestOrderOfFaults: they come by line and column, and say where in a table they are.
func TestOrderOfFaults(t *testing.T) {
	text := strings.ReplaceAll(valid, "\n", " ")
	for old, with := range map[string]string{`"steps": 10`: `"steps": 0`, `"mu": 0.4`: `"mu": -1`, `"until": 2`: `"until": {"a": 1}`} {
		if !strings.Contains(text, old) {
			t.Fatal(old)
		}
		text = strings.Replace(text, old, with, 1)
	}
	_, err := build("bad.json", text)
	at := 0
	for _, line := range strings.Split(fmt.Sprint(err), "\n") {
		var row, column int
		if _, err := fmt.Sscanf(line, "bad.json:%d:%d:", &row, &column); err != nil || row != 1 || column <= at {
			t.Errorf("%q after column %d, %v", line, at, err)
		}
		at = column
	}
	if n := strings.Count(fmt.Sprint(err), "\n"); n != 2 {
		t.Errorf("%d faults, want 3: %v", n+1, err)
	}
}

// TestEdges: the largest numbers, the deepest nesting.
func TestEdges(t *testing.T) {
	for v, want := range map[float64]bool{casefile.Largest: true, -casefile.Largest: true,
		1.001 * casefile.Largest: false, -1.001 * casefile.Largest: false, math.NaN(): false, math.Inf(1): false} {
		if err := casefile.InRange(v); (err == nil) != want {
			t.Errorf("%g: %v", v, err)
		}
	}
	for depth, want := range map[int]bool{99: true, 100: true, 101: false, 102: false} {
		_, err := models.Grammar().Decode("deep.json",
			[]byte(`{"model": "energetic", "a": `+strings.Repeat("[", depth-1)+strings.Repeat("]", depth-1)+`}`))
		if deep := strings.Contains(fmt.Sprint(err), "nested deeper than 100 levels"); deep == want {
			t.Errorf("%d brackets: %.200v", depth, err)
		}
	}
}

// TestAxes: what is expected along an axis that the space does not have names those that it has.
func TestAxes(t *testing.T) {
	c, err := models.Grammar().Decode("drag.json", []byte(valid))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		dim        int
		axis, want string
	}{{1, "x", ""}, {1, "y", "$.expect[0].axis: found \"y\", want x on the line"}, {2, "y", ""},
		{2, "z", "found \"z\", want x or y in the plane"}, {3, "z", ""}} {
		var d casefile.Document
		b := casefile.NewBuilder(t.Context(), c, &d)
		one := 1.
		d.Until, d.Expect = 2, []casefile.ExpectDocument{{Quantity: "way", Axis: &x.axis, Max: &one}}
		b.Expectations(&d, []casefile.Quantity{{Name: "way", May: "axis"}}, x.dim,
			func(casefile.Path, *casefile.ExpectDocument, *casefile.Expectation) {})
		if text := fmt.Sprint(b.Err()); x.want == "" && b.Err() != nil || !strings.Contains(text, x.want) {
			t.Errorf("%+v: %s", x, text)
		}
	}
}
