//go:build !js

package report

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/quasistatic/quasistatic/table"
)

// Size of a picture and of the title's strip.
const (
	pageWidth  = 28 * vg.Centimeter
	rowHeight  = 9 * vg.Centimeter
	titleStrip = 1 * vg.Centimeter
)

// DrawPicture writes name.svg and name.png with plots, two in a row; nil ones are left out, and a
// single one has the picture for itself.
// What cannot be drawn is left out too, and the warnings say so: a picture is no result.
// The error is of the file system.
func DrawPicture(dir, name, title string, list ...*Plot) (warnings []string, err error) {
	plots, warnings := drawAll(list)
	if len(plots) == 0 {
		return warnings, nil
	}
	height := titleStrip + vg.Length((len(plots)+1)/2)*rowHeight
	width := pageWidth * vg.Length(min(2, len(plots))) / 2
	svg := vgsvg.New(width, height)
	png := newPNG(width, height, 110)
	for _, f := range []struct {
		name   string
		canvas vg.CanvasSizer
		to     io.WriterTo
	}{{name + ".svg", svg, svg}, {name + ".png", png, png}} {
		if err := guarded(func() error { drawTiles(draw.New(f.canvas), height, title, plots); return nil }); err != nil {
			return append(warnings, fmt.Sprintf("%s is not drawn: %v", f.name, err)), nil
		}
		if err := write(filepath.Join(dir, f.name), f.to); err != nil {
			return warnings, fmt.Errorf("report: %w", err)
		}
	}
	return warnings, nil
}

// drawAll makes the plots that have something to show.
func drawAll(list []*Plot) (plots []drawn, warnings []string) {
	for _, p := range list {
		if p == nil {
			continue
		}
		x, err := p.draw()
		if err != nil {
			warnings = append(warnings, fmt.Sprintf("a plot is not drawn: %v", err))
			continue
		}
		plots = append(plots, x)
	}
	return plots, warnings
}

// write writes a picture; nothing has the final name before it is whole.
func write(name string, picture io.WriterTo) error {
	return table.WriteWhole(name, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		if _, err := picture.WriteTo(b); err != nil {
			return err
		}
		return b.Flush()
	})
}

// drawTiles draws the title and the plots, two in a row.
func drawTiles(c draw.Canvas, height vg.Length, title string, list []drawn) {
	if _, white := c.Canvas.(pngCanvas); !white {
		c.SetColor(color.White)
		c.Fill(c.Rectangle.Path())
	}
	style := text.Style{Color: color.Black, Font: font.From(plot.DefaultFont, 16), XAlign: draw.XCenter,
		YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
	style.Font.Variant = "Sans"
	c.FillText(style, vg.Point{X: c.Center().X, Y: height - titleStrip/2}, Plain(title))
	body := draw.Crop(c, vg.Millimeter*4, -vg.Millimeter*4, vg.Millimeter*2, -titleStrip)

	columns := min(2, len(list))
	plots := make([][]*plot.Plot, (len(list)+1)/2)
	for i := range plots {
		plots[i] = make([]*plot.Plot, columns)
		for k := range list[2*i : min(2*i+2, len(list))] {
			plots[i][k] = list[2*i+k].Plot
		}
	}
	for _, p := range list {
		sans(p.Plot)
		p.BackgroundColor = nil // the page is white
	}
	tiles := draw.Tiles{Rows: len(plots), Cols: columns, PadX: vg.Millimeter * 8, PadY: vg.Millimeter * 6}
	for i := range list { // to the canvas that the marks of all leave
		list[i].square(func() draw.Canvas { return plot.Align(plots, tiles, body)[i/2][i%2] })
	}
	for i, row := range plot.Align(plots, tiles, body) {
		for k, canvas := range row {
			if plots[i][k] != nil {
				plots[i][k].Draw(canvas)
			}
		}
	}
}
