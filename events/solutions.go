package events

import (
	"context"
	"errors"
	"slices"
)

// Solution is one of the rate problem at a time: what follows it.
type Solution[T any] struct {
	Regimes []Regime // of all contacts
	Rates   []T      // of q [m/s]
}

// Most is the largest number of contacts at a bound whose solutions are counted, and
// combinations is that of their regimes.
const (
	Most         = 10
	combinations = 1 << 16
)

// Solutions lists all solutions of the rate problem at the present time, by trying every
// combination of the regimes of the contacts at a bound; false if there are more than
// Most of these, or too many combinations. Where (N4) holds there is one; else there may
// be none, and the evolution jumps, or several. Combinations with the same rates count
// once. The integrator stays where it is.
func (w *Integrator[T]) Solutions() (list []Solution[T], counted bool) {
	bound := w.atBound()
	options, product := make([][]func(), len(bound)), 1
	for i, k := range bound {
		options[i] = w.choices(k)
		product *= len(options[i])
		if len(bound) > Most || product > combinations {
			return nil, false
		}
	}
	start, r := w.snapshot(), slices.Clone(w.r)
	size, indefinite, pieces := slices.Clone(w.size), w.Indefinite, w.Pieces
	combine(options, func() bool {
		copy(w.q, start.q)
		w.piece()
		if w.lost < 0 && len(w.violated()) == 0 && w.consistent(r, size, bound) && !w.known(list) {
			w.label()
			list = append(list, Solution[T]{slices.Clone(w.regime), slices.Clone(w.v)})
		}
		return false
	})
	w.assume(start)
	w.Indefinite, w.Pieces = indefinite, pieces
	return list, true
}

// known reports whether a solution with the present rates is in a list.
func (w *Integrator[T]) known(list []Solution[T]) bool {
	largest := 0.0
	for _, v := range w.v {
		largest = max(largest, abs(v.Float()))
	}
	return slices.ContainsFunc(list, func(s Solution[T]) bool {
		for i, v := range s.Rates {
			if certain(v.Sub(w.v[i]), boundary*boundary*max(largest, abs(v.Float()))) != 0 {
				return false
			}
		}
		return true
	})
}

// Branching is a time at which the rate problem does not have one solution.
type Branching[T any] struct {
	Time      T             // [s]
	Contacts  []int         // at a bound
	Solutions []Solution[T] // all that were found
}

// Branchings walks to a time, or to where the walk ends for lack of a solution, and lists
// the times at which the rate problem has none or several, and the number of events and
// kinks looked at. At a time with several the walk takes the first that pivots find.
// Times with more than Most contacts at a bound are left out, and counted as skipped.
func Branchings[T Number[T]](ctx context.Context, w *Integrator[T], until T) (list []Branching[T], looked, skipped int, err error) {
	examine := func() error {
		s, ok := w.Solutions()
		looked++
		switch {
		case !ok:
			skipped++
		case len(s) != 1:
			list = append(list, Branching[T]{w.t, w.contacts(w.atBound()), s})
		}
		return nil
	}
	_ = examine()
	err = w.Integrate(ctx, until, func() error {
		if w.t.Compare(until) >= 0 {
			return nil
		}
		return examine()
	})
	var rate *RateError
	if errors.As(err, &rate) {
		s, ok := w.Solutions()
		if ok && len(s) == 0 {
			return append(list, Branching[T]{w.t, w.contacts(w.atBound()), nil}), looked + 1, skipped, nil
		}
	}
	return list, looked, skipped, err
}
