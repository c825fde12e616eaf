package halfspace

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/elementary"
)

// guess sets the first tractions: pressure as a bed of springs would have it that
// are as stiff as the surface under a round patch of the size of the contact.
func (s *Solver) guess(p *Problem) {
	clear(s.full[N])
	clear(s.full[X])
	clear(s.full[Y])
	g := s.op.grid
	low, high := math.Inf(1), math.Inf(-1)
	for _, h := range p.Gap {
		low, high = min(low, h), max(high, h)
	}
	if c := p.Control[MoveN]; !c.Force {
		s.bed(p.Gap, -c.Value)
		return
	} else if c.Value == 0 {
		return
	} else {
		// Bisection on the approach: forces of the bed grow with it.
		top := low + (high-low)*1e-3 + s.op.self(nn)*c.Value/g.Area()
		for range 60 {
			if s.bed(p.Gap, top) >= c.Value {
				break
			}
			top += 2 * (top - low)
		}
		for range 30 {
			mid := (low + top) / 2
			if s.bed(p.Gap, mid) < c.Value {
				low = mid
			} else {
				top = mid
			}
		}
		s.bed(p.Gap, top)
	}
}

// bed sets the pressures of an approach and returns their force.
func (s *Solver) bed(h []float64, approach float64) float64 {
	count, sum := 0, 0.0
	for k, v := range h {
		s.full[N][k] = max(approach-v, 0)
		if s.full[N][k] > 0 {
			count++
			sum += s.full[N][k]
		}
	}
	if count == 0 {
		return 0
	}
	// A uniform pressure 1 on a disc of radius a lifts its centre by 2πa times the
	// normal influence A of a unit force at unit distance; A from a self term of
	// the elements, 4 ln(1 + √2) A √(dx·dy) for squares.
	side := math.Sqrt(s.op.grid.Area())
	radius := side * math.Sqrt(float64(count)/math.Pi)
	stiffness := 4 * elementary.Log(1+math.Sqrt2) * side / (s.op.self(nn) * 2 * math.Pi * radius)
	for k := range h {
		s.full[N][k] *= stiffness
	}
	return sum * stiffness * s.op.grid.Area()
}
