package particles

import (
	"math"

	"github.com/quasistatic/quasistatic/sparse"
)

// What a System does with particles whose coordinates are those of a Chart: x(t, z) is
// evaluated by global, into s.placed.

// globalForces stores DE in global coordinates in s.forces.
func (s *System) globalForces(t float64, x []float64) {
	clear(s.forces)
	for _, f := range s.energies {
		f.Gradient(s.forces, nil, t, x)
	}
	s.pull(s.forces)
}

// obstaclePower returns DE·∂_t x, what moving obstacles do to the energy [W].
func (s *System) obstaclePower(t float64, x []float64) (power float64) {
	if !s.obstaclesMove() {
		return 0
	}
	s.globalForces(t, x)
	for i, j := range s.charted {
		power += at(s.forces, j).dot(s.placed[i].rate)
	}
	return power
}

func (s *System) obstaclesMove() bool {
	for _, j := range s.charted {
		if s.frames[j].Chart.moves() {
			return true
		}
	}
	return false
}

// rateStep is the time over which ∂_tDE of moving obstacles is differenced [s], relative to
// a second: it enters the constants of quasistatic check only.
const rateStep = 1e-6

// chartGradient turns the forces of charted particles, and their rates, into coordinates.
func (s *System) chartGradient(grad, rate []float64, t float64, x []float64) {
	if rate != nil && s.obstaclesMove() { // D²E ∂_t x, by differences along the motion
		moved := append([]float64(nil), x...)
		for i, j := range s.charted {
			put(moved, j, at(x, j).plus(rateStep, s.placed[i].rate))
		}
		s.globalForces(t, moved)
		before := append([]float64(nil), grad...)
		for i := range rate {
			rate[i] += (s.forces[i] - before[i]) / rateStep
		}
	}
	for i, j := range s.charted {
		q, g := &s.placed[i], at(grad, j)
		if rate != nil {
			r := at(rate, j)
			put(rate, j, vec{q.axes[0].dot(r) + q.turn[0].dot(g), q.axes[1].dot(r) + q.turn[1].dot(g), q.axes[2].dot(r) + q.turn[2].dot(g)})
		}
		put(grad, j, vec{q.axes[0].dot(g), q.axes[1].dot(g), q.axes[2].dot(g)})
	}
}

// chartHessian assembles D²E: the blocks of the energies between the derivatives of x, and
// the curvature of the obstacles times the forces.
func (s *System) chartHessian(t float64, z, x []float64) {
	h := s.hessian
	for i, j := range s.charted {
		f := &h.frames[j]
		f.T, f.O, f.N = s.placed[i].axes[0].array(), s.placed[i].axes[1].array(), s.placed[i].axes[2].array()
	}
	h.begin(nil)
	for i, f := range s.energies {
		s.calls[i] = h.again(f, s.calls[i], t, x)
	}
	h.addFollowers(s.relative)
	h.finish()
	s.globalForces(t, x)
	for _, j := range s.charted {
		b := s.frames[j].Chart.bend(t, at(z, j), at(s.forces, j))
		for row := range 3 {
			for col := range row + 1 {
				if slot := h.mat.Index(3*j+row, 3*j+col); slot >= 0 && b[row][col] != 0 {
					h.mat.Val[slot] += b[row][col]
				}
			}
		}
	}
}

// driveCharts adds the power that moving obstacles exchange, and turns velocities in charts
// into global ones.
func (s *System) driveCharts(t float64, x []float64) {
	if len(s.charted) == 0 {
		return
	}
	s.globalForces(t, x)
	for i, j := range s.charted {
		q, v := &s.placed[i], at(s.velocity, j)
		put(s.velocity, j, q.axes[0].scale(v.x).plus(v.y, q.axes[1]).plus(v.z, q.axes[2]))
		if p := math.Abs(at(s.forces, j).dot(q.rate)); p > 0 {
			s.drive.AddUndirected(j, p)
		}
	}
}

// Behind reports whether a state is inside a curved obstacle though its heights are positive: far
// from the foot, beyond a centre of curvature, the coordinates lead out of the other side.
func (s *System) Behind(t float64, z []float64) bool {
	for k := range s.extras {
		if x := &s.extras[k]; x.chart != nil && s.Height(t, len(s.frames)+k, z) < -s.Touching(len(s.frames)+k, z) {
			return true
		}
	}
	for _, j := range s.charted {
		c, q := s.frames[j].Chart, at(z, j)
		if !(q.z > 0) || c.Face.Flat() {
			continue
		}
		x := c.at(t, q).x
		const rounding = 1e-9
		if h := c.local(t, x).z; h < -rounding*q.z {
			return true
		}
	}
	return false
}

// Charted reports whether particle j has the coordinates of a chart.
func (s *System) Charted(j int) bool { return s.frames[j].Chart != nil }

// Overlaps reports whether particle j may lie in what it faces: another body, or an obstacle that has grown.
func (s *System) Overlaps(j int) bool {
	f := &s.frames[j]
	return f.Relative || f.Chart != nil && f.Chart.Overlap != nil
}

// Charts reports whether any obstacle is curved or moves.
func (s *System) Charts() bool { return len(s.charted) > 0 || len(s.bent) > 0 }

// Position returns x of particle j at time t and the state z.
func (s *System) Position(t float64, j int, z []float64) [3]float64 {
	local := [3]float64(z[3*j : 3*j+3])
	if c := s.frames[j].Chart; c != nil {
		return c.at(t, at(local[:], 0)).x.array()
	}
	x := s.frames[j].ToGlobal(local)
	if s.frames[j].Relative {
		s.placeOne(t, j, &x, z)
	}
	return x
}

// ContactAxesAt returns the global directions of the normal and of two tangents, across each other,
// of contact c at a state, and the root S of the metric there, [Metric]: of a force whose part of
// DE is (g_u, g_v) the components along the tangents are S⁻ᵀ(g_u, g_v), see Physical.
func (s *System) ContactAxesAt(t float64, c int, z []float64) (n, u, v [3]float64, root [4]float64) {
	f := s.ContactFrame(c)
	if c >= len(s.frames) && f.Chart != nil {
		x := &s.extras[c-len(s.frames)]
		q, own := s.foot(c-len(s.frames), t, z), &s.frames[x.particle]
		return own.RotateToGlobal(q.n.array()), own.RotateToGlobal(q.t.array()), own.RotateToGlobal(q.o.array()), [4]float64{1, 0, 0, 1}
	}
	if f.Chart == nil {
		return f.N, f.T, f.O, [4]float64{1, 0, 0, 1}
	}
	q := f.Chart.at(t, at(z, c))
	e, o, root := q.tangents()
	return q.axes[2].array(), e.array(), o.array(), root
}

// tangents returns two across each other, the first along u, and the root of the metric.
func (q *placement) tangents() (t, o vec, root [4]float64) {
	a := math.Sqrt(q.axes[0].dot(q.axes[0]))
	t = q.axes[0].scale(1 / a)
	b := t.dot(q.axes[1])
	rest := q.axes[1].plus(-b, t)
	d := math.Sqrt(rest.dot(rest))
	if rounding := 1e-14 * a; math.Abs(b) <= rounding && math.Abs(d-a) <= rounding { // conformal, to rounding
		return t, q.axes[1].scale(1 / a), [4]float64{a, 0, 0, a}
	}
	return t, rest.scale(1 / d), [4]float64{a, b, 0, d}
}

// Physical returns S⁻ᵀ(g_u, g_v): the components of a tangential force [N] of which DE has (g_u,
// g_v).
func Physical(root [4]float64, gu, gv float64) (along, across float64) {
	along = gu / root[0]
	return along, (gv - root[1]*along) / root[3]
}

// Curved reports whether the coordinates of particle j are those of an obstacle that is not flat.
func (s *System) Curved(j int) bool {
	c := s.frames[j].Chart
	return c != nil && !c.Face.Flat()
}

// AnyCurved reports whether any obstacle is not flat.
func (s *System) AnyCurved() bool {
	for _, j := range s.charted {
		if s.Curved(j) {
			return true
		}
	}
	for k := range s.extras {
		if c := s.extras[k].chart; c != nil && !c.Face.Flat() {
			return true
		}
	}
	return false
}

// Released returns the system in which the particles that are told have no obstacle of their own
// any more: their coordinates are global. The numbers of contacts stay.
func (s *System) Released(off func(j int) bool) (*System, error) {
	frames := append([]Frame(nil), s.frames...)
	for j := range frames {
		if off(j) {
			frames[j] = NoObstacle()
		}
	}
	c, err := s.Like(frames, s.energies...)
	if err != nil {
		return nil, err
	}
	c.carry(s)
	return c, nil
}

// carry takes over the extra obstacles of a system with the same particles.
func (s *System) carry(from *System) {
	s.given, s.extras, s.beside, s.bent, s.extent = from.given, from.extras, from.beside, from.bent, from.extent // never changed
	s.constant = s.constant && len(s.bent) == 0
	s.feet = make([]footing, len(s.extras))
}

// AddMetric adds c JᵀJ, J = ∂x/∂z, to the lower half of a matrix of the pattern of D²E: the
// stiffness c in space, in the coordinates at z.
func (s *System) AddMetric(a *sparse.Sym, t float64, z []float64, c float64) {
	for j := range s.frames {
		g := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
		if chart := s.frames[j].Chart; chart != nil {
			axes := chart.at(t, at(z, j)).axes
			for i := range 3 {
				for k := range 3 {
					g[i][k] = axes[i].dot(axes[k])
				}
			}
		}
		for row := range 3 {
			for col := range row + 1 {
				if slot := a.Index(3*j+row, 3*j+col); slot >= 0 {
					a.Val[slot] += c * g[row][col]
				}
			}
		}
	}
}
