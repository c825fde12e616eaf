package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// roundoff is the level below which residuals of energies mean nothing, relative
// to the energies met: a few times 2⁻⁵³.
const roundoff = 1e-16

// certificates draws balance and gaps by their decimal logarithm. (The log scale of
// package plot makes room for the label as if it stood at the arithmetic mean.)
func (r *Recorder) certificates() (*plot.Plot, error) {
	p := r.panel("Certificates: 0 would be perfect", "residual [J]")
	scale := r.energyScale
	if !(scale > 0) || math.IsInf(scale, 0) {
		scale = 1
	}
	floor := math.Log10(scale * roundoff)
	top := floor
	for i, c := range []struct {
		what int
		name string
	}{{balance, "energy balance (E)"}, {gap, "stability gap (S)"}, {stepGap, "gap of the steps"}} {
		high := r.channels[c.what].logarithm(floor)
		_, most := high.extremes()
		top = max(top, most)
		dash := dashes
		if i == 0 {
			dash = nil
		}
		p.line(high, c.name, palette[i], dash, 1.4)
	}
	level := plotter.XYs{{X: r.spans[0].from, Y: floor}, {X: r.spans[len(r.spans)-1].to, Y: floor}}
	p.curve(level, fmt.Sprintf("roundoff, %.0e of the energies", roundoff), black, dots, 1)
	p.Y.Tick.Marker = decades{}
	p.Y.Min, p.Y.Max = floor-1, top+1
	p.legend(4)
	return p.done()
}

// logarithm returns that of the largest values of a channel, at least floor.
func (c *channel) logarithm(floor float64) *channel {
	values := make([]float64, len(c.high))
	for k, v := range c.high {
		values[k] = max(math.Log10(max(bounded(v), 0)), floor)
	}
	return &channel{values, values}
}

// decades marks powers of ten by their exponents, about six of them.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) []plot.Tick {
	from, to := int(math.Ceil(low)), int(math.Floor(high))
	step := max(1, (to-from+5)/6)
	var ticks []plot.Tick
	for e := from; e <= to; e += step {
		ticks = append(ticks, plot.Tick{Value: float64(e), Label: fmt.Sprintf("1e%d", e)})
	}
	return ticks
}
