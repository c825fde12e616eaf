// Package forest divides the numbers 0 … n−1 into disjoint sets, by joining pairs: the parts of
// a graph of which the edges come one after the other. Nearly linear, by halving of paths.
package forest

// Sets are disjoint sets: of each member the parent, of a root itself. The root of a set is its
// smallest member, so that nothing depends on the order of the pairs.
type Sets []int

// New makes n sets of one member each.
func New(n int) Sets {
	s := make(Sets, n)
	s.Part()
	return s
}

// Part makes sets of one member each.
func (s Sets) Part() {
	for i := range s {
		s[i] = i
	}
}

// Root returns the smallest member of the set of i.
func (s Sets) Root(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Join makes one set of those of i and j.
func (s Sets) Join(i, j int) {
	if i, j = s.Root(i), s.Root(j); i != j {
		s[max(i, j)] = min(i, j)
	}
}

// Number returns the number of the set of each member, in the order of their smallest ones,
// and how many sets there are.
func (s Sets) Number() (of []int, count int) {
	of = make([]int, len(s))
	for i := range of {
		if r := s.Root(i); r == i {
			of[i] = count
			count++
		} else {
			of[i] = of[r] // r < i
		}
	}
	return of, count
}
