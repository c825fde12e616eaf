package report

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"strconv"
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
		fmt.Fprintf(p, `<ellipse cx="%.1f" cy="%.1f" rx="%.1f" ry="%.1f" transform="rotate(%.1f %.1f %.1f)"`, c[0],
			c[1], rx, ry, turn, c[0], c[1])
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
