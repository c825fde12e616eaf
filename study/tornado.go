package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/quasistatic/quasistatic/report"
)

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

// sampled returns the value of a sampled parameter of run i.
func (t *Table) sampled(i, j int) (float64, bool) {
	values := t.Plan.Parameters(i)
	x, ok := cell(values[len(values)-len(t.Plan.Spec.Sample.Paths)+j]).(float64)
	return x, ok
}

// tornado draws how strongly a quantity goes with each sampled parameter: total Sobol
// indices where they are planned, else the rank correlation, which sees what is monotone.
func (t *Table) tornado(q int, label string) *report.Plot {
	x := t.Plan.Spec.Sample
	bars, caption := make([]float64, len(x.Paths)), "Rank correlation with each sampled parameter: ±1 monotone, 0 none."
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
			return nil // too few runs, or nothing varies
		}
	}
	p := &report.Plot{Title: label + ": by parameter", X: caption}
	for j, v := range bars {
		at := float64(len(bars) - 1 - j)
		p.Areas = append(p.Areas, report.Area{Color: report.Palette[0],
			Rings: [][]report.Point{{{X: 0, Y: at - .35}, {X: v, Y: at - .35}, {X: v, Y: at + .35}, {X: 0, Y: at + .35}}}})
		p.Ticks = append(p.Ticks, report.Tick{At: at, Name: x.Paths[j]})
	}
	return p
}

// tornados are those of all quantities.
func (t *Table) tornados() (list []report.Drawing) {
	if t.Plan.Spec.Sample == nil {
		return nil
	}
	for q, label := range t.Plan.Spec.Labels() {
		list = append(list, report.Drawing{ID: fmt.Sprintf("tornado-%d", q), Plot: func() *report.Plot { return t.tornado(q, label) }})
	}
	return list
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
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
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
