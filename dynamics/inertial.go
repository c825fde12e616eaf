package dynamics

import (
	"fmt"
	"math"
	"slices"
)

var (
	_ Framed = (*Stepper)(nil)
	_ Paired = (*Stepper)(nil)
)

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
	if x := f.system.PairOf(key); x.Obstacle >= 0 {
		return f.at[x.Obstacle]
	}
	return -1
}

// Meet implements [Paired].
func (s *Stepper) Meet() {
	if s.frames.system == nil {
		return
	}
	for i, key := range s.now.Keys {
		if !s.now.forced(i) {
			continue
		}
		x := s.frames.system.PairOf(key)
		if x.B >= 0 || s.frames.system.Moving(x.Obstacle) {
			s.pairs.Meet(x, s.step.Index)
		}
		if x.Obstacle >= 0 {
			s.pairs.MeetHalfSpace(x.A, x.Obstacle, s.frames.system.Normal(x.Obstacle))
		}
		if s.step.Index <= 1 && !s.history.patch[i].Rigid() { // of later ones the deformation is late, as all that follows
			x.Tie = 1 + key
			s.pairs.Meet(x, s.step.Index)
		}
	}
}

// stretchFrom is by how much the deformation of a patch is another one than at a state, in the mean
// over its elements; nil: there was none.
func (s *Stepper) stretchFrom(then *State) func(x Pair) float64 {
	return func(x Pair) float64 {
		now := s.now.deformation(x.Tie - 1)
		before := then.deformation(x.Tie - 1)
		sum := 0.0
		for k := range max(len(now), len(before)) {
			d := 0.0
			if k < len(now) {
				d += now[k]
			}
			if k < len(before) {
				d -= before[k]
			}
			sum += d * d
		}
		return math.Sqrt(sum * float64(s.dim) / float64(max(1, len(now), len(before))))
	}
}

// apart appends the distances of pairs, of the ways x of velocities since a slot, or since the start.
func (s *Stepper) apart(dst, x []float64, at int) []float64 {
	of := s.partition.of
	way := func(part int) (way [3]float64) {
		i, _ := slices.BinarySearch(of, part)
		for ; i < len(of) && of[i] == part; i++ {
			if k := s.frames.axes[i]; k >= 0 {
				way[k] = x[i]
			}
		}
		return way
	}
	if at >= 0 {
		return s.pairs.Distances(dst, way, nil, s.stretchFrom(&s.slots[at].c.State))
	}
	return s.pairs.Distances(dst, way, func(x Pair) [3]float64 {
		return s.frames.system.Carried(x.Obstacle, x.A, s.origin, s.began, s.now.T)
	}, s.stretchFrom(nil))
}

func (s *Stepper) obstacleName(i int) string { return s.frames.system.ObstacleName(i) }

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
		dst = append(dst, s.turns.arm[k]*s.turns.of.Deviation(part, s.origin, s.now.Q, s.now.V))
	}
	return s.apart(dst, s.travel, -1)
}

// Velocities implements [Paced]; there are none but of an [Inertial] system. Of balls in space, whose spins are about axes
// that turn with them, it is that of the centre alone.
func (s *Stepper) Velocities(dst [][3]float64, j int) [][3]float64 {
	t := &s.turns
	if s.frames.system == nil {
		return dst[:0]
	}
	dst = grow(dst, s.partition.count+t.count+len(t.directed))
	clear(dst)
	turned := 0 // components of the turn of the present part
	for i, v := range s.now.V {
		part := s.partition.of[i]
		if i == 0 || s.partition.of[i-1] != part {
			turned = 0
		}
		switch k := s.frames.axes[i]; {
		case k < 0 && t.arms != nil && t.arms[i] > 0 && !t.of.Ball(part):
			dst[t.at[part]][turned] = t.arms[i] * v
			turned++
		case k < 0:
		case j == 0:
			dst[part][k] = v - s.begins[i]
		case j > 0:
			dst[part][k] = v - s.frames.velocities[j-1][k]
		default:
			dst[part][k] = v
		}
	}
	return dst
}

// Jumps implements [Paced].
func (s *Stepper) Jumps() bool { return true }

// Drifts implements [Framed]: of parts that are single bodies; the centre of others is not known.
func (s *Stepper) Drifts(dst [][3]float64) ([][3]float64, float64) {
	since := s.now.T - s.began
	if s.frames.system == nil {
		return dst[:0], since
	}
	dst = grow(dst, s.partition.count)
	for i, k := range s.frames.axes {
		if k >= 0 {
			dst[s.partition.of[i]][k] = s.travel[i] - since*s.begins[i]
		}
	}
	return dst, since
}
