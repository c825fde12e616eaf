package dynamics

import (
	"context"
	"fmt"
	"iter"
)

// Halved is what a run changes by if each of its steps is halved.
type Halved struct {
	// Change of each part, the largest of all times, over how far it moved [-].
	Change []float64
	// At is the time of the change of each part [s].
	At []float64
	// Made is the energy that the run at half the steps made or destroyed.
	Made  Creation
	Steps int // of the run itself
}

// EqualSteps are n steps of until/n with the times at which they end, for [Halve].
func EqualSteps(until float64, n int) iter.Seq2[float64, float64] {
	return func(yield func(h, t float64) bool) {
		for k := range n {
			if !yield(until/float64(n), until*(float64(k+1)/float64(n))) {
				return
			}
		}
	}
}

// Halve makes a run and the one at half its steps side by side, v being at the start of both,
// and compares them at the ends of the steps of the first. steps yields the length of each
// step and the time at its end. observe, if not nil, sees v at each of these times, first
// in the run, then in the halved one: what it makes of both are the changes of quantities.
// v is left at the end of the halved run.
//
// The changes do not prove anything of the limit; for a scheme of order p they are
// 2^p − 1 times the error that is left in the halved run, if steps are small enough.
func Halve(ctx context.Context, v Variable, steps iter.Seq2[float64, float64], observe func(halved bool) error) (*Halved, error) {
	const whole, half = 0, 1
	v.Keep(whole)
	v.Keep(half)
	x := &Halved{}
	var moved, apart []float64
	now := 0.0
	look := func(halved bool) error {
		if observe == nil {
			return nil
		}
		return observe(halved)
	}
	for h, t := range steps {
		if err := v.Return(whole); err != nil {
			return nil, err
		}
		if err := v.Advance(ctx, h, t); err != nil {
			return nil, err
		}
		if err := look(false); err != nil {
			return nil, err
		}
		v.Keep(whole)
		if err := v.Return(half); err != nil {
			return nil, err
		}
		for k, end := range [2]float64{now + h/2, t} {
			if err := v.Advance(ctx, h/2, end); err != nil {
				return nil, fmt.Errorf("at half the step, %d: %w", k+1, err)
			}
		}
		if err := look(true); err != nil {
			return nil, err
		}
		v.Keep(half)
		apart = v.Distances(apart, whole)
		x.widest(apart, t)
		apart = v.Distances(apart, -1)
		if moved == nil {
			moved = make([]float64, len(apart))
		}
		for p, d := range apart {
			moved[p] = max(moved[p], d)
		}
		now = t
		x.Steps++
	}
	least := floors(v, moved)
	for p := range x.Change {
		x.Change[p] = ratio(x.Change[p], max(moved[p], least[p]))
	}
	x.Made = v.Creations().Whole
	return x, nil
}

// widest keeps the largest distances.
func (x *Halved) widest(apart []float64, t float64) {
	if x.Change == nil {
		x.Change, x.At = make([]float64, len(apart)), make([]float64, len(apart))
	}
	for p, d := range apart {
		if d > x.Change[p] {
			x.Change[p], x.At[p] = d, t
		}
	}
}

// Measures judges the change of the trajectory; names are those of the parts, or nil.
func (x *Halved) Measures(accuracy float64, names []string) []Measure {
	m := Measure{Name: "change of the trajectory at half the step", Limit: accuracy, Unit: "-", Basis: Sampled}
	for p, c := range x.Change {
		if c > m.Value {
			m.Value, m.Place = c, fmt.Sprintf("%s at t = %.6g s", partName(names, p), x.At[p])
		}
	}
	if !m.Passed() {
		m.Remedy = moreSteps(x.Steps, m.Value/m.Limit)
	}
	return []Measure{m}
}
