package engine_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/cases"
	"github.com/quasistatic/quasistatic/engine"
	"github.com/quasistatic/quasistatic/internal/pagedata"
	"github.com/quasistatic/quasistatic/table"
)

// TestRun: a text gives the verdict, columns and page of its run, also where it wants its folder in
// another format; the page has the columns.
func TestRun(t *testing.T) {
	text, _ := cases.Read("play")
	changed, err := casefile.Set(text, "output", []byte(`{"format": "npz"}`))
	if err != nil {
		t.Fatal(err)
	}
	var sums []string
	for _, text := range [][]byte{text, changed} {
		steps := 0
		r, err := engine.Run(t.Context(), text, filepath.Join(t.TempDir(), "run"),
			engine.Options{OnStep: func(k int, at float64) { steps = k }})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if s := r.Summary; !s.Certified || s.Name != "play" || steps != s.Steps || !strings.Contains(r.Brief, "certified") {
			t.Errorf("%d steps, %+v\n%s", steps, s, r.Brief)
		}
		c, err := r.Columns()
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(c.Sheets, func(s table.SheetColumns) bool { return s.Sheet.File == table.TrajectoryFile })
		if s := &c.Sheets[i]; len(s.T) != r.Summary.Steps+1 || s.T[len(s.T)-1] != 2 {
			t.Errorf("%d rows", len(s.T))
		}
		p, err := r.Page(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		if data, err := pagedata.Of(b.String()); err != nil || !bytes.Contains(data, []byte(`"tables":[{`)) {
			t.Errorf("the page has no columns: %v", err)
		}
		for _, f := range r.Summary.Files {
			if filepath.Ext(f.File) == ".csv" {
				sums = append(sums, f.File+" "+f.SHA256)
			}
		}
	}
	if n := len(sums) / 2; n < 3 || !slices.Equal(sums[:n], sums[n:]) {
		t.Errorf("sums %q", sums)
	}
}

// TestPrepare: a run that chooses its steps says what it does before the first of them, and equal
// steps have nothing before them.
func TestPrepare(t *testing.T) {
	for _, name := range []string{"rolling-ball", "grazing"} {
		text, _ := cases.Read(name)
		var said []string
		begun := false
		r, err := engine.Run(t.Context(), text, filepath.Join(t.TempDir(), "run"), engine.Options{
			OnStep: func(int, float64) { begun = true },
			OnPrepare: func(text string) {
				if said = append(said, text); begun || !strings.Contains(text, "steps of pilot runs") {
					t.Errorf("%s: %q, begun %t", name, text, begun)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if want := name == "rolling-ball"; (len(said) > 0) != want || r.Summary.Steps == 0 {
			t.Errorf("%s: told %q", name, said)
		}
	}
}

// TestFaults: a case that is wrong is an error with its places; a run that fails is none.
func TestFaults(t *testing.T) {
	if _, err := engine.Run(t.Context(), []byte(`{"model": "rigid", "bodys": []}`), t.TempDir(),
		engine.Options{}); err == nil || !strings.Contains(err.Error(), "case.json:1:") {
		t.Error(err)
	} else if faults, ok := errors.AsType[*casefile.Error](err); !ok || faults.Faults[0].Line != 1 {
		t.Errorf("%#v", err)
	}
}
