package bodyview

import (
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/report"
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

// Compliance draws how runs with smaller and smaller compliance tend to the rigid one, the first
// of runs; like figure 5 of Song, Pang and Kumar (2004). factor, distance and forces belong
// to the others.
func Compliance(runs []History, factor, distance, forces []float64) []*report.Plot {
	height := 1 // y in the plane, z in space
	if len(runs[0].Q[0]) > 3 {
		height = 2
	}
	return []*report.Plot{
		histories(runs, "Height of the centre", "[m]", func(h *History, k int) float64 { return h.Q[k][min(height, len(h.Q[k])-1)] }),
		histories(runs, "Sum of the normal forces", "[N]", func(h *History, k int) float64 { return h.Normal[k] }),
		histories(runs, "Sum of the tangential forces", "[N]", func(h *History, k int) float64 { return h.Tangential[k] }),
		distances(factor, distance, forces),
	}
}

// histories draws one quantity of all runs, the softest first and the rigid one on top,
// thinned to extremes of a thousand intervals.
func histories(runs []History, title, label string, value func(h *History, k int) float64) *report.Plot {
	p := &report.Plot{Title: title, Y: label}
	for i := 1; i <= len(runs); i++ {
		h := &runs[i%len(runs)]
		var points []report.Point
		stride := max(1, len(h.T)/report.MostIntervals)
		for k := 0; k < len(h.T); k += stride {
			low, high := math.Inf(1), math.Inf(-1)
			for j := k; j < min(k+stride, len(h.T)); j++ {
				v := value(h, j)
				low, high = min(low, v), max(high, v)
			}
			points = append(points, report.Point{X: h.T[k], Y: low})
			if high != low {
				points = append(points, report.Point{X: h.T[k], Y: high})
			}
		}
		if i == len(runs) {
			p.Line(points, h.Name, report.Black, report.Dashed, 1.2)
		} else {
			p.Line(points, h.Name, report.Palette[(i-1)%len(report.Palette)], report.Solid, 1.2)
		}
	}
	return p
}

// distances draws what is left over the compliance, both logarithmic; nil: nothing is.
func distances(factor, distance, forces []float64) *report.Plot {
	p := &report.Plot{Title: "Distance to the rigid run", X: "compliance, in that of the case", Y: "[m], [N]", Logarithmic: true}
	some := false
	for i, c := range []report.Curve{{Name: "positions, largest", Values: distance}, {Name: "normal force, rms", Values: forces}} {
		var points []report.Point
		for k, v := range c.Values {
			points = append(points, report.Point{X: factor[k], Y: v})
			some = some || v > 0
		}
		p.Lines = append(p.Lines, report.Line{Name: c.Name, Points: points, Color: report.Palette[i], Width: 1.5, Dots: true})
	}
	if !some {
		return nil
	}
	return p
}
