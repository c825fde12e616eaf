package assume

import (
	"container/heap"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/quasistatic/quasistatic/particles"
)

// rateBounds are suprema over a time interval at a fixed state; where E is
// quadratic, ∂_tDE does not depend on the state and they hold everywhere.
type rateBounds struct {
	c1        float64   // ‖∂_tDE‖
	rate      []float64 // |∂_tσ^(j)|
	sigma     []float64 // σ^(j)₊ at the state
	certified bool      // upper bounds, and the rates do not depend on the state
}

const (
	// rateTolerance is how far a certified bound may lie above a value attained,
	// relative to it, unless the budget is spent: rateBudget evaluations, and fewer
	// of large systems, so that time and memory stay within rateNumbers numbers.
	rateTolerance = 1e-12
	rateBudget    = 20000
	rateNumbers   = 4e6
	// rateSamples are the points of an interval between breaks where higher
	// derivatives are not known; all intervals together get at most rateTotal more.
	// Each of the many states that stand for a cylinder gets stateSamples.
	rateSamples  = 33
	rateTotal    = 2048
	stateSamples = 8
)

// boundRates bounds the rates on [0, until], interval by interval between the
// breaks. Where the higher derivatives in time are bounded, linear interpolation
// gives, on an interval of length h with the values f at its ends,
//
//	|f(t)| <= max(|f(a)|, |f(b)|) + ⅛h² sup|f″|,
//
// for f = ∂_tDE and for σ, and bisection of the interval with the largest bound
// makes this sharp. Otherwise the largest of many samples stands for the supremum.
func boundRates(sys *particles.System, z []float64, until float64) *rateBounds {
	return sweepRates(sys, z, until, rateSamples, rateTotal)
}

// sampleRates is [boundRates] at one of many states, with few samples: it looks for
// how the rates depend on the state, not on time.
func sampleRates(sys *particles.System, z []float64, until float64) *rateBounds {
	return sweepRates(sys, z, until, stateSamples, stateSamples)
}

// rateEvaluations bounds the evaluations of a system of n particles.
func rateEvaluations(n int) int { return min(rateBudget, rateNumbers/max(n, 1)) }

// sweepRates takes at least least samples of an interval, and about total of all.
func sweepRates(sys *particles.System, z []float64, until float64, least, total int) *rateBounds {
	n := sys.N()
	vector := func() []float64 { return make([]float64, 3*n) }
	s := &rateSweep{sys: sys, z: z, g: vector(), second: vector(), third: vector(), budget: rateEvaluations(n)}
	s.rateBounds = &rateBounds{rate: make([]float64, n), sigma: make([]float64, n)}
	s.best = rateBounds{rate: make([]float64, n), sigma: make([]float64, n)}
	s.change = vector()
	s.certified = sys.TimeBound(s.second, 2) && sys.TimeBound(s.third, 3)
	s.bend, s.jerk = floats.Norm(s.second, 2), floats.Norm(s.third, 2)
	times := append(sys.Breaks([]float64{0}, 0, until), until)
	for k := 1; k < len(times); k++ {
		a, b := times[k-1], times[k]
		// Rates are those to the right: just before b they are of this interval.
		end := math.Nextafter(b, a)
		from, to := s.at(a), s.at(end)
		if s.certified {
			s.hold(from, to)
			s.sliver = max(s.sliver, b-end)
		} else {
			s.sample(a, end, max(least, total/(len(times)-1)))
		}
	}
	s.refine()
	return s.rateBounds
}

// rateSweep bounds the rates from above; best holds what is attained.
type rateSweep struct {
	*rateBounds
	sys           *particles.System
	z             []float64
	g             []float64
	second, third []float64 // bounds of |∂_t²DE| and |∂_t³DE|
	bend, jerk    float64   // their norms
	best          rateBounds
	open          spans
	change        []float64  // ∂_tDE at one time
	instants      []instant  // to be given out: many are made at once
	numbers       []float64  // for them
	spare         []*instant // given back
	// intervals in open when those below what is attained were last left out
	left   int
	size   float64 // largest |σ^(j)|
	sliver float64 // the last bit of an interval before a break [s]
	budget int     // evaluations left
}

// instant is what is known at one time.
type instant struct {
	t           float64
	c1          float64
	rate, sigma []float64 // by particle; σ^(j) with its sign
}

// at evaluates one time; values count at once, being attained.
func (s *rateSweep) at(t float64) *instant {
	s.budget--
	r := s.change
	s.sys.Gradient(s.g, r, t, s.z)
	p := s.instant()
	p.t, p.c1 = t, floats.Norm(r, 2)
	for j := range p.rate {
		if s.sys.Constrained(j) {
			p.rate[j], p.sigma[j] = math.Abs(r[3*j+2]), s.g[3*j+2]
			s.size = max(s.size, math.Abs(s.g[3*j+2]))
		}
	}
	for _, b := range []*rateBounds{s.rateBounds, &s.best} {
		b.c1 = max(b.c1, p.c1)
		raise(b.rate, p.rate)
		raise(b.sigma, p.sigma)
	}
	return p
}

// atOnce is the number of instants that are made at once.
const atOnce = 64

// instant returns one whose numbers of free particles are zero.
func (s *rateSweep) instant() *instant {
	if last := len(s.spare) - 1; last >= 0 {
		p := s.spare[last]
		s.spare = s.spare[:last]
		return p
	}
	n := s.sys.N()
	if len(s.instants) == 0 {
		s.instants, s.numbers = make([]instant, atOnce), make([]float64, 2*n*atOnce)
	}
	p := &s.instants[0]
	p.rate, p.sigma = s.numbers[:n:n], s.numbers[n:2*n:2*n]
	s.instants, s.numbers = s.instants[1:], s.numbers[2*n:]
	return p
}

// raise sets dst to the larger of both.
func raise(dst, x []float64) {
	for i, v := range x {
		dst[i] = max(dst[i], v)
	}
}

// span is an interval between two instants. It is a heap's entry: excess is how far
// its bounds lie above what is attained, relative to that.
type span struct {
	a, b   *instant
	excess float64
}

type spans []span

func (h spans) Len() int           { return len(h) }
func (h spans) Less(i, j int) bool { return h[i].excess > h[j].excess }
func (h spans) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *spans) Push(x any) { *h = append(*h, x.(span)) }

// Pop implements heap.Interface.
func (h *spans) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// hold pushes an interval between breaks, if it may exceed what is attained elsewhere: a table has
// millions of them. Each time that those in hand have doubled, the ones below what is attained by
// now go. What they bound is that value, which [rateSweep.refine] takes.
func (s *rateSweep) hold(a, b *instant) {
	if s.below(a, b) {
		s.spare = append(s.spare, a, b)
		return
	}
	s.push(a, b)
	if len(s.open) < 2*s.left+atOnce {
		return
	}
	s.open = slices.DeleteFunc(s.open, func(x span) bool {
		below := s.below(x.a, x.b)
		if below {
			s.spare = append(s.spare, x.a, x.b)
		}
		return below
	})
	heap.Init(&s.open)
	s.left = len(s.open)
}

// below reports whether the bounds of an interval are not above what is attained.
func (s *rateSweep) below(a, b *instant) bool {
	return s.best.c1 > 0 && s.size > 0 && s.excess(a, b) <= 0
}

// push adds an interval in place, without the interface that heap.Push makes of each.
func (s *rateSweep) push(a, b *instant) {
	s.open = append(s.open, span{a, b, s.excess(a, b)})
	heap.Fix(&s.open, len(s.open)-1)
}

// refine bisects until the bounds are sharp or the budget is spent, and takes them.
func (s *rateSweep) refine() {
	for len(s.open) > 0 {
		top := &s.open[0]
		middle := top.a.t + (top.b.t-top.a.t)/2
		if s.budget <= 0 || top.excess <= rateTolerance || middle <= top.a.t || middle >= top.b.t {
			break
		}
		if now := s.excess(top.a, top.b); now < top.excess { // more is attained since
			top.excess = now
			heap.Fix(&s.open, 0)
			continue
		}
		a, b := top.a, top.b
		m := s.at(middle)
		*top = span{a, m, s.excess(a, m)}
		heap.Fix(&s.open, 0)
		s.push(m, b)
	}
	attained := instant{c1: s.best.c1, rate: s.best.rate, sigma: s.best.sigma}
	s.take(&attained, &attained) // for the intervals that were left out
	for _, it := range s.open {
		s.take(it.a, it.b)
	}
}

// curvature returns ⅛h² of an interval.
func curvature(a, b *instant) float64 { return (b.t - a.t) * (b.t - a.t) / 8 }

// take raises the bounds to those of an interval, and by what may change in the
// last bit before a break.
func (s *rateSweep) take(a, b *instant) {
	w := curvature(a, b)
	s.c1 = max(s.c1, max(a.c1, b.c1)+w*s.jerk+s.sliver*s.bend)
	for j := range s.rate {
		if s.sys.Constrained(j) {
			s.rate[j] = max(s.rate[j], max(a.rate[j], b.rate[j])+w*s.third[3*j+2]+s.sliver*s.second[3*j+2])
			s.sigma[j] = max(s.sigma[j], max(a.sigma[j], b.sigma[j])+w*s.second[3*j+2]+s.sliver*s.best.rate[j])
		}
	}
}

// excess returns how far the bounds of an interval lie above what is attained
// somewhere: relative to c_1 for the rates, and to the largest |σ^(j)| for the forces.
func (s *rateSweep) excess(a, b *instant) float64 {
	w := curvature(a, b)
	over := func(bound, attained, scale float64) float64 {
		if bound <= attained || scale == 0 {
			return 0
		}
		return (bound - attained) / scale
	}
	worst := over(max(a.c1, b.c1)+w*s.jerk, s.best.c1, s.best.c1)
	for j := range a.rate {
		if s.sys.Constrained(j) {
			worst = max(worst, over(max(a.rate[j], b.rate[j])+w*s.third[3*j+2], s.best.rate[j], s.best.c1),
				over(max(a.sigma[j], b.sigma[j])+w*s.second[3*j+2], s.best.sigma[j], s.size))
		}
	}
	return worst
}

func (s *rateSweep) sample(a, b float64, samples int) {
	for k := 1; k < samples; k++ {
		s.at(a + (b-a)*float64(k)/float64(samples))
	}
}

func (b *rateBounds) clone() *rateBounds {
	return &rateBounds{c1: b.c1, rate: slices.Clone(b.rate), sigma: slices.Clone(b.sigma), certified: b.certified}
}

// merge takes the larger of both.
func (b *rateBounds) merge(o *rateBounds) {
	b.c1 = max(b.c1, o.c1)
	b.certified = b.certified && o.certified
	raise(b.rate, o.rate)
	raise(b.sigma, o.sigma)
}
