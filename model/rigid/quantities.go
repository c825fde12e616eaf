package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/model/world"
)

// quantities are what a case can expect of its run; see [world.Builder.Quantities].
var quantities = casefile.Catalogue[*Run]{
	{Name: "position", Must: "body axis", At: (*Run).position},
	{Name: "displacement", Must: "body axis", At: (*Run).motion},
	{Name: "velocity", Must: "body axis", At: (*Run).motion},
	{Name: "weighted_velocity", Must: "body axis", At: func(r *Run, x *casefile.Expectation) float64 { return r.weighted(x)[x.Axis] }},
	{Name: "angle", Must: "body turn", At: (*Run).angle},
	{Name: "spin", Must: "body turn", At: (*Run).motion},
	{Name: "weighted_spin", Must: "body turn", At: func(r *Run,
		x *casefile.Expectation) float64 {
		return r.weighted(x)[r.c.World.Dim()+max(x.Axis, 0)]
	}},
	{Name: "kinetic_energy", Of: (*Run).Kinetic},
	{Name: "energy", Of: func(r *Run) float64 { n := r.energies(); return n.Kinetic + r.c.lifted(n.Potential) + n.Elastic }},
	{Name: "dissipation", Of: (*Run).taken},
	{Name: "work", Of: func(r *Run) float64 { return r.energies().External() }},
	{Name: "balance_residual", Sized: true, Of: func(r *Run) float64 { return math.Abs(r.energies().Residual) }},
	{Name: "variation", Of: func(r *Run) float64 { return r.stepper.Last().Variation[0] }},
	{Name: "weighted_variation", Of: func(r *Run) float64 { return r.stepper.Last().Variation[1] }},
	{Name: "drift", Of: func(r *Run) float64 { return r.stepper.Last().Drift }},
	{Name: "penetration", Of: func(r *Run) float64 { return r.stepper.Last().Penetration }},
	{Name: "largest_displacement", Of: (*Run).farthest},
	{Name: "collisions", Between: casefile.Before, Of: func(r *Run) float64 { return float64(r.sum.Multibody.Collisions) }},
	{Name: "collision_time", Of: func(r *Run) float64 { return r.impact().T }},
	{Name: "normal_impulse", Of: func(r *Run) float64 { return r.impact().Impulse[0] }},
	{Name: "friction_impulse", Of: func(r *Run) float64 { p := r.impact().Impulse; return math.Hypot(p[1], p[2]) }},
	{Name: "stick", Between: casefile.Before, Of: func(r *Run) float64 { return float64(r.stepper.Last().Stick) }},
	{Name: "slip", Between: casefile.Before, Of: func(r *Run) float64 { return float64(r.stepper.Last().Slip) }},
	{Name: "painleve", Between: casefile.Before, Of: func(r *Run) float64 { return float64(r.sum.Multibody.Painleve) }},
	{Name: "cone_lost", Between: casefile.Before, Of: func(r *Run) float64 { return float64(r.sum.Multibody.ConeLost) }},
}

// measured are all quantities.
var measured = slices.Concat(quantities, sensors)

func (b *builder) expectations() []casefile.Expectation {
	return b.Expectations(&b.doc.Document.Document, b.Quantities(measured.Quantities()), b.Dim, b.subject)
}

// subject finds what a quantity is of.
func (b *builder) subject(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
	b.Subject(p, d, e, d.Quantity == "angle" || d.Quantity == "spin" || d.Quantity == "weighted_spin")
	b.sense(p, d, e)
}

// Rate implements [run.Rated].
func (r *Run) Rate(x *casefile.Expectation) (rate float64, known bool) {
	if x.Quantity == "joint_position" {
		return r.jointRate(x), true
	}
	if y := world.RateOf(r.c.World, x); y != nil {
		return r.motion(y), true
	}
	return 0, false
}

// Value returns an expected quantity at the present state.
func (r *Run) Value(x *casefile.Expectation) float64 { return measured.Value(r, x) }

// states are the quantities that are known within a step: what follows from places and velocities, and
// what was taken so far.
var states = []string{"position", "displacement", "velocity", "angle", "spin", "kinetic_energy", "largest_displacement",
	"dissipation", "joint_position", "joint_rate", "distance"}

// Within implements [run.Inner]: before and after each collision.
func (r *Run) Within(observe func(t float64, value func(x *casefile.Expectation) (v float64, known bool))) {
	for i := range r.stepper.Last().Instants {
		r.inside = &r.stepper.Last().Instants[i]
		observe(r.inside.T, func(x *casefile.Expectation) (float64, bool) {
			if !slices.Contains(states, x.Quantity) {
				return 0, false
			}
			return r.Value(x), true
		})
	}
	r.inside = nil
}

// seen are the coordinates and velocities of the state that is looked at.
func (r *Run) seen() (q, v []float64) {
	if r.inside != nil {
		return r.inside.Q, r.inside.V
	}
	return r.stepper.Last().Q, r.stepper.Last().V
}

// position is that of the case, which may be moved from that of the model.
func (r *Run) position(x *casefile.Expectation) float64 {
	value := r.motion(x)
	if o := r.c.Origin; o[x.Axis] != 0 { // −0 stays
		value += o[x.Axis]
	}
	return value
}

// motion returns a quantity of the motion of a body.
func (r *Run) motion(x *casefile.Expectation) float64 {
	q, v := r.seen()
	start := r.c.Q0
	if r.c.framed {
		q, start, v = slices.Clone(q), slices.Clone(start), slices.Clone(v)
		r.c.World.Written(q, v)
		r.c.World.Written(start, nil)
	}
	value, _ := world.Motion(r.c.World, x, q, start, v)
	return value
}

// angle is that in the plane, or how far a body has turned about an axis of space.
func (r *Run) angle(x *casefile.Expectation) float64 {
	if r.c.World.Dim() == 2 {
		return r.motion(x)
	}
	q, v := r.seen()
	return r.turns.At(r.c.World, x.Subject, x.Axis, r.moment(), q, r.c.Q0, v)
}

// moment is the time that is looked at.
func (r *Run) moment() float64 {
	if r.inside != nil {
		return r.inside.T
	}
	return r.Time()
}

// follow counts the turns of the step.
func (r *Run) follow() {
	l, snap, past := r.stepper.Last(), r.stepper.Snapshot(), r.turns.T
	r.turns.Follow(r.c.World, l.T, l.Q, r.c.Q0, l.V)
	for j := range r.hinges {
		r.hinges[j] = r.joints[j].Value(snap, r.hinges[j]+r.joints[j].Rate(snap.M, snap.Poses, snap.V)*(l.T-past))
	}
}

// weighted returns v^{l,α} of a body.
func (r *Run) weighted(x *casefile.Expectation) []float64 {
	_, at := r.c.World.Coordinates(x.Subject)
	v := r.stepper.Last().Alpha
	if r.c.framed {
		v = slices.Clone(v)
		r.c.World.Written(slices.Clone(r.stepper.Last().Q), v)
	}
	return v[at:]
}

func (r *Run) energies() *rigid.Energy { return &r.stepper.Last().Energy }

// taken is the energy that friction, dampers and impacts have taken so far [J].
func (r *Run) taken() float64 {
	if r.inside != nil {
		return r.inside.Taken
	}
	return r.energies().Taken()
}

// farthest is the largest change of a coordinate of a body's place [m], or of its angle, in space of the
// turn that leads from the one orientation to the other [rad].
func (r *Run) farthest() float64 {
	q, _ := r.seen()
	most, q, start := 0.0, slices.Clone(q), slices.Clone(r.c.Q0)
	r.c.World.Written(q, nil)
	r.c.World.Written(start, nil)
	for b := range r.c.World.Bodies() {
		at, _ := r.c.World.Coordinates(b)
		for k := range r.c.World.Dim() {
			most = max(most, math.Abs(q[at+k]-start[at+k]))
		}
		if r.c.World.Spins(b) {
			most = max(most, r.c.World.Deviation(b, start, q, nil))
		}
	}
	return most
}

// impact is the first collision; zero before it.
func (r *Run) impact() *rigid.Collision {
	if r.first == nil {
		return &rigid.Collision{}
	}
	return r.first
}
