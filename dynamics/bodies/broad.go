package bodies

import (
	"fmt"

	"github.com/quasistatic/quasistatic/dynamics"
)

// broadPhase finds near pairs among all bodies by sorting their extents along
// x; the order changes little from step to step, so that sorting by insertion
// is linear as a rule.
type broadPhase struct {
	patch *dynamics.Patch
	order []int
}

// AllPairs lets every two bodies meet through one kind of patch. Declare it
// after the other contacts.
func (w *World) AllPairs(p *dynamics.Patch) error {
	for i := range w.bodies {
		if err := w.fits(p, i); err != nil {
			return err
		}
		for j := range i {
			if !hasGap(&w.bodies[i].form, &w.bodies[j].form) {
				return fmt.Errorf("bodies %d and %d: %w", j, i, errGap(w.bodies[j].Shape, w.bodies[i].Shape))
			}
		}
	}
	w.broad.patch = p
	w.broad.order = w.broad.order[:0]
	for i := range w.bodies {
		w.broad.order = append(w.broad.order, i)
	}
	return nil
}

// broadKey is the first key of the pairs of [World.AllPairs].
func (w *World) broadKey() int {
	if n := len(w.pairs); n > 0 {
		last := &w.pairs[n-1]
		return last.key + last.features
	}
	return 0
}

func (b *broadPhase) sweep(w *World, c *dynamics.Contacts) {
	left := func(i int) float64 { return w.poses[i].c[0] - (1+nearby)*w.bodies[i].form.reach }
	before := func(i, j int) bool { // the order is one of the state alone, not of the past
		a, b := left(i), left(j)
		return a < b || a == b && i < j
	}
	for k := 1; k < len(b.order); k++ {
		for i := k; i > 0 && before(b.order[i], b.order[i-1]); i-- {
			b.order[i], b.order[i-1] = b.order[i-1], b.order[i]
		}
	}
	base, n := w.broadKey(), len(w.bodies)
	for k, i := range b.order {
		right := w.poses[i].c[0] + (1+nearby)*w.bodies[i].form.reach
		for _, j := range b.order[k+1:] {
			if left(j) > right {
				break
			}
			lo, hi := min(i, j), max(i, j)
			w.meet(c, base+lo*n+hi, b.patch, lo, hi)
		}
	}
}
