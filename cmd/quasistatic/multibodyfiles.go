package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dynamics"
	"github.com/quasistatic/quasistatic/dynamics/bodies"
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/table"
)

// multibodyCertificates are the columns of certificates.csv of the model rigid:
// largest joint error and penetration [m, rad], Σ‖Δv‖ and Σ‖Δv^α‖ since the start,
// merit and iterations of the contact problems of the step, collisions so far and
// the energy lost in them [J], then [pushSums], and how often the step was cut.
var multibodyCertificates = append([]string{"drift", "penetration", "variation", "variation_alpha", "residual", "iterations", "collisions", "loss"}, append(pushSums, "cuts")...)

// leave writes contacts, certificates, collisions and events of a step.
func (j *multibodyJob) leave(step *rigid.Step) error {
	c := j.summary.Motion.Multibody
	var sum pushSum
	eachPush(j.m, j.stepper, func(r *table.ContactRow) {
		sum.add(r)
		j.writer.Contact(r)
	})
	j.writer.Certify(append([]float64{step.Drift, step.Penetration, step.Variation[0], step.Variation[1], step.Residual, float64(step.Iterations), float64(c.Collisions), c.Loss}, append(sum[:], float64(len(step.Cuts)))...)...)
	for i := range step.Impulses {
		x := &step.Impulses[i]
		a, b, floor, feature := bodies.TouchOf(x.Key)
		j.writer.Impulse(&table.ImpulseRow{A: j.m.IDs[a], B: j.other(b, floor), Feature: feature, On: x.On})
	}
	var err error
	for i := range step.Collisions {
		x := &step.Collisions[i]
		name := j.m.IDs[x.A] + "/" + j.other(x.B, -1-x.B)
		err = errors.Join(err, j.writer.Collision(x.T, name, x.Speed, math.Hypot(x.Impulse[0], math.Hypot(x.Impulse[1], x.Impulse[2])), x.Loss))
	}
	return errors.Join(err, j.changes(step))
}

// eachPush visits the contacts that carry a force, as rows of contacts.csv.
func eachPush(m *casefile.Multibody, s *rigid.Stepper, visit func(r *table.ContactRow)) {
	s.Contacts(func(p *rigid.Present) {
		if !(p.Force[0] > 0) {
			return
		}
		r := table.ContactRow{A: m.IDs[p.A], B: secondName(m, p.B, p.Floor), State: dynamics.Stick, At: p.At, N: p.N, Normal: p.Force[0]}
		r.Friction, _ = table.Across(p.Frame[1], p.Frame[2], p.Force[:])
		r.Bound = m.Model.Friction(p.Touch) * p.Force[0]
		if p.State == rigid.Slip {
			r.State = dynamics.Slide
		}
		visit(&r)
	})
}

// word is a state of the whole system in the events.
type word string

func (w word) String() string { return string(w) }

// multibodyMemory is what the events of a step are compared with.
type multibodyMemory struct {
	Keys     []uint64 // of the touches that are not open, ascending
	States   []rigid.ContactState
	Painleve bool // sliding contacts in a configuration of Painlevé
	Lost     bool // the friction cone is not pointed
}

// changes writes the events of a step: collisions, changes of contact, and of the
// whole system whether a configuration is one of Painlevé and the friction cone
// pointed.
func (j *multibodyJob) changes(step *rigid.Step) error {
	var err error
	for i := range step.Collisions {
		x := &step.Collisions[i]
		err = errors.Join(err, j.event(x.T, j.m.IDs[x.A]+"/"+j.other(x.B, -1-x.B), word("apart"), word("collision")))
	}
	m, next := &j.memory, multibodyMemory{Keys: j.spare.Keys[:0], States: j.spare.States[:0]}
	at := 0
	gone := func(below uint64) {
		for ; at < len(m.Keys) && m.Keys[at] < below; at++ {
			err = errors.Join(err, j.event(step.T, j.touchName(m.Keys[at]), m.States[at], rigid.Open))
		}
	}
	j.stepper.Contacts(func(p *rigid.Present) {
		gone(p.Key)
		before := rigid.Open
		if at < len(m.Keys) && m.Keys[at] == p.Key {
			before = m.States[at]
			at++
		}
		if p.State != before {
			err = errors.Join(err, j.event(step.T, j.touchName(p.Key), before, p.State))
		}
		if p.State != rigid.Open {
			next.Keys, next.States = append(next.Keys, p.Key), append(next.States, p.State)
		}
	})
	gone(math.MaxUint64)
	next.Painleve, next.Lost = step.Painleve > 0, step.Pointed == rigid.ConeLost
	err = errors.Join(err, j.turn(step.T, m.Painleve, next.Painleve, "regular", "painleve"), j.turn(step.T, m.Lost, next.Lost, "pointed", "lost"))
	j.memory, j.spare = next, j.memory
	return err
}

// turn writes that the whole system has come to, or left, a state.
func (j *multibodyJob) turn(t float64, before, now bool, off, on word) error {
	switch {
	case before == now:
		return nil
	case before:
		off, on = on, off
	}
	return j.event(t, wholeSystem, off, on)
}

// wholeSystem is the name of all bodies together in the events.
const wholeSystem = "system"

// event counts and writes an event.
func (j *multibodyJob) event(t float64, name string, from, to fmt.Stringer) error {
	j.summary.Motion.Events++
	j.events.add(t, name, from, to)
	return j.writer.Event(t, name, from, to)
}

// touchName names a touch: body/body or body/obstacle, with the number of the
// feature where there may be several.
func touchName(m *casefile.Multibody, key uint64) string {
	a, b, floor, feature := bodies.TouchOf(key)
	name := m.IDs[a] + "/" + secondName(m, b, floor)
	if feature > 0 || b < 0 && m.World.Features(a) > 1 {
		name = fmt.Sprintf("%s.%d", name, feature+1)
	}
	return name
}

func (j *multibodyJob) touchName(key uint64) string { return touchName(j.m, key) }

// other names the second body of a contact, or the obstacle.
func (j *multibodyJob) other(body, floor int) string { return secondName(j.m, body, floor) }

func secondName(m *casefile.Multibody, body, floor int) string {
	if body >= 0 {
		return m.IDs[body]
	}
	return m.Obstacles[floor]
}
