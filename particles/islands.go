package particles

// Islands returns, for each particle, the number of the connected part of D²E's
// pattern that it belongs to, in the order of their first particles, and how many
// there are. Islands exchange no force: each one is a system of its own.
func (s *System) Islands() (of []int, count int) {
	parent := make([]int, s.N())
	for j := range parent {
		parent[j] = j
	}
	root := func(j int) int {
		for parent[j] != j {
			parent[j] = parent[parent[j]]
			j = parent[j]
		}
		return j
	}
	a := s.Pattern()
	for c := range a.N {
		for _, r := range a.Row[a.Ptr[c]:a.Ptr[c+1]] {
			if i, j := root(r/3), root(c/3); i != j {
				parent[max(i, j)] = min(i, j)
			}
		}
	}
	of = make([]int, s.N())
	for j := range of {
		if r := root(j); r == j {
			of[j] = count
			count++
		} else {
			of[j] = of[r] // r < j: the smaller one is the parent
		}
	}
	return of, count
}
