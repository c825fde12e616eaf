package sparse

// Permutation returns an order of elimination of the columns of a that keeps
// the fill of a factorisation low, by approximate minimum degree. Only the
// pattern of a is read.
func Permutation(a *Sym) []int {
	g := newGraph(a)
	perm := make([]int, 0, a.N)
	for _, v := range orderMinDegree(g, g.n) {
		for _, i := range g.dof[g.dofPtr[v]:g.dofPtr[v+1]] {
			perm = append(perm, int(i))
		}
	}
	return perm
}
