package report

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/quasistatic/quasistatic/dynamics"
)

// History is a run of the dynamic models, step by step.
type History struct {
	Name               string
	T                  []float64
	Q                  [][]float64
	Normal, Tangential []float64 // sums of λ_n and λ_t over all elements [N]
}

// Observe takes the state of a stepper.
func (h *History) Observe(s *dynamics.Stepper) {
	x := s.State()
	n, t, dim := 0.0, 0.0, s.Dim()
	for i := 0; i < len(x.Lambda); i += dim {
		n += x.Lambda[i]
		t += x.Lambda[i+1]
	}
	h.T, h.Q = append(h.T, x.T), append(h.Q, append([]float64(nil), x.Q...))
	h.Normal, h.Tangential = append(h.Normal, n), append(h.Tangential, t)
}

// DrawCompliance writes compliance.svg and compliance.png: how runs with smaller
// and smaller compliance tend to the rigid one, the first of runs; like
// figure 5 of Song, Pang and Kumar (2004). factor, distance and forces belong
// to the others.
func DrawCompliance(dir, title string, runs []History, factor, distance, forces []float64) error {
	height := 1 // y in the plane, z in space
	if len(runs[0].Q[0]) > 3 {
		height = 2
	}
	return drawPage(dir, "compliance", title+": compliance → 0",
		func() (*plot.Plot, error) {
			return histories(runs, "Height of the centre", "[m]", func(h *History, k int) float64 { return h.Q[k][min(height, len(h.Q[k])-1)] })
		},
		func() (*plot.Plot, error) {
			return histories(runs, "Sum of the normal forces", "[N]", func(h *History, k int) float64 { return h.Normal[k] })
		},
		func() (*plot.Plot, error) {
			return histories(runs, "Sum of the tangential forces", "[N]", func(h *History, k int) float64 { return h.Tangential[k] })
		},
		func() (*plot.Plot, error) { return distances(factor, distance, forces) })
}

// histories draws one quantity of all runs, the softest first and the rigid one
// on top, thinned to extremes of a thousand intervals.
func histories(runs []History, title, label string, value func(h *History, k int) float64) (*plot.Plot, error) {
	p := (&Recorder{}).panel(title, label)
	for i := 1; i <= len(runs); i++ {
		h := &runs[i%len(runs)]
		var points plotter.XYs
		stride := max(1, len(h.T)/mostIntervals)
		for k := 0; k < len(h.T); k += stride {
			low, high := math.Inf(1), math.Inf(-1)
			for j := k; j < min(k+stride, len(h.T)); j++ {
				v := bounded(value(h, j))
				low, high = min(low, v), max(high, v)
			}
			points = append(points, plotter.XY{X: h.T[k], Y: low})
			if high != low {
				points = append(points, plotter.XY{X: h.T[k], Y: high})
			}
		}
		if i == len(runs) {
			p.curve(points, h.Name, black, dashes, 1.2)
		} else {
			p.curve(points, h.Name, palette[(i-1)%len(palette)], nil, 1.2)
		}
	}
	p.legend(len(runs))
	return p.done()
}

// distances draws what is left over the compliance, both logarithmic.
func distances(factor, distance, forces []float64) (*plot.Plot, error) {
	p := (&Recorder{}).panel("Distance to the rigid run", "[m], [N]")
	p.X.Label.Text = "compliance, in that of the case"
	lowest, highest := math.Inf(1), 0.0
	for i, c := range []Curve{{"positions, largest", distance}, {"normal force, rms", forces}} {
		points := positive(factor, c.Values)
		for _, pt := range points {
			lowest, highest = min(lowest, pt.Y), max(highest, pt.Y)
		}
		if err := addCurve(p.Plot, c.Name, points, palette[i]); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
	}
	if highest > 0 {
		p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: 3}, plot.LogTicks{Prec: 3}
		p.Y.Min, p.Y.Max = lowest/2, highest*10
		return p.Plot, p.err
	}
	return p.done()
}
