//go:build !js

package report

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a figure in the page.
const (
	figureWidth  = 13 * vg.Centimeter
	figureHeight = 8 * vg.Centimeter
)

// inks are the colours of the plots and the names under which the page sets them,
// light and dark.
var inks = strings.NewReplacer(
	"#FFFFFF", "none", "#000000", "var(--ink)", "#282828", "var(--ink)", "#E1E1E1", "var(--grid)",
	"#0072B2", "var(--c1)", "#D55E00", "var(--c2)", "#009E73", "var(--c3)", "#CC79A7", "var(--c4)", "#E69F00",
	"var(--c5)", "#56B4E9", "var(--c6)",
	"#F0F0F0", "var(--band)", "#F5F5F5", "var(--band)", "#C8C8C8", "var(--c3)",
	"font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", "",
)

// figure draws a plot as an element of the page. With a time axis it has a line
// that the page moves to the present time.
func figure(id, caption string, p drawn, timeAxis bool) (Figure, error) {
	sans(p.Plot)
	title := p.Title.Text
	canvas := vgsvg.New(figureWidth, figureHeight)
	c := draw.New(canvas)
	p.square(func() draw.Canvas { return c })
	p.Draw(c)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return Figure{}, fmt.Errorf("report: %s: %w", title, err)
	}
	svg := b.String()
	if i := strings.Index(svg, "<svg"); i >= 0 {
		svg = svg[i:]
	}
	_, svg, _ = strings.Cut(svg, ">") // the opening tag is ours
	w, h := figureWidth.Points(), figureHeight.Points()
	area := p.DataCanvas(c)
	attributes, cursor := "", ""
	if timeAxis {
		x0, x1 := area.Min.X.Points(), area.Max.X.Points()
		attributes = fmt.Sprintf(` data-x0="%.2f" data-x1="%.2f" data-t0="%.17g" data-t1="%.17g"`, x0, x1, p.X.Min, p.X.Max)
		cursor = fmt.Sprintf(`<line class="now" x1="%.2f" x2="%.2f" y1="%.2f" y2="%.2f"/>`, x0, x0,
			h-area.Max.Y.Points(), h-area.Min.Y.Points())
	}
	head := fmt.Sprintf(`<svg viewBox="0 0 %.1f %.1f" role="img" aria-label="%s"%s>`, w, h,
		html.EscapeString(title+". "+caption), attributes)
	body := strings.TrimSuffix(strings.TrimSpace(inks.Replace(svg)), "</svg>")
	return Figure{ID: id, Caption: caption, SVG: template.HTML(head + body + cursor + "</svg>")}, nil
}

// sans sets all text without serifs; its widths are those of Arial and Helvetica.
func sans(p *plot.Plot) {
	for _, f := range []*textStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label,
		&p.Y.Tick.Label, &p.Legend.TextStyle} {
		f.Font.Variant = "Sans"
	}
}

type textStyle = draw.TextStyle
