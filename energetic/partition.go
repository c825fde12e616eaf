package energetic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/quasistatic/quasistatic/dissipation"
	"github.com/quasistatic/quasistatic/incremental"
	"github.com/quasistatic/quasistatic/signal"
)

const (
	firstSteps   = 32    // of a partition that is looked for, beside the kinks of the signals
	partitionMax = 50000 // steps
	// partitionRounds: refinements by halves; thirty of them locate an event to 1e-9 of
	// the first step.
	partitionRounds = 30
	// partitionSlack: steps are refined to this part of what is allowed, for the sizes
	// that it is relative to still change.
	partitionSlack = 0.8
	// shareKept: steps are halved in the order of what they add to an integral, until
	// those left add this part of what is allowed.
	shareKept = 0.4
)

// Partition is a partition found by refinement.
type Partition struct {
	Times  []float64 // t_0 = 0 to the end
	Rounds int       // runs that it took
	// Accurate: the run on it is. Else Reason says what is in the way.
	Accurate bool
	Reason   string
}

// ChoosePartition looks for nodes on which an evolution to the time until is
// accurate, o.Accuracy: it runs on equal steps between the kinks of the signals, and
// halves the steps that violate (S) or add most to the residuals of (DI) and (E),
// until the measures pass. Events are located by that, to what accuracy needs. The
// result depends on nothing but the arguments. Costs the runs, of which the last is
// the longest.
func ChoosePartition(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, until float64) (*Partition, error) {
	if psi == nil || psi.System == nil {
		return nil, errors.New("energetic: ChoosePartition without a functional Ψ of a system, want one from dissipation.New")
	}
	if !(until > 0) || math.IsInf(until, 1) {
		return nil, fmt.Errorf("energetic: ChoosePartition until %g, want a positive time", until)
	}
	return refine(ctx, psi, z0, o, first(psi, &o, until))
}

// first is the partition that refinement begins with.
func first(psi *dissipation.Coulomb, o *Options, until float64, more ...float64) []float64 {
	times := append([]float64{0}, more...)
	equal := signal.NewGrid(until, firstSteps, 1, &signal.Course{Period: o.Period})
	for k := 1; k <= equal.Steps(); k++ {
		times = append(times, equal.Time(k))
	}
	times = psi.Breaks(times, 0, until)
	slices.Sort(times)
	return spaced(times, until)
}

// ChooseUntilLoss is ChoosePartition of an evolution that is lost before the time until, see
// [incremental.LossError]. Where equal steps to there, that many, are accurate up to the loss they
// are the partition. Else it is refined up to the last equilibrium that is looked for, towards
// which steps shrink: springs that come in line with a pull go the further the nearer it is. The
// last node is until, which no step reaches. nil: the equal steps end otherwise.
func ChooseUntilLoss(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, until float64, steps int) (*Partition, error) {
	e, err := Start(ctx, psi, z0, o)
	if err != nil {
		return nil, err
	}
	equal := &Partition{Times: make([]float64, steps+1), Rounds: 1}
	var loss *Loss
	for k := range equal.Times {
		equal.Times[k] = until * float64(k) / float64(steps)
		if k == 0 || loss != nil {
			continue
		}
		err := e.Step(ctx, equal.Times[k])
		lost, ok := errors.AsType[*incremental.LossError](err)
		if ok {
			loss, err = e.LocateLoss(ctx, equal.Times[k], lost)
		}
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			return nil, nil // the run says why
		}
	}
	s := e.Summary()
	if equal.Accurate, equal.Reason = s.Certified, s.First; loss == nil || s.Certified || loss.From == 0 {
		return equal, nil
	}
	// The loss is looked for again from the last node, which so is not before where that stays.
	end, left := loss.From+stays*(loss.Time-loss.From), []float64(nil)
	for d := end / firstSteps; d > loss.Time-end && len(left) < partitionRounds; d /= 2 {
		left = append(left, end-d)
	}
	p, err := refine(ctx, psi, z0, o, first(psi, &o, end, left...))
	if err != nil || !p.Accurate {
		return equal, ctx.Err()
	}
	p.Times = append(p.Times, until)
	return p, nil
}

// stays is the part of the time to a loss by which a partition ends after the last equilibrium:
// what the two ways to the time of the loss may differ by is a ten thousandth of that.
const stays = 1e-3

// refine halves the steps of a partition until it is accurate.
func refine(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, times []float64) (*Partition, error) {
	p := &Partition{Times: times}
	var limits []scales
	best, stalled := math.Inf(1), 0
	for p.Rounds < partitionRounds {
		p.Rounds++
		r, err := refineOnce(ctx, psi, z0, o, p.Times, limits)
		if err != nil {
			return nil, err
		}
		p.Accurate, p.Reason = r.accurate, r.reason
		if r.accurate {
			return p, nil
		}
		if stalled++; r.ratio < 0.9*best {
			best, stalled = r.ratio, 0
		}
		if limits = r.limits; limits == nil && r.failed < 0 {
			return p, nil
		}
		next := r.halved(p.Times)
		if len(next) == len(p.Times) || len(next) > partitionMax+1 || stalled >= 6 {
			return p, nil
		}
		p.Times = next
	}
	return p, nil
}

// distinct reports whether a time is after another one by more than the rounding of the end.
func distinct(before, t, until float64) bool { return t-before > 1e-12*until }

// spaced leaves out times that are closer than rounding.
func spaced(times []float64, until float64) []float64 {
	out := times[:1]
	for _, t := range times[1:] {
		if distinct(out[len(out)-1], t, until) {
			out = append(out, t)
		}
	}
	out[len(out)-1] = until
	return out
}

// round is one run of the refinement.
type round struct {
	accurate bool
	reason   string
	ratio    float64 // of the worst measure to its limit
	limits   []scales
	mark     []bool // steps to halve
	failed   int    // the step that was not solved, −1: none
}

// refineOnce runs on a partition and marks the steps to halve; limits are those of
// the run before, nil at first.
func refineOnce(ctx context.Context, psi *dissipation.Coulomb, z0 []float64, o Options, times []float64, limits []scales) (*round, error) {
	r := &round{mark: make([]bool, len(times)-1), failed: -1, ratio: math.Inf(1)}
	e, err := Start(ctx, psi, z0, o)
	if err != nil {
		return nil, err
	}
	parts := make([]share, 0, len(times))
	for k, t := range times[1:] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.Step(ctx, t); err != nil {
			_, lost := errors.AsType[*incremental.LossError](err)
			if _, unsolved := errors.AsType[*incremental.StepError](err); lost || !unsolved {
				return nil, err
			}
			r.failed, r.reason, r.mark[k] = k, err.Error(), true
			return r, nil
		}
		if limits != nil {
			s := e.cert.between.share(limits)
			s.step = k
			r.mark[k] = s.force > partitionSlack
			parts = append(parts, s)
		}
	}
	s := e.Summary()
	r.accurate, r.reason = s.Certified, s.First
	for i := range e.cert.between.part {
		r.limits = append(r.limits, e.cert.scalesOf(i))
	}
	r.ratio = worstOf(e.Measures())
	if limits == nil && !r.accurate {
		for k := range r.mark { // sizes are known now, and nothing more
			r.mark[k] = true
		}
	}
	r.markShares(parts)
	return r, nil
}

// share is what one step adds, in parts of what is allowed: the worst force, and the
// integrals.
type share struct {
	step          int
	force, energy float64
}

// share returns that of the last step, of the worst island.
func (in *interior) share(limits []scales) share {
	s := share{force: float64(in.cut) / mostParts}
	for i := range in.step {
		p, l := &in.step[i], &limits[i]
		for _, f := range [][2]float64{{p.Along.Force, l.along}, {p.Across.Force, l.across}, {p.Free.Force, l.free},
			{2 * p.Drift, l.way}, {p.ForceOffset.Force, l.friction}, {p.Barred.Force, l.barred}, {p.Supported.Force, l.supports},
			{p.StressOffset, l.stresses}} {
			if f[0] > 0 {
				s.force = max(s.force, f[0]/f[1])
			}
		}
		for _, w := range [][2]float64{{p.Slip, l.slip}, {max(p.Flight, math.Abs(p.Balance)), l.balance},
			{unseen * math.Abs(p.Twin-p.Dissipated), l.lost}} {
			if w[0] > 0 {
				s.energy = max(s.energy, w[0]/w[1])
			}
		}
	}
	return s
}

// markShares marks the steps that add most to the integrals.
func (r *round) markShares(parts []share) {
	slices.SortFunc(parts, func(a, b share) int { return cmp.Or(cmp.Compare(a.energy, b.energy), cmp.Compare(a.step, b.step)) })
	kept := 0.0
	for _, s := range parts {
		if kept += s.energy; kept > shareKept {
			r.mark[s.step] = true
		}
	}
}

// halved returns the partition with the marked steps halved.
func (r *round) halved(times []float64) []float64 {
	out := []float64{times[0]}
	for k, t := range times[1:] {
		if mid := 0.5 * (times[k] + t); r.mark[k] && mid > times[k] && mid < t {
			out = append(out, mid)
		}
		out = append(out, t)
	}
	return out
}
