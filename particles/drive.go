package particles

import "math"

// Driven is implemented by an Energy that can say what drives it: which forces act
// between it and the world outside the system, and how fast that world moves.
type Driven interface {
	// Drive adds to d the forces on moving anchors with the velocities of these, and
	// loads with the velocities v of their particles; x and v are global.
	Drive(d *Drive, t float64, x, v []float64)
}

// Drive collects the power that a system exchanges with the world, Σ|f_c v_c| over
// the components c of force and velocity along an obstacle and across it. It does
// not depend on the origin, which ∂tE = −ḟ·x of a load does.
type Drive struct {
	sys   *System
	power []float64 // along and across, by particle [W]
}

// Add adds the power of a global force at a point of particle j that moves with a
// global velocity.
func (d *Drive) Add(j int, force, velocity [3]float64) {
	f := &d.sys.frames[j]
	if f.Free || f.Chart != nil || d.sys.Cornered(j) {
		d.AddUndirected(j, math.Abs(force[0]*velocity[0])+math.Abs(force[1]*velocity[1])+math.Abs(force[2]*velocity[2]))
		return
	}
	if !f.isAligned() {
		force, velocity = f.RotateToLocal(force), f.RotateToLocal(velocity)
	}
	d.power[2*j] += math.Abs(force[0]*velocity[0] + force[1]*velocity[1])
	d.power[2*j+1] += math.Abs(force[2] * velocity[2])
}

// AddUndirected adds a power of particle j that has no direction; it counts both
// along the obstacle and across it.
func (d *Drive) AddUndirected(j int, power float64) {
	d.power[2*j] += power
	d.power[2*j+1] += power
}

// Drive stores in power, for each particle j, the power [W] that the world
// exchanges with it along its obstacle (2j) and across it (2j+1) at the state z
// with the velocity v, local coordinates. Of a term that is not Driven it counts
// the power of its force on the moving particles. Costs about a Gradient.
func (s *System) Drive(power []float64, t float64, z, v []float64) {
	x := s.global(t, z, "Drive")
	if len(power) != 2*s.N() || len(v) != len(z) {
		panic("particles: System.Drive: wrong length of power or v")
	}
	clear(power)
	if s.velocity == nil {
		s.velocity, s.term = make([]float64, len(z)), make([]float64, len(z))
		s.drive.sys = s
	}
	copy(s.velocity, v)
	for _, j := range s.rotated {
		put(s.velocity, j, s.frames[j].rotate(at(v, j)))
	}
	s.push(s.velocity)
	s.drive.power = power
	if s.shifts(t) {
		s.driveShifts(t, x)
	}
	s.driveCharts(t, x)
	for _, e := range s.energies {
		if d, ok := e.(Driven); ok {
			d.Drive(&s.drive, t, x, s.velocity)
			continue
		}
		clear(s.term)
		e.Gradient(s.term, nil, t, x)
		for j := range s.frames {
			if f := at(s.term, j); f != (vec{}) {
				s.drive.Add(j, f.array(), at(s.velocity, j).array())
			}
		}
	}
}

// Strength stores in dst, for each particle, the largest force [N] that a term of E
// exerts on it: how strongly a particle is held whose forces balance.
func (s *System) Strength(dst []float64, t float64, z []float64) {
	x := s.global(t, z, "Strength")
	if len(dst) != s.N() {
		panic("particles: System.Strength: wrong length of dst")
	}
	if s.term == nil {
		s.velocity, s.term = make([]float64, len(z)), make([]float64, len(z))
		s.drive.sys = s
	}
	clear(dst)
	for _, e := range s.energies {
		clear(s.term)
		e.Gradient(s.term, nil, t, x)
		for j := range dst {
			f := at(s.term, j)
			dst[j] = max(dst[j], f.dot(f))
		}
	}
	for j, f := range dst {
		dst[j] = math.Sqrt(f)
	}
}

// Drive adds K(x−a) against the anchors that move.
func (e *Tethers) Drive(d *Drive, t float64, x, _ []float64) {
	for i := range e.items {
		it := &e.items[i]
		if m := &e.paths.list[it.path]; m.moving {
			d.Add(int(it.particle), e.force(it, e.stretch(it, t, x)).array(), m.rate(t).array())
		}
	}
}

// Drive adds the tensions against the anchors that move.
func (e *Springs) Drive(d *Drive, t float64, x, _ []float64) {
	for k := range e.items {
		it := &e.items[k]
		if it.j < 0 && e.paths.list[-1-it.j].moving {
			s := it.tangent(e.reach(it, t, x))
			d.Add(int(it.i), s.n.scale(s.force).array(), e.paths.list[-1-it.j].rate(t).array())
		}
	}
}

// Drive adds the loads with the velocities of their particles.
func (e *Loads) Drive(d *Drive, t float64, _, v []float64) {
	for i := range e.items {
		j := int(e.items[i].particle)
		d.Add(j, e.paths.list[e.items[i].path].at(t).array(), at(v, j).array())
	}
}

// Drive adds the weights with the velocities of their particles.
func (e *Gravity) Drive(d *Drive, _ float64, _, v []float64) {
	for j := range len(e.weight) / 3 {
		d.Add(j, at(e.weight, j).array(), at(v, j).array())
	}
}

// Drive adds the force f(t) with the velocities of the particles.
func (e *Quadratic) Drive(d *Drive, t float64, _, v []float64) {
	for r := 0; r < len(e.force); r += 3 {
		j := e.dof[r] / 3
		d.Add(j, [3]float64{e.force[r].At(t), e.force[r+1].At(t), e.force[r+2].At(t)}, at(v, j).array())
	}
}

// Drive adds the forces on the patches against the rigid motion.
func (e *Surface) Drive(d *Drive, t float64, x, _ []float64) {
	mem := e.memory()
	defer e.scratch.Put(mem)
	for n := range e.groups {
		g := &e.groups[n]
		u, f, v := g.vectors(*mem)
		if !e.shift(v, g, t) {
			continue
		}
		e.stretch(u, g, t, x)
		g.times(f, u)
		w := len(g.comps)
		for i, fi := range f {
			var force, velocity [3]float64
			force[g.comps[i%w]], velocity[g.comps[i%w]] = fi, v[i]
			d.Add(e.grid.Particles[i/w], force, velocity)
		}
	}
}
