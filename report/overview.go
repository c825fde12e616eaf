package report

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of the page and of the title's strip.
const (
	pageWidth  = 28 * vg.Centimeter
	pageHeight = 19 * vg.Centimeter
	titleStrip = 1 * vg.Centimeter
)

// panelMaker makes one plot of a page.
type panelMaker func() (*plot.Plot, error)

// Draw writes overview.svg and overview.png into a folder.
func (r *Recorder) Draw(dir, title string) error {
	if len(r.spans) == 0 {
		return nil
	}
	return drawPage(dir, "overview", title, r.positions, r.forces, r.energies, r.certificates)
}

// drawPage writes name.svg and name.png with four plots, two by two.
func drawPage(dir, name, title string, plots ...panelMaker) error {
	svg := vgsvg.New(pageWidth, pageHeight)
	png := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(pageWidth, pageHeight), vgimg.UseDPI(110))}
	for _, f := range []struct {
		name   string
		canvas vg.CanvasSizer
		to     io.WriterTo
	}{{name + ".svg", svg, svg}, {name + ".png", png, png}} {
		if err := page(draw.New(f.canvas), title, plots); err != nil {
			return fmt.Errorf("report: %s: %w", f.name, err)
		}
		if err := write(filepath.Join(dir, f.name), f.to); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}

func write(name string, picture io.WriterTo) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	_, err = picture.WriteTo(w)
	if e := w.Flush(); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// page draws the title and four plots, two by two.
func page(c draw.Canvas, title string, makers []panelMaker) error {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	style := text.Style{Color: color.Black, Font: font.From(plot.DefaultFont, 16), XAlign: draw.XCenter, YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
	c.FillText(style, vg.Point{X: pageWidth / 2, Y: pageHeight - titleStrip/2}, title)
	body := draw.Crop(c, vg.Millimeter*4, -vg.Millimeter*4, vg.Millimeter*2, -titleStrip)

	plots := [][]*plot.Plot{make([]*plot.Plot, 2), make([]*plot.Plot, 2)}
	for i, maker := range makers {
		p, err := maker()
		if err != nil {
			return err
		}
		plots[i/2][i%2] = p
	}
	tiles := draw.Tiles{Rows: 2, Cols: 2, PadX: vg.Millimeter * 8, PadY: vg.Millimeter * 6}
	for i, row := range plot.Align(plots, tiles, body) {
		for k, canvas := range row {
			plots[i][k].Draw(canvas)
		}
	}
	return nil
}
