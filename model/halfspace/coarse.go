package halfspace

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/quasistatic/quasistatic/halfspace"
	"github.com/quasistatic/quasistatic/model/refinement"
	"github.com/quasistatic/quasistatic/table"
)

// coarse is the run of the same case on every second element, by which the error of the elements is
// estimated. It has a quarter of the elements, and takes less than a quarter of the time.
type coarse struct {
	c        *Case
	e        *halfspace.Evolution
	t        float64 // it goes ahead of each step
	estimate refinement.Estimate
}

// coarseState is what a checkpoint holds.
type coarseState struct {
	T         float64
	Evolution halfspace.State
	Estimate  refinement.Estimate
}

const (
	// against names the other run in the verdict.
	against = "on every second element"
	// mostCoarseGap and coarseGaps: duality gaps G move pressures by √G, relative; a twentieth of
	// what is allowed, and no more than a step is solved in half of the products.
	mostCoarseGap, coarseGaps = 1e-6, 0.05
	// least is the share of the load or approach of the whole contact below which a part is judged
	// as if it had that share: what the balance does not see.
	least = 1e-2
)

// Quantities that the runs are compared by.
const (
	normalLoad = iota
	approach
	surfaceLoad
	shift
	elasticEnergy
	areaInContact
	largestPressure
	taken
	exchanged
)

// compared lists them. Only friction has a line for what it takes; energy exchanged is what that is
// compared with, and no line.
func (c *Case) compared() []refinement.Quantity {
	list := []refinement.Quantity{
		normalLoad:      {Group: "loads, moves, energy", Name: "load along the normal"},
		approach:        {Group: "loads, moves, energy", Name: "approach", Like: []int{shift}, Share: least},
		surfaceLoad:     {Group: "loads, moves, energy", Name: "load along the surface", Like: []int{normalLoad}, Share: least},
		shift:           {Group: "loads, moves, energy", Name: "move along the surface", Like: []int{approach}, Share: least},
		elasticEnergy:   {Group: "loads, moves, energy", Name: "elastic energy"},
		areaInContact:   {Group: "area in contact", Name: "area"},
		largestPressure: {Group: "largest pressure", Name: "pressure"},
	}
	if c.dissipates() {
		list = append(list, refinement.Quantity{Group: "dissipation", Name: "dissipation", Like: []int{exchanged}, Taken: true})
	}
	return list
}

// dissipates reports whether what friction takes is known.
func (c *Case) dissipates() bool { return c.frictional() && c.steady == nil && c.rolled == nil }

// coarsen makes the case of every second element; nil with a reason: there is none. measured are
// the heights of the elements that are no formula, nil: none.
func (b *builder) coarsen(c *Case, g halfspace.Grid, measured []float64) (*Case, string) {
	half := halfspace.Grid{NX: halved(g.NX), NY: halved(g.NY), DX: g.DX, DY: g.DY, X0: g.X0, Y0: g.Y0}
	if half.Len() == g.Len() {
		return nil, "for there is one element"
	}
	if half.NX < g.NX {
		half.DX, half.X0 = 2*g.DX, first(g.X0, g.DX, g.NX)
	}
	if half.NY < g.NY {
		half.DY, half.Y0 = 2*g.DY, first(g.Y0, g.DY, g.NY)
	}
	if c.periodic && (half.NX < leastPeriodic || half.NY < leastPeriodic) {
		return nil, "for a periodic window has at least 4 elements a side, also that of every second one"
	}
	l := &Case{Problem: c.Problem, Options: c.Options, Pair: c.Pair, mu: c.mu, threshold: c.threshold,
		controls: c.controls, rolled: c.rolled, periodic: c.periodic}
	l.Problem.Gap = b.formulas(half)
	for k := range half.Len() {
		if measured != nil {
			l.Problem.Gap[k] += sampled(measured, g, k%half.NX, k/half.NX)
		}
	}
	for _, v := range []*[]float64{&l.Problem.Coefficient, &l.Problem.Threshold} { // the same for all elements
		if *v != nil {
			*v = slices.Repeat((*v)[:1], half.Len())
		}
	}
	if c.steady != nil { // about an element
		l.steady = &[2]float64{2 * c.steady[0], 2 * c.steady[1]}
	}
	own := max(l.Options.Gap, halfspace.DefaultGap)
	l.Options.Gap = max(own, min(mostCoarseGap, coarseGaps*coarseGaps*c.plan.Accuracy*c.plan.Accuracy))
	l.Operator = b.operator(half, c.Pair)
	return l, ""
}

// coarser makes the case of every second element with that of every fourth one beside it; nil: there
// is none.
func (b *builder) coarser(c *Case, g halfspace.Grid, measured []float64) *Case {
	l, half := *c.coarse, c.coarse.Operator.Grid()
	if measured != nil {
		all := measured
		measured = make([]float64, half.Len())
		for k := range measured {
			measured[k] = sampled(all, g, k%half.NX, k/half.NX)
		}
	}
	l.plan = c.plan.Refined(min(c.plan.Steps, 4)) // check is to be short
	l.coarse, l.unjudged = b.coarsen(&l, half, measured)
	if l.coarse == nil || b.Any() {
		return nil
	}
	return &l
}

// foresee estimates what a run will find of its elements by one in few steps with a quarter of them,
// beside which another one has a sixteenth: errors of first order are half as large with elements of
// half the size. It takes less than half of the time of so many steps; nil: nothing is said.
func (c *Case) foresee(ctx context.Context) ([]table.Fact, error) {
	if c.coarser == nil {
		return nil, nil
	}
	l := c.coarser()
	if l == nil {
		return nil, nil
	}
	x, err := l.Start(ctx, nil)
	if err != nil {
		return nil, ctx.Err() // what has no solution is said by the run
	}
	r := x.(*Run)
	for k := 0; ; k++ {
		if r.count(k); k == l.plan.Steps {
			break
		}
		if err := r.Step(ctx); err != nil {
			return nil, ctx.Err()
		}
	}
	if r.coarse.estimate.Ended != "" {
		return nil, nil
	}
	return r.coarse.estimate.Facts(c.compared(), refinement.Coarser/2.0, c.plan.Accuracy, against, c.moreElements), nil
}

// leastPeriodic is the least number of elements of a periodic side.
const leastPeriodic = 4

// halved is the number of every second element of n, so that they cover all.
func halved(n int) int { return (n + 1) / 2 }

// first is the centre of the first of them: of pairs, or of an odd number every second element
// itself.
func first(x0, d float64, n int) float64 {
	if n%2 == 0 {
		return x0 + d/2
	}
	return x0
}

// sampled is a height of the coarse element (i, j): that of the element at its centre, or the mean
// of those around it.
func sampled(h []float64, g halfspace.Grid, i, j int) float64 {
	places := func(i, n int) []int {
		if n%2 == 0 {
			return []int{2 * i, 2*i + 1}
		}
		return []int{2 * i}
	}
	sum, count := 0.0, 0
	for _, y := range places(j, g.NY) {
		for _, x := range places(i, g.NX) {
			sum += h[x+y*g.NX]
			count++
		}
	}
	return sum / float64(count)
}

// startCoarse makes the other run at t = 0, or goes on with it.
func (r *Run) startCoarse(ctx context.Context, from *coarseState) error {
	if r.c.coarse == nil {
		return nil
	}
	r.coarse = &coarse{c: r.c.coarse, e: halfspace.NewEvolution(r.c.coarse.Operator, r.c.coarse.Problem, &r.c.coarse.Options)}
	if from != nil {
		r.coarse.t, r.coarse.estimate = from.T, from.Estimate
		return r.coarse.e.Load(&from.Evolution)
	}
	if err := r.coarse.advance(ctx, 0, 0); err != nil {
		return err
	}
	r.coarse.e.Rest()
	return nil
}

// advance goes to a time; what has no solution ends this run and leaves the other as it is.
func (x *coarse) advance(ctx context.Context, before, t float64) error {
	if x.estimate.Ended != "" || t > 0 && t <= x.t {
		return nil
	}
	if err := x.c.advance(ctx, x.e, before, t); err != nil {
		if ctx.Err() != nil {
			return err
		}
		x.estimate.Ended = err.Error()
		return nil
	}
	x.t = t
	return nil
}

// save returns what a checkpoint holds.
func (x *coarse) save() *coarseState {
	s := &coarseState{T: x.t, Estimate: x.estimate}
	x.e.Save(&s.Evolution)
	return s
}

// observe compares the two runs at a node.
func (r *Run) observe() {
	if r.coarse == nil || r.coarse.estimate.Ended != "" {
		return
	}
	x := &r.coarse.estimate
	one, other := r.e.Result(), r.coarse.e.Result()
	load, move := one.Force, r.moves()
	load2, move2 := other.Force, r.coarse.c.moves(r.coarse.e)
	far := func(a, b [halfspace.Moves]float64) float64 {
		return math.Hypot(a[halfspace.MoveX]-b[halfspace.MoveX], a[halfspace.MoveY]-b[halfspace.MoveY])
	}
	none := [halfspace.Moves]float64{}
	x.Observe(normalLoad, r.t, math.Abs(load[halfspace.MoveN]-load2[halfspace.MoveN]), math.Abs(load[halfspace.MoveN]))
	x.Observe(approach, r.t, math.Abs(move[halfspace.MoveN]-move2[halfspace.MoveN]), math.Abs(move[halfspace.MoveN]))
	x.Observe(surfaceLoad, r.t, far(load, load2), far(load, none))
	x.Observe(shift, r.t, far(move, move2), far(move, none))
	l, l2 := r.e.Ledger(), r.coarse.e.Ledger()
	x.Observe(elasticEnergy, r.t, math.Abs(one.Energy-other.Energy), one.Energy)
	// Elements count whole: that is known to be too much by π − 1 + ln 2 of 24ths of the perimeter.
	counted, corrected := r.c.Operator.Grid().ContactArea(one.P[halfspace.N])
	counted2, _ := r.coarse.c.Operator.Grid().ContactArea(other.P[halfspace.N])
	x.Observe(areaInContact, r.t, max(math.Abs(counted-counted2), counted-corrected), counted)
	p, p2 := slices.Max(one.P[halfspace.N]), slices.Max(other.P[halfspace.N])
	x.Observe(largestPressure, r.t, math.Abs(p-p2), p)
	x.Observe(taken, r.t, math.Abs(l.Dissipated-l2.Dissipated), l.Dissipated)
	x.Observe(exchanged, r.t, 0, l.Exchanged)
	x.Bear(borne(one.P))
	x.Bear(borne(other.P))
}

// borne adds up the tractions of all elements along the surface, without their directions, and the
// pressures [Pa].
func borne(p halfspace.Field) (friction, pressure float64) {
	for k, n := range p[halfspace.N] {
		friction += math.Hypot(p[halfspace.X][k], p[halfspace.Y][k])
		pressure += n
	}
	return friction, pressure
}

// mesh judges the elements.
func (r *Run) mesh() []table.Fact {
	if r.coarse == nil {
		return []table.Fact{r.c.meshUnsaid()}
	}
	return r.coarse.estimate.Facts(r.c.compared(), refinement.Coarser, r.c.plan.Accuracy, against, r.c.moreElements)
}

// moreElements is the remedy of elements that are too large: errors fall as their size does.
func (c *Case) moreElements(times int) string {
	if times == 0 {
		return "more \"elements\""
	}
	g := c.Operator.Grid()
	return fmt.Sprintf("more \"elements\", a guess: [%d, %d]", refined(g.NX, times, c.periodic), refined(g.NY, times, c.periodic))
}

// refined is a number of elements along a side; a strip stays one, and a periodic side takes the next
// number that its transforms do, 2^a·{1, 3, 9}.
func refined(n, times int, periodic bool) int {
	if n == 1 {
		return 1
	}
	n *= times
	if !periodic {
		return n
	}
	for k := n; ; k++ {
		m := k >> bits.TrailingZeros(uint(k))
		if m == 1 || m == 3 || m == 9 {
			return k
		}
	}
}

// meshUnsaid is the fact of elements that are given, or that nothing judges.
func (c *Case) meshUnsaid() table.Fact {
	if c.unjudged == "" {
		return refinement.Accepted()
	}
	return refinement.Unjudged(c.unjudged)
}
