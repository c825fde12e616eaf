package rigid

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/internal/vec3"
)

var (
	_ dynamics.Variable = (*Stepper)(nil)
	_ dynamics.Paced    = (*Stepper)(nil)
	_ dynamics.Balanced = (*Stepper)(nil)
)

// slot is a state kept by [Stepper.Keep].
type slot struct {
	c     Checkpoint
	step  Step
	slack []float64
}

// Advance is [Stepper.Step] to a given time, for [dynamics.Adaptive]. A step that fails is not cut:
// its halves would be the pair that it is compared with. OnStep is not called and the cone not
// tested: see [Stepper.TestCone].
func (s *Stepper) Advance(ctx context.Context, h, t float64) error {
	s.lost = 0
	if err := s.take(ctx, h, false); err != nil {
		return err
	}
	s.t, s.lost = t, 0
	s.step.T = t
	return nil
}

// Probe implements [dynamics.Probed].
func (s *Stepper) Probe(ctx context.Context, tau, t float64) error {
	s.t = t - tau
	return s.Advance(ctx, tau, t)
}

// Keep implements [dynamics.Variable].
func (s *Stepper) Keep(at int) {
	k := &s.slots[at]
	s.Save(&k.c)
	collisions, impulses, cuts := append(k.step.Collisions[:0], s.step.Collisions...),
		append(k.step.Impulses[:0], s.step.Impulses...), append(k.step.Cuts[:0], s.step.Cuts...)
	instants, changed := copyInstants(k.step.Instants, s.step.Instants), k.step.Changes
	k.step, k.slack = s.step, append(k.slack[:0], s.slack...)
	k.step.Instants = instants
	changes := append(changed[:0], s.step.Changes...)
	k.step.Collisions, k.step.Impulses, k.step.Cuts, k.step.Changes, k.step.Dependent = collisions, impulses, cuts,
		changes, slices.Clone(s.step.Dependent)
}

// Return implements [dynamics.Variable]. What is known of the cone is that of the last test,
// wherever the stepper goes back to.
func (s *Stepper) Return(at int) error {
	k := &s.slots[at]
	collisions, impulses, cuts, changes, instants := s.step.Collisions[:0], s.step.Impulses[:0], s.step.Cuts[:0],
		s.step.Changes[:0], s.step.Instants
	k.c.Keys, k.c.Pointed, k.c.Tested = append(k.c.Keys[:0], s.keys...), s.pointed, s.tested
	k.c.Opening = append(k.c.Opening[:0], s.opening...)
	if err := s.Load(&k.c); err != nil {
		return err
	}
	q, v, w := s.step.Q, s.step.V, s.step.Alpha
	s.step, s.slack = k.step, append(s.slack[:0], k.slack...)
	s.step.Q, s.step.V, s.step.Alpha, s.step.Instants = q, v, w, copyInstants(instants, k.step.Instants)
	s.step.Collisions, s.step.Impulses, s.step.Cuts = append(collisions, k.step.Collisions...),
		append(impulses, k.step.Impulses...), append(cuts, k.step.Cuts...)
	s.step.Changes = append(changes, k.step.Changes...)
	s.step.Dependent = slices.Clone(k.step.Dependent)
	return nil
}

// follow adds a part of a step to the paths.
func (s *Stepper) follow(h float64) {
	for i, v := range s.v {
		s.wayOf[i] = h * ((1-s.gamma)*v + s.gamma*s.vEnd[i])
	}
	s.model.World.Rolled(s.wayOf, s.q, s.qNext)
	for i, x := range s.wayOf {
		s.travel[i] += x
	}
}

// Distances implements [dynamics.Variable]: the parts are the centres of the bodies; then, times
// their size, the turns of those that spin, in full, or by how much their places in a slot differ,
// if that is more; and the directions of those that have one: of a fast top the turn is large, and
// the direction is what counts.
func (s *Stepper) Distances(dst []float64, at int) []float64 {
	m := s.model
	n := len(m.Bodies)
	dst = grow(dst, n+len(m.Spinning)+len(m.Directed))
	path := func(v int) float64 {
		if at < 0 {
			return s.travel[v]
		}
		return s.travel[v] - s.slots[at].c.Travel[v]
	}
	for i := range m.Bodies {
		p, sum := &m.Bodies[i], 0.0
		for k := range m.Dim {
			sum += path(p.V+k) * path(p.V+k)
		}
		dst[i] = math.Sqrt(sum)
	}
	for k, i := range m.Spinning {
		p, sum := &m.Bodies[i], 0.0
		for v := p.V + m.Dim; v < p.V+p.N; v++ {
			sum += path(v) * path(v)
		}
		dst[n+k] = p.Arm * math.Sqrt(sum)
		if at >= 0 {
			dst[n+k] = max(dst[n+k], p.Arm*m.World.Deviation(i, s.slots[at].c.Q, s.q, nil))
		}
	}
	for k, i := range m.Directed {
		dst[n+len(m.Spinning)+k] = s.deviation(i, at)
	}
	way := func(body int) (x [3]float64) {
		for k := range m.Dim {
			x[k] = path(m.Bodies[body].V + k)
		}
		return x
	}
	if at >= 0 {
		return s.pairs.Distances(dst, way, nil, s.stretchFrom(s.slots[at].c.Q))
	}
	return s.pairs.Distances(dst, way, s.carried, s.stretchFrom(s.start))
}

// tieUp makes pairs of the ties.
func (s *Stepper) tieUp() {
	s.ties = s.model.Ties(s.q)
	for i, t := range s.ties {
		ends := append(t.Bodies(), -1)
		s.pairs.Meet(dynamics.Pair{A: ends[0], B: ends[1], Obstacle: -1, Tie: 1 + i, Arm: t.Arm(s.model)}, 0)
	}
}

// stretchFrom is by how much a tie is longer now than in a place q, or shorter.
func (s *Stepper) stretchFrom(q []float64) func(x dynamics.Pair) float64 {
	now, then := multibody.Snapshot{M: s.model, Q: s.q}, multibody.Snapshot{M: s.model, Q: q}
	return func(x dynamics.Pair) float64 {
		if now.Poses == nil {
			s.lengths[0], s.lengths[1] = s.model.World.Poses(s.lengths[0], s.q), s.model.World.Poses(s.lengths[1], q)
			now.Poses, then.Poses = s.lengths[0], s.lengths[1]
		}
		return s.ties[x.Tie-1].Apart(&now, &then)
	}
}

// carried is how far an obstacle has carried what was at the centre of a body at the start.
func (s *Stepper) carried(x dynamics.Pair) [3]float64 {
	return s.model.World.Carried(x.Obstacle, x.A, s.start, 0, s.t)
}

// Meet implements [dynamics.Paired].
func (s *Stepper) Meet() {
	for i := range s.touches {
		t := &s.touches[i]
		if s.marks[i].r == (vec{}) || s.model.StopOf(t) != nil {
			continue
		}
		if t.B >= 0 || s.model.World.Moving(t.Floor) {
			s.pairs.Meet(dynamics.Pair{A: t.A, B: t.B, Obstacle: t.Floor}, s.step.Index)
		}
		if t.Floor >= 0 {
			s.pairs.MeetHalfSpace(t.A, t.Floor, s.model.World.Normal(t.Floor))
		}
	}
}

// Describe implements [dynamics.Described].
func (s *Stepper) Describe() []dynamics.Part {
	m := s.model
	parts := make([]dynamics.Part, len(m.Bodies), len(m.Bodies)+len(m.Spinning)+len(m.Directed))
	turn := make([]int, len(m.Bodies))
	for _, i := range slices.Concat(m.Spinning, m.Directed) {
		t := dynamics.Part{Arm: m.Bodies[i].Arm, Centre: -1, Turn: turn[i], Body: i} // the second time it is the direction
		if turn[i] = len(parts); m.World.Ball(i) {
			t.Centre = i
		}
		parts = append(parts, t)
	}
	return s.pairs.Parts(parts)
}

// Reach implements [dynamics.Variable]: ½T²M⁻¹f, of gravity, loads and forces.
func (s *Stepper) Reach(dst []float64, time float64) []float64 {
	m := s.model
	n := len(m.Bodies)
	dst = grow(dst, n+len(m.Spinning)+len(m.Directed))
	s.forces(s.f0, s.t, 0)
	g := m.World.Gravity()
	for i := range m.Bodies {
		p, sum := &m.Bodies[i], 0.0
		for k := range p.N {
			a := s.f0[p.V+k] / m.Inertia(p, k)
			if k < m.Dim {
				a += g[k]
			} else {
				a *= p.Arm
			}
			sum += a * a
		}
		dst[i] = max(0.5*time*time*math.Sqrt(sum), stillSize*p.Arm)
	}
	for k, i := range append(slices.Clone(m.Spinning), m.Directed...) {
		dst[n+k] = dst[i]
	}
	return dst
}

// ForceRounding implements [dynamics.Balanced]: gravity and the forces of springs are rounded to 2⁻⁵² of
// each, and lengths of springs to that of the largest coordinate.
func (s *Stepper) ForceRounding(dst []float64) []float64 {
	const unit = 0x1p-52
	m := s.model
	dst = grow(dst, len(m.Bodies))
	far := 0.0
	for _, x := range s.Farthest(nil)[:len(m.Bodies)] {
		far = max(far, x)
	}
	sums := make([]float64, len(s.v)) // [N, N m]
	s.blurSprings(unit*far, func(_ multibody.Force, at []int, force, stiffness, off []float64) {
		for r, v := range at {
			sums[v] += unit * math.Abs(force[r])
			for c, x := range off {
				sums[v] += math.Abs(stiffness[r*len(off)+c]) * x
			}
		}
	})
	for i := range m.Bodies {
		p := &m.Bodies[i]
		dst[i] = unit * vec3.Norm(m.World.Gravity())
		for k := range p.N {
			dst[i] += sums[p.V+k] / m.Inertia(p, k) * p.Lever(k, m.Dim)
		}
	}
	return dst
}

// Residual implements [dynamics.Variable].
func (s *Stepper) Residual() float64 { return s.worth.Residual }

// Farthest implements [dynamics.Placed].
func (s *Stepper) Farthest(dst []float64) []float64 {
	m := s.model
	dst = grow(dst, len(m.Bodies)+len(m.Spinning)+len(m.Directed))
	clear(dst)
	for i := range m.Bodies {
		q, _ := m.World.Coordinates(i)
		for k := range m.Dim {
			dst[i] = max(dst[i], math.Abs(s.q[q+k]))
		}
	}
	return dst
}

// stillSize: a body that moves less than 1e-9 of this times its size does not move: under 1e8 times
// its mass contact problems of tolerance 1e-8 let it sink by 1e-8 of that; gaps are closed to 1e-10
// m.
const stillSize = 1e5

// take makes a step, which may be cut, and its records.
func (s *Stepper) take(ctx context.Context, h float64, cut bool) error {
	if !(h > 0) || math.IsInf(h, 1) {
		return fmt.Errorf("rigid: the step is %g s, want a positive number", h)
	}
	s.begin(h)
	var err error
	if cut {
		err = s.advance(ctx, h, s.o.MaxCuts)
	} else {
		s.mayCut, s.mayRetake = true, false // who called tries a shorter one
		s.enter()
		err = s.takeParts(ctx, h)
	}
	if err != nil {
		return fmt.Errorf("rigid: step %d, t = %.9g s: %w", s.step.Index+1, s.t, err)
	}
	s.finish(h)
	s.assess(h)
	return nil
}

// Ways implements [dynamics.Framed].
func (s *Stepper) Ways(dst []float64, j int) []float64 {
	dst = s.Distances(dst, -1)
	for i := range s.model.Bodies {
		p, sum := &s.model.Bodies[i], 0.0
		for k := range s.model.Dim {
			v := s.first[p.V+k]
			if j > 0 {
				v = s.frames[j-1][k]
			}
			x := s.travel[p.V+k] - s.t*v
			sum += x * x
		}
		dst[i] = math.Sqrt(sum)
	}
	return dst
}

// Velocities implements [dynamics.Paced].
func (s *Stepper) Velocities(dst [][3]float64, j int) [][3]float64 {
	m := s.model
	n := len(m.Bodies)
	dst = grow(dst, n+len(m.Spinning)+len(m.Directed))
	clear(dst)
	for i := range m.Bodies {
		at := m.Bodies[i].V
		for k := range m.Dim {
			v := s.v[at+k]
			switch {
			case j == 0:
				v -= s.first[at+k]
			case j > 0:
				v -= s.frames[j-1][k]
			}
			dst[i][k] = v
		}
	}
	if m.Dim == 3 {
		s.lengths[0] = m.World.Poses(s.lengths[0], s.q)
	}
	for k, i := range m.Spinning {
		p, x := &m.Bodies[i], &dst[n+k]
		copy(x[:], s.v[p.V+m.Dim:p.V+p.N])
		if m.Dim == 3 && m.World.Ball(i) {
			*x = multibody.ToSpace(&s.lengths[0][i], *x)
		}
		*x = vec3.Scale(*x, p.Arm)
	}
	return dst
}

// Jumps implements [dynamics.Paced]: where collisions are not found steps have them.
func (s *Stepper) Jumps() bool { return s.o.Grid != CollisionGrid }

// Drifts implements [dynamics.Framed].
func (s *Stepper) Drifts(dst [][3]float64) ([][3]float64, float64) {
	dst = grow(dst, len(s.model.Bodies))
	for i := range s.model.Bodies {
		at := s.model.Bodies[i].V
		for k := range s.model.Dim {
			dst[i][k] = s.travel[at+k] - s.t*s.first[at+k]
		}
	}
	return dst, s.t
}
