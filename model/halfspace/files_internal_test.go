package halfspace

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/internal/trial"
	"github.com/quasistatic/quasistatic/run"
)

// TestCheckSays: what check finds out of a case: the modulus E*/2 of two equal bodies, no coupling
// of these, and that steps have one solution; of bodies that are not, friction times coupling, and
// an objection where that is not below 1.
func TestCheckSays(t *testing.T) {
	for _, c := range []struct{ old, with, uniqueness, objection string }{
		{`"friction": {"mu": 0.3}`, `"friction": {"mu": 0.3}`, "two convex problems", ""},
		{`"friction": {"mu": 0.3},`, ``, "a convex problem", ""},
		{`"on": "similar"`, `"on": "rigid"`, "friction times coupling is", ""},
		{`"on": "similar",
  "profile": {"sphere": 1},
  "friction": {"mu": 0.3}`, `"on": "rigid",
  "profile": {"sphere": 1},
  "friction": {"mu": 9}`, "", "uniqueness of the steps is undecided"},
	} {
		k := prepared(t, edit(t, c.old, c.with))
		x, err := k.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		page := run.NewPage(nil, nil)
		x.Print(page)
		e := x.(*examination)
		modulus := 1 / (1 - .09) // E*
		if !strings.Contains(c.with, "rigid") {
			modulus /= 2
		}
		if e.Elements != 96 || !(math.Abs(e.Modulus/modulus-1) <= 1e-12) ||
			!(e.Operator.Least > 0 && e.Operator.Least < e.Operator.Largest) {
			t.Errorf("%q: %+v, want E* = %g", c.with, e, modulus)
		}
		if text := page.String(); !strings.Contains(text, c.uniqueness) ||
			!strings.Contains(text, "96 elements of 0.25×0.25 m") || !strings.Contains(text, c.objection) {
			t.Errorf("%q:\n%s", c.with, text)
		}
		if list := x.Objections(); (len(list) > 0) != (c.objection != "") {
			t.Errorf("%q: objections %q", c.with, list)
		}
	}
}

// TestPicturesOfStress: a run whose stress is asked for leaves pictures of it; its VTU files have
// the tractions of the tables, element by element, and the states of friction; in other steps it is
// another case; a study measures its balance.
func TestPicturesOfStress(t *testing.T) {
	text := strings.Replace(pressed, `"steps": 4`,
		`"steps": 4, "accuracy": 1, "output": {"format": "vtu"}, "stress": {"planes": [0.1, 0.5]}`, 1)
	x := trial.Run(t, text, &Model)
	if ids := trial.Figures(t, x.Page(t)); !strings.Contains(ids, "stress0") || !strings.Contains(ids, "stress1") {
		t.Errorf("figures %s", ids)
	}
	files, err := filepath.Glob(filepath.Join(x.Dir, "*", "*.vtu"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%q, %v", files, err)
	}
	b, err := os.ReadFile(files[len(files)-1])
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pressure", "traction", "slip", "gap", "bound", "status"} {
		if !bytes.Contains(b, []byte(`Name="`+name+`"`)) {
			t.Errorf("%s has no %s", files[len(files)-1], name)
		}
	}
	if d := x.Diagnose(t); d.Status != x.Summary.Status {
		t.Errorf("%s of these files, %s", d.Status, d.Message)
	}
	c := x.Built.(*Case)
	for steps, want := range map[int]int{8: 8, 0: 1} {
		other, err := c.Refined(steps)
		if err != nil || other.(*Case).plan.Steps != want || c.plan.Steps != 4 {
			t.Errorf("%d steps: %+v, %v", steps, other.(*Case).plan.Steps, err)
		}
	}
	started, err := c.Start(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	r := started.(*Run)
	if err := r.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l := r.Line(); l.T != .25 || !strings.Contains(l.Extra, "load 0.1 N") || !(l.Residual <= l.Tolerance) {
		t.Errorf("%+v", l)
	}
	if m := r.Measures(); len(m) != 2 || m[0].Key != "balance" || !m[0].Falls || m[1].Value != r.sum.Gap {
		t.Errorf("%+v", m)
	}
	page := run.NewPage(x.Summary, nil)
	r.Advise(page, os.ErrInvalid)
	if text := page.String(); !strings.Contains(text, "shorter steps") {
		t.Errorf("%s", text)
	}
	if r.Explain(os.ErrInvalid) != os.ErrInvalid.Error() {
		t.Error("another error")
	}
}
