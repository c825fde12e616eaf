package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
	"strings"
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

// svgPen writes SVG. Shapes of one style that follow each other are in one group, which has it; end
// closes the last one.
type svgPen struct {
	*bytes.Buffer
	style  style // of the group that is open
	open   bool
	layers map[string]int // numbers of what was drawn
}

// layer writes what draw draws, once: the same in another frame refers to it.
func (p *svgPen) layer(draw func()) {
	p.end()
	from := p.Len()
	draw()
	p.end()
	text := string(p.Bytes()[from:])
	number, known := p.layers[text]
	p.Truncate(from)
	switch {
	case text == "":
	case known:
		fmt.Fprintf(p, `<use href="#l%d"/>`, number)
	default:
		p.layers[text] = len(p.layers)
		fmt.Fprintf(p, `<g id="l%d">%s</g>`, p.layers[text], text)
	}
}

// end closes the group that is open.
func (p *svgPen) end() {
	if p.open {
		p.WriteString("</g>")
	}
	p.open = false
}

// begin opens the group of a style.
func (p *svgPen) begin(l style) {
	if p.open && p.style == l {
		return
	}
	p.end()
	p.style, p.open = l, true
	p.WriteString("<g")
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
	p.WriteByte('>')
}

// number writes one of a path, without what it can do without: a zero before the point, a space before
// a sign, and before the first one after a letter.
func (p *svgPen) number(v float64, first bool) {
	text := strconv.FormatFloat(v+0, 'f', -1, 64) // not −0
	if rest, short := strings.CutPrefix(strings.TrimPrefix(text, "-"), "0."); short {
		text = map[bool]string{true: "-"}[v < 0] + "." + rest
	}
	if !first && text[0] != '-' {
		p.WriteByte(' ')
	}
	p.WriteString(text)
}

func (p *svgPen) path(l style, closed bool, lines ...[][2]float64) {
	if len(lines) == 0 {
		return
	}
	p.begin(l)
	p.WriteString(`<path d="`)
	for _, points := range lines {
		var last [2]float64 // in tenths of a pixel, as written: steps add up to places exactly
		for i, x := range points {
			at := [2]float64{math.Round(10 * x[0]), math.Round(10 * x[1])}
			if i < 2 {
				p.WriteByte("Ml"[i])
			}
			p.number((at[0]-last[0])/10, i < 2)
			p.number((at[1]-last[1])/10, false)
			last = at
		}
		if closed && l.stroke != "" { // an area without a rim is closed as it is
			p.WriteByte('Z')
		}
	}
	p.WriteString(`"/>`)
}

func (p *svgPen) ellipse(l style, c [2]float64, rx, ry, turn float64) {
	p.begin(l)
	if rx-ry < 0.05 { // as numbers are written
		fmt.Fprintf(p, `<circle cx="%.1f" cy="%.1f" r="%.1f"/>`, c[0], c[1], rx)
		return
	}
	fmt.Fprintf(p, `<ellipse cx="%.1f" cy="%.1f" rx="%.1f" ry="%.1f" transform="rotate(%.1f %.1f %.1f)"/>`, c[0],
		c[1], rx, ry, turn, c[0], c[1])
}

func (p *svgPen) text(at [2]float64, middle bool, ink, words string) {
	p.end()
	anchor := ""
	if middle {
		anchor = ` text-anchor="middle"`
	}
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f"%s fill="%s">%s</text>`, at[0], at[1], anchor, ink, html.EscapeString(words))
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

// filmFont is the size of the text of films [pixels].
const filmFont = 13
