package report

import (
	"html/template"
	"image/color"

	"gonum.org/v1/plot"
)

// NewFigure draws a plot as an element of a page, in its colours, light and dark.
func NewFigure(id, caption string, p *plot.Plot) (Figure, error) {
	return figure(id, caption, p, false)
}

// Ink is colour k of the curves of a plot; pages know them, light and dark.
func Ink(k int) color.Color { return Palette[k%len(Palette)] }

// CSS is the style of all pages.
func CSS() template.CSS { return template.CSS(pageCSS) }
