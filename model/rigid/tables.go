package rigid

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/model/bodyview"
	"github.com/quasistatic/quasistatic/model/world"
	"github.com/quasistatic/quasistatic/run"
	"github.com/quasistatic/quasistatic/table"
)

// certificate is a row of certificates.csv.
type certificate struct {
	Drift       float64 `column:"drift"`           // largest joint error [m, rad]
	Penetration float64 `column:"penetration"`     // [m]
	Variation   float64 `column:"variation"`       // Σ‖Δv‖ since the start
	Weighted    float64 `column:"variation_alpha"` // Σ‖Δv^α‖
	Residual    float64 `column:"residual"`        // merit of the contact problems of the step
	Iterations  float64 `column:"iterations"`      // of them
	Collisions  float64 `column:"collisions"`      // so far
	Loss        float64 `column:"loss"`            // of energy in them [J]
	world.ContactSum
	Cuts float64 `column:"cuts"` // of the step
	Mode float64 `column:"mode"` // in which it was taken, see [rigid.Mode]
}

// Row writes row k and takes it into the totals.
func (r *Run) Row(k int, out *run.Output) error {
	r.count()
	step, c := r.stepper.Last(), r.sum.Multibody
	var sum world.ContactSum
	eachContact(r.c, r.stepper, func(row *bodyview.ContactRow) {
		sum.Add(row)
		out.Attach(table.ContactsFile, row.Words(), row.Values()...)
	})
	for i := range step.Impulses {
		x := &step.Impulses[i]
		a, b, floor, feature := bodies.TouchOf(x.Key)
		row := bodyview.ImpulseRow{A: r.c.IDs[a], B: r.c.second(b, floor), Feature: feature, On: x.On, Moment: x.Moment, Theta: x.State}
		out.Attach(table.ImpulsesFile, row.Words(), row.Values(r.c.Model.Clings(), r.c.Model.Ages())...)
	}
	var err error
	for i := range step.Collisions {
		x := &step.Collisions[i]
		err = errors.Join(err, out.Write(table.CollisionsFile, x.T,
			[]string{r.c.IDs[x.A] + "/" + r.c.second(x.B, -1-x.B)}, x.Speed,
			math.Hypot(x.Impulse[0], math.Hypot(x.Impulse[1], x.Impulse[2])), x.Loss))
	}
	energies := bodyview.Energies(r.ledger())
	row := certificate{step.Drift, step.Penetration, step.Variation[0], step.Variation[1],
		max(step.Residual, step.Inexact.Residual), float64(step.Iterations), float64(c.Collisions), c.Loss, sum,
		float64(len(step.Cuts)), float64(step.Mode)}
	sheets := [][]float64{r.places(), r.v, r.bodyForces(), table.ValuesOf(&energies), table.ValuesOf(&row)}
	if len(r.c.sensors) > 0 {
		r.sensors = r.c.sensors.Row(r.sensors, r.Value)
		sheets = append(sheets, r.sensors)
	}
	return errors.Join(err, r.changes(step, out), out.Row(k, step.T, sheets...))
}

// places are the coordinates from the origin of the case; v are the velocities that belong to them.
func (r *Run) places() []float64 {
	r.q, r.v = append(r.q[:0], r.stepper.Last().Q...), append(r.v[:0], r.stepper.Last().V...)
	r.c.World.Written(r.q, r.v)
	r.c.World.Shift(r.q, 1, r.c.Origin)
	return r.q
}

// bodyForces sums the contact forces of each body: normal ones, and tangential ones in the
// frames of the contacts in which it is the first body.
func (r *Run) bodyForces() []float64 {
	dim := r.c.World.Dim()
	clear(r.forces)
	r.stepper.Contacts(func(p *rigid.Present) {
		if r.c.Model.StopOf(p.Touch) != nil {
			return
		}
		for d := range dim {
			r.forces[dim*p.A+d] += p.Force[d]
		}
		if p.B >= 0 {
			r.forces[dim*p.B] += p.Force[0]
		}
	})
	return r.forces
}

// eachContact visits the contacts of bodies that carry a force, as rows of contacts.csv.
func eachContact(c *Case, s *rigid.Stepper, visit func(r *bodyview.ContactRow)) {
	s.Contacts(func(p *rigid.Present) {
		pressed := p.Force[0] + p.Pull
		if !(pressed > 0) && p.Force[0] == 0 || c.Model.StopOf(p.Touch) != nil {
			return
		}
		r := bodyview.ContactRow{A: c.IDs[p.A], B: c.second(p.B, p.Floor), State: dynamics.Stick, At: c.outside(p.At),
			N: p.N, Normal: p.Force[0]}
		r.Friction, _ = bodyview.Across(p.Frame[1], p.Frame[2], p.Force[:])
		r.Bound = p.Mu * pressed
		if p.State == rigid.Slip {
			r.State = dynamics.Slide
		}
		visit(&r)
	})
}

// memory is what the events of a step are compared with.
type memory struct {
	Keys     []uint64 // of the touches that are not open, ascending
	States   []string
	Held     []held  // what is known of those that stick
	T        float64 // of the row [s]
	Painleve bool    // sliding contacts in a configuration of Painlevé
	Lost     bool    // the friction cone is not pointed
}

// changes writes the events of a step: collisions, changes of contact, and of the
// whole system whether a configuration is one of Painlevé and the friction cone
// pointed.
//
// A change has the time that its step tells, see [rigid.Stepper.Changes]; of what sleeps, or counts
// for the whole system, that is somewhere in the step.
func (r *Run) changes(step *rigid.Step, out *run.Output) error {
	var list, turned []run.Event
	for i := range step.Collisions {
		x := &step.Collisions[i]
		list = append(list, run.Event{T: x.T, Name: r.c.IDs[x.A] + "/" + r.c.second(x.B, -1-x.B), From: "apart",
			To: rigid.Hit, Contact: rigid.HitOf(x.A, x.B)})
	}
	m, next := &r.memory, memory{Keys: r.spare.Keys[:0], States: r.spare.States[:0], Held: r.spare.Held[:0], T: step.T}
	at := 0
	gone := func(below uint64) {
		for ; at < len(m.Keys) && m.Keys[at] < below; at++ {
			list = append(list, r.changed(step, m.Keys[at], m.States[at], rigid.Open, rigid.Open.String()))
			r.opens(m.Keys[at], m.Held[at].Pulse, step)
		}
	}
	r.stepper.Contacts(func(p *rigid.Present) {
		gone(p.Key)
		before, now := rigid.Open.String(), conductOf(p)
		h := held{Place: p.Place, Turn: p.Turn, Told: now}
		if at < len(m.Keys) && m.Keys[at] == p.Key {
			if before = m.States[at]; before == now && p.State == rigid.Stick {
				h = m.Held[at].next(p, step.T-m.T)
				if e := r.turned(step, p.Key, &m.Held[at], &h); e != nil {
					turned = append(turned, *e)
				}
			}
			var share float64
			if h.Pulse, share = m.Held[at].Pulse.next(p.Force[0], r.c.plan.Accuracy, step.H); share > 0 {
				r.alternate(p.Key, share)
			}
			if !(p.Force[0] > 0) {
				r.opens(p.Key, m.Held[at].Pulse, step)
			}
			if len(step.Collisions) > 0 { // a contact that opens after that does so by it
				h.Pulse = pulse{Most: h.Pulse.Most}
			}
			at++
		}
		if now != before {
			list = append(list, r.changed(step, p.Key, before, p.State, now))
			h.Since, h.Within = list[len(list)-1].T, list[len(list)-1].Within
		}
		if p.State != rigid.Open {
			next.Keys, next.States, next.Held = append(next.Keys, p.Key), append(next.States, now), append(next.Held, h)
		}
	})
	gone(math.MaxUint64)
	next.Painleve, next.Lost = step.Painleve > 0, step.Pointed == rigid.ConeLost
	var err error
	for _, x := range append(list, turned...) {
		err = errors.Join(err, out.Event(x))
	}
	err = errors.Join(err, turn(out, step, m.Painleve, next.Painleve, "regular", "painleve"),
		turn(out, step, m.Lost, next.Lost, "pointed", "lost"))
	r.memory, r.spare = next, r.memory
	return err
}

// changed is the event of a touch that the step has left in a state.
func (r *Run) changed(step *rigid.Step, key uint64, from string, state rigid.ContactState, to string) run.Event {
	e := run.Event{T: step.T - step.H/2, Within: step.H / 2, Name: r.c.touchName(key), From: from, To: to, Contact: key}
	for i := range step.Changes {
		if x := &step.Changes[i]; x.Contact == key && x.To == state.String() {
			e.T, e.Within = x.T, x.Within
		}
	}
	return e
}

// Late implements [run.Dater].
func (r *Run) Late(e *run.Event) (off float64, settled bool) {
	to := e.To
	switch {
	case e.Name == wholeSystem: // of which twins know nothing
		return math.Inf(1), true
	case to == table.TouchWord:
		to = rigid.Slip.String()
	}
	return r.steps.Late(e.Contact, to, e.T)
}

// conductOf is what a contact does: where nothing rubs it neither sticks nor slips, it touches.
func conductOf(p *rigid.Present) string {
	if p.Mu == 0 && (p.State == rigid.Stick || p.State == rigid.Slip) {
		return table.TouchWord
	}
	return p.State.String()
}

// turn writes that the whole system has come to, or left, a state.
func turn(out *run.Output, step *rigid.Step, before, now bool, off, on string) error {
	switch {
	case before == now:
		return nil
	case before:
		off, on = on, off
	}
	return out.Event(run.Event{T: step.T, Within: step.H, Name: wholeSystem, From: off, To: on})
}

// wholeSystem is the name of all bodies together in the events.
const wholeSystem = "system"

// touchName names a touch: body/body or body/obstacle, with the number of the
// feature where there may be several.
func (c *Case) touchName(key uint64) string {
	a, b, floor, feature := bodies.TouchOf(key)
	name := c.IDs[a] + "/" + c.second(b, floor)
	if feature > 0 || b < 0 && floor < len(c.Obstacles) && c.World.Features(a) > 1 {
		name = fmt.Sprintf("%s.%d", name, feature+1)
	}
	return name
}
