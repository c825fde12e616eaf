package energetic

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/events"
)

// stepsDocument is the key steps: a number, or "events".
type stepsDocument struct {
	number *float64
	events bool
}

// UnmarshalJSON decodes what the schema has checked.
func (s *stepsDocument) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		s.events = true
		return nil
	}
	return json.Unmarshal(text, &s.number)
}

// none reports whether the case has no key steps.
func (s *stepsDocument) none() bool { return !s.events && s.number == nil }

// checkEvents refuses what has no meaning without steps.
func (b *builder) checkEvents() {
	d := &b.doc
	const why = "has no effect on a walk from event to event, want no key %q with \"steps\": \"events\""
	switch {
	case d.Gamma.last != 0 || d.Gamma.all != nil:
		b.Add(casefile.Path{"gamma"}, why, "gamma")
	case d.Threshold == "lagged":
		b.Add(casefile.Path{"threshold"}, "found lagged thresholds, which need steps, want \"implicit\" with \"steps\": \"events\"")
	}
}

// eventRoom reduces the system to the dofs that move from event to event; nil for steps.
func (b *builder) eventRoom(psi *dissipation.Coulomb, start []float64) *events.Plane {
	d := &b.doc
	if !d.Steps.events {
		if d.Exact {
			b.Add(casefile.Path{"exact"}, "found true, which needs \"steps\": \"events\"")
		}
		return nil
	}
	plane, err := events.NewPlane(psi, start, d.Until)
	if err != nil {
		if across, ok := errors.AsType[*events.SpaceError](err); ok {
			err = fmt.Errorf("of particle %q: %s", b.ids[across.Particle], across.Reason)
		}
		if errors.Is(err, events.ErrNotQuadratic) && len(b.adhesives) > 0 {
			err = errors.New("adhesive bonds lose their stiffness: D²E is not constant")
		}
		b.Add(casefile.Path{"steps"}, "found \"events\", but %v; want a number of steps", err)
		return nil
	}
	if d.Exact {
		b.checkExact(plane)
	}
	return plane
}

// checkExact refuses what has no walk in ratios of integers.
func (b *builder) checkExact(plane *events.Plane) {
	p, d := casefile.Path{"exact"}, &b.doc
	if _, err := plane.Exact(b.at); err != nil {
		if across, ok := errors.AsType[*events.SpaceError](err); ok {
			err = fmt.Errorf("of particle %q: %s; events are exact in the plane only", b.ids[across.Particle], across.Reason)
		}
		b.Add(p, "found true, but %v", err)
	} else if turn := turning(plane, d.Until); turn != nil && !d.Equilibrate {
		b.Add(p, "found true, but %v: %s; want no key \"exact\"", turn, b.contactIDs()[plane.Slot[turn.Contact]])
	}
}

// turning walks in float64 to where the force of a corner turns along its one face; nil: nowhere,
// or the walk ends before, as the run says.
func turning(plane *events.Plane, until float64) *events.TurnError {
	form, err := plane.Form()
	if err != nil || len(form.Corners) == 0 {
		return nil
	}
	w, err := events.NewIntegrator(form, 0)
	for err == nil && !w.Curved && float64(w.Time()) < until {
		err = w.Step(events.Real(until))
	}
	if w == nil {
		return nil
	}
	return w.Turning()
}
