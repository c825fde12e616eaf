package study

import (
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/quasistatic/quasistatic/report"
)

// segments are the pieces of the boundary in a map, each with its two ends.
type segments [][2]plotter.XY

// between returns the boundary of the verdicts at the nodes of a grid: the sides that the cells
// around neighbours of different verdicts share. A run that is not made has no cell.
func between(x, y []float64, names map[[2]int]string) segments {
	columns, rows := sorted(x), sorted(y)
	var list segments
	for i := range columns {
		for j := range rows {
			here, made := names[[2]int{columns[i], rows[j]}]
			differs := func(k, l int) bool {
				if !made || k == len(columns) || l == len(rows) {
					return false
				}
				there, made := names[[2]int{columns[k], rows[l]}]
				return made && there != here
			}
			if differs(i+1, j) {
				at := side(x, columns, i, 1)
				list = append(list, [2]plotter.XY{{X: at, Y: side(y, rows, j, -1)}, {X: at, Y: side(y, rows, j, 1)}})
			}
			if differs(i, j+1) {
				at := side(y, rows, j, 1)
				list = append(list, [2]plotter.XY{{X: side(x, columns, i, -1), Y: at}, {X: side(x, columns, i, 1), Y: at}})
			}
		}
	}
	return list
}

// sorted returns the places of the values in ascending order, equal ones once.
func sorted(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareNumbers(x[a], x[b]) })
	return slices.CompactFunc(order, func(a, b int) bool { return x[a] == x[b] })
}

// side is where the cell of the i-th value ends: half way to its neighbour, and at the value
// itself where there is none.
func side(x []float64, order []int, i, way int) float64 {
	if k := i + way; k >= 0 && k < len(order) {
		return x[order[i]] + (x[order[k]]-x[order[i]])/2
	}
	return x[order[i]]
}

var _ plot.Plotter = segments(nil)

// Plot implements [plot.Plotter].
func (s segments) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	style := draw.LineStyle{Color: report.Ink(3), Width: vg.Points(1.2)}
	for _, e := range s {
		c.StrokeLine2(style, toX(e[0].X), toY(e[0].Y), toX(e[1].X), toY(e[1].Y))
	}
}
