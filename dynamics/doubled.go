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
	// Trace stores all that Distances asks of the state in a slot; SetTrace puts it there.
	Trace(dst []float64, slot int) []float64
	SetTrace(slot int, trace []float64) error
	// PartNames are those of the parts that Distances measures, for people; nil: none.
	PartNames() []string
}

// Doubled estimates what equal steps are off by, as [Adaptive] does of its own: beside each
// pair of steps of h one of 2h is made from the same start. For a step of order p, with the
// error Ch^{p+1}, the distance of the two is d = (2^{p+1} − 2)Ch^{p+1}, and the pair is off by
//
//	2Ch^{p+1} = d/(2^p − 1):  d/3 where nothing touches in a scheme of second order, else d.
//
// The last step of an odd number is compared with two of its half, from which it differs by
// (1 − 2^{−p})Ch^{p+1}. The errors of all pairs are added up, each part for itself, and
// compared with how far the part moved. Run and files are the same to the bit as without
// that. It costs half a run more.
//
// # Limits
//
// Those of [Adaptive]: errors are added up, which is right where motions neither converge nor
// diverge; an event that is over within the first step at 2h and at h alike is not seen by
// positions, but by the energy that it costs, see [Creation].
type Doubled struct {
	v     Doubling
	h     float64
	state DoubledState
	parts []float64
}

// DoubledState is what a checkpoint keeps beside the state of the stepper.
type DoubledState struct {
	Steps, Of int // made, of all
	Left      int // steps up to the state in Trace; 0: there is none
	Pair      bool
	Smooth    bool // the steps since its start, and the other one
	Trace     []float64
	Still     []float64 // a part that moves less does not move [m]
	Sum       []float64 // of the errors of each part [m] …
	Rough     []float64 // … of those that are of first order
	Worst     []float64 // the largest error of each part [m] …
	At        []float64 // … and when its pair ended [s]
	Moved     []float64 // farthest that each part was from its start [m]
	Unknown   int       // steps that could not be made at another length …
	Cause     string    // … and why the first could not
}

// coarseSlot has the end of the step of another length; the run is in slot 0 meanwhile.
const coarseSlot = 1

// NewDoubled watches a run of n steps of v, which is at its start.
func NewDoubled(v Doubling, until float64, n int) *Doubled {
	d := &Doubled{v: v, h: until / float64(n)}
	d.state.Of = n
	d.state.Still = v.Reach(nil, until)
	for p := range d.state.Still {
		d.state.Still[p] *= still
	}
	parts := len(d.state.Still)
	for _, x := range []*[]float64{&d.state.Sum, &d.state.Rough, &d.state.Worst, &d.state.At, &d.state.Moved} {
		*x = make([]float64, parts)
	}
	return d
}

// ResumeDoubled goes on from a checkpoint: v has loaded its own.
func ResumeDoubled(v Doubling, until float64, n int, s *DoubledState) (*Doubled, error) {
	d := NewDoubled(v, until, n)
	parts := len(d.state.Still)
	if s.Of != n || len(s.Still) != parts || len(s.Sum) != parts || len(s.Rough) != parts || len(s.Worst) != parts || len(s.At) != parts || len(s.Moved) != parts {
		return nil, fmt.Errorf("dynamics: the state of the estimate is of %d steps and %d parts, want %d and %d", s.Of, len(s.Sum), n, parts)
	}
	d.state.set(s)
	if s.Left > 0 {
		if err := v.SetTrace(coarseSlot, s.Trace); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Save stores the present state; the slices of dst are reused.
func (d *Doubled) Save(dst *DoubledState) {
	if dst.set(&d.state); d.state.Left > 0 {
		dst.Trace = d.v.Trace(dst.Trace[:0], coarseSlot)
	}
}

// set makes s a copy of x.
func (s *DoubledState) set(x *DoubledState) {
	old := *s
	*s = *x
	for _, l := range []struct{ to, memory, from *[]float64 }{{&s.Trace, &old.Trace, &x.Trace}, {&s.Still, &old.Still, &x.Still}, {&s.Sum, &old.Sum, &x.Sum},
		{&s.Rough, &old.Rough, &x.Rough}, {&s.Worst, &old.Worst, &x.Worst}, {&s.At, &old.At, &x.At}, {&s.Moved, &old.Moved, &x.Moved}} {
		*l.to = append((*l.memory)[:0], *l.from...)
	}
}

// Step makes the next step of the run, from t, by the function given, and before it, where a
// pair begins, the one that the pair is compared with. An error is that of the function, or
// says that the stepper could not be brought back.
func (d *Doubled) Step(ctx context.Context, t float64, step func() error) error {
	s := &d.state
	if s.Left == 0 {
		if err := d.begin(ctx, t); err != nil {
			return err
		}
	}
	if err := step(); err != nil {
		return err
	}
	s.Steps++
	s.Smooth = s.Smooth && d.v.Smooth()
	d.parts = d.v.Distances(d.parts, -1)
	for p, x := range d.parts {
		s.Moved[p] = max(s.Moved[p], x)
	}
	if s.Left > 0 {
		if s.Left--; s.Left == 0 {
			d.compare(t + d.h)
		}
	}
	return nil
}

// begin makes the step of 2h from the present state or, where one step of the run is left or
// that one fails, two of ½h, keeps where they lead, and comes back.
func (d *Doubled) begin(ctx context.Context, t float64) error {
	s := &d.state
	d.v.Keep(0)
	var err error
	if s.Pair = s.Steps+1 < s.Of; s.Pair {
		if err = d.v.Advance(ctx, 2*d.h, t+2*d.h); err != nil {
			s.Pair = false
			if back := d.v.Return(0); back != nil {
				return back
			}
		}
	}
	if !s.Pair {
		for _, end := range [2]float64{t + d.h/2, t + d.h} {
			if err = d.v.Advance(ctx, d.h/2, end); err != nil {
				break
			}
		}
	}
	switch {
	case err != nil:
		if s.Unknown++; s.Unknown == 1 {
			s.Cause = err.Error()
		}
	case s.Pair:
		s.Left = 2
	default:
		s.Left = 1
	}
	s.Smooth = d.v.Smooth()
	d.v.Keep(coarseSlot)
	return d.v.Return(0)
}

// compare takes the error of the steps that end at t.
func (d *Doubled) compare(t float64) {
	s := &d.state
	factor := 1.0 // of a pair, of first order
	switch {
	case s.Pair && s.Smooth:
		factor = 1. / 3
	case s.Smooth:
		factor = 4. / 3
	case !s.Pair:
		factor = 2
	}
	d.parts = d.v.Distances(d.parts, coarseSlot)
	for p, x := range d.parts {
		x *= factor
		s.Sum[p] += x
		if !s.Smooth {
			s.Rough[p] += x
		}
		if x > s.Worst[p] {
			s.Worst[p], s.At[p] = x, t
		}
	}
}

// Unknown returns how many steps could not be made at another length, and why the first
// could not: nothing is said of these.
func (d *Doubled) Unknown() (steps int, cause string) { return d.state.Unknown, d.state.Cause }

// TrajectoryError is the name of what [Doubled.Measures] says.
const TrajectoryError = "error of the trajectory, estimated by doubled steps"

// Measures says what the trajectory is worth: the sum of its estimated errors, of how far
// the worst part moved.
func (d *Doubled) Measures(accuracy float64) []Measure {
	s := &d.state
	m := Measure{Name: TrajectoryError, Limit: accuracy, Unit: "-", Basis: Computed}
	worst, least := 0, floors(d.v, s.Moved)
	for p, sum := range s.Sum {
		if x := ratio(sum, max(s.Moved[p], s.Still[p], least[p])); x > m.Value {
			m.Value, worst = x, p
		}
	}
	if s.Sum[worst] > 0 {
		m.Place = fmt.Sprintf("%s: %.3g m of %.3g m, most of it %.3g m up to t = %.6g s", partName(d.v.PartNames(), worst), s.Sum[worst], s.Moved[worst], s.Worst[worst], s.At[worst])
	}
	if !m.Passed() {
		factor := m.Value / m.Limit
		m.Remedy = moreSteps(s.Steps, factor)
		if s.Rough[worst] < 0.5*s.Sum[worst] {
			m.Remedy = fmt.Sprintf("about %.3g steps, the error being O(h²)", math.Ceil(float64(s.Steps)*math.Sqrt(factor)))
		}
	}
	return []Measure{m}
}
