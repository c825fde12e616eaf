package rigid

import (
	"github.com/quasistatic/quasistatic/memory"
)

// What a touch takes in the lists of near pairs and in what is remembered of them, and a velocity
// in vectors, poses and inverses [bytes]; both bounds.
const (
	touchBytes    = 1 << 10
	velocityBytes = 60 * 8
)

// Need predicts what steps from the present state take: its vectors, its touches, and the problem
// of all that are near, each coupled to those on the same bodies.
func (s *Stepper) Need() memory.Estimate {
	var e memory.Estimate
	e.Add("bodies", memory.Product(int64(len(s.v)), velocityBytes))
	e.Add("touches", memory.Product(int64(len(s.touches)), touchBytes))
	dim := int64(s.model.Dim)
	e.Add("Delassus operator", memory.Product(solverCopies, s.coupled(), 8*dim*dim+8))
	return e
}

// coupled bounds the blocks of W: Σ n² over the components, of the n touches on each.
func (s *contactSet) coupled() int64 {
	on := make([]int64, len(s.model.Components))
	for i := range s.touches {
		t := &s.touches[i]
		on[s.model.Home[t.A]]++
		if t.B >= 0 && s.model.Home[t.B] != s.model.Home[t.A] {
			on[s.model.Home[t.B]]++
		}
	}
	blocks := int64(0)
	for _, n := range on {
		blocks = memory.Sum(blocks, memory.Product(n, n))
	}
	return blocks
}
