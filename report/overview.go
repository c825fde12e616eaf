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
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/quasistatic/quasistatic/table"
)

// Size of the page and of the title's strip.
const (
	pageWidth  = 28 * vg.Centimeter
	rowHeight  = 9 * vg.Centimeter
	titleStrip = 1 * vg.Centimeter
)

// panelMaker makes one plot of a page.
type panelMaker func() (*plot.Plot, error)

// Draw writes overview.svg and overview.png into a folder.
func (r *Recorder) Draw(dir, title string) error {
	if len(r.spans) == 0 {
		return nil
	}
	makers := []panelMaker{r.positions, r.forces, r.energies, r.certificates}
	if r.flesh != nil {
		makers = []panelMaker{r.deformed, r.states, r.forces, r.positions, r.energies, r.certificates}
	}
	return drawPage(dir, "overview", title, makers...)
}

// drawPage writes name.svg and name.png with plots, two in a row. Those that have
// nothing to show are left out.
func drawPage(dir, name, title string, makers ...panelMaker) error {
	plots, err := made(makers)
	if err != nil {
		return fmt.Errorf("report: %s: %w", name, err)
	}
	pageHeight := titleStrip + vg.Length((len(plots)+1)/2)*rowHeight
	svg := vgsvg.New(pageWidth, pageHeight)
	png := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(pageWidth, pageHeight), vgimg.UseDPI(110))}
	for _, f := range []struct {
		name   string
		canvas vg.CanvasSizer
		to     io.WriterTo
	}{{name + ".svg", svg, svg}, {name + ".png", png, png}} {
		page(draw.New(f.canvas), pageHeight, title, plots)
		if err := write(filepath.Join(dir, f.name), f.to); err != nil {
			return fmt.Errorf("report: %w", err)
		}
	}
	return nil
}

// write writes a picture; nothing has the final name before it is whole.
func write(name string, picture io.WriterTo) error {
	return table.WriteAtomic(name, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		if _, err := picture.WriteTo(b); err != nil {
			return err
		}
		return b.Flush()
	})
}

// made makes the plots that have something to show.
func made(makers []panelMaker) ([]*plot.Plot, error) {
	var plots []*plot.Plot
	for _, maker := range makers {
		p, err := maker()
		if err != nil {
			return nil, err
		}
		if p != nil {
			plots = append(plots, p)
		}
	}
	return plots, nil
}

// page draws the title and the plots, two in a row.
func page(c draw.Canvas, height vg.Length, title string, list []*plot.Plot) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	style := text.Style{Color: color.Black, Font: font.From(plot.DefaultFont, 16), XAlign: draw.XCenter, YAlign: draw.YCenter, Handler: plot.DefaultTextHandler}
	style.Font.Variant = "Sans"
	c.FillText(style, vg.Point{X: pageWidth / 2, Y: height - titleStrip/2}, title)
	body := draw.Crop(c, vg.Millimeter*4, -vg.Millimeter*4, vg.Millimeter*2, -titleStrip)

	plots := make([][]*plot.Plot, (len(list)+1)/2)
	for i := range plots {
		plots[i] = make([]*plot.Plot, 2)
		copy(plots[i], list[2*i:])
	}
	for _, p := range list {
		sans(p)
	}
	tiles := draw.Tiles{Rows: len(plots), Cols: 2, PadX: vg.Millimeter * 8, PadY: vg.Millimeter * 6}
	for i, row := range plot.Align(plots, tiles, body) {
		for k, canvas := range row {
			if plots[i][k] != nil {
				plots[i][k].Draw(canvas)
			}
		}
	}
}
