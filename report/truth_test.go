package report

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/quasistatic/quasistatic/table"
)

// roundness is the width over the height of the longest line of an SVG.
func roundness(t *testing.T, svg string) float64 {
	t.Helper()
	longest := ""
	for _, m := range regexp.MustCompile(`<path d="([^"]*)"`).FindAllStringSubmatch(svg, -1) {
		if len(m[1]) > len(longest) {
			longest = m[1]
		}
	}
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, m := range regexp.MustCompile(`(-?[\d.]+),(-?[\d.]+)`).FindAllStringSubmatch(longest, -1) {
		for c := range 2 {
			v, err := strconv.ParseFloat(m[1+c], 64)
			if err != nil {
				t.Fatal(err)
			}
			low[c], high[c] = min(low[c], v), max(high[c], v)
		}
	}
	return (high[0] - low[0]) / (high[1] - low[1])
}

// TestCirclesAreRound: a circle around cells of a map is one, in the page and in a picture beside
// another plot, whatever the marks of the axes take of the room.
func TestCirclesAreRound(t *testing.T) {
	for _, scale := range []float64{1, 1e-6, 12345} {
		var circle []Point
		for k := range 361 {
			sin, cos := math.Sincos(float64(k) * math.Pi / 180)
			circle = append(circle, Point{scale * cos, scale * sin})
		}
		p := &Plot{Title: "round", X: "x [m]", Y: "y [m]", Alike: true, Bare: true,
			Map: &Heat{X: []float64{-scale, 0, scale}, Y: []float64{-scale, 0, scale}, Values: make([]float64, 9)}}
		p.Line(circle, "", Palette[0], Solid, 1)
		figures, warnings := Draw([]Drawing{{ID: "f", Plot: func() *Plot { return p }}})
		if warnings != nil {
			t.Fatal(warnings)
		}
		dir := t.TempDir()
		if warnings, err := DrawPicture(dir, "p", "t", hopeless()["a constant"], p); err != nil || warnings != nil {
			t.Fatal(warnings, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "p.svg"))
		if err != nil {
			t.Fatal(err)
		}
		for where, svg := range map[string]string{"page": string(figures[0].SVG), "picture": string(text)} {
			if r := roundness(t, svg); math.Abs(r-1) > 0.01 {
				t.Errorf("scale %g, %s: a circle is %.3f times as wide as high", scale, where, r)
			}
		}
	}
}

// TestBannerIsNoGreener: what a banner says of a run that is certified to 30 % and off by 22 %.
func TestBannerIsNoGreener(t *testing.T) {
	fact := func(name string, value, limit float64, unit, place string) table.Fact {
		f := table.AtMost(table.Accurate, name, value, limit, unit, table.Estimated)
		f.Place = place
		return f
	}
	residual := table.AtMost(table.Solved, "residual", 0.0999, 0.1, "", table.Computed)
	for _, c := range []struct {
		facts                  []table.Fact
		class, headline, worst string
	}{
		{[]table.Fact{residual, fact("energy", 0.01, 0.3, "", ""), fact("error of the trajectory", 0.2217, 0.3, "", "t = 0.46 s")},
			"open", "Certified to 30 %: every step is solved",
			"Nearest to its limit: error of the trajectory: 22 %, allowed is 30 %; t = 0.46 s"},
		{[]table.Fact{residual, fact("balance", 2e-4, 1e-2, "J", "")}, "good", "Certified: every step is solved",
			"Nearest to its limit: balance: 0.0002 J, allowed is 0.01 J"},
		{[]table.Fact{residual, fact("trajectory", 3e-3, 1e-2, "", "")}, "good", "Certified: every step is solved",
			"Nearest to its limit: trajectory: 0.3 %, allowed is 1 %"},
		{[]table.Fact{residual, fact("balance", 2e-9, 1e-2, "J", "t = 0")}, "good", "Certified: every step is solved",
			"Accurate to rounding."},
		{[]table.Fact{residual, fact("farthest slip over a segment", 0.4, 1, "", ""),
			fact("trajectory", 3e-3, 1e-2, "", "")}, "good", "Certified: every step is solved",
			"Nearest to its limit: farthest slip over a segment: 0.4, allowed is 1"},
		{[]table.Fact{residual}, "good", "Certified: every step is solved", "Nearest to its limit: residual: 0.0999, allowed is 0.1"},
		{[]table.Fact{fact("trajectory", 0.4, 0.3, "", "")}, "open", "Solved, but not accurate", "trajectory: 40 %, allowed is 30 %"},
		{nil, "good", "Certified: every step is solved", ""},
	} {
		s := &table.Summary{Status: table.Done, Certified: table.Holds(c.facts, table.Accurate), Facts: c.facts}
		if len(c.facts) == 1 && !c.facts[0].Passed {
			s.Certified = false
		}
		v := Begin(About{Summary: s}).Verdict
		if v.Class != c.class || v.Headline != c.headline || v.Worst != c.worst {
			t.Errorf("%q, %q, %q, want %q, %q, %q", v.Class, v.Headline, v.Worst, c.class, c.headline, c.worst)
		}
	}
}

// TestAllFailuresAreInTheBanner: of a run that fails in several ways a page says all of them, what is
// not said too; what is expected has a table of its own.
func TestAllFailuresAreInTheBanner(t *testing.T) {
	missed := table.Fact{Word: table.Expected, Name: "missed", Value: 2, Limit: 1}
	s := &table.Summary{Status: table.Done, Facts: []table.Fact{
		table.AtMost(table.Solved, "residual", 2, 1, "N", table.Computed),
		table.AtMost(table.Accurate, "balance", 1e-4, 1e-2, "J", table.Computed),
		table.AtMost(table.Accurate, "trajectory", 0.5, 0.3, "", table.Estimated),
		table.Unsaid("dissipation", "no step is known to be exact"), missed}}
	v := Begin(About{Summary: s}).Verdict
	want := []string{"trajectory: 50 %, allowed is 30 %", "Not said: dissipation: no step is known to be exact"}
	if v.Worst != "residual: 2 N, allowed is 1 N" || !slices.Equal(v.Also, want) {
		t.Errorf("%q, then %q, want %q", v.Worst, v.Also, want)
	}
	var page bytes.Buffer
	if err := Begin(About{Summary: s}).Write(&page); err != nil || strings.Count(page.String(), "<p>trajectory: 50 %") != 1 {
		t.Errorf("the page does not have them: %v", err)
	}
}

// TestZeroIsASentence: of residuals that are rounding a page says so; of larger ones it has a plot.
func TestZeroIsASentence(t *testing.T) {
	for value, want := range map[float64]string{0: "Residual: zero, to rounding",
		3e-16: "Residual: at most 3.0e-16, which is rounding", 1e-9: ""} {
		s := newSeries(1, 8)
		s.Add(0, []float64{0})
		s.Add(1, []float64{value})
		figures, warnings := Draw([]Drawing{{ID: "f", Plot: func() *Plot {
			return s.LogPlot("Residual", "[J]", 1e-16, "rounding", []*Range{&s.Channels[0]}, []string{"r"})
		}}})
		if warnings != nil || len(figures) != 1 || figures[0].Sentence != want || (figures[0].SVG == "") != (want != "") {
			t.Errorf("%g: %+v, %q", value, figures, warnings)
		}
	}
}

// TestColumnsFit: of many columns the page has fewer intervals of time, with their extremes; a
// table that does not fit even so is named.
func TestColumnsFit(t *testing.T) {
	for _, c := range []struct{ columns, intervals, left int }{{3, 64, 0}, {3000, 32, 0}, {50_000, 0, 1}} {
		s, names := newSeries(c.columns, 64), make([]string, c.columns)
		row := make([]float64, c.columns)
		for k := range 64 {
			row[0] = float64(k % 7)
			s.Add(float64(k), row)
		}
		out, left := columnsData([]Columns{{Table: "t.csv", Names: names, Units: slices.Repeat([]string{"N s"}, c.columns), Series: &s}})
		if len(left) != c.left {
			t.Fatalf("%d columns: %q are left out", c.columns, left)
		}
		if c.left > 0 {
			continue
		}
		width := 4
		if out[0].Full {
			width = 8
		}
		if out[0].Full != (c.columns < 100) {
			t.Errorf("%d columns: float64 is %v", c.columns, out[0].Full)
		}
		if n := len(out[0].T) * 3 / 4 / (2 * width); n != c.intervals || out[0].Columns[0].Unit != "N s" ||
			out[0].Columns[0].Low == out[0].Columns[1].Low || len(out[0].Columns[1].Low) != (width+2)/3*4 {
			t.Errorf("%d columns: %d intervals, want %d", c.columns, n, c.intervals)
		}
	}
}

// TestForceScale: arrows are as long as their force; that of an impact among others is cut.
func TestForceScale(t *testing.T) {
	for _, c := range []struct {
		list []float64
		want float64
	}{{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{1, 2, 3}, 3}, {append(make([]float64, 5), 4), 4},
		{append([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 1000), 1}, {[]float64{math.Inf(1)}, 1e300}} {
		if got := ForceScale(c.list); got != c.want {
			t.Errorf("the scale of %g is %g, want %g", c.list, got, c.want)
		}
	}
}

// TestMove: an obstacle that has turned is where its pose says: the quaternion of every rotation.
func TestMove(t *testing.T) {
	for _, axis := range [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0, 0.8}} {
		o := &Obstacle{}
		times := []float64{0, 1, 2, 3, 4}
		turned := func(t float64) ([9]float64, [3]float64) {
			sin, cos := math.Sincos(t)
			x, y, z := axis[0], axis[1], axis[2]
			return [9]float64{cos + x*x*(1-cos), x*y*(1-cos) - z*sin, x*z*(1-cos) + y*sin, y*x*(1-cos) + z*sin,
				cos + y*y*(1-cos), y*z*(1-cos) - x*sin,
				z*x*(1-cos) - y*sin, z*y*(1-cos) + x*sin, cos + z*z*(1-cos)}, [3]float64{t, 0, 0}
		}
		o.Move(times, turned)
		var pose [7][]float64
		for c := range pose {
			v, err := o.Pose[c].values()
			if err != nil {
				t.Fatal(err)
			}
			pose[c] = v
		}
		for k, at := range times {
			p := poseAt(&pose, k)
			r, _ := turned(at)
			x := p.place(1, 2, 3)
			for i := range 3 {
				if want := r[3*i] + 2*r[3*i+1] + 3*r[3*i+2] + []float64{at, 0, 0}[i]; math.Abs(x[i]-want) > 1e-5 {
					t.Errorf("about %v by %g: component %d is %g, want %g", axis, at, i, x[i], want)
				}
			}
		}
	}
}

// TestPagesHaveOneScript: each part of the program of the page is in it, and its marks are not.
func TestPagesHaveOneScript(t *testing.T) {
	js := string((&Page{}).JS())
	for _, part := range []string{"function surface(", "function solids(", "function cone(", "function plots("} {
		if !strings.Contains(js, part) {
			t.Errorf("%s is missing", part)
		}
	}
	if strings.Contains(js, "//DRAW") || strings.Contains(js, "//PLOTS") {
		t.Error("a mark is left")
	}
}
