package assembly

import "github.com/quasistatic/quasistatic/assembly/conic"

// A Gradient has the derivatives of a margin by densities and friction coefficients, from the dual
// solution of its program: where that is not unique, of one side. A margin λ of H r + dead + λ live = 0 is
// −min −λ, so that with the multipliers y
//
//	dλ = y·(d dead + λ d live + dH r)
//
// and friction is in the column H_N/μ of μ r_N: dλ/dμ = −r_N y·H_N/μ.
type Gradient struct {
	Density  []float64 // of each block, by kg/m³; 0 for supports
	Friction []float64 // of each interface
}

// gradient reads it from the answer of a program, at which weights act along a direction, in parts of gravity.
func (s *statics) gradient(r *conic.Result, direction [3]float64) *Gradient {
	g := &Gradient{Density: make([]float64, len(s.a.Blocks)), Friction: make([]float64, len(s.a.Interfaces))}
	size := norm(s.a.Gravity) / s.force
	for i, at := range s.index {
		if at < 0 {
			continue
		}
		b := &s.a.Blocks[i]
		t := s.twist(i, b.Centroid, add([3]float64{}, direction, b.Volume*size))
		for k, w := range t[:s.per] {
			g.Density[i] += r.Y[at+k] * w
		}
	}
	reactions := s.reactions(r.X, own)
	for j := range s.contacts {
		c := &s.contacts[j]
		if c.mu == 0 {
			continue
		}
		sum := 0.
		for k, row := range c.rows {
			sum += r.Y[row] * c.cols[0][k]
		}
		g.Friction[c.face] -= reactions[j*s.dim] * sum / c.mu
	}
	return g
}
