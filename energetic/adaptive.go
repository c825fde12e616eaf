package energetic

import (
	"context"
	"fmt"
	"math"

	"github.com/quasistatic/quasistatic/incremental"
)

// Adaptive says how long steps may be. Steps are rejected and repeated at half
// the length where
//
//   - γ > 0, thresholds are lagged and a normal force changed by γ/2 or more: the
//     test |σ_k − σ_{k−1}| < γ/2 of the proof of Theorem 4.7, a posteriori;
//   - a contact opened or closed, or σ crossed γ, and the step is longer than
//     EventTolerance: the event is located by bisection.
//
// Steps end at the kinks of all signals: between two of them what is read linearly from nodes
// hides no corner. A step that a kink cuts short says nothing of how long the next may be, which
// is what was planned. Growth is free, up to doubling. A lagged step shorter than the one before it
// starts from a state that has not settled under its thresholds, and the bound of
// Lemma 4.4 needs steps that do not shrink: the state is equilibrated first.
type Adaptive struct {
	MaxStep        float64 // [s] > 0
	MinStep        float64 // [s] in (0, MaxStep]: shorter steps are not tried
	EventTolerance float64 // [s] >= 0: 0 does not locate events
}

// Validate names the first field out of range.
func (a *Adaptive) Validate() error {
	switch {
	case !(a.MaxStep > 0) || math.IsInf(a.MaxStep, 1):
		return fmt.Errorf("energetic: MaxStep is %g, want a positive time", a.MaxStep)
	case !(a.MinStep > 0 && a.MinStep <= a.MaxStep):
		return fmt.Errorf("energetic: MinStep is %g, want in (0, MaxStep = %g]", a.MinStep, a.MaxStep)
	case !(a.EventTolerance >= 0) || math.IsInf(a.EventTolerance, 1):
		return fmt.Errorf("energetic: EventTolerance is %g, want >= 0", a.EventTolerance)
	}
	return nil
}

const (
	settleLimit = 2000 // a state that passes the ghost of an equilibrium is slow
	// mildShrink: steps may shrink by this ratio without settling; Lemma 4.4 then
	// still contracts where q/α is below it.
	mildShrink = 0.8
	// settledMotion: what moves less than this, over force per stiffness, stands
	// still; steps are solved to 1e-12.
	settledMotion = 1e-10
)

// AdaptiveStats tell what the control did.
type AdaptiveStats struct {
	Accepted, Rejected int
	Equilibrated       int // times that a state was settled before a shorter step
	Coarse             int // steps of MinStep that still failed the γ/2 test
}

// Pace is the state of the step control behind an accepted step.
type Pace struct {
	K          int     // the node; 0 before the first step
	Next, Last float64 // lengths of steps [s]
	Stats      AdaptiveStats
}

// Paced reports whether the present node is that behind an accepted step: there a
// checkpoint resumes Advance to the same bits.
func (e *Evolution) Paced() bool { return e.pace.K > 0 && e.pace.K == e.Node().K }

// Advance steps to time until with the step control of a and calls visit at every
// node accepted; an error of visit ends it. The last step ends exactly at until.
// A step that fails is tried at half the length, down to MinStep.
func (e *Evolution) Advance(ctx context.Context, until float64, a Adaptive, visit func(*Node) error) (AdaptiveStats, error) {
	var stats AdaptiveStats
	if err := a.Validate(); err != nil {
		return stats, err
	}
	var saved Checkpoint
	h, last := a.MaxStep, 0.0
	if e.paced && e.Paced() {
		h, last, stats = e.pace.Next, e.pace.Last, e.pace.Stats
	}
	e.paced = false
	ends := spaced(append(e.cert.psi.Breaks([]float64{0}, 0, until), until), until)
	for e.Node().T < until {
		e.Save(&saved)
		planned := min(h, a.MaxStep)
		for len(ends) > 1 && !distinct(saved.Step.T, ends[0], until) {
			ends = ends[1:]
		}
		end := ends[0]
		h = min(planned, end-saved.Step.T)
		t := saved.Step.T + h
		if h < planned || end-t < 0.5*a.MinStep { // no sliver before the end
			t = end
		}
		err := e.settleBefore(ctx, t, last, &stats, visit)
		if err == nil {
			err = e.Step(ctx, t)
		}
		if again, cause := e.reject(err, a, h, &stats); again {
			if ctx.Err() != nil {
				return stats, ctx.Err()
			}
			stats.Rejected++
			h = max(0.5*min(h, t-saved.Step.T), a.MinStep)
			if err := e.Load(&saved); err != nil {
				return stats, err
			}
			continue
		} else if cause != nil {
			return stats, cause
		}
		stats.Accepted++
		last = t - saved.Step.T
		cut := h < planned
		h = max(last*e.growth(), a.MinStep)
		if cut {
			h = max(h, planned)
		}
		e.pace = Pace{K: e.Node().K, Next: h, Last: last, Stats: stats}
		if err := visit(e.Node()); err != nil {
			return stats, err
		}
	}
	return stats, nil
}

// settleBefore equilibrates a lagged state if the step to t is shorter than the
// last one: it repeats the step at fixed time, each repetition a node, until the
// state stands still.
func (e *Evolution) settleBefore(ctx context.Context, t, last float64, stats *AdaptiveStats, visit func(*Node) error) error {
	n := e.Node()
	if !e.lagged() || t-n.T >= mildShrink*last {
		return nil
	}
	stats.Equilibrated++
	return e.settleAt(ctx, visit)
}

// reject decides about the step just made or failed with err: whether to try a
// shorter one, or else the error to end with.
func (e *Evolution) reject(err error, a Adaptive, h float64, stats *AdaptiveStats) (again bool, cause error) {
	shorter := h > a.MinStep
	if err != nil {
		return shorter, err
	}
	n := e.Node()
	if gamma := e.cert.opt.Step.Rule.Gamma; gamma > 0 && e.lagged() && n.ForceChange >= gamma/2 {
		if shorter {
			return true, nil
		}
		stats.Coarse++
	}
	return shorter && a.EventTolerance > 0 && h > a.EventTolerance && e.cert.eventful(), nil
}

// growth returns by what factor the next step may be longer: up to two, and such
// that the change of σ stays a fifth below γ/2 if it goes on like this: of none, γ/0 is larger.
func (e *Evolution) growth() float64 {
	n, gamma := e.Node(), e.cert.opt.Step.Rule.Gamma
	if gamma > 0 && e.lagged() {
		return min(2, 0.4*gamma/n.ForceChange)
	}
	return 2
}

// eventful reports whether a contact opened or closed in the last step, or its
// normal force crossed γ or zero.
func (c *Certifier) eventful() bool {
	gamma, n := c.opt.Step.Rule.Gamma, &c.node
	side := func(s incremental.ContactState, sigma float64) int {
		switch {
		case s == incremental.Free:
			return 0
		case s == incremental.Grazing:
			return 1
		case sigma <= gamma:
			return 2
		}
		return 3
	}
	for j, s := range n.States {
		if side(s, c.pressing(n.T, j, n.Z, n.Grad, c.origin())) != side(n.Before[j], c.pressing(c.tPrev, j, c.zPrev, c.gradPrev, c.older)) {
			return true
		}
	}
	return false
}
