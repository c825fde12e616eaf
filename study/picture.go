package study

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/quasistatic/quasistatic/report"
)

// largestPicture is the number of marks that a plot of single runs has at most; of more
// runs every so many are drawn.
const largestPicture = 4000

// Figures draws what the axes of the study allow: lines over one axis of numbers, a map
// of verdicts over two, scatter plots and a tornado of samples.
func (t *Table) Figures() ([]report.Figure, error) {
	var list []report.Figure
	add := func(f *report.Figure, err error) error {
		if err == nil && f != nil {
			list = append(list, *f)
		}
		return err
	}
	numeric := t.numericAxes()
	for q, label := range t.Plan.Spec.Labels() {
		if len(numeric) > 0 {
			if err := add(t.lines(q, label, numeric[0])); err != nil {
				return nil, err
			}
		}
		if x := t.Plan.Spec.Sample; x != nil {
			if err := add(t.tornado(q, label)); err != nil {
				return nil, err
			}
			for j := range x.Paths {
				if err := add(t.scatter(q, label, j)); err != nil {
					return nil, err
				}
			}
		}
	}
	if len(numeric) > 1 {
		if err := add(t.verdictMap(numeric[0], numeric[1])); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// numericAxes lists the axes of one path and two numbers at least, the longest first.
func (t *Table) numericAxes() []int {
	var list []int
	for k := range t.Plan.Spec.Axes {
		if len(t.Plan.Spec.Axes[k].numbers()) > 1 {
			list = append(list, k)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		return t.Plan.Spec.Axes[b].Len() - t.Plan.Spec.Axes[a].Len()
	})
	return list
}

// digits returns the places of run i on the axes, and in the sample.
func (p *Plan) digits(i int) (axes []int, sample int) {
	if p.Spec.Sample != nil {
		sample, i = i%p.Spec.Sample.Len(), i/p.Spec.Sample.Len()
	}
	axes = make([]int, len(p.Spec.Axes))
	for k := len(axes) - 1; k >= 0; k-- {
		n := p.Spec.Axes[k].Len()
		axes[k], i = i%n, i/n
	}
	return axes, sample
}

// value returns a quantity of run i.
func (t *Table) value(i, q int) (float64, bool) {
	r, err := t.record(i)
	if err != nil || r == nil || q >= len(r.Observed) || r.Observed[q] == nil {
		return 0, false
	}
	return *r.Observed[q], true
}

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Add(plotter.NewGrid())
	return p
}

// drawnAt is a point of a plot, as far out as one can show it.
func drawnAt(x, y float64) plotter.XY { return plotter.XY{X: report.Bounded(x), Y: report.Bounded(y)} }

// mostLines is the number of curves that a plot can tell apart.
const mostLines = 6

// lines draws a quantity over an axis: a curve for each combination of the others, the
// first few of them.
func (t *Table) lines(q int, label string, k int) (*report.Figure, error) {
	a := &t.Plan.Spec.Axes[k]
	x := a.numbers()
	curves := map[string]plotter.XYs{}
	var order []string
	for i := range t.Plan.Len() {
		y, ok := t.value(i, q)
		axes, sample := t.Plan.digits(i)
		if !ok || sample > 0 {
			continue
		}
		at := axes[k]
		name := t.others(axes, k)
		if _, known := curves[name]; !known {
			if len(order) == mostLines {
				continue
			}
			order = append(order, name)
		}
		curves[name] = append(curves[name], drawnAt(x[at], y))
	}
	if len(order) == 0 {
		return nil, nil
	}
	p := newPlot(label, a.Paths[0], "")
	for c, name := range order {
		slices.SortStableFunc(curves[name], func(a, b plotter.XY) int { return compareNumbers(a.X, b.X) })
		line, points, err := plotter.NewLinePoints(outline(curves[name], largestPicture))
		if err != nil {
			return nil, fmt.Errorf("study: %s: %w", label, err)
		}
		line.Color, points.Color, points.Radius, points.Shape = report.Ink(c), report.Ink(c), vg.Points(1.6), draw.CircleGlyph{}
		p.Add(line)
		if len(curves[name]) <= mostMarks {
			p.Add(points)
		}
		if name != "" {
			p.Legend.Add(name, line)
		}
	}
	legendAbove(p, len(order))
	return t.figure(fmt.Sprintf("lines-%d", q), "Over "+a.Paths[0]+"; a curve for each of the other parameters, the first few.", p)
}

// mostMarks is the number of points of a curve that can be told apart.
const mostMarks = 300

// outline returns a curve of at most so many points that looks like a longer one: the lowest
// and the highest point of each of equal parts, in their order.
func outline(curve plotter.XYs, most int) plotter.XYs {
	if len(curve) <= most {
		return curve
	}
	parts := most / 2
	var list plotter.XYs
	for k := range parts {
		first, last := k*len(curve)/parts, (k+1)*len(curve)/parts
		low, high := first, first
		for i := first; i < last; i++ {
			if curve[i].Y < curve[low].Y {
				low = i
			}
			if curve[i].Y > curve[high].Y {
				high = i
			}
		}
		list = append(list, curve[min(low, high)])
		if low != high {
			list = append(list, curve[max(low, high)])
		}
	}
	return list
}

// legendAbove makes room for a legend of so many lines above what is drawn: each takes a
// fourteenth of the height.
func legendAbove(p *plot.Plot, lines int) {
	p.Legend.Top = true
	if height := p.Y.Max - p.Y.Min; height > 0 {
		p.Y.Max += height * float64(lines) / (14 - float64(lines))
	}
}

func compareNumbers(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// others names the values on all axes but one.
func (t *Table) others(axes []int, k int) string {
	name := ""
	for m, at := range axes {
		a := &t.Plan.Spec.Axes[m]
		if m == k || a.Len() < 2 {
			continue
		}
		for j, path := range a.Paths {
			if name != "" {
				name += ", "
			}
			name += path + " " + short(a.values[j].at(at))
		}
	}
	return name
}

func (t *Table) figure(id, caption string, p *plot.Plot) (*report.Figure, error) {
	f, err := report.NewFigure(id, caption, p)
	return &f, err
}

// every thins out the runs for pictures of single ones.
func (t *Table) every() int { return 1 + (t.Plan.Len()-1)/largestPicture }

// scatter draws a quantity over a sampled parameter.
func (t *Table) scatter(q int, label string, j int) (*report.Figure, error) {
	path := t.Plan.Spec.Sample.Paths[j]
	var points plotter.XYs
	for i := 0; i < t.Plan.Len(); i += t.every() {
		y, ok := t.value(i, q)
		x, number := t.sampled(i, j)
		if ok && number {
			points = append(points, drawnAt(x, y))
		}
	}
	if len(points) == 0 {
		return nil, nil
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return nil, fmt.Errorf("study: %s: %w", label, err)
	}
	s.Color, s.Radius, s.Shape = report.Ink(0), vg.Points(1.4), draw.CircleGlyph{}
	p := newPlot(label, path, "")
	p.Add(s)
	return t.figure(fmt.Sprintf("scatter-%d-%d", q, j), "A mark a run.", p)
}

// sampled returns the value of a sampled parameter of run i.
func (t *Table) sampled(i, j int) (float64, bool) {
	values := t.Plan.Parameters(i)
	x, ok := cell(values[len(values)-len(t.Plan.Spec.Sample.Paths)+j]).(float64)
	return x, ok
}

// tornado draws how strongly a quantity goes with each sampled parameter: total Sobol
// indices where they are planned, else the rank correlation, which sees what is monotone.
func (t *Table) tornado(q int, label string) (*report.Figure, error) {
	x := t.Plan.Spec.Sample
	bars, caption := make(plotter.Values, len(x.Paths)), "Rank correlation with each sampled parameter: ±1 monotone, 0 none."
	if list, err := t.Sobol(); err == nil {
		caption = "Total Sobol indices: the part of the variance in which a parameter has a share."
		for j := range bars {
			bars[j] = list[q*len(bars)+j].Total
		}
	} else {
		for j := range bars {
			bars[j] = t.rankCorrelation(q, j)
		}
	}
	for _, b := range bars {
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return nil, nil // too few runs, or nothing varies
		}
	}
	p := newPlot(label, "", "")
	chart, err := plotter.NewBarChart(bars, vg.Points(14))
	if err != nil {
		return nil, fmt.Errorf("study: %s: %w", label, err)
	}
	chart.Horizontal, chart.Color = true, report.Ink(0)
	p.Add(chart)
	p.NominalY(x.Paths...)
	return t.figure(fmt.Sprintf("tornado-%d", q), caption, p)
}

// rankCorrelation is Spearman's coefficient of a quantity and a sampled parameter.
func (t *Table) rankCorrelation(q, j int) float64 {
	var x, y []float64
	for i := range t.Plan.Len() {
		v, ok := t.value(i, q)
		u, number := t.sampled(i, j)
		if ok && number {
			x, y = append(x, u), append(y, v)
		}
	}
	if len(x) < 3 {
		return math.NaN()
	}
	return stat.Correlation(ranks(x), ranks(y), nil)
}

// ranks replaces values by their places; equal ones share the mean of theirs.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareNumbers(x[a], x[b]) })
	r := make([]float64, len(x))
	for i := 0; i < len(order); {
		end := i
		for end < len(order) && x[order[end]] == x[order[i]] {
			end++
		}
		for k := i; k < end; k++ {
			r[order[k]] = float64(i+end-1) / 2
		}
		i = end
	}
	return r
}

// verdictMap draws the verdicts over two axes, so that the boundary between them shows.
func (t *Table) verdictMap(kx, ky int) (*report.Figure, error) {
	a, b := &t.Plan.Spec.Axes[kx], &t.Plan.Spec.Axes[ky]
	x, y := a.numbers(), b.numbers()
	every := 1
	for len(thinned(x, every))*len(thinned(y, every)) > largestPicture {
		every++
	}
	x, y = thinned(x, every), thinned(y, every)
	groups, names := map[string]plotter.XYs{}, map[[2]int]string{}
	for i := range t.Plan.Len() {
		axes, sample := t.Plan.digits(i)
		r, err := t.record(i)
		if err != nil {
			return nil, err
		}
		if r == nil || sample > 0 || !t.firstOfOthers(axes, kx, ky) || axes[kx]%every != 0 || axes[ky]%every != 0 {
			continue
		}
		name := string(r.Verdict)
		if r.Verdict == Certified && !r.Met {
			name = "not as expected"
		}
		at := [2]int{axes[kx] / every, axes[ky] / every}
		groups[name] = append(groups[name], drawnAt(x[at[0]], y[at[1]]))
		names[at] = name
	}
	if len(groups) == 0 {
		return nil, nil
	}
	p := newPlot("verdict", a.Paths[0], b.Paths[0])
	p.Add(between(x, y, names))
	// The shapes tell the verdicts apart without colours; the words of assemblies are never beside those of runs.
	for k, name := range []string{string(Certified), "not as expected", string(Solved), string(Failed), string(Refused), string(Lost),
		string(Stands), string(Depends), string(Undecided), string(Falls)} {
		if groups[name] == nil {
			continue
		}
		c := k % 6
		s, err := plotter.NewScatter(groups[name])
		if err != nil {
			return nil, fmt.Errorf("study: map: %w", err)
		}
		s.Color, s.Radius = report.Ink(c), vg.Points(2.6)
		s.Shape = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.RingGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{}, draw.PlusGlyph{}, draw.SquareGlyph{}}[c]
		p.Add(s)
		p.Legend.Add(name, s)
	}
	legendAbove(p, len(groups))
	return t.figure("map", "Verdicts over two parameters, all others at their first value; the boundary runs half way between runs that differ.", p)
}

// thinned returns every so many of the values.
func thinned(x []float64, every int) (list []float64) {
	for i := 0; i < len(x); i += every {
		list = append(list, x[i])
	}
	return list
}

// firstOfOthers reports whether all axes but two are at their first point.
func (t *Table) firstOfOthers(axes []int, kx, ky int) bool {
	for m, at := range axes {
		if m != kx && m != ky && at != 0 {
			return false
		}
	}
	return true
}
