package report

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
)

// Palette is the set of Okabe and Ito without yellow, which is faint on white.
var Palette = []color.Color{
	color.RGBA{0, 114, 178, 255}, // blue
	color.RGBA{213, 94, 0, 255},  // vermilion
	color.RGBA{0, 158, 115, 255}, // green
	color.RGBA{204, 121, 167, 255},
	color.RGBA{230, 159, 0, 255},  // orange
	color.RGBA{86, 180, 233, 255}, // sky
}

// Colours beside the palette.
var (
	Black = color.RGBA{40, 40, 40, 255}
	Band  = color.RGBA{0xF0, 0xF0, 0xF0, 255} // of what friction can bear
)

// Dash is the way a line is drawn.
type Dash uint8

// The dashes.
const (
	Solid Dash = iota
	Dashed
	Dotted
)

// Point is a place in a plot.
type Point struct{ X, Y float64 }

// Line is a curve in a plot.
type Line struct {
	Name   string // in the legend; empty: none
	Points []Point
	Color  color.Color
	Dash   Dash
	Width  float64 // [pt]
	Dots   bool    // with a dot at each point
}

// Glyph is the shape of a mark.
type Glyph uint8

// The glyphs.
const (
	Circle Glyph = iota
	Square
	Triangle
	Ring
	Cross
	Plus
)

// Marks are points of a plot with a symbol.
type Marks struct {
	Name   string // in the legend; empty: none
	Points []Point
	Color  color.Color
	Glyph  Glyph
	Size   float64 // radius [pt]
}

// Area is polygons that are filled with one colour.
type Area struct {
	Name  string // in the legend; empty: none
	Rings [][]Point
	Color color.Color
	Edge  color.Color // nil: none
}

// Tick names a place of the y-axis.
type Tick struct {
	At   float64
	Name string
}

// Plot is a figure as data: areas, lines and marks over two axes. It may hold numbers that
// cannot be drawn: infinite ones are drawn far out, none as zero, and a range without a
// width gets one. A nil plot has nothing to show.
type Plot struct {
	Title, X, Y string
	Areas       []Area
	Lines       []Line
	Marks       []Marks
	Map         *Heat // nil: none
	// Samples are dashes that the legend explains.
	Samples []Line
	// Range of the axes, where High > Low; else that of the data.
	XRange, YRange [2]float64
	Ticks          []Tick // of the y-axis; nil: numbers
	Decades        bool   // y is a decimal logarithm
	Logarithmic    bool   // both axes are; what is not positive is not drawn
	FromZero       bool   // the y-axis begins at zero
	Alike          bool   // both axes have one length
	Bare           bool   // no legend, and no margin for it
	// Nothing says that all is zero, or rounding: a page says so in place of a plot.
	Nothing string
}

// Line adds a curve; an empty name leaves it out of the legend.
func (p *Plot) Line(points []Point, name string, c color.Color, d Dash, width float64) {
	p.Lines = append(p.Lines, Line{Name: name, Points: points, Color: c, Dash: d, Width: width})
}

// errNothing says that a plot has no point.
var errNothing = errors.New("there is nothing to draw")

// blank is the error of a plot without a point that can be drawn.
func (p *Plot) blank() error {
	some := p.Map != nil
	for _, a := range p.Areas {
		some = some || slices.ContainsFunc(a.Rings, func(ring []Point) bool { return len(ring) > 0 })
	}
	for i := range p.Lines {
		some = some || len(drawable(p.Lines[i].Points, p.Logarithmic)) > 0
	}
	for i := range p.Marks {
		some = some || len(p.Marks[i].Points) > 0
	}
	if !some {
		return fmt.Errorf("%s: %w", p.Title, errNothing)
	}
	return nil
}

// drawable returns what can be drawn of a list.
func drawable(list []Point, logarithmic bool) []Point {
	points := make([]Point, 0, len(list))
	for _, x := range list {
		if logarithmic && !(x.X > 0 && x.Y > 0 && finite(x.X) && finite(x.Y)) {
			continue
		}
		if logarithmic {
			x.X, x.Y = max(x.X, 1e-300), max(x.Y, 1e-300) // an axis of decades has margins below what is least
		}
		points = append(points, Point{bounded(x.X), bounded(x.Y)})
	}
	return points
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// bounded keeps what cannot be drawn from failing the picture. The bound leaves room for
// margins and marks: the largest number is 1.8e308.
func bounded(v float64) float64 {
	const largest = 1e300
	if math.IsNaN(v) {
		return 0
	}
	return max(-largest, min(v, largest))
}
