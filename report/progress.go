package report

import "fmt"

// Progress is what a [Recorder] has seen: one of the same system that loads it
// goes on to the same pictures.
type Progress struct {
	Width, Count int
	From, To     []float64
	Low, High    [][]float64
	EnergyScale  float64
}

// Save returns the progress. It shares the memory of the recorder until the next
// node.
func (r *Recorder) Save() Progress {
	p := Progress{Width: r.width, Count: r.count, EnergyScale: r.energyScale}
	for _, s := range r.spans {
		p.From, p.To = append(p.From, s.from), append(p.To, s.to)
	}
	for _, c := range r.channels {
		p.Low, p.High = append(p.Low, c.low), append(p.High, c.high)
	}
	return p
}

// Load goes on from a progress. It fails for one of another system.
func (r *Recorder) Load(p *Progress) error {
	n := len(p.From)
	if len(p.Low) != len(r.channels) || len(p.High) != len(r.channels) || len(p.To) != n || n > r.limit || p.Width < 1 {
		return fmt.Errorf("report: the progress has %d channels of %d intervals, want %d of at most %d", len(p.Low), n, len(r.channels), r.limit)
	}
	r.width, r.count, r.energyScale = p.Width, p.Count, p.EnergyScale
	r.spans = r.spans[:0]
	for k := range n {
		r.spans = append(r.spans, span{p.From[k], p.To[k]})
	}
	for i := range r.channels {
		if len(p.Low[i]) != n || len(p.High[i]) != n {
			return fmt.Errorf("report: channel %d of the progress has %d intervals, want %d", i, len(p.Low[i]), n)
		}
		r.channels[i] = channel{p.Low[i], p.High[i]}
	}
	return nil
}
