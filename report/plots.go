package report

import (
	"fmt"
	"html/template"
	"image/color"

	"gonum.org/v1/plot"
)

// NewFigure draws a plot as an element of a page, in its colours, light and dark. Axes without a
// width, or wider than a number, are set to what can be drawn; points are to be within [Bounded].
func NewFigure(id, caption string, p *plot.Plot) (f Figure, err error) {
	err = guarded(func() error {
		for _, a := range []*plot.Axis{&p.X, &p.Y} {
			a.Min, a.Max = Bounded(a.Min), Bounded(a.Max)
			if _, numbers := a.Tick.Marker.(plot.DefaultTicks); numbers { // which never end beyond 1e300
				a.Tick.Marker = even{}
			}
		}
		(&panel{Plot: p}).widen(false)
		f, err = figure(id, caption, drawn{Plot: p}, false)
		return err
	})
	if err != nil {
		return Figure{}, fmt.Errorf("report: %s: %w", p.Title.Text, err)
	}
	return f, nil
}

// Bounded keeps a number within what a plot can show.
func Bounded(v float64) float64 { return bounded(v) }

// Ink is colour k of the curves of a plot; pages know them, light and dark.
func Ink(k int) color.Color { return Palette[k%len(Palette)] }

// CSS is the style of all pages.
func CSS() template.CSS { return template.CSS(pageCSS) }
