package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/table"
)

// Located is a [Run] whose trajectory can be compared with that of another run of its
// case.
type Located interface {
	Coordinates() []float64 // of all runs of the case the same ones
}

// Divided is a [Located] run of several parts, each of which is compared with its own way.
type Divided interface {
	Parts() []Part // of the coordinates
}

// Part are some of the coordinates [From, To), whose distance is the Euclidean one.
type Part struct {
	Name     string
	From, To int
	// Turn reports that they are an angle, or a quaternion, whose distance is half the angle.
	Turn bool
}

// Sharper is a [Case] that chooses its steps, all of them of a stretch between kinks over 2^k. It
// can be run at half its accuracy, which is made by about twice the steps.
type Sharper interface {
	Sharper() Case
}

// atHalf begins the names of what a run at half its steps shows.
const atHalf = "half the step: "

// path is a trajectory at every so many steps or, of steps that were chosen, at equal parts of each
// stretch.
type path struct {
	every int
	marks []float64 // ends of the stretches; nil: by steps
	parts int       // of a stretch
	steps []int     // or the number of the part, from the first stretch on
	at    [][]float64
}

// newDyadicPath keeps the states at about dyadic times of a run in stretches.
func newDyadicPath(p *Plan) *path {
	marks := p.Stretches()
	parts, stretches := dyadic, len(marks)-1
	for parts > 1 && parts*stretches > dyadic {
		parts /= 2
	}
	return &path{every: max(1, stretches/dyadic), marks: marks, parts: parts}
}

// part returns the number of the part of a stretch that ends at a time; false: it is amid one.
func (p *path) part(t float64) (k int, ok bool) {
	i, _ := slices.BinarySearch(p.marks, t)
	i = min(max(i, 1), len(p.marks)-1)
	from, to := p.marks[i-1], p.marks[i]
	x := float64(p.parts) * ((t - from) / (to - from))
	k = int(math.Round(x))
	return (i-1)*p.parts + k, math.Abs(x-float64(k)) <= roundedShare
}

// time returns the end of a part.
func (p *path) time(k int) float64 {
	i := min(k/p.parts, len(p.marks)-2)
	return p.marks[i] + (p.marks[i+1]-p.marks[i])*(float64(k-i*p.parts)/float64(p.parts))
}

// newPath keeps at most [mostPaths] states of so many steps.
func newPath(steps int) *path { return &path{every: max(1, (steps+mostPaths-1)/mostPaths)} }

const (
	dyadic = 1 << 10 // a power of two
	// roundedShare: a time that was rounded is off by less, in parts of a stretch over dyadic.
	roundedShare = 1e-9
)

// watch begins to keep the trajectory for that, if it was asked for.
func (t *Task) watch() {
	if !t.Verify {
		return
	}
	t.path = newPath(t.plan.Steps)
	if _, ok := t.built.(Sharper); ok && t.plan.Adaptive {
		t.path = newDyadicPath(t.plan)
	}
}

// take keeps the state after step k, if it is one to keep.
func (p *path) take(k int, r Run) {
	if p.marks != nil {
		part, ok := p.part(r.Time())
		if k = part; !ok {
			return
		}
	}
	if l, ok := r.(Located); ok && k%p.every == 0 {
		p.steps, p.at = append(p.steps, k), append(p.at, slices.Clone(l.Coordinates()))
	}
}

// extent is the largest way of a coordinate from its place at the first state.
func (p *path) extent() float64 {
	d := 0.0
	for _, x := range p.at {
		for i, v := range x {
			d = max(d, math.Abs(v-p.at[0][i]))
		}
	}
	return d
}

// ErrNoSteps is what [Refiner] wraps of a run whose nodes are those of the evolution itself:
// there is no step to halve, and nothing that halving would show.
var ErrNoSteps = errors.New("a walk from event to event has no steps")

// verify makes the run again at half its steps and returns what changes: the trajectory,
// relative to its extent, and every expected value, relative to the largest one of the
// run; both by the accuracy of the case. A change of first order is the error of the run
// itself, one of second order three quarters of it.
func (t *Task) verify(ctx context.Context) ([]table.Fact, error) {
	fine, err := t.halved()
	if errors.Is(err, ErrNoSteps) {
		return []table.Fact{{Word: table.Accurate, Name: atHalf + err.Error(), Passed: true, Basis: table.Computed}}, nil
	}
	if err != nil {
		return []table.Fact{table.No(table.Accurate, atHalf+err.Error(), table.Computed)}, nil
	}
	half := Of(t.Case, t.Model, fine, "")
	half.loose, half.untried = &keeper{}, true
	half.path = &path{every: 2 * t.path.every}
	if t.path.marks != nil {
		half.path = newDyadicPath(t.plan)
	}
	s, err := half.runLoosely(ctx, table.Discard(half.plan.Layout))
	if err != nil {
		return nil, err
	}
	if s.Status != table.Done {
		return []table.Fact{table.No(table.Accurate, atHalf+"the run failed: "+oneLine(s.Message), table.Computed)}, nil
	}
	return append([]table.Fact{t.compare(half)}, t.compareValues(half)...), nil
}

// halved returns the case at half its steps.
func (t *Task) halved() (Case, error) {
	r, ok := t.built.(Refiner)
	if _, located := t.run.(Located); !ok || !located {
		return nil, errors.New("the model has no way to run it so")
	}
	if x, ok := t.built.(Sharper); ok && t.plan.Adaptive {
		return x.Sharper(), nil
	}
	if t.plan.Adaptive {
		return nil, errors.New("the steps are chosen by an estimate of their own, halve the accuracy")
	}
	return r.Refined(2 * t.plan.Steps)
}

// roundedPlaces is the number of last places that two ways of adding up may differ by,
// relative to the largest coordinate.
const roundedPlaces = 1e-12

// common calls f with the states that both runs have kept.
func (t *Task) common(half *Task, f func(a, b []float64, place string)) {
	for i, k := range t.path.steps {
		twin, place := 2*k, fmt.Sprintf("step %d", k)
		if t.path.marks != nil {
			twin, place = k, fmt.Sprintf("t = %.6g s", t.path.time(k))
		}
		if j := slices.Index(half.path.steps, twin); j >= 0 {
			f(t.path.at[i], half.path.at[j], place)
		}
	}
}

// changeOf is the name of what compare says.
const changeOf = atHalf + "change of the trajectory"

// compare compares the trajectories.
func (t *Task) compare(half *Task) table.Fact {
	if d, ok := t.run.(Divided); ok {
		return t.compareParts(half, d.Parts())
	}
	f := table.Fact{Word: table.Accurate, Name: changeOf, Unit: "m", Basis: table.Computed}
	size := 0.0
	t.common(half, func(a, b []float64, place string) {
		for c, v := range a {
			size = max(size, math.Abs(v))
			if d := math.Abs(v - b[c]); d > f.Value {
				f.Value, f.Place = d, place
			}
		}
	})
	f.Limit = max(t.plan.Accuracy*min(t.path.extent(), half.path.extent()), roundedPlaces*size)
	return t.judged(f)
}

const (
	// leastWay: a part that moves less than this share of the farthest one is measured by that.
	leastWay = 1e-3
	// leastTurn: one that turns by less is measured by that [rad].
	leastTurn = 1e-2
)

// compareParts compares the trajectories part by part: the largest change, of how far the part
// moved.
func (t *Task) compareParts(half *Task, parts []Part) table.Fact {
	f := table.Fact{Word: table.Accurate, Name: changeOf, Limit: t.plan.Accuracy, Basis: table.Computed}
	n := len(parts)
	change, moved, size, at := make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
	ways := make([]way, n)
	t.common(half, func(a, b []float64, place string) {
		for i := range parts {
			p := &parts[i]
			moved[i] = max(moved[i], ways[i].add(p, b))
			size[i] = max(size[i], p.distance(a, nil))
			if d := p.distance(a, b); d > change[i] {
				change[i], at[i] = d, place
			}
		}
	})
	farthest := 0.0
	for i := range parts {
		if !parts[i].Turn {
			farthest = max(farthest, moved[i])
		}
	}
	for i := range parts {
		of, unit := max(moved[i], leastWay*farthest), "m"
		if parts[i].Turn {
			of, unit = max(moved[i], leastTurn), "rad"
		}
		if of = max(of, roundedPlaces*size[i]/t.plan.Accuracy); change[i] > f.Value*of {
			f.Value, f.Place = change[i]/of, fmt.Sprintf("%s: %.3g %s at %s, of %.3g %s", parts[i].Name, change[i], unit, at[i], of, unit)
		}
	}
	return t.judged(f)
}

// mostSteps is the largest number of steps that is advised.
const mostSteps = 1e7

// judged compares a change with its limit, and says in how many steps a change of first order
// would be within it.
func (t *Task) judged(f table.Fact) table.Fact {
	if f.Passed = f.Value <= f.Limit; f.Passed {
		return f
	}
	f.Remedy = "shorter steps"
	if n := math.Ceil(float64(t.plan.Steps) * f.Value / f.Limit); !t.plan.Adaptive && n <= mostSteps {
		f.Remedy = fmt.Sprintf("about %.3g steps, if it is O(h)", n)
	}
	return f
}

// distance is that of two states; nil: the origin.
func (p *Part) distance(a, b []float64) float64 {
	sum := 0.0
	for c := p.From; c < p.To; c++ {
		d := a[c]
		if b != nil {
			d -= b[c]
		}
		sum += d * d
	}
	d := math.Sqrt(sum)
	if p.Turn && p.To-p.From == quaternion {
		return 2 * d // of small angles; 4 sin(φ/4) of all
	}
	return d
}

// quaternion is the number of its coordinates.
const quaternion = 4

// way follows how far a part is from its start; turns in space in full, along the axes of the body.
type way struct {
	first, last []float64
	turn        [3]float64
}

// add goes to the next state.
func (w *way) add(p *Part, x []float64) float64 {
	if w.first == nil {
		w.first, w.last = x, x
	}
	if !p.Turn || p.To-p.From != quaternion {
		return p.distance(x, w.first)
	}
	a, b := w.last[p.From:p.To], x[p.From:p.To]
	w.last = x
	// conj(a)·b = (cos φ/2, n sin φ/2): the turn from a to b
	c := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
	n := [3]float64{a[0]*b[1] - a[1]*b[0] - a[2]*b[3] + a[3]*b[2], a[0]*b[2] + a[1]*b[3] - a[2]*b[0] - a[3]*b[1],
		a[0]*b[3] - a[1]*b[2] + a[2]*b[1] - a[3]*b[0]}
	if sine := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2]); sine > 0 {
		for k := range n {
			w.turn[k] += 2 * math.Atan2(sine, c) / sine * n[k]
		}
	}
	return math.Sqrt(w.turn[0]*w.turn[0] + w.turn[1]*w.turn[1] + w.turn[2]*w.turn[2])
}

// compareValues compares the expected values.
func (t *Task) compareValues(half *Task) []table.Fact {
	var list []table.Fact
	a, b := t.expect.Outcomes(true), half.expect.Outcomes(true)
	scale := t.expect.Save()
	for i := range a {
		if a[i].Value == nil || b[i].Value == nil || a[i].Want == nil && !a[i].Observed {
			continue
		}
		f := table.Fact{Word: table.Accurate, Name: atHalf + "change of " + a[i].Label,
			Value: math.Abs(*a[i].Value - *b[i].Value), Basis: table.Computed}
		f.Limit = t.plan.Accuracy * scale[i].Largest()
		if a[i].Tolerance != nil {
			f.Limit = max(f.Limit, *a[i].Tolerance)
		}
		if t.plan.Expect[i].Counts() {
			f.Limit = max(f.Limit, 1) // what is at the edge is one of them or not, at any step
		}
		list = append(list, t.judged(f))
	}
	return list
}
