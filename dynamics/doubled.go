package dynamics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/signal"
)

// Doubling is a stepper whose equal steps [Doubled] can look at.
type Doubling interface {
	Variable
	// Smooth reports whether the last step was one of second order: by the scheme, and as
	// nothing met or slid in it.
	Smooth() bool
	// Encode returns the state in a slot, Decode puts it there.
	Encode(slot int) ([]byte, error)
	Decode(slot int, state []byte) error
	// PartNames are those of the parts that Distances measures, for people; nil: none.
	PartNames() []string
	// Freedoms is the number of velocities.
	Freedoms() int
}

// Rough is a [Doubling] whose steps can be solved to fewer digits, as those of twins need no more
// than tell how far the run is from them.
type Rough interface {
	Rough(on bool)
}

// Divided is a [Doubling] that makes a step that fails in parts.
type Divided interface {
	// Divisions appends the times in the last step at which parts of it that failed were halved.
	Divisions(dst []float64) []float64
}

// Doubled estimates what a run of equal steps is off by: beside it run two twins, in steps of
// twice and of four times the length. Where two are at the same time their distance is taken, each
// part for itself: d of the run from the first twin, d' of that one from the second. With the error
// Ch^p of the run, those of the twins are 2^p Ch^p and 4^p Ch^p, and
//
//	Ch^p = d/(2^p − 1) = d'/(2^p(2^p − 1)),  p = 2 if nothing touched so far, in a scheme of second order, else 1.
//
// Events fall anywhere into steps, and make errors of a size O(h) whose sign no power of h has: d
// may be small by chance. So the larger of the two is taken, times [caution]; and the largest of
// all times is compared with how far the part moved. Likewise the energy that friction, dampers and
// impacts have taken in each island, see [Doubled.Measures].
//
// A run that is small, or has less than eight steps, has one twin, in quarters of its steps, from
// which it differs by (1 − 4^{−p})Ch^p. It sees what the run steps over, as the springs of a
// contact that swing faster than the steps, which one of twice the step would step over too; and it
// costs four times the run. So small is what takes less time than to start a program.
//
// Where the run made its step in parts, since it failed as a whole, a longer one of the first twin
// would fail too and be made in the same parts, and the two would agree: there it halves these.
//
// The run and its files are the same to the bit as without the twins, of which the two cost three
// quarters of a run.
//
// Beside steps that [Adaptive] chooses the first twin makes one step for each pair of them, and the
// second two that are not alike, see
// [Doubled.uneven]: steps that are dyadic parts of the run meet what is periodic in the same way each time, and so do
// those of twice their length, so that errors of events add up in both. In places that differ from
// pair to pair they do not, and the distance of the run from this twin is its error, but for one of
// the same size that has both signs.
//
// # Limits
//
// The estimate is that of a sequence that converges, and needs steps short enough for that: an
// event that is over within the first step of all alike is seen by the energy that it costs, see
// [Creation], and by what the step leaves open of the ways of what rubs, see [Rubbing]. Where
// neighbouring motions part, d says that they do.
type Doubled struct {
	// OnTwin, if not nil, watches: v is at the state behind each step of the first twin, by a share of the distance
	// from which the run is off.
	OnTwin func(share float64)

	v           Doubling
	ways        ways
	h           float64 // 0: the steps are chosen
	until       float64
	grid        *signal.Grid // of steps that may not all be equal; nil: they are
	slots       [1 + twins]int
	state       DoubledState
	parts       []float64
	slack       []float64
	lengths     []float64               // of the steps of a twin [s]
	tallies     [1 + twins]tallies      // of the islands of the run and of the twins
	sums        []float64               // of those of the run, by the islands of all
	paced       Paced                   // nil: nothing is said of velocities
	speeds      [1 + twins][][3]float64 // of the run and of the twins [m/s]
	islandsLate []bool                  // see late
	holding     holding
}

// twins are those in steps of twice and of four times the length.
const twins = 2

// caution is what an estimate is multiplied by, for the places of events in steps, see TestMotions.
const caution = 1.1

// DoubledState is what a checkpoint keeps beside the state of the stepper.
type DoubledState struct {
	Steps, Of int  // made, of all
	Fine      bool // the twin is in quarters of the steps
	Rough     bool // a step was not of second order
	Twin      [twins]Twin
	Resting   Resting
	Moved     []float64 // farthest that each part was from its start, see ways [m]
	Slack     []float64 // largest of a step of each part, see [Rubbing] [m] …
	SlackAt   []float64 // … and its end [s]
	Root      []int     // the first part of each part's island, in any of the runs so far
	Most      tallies   // largest of each island so far
	Parts     []float64 // ends of parts of steps since the first twin's last one, if some were divided [s]
	Fastest   []float64 // velocities so far of each part in each frame, see ways.fastest [m/s]
	Turns     int       // steps of the first twin
	Unknown   int       // of these, which it had to make in other parts, …
	Lost      int       // … which it could not make at all …
	Cause     string    // … and why the first
	Own       Own
}

// Twin is what is known of a twin, beside the run of half its step.
type Twin struct {
	State    []byte    // see Encode
	Error    []float64 // largest distance so far of each part [m] …
	At       []float64 // … and when [s]
	Off      tallies   // differences of each island now …
	Sum      tallies   // … and the sums of them over so many times, each by its weight …
	Compared int
	Weight   float64 // … and of these: times [s] where steps are chosen, else 1
	Dates    Dates
	Speeds   speeds
}

// NewDoubled watches a run of n steps of v, which is at its start.
func NewDoubled(v Doubling, until float64, n int) *Doubled {
	d := openDoubled(v, until, n)
	d.keep()
	return d
}

// On says that the steps of the run are those of a grid, whose groups of four are those of the
// twins.
func (d *Doubled) On(g *signal.Grid) { d.grid = g }

// span is the length of the last n steps of the run.
func (d *Doubled) span(n int) float64 {
	if d.grid == nil || d.grid.Equal() {
		return float64(n) * d.h
	}
	return d.grid.Time(d.state.Steps) - d.grid.Time(d.state.Steps-n)
}

// keep puts the twins to the present state.
func (d *Doubled) keep() {
	for k := range twins {
		d.v.Keep(d.slots[1+k])
	}
}

// openDoubled opens the estimate of a run of n steps; 0: of [Adaptive] ones.
func openDoubled(v Doubling, until float64, n int) *Doubled {
	d := &Doubled{v: v, until: until, ways: waysOf(v), holding: holdingOf(v, until), slots: [1 + twins]int{0, 1, 2}}
	s := &d.state
	if n == 0 {
		d.slots = [1 + twins]int{0, followerSlot, straySlot}
	} else {
		d.h = until / float64(n)
		s.Of, s.Fine = n, n < fewSteps || n*v.Freedoms() <= smallRun
	}
	s.Resting = restingOf(v, until)
	parts, islands := len(v.Distances(nil, -1)), len(v.Creations().Root)
	s.fit(parts)
	s.Moved, s.Root, s.Most = make([]float64, d.ways.room(parts)), make([]int, islands), newTallies(islands)
	for p := range s.Root {
		s.Root[p] = p
	}
	for k := range s.Twin {
		t := &s.Twin[k]
		t.Off, t.Sum = newTallies(islands), newTallies(islands)
	}
	d.openSpeeds()
	return d
}

// fit makes room for the pairs that have met.
func (s *DoubledState) fit(parts int) {
	lengthen(&s.Slack, parts)
	lengthen(&s.SlackAt, parts)
	for k := range s.Twin {
		lengthen(&s.Twin[k].Error, parts)
		lengthen(&s.Twin[k].At, parts)
	}
}

// lists are all that a state keeps of each part or island.
func (s *DoubledState) lists() (list []*[]float64) {
	list = []*[]float64{&s.Resting.Reach, &s.Resting.Gaps, &s.Resting.Rounding, &s.Resting.Digits, &s.Resting.Ways,
		&s.Moved, &s.Slack, &s.SlackAt, &s.Fastest}
	for j := range kinds {
		list = append(list, &s.Most[j])
		for k := range s.Twin {
			list = append(list, &s.Twin[k].Off[j], &s.Twin[k].Sum[j])
		}
	}
	for k := range s.Twin {
		t := &s.Twin[k]
		list = append(append(list, &t.Error, &t.At), t.Speeds.lists()...)
	}
	return list
}

// ResumeDoubled goes on from a checkpoint: v has loaded its own.
func ResumeDoubled(v Doubling, until float64, n int, s *DoubledState) (*Doubled, error) {
	d := openDoubled(v, until, n)
	for i, x := range d.state.lists() {
		if s.Of != n || len(*s.lists()[i]) != len(*x) || len(s.Root) != len(d.state.Root) {
			return nil, fmt.Errorf("dynamics: the state of the estimate is of %d steps and %d parts, want %d and %d",
				s.Of, len(s.Resting.Reach), n, len(d.state.Resting.Reach))
		}
	}
	for _, r := range s.Root {
		if r < 0 || r >= len(s.Root) {
			return nil, fmt.Errorf("dynamics: the state of the estimate has an island of part %d of %d", r, len(s.Root))
		}
	}
	for k := range s.Twin {
		if hits := (&Twin{Dates: s.Own.Hits, Speeds: s.Twin[k].Speeds}); !s.Twin[k].fits(&d.state.Twin[k],
			len(s.Root)) || !hits.fits(&d.state.Twin[k], len(s.Root)) {
			return nil, errors.New("dynamics: the state of the estimate has velocities or hits of other parts")
		}
	}
	d.state = *s
	for k := range twins {
		if err := v.Decode(d.slots[1+k], s.Twin[k].State); err != nil {
			return nil, err
		}
		d.state.Twin[k].State = nil
	}
	return d, nil
}

// Save returns the present state.
func (d *Doubled) Save() (*DoubledState, error) {
	s := d.state
	for _, x := range s.lists() {
		*x = append([]float64(nil), *x...)
	}
	s.Root, s.Parts = append([]int(nil), s.Root...), append([]float64(nil), s.Parts...)
	s.Own.Recent, s.Own.Hits.Recent, s.Own.Margins = cloned(s.Own.Recent), cloned(s.Own.Hits.Recent), s.Own.Margins.clone()
	var err error
	for k := range twins {
		if s.Twin[k].State, err = d.v.Encode(d.slots[1+k]); err != nil {
			return nil, err
		}
		x := &s.Twin[k].Speeds
		x.Then, x.Side = slices.Clone(x.Then), slices.Clone(x.Side)
		s.Twin[k].Dates.Recent, s.Twin[k].Speeds.Hits = cloned(s.Twin[k].Dates.Recent), maps.Clone(s.Twin[k].Speeds.Hits)
		s.Twin[k].Dates.Margins = s.Twin[k].Dates.Margins.clone()
	}
	return &s, nil
}

// Step makes the next step of the run, from t, by the function given, whose error it returns,
// and then those of the twins whose turn it is. Another error says that the stepper could
// not be brought back, or wraps the cause of a context that is done amid a twin's step: the step of
// the run is made, and the estimate goes on from the state that was saved before it.
func (d *Doubled) Step(ctx context.Context, t float64, step func() error) error {
	kinked := d.grid != nil && d.grid.Kinked(d.state.Steps+1)
	if kinked {
		d.v.Keep(startSlot)
		d.holding.begin()
	}
	if err := step(); err != nil {
		return err
	}
	d.state.Steps++
	end := t + d.span(1)
	d.see(end)
	if kinked {
		if err := d.approach(ctx, d.span(1), end); err != nil {
			return fmt.Errorf("dynamics: t = %.9g s: the twin of the run: %w", end, err)
		}
	}
	var ago [twins]float64
	for k := range ago {
		ago[k] = d.span(d.state.ago(k))
	}
	return d.compare(ctx, ago, end)
}

// see looks at a step of the run that ends at t.
func (d *Doubled) see(t float64) {
	s := &d.state
	s.Rough = s.Rough || !d.v.Smooth()
	s.Resting.see(d.v)
	s.Moved = d.ways.see(d.v, s.Moved)
	s.Resting.follow(d.v, &d.ways, s.Moved, t/d.until)
	s.fit(d.ways.count(s.Moved))
	d.slack = slackOf(d.v, d.slack)
	for p, x := range d.slack {
		if x > s.Slack[p] {
			s.Slack[p], s.SlackAt[p] = x, t
		}
	}
	v, divided := d.v.(Divided)
	if divided {
		s.Parts = v.Divisions(s.Parts)
	}
	if divided || len(s.Parts) > 0 {
		s.Parts = append(s.Parts, t)
	}
	s.Own.add(d.v, t)
	s.Fastest = d.ways.fastest(d.v, s.Fastest)
}

// compare makes the steps of the twins that are behind the run, which is at t, by some times.
func (d *Doubled) compare(ctx context.Context, ago [twins]float64, t float64) error {
	if ago[0] == 0 {
		return nil
	}
	d.v.Keep(d.slots[0])
	d.take(0)
	d.takeSpeeds(0)
	d.largest()
	for k := range twins {
		if ago[k] > 0 {
			if err := d.twin(ctx, k, ago[k], t); err != nil {
				return err
			}
		}
	}
	return d.v.Return(d.slots[0])
}

// ago is how many steps of the run twin k is behind it, if it is its turn; else 0.
func (s *DoubledState) ago(k int) int {
	of := 2 << k
	switch n := (s.Steps-1)%of + 1; {
	case s.Fine && k == 0:
		return 1
	case !s.Fine && (n == of || s.Steps == s.Of):
		return n
	}
	return 0
}

// twin brings twin k to t, whole ago, by the step that it is to make or, where that fails, by others,
// see [Doubled.instead], and compares it with the run of half its step. Where these fail too, it is
// put to that run.
func (d *Doubled) twin(ctx context.Context, k int, whole, t float64) error {
	s, beside, slot := &d.state, k, d.slots[1+k]
	x, lengths := &s.Twin[k], d.equal(whole, 1)
	switch {
	case k == 0 && d.divided():
		lengths = d.within(whole, t)
	case s.Fine:
		lengths = d.equal(whole, 4)
	case d.h == 0 && k == 1:
		beside, lengths = 0, d.uneven(whole)
	}
	finer := d.slots[beside]
	if k == 0 {
		s.Turns++
		s.Parts = s.Parts[:0]
	}
	err := d.advance(ctx, k, t, lengths)
	if err != nil && ctx.Err() == nil {
		err = d.instead(ctx, k, t, whole, len(lengths), err)
	}
	if err != nil && ctx.Err() != nil { // what was stopped says nothing of the step
		return errors.Join(fmt.Errorf("dynamics: t = %.9g s: the twin of the run: %w", t, context.Cause(ctx)), d.v.Return(d.slots[0]))
	}
	if err != nil {
		if back := d.v.Return(finer); back != nil {
			return back
		}
		d.v.Keep(slot)
		d.tallies[k+1].set(&d.tallies[beside])
		d.takeSpeeds(1 + k)
		return nil
	}
	s.Rough = s.Rough || !d.v.Smooth()
	s.Resting.see(d.v)
	d.v.Keep(slot)
	d.parts = d.v.Distances(d.parts, finer)
	for p, y := range d.parts {
		s.Resting.apart(p, y, y-x.Error[p], (t-whole)/d.until, t/d.until)
		if y > x.Error[p] {
			x.Error[p], x.At[p] = y, t
		}
	}
	d.take(k + 1)
	weight := 1.0 // of equal steps
	if d.h == 0 {
		weight = whole
	}
	x.compare(s.Root, &d.tallies[beside], &d.tallies[k+1], weight)
	d.takeSpeeds(1 + k)
	d.compareSpeeds(k, beside, t, weight)
	return nil
}

// instead brings twin k to t where a step, in so many parts, has failed: the second twin as the run
// of half its step does, the first one in halves of those of the run, so that it still sees what
// these step over. The error of its step is taken to be that of the others; where halves fail too,
// so may that of the run, and nothing is known of either.
func (d *Doubled) instead(ctx context.Context, k int, t, whole float64, parts int, why error) error {
	s := &d.state
	if k == 1 || s.Fine {
		parts *= 2
	} else {
		parts *= 4
	}
	err := d.advance(ctx, k, t, d.equal(whole, parts))
	if k == 1 || ctx.Err() != nil {
		return err
	}
	if s.Unknown++; s.Unknown == 1 {
		s.Cause = why.Error()
	}
	if err != nil {
		if s.Lost++; s.Lost == 1 {
			s.Cause = err.Error()
		}
	}
	return err
}

// advance brings twin k to t in steps of some lengths.
func (d *Doubled) advance(ctx context.Context, k int, t float64, lengths []float64) error {
	if err := d.v.Return(d.slots[1+k]); err != nil {
		return err
	}
	if r, ok := d.v.(Rough); ok {
		r.Rough(true)
		defer r.Rough(false)
	}
	return beside(d.v, func() error {
		for i, h := range lengths {
			left := 0.0
			for _, x := range lengths[i+1:] {
				left += x
			}
			if err := d.v.Advance(ctx, h, t-left); err != nil {
				return err
			}
			d.state.Twin[k].Dates.add(d.v, h, t-left)
			if k == 0 && d.OnTwin != nil {
				d.OnTwin(d.shares()[0])
			}
		}
		return nil
	})
}

// equal cuts a length into n.
func (d *Doubled) equal(whole float64, n int) []float64 {
	d.lengths = d.lengths[:0]
	for range n {
		d.lengths = append(d.lengths, whole/float64(n))
	}
	return d.lengths
}

// divided reports whether a step of the run was made in parts since the last one of the first twin.
func (d *Doubled) divided() bool {
	steps := 1
	if !d.state.Fine {
		steps = 2
	}
	return len(d.state.Parts) > steps
}

// within cuts the parts in which the run made a length that ends at t in two, of a fine twin in four.
func (d *Doubled) within(whole, t float64) []float64 {
	n := 2
	if d.state.Fine {
		n = 4
	}
	ends := d.state.Parts
	slices.Sort(ends)
	d.lengths = d.lengths[:0]
	last := t - whole
	for _, end := range ends {
		if end = min(end, t); end <= last {
			continue
		}
		for range n {
			d.lengths = append(d.lengths, (end-last)/float64(n))
		}
		last = end
	}
	return d.lengths
}

// golden is the number whose multiples, without their whole parts, are spread most evenly.
const golden = 0.6180339887498949

// uneven cuts a length in two, between a quarter and three quarters of it: nowhere near the same
// place in pairs that follow. While the run is small each part is cut in four.
func (d *Doubled) uneven(whole float64) []float64 {
	_, at := math.Modf(golden * float64(d.state.Turns))
	first, n := whole*(0.25+0.5*at), 1
	if d.small() {
		n = 4
	}
	d.lengths = d.lengths[:0]
	for _, part := range [2]float64{first, whole - first} {
		for range n {
			d.lengths = append(d.lengths, part/float64(n))
		}
	}
	return d.lengths
}

// small reports whether a run of chosen steps has been small so far.
func (d *Doubled) small() bool { return 2*d.state.Turns*d.v.Freedoms() <= smallChosen }

// shares are the errors of the run over the distances of each twin.
func (d *Doubled) shares() [twins]float64 {
	s := &d.state
	p := 2.0 // 2^p
	if !s.Rough {
		p = 4
	}
	if s.Fine {
		return [twins]float64{caution * p * p / (p*p - 1)}
	}
	if s.Of == 0 { // steps are chosen
		beside := caution // the second is beside the run, and as far from the truth as that …
		if d.small() {
			beside *= p * p / (p*p - 1) // … or in quarters
		}
		return [twins]float64{caution / (p - 1), beside}
	}
	return [twins]float64{caution / (p - 1), caution / (p * (p - 1))}
}

const (
	// fewSteps: a run of less has a twin in quarters of its steps.
	fewSteps = 8
	// smallRun: so has one of no more steps times velocities, which takes some 10 ms.
	smallRun = 10000
	// smallChosen: a run of chosen steps is small up to so many; the pilot runs tell no better than
	// this how many there will be.
	smallChosen = 10 * smallRun
)

// Unknown returns how many steps of the twin had to be made in other parts than those that tell the
// error, and why the first: the errors of the others are taken for theirs.
func (d *Doubled) Unknown() (steps int, cause string) { return d.state.Unknown, d.state.Cause }

// known is the share of the steps of the twin of which something is said.
func (s *DoubledState) known() float64 { return 1 - float64(s.Unknown)/max(1, float64(s.Turns)) }

// TrajectoryError is the name of what [Doubled.Measures] says.
const TrajectoryError = "error of the trajectory, estimated at twice the step"

// Measures says what the trajectory is worth: the largest of its estimated errors, of how far
// the worst part moved; and what the dissipated energies are.
func (d *Doubled) Measures(accuracy float64) []Measure {
	s, shares := &d.state, d.shares()
	m := Measure{Name: TrajectoryError, Limit: accuracy, Unit: "-", Basis: Estimated}
	if s.Lost > 0 || s.known() < 0.5 {
		why := "most steps cannot be made at twice their length"
		if s.Lost > 0 {
			why = "a step can be made neither at twice nor at half its length"
		}
		// No number: one that an accuracy of 1 would pass says nothing.
		m.Value, m.Limit, m.Place, m.Remedy = 1, 0, "it is not known: "+why+": "+s.Cause, "shorter steps"
		taken := m
		taken.Name = DissipationError
		return []Measure{m, taken}
	}
	for k := range shares {
		shares[k] /= s.known()
	}
	worst := d.worst(accuracy, shares)
	if m.Value = worst.value; m.Value > 0 {
		m.Place = place(d.v, nil, worst.part, worst.off, worst.when, worst.of)
	}
	switch {
	case m.Passed():
	case worst.cause == "":
		m.Remedy = d.remedy(s.Twin[1].Error[worst.part], s.Twin[0].Error[worst.part], &m)
	default:
		m.Place += ", " + worst.cause
		m.Remedy = d.resolve(worst.cause)
	}
	return slices.Concat([]Measure{m}, d.friction(accuracy, shares), d.dissipation(accuracy, shares), d.speed(accuracy, shares))
}

// misplaced is what is known of the place of a part [m].
type misplaced struct {
	part           int
	value, off, of float64 // estimated error, of the way
	when           string
	cause          string // what it is from, where it is not the distance of a twin
}

const (
	inAStep    = "by what happens within a step, unseen by all of its twins"
	byRounding = "by the rounding of its coordinates"
)

// sizes are what the places of the parts are measured by [m].
func (d *Doubled) sizes(accuracy float64) []float64 {
	s := &d.state
	moved, far := d.ways.least(d.v, s.Moved), d.ways.far(d.v, s.Moved)
	least, still := floors(d.v, moved), s.Resting.leasts(accuracy, partsOf(d.v, len(moved)))
	for p := range moved {
		moved[p] = max(moved[p], still[p], least[p], farRounding*far[p]/accuracy)
	}
	return moved
}

// worst returns the part whose place is off by most, of its way: by the distances of the twins, by
// what its steps leave open, or by rounding.
func (d *Doubled) worst(accuracy float64, shares [twins]float64) (worst misplaced) {
	s := &d.state
	sizes, far := d.sizes(accuracy), d.ways.far(d.v, s.Moved)
	parts := partsOf(d.v, len(sizes))
	var coordinates []float64
	if v, ok := d.v.(Placed); ok {
		coordinates = byPairs(v.Farthest(nil), parts)
	}
	for p, of := range sizes {
		take := func(off float64, when, cause string) {
			if y := ratio(off, of); y > worst.value {
				worst = misplaced{p, y, off, of, when, cause}
			}
		}
		for k := range s.Twin {
			take(shares[k]*s.Twin[k].Error[p], fmt.Sprintf(" at t = %.6g s", s.Twin[k].At[p]), "")
		}
		take(s.Slack[p], fmt.Sprintf(" at t = %.6g s", s.SlackAt[p]), inAStep)
		if x := parts[p].Pair; coordinates != nil && (x == nil || x.Normal == [3]float64{}) { // along a normal they are others
			take(lost(s.Steps, coordinates[p], far[p]), "", byRounding)
		}
	}
	return worst
}

// resolve says what helps against an error that twins do not see.
func (d *Doubled) resolve(cause string) string {
	switch {
	case cause == byRounding:
		return "a scene near the origin"
	case d.h > 0:
		return "steps that resolve it: without \"steps\" they are chosen so"
	}
	return otherSteps
}

// remedy says what would bring a measure to its limit; coarse and fine are the distances of the
// second twin from the first, and of that from the run.
func (d *Doubled) remedy(coarse, fine float64, m *Measure) string {
	s, o := &d.state, firstOrder
	if !s.Rough {
		o = secondOrder
	}
	switch {
	case d.h == 0:
		return otherSteps
	case !s.Fine:
		o = observed(coarse, fine, o)
	}
	text := o.moreSteps(s.Steps, m)
	if !s.Fine && s.Rough && s.met() { // small runs are tried
		text = o.near(s.Steps, m, text)
	}
	return text
}

// met reports whether contacts, or dampers, have taken energy.
func (s *DoubledState) met() bool {
	return slices.ContainsFunc(s.Most[energyTaken], func(x float64) bool { return x > 0 })
}
