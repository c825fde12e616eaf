package rigid

import (
	"github.com/quasistatic/quasistatic/dynamics/rigid"
	"github.com/quasistatic/quasistatic/internal/vec3"
	"github.com/quasistatic/quasistatic/run"
)

// Of a contact that sticks the story tells what its body does: it rolls, if it turns and touches ever
// other places of itself; it tips, if it turns about one. The events have neither: the law of friction
// knows stick and slip.

// held is what is known of a contact that sticks.
type held struct {
	Place         [3]float64 // where its body touches, on its axes [m]
	Turn          float64    // see [rigid.Present] [m/s]
	Told          string     // what the story says: stick, roll, tip
	Known         bool       // it is of two rows
	Since, Within float64    // from when on it sticks, and by what that may be off [s]
	Pulse         pulse
}

// roundShare of what a body turns by is what its place of contact goes at least where it is round: an
// edge that is sharper is one to the eye.
const roundShare = 0.01

// next is what is known a time later, in which the contact stuck.
func (h *held) next(p *rigid.Present, later float64) held {
	x := held{Place: p.Place, Turn: p.Turn, Told: p.State.String(), Known: true, Since: h.Since, Within: h.Within}
	way := vec3.Norm(vec3.Add(p.Place, -1, h.Place))
	switch {
	case p.Turn == 0:
	case way > roundShare*0.5*(h.Turn+p.Turn)*later:
		x.Told = "roll"
	default:
		x.Told = "tip"
	}
	return x
}

// turned is what the story is told where that has changed: from when on the contact sticks, where it
// is the first that is known; nil: nothing.
func (r *Run) turned(step *rigid.Step, key uint64, before, now *held) *run.Event {
	if now.Told == before.Told {
		return nil
	}
	e := run.Event{T: step.T - step.H/2, Within: step.H / 2, Name: r.c.touchName(key), From: before.Told, To: now.Told, Aside: true}
	if !before.Known && before.Turn > 0 {
		e.T, e.Within = now.Since, now.Within
	}
	return &e
}
