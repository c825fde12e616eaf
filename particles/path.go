package particles

import (
	"github.com/quasistatic/quasistatic/signal"
)

// Signal is a continuous function of time with its right derivative.
type Signal = signal.Scalar

// Path is a vector of signals: the way of an anchor, or a force, in global
// coordinates.
type Path = signal.Vector

// At returns the constant path of the point (x, y, z).
func At(x, y, z float64) Path {
	return Path{signal.Constant(x), signal.Constant(y), signal.Constant(z)}
}

// PiecewiseLinear returns the path through points[k] at times[k], linear in
// between and at rest outside. The times must increase strictly.
func PiecewiseLinear(times []float64, points [][3]float64) (Path, error) {
	rows := make([][]float64, len(points))
	for k := range points {
		rows[k] = points[k][:]
	}
	return signal.NewVectorTable(times, rows)
}

// Sine returns offset + amplitude·sin(2π·frequency·t + phase), phase in radians.
func Sine(offset, amplitude, frequency, phase float64) (Signal, error) {
	return signal.NewSine(offset, amplitude, frequency, phase)
}

// motion is a path of three components that remembers the value of one at rest.
type motion struct {
	path   Path
	fixed  vec
	moving bool
}

func (m *motion) at(t float64) vec {
	if !m.moving {
		return m.fixed
	}
	return vec{m.path[0].At(t), m.path[1].At(t), m.path[2].At(t)}
}

func (m *motion) rate(t float64) vec {
	if !m.moving {
		return vec{}
	}
	return vec{m.path[0].Rate(t), m.path[1].Rate(t), m.path[2].Rate(t)}
}

// motions holds the distinct paths of an energy; items refer to them by number.
type motions struct {
	list  []motion
	known map[*Signal]int32
}

// add returns the number of the path. Paths are the same when they share their slice.
func (s *motions) add(p Path) (int32, error) {
	if err := p.Validate(3); err != nil {
		return 0, err
	}
	if s.known == nil {
		s.known = make(map[*Signal]int32)
	}
	if i, ok := s.known[&p[0]]; ok {
		return i, nil
	}
	m := motion{path: p, moving: true}
	if p.IsConstant() {
		m.fixed, m.moving = m.at(0), false
	}
	i := int32(len(s.list))
	s.known[&p[0]] = i
	s.list = append(s.list, m)
	return i, nil
}

// breaks appends the kinks of all paths in (t0, t1).
func (s *motions) breaks(dst []float64, t0, t1 float64) []float64 {
	n := len(dst)
	for i := range s.list {
		if s.list[i].moving {
			dst = s.list[i].path.Breaks(dst, t0, t1)
		}
	}
	return signal.SortBreaks(dst, n)
}

// bound returns bounds of the k-th derivatives of a path; false if they are not known.
func (m *motion) bound(k int) (b vec, ok bool) {
	if !m.moving {
		return vec{}, true
	}
	var v [3]float64
	for c, s := range m.path {
		if v[c], ok = signal.DerivativeBound(s, k); !ok {
			return vec{}, false
		}
	}
	return vec{v[0], v[1], v[2]}, true
}
