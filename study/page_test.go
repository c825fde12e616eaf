package study

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
		figures, summary := shown(t, table, dir)
		page := string(read(t, dir, PageFile))
		if strings.Contains(page, "<b>no") || strings.Contains(page, "<grid>") {
			t.Errorf("%s: text of the case is part of the page", name)
		}
		want := map[string]int{"grid": 3, "sample": 6, "sobol": 6, "order": 1, "same": 1}[name]
		if len(figures) != want {
			t.Errorf("%s: %d figures, want %d", name, len(figures), want)
		}
		if !strings.Contains(page, fmt.Sprintf("%d runs", s.planned(t))) {
			t.Errorf("%s: the page does not say how many runs there are", name)
		}
		if name == "same" && summary.Made != 3 {
			t.Errorf("three equal rows: %d made", summary.Made)
		}
	}
}

// shown is what the page of a study shows.
func shown(t *testing.T, table *Table, dir string) ([]report.Figure, *Summary) {
	t.Helper()
	figures, err := table.Figures()
	if err != nil {
		t.Fatal(err)
	}
	summary, err := table.Summary(dir, Shard{})
	if err != nil {
		t.Fatal(err)
	}
	return figures, summary
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
		figures, summary := shown(t, table, dir)
		for _, f := range figures {
			if svg := string(f.SVG); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Errorf("%s: the figure %s has numbers that are none", name, f.ID)
			}
		}
		if _, err := run.JSON(summary); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
