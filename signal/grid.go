package signal

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Grid is where the nodes of a run lie: at equal steps of until/n, but that a time at which a
// signal has a kink is a node.
//
// Twins of a run go in steps of twice and of four times the length, so that steps come in groups of
// four. A group of equal steps amid which a kink lies is cut there, and each piece in four equal
// steps: run and twins all have the kink for a node, and the ratio of their steps stays two. With
// more than four kinks in a group, as of a sampled record, the steps go from kink to kink, and the
// twins over some. A group without kinks, or with kinks at its nodes, stays as it was, to the bit.
// Without twins a group is one step, which ends at kinks.
//
// The zero Grid has no steps. Immutable; safe for concurrent use.
type Grid struct {
	until float64
	equal int   // steps, were there no kinks
	parts int   // steps of a group, one or four …
	group int   // … and of one without kinks where they are divided
	cuts  []cut // groups with kinks
	kinks []float64
	steps int
}

// cut is a group of steps that are not equal.
type cut struct {
	group int       // its number
	first int       // number of its first step
	nodes []float64 // ends of its steps, the last one that of the group
}

const (
	// TwinSteps is the number of steps of a group of [NewGrid], which the twins of a run make in
	// two and in one.
	TwinSteps = 4
	// atNode: a kink by itself that is nearer to a node amid the run than this share of a step is there: times in a
	// file are rounded.
	atNode = 1e-9
	// sampled: a group with more kinks is one of a record.
	sampled = 4
)

// NewGrid lays n equal steps out to a time, and cuts them at the kinks of a course and so that its
// periods have
// [PerPeriod] nodes each; in groups of [TwinSteps], or of 1.
func NewGrid(until float64, n, group int, c *Course) *Grid {
	n *= c.Cuts(until / float64(n))
	g := &Grid{until: until, equal: n, parts: group, group: group, kinks: c.Knots, steps: n}
	g.cut(c.Knots)
	return g
}

// mostCuts bounds what Cuts returns: the quotient of a sine of 1e25 Hz fits no int. Callers refuse
// far fewer.
const mostCuts = 1<<31 - 1

// Cuts returns into how many parts a step of h is cut by the periods, at most 2^31 − 1.
func (c *Course) Cuts(h float64) int {
	longest := c.Longest()
	if longest == 0 || h <= longest*(1+atNode) {
		return 1
	}
	return int(min(math.Ceil(h/longest*(1-atNode)), mostCuts))
}

// cut cuts groups at kinks.
func (g *Grid) cut(kinks []float64) {
	h, all := g.Step(), kinks
	for len(kinks) > 0 {
		k := g.groupOf(kinks[0])
		first, last := k*g.group, min((k+1)*g.group, g.equal)
		n, _ := slices.BinarySearch(kinks, g.base(last))
		amid, off := make([]float64, 0, n), false
		for _, t := range kinks[:n] {
			near := g.base(int(math.Round(t / h)))
			d := math.Abs(t - near)
			at := d <= timeRounding*t || d <= atNode*h && 0 < near && near < g.until && lone(all, t, atNode*h)
			if at {
				t = near
			}
			from := g.base(first)
			if len(amid) > 0 {
				from = amid[len(amid)-1]
			}
			if end := g.base(last); t-from > timeRounding*t && end-t > timeRounding*end {
				amid, off = append(amid, t), off || !at
			}
		}
		if off {
			c := cut{group: k, first: first + g.steps - g.equal, nodes: g.pieces(first, last, amid)}
			g.cuts = append(g.cuts, c)
			g.steps += len(c.nodes) - (last - first)
		}
		kinks = kinks[max(n, 1):]
	}
}

// groupOf returns the number of the group in which a time lies.
func (g *Grid) groupOf(t float64) int {
	k := int(t/g.Step()) / g.group
	for k > 0 && t < g.base(k*g.group) { // rounding of the quotient
		k--
	}
	for (k+1)*g.group < g.equal && t >= g.base((k+1)*g.group) {
		k++
	}
	return k
}

// pieces are the ends of the steps of a group, between two nodes, with kinks amid it.
func (g *Grid) pieces(first, last int, kinks []float64) (ends []float64) {
	marks := append(append([]float64{g.base(first)}, kinks...), g.base(last))
	for i, to := range marks[1:] {
		from, parts := marks[i], g.parts
		if len(kinks) > sampled {
			parts = max(1, int(math.Ceil((to-from)/g.Step()*(1-atNode))))
		}
		for k := 1; k < parts; k++ {
			ends = append(ends, from+(to-from)*(float64(k)/float64(parts)))
		}
		ends = append(ends, to)
	}
	for len(ends)%g.parts > 0 { // the longest are halved
		at, from := 0, g.base(first)
		for i, longest := 0, 0.0; i < len(ends); i++ {
			if d := ends[i] - from; d > longest {
				at, longest = i, d
			}
			from = ends[i]
		}
		from = g.base(first)
		if at > 0 {
			from = ends[at-1]
		}
		ends = slices.Insert(ends, at, from+(ends[at]-from)/2)
	}
	return ends
}

// base is node k of the equal steps.
func (g *Grid) base(k int) float64 { return g.until * float64(k) / float64(g.equal) }

// Steps returns their number.
func (g *Grid) Steps() int { return g.steps }

// Equal reports whether all steps are.
func (g *Grid) Equal() bool { return len(g.cuts) == 0 }

// Step returns the length of the steps that were not cut [s].
func (g *Grid) Step() float64 { return g.until / float64(g.equal) }

// before returns the number of the last cut group that begins at step k or before it, or −1.
func (g *Grid) before(k int) int {
	return sort.Search(len(g.cuts), func(i int) bool { return g.cuts[i].first > k }) - 1
}

// Time returns node k, the end of k steps [s].
func (g *Grid) Time(k int) float64 {
	i := g.before(k - 1)
	if i < 0 {
		return g.base(k)
	}
	c := &g.cuts[i]
	if at := k - 1 - c.first; at < len(c.nodes) {
		return c.nodes[at]
	}
	return g.base(min((c.group+1)*g.group, g.equal) + k - c.first - len(c.nodes))
}

// Length returns that of the step that ends at node k [s].
func (g *Grid) Length(k int) float64 {
	if i := g.before(k - 1); i >= 0 && k-1-g.cuts[i].first < len(g.cuts[i].nodes) {
		return g.Time(k) - g.Time(k-1)
	}
	return g.Step()
}

// Kinked reports whether there is a kink at node k.
func (g *Grid) Kinked(k int) bool {
	t, near := g.Time(k), atNode*g.Step()
	i, _ := slices.BinarySearch(g.kinks, t-near)
	return i < len(g.kinks) && g.kinks[i] <= t+near
}

// Node returns the number of the node that is nearest to a time.
func (g *Grid) Node(t float64) int {
	if g.Equal() {
		return min(max(0, int(math.Round(t/g.Step()))), g.steps)
	}
	k := sort.Search(g.steps, func(k int) bool { return g.Time(k) >= t })
	if k > 0 && t-g.Time(k-1) < g.Time(k)-t {
		k--
	}
	return k
}

// Divided returns the grid with each step cut into n equal ones.
func (g *Grid) Divided(n int) *Grid {
	if n < 1 {
		panic(fmt.Sprintf("signal: Grid.Divided(%d)", n))
	}
	d := &Grid{until: g.until, equal: n * g.equal, parts: g.parts, group: n * g.group, kinks: g.kinks, steps: n * g.steps}
	for _, c := range g.cuts {
		from, nodes := g.Time(c.first), make([]float64, 0, n*len(c.nodes))
		for _, to := range c.nodes {
			for k := 1; k < n; k++ {
				nodes = append(nodes, from+(to-from)*(float64(k)/float64(n)))
			}
			nodes, from = append(nodes, to), to
		}
		d.cuts = append(d.cuts, cut{c.group, n * c.first, nodes})
	}
	return d
}
