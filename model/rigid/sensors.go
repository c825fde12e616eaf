package rigid

import (
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics/multibody"
	"github.com/quasistatic/quasistatic/model/world"
)

// sensors are the quantities of joints, springs and pairs.
var sensors = casefile.Catalogue[*Run]{
	{Name: "joint_force", Must: "joint axis", Between: casefile.After,
		At: func(r *Run, x *casefile.Expectation) float64 { return r.stepper.Reaction(x.Subject).Force[x.Axis] }},
	{Name: "joint_torque", Must: "joint turn", Between: casefile.After, At: func(r *Run, x *casefile.Expectation) float64 {
		return r.stepper.Reaction(x.Subject).Moment[component(x)]
	}},
	{Name: "joint_position", Must: "joint", At: (*Run).jointPosition},
	{Name: "joint_rate", Must: "joint", At: (*Run).jointRate},
	{Name: "motor_force", Must: "joint", Between: casefile.After, At: (*Run).motorForce},
	{Name: "joint_friction", Must: "joint", Between: casefile.After,
		At: func(r *Run, x *casefile.Expectation) float64 { return r.stopForce(x.Subject, "friction") }},
	{Name: "limit_force", Must: "joint", Between: casefile.After,
		At: func(r *Run, x *casefile.Expectation) float64 { return r.stopForce(x.Subject, "") }},
	{Name: "spring_tension", Must: "spring", At: (*Run).tension},
	{Name: "distance", Must: "body other", At: (*Run).distance},
	{Name: "contact_force", Must: "body other axis", Between: casefile.After, At: func(r *Run, x *casefile.Expectation) float64 {
		force, _ := r.stepper.Wrench(x.Subject, x.Other)
		return force[x.Axis]
	}},
	{Name: "contact_torque", Must: "body other turn", Between: casefile.After, At: func(r *Run, x *casefile.Expectation) float64 {
		_, moment := r.stepper.Wrench(x.Subject, x.Other)
		return moment[component(x)]
	}},
}

// Averaged implements [run.Averager].
func (r *Run) Averaged(x *casefile.Expectation) casefile.StepValue {
	span, shortest, lag := r.stepper.Averaged()
	v := casefile.StepValue{Known: span > 0, Span: span, Lag: lag}
	if v.Known {
		far, mass := world.Extent(r.c.World, r.stepper.Last().Q)
		if v.Noise = world.ForceRounding(far, mass, span, shortest); r.isMoment(x) {
			v.Noise *= far
		}
	}
	return v
}

// isMoment reports whether a force of a step is a moment [N m].
func (r *Run) isMoment(x *casefile.Expectation) bool {
	switch x.Quantity {
	case "joint_torque", "contact_torque":
		return true
	case "motor_force", "joint_friction", "limit_force":
		return !r.c.Model.Joints()[x.Subject].Kind.Slides()
	}
	return false
}

// Beside implements [run.Compared].
func (r *Run) Beside(observe func(share float64)) { r.steps.Beside(observe) }

// component is that of a moment: in the plane it has one.
func component(x *casefile.Expectation) int {
	if x.Axis < 0 {
		return 2
	}
	return x.Axis
}

// sense finds the joint, the spring or the other body of a line of expect.
func (b *builder) sense(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
	if d.Joint != nil {
		b.senseJoint(p, d, e)
	}
	if d.Spring != nil {
		ids := make([]string, len(b.doc.Springs))
		for i := range ids {
			ids[i] = b.doc.Springs[i].ID
		}
		if e.ID, e.Subject = *d.Spring, slices.Index(ids, *d.Spring); e.Subject < 0 || *d.Spring == "" {
			b.UnknownName(p.With("spring"), *d.Spring, "id of a spring", ids)
		}
	}
	if d.Other == nil || d.Body == nil {
		return
	}
	if o, known := b.Obstacle[*d.Other]; known {
		e.Other = -1 - o
	} else if e.Other, known = b.FindBody(p.With("other"), *d.Other); !known {
		return
	}
	pair := [2]int{e.Subject, e.Other}
	if e.Other >= 0 {
		pair = [2]int{min(e.Subject, e.Other), max(e.Subject, e.Other)}
	}
	m := multibody.Model{Setup: b.setup}
	switch e.ID += " and " + *d.Other; {
	case e.Subject == e.Other:
		b.Add(p.With("other"), "found %q twice, want two bodies", *d.Body)
	case b.setup.Apart[pair] || m.Apart(pair[0], pair[1]):
		b.Add(p.With("other"), "%q and %q are apart, and never meet", *d.Body, *d.Other)
	}
}

// senseJoint finds a joint that has what a line asks for.
func (b *builder) senseJoint(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
	ids := make([]string, len(b.doc.Joints))
	for i := range ids {
		ids[i] = b.doc.Joints[i].ID
	}
	e.ID, e.Subject = *d.Joint, slices.Index(ids, *d.Joint)
	if e.Subject < 0 || *d.Joint == "" {
		b.UnknownName(p.With("joint"), *d.Joint, "id of a joint", ids)
		return
	}
	x := &b.doc.Joints[e.Subject]
	var missing string
	switch {
	case d.Quantity == "motor_force" && x.Motor == nil:
		missing = "motor"
	case d.Quantity == "joint_friction" && x.Friction == 0 && x.Bearing == nil:
		missing = "friction"
	case d.Quantity == "limit_force" && x.Limits == nil:
		missing = "limits"
	case (d.Quantity == "joint_position" || d.Quantity == "joint_rate") && !x.Type.Slides() && x.Type != multibody.Revolute:
		b.Add(p.With("joint"), "%q is %s joint, want one that turns about an axis or slides along it", *d.Joint,
			casefile.Article(string(x.Type)))
	}
	if missing != "" {
		b.Add(p.With("joint"), "%q has no %q", *d.Joint, missing)
	}
}

// coordinates are the motions that joints leave.
func (c *Case) coordinates() (list []multibody.Coordinate) {
	for i := range c.Model.Joints() {
		j := &c.Model.Joints()[i]
		list = append(list, multibody.NewCoordinate(c.World, j, j.Kind.Slides()))
	}
	return list
}

func (r *Run) jointPosition(x *casefile.Expectation) float64 {
	s, j := r.snapshot(), &r.joints[x.Subject]
	return j.Value(s, r.hinges[x.Subject]+j.Rate(s.M, s.Poses, s.V)*(r.moment()-r.turns.T))
}

func (r *Run) jointRate(x *casefile.Expectation) float64 {
	s := r.snapshot()
	return r.joints[x.Subject].Rate(s.M, s.Poses, s.V)
}

// snapshot is the state that is looked at.
func (r *Run) snapshot() *multibody.Snapshot {
	if r.inside != nil {
		return r.stepper.SnapshotOf(r.inside)
	}
	return r.stepper.Snapshot()
}

// distance is that of a pair.
func (r *Run) distance(x *casefile.Expectation) float64 {
	q, _ := r.seen()
	return r.stepper.Distance(x.Subject, x.Other, r.moment(), q)
}

// stopForce is that of the limits of a joint, or of a brake with a name.
func (r *Run) stopForce(joint int, brake string) (force float64) {
	for i := range r.c.Model.Stops {
		x := &r.c.Model.Stops[i]
		if x.Joint == joint && (x.Brake == nil && brake == "" && x.Slides == r.c.Model.Joints()[joint].Kind.Slides() ||
			x.Brake != nil && x.Brake.Name == brake) {
			force += r.stepper.StopForce(i)
		}
	}
	return force
}

func (r *Run) motorForce(x *casefile.Expectation) float64 {
	force := r.stopForce(x.Subject, "motor")
	if m := r.c.motors[x.Subject]; m != nil {
		force += m.Strength(r.stepper.Last().T, r.stepper.Weighted())
	}
	return force
}

func (r *Run) tension(x *casefile.Expectation) float64 {
	f, ok := r.c.springs[x.Subject].(interface {
		Tension(s *multibody.Snapshot) float64
	})
	if !ok {
		return math.NaN()
	}
	return f.Tension(r.stepper.Weighted())
}
