package dynamics

import (
	"context"
	"fmt"
	"math"
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
	// Dissipated is the energy that friction, dampers and impacts have taken since the start [J].
	Dissipated() float64
	// PartNames are those of the parts that Distances measures, for people; nil: none.
	PartNames() []string
}

// Doubled estimates what a run of equal steps is off by: beside it runs a twin in steps of
// twice the length, and where both are at the same time their distance d is taken, each part
// for itself. With the error Ch^p of the run, that of the twin is 2^p Ch^p, and
//
//	Ch^p = d/(2^p − 1):  d/3 if nothing touched so far, in a scheme of second order, else d.
//
// The largest of all times is compared with how far the part moved. A run of less than eight
// steps has a twin in quarters of its steps, from which it differs by (1 − 4^{−p})Ch^p: what it
// steps over, one of twice the step would step over too. The run and its files are the same to the bit as without the twin, which costs half a run more.
//
// # Limits
//
// The estimate is that of a sequence that converges, and needs steps short enough for that: an
// event that is over within the first step of both alike is seen by the energy that it
// costs only, see [Creation]. Where neighbouring motions part, d says that they do.
type Doubled struct {
	v     Doubling
	h     float64
	state DoubledState
	parts []float64
}

// DoubledState is what a checkpoint keeps beside the state of the stepper.
type DoubledState struct {
	Steps, Of int       // made, of all
	Rough     bool      // a step was not of second order
	Twin      []byte    // the state of the twin, see Encode
	Still     []float64 // a part that moves less does not move [m]
	Error     []float64 // the largest so far of each part [m] …
	At        []float64 // … and when [s]
	Moved     []float64 // farthest that each part was from its start [m]
	Taken     float64   // largest energy dissipated so far [J] …
	TakenOff  float64   // … by how much that of the twin differs now [J] …
	TakenSum  float64   // … and the sum of that over so many times
	Compared  int       // with the twin
	Unknown   int       // of the steps of the twin, which it had to make as the run does …
	Cause     string    // … and why the first
}

// Slots of the run and of its twin.
const (
	runSlot = iota
	twinSlot
)

// NewDoubled watches a run of n steps of v, which is at its start.
func NewDoubled(v Doubling, until float64, n int) *Doubled {
	d := openDoubled(v, until, n)
	v.Keep(twinSlot)
	return d
}

func openDoubled(v Doubling, until float64, n int) *Doubled {
	d := &Doubled{v: v, h: until / float64(n)}
	d.state.Of = n
	d.state.Still = v.Reach(nil, until)
	for p := range d.state.Still {
		d.state.Still[p] *= still
	}
	parts := len(d.state.Still)
	for _, x := range []*[]float64{&d.state.Error, &d.state.At, &d.state.Moved} {
		*x = make([]float64, parts)
	}
	return d
}

// ResumeDoubled goes on from a checkpoint: v has loaded its own.
func ResumeDoubled(v Doubling, until float64, n int, s *DoubledState) (*Doubled, error) {
	d := openDoubled(v, until, n)
	parts := len(d.state.Still)
	if s.Of != n || len(s.Still) != parts || len(s.Error) != parts || len(s.At) != parts || len(s.Moved) != parts {
		return nil, fmt.Errorf("dynamics: the state of the estimate is of %d steps and %d parts, want %d and %d", s.Of, len(s.Error), n, parts)
	}
	d.state = *s
	d.state.Twin = nil
	return d, v.Decode(twinSlot, s.Twin)
}

// Save returns the present state.
func (d *Doubled) Save() (*DoubledState, error) {
	s := d.state
	for _, x := range []*[]float64{&s.Still, &s.Error, &s.At, &s.Moved} {
		*x = append([]float64(nil), *x...)
	}
	var err error
	s.Twin, err = d.v.Encode(twinSlot)
	return &s, err
}

// Step makes the next step of the run, from t, by the function given, whose error it returns,
// and then that of the twin, if it is its turn. Another error says that the stepper could
// not be brought back.
func (d *Doubled) Step(ctx context.Context, t float64, step func() error) error {
	if err := step(); err != nil {
		return err
	}
	s := &d.state
	s.Steps++
	s.Rough = s.Rough || !d.v.Smooth()
	d.parts = d.v.Distances(d.parts, -1)
	for p, x := range d.parts {
		s.Moved[p] = max(s.Moved[p], x)
	}
	s.Taken = max(s.Taken, d.v.Dissipated())
	if !s.few() && s.Steps%2 == 1 && s.Steps < s.Of {
		return nil
	}
	return d.twin(ctx, t+d.h)
}

// twin brings the twin to t, the time of the run, by the step that it is to make or, where
// that fails, by those of the run, and compares. Where these fail too, it is put to the run.
func (d *Doubled) twin(ctx context.Context, t float64) error {
	s := &d.state
	d.v.Keep(runSlot)
	taken := d.v.Dissipated()
	whole, steps := float64(2-s.Steps%2)*d.h, 1
	if s.few() {
		whole, steps = d.h, 4
	}
	err := d.advance(ctx, whole, t, steps)
	if err != nil {
		if s.Unknown++; s.Unknown == 1 {
			s.Cause = err.Error()
		}
		err = d.advance(ctx, whole, t, 2*steps)
	}
	if err == nil {
		s.Rough = s.Rough || !d.v.Smooth()
		d.v.Keep(twinSlot)
		s.TakenOff = math.Abs(taken - d.v.Dissipated())
		s.TakenSum, s.Compared = s.TakenSum+s.TakenOff, s.Compared+1
	}
	if back := d.v.Return(runSlot); back != nil {
		return back
	}
	if err != nil {
		d.v.Keep(twinSlot)
		return nil
	}
	d.parts = d.v.Distances(d.parts, twinSlot)
	for p, x := range d.parts {
		if x > s.Error[p] {
			s.Error[p], s.At[p] = x, t
		}
	}
	return nil
}

// advance brings the twin to t in some steps, whole together.
func (d *Doubled) advance(ctx context.Context, whole, t float64, steps int) error {
	if err := d.v.Return(twinSlot); err != nil {
		return err
	}
	h := whole / float64(steps)
	for k := steps - 1; k >= 0; k-- {
		if err := d.v.Advance(ctx, h, t-float64(k)*h); err != nil {
			return err
		}
	}
	return nil
}

// share is the error of the run over its distance from the twin.
func (s *DoubledState) share() float64 {
	switch {
	case s.few() && s.Rough:
		return 4. / 3
	case s.few():
		return 16. / 15
	case s.Rough:
		return 1
	}
	return 1. / 3
}

// few reports that the twin is in quarters of the steps.
func (s *DoubledState) few() bool { return s.Of < fewSteps }

const fewSteps = 8

// Unknown returns how many steps of the twin had to be made as the run does, so that nothing
// is said of them, and why the first: the errors of the others are taken for theirs.
func (d *Doubled) Unknown() (steps int, cause string) { return d.state.Unknown, d.state.Cause }

// known is the share of the steps of the twin of which something is said.
func (s *DoubledState) known() float64 {
	all := (s.Steps + 1) / 2
	if s.few() {
		all = s.Steps
	}
	return 1 - float64(s.Unknown)/max(1, float64(all))
}

// TrajectoryError is the name of what [Doubled.Measures] says.
const TrajectoryError = "error of the trajectory, estimated at twice the step"

// Measures says what the trajectory is worth: the largest of its estimated errors, of how far
// the worst part moved.
func (d *Doubled) Measures(accuracy float64) []Measure {
	s, share := &d.state, d.state.share()
	m := Measure{Name: TrajectoryError, Limit: accuracy, Unit: "-", Basis: Computed}
	if s.known() < 0.5 {
		m.Value, m.Place, m.Remedy = 1, "it is not known: most steps cannot be made at twice their length: "+s.Cause, "shorter steps"
		return []Measure{m}
	}
	share /= s.known()
	worst, least := 0, floors(d.v, s.Moved)
	for p, x := range s.Error {
		if x = ratio(share*x, max(s.Moved[p], s.Still[p], least[p])); x > m.Value {
			m.Value, worst = x, p
		}
	}
	if s.Error[worst] > 0 {
		m.Place = place(d.v, nil, worst, share*s.Error[worst], fmt.Sprintf(" at t = %.6g s", s.At[worst]), max(s.Moved[worst], s.Still[worst], least[worst]))
	}
	if !m.Passed() {
		m.Remedy = moreSteps(s.Steps, m.Value/m.Limit)
		if !s.Rough {
			m.Remedy = fmt.Sprintf("about %.3g steps, the error being O(h²)", math.Ceil(float64(s.Steps)*math.Sqrt(m.Value/m.Limit)))
		}
	}
	return []Measure{m, d.dissipation(accuracy, share)}
}

// DissipationError is the name of the other thing that [Doubled.Measures] says.
const DissipationError = "error of the dissipated energy, estimated at twice the step"

// leastTaken: dissipation of less than this share of the energy that moves is measured by that.
const leastTaken = 0.1

// dissipation says what the energy that contacts have taken is worth, at the end or in the mean
// over time, whichever is more: an impact takes it at once, and is off in time where
// the places are off by little.
func (d *Doubled) dissipation(accuracy, share float64) Measure {
	s := &d.state
	of := max(s.Taken, leastTaken*d.v.Creations().Whole.Scale())
	off, when := share*s.TakenOff, "at the end"
	if mean := share * s.TakenSum / max(1, float64(s.Compared)); mean > off {
		off, when = mean, "in the mean over time"
	}
	m := Measure{Name: DissipationError, Value: ratio(off, of), Limit: accuracy, Unit: "-", Basis: Computed}
	if off > 0 {
		m.Place = fmt.Sprintf("%.3g J %s, of %.3g J", off, when, of)
	}
	if !m.Passed() {
		m.Remedy = moreSteps(s.Steps, m.Value/m.Limit)
	}
	return m
}
