package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/casefile"
	"github.com/quasistatic/quasistatic/table"
)

// Located is a [Run] whose trajectory can be compared with that of another run of its
// case.
type Located interface {
	Coordinates() []float64 // of all runs of the case the same ones
}

// Sharper is a [Case] that chooses its steps, all of them until/2^k. It can be run at half its
// accuracy, which is made by about twice the steps.
type Sharper interface {
	Sharper() Case
}

// atHalf begins the names of what a run at half its steps shows.
const atHalf = "half the step: "

// path is a trajectory at every so many steps, or at the times until·k/dyadic.
type path struct {
	every int
	until float64 // 0: by steps
	steps []int
	at    [][]float64
}

// newPath keeps at most [mostPaths] states of so many steps.
func newPath(steps int) *path { return &path{every: max(1, (steps+mostPaths-1)/mostPaths)} }

// dyadic is a power of two.
const dyadic = 1 << 10

// watch begins to keep the trajectory for that, if it was asked for.
func (t *Task) watch() {
	if !t.Verify {
		return
	}
	t.path = newPath(t.plan.Steps)
	if _, ok := t.built.(Sharper); ok && t.plan.Adaptive {
		t.path = &path{every: 1, until: t.plan.Until}
	}
}

// take keeps the state after step k, if it is one to keep.
func (p *path) take(k int, r Run) {
	if p.until > 0 {
		x := dyadic * (r.Time() / p.until)
		if x != math.Trunc(x) {
			return
		}
		k = int(x)
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
	half.loose = &keeper{}
	half.path = &path{every: 2 * t.path.every}
	if t.path.until > 0 {
		half.path = &path{every: 1, until: t.plan.Until}
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

// compare compares the trajectories.
func (t *Task) compare(half *Task) table.Fact {
	f := table.Fact{Word: table.Accurate, Name: atHalf + "change of the trajectory", Unit: "m", Basis: table.Computed, Remedy: "shorter steps"}
	size := 0.0
	for i, k := range t.path.steps {
		twin, place := 2*k, fmt.Sprintf("step %d", k)
		if t.path.until > 0 {
			twin, place = k, fmt.Sprintf("t = %.6g s", t.plan.Until*float64(k)/dyadic)
		}
		j := slices.Index(half.path.steps, twin)
		if j < 0 {
			continue
		}
		for c, v := range t.path.at[i] {
			size = max(size, math.Abs(v))
			if d := math.Abs(v - half.path.at[j][c]); d > f.Value {
				f.Value, f.Place = d, place
			}
		}
	}
	f.Limit = max(t.plan.Accuracy*min(t.path.extent(), half.path.extent()), roundedPlaces*size)
	f.Passed = f.Value <= f.Limit
	return f
}

// compareValues compares the expected values.
func (t *Task) compareValues(half *Task) []table.Fact {
	var list []table.Fact
	a, b := t.expect.Outcomes(), half.expect.Outcomes()
	scale := t.expect.Save()
	for i := range a {
		if a[i].Value == nil || b[i].Value == nil || a[i].Want == nil && !a[i].Observed {
			continue
		}
		f := table.Fact{Word: table.Accurate, Name: atHalf + "change of " + a[i].Label, Value: math.Abs(*a[i].Value - *b[i].Value), Basis: table.Computed, Remedy: "shorter steps"}
		f.Limit = t.plan.Accuracy * largest(scale[i])
		if a[i].Tolerance != nil {
			f.Limit = max(f.Limit, *a[i].Tolerance)
		}
		f.Passed = f.Value <= f.Limit
		list = append(list, f)
	}
	return list
}

// largest is the largest size of a quantity over the rows of a run, that at the end
// if it was infinite or none before.
func largest(p casefile.LineProgress) float64 {
	size := max(math.Abs(p.Values[3]), math.Abs(p.Values[4]))
	if math.IsInf(size, 0) || math.IsNaN(size) {
		return math.Abs(p.Values[2])
	}
	return size
}
