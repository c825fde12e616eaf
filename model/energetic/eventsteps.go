package energetic

import (
	"encoding/json"
	"errors"

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

// plane reduces the system to the plane in which events are exact, nil for steps.
func (b *builder) plane(psi *dissipation.Coulomb, start []float64) *events.Plane {
	d := &b.doc
	if !d.Steps.events {
		if d.Exact {
			b.Add(casefile.Path{"exact"}, "found true, which needs \"steps\": \"events\"")
		}
		return nil
	}
	p, err := events.NewPlane(psi, start, d.Until)
	var space *events.SpaceError
	switch {
	case errors.As(err, &space):
		b.Add(casefile.Path{"steps"}, "found \"events\", but of particle %q: %s; events are exact in the plane only, want a number of steps", b.ids[space.Particle], space.Reason)
		return nil
	case err != nil:
		b.Add(casefile.Path{"steps"}, "found \"events\", but %v; want a number of steps", err)
		return nil
	}
	if d.Exact {
		if _, err := p.Exact(b.at); err != nil {
			b.Add(casefile.Path{"exact"}, "found true, but %v", err)
		}
	}
	return p
}
