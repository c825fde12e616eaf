package dynamics

import "context"

// Missed is what given steps do not see of what loads let go, see approach.go: in none of the runs that are compared, where it
// happens before a kink, which all of them have for a node. The velocity missed hangs on in all steps until one rests; where the
// next one rests already it is a peak, whose load exceeds what holds for no more than half of that step.
type Missed struct {
	Velocity []float64 // of each part [m/s]
	Excess   []float64 // at the end of the last step [m/s²]
	Way      []float64 // so far [m]
}

// see looks at a step of h from startSlot that ends at t, where the stepper is: the slots of [Adaptive] are free where steps are
// given.
func (m *Missed) see(ctx context.Context, x *holding, h, t float64) error {
	holds := x.holds(startSlot, h)
	for p := range x.held {
		rests := x.ways[p] < still*0.5*h*h*x.after[p]
		if m.Way[p] += float64(m.Velocity[p] * h); rests {
			m.Way[p] += m.Excess[p] * h * h / 4
			m.Velocity[p] = 0
		}
		m.Excess[p] = 0
	}
	if !holds {
		return nil
	}
	x.v.Keep(followerSlot)
	m.find(ctx, x, h, t)
	return x.v.Return(followerSlot)
}

// find finds what the step misses. The longest last part of it that holds, by halves, is twice the time for which the load
// exceeds what holds; where it cannot be made nothing is known.
func (m *Missed) find(ctx context.Context, x *holding, h, t float64) {
	least := x.noLength(h)
	excess, err := x.last(ctx, startSlot, h, least, t, straySlot)
	if err != nil {
		return
	}
	copy(m.Excess, excess)
	for p, e := range m.Excess {
		part := h
		for e > 0 && part > least {
			excess, err := x.last(ctx, startSlot, h, part/2, t, straySlot)
			if err != nil || excess[p] > 0 {
				break
			}
			part /= 2
		}
		m.Velocity[p] += e * part / 4
	}
}
