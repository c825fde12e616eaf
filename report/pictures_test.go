package report

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// sample is the layout of a run of nothing in particular.
var sample = &table.Layout{Sheets: []table.Sheet{{File: table.TrajectoryFile, Columns: []string{"a.x", "a.y", "b.x", "b.y"}, Of: "body"},
	{File: table.EnergiesFile, Columns: []string{"kinetic", "residual"}, Stays: true},
	{File: table.EventsFile, Words: []string{"body", "from", "to"}, Times: table.SomeRows, Stays: true}}}

// leave leaves the files of so many rows: a moves on a circle, b stands still, an event
// every tenth row.
func leave(t *testing.T, rows int) *table.Folder {
	t.Helper()
	dir := t.TempDir()
	w, err := table.Start(dir, sample, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range rows {
		at := float64(k) / 100
		sin, cos := math.Sincos(at)
		if err := w.Row(k, at, []float64{cos, sin, 5, 5}, []float64{0.5, 1e-17 * at}); err != nil {
			t.Fatal(err)
		}
		if k%10 == 9 {
			if err := w.Write(table.EventsFile, at,
				[]string{"a", []string{"open", "stick"}[k/10%2], []string{"stick", "open"}[k/10%2]}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return table.NewFolder(dir, sample)
}

// TestRecord reads a table, and what its columns say of themselves.
func TestRecord(t *testing.T) {
	f := leave(t, 300)
	r := Record{File: table.TrajectoryFile}
	seen := 0
	r.Observe = func(float64, []float64) { seen++ }
	r.Until = func(at float64) bool { return at < 1.5 }
	for range 2 { // what waits is not read twice
		if err := r.Read(context.Background(), f, false); err != nil || r.Rows != 150 || seen != 150 {
			t.Fatalf("%v: %d rows, %d seen", err, r.Rows, seen)
		}
	}
	r.Until = nil
	if err := r.Read(context.Background(), f, false); err != nil || r.Rows != 300 {
		t.Fatalf("%v: %d rows", err, r.Rows)
	}
	defer r.Close()
	if v := r.Value("a.x"); v != math.Cos(2.99) || r.Start("a.x") != 1 || r.Most("a.y") <= 0.9999 ||
		r.Size("a.x", "none") != 1 || r.Value("none") != 0 || r.Column("none") != nil {
		t.Errorf("the last x is %g", v)
	}
	all := func(string) bool { return true }
	p := r.Busiest("t", "[m]", all, true)()
	if len(p.Lines) != 2 || p.Lines[0].Name != "a.x" || p.Lines[1].Name != "a.y" {
		t.Errorf("what moves is %+v", p.Lines)
	}
	if r.Busiest("t", "", func(string) bool { return false }, true)() != nil {
		t.Error("nothing is wanted, but drawn")
	}
	e := Record{File: table.EnergiesFile}
	if err := e.Read(context.Background(), f, true); err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if p := e.Lines("Energies", "[J]", []Quantity{{Column: "kinetic", Name: "k", FromStart: true},
		{Column: "none"}}); len(p.Lines) != 1 || p.Lines[0].Points[0].Y != 0 {
		t.Errorf("%+v", p)
	}
	if p := e.LogPlot("Residual", "[J]", 0, "rounding", []*Range{nil, e.Column("residual")},
		[]string{"", "r"}); len(p.Lines) != 2 || p.YRange[0] != -17 {
		t.Errorf("%+v", p)
	}
	step := Record{File: table.EnergiesFile, OfStep: func(column string) bool { return column == "kinetic" }}
	if err := step.Read(context.Background(), f, true); err != nil {
		t.Fatal(err)
	}
	defer step.Close()
	p = step.Lines("Energies", "[J]", []Quantity{{Column: "kinetic", Name: "of the step", Always: true},
		{Column: "residual", Name: "r", Always: true}})
	if of, r := p.Lines[0].Points[0], p.Lines[1].Points[0]; of != (Point{0.01, 0.5}) || r != (Point{}) {
		t.Errorf("what is of a step begins at %v, want the end of the first; the rest at %v, want the start", of, r)
	}
	none := Record{File: table.ForcesFile}
	if err := none.Read(context.Background(), f, true); err != nil || none.Rows != 0 {
		t.Error(err)
	}
	if err := none.Read(context.Background(), f, false); err == nil ||
		!strings.Contains(err.Error(), "is it the folder of a run") && !strings.Contains(err.Error(), "is missing") {
		t.Error(err)
	}
}

// TestRecordRefuses: a number that is none cannot be drawn.
func TestRecordRefuses(t *testing.T) {
	f := leave(t, 3)
	name := filepath.Join(f.Dir, table.TrajectoryFile)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, "1,NaN,0,0,0\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	r := Record{File: table.TrajectoryFile}
	if err := r.Read(context.Background(), f, false); err == nil || !strings.Contains(err.Error(), "trajectory.csv:5: column a.x is NaN") {
		t.Error(err)
	}
	_ = r.Close()
}

// hopeless are plots of numbers that no plot can show as they are.
func hopeless() map[string]*Plot {
	inf, nan := math.Inf(1), math.NaN()
	curve := func(points ...Point) *Plot {
		p := &Plot{Title: "x"}
		p.Line(points, "a name", Palette[0], Dashed, 1)
		return p
	}
	s := newSeries(1, 8)
	s.Add(0, []float64{0})
	list := map[string]*Plot{
		"one point":      curve(Point{1, 1}),
		"one time":       curve(Point{1, 1}, Point{1, 2}),
		"a constant":     curve(Point{0, 3}, Point{1, 3}),
		"zero":           curve(Point{0, 0}, Point{1, 0}),
		"infinite":       curve(Point{0, inf}, Point{1, -inf}),
		"none":           curve(Point{nan, nan}, Point{1, nan}),
		"the largest":    curve(Point{-1.7e308, -1.7e308}, Point{1.7e308, 1.7e308}),
		"the least":      curve(Point{0, 5e-324}, Point{5e-324, 0}),
		"rounding":       curve(Point{1, 1}, Point{1 + 1e-16, 1 + 2e-16}),
		"far away":       curve(Point{1e15, 1e15}, Point{1e15 + 1, 1e15}),
		"logarithm of 0": s.LogPlot("x", "y", 0, "level", []*Range{&s.Channels[0]}, []string{"zero"}),
		"marks":          {Title: "x", Marks: []Marks{{Name: "m", Points: []Point{{nan, inf}}, Color: Black, Size: 2}}, FromZero: true},
		"an area": {Title: "x", Areas: []Area{{Name: "a",
			Rings: [][]Point{{{0, 0}}, nil, {{0, 0}, {inf, 0}, {0, nan}}}, Color: Band, Edge: Black}}, Alike: true, Bare: true},
		"a map": {Title: "x", Map: &Heat{X: []float64{0, 1}, Y: []float64{0, 1}, Values: []float64{inf, nan, 0, -1}}, Bare: true},
		"kinds": {Title: "x", Map: &Heat{X: []float64{0, 1}, Y: []float64{0, 1}, Values: []float64{0, 1, 0, 1},
			Kinds: []Kind{{Color: Band}, {Name: "k", Color: Black}}}, Alike: true},
		"logarithmic": {Title: "x", Logarithmic: true,
			Lines: []Line{{Name: "l", Points: []Point{{1, 1}, {2, 0}, {-1, 4}, {10, 1e-300}}, Color: Black, Width: 1, Dots: true}}},
		"a sample": {Title: "x", Lines: []Line{{Points: []Point{{0, 0}, {1, 1}}, Color: Black}},
			Samples: []Line{{Name: "dots", Dash: Dotted}}, Ticks: []Tick{{0.5, "half"}}, XRange: [2]float64{0, 1},
			YRange: [2]float64{0, 1}},
	}
	return list
}

// TestHopeless: each is drawn, alone, in a page and in a picture.
func TestHopeless(t *testing.T) {
	dir := t.TempDir()
	for name, p := range hopeless() {
		figures, warnings := Draw([]Drawing{{ID: "f", Caption: name, Plot: func() *Plot { return p }, Time: true}})
		if warnings != nil || len(figures) != 1 || strings.Contains(string(figures[0].SVG), "NaN") ||
			strings.Contains(string(figures[0].SVG), "Inf") {
			t.Errorf("%s: %q", name, warnings)
		}
		if warnings, err := DrawPicture(dir, "p", name, p, nil, p); warnings != nil || err != nil {
			t.Errorf("%s: %q, %v", name, warnings, err)
		}
		f, err := os.Open(filepath.Join(dir, "p.png"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(f); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_ = f.Close()
	}
}

// TestNothing: what has nothing to show is left out, or a warning, never an error.
func TestNothing(t *testing.T) {
	dir := t.TempDir()
	panics := func() *Plot { panic("of a model") }
	figures, warnings := Draw([]Drawing{{ID: "none", Plot: func() *Plot { return nil }},
		{ID: "empty", Plot: func() *Plot { return &Plot{} }}, {ID: "panics", Plot: panics}})
	if len(figures) != 0 || len(warnings) != 2 || !strings.Contains(warnings[1], "the figure panics is not drawn: of a model") {
		t.Errorf("%d figures, %q", len(figures), warnings)
	}
	if warnings, err := DrawPicture(dir, "p", "title", nil); warnings != nil || err != nil {
		t.Errorf("%q, %v", warnings, err)
	}
	if warnings, err := DrawPicture(dir, "p", "title", &Plot{Map: &Heat{}}); err != nil || len(warnings) != 0 && len(warnings) != 1 {
		t.Errorf("%q, %v", warnings, err)
	}
	if _, err := DrawPicture(filepath.Join(dir, "none"), "p", "title", hopeless()["zero"]); err == nil {
		t.Error("a picture in a folder that is not there")
	}
}

// TestStateMap: a row that sticks and then slips has a bar of each, up to the ends of its
// steps; rows along a line lie where they are.
func TestStateMap(t *testing.T) {
	m := NewStateMap(2, 10)
	for k := 1; k <= 10; k++ {
		bit := byte(StickBit)
		if k > 5 {
			bit = SlipBit
		}
		m.Add(float64(k), 0, bit)
		m.Add(float64(k), 1, 0)
	}
	p := m.PlotAlong("map", "x [m]", []float64{0, 2})
	if len(p.Areas) != 2 || p.Areas[0].Name != "stick" || p.YRange[0] != 0 || p.YRange[1] != 2.4 {
		t.Fatalf("%+v", p)
	}
	for i, want := range [][2]float64{{0, 5}, {5, 10}} {
		ring := p.Areas[i].Rings[0]
		if len(p.Areas[i].Rings) != 1 || ring[0].X != want[0] || math.Abs(ring[1].X-want[1]) > 1e-12 || ring[0].Y != 0 || ring[2].Y != 1 {
			t.Errorf("bar %d is %v, want times %v and x from 0 to 1", i, ring, want)
		}
	}
	if p := m.PlotAlong("map", "", []float64{2, 2}); p.Y != "contact node" || len(p.Ticks) != 2 || p.Ticks[1].Name != "2" {
		t.Errorf("%+v", p)
	}
	if NewStateMap(2, 10).PlotNamed("", "", []string{"a", "b"}) != nil ||
		NewStateMap(1, 0).PlotNamed("", "", []string{"a"}) != nil || m.PlotAlong("", "", nil) != nil {
		t.Error("a map of nothing")
	}
	still := NewStateMap(1, 0)
	still.Add(0, 0, StickBit) // must not fail
}

// TestMeshPlot: a square that moves by a thousandth is magnified, its shades are shares of
// the largest, and what is far of a solid is drawn first.
func TestMeshPlot(t *testing.T) {
	square := &Mesh{Faces: [][]int{{0, 1, 2}, {0, 2, 3}}, Of: []int{0, 1}, Up: "z"}
	b := Body{Mesh: square, At: [][3]float64{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}},
		Move: [][3]float64{{}, {}, {0, 0, 1e-3}, {}}, Shade: []float64{2e6, 1e6}}
	p := MeshPlot("At the end", "stress", Pascal, []Body{b})
	if p.Title != "At the end, stress up to 2 MPa" || p.X != "x [m], displacements × 30" || len(p.Areas) != 2 || p.Y != "z [m]" {
		t.Fatalf("%q, %q, %q, %d areas", p.Title, p.X, p.Y, len(p.Areas))
	}
	if p := MeshPlot("", "stress", Pascal, []Body{b, b}); p.X != "x [m], displacements × 30, gaps and overlaps × 1" {
		t.Errorf("two bodies: %q", p.X)
	}
	if got := p.Areas[0].Rings[0][2]; math.Abs(got.Y-1.03) > 1e-12 {
		t.Errorf("the corner is at %v, want y = 1.03", got)
	}
	solid := *square
	solid.Solid = true
	b.Mesh = &solid
	if p := MeshPlot("", "stress", Pascal, []Body{b}); p.X != "oblique view [m], displacements × 30" {
		t.Errorf("%+v", p)
	}
	if e := square.Extent(b.At); e != 1 {
		t.Errorf("the extent is %g", e)
	}
	for _, c := range []struct{ u, l, want float64 }{{0, 1, 1}, {1, 1, 1}, {1e-3, 1, 30}, {2e-3, 1, 30}, {7e-3, 1, 3},
		{1e-9, 1, 1000}, {1, 0, 1}} {
		if got := Magnification(c.u, c.l); got != c.want {
			t.Errorf("displacements of %g in %g are shown × %g, want %g", c.u, c.l, got, c.want)
		}
	}
	for v, want := range map[float64]string{0: "0 Pa", 1500: "1.5 kPa", 2.5e7: "25 MPa", 1e11: "100 GPa"} {
		if got := Pascal(v); got != want {
			t.Errorf("%g is %s, want %s", v, got, want)
		}
	}
	var shades Shades
	s := &Scene{}
	shades.Put(s, "x", Pascal)
	if s.Shade != "" {
		t.Error("shades of nothing")
	}
	shades.Add([]float64{0, math.Inf(1), math.NaN(), 1})
	shades.Put(s, "x", Pascal)
	if s.Shade != "AP8AAA==" {
		t.Errorf("the shades are %s", s.Shade)
	}
	square.Add(s, map[int]int{0: 3, 1: 2, 2: 1, 3: 0})
	(&Mesh{Faces: [][]int{{0, 1}}}).Add(s, map[int]int{0: 3, 1: 2})
	if fmt.Sprint(s.Polygons, s.Links) != "[[3 2 1] [3 1 0]] [[3 2 5]]" {
		t.Errorf("%v, %v", s.Polygons, s.Links)
	}
}

// TestOverlay draws a column of two runs; a column that is not there is told with those
// that are.
func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	o := Overlay{Column: "a.y", Title: "two runs"}
	for range 2 {
		if err := o.Add(context.Background(), leave(t, 50), "run"); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"c.svg", "c.PNG"} {
		o.File = filepath.Join(dir, name)
		if err := o.Draw(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	o.File = filepath.Join(dir, "c.bmp")
	if err := o.Draw(); !errors.Is(err, os.ErrInvalid) {
		t.Error(err)
	}
	missing := Overlay{Column: "c.y"}
	err := missing.Add(context.Background(), leave(t, 5), "run")
	if x, ok := errors.AsType[*ColumnError](err); !ok || !strings.Contains(strings.Join(x.Known, " "), "a.y") {
		t.Error(err)
	}
	empty := Overlay{Column: "a.y"}
	if err := empty.Add(context.Background(), leave(t, 0), "run"); err == nil || !strings.Contains(err.Error(), "has no row yet") {
		t.Error(err)
	}
}

// TestColumnOfFile: a name that two tables have means the first table, and either with its file.
func TestColumnOfFile(t *testing.T) {
	layout := &table.Layout{Sheets: []table.Sheet{{File: table.TrajectoryFile, Columns: []string{"a.x", "a.y"}},
		{File: table.EnergiesFile, Columns: []string{"kinetic", "a.y"}}}}
	dir := t.TempDir()
	w, err := table.Start(dir, layout, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Row(0, 0, []float64{1, 2}, []float64{5, 6}), w.Close()); err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string]float64{"a.y": 6, "energies.csv:a.y": 6, "trajectory.csv:a.y": 2} {
		o := Overlay{Column: column}
		if err := o.Add(t.Context(), table.NewFolder(dir, layout), "run"); err != nil {
			t.Errorf("%s: %v", column, err)
			continue
		}
		if got := o.runs[0].c.High[0]; got != want {
			t.Errorf("%s is %g, want %g", column, got, want)
		}
	}
	o := Overlay{Column: "b"}
	if x, ok := errors.AsType[*ColumnError](o.Add(t.Context(), table.NewFolder(dir, layout), "run")); !ok ||
		!slices.Contains(x.Known, "trajectory.csv:a.y") || !slices.Contains(x.Known, "a.y") {
		t.Errorf("the columns are %v", x)
	}
}

// TestOrders: a study of errors is drawn, with slopes of both orders through its largest; of errors
// that are all zero nothing is.
func TestOrders(t *testing.T) {
	h := []float64{0.1, 0.05, 0.025}
	if p := Orders(h, []Curve{{Name: "exact", Values: []float64{0, 0, 0}}}); p != nil {
		t.Errorf("drawn: %+v", p)
	}
	p := Orders(h, []Curve{{Name: "second", Values: []float64{1e-2, 2.5e-3, math.Inf(1)}}, {Name: "exact", Values: []float64{0, 0, 0}}})
	if len(p.Lines) != 3 || len(p.Lines[0].Points) != 2 {
		t.Fatalf("%+v", p.Lines)
	}
	for order, l := range p.Lines[1:] {
		if a, b := l.Points[0].Y, l.Points[1].Y; a != 1e-2 || math.Abs(b-a/float64(int(2)<<order)) > 1e-17 {
			t.Errorf("%s: from %g to %g", l.Name, a, b)
		}
	}
}

// TestOrdersExtreme: errors of any size, of one run and of none.
func TestOrdersExtreme(t *testing.T) {
	for name, curves := range map[string][]Curve{
		"large":    {{"a", []float64{1.7e308, 1e300, math.Inf(1)}}},
		"small":    {{"a", []float64{5e-324, 1e-300, 1e-310}}},
		"both":     {{"a", []float64{1.7e308, 5e-324, 1}}, {"b", []float64{math.NaN(), -1, 0}}},
		"constant": {{"a", []float64{2, 2, 2}}},
		"one":      {{"a", []float64{1, 0, 0}}},
		"none":     {{"a", []float64{0, 0, 0}}},
		"a step":   {{"a", []float64{1e300}}},
	} {
		dir := t.TempDir()
		warnings, err := DrawPicture(dir, "orders", name, Orders([]float64{0.4, 0.2, 0.1}, curves))
		if left, _ := os.ReadDir(dir); err != nil || len(warnings) > 0 || len(left) != map[bool]int{true: 0, false: 2}[name == "none"] {
			t.Errorf("%s: %q, %v, left %v", name, warnings, err, left)
		}
	}
}

// TestEvents are listed and counted, the first of them only.
func TestEvents(t *testing.T) {
	var p Page
	if err := p.ListEvents(leave(t, 2500), "body", []string{"open", "stick"}, nil); err != nil {
		t.Fatal(err)
	}
	if len(p.Events) != ListedEvents || p.Events[0][1] != "a" ||
		p.EventCount != "125 × open → stick, 125 × stick → open. The first 200 of 250 are listed." {
		t.Errorf("%d events, %s", len(p.Events), p.EventCount)
	}
	none := t.TempDir()
	if err := (&Page{}).ListEvents(table.NewFolder(none, sample), "body", nil, nil); err != nil {
		t.Error(err)
	}
}

// TestPageOfStates: the headline of each state of a run.
func TestPageOfStates(t *testing.T) {
	value, want, tolerance, least := 2.0, 1.0, 0.5, 3.0
	missed := []table.Outcome{{Label: "x", Value: &value, Want: &want, Tolerance: &tolerance}, {Label: "y", Min: &least, Max: &value}}
	met := []table.Outcome{{Label: "x", Value: &value, Met: true}}
	undecided := table.Outcome{Label: "x", Value: &value, Want: &want, Tolerance: &tolerance, Within: 1}
	for _, c := range []struct {
		a                      About
		state, class, headline string
	}{
		{About{}, "running", "open", "Not finished"},
		{About{Writing: table.Abandoned}, "killed", "open", "Killed"},
		{About{Summary: &table.Summary{Status: table.Running}}, "running", "open", "Running, or killed"},
		{About{Summary: &table.Summary{Status: table.Running}, Writing: table.Written}, "running", "open", "Running"},
		{About{Summary: &table.Summary{Status: table.Running, Resumed: 1234}, Writing: table.Written}, "resumed",
			"open", "Running, resumed"},
		{About{Summary: &table.Summary{Status: table.Interrupted, Message: "éteint"}}, "stopped", "open", "Stopped before the end"},
		{About{Summary: &table.Summary{Status: table.Failed, Message: "step 3"}}, "failed", "poor", "Failed"},
		{About{Summary: &table.Summary{Status: table.Done, Certified: true, Met: true}}, "finished", "good", "Certified"},
		{About{Summary: &table.Summary{Status: table.Done, Certified: true, Met: true, Expectations: met}}, "finished",
			"good", "Certified"},
		{About{Summary: &table.Summary{Status: table.Done,
			Facts: []table.Fact{table.AtMost(table.Solved, "steps", 1, 2, "J", table.Computed),
				table.AtMost(table.Accurate, "(E)", 2, 1, "J", table.Sampled)}}}, "finished", "open", "Solved, but not accurate"},
		{About{Summary: &table.Summary{Status: table.Done,
			Facts: []table.Fact{table.AtMost(table.Solved, "steps", 3, 2, "J", table.Computed)}}}, "finished", "poor", "Not certified"},
		{About{Summary: &table.Summary{Status: table.Done, Certified: true, Expectations: missed}}, "finished", "poor",
			"Certified, but only 0 of 2 expectations are met"},
		{About{Summary: &table.Summary{Status: table.Done, Certified: true, Expectations: append(met, undecided)}}, "finished", "open",
			"Certified, but 1 of 2 expectations are not decided"},
		{About{Summary: &table.Summary{Status: table.Done, Certified: true, Expectations: append(missed, undecided)}}, "finished",
			"poor", "Certified, but only 0 of 3 expectations are met"},
	} {
		c.a.Case, c.a.SHA256 = "{}", strings.Repeat("ab", 32)
		p := Begin(c.a)
		p.Facts = append(Ran(c.a), Row{"steps", Steps(c.a, 5)})
		if c.a.State() != c.state || p.Verdict.Class != c.class || !strings.HasPrefix(p.Verdict.Headline, c.headline) {
			t.Errorf("%+v: %s, %+v", c.a, c.a.State(), p.Verdict)
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil || !strings.Contains(b.String(), p.Verdict.Headline) ||
			strings.Contains(b.String(), ">NOT DECIDED<") != strings.Contains(b.String(), "± 1") {
			t.Errorf("%v: %.200s", err, b.String())
		}
	}
	p := Begin(About{Summary: &table.Summary{Status: table.Done, Expectations: missed}})
	if p.Expectations[0].Value() != "2" || p.Expectations[0].Note() != "1 ± 0.5" ||
		p.Expectations[1].Value() != "not reached" || p.Expectations[1].Note() != "≥ 3, ≤ 2" {
		t.Errorf("%+v", p.Expectations)
	}
}

// TestPlainPage: names that would move a cursor or turn a text around are escaped.
func TestPlainPage(t *testing.T) {
	bad := "a\x1b[2J\u202eb"
	p := &Page{Title: bad, Description: bad + "\nnext", Facts: []Row{{bad, bad, bad}}, Warnings: []string{bad},
		Events: []Event{{bad}}, Scene: &Scene{IDs: []string{bad}, Bodies: []SceneBody{{Name: bad}}},
		Expectations: []Expected{{Row: Row{bad}, Met: true}}, Verdict: Verdict{Headline: bad, Sentences: []string{bad}}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	text, err := p.Parts("tag", 0, "running", false)
	if err != nil {
		t.Fatal(err)
	}
	var parts any // as a browser reads them
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{b.String(), fmt.Sprint(parts)} {
		if strings.ContainsAny(s, "\x1b\u202e") || !strings.Contains(s, `202eb`) {
			t.Errorf("a character of control or direction is left: %.400q", s)
		}
	}
}

func TestNumbersInWords(t *testing.T) {
	for got, want := range map[string]string{Count(1234567): "1\u202f234\u202f567", Count(-1234): "-1\u202f234",
		Count(12): "12", Joule(-1e-3): "−0.001 J", Metre(2): "2 m", Times(1): "once", Times(3): "3 times",
		Share(1, 0): "there is no energy to compare with", Share(1e-14, 1): "that is rounding",
		Share(1e-6, 1): "that is 1e-06 of the energies involved",
		Share(0.02, 1): "that is 2 % of the energies involved, the error of the step length"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
