package dynamics

// Frames. Motions have no scale of their own: a block that slides to rest on a floor does the same
// on a truck at 30 m/s, seen from the road. Its energy there is 450 J a kilogram, its way 30 m a
// second, and nothing that is small beside these is small beside the motion. So the energy that
// moves and the ways of parts are those in inertial frames that the motion itself has, and whoever
// looks at it from elsewhere finds the same ones:
//
//   - the frame of the start: where the mass centre of an island is at rest at first; for ways, that of the part;
//   - the frames of things that move by themselves, or rest, and that the island has touched: each goes on with the
//     mean velocity of such a thing from the start to the end of the run.
//
// Of these the one counts in which least moves.
//
// In a frame of velocity V the energy of an island of mass M and momentum P is
//
//	E_V = E − V·P + ½MV²,
//
// and the work of all that acts on it, with momentum balanced as the step has it,
//
//	W_V = W − V·(P^n − P^0),
//
// so that the energy made, c = E^n − E^0 − W + (what was taken), is the same in all of them.

// Momentum is what a part or an island has of mass and momentum along the axes: 1ᵀM1 and 1ᵀMv of
// the translations. The mass is that of the scheme, of which contacts may have taken something
// along their normals: a matrix.
type Momentum struct {
	Mass [3][3]float64
	Of   [3]float64
}

// PointMass is the momentum of a body of a mass, at a velocity of dim components.
func PointMass(mass float64, v []float64) (m Momentum) {
	for k, x := range v {
		m.Mass[k][k], m.Of[k] = mass, mass*x
	}
	return m
}

// mass is that along the axis where it is most.
func (m *Momentum) mass() float64 { return max(m.Mass[0][0], m.Mass[1][1], m.Mass[2][2]) }

// add adds x.
func (m *Momentum) add(x *Momentum) {
	for k := range m.Of {
		for l := range m.Of {
			m.Mass[k][l] += x.Mass[k][l]
		}
		m.Of[k] += x.Of[k]
	}
}

// massless: what elimination leaves of a diagonal of the mass below this part of it is rounding. M
// is singular where contacts have taken all that a part weighs along a normal that is no axis.
const massless = 0x1p-40

// Velocity is that of the mass centre, M⁻¹P by Cholesky's elimination; zero along axes without
// mass, and along the last of axes that have none together.
func (m *Momentum) Velocity() (v [3]float64) {
	a := m.Mass
	v = m.Of
	for k := range 3 {
		if a[k][k] <= massless*m.Mass[k][k] {
			continue
		}
		for l := k + 1; l < 3; l++ {
			f := a[l][k] / a[k][k]
			for c := k; c < 3; c++ {
				a[l][c] -= f * a[k][c]
			}
			v[l] -= f * v[k]
		}
	}
	for k := 2; k >= 0; k-- {
		if a[k][k] <= massless*m.Mass[k][k] {
			v[k] = 0
			continue
		}
		for l := k + 1; l < 3; l++ {
			v[k] -= a[k][l] * v[l]
		}
		v[k] /= a[k][k]
	}
	return v
}

// shift is −V·P + ½V·MV, what a frame of velocity V has more of the energy.
func (m *Momentum) shift(v [3]float64) (e float64) {
	for k, x := range v {
		for l, y := range v {
			e += 0.5 * x * m.Mass[k][l] * y
		}
		e -= x * m.Of[k]
	}
	return e
}

// View is the energy of an island in a frame.
type View struct {
	Velocity [3]float64 // of the frame [m/s]
	Seen     bool       // it is that of the start, or of something that the island has touched
	Start    float64    // kinetic energy at the start [J]
	Moved    float64    // largest net work of loads and potentials so far [J]
}

// moves is the energy that moves in the frame but for that of springs [J].
func (v *View) moves() float64 { return v.Start + v.Moved }

// Begin starts anew with the kinetic energy of the parts and the energy of their springs, each part
// an island of its own. Where motion is nil nothing is known of frames: there is that of the
// velocities alone. Else frames are the velocities of those of obstacles. Nil stored: there are no
// springs.
func (c *Creations) Begin(kinetic, stored []float64, motion []Momentum, frames [][3]float64) {
	n := len(kinetic)
	*c = Creations{Root: make([]int, n), Island: make([]Creation, n), Work: make([]float64, n), now: make([]share, n)}
	c.First, c.Motion = make([]Momentum, n), make([]Momentum, n)
	c.Sizes, c.Stored, c.Spring = append([]float64(nil), kinetic...), make([]float64, n), make([]float64, n)
	copy(c.Stored, stored)
	copy(c.Spring, stored)
	copy(c.First, motion)
	copy(c.Motion, motion)
	if motion == nil {
		frames = nil
	}
	c.Frames = 1 + len(frames)
	c.Views = make([]View, n*c.Frames)
	for p, e := range kinetic {
		c.Root[p], c.Island[p].Size = p, e
		for j := range c.Frames {
			v := &c.Views[p*c.Frames+j]
			if j > 0 {
				v.Velocity = frames[j-1]
			} else {
				v.Velocity, v.Seen = c.First[p].Velocity(), true
			}
			v.Start = max(0, e+c.First[p].shift(v.Velocity))
		}
		c.least(p)
	}
	c.whole()
}

// Move takes the motion of a part at the end of the present step, the size of the sums that its
// energy was found by, as its velocities and displacements have it, and the energy of its springs.
func (c *Creations) Move(p int, motion *Momentum, size, spring float64) {
	c.Motion[p], c.Sizes[p], c.Spring[p] = *motion, size, spring
}

// Touch says that the island of a part has touched something at rest in a frame of those given to
// Begin.
func (c *Creations) Touch(p, frame int) {
	if 1+frame < c.Frames {
		c.Views[c.Root[p]*c.Frames+1+frame].Seen = true
	}
}

// Seen reports whether the ways of a part are to be measured in frame j, see [Framed].
func (c *Creations) Seen(p, j int) bool {
	return j == 0 || p < len(c.Root) && c.Views[c.Root[p]*c.Frames+j].Seen
}

// views are those of the island of a root.
func (c *Creations) views(root int) []View { return c.Views[root*c.Frames : (root+1)*c.Frames] }

// gain is V·(P^n − P^0) of an island in the present step, in the frame of velocity v [J].
func (x *share) gain(v [3]float64) (work float64) {
	for k, p := range x.momentum {
		work += v[k] * p
	}
	return work
}

// look takes the works of a step into the views of an island, of which the root's share has all.
func (c *Creations) look(root int, x *share) {
	for j := range c.views(root) {
		v := &c.views(root)[j]
		v.Moved = max(v.Moved, c.Work[root]-x.gain(v.Velocity))
	}
	island := &c.Island[root]
	island.Released = max(island.Released, x.released)
	island.Rounding += rounding*x.size + x.unsolved
	c.least(root)
}

// rounding: the energy of a part after a step is right to some roundings of the sums by which it
// was found: so much of it may be made, or be destroyed, in each step.
const rounding = 0x1p-50

// least takes the frame in which least moves.
func (c *Creations) least(root int) {
	x := &c.Island[root]
	first := true
	for _, v := range c.views(root) {
		if v.Seen && (first || v.moves() < x.Start+x.Moved) {
			x.Start, x.Moved, first = v.Start, v.Moved, false
		}
	}
}

// meet makes the views of two islands those of one: energies add up in each frame, and that of the
// start is now of both together. No island moves less for having met another.
func (c *Creations) meet(stays, goes int) {
	both := c.Island[stays].moves() + c.Island[goes].moves()
	kinetic := 0.0
	for _, r := range []int{stays, goes} {
		own := &c.views(r)[0]
		kinetic += own.Start - c.First[r].shift(own.Velocity)
	}
	a, b := c.views(stays), c.views(goes)
	for j := range a {
		a[j].Start, a[j].Moved, a[j].Seen = a[j].Start+b[j].Start, a[j].Moved+b[j].Moved, a[j].Seen || b[j].Seen
	}
	c.First[stays].add(&c.First[goes])
	if own := &a[0]; c.Frames > 1 || c.First[stays].Mass != [3][3]float64{} {
		own.Velocity = c.First[stays].Velocity()
		own.Start = max(0, kinetic+c.First[stays].shift(own.Velocity))
		own.Moved = max(0, both-own.Start)
	}
}

// whole adds up what moves in the islands.
func (c *Creations) whole() {
	w := &c.Whole
	w.Start, w.Moved, w.Released, w.Rounding = 0, 0, 0, 0
	for p, r := range c.Root {
		if x := &c.Island[p]; r == p {
			w.Start, w.Moved, w.Released, w.Rounding = w.Start+x.Start, w.Moved+x.Moved, w.Released+x.Released, w.Rounding+x.Rounding
		}
	}
}
