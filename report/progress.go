package report

import (
	"fmt"
	"slices"
)

// Progress is what a [Recorder] has seen: one of the same system that loads it
// goes on to the same pictures.
type Progress struct {
	Width, Count int
	From, To     []float64
	Low, High    [][]float64
	EnergyScale  float64
	Map          MapProgress // of contacts; empty: not drawn
	Where        []float64   // the places of its rows at the start [m]
	Along        bool
	BodyTime     float64 // of the last node [s], and its positions; empty: no bodies
	BodyPlaces   []float64
}

// MapProgress is what a map of stick and slip has seen.
type MapProgress struct {
	Cells []byte
	Begun []int
}

func (m *stateMap) save() MapProgress { return MapProgress{m.cells, m.begun} }

func (m *stateMap) load(p *MapProgress) error {
	if len(p.Cells) != len(m.cells) || len(p.Begun) != m.rows {
		return fmt.Errorf("report: the progress has a map of %d contacts, want %d", len(p.Begun), m.rows)
	}
	copy(m.cells, p.Cells)
	copy(m.begun, p.Begun)
	return nil
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
	if m := r.contacts; m != nil {
		p.Map, p.Where, p.Along = m.save(), m.where, m.along
	}
	if f := r.flesh; f != nil {
		p.BodyTime, p.BodyPlaces = f.t, f.x
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
	if f := r.flesh; f != nil {
		if len(p.BodyPlaces) != len(f.x) {
			return fmt.Errorf("report: the progress has %d coordinates of bodies, want %d", len(p.BodyPlaces), len(f.x))
		}
		f.t = p.BodyTime
		copy(f.x, p.BodyPlaces)
	}
	if m := r.contacts; m != nil {
		m.where, m.along = p.Where, p.Along
		return m.load(&p.Map)
	}
	return nil
}

// MotionProgress is what a [Motion] has seen.
type MotionProgress struct {
	All, Early Progress
	Shots      [][]float64
	Slid       []bool
	SlidAll    float64 // NaN: not yet
}

// Save returns the progress. It shares the memory of the recorder until the next
// step.
func (m *Motion) Save() MotionProgress {
	return MotionProgress{m.all.Save(), m.early.Save(), m.shots, m.slid, m.slidAll}
}

// Load goes on from a progress. It fails for one of another system.
func (m *Motion) Load(p *MotionProgress) error {
	if len(p.Slid) != len(m.slid) {
		return fmt.Errorf("report: the progress is of %d contact elements, want %d", len(p.Slid), len(m.slid))
	}
	m.shots, m.slidAll = slices.Clone(p.Shots), p.SlidAll
	copy(m.slid, p.Slid)
	if err := m.all.Load(&p.All); err != nil {
		return err
	}
	return m.early.Load(&p.Early)
}
