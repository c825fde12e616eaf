package report

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// pen draws on a picture whose y-axis points down [pixels].
type pen interface {
	// path draws lines through points, all in one style.
	path(s style, closed bool, lines ...[][2]float64)
	// ellipse has its half axes turned by an angle [degree], clockwise.
	ellipse(s style, centre [2]float64, rx, ry, turn float64)
	text(at [2]float64, middle bool, ink, words string)
}

// style is how something is drawn: colours as #rrggbb, empty for none.
type style struct {
	fill, stroke string
	width        float64 // of the stroke
	round        bool    // its ends
}

// svgPen writes SVG.
type svgPen struct{ *bytes.Buffer }

func (p svgPen) attributes(l style) {
	fill := l.fill
	if fill == "" {
		fill = "none"
	}
	fmt.Fprintf(p, ` fill="%s"`, fill)
	if l.stroke != "" {
		fmt.Fprintf(p, ` stroke="%s" stroke-width="%s"`, l.stroke, strconv.FormatFloat(l.width, 'g', 4, 64))
		if l.round {
			p.WriteString(` stroke-linecap="round"`)
		}
	}
	p.WriteString("/>")
}

func (p svgPen) path(l style, closed bool, lines ...[][2]float64) {
	p.WriteString(`<path d="`)
	for _, points := range lines {
		for i, x := range points {
			fmt.Fprintf(p, "%c%.1f %.1f", "ML"[min(i, 1)], x[0], x[1])
		}
		if closed {
			p.WriteByte('Z')
		}
	}
	p.WriteByte('"')
	p.attributes(l)
}

func (p svgPen) ellipse(l style, c [2]float64, rx, ry, turn float64) {
	if rx == ry {
		fmt.Fprintf(p, `<circle cx="%.1f" cy="%.1f" r="%.1f"`, c[0], c[1], rx)
	} else {
		fmt.Fprintf(p, `<ellipse cx="%.1f" cy="%.1f" rx="%.1f" ry="%.1f" transform="rotate(%.1f %.1f %.1f)"`, c[0], c[1], rx, ry, turn, c[0], c[1])
	}
	p.attributes(l)
}

func (p svgPen) text(at [2]float64, middle bool, ink, words string) {
	anchor := ""
	if middle {
		anchor = ` text-anchor="middle"`
	}
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f"%s fill="%s">%s</text>`, at[0], at[1], anchor, ink, html.EscapeString(words))
}

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

// colourOf reads #rrggbb.
func colourOf(hex string) color.Color {
	v, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		return color.Black
	}
	if len(hex) == 4 { // #rgb
		return color.RGBA{uint8(v >> 8 * 17), uint8(v >> 4 & 15 * 17), uint8(v & 15 * 17), 255}
	}
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

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

// ovalRing returns points of an ellipse, whose half axes are turned by an angle [degree],
// clockwise.
func ovalRing(corners int, c [2]float64, rx, ry, turn float64) [][2]float64 {
	sin, cos := math.Sincos(turn * math.Pi / 180)
	ring := make([][2]float64, corners)
	for i := range ring {
		s, k := math.Sincos(2 * math.Pi * float64(i) / float64(corners))
		ring[i] = [2]float64{c[0] + rx*k*cos - ry*s*sin, c[1] + rx*k*sin + ry*s*cos}
	}
	return ring
}

// filmFont is the size of the text of films [pixels].
const filmFont = 13

func (p *imagePen) text(at [2]float64, middle bool, ink, words string) {
	style := text.Style{Color: colourOf(ink), Font: font.From(plot.DefaultFont, filmFont), Handler: plot.DefaultTextHandler}
	style.Font.Variant = "Sans"
	if middle {
		style.XAlign = draw.XCenter
	}
	c := draw.NewCanvas(p.Canvas, vg.Points(p.height), vg.Points(p.height))
	c.FillText(style, p.point(at), words)
}
