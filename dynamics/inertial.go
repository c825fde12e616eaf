package dynamics

import "fmt"

var _ Framed = (*Stepper)(nil)

// frames are those of an [Inertial] system.
type frames struct {
	system     Inertial // nil: the system has no inertial frames
	axes       []int    // of each velocity
	velocities [][3]float64
	at         []int      // the frame of each obstacle
	motion     []Momentum // of the parts at the present state; nil: not known
}

// open looks at a system of some parts.
func (f *frames) open(sys System, parts, nv int, until float64) error {
	var ok bool
	if f.system, ok = sys.(Inertial); !ok {
		return nil
	}
	if f.axes = f.system.Axes(); len(f.axes) != nv {
		return fmt.Errorf("dynamics: System.Axes has %d entries, want one for each of %d velocities", len(f.axes), nv)
	}
	f.motion = make([]Momentum, parts)
	f.velocities, f.at = f.system.Frames(until)
	return nil
}

// moves takes mass and momentum of the parts from the momentum of each velocity. What couples two
// velocities of a centre is mass too: by M_kl the momentum along one axis grows with a frame that
// moves along another one.
func (f *frames) moves(momentum []float64, mass *Mass, part []int) {
	clear(f.motion)
	for i, k := range f.axes {
		if k >= 0 {
			m := &f.motion[part[i]]
			first, row := mass.row(i)
			for c, v := range row {
				if j := first + c; f.axes[j] >= 0 && part[j] == part[i] {
					m.Mass[k][f.axes[j]] += v
				}
			}
			m.Of[k] += momentum[i]
		}
	}
}

// of is the momentum of a part.
func (f *frames) of(part int) *Momentum {
	if f.motion == nil {
		return new(Momentum)
	}
	return &f.motion[part]
}

// touched is the frame of what the patch of a key touches; −1: a part, or it is not known.
func (f *frames) touched(key int) int {
	if f.system == nil {
		return -1
	}
	if i := f.system.ObstacleOf(key); i >= 0 {
		return f.at[i]
	}
	return -1
}

// Ways implements [Framed].
func (s *Stepper) Ways(dst []float64, j int) []float64 {
	x := s.scratch
	copy(x, s.travel)
	for i, k := range s.frames.axes {
		switch {
		case k < 0:
		case j == 0:
			x[i] -= (s.now.T - s.began) * s.begins[i]
		default:
			x[i] -= (s.now.T - s.began) * s.frames.velocities[j-1][k]
		}
	}
	dst = s.norms(dst, x)
	for k, part := range s.turns.directed {
		dst = append(dst, s.turns.arm[k]*s.turns.of.Deviation(part, s.origin, s.now.Q, nil))
	}
	return dst
}
