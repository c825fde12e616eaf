package events

import (
	"errors"
)

// source reads the loads off a system: f = −DE(t, z_0), c = E(t, z_0).
type source struct {
	p         *Reduced
	g, rate   []float64
	breaks    []Real
	frequency float64
}

func newSource(p *Reduced) (*source, error) {
	n := len(p.Start)
	s := &source{p: p, g: make([]float64, n), rate: make([]float64, n)}
	second, third := make([]float64, n), make([]float64, n)
	if !p.System.TimeBound(second, 2) || !p.System.TimeBound(third, 3) {
		return nil, errors.New("events: the loads are of a kind whose derivatives are not known")
	}
	for i, b := range second {
		if b > 0 {
			s.frequency = max(s.frequency, third[i]/b)
		}
	}
	for _, t := range p.System.Breaks(nil, 0, p.Until) {
		s.breaks = append(s.breaks, Real(t))
	}
	return s, nil
}

// Load implements [Source].
func (s *source) Load(f []Real, t Real) Real {
	s.p.System.Gradient(s.g, nil, float64(t), s.p.Start)
	s.p.reduce(f, s.g, -1)
	e, _ := s.p.System.Value(float64(t), s.p.Start)
	return Real(e)
}

// Rate implements [Source].
func (s *source) Rate(df []Real, t Real) {
	s.p.System.Gradient(s.g, s.rate, float64(t), s.p.Start)
	s.p.reduce(df, s.rate, -1)
}

// Breaks implements [Source].
func (s *source) Breaks() []Real { return s.breaks }

// Frequency implements [Source].
func (s *source) Frequency() float64 { return s.frequency }

// ConstantRate returns the right derivative of c, which only the energies of sensitivities
// need.
func (s *source) ConstantRate(t float64) float64 {
	_, rate := s.p.System.Value(t, s.p.Start)
	return rate
}
