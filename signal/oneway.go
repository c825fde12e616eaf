package signal

import "math"

// OneWay returns the sine that signals have in common, if all of them are constants and sines of
// one frequency and phase: then they go along one line, to and fro. It is nil if they do not, or
// none moves.
func OneWay(list []Scalar) *Sine {
	var way *Sine
	for _, s := range list {
		switch s := s.(type) {
		case Constant:
		case *Sine:
			if s.amplitude == 0 || s.frequency == 0 {
				continue
			}
			if way != nil && (way.frequency != s.frequency || way.phase != s.phase) {
				return nil
			}
			way = s
		default:
			return nil
		}
	}
	return way
}

// Turns reports whether the sine may turn between two times: it does not where its rate has one
// sign at both, less than a quarter of a period apart.
func (s *Sine) Turns(t0, t1 float64) bool {
	return math.Abs(s.frequency)*(t1-t0) >= 0.25 || math.Cos(s.angle(t0))*math.Cos(s.angle(t1)) < 0
}
