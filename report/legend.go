//go:build !js

package report

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

// A legend takes about these parts of a plot's width and height.
const (
	legendLine  = 0.077 // a line
	legendRune  = 0.0155
	legendMark  = 0.107 // the sample of a line, and air
	legendSteps = 12    // points of a stroke that are looked at
	margin      = 0.04  // between curves and frame
)

// legend puts the legend where it hides no curve: in the corner that is
// free, or above the curves.
func (p *panel) legend() {
	n := p.named
	d := p.Y.Max - p.Y.Min
	p.Y.Min, p.Y.Max = p.Y.Min-margin*d, p.Y.Max+margin*d
	if n == 0 {
		return
	}
	w, h := legendMark+legendRune*float64(p.longest), legendLine*float64(n)+0.02
	best, fewest := 0, math.MaxInt
	for corner := range 4 {
		if hidden := p.hidden(corner, w, h); hidden < fewest {
			best, fewest = corner, hidden
		}
	}
	p.Legend.Top, p.Legend.Left = best < 2, best%2 == 1
	if fewest > 0 { // above all curves
		p.Legend.Top = true
		p.Legend.Left = p.hidden(1, w, h) < p.hidden(0, w, h)
		p.Y.Max += (p.Y.Max - p.Y.Min) * h / (1 - min(h, 0.6))
	}
}

// hidden counts points of the curves in a corner: top right, top left, bottom right,
// bottom left.
func (p *panel) hidden(corner int, w, h float64) int {
	dx, dy := p.X.Max-p.X.Min, p.Y.Max-p.Y.Min
	if !(dx > 0) || !(dy > 0) {
		return 0
	}
	inside := func(at plotter.XY) bool {
		x, y := (at.X-p.X.Min)/dx, (at.Y-p.Y.Min)/dy
		if corner%2 == 0 {
			x = 1 - x
		}
		if corner < 2 {
			y = 1 - y
		}
		return x < w && y < h
	}
	count := 0
	for _, c := range p.curves {
		for i := range c {
			next := c[min(i+1, len(c)-1)]
			for k := range legendSteps {
				f := float64(k) / legendSteps
				if inside(plotter.XY{X: c[i].X + f*(next.X-c[i].X), Y: c[i].Y + f*(next.Y-c[i].Y)}) {
					count++
				}
			}
		}
	}
	return count
}
