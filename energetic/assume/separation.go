package assume

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
)

// Subset is (N4) for one index set I_c ⊂ K ⊂ I_c ∪ I_s.
type Subset struct {
	K       []int    `json:"k"` // particles, ascending
	Alpha   Interval `json:"alpha"`
	Q       Interval `json:"q"`
	Verdict Verdict  `json:"verdict"`
}

// Margin bounds α_K − q_K.
func (s *Subset) Margin() Interval { return Interval{s.Alpha.Lo - s.Q.Hi, s.Alpha.Hi - s.Q.Lo} }

// Separation is assumption (N4): α_K > q_K for every K.
type Separation struct {
	Verdict Verdict `json:"verdict"`
	// Contact and Switching are the I_c and I_s that K runs over.
	Contact   []int `json:"contact"`
	Switching []int `json:"switching"`
	// Subsets are all K if Complete, else those the search computed that have the
	// smallest margins, at most listLimit; ascending by margin then.
	Subsets  []Subset `json:"subsets"`
	Complete bool     `json:"complete"`
	// Margin bounds min_K (α_K − q_K), and Factor min_K α_K/q_K, the number with
	// which all friction coefficients may be multiplied; +∞ without coupling.
	Margin Interval `json:"margin"`
	Factor Interval `json:"factor"`
	// Worst is the computed K of smallest margin; Soft the direction that attains
	// its α_K, by degree of freedom; Share what each particle adds to q_K².
	Worst Subset    `json:"worst"`
	Soft  []float64 `json:"-"`
	Share []float64 `json:"-"`
	// Nodes is the number of branches looked at; one is enough where α of the
	// smallest K exceeds a bound of all q_K.
	Nodes int `json:"nodes"`
	// Sampled: the energy or a friction matrix was sampled over the cylinder; the
	// numbers are those of the samples and certify nothing.
	Sampled bool `json:"sampled"`
}

const (
	// listLimit bounds the number of subsets that are listed.
	listLimit = 1024
	// listWork bounds subsets times cubes of the order for a complete list.
	listWork = 2e9
	// nodeLimit and nodeWork bound the branches of the search: by number, and by
	// number times cube of the order.
	nodeLimit = 4000
	nodeWork  = 2e10
	// minNodes are granted to a system of any size.
	minNodes = 4
	// marginTolerance ends the search: the bounds of the smallest margin agree to
	// this fraction of α.
	marginTolerance = 1e-9
)

// problem is (N4) with its data: one form, or the forms at many samples, over
// which the worst counts.
type separationProblem struct {
	ctx                context.Context // once it is done, what is found is of no use
	forms              []*form
	contact, switching []int
	n                  int // particles
	limit              int // nodes; 0: by size
}

// solve decides (N4): over all K one by one where they are few, otherwise by
// branch and bound.
func (p *separationProblem) solve() *Separation {
	s := p.empty()
	if listed(len(p.switching), p.work()) {
		p.enumerate(s)
	} else {
		p.search(s)
	}
	s.conclude()
	return s
}

// decide is solve by branch and bound, within the limit, where that looks at fewer K than there are: for the verdict alone.
func (p *separationProblem) decide() *Separation {
	if len(p.switching) < bits.Len(uint(p.limit)) {
		return p.solve()
	}
	s := p.empty()
	p.search(s)
	s.conclude()
	return s
}

// empty has no K yet.
func (p *separationProblem) empty() *Separation {
	s := &Separation{Contact: p.contact, Switching: p.switching, Margin: exactly(math.Inf(1)), Factor: exactly(math.Inf(1))}
	for _, f := range p.forms {
		s.Sampled = s.Sampled || f.sampled
	}
	return s
}

// work is about that of one K.
func (p *separationProblem) work() float64 {
	order := float64(3 * p.n)
	return order * order * order * float64(len(p.forms))
}

func (p *separationProblem) search(s *Separation) {
	if limit := searched(p.work()); p.limit == 0 || p.limit > limit {
		p.limit = limit
	}
	newSearch(p, s).run()
}

// listed reports whether all subsets of so many particles are, of which each takes work.
func listed(switching int, work float64) bool {
	count := math.Exp2(float64(switching))
	return count <= listLimit && count*work <= listWork || switching == 0
}

// searched is the number of branches that a search may have.
func searched(work float64) int { return max(minNodes, int(min(nodeLimit, nodeWork/work))) }

// enumerate lists every K, in the order of binary numbers.
func (p *separationProblem) enumerate(s *Separation) {
	s.Complete = true
	for code := range 1 << len(p.switching) {
		if p.ctx.Err() != nil {
			return
		}
		k := p.set(nil)
		for i, j := range p.switching {
			k[j] = code>>i&1 == 1
		}
		sub, soft, share := p.subset(k)
		s.Subsets = append(s.Subsets, sub)
		s.Nodes++
		m := sub.Margin()
		if s.Margin.Lo > m.Lo || len(s.Subsets) == 1 {
			s.Worst, s.Soft, s.Share = sub, soft, share
		}
		s.Margin = Interval{min(s.Margin.Lo, m.Lo), min(s.Margin.Hi, m.Hi)}
		r := ratio(sub.Alpha, sub.Q)
		s.Factor = Interval{min(s.Factor.Lo, r.Lo), min(s.Factor.Hi, r.Hi)}
	}
}

// set returns I_c and some more particles by particle.
func (p *separationProblem) set(more []int) []bool {
	k := make([]bool, p.n)
	for _, j := range p.contact {
		k[j] = true
	}
	for _, j := range more {
		k[j] = true
	}
	return k
}

// subset evaluates one K.
func (p *separationProblem) subset(k []bool) (sub Subset, soft, share []float64) {
	sub = Subset{K: particlesOf(k)}
	sub.Alpha, soft = p.alpha(k)
	sub.Q, share = p.q(k, k)
	sub.Verdict = judge(sub.Alpha, sub.Q)
	return sub, soft, share
}

// alpha is the smallest α_K of the forms.
func (p *separationProblem) alpha(k []bool) (Interval, []float64) {
	out, soft := exactly(math.Inf(1)), []float64(nil)
	for _, f := range p.forms {
		a, x := alpha(p.ctx, f.h, k)
		if a.Lo < out.Lo || soft == nil {
			soft = x
		}
		out = Interval{min(out.Lo, a.Lo), min(out.Hi, a.Hi)}
	}
	return out, soft
}

// q is the largest bound of the forms, see form.qNorm.
func (p *separationProblem) q(in, fixed []bool) (Interval, []float64) {
	out, share := Interval{}, make([]float64, p.n)
	for _, f := range p.forms {
		q, w := f.qNorm(in, fixed)
		if q.Hi > out.Hi {
			share = w
		}
		out = Interval{max(out.Lo, q.Lo), max(out.Hi, q.Hi)}
	}
	return out, share
}

func particlesOf(k []bool) []int {
	out := []int{}
	for j, in := range k {
		if in {
			out = append(out, j)
		}
	}
	return out
}

// critical: α and q that agree to this fraction are equal: eigenvalues are
// computed to about n·2⁻⁵².
const critical = 1e-12

// judge compares: (N4) is strict, and what is equal to roundoff fails.
func judge(alpha, q Interval) Verdict {
	slack := critical * max(math.Abs(alpha.Hi), q.Hi)
	switch {
	case alpha.Lo > q.Hi+slack && alpha.Lo > 0:
		return Holds
	case alpha.Hi <= q.Lo+slack || alpha.Hi <= 0:
		return Fails
	}
	return Undecided
}

// ratio bounds α/q; 0 if α is not positive, for then no factor helps.
func ratio(alpha, q Interval) Interval {
	div := func(a, q float64) float64 {
		if a <= 0 {
			return 0
		}
		return a / q // +∞ without q
	}
	return Interval{div(alpha.Lo, q.Hi), div(alpha.Hi, q.Lo)}
}

// conclude derives the verdict from the worst K and the bounds.
func (s *Separation) conclude() {
	s.Verdict = s.Worst.Verdict
	for _, k := range s.Subsets {
		s.Verdict = max(s.Verdict, k.Verdict)
	}
	if s.Verdict != Holds {
		return
	}
	slack := critical * math.Abs(s.Worst.Alpha.Hi)
	if !s.Complete && !(s.Margin.Lo > slack) {
		s.Verdict = Undecided
	}
}

// order sorts a list that is not complete by margin and cuts it.
func (s *Separation) order() {
	slices.SortStableFunc(s.Subsets, func(a, b Subset) int { return cmp.Compare(a.Margin().Lo, b.Margin().Lo) })
	s.Subsets = s.Subsets[:min(len(s.Subsets), listLimit)]
}
