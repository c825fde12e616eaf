package dynamics

import (
	"context"
	"errors"
	"math"
	"math/bits"
)

// Motions that forget their errors are made in equal steps. Of a pad that creeps under partial slip
// each pair of steps is off by a part of its length, so that Σe does not fall with the steps, however
// short these are; but the pad is pulled to where it belongs, and none of that is left. There Σe says
// neither how many steps are needed nor where: the steps are equal, twice as many each time, until the
// twin and the energies of a pilot run say that they reach the accuracy; and it is no measure of the
// run, of which the twin alone says what it is off by, as of steps that a case gives.

// forgotten: a sum so many times what the twin sees is of errors that are forgotten. Those that stay
// and have signs by chance add up to √N of N pairs, which have seldom N of some hundreds by a pilot.
const forgotten = 16

// forgets reports whether the motion of the pilot run forgets its errors.
func (a *Adaptive) forgets() bool {
	return a.twin != nil && a.state.Spent > farPilot*budget && a.state.Spent > forgotten*a.worst()
}

// evenly makes pilot runs in equal steps up to the accuracy; the stepper is at its start again, by
// begin, with the level of the steps.
func (a *Adaptive) evenly(ctx context.Context, start *AdaptiveState, begin func() error) error {
	half := uint(a.state.Stats.Accepted / 4) // pairs of half the steps of the pilot run
	start.Even = max(1, bits.Len(half)-a.coarse-start.Unseen)
	for {
		if err := begin(); err != nil {
			return err
		}
		profile, err := a.profile(ctx, false)
		switch {
		case errors.Is(err, errSlow):
			if err := a.reaches(); err != nil {
				return err
			}
		case err != nil:
			return err
		}
		start.Stats.Pilot = a.state.Stats.Pilot
		off := max(a.worst(), a.created())
		if err != nil { // the run itself says what these are worth
			start.Even += int(math.Ceil(max(0, math.Log2(off/budget))))
		}
		if err != nil || off <= budget {
			start.Profile, start.Budget = profile, a.state.Spent
			return begin()
		}
		start.Even++
	}
}

// spentOut: a run has spent its budget early where what a pair may have is so small a part of what was
// planned; its steps are then eight times as short, and become ever shorter.
const spentOut = 1. / 64

// relax goes on in equal steps, as many as were planned, where a run has spent its budget early and
// is within the accuracy, as the twin says: by the pilot run nothing was forgotten, as it made few
// steps, or was not yet under partial slip.
func (a *Adaptive) relax() {
	s := &a.state
	if s.Profile == nil || s.Even > 0 || a.twin == nil {
		return
	}
	whole := pilotSafety * sumOf(s.Profile)
	if planned := min(math.Pow(s.Budget/whole, 2), portion*s.Budget); a.allowed() < spentOut*planned &&
		max(a.worst(), a.created()) <= budget {
		s.Even = max(1, bits.Len(uint(whole*whole/s.Budget))-a.coarse-s.Unseen)
	}
}

// created is the largest energy that the scheme makes, over the accuracy.
func (a *Adaptive) created() (worst float64) {
	for _, m := range a.v.Creations().Measures(a.o.Accuracy, a.state.Stats.Accepted, "", a.o.Names) {
		worst = max(worst, m.Value/m.Limit)
	}
	return worst
}
