package dynamics

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Releases. What a threshold holds, as that of friction, is let go by a load that comes to exceed it. A step in which that
// happens holds as long as the mean of its load does not exceed the threshold, that is where the load exceeds it for
// less than half of the step; and so does one twice as long: no comparison of steps shows it. With an excess e of the
// acceleration at the end of the step h, which grows evenly, the velocity missed is eh/4 at most. It hangs on while the
// motion lasts; where the load falls behind a kink, it is all of the motion. So e is found by a step of no length at the
// end of one that holds, under the load before a kink, and pairs are halved until the velocity missed is within what a
// pair may be off by, see kinks.go.

// Probed is a [Variable] that can make a step of no length.
type Probed interface {
	// Probe makes a step of τ that ends at t from the present places, which are those of t. It closes no gaps: what rounding has
	// left of one, some 2⁻⁵³h²M⁻¹f behind a step of h, over τ = 2⁻²⁰h would be 2⁻¹³ of M⁻¹f.
	Probe(ctx context.Context, tau, t float64) error
}

// holding looks for what is held in a step under loads that change.
type holding struct {
	v             Variable
	long          float64      // a time that makes [Variable.Reach] one of forces, whatever the sizes of parts [s]
	before, after []float64    // accelerations of the parts by their loads alone at both ends [m/s²]
	ways          []float64    // in the step [m]
	start, end    [][3]float64 // velocities around a probe …
	speed         [][3]float64 // … and behind it as they are, in no frame
	from, to      [][3]float64 // drifts at the start of the step, and now
	held          []bool
	excess        []float64 // [m/s²]
}

func holdingOf(v Variable, until float64) holding { return holding{v: v, long: 0x1p100 * until} }

// loads stores M⁻¹f of the parts.
func (x *holding) loads(dst []float64) []float64 {
	dst = x.v.Reach(dst, x.long)
	for p := range dst {
		dst[p] *= 2 / (x.long * x.long)
	}
	return dst
}

// begin takes the loads and the places at the start of a step.
func (x *holding) begin() {
	x.before = x.loads(x.before)
	if f, ok := x.v.(Framed); ok {
		x.from, _ = f.Drifts(x.from)
	}
}

// leaves is the part of a speed that solvers leave in a step of no length: 5e-9 was seen.
const leaves = 0x1p-27

// noLength is the length of a step, at the end of one of h, over which what the loads accelerate is a thousand times what solvers leave
// of the speeds, or next to no time.
func (x *holding) noLength(h float64) float64 {
	tau := kinkLimits.noLength * h
	for p := range min(len(x.speed), len(x.after)) {
		if need := 1000 * leaves * vec3.Norm(x.speed[p]) / x.after[p]; x.held[p] && need > tau {
			tau = min(need, h/16)
		}
	}
	return tau
}

// since stores the ways from a slot on, a time h ago, where begin was called; of the centres as seen in the frame of their first
// velocities, for what rests does so in any frame, less what solvers leave.
func (x *holding) since(slot int, h float64) {
	x.ways = x.v.Distances(x.ways, slot)
	f, framed := x.v.(Framed)
	paced, ok := x.v.(Paced)
	if !framed || !ok {
		return
	}
	x.to, _ = f.Drifts(x.to)
	x.speed = paced.Velocities(x.speed, -1)
	for p := range min(len(x.from), len(x.to), len(x.speed)) {
		x.ways[p] = max(0, vec3.Norm(vec3.Add(x.to[p], -1, x.from[p]))-leaves*vec3.Norm(x.speed[p])*h)
	}
}

// holds reports whether a part is held in the steps since a slot, of h together, under a load that changes.
func (x *holding) holds(slot int, h float64) (any bool) {
	if _, ok := x.v.(Probed); !ok {
		return false
	}
	x.after = x.loads(x.after)
	x.since(slot, h)
	x.held = x.held[:0]
	for p := range min(len(x.after), len(x.before)) {
		x.held = append(x.held, x.ways[p] < kinkLimits.held*0.5*h*h*math.Abs(x.after[p]-x.before[p]))
		any = any || x.held[p]
	}
	return any
}

// probe returns what accelerates of what is held in a step of τ that ends at t, from where the stepper is, at t too and again
// behind it, by way of a slot; nil where the step fails, of which nothing is known.
func (x *holding) probe(ctx context.Context, tau, t float64, slot int) (excess []float64, err error) {
	paced, ok := x.v.(Paced)
	if x.v.Keep(slot); ok {
		x.start = paced.Velocities(x.start, 0)
	}
	if err := x.v.(Probed).Probe(ctx, tau, t); err != nil {
		return nil, errors.Join(context.Cause(ctx), x.v.Return(slot))
	}
	if x.ways = x.v.Distances(x.ways, slot); ok {
		x.end = paced.Velocities(x.end, 0)
		x.speed = paced.Velocities(x.speed, -1)
	}
	x.excess = grow(x.excess, len(x.held))
	for p, held := range x.held {
		e, left := 2*x.ways[p]/(tau*tau), 0.0
		if p < len(x.end) { // places are rounded; what rings from step to step has one speed, in the frame of its first velocity
			e = (vec3.Norm(x.end[p]) - vec3.Norm(x.start[p])) / tau
			left = leaves * vec3.Norm(x.speed[p]) / tau
		}
		if x.excess[p] = 0; held && e > kinkLimits.excess*x.after[p]+left {
			x.excess[p] = e
		}
	}
	return x.excess, x.v.Return(slot)
}

// steep reports whether the pair, at whose end the stepper is, misses more of a velocity than it may be off by. An error says
// that the stepper could not be brought back.
func (a *Adaptive) steep(ctx context.Context) (bool, error) {
	s, x, h := &a.state, &a.holding, a.half()
	if s.Even > 0 || s.Level >= a.finest(s.Stretch) || !x.holds(a.slots[0], 2*h) {
		return false, nil
	}
	s.Stats.Rejected++
	excess, err := x.probe(ctx, x.noLength(h), a.time(s.At+1), a.slots[2])
	return a.misses(excess, h), err
}

// approach looks at a step of a run in given steps, of h, that ends at a kink t, see [Doubled.Step]. Twins hold what it holds there, for they
// all have the kink for a node. So where the load lets go the first twin goes on in halves of what is left until t.
func (d *Doubled) approach(ctx context.Context, h, t float64) error {
	x := &d.holding
	clear(x.before) // friction may change in place of loads
	if !x.holds(startSlot, h) {
		return nil
	}
	excess, err := x.probe(ctx, x.noLength(h), t, followerSlot)
	if slices.ContainsFunc(excess, func(e float64) bool { return e > 0 }) {
		for part := h / 2; part > kinkLimits.noLength*h; part /= 2 {
			d.state.Parts = append(d.state.Parts, t-part)
		}
		d.state.Parts = append(d.state.Parts, t)
	}
	return err
}

// misses reports whether what is missed in a last step of h is more than a pair may be off by in a velocity.
func (a *Adaptive) misses(excess []float64, h float64) bool {
	for p, e := range excess {
		of := a.state.Extents[p] / a.o.Until
		if p < len(a.state.Paces) {
			of = a.state.Paces[p]
		}
		if e*h/4 > kinkLimits.most*a.o.Accuracy*of {
			return true
		}
	}
	return false
}
