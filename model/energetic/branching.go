package energetic

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quasistatic/quasistatic/energetic/assume"
	"github.com/quasistatic/quasistatic/events"
)

// branchings says how many solutions the rate problem has where (N4) does not: at the
// events and kinks of a walk, for contacts in the plane.
type branchings struct {
	Times   int         `json:"times"`   // looked at
	Skipped int         `json:"skipped"` // with too many contacts at a bound
	List    []branching `json:"branchings"`
	Why     string      `json:"not_examined,omitempty"`
}

// branching is a time with none or several.
type branching struct {
	Time      float64    `json:"t"`
	Solutions [][]string `json:"solutions"` // what the contacts at a bound do
}

// branch examines the rate problem if (N4) does not hold.
func (c *Case) branch(ctx context.Context, a *assume.Assumptions) *branchings {
	if a.N4.Verdict == assume.Holds || c.Psi.System.N() > assumedParticles {
		return nil
	}
	plane, err := c.Plane, error(nil)
	if plane == nil {
		plane, err = events.NewPlane(c.Psi, c.Z0, c.plan.Until)
	}
	if err == nil && plane.Askew() != nil { // the many states of cones: press-and-drag-3d took 10 s
		err = plane.Askew()
	}
	var form *events.Form[events.Real]
	var w *events.Integrator[events.Real]
	if err == nil {
		form, err = plane.Form()
	}
	if err == nil {
		w, err = events.NewIntegrator(form, c.Options.Step.Tolerance)
	}
	if err != nil {
		return &branchings{Why: err.Error()}
	}
	list, times, skipped, err := events.Branchings(ctx, w, events.Real(c.plan.Until))
	b := &branchings{Times: times, Skipped: skipped, List: []branching{}}
	if lost, ok := errors.AsType[*events.LossError](err); ok {
		b.Why = fmt.Sprintf("no equilibrium beyond t=%.15g, where nothing holds %s", lost.Time, c.IDs[plane.Dofs[lost.Dof].Particle])
	} else if err != nil {
		b.Why = err.Error()
	}
	for _, x := range list {
		one := branching{Time: float64(x.Time), Solutions: [][]string{}}
		for _, s := range x.Solutions {
			var words []string
			for _, k := range x.Contacts {
				words = append(words, fmt.Sprintf("%s %s", c.ContactIDs[plane.Slot[k]], s.Regimes[k]))
			}
			one.Solutions = append(one.Solutions, words)
		}
		b.List = append(b.List, one)
	}
	return b
}

// text says what was found.
func (b *branchings) text() string {
	var s strings.Builder
	if b.Why != "" {
		fmt.Fprintf(&s, "rate problem: not examined to the end: %s\n", b.Why)
	}
	if b.Times > 0 {
		fmt.Fprintf(&s, "rate problem, at %d times from event to event: one solution at %d\n", b.Times, b.Times-b.Skipped-len(b.List))
	}
	for _, x := range b.List {
		if len(x.Solutions) == 0 {
			fmt.Fprintf(&s, "  t=%.10g: no solution, so that the evolution jumps\n", x.Time)
			continue
		}
		var list []string
		for _, words := range x.Solutions {
			list = append(list, strings.Join(words, ", "))
		}
		fmt.Fprintf(&s, "  t=%.10g: %d solutions: %s\n", x.Time, len(x.Solutions), strings.Join(list, " | "))
	}
	if b.Skipped > 0 {
		fmt.Fprintf(&s, "  %d times with more than %d contacts at a bound were left out\n", b.Skipped, events.Most)
	}
	return s.String()
}
