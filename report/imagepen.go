//go:build !js

package report

import (
	"image"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// imagePen draws pixels.
type imagePen struct {
	*vgimg.Canvas
	height float64
}

// newImagePen returns a pen on a picture of so many pixels, in the colour of films.
func newImagePen(width, height float64) *imagePen {
	c := vgimg.NewWith(vgimg.UseWH(vg.Points(width), vg.Points(height)), vgimg.UseDPI(72), vgimg.UseBackgroundColor(colourOf(filmPaper)))
	return &imagePen{Canvas: c, height: height}
}

// image returns the picture, which vgimg draws on one of this kind.
func (p *imagePen) image() *image.RGBA { return p.Canvas.Image().(*image.RGBA) }

func (p *imagePen) point(x [2]float64) vg.Point {
	return vg.Point{X: vg.Points(x[0]), Y: vg.Points(p.height - x[1])}
}

func (p *imagePen) draw(l style, path vg.Path) {
	if l.fill != "" {
		p.SetColor(colourOf(l.fill))
		p.Fill(path)
	}
	if l.stroke != "" && l.width > 0 {
		p.SetColor(colourOf(l.stroke))
		p.SetLineWidth(vg.Points(l.width))
		p.Stroke(path)
	}
}

// add adds a line or a ring to a path.
func (p *imagePen) add(path *vg.Path, closed bool, points [][2]float64) {
	width, height := p.Size()
	points = clip(points, closed, [2]float64{width.Points(), height.Points()})
	for i, x := range points {
		if i == 0 {
			path.Move(p.point(x))
		} else {
			path.Line(p.point(x))
		}
	}
	if closed && len(points) > 0 {
		path.Close()
	}
}

func (p *imagePen) path(l style, closed bool, lines ...[][2]float64) {
	var path vg.Path
	for _, points := range lines {
		p.add(&path, closed, points)
	}
	p.draw(l, path)
	if l.round && !closed {
		for _, points := range lines {
			for _, x := range points {
				p.ellipse(style{fill: l.stroke}, x, l.width/2, l.width/2, 0)
			}
		}
	}
}

func (p *imagePen) ellipse(l style, c [2]float64, rx, ry, turn float64) {
	var path vg.Path
	p.add(&path, true, ovalRing(48, c, rx, ry, turn)) // within a 460th of the radius
	if l.stroke != "" && l.width == 0 {
		l.width = 1
	}
	p.draw(l, path)
}

func (p *imagePen) text(at [2]float64, middle bool, ink, words string) {
	style := text.Style{Color: colourOf(ink), Font: font.From(plot.DefaultFont, filmFont), Handler: plot.DefaultTextHandler}
	style.Font.Variant = "Sans"
	if middle {
		style.XAlign = draw.XCenter
	}
	c := draw.NewCanvas(p.Canvas, vg.Points(p.height), vg.Points(p.height))
	c.FillText(style, p.point(at), words)
}
