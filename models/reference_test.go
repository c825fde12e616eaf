package models

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/model/energetic"
	"github.com/quasistatic/quasistatic/run"
)

// TestReferences: what the key reference takes, and what it refuses with the place.
func TestReferences(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.csv"), []byte("t,x\n0,0\n1,2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const head = `{` + point + held + `"particles": [{"id": "p", "at": [0, 0, 0]}], ` + tied + `, "reference": [`
	for lines, want := range map[string]string{
		`{"column": "p.x", "formula": "{a}*t^2/2"}`:                               "",
		`{"column": "p.x", "value": {"csv": "x.csv", "time": "t", "value": "x"}}`: "",
		`{"column": "p.x", "value": {"table": [[0, 0], [1, 2]]}}`:                 "",
		`{"column": "q.x", "formula": "t"}`:                                       `$.reference[0].column: unknown column "q.x", the nearest one is "p.x"`,
		`{"column": "p.x", "formula": "t", "value": 1}`:                           "$.reference[0]: ",
		`{"column": "p.x"}`:                                                                               "$.reference[0]: ",
		`{"column": "p.x", "formula": "a*t"}`:                                                             `$.reference[0].formula: unknown name "a"`,
		`{"column": "p.x", "formula": "t +"}`:                                                             "$.reference[0].formula: ",
		`{"column": "p.x", "formula": "sqrt(-1 - t)"}`:                                                    "$.reference[0]: it has no finite value",
		`{"column": "p.x", "formula": "\"text\""}`:                                                        "$.reference[0]: it has no finite value",
		`{"column": "p.x", "value": {"csv": "none.csv", "time": "t", "value": "x"}}`:                      "$.reference[0].value.csv: ",
		`{"column": "p.x", "formula": "t"}, {"column": "p.y", "formula": "len(` + "`" + `t` + "`" + `)"}`: "$.reference[1]: it has no finite value",
	} {
		text := head + lines + "]"
		if strings.Contains(lines, "{a}") {
			text += `, "parameters": {"a": 4}`
		}
		c, err := Grammar().Decode(filepath.Join(dir, "case.json"), []byte(text+"}"))
		var built run.Case
		if err == nil {
			built, err = Build(t.Context(), c)
		}
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", lines, err)
		case want == "":
			p := built.Plan()
			if v := p.References[0].At(0.5); math.Abs(v-0.5) > 1e-15 && math.Abs(v-1) > 1e-15 {
				t.Errorf("%s: %g at t = 0.5", lines, v)
			}
			if strings.Contains(lines, "csv") != (len(p.Files) == 1) {
				t.Errorf("%s: the files are %q", lines, p.Files)
			}
			if len(p.Notes) > 0 {
				t.Errorf("%s: %q", lines, p.Notes)
			}
		case err == nil || !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, want %s", lines, err, want)
		}
	}
}

// TestReferenceOfPage: a page says by how much a column is off its reference at any row, beside the rows
// that it draws, and a reference changes no number of the run.
func TestReferenceOfPage(t *testing.T) {
	const text = `{` + point + held + `"particles": [{"id": "p", "at": [0, 0, 0]}], ` + tied + `, "reference": [
		{"column": "p.x", "formula": "t < 0.3 ? t : t + (t > 0.7 ? 0.125 : 0)"}]}`
	x := trial.Run(t, text, &energetic.Model)
	var page bytes.Buffer
	if err := x.Page(t).Write(&page); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.String(), "Off by at most 0.125 m, at t = 0.75 s") {
		t.Error("the page does not say that the column is off by 0.125 m at t = 0.75 s")
	}
}
