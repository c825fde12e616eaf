package dynamics

import (
	"math"
	"slices"
)

// Pairs. A box that slides on a truck goes the way of the truck, and its own way on it may be a
// hundredth of that: places right to the accuracy of the one say little about the other. So where
// two parts touch from the start, or a part and an obstacle that moves touch at any time, how one
// goes relative to the other is one more part, measured by its own size:
//
//	‖x_a − x_b‖, or ‖x_a − c‖ with c where the obstacle has carried what was at the centre of a,
//
// each since the start. Springs, dampers, joints and patches that yield, which touch from the start, hold
// parts together that go far, and what they do is how long they are: each is a pair too, measured by
// its length, its turn, or its deformation. So is what can change its
// shape, with its own centre. The errors are those of x_a − x_b, since obstacles have none; and of a pair
// that rubs without going anywhere no more is asked than a share of the way of its island, see
// floors. What flies along a half-space and bounces on it goes a way of its own along its normal, which
// the way beside it, which friction bends, says little of: it is measured along that too. Of parts that meet in the run no place is asked, but what friction takes, see [tallies]: when
// they meet is an event, off by what their places are off by then, and what they do to each other
// ever after is late by that; of dominoes the relative motion is over before the next is hit.

// Pair is a part and what it has touched, or what a spring or a joint ties it to.
type Pair struct {
	A        int
	B        int     // the other part; −1: an obstacle, or the ground, or the centre of a part with a shape
	Obstacle int     // that one; −1: none
	Tie      int     // 1 + the number of the spring or joint, or the key of the patch; 0: none
	Arm      float64 // of one that turns, by which its turn is multiplied [m]; 0: it does not
	// Normal of a half-space, along which alone they are measured; zero: the whole distance.
	Normal [3]float64
}

// Paired is a [Variable] that measures pairs, behind all other parts.
type Paired interface {
	// Meet measures from now on what touches now.
	Meet()
}

// Pairs are those that have met, in the order in which they did. They only become more, whichever
// state a stepper goes back to. The zero value is none.
type Pairs struct {
	List  []Pair
	known map[Pair]bool
}

// Meet adds a pair that touches after some steps, unless it is there.
func (p *Pairs) Meet(x Pair, steps int) {
	if x.B >= 0 {
		x.A, x.B = min(x.A, x.B), max(x.A, x.B)
	}
	if steps <= 1 || x.B < 0 { // springs are there from the start
		p.add(x)
	}
}

func (p *Pairs) add(x Pair) {
	if p.known[x] {
		return
	}
	if p.known == nil {
		p.known = map[Pair]bool{}
	}
	p.known[x] = true
	p.List = append(p.List, x)
}

// Restore takes the pairs of a checkpoint, which are the first of these, or have them at first.
func (p *Pairs) Restore(list []Pair) {
	for _, x := range list[min(len(p.List), len(list)):] {
		p.add(x)
	}
}

// Parts appends the pairs to the parts of a system, and Names their names to those of the parts.
func (p *Pairs) Parts(list []Part) []Part {
	for i := range p.List {
		list = append(list, Part{Arm: p.List[i].Arm, Centre: -1, Pair: &p.List[i]})
	}
	return list
}

// Names appends the names of pairs to those of parts; obstacle is that of one.
func (p *Pairs) Names(names []string, obstacle func(i int) string) []string {
	for _, x := range p.List {
		other := "its centre"
		switch {
		case x.Tie > 0 && x.B < 0 && x.Obstacle < 0:
			other = "the ground"
		case x.B >= 0:
			other = partName(names, x.B)
		case x.Obstacle >= 0:
			other = obstacle(x.Obstacle)
		}
		how := " relative to "
		if x.Tie > 0 {
			how = " as it is held by "
		}
		if x.Normal != [3]float64{} {
			how = " along the normal of "
		}
		name := partName(names, x.A) + how + other
		names = append(names, name)
	}
	return names
}

// MeetHalfSpace adds how a part goes along the normal of a half-space that it touches, if it is one.
func (p *Pairs) MeetHalfSpace(part, obstacle int, normal [3]float64) {
	if normal != [3]float64{} {
		p.add(Pair{A: part, B: -1, Obstacle: obstacle, Normal: normal})
	}
}

// meet measures the pairs that touch now.
func meet(v Variable) {
	if p, ok := v.(Paired); ok {
		p.Meet()
	}
}

// Distances appends how far the parts of each pair are from each other, by the ways of their
// centres; carried is that of what is at the centre of a part, with an obstacle, nil: none; stretch
// is by how much a tie is longer or shorter, or turned.
func (p *Pairs) Distances(dst []float64, way func(part int) [3]float64, carried func(x Pair) [3]float64,
	stretch func(x Pair) float64) []float64 {
	for _, x := range p.List {
		if x.Tie > 0 {
			dst = append(dst, stretch(x))
			continue
		}
		a, b := way(x.A), [3]float64{}
		switch {
		case x.B >= 0:
			b = way(x.B)
		case carried != nil:
			b = carried(x)
		}
		sum, along := 0.0, 0.0
		for k := range a {
			sum, along = sum+(a[k]-b[k])*(a[k]-b[k]), along+(a[k]-b[k])*x.Normal[k]
		}
		if x.Normal != [3]float64{} {
			dst = append(dst, math.Abs(along))
			continue
		}
		dst = append(dst, math.Sqrt(sum))
	}
	return dst
}

// shape reports whether it is that of a part.
func (x *Pair) shape() bool { return x.B < 0 && x.Obstacle < 0 && x.Tie == 0 }

// members returns the largest value of the parts of a pair.
func (x *Pair) members(of []float64) float64 {
	if x.B < 0 {
		return of[x.A]
	}
	return max(of[x.A], of[x.B])
}

// lengthen appends zeros up to n entries.
func lengthen(x *[]float64, n int) {
	if more := n - len(*x); more > 0 {
		*x = append(*x, make([]float64, more)...)
	}
}

// byPairs appends to a list of the other parts, as each pair has it, the largest of its parts'.
func byPairs(list []float64, parts []Part) []float64 {
	list = slices.Grow(list, max(0, len(parts)-len(list)))
	for _, x := range parts[min(len(list), len(parts)):] {
		y := 0.0
		if x.Pair != nil {
			y = x.Pair.members(list)
		}
		list = append(list, y)
	}
	return list
}
