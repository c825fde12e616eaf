//go:build !js

package report

import (
	"image/color"
	"math"

	shading "gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
)

// heatField is a map for the library.
type heatField struct{ *Heat }

func (f heatField) Dims() (c, r int)   { return len(f.Heat.X), len(f.Heat.Y) }
func (f heatField) Z(c, r int) float64 { return bounded(f.Values[c+r*len(f.Heat.X)]) }
func (f heatField) X(c int) float64    { return bounded(f.Heat.X[c]) }
func (f heatField) Y(r int) float64    { return bounded(f.Heat.Y[r]) }

// shades is a palette of the library.
type shades []color.Color

// Colors implements palette.Palette.
func (s shades) Colors() []color.Color { return s }

// colours is the number of shades of a map of sizes.
const colours = 64

func (p *panel) heat(h *Heat) {
	if len(h.X) < 2 || len(h.Y) < 2 || len(h.Values) != len(h.X)*len(h.Y) {
		return // the library needs the width of a cell
	}
	if h.Kinds != nil {
		var list shades
		for _, k := range h.Kinds {
			list = append(list, k.Color)
		}
		m := plotter.NewHeatMap(heatField{h}, list)
		m.Min, m.Max = 0, float64(len(h.Kinds)-1)
		p.Add(m)
		for _, k := range h.Kinds {
			if k.Name != "" {
				p.name(k.Name, swatch{k.Color})
			}
		}
	} else {
		scale := moreland.ExtendedBlackBody()
		scale.SetMax(1)
		scale.SetMin(0)
		m := plotter.NewHeatMap(heatField{h}, shading.Reverse(scale).Palette(colours))
		m.Min, m.Max = 0, max(h.Largest(), math.SmallestNonzeroFloat64)
		p.Add(m)
	}
}
