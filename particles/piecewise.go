package particles

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Piecewise is a law by the characteristic of a spring: its tension is linear between the
// points (l_i, f_i) and goes on straight beyond the first and the last, so that φ is
// piecewise quadratic and once differentiable. Where the tension falls the spring is
// unstable: between two rising branches it has two wells.
type Piecewise struct {
	length, tension, slope []float64 // slope[i] between the points i and i+1
	energy                 []float64 // φ at the points
	first, last            float64   // slopes beyond the ends
}

// NewPiecewise takes at least two points of increasing length; φ is zero at the first one.
func NewPiecewise(length, tension []float64) (*Piecewise, error) {
	n := len(length)
	if n < 2 || len(tension) != n {
		return nil, fmt.Errorf("particles: Piecewise: %d lengths and %d tensions, want at least two of both", n, len(tension))
	}
	p := &Piecewise{length: slices.Clone(length), tension: slices.Clone(tension), energy: make([]float64, n)}
	for i := range n {
		if !finite(length[i]) || !finite(tension[i]) {
			return nil, fmt.Errorf("particles: Piecewise: point %d, (%v, %v), is not finite", i, length[i], tension[i])
		}
		if i == 0 {
			continue
		}
		w := length[i] - length[i-1]
		if !(w > 0) {
			return nil, fmt.Errorf("particles: Piecewise: the length %v after %v, want lengths that increase", length[i], length[i-1])
		}
		k := (tension[i] - tension[i-1]) / w
		p.slope = append(p.slope, k)
		p.energy[i] = p.energy[i-1] + w*(tension[i-1]/2+tension[i]/2)
		if !finite(k) || !finite(p.energy[i]) {
			return nil, fmt.Errorf("particles: Piecewise: the slope between the lengths %v and %v overflows", length[i-1], length[i])
		}
	}
	p.first, p.last = p.slope[0], p.slope[n-2]
	return p, nil
}

// piece returns the point from which φ is a parabola at l, and its slope.
func (p *Piecewise) piece(l float64) (point int, slope float64) {
	n := len(p.length)
	switch i := sort.SearchFloat64s(p.length, l); {
	case i == 0:
		return 0, p.first
	case i == n:
		return n - 1, p.last
	default:
		return i - 1, p.slope[i-1]
	}
}

// Value returns φ.
func (p *Piecewise) Value(l float64) float64 {
	i, k := p.piece(l)
	d := l - p.length[i]
	return p.energy[i] + d*(p.tension[i]+k*d/2)
}

// D1 returns the tension φ'.
func (p *Piecewise) D1(l float64) float64 {
	i, k := p.piece(l)
	return p.tension[i] + k*(l-p.length[i])
}

// D2 returns the slope φ”; at a point, that of the piece before it.
func (p *Piecewise) D2(l float64) float64 {
	_, k := p.piece(l)
	return k
}

// stations visits a, b and the points between them, and the lengths between at which the
// tension vanishes: φ and φ' take their extremes over [a, b] there.
func (p *Piecewise) stations(a, b float64, visit func(l float64)) {
	last := a
	upTo := func(l float64) {
		if f, k := p.D1(last), p.D2(last/2+l/2); f < 0 && k > 0 {
			if zero := last - f/k; zero < l {
				visit(zero)
			}
		}
		visit(l)
		last = l
	}
	visit(a)
	for _, l := range p.length {
		if l > a && l < b {
			upTo(l)
		}
	}
	if b > last {
		upTo(b)
	}
}

// Bounds returns the least φ, φ' and φ” over [a, b].
func (p *Piecewise) Bounds(a, b float64) (value, slope, curvature float64) {
	value, slope, curvature = math.Inf(1), math.Inf(1), math.Inf(1)
	last := a
	p.stations(a, b, func(l float64) {
		value, slope = min(value, p.Value(l)), min(slope, p.D1(l))
		curvature = min(curvature, p.D2(l), p.D2(last/2+l/2))
		last = l
	})
	return value, slope, curvature
}

// Growth returns half of the last slope, if it rises, and what ½ g l² exceeds φ by at most.
func (p *Piecewise) Growth() (stiffness, offset float64) {
	g := max(p.last, 0) / 2
	// The law less ½ g l² is piecewise quadratic too, and rises at its end if φ does.
	tension := make([]float64, 0, len(p.length)+1)
	length := p.length
	if length[0] > 0 {
		length = append([]float64{0}, length...)
	}
	for _, l := range length {
		tension = append(tension, p.D1(l)-g*l)
	}
	rest, err := NewPiecewise(length, tension)
	if err != nil || p.last < 0 {
		return 0, math.Inf(1)
	}
	start := p.Value(length[0]) - g*length[0]*length[0]/2
	end := 2*math.Abs(length[len(length)-1]) + 1
	if k := rest.last; k > 0 { // beyond the vertex of the last piece it rises
		end = max(end, length[len(length)-1]-rest.tension[len(length)-1]/k)
	} else if rest.tension[len(length)-1] < 0 {
		return 0, math.Inf(1)
	}
	least, _, _ := rest.Bounds(0, end)
	return g, -(start + least)
}

// Rests returns the lengths at which φ has a minimum: where the tension vanishes and rises.
func (p *Piecewise) Rests() []float64 {
	var list []float64
	end := p.length[len(p.length)-1]
	if p.last > 0 {
		end += math.Abs(p.tension[len(p.length)-1]) / p.last
	}
	p.stations(0, 2*end+1, func(l float64) {
		h := 1e-6 * l
		if p.D1(l-h) <= 0 && p.D1(l+h) > 0 {
			list = append(list, l)
		}
	})
	return list
}

var (
	_ Law     = (*Piecewise)(nil)
	_ Bounded = (*Piecewise)(nil)
)
