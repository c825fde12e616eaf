package patch

import (
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
)

// quantities are what a case can expect of its run; see [world.Builder.Quantities].
var quantities = casefile.Catalogue[*Run]{
	{Name: "position", Must: "body axis", At: (*Run).motion},
	{Name: "displacement", Must: "body axis", At: (*Run).motion},
	{Name: "velocity", Must: "body axis", At: (*Run).motion},
	{Name: "initial_velocity", Must: "body axis", At: (*Run).initialVelocity},
	{Name: "angle", Must: "body turn", At: (*Run).angle},
	{Name: "spin", Must: "body turn", At: (*Run).motion},
	{Name: "normal_force", Must: "body", May: "element", Between: casefile.After,
		At: func(r *Run, x *casefile.Expectation) float64 { normal, _, _ := r.force(x); return normal }},
	{Name: "friction_force", Must: "body", May: "axis element", Between: casefile.After, At: (*Run).frictionForce},
	{Name: "mean_normal_force", Must: "body from", May: "element", At: (*Run).meanNormalForce},
	{Name: "first_slip", Must: "body element", At: (*Run).firstSlip},
	{Name: "kinetic_energy", Of: func(r *Run) float64 { return r.stepper.Ledger().Kinetic }},
	{Name: "energy", Of: func(r *Run) float64 { n := r.stepper.Ledger(); return n.Kinetic + n.Potential + n.Stored }},
	{Name: "dissipation", Of: func(r *Run) float64 { n := r.stepper.Ledger(); return n.Friction + n.Viscous + n.Impact }},
	{Name: "work", Of: func(r *Run) float64 { return r.stepper.Ledger().Loads }},
	{Name: "balance_residual", Sized: true, Of: func(r *Run) float64 { return r.stepper.Ledger().Residual }},
	{Name: "events", Between: casefile.Before, Of: func(r *Run) float64 { return float64(r.changes) }},
	{Name: "boundary_residual", Of: (*Run).boundaryResidual},
}

func (b *builder) expectations() []casefile.Expectation {
	return b.Expectations(&b.doc.Document.Document, b.Quantities(quantities.Quantities()), b.Dim, b.subject)
}

// subject finds the body and the element, and words the label.
func (b *builder) subject(p casefile.Path, d *casefile.ExpectDocument, e *casefile.Expectation) {
	switch boundary := d.Quantity == "boundary_residual" || d.Quantity == "initial_velocity"; {
	case d.Quantity == "boundary_residual" && b.doc.Boundary == nil:
		b.Add(p.With("quantity"), "the case has no boundary values")
	case boundary && d.Time != nil:
		b.Add(p.With("time"), "%s belongs to the whole run, want no time", d.Quantity)
	}
	if !b.Subject(p, d, e, d.Quantity == "angle" || d.Quantity == "spin") {
		return
	}
	if d.Element != nil {
		e.Element = int(*d.Element) - 1
		e.ID += fmt.Sprintf(", element %d", e.Element+1)
		elements := 0
		for _, c := range b.contacts {
			if c.Body == e.Subject || c.Other == e.Subject {
				elements += c.Features * c.Elements
			}
		}
		if e.Element >= elements {
			b.Add(p.With("element"), "found %d, the contacts of %q have %d elements", e.Element+1, *d.Body, elements)
		}
	}
	if d.From != nil {
		e.ID += fmt.Sprintf(" from t=%g", e.From)
		if !(e.From < b.doc.Until) {
			b.Add(p.With("from"), "found %g, want a time before the end %g", e.From, b.doc.Until)
		}
	}
}

// meanForce is the mean over the time after one.
type meanForce struct {
	T, Sum, Span float64 // reached [s], ∫N dt [N s], over [s]
}

// Value returns an expected quantity at the present state.
func (r *Run) Value(x *casefile.Expectation) float64 { return quantities.Value(r, x) }

// motion returns a quantity of the motion of a body.
func (r *Run) motion(x *casefile.Expectation) float64 {
	s := r.stepper.State()
	value, _ := world.Motion(r.c.World, x, s.Q, r.c.Q0, s.V)
	return value
}

// angle is that in the plane, or how far a body has turned about an axis of space.
func (r *Run) angle(x *casefile.Expectation) float64 {
	if r.c.World.Dim() == 2 {
		return r.motion(x)
	}
	s := r.stepper.State()
	return r.turns.At(r.c.World, x.Subject, x.Axis, s.T, s.Q, r.c.Q0, s.V)
}

func (r *Run) initialVelocity(x *casefile.Expectation) float64 {
	_, v := r.c.World.Coordinates(x.Subject)
	return r.v0[v+x.Axis]
}

// force returns the forces on the body of an expectation, or on one of its elements.
func (r *Run) force(x *casefile.Expectation) (normal float64, friction [3]float64, state dynamics.ContactState) {
	return r.c.elementForces(r.last(), x.Subject, x.Element)
}

// frictionForce is a component of it, or its size.
func (r *Run) frictionForce(x *casefile.Expectation) float64 {
	_, f, _ := r.force(x)
	if x.Axis >= 0 {
		return f[x.Axis]
	}
	return math.Sqrt(f[0]*f[0] + f[1]*f[1] + f[2]*f[2])
}

// Averaged implements [run.Averager]. Rigid contacts give what changes the momentum in a step, M(v' − v) = hf + hWᵀλ, and
// λ is a mean. That of springs is Kδ' + C(δ' − δ)/h, by the place of the end of the step.
func (r *Run) Averaged(x *casefile.Expectation) casefile.StepValue {
	h := r.last().H
	if h == 0 {
		return casefile.StepValue{}
	}
	far, mass := world.Extent(r.c.World, r.stepper.State().Q)
	v := casefile.StepValue{Known: true, Span: h, Noise: world.ForceRounding(far, mass, h, h)}
	for i := range r.c.Contacts {
		if n := &r.c.Contacts[i]; !n.Rigid && (n.Body == x.Subject || n.Other == x.Subject) {
			v.Span = 0
		}
	}
	return v
}

// Rate implements [run.Rated].
func (r *Run) Rate(x *casefile.Expectation) (rate float64, known bool) {
	if y := world.RateOf(r.c.World, x); y != nil {
		return r.motion(y), true
	}
	return 0, false
}

// Beside implements [run.Compared].
func (r *Run) Beside(observe func(share float64)) { r.steps.Beside(observe) }

// meanNormalForce is the mean over time from one on, of forces that are the same within a step.
func (r *Run) meanNormalForce(x *casefile.Expectation) float64 {
	m, t := &r.means[x.Index], r.Time()
	if t > x.From+sameTime*r.c.plan.Until {
		normal, _, _ := r.force(x)
		h := t - max(m.T, x.From)
		m.Sum, m.Span = m.Sum+normal*h, m.Span+h
	}
	if m.T = t; m.Span == 0 {
		return 0
	}
	return m.Sum / m.Span
}

// firstSlip is when an element slid first.
type firstSlip struct {
	Since          run.Event
	Within         float64 // by what its time is off as the motion is [s]
	Found, Settled bool
}

// firstSlip is the time at which an element slides first; NaN before.
func (r *Run) firstSlip(x *casefile.Expectation) float64 {
	s := &r.slips[x.Index]
	if _, _, state := r.force(x); !s.Found && state == dynamics.Slide {
		s.Since, s.Found = r.changed(r.c.elementOf(x.Subject, x.Element), state), true
	}
	if !s.Found {
		return math.NaN()
	}
	if !s.Settled {
		s.Within, s.Settled = r.Late(&s.Since)
	}
	return s.Since.T
}

// ValueWithin implements [run.Doubter].
func (r *Run) ValueWithin(x *casefile.Expectation) float64 {
	if x.Quantity != "first_slip" {
		return 0
	}
	s := &r.slips[x.Index]
	return min(s.Since.Within+s.Within, r.c.plan.Until)
}

// elementOf is an element of the declared contacts of a body.
func (c *Case) elementOf(body, number int) element {
	for i := range c.Contacts {
		n := &c.Contacts[i]
		if n.Body != body && n.Other != body {
			continue
		}
		if count := n.Features * n.Elements; number < count {
			return element{n.Key + number/n.Elements, number % n.Elements}
		} else {
			number -= count
		}
	}
	return element{}
}

// elementForces sums the forces on a body from its declared contacts: normal forces,
// and friction as a vector. element ≥ 0 picks one of its elements.
func (c *Case) elementForces(step *dynamics.Step, body, element int) (normal float64, friction [3]float64, state dynamics.ContactState) {
	dim, first := c.World.Dim(), 0
	for i := range c.Contacts {
		n := &c.Contacts[i]
		if n.Body != body && n.Other != body {
			continue
		}
		eachElement(dim, step, func(key, k int, s dynamics.ContactState, lambda, _ []float64) {
			if key < n.Key || key >= n.Key+n.Features {
				return
			}
			if element >= 0 && first+(key-n.Key)*n.Elements+k != element {
				return
			}
			normal += lambda[0]
			state = s
			if n.Obstacle < 0 {
				return
			}
			_, _, up := c.World.Meeting(key, step.State.T, step.State.Q)
			t, o := c.World.Tangents(up)
			for d := range friction {
				friction[d] += lambda[1] * t[d]
				if dim == 3 {
					friction[d] += lambda[2] * o[d]
				}
			}
		})
		first += n.Features * n.Elements
	}
	return normal, friction, state
}

// eachElement calls f for the elements of the patches in contact: key of the
// patch, number in the patch, state, force and slip (n, t[, o]).
func eachElement(dim int, step *dynamics.Step, f func(key, element int, state dynamics.ContactState, lambda, slip []float64)) {
	x, at := step.State, 0
	for i, key := range x.Keys {
		for k := x.Ptr[i]; k < x.Ptr[i+1] && at < len(step.Contacts); k += dim {
			f(key, (k-x.Ptr[i])/dim, step.Contacts[at], x.Lambda[k:k+dim], x.Slip[k:k+dim])
			at++
		}
	}
}

// sameTime is the distance of times, relative to the whole run, that is roundoff of
// until·k/steps.
const sameTime = 1e-12
