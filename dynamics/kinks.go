package dynamics

import (
	"math"

	"github.com/quasistatic/quasistatic/internal/vec3"
)

// Kinks. After a kink of what drives it a body slips for a while that is short beside all that it does:
// its place is hardly off whatever it does then, and pairs of steps may be longer than that while. So
// no pair may be off by more than half of the accuracy in a velocity, of the fastest one of the part,
// see [Paced]. That is asked of each pair, and not of their sum: what stays of such an error shows in the
// places. Where halves do not help, none is asked for a while, nor where something hits, or
// may within a step.

// Where something comes loose friction falls, and a step that has one friction leaves open when: by up to its own length h,
// as does the next one, since forces of what sticks are of the start of a step, or swing. The velocity behind it is
// off by h times the fall of friction over the mass, which two halves that come loose at the same time agree on. A twin, in steps
// of twice the length, may be late by two of these, 4h, and has to see half of what velocities may be off by at most.

// Loosening is a [Variable] whose contacts come loose, by friction that is larger at rest.
type Loosening interface {
	// Loosened appends, for each part of the system, the velocity that hangs on when a contact comes loose in the last
	// step, or in the next one if that is as long [m/s].
	Loosened(dst []float64) []float64
}

// kinkOptions are the numbers of that.
type kinkOptions struct {
	most     float64 // of the accuracy in a pair
	loose    float64 // of that, in a step in which something comes loose: half of it in 4h
	halvings int     // in a row that do not help, where nothing does
	pieces   int     // of what lies between events, see [Phased]
	held     float64 // share of what the change of its load would move a part by, of one that is held, see approach.go
	noLength float64 // of a step that is so short that its load is that of one time
	excess   float64 // least one, of the load: less is rounding
}

// kinkLimits are their values.
var kinkLimits = kinkOptions{most: 0.5, loose: 0.125, halvings: 3, pieces: 4, held: 1e-2, noLength: 0x1p-20, excess: 1e-6}

// rates are the velocities at the end of a step, how often something hit in it, and whether a contact
// changed.
type rates struct {
	velocities [][3]float64
	hits       int
	changed    bool
}

// take takes those of the present state.
func (r *rates) take(v Variable) {
	if x, ok := v.(Paced); ok {
		r.velocities = x.Velocities(r.velocities, -1)
	}
	if x, ok := v.(Changing); ok {
		list := x.Changes()
		r.hits, r.changed = 0, len(list) > 0
		for _, c := range list {
			if c.At {
				r.hits++
			}
		}
	}
}

// velocityJump is the largest difference of the velocities of the pair, of what it may be.
func (a *Adaptive) velocityJump() (worst float64) {
	x, ok := a.v.(Paced)
	if !ok || len(a.state.Paces) == 0 || a.state.Even > 0 || a.time(a.state.At) < a.state.Calm ||
		a.state.Level >= a.finest(a.state.Stretch) {
		return 0
	}
	for p, off := range a.loose {
		p %= len(a.loose) / 2 // of both steps
		if !a.sizeless(p) {
			worst = max(worst, ratio(off, kinkLimits.loose*kinkLimits.most*a.o.Accuracy*a.state.Paces[p]))
		}
	}
	fine, middle, coarse := &a.rates[0], &a.rates[1], &a.rates[2]
	if x.Jumps() || fine.hits+middle.hits+coarse.hits > 0 {
		return worst
	}
	for p, of := range a.state.Paces {
		if a.sizeless(p) {
			continue
		}
		off := vec3.Norm(vec3.Add(fine.velocities[p], -1, coarse.velocities[p]))
		worst = max(worst, ratio(off, kinkLimits.most*a.o.Accuracy*of))
	}
	return worst
}

// sizeless reports whether a part rests as far as a pilot run knows. Where it moves all the same the run is made again, by the size
// that is found; by that of rest a velocity would be asked for to what rounding leaves of it, in steps that end nowhere.
func (a *Adaptive) sizeless(p int) bool {
	return a.state.Profile == nil && a.state.Extents[p] <= a.state.Still[p]
}

// bisection decides how long a pair is halved for the sake of its velocities: while that helps. Where they
// jump, as what locks does, the difference stays until the jump is in the other half. Where it stays and hardly
// falls below its limit, as that of a component across a joint that α = ½ turns round in each step, halving did
// not help either: pairs would become shorter and shorter, each of them just below it.
type bisection struct {
	last  float64
	stays int  // halvings in a row that did not help
	idle  bool // nothing helps
}

// is takes what the next pair has, and reports whether it is too much.
func (x *bisection) is(off float64) bool {
	if x.stays++; off <= math.Sqrt2/2*x.last || x.last == 0 {
		x.stays = 0
	}
	x.last, x.idle = off, x.stays >= kinkLimits.halvings || off <= 1 && x.stays > 0
	return off > 1 && !x.idle
}

// calm asks for no velocity for a while where nothing helps: from the time of the pair until its end, and
// each time in a row for twice as long, for what rings at each step for ever, as rest does with θ = ½,
// would be halved for ever.
func (s *AdaptiveState) calm(x *bisection, now, end float64) {
	switch {
	case x.idle:
		s.Quiet = max(2*s.Quiet, end-now)
		s.Calm = now + s.Quiet
	case now >= s.Calm:
		s.Quiet = 0
	}
}

// paces are V_p of the run so far as its fastest velocities tell them; nil: nothing is said of velocities.
func (a *Adaptive) paces(fastest []float64) []float64 {
	if len(fastest) == 0 {
		return nil
	}
	return a.ways.paces(a.v, fastest)
}

// scalePaces makes of these what velocities are measured by, in a run of some extents.
func (a *Adaptive) scalePaces(paces, extents []float64) {
	parts := partsOf(a.v, len(paces))
	for p := range paces {
		paces[p] = paceOf(paces[p], extents[p], &parts[p], a.o.Accuracy, a.o.Until)
	}
}
