package dynamics

// System is the data of the equations of motion (1)-(2) of [Song04],
//
//	M(q) v̇ = f(t, q, v) + W(q)ᵀ λ,   q̇ = G(q) v,   W = JΨ(q) G(q).
//
// Further methods are optional: [Kinematics], [Projector], [Potential], [Grouped], [Turned],
// [Driven], [Loaded], [Passing], [Inertial].
type System interface {
	// Size returns nq, nv and the dimension of the contacts, 2 (n, t) or
	// 3 (n, t, o).
	Size() (nq, nv, dim int)
	// Mass appends the diagonal blocks of M(q) to m, nv rows in all.
	Mass(m *Mass, q []float64)
	// Force overwrites f with f(t, q, v), without the contact forces.
	Force(f []float64, t float64, q, v []float64)
	// Contacts appends the patches that may carry a force near q, at c.Time().
	Contacts(c *Contacts, q []float64)
}

// Kinematics is a System with q̇ = G(q) v. Without it nq = nv and G = I.
type Kinematics interface {
	// Rate overwrites dst (nq) with G(q) v.
	Rate(dst, q, v []float64)
}

// Projector is a System whose q obeys a constraint that a step q + hGv
// violates by O(h²), such as the unit length of quaternions.
type Projector interface {
	Project(q []float64)
}

// Grouped is a System of several parts, such as bodies, whose motions are measured each by
// its own size where steps are chosen by accuracy, see [Adaptive].
type Grouped interface {
	// Parts returns the number of the part of each velocity; those of a part are neighbours,
	// the first one a translation where it has any.
	Parts() []int
}

// Turned is a [Grouped] system whose parts turn.
type Turned interface {
	// Arms returns the length by which each velocity is measured, if it is that of a turn [m]; 0:
	// it is none.
	Arms() []float64
	// Ball reports whether a part looks the same from everywhere.
	Ball(part int) bool
	// Directed reports whether a part has a direction in space that is to be told from its
	// turn, Deviation by how much it is another one at two places, but for the turn about
	// its velocities v, see [Stepper.Distances]; nil: the whole turn [rad].
	Directed(part int) bool
	Deviation(part int, from, to, v []float64) float64
	// Rolled puts the turns that places made into the ways of velocities in a step.
	Rolled(way, from, to []float64)
}

// Potential is a System part of whose force is −∂U/∂q. The energy ledger then
// counts ΔU apart, and Load must return the rest of the force.
type Potential interface {
	Potential(t float64, q []float64) float64
	// Load overwrites f with the force that does not derive from the potential.
	Load(f []float64, t float64, q, v []float64)
}

// Loaded is a System with forces that change by themselves as time goes on. A step takes these by
// their means, so that their impulse ∫f dt is exact, whatever they do in the step.
type Loaded interface {
	// MeanForce overwrites f as Force does, and MeanLoad as that of [Potential], with the mean from
	// t to t + h of all that depends on time alone.
	MeanForce(f []float64, t, h float64, q, v []float64)
	MeanLoad(f []float64, t, h float64, q, v []float64)
}

// Worn is a System the friction of some of whose contacts depends on their place.
type Worn interface {
	// Friction returns μ of the patch of a key that is placed at (t, q): the mean over the way that
	// the velocities v take it until t + h [-]; false: it is that of the patch.
	Friction(key int, t, h float64, q, v []float64) (mu float64, ok bool)
}

// Driven is a System some of whose contacts are with things that move by themselves. Gaps,
// friction and the law of a patch see the velocity relative to these, and what they do is a
// work of loads.
type Driven interface {
	// Drives reports whether there are any.
	Drives() bool
	// Drive overwrites dst, dim entries for each element of the patch of a key, by the mean
	// velocity, from t to t + h, of what the elements touch at (t, q) under bodies that go with the
	// velocities v, along n, t[, o] [m/s].
	Drive(dst []float64, key int, t, h float64, q, v []float64)
	// DriveAtEnds overwrites before, first and last by the velocities, to the left of t, at t and to the
	// left of t + h, of what the elements touch at (t, q) and go with until t + h, in the same directions.
	DriveAtEnds(before, first, last []float64, key int, t, h float64, q []float64)
	// Kinked reports whether the velocity of what the patch of a key touches may jump at a time, but for
	// a slack [s].
	Kinked(key int, t, slack float64) bool
}

// Passing is a System that sees what a step goes past.
type Passing interface {
	// Pass returns an error if, on the straight way from q at t to next at t + h by the velocities
	// v, things go through each other; forced reports whether the patch of a key carries a force
	// in the step.
	Pass(t, h float64, q, next, v []float64, forced func(key int) bool) error
}

// Inertial is a [Grouped] System of bodies in space, whose motion is the same in all inertial
// frames but for the things that it touches.
type Inertial interface {
	// Axes returns, of each velocity, the axis along which it is one of the centre of its part, 0
	// to 2; −1: none.
	Axes() []int
	// Frames returns the velocities of frames, each that of one or more of those things in the mean
	// of a run until a time [s], and which of the frames is that of each.
	Frames(until float64) (velocities [][3]float64, of []int)
	// PairOf returns which parts the patch of a key is between, or a part and which of those things.
	PairOf(key int) Pair
	// Moving reports whether one of these does.
	Moving(obstacle int) bool
	// Normal is that of a half-space at t = 0; zero for other things.
	Normal(obstacle int) [3]float64
	// Carried returns how far it carries what is at the centre of a part at q from a time to
	// another one [m].
	Carried(obstacle, part int, q []float64, from, to float64) [3]float64
	// ObstacleName names it for people.
	ObstacleName(obstacle int) string
}
