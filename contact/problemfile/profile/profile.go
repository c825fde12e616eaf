// Package profile solves problem files one after the other ([Batch]), and compares solvers on them
// by the performance profile of Dolan and Moré,
//
//	π_s(τ) = |{p : t_ps ≤ τ·min_s t_ps}| / |{p}|:
//
// the fraction of the problems that solver s solves within τ times the time of
// the fastest solver of each. π_s(1) says how often s is the fastest, its limit
// for large τ how much of the set it solves at all.
//
//	symbol  Go             unit
//	t_ps    Profile.Times  any, the same for all; +Inf if not solved
//	τ       ratio          [-]
//
// # References
//
//   - [DM02] E. D. Dolan and J. J. Moré, Benchmarking optimization software
//     with performance profiles, Math. Program. 91 (2002) 201-213.
//
// # Limits
//
// Leaving one solver out can change the order of the others; times below the
// resolution of the clock make ratios of noise.
package profile

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Profile holds the cost of every solver on every problem.
type Profile struct {
	Solvers []string
	Times   [][]float64 // by problem, then solver; +Inf if not solved
}

// Add appends a problem. Costs must be positive or +Inf.
func (p *Profile) Add(times []float64) {
	if len(times) != len(p.Solvers) {
		panic(fmt.Sprintf("profile: Add: %d times for %d solvers", len(times), len(p.Solvers)))
	}
	p.Times = append(p.Times, slices.Clone(times))
}

// ratios returns t_ps/min_s t_ps of solver s on all problems, ascending. A
// problem that no solver has solved counts as not solved.
func (p *Profile) ratios(s int) []float64 {
	ratios := make([]float64, 0, len(p.Times))
	for _, times := range p.Times {
		best := slices.Min(times)
		r := math.Inf(1)
		if !math.IsInf(best, 1) && !math.IsInf(times[s], 1) {
			r = times[s] / best
		}
		ratios = append(ratios, r)
	}
	slices.Sort(ratios)
	return ratios
}

// Fraction returns π_s(τ).
func (p *Profile) Fraction(s int, tau float64) float64 {
	ratios := p.ratios(s)
	if len(ratios) == 0 {
		return 0
	}
	n, _ := slices.BinarySearchFunc(ratios, tau, func(r, tau float64) int {
		if r <= tau {
			return -1
		}
		return 1
	})
	return float64(n) / float64(len(ratios))
}

// tableRatios are the columns of the table.
var tableRatios = []float64{1, 1.5, 2, 5, 10, 100, math.Inf(1)}

// WriteTable writes π_s(τ) in percent, a line for each solver.
func (p *Profile) WriteTable(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%-14s", "solver \\ τ"); err != nil {
		return err
	}
	for _, tau := range tableRatios {
		if math.IsInf(tau, 1) {
			fmt.Fprintf(w, "%8s", "solved")
		} else {
			fmt.Fprintf(w, "%8g", tau)
		}
	}
	for s, name := range p.Solvers {
		fmt.Fprintf(w, "\n%-14s", name)
		for _, tau := range tableRatios {
			fmt.Fprintf(w, "%7.0f%%", 100*p.Fraction(s, min(tau, math.MaxFloat64)))
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// Save draws the profile; the format follows from the extension of path.
func (p *Profile) Save(path string) error {
	fig := plot.New()
	fig.Title.Text = fmt.Sprintf("Performance profile, %d problems", len(p.Times))
	fig.X.Label.Text = "τ, time over that of the fastest solver"
	fig.Y.Label.Text = "fraction of problems solved"
	fig.X.Scale, fig.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	fig.Y.Min, fig.Y.Max = 0, 1.02
	end := p.limit()
	fig.X.Min, fig.X.Max = 1, 10*end // the legend stands in the last decade
	for s, name := range p.Solvers {
		line, err := plotter.NewLine(p.steps(s, end))
		if err != nil {
			return fmt.Errorf("profile: %w", err)
		}
		line.Color = palette[s%len(palette)]
		line.Width = vg.Points(1.5)
		line.Dashes = dashes[s/len(palette)%len(dashes)]
		fig.Add(line)
		fig.Legend.Add(name, line)
	}
	if err := fig.Save(6*vg.Inch, 4*vg.Inch, path); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

// palette is that of Okabe and Ito, which the colour-blind can tell apart.
var palette = []color.Color{
	color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
	color.RGBA{204, 121, 167, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255}, color.RGBA{0, 0, 0, 255},
}

var dashes = [][]vg.Length{nil, {vg.Points(4), vg.Points(2)}, {vg.Points(1), vg.Points(2)}}

// limit is the largest finite ratio, at least 10.
func (p *Profile) limit() float64 {
	most := 10.0
	for s := range p.Solvers {
		for _, r := range p.ratios(s) {
			if !math.IsInf(r, 1) {
				most = max(most, r)
			}
		}
	}
	return most
}

// steps are the corners of the graph of π_s on [1, end].
func (p *Profile) steps(s int, end float64) plotter.XYs {
	xy := plotter.XYs{{X: 1, Y: 0}}
	ratios := p.ratios(s)
	for k, r := range ratios {
		if math.IsInf(r, 1) {
			break
		}
		xy = append(xy, plotter.XY{X: r, Y: float64(k) / float64(len(ratios))}, plotter.XY{X: r, Y: float64(k+1) / float64(len(ratios))})
	}
	return append(xy, plotter.XY{X: end, Y: xy[len(xy)-1].Y})
}
