package elastic

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/signal"
)

var _ dynamics.Framed = (*Stepper)(nil)

// frames are those in which the parts of the mesh are looked at: of their starts, of obstacles, of
// supports.
type frames struct {
	velocities [][3]float64 // of obstacles and supports
	at         []int        // the frame of each contact
	held       []int        // the frame of the supports of each part; −1: it has none
	unit       [3][]float64 // 1 along each axis, in the axes of the package page, measured from nothing
	start      [][3]float64 // velocity of each part at the start
	met        [][2]int     // pairs of parts that may meet

	motion          []dynamics.Momentum
	kinetic, stored []float64 // of the parts now [J]
	sums            []float64 // of the two [J]
	sizes           []float64 // of the sums that their energies are, whose rounding they have [J]
}

func (f *frames) index(v [3]float64) int {
	i := slices.Index(f.velocities, v)
	if i < 0 {
		i, f.velocities = len(f.velocities), append(f.velocities, v)
	}
	return i
}

// open finds the frames.
func (f *frames) open(s *Stepper) {
	a, part := s.a, s.findParts()
	n := len(part.whole)
	*f = frames{motion: make([]dynamics.Momentum, n), kinetic: make([]float64, n), stored: make([]float64, n), sizes: make([]float64, n)}
	for k := range a.normal {
		var v [3]float64
		if m := a.motion(k); m != nil {
			v = m.MeanShift(s.opt.Until)
		}
		f.at = append(f.at, f.index(v))
	}
	meet := func(i, j int) {
		if pair := [2]int{part.of[i], part.of[j]}; !slices.Contains(f.met, pair) {
			f.met = append(f.met, pair)
		}
	}
	for _, t := range a.model.Ties {
		for _, x := range t.Masters {
			meet(t.Dof/a.dim, x.Dof/a.dim)
		}
	}
	for k := range a.model.Meetings {
		for _, n := range a.model.Meetings[k].Nodes {
			for _, j := range n.Masters {
				meet(n.Node, j)
			}
		}
	}
	for k := range a.dim {
		f.unit[k] = make([]float64, len(s.now.U))
		for i := k; i < len(f.unit[k]); i += a.dim {
			f.unit[k][i] = 1
		}
		a.frames.ToLocal(f.unit[k])
	}
	for k := range a.dim {
		along := slices.Clone(f.unit[k])
		a.frames.ToGlobal(along)
		a.toLocal(along)
		a.mass.MulVec(s.work, along)
		a.acting(s.work)
		for l := range a.dim {
			for i, x := range s.work {
				f.motion[part.of[i/a.dim]].Mass[k][l] += x * f.unit[l][i]
			}
		}
	}
}

// momenta takes those of the parts from Mv, as forces on what is measured from nothing.
func (f *frames) momenta(momentum []float64, part []int) {
	dim := len(momentum) / len(part)
	for p := range f.motion {
		f.motion[p].Of = [3]float64{}
	}
	for k := range dim {
		for i, x := range momentum {
			f.motion[part[i/dim]].Of[k] += x * f.unit[k][i]
		}
	}
}

// openFrames begins the energies made, after partEnergies.
func (s *Stepper) openFrames() {
	f := &s.frames
	f.start = f.start[:0]
	for p := range f.motion {
		f.start = append(f.start, f.motion[p].Velocity())
	}
	f.hold(s)
	s.made.Begin(f.kinetic, f.stored, f.motion, f.velocities)
	for part, frame := range f.held {
		if frame >= 0 {
			s.made.Touch(part, frame)
		}
	}
}

// hold finds the frames of supports: of each part the mean velocity of what is prescribed along an
// axis, or given by a lid, and along the others that of its start.
func (f *frames) hold(s *Stepper) {
	part, n := s.findParts().of, len(f.motion)
	sum, count := make([][3]float64, n), make([][3]float64, n)
	mean := func(motion signal.Scalar) float64 {
		if s.opt.Until > 0 {
			return (motion.At(s.opt.Until) - motion.At(0)) / s.opt.Until
		}
		return motion.Rate(0)
	}
	for _, p := range s.a.model.Prescribed {
		v := mean(p.Motion)
		for _, node := range p.Nodes {
			sum[part[node]][p.Axis] += v
			count[part[node]][p.Axis]++
		}
	}
	for _, t := range s.a.model.Ties {
		p, axis, own := part[t.Dof/s.a.dim], t.Dof%s.a.dim, 1.0 // own: what is not that of others, where all have one velocity
		for _, x := range t.Masters {
			if x.Dof%s.a.dim == axis {
				own -= x.Weight
			}
		}
		if t.Given != nil && math.Abs(own) > 1e-9 { // else the motion is one against others; weights are of order one
			sum[p][axis] += mean(t.Given) / own
			count[p][axis]++
		}
	}
	for p, c := range count {
		v, held := f.start[p], -1
		for k := range v {
			if c[k] > 0 {
				v[k], held = sum[p][k]/c[k], 0
			}
		}
		if held == 0 {
			held = f.index(v)
		}
		f.held = append(f.held, held)
	}
}

// move takes the present motion of the parts. Where a part may meet another one, TᵀAT u has rounded sums of the forces of
// both, right to ρ = 2⁻⁵⁰ in the energy norm: beside the energy e of the other one they may make ρ√(eE) + ρ²e of its energy E.
func (s *Stepper) move() {
	f := &s.frames
	copy(f.sizes, f.kinetic)
	part, a := s.findParts().of, s.a.stiffness
	for i, u := range s.measured(s.now.U) {
		f.sizes[part[i/s.a.dim]] += a.Val[a.Ptr[i]] * u * u
	}
	for p := range f.motion {
		s.made.Move(p, &f.motion[p], f.sizes[p], f.stored[p])
	}
	for _, pair := range f.met {
		x, y := 0x1p-50*math.Sqrt(f.sizes[pair[0]]), 0x1p-50*math.Sqrt(f.sizes[pair[1]])
		s.made.Add(pair[0], 0, 0, y*(0x1p50*x+y))
		s.made.Add(pair[1], 0, 0, x*(0x1p50*y+x))
	}
}

// Ways implements [dynamics.Framed].
func (s *Stepper) Ways(dst []float64, j int) []float64 {
	p, f, dim := s.findParts(), &s.frames, s.a.dim
	s.moved(s.origin)
	for i := range s.work {
		v := &f.start[p.of[i/dim]]
		if j > 0 {
			v = &f.velocities[j-1]
		}
		for k := range dim {
			s.work[i] -= s.now.T * v[k] * f.unit[k][i]
		}
	}
	return s.apart(p.norms(dst, s.work, dim), s.origin, -1)
}

// Drifts implements [dynamics.Framed], by the norm of the ways: a centre goes its part of each
// component.
func (s *Stepper) Drifts(dst [][3]float64) ([][3]float64, float64) {
	s.moved(s.origin)
	dst = s.centres(dst, s.work)
	for p := range dst {
		for k := range s.a.dim {
			dst[p][k] = (dst[p][k] - s.now.T*s.frames.start[p][k]) / math.Sqrt(float64(s.a.dim))
		}
	}
	return dst, s.now.T
}
