package elastic

import "github.com/quasistatic/quasistatic/dynamics"

var _ dynamics.Rubbing = (*Stepper)(nil)

// Slack implements [dynamics.Rubbing]: how deep an obstacle that moves has been, within the last
// step, in a node that it is apart from at both ends, as a wall that strikes and withdraws. The node
// would have gone that way at least. It is looked for at sixteenths of the step, u_N on its chord:
// kinks of the motion are ends of steps, and a sine has eight nodes a period or more, so that its
// peaks are seen to A(1 − cos π/128).
func (s *Stepper) Slack(dst []float64) []float64 {
	parts := s.findParts()
	dst = append(dst[:0], make([]float64, len(parts.whole)+len(s.pairs.List))...)
	if s.step == 0 {
		return dst
	}
	dim, from, to := max(s.a.dim, 2), s.prev.T, s.now.T
	for k, n := range s.a.normal {
		m := s.a.motion(k)
		if m == nil || s.prev.R[dim*k] > 0 || s.now.R[dim*k] > 0 {
			continue
		}
		before, after := s.prev.U[n]+s.a.gapAt(k, from), s.now.U[n]+s.a.gapAt(k, to)
		if before+after > (to-from)*m.Fastest(0) { // too far to be reached from either end
			continue
		}
		part := parts.of[n/s.a.dim]
		for i := 1.0; i < 16; i++ {
			t := i / 16
			u := s.prev.U[n] + t*(s.now.U[n]-s.prev.U[n])
			dst[part] = max(dst[part], -u-s.a.gapAt(k, from+t*(to-from)))
		}
	}
	return dst
}
