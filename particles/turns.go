package particles

import "math"

// Turning is implemented by an [Energy] that knows where forces turn between two states.
type Turning interface {
	// Turns appends the parts in (0, 1) of the straight way between x0 at t0 and x1 at t1, in
	// global coordinates, at which to look at forces that turn by more than an eighth of a half
	// turn, or whose length is halved.
	Turns(dst []float64, t0, t1 float64, x0, x1 []float64) []float64
}

var _ Turning = (*Springs)(nil)

// Turns appends where the forces of the energies turn between two states, see [Turning].
func (s *System) Turns(dst []float64, t0, t1 float64, z0, z1 []float64) []float64 {
	var x0, x1 []float64
	for _, e := range s.energies {
		if t, ok := e.(Turning); ok {
			if x0 == nil {
				x0, x1 = make([]float64, len(z0)), make([]float64, len(z0))
				s.ToGlobalAt(t0, x0, z0)
				s.ToGlobalAt(t1, x1, z1)
			}
			dst = t.Turns(dst, t0, t1, x0, x1)
		}
	}
	return dst
}

const (
	// turnPart is the angle between two looks at a spring that turns [rad].
	turnPart = math.Pi / 8
	// halvings of the length of a spring are looked at down to a thousandth of the way.
	halvings = 10
)

// Turns implements [Turning]; springs that are linear from rest length 0 have constant stiffness.
func (e *Springs) Turns(dst []float64, t0, t1 float64, x0, x1 []float64) []float64 {
	for k := range e.items {
		it := &e.items[k]
		if it.flat {
			continue
		}
		from, _ := e.reach(it, t0, x0)
		to, _ := e.reach(it, t1, x1)
		dst = passes(dst, from, to)
	}
	return dst
}

// passes appends the parts of a straight way at which the direction from the origin has turned by
// multiples of turnPart from that where it is nearest, and those at which the distance has doubled
// from there on.
func passes(dst []float64, from, to vec) []float64 {
	v := to.sub(from)
	size := math.Sqrt(v.dot(v))
	if size == 0 || size <= math.Tan(turnPart)*math.Sqrt(from.dot(from))/2 {
		return dst
	}
	nearest := -from.dot(v) / (size * size)
	p := from.plus(nearest, v)
	least := math.Sqrt(p.dot(p)) / size // distance where it is nearest, in parts of the way
	add := func(s float64) {
		if s > 0 && s < 1 {
			dst = append(dst, s)
		}
	}
	add(nearest)
	for k := 1.0; k < math.Pi/2/turnPart; k++ {
		add(nearest - least*math.Tan(k*turnPart))
		add(nearest + least*math.Tan(k*turnPart))
	}
	for _, end := range [2]float64{0, 1} {
		d := end - nearest
		for range halvings {
			if d /= 2; math.Abs(d) <= 2*least {
				break
			}
			add(nearest + d)
		}
	}
	return dst
}
