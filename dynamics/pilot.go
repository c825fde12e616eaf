package dynamics

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/signal"
)

const (
	// pilotDoublings bounds the pilot runs; motions that say something else each time are
	// taken at the least that the last two say.
	pilotDoublings = 4
	// pilotHalvings of a step of the last of them, where none could be made as a whole: as where two
	// bodies fly through each other at thousands of their widths in a step.
	pilotHalvings = 14
	// pilotChange: extents need not be known better than this.
	pilotChange = 0.25
	// neighbour: a part that moves less than this share of the farthest one of its island is
	// measured by that share.
	neighbour = 1e-3
	// leastTurn: a body that turns by less is measured by that [rad].
	leastTurn = 1e-2
	// farRounding of the distance from the start, as the velocities have it, is what places are
	// known to: 2⁻⁵² of it is lost in each step, and more where equations are solved. Less than
	// that over the accuracy does not move.
	farRounding = 0x1p-36
)

// pilots makes the pilot runs; the stepper is at its start again.
func (a *Adaptive) pilots(ctx context.Context) error {
	var start AdaptiveState
	if err := a.sizes(ctx); err != nil {
		return err
	}
	start.Extents, start.Still, start.Energy, start.Paces = a.state.Extents, a.state.Still, a.state.Energy, a.state.Paces
	begin := func() error { // at the start, with what is known
		parts := partsOf(a.v, len(a.v.Distances(nil, -1)))
		start.Extents, start.Still = byPairs(start.Extents, parts), byPairs(start.Still, parts)
		n := len(start.Extents)
		start.Sum, start.Moved = make([]float64, n), make([]float64, a.ways.room(n))
		a.state, a.ended, a.refused = start, false, refusal{}
		a.enter(0, math.Inf(1))
		err := a.v.Return(startSlot)
		a.watch()
		return err
	}
	start.Stats.Pilot = a.state.Stats.Pilot
	a.pilot = pilotError
	capped := false
	for k, resized := 0, 0; ; k++ {
		if err := begin(); err != nil {
			return err
		}
		profile, err := a.profile(ctx, resized < mostResizes)
		if errors.Is(err, errSlow) {
			a.pilot, capped, k = max(4*a.pilot, leastPilot(sumOf(profile)/a.fraction())), true, mostProfiles-1
			start.Stats.Pilot = a.state.Stats.Pilot
			continue
		}
		if err != nil && !errors.Is(err, errSmall) {
			return err
		}
		start.Stats.Pilot = a.state.Stats.Pilot
		if resized < mostResizes && a.resize(&start) {
			resized, k = resized+1, k-1
			continue
		}
		if unseen := min(mostUnseen, start.Unseen+a.unseen()); unseen > start.Unseen {
			start.Unseen, k = unseen, k-1
			continue // it may have stepped over whole turns, and tells nothing of these
		}
		if a.forgets() {
			return a.evenly(ctx, &start, begin)
		}
		if k == mostProfiles || a.state.Spent <= farPilot*budget {
			if err := a.reaches(); capped && err != nil {
				return err
			}
			start.Profile, start.Budget = profile, a.budget()
			return begin()
		}
		whole := sumOf(profile)
		wanted := min(a.pilot, math.Pow(farPilot*budget/whole, 2))
		if a.pilot = max(wanted, leastPilot(whole)); a.pilot > wanted {
			k, capped = mostProfiles-1, true // the last one: the run itself will be cut short
		}
	}
}

const (
	// farPilot: a pilot run whose error is this many budgets is of another motion, which comes to
	// rest a tenth of its time too early; one in about as many steps as give that error takes a
	// sixth of what the run takes.
	farPilot = 4
	// mostProfiles bounds how often a pilot run is made again.
	mostProfiles = 2
	// mostResizes bounds how often one is that finds other ways: each time a hundredth or less
	// where these are what steps leave open, see [Rubbing].
	mostResizes = 8
)

// errSmall ends a pilot run of a motion that is far larger than it was made for.
var errSmall = errors.New("dynamics: the pilot run has outgrown its sizes")

// errSlow ends a pilot run of more than twice the pairs that one may have.
var errSlow = errors.New("dynamics: the pilot run has too many steps")

// pilotPairs are those that a pilot run may have: a tenth of those of the run.
const pilotPairs = mostPairs / 10

// leastPilot is e_0 of a pilot run of so many pairs, of a motion whose K is whole.
func leastPilot(whole float64) float64 { return math.Pow(whole/pilotPairs, 2) }

// sumOf is K.
func sumOf(profile []float64) (k float64) {
	for _, x := range profile {
		k += x
	}
	return k
}

// resize takes the sizes of the motion from the pilot run where they are smaller than those it was made with at its end, or far
// larger, as where the equal steps of the runs that found these step over what moves, and reports whether any is another one.
// Sizes too small by 2 cost √2 times the steps, more than the sixth that a pilot run takes.
func (a *Adaptive) resize(start *AdaptiveState) (other bool) {
	take := func(list, found []float64) {
		for p, x := range found {
			if (x < list[p] && a.Done() || x > 2*list[p]) && !alike(x, list[p]) {
				list[p], other = x, true
			}
		}
	}
	start.Extents, start.Still, start.Energy = slices.Clone(a.state.Extents), a.rests(a.o.Accuracy), slices.Clone(start.Energy)
	take(start.Extents, a.extents())
	take(start.Energy, a.v.Creations().energies(nil))
	if a.twin != nil {
		start.Paces = a.paces(a.twin.state.Fastest)
		a.scalePaces(start.Paces, start.Extents)
	}
	return other
}

// extents are the ways of the run so far, or what is known of them.
func (a *Adaptive) extents() []float64 {
	list := a.ways.least(a.v, a.state.Moved)
	far, still := a.ways.far(a.v, a.state.Moved), a.rests(a.o.Accuracy)
	for p := range list {
		list[p] = max(list[p], still[p], farRounding*far[p]/a.o.Accuracy)
		if a.twin != nil {
			list[p] = max(list[p], a.twin.state.Slack[p])
		}
	}
	grew(list, floors(a.v, list))
	return list
}

// outgrows reports whether a part goes far farther than its size, or far more energy moves in its island than was known to.
func (a *Adaptive) outgrows() bool {
	far := func(list, sizes []float64) bool {
		for p, x := range list {
			if sizes[p] > 0 && x > 100*sizes[p] { // ten times too many steps
				return true
			}
		}
		return false
	}
	return far(a.extents(), a.state.Extents) || far(a.v.Creations().energies(nil), a.state.Energy)
}

// leastBudget bounds the budget of a run whose pilot was too coarse to tell.
const leastBudget = budget / 32

// budget is what Σe of the run may be, so that by the pilot run the whole error is within the
// accuracy.
func (a *Adaptive) budget() float64 {
	worst := a.worst()
	if worst <= a.state.Spent {
		return budget
	}
	return max(leastBudget, budget*a.state.Spent/worst)
}

// worst is the largest error that the twin says, over the accuracy.
func (a *Adaptive) worst() float64 {
	m := a.found()
	return m.Value / m.Limit
}

// found is the largest error that the twin says.
func (a *Adaptive) found() Measure {
	worst := Measure{Limit: a.o.Accuracy}
	if a.twin != nil {
		for _, m := range a.twin.Measures(a.o.Accuracy) {
			if m.Value > worst.Value {
				worst = m
			}
		}
	}
	return worst
}

// reaches returns an error where a run that has as many steps as it may is known not to reach the
// accuracy: where what the twin of the pilot run says still exceeds it, falling by the order of the
// scheme. Motions that forget their errors have small ones there, however large their sum is.
func (a *Adaptive) reaches() error {
	m := a.found()
	steps, most := a.state.Stats.Accepted, int(mostChosen)
	fall := float64(steps) / float64(most)
	if a.twin != nil && !a.twin.state.Rough {
		fall *= fall
	}
	if !(m.Value*fall > m.Limit) {
		return nil
	}
	return fmt.Errorf("dynamics: no steps that are chosen reach the accuracy of %g: the %s, is %.2g in %d of them (%s), and in %d, the most that are made, it would be %.2g: a less strict accuracy, or weights of second order (α, θ = ½), help",
		m.Limit, m.Name, m.Value, steps, m.Place, most, m.Value*fall)
}

// mostUnseen makes no more than 1024 steps of those that show nothing.
const mostUnseen = 4

// unseen is how often the longest pairs are halved, since the twin finds errors that the two halves
// of a pair do not: as the time of an impact, after which both are in one place, or whole turns of a
// top in each step. They fall with the step.
func (a *Adaptive) unseen() int {
	worst := a.worst()
	if worst <= budget || !(worst <= math.MaxFloat64) || budget*a.state.Spent/worst >= leastBudget {
		return 0
	}
	return int(min(mostUnseen, math.Ceil(math.Log2(worst/budget))))
}

// profile makes a run with the same error in each pair, and returns the sums of √e over
// equal parts of the run; resizes: one that outgrows its sizes ends there.
func (a *Adaptive) profile(ctx context.Context, resizes bool) ([]float64, error) {
	s := &a.state
	profile := make([]float64, profiles)
	defer func() { s.Stats.Pilot += s.Stats.Accepted + s.Stats.Rejected }()
	for !a.Done() {
		part := min(int(profiles*a.fraction()), profiles-1)
		before := s.Spent
		if err := a.Step(ctx); err != nil {
			return nil, err
		}
		profile[part] += math.Sqrt(s.Spent - before)
		switch {
		case s.Stats.Accepted > 4*pilotPairs:
			return profile, errSlow
		case resizes && s.Stats.Accepted%profiles == 0 && a.outgrows():
			return profile, errSmall
		}
	}
	return profile, nil
}

// sizes finds how far each part moves and the energy that moves, by runs of equal steps,
// twice as many each time until they say the same; the stepper is at its start again.
func (a *Adaptive) sizes(ctx context.Context) error {
	s := &a.state
	a.v.Keep(startSlot)
	a.resting = restingOf(a.v, a.o.Until)
	done := false // a run came to the end
	for k, n := 0, int64(2)<<a.coarse; k <= pilotDoublings; k, n = k+1, 2*n {
		halvings := 0
		if k == pilotDoublings && !done {
			halvings = pilotHalvings
		}
		extents, far, energy, err := a.equal(ctx, n, halvings)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if back := a.v.Return(startSlot); back != nil {
			return back
		}
		if err != nil {
			if k == pilotDoublings && !done {
				return fmt.Errorf("dynamics: the pilot run that finds the size of the motion failed at %d steps: %w", n, err)
			}
			continue
		}
		same := done && slices.EqualFunc(energy, s.Energy, alike) && slices.EqualFunc(extents, s.Extents, alike)
		still := a.still(len(extents))
		for p := range extents {
			extents[p] = max(extents[p], still[p], farRounding*far[p]/a.o.Accuracy)
		}
		if done {
			for p := range energy {
				energy[p] = min(energy[p], s.Energy[p])
			}
			for p := range s.Extents {
				extents[p] = min(extents[p], s.Extents[p])
			}
		}
		s.Extents, s.Energy = extents, energy
		if done = true; same {
			break
		}
	}
	s.Still = a.still(len(s.Extents))
	for p, least := range floors(a.v, s.Extents) {
		s.Extents[p] = max(s.Extents[p], least)
	}
	a.scalePaces(s.Paces, s.Extents)
	return nil
}

// still is the way of each of n parts below which it does not move.
func (a *Adaptive) still(n int) []float64 {
	return a.resting.leasts(a.o.Accuracy, partsOf(a.v, n))
}

// rests is the same as the run so far knows it: the steps of the runs that find sizes may be longer than what moves.
func (a *Adaptive) rests(accuracy float64) []float64 {
	list := slices.Clone(a.state.Still)
	if a.twin != nil {
		for p, x := range a.twin.state.Resting.leasts(accuracy, partsOf(a.v, len(list))) {
			list[p] = min(list[p], x)
		}
	}
	return list
}

// equal makes n equal steps, cut at the breaks, and halved so often where they fail, and returns the extents of the parts, as seen from
// where they are least, or what a step leaves open of them, and as their velocities have them, and
// the energies that moved in their islands.
func (a *Adaptive) equal(ctx context.Context, n int64, halvings int) (extents, far, energies []float64, err error) {
	var most, slack, open, fastest []float64
	a.resting.At = 0
	clear(a.resting.Ways)
	g := signal.NewGrid(a.o.Until, int(n), signal.TwinSteps, &signal.Course{Knots: a.o.Breaks})
	for k := range g.Steps() {
		h, t := g.Length(k+1), g.Time(k+1)
		if g.Equal() {
			t = a.o.Until * (float64(k+1) / float64(n)) // the times of pairs
		}
		if err := a.halved(ctx, h, t, halvings); err != nil {
			return nil, nil, nil, err
		}
		most = a.ways.see(a.v, most)
		a.resting.follow(a.v, &a.ways, most, t/a.o.Until)
		fastest = a.ways.fastest(a.v, fastest)
		slack = slackOf(a.v, slack)
		lengthen(&open, len(slack))
		grew(open[:len(slack)], slack)
	}
	a.resting.see(a.v)
	extents = a.ways.least(a.v, most)
	grew(extents, open)
	a.state.Paces = a.paces(fastest)
	return extents, a.ways.far(a.v, most), a.v.Creations().energies(nil), nil
}

// halved makes a step of h that ends at t, or its halves where that fails.
func (a *Adaptive) halved(ctx context.Context, h, t float64, halvings int) error {
	err := a.v.Advance(ctx, h, t)
	if err == nil {
		a.state.Stats.Pilot++
		a.tell(t, h)
	}
	if err != nil {
		a.refused = refusal{h: h, err: err}
	}
	if err == nil || halvings == 0 || ctx.Err() != nil {
		return err
	}
	if err := a.halved(ctx, h/2, t-h/2, halvings-1); err != nil {
		return err
	}
	return a.halved(ctx, h/2, t, halvings-1)
}

// floors are what the parts are measured by at least: turns by leastTurn, the others by a
// share of the longest way of their island, of what turns too.
func floors(v Variable, extents []float64) []float64 {
	list := make([]float64, len(extents))
	parts, root := partsOf(v, len(extents)), v.Creations().Root
	island := func(p int) int { // its first part
		if p = parts[p].home(p); p < len(root) {
			return root[p]
		}
		return 0
	}
	for p, x := range extents {
		if parts[p].Pair == nil {
			list[island(p)] = max(list[island(p)], neighbour*x)
		}
	}
	for p := len(list) - 1; p >= 0; p-- { // the root comes first
		list[p] = list[island(p)]
		if t := &parts[p]; t.Arm > 0 {
			list[p] = leastTurn * t.Arm
			if t.Centre >= 0 {
				list[p] = max(list[p], extents[t.Centre])
			}
		}
	}
	return list
}

// partsOf describes n parts.
func partsOf(v Variable, n int) []Part {
	if d, ok := v.(Described); ok {
		return d.Describe()[:n]
	}
	return make([]Part, n)
}

// alike reports that two sizes differ by no more than a pilot may err.
func alike(a, b float64) bool { return math.Abs(a-b) <= pilotChange*max(a, b) }
